"""Any dealer, any devices, any supervisor, in any order: the laws hold after every step.

The laws are those of live-dealer-systems.md 9.2, as far as baccarat meets them.
"""

import os
from collections import Counter
from functools import reduce
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import PACK, Card
from studio.table import ledger, policy
from studio.table.casework import supervisor_view
from studio.table.evolve import evolve
from studio.table.repairs import why_not
from studio.table.show import dealer_view, overlay_view
from studio.table.state import Phase, Table
from studio.table.views import to_json
from tests.support.coups import coup_of
from tests.support.rig import Rig

ZONES = st.sampled_from(["P", "B"])
CODES = st.sampled_from([card.code for card in PACK])
REASON = "reason.other"


class AnyTable(RuleBasedStateMachine):
    """A table with two sources, worked by people and devices who do anything at all."""

    def __init__(self) -> None:
        """Open a table in the middle of a shoe, its felt empty."""
        super().__init__()
        self.rig = Rig()
        self.bets = 0
        self.troubles = 0

    @initialize()
    def begin(self) -> None:
        """The table is open and its devices are there."""
        self.rig.in_play()

    def ask(self, command: c.Command) -> None:
        """Ask for something; a refusal must change nothing."""
        before = self.rig.table
        if self.rig.refused(command) is not None:
            assert self.rig.table is before

    @rule()
    def dealer_opens(self) -> None:
        """Open bets."""
        self.ask(c.OpenBets())

    @rule(
        stake=st.integers(1, 5000),
        bet=st.sampled_from(["player", "banker", "tie", "big", "lucky_six"]),
    )
    def somebody_bets(self, stake: int, bet: str) -> None:
        """Place a bet; now and then the wallet does not answer."""
        self.bets += 1
        batch = f"b{self.bets}"
        self.ask(c.PlaceBets(batch=batch, bets=(c.Bet(batch, f"p{self.bets % 5}", bet, stake),)))
        if self.bets % 7:
            refused = (batch,) if self.bets % 11 == 0 else ()
            self.rig.give(
                o.FundsAnswered(device="w", at_us=self.rig.at_us, batch=batch, refused=refused)
            )

    @rule()
    def dealer_closes(self) -> None:
        """Close bets early."""
        self.ask(c.CloseBets())

    @rule(seconds=st.sampled_from([0.1, 1.0, 4.0, 8.0, 15.0]))
    def time_passes(self, seconds: float) -> None:
        """The clock moves."""
        self.rig.wait(seconds)

    def due_zone(self) -> str:
        """Where a card is due; the Player's side if none is."""
        step = dealer_view(self.rig.setup, self.rig.table, self.rig.at_us).step
        return step.to if step.to in ("P", "B") else "P"

    @precondition(lambda self: not self.rig.table.held)
    @rule(codes=st.lists(CODES, min_size=1, max_size=4))
    def dealer_deals_rightly(self, codes: list[str]) -> None:
        """Due cards pass both sources in their places; before that, bets are closed."""
        if self.rig.table.phase is Phase.BETTING:
            self.ask(c.CloseBets())
        for code in codes:
            if self.rig.table.phase is Phase.DEALING and not self.rig.table.held:
                self.rig.deal(self.due_zone(), code)

    def felt_is_put_right(self) -> None:
        """Only accepted cards lie on the felt."""
        play = self.rig.table.play
        kept = {place.track for place in play.places} if play else set()
        for zone in ("P", "B"):
            cards = self.rig.felt[zone]
            self.rig.felt[zone] = [card for card in cards if (zone, card.track) in kept]
        self.rig.show()

    @rule(codes=st.lists(CODES, min_size=8, max_size=24), stake=st.integers(1, 5000))
    def the_table_goes_its_course(self, codes: list[str], stake: int) -> None:
        """The next right thing, again and again."""
        for code in codes:
            table = self.rig.table
            if table.held:
                self.supervisor_sorts_it_out(code)
            elif table.phase is Phase.IDLE:
                self.ask(c.OpenBets())
            elif table.phase is Phase.BETTING:
                self.somebody_bets(stake, "banker")
                self.ask(c.CloseBets())
            elif table.phase is Phase.DEALING:
                self.rig.deal(self.due_zone(), code)
            elif table.phase is Phase.RESULT:
                self.felt_is_cleared()
                self.rig.wait(8)
            else:
                self.ask(c.EnterCount(200))

    @precondition(lambda self: self.rig.table.held)
    @rule(code=CODES)
    def supervisor_sorts_it_out(self, code: str) -> None:
        """Devices come back, the felt is put right, each fault is answered, the hold lifted."""
        self.devices_return()
        self.felt_is_put_right()
        card = next(card for card in PACK if card.code == code)
        hold = self.rig.table.hold
        for fault in hold.faults if hold else ():
            if self.rig.table.hold is None:
                return
            for name in policy.row_of("house", fault, self.rig.table).repairs:
                if why_not(self.rig.setup, self.rig.table, fault, name) is None:
                    fields: dict[str, Any] = {"fault": fault.id, "reason": REASON}
                    fields |= {"card": card} if name == "KeyInCard" else {}
                    if name != "CorrectCard":
                        self.ask(getattr(c, name)(**fields))
                    break
        self.ask(c.LiftHold(fault="", reason=REASON))

    @rule(code=st.one_of(CODES, st.sampled_from(["??", "CUT"])))
    def shoe_reads(self, code: str) -> None:
        """A card leaves the shoe, whether one is due or not."""
        self.rig.read(code)

    @rule(zone=ZONES, code=st.one_of(CODES, st.sampled_from(["XX", "??"])), sure=st.booleans())
    def card_lies(self, zone: str, code: str, *, sure: bool) -> None:
        """A card comes to rest somewhere."""
        if len(self.rig.felt[zone]) < 5:
            self.rig.lay(zone, code, sure=sure)

    @rule()
    def felt_is_cleared(self) -> None:
        """Both hands are taken off the felt."""
        self.rig.take("P")
        self.rig.take("B")

    @rule()
    def dealer_confirms(self) -> None:
        """Collected."""
        self.ask(c.ConfirmStep())

    @rule()
    def dealer_calls(self) -> None:
        """Call a supervisor."""
        self.ask(c.CallSupervisor())

    @rule(what=st.sampled_from(["lost", "unfit", "gap", "jam"]))
    def device_fails(self, what: str) -> None:
        """A device is in trouble, now and then."""
        self.troubles += 1
        if self.troubles % 4:
            return
        at = self.rig.at_us
        match what:
            case "lost":
                self.rig.give(o.DeviceOffline(device="shoe", at_us=at, reason="unplugged"))
            case "unfit":
                self.rig.give(o.CameraUnfit(device="camera", at_us=at, why=o.Unfit.DARK))
            case "gap":
                self.rig.give(o.SequenceGap(device="shoe", at_us=at, boot="b0", first=3, last=4))
            case _:
                self.rig.give(
                    o.DeviceFault(device="shoe", at_us=at, code=o.DeviceFaultCode.JAM, text="")
                )

    @rule()
    def devices_return(self) -> None:
        """Everything is plugged in and sees again."""
        at = self.rig.at_us
        self.rig.give(o.DeviceFaultCleared(device="shoe", at_us=at, code=o.DeviceFaultCode.JAM))
        self.rig.give(
            o.DeviceOnline(device="shoe", at_us=at, model="S", firmware="1", serial="SN", boot="b0")
        )
        self.rig.give(o.CameraFit(device="camera", at_us=at))

    @precondition(lambda self: self.rig.table.hold is not None and self.rig.table.hold.faults)
    @rule(data=st.data(), code=CODES)
    def supervisor_repairs(self, data: st.DataObject, code: str) -> None:
        """Any repair at all, lawful or not."""
        names = [
            "CorrectCard",
            "KeyInCard",
            "AssignCard",
            "UseAsNextCard",
            "BurnCard",
            "MarkDead",
            "AcceptAsDealt",
            "RescanRound",
            "RestoreCollected",
            "ShuffleDiscards",
            "RetryDevice",
            "AcknowledgeFault",
        ]
        name = data.draw(st.sampled_from(names))
        fields: dict[str, Any] = {"fault": self.rig.fault(), "reason": REASON}
        if name in ("CorrectCard", "KeyInCard"):
            fields["card"] = next(card for card in PACK if card.code == code)
        if name == "CorrectCard":
            fields["index"] = data.draw(st.integers(0, 5))
        hold = self.rig.table.hold
        assert hold is not None
        lawful = why_not(self.rig.setup, self.rig.table, hold.faults[0], name) is None
        before = len(self.rig.events)
        self.ask(getattr(c, name)(**fields))
        assert lawful or len(self.rig.events) == before

    @rule(data=st.data(), code=CODES)
    def a_card_is_corrected(self, data: st.DataObject, code: str) -> None:
        """The dealer calls, and an accepted card was really another one."""
        dealt = self.rig.accepted()
        if not dealt:
            return
        self.ask(c.CallSupervisor())
        if self.rig.faults():
            index = data.draw(st.integers(0, len(dealt) - 1))
            card = next(card for card in PACK if card.code == code)
            fault = self.rig.fault()
            self.ask(c.CorrectCard(fault=fault, reason=REASON, index=index, card=card))

    @precondition(lambda self: self.rig.table.held)
    @rule()
    def supervisor_lifts(self) -> None:
        """Lift the hold, if it may be lifted."""
        self.ask(c.LiftHold(fault="", reason=REASON))

    @precondition(lambda self: self.rig.table.held and self.rig.table.round is not None)
    @rule()
    def supervisor_voids(self) -> None:
        """Void the round, if it may be voided."""
        current = self.rig.table.round
        assert current is not None
        self.ask(c.VoidRound(fault="", reason=REASON, round_id=current.id))

    @precondition(lambda self: self.rig.table.results)
    @rule(
        data=st.data(),
        cards=st.lists(st.sampled_from(PACK), min_size=6, max_size=6),
        void=st.sampled_from([False, False, True]),
    )
    def a_paid_coup_is_corrected(self, data: st.DataObject, cards: list[Card], void: bool) -> None:
        """Two people say how a coup of this shoe really ended, whatever goes on at the table."""
        ended = data.draw(st.sampled_from(self.rig.table.results))
        true = () if void else coup_of(self.rig.setup, cards)
        self.ask(c.CorrectResult(round_id=ended.id, cards=true, void=void, reason=REASON))

    def teardown(self) -> None:
        """Count what came about."""
        MET.update(type(event).__name__ for event, _ in self.rig.events)

    # the laws

    @invariant()
    def the_journal_alone_gives_the_same_table(self) -> None:
        """Law 5: replay."""
        again = reduce(lambda t, fact: evolve(t, *fact), self.rig.events, Table())
        assert again == self.rig.table

    @invariant()
    def money_adds_up(self) -> None:
        """Laws 2 and 4: a void returns exactly what was taken, once; a settled round adds up."""
        ends: Counter[str] = Counter()
        for event, _ in self.rig.events:
            if isinstance(event, e.RoundVoided):
                ends[event.round_id] += 1
                assert event.refunded == event.columns.total == event.packed.totals[0][1]
            if isinstance(event, e.RoundSettled):
                ends[event.round_id] += 1
                assert event.staked == sum(row.staked for row in event.rows)
                assert event.returned == sum(row.returned for row in event.rows)
        assert all(count == 1 for count in ends.values())
        current = self.rig.table.round
        if current is not None and current.state == "voided":
            assert current.refunded == ledger.accepted(current).total

    @invariant()
    def the_shoe_holds_no_card_too_many(self) -> None:
        """Law 3: dealt + burned + dead + remaining = loaded; no card above the packs."""
        shoe = self.rig.table.shoe
        if shoe is not None:
            assert shoe.cards.gone + shoe.cards.left == shoe.cards.size

    @invariant()
    def a_held_table_has_a_cause(self) -> None:
        """Law 10."""
        hold = self.rig.table.hold
        if hold is not None:
            assert hold.faults or hold.answered

    @invariant()
    def players_see_accepted_cards_only_and_none_of_a_held_table(self) -> None:
        """Law 6, and FACES.md 11."""
        view = to_json(overlay_view(self.rig.setup, self.rig.table))
        shown = [card["card"] for hand in view["hands"] for card in hand["cards"]]
        accepted = [code for _, code in self.rig.accepted()]
        assert sorted(shown) == (sorted(accepted) if not view["slate"] else [])

    @invariant()
    def every_audience_can_be_shown_the_table(self) -> None:
        """No state is without a view."""
        supervisor_view(self.rig.setup, self.rig.table, self.rig.at_us)

    @invariant()
    def a_result_is_what_the_accepted_cards_say(self) -> None:
        """Law 8: nothing outside the procedure changes a score."""
        current = self.rig.table.round
        if (
            current is not None
            and current.state == "settled"
            and self.rig.table.phase is Phase.RESULT
        ):
            cards = [code for _, code in self.rig.accepted()]
            assert all(f'"{code}"' in current.outcome for code in cards)


MET: Counter[str] = Counter()
"""How often each kind of event came about; a machine that never deals proves nothing."""


def run(examples: int, steps: int) -> None:
    """Run the machine so often, and see that everything came about in it."""
    MET.clear()
    run_state_machine_as_test(
        AnyTable,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    for kind in (
        e.CardDealt,
        e.RoundSettled,
        e.RoundVoided,
        e.CardCorrected,
        e.CardDead,
        e.HoldLifted,
        e.ResultCorrected,
    ):
        assert MET[kind.__name__] > 0, f"no {kind.__name__} in {sum(MET.values())} events"


def test_the_laws_hold_whatever_people_and_devices_do() -> None:
    """A first look at random courses."""
    run(40, 50)


@pytest.mark.soak
def test_the_laws_hold_over_very_many_courses() -> None:
    """The long form."""
    run(int(os.environ.get("CUTCARD_SOAK_EXAMPLES", "2000")), 120)
