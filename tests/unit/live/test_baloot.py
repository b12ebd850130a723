"""A table of Baloot with its journal: seats and the clock choose, a stop in mid-round, a replay."""

from __future__ import annotations

from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.envelope import Actor, ActorKind
from studio.games.procedure import Choose, Deal
from studio.games.registry import game
from studio.live.replay import digest_of, facts_of, replay
from studio.table.seatplay import SEAT, choices
from studio.table.state import Limit, Phase, Setup
from studio.table.story import journal_lines
from studio.table.turn import due
from tests.support.baloot_rig import HOKUM, ORDER
from tests.support.live.bench import SUPERVISOR, Bench

SAYS = HOKUM
PERSON = Actor(ActorKind.PLATFORM, "seat-0")


def setup() -> Setup:
    """A table that knows its cards by the shoe alone."""
    dealt = game("baloot")
    rules = dealt.rules({})
    return Setup(
        table="bl1",
        game=dealt,
        rules=rules,
        rules_digest=digest_of(rules),
        sources=("shoe",),
        limits=tuple((bet, Limit(100, 1_000_000)) for bet in dealt.bets),
    )


class Baloot(Bench):
    """A bench at which Baloot is dealt, pack by pack in one order."""

    def __init__(self, journal: Any = None, **more: Any) -> None:
        super().__init__(journal, setup=setup(), **more)
        self.deck = list(ORDER)

    @property
    def due(self) -> Any:
        return due(self.setup, self.table) if self.table.play is not None else None

    @property
    def asking(self) -> Any:
        assert self.table.round is not None
        return self.table.round.asking

    def begin(self) -> None:
        """The pack is loaded, two bets are placed, bets are closed."""
        self.do(c.OpenTable(), SUPERVISOR)
        self.shoe_online()
        self.do(c.StartShoe())
        while self.table.phase is Phase.SHOE:
            self.do(c.ConfirmStep())
        self.do(c.OpenBets())
        self.bet("a", ("ann", "round:0", 1000), ("bob", "kaboot:no", 2000))
        self.do(c.CloseBets())

    def step(self) -> None:
        """Do what is due, as the dealer hears it."""
        now = self.due
        if isinstance(now, Deal):
            self.deal(self.deck.pop(0))
        elif isinstance(now, Choose):
            said = SAYS.get(now.step, "")
            option = said if said in now.options else choices(self.setup, self.table).auto
            self.do(c.ChooseForSeat(seat=now.seat, window=self.asking.number, option=option))
        else:
            self.do(c.ConfirmStep())

    def until(self, step: str) -> None:
        """Play on until this is due; ``""`` for the end of the round."""
        while self.table.phase in (Phase.DEALING, Phase.DECISION) and self.due.step != step:
            self.step()


def facts(bench: Bench) -> list[Any]:
    """All facts as others read them: what is sealed stays so."""
    return [fact for stream in bench.journal.streams() for fact in bench.journal.read(stream)]


@pytest.fixture(scope="module")
def played() -> Baloot:
    """A round that was played to its end."""
    bench = Baloot()
    bench.begin()
    bench.until("")
    return bench


def test_a_round_is_played_to_its_end_and_paid(played: Baloot) -> None:
    assert played.table.round is not None
    assert played.table.round.code in ("made", "failed", "kaboot")
    assert played.table.round.state == "settled"
    assert "card.moved" in played.types()


def test_a_round_is_replayed_by_who_may_not_open_a_seal(played: Baloot) -> None:
    assert played.table.round is not None
    round_id = played.table.round.id
    again = replay("bl1", facts_of(facts(played), round_id), ())
    assert again.again == again.journalled != {}
    assert again.money_same


def test_the_journal_tells_in_words_what_seats_chose(played: Baloot) -> None:
    lines = [line.message.code for line in journal_lines(facts(played))]
    assert lines.count("journal.seat_chose") == lines.count("journal.seat_asked") > 20
    assert lines.count("journal.card_moved") == 33  # the open card, and 32 to the tricks


def test_a_stop_while_a_seat_is_asked_brings_the_table_back_held_and_asked_again() -> None:
    bench = Baloot()
    bench.begin()
    bench.until("play")
    before = bench.table
    again = Baloot(bench.journal, clock=bench.clock, prefix="again-")
    assert again.table.held
    assert again.table.play is not None
    assert before.play is not None
    assert again.table.play.inputs == before.play.inputs
    assert [place.card for place in again.table.play.places] == [
        place.card for place in before.play.places
    ]
    again.shoe_online()
    assert again.table.hold is not None
    fault = again.table.hold.faults[0].id
    again.do(c.AcceptAsDealt(fault=fault, reason="reason.other"), SUPERVISOR)
    again.do(c.LiftHold(fault="", reason="reason.other"), SUPERVISOR)
    assert again.table.window is not None
    assert again.asking == before.round.asking  # type: ignore[union-attr]
    again.until("")
    assert again.table.round is not None
    assert again.table.round.state == "settled"


def test_the_clock_chooses_for_a_seat_that_stays_silent() -> None:
    bench = Baloot()
    bench.begin()
    bench.until("bidding")
    bench.wait()
    chose = [event for event in bench.events() if isinstance(event, e.SeatChose)]
    assert (chose[-1].option, chose[-1].by) == ("pass", "clock")


def test_a_seat_is_heard_in_its_own_name_and_answered_once() -> None:
    bench = Baloot()
    bench.begin()
    bench.until("bidding")
    seat = bench.asking.seat
    by = c.Asker(number=str(seat), role=SEAT)
    command = c.ChooseForSeat(seat=seat, window=bench.asking.number, option="pass")
    for _ in range(2):
        assert bench.ask(command, PERSON, command_id="seat/1", by=by).status == "done"
    other = c.Asker(number=str((seat + 2) % 4), role=SEAT)
    answer = bench.ask(command, PERSON, by=other)
    assert (answer.status, answer.code) == ("rejected", "refused.no_right")
    chose = [event for event in bench.events() if isinstance(event, e.SeatChose)]
    assert [event.by for event in chose] == ["seat"]
