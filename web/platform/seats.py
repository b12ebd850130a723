"""The calls of one seat of a table: its own hand, its choice, its claim (CONTRACTS.md 8).

Whoever sits there, or the platform in their name, shows the seat's token with each call, in the
header and never in the address. Every token that opens nothing gets one and the same answer, and
one that opens another seat another one; neither says what was wrong with it.
"""

import hashlib
import json
from typing import Any, Final

from flask import Blueprint, Response, current_app, g, request
from flask.blueprints import BlueprintSetupState

from web.guard import Refused, studio
from web.platform.calls import STRANGERS, Gate
from web.platform.reading import id_of, malformed, read_body
from web.platform.words import player_text

blueprint = Blueprint("seats", __name__, url_prefix="/api/v1/tables/<table>/seats/<seat>")

CALLS_PER_S: Final = 10.0
"""Calls of one seat that are answered each second, over a longer time."""
CALLS_AT_ONCE: Final = 40
SITTERS: Final = "seats"
MOST_BYTES: Final = 4096
LONGEST_CHOICE: Final = 40
LONGEST_NOTE: Final = 200
MOST_WINDOWS: Final = 1_000
"""Far more questions than a round can have."""
BEARER: Final = "Bearer "
STATUS: Final = {
    "refused.busy": 503,
    "refused.id_used": 422,
    "refused.malformed": 400,
    "refused.no_right": 403,
    "refused.table_stopped": 503,
}
"""HTTP status of a refusal; every other one is a conflict, 409."""


@blueprint.record
def _with_gate(state: BlueprintSetupState) -> None:
    """Give each server its own gate."""
    state.app.extensions[SITTERS] = Gate(CALLS_AT_ONCE, CALLS_PER_S)


@blueprint.before_request
def admit() -> None:
    """Let only the token of this seat in; what it stands for is in `g.seat` from here on."""
    request.max_content_length = MOST_BYTES
    given = request.headers.get("Authorization", "")
    secret = given[len(BEARER) :][:200] if given.startswith(BEARER) else ""
    token = studio().accounts.seat_token(secret)
    if token is None:
        current_app.extensions[STRANGERS].let(request.remote_addr or "")
        raise Refused(
            401,
            "refused.seat_token",
            "Authorization must be Bearer and the token of this seat: ask the studio for one.",
        )
    current_app.extensions[SITTERS].let(token.id)
    where = request.view_args or {}
    own = (where.get("table"), where.get("seat")) == (token.table, str(token.seat))
    if not own or not studio().seats.knows(token):
        raise Refused(403, "refused.no_right", "This token is of another seat.")
    g.seat = token


@blueprint.get("/hand")
def hand(table: str, seat: str) -> Response:  # noqa: ARG001  compared in `admit`
    """The seat's own cards and what it may choose; 304 where nothing of it has changed."""
    response = _json(studio().seats.hand(g.seat))
    response.set_etag(hashlib.sha256(response.get_data()).hexdigest()[:32])
    response.make_conditional(request)
    return response


@blueprint.post("/choice")
def choose(table: str, seat: str) -> Response:  # noqa: ARG001  compared in `admit`
    """Choose: one of the options of the hand, or the card that one of them means."""
    given = read_body(request.get_data(cache=True), needs={"window": int, "choice": str})
    if not 0 < given["window"] <= MOST_WINDOWS:
        raise malformed(f"window must be a whole number from 1 to {MOST_WINDOWS}.")
    choice = given["choice"]
    if not 0 < len(choice) <= LONGEST_CHOICE or not choice.isprintable():
        raise malformed(f"choice must be 1 to {LONGEST_CHOICE} printable characters.")
    return _told(studio().seats.choose(g.seat, given["window"], choice, _key()))


@blueprint.post("/qayd")
def claim(table: str, seat: str) -> Response:  # noqa: ARG001  compared in `admit`
    """Claim a fault of the play: it stands still until a supervisor has decided."""
    given = read_body(request.get_data(cache=True), needs={"note": str}, unsaid={"note": ""})
    note = given["note"]
    if len(note) > LONGEST_NOTE or (note and not note.isprintable()):
        raise malformed(f"note must be at most {LONGEST_NOTE} printable characters.")
    return _told(studio().seats.claim(g.seat, note, _key()))


def _key() -> str:
    given = request.headers.get("Idempotency-Key", "")
    return id_of(given, "Idempotency-Key") if given else ""


def _told(answer: Any) -> Response:
    """What the table answered; one sentence for each reason, whatever cards are behind it."""
    if answer.status == "done":
        return _json({"status": "done"})
    code = answer.code if answer.status == "rejected" else "refused.busy"
    status = STATUS.get(code, 409)
    raise Refused(status, code, player_text(code), retry_s=1 if status == 503 else 0)  # noqa: PLR2004


def _json(value: Any) -> Response:
    return Response(json.dumps(value, separators=(",", ":")), mimetype="application/json")
