"""The studio's table of codes: what is wrong with a file is one sentence that names the line."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from hardware.errors import SettingError
from hardware.text_codes import Kind, as_csv, example, example_table, read_codes
from hardware.text_settings import read_text_settings
from studio.domain.cards import PACK, Card

GOOD = "code,card\nA1,7H\nA2,KS\nZZ,CUT\n"


def table(tmp_path: Path, text: str | bytes) -> Path:
    file = tmp_path / "codes.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_codes_name_cards_and_the_cut_card(tmp_path: Path) -> None:
    found = read_codes(table(tmp_path, GOOD), Kind.VALUE)
    assert found["A1"].card == Card.parse("7H")
    assert found["ZZ"].card is None


def test_more_columns_spaces_empty_lines_and_a_byte_order_mark_are_no_mistake(
    tmp_path: Path,
) -> None:
    text = b"\xef\xbb\xbfcode, card, note\r\n\r\nA1, 7H, new\r\n"
    assert list(read_codes(table(tmp_path, text), Kind.VALUE)) == ["A1"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kode,card\nA1,7H\n", "has no column 'code': its first line must be code,card"),
        ("code\nA1\n", "has no column 'card'"),
        ("", "has no column 'code'"),
        ("code,card\nA1,1H\n", "line 2: '1H' is no card: write rank and suit as 7H, or CUT"),
        ("code,card\nA1,7H\nA1,KS\n", "line 3: the code 'A1' stands twice: take one out"),
        ("code,card\n,7H\n", "line 2: '' is no code"),
        ("code,card\n\x01A,7H\n", "is no code"),
        ("code,card\n", "names no card: add a line for each code"),
        ("code,card\nZZ,CUT\n", "names no card"),
        (b"code,card\nA1,7H\xff\n", "cannot be read: it is not text in UTF-8"),
    ],
)
def test_a_wrong_table_is_told_in_one_sentence(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    with pytest.raises(SettingError) as wrong:
        read_codes(table(tmp_path, text), Kind.VALUE)
    assert said in str(wrong.value)
    assert "codes.csv" in str(wrong.value)


def test_a_table_that_is_not_there_is_told_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"none\.csv cannot be read: No such file"):
        read_codes(tmp_path / "none.csv", Kind.VALUE)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("code,card\nA1,7H\n", "has no column 'serial'"),
        ("code,card,serial\nA1,7H,\n", "line 2: the serial is missing"),
        ("code,card,serial\nA1,7H,1\nA2,7H,1\n", "line 3: the serial '1' stands twice"),
    ],
)
def test_a_table_of_physical_cards_needs_a_serial_for_each(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(SettingError, match=said):
        read_codes(table(tmp_path, text), Kind.UNIQUE)


@pytest.mark.parametrize(("kind", "count"), [(Kind.VALUE, 53), (Kind.UNIQUE, 8 * 52 + 1)])
def test_the_example_is_a_table_that_can_be_read(tmp_path: Path, kind: Kind, count: int) -> None:
    found = read_codes(table(tmp_path, as_csv(example(kind), kind)), kind)
    assert found == example_table(kind)
    assert len(found) == count
    assert {named.card for named in found.values()} == {*PACK, None}


@pytest.mark.parametrize("kind", list(Kind))
def test_one_wrong_character_or_two_swapped_never_make_another_code(kind: Kind) -> None:
    known = set(example_table(kind))
    for code in known:
        for at, right in itertools.product(
            range(len(code)), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ*"
        ):
            changed = code[:at] + right + code[at + 1 :]
            assert changed == code or changed not in known
        for at in range(len(code) - 1):
            swapped = code[:at] + code[at + 1] + code[at] + code[at + 2 :]
            assert swapped == code or swapped not in known


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "setting cards is missing: give a CSV file; `cutcard make-codes` prints one"),
        ({"codes": "both"}, "setting codes is 'both': write value or unique"),
        ({"identity": "SN1"}, "setting identity cannot be checked"),
        (
            {"rearm_s": "soon", "cards": "x"},
            "setting rearm_s is 'soon': write a number from 0 to 60",
        ),
        (
            {"line_timeout_ms": 5, "cards": "x"},
            "setting line_timeout_ms is 5: write a number from 20 to 10000",
        ),
        ({"prefix": "\u2603"}, "setting prefix is '\u2603': write characters of one byte each"),
        ({"silence_s": 3.0}, "setting silence_s is unknown; known are url"),
        ({"no_read": "A1", "cards": "x"}, "setting no_read is also the code of a card"),
    ],
)
def test_a_wrong_setting_is_told_in_one_sentence(
    tmp_path: Path, given: dict[str, object], said: str
) -> None:
    settings = {"url": "/dev/ttyUSB0", **given}
    if "cards" in settings:
        settings["cards"] = table(tmp_path, GOOD)
    with pytest.raises(SettingError) as wrong:
        read_text_settings("shoe", settings)
    assert said in str(wrong.value)
