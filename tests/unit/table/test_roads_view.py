"""The roads that screens get: rebuilt after a correction and a void, anew with a new shoe."""

import json
from dataclasses import replace

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.table.casework import supervisor_view
from studio.table.ended import SHOES_KEPT
from studio.table.evolve import fold
from studio.table.show import dealer_view, overlay_view
from studio.table.state import Phase, Table
from studio.table.views import Roads, ShoeView, SupervisorView, to_json
from tests.support.rig import Rig
from tests.support.shared import SharedRig

REASON = "reason.camera_proves"
HANDS = {
    "B": "4C 9D 2H TS",
    "P": "9D 4C TS 2H",
    "T": "7C 9D 2H TS",
    "b": "4C TD 2H TS 9C",
    "p": "4C 5D 4H 2S",
}
"""Cards of a coup in order of dealing; ``b`` has a pair of tens for Banker and a Banker's win,
``p`` a pair of fours and a natural for Player."""


def dealt(rig: Rig, letter: str) -> str:
    """One coup from bets to its end, its cards off the felt; its id."""
    if rig.table.phase is Phase.RESULT:
        rig.wait(8)
    if rig.table.phase is Phase.IDLE:
        rig.give(c.OpenBets())
    rig.bet("ann", player=100)
    rig.wait(15)
    for code in HANDS[letter].split():
        rig.read(code)
    rig.give(c.ConfirmStep())
    assert rig.table.round is not None
    return rig.table.round.id


def played(results: str) -> tuple[Rig, list[str]]:
    """A table with these coups, and their ids."""
    rig = Rig(sources=("shoe",)).in_play()
    return rig, [dealt(rig, letter) for letter in results]


def correct(rig: Rig, round_id: str, letter: str = "") -> None:
    """Put a coup right; without a letter it is declared not played."""
    cards = tuple(Card.parse(code) for code in HANDS[letter].split()) if letter else ()
    rig.give(c.CorrectResult(round_id=round_id, cards=cards, void=not letter, reason=REASON))


def shown(rig: Rig) -> Roads:
    """The roads, which are the same on every screen."""
    roads = overlay_view(rig.setup, rig.table).roads
    assert roads is not None
    assert dealer_view(rig.setup, rig.table, rig.at_us).roads == roads
    assert desk(rig).dealer.roads == roads
    return roads


def desk(rig: Rig) -> SupervisorView:
    """What the supervisor sees."""
    return supervisor_view(rig.setup, rig.table, rig.at_us)


def next_shoe(rig: Rig, *, day: str = "") -> None:
    """The shoe is counted and the next one is burned and ready."""
    if rig.table.phase is Phase.RESULT:
        rig.wait(8)
    shoe = rig.table.shoe
    assert shoe is not None
    if day:
        rig.record(e.DayOpened(day=day, previous=rig.table.day))
    ended = e.ShoeEnded(
        shoe_no=shoe.number,
        remainder=shoe.cards.left,
        gone=shoe.cards.gone,
        loaded=shoe.cards.size,
        balance="unverified",
    )
    rig.record(ended)
    number = shoe.number + 1
    rig.record(
        e.ShoeProcedureStarted(
            procedure="new_shoe",
            procedure_version="shoe@1",
            shoe_no=number,
            decks=8,
            rules_digest="rules",
        )
    )
    rig.record(e.ShoeOpened(shoe_no=number, decks=8))


def test_screens_get_the_roads_of_the_results_so_far() -> None:
    rig, _ = played("BbTpP")
    roads = shown(rig)
    assert roads.bead == ("B", "B", "T", "P", "P", "")
    assert roads.big == ("BP", "BP", "", "", "", "")
    assert roads.ties == ((0, 1, 1),)
    assert roads.banker_pairs == ((0, 1),)
    assert roads.player_pairs == ((0, 3),)
    assert roads.big_eye == ("R", "", "", "", "", "")
    assert roads.corrected == ()


def test_a_correction_draws_the_roads_anew_and_frames_its_bead() -> None:
    rig, ids = played("BBP")
    correct(rig, ids[1], "P")
    roads = shown(rig)
    assert roads.bead == ("B", "P", "P", "", "", "")
    assert roads.big == ("BP", ".P", "", "", "", "")
    assert roads.corrected == ((0, 1),)


def test_a_coup_declared_not_played_leaves_the_roads_and_comes_back_when_it_was_played() -> None:
    rig, ids = played("BPB")
    correct(rig, ids[1])
    assert shown(rig).big == ("B", "B", "", "", "", "")
    correct(rig, ids[1], "P")
    assert shown(rig).big == ("BPB", "", "", "", "", "")


def test_a_voided_coup_is_in_no_road() -> None:
    rig, _ = played("B")
    rig.wait(8)
    rig.bet("ann", player=100)
    rig.wait(15)
    rig.read("4C")
    rig.give(c.CallSupervisor())
    assert rig.table.round is not None
    void = c.VoidRound(
        fault=rig.fault(), reason="reason.dealing_error", round_id=rig.table.round.id
    )
    rig.give(void)
    assert rig.table.round.number == 2
    assert shown(rig).bead == ("B", "", "", "", "", "")


def test_a_new_shoe_begins_with_empty_roads_and_the_supervisor_keeps_the_old_ones() -> None:
    rig, ids = played("BBP")
    correct(rig, ids[0], "T")
    before = shown(rig)
    assert desk(rig).shoes == ()
    next_shoe(rig, day="2027-01-16")
    assert shown(rig).bead == shown(rig).big == ("",) * 6
    kept = ShoeView(
        shoe_no=1, day="2027-01-16", ended_us=rig.at_us, balance="unverified", roads=before
    )
    assert desk(rig).shoes == (kept,)
    dealt(rig, "P")
    assert shown(rig).bead == ("P", "", "", "", "", "")
    next_shoe(rig)
    assert [shoe.shoe_no for shoe in desk(rig).shoes] == [2, 1]
    assert fold(Table(), rig.events) == rig.table


def test_only_so_many_shoes_are_kept_and_one_without_a_coup_is_none() -> None:
    rig, _ = played("B")
    for letter in "BP" * SHOES_KEPT:
        next_shoe(rig)
        next_shoe(rig)
        dealt(rig, letter)
    newest = 2 * 2 * SHOES_KEPT
    numbers = [shoe.shoe_no for shoe in desk(rig).shoes]
    assert numbers == list(range(newest - 1, newest - 1 - 2 * SHOES_KEPT, -2))


def test_a_shoe_all_of_whose_coups_were_declared_not_played_is_kept_with_empty_roads() -> None:
    rig, ids = played("B")
    correct(rig, ids[0])
    next_shoe(rig)
    assert [shoe.roads.bead for shoe in desk(rig).shoes] == [("",) * 6]


def test_players_and_dealers_are_told_of_no_shoe_before_this_one() -> None:
    rig, _ = played("BPB")
    next_shoe(rig)
    for view in (
        overlay_view(rig.setup, rig.table),
        dealer_view(rig.setup, rig.table, rig.at_us),
    ):
        told = to_json(replace(view, results=(), roads=None))
        assert "shoes" not in told
        assert "BPB" not in json.dumps(told)


def test_a_game_without_roads_has_none_and_keeps_no_boards() -> None:
    rig = SharedRig()
    assert overlay_view(rig.setup, rig.table).roads is None
    assert supervisor_view(rig.setup, rig.table, rig.at_us).shoes == ()
