"""The calls of `/api/v1`: each is signed, none is done twice (CONTRACTS.md 8)."""

import json
import threading
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, g, request
from flask.blueprints import BlueprintSetupState

from studio.domain.commands import Bet, Decision, Rejected
from web.bucket import Bucket
from web.guard import Refused, studio
from web.platform.openapi import document
from web.platform.reading import (
    MOST_BYTES,
    bet_of,
    entries_of,
    id_of,
    malformed,
    names_of,
    number_of,
    read_body,
)
from web.platform.words import player_text

blueprint = Blueprint("platform", __name__, url_prefix="/api")

CALLS_PER_S: Final = 100.0
"""Calls of one platform that are answered each second, over a longer time."""
CALLS_AT_ONCE: Final = 400
"""Calls of one platform that may come in one burst."""
STRANGERS_PER_S: Final = 2.0
"""Calls with a wrong signature from one address that are looked at each second."""
STRANGERS_AT_ONCE: Final = 20
MOST_ADDRESSES: Final = 10_000
MOST_WINDOWS: Final = 1_000
"""Far more windows than a round can have."""
PAGE: Final = 100
MOST_ON_PAGE: Final = 500

STATUS: Final = {
    "refused.batch_empty": 422,
    "refused.batch_too_large": 413,
    "refused.busy": 503,
    "refused.id_used": 422,
    "refused.malformed": 400,
    "refused.round_unknown": 404,
    "refused.table_stopped": 503,
}
"""HTTP status of a refusal of the whole call; every other one is a conflict, 409."""


class Gate:
    """Counts the calls of each caller; one that calls too often waits. Any thread may use it."""

    def __init__(self, at_once: int, per_s: float) -> None:
        """Begin with nobody."""
        self._at_once, self._per_s = at_once, per_s
        self._buckets: dict[str, Bucket] = {}
        self._lock = threading.Lock()

    def let(self, name: str) -> None:
        """Let one call through; raises Refused where there were too many."""
        with self._lock:
            if len(self._buckets) >= MOST_ADDRESSES:
                self._buckets.clear()
            bucket = self._buckets.setdefault(name, Bucket(self._at_once, self._per_s))
            taken = bucket.take()
        if not taken:
            raise Refused(
                429, "refused.too_fast", "Too many calls: wait a second, then go on.", retry_s=1
            )


CALLERS: Final = "platform callers"
STRANGERS: Final = "platform strangers"


@blueprint.record
def _with_gates(state: BlueprintSetupState) -> None:
    """Give each server its own gates."""
    state.app.extensions[CALLERS] = Gate(CALLS_AT_ONCE, CALLS_PER_S)
    state.app.extensions[STRANGERS] = Gate(STRANGERS_AT_ONCE, STRANGERS_PER_S)


@blueprint.before_request
def admit() -> None:
    """Let only signed calls in; whoever called is in `g.call` from here on."""
    if request.endpoint == "platform.openapi":
        return
    request.max_content_length = MOST_BYTES
    headers = request.headers
    service = studio().platform
    call = service.call(
        key=headers.get("Cutcard-Key", "")[:100],
        timestamp=headers.get("Cutcard-Timestamp", "")[:100],
        signature=headers.get("Cutcard-Signature", "")[:100],
        method=request.method,
        target=_target(),
        body=request.get_data(cache=True),
        idempotency=_idempotency(),
    )
    try:
        g.call = service.admit(call)
    except Rejected as no:
        current_app.extensions[STRANGERS].let(request.remote_addr or "")
        raise Refused(401, no.code, no.text) from None
    current_app.extensions[CALLERS].let(g.call.platform)


def _target() -> str:
    """Path and query as they were sent: what was signed."""
    sent = str(request.environ.get("RAW_URI") or request.full_path.removesuffix("?"))
    if sent.startswith("/"):
        return sent
    parts = urlsplit(sent)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _idempotency() -> str:
    given = request.headers.get("Idempotency-Key", "")
    return id_of(given, "Idempotency-Key") if given else ""


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """The description of all this, OpenAPI 3.1."""
    return _json(document())


@blueprint.get("/v1/tables")
def tables() -> Response:
    """All tables as they are now."""
    service = studio().platform
    return _json({"tables": [service.table(name) for name in service.tables()]})


@blueprint.get("/v1/tables/<table>")
def table(table: str) -> Response:
    """One table as it is now."""
    return _json(studio().platform.table(_known(table)))


@blueprint.get("/v1/tables/<table>/rounds")
def rounds(table: str) -> Response:
    """The rounds of a table, newest first, by pages."""
    before = number_of(request.args.get("before", "0"), "before")
    limit = number_of(request.args.get("limit", "20"), "limit", least=1, most=PAGE)
    return _json(studio().platform.rounds(_known(table), before=before, limit=limit))


@blueprint.get("/v1/tables/<table>/rounds/<round_id>")
def one_round(table: str, round_id: str) -> Response:
    """One round as far as it is known to everybody."""
    return _json(_round(table, round_id))


