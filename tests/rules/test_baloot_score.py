"""Projects, conversion and results of Baloot by RULES.md 4.5 to 4.7, D-40 and D-41."""

from __future__ import annotations

from typing import Any

import pytest

from studio.games.baloot import GAME
from studio.games.baloot.cards import Mode, all_points
from studio.games.baloot.projects import Kind, counting_side, detect
from studio.games.baloot.score import Played, Score, convert, score
from tests.support.baloot_round import Says, Table, cards, deck_of, hokum

# -- 4.5 projects ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "sun", "hokum"),
    [
        ("7C 8C 9C QD KD AD 7H 9S", "sira sira", "sira sira"),
        ("7C 8C 9C TC QD AD 7H 9S", "fifty", "fifty"),
        ("7C 8C 9C TC JC AD 7H 9S", "hundred", "hundred"),
        ("8C 9C TC JC QC KC 7H 9S", "hundred", "hundred"),
        ("AC KC QC JC TC 9C 8C 7C", "hundred sira", "hundred sira"),
        ("AC AD AH AS 7C 8D 9H TS", "four_hundred", "hundred"),
        ("KC KD KH KS 7C 8D 9H TS", "hundred", "hundred"),
        ("9C 9D 9H 9S 7C 8D KH TS", "", ""),
        ("TC TD TH TS JC QC KC AC", "hundred", "hundred"),
        ("KC KD KH KS QC JC TC 7D", "hundred sira", "hundred sira"),
        ("KC KD KH KS AC AD AH AS", "four_hundred hundred", "hundred hundred"),
        ("AC KC 7C 8C 9H TH QS JD", "", ""),
    ],
)
def test_45_the_projects_of_a_hand(hand: str, sun: str, hokum: str) -> None:
    """One card serves one project only; the best is taken first."""
    for mode, words in ((Mode.SUN, sun), (Mode.HOKUM, hokum)):
        found = detect(cards(hand), mode)
        assert " ".join(each.kind.value for each in found) == words


@pytest.mark.parametrize(("length", "served"), [(5, 5), (6, 6), (7, 7), (8, 5)])
def test_45_a_hundred_is_the_whole_run_but_of_eight_three_are_a_sira(
    length: int, served: int
) -> None:
    run = cards("AC KC QC JC TC 9C 8C 7C")
    assert detect(run[:length], Mode.SUN)[0].cards == tuple(run[:served])


def test_45_round_points_of_projects() -> None:
    sun = [kind.points(Mode.SUN) for kind in (Kind.SIRA, Kind.FIFTY, Kind.HUNDRED)]
    hokum = [kind.points(Mode.HOKUM) for kind in (Kind.SIRA, Kind.FIFTY, Kind.HUNDRED)]
    assert (sun, hokum, Kind.FOUR_HUNDRED.points(Mode.SUN)) == ([4, 10, 20], [2, 5, 10], 40)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AC AD AH AS", "KC QC JC TC 9C"),
        ("9C TC JC QC KC", "KD KH KS KC"),
        ("9C TC JC QC KC", "8D 9D TD JD QD"),
        ("KC KD KH KS", "QC QD QH QS"),
        ("7C 8C 9C TC", "QD KD AD"),
        ("QC KC AC", "JD QD KD"),
    ],
)
def test_45_the_side_with_the_best_project_counts(better: str, worse: str) -> None:
    """400, 100, 50, sira; of two hundreds the run; then the higher top card."""
    for seat in range(4):
        hands = {
            seat: detect(cards(better), Mode.SUN),
            (seat + 1) % 4: detect(cards(worse), Mode.SUN),
        }
        assert counting_side(hands, [0, 1, 2, 3], cancels=False) == seat % 2


def test_45_of_equal_projects_the_earlier_players_counts_or_both_cancel() -> None:
    hands = {1: detect(cards("QC KC AC"), Mode.SUN), 2: detect(cards("QD KD AD"), Mode.SUN)}
    assert counting_side(hands, [0, 1, 2, 3], cancels=False) == 1
    assert counting_side(hands, [2, 3, 0, 1], cancels=False) == 0
    assert counting_side(hands, [0, 1, 2, 3], cancels=True) is None
    partners = {0: hands[1], 2: hands[2]}
    assert counting_side(partners, [0, 1, 2, 3], cancels=True) == 0
    assert counting_side({}, [0, 1, 2, 3], cancels=False) is None


def baloot_of(first: str, *said_words: str, **rules: Any) -> tuple[list[int], list[int]]:
    """Baloot of the sides, and project points, of a hokum in spades of seat 0."""
    deck = deck_of({0: first, 1: "7C 9D 7D QC 8D"}, "JS", {0: "TD 7H"}, receiver=0)
    says = Says(hokum(projects=list(said_words)))
    now = Table(GAME.rules(rules), deck).play_on(says)
    assert now.outcome is not None
    told = now.outcome.as_dict()
    return told["baloot"], told["project_points"]


def test_45_baloot_is_king_and_queen_of_hokum_in_one_hand() -> None:
    assert baloot_of("KS QS 9H AD 8C") == ([1, 0], [0, 0])
    assert baloot_of("KS AH 9H AD 8C") == ([0, 0], [0, 0])


