"""The description of the platform's interface, OpenAPI 3.1, written beside the calls themselves."""

from functools import cache
from typing import Any, Final

from web.platform import schemas
from web.platform.schemas import ref

DESCRIPTION: Final = """\
Bets and decisions in batches, results, the bet record and the feed of one studio.

Every call is signed with the key that `cutcard tokens add platform NAME` makes. `Cutcard-Key` is
the name of the platform, `Cutcard-Timestamp` the Unix seconds (at most 60 s off), and
`Cutcard-Signature` the hexadecimal HMAC-SHA-256, under the key, of method, path with query,
timestamp and the hexadecimal SHA-256 of the body, joined by line feeds.

Give each POST an `Idempotency-Key` and keep it for all tries: the same key with the same body gets
the same answer and never acts twice, also after a restart of the studio; with another body it is
refused. All amounts are whole minor units. Errors are problem documents (RFC 9457).

A card that lies face down is `XX` in the feed and in a round until it is turned. While one is due
face down or lies so, `table.held` names no fault but `fault`, for its code could name the card; the
studio's people see which it is. What a secret look at the card says is told at a fixed time after
the look began, whatever it says.

A seat of Baloot has a token of its own (`cutcard tokens add seat`), sent as `Authorization: Bearer`
and never in an address. It opens that seat's hand, its choices and its claims, and nothing else; a
platform's key opens no hand. A hand is in no feed: `window.opened` tells what is asked of a seat,
the same whatever it holds, and `seat.chose` what it chose.
"""

ERRORS: Final = {
    "400": ("Malformed", "The call cannot be read.", "refused.malformed"),
    "401": ("NotSigned", "The signature or its time does not fit.", "refused.signature"),
    "403": ("NotYours", "The token is of another seat.", "refused.no_right"),
    "404": ("NotFound", "There is no such table or round.", "refused.unknown_table"),
    "409": ("Conflict", "Not possible now.", "refused.round_open"),
    "413": ("TooLarge", "More than 5,000 entries, or 2 MiB.", "refused.batch_too_large"),
    "422": ("Misused", "An empty batch, or a key that was used.", "refused.id_used"),
    "429": ("TooFast", "Too many calls; see Retry-After.", "refused.too_fast"),
    "500": ("Trouble", "The studio could not answer.", "refused.trouble"),
    "503": ("Busy", "Ask again with the same Idempotency-Key; see Retry-After.", "refused.busy"),
}
EVERYWHERE: Final = ("400", "401", "429", "500")


