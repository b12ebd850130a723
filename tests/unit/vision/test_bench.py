"""A camera's bench: what is open at it, what its words answer, and what is lost at its end."""

import threading
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from studio.live.ports import BenchRefused
from vision import bench as bench_module
from vision.bench import Bench, Bencher, session_of
from vision.calibration.words import refuse
from vision.layout import no_layout
from vision.locate import Image
from vision.worker import Benched, Job, Order

FRAME: Image = np.zeros((72, 128, 3), dtype=np.uint8)


class Told:
    """A session that keeps what it was told."""

    def __init__(self) -> None:
        self.words: list[tuple[str, bool]] = []
        self.changed = True

    def do(self, word: str, given: Mapping[str, Any], frame: Image | None) -> dict[str, Any]:
        """Keep it, or refuse what it is told to."""
        if word == "zone":
            raise refuse("no_zone", zone=given["id"], zones="P B")
        if word == "bad":
            raise ValueError("this is no word")
        self.words.append((word, frame is not None))
        return {"changed": self.changed}


def job(**files: str) -> Job:
    return Job(
        device="camera",
        source="0",
        layout=no_layout("baccarat"),
        synthetic=False,
        **files,  # type: ignore[arg-type]
    )


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> tuple[Bench, list[Told]]:
    """A bench whose sessions only listen, and those that were opened at it."""
    sessions: list[Told] = []

    def made(_kind: str, _job: Job, _reader: Any) -> Told:
        sessions.append(Told())
        return sessions[-1]

    monkeypatch.setattr(bench_module, "session_of", made)
    return Bench(job(), None), sessions  # type: ignore[arg-type]


def test_a_word_before_anything_is_open_is_refused() -> None:
    with pytest.raises(BenchRefused) as no:
        Bench(job(), None).do("look", {})  # type: ignore[arg-type]
    assert no.value.code == "refused.bench_closed"


def test_frames_go_to_the_session_and_the_answer_tells_of_the_camera(
    opened: tuple[Bench, list[Told]],
) -> None:
    bench, sessions = opened
    assert bench.do("open", {"kind": "enrol"})["camera"]["age_ms"] is None
    assert bench.is_open
    for number, taken_s in enumerate((10.0, 10.1, 10.2), 1):
        bench.see(FRAME, number, taken_s)
    facts = bench.do("look", {})["camera"]
    assert (facts["width"], facts["height"], facts["rate"]) == (128, 72, 10)
    assert sessions[0].words == [("look", False), ("look", True)]


def test_a_page_that_is_loaded_again_goes_on_where_it_was(opened: tuple[Bench, list[Told]]) -> None:
    bench, sessions = opened
    bench.do("open", {"kind": "enrol"})
    bench.do("open", {"kind": "enrol"})
    assert len(sessions) == 1
    bench.do("open", {"kind": "calibrate"})
    assert len(sessions) == 2


def test_what_was_shown_is_kept_when_the_bench_is_closed(opened: tuple[Bench, list[Told]]) -> None:
    bench, sessions = opened
    bench.do("open", {"kind": "enrol"})
    bench.do("close", {})
    assert [word for word, _ in sessions[0].words] == ["look", "state", "store"]


def test_cards_that_the_disk_does_not_take_at_the_end_are_told_in_the_log(
    opened: tuple[Bench, list[Told]],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    bench, sessions = opened
    bench.do("open", {"kind": "enrol"})

    def full(word: str, *_: object) -> dict[str, Any]:
        if word == "store":
            raise ValueError("studio.deck.part: the deck cannot be written")
        return {"changed": True}

    monkeypatch.setattr(sessions[0], "do", full)
    assert bench.do("close", {}) == {}
    assert "the deck cannot be written" in caplog.text


def test_what_lies_there_after_the_end_is_no_game_either(opened: tuple[Bench, list[Told]]) -> None:
    bench, _ = opened
    assert not bench.is_open
    bench.do("open", {"kind": "calibrate"})
    bench.do("close", {})
    assert bench.is_open


def test_a_deck_that_is_saved_leaves_nothing_behind(opened: tuple[Bench, list[Told]]) -> None:
    bench, sessions = opened
    bench.do("open", {"kind": "enrol"})
    sessions[0].changed = False
    bench.do("close", {})
    assert [word for word, _ in sessions[0].words] == ["look", "state"]


def test_a_refusal_has_its_code_and_values_for_other_languages(
    opened: tuple[Bench, list[Told]],
) -> None:
    bench, _ = opened
    bench.do("open", {"kind": "calibrate"})
    with pytest.raises(BenchRefused) as no:
        bench.do("zone", {"id": "X"})
    assert no.value.code == "calibrate.no_zone"
    assert no.value.values == {"zone": "X", "zones": "P B"}
    with pytest.raises(BenchRefused, match="this is no word"):
        bench.do("bad", {})


@pytest.mark.parametrize("kind", ["", "polish"])
def test_a_bench_that_does_not_exist_is_named(kind: str) -> None:
    with pytest.raises(BenchRefused, match="calibrate and enrol"):
        session_of(kind, job(), None)  # type: ignore[arg-type]


def test_a_camera_without_a_deck_file_cannot_be_shown_one() -> None:
    with pytest.raises(BenchRefused) as no:
        session_of("enrol", job(), None)  # type: ignore[arg-type]
    assert no.value.code == "refused.no_deck_file"


def test_the_camera_lives_on_while_a_session_thinks(opened: tuple[Bench, list[Told]]) -> None:
    bench, sessions = opened
    thinking, thought = threading.Event(), threading.Event()
    bencher = Bencher(bench)
    bencher.ask(Order(1, "bench", ("open", {"kind": "calibrate"})))
    until_answered(bencher, 1)

    def slow(_word: str, _given: Any, _frame: Any) -> dict[str, Any]:
        thinking.set()
        assert thought.wait(10)
        return {}

    sessions[0].do = slow  # type: ignore[assignment]
    bencher.ask(Order(2, "bench", ("look", {})))
    assert thinking.wait(10)
    assert list(bencher.answers()) == []
    bench.see(FRAME, 1, 10.0)
    thought.set()
    assert until_answered(bencher, 2).refusal == ""


def test_a_session_that_fails_ends_and_the_camera_does_not(
    opened: tuple[Bench, list[Told]],
) -> None:
    bench, sessions = opened
    bencher = Bencher(bench)
    bencher.ask(Order(1, "bench", ("open", {"kind": "calibrate"})))
    until_answered(bencher, 1)
    sessions[0].do = lambda *_: {}[0]  # type: ignore[assignment, index]
    bencher.ask(Order(2, "bench", ("look", {})))
    failed = until_answered(bencher, 2)
    assert failed.code == "refused.bench_closed"
    assert "begin again" in failed.refusal
    bencher.ask(Order(3, "bench", ("look", {})))
    assert until_answered(bencher, 3).code == "refused.bench_closed"


def until_answered(bencher: Bencher, number: int) -> Benched:
    """The answer to this order."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for answer in bencher.answers():
            assert answer.number == number
            return answer
        threading.Event().wait(0.01)
    raise AssertionError("no answer came")
