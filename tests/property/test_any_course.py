"""Dealers who make every mistake, devices with every fault, supervisors who choose any repair.

Whole coups at a table with its simulated people, on any sources: in random order come mistakes,
faults, restarts, clock steps, new days, reliefs, claims, calls, wrong counts and corrections. After
each step the laws of live-dealer-systems.md 9.2 hold; the numbers below are theirs.
"""

from __future__ import annotations

import logging
import os
import re
from collections import Counter
from random import Random

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import PACK
from studio.domain.faults import FaultCode
from studio.simulate import faults
from studio.simulate.faults import Planned
from studio.simulate.supervisor import Supervisor
from studio.simulate.telling import DOES
from studio.table import ledger
from studio.table.casework import supervisor_view
from studio.table.evolve import evolve
from studio.table.show import dealer_view, overlay_view
from studio.table.state import Phase, Table
from studio.table.views import OptionView, to_json
from tests.property.books import Books
from tests.support.coups import coup_of
from tests.support.plain_table import JUMP_US, OPENING, PlainTable

SOURCES = (("shoe", "camera"), ("camera",), ("shoe",))
CODE = re.compile(r'"([2-9TJQKA][CDHS])"')
DAY_US = 24 * 3_600_000_000
REASON = "reason.other"


class AnyRepair(Supervisor):
    """Takes any lawful repair, not only the policy's first."""

    chance = Random(0)

    def order(self, lawful: list[OptionView], first: int) -> list[OptionView]:
        """The policy's own answer most of the time, else any."""
        if self.chance.random() < 0.5:
            return super().order(lawful, first)
        mixed = list(lawful)
        self.chance.shuffle(mixed)
        return mixed


