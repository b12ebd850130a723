"""The ordinary course of a table: shoe, bets, cards, result, the next round."""

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.faults import FaultCode
from studio.table.state import Phase
from tests.support.rig import Rig

BANKER_WINS = (("P", "4C"), ("B", "9D"), ("P", "2H"), ("B", "TS"))


def burned() -> Rig:
    """A table that has just burned: a four shown, four face down."""
    rig = Rig().burning("4H")
    for code in ("9C", "KD", "2S", "7H"):
        rig.read(code)
        rig.lay("BURN", "XX")
    return rig


def test_a_new_shoe_is_shuffled_cut_loaded_burned_and_cleared() -> None:
    """D-32: the shown card's value is burned face down; then the burn is taken away."""
    rig = burned()
    assert rig.table.phase is Phase.SHOE
    rig.take("BURN")
    assert rig.table.phase is Phase.IDLE
    assert rig.table.shoe is not None
    assert rig.table.shoe.open
    assert rig.table.shoe.cards.left == 416 - 5


def test_a_burned_card_is_sealed_in_every_event() -> None:
    """The identities of the burn are kept sealed, and no open field carries them."""
    rig = burned()
    for event, _ in rig.events:
        if isinstance(event, e.CardDealt | e.ShoeRead) and event.sealed is not None:
            assert event.card is None
    sealed = [event for event, _ in rig.events if isinstance(event, e.CardDealt) and event.sealed]
    assert len(sealed) == 4


def test_a_card_is_accepted_only_when_shoe_and_camera_agree() -> None:
    """One source alone is not a card."""
    rig = Rig().in_play().dealing()
    rig.read("4C")
    assert rig.accepted() == []
    rig.lay("P", "4C")
    assert rig.accepted() == [("P", "4C")]


def test_the_camera_may_speak_before_the_shoe() -> None:
    """The order of the two sources does not matter."""
    rig = Rig().in_play().dealing()
    rig.lay("P", "4C")
    assert rig.accepted() == []
    rig.read("4C")
    assert rig.accepted() == [("P", "4C")]


def test_reads_queue_until_the_camera_pairs_them_by_order_and_zone() -> None:
    """A fast dealer draws two cards before either is seen."""
    rig = Rig().in_play().dealing()
    rig.read("4C")
    rig.read("9D")
    rig.lay("P", "4C")
    rig.lay("B", "9D")
    assert rig.accepted() == [("P", "4C"), ("B", "9D")]


def test_a_coup_is_paid_in_one_commit_with_its_end() -> None:
    """The last card brings result and money together."""
    rig = Rig().in_play().dealing(banker=1000, player=500)
    for zone, code in BANKER_WINS:
        new = rig.deal(zone, code)
    assert [type(event) for event in new][-2:] == [e.RoundFinished, e.RoundSettled]
    assert rig.table.round is not None
    assert (rig.table.round.staked, rig.table.round.returned) == (1500, 1950)
    assert rig.table.phase is Phase.RESULT


def test_the_next_round_opens_when_the_felt_is_clear_and_the_result_was_shown() -> None:
    """Neither alone is enough."""
    rig = Rig().in_play().dealing()
    for zone, code in BANKER_WINS:
        rig.deal(zone, code)
    rig.wait(8)
    assert rig.table.phase is Phase.RESULT
    rig.take("P")
    rig.take("B")
    assert rig.table.phase is Phase.BETTING
    assert rig.table.round is not None
    assert rig.table.round.number == 2


def test_a_table_with_a_shoe_alone_deals_by_reads() -> None:
    """`sources = ["shoe"]`: the reader's word is enough; the dealer says what is collected."""
    rig = Rig(sources=("shoe",)).in_play().dealing(player=100)
    for zone, code in BANKER_WINS:
        rig.deal(zone, code)
    assert rig.table.phase is Phase.RESULT
    rig.give(c.ConfirmStep())
    rig.wait(8)
    assert rig.table.phase is Phase.BETTING


def test_a_table_with_a_camera_alone_deals_by_sight() -> None:
    """`sources = ["camera"]`: a sure face in the due zone is the card."""
    rig = Rig(sources=("camera",)).in_play().dealing(player=100)
    for zone, code in BANKER_WINS:
        rig.deal(zone, code)
    assert rig.table.round is not None
    assert rig.table.round.code == "banker"


