"""Who may set a camera up, when, and what the journal has of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.envelope import Actor, ActorKind
from studio.live import benches
from studio.live.answers import Answer
from studio.live.benches import IDLE_US, Benches, Refused
from studio.live.desk import Desk
from studio.live.means import BUSY, BUSY_TEXT
from studio.live.people import Person
from studio.live.ports import BenchRefused, Report
from studio.live.rights import Role
from tests.support.live.bench import SUPERVISOR, Bench, baccarat

TOMAS = Person("p1", "41", "Tomas E.", Role.ENGINEER)
RAVI = Person("p2", "42", "Ravi T.", Role.ENGINEER)
PAGE, OTHER = "page-0001", "page-0002"
SHA = "ab" * 32


@dataclass
class Camera:
    """A camera with a bench that does what it is told."""

    name: str = "camera"
    words: list[str] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)
    meanwhile: dict[str, Callable[[], object]] = field(default_factory=dict)
    """What happens while a word is done."""

    def start(self, report: Report) -> None:
        """Nothing to open."""

    def stop(self) -> None:
        """Nothing to close."""

    def picture(self) -> bytes | None:
        return b"jpeg"

    def live(self) -> tuple[int, bytes] | None:
        return 0, b"jpeg"

    def bench(self, word: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        self.words.append(word)
        self.meanwhile.get(word, str)()
        answer = self.answers.get(word, {"word": word})
        if isinstance(answer, BenchRefused):
            raise answer
        return dict(answer)


@dataclass
class Studio:
    """A table with such a camera and its benches."""

    camera: Any
    bench: Bench = field(init=False)
    desk: Desk = field(init=False)
    benches: Benches = field(init=False)

    def __post_init__(self) -> None:
        """The table is closed, and its camera is there."""
        self.bench = Bench(setup=baccarat(sources=("camera",)))
        self.desk = Desk(self.bench.runner, camera=self.camera)
        self.benches = Benches(self.bench.clock.monotonic_us)
        self.benches.seat([self.desk])
        self.bench.runner.start()
        self.come()

    def come(self) -> None:
        """The camera's process answers."""
        at_us = self.bench.clock.now_us()
        self.desk.report(
            o.DeviceOnline(device="camera", at_us=at_us, model="c", firmware="1", serial="s")
        )
        self.desk.flush()

    def do(self, word: str, person: Person = TOMAS, page: str = PAGE, **given: Any) -> Any:
        """A word of this person's page."""
        return self.benches.do("ba1", word, given, person=person, page=page)

    def refused(self, word: str, person: Person = TOMAS, page: str = PAGE, **given: Any) -> str:
        """The code with which it is refused."""
        with pytest.raises(Refused) as no:
            self.do(word, person, page, **given)
        assert no.value.text
        return no.value.code

    def notes(self) -> list[tuple[str, str]]:
        """What the journal says of the camera's setting up."""
        events = [
            record.event for record in self.bench.journal.read(self.bench.journal.streams()[0])
        ]
        return [
            (event.what, event.text)
            for event in events
            if isinstance(event, e.DeviceNoted) and event.what.startswith("setup")
        ]


def hanging(asked: threading.Event, answered: threading.Event) -> Callable[[], object]:
    """What does not return until it is told to."""

    def wait() -> None:
        asked.set()
        answered.wait(20)

    return wait


@pytest.fixture
def studio() -> Studio:
    return Studio(Camera())


def test_a_session_is_in_the_journal_from_its_beginning_to_its_end(studio: Studio) -> None:
    assert studio.do("open", kind="calibrate") == {"word": "open", "table": {"state": "closed"}}
    assert studio.do("look")["word"] == "look"
    studio.camera.answers["save"] = {"saved": {"version": 7, "file": "bb1.json", "sha256": SHA}}
    studio.do("save")
    studio.do("close")
    assert studio.camera.words == ["open", "look", "save", "close"]
    assert studio.notes() == [
        ("setup_began", "calibrate"),
        ("setup_kept", f"bb1.json version 7 sha256 {SHA}"),
        ("setup_ended", "anew"),
    ]
    record = next(
        each
        for each in studio.bench.journal.read(studio.bench.journal.streams()[0])
        if isinstance(each.event, e.DeviceNoted) and each.event.what == "setup_kept"
    )
    assert (record.actor.name, record.actor.role) == ("41", "engineer")


def test_an_answer_that_repeats_what_was_kept_is_the_same_fact(studio: Studio) -> None:
    studio.do("open", kind="enrol")
    saved = {"file": "studio.deck", "saved": {"sha256": SHA}}
    studio.camera.answers |= {"save": saved, "look": saved}
    for word in ("save", "look", "look"):
        studio.do(word)
    assert [what for what, _ in studio.notes()] == ["setup_began", "setup_kept"]
    assert studio.notes()[1][1] == f"studio.deck sha256 {SHA}"


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.ENGINEER])
def test_nobody_but_an_engineer_sets_a_camera_up(studio: Studio, role: Role) -> None:
    assert studio.refused("open", Person("p9", "9", "N", role), kind="calibrate") == (
        "refused.no_right"
    )
    assert studio.notes() == []


