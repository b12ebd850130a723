"""Coups over `serial-text`: printed codes on a real pseudo-terminal, through to the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.text_codes import Kind, as_csv, example
from studio.domain import commands as c
from studio.launch import LaunchError, Studio
from studio.storage.verify import verify
from tests.integration.studio.test_studio import PATIENCE_S, News, deal, settings_in

SHOE = ["2C", "3C", "4C", "9S", "2D", "KH", "5D", "8C", "8D"]


@pytest.fixture
def studio_with(tmp_path: Path) -> Iterator[Callable[[Kind], Studio]]:
    running: list[Studio] = []

    def start(kind: Kind) -> Studio:
        (tmp_path / "codes.csv").write_text(as_csv(example(kind), kind))
        shoe = {
            "driver": "serial-text",
            "url": "sim:",
            "codes": kind.value,
            "cards": "codes.csv",
            "options": {"ack": True},
        }
        studio = Studio(settings_in(tmp_path, shoe=shoe))
        studio.inspect()
        studio.start()
        running.append(studio)
        return studio

    yield start
    for studio in running:
        studio.stop()
        assert verify(studio.settings.studio.database).ok


def to_the_first_card(studio: Studio) -> News:
    news = News(studio)
    desk = news.until(lambda found: found.table().device("shoe").online)
    studio.wires["ba1"].load(SHOE)
    desk.ask(c.OpenTable(), who="Sana", role="supervisor")
    desk.ask(c.StartShoe(), who="Jonas", role="dealer")
    for _ in range(3):
        desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
    deal(studio, news, 3)
    desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
    desk.ask(c.OpenBets(), who="Jonas", role="dealer")
    desk.ask(c.CloseBets(), who="Jonas", role="dealer")
    return news


@pytest.mark.parametrize("kind", list(Kind))
def test_a_coup_is_dealt_from_printed_codes(
    studio_with: Callable[[Kind], Studio], kind: Kind
) -> None:
    studio = studio_with(kind)
    news = to_the_first_card(studio)
    deal(studio, news, 4)
    news.until(lambda found: found.table().phase.value == "result")
    assert studio.view("ba1", "overlay").view["result"]["code"] == "player"


def test_a_card_that_is_read_three_times_is_one_card_where_each_has_its_code(
    studio_with: Callable[[Kind], Studio],
) -> None:
    studio = studio_with(Kind.UNIQUE)
    news = to_the_first_card(studio)
    studio.wires["ba1"].switch("triple_send")
    deal(studio, news, 4)
    desk = news.until(lambda found: found.table().phase.value == "result")
    assert not desk.table().held


def test_a_card_that_is_read_twice_is_asked_where_codes_are_values(
    studio_with: Callable[[Kind], Studio],
) -> None:
    studio = studio_with(Kind.VALUE)
    news = to_the_first_card(studio)
    wire = studio.wires["ba1"]
    wire.switch("repeat")
    wire.draw()
    desk = news.until(lambda found: found.table().held)
    assert wire.quiet(PATIENCE_S)
    studio.flush()
    hold = desk.table().hold
    assert hold is not None
    assert [fault.code.value for fault in hold.faults] == ["repeated_card"]
    answer = {"fault": hold.faults[0].id, "reason": "reason.device_fault"}
    desk.ask(c.AcknowledgeFault(**answer), who="Sana", role="supervisor")
    desk.ask(c.LiftHold(**answer), who="Sana", role="supervisor")
    deal(studio, news, 3)
    news.until(lambda found: found.table().phase.value == "result")
    assert studio.view("ba1", "overlay").view["result"]["code"] == "player"


def test_a_table_of_codes_that_is_wrong_is_told_before_anything_starts(tmp_path: Path) -> None:
    (tmp_path / "codes.csv").write_text("code,card\nA1,1H\n")
    shoe = {"driver": "serial-text", "url": "sim:", "cards": "codes.csv"}
    studio = Studio(settings_in(tmp_path, shoe=shoe))
    with pytest.raises(LaunchError, match=r"codes\.csv, line 2: '1H' is no card"):
        studio.start()