def test_45_a_card_of_baloot_in_another_project_blocks_it_as_the_flag_says() -> None:
    sira, hundred = "KS QS 9H AD 8C", "KS QS AS TS 8C"
    assert baloot_of(sira, "sira") == ([0, 0], [2, 0])
    assert baloot_of(sira, "sira", baloot_overlap="hundred") == ([1, 0], [2, 0])
    assert baloot_of(hundred, "hundred", baloot_overlap="hundred") == ([0, 0], [10, 0])
    assert baloot_of(hundred, "none", baloot_overlap="hundred") == ([1, 0], [0, 0])


@pytest.mark.parametrize(("flag", "baloot"), [("any", [0, 0]), ("hundred", [1, 0])])
def test_45_a_hundred_that_loses_the_comparison_takes_no_card_of_baloot(
    flag: str, baloot: list[int]
) -> None:
    """Seat 0 holds four queens, seat 1 a run of five: only a counted hundred blocks."""
    deck = deck_of({0: "QS QH QD QC KS", 1: "JD TD 9D 8D 7D"}, "7S", {0: "TC 7H"}, receiver=0)
    says = Says(hokum(projects=["hundred", "hundred"]))
    now = Table(GAME.rules({"baloot_overlap": flag}), deck).play_on(says)
    assert now.outcome is not None
    told = now.outcome.as_dict()
    assert (told["project_points"], told["baloot"]) == ([0, 10], baloot)


def test_45_of_equal_projects_that_is_meant_which_leaves_baloot_alone() -> None:
    """A seat that announces one of two equal siras gives up nothing by the name of a suit."""
    found = baloot_of("KS QS KH QH JH", "sira")
    assert found == ([1, 0], [2, 0])


def test_45_which_of_equal_projects_is_meant_is_no_matter_of_the_suits_order() -> None:
    deck = deck_of({0: "KC QC KS QS JS", 1: "7C 9D 7D QD 8D"}, "JC", {0: "TD 7H"}, receiver=0)
    now = Table(GAME.rules({}), deck).play_on(Says(hokum(projects=["sira"])))
    assert now.outcome is not None
    told = now.outcome.as_dict()
    assert (told["baloot"], told["project_points"]) == ([1, 0], [2, 0])


# -- 4.6 conversion -------------------------------------------------------------------------------


def test_46_card_points_sum_to_130_in_sun_and_162_in_hokum() -> None:
    assert (all_points(Mode.SUN), all_points(Mode.HOKUM)) == (130, 162)


@pytest.mark.parametrize(
    ("mode", "counts", "points"),
    [
        ("sun", (65, 65), (13, 13)),
        ("sun", (66, 64), (14, 12)),
        ("sun", (75, 55), (15, 11)),
        ("sun", (105, 25), (21, 5)),
        ("sun", (128, 2), (26, 0)),
        ("hokum", (81, 81), (8, 8)),
        ("hokum", (85, 77), (8, 8)),
        ("hokum", (86, 76), (8, 8)),
        ("hokum", (95, 67), (9, 7)),
        ("hokum", (156, 6), (15, 1)),
    ],
)
def test_46_the_table_of_counts_and_points(
    mode: str, counts: tuple[int, int], points: tuple[int, int]
) -> None:
    assert convert(GAME.rules({}), Mode(mode), counts) == points
    assert convert(GAME.rules({}), Mode(mode), counts[::-1]) == points[::-1]


@pytest.mark.parametrize(
    ("rule", "close", "far"),
    [
        ("pair16", (8, 8), (9, 7)),
        ("larger_keeps", (9, 7), (10, 6)),
        ("individual", (9, 8), (10, 7)),
    ],
)
def test_d40_of_two_counts_that_end_in_six_one_side_gives_a_point_back(
    rule: str, close: tuple[int, int], far: tuple[int, int]
) -> None:
    rules = GAME.rules({"hokum_round": rule})
    assert convert(rules, Mode.HOKUM, (86, 76)) == close
    assert convert(rules, Mode.HOKUM, (96, 66)) == far


# -- 4.7 result -----------------------------------------------------------------------------------


def written(mode: str, abnat: tuple[int, int], rules: dict[str, Any], **more: Any) -> Score:
    tricks = more.pop("tricks", (4, 4))
    played = Played(mode=Mode(mode), buyer=0, abnat=abnat, tricks=tricks, **more)
    return score(GAME.rules(rules), played)


SAUDI = {"preset": "saudi"}
SIRA_AGAINST = {"projects": (0, 2), "projects_raw": (0, 20), "baloot": (1, 0)}
FIFTY_AGAINST = {"projects": (0, 5), "projects_raw": (0, 50)}


def test_d40_only_the_contract_is_decided_by_the_raw_count() -> None:
    """106-56 with a fifty against it is raw 106-106 and, standing, written 10-11."""
    found = written("hokum", (106, 56), SAUDI, **FIFTY_AGAINST)
    assert (found.failed, found.final) == (False, (10, 11))
    assert written("hokum", (84, 78), SAUDI, **SIRA_AGAINST).final == (10, 10)
    against = written("hokum", (78, 84), SAUDI, **SIRA_AGAINST)
    assert (against.failed, against.final) == (True, (0, 20))


