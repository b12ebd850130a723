"""Which card the simulated supervisor corrects: by its place in the deal, never a hidden one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from studio.domain.cards import Card
from studio.simulate.desk import Felt
from studio.simulate.supervisor import Supervisor

LAID = [("M", "5S"), ("D", "7D"), ("M", "6H"), ("D", "TD"), ("M", "2S")]


def corrected(*codes: str) -> dict[str, Any]:
    """What is corrected if the table has these cards, whose inputs begin with the stakes."""
    setup = SimpleNamespace(game=SimpleNamespace(first=()))
    place: Any = SimpleNamespace(felt=Felt(laid=list(LAID)), desk=SimpleNamespace(setup=setup))
    dealt = tuple(
        (at, zone, code) for at, ((zone, _), code) in enumerate(zip(LAID, codes, strict=True), 1)
    )
    view: Any = SimpleNamespace(dealt=dealt)
    case: Any = SimpleNamespace(index=None)
    return Supervisor(place)._wrong(view, case)


def test_the_card_that_differs_is_named_by_its_input() -> None:
    assert corrected("5S", "7D", "6C", "XX", "2S") == {"index": 3, "card": Card.parse("6H")}


def test_a_hidden_card_differs_from_nothing() -> None:
    assert corrected("5S", "7D", "6H", "XX", "2S") == {"card": None}