class AnyCourse:
    """One table with its people; what happens to them is drawn from a seed."""

    def __init__(self, seed: int) -> None:
        """A table with any sources, its shoe not loaded yet."""
        self.random = Random(f"any-{seed}")
        self.at = PlainTable(sources=self.random.choice(SOURCES), seed=seed, players=3)
        supervisor = AnyRepair(self.at.place)
        supervisor.chance = Random(f"repairs-{seed}")
        self.at.course.supervisor = self.at.supervisor = supervisor
        self.steps = self.at.course.steps(None)
        self.folded = Table()
        self.version: dict[str, int] = {}
        self.events: list[e.Event] = []
        self.books = Books()
        self.over_counted: set[int] = set()
        """Shoes in which a card that no count allows was told."""
        self.acts = (
            *(self.the_people_work,) * 8,
            *(self.something_is_planned,) * 6,
            self.a_dealer_is_relieved,
            self.a_table_is_claimed,
            self.the_dealer_calls,
            self.the_shoe_is_ended,
            self.a_paid_coup_is_corrected,
            self.the_clock_is_set,
            self.a_night_passes,
            self.the_table_dies,
        )

    def live(self, acts: int) -> None:
        """So many things happen, the laws hold after each; then what is open comes to its end."""
        for _ in range(acts):
            self.random.choice(self.acts)()
            self.look()
        self.bring_to_an_end()
        self.look()
        assert self.money_is_in_the_wallets(), "the wallet waits for ever"

    def look(self) -> None:
        """All laws."""
        self.the_journal_alone_gives_the_same_table()
        self.money_is_in_the_wallets()
        self.books.check_results(self.at.table)
        self.no_card_was_taken_for_another()
        self.the_shoe_holds_no_card_too_many()
        self.nobody_sees_a_card_before_its_time()
        self.a_result_is_what_the_accepted_cards_say()
        self.a_held_table_has_a_cause()

    # -- what happens --------------------------------------------------------------------------

    def the_people_work(self) -> None:
        """A few steps of dealer, players and supervisor."""
        for _ in range(self.random.randint(8, 40)):
            next(self.steps)

    def something_is_planned(self) -> None:
        """A fault for this coup or the next, at any step."""
        name = self.random.choice(faults.possible(self.at.setup.sources))
        moment = self.random.choice(("", *faults.MOMENTS))
        number = self.at.tally.rounds + self.random.randint(1, 2)
        self.at.course.plan.add(Planned(name, number, moment))

    def ask(self, command: c.Command, who: str, role: str) -> bool:
        """Ask for something; a refusal must change nothing. Whether it was done."""
        self.at.tick()  # a clock that was set, or a new day, is told before anything is asked
        before = self.at.table
        try:
            self.at.place.desk.ask(command, who=who, role=role)
        except c.Rejected:
            assert self.at.table is before
            return False
        return True

    def a_dealer_is_relieved(self) -> None:
        """Between coups only; whoever sits here deals from then on."""
        who = self.random.choice(["Dealer A", "Dealer B"])
        if self.ask(c.RelieveDealer(), who, "dealer"):
            self.at.dealer.name = who

    def a_table_is_claimed(self) -> None:
        """A supervisor answers for the table, or no longer does."""
        who = self.random.choice(["Sim Supervisor", "Supervisor B"])
        self.ask(self.random.choice((c.ClaimTable(), c.ReleaseTable())), who, "supervisor")

    def the_dealer_calls(self) -> None:
        """Somebody is needed."""
        self.ask(c.CallSupervisor(), self.at.dealer.name, "dealer")

    def the_shoe_is_ended(self) -> None:
        """After this coup; its cards are counted, rightly or not."""
        self.at.dealer.miscounts = self.random.choice((0, 0, -2, 1))
        self.ask(c.EndShoe(), "Sim Supervisor", "supervisor")

    def a_paid_coup_is_corrected(self) -> None:
        """One asks, another one approves or declines."""
        if not self.at.table.results:
            return
        ended = self.random.choice(self.at.table.results)
        true = coup_of(self.at.setup, self.random.choices(PACK, k=6))
        asked = c.CorrectResult(round_id=ended.id, cards=true, reason=REASON)
        if self.ask(asked, "Sim Supervisor", "supervisor"):
            self.second(yes=self.random.random() < 0.5)

    def second(self, *, yes: bool) -> None:
        """The same person may not; another one says yes or no."""
        approval = self.at.table.approval
        if approval is None or approval.how:
            return
        assert not self.ask(c.Approve(approval=approval.id), approval.by, "supervisor")
        no = c.Decline(approval=approval.id, reason="reason.other")
        act = c.Approve(approval=approval.id) if yes else no
        self.ask(act, "Sim Pit Boss", "pit-boss")

    def the_clock_is_set(self) -> None:
        """By somebody who should not have."""
        hours = self.random.choice((-1, 1))
        self.at.clock.set_wall(self.at.clock.now_us() + hours * JUMP_US)

    def a_night_passes(self) -> None:
        """The gaming day changes once no coup is open."""
        if self.at.table.phase in (Phase.IDLE, Phase.RESULT) and not self.at.table.held:
            self.at.clock.advance(DAY_US)
            self.at.tick()

    def the_table_dies(self) -> None:
        """Restart: it comes back held, with what was known, or as it was if nothing was open."""
        before = self.at.table
        self.at.kill()
        after = self.at.table
        assert after.phase is before.phase
        assert after.phase is Phase.CLOSED or after.held
        if before.round is not None and before.round.state == "open":
            assert after.round is not None
            assert (after.round.id, after.round.state) == (before.round.id, "open")

    # -- the laws --------------------------------------------------------------------------------

    def the_journal_alone_gives_the_same_table(self) -> None:
        """Law 5; and laws 1, 2, 4, 7 and 10 over the new facts."""
        for stream in self.at.journal.streams():
            for fact in self.at.journal.read(stream, self.version.get(stream, 0), secrets=True):
                self.version[stream] = fact.version
                before = self.folded
                self.folded = evolve(before, fact.event, fact.at_us)
                self.books.take(stream, fact)
                self.events.append(fact.event)
                MET[type(fact.event).__name__] += 1
                self._look(before, fact.event)
        assert self.folded == self.at.table

    def _look(self, before: Table, event: e.Event) -> None:
        """One new fact."""
        open_round = before.round if before.round and before.round.state == "open" else None
        match event:
            case e.RoundOpened(round_id=round_id):
                assert open_round is None
                opened = [x.round_id for x in self.events if isinstance(x, e.RoundOpened)]
                assert opened.count(round_id) == 1
            case e.BetsConfirmed() | e.BetsPlaced():
                assert open_round is not None
                assert not open_round.bets_closed
            case e.CardDealt() if before.phase is not Phase.SHOE:
                assert open_round is not None
                assert open_round.bets_closed
            case e.RoundSettled(round_id=round_id, staked=staked, rows=rows):
                self._ends_once(round_id)
                assert staked == sum(row.staked for row in rows)
                COUPS["settled"] += 1
            case e.RoundVoided(round_id=round_id, refunded=refunded, columns=columns):
                self._ends_once(round_id)
                assert open_round is not None
                assert refunded == columns.total == ledger.accepted(open_round).total
                COUPS["voided"] += 1
            case e.ApprovalEnded(approval=approval, how="given", by=by):
                assert before.approval is not None
                assert before.approval.id == approval
                assert before.approval.by != by
            case e.FaultRaised(fault=fault):
                FAULTS[fault.code.value] += 1
                if fault.code is FaultCode.IMPOSSIBLE_CARD and before.shoe is not None:
                    self.over_counted.add(before.shoe.number)
            case e.FaultAnswered(repair=repair):
                REPAIRS[repair] += 1
            case e.HoldLifted():
                assert before.hold is not None
                assert not before.hold.faults
                assert before.hold.answered
            case _:
                pass

    def _ends_once(self, round_id: str) -> None:
        ends = (e.RoundSettled, e.RoundVoided)
        ended = [x.round_id for x in self.events if isinstance(x, ends)]
        assert ended.count(round_id) == 1

    def money_is_in_the_wallets(self) -> bool:
        """Laws 2 and 4, outside the journal: a void leaves all wallets together as they were.

        Whether it could be looked at: not while the wallet has still to be told of something.
        """
        if not self.at.wallet_knows_all:
            return False
        assert self.at.balances() == OPENING * len(self.at.names) - self.books.away
        return True

    def no_card_was_taken_for_another(self) -> None:
        """What was accepted is what was laid, in every round that has ended."""
        assert self.at.tally.misreads == 0, self.at.lines[-1]

    def the_shoe_holds_no_card_too_many(self) -> None:
        """Law 3; a card that no count allows is told at once, and lies there all the same."""
        shoe = self.at.table.shoe if self.at is not None else None
        if shoe is not None:
            assert shoe.cards.gone + shoe.cards.left == shoe.cards.size
            told = shoe.number in self.over_counted
            assert told or all(gone <= shoe.cards.packs for gone in shoe.cards.seen)

    def nobody_sees_a_card_before_its_time(self) -> None:
        """Law 6: dealer and overlay are shown cards that lie open, and no others."""
        table, setup = self.at.table, self.at.setup
        places = table.play.places if table.play else ()
        known = {p.card.code for p in places if p.card is not None and p.face == "up"}
        overlay = to_json(overlay_view(setup, table))
        shown = [card["card"] for hand in overlay["hands"] for card in hand["cards"]]
        assert set(shown) <= known
        lying = self.at.place.felt.lying
        known |= {lain.code for zone in self.at.place.felt.zones for lain in lying(zone)}
        dealer = to_json(dealer_view(setup, table, table.at_us))
        assert set(CODE.findall(str(dealer).replace("'", '"'))) <= known | self.spoken()

    def spoken(self) -> set[str]:
        """Cards that the shoe named openly, or that fell on the floor: nobody hides them."""
        table = self.at.table
        codes = {read.card.code for read in table.sensing.reads if read.card is not None}
        for fault in table.hold.faults if table.hold else ():
            codes |= {sight.card.code for sight in fault.sightings if sight.card is not None}
        return codes

    def a_result_is_what_the_accepted_cards_say(self) -> None:
        """Law 8: nothing outside the procedure changes a score."""
        table = self.at.table
        if table.round is not None and table.round.state == "settled" and table.play is not None:
            cards = [place.card for place in table.play.places]
            assert all(
                card is not None and f'"{card.code}"' in table.round.outcome for card in cards
            )

    def a_held_table_has_a_cause(self) -> None:
        """Law 10; and every audience can be shown the table."""
        table = self.at.table
        supervisor_view(self.at.setup, table, table.at_us)
        if table.hold is not None:
            assert table.hold.faults or table.hold.answered

    def bring_to_an_end(self) -> None:
        """What is open comes to its end: no course leads into a dead end."""
        self.at.machine.platform_down = False
        self.at.machine.slow_disk(0)
        before = self.at.tally.rounds
        for _ in range(600):
            if self.at.tally.rounds > before:
                return
            next(self.steps)
        raise AssertionError(f"nothing ends any more in {self.at.table.phase}")


