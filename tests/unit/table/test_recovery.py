"""After a stop: what the journal believes is compared with the felt (architecture.md 2.10)."""

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.table.advance import next_deadline
from studio.table.casework import supervisor_view
from studio.table.rescan import differences
from studio.table.state import Phase
from studio.table.views import FeltView, Message
from tests.support.rig import SECOND, Rig

REASON = "reason.camera_proves"
SHOE = ("shoe",)
FOUR = (("P", "4C"), ("B", "9D"), ("P", "2H"), ("B", "TS"))


def stopped(cards: int, sources: tuple[str, ...] = ("shoe", "camera")) -> Rig:
    """A coup with so many cards, then a stop."""
    rig = Rig(sources=sources).in_play().dealing(player=1000)
    for zone, code in FOUR[:cards]:
        rig.deal(zone, code)
    rig.restart()
    return rig


def felt(**zones: str) -> tuple[c.FeltZone, ...]:
    """What a person says lies there, as ``P="4C 2H"``; ``XX`` for a back."""
    return tuple(
        c.FeltZone(
            zone=zone,
            cards=tuple(None if code == "XX" else Card.parse(code) for code in codes.split()),
        )
        for zone, codes in zones.items()
    )


def enter(rig: Rig, **zones: str) -> str | None:
    """The supervisor enters what lies there; the refusal."""
    return rig.refused(c.RescanRound(fault=rig.fault(), reason=REASON, felt=felt(**zones)))


def case_felt(rig: Rig) -> FeltView | None:
    """What the console shows of the felt in the first case."""
    return supervisor_view(rig.setup, rig.table, rig.at_us).cases[0].felt


def told(rig: Rig, **zones: str) -> list[tuple[str, dict[str, str | int]]]:
    """The differences of an entry, as (code, params)."""
    lines = differences(rig.setup, rig.table, felt(**zones))
    return [(line.code, dict(line.params)) for line in lines]


def test_the_console_shows_what_the_journal_believes_and_what_the_camera_sees() -> None:
    rig = stopped(3)
    rig.take("P")
    rig.lay("P", "4C", sure=False)
    shown = case_felt(rig)
    assert shown is not None
    assert shown.zones == (("P", ("4C", "2H")), ("B", ("9D",)))
    assert shown.seen == (("P", ("??",)), ("B", ("9D",)))


def test_an_entry_that_agrees_with_the_journal_answers_and_the_coup_goes_on() -> None:
    rig = stopped(2, SHOE)
    assert enter(rig, P="4C", B="9D") is None
    rig.lift()
    for zone, code in FOUR[2:]:
        rig.deal(zone, code)
    assert rig.table.round is not None
    assert (rig.table.round.state, rig.table.round.code) == ("settled", "banker")


def test_another_identity_becomes_a_correction_by_two_people() -> None:
    """It is a corrected card by another name: one person alone only asks."""
    rig = stopped(2, SHOE)
    command = c.RescanRound(fault=rig.fault(), reason=REASON, felt=felt(P="5C", B="9D"))
    asked = rig.give(command, second=False)
    assert [type(event) for event in asked] == [e.ApprovalAsked]
    assert rig.accepted() == [("P", "4C"), ("B", "9D")]
    view = supervisor_view(rig.setup, rig.table, rig.at_us).approval
    assert view is not None
    assert view.changes == (
        Message("felt.other", (("zone", "P"), ("place", 1), ("old", "4C"), ("now", "5C"))),
    )
    rig.give(c.Approve(approval=rig.table.approval.id if rig.table.approval else ""), SECOND)
    rig.lift()
    assert rig.accepted() == [("P", "5C"), ("B", "9D")]


def test_a_further_card_in_the_due_place_counts_on_the_persons_word() -> None:
    rig = stopped(3, SHOE)
    assert enter(rig, P="4C 2H", B="9D TS") is None
    rig.lift()
    assert rig.table.round is not None
    assert (rig.table.round.state, rig.table.round.code) == ("settled", "banker")
    last = [event for event, _ in rig.events if isinstance(event, e.CardDealt)][-1]
    assert last.sources == ("person",)


def test_two_further_cards_count_in_the_order_of_dealing() -> None:
    rig = stopped(2, SHOE)
    assert enter(rig, P="4C 2H", B="9D TS") is None
    rig.lift()
    assert rig.accepted() == list(FOUR)


def test_a_further_card_uses_up_the_report_that_the_shoe_had_sent() -> None:
    """The shoe had read it before the stop, and it is one card."""
    rig = Rig().in_play().dealing(player=1000)
    rig.deal("P", "4C")
    rig.read("9D")
    rig.restart()
    rig.lay("B", "9D")
    assert rig.table.shoe is not None
    before = rig.table.shoe.cards.gone
    assert enter(rig, P="4C", B="9D") is None
    rig.lift()
    assert rig.accepted() == list(FOUR[:2])
    assert rig.table.sensing.reads == ()
    assert rig.table.shoe.cards.gone == before + 1


