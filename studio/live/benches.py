"""The benches of all tables: an engineer sets a camera up while its table does not deal.

Who may do it, and when, is looked at here and by the table itself; what is done stays between the
page and the camera. The journal has who began, what was kept with its SHA-256, and the end.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import TimeoutError as StillWaiting
from dataclasses import dataclass, replace
from typing import Any, Final

from studio.domain import commands as c
from studio.domain.envelope import Actor, ActorKind
from studio.live.accounts import Person, SignedIn
from studio.live.answers import Answer
from studio.live.desk import Desk
from studio.live.means import BUSY, BUSY_TEXT, SYSTEM
from studio.live.ports import BenchRefused, HasBench
from studio.live.rights import may
from studio.table.state import ANEW

log = logging.getLogger("cutcard.benches")

OPEN, CLOSE, STATE = "open", "close", "state"
SLOW: Final = "refused.bench_slow"
IDLE_US: Final = 20_000_000
"""A page that was left says nothing for so long: what it had open ends, and the table may deal."""
ANSWER_S: Final = 5.0
RIGHT: Final = "SetUpCamera"
TEXTS: Final = {
    "refused.no_right": "the role {role} may not set a camera up: ask an engineer",
    "refused.no_bench": "this table has no camera that can be set up: see its configuration",
    "refused.setup_in_round": "a round or a shoe procedure is open: wait for its end, or close the"
    " table",
    "refused.setup_open": "{name} sets this camera up now: let them save and leave first",
    "refused.bench_starting": "the camera is not there yet: it takes some seconds to start, or its"
    " cable and its source want to be looked at",
    "refused.setup_elsewhere": "you went on with this in another window: work there, or load this"
    " page again",
    SLOW: "the camera did not answer in time: try again",
    "refused.bench_closed": "this was ended, as nobody was at the page: begin again",
}
"""English of the refusals, by their codes."""


class Refused(c.Rejected):
    """A word at a bench that is not done, with what its sentence is filled with."""

    def __init__(
        self, code: str, text: str = "", values: Mapping[str, str | int | float] | None = None
    ) -> None:
        """Keep the code, the sentence and its values."""
        self.values = dict(values or {})
        super().__init__(code, text or TEXTS.get(code, "").format(**self.values))


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What is open at one bench, and for which page of whom."""

    kind: str
    number: str
    name: str
    page: str
    heard_us: int
    kept: str = ""
    """SHA-256 of what was kept last: an answer that says so again is the same fact."""
    owed: tuple[c.SetUpCamera, c.Asker] | None = None
    """What was kept, by whom, and is not in the journal yet, as the table was too busy."""
    unanswered: c.Asker | None = None
    """Whose word the camera did not answer in time: it may have kept something all the same."""


def bench_of(desk: Desk) -> HasBench | None:
    """The camera of a table, if it can be set up."""
    camera: object = desk.camera
    return camera if isinstance(camera, HasBench) else None


