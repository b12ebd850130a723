"""The five roads of baccarat: on known boards, on published ones, and against a second method."""

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.games.roads import EMPTY, ROWS, Roads, derived, laid_out, roads
from studio.table.views import to_json
from tests.support.boards import FILE, boards, marks

CODES = {"P": "player", "B": "banker", "T": "tie"}
PAIRS = {"p": "player_pair", "b": "banker_pair"}
BACK = {"big_eye": 1, "small": 2, "cockroach": 3}
KNOWN = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
SHOES = st.text("BBBBPPPT", max_size=90)
STREAKY = st.lists(st.tuples(st.sampled_from("PBT"), st.integers(1, 12)), max_size=14).map(
    lambda runs: "".join(letter * length for letter, length in runs)
)


@dataclass(frozen=True, slots=True)
class Told:
    """One finished coup."""

    code: str
    marks: tuple[str, ...] = ()
    corrected: bool = False


def told(results: str, pairs: list[str] | None = None) -> list[Told]:
    """Coups from their letters."""
    who = pairs or [""] * len(results)
    return [
        Told(CODES[letter], tuple(PAIRS[each] for each in whose))
        for letter, whose in zip(results, who, strict=True)
    ]


def plain(drawn: Roads) -> dict[str, Any]:
    """The roads as the second method gives them."""
    return {
        "bead": list(drawn.bead),
        "player_pairs": [list(place) for place in drawn.player_pairs],
        "banker_pairs": [list(place) for place in drawn.banker_pairs],
        "big": list(drawn.big),
        "ties": [list(tied) for tied in drawn.ties],
        "big_eye": list(drawn.big_eye),
        "small": list(drawn.small),
        "cockroach": list(drawn.cockroach),
    }


def columns(results: str) -> list[int]:
    """Lengths of the columns of the big road, from its picture's own source."""
    lengths: list[int] = []
    last = ""
    for letter in results.replace("T", ""):
        if letter == last:
            lengths[-1] += 1
        else:
            lengths.append(1)
        last = letter
    return lengths


def picture(text: str) -> tuple[str, ...]:
    """Rows as they are written below, filled up to six."""
    rows = text.split()
    return (*rows, *[""] * (ROWS - len(rows)))


@pytest.mark.parametrize("shoe", KNOWN, ids=lambda shoe: shoe["id"])
def test_every_known_shoe_has_its_known_boards(shoe: dict[str, Any]) -> None:
    assert plain(roads(told(shoe["results"], shoe["pairs"]))) == shoe["boards"]


def test_at_least_forty_known_shoes_are_whole_and_different() -> None:
    assert len({shoe["results"] for shoe in KNOWN}) == len(KNOWN) >= 40
    assert sum(len(shoe["results"]) > 40 for shoe in KNOWN) >= 24


@settings(max_examples=300, deadline=None)
@given(st.one_of(SHOES, STREAKY))
def test_two_methods_agree_on_any_shoe(results: str) -> None:
    assert plain(roads(told(results))) == boards(results)


@settings(max_examples=200, deadline=None)
@given(st.one_of(SHOES, STREAKY))
def test_a_coup_more_adds_at_most_one_mark_to_a_road_and_moves_none(results: str) -> None:
    """Roads that are drawn anew with every coup still stand still for who looks at them."""
    before, after = plain(roads(told(results[:-1]))), plain(roads(told(results)))
    for road in ("bead", "big", *BACK):
        lying, now = (
            {
                (column, row): mark
                for row, line in enumerate(board[road])
                for column, mark in enumerate(line)
                if mark != EMPTY
            }
            for board in (before, after)
        )
        assert lying.items() <= now.items()
        assert len(now) - len(lying) <= 1


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(1, 30), max_size=40))
def test_no_two_marks_share_a_place_and_a_column_lies_without_a_gap(lengths: list[int]) -> None:
    places = laid_out(lengths)
    assert len(set(places)) == len(places) == sum(lengths)
    at = 0
    for length in lengths:
        run = places[at : at + length]
        at += length
        assert run[0][1] == 0
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(run)}
        assert steps <= {(0, 1), (1, 0)}
    assert all(row < ROWS for _, row in places)


def test_r_22_two_ties_in_a_row_move_no_column() -> None:
    drawn = roads(told("PBTTPBPPPPPBTPTPB"))
    assert drawn.big == picture("PBPBPBPB ....P.P ....P ....P ....P")
    assert drawn.ties == ((1, 0, 2), (5, 0, 1), (6, 0, 1))


def test_r_22_ties_before_the_first_win_wait_for_it() -> None:
    assert roads(told("TT")).big == picture("")
    drawn = roads(told("TTB"))
    assert (drawn.bead, drawn.big, drawn.ties) == (picture("T T B"), picture("B"), ((0, 0, 2),))