@blueprint.get("/v1/tables/<table>/rounds/<round_id>/result")
def result(table: str, round_id: str) -> Response:
    """The result of a round that has ended, as its newest correction has it."""
    found = _round(table, round_id)
    if found["state"] == "open":
        raise Refused(409, "refused.round_open", "This round has no result yet: ask again later.")
    kept = (
        "round", "table", "state", "number", "shoe", "result", "outcome", "bets", "staked",
        "returned", "refunded", "corrections", "ended_at",
    )  # fmt: skip
    return _json({name: found[name] for name in kept})


@blueprint.post("/v1/tables/<table>/rounds/<round_id>/bets")
def place_bets(table: str, round_id: str) -> Response:
    """Place a batch of bets; refusals are given per entry."""
    _known(table)
    given = read_body(request.get_data(cache=True), needs={"bets": list})
    needs = {"id": str, "player": str, "bet": str, "stake": int}
    entries = entries_of(given["bets"], "bets", needs, may="on")
    bets = [
        Bet(entry["id"], entry["player"], bet_of(entry, f"bets[{at}]"), entry["stake"])
        for at, entry in enumerate(entries)
    ]
    try:
        taken = studio().platform.place(g.call, table, round_id[:200], bets)
    except Rejected as no:
        raise _refusal(no) from None
    return _batch_answer(taken)


@blueprint.post("/v1/tables/<table>/rounds/<round_id>/decisions")
def place_decisions(table: str, round_id: str) -> Response:
    """Give a batch of decisions; refusals are given per entry."""
    _known(table)
    given = read_body(request.get_data(cache=True), needs={"window": int, "decisions": list})
    if not 0 < given["window"] <= MOST_WINDOWS:
        raise malformed(f"window must be a whole number from 1 to {MOST_WINDOWS}.")
    needs = {"id": str, "player": str, "lane": str, "action": str}
    entries = entries_of(given["decisions"], "decisions", needs)
    decisions = [Decision(e["id"], e["player"], e["lane"], e["action"]) for e in entries]
    try:
        taken = studio().platform.decide(g.call, table, round_id[:200], given["window"], decisions)
    except Rejected as no:
        raise _refusal(no) from None
    return _batch_answer(taken)


@blueprint.post("/v1/tables/<table>/rounds/<round_id>/disconnected")
def name_disconnected(table: str, round_id: str) -> Response:
    """Name players who are gone for the rest of the round: it is played for them."""
    _known(table)
    given = read_body(request.get_data(cache=True), needs={"players": list})
    players = names_of(given["players"], "players")
    try:
        taken = studio().platform.disconnect(g.call, table, round_id[:200], players)
    except Rejected as no:
        raise _refusal(no) from None
    return _batch_answer(taken)


@blueprint.get("/v1/tables/<table>/feed")
def feed(table: str) -> Response:
    """The outbox of a table after an entry, at once or as soon as there is something."""
    after = number_of(request.args.get("after", "0"), "after")
    limit = number_of(request.args.get("limit", "500"), "limit", least=1, most=MOST_ON_PAGE)
    wait_s = number_of(request.args.get("wait", "0"), "wait", most=25)
    return _json(studio().platform.feed(_known(table), after, limit=limit, wait_s=wait_s))


@blueprint.get("/v1/players/<player>/bets")
def player_bets(player: str) -> Response:
    """The bet record of a player, newest first, by pages."""
    before = number_of(request.args.get("before", "0"), "before")
    limit = number_of(request.args.get("limit", str(PAGE)), "limit", least=1, most=MOST_ON_PAGE)
    asked = id_of(player, "the player")
    found = studio().platform.bets_of(g.call, asked, before=before, limit=limit)
    return _json(found)


def _known(table: str) -> str:
    """The name of a table that exists; raises Refused."""
    if table not in studio().platform.tables():
        raise Refused(404, "refused.unknown_table", "There is no table of that name: see /tables.")
    return table


def _round(table: str, round_id: str) -> dict[str, Any]:
    found: dict[str, Any] | None = studio().platform.round(_known(table), round_id[:200])
    if found is None:
        raise Refused(404, "refused.round_unknown", "This table has no such round: see its rounds.")
    return found


def _batch_answer(taken: Any) -> Response:
    refused = [
        {"id": entry, "reason": code.removeprefix("refused."), "text": player_text(code)}
        for entry, code in taken.refused
    ]
    return _json({"accepted": taken.accepted, "refused": refused})


def _refusal(no: Rejected) -> Refused:
    """The whole call is refused; our own sentences hold nothing that was sent."""
    status = STATUS.get(no.code, 409)
    sentence = f"{no.text[:1].upper()}{no.text[1:].rstrip('.')}."
    return Refused(status, no.code, sentence, retry_s=1 if status == 503 else 0)  # noqa: PLR2004


def _json(value: Any) -> Response:
    text = json.dumps(value, separators=(",", ":"))
    return Response(text, mimetype="application/json")
