"""The shapes of what the platform sends and gets, as JSON schemas with an example each."""

from typing import Any, Final

TEXT: Final[dict[str, Any]] = {"type": "string"}
WHOLE: Final[dict[str, Any]] = {"type": "integer"}
AMOUNT: Final[dict[str, Any]] = {
    "type": "integer",
    "description": "Whole minor units of the table's currency.",
}
INSTANT: Final[dict[str, Any]] = {
    "type": "string",
    "description": "UTC, ISO 8601 with microseconds; empty where it has not come.",
}
ID: Final[dict[str, Any]] = {"type": "string", "minLength": 1, "maxLength": 100}
ANY_OBJECT: Final[dict[str, Any]] = {"type": "object", "additionalProperties": True}
ENTRY_TYPES: Final = (
    "bets.opened", "bets.closed", "card.dealt", "card.moved", "window.opened", "window.closed",
    "seat.chose", "round.settled", "round.voided", "result.corrected", "table.held",
    "table.resumed", "shoe.started", "shoe.ended",
)  # fmt: skip
ACTIONS: Final = ("hit", "stand", "double", "split", "surrender", "insure", "decline")
ROUND_STATES: Final = ("open", "settled", "voided")
BET_STATES: Final = (
    "pending", "accepted", "standing", "refused", "withdrawn", "settled", "voided",
)  # fmt: skip
ON: Final = (
    "What the bet is on, where its name alone does not say it: the side 0 (seats 0 and 2) or 1 "
    "(seats 1 and 3) for `round` and `game`, `yes` or `no` for `kaboot`. The same as a name with a "
    "colon: `round:0`, `kaboot:yes`."
)
ENDED_IN: Final = (
    "The round that ended it: its own, or a later one of a bet on something longer than a round, "
    "which is `standing` meanwhile. Empty while none has."
)

LANE: Final = (
    "The hand, as `window.opened` names it: `M`, `L`, `R` of the shared hand, `S3` of a seat, "
    "`S3:1` and `S3:2` of a seat that has split; empty for insurance, and at a seat for the hand "
    "that is asked."
)
CHOSEN: Final = "What the player decided in time, as `1/M:hit 2/M:stand`: window, lane, action."
PLAYED: Final = "What was executed, as `M:hit M:stand`; what is not in `chosen` was played by rule."

_AT: Final = "2026-01-01T12:00:00.000000Z"
_ROUND: Final = "r-2026-01-01-ba1-17"
_RESULT: Final[dict[str, Any]] = {
    "round": _ROUND,
    "table": "ba1",
    "state": "settled",
    "number": 17,
    "shoe": 1,
    "result": "player",
    "outcome": {"winner": "player"},
    "bets": [{"bet": "player", "count": 1, "staked": 1000, "returned": 2000}],
    "staked": 1000,
    "returned": 2000,
    "refunded": 0,
    "corrections": 0,
    "ended_at": _AT,
}
_TABLE: Final[dict[str, Any]] = {
    "table": "ba1",
    "game": "baccarat",
    "version": "baccarat@1",
    "rules": "5f0c",
    "currency": "EUR",
    "state": "betting",
    "limits": {"player": [100, 500000]},
    "offered": ["player"],
    "round": {"id": _ROUND, "state": "open"},
    "window": {"kind": "betting", "closes_at": _AT},
}
_CARD: Final[dict[str, Any]] = {"index": 0, "to": "P", "card": "7H", "face": "up"}
_FULL_ROUND: Final[dict[str, Any]] = {
    **_RESULT,
    "game": "baccarat",
    "rules": "5f0c",
    "opened_at": _AT,
    "closed_at": _AT,
    "cards": [_CARD],
}