def test_a_dragon_turns_at_the_bottom_and_the_next_column_begins_beside_its_start() -> None:
    drawn = roads(told("BBBBBBBBTPP"))
    assert drawn.big == ("BP", "BP", "B", "B", "B", "BBB")
    assert drawn.ties == ((2, 5, 1),)


def test_a_column_turns_above_a_tail_that_lies_below_it() -> None:
    drawn = roads(told("BBBBBBBPPPPPPPB"))
    assert drawn.big == ("BPB", "BP", "BP", "BP", "BPPP", "BB")


def test_a_column_begins_beyond_a_tail_that_lies_in_the_top_row() -> None:
    """Each column turns a row higher, the sixth at once; its tail takes the tops beside it."""
    drawn = roads(told("B" * 7 + "P" * 6 + "B" * 5 + "P" * 4 + "B" * 3 + "PPP" + "BB"))
    assert drawn.big == ("BPBPBPPPB", "BPBPBB..B", "BPBPP", "BPBB", "BPP", "BB")


def test_a_tail_counts_as_part_of_its_column_in_the_derived_roads() -> None:
    """Two columns of eight are equally long, though one lies lower on the board than the other."""
    assert derived([8, 8, 1], 1) == "R" * 7 + "R"
    assert derived([8, 7, 1], 1) == "R" * 6 + "B"


@pytest.mark.parametrize(
    ("results", "back", "wanted"),
    [
        ("PB", 1, ""),
        ("PBB", 1, "B"),
        ("PPBB", 1, "R"),
        ("PBP", 1, "R"),
        ("PPBP", 1, "B"),
        ("PBBB", 1, "BR"),
        ("PPBBPPBB", 2, "RRR"),
        ("PPBBPPBB", 3, "R"),
        ("PBPB", 3, ""),
        ("PBPBB", 3, "B"),
        ("PBPBP", 3, "R"),
    ],
)
def test_a_derived_road_begins_where_there_is_something_to_compare(
    results: str, back: int, wanted: str
) -> None:
    assert derived(columns(results), back) == wanted == marks(results, back)


def test_pairs_and_corrected_coups_are_told_by_the_place_of_their_bead() -> None:
    coups = [*told("PBTPBP", ["p", "", "pb", "", "", ""]), Told("banker", ("banker_pair",), True)]
    drawn = roads(coups)
    assert drawn.bead == ("PB", "B", "T", "P", "B", "P")
    assert drawn.player_pairs == ((0, 0), (0, 2))
    assert drawn.banker_pairs == ((0, 2), (1, 0))
    assert drawn.corrected == ((1, 0),)


def test_a_result_of_another_game_is_no_mark_of_a_road() -> None:
    with pytest.raises(KeyError, match="dealer_17"):
        roads([Told("dealer_17")])


def test_the_boards_of_a_whole_shoe_are_a_small_part_of_what_travels() -> None:
    """Eight kept shoes and the present one go with every view of a supervisor."""
    sizes = [
        len(json.dumps(to_json(roads(told(shoe["results"], shoe["pairs"])))))
        for shoe in KNOWN
        if shoe["id"].startswith("by chance")
    ]
    assert len(sizes) == 24
    assert max(sizes) < 1500


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


@pytest.mark.shared
def test_published_boards_come_out(shared: Path) -> None:
    """Where a publisher erred by his own note, the marks that follow from the rule are wanted."""
    examples = _lines(shared / "cases" / "field" / "baccarat_road_examples.jsonl")
    assert len(examples) >= 18
    for case in examples:
        drawn = roads(told(case["results"]))
        if case["road"] in BACK:
            found = derived(columns(case["results"]), BACK[case["road"]])
            assert found == case["by_rule"] == marks(case["results"], BACK[case["road"]])
            if case["agrees"] != "no":
                assert found.endswith(case["published"]), case["id"]
        elif case["road"] == "big" and "grid" not in case:
            ties = {(column, row): number for column, row, number in drawn.ties}
            for column, row, letter, *number in case.get("published", case.get("published_tail")):
                assert drawn.big[row][column] == letter, case["id"]
                assert ties.get((column, row), 0) == sum(number), case["id"]


@pytest.mark.shared
def test_recorded_shoes_have_the_roads_that_follow_from_the_rule(shared: Path) -> None:
    for case in _lines(shared / "cases" / "field" / "baccarat_recorded_shoes.jsonl"):
        lengths = columns(case["results"])
        wanted = case["roads_by_rule"]
        assert [int(column[1:]) for column in wanted["columns"]] == lengths
        for road, back in BACK.items():
            assert derived(lengths, back) == wanted[road], case["id"]
        assert plain(roads(told(case["results"]))) == boards(case["results"]), case["id"]