@cache
def document() -> dict[str, Any]:
    """The whole description."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Cutcard platform interface",
            "version": "1",
            "summary": "Bets, decisions, results and the feed of a live-dealer studio.",
            "description": DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "This studio."}],
        "security": [{"key": [], "timestamp": [], "signature": []}],
        "tags": [
            {"name": "tables", "description": "What can be played."},
            {"name": "rounds", "description": "Bets, decisions and results."},
            {"name": "players", "description": "The bet record."},
            {"name": "feed", "description": "What happens, in order."},
            {"name": "seats", "description": "One who sits at a table of Baloot."},
        ],
        "paths": _paths(),
        "components": {
            "securitySchemes": _security(),
            "schemas": schemas.all_schemas(),
            "responses": {name: _problem(words, code) for name, words, code in ERRORS.values()},
            "parameters": _parameters(),
        },
    }


def _security() -> dict[str, Any]:
    names = {
        "key": ("Cutcard-Key", "Name of the platform."),
        "timestamp": ("Cutcard-Timestamp", "Unix seconds, at most 60 s off."),
        "signature": ("Cutcard-Signature", "Hexadecimal HMAC-SHA-256, see the introduction."),
    }
    keys = {
        scheme: {"type": "apiKey", "in": "header", "name": header, "description": words}
        for scheme, (header, words) in names.items()
    }
    return {**keys, "seat": {"type": "http", "scheme": "bearer", "description": "A seat's token."}}


def _problem(words: str, code: str) -> dict[str, Any]:
    example = {
        "type": "about:blank",
        "title": "Refused",
        "status": 400,
        "detail": "One sentence that says what to do.",
        "code": code,
    }
    retry = {"schema": {"type": "integer"}, "description": "Seconds after which to try again."}
    answer: dict[str, Any] = {
        "description": words,
        "content": {"application/problem+json": {"schema": ref("Problem"), "example": example}},
    }
    if code in {"refused.too_fast", "refused.busy"}:
        answer["headers"] = {"Retry-After": retry}
    return answer


def _parameters() -> dict[str, Any]:
    def path(name: str, words: str, example: str) -> dict[str, Any]:
        return {
            "name": name,
            "in": "path",
            "required": True,
            "description": words,
            "schema": {"type": "string"},
            "example": example,
        }

    def query(name: str, words: str, default: int, *, least: int, most: int) -> dict[str, Any]:
        bounds = {"type": "integer", "minimum": least, "maximum": most, "default": default}
        return {"name": name, "in": "query", "description": words, "schema": bounds}

    largest = 2**53 - 1
    return {
        "table": path("table", "Name of the table.", "ba1"),
        "round": path("round", "Id of the round.", "r-2026-01-01-ba1-17"),
        "seat": path("seat", "Number of the seat, from 0 in the order of play.", "2"),
        "player": path("player", "Id of the player.", "p7"),
        "after": query("after", "The last `n` that you have.", 0, least=0, most=largest),
        "before": query(
            "before", "The `next` of the page before; 0: the newest.", 0, least=0, most=largest
        ),
        "wait": query("wait", "Seconds to wait for news.", 0, least=0, most=25),
        "entries": query("limit", "Entries at most.", 500, least=1, most=500),
        "rounds": query("limit", "Rounds at most.", 20, least=1, most=100),
        "bets": query("limit", "Bets at most.", 100, least=1, most=500),
        "idempotency": {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "Names this call through all tries; without it the signature does.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 100},
            "example": "bets-2026-01-01-0001",
        },
    }


def _call(
    name: str,
    words: str,
    *,
    tag: str,
    answer: str,
    parameters: tuple[str, ...] = (),
    errors: tuple[str, ...] = (),
    body: str = "",
) -> dict[str, Any]:
    """One operation; its examples are those of its schemas."""
    content = {"schema": ref(answer), "example": schemas.EXAMPLES[answer]}
    responses: dict[str, Any] = {
        "200": {"description": words, "content": {"application/json": content}}
    }
    for status in sorted({*EVERYWHERE, *errors}):
        responses[status] = {"$ref": f"#/components/responses/{ERRORS[status][0]}"}
    made: dict[str, Any] = {
        "operationId": name,
        "summary": words,
        "tags": [tag],
        "parameters": [{"$ref": f"#/components/parameters/{each}"} for each in parameters],
        "responses": responses,
    }
    if body:
        wanted = {"schema": ref(body), "example": schemas.EXAMPLES[body]}
        made["requestBody"] = {"required": True, "content": {"application/json": wanted}}
    return made


def _paths() -> dict[str, Any]:
    return {
        **{path: {"get": call} for path, call in _read().items()},
        **{path: {"post": call} for path, call in _asked().items()},
        **_of_seats(),
    }


def _of_seats() -> dict[str, Any]:
    """The calls of one seat, which have their own security."""
    where, of_seat = "/api/v1/tables/{table}/seats/{seat}", ("table", "seat")
    claims = ("403", "409", "422", "503")
    hand = _call(
        "readHand", "The seat's own cards, and what it may choose now.", tag="seats",
        answer="Hand", parameters=of_seat, errors=("403",),
    )  # fmt: skip
    hand["responses"]["304"] = {"description": "Nothing has changed since `If-None-Match`."}
    choice = _call(
        "choose", "Chooses for the seat; one and the same refusal whatever it holds.", tag="seats",
        answer="Done", parameters=(*of_seat, "idempotency"), errors=claims, body="SeatChoice",
    )  # fmt: skip
    claim = _call(
        "claimQayd", "Claims a fault of the play: it stands still until that is decided.",
        tag="seats", answer="Done", parameters=(*of_seat, "idempotency"), errors=claims,
        body="Claim",
    )  # fmt: skip
    calls = {"hand": ("get", hand), "choice": ("post", choice), "qayd": ("post", claim)}
    return {
        f"{where}/{name}": {method: {**call, "security": [{"seat": []}]}}
        for name, (method, call) in calls.items()
    }


def _read() -> dict[str, Any]:
    table, of_round = ("table",), ("table", "round")
    return {
        "/api/v1/tables": _call(
            "listTables", "All tables as they are now.", tag="tables", answer="Tables"
        ),
        "/api/v1/tables/{table}": _call(
            "getTable", "One table as it is now.", tag="tables", answer="Table",
            parameters=table, errors=("404",),
        ),
        "/api/v1/tables/{table}/feed": _call(
            "readFeed", "What happened after an entry, in order.", tag="feed", answer="Feed",
            parameters=(*table, "after", "entries", "wait"), errors=("404",),
        ),
        "/api/v1/tables/{table}/rounds": _call(
            "listRounds", "The rounds of a table, newest first.", tag="rounds", answer="Rounds",
            parameters=(*table, "before", "rounds"), errors=("404",),
        ),
        "/api/v1/tables/{table}/rounds/{round}": _call(
            "getRound", "One round as far as everybody may know it.", tag="rounds",
            answer="Round", parameters=of_round, errors=("404",),
        ),
        "/api/v1/tables/{table}/rounds/{round}/result": _call(
            "getResult", "The result of a round that has ended, as last corrected.",
            tag="rounds", answer="Result", parameters=of_round, errors=("404", "409"),
        ),
        "/api/v1/players/{player}/bets": _call(
            "readBets", "The bet record of a player, newest first.", tag="players",
            answer="BetRecord", parameters=("player", "before", "bets"), errors=(),
        ),
    }  # fmt: skip


def _asked() -> dict[str, Any]:
    of_round, batch = ("table", "round"), ("404", "409", "413", "422", "503")
    return {
        "/api/v1/tables/{table}/rounds/{round}/bets": _call(
            "placeBets", "Places bets; each is in, or refused with its reason.", tag="rounds",
            answer="BatchAnswer", parameters=(*of_round, "idempotency"), errors=batch, body="Bets",
        ),
        "/api/v1/tables/{table}/rounds/{round}/decisions": _call(
            "placeDecisions", "Gives decisions; each is in, or refused with its reason.",
            tag="rounds", answer="BatchAnswer", parameters=(*of_round, "idempotency"),
            errors=batch, body="Decisions",
        ),
        "/api/v1/tables/{table}/rounds/{round}/disconnected": _call(
            "nameDisconnected", "Names players who are gone: their round is played for them.",
            tag="rounds", answer="BatchAnswer", parameters=(*of_round, "idempotency"),
            errors=batch, body="Disconnected",
        ),
    }  # fmt: skip
