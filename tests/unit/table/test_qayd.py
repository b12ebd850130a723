"""A claimed fault of the play (qayd): the play stands still, and a verdict writes the round."""

import json
from dataclasses import replace
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.faults import FaultCode
from studio.games.procedure import Move, Reveal
from studio.table.approvals import approval_view
from studio.table.casework import supervisor_view
from studio.table.evolve import evolve
from studio.table.laws import LawBroken, check_laws
from studio.table.options import options
from studio.table.show import dealer_view, overlay_view
from studio.table.state import Phase
from studio.table.views import to_json
from tests.support.baloot_rig import DEALER, PASSED, SUN, BalootRig
from tests.support.baloot_round import deck_of
from tests.support.rig import FIRST, SECOND
from tests.support.row_play import REASON, answer, row

SHOE = ("shoe",)
CAMERA = ("camera",)
SEAT_1 = c.Asker(number="1", name="Seat 2", role="seat", session="t1")
STAKES = {"round_0": 1000, "round_1": 600, "kaboot_yes": 100}
STEPS = ("take_face", "last_packets", "raise", "projects", "play", "turn_card", "take_trick")
"""Steps from the contract to the last trick."""


def claimed(step: str = "play", sources: tuple[str, ...] = SHOE, **kinds: Any) -> BalootRig:
    """Seat 1 claims a fault while this step is due."""
    rig = BalootRig(sources=sources, **kinds).opened(**STAKES).until(step)
    assert rig.refused(c.ClaimQayd(seat=1, note="seat 0 did not follow"), SEAT_1) is None
    return rig


def decided(rig: BalootRig, against: int | None) -> None:
    """Two people decide, and the hold is lifted."""
    assert answer(rig, c.DecideQayd, against=against) is None
    rig.lift()
    assert rig.faults() == []


def outcome(rig: BalootRig) -> dict[str, Any]:
    """The result of the last round."""
    assert rig.table.round is not None
    return dict(json.loads(rig.table.round.outcome))


