"""The pages: shells for the screens, and a few that the server words itself."""

import json
from collections.abc import Mapping
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    send_from_directory,
)
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from web import words
from web.api import end_session, leave_table, person_json, sign_in_with, start_session
from web.build import STATIC, Build, NoBuildError
from web.guard import (
    DEALER_ROLES,
    LANGUAGE_COOKIE,
    PICTURE_ROLES,
    SESSION_COOKIE,
    SUPERVISOR_ROLES,
    Refused,
    check_form_token,
    forget_cookie,
    form_token,
    new_form_seed,
    overlay_right,
    person,
    require,
    require_table,
    session_token,
    set_cookie,
    studio,
)
from web.homes import home_of
from web.language import asked_language, overlay_language, page_language
from web.words import Catalogue

blueprint = Blueprint("pages", __name__)

LOOK_AGAIN_S = 5
"""After how long a page looks again for figures that are being worked out."""
FOR_EVER = "public, max-age=31536000, immutable"


def _json(value: Any) -> str:
    """JSON that may stand inside a script block: no text in it can end the block."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("&", "\\u0026")


def _boot(page: str, language: Catalogue, build: str, table: str, extra: Mapping[str, Any]) -> str:
    somebody = person()
    service = studio()
    facts: dict[str, Any] = {
        "page": page,
        "studio": service.studio_name,
        "currency": service.currency,
        "profile": service.profile,
        "epoch": service.epoch,
        "build": build,
        "lang": language.lang,
        "dir": language.dir,
        "languages": [
            {"code": each.lang, "name": each.name, "dir": each.dir}
            for each in words.catalogues().values()
        ],
        "person": None if page == "overlay" else person_json(somebody),
        "table": table,
        "tables": [table] if page == "overlay" else list(service.tables()),
        "params": {},
        "socket": {"namespace": f"/{page}", "auth": {"table": table}},
        "refused": None,
    }
    return _json({**facts, **extra})


def shell(
    page: str,
    language: Catalogue,
    *,
    table: str = "",
    status: int = 200,
    extra: Mapping[str, Any] | None = None,
    form: Mapping[str, Any] | None = None,
) -> Response:
    """The page that loads a screen. The sign-in also works where nothing can be loaded."""
    build: Build = current_app.extensions["cutcard_build"]
    try:
        files = build.files(f"src/{page}.tsx")
    except NoBuildError:
        if form is None:
            raise
        files = None
    response = make_response(
        render_template(
            "shell.html",
            page=page,
            language=language,
            languages=words.catalogues().values(),
            studio=studio().studio_name,
            table=table,
            files=files,
            boot=_boot(page, language, files.build if files else "", table, extra or {}),
            form=form,
        ),
        status,
    )
    if page != "overlay":
        remember_language(response)
    return response


def plain_styles() -> tuple[str, ...]:
    """The style sheet of the pages that need no script; none where nothing is built."""
    build: Build = current_app.extensions["cutcard_build"]
    try:
        return build.files("src/rules.css").styles
    except NoBuildError:
        return ()


def remember_language(response: AnyResponse) -> None:
    """Keep the language that the address asks for, for the next page."""
    asked = asked_language()
    if asked:
        set_cookie(response, LANGUAGE_COOKIE, asked, readable=True)


def _sign_in_page(refusal: Refused | None = None) -> Response:
    language = page_language()
    form = {
        "token": form_token(new_form_seed()),
        "refusal": "" if refusal is None else language.reason(refusal.reason, refusal.sentence),
    }
    status = 200 if refusal is None else refusal.code or 400
    response = shell("signin", language, status=status, form=form)
    if refusal is not None and refusal.retry_s:
        response.headers["Retry-After"] = str(refusal.retry_s)
    return response


@blueprint.get("/")
def front() -> AnyResponse:
    """Sign in; or, where somebody is signed in, that person's own face."""
    somebody = person()
    if somebody is None:
        return _sign_in_page()
    home = home_of(somebody.role, studio().tables())
    if home:
        response = redirect(home, 303)
        remember_language(response)
        return response
    return _choose_page(somebody.name)


def _choose_page(name: str) -> AnyResponse:
    """The tables of the studio as tiles, with how each stands and who deals there."""
    language = page_language()
    tiles = [
        {
            "table": tile["table"],
            "state": tile.get("state", ""),
            "word": language.text(f"state.{tile['state']}") if "state" in tile else "",
            "dealer": tile.get("dealer", ""),
        }
        for tile in studio().wall().view["tiles"]
    ]
    build: Build = current_app.extensions["cutcard_build"]
    try:
        script = build.files("src/choose.ts").script
    except NoBuildError:
        script = ""
    response = make_response(
        render_template(
            "choose.html",
            language=language,
            languages=words.catalogues().values(),
            tiles=tiles,
            name=name,
            styles=plain_styles(),
            script=script,
        )
    )
    remember_language(response)
    return response


@blueprint.post("/")
def sign_in_form() -> AnyResponse:
    """Sign in by the plain form, for a browser without scripts."""
    check_form_token()
    try:
        session = sign_in_with(request.form)
    except Refused as refusal:
        return _sign_in_page(refusal)
    response = redirect("/", 303)
    start_session(response, session)
    return response


@blueprint.post("/sign-out")
def sign_out_form() -> AnyResponse:
    """Sign out by the plain form."""
    check_form_token()
    leave_table(session_token())
    end_session(session_token())
    response = redirect("/", 303)
    forget_cookie(response, SESSION_COOKIE)
    return response