def test_identical_neighbours_are_two_cards() -> None:
    """V7: a card is never dropped because it equals the one before."""
    rig = Rig().in_play().dealing()
    for zone in ("P", "B", "P", "B"):
        rig.deal(zone, "4C")
    assert rig.accepted() == [("P", "4C"), ("B", "4C"), ("P", "4C"), ("B", "4C")]
    assert not rig.table.held


def test_the_cut_card_in_a_coup_leaves_one_more_round() -> None:
    """D-33: finish this coup and play one more."""
    rig = Rig().in_play().dealing()
    rig.deal("P", "4C")
    rig.read("CUT")
    assert rig.table.shoe is not None
    assert rig.table.shoe.rounds_left == 1


def test_the_cut_card_instead_of_the_first_card_makes_this_the_last_round() -> None:
    """D-33: no card of the coup was dealt, so it is the last; then the shoe is counted."""
    rig = Rig().in_play().dealing()
    rig.read("CUT")
    for zone, code in BANKER_WINS:
        rig.deal(zone, code)
    rig.take("P")
    rig.take("B")
    rig.wait(8)
    assert rig.table.phase is Phase.SHOE
    rig.give(c.EnterCount(406))
    ended = rig.events[-1][0]
    assert isinstance(ended, e.ShoeEnded)
    assert ended.balance == "unverified"


def test_a_count_that_does_not_balance_holds_the_table() -> None:
    """The closing count compares what is gone and what remains with what was loaded."""
    rig = Rig().in_play()
    rig.give(c.EndShoe(reason="reason.other"))
    rig.give(c.EnterCount(409))
    assert rig.faults() == [FaultCode.COUNT_MISMATCH]


def test_a_bet_after_the_deadline_is_refused_and_the_refusal_is_kept() -> None:
    """R2: the server's clock alone counts."""
    rig = Rig().in_play().betting()
    rig.at_us += 15_000_000
    new = rig.bet("late", player=100)
    refused = [event for event in new if isinstance(event, e.BetsRefused)]
    assert [reason for _, reason in refused[0].refused] == ["refused.bets_closed"]


def test_a_batch_that_the_wallet_has_not_answered_is_refused_at_the_close() -> None:
    """A bet is pending until answered; no answer means no."""
    rig = Rig().in_play().betting()
    rig.give(c.PlaceBets(batch="b", bets=(c.Bet("x", "ann", "player", 100),)))
    rig.wait(15)
    assert rig.table.round is not None
    assert rig.table.round.batches == ()
    assert any(isinstance(event, e.BetsRefused) for event, _ in rig.events)


def test_limits_and_doubles_are_refused_entry_by_entry() -> None:
    """One bad entry never refuses the batch."""
    rig = Rig().in_play().betting()
    bets = (
        c.Bet("a", "ann", "player", 100),
        c.Bet("a", "ann", "tie", 100),
        c.Bet("b", "bob", "player", 0),
        c.Bet("c", "cid", "nonsense", 5),
    )
    new = rig.give(c.PlaceBets(batch="mix", bets=bets))
    refused = next(event for event in new if isinstance(event, e.BetsRefused))
    assert dict(refused.refused) == {
        "a": "refused.bet_known",
        "b": "refused.limits",
        "c": "refused.not_offered",
    }
    placed = next(event for event in new if isinstance(event, e.BetsPlaced))
    assert placed.packed.count == 1


def test_a_cut_card_that_should_be_out_by_now_is_noted_and_stops_nothing() -> None:
    """More cards are gone than can lie before it: 17 of 416 when 399 lie behind it."""
    rig = Rig(sources=("shoe",), rules={"cut_card_from_end": 399}).in_play()
    rig.betting()
    for _ in range(3):
        assert [note.code for note in rig.table.notes] == []
        rig.give(c.CloseBets())
        for zone, code in BANKER_WINS:
            rig.deal(zone, code)
        rig.give(c.ConfirmStep())
        rig.wait(8)
    assert [note.code for note in rig.table.notes] == [FaultCode.CUT_CARD_MISSING]
    assert not rig.table.held