MET: Counter[str] = Counter()
"""How often each kind of event came about."""
FAULTS: Counter[str] = Counter()
REPAIRS: Counter[str] = Counter()
COUPS: Counter[str] = Counter()

MUST_COME = (
    e.ApprovalAsked, e.ApprovalEnded, e.BetsClosed, e.BetsConfirmed, e.BetsPlaced, e.BetsRefused,
    e.CardDealt, e.CardDead, e.CardParked, e.CardUnparked, e.CardsCollected, e.CountEntered,
    e.DayOpened, e.DealerSeated, e.DeviceNoted, e.FaultAnswered, e.FaultRaised, e.FeltSeen,
    e.HoldLifted, e.ResultCorrected, e.RoundCleared, e.RoundOpened, e.RoundSettled, e.RoundVoided,
    e.ShoeEnded, e.ShoeEnding, e.ShoeOpened, e.ShoeProcedureStarted, e.ShoeRead, e.StepConfirmed,
    e.TableClaimed, e.TableOpened, e.TableReleased,
)  # fmt: skip
"""Kinds of events that come about in every long enough test."""


def run(seeds: range, acts: int, coups: int) -> None:
    """Let so many courses be lived; see that so many coups were dealt and that everything came."""
    for counter in (MET, FAULTS, REPAIRS, COUPS):
        counter.clear()
    logging.disable(logging.ERROR)
    try:
        for seed in seeds:
            course = AnyCourse(seed)
            try:
                course.live(acts)
            except Exception as wrong:
                told = "\n".join(course.at.said[-25:])
                raise AssertionError(
                    f"seed {seed}, {course.at.setup.sources}: {wrong!r}\n{told}"
                ) from wrong
    finally:
        logging.disable(logging.NOTSET)
    assert COUPS["settled"] + COUPS["voided"] >= coups, COUPS
    missing = [kind.__name__ for kind in MUST_COME if not MET[kind.__name__]]
    assert not missing, (missing, COUPS, FAULTS, REPAIRS)


@pytest.mark.timeout(300)
def test_the_laws_hold_over_three_hundred_coups_of_any_course() -> None:
    """A first look at random courses."""
    run(range(20), 40, 300)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_the_laws_hold_over_ten_thousand_coups_of_any_course() -> None:
    """The long form."""
    first = int(os.environ.get("CUTCARD_SOAK_SEED", "1000"))
    run(range(first, first + 350), 40, 10_000)
    assert set(REPAIRS) >= set(DOES) - {"CorrectCard"}  # the people never deal another card