def test_one_engineer_at_a_time_and_the_other_is_told_who(studio: Studio) -> None:
    studio.do("open", kind="calibrate")
    with pytest.raises(Refused, match=r"Tomas E\. sets this camera up now") as no:
        studio.do("open", RAVI, OTHER, kind="calibrate")
    assert no.value.values == {"name": "Tomas E."}
    assert studio.refused("look", RAVI, OTHER) == "refused.setup_open"


def test_a_person_goes_on_in_a_new_window_and_the_old_one_is_told(studio: Studio) -> None:
    studio.do("open", kind="calibrate")
    studio.do("open", page=OTHER, kind="calibrate")
    assert studio.refused("look") == "refused.setup_elsewhere"
    assert studio.do("look", page=OTHER)["word"] == "look"
    assert [what for what, _ in studio.notes()] == ["setup_began"]


def test_a_page_that_was_left_ends_and_the_table_deals_again(studio: Studio) -> None:
    studio.do("open", kind="calibrate")
    studio.benches.end_left()
    assert studio.camera.words == ["open"]
    studio.bench.clock.advance(IDLE_US)
    studio.benches.end_left()
    assert studio.camera.words == ["open", "close"]
    assert studio.refused("look") == "refused.bench_closed"
    studio.come()
    assert studio.bench.ask(c.OpenTable(), SUPERVISOR).status == "done"


def test_a_session_that_hangs_at_its_end_keeps_nobody_from_looking_after_the_screens(
    studio: Studio,
) -> None:
    asked, answered = threading.Event(), threading.Event()
    studio.camera.meanwhile["close"] = hanging(asked, answered)
    studio.do("open", kind="calibrate")
    studio.bench.clock.advance(IDLE_US)
    studio.benches.look_after()
    assert asked.wait(20)
    studio.benches.look_after()  # returns, and asks no second time
    ending = [each for each in threading.enumerate() if each.name == "benches"]
    assert len(ending) == 1
    answered.set()
    ending[0].join(20)
    assert studio.camera.words == ["open", "close"]