@pytest.mark.parametrize(
    ("zones", "refusal"),
    [
        ({"P": "4C", "B": "9D"}, "refused.felt_missing"),
        ({"P": "4C XX", "B": "9D"}, "refused.felt_turned"),
        ({"P": "4C 2H 7S", "B": "9D"}, "refused.felt_unexplained"),
        ({"P": "4C 2H", "B": "9D TS", "BURN": "7S"}, "refused.felt_unexplained"),
    ],
)
def test_what_nothing_explains_is_refused_and_the_void_is_offered(
    zones: dict[str, str], refusal: str
) -> None:
    rig = stopped(3, SHOE)
    assert enter(rig, **zones) == refusal
    assert rig.faults() == [FaultCode.RECOVERED]
    options = supervisor_view(rig.setup, rig.table, rig.at_us).cases[0].options
    assert next(o.enabled for o in options if o.command == "VoidRound")


def test_the_differences_are_told_before_anything_is_pressed() -> None:
    rig = stopped(3, SHOE)
    assert told(rig, P="4C 2H", B="9D") == [("felt.same", {})]
    assert told(rig, P="4C 3H", B="9D") == [
        ("felt.other", {"zone": "P", "place": 2, "old": "2H", "now": "3H"})
    ]
    assert told(rig, P="4C", B="9D TS") == [
        ("felt.gone", {"zone": "P", "place": 2, "old": "2H"}),
        ("felt.added", {"zone": "B", "place": 2, "now": "TS"}),
    ]
    assert rig.faults() == [FaultCode.RECOVERED]


def test_a_persons_entry_stands_over_a_card_that_the_camera_reads_otherwise() -> None:
    rig = stopped(2)
    rig.take("P")
    rig.lay("P", "4S")
    assert rig.refused(c.RescanRound(fault=rig.fault(), reason=REASON)) == "refused.felt_differs"
    assert enter(rig, P="4C", B="9D") is None
    rig.lift()
    assert not rig.table.held


def test_as_it_lies_is_refused_where_the_camera_is_sure_of_another_card() -> None:
    rig = stopped(2)
    rig.take("P")
    rig.lay("P", "7S")
    accept = c.AcceptAsDealt(fault=rig.fault(), reason=REASON)
    assert rig.refused(accept) == "refused.felt_differs"
    rig.take("P")
    rig.lay("P", "4C", sure=False)
    assert rig.refused(accept) is None
    rig.lift()
    assert not rig.table.held


def test_between_rounds_the_shoe_is_confirmed_with_one_press() -> None:
    rig = Rig().in_play()
    rig.restart()
    assert case_felt(rig) is None
    assert rig.refused(c.AcknowledgeFault(fault=rig.fault(), reason=REASON)) is None
    rig.lift()
    assert rig.table.phase is Phase.IDLE


def test_the_window_that_the_stop_cut_short_reopens_with_a_least_time() -> None:
    rig = Rig().in_play().betting(player=1000)
    rig.at_us += 14_000_000
    rig.restart()
    assert rig.refused(c.RescanRound(fault=rig.fault(), reason=REASON)) is None
    rig.at_us += 60_000_000
    rig.lift()
    assert rig.table.window is not None
    assert rig.table.window.deadline_us == rig.at_us + 4_000_000


def test_every_repair_needs_a_reason_of_the_list() -> None:
    rig = stopped(2, SHOE)
    for reason in ("", "because"):
        accept = c.AcceptAsDealt(fault=rig.fault(), reason=reason)
        assert rig.refused(accept) == "refused.reason_missing"


def test_the_cases_option_says_what_would_follow() -> None:
    rig = stopped(3)
    first = supervisor_view(rig.setup, rig.table, rig.at_us).cases[0].options[0]
    assert (first.command, first.first, first.enabled) == ("RescanRound", True, True)
    assert first.then == (Message("then.deal", (("zone", "B"), ("n", 4))),)


def test_cards_of_a_paid_coup_that_lie_there_after_a_stop_are_counted_once() -> None:
    """Also one that the camera cannot read at the moment."""
    rig = Rig().in_play().dealing(player=1000)
    for zone, code in FOUR:
        rig.deal(zone, code)
    assert rig.table.shoe is not None
    before = rig.table.shoe.cards.gone
    rig.restart()
    rig.take("P")
    rig.lay("P", "4C", sure=False)
    rig.lay("P", "2H")
    assert rig.refused(c.AcknowledgeFault(fault=rig.fault(), reason=REASON)) is None
    rig.lift()
    rig.wait(6)
    assert not rig.table.held
    assert rig.table.shoe.cards.gone == before


