"""The judging of photographs: what counts as right, wrong and asked, its bounds and its report."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.assemble import By
from vision.judging.bounds import at_most, by_design, wilson
from vision.judging.pasted import decks, pasted
from vision.judging.photos import Label, Photo, PhotosUnfit, judge, load
from vision.judging.report import page
from vision.judging.tables import table, tallies, verdict_table, verdicts
from vision.judging.units import Failed, Outcome, Unit, measured
from vision.judging.whole import by_name, lines, sums
from vision.see import Seen, SeenOne
from vision.synthetic.deck import printed

SQUARE = ((10.0, 10.0), (40.0, 10.0), (40.0, 52.0), (10.0, 52.0))


def said(code: str, *, sure: bool = True, dx: float = 0.0, likely: str | None = None) -> SeenOne:
    return SeenOne(
        card=code if sure else "??",
        likely=likely or code,
        confidence=0.999 if sure else 0.4,
        sure=sure,
        quad=tuple((x + dx, y) for x, y in SQUARE),
        by=By.WHOLE,
    )


def seen(*cards: SeenOne) -> Seen:
    return Seen(cards=cards, backs=0, cut=0)


def photo(*codes: str, path: Path = Path("a.jpg"), name: str = "set") -> Photo:
    labels = tuple(Label(code, np.add(SQUARE, (60.0 * at, 0.0))) for at, code in enumerate(codes))
    return Photo(path, name, "deck", labels)


def verdict(*codes: str, cards: Seen) -> tuple[int, list[tuple[str, str]]]:
    judged = judge(photo(*codes), cards, 1.0)
    return judged.right, [(each.verdict, each.truth) for each in judged.failures]


def test_what_is_sure_and_there_is_right_and_the_rest_is_asked() -> None:
    cards = seen(said("7H"), said("KS", sure=False, dx=60))
    assert verdict("7H", "KS", "2C", cards=cards) == (1, [("unsure", "KS"), ("missed", "2C")])


def test_a_second_naming_of_one_card_is_wrong() -> None:
    right, failures = verdict("7H", cards=seen(said("7H"), said("7H", dx=5)))
    assert (right, [kind for kind, _ in failures]) == (1, ["wrong"])


def test_two_cards_of_one_code_may_both_be_named() -> None:
    assert verdict("7H", "7H", cards=seen(said("7H"), said("7H", dx=60))) == (2, [])


@pytest.mark.parametrize("stranger", ["JOKER", "BACK", "DECK"])
def test_what_is_no_card_and_read_as_one_is_wrong(stranger: str) -> None:
    judged = judge(photo(stranger), seen(said("JD")), 1.0)
    assert (judged.cards, judged.strangers) == (0, 1)
    assert [(each.verdict, each.truth) for each in judged.failures] == [("wrong", stranger)]
    assert "| 1 of 1 | at most 100 % | no |" in verdict_table(verdicts([judged]))


def test_a_wrong_card_leaves_the_true_one_asked() -> None:
    right, failures = verdict("6S", cards=seen(said("9S")))
    assert (right, failures) == (0, [("wrong", "6S"), ("missed", "6S")])


def test_the_rule_of_three_bounds_a_share_of_none() -> None:
    assert at_most(0, 1000) == pytest.approx(0.003, rel=0.01)
    assert at_most(0, 13) == pytest.approx(1 - 0.05 ** (1 / 13))
    assert at_most(3, 100) == pytest.approx(0.0757, abs=0.0005)
    assert at_most(5, 5) == 1.0


def test_a_share_has_the_bounds_of_wilson() -> None:
    low, high = wilson(751, 821)
    assert (round(low, 4), round(high, 4)) == (0.8937, 0.932)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(10, 10)[1] == pytest.approx(1.0)


def test_readings_of_one_design_go_together_in_the_bounds() -> None:
    even = {str(at): (90, 100) for at in range(8)}
    uneven = {str(at): (100, 100) if at else (20, 100) for at in range(8)}
    assert by_design(even) == (0.9, 0.9)
    low, high = by_design(uneven) or (0.0, 0.0)
    # Wilson would say 0.875 to 0.919 of the same 720 of 800.
    assert low < 0.8
    assert high == 1.0
    assert by_design({"a": (1, 2), "b": (1, 2)}) is None


def test_the_table_has_the_core_and_each_set() -> None:
    judged = [
        judge(photo("7H", name="piatnik-4index-rectified"), seen(said("7H")), 5.0),
        judge(photo("7H", "8H", name="wood"), seen(said("7H")), 7.0),
    ]
    counted = tallies(judged)
    assert [(name, tally.cards, tally.right) for name, tally in counted.items()] == [
        ("public core", 2, 1),
        ("piatnik-4index-rectified", 1, 1),
        ("wood", 2, 1),
    ]
    assert "| wood | 1 | 2 | 1 (50.0 %) |" in table(counted)
    assert "| piatnik-4index-rectified | ≥ 98 %" in verdict_table(verdicts(judged))
    assert "held out" not in verdict_table(verdicts(judged))
    apart = judge(photo("7H", "8H", name="black-leather-phone"), seen(said("7H")), 5.0)
    assert "1 of 2, 50.0 %, 0 wrong" in verdict_table(verdicts([*judged, apart]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "felt").mkdir()
    cv2.imwrite(str(tmp_path / "felt" / "a.png"), np.full((80, 120, 3), 90, dtype=np.uint8))
    card = {"code": "7H", "polygon": [list(corner) for corner in SQUARE], "visible": "full"}
    entry = {"file": "felt/a.png", "deck": "d", "cards": [card, {"code": "KS"}]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    return tmp_path


def test_the_report_shows_each_failure_but_not_of_a_set_that_is_held_out(folder: Path) -> None:
    (loaded,) = load(folder)
    judged = [judge(loaded, seen(said("7D")), 1.0)]
    shown = page(judged, (), "abc")
    assert shown.count("data:image/jpeg;base64,") == 3
    assert "Wrong and sure: 1" in shown
    hidden = page(judged, ("felt",), "abc")
    assert "data:image" not in hidden
    assert "3 failures, not shown" in hidden


def test_a_folder_without_labels_or_without_the_set_is_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(PhotosUnfit, match="holds none of the sets wood"):
        load(folder, ["wood"])
    with pytest.raises(PhotosUnfit, match="give the folder of photographs"):
        load(tmp_path / "none")


def outcome(row: str, right: int, wrong: int, of: int = 10, design: str = "d") -> Outcome:
    """A piece with its failures."""
    failed = [
        Failed(verdict="wrong", truth="7H", said="7D", confidence=0.999, jpeg="AAAA")
        for _ in range(wrong)
    ]
    failed += [
        Failed(verdict="unsure", truth="KS", said="", confidence=0.4, jpeg="")
        for _ in range(of - right - wrong)
    ]
    return Outcome(row=row, design=design, cards=of, right=right, wrong=wrong, failed=tuple(failed))


def test_a_row_of_the_simulated_camera_is_met_by_its_share_and_its_wrong_cards() -> None:
    counted = sums(
        [outcome("pasted", 10, 0), outcome("pasted", 10, 0, design="e"), outcome("dealt", 9, 1)]
    )
    told = {one.what: one for one in lines(counted, {"calibrated": "needs the art"})}
    pasted = next(one for what, one in told.items() if what.startswith("photographs pasted"))
    assert (pasted.measured, pasted.met) == ("20 of 20, 100.0 %, 0 wrong (2 designs)", True)
    assert "wrong at most 14 %" in pasted.bound
    dealt = next(one for what, one in told.items() if what.startswith("the same hands"))
    assert dealt.met is False
    assert told["calibrated table, designs held out, not enrolled"].measured == "needs the art"
    assert told["calibrated table, designs held out, not enrolled"].met is None
    assert by_name(counted).endswith("- dealt, d: 1 of 10")


def test_an_enrolled_row_is_not_met_by_fewer_readings_than_it_asks_for() -> None:
    few = lines(sums([outcome("enrolled", 1000, 0, 1000)]), {})
    assert [one.met for one in few if one.what == "the same, enrolled"] == [False]
    all_of_them = lines(sums([outcome("enrolled", 100_000, 0, 100_000)]), {})
    assert [one.met for one in all_of_them if one.what == "the same, enrolled"] == [True]


def test_the_report_shows_failures_of_the_simulated_camera_but_none_that_is_held_out() -> None:
    counted = sums([outcome("dealt", 8, 1)])
    shown = page([], (), "abc", counted, lines(counted, {}))
    assert shown.count("data:image/jpeg;base64,AAAA") == 1
    assert "Held out: 1 failures, not shown" in shown
    assert "<td class='bad'>no" in shown


def piece(name: str, folder: str) -> list[Outcome]:
    """Counts how often it was done, in a file."""
    with (Path(folder) / "done").open("a") as out:
        out.write(name)
    return [outcome("dealt", 10, 0, design=name)]


def test_a_measurement_that_was_ended_goes_on_and_other_weights_begin_anew(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    units = [Unit(name, piece, {"name": name, "folder": str(tmp_path)}) for name in "ab"]
    measured(units[:1], log, "w1", 1)
    with log.open("a") as out:
        out.write('{"key": "b", "wei')  # the machine stopped in the middle of a line
    assert [one.design for one in measured(units, log, "w1", 1)] == ["a", "b"]
    assert (tmp_path / "done").read_text() == "ab"
    measured(units, log, "w2", 1)
    assert (tmp_path / "done").read_text() == "abab"


def taken_twice(folder: Path, codes: str) -> None:
    """The demonstration deck, of which each of these cards was photographed twice."""
    (folder / "felt").mkdir()
    entries = []
    for at, code in enumerate(codes.split()):
        for view in range(2):
            image = np.full((330, 250, 3), 60, dtype=np.uint8)
            image[30:294, 30:219] = cv2.convertScaleAbs(printed(code), alpha=1 - 0.15 * view)
            name = f"felt/{at}-{view}.png"
            cv2.imwrite(str(folder / name), image)
            polygon = [[30, 30], [219, 30], [219, 294], [30, 294]]
            card = {"code": code, "polygon": polygon, "visible": "full"}
            entries.append(json.dumps({"file": name, "deck": "own", "cards": [card]}))
    (folder / "labels.jsonl").write_text("\n".join(entries), encoding="utf-8")


def test_a_deck_of_which_few_cards_were_photographed_twice_is_not_pasted(tmp_path: Path) -> None:
    taken_twice(tmp_path, "7H KS 2C 9D TS AH QC 4D")
    assert decks(tmp_path) == {"felt/own": 8}
    (tmp_path / "few").mkdir()
    taken_twice(tmp_path / "few", "7H KS 2C 9D TS AH QC")
    assert decks(tmp_path / "few") == {}


def test_photographs_are_laid_and_read_with_a_deck_learnt_from_the_other_ones(
    tmp_path: Path,
) -> None:
    taken_twice(tmp_path, "7H KS 2C")
    (one,) = pasted(str(tmp_path), "felt/own", 0)
    assert (one.row, one.cards, one.wrong) == ("pasted", 3, 0)
    assert one.right >= 2
    assert len(one.failed) == one.cards - one.right