@pytest.mark.parametrize("step", STEPS)
def test_bl10_a_claim_freezes_the_play_and_goes_on_where_neither_side_is_at_fault(
    step: str,
) -> None:
    rig = claimed(step)
    assert rig.faults() == [FaultCode.QAYD]
    assert (row(rig).row, row(rig).repairs) == ("BL10", ("DecideQayd",))
    before = rig.due
    decided(rig, None)
    assert rig.due == before
    plain = BalootRig(sources=SHOE).opened(**STAKES).until("")
    rig.until("")
    assert (rig.paid(), rig.table.carried) == (plain.paid(), plain.table.carried)
    answers = [event.repair for event, _ in rig.events if isinstance(event, e.FaultAnswered)]
    assert answers == ["DismissQayd"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("against", [0, 1])
def test_a_verdict_writes_the_round_for_the_other_side_and_turns_all_racks(
    step: str, against: int
) -> None:
    rig = claimed(step)
    decided(rig, against)
    assert isinstance(rig.due, Reveal)
    rig.until("")
    assert rig.table.round is not None
    assert (rig.table.round.state, rig.table.round.code) == ("settled", "qayd")
    told = outcome(rig)
    assert (told["against"], told["score"]["winner"]) == (against, 1 - against)
    final = told["score"]["final"]
    assert (final[against], final[1 - against] >= 16) == (0, True)
    assert rig.table.carried[:2] == tuple(final)
    won, lost = f"round:{1 - against}", f"round:{against}"
    stakes = {"round:0": 1000, "round:1": 600}
    assert rig.paid() == {
        won: stakes[won] * 195 // 100,
        lost: 0,
        "kaboot:yes": 0,
    }
    rig.collected()
    assert (rig.faults(), rig.table.phase) == ([], Phase.IDLE)


def revoked() -> BalootRig:
    """Seat 1 holds hokum, throws a club on it, and shows a hokum later: a camera alone sees both.

    To the first trick seat 0 leads the seven of hokum.
    """
    rig = BalootRig(sources=CAMERA).opened(**STAKES).until("play", seat=1)
    assert rig.board().tricks[0].cards == ((0, "7S"),)
    places = range(1, 9)
    rig.choose(next(str(place) for place in places if rig.card_of(1, place) == "7C"))
    while not rig.table.held:
        rig.step()
    return rig


@pytest.mark.parametrize("against", [0, 1])
def test_bl9_a_revoke_is_proven_by_a_later_card_and_judged(against: int) -> None:
    rig = revoked()
    assert rig.faults() == [FaultCode.REVOKE]
    assert (row(rig).row, row(rig).repairs) == ("BL9", ("DecideQayd", "AcknowledgeFault"))
    assert rig.table.hold is not None
    assert rig.table.hold.faults[0].text.startswith("revoke seat=1 trick=1")
    decided(rig, against)
    rig.until("")
    assert outcome(rig)["against"] == against


def test_bl9_a_revoke_may_stand_and_is_not_told_again() -> None:
    rig = revoked()
    assert answer(rig, c.AcknowledgeFault) is None
    rig.lift()
    rig.until("")
    assert rig.table.round is not None
    assert rig.table.round.code in {"made", "failed", "kaboot"}


def revoked_by_clock() -> BalootRig:
    """Seat 1 is silent and its leftmost card does not follow the seven of hokum, which it has.

    Nobody knows its rack, so the clock takes the leftmost card; a hokum shows later.
    """
    rig = BalootRig(sources=CAMERA).opened(**STAKES).until("play", seat=1)
    rig.wait(60)
    assert isinstance(rig.due, Move)
    assert rig.racks[rig.due.index] == "AH"
    while not rig.table.held:
        rig.step()
    return rig


def test_bl9_a_card_that_the_clock_chose_is_no_seats_fault() -> None:
    """RULES.md 4: whoever is silent has said nothing; there is no verdict, the play goes on."""
    rig = revoked_by_clock()
    assert rig.faults() == [FaultCode.REVOKE]
    assert (row(rig).row, row(rig).repairs) == ("BL9", ("AcknowledgeFault",))
    case = supervisor_view(rig.setup, rig.table, rig.at_us).cases[0]
    assert (case.what.code, dict(case.what.params)["seat"]) == ("case.clock_revoked", 2)
    assert answer(rig, c.DecideQayd, against=1) == "refused.clock_chose"
    assert answer(rig, c.AcknowledgeFault) is None
    rig.lift()
    rig.until("")
    assert rig.table.round is not None
    assert rig.table.round.code in {"made", "failed", "kaboot"}


def test_bl9_a_seat_that_revokes_after_the_clock_played_for_it_is_at_fault_for_its_own_card() -> (
    None
):
    """What the clock chose before does not excuse what the seat chooses."""
    rig = BalootRig(sources=CAMERA).opened(**STAKES).until("play", seat=0)
    rig.wait(60)
    rig.until("play", seat=1)
    assert rig.table.round is not None
    assert len(rig.table.round.by_clock) == 1
    trump = rig.setup.game.board(rig.setup.rules, rig.table.play.inputs, {}).trump  # type: ignore[union-attr]
    led = rig.board().tricks[0].cards[0][1][1]
    rack = {str(place): rig.card_of(1, place) for place in range(1, 9)}
    follows = [place for place, code in rack.items() if code[1] == led]
    assert follows, (led, rack)
    rig.choose(next(at for at, code in rack.items() if code[1] not in (led, trump)))
    while not rig.table.held:
        rig.step()
    assert row(rig).repairs == ("DecideQayd", "AcknowledgeFault")


def test_bl9_what_the_clock_chose_does_not_hide_a_revoke_that_the_same_card_proves() -> None:
    """Seat 1 is silent on the first club and throws a diamond on the second; the third it takes."""
    first = {0: "AC KC QC 8C 9C", 1: "7D TC 8D 9D TD", 2: "JC 7H 8H 9H KD", 3: "7S 8S JD QD 7C"}
    last = {0: "AH TH", 1: "AD JH QH", 2: "KH TS JS", 3: "QS KS AS"}
    deck = [card.code for card in deck_of(first, "9S", last, receiver=0)]
    rig = BalootRig(sources=CAMERA, deck=deck, says=dict(SUN)).opened(**STAKES)
    for seat, code in ((0, "AC"), (1, ""), (0, "KC"), (1, "8D"), (0, "QC"), (1, "TC")):
        rig.until("play", seat=seat)
        if code:
            rig.choose(next(str(at) for at in range(1, 9) if rig.card_of(seat, at) == code))
        else:
            rig.wait(60)
        rig.step()
    assert rig.faults() == [FaultCode.REVOKE]
    assert rig.table.hold is not None
    assert rig.table.hold.faults[0].text == "revoke seat=1 trick=2 held=TC played=8D"
    assert row(rig).repairs == ("DecideQayd", "AcknowledgeFault")


def test_where_a_shoe_reads_the_cards_no_seat_can_revoke() -> None:
    rig = BalootRig(sources=SHOE).opened(**STAKES).until("play", seat=1)
    with pytest.raises(c.Rejected, match="not allowed"):
        rig.choose(next(str(n) for n in range(1, 9) if rig.card_of(1, n) == "7C"))


@pytest.mark.parametrize("sources", [CAMERA, ("shoe", "camera")])
def test_a_card_that_was_laid_open_while_the_play_stood_still_counts_as_turned_after_a_verdict(
    sources: tuple[str, ...],
) -> None:
    rig = claimed("turn_card", sources)
    laid = rig.due
    rig.moved(laid)
    decided(rig, 1)
    for _ in range(40):
        if not isinstance(rig.due, Reveal):
            break
        if rig.due.index != laid.index:
            rig.revealed(rig.due)
        assert rig.faults() == []
    assert rig.table.round is not None
    assert (rig.table.round.state, rig.table.round.code) == ("settled", "qayd")
    assert all(len(hand) == 8 for hand in outcome(rig)["hands"].values())
    rig.collected()
    assert rig.faults() == []
    assert rig.table.shoe is not None
    assert rig.table.shoe.balance == "balanced"


@pytest.mark.parametrize("sources", [CAMERA, ("shoe", "camera")])
def test_after_a_verdict_a_camera_sees_every_rack_turned(sources: tuple[str, ...]) -> None:
    rig = claimed("turn_card", sources)
    decided(rig, 1)
    rig.until("")
    assert rig.table.round is not None
    assert rig.table.round.code == "qayd"
    assert all(len(hand) == 8 for hand in outcome(rig)["hands"].values())


def test_a_verdict_needs_two_people_and_the_second_sees_against_whom() -> None:
    rig = claimed()
    command = c.DecideQayd(fault=rig.fault(), reason=REASON, against=1)
    rig.give(command, FIRST, second=False)
    view = approval_view(rig.table)
    assert view is not None
    assert (view.command, view.act.code) == ("DecideQayd", "approval.DecideQayd")
    assert dict(view.act.params) == {"round": 1, "blamed": "1", "side": "0"}
    assert view.effect_money.code == "effect.qayd_money"
    assert rig.refused(c.Approve(approval=view.id), FIRST) == "refused.approval_same_person"
    rig.give(c.Approve(approval=view.id), SECOND)
    assert rig.faults() == []


def test_what_each_verdict_writes_is_shown_before_anything_is_pressed() -> None:
    rig = claimed()
    assert rig.table.hold is not None
    (decide,) = (
        option
        for option in options(rig.setup, rig.table, rig.table.hold.faults[0])
        if option.command == "DecideQayd"
    )
    assert (decide.needs, decide.people, decide.first) == (("against", "reason"), 2, True)
    assert decide.effect_money.code == "effect.qayd_money"
    told = {dict(line.params)["against"]: (line.code, dict(line.params)) for line in decide.then}
    assert set(told) == {-1, 0, 1}
    assert told[-1][0] == "then.qayd_none"
    for against in (0, 1):
        code, params = told[against]
        assert code == "then.qayd"
        assert (params["blamed"], params["side"]) == (str(against), str(1 - against))
        assert (params["points"], params["ours"], params["theirs"]) == (16, 16, 0)


def test_a_verdict_that_wins_the_game_says_so_before_it_is_given() -> None:
    rig = BalootRig(sources=SHOE)
    rig.setup = replace(rig.setup, game=replace(rig.setup.game, first=(140, 20, 3, 1, 9)))
    rig.opened(**STAKES, game_0=200).until("play")
    rig.give(c.ClaimQayd(seat=1), SEAT_1)
    assert rig.table.hold is not None
    (decide,) = (
        option
        for option in options(rig.setup, rig.table, rig.table.hold.faults[0])
        if option.command == "DecideQayd"
    )
    codes = {dict(line.params)["against"]: line.code for line in decide.then}
    assert codes == {-1: "then.qayd_none", 0: "then.qayd", 1: "then.qayd_game"}
    decided(rig, 1)
    rig.until("")
    assert outcome(rig)["game_winner"] == 0
    assert rig.table.carried == (0, 0, 0, 2, 1)
    assert rig.paid()["game:0"] > 0


def test_in_a_sun_a_verdict_writes_26_and_what_the_other_side_holds() -> None:
    rig = claimed("play", says=dict(SUN))
    decided(rig, 0)
    rig.until("")
    assert outcome(rig)["score"]["final"][1] >= 26


@pytest.mark.parametrize("step", ["first_packets", "face_card", "bidding"])
def test_before_there_is_a_contract_nothing_can_be_claimed(step: str) -> None:
    rig = BalootRig(sources=SHOE).opened(**STAKES).until(step)
    assert rig.refused(c.ClaimQayd(seat=1, note=""), SEAT_1) == "refused.no_contract"
    assert rig.faults() == []


@pytest.mark.parametrize("says", [None, PASSED])
def test_after_the_round_a_claim_is_refused_with_the_way(says: dict[str, str] | None) -> None:
    rig = BalootRig(sources=SHOE)
    rig.says = says or rig.says
    rig.opened(**STAKES).until("")
    assert rig.refused(c.ClaimQayd(seat=1, note=""), SEAT_1) == "refused.round_over"
    rig.collected()
    assert rig.refused(c.ClaimQayd(seat=1, note=""), SEAT_1) == "refused.round_over"


def test_once_a_verdict_is_given_nothing_more_can_be_claimed_or_decided() -> None:
    rig = claimed()
    decided(rig, 1)
    assert rig.due.step == "show_rest"
    assert rig.refused(c.ClaimQayd(seat=0, note=""), DEALER) == "refused.no_contract"


@pytest.mark.parametrize("against", [2, -1, True, "0"])
def test_a_verdict_is_against_a_side_or_neither(against: Any) -> None:
    rig = claimed()
    assert answer(rig, c.DecideQayd, against=against) == "refused.malformed"
    assert rig.faults() == [FaultCode.QAYD]


def test_a_verdict_needs_a_reason_of_the_list() -> None:
    rig = claimed()
    command = c.DecideQayd(fault=rig.fault(), reason="", against=1)
    assert rig.refused(command) == "refused.reason_missing"


def test_a_round_may_be_void_for_a_claim_that_nobody_can_judge() -> None:
    rig = claimed()
    assert rig.table.round is not None
    command = c.VoidRound(fault=rig.fault(), reason=REASON, round_id=rig.table.round.id)
    assert rig.refused(command) is None
    assert rig.paid() == {"round:0": 1000, "round:1": 600, "kaboot:yes": 100}


def test_dealer_and_seat_may_claim_and_a_seat_for_itself_alone() -> None:
    rig = BalootRig(sources=SHOE).opened(**STAKES).until("play")
    assert rig.refused(c.ClaimQayd(seat=2, note=""), SEAT_1) == "refused.no_right"
    assert rig.refused(c.ClaimQayd(seat=2, note=""), DEALER) is None


def test_while_a_claim_stands_no_seat_is_heard() -> None:
    rig = claimed()
    assert rig.table.round is not None
    assert rig.table.round.asking is not None
    window = rig.table.round.asking.number
    refused = rig.refused(c.ChooseForSeat(seat=0, window=window, option="1"), DEALER)
    assert refused == "refused.table_held"
    left = rig.table.window
    assert left is not None
    assert left.remaining_us is not None


def test_the_journal_tells_the_claim_and_the_verdict() -> None:
    rig = claimed()
    decided(rig, 1)
    names = [type(event).__name__ for event, _ in rig.events]
    at = names.index("VerdictGiven")
    assert names.index("FaultRaised") < at < names.index("HoldLifted")
    verdict = rig.events[at][0]
    assert isinstance(verdict, e.VerdictGiven)
    assert rig.table.round is not None
    assert (verdict.round_id, verdict.against) == (rig.table.round.id, 1)


def test_the_supervisor_sees_what_was_called_and_played_and_no_hidden_card() -> None:
    rig = BalootRig(sources=SHOE).opened(**STAKES).until("take_trick").until("play")
    rig.give(c.ClaimQayd(seat=1, note=""), SEAT_1)
    view = supervisor_view(rig.setup, rig.table, rig.at_us)
    board = view.dealer.board
    assert board is not None
    assert len(board.tricks[0].cards) == 4
    assert any(seat.said for seat in board.seats)
    shown = {code for code in rig.racks.values() if f'"{code}"' in _json(view)}
    open_now = {
        place.card.code
        for place in (rig.table.play.places if rig.table.play else ())
        if place.card is not None and place.face == "up"
    }
    assert shown == open_now


def _json(view: Any) -> str:
    return json.dumps(to_json(view))


def test_dealer_and_viewers_are_told_that_the_table_is_held() -> None:
    rig = claimed()
    dealer = dealer_view(rig.setup, rig.table, rig.at_us)
    assert dealer.state == "hold"
    overlay = overlay_view(rig.setup, rig.table)
    assert overlay.state == "hold"


@pytest.mark.parametrize("note", ["", "seat 0 did not follow"])
def test_the_dealer_is_told_who_claims_and_of_no_card_that_was_due_or_seen(note: str) -> None:
    rig = BalootRig(sources=("shoe", "camera")).opened(**STAKES).until("turn_card")
    assert rig.refused(c.ClaimQayd(seat=1, note=note), SEAT_1) is None
    hold = dealer_view(rig.setup, rig.table, rig.at_us).hold
    assert hold is not None
    assert (hold.what.code, dict(hold.what.params)) == (
        "hold.qayd.what",
        {"seat": 2, "words": note},
    )
    assert (hold.due, hold.seen, hold.zone) == (None, None, "")
    (case,) = supervisor_view(rig.setup, rig.table, rig.at_us).cases
    assert case.what is not None
    assert case.what.code == ("case.qayd" if note else "case.qayd.plain")


def test_a_proven_revoke_is_told_by_its_open_cards() -> None:
    rig = revoked()
    hold = dealer_view(rig.setup, rig.table, rig.at_us).hold
    assert hold is not None
    told = dict(hold.what.params)
    assert (hold.what.code, told["seat"], told["number"], told["card"]) == (
        "hold.revoke.what",
        2,
        1,
        "7C",
    )
    played = {code for trick in rig.board().tricks for _, code in trick.cards}
    assert {told["card"], told["held"]} <= played
    assert (hold.due, hold.seen) == (None, None)


# -- laws -----------------------------------------------------------------------------------------


def broken(rig: BalootRig, event: e.Event) -> str:
    """Which law a fact breaks that no decision made."""
    before = rig.table
    after = evolve(before, event, rig.at_us)
    with pytest.raises(LawBroken) as law:
        check_laws(before, after, [event])
    return str(law.value)


def chose(rig: BalootRig, **other: Any) -> e.SeatChose:
    """What the seat that is asked may choose, with something otherwise."""
    current = rig.table.round
    assert current is not None
    assert current.asking is not None
    asking = current.asking
    fields = {"round_id": current.id, "window": asking.number, "seat": asking.seat}
    return e.SeatChose(**(fields | {"option": asking.options[0], "by": "seat"} | other))


@pytest.mark.parametrize("other", [{"window": 99}, {"option": "9"}, {"seat": 3}])
def test_no_seat_chooses_what_it_was_not_asked(other: dict[str, Any]) -> None:
    rig = BalootRig(sources=SHOE).opened(**STAKES).until("play")
    lawful = chose(rig)
    check_laws(rig.table, evolve(rig.table, lawful, rig.at_us), [lawful])
    assert "chose" in broken(rig, chose(rig, **other))


def test_no_verdict_is_given_where_nothing_was_claimed() -> None:
    rig = BalootRig(sources=SHOE).opened(**STAKES).until("play")
    assert rig.table.round is not None
    verdict = e.VerdictGiven(round_id=rig.table.round.id, against=1, fault="1")
    assert "nothing was claimed" in broken(rig, verdict)
