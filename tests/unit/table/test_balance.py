"""The closing balance of a shoe, and what keeps it in doubt (C9, DESIGN.md 4)."""

import json

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.table.casework import supervisor_view
from studio.table.state import Phase
from studio.table.views import Message, to_json
from tests.support.rig import Rig

REASON = "reason.other"
SHOE = ("shoe",)
NATURAL = (("P", "9H"), ("B", "2C"), ("P", "KH"), ("B", "KD"))


def burned(sources: tuple[str, ...] = SHOE) -> Rig:
    """A shoe that was shuffled, cut, loaded and burned: the shown card and two more."""
    rig = Rig(sources=sources).burning("2H")
    for code in ("5C", "6C"):
        if "shoe" in sources:
            rig.read(code)
        if "camera" in sources:
            rig.lay("BURN", "XX")
    if "camera" in sources:
        rig.take("BURN")
    else:
        rig.give(c.ConfirmStep())
    assert rig.table.phase is Phase.IDLE
    return rig


def coup(rig: Rig) -> str:
    """Play a coup to its end; its id."""
    rig.dealing(player=100)
    for zone, code in NATURAL:
        rig.deal(zone, code)
    assert rig.table.round is not None
    round_id = rig.table.round.id
    rig.give(c.EndShoe(reason=REASON))
    rig.take("P")
    rig.take("B")
    if "camera" not in rig.sources:
        rig.give(c.ConfirmStep())
    rig.wait(8)
    return round_id


def close(rig: Rig, remainder: int) -> e.ShoeEnded:
    """Count the rest of the shoe."""
    new = rig.give(c.EnterCount(remainder))
    return next(event for event in new if isinstance(event, e.ShoeEnded))


def test_a_shoe_of_which_every_card_was_seen_balances_and_clears_the_list() -> None:
    rig = burned()
    coup(rig)
    ended = close(rig, 416 - 3 - 4)
    assert (ended.balance, ended.unknown, ended.since) == ("balanced", 0, ())
    assert rig.table.uncounted == ()
    assert not rig.table.held


def test_cards_that_nobody_saw_leave_the_count_unverified_and_its_rounds_listed() -> None:
    """A camera alone sees the backs of the burn."""
    rig = burned(("camera",))
    round_id = coup(rig)
    ended = close(rig, 416 - 3 - 4)
    assert (ended.balance, ended.unknown, ended.since) == ("unverified", 2, (round_id,))
    assert not rig.table.held
    assert rig.table.uncounted == (round_id,)


def test_the_rounds_stay_listed_over_the_gaming_day_until_a_count_balances() -> None:
    rig = burned(("camera",))
    first = coup(rig)
    close(rig, 416 - 3 - 4)
    rig.give(c.BeginDay(day="2027-01-16", previous="2027-01-15"))
    assert rig.table.uncounted == (first,)


def test_a_wrong_total_holds_the_table_and_shows_the_rounds() -> None:
    rig = burned()
    round_id = coup(rig)
    ended = close(rig, 416 - 3 - 4 - 5)
    assert (ended.balance, ended.since) == ("mismatch", (round_id,))
    view = supervisor_view(rig.setup, rig.table, rig.at_us)
    assert view.uncounted == (round_id,)
    assert view.cases[0].review == (Message("review.uncounted", (("count", 1),)),)
    assert "-5 cards" in view.cases[0].text
    assert rig.refused(c.StartShoe()) == "refused.table_held"
    assert rig.refused(c.AcknowledgeFault(fault=rig.fault(), reason=REASON)) is None
    rig.lift()
    assert rig.refused(c.StartShoe()) is None


def test_a_card_too_many_among_the_burned_is_named_once_the_shoe_is_closed() -> None:
    """A swap that no total shows: nine kings of spades, and some card is missing."""
    rig = burned()
    coup(rig)
    for _ in range(9):
        rig.record(e.CardDead(fate="dead", card=Card.parse("KS")))
    ended = close(rig, 416 - 3 - 4 - 9)
    assert (ended.balance, ended.off) == ("mismatch", ((Card.parse("KS"), 1),))
    assert rig.faults() == [FaultCode.COUNT_MISMATCH]


