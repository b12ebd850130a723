"""No word that leaves the studio names a card before it may be known (DESIGN.md 7).

The shoe holds cards that occur in it once and are of ranks that no other card has. They are burned
face down, and one is drawn before bets are closed. Whatever then leaves the studio is searched for
them: messages of every audience, pages, interfaces, logs of every level, figures, the feed, the log
of commands, exports, evidence, archives, recordings, and the database but for the seals themselves.
"""

from __future__ import annotations

import io
import logging
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from studio.domain import commands as c
from studio.logs import LogForm, set_up
from tests.integration.studio.test_tables import Table
from tests.support.taint import House as AnyHouse
from tests.support.taint import leaks, naming

BURNED = ("JS", "QH", "KS")
EARLY = "TH"
MARKED = (*BURNED, EARLY)
"""Cards that nobody may know; no other card of the shoe has their ranks."""
SHOWN = "3C"
PLAIN = ["2C", "4C", "5D", "6D", "7C", "8D", "9C"] * 6
NAMED = naming(*MARKED)


class House(AnyHouse):
    """A house with one table of baccarat and a shoe, searched for the marked cards."""

    def __init__(self, folder: Path, said: Any) -> None:
        table = {
            "game": "baccarat",
            "sources": ["shoe"],
            "betting_s": 600.0,
            "result_s": 0.0,
            "limits": {"player": [100, 500000], "banker": [100, 500000]},
            "shoe": {"url": "sim:", "options": {"trace": str(folder / "wire.jsonl")}},
        }
        super().__init__(folder, said, table)

    def found(self, named: re.Pattern[str] = NAMED) -> list[str]:
        return super().found(named)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    said = io.StringIO()
    handlers, level = logging.getLogger().handlers[:], logging.getLogger().level
    set_up(form=LogForm.JSON, level="DEBUG", stream=said)
    opened = House(tmp_path, said)
    yield opened
    opened.close()
    logging.getLogger().handlers[:] = handlers
    logging.getLogger().setLevel(level)
    structlog.reset_defaults()


def burned(house: House, marked: tuple[str, ...] = BURNED) -> Table:
    """Bring the table to betting; the marked cards lie face down among the burned ones."""
    table = Table(house.studio, "ba1")
    desk = table.until(lambda found: found.table().device("shoe").online)
    house.studio.wires["ba1"].load([SHOWN, *marked, EARLY, *PLAIN])
    desk.ask(c.OpenTable(), who="Amina", role="supervisor")
    desk.ask(c.StartShoe(), who="Amina", role="supervisor")
    for _ in range(3):
        desk.ask(c.ConfirmStep(), who="Amina", role="supervisor")
    for _ in range(1 + len(marked)):
        table.draw()
    return table


def betting(house: House) -> Table:
    table = burned(house)
    desk = table.desk
    desk.ask(c.ConfirmStep(), who="Amina", role="supervisor")
    desk.ask(c.OpenBets(), who="Amina", role="supervisor")
    bet = c.Bet("b-1", "ann", "player", 1000)
    desk.ask(c.PlaceBets("b", (bet,)), who="house", role="platform")
    return table


def sealed(house: House) -> set[str]:
    """The codes that lie under seals in the database."""
    connection = sqlite3.connect(house.folder / "cutcard.db")
    codes = {code for (code,) in connection.execute("SELECT card FROM seals")}
    connection.close()
    return codes


def test_the_search_finds_a_card_that_is_named() -> None:
    for text in ('"card":"JS"', "P:QH", "KS", "card=TH,", "a Jack of Spades", b"\x00TH\r\n"):
        assert leaks(NAMED, "here", text), text
    for text in ("JSON", "xTHx", "QH-", "tokens/aJSb", "THE"):
        assert not leaks(NAMED, "here", text), text


def test_cards_burned_face_down_are_named_nowhere(house: House) -> None:
    burned(house)
    assert sealed(house) >= set(BURNED)
    assert house.found() == []


def test_an_early_card_that_nobody_saw_is_named_nowhere_until_it_is_dealt(house: House) -> None:
    table = betting(house)
    table.draw()
    assert sealed(house) >= set(MARKED)
    assert house.found() == []
    table.desk.ask(c.CloseBets(), who="Amina", role="supervisor")
    table.until(lambda found: bool(found.table().play and found.table().play.places))
    named = {found.partition(":")[0] for found in house.found()}
    assert "view of overlay" in named, "the card is dealt now: everybody may know it"
    assert [
        found for found in house.found() if re.search(rf"\b({'|'.join(BURNED)})\b", found)
    ] == []


def test_a_fault_its_evidence_and_a_void_name_no_sealed_card(house: House) -> None:
    """The wire's last frames hold every one of them."""
    table = betting(house)
    table.draw()
    house.studio.wires["ba1"].switch("unplug")
    desk = table.until(lambda found: found.table().held)
    table.until(lambda _: bool(house.kept()))
    assert (house.folder / "wire.jsonl").stat().st_size > 0
    assert house.found() == []
    house.studio.wires["ba1"].switch("unplug", on=False)
    table.until(lambda found: found.table().device("shoe").online)
    hold, current = desk.table().hold, desk.table().round
    assert hold is not None
    assert current is not None
    asked = c.VoidRound(fault=hold.faults[0].id, reason="reason.not_provable", round_id=current.id)
    desk.ask(asked, who="Amina", role="supervisor")
    approval = desk.table().approval
    if approval is not None and not approval.how:
        desk.ask(c.Approve(approval=approval.id), who="Lena", role="pit-boss")
    table.until(lambda found: found.table().round.state == "voided")  # type: ignore[union-attr]
    assert house.found() == []


def test_a_sealed_card_that_no_count_allows_is_a_fault_that_names_none(house: House) -> None:
    """Nine equal cards face down: the ninth cannot be."""
    table = Table(house.studio, "ba1")
    desk = table.until(lambda found: found.table().device("shoe").online)
    house.studio.wires["ba1"].load(["9C", *["KS"] * 9, *PLAIN])
    desk.ask(c.OpenTable(), who="Amina", role="supervisor")
    desk.ask(c.StartShoe(), who="Amina", role="supervisor")
    for _ in range(3):
        desk.ask(c.ConfirmStep(), who="Amina", role="supervisor")
    for _ in range(10):
        table.draw()
    table.until(lambda found: found.table().held)
    assert house.faults()
    assert house.found() == []


def test_a_table_that_stops_over_a_sealed_card_does_not_name_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text of a failure is whatever its code put into it: here, the card itself."""
    table = betting(house)

    def failing(*_: Any, **__: Any) -> Any:
        raise KeyError(str(EARLY))

    monkeypatch.setattr("studio.live.runner.decided", failing)
    house.studio.wires["ba1"].draw()
    table.until(lambda desk: desk.runner.failure is not None)
    assert "has stopped" in house.said.getvalue()
    assert house.found() == []
