"""JSON for the screens: signing in and out, who is there, the newest view to fetch."""

import json
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request
from werkzeug.wrappers import Response as AnyResponse

from studio.live.accounts import Credentials
from web.guard import (
    APPROVING_ROLES,
    AUDIENCE_ROLES,
    SESSION_COOKIE,
    SUPERVISOR_ROLES,
    Refused,
    forget_cookie,
    overlay_right,
    person,
    require,
    require_table,
    session_token,
    set_cookie,
    studio,
)
from web.homes import home_of
from web.messages import LONGEST_ENTRY, Seconded, UnreadableError, read_delay, read_second
from web.needs import Person
from web.publisher import MAX_DELAY_MS, OVERLAY, WALL, Slot

blueprint = Blueprint("api", __name__, url_prefix="/api/ui")


def sign_in_with(given: Mapping[str, Any]) -> Any:
    """Sign somebody in by number and PIN, or by badge; raises Refused with what to do.

    The accounts throttle by themselves, per number and per address; what was given is not repeated.
    """
    fields = {key: given.get(key, "") for key in ("number", "pin", "badge")}
    if not all(isinstance(each, str) and len(each) <= LONGEST_ENTRY for each in fields.values()):
        raise Refused(400, "refused.malformed", "Give a staff number and a PIN, or a badge.")
    accounts = studio().accounts
    address = request.remote_addr or ""
    number, pin, badge = fields["number"].strip(), fields["pin"].strip(), fields["badge"].strip()
    if badge and not number:
        answer = accounts.sign_in_badge(badge, address)
    elif number and pin:
        answer = accounts.sign_in(number, pin, address)
    else:
        raise Refused(400, "refused.malformed", "Give a staff number and a PIN, or a badge.")
    if getattr(answer, "token", None) is None:
        raise _refusal(answer)
    return answer


def _refusal(answer: Any) -> Refused:
    wait_s = getattr(answer, "retry_s", 0) or getattr(answer, "wait_s", 0) or 0
    code = str(getattr(answer, "code", "")) or "refused.sign_in"
    text = str(getattr(answer, "text", "")) or "Number and PIN do not fit: try again."
    # Whole seconds upwards, so that who waits as told is not refused again.
    return Refused(429 if wait_s else 401, code, text, retry_s=int(-(-wait_s // 1)))


def start_session(response: AnyResponse, session: Any) -> None:
    """Give the browser the token of its new session; an older one of its own ends."""
    old = session_token()
    if old and old != session.token:
        end_session(old)
    set_cookie(response, SESSION_COOKIE, session.token)


def end_session(token: str) -> None:
    """End a session in the store and close its screens."""
    studio().accounts.sign_out(token)
    current_app.extensions["cutcard_hub"].sign_out(token)


def leave_table(token: str) -> None:
    """Let a dealer who signs out stand up; raises Refused while a round keeps them at the table."""
    somebody = studio().accounts.session(token) if token else None
    if somebody is None:
        return
    answer = studio().leave(somebody)
    if str(answer.status) != "done":
        raise Refused(409, str(answer.code) or "refused.busy", str(answer.text))


def person_json(somebody: Person | None) -> dict[str, str] | None:
    """Who is signed in, as a screen is told."""
    if somebody is None:
        return None
    return {
        "number": somebody.number,
        "name": somebody.name,
        "role": str(somebody.role),
        "locale": str(somebody.locale),
    }


@blueprint.post("/sign-in")
def sign_in() -> Response:
    """Sign in; the answer sets the session's cookie."""
    given = request.get_json()
    if not isinstance(given, dict):
        raise Refused(400, "refused.malformed", "Give a staff number and a PIN, or a badge.")
    session = sign_in_with(given)
    somebody: Person = session.person
    home = home_of(somebody.role, studio().tables()) or "/"
    response = jsonify({"person": person_json(somebody), "home": home})
    start_session(response, session)
    return response


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """Sign out; every screen of the session is closed. A dealer does so between rounds only."""
    token = session_token()
    if token:
        leave_table(token)
        end_session(token)
    response = Response(status=204)
    forget_cookie(response, SESSION_COOKIE)
    return response


@blueprint.get("/me")
def me() -> Response:
    """Who is signed in."""
    return jsonify({"person": person_json(person())})


@blueprint.post("/approve")
def approve() -> Response:
    """A second person approves or declines on the first person's console, for this one act.

    The console's own session stays. Neither PIN nor badge is kept or repeated anywhere.
    """
    said = _second_here()
    second = Credentials(
        number=said.number, pin=said.pin, badge=said.badge, address=request.remote_addr or ""
    )
    answer = studio().approve_here(
        said.table,
        said.approval,
        second=second,
        approve=said.approve,
        reason=said.reason,
        command_id=said.command_id,
    )
    status, code, text = str(answer.status), str(answer.code), str(answer.text)
    if status == "rejected":
        wait_s = int(getattr(answer, "retry_s", 0))
        raise Refused(429 if wait_s else 409, code, text, retry_s=wait_s)
    return jsonify({"status": status, "code": code, "text": text, "seq": int(answer.seq)})


def _second_here() -> Seconded:
    """What a second person says here; raises Refused, and that is kept where somebody is known."""
    given = request.get_json()
    name = "Decline" if isinstance(given, dict) and given.get("word") == "decline" else "Approve"
    table = ""
    try:
        require(APPROVING_ROLES)
        try:
            said = read_second(given)
        except UnreadableError as wrong:
            raise Refused(400, wrong.code, wrong.text) from None
        table = said.table
        require_table(table)
    except Refused as no:
        somebody = person()
        if somebody is not None:
            studio().refused(table, name, person=somebody, code=no.reason, text=no.sentence)
        raise
    return said


@blueprint.get("/view/<table>/<audience>")
def view(table: str, audience: str) -> Response:
    """The newest view of a table for an audience that the asker belongs to."""
    if audience == OVERLAY:
        return _envelope((require_table(table), OVERLAY, _overlay_delay(table)))
    if audience not in AUDIENCE_ROLES:
        raise Refused(404, "refused.not_found", "The audiences are dealer, supervisor and overlay.")
    require(AUDIENCE_ROLES[audience])
    return _envelope((require_table(table), audience, 0))


@blueprint.get("/wall")
def wall() -> Response:
    """The newest view of all tables at once."""
    require(SUPERVISOR_ROLES)
    return _envelope(("", WALL, 0))


def _overlay_delay(table: str) -> int:
    token = overlay_right(studio(), table, request.args.get("token", ""))
    if token is None:
        somebody = person()
        if somebody is None or somebody.role not in SUPERVISOR_ROLES:
            raise Refused(
                403,
                "refused.token",
                "This overlay's address is not valid any more: ask the engineer for a new one.",
            )
    own_ms = token.delay_ms if token is not None else 0
    return min(MAX_DELAY_MS, own_ms + read_delay(request.args.get("delay_ms", "0")))


def _envelope(slot: Slot) -> Response:
    data = current_app.extensions["cutcard_hub"].publisher.current(slot)
    return Response(json.dumps(data, separators=(",", ":")), mimetype="application/json")
