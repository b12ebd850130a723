"""Whole rounds of Baloot at a table, with whatever people and devices do amiss; time by hand.

On any sources, with packs in any order and seats that choose anything lawful: cards that nobody
could read, calls, restarts, silence, cards lifted, turned out of turn, or taken for another, claims
and verdicts, voids. After each step: no screen and no fact names a card that lies face down, the
procedure was told of none, what a seat may not do is refused in one way, and the journal alone
gives the same table. All 32 cards are balanced after each round, and the score is carried.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.games.procedure import Carried, Choose, Deal, Dealt, Facing, Move
from studio.storage.codec import default_codec
from studio.table.casework import supervisor_view
from studio.table.evolve import evolve
from studio.table.seatplay import SEAT
from studio.table.show import dealer_view, overlay_view, tile_view
from studio.table.state import Phase, Table
from studio.table.views import to_json
from tests.support.baloot_rig import DEALER, ORDER, TRICK, BalootRig

SOURCES = (("shoe",), ("shoe", "camera"), ("camera",))
REASON = "reason.other"
CODE = re.compile(r"['\"]([789TJQKA][CDHS])['\"]")
SOAK_CHUNKS = 20
SOAK_EVENINGS = 30
"""Evenings of a chunk: 600 in all."""
EVENTS: Counter[str] = Counter()
FAULTS: Counter[str] = Counter()
ENDS: Counter[str] = Counter()


class Evening:
    """One table, its people, and what goes wrong."""

    def __init__(self, seed: int) -> None:
        """A table with any sources; its pack is not shuffled yet."""
        self.random = Random(f"baloot-{seed}")
        self.rig = BalootRig(sources=SOURCES[seed % len(SOURCES)])
        self.rig.wanted = self.wanted  # type: ignore[method-assign]
        self.shown: set[str] = set()
        """Cards that lay open on the felt for all to see, though the table has them face down."""
        self.folded = Table()
        self.read = 0
        self.carried: tuple[int, ...] = (0, 0, 3, 1, 1)

    # -- a round --------------------------------------------------------------------------------

    def play(self, rounds: int) -> None:
        """So many rounds, each with a pack in another order."""
        rig = self.rig
        rig.online()
        rig.give(c.OpenTable())
        for _ in range(rounds):
            rig.deck = self.random.sample(ORDER, len(ORDER))
            self.shown.clear()
            rig.new_pack()
            rig.begin(round_0=100, kaboot_yes=10)
            for _ in range(600):
                if rig.table.phase not in (Phase.DEALING, Phase.DECISION):
                    break
                self.one_step()
                self.look()
            self.ended()

    def one_step(self) -> None:
        """What is due, or something amiss before it."""
        if self.rig.table.held:
            self.answer()
            return
        if self.random.random() < 0.08:
            self.random.choice(self.amiss())()
            return
        self.rig.step()

    def ended(self) -> None:
        """The round is over: paid or void, collected, counted."""
        rig, current = self.rig, self.rig.table.round
        assert current is not None
        assert rig.table.phase is Phase.RESULT, rig.table.phase
        ENDS[current.code or current.state] += 1
        for _ in range(20):
            if not rig.table.held:
                break
            self.answer()
        rig.collected()
        for _ in range(20):
            if not rig.table.held:
                break
            self.answer()
        self.look()
        assert rig.table.phase is Phase.IDLE
        shoe = rig.table.shoe
        assert shoe is not None
        settled = current.state == "settled"
        assert shoe.balance == "balanced" or not settled or shoe.cards.unknown, shoe.balance
        told = [event for event, _ in rig.events if isinstance(event, e.FiguresCarried)]
        assert told[-1].figures == self.carried
        if settled:
            self.carried = rig.table.carried
        assert rig.table.carried in (self.carried, ())

    def wanted(self, now: Choose) -> str:
        """Anything that the true cards of the seat allow."""
        rig = self.rig
        assert rig.table.play is not None
        down = {p.index for p in rig.table.play.places if p.face == Facing.DOWN.value}
        known = {at: Card.parse(code) for at, code in rig.racks.items() if at in down}
        game = rig.setup.game
        options = [
            option
            for option, _ in game.choices(rig.setup.rules, rig.table.play.inputs, known).options
        ]
        lively = [option for option in options if option != "pass"]
        return self.random.choice(lively if lively and self.random.random() < 0.5 else options)

    # -- what goes wrong ------------------------------------------------------------------------

    def amiss(self) -> tuple[Callable[[], Any], ...]:
        """What may go wrong now."""
        due = self.rig.due
        found: list[Callable[[], Any]] = [self.called, self.stopped, self.unlawful]
        camera = "camera" in self.rig.sources
        if isinstance(due, Choose):
            found += [self.silent, self.claimed]
            if camera:
                found += [self.out_of_turn, self.lifted, self.laid_back_open]
        if isinstance(due, Move) and camera:
            found += [self.wrong_card, self.lifted, self.laid_back_open]
        if isinstance(due, Deal) and "shoe" in self.rig.sources and due.face is Facing.DOWN:
            found += [self.unreadable]
        if self.random.random() < 0.05:
            found.append(self.given_up)
        return tuple(found)

    def called(self) -> None:
        """The dealer calls."""
        self.rig.give(c.CallSupervisor(), by=DEALER)

    def stopped(self) -> None:
        """The studio stops and comes back."""
        self.rig.restart()

    def silent(self) -> None:
        """A seat says nothing."""
        if "shoe" in self.rig.sources:  # else the rules do not know what is lawful
            self.rig.wait(12)

    def unlawful(self) -> None:
        """A seat asks for what it may not; nothing happens, and it learns nothing."""
        rig, current = self.rig, self.rig.table.round
        asking = current.asking if current is not None else None
        seat = self.random.randrange(4)
        by = c.Asker(number=str(seat), role=SEAT)
        before = rig.table
        window = asking.number if asking is not None else 1
        tried = (seat, self.random.choice(("hundred_years", "9", "AS", "")))
        allowed = asking is not None and tried[0] == asking.seat and tried[1] == "AS"
        code = rig.refused(c.ChooseForSeat(seat=seat, window=window, option=tried[1]), by)
        if code is None:
            assert allowed
            return
        assert code == ("refused.window_closed" if asking is None else "refused.not_allowed")
        assert rig.table == before

    def claimed(self) -> None:
        """A seat claims a fault of the play."""
        seat = self.random.randrange(4)
        self.rig.refused(c.ClaimQayd(seat=seat), c.Asker(number=str(seat), role=SEAT))

    def given_up(self) -> None:
        """The round is declared not played."""
        rig = self.rig
        assert rig.table.round is not None
        rig.give(c.CallSupervisor(), by=DEALER)
        rig.give(c.VoidRound(fault="", round_id=rig.table.round.id, reason=REASON))

    def unreadable(self) -> None:
        """The reader in the shoe does not know the card."""
        rig, now = self.rig, self.rig.due
        assert rig.table.play is not None
        rig.racks[len(rig.table.play.inputs)] = rig.deck.pop(0)
        rig.read("??")
        if "camera" in rig.sources:
            rig.lay(now.to, "XX")

    def some_card(self, seat: int, but: int = -1) -> int | None:
        """The input of a card that lies face down in a rack."""
        assert self.rig.table.play is not None
        found = [
            place.index
            for place in self.rig.table.play.places
            if place.to == f"H{seat}" and place.face == Facing.DOWN.value and place.index != but
        ]
        return self.random.choice(found) if found else None

    def lifted(self) -> None:
        """Somebody lifts a card and lays it back."""
        seat = self.random.randrange(4)
        index = self.some_card(seat)
        if index is not None:
            self.rig.lift_from(index)
            self.rig.show()
            self.rig.lay(f"H{seat}", "XX")

    def laid_back_open(self) -> None:
        """Somebody lifts a card and lays it back with its face up: it is that card, and shown."""
        seat = self.random.randrange(4)
        index = self.some_card(seat, but=getattr(self.rig.due, "index", -1))
        if index is not None and self.rig.racks[index] not in self.shown:
            self.rig.lift_from(index)
            self.rig.show()
            self.shown.add(self.rig.racks[index])
            self.rig.lay(f"H{seat}", self.rig.racks[index])
            assert self.rig.faults() == [FaultCode.SUBSTITUTED_CARD], self.rig.faults()

    def out_of_turn(self) -> None:
        """A card is laid open while its seat, or another one, is asked."""
        seat = self.random.randrange(4)
        index = self.some_card(seat)
        if index is not None and not self.rig.felt[f"T{seat}"]:
            self._laid_open(index, f"T{seat}", FaultCode.DEAL_ORDER)
            self._laid_back(f"T{seat}", f"H{seat}")

    def wrong_card(self) -> None:
        """Another card of the rack is turned."""
        now = self.rig.due
        place = next(p for p in self.rig.table.play.places if p.index == now.index)  # type: ignore[union-attr]
        if now.to not in TRICK or not place.to.startswith("H"):
            return
        index = self.some_card(int(place.to[1]), but=now.index)
        if index is not None:
            self._laid_open(index, now.to, FaultCode.WRONG_CARD)
            self._laid_back(now.to, place.to)

    def _laid_open(self, index: int, to: str, code: FaultCode) -> None:
        self.shown.add(self.rig.racks[index])
        self.rig.lift_from(index)
        self.rig.lay(to, self.rig.racks[index])
        assert self.rig.faults() == [code], (self.rig.faults(), self.rig.due)

    def _laid_back(self, zone: str, rack: str) -> None:
        self.look()
        self.rig.felt[zone].pop()
        self.rig.lay(rack, "XX")

    # -- what a supervisor does -----------------------------------------------------------------

    def answer(self) -> None:
        """Answer what is open, the policy's own answer first, and lift the hold."""
        rig, hold = self.rig, self.rig.table.hold
        assert hold is not None
        for fault in hold.faults:
            FAULTS[fault.code.value] += 1
            if not any(self._tried(command) for command in self._answers(fault)):
                options = [
                    (option.command, option.enabled, option.reason)
                    for case in supervisor_view(rig.setup, rig.table, rig.at_us).cases
                    for option in case.options
                ]
                raise AssertionError(f"nothing answers {fault}: {options}")
            if not rig.table.held or rig.table.phase is Phase.RESULT:
                break
        if rig.table.held and rig.table.hold is not None and not rig.table.hold.faults:
            rig.lift()

    def _tried(self, command: c.Command) -> bool:
        return self.rig.refused(command) is None

    def _answers(self, fault: Any) -> list[c.Command]:
        common = {"fault": fault.id, "reason": REASON}
        side = self.random.choice((0, 1, None, None))
        found: list[c.Command] = [
            c.DecideQayd(**common, against=side),
            c.RescanRound(**common),
            c.AcceptAsDealt(**common),
            c.AcknowledgeFault(**common),
            c.RetryDevice(**common),
        ]
        if fault.code is FaultCode.UNREADABLE_CARD:
            due = self.rig.due
            index = getattr(due, "index", None)
            code = self.rig.racks.get(index) if index is not None else None
            if code is not None:
                found.insert(0, c.KeyInCard(**common, card=Card.parse(code)))
        return found

    # -- what must hold -------------------------------------------------------------------------

    def look(self) -> None:
        """All laws."""
        rig, play = self.rig, self.rig.table.play
        new = rig.events[self.read :]
        self.read = len(rig.events)
        hidden: set[str] = set()
        if play is not None and rig.table.round is not None and rig.racks:
            up = {p.index for p in play.places if p.face == Facing.UP.value}
            hidden = {code for at, code in rig.racks.items() if at not in up} - self.shown
            told = [given.card for given in play.inputs if isinstance(given, Dealt)]
            assert len([card for card in told if card is not None]) <= 1
            if play.inputs:
                assert isinstance(play.inputs[0], Carried) or rig.table.phase is Phase.SHOE
        for event, at_us in new:
            EVENTS[type(event).__name__] += 1
            body = default_codec().encode(event).body
            assert not hidden & set(CODE.findall(body)), event
            self.folded = evolve(self.folded, event, at_us)
        assert self.folded == rig.table
        looked = rig.table.held or self.random.random() < 0.25
        if looked and rig.table.phase in (Phase.DEALING, Phase.DECISION):
            self.nobody_is_shown(hidden)

    def nobody_is_shown(self, hidden: set[str]) -> None:
        """No audience is shown a card that lies face down."""
        rig = self.rig
        views = (
            dealer_view(rig.setup, rig.table, rig.at_us),
            overlay_view(rig.setup, rig.table),
            tile_view(rig.setup, rig.table),
            supervisor_view(rig.setup, rig.table, rig.at_us),
        )
        board = views[0].board
        assert board is not None
        told = {code for seat in board.seats for each in seat.projects for code in each.cards}
        if told:  # whoever won with a project shows it, once all have played to the first trick
            assert board.tricks[0].winner is not None
        for view in views:
            text = str(to_json(view))
            found = (hidden - told) & set(CODE.findall(text))
            assert not found, (type(view).__name__, found, rig.faults())


def run(seeds: range, rounds: int) -> None:
    """So many evenings; everything must have come about."""
    for counter in (EVENTS, FAULTS, ENDS):
        counter.clear()
    for seed in seeds:
        try:
            Evening(seed).play(rounds)
        except Exception as wrong:
            raise AssertionError(f"evening {seed}: {wrong!r}") from wrong


def test_baloot_is_played_lawfully_whatever_goes_wrong() -> None:
    run(range(6, 13), rounds=2)
    assert ENDS["made"] + ENDS["failed"] > 3
    for kind in (e.CardMoved, e.SeatChose, e.SeatAsked, e.VerdictGiven, e.RoundVoided):
        assert EVENTS[kind.__name__], (kind, EVENTS)
    for code in (FaultCode.WRONG_CARD, FaultCode.DEAL_ORDER, FaultCode.RECOVERED, FaultCode.QAYD):
        assert FAULTS[code.value], (code, FAULTS)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("chunk", range(SOAK_CHUNKS))
def test_very_many_evenings_of_baloot(chunk: int) -> None:
    """600 over all chunks."""
    run(range(SOAK_EVENINGS * chunk, SOAK_EVENINGS * (chunk + 1)), rounds=6)