def named(saved: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    """What a session kept, in words: its file, and its version where it has one."""
    name = str(saved.get("file") or answer.get("file") or "")
    return f"{name} version {saved['version']}" if "version" in saved else name


class Benches:
    """The benches of a studio's cameras. Every method may be called from any thread."""

    def __init__(self, monotonic_us: Callable[[], int]) -> None:
        """Take the clock by which a page counts as left."""
        self._monotonic_us = monotonic_us
        self._desks: dict[str, Desk] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._opened: dict[str, Opened] = {}
        self._ending: threading.Thread | None = None

    def seat(self, desks: Sequence[Desk]) -> None:
        """Take over the tables of a start."""
        self._desks = {desk.name: desk for desk in desks}
        self._locks = {desk.name: threading.Lock() for desk in desks}
        self._opened.clear()

    def opened(self, table: str) -> Opened | None:
        """What is open at this table's camera now."""
        return self._opened.get(table)

    def has(self, table: str) -> bool:
        """Whether this table's camera can be set up at all."""
        return bench_of(self._desks[table]) is not None

    def live(self, table: str) -> tuple[int, bytes] | None:
        """(age in microseconds, JPEG) of the camera's newest frame; None where there is none.

        There is none either while nobody sets the camera up: a page that was left open does not
        look on in a round.
        """
        desk = self._desks[table]
        camera = bench_of(desk)
        found = camera.live() if camera is not None and table in self._opened else None
        return None if found is None else (max(0, desk.runner.now_us() - found[0]), found[1])

    def do(
        self,
        table: str,
        word: str,
        given: Mapping[str, Any],
        *,
        person: SignedIn | Person,
        page: str,
    ) -> dict[str, Any]:
        """Do one thing at the bench of a table's camera; see `HasBench.bench` for the words.

        The answer is the session's, with how the table stands: ``{"table": {"state": …}}``.

        `page` names the window that asks: a person works in one of them at a time.

        Raises:
            Refused: with one sentence that says what to do.
        """
        session = person.session if isinstance(person, SignedIn) else ""
        person = person.person if isinstance(person, SignedIn) else person
        if not may(person.role, RIGHT):
            raise Refused("refused.no_right", values={"role": str(person.role)})
        desk = self._desks[table]
        camera = bench_of(desk)
        if camera is None:
            raise Refused("refused.no_bench")
        by = c.Asker(number=person.number, name=person.name, role=str(person.role), session=session)
        lock = self._locks[table]
        # A session that hangs keeps one thread of the server, not one for each word that follows.
        if not lock.acquire(timeout=ANSWER_S):
            raise Refused(SLOW)
        try:
            if word == OPEN:
                answer = self._open(desk, camera, str(given.get("kind", "")), by, page)
            else:
                self._mine(table, by, page)
                if word == CLOSE:
                    self._close(desk, by)
                    return {}
                answer = self._go_on(desk, camera, word, given, by)
        finally:
            lock.release()
        return {**answer, "table": {"state": desk.table().state}}

    def look_after(self) -> None:
        """End what pages have left open, in a thread of its own: a camera may be slow to answer.

        Whoever calls this has the screens of all tables to look after, too.
        """
        if self._ending is None or not self._ending.is_alive():
            self._ending = threading.Thread(target=self.end_left, name="benches", daemon=True)
            self._ending.start()

    def end_left(self) -> None:
        """End what pages have left open, and what a table still has and no page any more."""
        for table, desk in list(self._desks.items()):
            lock = self._locks[table]
            if self._is_left(desk) and lock.acquire(blocking=False):
                try:
                    if self._is_left(desk):  # a page may have spoken just now
                        log.info("the bench of table %s was left by its page and is closed", table)
                        self._close(desk, None)
                except Exception:  # one camera never keeps the others from being looked after
                    log.exception("the bench of table %s could not be closed", table)
                finally:
                    lock.release()

    def _is_left(self, desk: Desk) -> bool:
        """Whether nobody is at what is open there.

        A table that was too busy to answer may have noted a beginning that its page was refused,
        or have missed an end.
        """
        opened = self._opened.get(desk.name)
        if opened is not None:
            return self._monotonic_us() - opened.heard_us >= IDLE_US
        if bench_of(desk) is None:
            return False
        return desk.table().device(desk.setup.camera).setup not in {"", ANEW}

    # -- with the table's lock ---------------------------------------------------------------------

    def _open(
        self, desk: Desk, camera: HasBench, kind: str, by: c.Asker, page: str
    ) -> dict[str, Any]:
        """Begin, or go on in another window of the same person."""
        opened = self._opened.get(desk.name)
        if opened is not None and opened.number != by.number:
            raise Refused("refused.setup_open", values={"name": opened.name})
        if opened is not None and opened.kind != kind:
            self._close(desk, by)
            raise Refused("refused.bench_starting")
        known = desk.table().device(desk.setup.camera)
        if opened is None and (not known.online or known.setup == ANEW):
            raise Refused("refused.bench_starting")
        if opened is None:
            self._ask(desk, c.SetUpCamera(act="begin", kind=kind), by)
        now_us = self._monotonic_us()
        mine = Opened(kind=kind, number=by.number, name=by.name, page=page, heard_us=now_us)
        self._opened[desk.name] = (
            mine if opened is None else replace(opened, page=page, heard_us=now_us)
        )
        try:
            answer = dict(camera.bench(OPEN, {"kind": kind}))
        except BenchRefused as no:
            self._close(desk, by)
            raise Refused(no.code, no.text, no.values) from None
        saved = answer.get("saved")
        if opened is None and isinstance(saved, Mapping):
            # A deck of an earlier day: somebody else kept it.
            self._opened[desk.name] = replace(mine, kept=str(saved.get("sha256", "")))
        return answer

    def _go_on(
        self, desk: Desk, camera: HasBench, word: str, given: Mapping[str, Any], by: c.Asker
    ) -> dict[str, Any]:
        """A word of the session's own; what it kept goes into the journal."""
        opened = self._opened[desk.name]
        self._opened[desk.name] = replace(opened, heard_us=self._monotonic_us())
        try:
            answer = dict(camera.bench(word, given))
        except BenchRefused as no:
            if no.code == "refused.bench_closed":
                self._close(desk, by)
            if no.code == SLOW:
                self._opened[desk.name] = replace(self._opened[desk.name], unanswered=by)
            raise Refused(no.code, no.text, no.values) from None
        self._owe_kept(desk, answer, by)
        self._ask_what_was_kept(desk)
        self._note_kept(desk)
        return answer

    def _owe_kept(self, desk: Desk, answer: Mapping[str, Any], by: c.Asker) -> None:
        """Remember what an answer says was kept, for the journal."""
        opened, saved = self._opened[desk.name], answer.get("saved")
        if isinstance(saved, Mapping) and saved.get("sha256") != opened.kept:
            name, digest = named(saved, answer), str(saved.get("sha256", ""))
            owed = (c.SetUpCamera(act="keep", name=name, digest=digest), by)
            self._opened[desk.name] = replace(opened, kept=digest, owed=owed)

    def _ask_what_was_kept(self, desk: Desk) -> None:
        """Ask what a word that took too long has done: only its own answer would have told it."""
        camera, by = bench_of(desk), self._opened[desk.name].unanswered
        if camera is None or by is None:
            return
        self._opened[desk.name] = replace(self._opened[desk.name], unanswered=None)
        try:
            self._owe_kept(desk, camera.bench(STATE, {}), by)
        except BenchRefused as no:
            log.warning("what the bench of table %s kept is not known: %s", desk.name, no)

    def _note_kept(self, desk: Desk) -> None:
        """Let the journal have what was kept and is not there yet.

        Raises:
            Refused: if the table is too busy; the next word tries again, and so does the end.
        """
        opened = self._opened[desk.name]
        if opened.owed is not None:
            self._ask(desk, *opened.owed)
            self._opened[desk.name] = replace(opened, owed=None)

    def _mine(self, table: str, by: c.Asker, page: str) -> None:
        opened = self._opened.get(table)
        if opened is None:
            raise Refused("refused.bench_closed")
        if opened.number != by.number:
            raise Refused("refused.setup_open", values={"name": opened.name})
        if opened.page != page:
            raise Refused("refused.setup_elsewhere")

    def _close(self, desk: Desk, by: c.Asker | None) -> None:
        """End what is open; the camera begins anew with what was kept.

        The table hears of it first: it waits for a camera that comes after that.
        """
        opened = self._opened.get(desk.name)
        try:
            if opened is not None:
                self._ask_what_was_kept(desk)
                self._note_kept(desk)
        except c.Rejected as no:
            log.warning("table %s did not note %s: %s", desk.name, opened and opened.owed, no.text)
        self._opened.pop(desk.name, None)
        try:
            self._ask(desk, c.SetUpCamera(act="end"), by)
        except c.Rejected as no:
            log.warning("the bench of table %s: %s", desk.name, no.text)
            if opened is None:
                return  # no session to end, and the table is asked again
        camera = bench_of(desk)
        if camera is not None:
            try:
                camera.bench(CLOSE, {})
            except BenchRefused as no:
                log.warning("the bench of table %s: %s", desk.name, no.text)

    def _ask(self, desk: Desk, command: c.SetUpCamera, by: c.Asker | None) -> None:
        """Let the table note it; None is the studio itself.

        Raises:
            Refused: if the table does not allow it.
        """
        actor = SYSTEM if by is None else Actor(ActorKind.PERSON, by.number, by.role)
        try:
            answer = desk.runner.ask(command, actor, by=by or c.NOBODY).result(ANSWER_S)
        except StillWaiting:
            answer = Answer(status="busy", code=BUSY, text=BUSY_TEXT)
        if answer.status != "done":
            raise Refused(answer.code, TEXTS.get(answer.code, answer.text).format(name=""))