EXAMPLES: Final[dict[str, Any]] = {
    "Tables": {"tables": [_TABLE]},
    "Table": _TABLE,
    "Feed": {
        "entries": [
            {
                "n": 17,
                "id": "table/ba1/2026-01-01#40",
                "type": "bets.closed",
                "table": "ba1",
                "round": _ROUND,
                "at": _AT,
                "data": {"count": 1, "total": 1000, "by": "clock"},
            }
        ],
        "next": 17,
    },
    "Rounds": {"rounds": [_FULL_ROUND], "next": 0},
    "Round": _FULL_ROUND,
    "Result": _RESULT,
    "Bets": {"bets": [{"id": "b1", "player": "p7", "bet": "player", "stake": 1000}]},
    "Decisions": {
        "window": 2,
        "decisions": [{"id": "d1", "player": "p7", "lane": "M", "action": "stand"}],
    },
    "Disconnected": {"players": ["p7"]},
    "Hand": {
        "table": "bl1",
        "seat": 2,
        "round": "r-2026-01-01-bl1-3",
        "cards": [
            {"place": 1, "card": "7H", "lies": "rack"},
            {"place": 2, "card": "AS", "lies": "gone"},
        ],
        "asked": {
            "window": 14,
            "step": "play",
            "in_turn": True,
            "options": [{"choice": "1", "card": "7H"}],
            "deadline": _AT,
        },
    },
    "SeatChoice": {"window": 14, "choice": "7H"},
    "Claim": {"note": "Seat 1 had spades and played a heart."},
    "Done": {"status": "done"},
    "BatchAnswer": {
        "accepted": 1,
        "refused": [{"id": "b2", "reason": "bets_closed", "text": "Bets are closed."}],
    },
    "BetRecord": {
        "player": "p7",
        "bets": [
            {
                "n": 9,
                "table": "ba1",
                "round": _ROUND,
                "id": "b1",
                "bet": "player",
                "stake": 1000,
                "state": "settled",
                "reason": "",
                "returned": 2000,
                "chosen": "",
                "played": "",
                "placed_at": _AT,
                "ended_in": _ROUND,
                "ended_at": _AT,
            }
        ],
        "next": 0,
    },
}
"""One example for each answer and each body."""


def ref(name: str) -> dict[str, str]:
    """A reference to a schema of this description."""
    return {"$ref": f"#/components/schemas/{name}"}


def shape(
    fields: dict[str, Any], words: str = "", *, optional: tuple[str, ...] = ()
) -> dict[str, Any]:
    """An object with exactly these fields."""
    made: dict[str, Any] = {
        "type": "object",
        "required": [name for name in fields if name not in optional],
        "properties": fields,
        "additionalProperties": False,
    }
    return {**made, "description": words} if words else made


def many(items: dict[str, Any]) -> dict[str, Any]:
    """A list of these."""
    return {"type": "array", "items": items}


def one_of(words: tuple[str, ...]) -> dict[str, Any]:
    """One of these words."""
    return {"type": "string", "enum": list(words)}


def all_schemas() -> dict[str, Any]:
    """Every schema by its name."""
    return {**_asked(), **_tables(), **_rounds(), **_told(), **_seats()}


def _batch(entry: dict[str, Any]) -> dict[str, Any]:
    return {**many(entry), "minItems": 1, "maxItems": 5000}


def _asked() -> dict[str, Any]:
    stake = {**AMOUNT, "minimum": 1, "maximum": 2**53 - 1}
    on = {"enum": [0, 1, "yes", "no"], "description": ON}
    bet = shape({"id": ID, "player": ID, "bet": ID, "stake": stake, "on": on}, optional=("on",))
    lane = {
        "type": "string",
        "pattern": "^(|[MLR]|S[1-7](:[12]{1,3})?)$",
        "description": LANE,
        "examples": ["M", "S3", "S3:2"],
    }
    decision = shape({"id": ID, "player": ID, "lane": lane, "action": one_of(ACTIONS)})
    window = {"type": "integer", "minimum": 1, "description": "Number of the window in its round."}
    return {
        "Bet": bet,
        "Bets": shape({"bets": _batch(ref("Bet"))}),
        "Decision": decision,
        "Decisions": shape({"window": window, "decisions": _batch(ref("Decision"))}),
        "Disconnected": shape({"players": _batch(ID)}),
        "BatchAnswer": shape({
            "accepted": WHOLE,
            "refused": many(shape({"id": TEXT, "reason": TEXT, "text": TEXT})),
        }, "Each entry is in, or stands under `refused`: with a code, and a text for the player."),
        "Problem": shape({
            "type": TEXT, "title": TEXT, "status": WHOLE, "detail": TEXT, "code": TEXT,
            "retry_s": WHOLE,
        }, "RFC 9457.", optional=("retry_s",)),
    }  # fmt: skip


