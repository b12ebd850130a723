"""`cutcard see`: what it prints, what it refuses, and that it keeps to separate whole cards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from studio.domain.cards import Card
from vision.assemble import By, Outlined
from vision.commands import COMMANDS, expand, see_command
from vision.corners import Corner, IndexVote
from vision.draw import drawn
from vision.layout import save_layout
from vision.locate import Quad
from vision.outlines import shared
from vision.reader import CardKind, Reading
from vision.see import See, Seen, find, framed, gather, heights, see, uncut
from vision.synthetic.scene import encode

if TYPE_CHECKING:
    from tests.unit.vision.conftest import PatternReader, Table


def run(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    result = CliRunner().invoke(see_command, [str(each) for each in arguments])
    lines = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    return result.exit_code, lines, result.output


def picture(table: Table, path: Path) -> Path:
    path.write_bytes(encode(table.scene.frame()))
    return path


@pytest.fixture
def dealt(table: Table) -> Table:
    for zone, code in (("P", "7H"), ("B", "KS"), ("P", "3C"), ("B", "TD")):
        table.lay(zone, code)
    table.lay("BURN", "5D", up=False)
    table.scene.frame()
    table.scene.frame()
    return table


def test_separate_cards_of_a_whole_picture_are_found_and_read(
    dealt: Table, pattern_reader: PatternReader
) -> None:
    seen = see(dealt.scene.frame(), pattern_reader)
    assert sorted(card.card for card in seen.cards if card.sure) == ["3C", "7H", "KS", "TD"]
    assert seen.backs == 1


def test_with_a_layout_only_its_zones_are_looked_at(
    dealt: Table, pattern_reader: PatternReader
) -> None:
    dealt.lay("DISCARD", "9H")
    dealt.scene.frame()
    dealt.scene.frame()
    frame = dealt.scene.frame()
    assert len(find(frame, None)) >= 6
    seen = see(frame, pattern_reader, dealt.layout)
    assert sorted(card.card for card in seen.cards if card.sure) == ["3C", "7H", "KS", "TD"]


def test_a_frame_printed_inside_a_card_is_art_and_no_card(
    table: Table, pattern_reader: PatternReader
) -> None:
    table.lay("P", "KH")
    table.scene.frame()
    table.scene.frame()
    seen = see(table.scene.frame(), pattern_reader)
    (king,) = (card for card in seen.cards if card.sure)
    assert king.card == "KH"
    outline = np.asarray(king.quad)
    others = [np.asarray(card.quad) for card in seen.cards if card is not king]
    assert not [quad for quad in others if shared(quad, outline) > 0.1]


def test_an_empty_picture_has_no_cards(pattern_reader: PatternReader) -> None:
    grey = np.full((300, 400, 3), 120, dtype=np.uint8)
    assert see(grey, pattern_reader).cards == ()


def test_two_readings_of_one_outline_are_one_card() -> None:
    quad = np.asarray([(0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0)])
    sure = Reading(
        kind=CardKind.FACE,
        card=Card.parse("7H"),
        confidence=0.999,
        sure=True,
        second=None,
        turned=False,
    )
    unsure = Reading(
        kind=CardKind.FACE,
        card=Card.parse("8H"),
        confidence=0.7,
        sure=False,
        second=None,
        turned=False,
    )
    other = replace(unsure, card=Card.parse("9C"))
    read = [Outlined(quad + 3, unsure), Outlined(quad, sure), Outlined(quad + 200, other)]
    kept = [(str(each.reading.card), each.reading.sure) for each in gather(read)]
    assert kept == [("7H", True), ("9C", False)]


def test_two_sure_readings_of_one_outline_that_differ_are_not_sure() -> None:
    quad = np.asarray([(0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0)])
    one = Reading(
        kind=CardKind.FACE,
        card=Card.parse("7H"),
        confidence=0.999,
        sure=True,
        second=None,
        turned=False,
    )
    other = replace(one, card=Card.parse("7D"), confidence=0.995)
    (kept,) = gather([Outlined(quad + 1, other), Outlined(quad, one)])
    assert (kept.reading.card, kept.reading.sure) == (Card.parse("7H"), False)


def reading(code: str, *, sure: bool, kind: CardKind = CardKind.FACE) -> Reading:
    return Reading(
        kind=kind,
        card=Card.parse(code) if kind is CardKind.FACE else None,
        confidence=0.999 if sure else 0.6,
        sure=sure,
        second=None,
        turned=False,
    )


def square(side: float) -> Quad:
    """A card so many pixels wide about (500, 500)."""
    half = np.asarray((side / 2, side * 44 / 63))
    square_ = np.asarray([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    return np.asarray(square_ * half + 500, dtype=np.float64)


def test_a_frame_that_is_not_surely_read_stands_for_the_card_around_it() -> None:
    inner = Outlined(square(60), reading("KH", sure=False))
    outer = Outlined(square(100), reading("QH", sure=False))
    table = Outlined(square(900), reading("2C", sure=False))
    assert framed(inner, [inner, outer, table]) is outer
    assert framed(Outlined(square(60), reading("KH", sure=True)), [outer]).quad[0, 0] == 470
    plain = Outlined(square(100), reading("QH", sure=False, kind=CardKind.OTHER))
    moved = framed(inner, [plain])
    assert (moved.reading.card, moved.reading.sure) == (Card.parse("KH"), False)
    assert moved.quad is plain.quad


def test_an_outline_much_smaller_than_the_one_that_it_overlaps_is_never_sure() -> None:
    """Cut from the part that shows of a covered card."""
    covering = Outlined(square(100), reading("KH", sure=True))
    part = Outlined(square(60) - (65, 40), reading("4C", sure=True))
    beside = Outlined(square(60) - (200, 0), reading("9D", sure=True))
    under = Outlined(square(96) - (65, 40), reading("7S", sure=True))
    kept = uncut([covering, part, beside, under])
    assert [one.reading.sure for one in kept] == [True, False, True, True]


def test_indices_are_looked_for_at_the_size_of_the_cards_that_were_read() -> None:
    image = np.zeros((720, 1280, 3), dtype=np.uint8)
    assert heights(image, []) == (8.0, 256.0)
    doubtful = Outlined(square(60), reading("KH", sure=False))
    assert heights(image, [doubtful]) == (8.0, 256.0)
    two = [Outlined(square(side), reading("KH", sure=True)) for side in (100, 200)]
    assert heights(image, two) == pytest.approx((11.0, 140.0))


@dataclass
class OneIndex:
    """Finds one index at a place, and reads it as the ace of clubs."""

    x: float
    y: float
    temperature: float = 1.0

    def find(self, image: NDArray[np.uint8], *, least: float, most: float) -> list[Corner]:
        assert least < most < max(image.shape)
        return [Corner(x=self.x, y=self.y, angle=0.1, high=20.0, score=0.9)]

    def read(self, image: NDArray[np.uint8], corners: Sequence[Corner]) -> list[IndexVote]:
        ranks, suits = np.zeros(13, np.float32), np.zeros(4, np.float32)
        ranks[0] = suits[0] = 9.0
        hidden = np.zeros(80, np.float32)
        return [IndexVote(ranks=ranks, suits=suits, there=0.99, hidden=hidden) for _ in corners]


def test_a_card_of_which_only_an_index_shows_is_told_by_index_and_never_sure(
    dealt: Table, pattern_reader: PatternReader
) -> None:
    frame = dealt.scene.frame()
    seen = See(pattern_reader, OneIndex(1000.0, 600.0)).at(frame)
    (found,) = (card for card in seen.cards if card.by is By.INDEX)
    assert (found.card, found.likely, found.sure) == ("??", "AC", False)
    inside = See(pattern_reader, OneIndex(1000.0, 600.0)).at(frame, dealt.layout)
    assert not [card for card in inside.cards if card.by is By.INDEX]


def test_a_drawing_keeps_the_picture_and_marks_each_card(
    dealt: Table, pattern_reader: PatternReader
) -> None:
    frame = dealt.scene.frame()
    seen = see(frame, pattern_reader)
    before = frame.copy()
    marked = drawn(frame, seen)
    assert (frame == before).all()
    assert marked.shape == frame.shape
    for card in seen.cards:
        x, y = np.rint(np.mean([card.quad[0], card.quad[1]], axis=0)).astype(int)
        assert (marked[y - 4 : y + 4, x - 4 : x + 4] != frame[y - 4 : y + 4, x - 4 : x + 4]).any()
    tiny = drawn(frame[::8, ::8], Seen(cards=(), backs=1, cut=1))
    assert max(tiny.shape) == 640


def test_a_line_has_the_fields_of_the_contract(dealt: Table, tmp_path: Path) -> None:
    path = picture(dealt, tmp_path / "a.jpg")
    code, (line,), _ = run("--json", path)
    assert code == 0
    assert set(line) == {"image", "width", "height", "cards", "backs", "cut", "ms"}
    assert (line["image"], line["width"], line["height"]) == (str(path), 1280, 720)
    for card in line["cards"]:
        assert set(card) == {"card", "confidence", "sure", "quad", "by"}
        assert len(card["quad"]) == 4
        assert card["by"] == "whole" or (card["by"] == "index" and not card["sure"])
        assert card["sure"] or card["card"] == "??"


def test_a_bad_file_gets_an_error_and_the_others_are_still_done(
    dealt: Table, tmp_path: Path
) -> None:
    good = picture(dealt, tmp_path / "good.jpg")
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no picture")
    empty = tmp_path / "empty.png"
    empty.write_bytes(b"")
    code, lines, _ = run("--json", bad, tmp_path / "none.jpg", empty, good)
    assert code == 1
    assert ["error" in line for line in lines] == [True, True, True, False]
    assert "give JPEG, PNG, MP4" in lines[0]["error"]
    assert lines[1]["error"] == "there is no such file"


def test_a_folder_is_walked_by_name_and_only_its_pictures(tmp_path: Path) -> None:
    for name in ("b.jpg", "a.png", "sub/c.JPG", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    found = [path.relative_to(tmp_path).as_posix() for path in expand([tmp_path])]
    assert found == ["a.png", "b.jpg", "sub/c.JPG"]


def test_each_frame_of_a_video_has_its_number(tmp_path: Path) -> None:
    path = tmp_path / "v.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (64, 48))
    for _ in range(3):
        writer.write(np.zeros((48, 64, 3), dtype=np.uint8))
    writer.release()
    code, lines, _ = run("--json", path)
    assert code == 0
    assert [line["frame"] for line in lines] == [0, 1, 2]


def test_a_drawing_is_written(dealt: Table, tmp_path: Path) -> None:
    path = picture(dealt, tmp_path / "a.jpg")
    code, _, output = run("--draw", tmp_path / "out", path)
    assert code == 0
    assert str(path) in output
    assert len(list((tmp_path / "out").glob("*a.jpg"))) == 1


def test_a_layout_for_another_size_is_told(dealt: Table, tmp_path: Path) -> None:
    save_layout(dealt.layout, tmp_path / "l.json")
    small = tmp_path / "small.png"
    cv2.imwrite(str(small), np.zeros((48, 64, 3), dtype=np.uint8))
    code, (line,), _ = run("--json", "--layout", tmp_path / "l.json", small)
    assert code == 1
    assert line["error"] == "64 × 48 pixels, but the layout is for 1280 × 720"


def test_wrong_calls_get_one_sentence_and_status_2(tmp_path: Path) -> None:
    code, _, output = run("--layout", tmp_path / "none.json", "a.jpg")
    assert code == 2
    assert "there is no such layout file" in output
    code, _, output = run("--deck", "studio.deck", "a.jpg")
    assert code == 2
    assert "there is no such deck file" in output
    code, _, output = run()
    assert code == 2
    assert "Missing argument" in output


def test_the_command_is_offered_to_cutcard_under_its_name() -> None:
    assert [command.name for command in COMMANDS] == ["see"]
