"""The outbox as a platform reads it: entries, and rounds as their entries tell them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from studio.domain.envelope import Outgoing

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def at_of(at_us: int) -> str:
    """An instant as ``2026-01-31T18:00:00.000000Z``."""
    moment = _EPOCH + timedelta(microseconds=at_us)
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def entry_json(sent: Outgoing) -> dict[str, Any]:
    """An entry of the feed (CONTRACTS.md 8)."""
    entry = sent.entry
    return {
        "n": sent.n,
        "id": entry.id,
        "type": entry.type,
        "table": entry.table,
        "round": entry.round_id,
        "at": at_of(entry.at_us),
        "data": dict(entry.data),
    }


def round_json(table: str, round_id: str, entries: Sequence[Outgoing]) -> dict[str, Any]:
    """A round from its entries, in order; a correction takes the place of what was told before."""
    told: dict[str, Any] = {
        "round": round_id,
        "table": table,
        "state": "open",
        "number": 0,
        "shoe": 0,
        "game": "",
        "rules": "",
        "opened_at": "",
        "closed_at": "",
        "ended_at": "",
        "cards": [],
        "result": "",
        "outcome": {},
        "bets": [],
        "staked": 0,
        "returned": 0,
        "refunded": 0,
        "corrections": 0,
    }
    for sent in entries:
        entry = sent.entry
        data, at = dict(entry.data), at_of(entry.at_us)
        match entry.type:
            case "bets.opened":
                told |= {key: data[key] for key in ("number", "shoe", "game", "rules")}
                told["opened_at"] = told["opened_at"] or at
            case "bets.closed":
                told |= {"closed_at": at, "staked": data["total"]}
            case "card.dealt" | "card.moved":
                told["cards"] = [c for c in told["cards"] if c["index"] != data["index"]]
                told["cards"].append(data)
                told["cards"].sort(key=lambda card: int(card["index"]))
            case "round.settled":
                told |= {"state": "settled", "ended_at": at, **_ended(data)}
            case "round.voided":
                told |= {"state": "voided", "ended_at": at, "refunded": data["refunded"]}
            case "result.corrected":
                told |= {"corrections": data["correction"], **_corrected(data)}
                told["cards"] = data.get("cards") or told["cards"]
            case _:
                pass
    return told


def _ended(data: dict[str, Any]) -> dict[str, Any]:
    return {key: data[key] for key in ("result", "outcome", "bets", "staked", "returned")}


def _corrected(data: dict[str, Any]) -> dict[str, Any]:
    """A round that was declared not played after all gives every stake back."""
    if data["result"] != "void":
        return {"state": "settled", "refunded": 0, **_ended(data)}
    return {
        "state": "voided",
        "result": "",
        "outcome": {},
        "bets": [],
        "staked": data["staked"],
        "returned": 0,
        "refunded": data["returned"],
    }