def _tables() -> dict[str, Any]:
    limit = {"type": "array", "items": AMOUNT, "minItems": 2, "maxItems": 2}
    current = shape({"id": TEXT, "state": one_of(ROUND_STATES)})
    window = shape({"kind": TEXT, "closes_at": INSTANT})
    table = shape({
        "table": TEXT, "game": TEXT, "version": TEXT, "rules": TEXT, "currency": TEXT,
        "state": TEXT,
        "limits": {"type": "object", "additionalProperties": limit},
        "offered": many(TEXT),
        "round": {"oneOf": [current, {"type": "null"}]},
        "window": {"oneOf": [window, {"type": "null"}]},
    })  # fmt: skip
    return {"Table": table, "Tables": shape({"tables": many(ref("Table"))})}


def _rounds() -> dict[str, Any]:
    row = shape({"bet": TEXT, "count": WHOLE, "staked": AMOUNT, "returned": AMOUNT})
    card = shape({"index": WHOLE, "to": TEXT, "card": TEXT, "face": TEXT})
    result = {
        "round": TEXT, "table": TEXT, "state": one_of(ROUND_STATES), "number": WHOLE,
        "shoe": WHOLE, "result": TEXT, "outcome": ANY_OBJECT, "bets": many(row),
        "staked": AMOUNT, "returned": AMOUNT, "refunded": AMOUNT, "corrections": WHOLE,
        "ended_at": INSTANT,
    }  # fmt: skip
    more = {
        "game": TEXT, "rules": TEXT, "opened_at": INSTANT, "closed_at": INSTANT,
        "cards": many(card),
    }  # fmt: skip
    return {
        "Result": shape(result),
        "Round": shape({**result, **more}),
        "Rounds": shape({"rounds": many(ref("Round")), "next": WHOLE}),
    }


def _told() -> dict[str, Any]:
    entry = shape({
        "n": WHOLE, "id": TEXT, "type": one_of(ENTRY_TYPES), "table": TEXT, "round": TEXT,
        "at": INSTANT, "data": ANY_OBJECT,
    }, "`id` never comes twice for two facts: drop what you have had.")  # fmt: skip
    bet = shape({
        "n": WHOLE, "table": TEXT, "round": TEXT, "id": TEXT, "bet": TEXT, "stake": AMOUNT,
        "state": one_of(BET_STATES), "reason": TEXT, "returned": AMOUNT,
        "chosen": {**TEXT, "description": CHOSEN}, "played": {**TEXT, "description": PLAYED},
        "placed_at": INSTANT, "ended_in": {**TEXT, "description": ENDED_IN},
        "ended_at": INSTANT,
    })  # fmt: skip
    return {
        "Entry": entry,
        "Feed": shape({"entries": many(ref("Entry")), "next": WHOLE}),
        "BetRecord": shape({"player": TEXT, "bets": many(bet), "next": WHOLE}),
    }


def _seats() -> dict[str, Any]:
    """What one who sits at a table sees and says."""
    code = {**TEXT, "description": "A card, or `XX` where no reader has named it."}
    place = shape({
        "place": {**WHOLE, "description": "From the seat's left, from 1: the place in its rack."},
        "card": code,
        "lies": one_of(("rack", "gone")),
    })  # fmt: skip
    option = shape({
        "choice": {**TEXT, "description": "What to send: a word, or a place of the rack."},
        "card": {**TEXT, "description": "The card that it means; empty for a word."},
    })  # fmt: skip
    asked = shape({
        "window": WHOLE, "step": TEXT,
        "in_turn": {"type": "boolean", "description": "False for what may be said out of turn."},
        "options": many(option), "deadline": INSTANT,
    })  # fmt: skip
    window = {"type": "integer", "minimum": 1, "maximum": 1000}
    return {
        "Hand": shape({
            "table": TEXT, "seat": WHOLE, "round": TEXT, "cards": many(place),
            "asked": {"oneOf": [asked, {"type": "null"}]},
        }, "One seat's own cards, and what it may choose now."),
        "SeatChoice": shape({
            "window": window,
            "choice": {"type": "string", "minLength": 1, "maxLength": 40},
        }, "One of the options of the hand: its `choice`, or the card that it means."),
        "Claim": shape({"note": {"type": "string", "maxLength": 200}}, optional=("note",)),
        "Done": shape({"status": one_of(("done",))}),
    }  # fmt: skip
