"""Who may come in, and what every answer carries: sessions, origins, form tokens, headers.

The only thing that a browser keeps is the token of a session in the store, in a cookie that no
script can read. What that person may do is looked up for each request and each command, so a
sign-out or a right taken away acts at once.
"""

import hashlib
import hmac
import secrets
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from web.needs import OverlayToken, Person, Secrets, Service

SESSION_COOKIE = "cutcard_session"
FORM_COOKIE = "cutcard_form"
LANGUAGE_COOKIE = "cutcard_lang"
COOKIE_AGE_S = 16 * 3600
"""Longer than any shift; the session in the store ends earlier."""
LARGEST_BODY = 16 * 1024
"""Bytes of a request; the pages of this module send far less."""

DEALER_ROLES = frozenset({"dealer", "supervisor", "pit-boss", "engineer"})
"""Who may look at a dealer console. What may be pressed there, the store says per command."""
SUPERVISOR_ROLES = frozenset({"supervisor", "pit-boss", "engineer", "auditor"})
APPROVING_ROLES = frozenset({"supervisor", "pit-boss"})
"""On whose console a second person may answer for one act."""
PICTURE_ROLES = frozenset({"supervisor", "pit-boss", "engineer"})
"""Who may see the camera's picture (FACES.md 11: never the dealer)."""
AUDIENCE_ROLES = {"dealer": DEALER_ROLES, "supervisor": SUPERVISOR_ROLES}

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; object-src 'none'"
)


class Refused(HTTPException):
    """A request that is not answered as asked: a status, a message code and one sentence."""

    def __init__(self, status: int, reason: str, sentence: str, *, retry_s: int = 0) -> None:
        """Keep what the error pages show; `retry_s` is when to try again, 0 if that is no use."""
        super().__init__(sentence)
        self.code = status
        self.reason = reason
        self.sentence = sentence
        self.retry_s = retry_s


def studio() -> Service:
    """The service behind this request."""
    service: Service = current_app.extensions["cutcard"]
    return service


def session_token() -> str:
    """The session token that the browser sent, empty if none."""
    return request.cookies.get(SESSION_COOKIE, "")[:200]


def person() -> Person | None:
    """Who is signed in, as the store says now; looked up once per request."""
    if "person" not in g:
        token = session_token()
        g.person = studio().accounts.session(token) if token else None
    found: Person | None = g.person
    return found


def require(roles: frozenset[str]) -> Person:
    """Give the person if the role is among these; else refuse with what to do."""
    somebody = person()
    if somebody is None:
        raise Refused(401, "refused.signed_out", "Sign in first: open / and sign in.")
    if somebody.role not in roles:
        raise Refused(
            403,
            "refused.no_right",
            f"The role {somebody.role} may not see this: ask a supervisor or an engineer.",
        )
    return somebody


def require_table(table: str) -> str:
    """Give the name of the table if there is one, else refuse with the names that exist."""
    names = studio().tables()
    if table not in names:
        known = ", ".join(names) or "none"
        raise Refused(
            404, "refused.unknown_table", f"There is no table of that name; the tables are {known}."
        )
    return table


def overlay_right(service: Service, table: str, secret: str) -> OverlayToken | None:
    """What the secret allows at this table: None if it is unknown, revoked or of another table."""
    token = service.accounts.token(secret[:200]) if secret else None
    return token if token is not None and token.table == table else None


def same_origin(origin: str | None, host: str) -> bool:
    """Whether a browser's `Origin` names the host that it speaks to; ``null`` never does."""
    if not origin:
        return False
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc) and parts.netloc == host


def form_key(secrets_: Secrets) -> bytes:
    """The key of form tokens; with `CUTCARD_SECRET_KEY` the same after a restart.

    Without it a form that was open then is asked for once more.
    """
    given = secrets_.secret_key
    if given is None:
        return secrets.token_bytes(32)
    return hashlib.sha256(b"cutcard-forms:" + given.get_secret_value().encode()).digest()


def form_token(seed: str) -> str:
    """The token that belongs in a form whose browser holds this seed in its cookie."""
    key: bytes = current_app.extensions["cutcard_form_key"]
    return hmac.new(key, seed.encode(), hashlib.sha256).hexdigest()


def new_form_seed() -> str:
    """The browser's seed for form tokens, or a new one to be set with the answer."""
    seed = request.cookies.get(FORM_COOKIE, "")
    g.form_seed = seed if len(seed) == 43 else secrets.token_urlsafe(32)  # noqa: PLR2004
    found: str = g.form_seed
    return found


def check_form_token() -> None:
    """Refuse a form that did not come from a page of ours."""
    seed = request.cookies.get(FORM_COOKIE, "")
    given = request.form.get("form_token", "")
    if not seed or not hmac.compare_digest(form_token(seed).encode(), given.encode()):
        raise Refused(
            403, "refused.form", "This form is too old: open / again and send it once more."
        )


def refuse_foreign_writes() -> None:
    """Refuse whatever changes something and was started by a page that is not ours."""
    if request.method in SAFE_METHODS:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        # The browser's own word, which no page can forge; it comes on safe addresses only.
        foreign = site not in {"same-origin", "none"}
    else:
        foreign = origin is not None and not same_origin(origin, request.host)
    if foreign:
        raise Refused(
            403, "refused.origin", "This request came from another site: open the console itself."
        )


def add_headers(response: Response) -> Response:
    """Give every answer its security headers; an overlay alone may be framed, by OBS."""
    headers = response.headers
    policy = CONTENT_POLICY
    overlay = request.path.startswith("/overlay/")
    if not overlay:
        policy += "; frame-ancestors 'none'"
        headers.setdefault("X-Frame-Options", "DENY")
    headers.setdefault("Content-Security-Policy", policy)
    headers.setdefault("X-Content-Type-Options", "nosniff")
    # An overlay's address holds its token. Elsewhere our own pages must name themselves: a form
    # sent without a referrer has no origin either.
    headers.setdefault("Referrer-Policy", "no-referrer" if overlay else "same-origin")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
    headers.setdefault("Cache-Control", "no-store")
    if "form_seed" in g:
        set_cookie(response, FORM_COOKIE, g.form_seed)
    return response


def set_cookie(response: AnyResponse, name: str, value: str, *, readable: bool = False) -> None:
    """Set a cookie of ours: strict, and hidden from scripts unless it is only a preference."""
    response.set_cookie(
        name,
        value,
        max_age=COOKIE_AGE_S,
        httponly=not readable,
        samesite="Strict",
        secure=request.is_secure,
        path="/",
    )


def forget_cookie(response: AnyResponse, name: str) -> None:
    """Take a cookie of ours back."""
    response.delete_cookie(name, path="/", httponly=True, samesite="Strict")


def guard(app: Flask, service: Service, secrets_: Secrets) -> None:
    """Put the guards before and behind every request of this application."""
    app.extensions["cutcard"] = service
    app.extensions["cutcard_form_key"] = form_key(secrets_)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.before_request(refuse_foreign_writes)
    app.after_request(add_headers)