def test_an_over_count_lists_where_the_card_was_before_and_names_no_hidden_one() -> None:
    """V5: eight of them are gone, one in this shoe's first coup, seven unseen."""
    rig = burned()
    rig.dealing(player=100)
    for zone, code in NATURAL:
        rig.deal(zone, code)
    rig.give(c.ConfirmStep())
    rig.wait(8)
    for _ in range(7):
        rig.record(e.CardDead(fate="dead", card=Card.parse("9H")))
    rig.wait(15)
    rig.deal("P", "9H")
    assert rig.faults() == [FaultCode.IMPOSSIBLE_CARD]
    (case,) = supervisor_view(rig.setup, rig.table, rig.at_us).cases
    assert case.review == (
        Message("review.round", (("round", 1), ("card", "9H"), ("n", 1), ("zone", "P"))),
        Message("review.others", (("count", 7),)),
    )
    assert [option.command for option in case.options][-1] == "EndShoe"


def test_an_over_count_in_the_burn_names_no_card() -> None:
    rig = Rig(sources=SHOE).burning("2H")
    for _ in range(8):
        rig.record(e.CardDead(fate="dead", card=Card.parse("KS")))
    rig.read("KS")
    assert rig.faults() == [FaultCode.IMPOSSIBLE_CARD]
    page = json.dumps(to_json(supervisor_view(rig.setup, rig.table, rig.at_us)))
    assert "KS" not in page


def test_an_over_count_of_a_dead_card_is_told_at_once_and_names_none_that_is_sealed() -> None:
    """V5, R-50: a ninth nine of hearts fell out and nobody saw it."""
    rig = Rig(sources=SHOE).in_play()
    for _ in range(8):
        rig.record(e.CardDead(fate="dead", card=Card.parse("9H")))
    rig.read("9H")
    assert rig.refused(c.MarkDead(fault=rig.fault(), reason=REASON)) is None
    assert rig.faults() == [FaultCode.IMPOSSIBLE_CARD]
    (case,) = supervisor_view(rig.setup, rig.table, rig.at_us).cases
    assert "9H" not in json.dumps(to_json(case))
    assert [option.command for option in case.options if option.enabled] == [
        "AcknowledgeFault",
        "EndShoe",
    ]
    assert rig.refused(c.AcknowledgeFault(fault=rig.fault(), reason=REASON)) is None
    rig.lift()
    assert not rig.table.held


def test_a_void_for_a_card_too_many_does_not_tell_of_it_twice() -> None:
    rig = Rig().in_play().dealing(player=100)
    for _ in range(8):
        rig.record(e.CardDead(fate="dead", card=Card.parse("9H")))
    rig.deal("P", "9H")
    assert rig.faults() == [FaultCode.IMPOSSIBLE_CARD]
    assert rig.table.round is not None
    void = c.VoidRound(fault=rig.fault(), reason=REASON, round_id=rig.table.round.id)
    assert rig.refused(void) is None
    assert rig.table.state == "void"


def test_a_void_that_finds_a_card_too_many_leaves_the_table_held() -> None:
    rig = Rig(sources=("camera",)).in_play().dealing(player=100)
    for _ in range(8):
        rig.record(e.CardDead(fate="dead", card=Card.parse("9H")))
    rig.lay("B", "9H")
    assert rig.table.round is not None
    void = c.VoidRound(fault=rig.fault(), reason=REASON, round_id=rig.table.round.id)
    assert rig.refused(void) is None
    assert rig.table.round.state == "voided"
    assert rig.faults() == [FaultCode.IMPOSSIBLE_CARD]
    (case,) = supervisor_view(rig.setup, rig.table, rig.at_us).cases
    assert case.review[-1] == Message("review.others", (("count", 9),))