def test_looking_again_is_enough_where_the_cards_of_a_paid_coup_were_collected() -> None:
    """Nothing could be entered then, and there is no coup to void."""
    rig = Rig().in_play().dealing(player=1000)
    for zone, code in FOUR:
        rig.deal(zone, code)
    for zone in ("P", "B"):
        rig.take(zone)
    rig.wait(1)
    rig.restart()
    assert rig.table.phase is Phase.RESULT
    assert rig.refused(c.RescanRound(fault=rig.fault(), reason=REASON)) is None
    rig.lift()
    assert not rig.table.held


def test_a_shoe_that_is_being_made_may_be_given_up_whatever_stopped_it() -> None:
    rig = Rig().burning("4H")
    rig.restart()
    options = supervisor_view(rig.setup, rig.table, rig.at_us).cases[0].options
    assert [(o.command, o.enabled) for o in options][-1] == ("EndShoe", True)
    assert rig.refused(c.EndShoe(reason=REASON, fault=rig.fault())) is None
    assert rig.faults() == []
    rig.lift()
    assert rig.refused(c.EnterCount(415)) is None
    assert rig.table.phase is Phase.IDLE


def stopped_before_the_camera_looks() -> Rig:
    """Two cards, a stop, and an entry before the camera's first word."""
    rig = Rig().in_play().dealing(player=1000)
    for zone, code in FOUR[:2]:
        rig.deal(zone, code)
    lying = {zone: list(cards) for zone, cards in rig.felt.items()}
    rig.restart(looks=False)
    rig.felt = lying
    assert enter(rig, P="4C", B="9D") is None
    return rig


def lift_shown(rig: Rig) -> tuple[bool, str]:
    """Whether the console lets the hold be lifted, and why not."""
    shown = supervisor_view(rig.setup, rig.table, rig.at_us).lift
    return shown.enabled, shown.reason


def test_the_console_says_why_the_hold_cannot_be_lifted_before_the_devices_are_back() -> None:
    rig = Rig().in_play().dealing(player=1000)
    rig.deal("P", "4C")
    rig.restart(online=False)
    assert lift_shown(rig) == (False, "refused.fault_unanswered")
    assert enter(rig, P="4C") is None
    assert lift_shown(rig) == (False, "refused.device_not_ready")
    assert rig.refused(c.LiftHold(fault="", reason=REASON)) == "refused.device_not_ready"
    rig.online()
    assert lift_shown(rig) == (True, "")


def test_a_hold_is_lifted_only_after_the_camera_has_looked_for_what_lay_there() -> None:
    rig = stopped_before_the_camera_looks()
    assert lift_shown(rig) == (False, "refused.no_picture")
    assert rig.refused(c.LiftHold(fault="", reason=REASON)) == "refused.no_picture"
    rig.show()
    assert lift_shown(rig) == (True, "")
    rig.lift()
    for zone, code in FOUR[2:]:
        rig.deal(zone, code)
    assert rig.table.round is not None
    assert rig.table.round.state == "settled"


@pytest.mark.parametrize("zone", ["P", "B"])
def test_cards_that_the_camera_sees_a_moment_after_the_hold_are_not_gone(zone: str) -> None:
    """A hand lies over them, or the first picture is not steady; nothing new is judged by then."""
    rig = stopped_before_the_camera_looks()
    rig.show(unsettled=(zone,))
    rig.lift()
    assert rig.faults() == []
    assert next_deadline(rig.setup, rig.table, rig.at_us) is not None
    rig.wait(8)
    assert rig.faults() == []
    rig.show()
    rig.wait(12)
    assert rig.faults() == []
    for to, code in FOUR[2:]:
        rig.deal(to, code)
    assert rig.table.round is not None
    assert rig.table.round.state == "settled"


def test_cards_that_the_camera_does_not_find_in_its_time_hold_the_table_again() -> None:
    rig = stopped_before_the_camera_looks()
    rig.felt["B"] = []
    rig.show()
    rig.lift()
    assert rig.faults() == []
    deadline = next_deadline(rig.setup, rig.table, rig.at_us)
    assert deadline == rig.at_us + rig.setup.times.evidence
    rig.wait(5)
    assert rig.faults() == [FaultCode.CARD_VANISHED]


def test_a_void_ends_the_hold_though_the_camera_has_not_looked_yet() -> None:
    rig = stopped_before_the_camera_looks()
    assert rig.table.round is not None
    rig.give(c.VoidRound(fault="", reason=REASON, round_id=rig.table.round.id))
    assert not rig.table.held
    rig.give(c.CallSupervisor())
    rig.give(c.AcknowledgeFault(fault=rig.fault(), reason=REASON))
    assert lift_shown(rig) == (True, "")