@blueprint.get("/dealer/<table>")
def dealer(table: str) -> AnyResponse:
    """The dealer console of a table."""
    if person() is None:
        return redirect("/", 303)
    require(DEALER_ROLES)
    return shell("dealer", page_language(), table=require_table(table))


@blueprint.get("/supervisor")
@blueprint.get("/supervisor/<table>")
def supervisor(table: str = "") -> AnyResponse:
    """The wall of tables, with one of them opened if the address names it."""
    if person() is None:
        return redirect("/", 303)
    require(SUPERVISOR_ROLES)
    if table:
        require_table(table)
    return shell("supervisor", page_language(), table=table)


@blueprint.get("/supervisor/<table>/figures")
def observed(table: str) -> AnyResponse:
    """What was dealt at a table beside what is expected, per table, dealer and shift."""
    if person() is None:
        return redirect("/", 303)
    require(SUPERVISOR_ROLES)
    found = studio().observed(require_table(table))
    response = make_response(
        render_template(
            "observed.html",
            language=page_language(),
            languages=words.catalogues().values(),
            found=found,
            styles=plain_styles(),
        )
    )
    if found.progress == "in_work":
        response.headers["Refresh"] = str(LOOK_AGAIN_S)
    remember_language(response)
    return response


@blueprint.get("/overlay/<table>")
def overlay(table: str) -> Response:
    """A browser source. Without a right it stays transparent and says why in its console."""
    secret = request.args.get("token", "")
    somebody = person()
    allowed = table in studio().tables() and (
        overlay_right(studio(), table, secret) is not None
        or (somebody is not None and somebody.role in SUPERVISOR_ROLES)
    )
    auth: dict[str, Any] = {"table": table, "token": secret}
    if request.args.get("delay_ms", "").isdecimal():
        auth["delay_ms"] = int(request.args["delay_ms"][:6])
    refused = {
        "code": "refused.token",
        "text": "This overlay's address is not valid: ask the engineer for a new one.",
    }
    extra = {
        "params": {
            key: ",".join(request.args.getlist(key)) for key in request.args if key != "token"
        },
        "socket": {"namespace": "/overlay", "auth": auth},
        "refused": None if allowed else refused,
    }
    return shell(
        "overlay", overlay_language(), table=table, extra=extra, status=200 if allowed else 403
    )


@blueprint.get("/rules/<table>")
def rules(table: str) -> Response:
    """The rules in force at a table, worded from the rule object, in each complete language."""
    found = studio().rules(require_table(table))
    figures = studio().figures(table)
    language = page_language()
    response = make_response(
        render_template(
            "rules.html",
            language=language,
            english=words.catalogue(words.SOURCE),
            languages=words.catalogues().values(),
            rules=found,
            figures=figures,
            studio=studio().studio_name,
            styles=plain_styles(),
        )
    )
    if figures.progress == "in_work":
        response.headers["Refresh"] = str(LOOK_AGAIN_S)
    remember_language(response)
    return response


@blueprint.get("/status")
def status() -> Response:
    """How the studio is, for people; 503 where it is not ready, as for machines."""
    health = studio().health()
    tables = {
        str(getattr(each, "table", each)): str(getattr(each, "state", "")) for each in health.tables
    }
    return make_response(
        render_template(
            "status.html",
            language=words.catalogue(words.SOURCE),
            studio=studio().studio_name,
            headline=_headline(tables, ready=health.ready),
            health=health,
            tables=tables,
            screens=current_app.extensions["cutcard_hub"].seats(),
            styles=plain_styles(),
        ),
        200 if health.ready else 503,
    )


def _headline(tables: Mapping[str, str], *, ready: bool) -> str:
    """Whether the studio can deal, and at which tables nobody may deal now all the same."""
    said = ["The studio can deal." if ready else "The studio cannot deal: see the findings."]
    for state, sentence in (
        ("hold", "Held, a supervisor has to answer: {names}."),
        ("stopped", "Stopped, start the studio again: {names}."),
    ):
        names = ", ".join(name.upper() for name, each in tables.items() if each == state)
        if names:
            said.append(sentence.format(names=names))
    return " ".join(said)


@blueprint.get("/health/live")
def live() -> Response:
    """Whether the server answers at all."""
    return Response("live\n", mimetype="text/plain")


@blueprint.get("/health/ready")
def ready() -> Response:
    """Whether the studio can deal; else 503 and one sentence a line."""
    health = studio().health()
    text = "ready\n" if health.ready else "".join(f"{line}\n" for line in health.findings)
    return Response(
        text or "not ready\n", status=200 if health.ready else 503, mimetype="text/plain"
    )


@blueprint.get("/metrics")
def metrics() -> Response:
    """All figures, with the open screens."""
    seats = current_app.extensions["cutcard_hub"].seats()
    text = studio().metrics({namespace[1:]: number for namespace, number in seats.items()})
    return Response(text, content_type="text/plain; version=0.0.4")


@blueprint.get("/picture/<table>")
def picture(table: str) -> Response:
    """The camera's newest picture; never for a dealer (FACES.md 11)."""
    require(PICTURE_ROLES)
    found = studio().picture(require_table(table))
    if found is None:
        raise Refused(404, "refused.no_picture", "No camera of this table has shown a picture yet.")
    return Response(found, mimetype="image/jpeg")


@blueprint.get("/static/<path:name>")
def static(name: str) -> Response:
    """A file of the build. Names with a hash are kept for ever by the browser."""
    if any(part.startswith(".") for part in name.split("/")):
        raise NotFound
    response = send_from_directory(STATIC, name)
    hashed = name.startswith("assets/")
    response.headers["Cache-Control"] = FOR_EVER if hashed else "no-cache"
    return response
