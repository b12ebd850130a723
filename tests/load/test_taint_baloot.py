"""No word that leaves the studio names a card of a hand before it lies open (VISION.md 6).

A whole studio serves a table of Baloot whose shoe reads each card. Four marked cards lie face down
in the hand of one seat. Whatever leaves the studio is searched for them: while the seats bid, while
tricks lie, in a hold with its evidence, after a claim and after a void. The seat alone is told.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from studio.domain import commands as c
from studio.games.procedure import Choose, Deal, Move
from studio.live.people import SeatToken
from studio.logs import LogForm, set_up
from studio.table.seatplay import choices
from studio.table.state import Phase
from studio.table.turn import due
from tests.integration.studio.test_tables import Table
from tests.support.taint import House as AnyHouse
from tests.support.taint import leaks, naming

MARKED = ("JS", "QH", "KS", "TH")
"""Cards of seat 1."""
NAMED = naming(*MARKED)
DECK = (
    *("KH 8S 7S", "JS QH KS", "QD JD TD", "AC 8H 9H"),
    *("TC 8C", "TH 9D", "7D 8D", "JC QC"),
    "9S",
    *("QS AS", "AH 9C 7C", "TS AD KD", "JH KC 7H"),
)
"""As the pack is dealt at a new table, after seat 0 bought a hokum."""
SAYS = {"bidding": "hokum", "claim": "pass", "confirm": "hokum"}


class House(AnyHouse):
    """A house with one table of Baloot and a shoe, searched for the cards of one hand."""

    def __init__(self, folder: Path, said: Any) -> None:
        table = {
            "game": "baloot",
            "sources": ["shoe"],
            "betting_s": 600.0,
            "decision_s": 600.0,
            "result_s": 0.0,
            "limits": {"round": [100, 500000]},
            "shoe": {"url": "sim:", "options": {"trace": str(folder / "wire.jsonl")}},
        }
        super().__init__(folder, said, table, name="bl1")
        self.table = Table(self.studio, "bl1")

    def found(self, named: re.Pattern[str] = NAMED) -> list[str]:
        return super().found(named)

    def ask(self, command: c.Command, who: str = "Amina", role: str = "supervisor") -> None:
        self.table.desk.ask(command, who=who, role=role)

    @property
    def due(self) -> Any:
        desk = self.table.desk
        return due(desk.setup, desk.table()) if desk.table().play is not None else None

    def begin(self) -> None:
        """The pack is loaded, bets are closed."""
        self.table.until(lambda found: found.table().device("shoe").online)
        self.studio.wires["bl1"].load(" ".join(DECK).split())
        self.ask(c.OpenTable())
        self.ask(c.StartShoe())
        while self.table.desk.table().phase is Phase.SHOE:
            self.ask(c.ConfirmStep())
        self.ask(c.OpenBets())
        self.ask(c.CloseBets())

    def until(self, step: str, seat: int | None = None) -> None:
        """Play on until this is due, with what the rules choose where nothing else is said."""
        for _ in range(120):
            now, desk = self.due, self.table.desk
            if now.step == step and (seat is None or getattr(now, "seat", None) == seat):
                return
            if isinstance(now, Deal):
                self.table.draw()
            elif isinstance(now, Choose):
                current = desk.table().round
                assert current is not None
                assert current.asking is not None
                said = SAYS.get(now.step, "")
                option = said if said in now.options else choices(desk.setup, desk.table()).auto
                window = current.asking.number
                self.ask(c.ChooseForSeat(seat=now.seat, window=window, option=option))
            else:
                self.ask(c.ConfirmStep())
        raise AssertionError(f"{step} is never due")

    def hand(self, seat: int) -> list[str]:
        """What a seat is told of its own hand."""
        token = SeatToken(id="t", table="bl1", seat=seat)
        return [each["card"] for each in self.studio.seats.hand(token)["cards"]]


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


def test_a_card_is_named_to_its_own_seat_alone_until_it_lies_open(house: House) -> None:
    house.begin()
    house.until("bidding")
    assert set(MARKED) <= set(house.hand(1))
    assert not set(MARKED) & {card for seat in (0, 2, 3) for card in house.hand(seat)}
    house.until("play", seat=1)
    assert isinstance(house.due, Choose)
    assert house.due.options == tuple(map(str, range(1, 9)))
    table = house.table.desk.table()
    assert table.round is not None
    assert table.round.asking is not None
    lawful = {card: option for option, card in choices(house.table.desk.setup, table).options}
    window = table.round.asking.number
    house.ask(c.ChooseForSeat(seat=1, window=window, option=lawful["JS"]))
    assert isinstance(house.due, Move)
    assert house.found() == []
    house.ask(c.ConfirmStep())
    found = house.found()
    assert "view of overlay" in {each.partition(":")[0] for each in found}
    others = naming(*(code for code in MARKED if code != "JS"))
    assert leaks(others, "", " ".join(found)) == []


def test_a_claim_a_hold_its_evidence_and_a_void_name_no_card_of_a_hand(house: House) -> None:
    """The wire's last frames hold every one of them."""
    house.begin()
    house.until("play", seat=1)
    house.ask(c.ClaimQayd(seat=2, note="he kept a trump"))
    house.table.until(lambda desk: desk.table().held)
    house.table.until(lambda _: bool(house.kept()))
    current, hold = house.table.desk.table().round, house.table.desk.table().hold
    assert current is not None
    assert hold is not None
    asked = c.VoidRound(fault=hold.faults[0].id, reason="reason.other", round_id=current.id)
    house.ask(asked)
    approval = house.table.desk.table().approval
    assert approval is not None
    house.ask(c.Approve(approval=approval.id), who="Lena", role="pit-boss")
    house.table.until(lambda desk: desk.table().round.state == "voided")
    assert house.found() == []