def test_47_a_level_contract_fails_stands_or_goes_by_the_raw_count() -> None:
    assert written("sun", (65, 65), {}).final == (0, 26)
    assert written("sun", (65, 65), {"tie": "stands"}).final == (13, 13)
    raw = {"tie": "raw_points"}
    assert written("sun", (65, 65), raw).final == (13, 13)
    assert written("hokum", (81, 81), raw).final == (0, 16)
    assert written("hokum", (80, 82), raw, baloot=(1, 0)).final == (10, 8)
    assert written("hokum", (82, 80), raw, multiplier=2, raiser=1).final == (32, 0)
    assert written("hokum", (82, 80), raw, multiplier=3, raiser=0).final == (0, 48)


def test_47_by_the_raw_count_a_level_gahwa_is_not_lost_for_who_called_it() -> None:
    raw = {"tie": "raw_points"}
    won = written("hokum", (80, 82), raw, baloot=(1, 0), gahwa=True, raiser=0)
    assert (won.failed, won.game_won_by_gahwa) == (False, 0)
    lost = written("hokum", (82, 80), raw, baloot=(0, 1), gahwa=True, raiser=0)
    assert (lost.failed, lost.game_won_by_gahwa) == (True, 1)


def test_47_a_level_raised_round_that_stands_is_lost_by_the_last_raiser() -> None:
    rules = {"tie": "stands"}
    assert written("hokum", (81, 81), rules, multiplier=2, raiser=1).final == (32, 0)
    assert written("hokum", (81, 81), rules, multiplier=3, raiser=0).final == (0, 48)
    gahwa = written("hokum", (81, 81), rules, gahwa=True, raiser=0)
    assert (gahwa.winner, gahwa.game_won_by_gahwa) == (1, 1)


def test_47_baloot_is_never_multiplied_and_goes_with_a_failure() -> None:
    made = written("hokum", (100, 62), {}, multiplier=2, raiser=1, baloot=(0, 1))
    assert made.final == (32, 2)
    failed = written("hokum", (62, 100), {}, multiplier=3, raiser=0, baloot=(1, 0))
    assert failed.final == (0, 50)


def test_47_projects_are_multiplied_in_full_or_at_most_doubled() -> None:
    sira = {"projects": (2, 0), "projects_raw": (20, 0), "multiplier": 3, "raiser": 0}
    assert written("hokum", (100, 62), {}, **sira).final == (54, 0)
    less = {"projects_raised": "at_most_double"}
    assert written("hokum", (100, 62), less, **sira).final == (52, 0)


SWEEP: dict[str, Any] = {
    "tricks": (8, 0),
    "projects": (0, 2),
    "projects_raw": (0, 20),
    "baloot": (0, 1),
    "multiplier": 2,
    "raiser": 1,
}


@pytest.mark.parametrize(
    ("raised_as", "whose", "final"),
    [
        ("multiplied", "both", 25 * 2 + 2 * 2 + 2),
        ("multiplied", "winner", 25 * 2),
        ("plain", "both", 25 + 2 + 2),
        ("plain", "winner", 25),
    ],
)
def test_d41_a_kaboot_in_a_raised_round(raised_as: str, whose: str, final: int) -> None:
    rules = {"kaboot_raised": raised_as, "kaboot_projects": whose}
    found = written("hokum", (162, 0), rules, **SWEEP)
    assert (found.kaboot, found.final, found.failed) == (0, (final, 0), False)


def test_47_a_kaboot_is_decided_by_tricks_and_not_by_card_points() -> None:
    assert written("sun", (130, 0), {}, tricks=(7, 1)).final == (26, 0)
    against = written("sun", (0, 130), {}, tricks=(0, 8))
    assert (against.kaboot, against.failed, against.final) == (1, True, (0, 44))


def test_47_a_failed_contract_writes_sixteen_also_where_the_counts_would_give_seventeen() -> None:
    """RULES.md 4.7 says 16, whatever `hokum_round` makes of the two counts."""
    rules = {"hokum_round": "individual"}
    assert written("hokum", (76, 86), rules).final == (0, 16)
    assert written("hokum", (86, 76), rules).final == (9, 8)


@pytest.mark.parametrize(
    ("before", "ended"),
    [((151, 151), 0), ((100, 0), None), ((140, 170), 1)],
)
def test_47_the_game_goes_to_152_and_to_the_higher_total(
    before: tuple[int, int], ended: int | None
) -> None:
    now = Table(GAME.rules({}), deck_of({}, "9S", receiver=0), (*before, 3, 1, 1))
    now.play_on(Says(hokum()))
    assert now.outcome is not None
    after = now.outcome.game_scores
    winner_now = None if max(after) < 152 or after[0] == after[1] else int(after[1] > after[0])
    assert now.outcome.game_winner == winner_now
    assert (winner_now is None) is (ended is None)
    figures = GAME.carried(now.outcome)
    assert figures == ((*after, 0, 1, 2) if ended is None else (0, 0, 0, 2, 1))