def test_a_word_behind_one_that_hangs_is_refused_and_does_not_wait_for_ever(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered = threading.Event(), threading.Event()
    studio.camera.meanwhile["look"] = hanging(asked, answered)
    studio.do("open", kind="calibrate")
    slow = threading.Thread(target=studio.do, args=("look",))
    slow.start()
    try:
        assert asked.wait(20)
        monkeypatch.setattr(benches, "ANSWER_S", 0.01)
        assert studio.refused("look") == "refused.bench_slow"
    finally:
        answered.set()
        slow.join(20)


def test_a_beginning_of_which_no_page_knows_is_ended_and_the_table_deals(studio: Studio) -> None:
    begin = c.SetUpCamera(act="begin", kind="calibrate")
    actor = Actor(ActorKind.PERSON, "41", "engineer")
    studio.bench.runner.ask(begin, actor).result(5)
    assert studio.benches.opened("ba1") is None
    studio.benches.end_left()
    studio.benches.end_left()
    assert studio.camera.words == ["close"]
    studio.come()
    assert studio.bench.ask(c.OpenTable(), SUPERVISOR).status == "done"


def test_a_camera_that_is_back_at_once_does_not_leave_the_table_waiting(studio: Studio) -> None:
    studio.camera.meanwhile["close"] = studio.come
    studio.do("open", kind="calibrate")
    studio.do("close")
    assert studio.bench.ask(c.OpenTable(), SUPERVISOR).status == "done"


def test_a_deck_of_an_earlier_day_was_not_kept_by_who_looks_at_it(studio: Studio) -> None:
    earlier = {"file": "studio.deck", "saved": {"sha256": SHA}}
    studio.camera.answers |= {"open": earlier, "look": earlier}
    studio.do("open", kind="enrol")
    studio.do("look")
    assert [what for what, _ in studio.notes()] == ["setup_began"]
    now = {"file": "studio.deck", "saved": {"sha256": "cd" * 32}}
    studio.camera.answers |= {"save": now, "open": now, "look": now}
    studio.do("save")
    studio.do("open", page=OTHER, kind="enrol")
    studio.do("look", page=OTHER)
    assert [text for what, text in studio.notes() if what == "setup_kept"] == [
        f"studio.deck sha256 {'cd' * 32}"
    ]


def test_what_a_busy_table_could_not_note_is_noted_later_at_the_latest_at_the_end(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.do("open", kind="calibrate")
    studio.camera.answers["save"] = {"saved": {"version": 7, "file": "bb1.json", "sha256": SHA}}
    busy: Future[Answer] = Future()
    busy.set_result(Answer(status="busy", code=BUSY, text=BUSY_TEXT))
    with monkeypatch.context() as now:
        now.setattr(studio.bench.runner, "ask", lambda *_, **__: busy)
        assert studio.refused("save") == BUSY
    assert [what for what, _ in studio.notes()] == ["setup_began"]
    studio.do("close")
    assert studio.notes()[1:] == [
        ("setup_kept", f"bb1.json version 7 sha256 {SHA}"),
        ("setup_ended", "anew"),
    ]


def test_what_a_camera_kept_that_answered_too_late_is_in_the_journal_with_its_name(
    studio: Studio,
) -> None:
    studio.do("open", kind="calibrate")
    studio.camera.answers["save"] = BenchRefused("too slow", "refused.bench_slow")
    assert studio.refused("save") == "refused.bench_slow"
    # It was kept a moment later; the page is left without another word.
    saved = {"saved": {"version": 7, "file": "bb1.json", "sha256": SHA}}
    studio.camera.answers["state"] = saved
    studio.bench.clock.advance(IDLE_US)
    studio.benches.end_left()
    assert studio.camera.words == ["open", "save", "state", "close"]
    kept = ("setup_kept", f"bb1.json version 7 sha256 {SHA}")
    assert studio.notes()[1:] == [kept, ("setup_ended", "anew")]


def test_the_next_word_after_one_that_took_too_long_tells_what_was_kept(studio: Studio) -> None:
    studio.do("open", kind="calibrate")
    studio.camera.answers["save"] = BenchRefused("too slow", "refused.bench_slow")
    assert studio.refused("save") == "refused.bench_slow"
    saved = {"saved": {"version": 7, "file": "bb1.json", "sha256": SHA}}
    studio.camera.answers["state"] = saved
    studio.do("look")
    studio.do("look")
    assert studio.camera.words == ["open", "save", "look", "state", "look"]
    assert studio.notes()[1:] == [("setup_kept", f"bb1.json version 7 sha256 {SHA}")]


def test_a_camera_that_does_not_answer_at_the_end_either_ends_all_the_same(studio: Studio) -> None:
    studio.do("open", kind="calibrate")
    late = BenchRefused("too slow", "refused.bench_slow")
    studio.camera.answers |= {"save": late, "state": late}
    assert studio.refused("save") == "refused.bench_slow"
    studio.do("close")
    assert [what for what, _ in studio.notes()] == ["setup_began", "setup_ended"]


def test_the_live_picture_is_there_as_long_as_the_camera_is_set_up(studio: Studio) -> None:
    assert studio.benches.live("ba1") is None
    studio.do("open", kind="calibrate")
    assert studio.benches.live("ba1") == (studio.bench.runner.now_us(), b"jpeg")
    studio.do("close")
    assert studio.benches.live("ba1") is None


def test_a_table_does_not_open_while_its_camera_is_set_up(studio: Studio) -> None:
    studio.do("open", kind="enrol")
    answer = studio.bench.ask(c.OpenTable(), SUPERVISOR)
    assert (answer.status, answer.code) == ("rejected", "refused.camera_setup")


def test_a_camera_that_is_not_there_yet_is_told_and_nothing_is_noted(studio: Studio) -> None:
    at_us = studio.bench.clock.now_us()
    studio.desk.report(o.DeviceOffline(device="camera", at_us=at_us, reason="unplugged"))
    studio.desk.flush()
    assert studio.refused("open", kind="calibrate") == "refused.bench_starting"
    assert studio.notes() == []


def test_the_other_page_waits_until_the_camera_has_begun_anew(studio: Studio) -> None:
    studio.do("open", kind="calibrate")
    assert studio.refused("open", kind="enrol") == "refused.bench_starting"
    assert studio.refused("open", kind="enrol") == "refused.bench_starting"
    studio.come()
    assert studio.do("open", kind="enrol")["word"] == "open"


def test_a_bench_that_does_not_open_leaves_the_table_free(studio: Studio) -> None:
    studio.camera.answers["open"] = BenchRefused("set `deck`", "refused.no_deck_file")
    assert studio.refused("open", kind="enrol") == "refused.no_deck_file"
    studio.come()
    assert studio.bench.ask(c.OpenTable(), SUPERVISOR).status == "done"


def test_a_camera_that_lost_its_session_ends_it_here_too(studio: Studio) -> None:
    studio.do("open", kind="calibrate")
    studio.camera.answers["look"] = BenchRefused("it began anew", "refused.bench_closed")
    assert studio.refused("look") == "refused.bench_closed"
    assert studio.benches.opened("ba1") is None
    assert [what for what, _ in studio.notes()] == ["setup_began", "setup_ended"]


def test_a_refusal_of_the_session_keeps_its_values_and_changes_nothing(studio: Studio) -> None:
    studio.do("open", kind="calibrate")
    studio.camera.answers["zone"] = BenchRefused("no zone X", "calibrate.no_zone", {"zone": "X"})
    with pytest.raises(Refused) as no:
        studio.do("zone", id="X")
    assert (no.value.code, no.value.values) == ("calibrate.no_zone", {"zone": "X"})
    assert studio.do("look")["word"] == "look"


def test_a_camera_without_a_bench_is_told(studio: Studio) -> None:
    class Plain:
        name = "camera"

        def picture(self) -> bytes | None:
            return None

    plain = Studio(Plain())
    assert not plain.benches.has("ba1")
    assert plain.refused("open", kind="calibrate") == "refused.no_bench"


def test_a_kind_that_does_not_exist_is_refused_by_the_table(studio: Studio) -> None:
    assert studio.refused("open", kind="polish") == "refused.bench_closed"
