"""A calibration, step by step: words and a frame in, the whole state out. No threads, no camera.

The page of the studio engineer and the command line drive the same class. Each call gives the whole
state, so a page draws what it gets and keeps nothing.

Words
-----
A refused word raises `CalibrationRefused` (a ValueError, with `.sentence`) and changes nothing. All
others answer with the state. Points are [x, y]; `px` are pixels of the frame, `mm` millimetres on
the felt.

``look`` {}
    Look at the frame, as often as there are new ones (2 to 5 times a second). In step lens a board
    that is held still is taken as a view by itself; in step plane the markers are measured again;
    in step try the cards are read.
``step`` {"step": "camera" | "lens" | "plane" | "zones" | "try"}
    Go to a step. A step that needs an earlier one says so in its sentence.
``lens_again`` {} · ``lens_skip`` {}
    Forget the views · do without a lens model (its sentence says what that costs).
``keep_lens`` {}
    Keep the lens by itself, beside the layout file, for a camera that is not mounted yet.
``plane`` {"points": [{"name", "px", "mm"}], "places": {"3": mm}, "distances": [["1", "3", 812.0]]}
    Measure the plane anew from this frame ("New picture"). All fields may be missing: markers that
    lie anywhere suffice once the lens is known. What is given stays until it is given again.
``plan`` {"by_mm": [dx, dy], "turn_deg": d}
    Move or turn all zones at once (both may be missing); 180 for a dealer at the lower edge.
``zone`` {"id": "R", "handle": 0-7 or missing, "to_px": [x, y] or "by_mm": [dx, dy]}
    Move one handle of a zone, or the whole zone; or give its outline as {"id", "polygon_mm"}.
    Handles 0-3 are its corners, clockwise from the upper left; 4-7 the middles of its sides, from
    the upper one. With ``to_px`` and no handle the zone's middle goes there. It becomes the chosen
    zone, counts as placed, and must be tried again.
``choose`` {"id": "R"}
    Choose a zone: its figures are shown.
``place`` {"id": "R"} or {}
    This zone fits as it lies, or all do.
``undo`` {}
    Take the last change back (one view, one measurement, one move).
``save`` {"untried": false}
    Keep the layout as the next version. Refused with what is missing; with ``untried`` a zone in
    which no card was read does not stand in the way.
``take_back`` {"version": 5}
    Put an old version in force again, as the next version.
``state`` {} · nothing but the state, with what was kept last as ``saved``.
``print`` {"what": "markers" | "board", "paper": "a4" | "a3" | "letter"}
    Answers {"name": "…pdf", "type": "application/pdf", "base64": "…"} only.

The state
---------
Each SENTENCE is {"code", "values", "text"}: `vision.calibration.words.TEXTS` has all codes. ::

  {"game": "baccarat", "step": "zones", "version": 6, "versions": [4, 5, 6], "undo": true,
   "steps": [{"id": "camera", "done": true, "figure": "1920 × 1080", "sentence": SENTENCE,
              "count": [1, 1]},          # what is done of what is wanted
             … "lens" "plane" "zones" "try"],
   "lens": {"views": 12, "wanted": 10, "rms_px": 0.21 | null, "limit_px": 0.8,
            "skipped": false, "kept": false,
            "parts": [[2, 1, 0], …],     # views in each ninth of the picture, row by row
            "board": [px, …],            # corners of the board in this frame
            "sentence": SENTENCE},       # what is wrong with the view in this frame, or "taken"
   "plane": {"markers": [{"name": "1", "px": px, "quad": [px × 4], "mm": 0.31 | null}],
             "points": [{"name", "px", "at_mm", "mm": 0.4 | null}],
             "residual_mm": 0.49 | null, "worst": "3", "limit_mm": 1.0},
   "zones": [{"id": "R", "slots": 3, "placed": true, "tried": false, "chosen": true,
              "polygon_mm": [mm × 4], "polygon_px": [px × 4],
              "outline_px": [px …],      # closed, follows the lens
              "handles_px": [px × 8], "size_mm": [390, 300], "card_px": 92.1, "wanted_px": 64,
              "fault": SENTENCE | null}],
   "cards": [{"card": "7S", "sure": true, "zone": "M", "quad": [px × 4]}],
   "verdict": {"word": "begin" | "almost" | "good" | "bad",
               "sentences": [SENTENCE, …]},   # first the word itself
   "save": {"allowed": false, "version": 7, "missing": [SENTENCE, …]},
   "saved": {"version": 7, "file": "layout.json", "sha256": "…"} | null,   # by this call
   "warnings": [SENTENCE, …]}
"""

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.calibration import answers, look, parse, store
from vision.calibration import lens as optics
from vision.calibration import zones as felt
from vision.calibration.detect import (
    BoardView,
    find_board,
    find_markers,
    judge_picture,
)
from vision.calibration.knock import WANTED
from vision.calibration.look import LooksForCards
from vision.calibration.words import Sentence, refuse, say
from vision.calibration.work import (
    LensBy,
    Step,
    Work,
    lens_sentence,
    plane_known,
)
from vision.layout import LayoutError, Zone
from vision.locate import Image

UNDOS: Final = 60
"""So many changes can be taken back."""


class Calibration:
    """One calibration of one camera; see the top of this module for its words."""

    def __init__(
        self, game: str, file: Path | None = None, cards: LooksForCards | None = None
    ) -> None:
        """Begin, with what the layout in force knows where there is one.

        Raises:
            CalibrationRefused: if there is no plan for the game, or the file is another game's.
        """
        if game not in felt.PLANS:
            raise refuse("no_game", game=game, games=" ".join(felt.PLANS))
        self._file = file
        self._cards = cards
        self._work = Work(game=game)
        self._step = Step.CAMERA
        self._past: list[tuple[Work, Step]] = []
        self._camera = say("camera_none")
        self._view = say("board_none")
        self._last: BoardView | None = None
        self._board = np.zeros((0, 2))
        self._frame: Image | None = None
        self._empty: Image | None = None
        """The frame by which the plane was measured last: the felt, with nothing but markers."""
        self._warnings: list[Sentence] = []
        self._saved: dict[str, Any] | None = None
        self._words: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "look": self._look,
            "step": self._go,
            "lens_again": self._lens_again,
            "lens_skip": self._lens_skip,
            "plane": self._measure_anew,
            "plan": self._plan,
            "zone": self._zone,
            "choose": self._choose,
            "place": self._place,
            "undo": self._undo,
        }
        if file is not None:
            self._take_over(file)

    @property
    def work(self) -> Work:
        """What has been measured so far."""
        return self._work

    def do(self, word: str, given: Mapping[str, Any], frame: Image | None) -> dict[str, Any]:
        """Do one thing with the newest frame; the whole state, of JSON values.

        Raises:
            CalibrationRefused: with one sentence that says what to do; nothing was changed.
        """
        if word == "print":
            return parse.to_print(given)
        if frame is not None:
            self._see(frame, fresh=word == "lens_again")
        keeps = {"save": self._save, "keep_lens": self._keep_lens, "take_back": self._take_back}
        self._saved = keeps[word](given) if word in keeps else self._saved
        if word == "state" or word in keeps:
            return {**self._state(), "saved": self._saved}
        act = self._words.get(word)
        if act is None:
            raise refuse("no_word", word=word[:30])
        act(given)
        return self._state()

    # -- what a frame shows ------------------------------------------------------------------------

    def _see(self, frame: Image, *, fresh: bool) -> None:
        """Take the newest frame."""
        size = (frame.shape[1], frame.shape[0])
        known = self._work.size
        if known is not None and known != size and not fresh:
            raise refuse("other_size", width=size[0], height=size[1], wide=known[0], high=known[1])
        if known != size:
            self._work = replace(self._work, size=size)
        self._frame = frame
        self._camera = judge_picture(frame)

    def _look(self, given: Mapping[str, Any]) -> None:  # noqa: ARG002  the word has no fields
        if self._frame is None:
            return
        match self._step:
            case Step.LENS:
                self._look_for_board(self._frame)
            case Step.PLANE:
                self._look_for_markers(self._frame)
            case Step.ZONES | Step.TRY if not self._work.zones:  # the markers were hidden
                self._look_for_markers(self._frame)
                self._lay_out()
            case Step.TRY:
                self._look_for_cards(self._frame)

    def _look_for_board(self, frame: Image) -> None:
        """Take a view of the board once it is held still in a new place."""
        seen = find_board(frame)
        before, self._last = self._last, None
        if isinstance(seen, Sentence):
            self._view, self._board = seen, np.zeros((0, 2))
            return
        self._last, self._board = seen, seen.corners
        width = frame.shape[1]
        work = self._work
        if any(optics.alike(each, seen, optics.ALIKE * width) for each in work.views):
            self._view = say("board_same")
        elif before is None or not optics.alike(before, seen, max(1.0, optics.STILL * width)):
            self._view = say("board_moving")
        elif len(work.views) < optics.MOST_VIEWS:
            self._remember()
            self._work = look.with_view(self._work, seen)
            self._view = say("board_taken")

    def _look_for_markers(self, frame: Image) -> None:
        """Average the markers over some looks, and measure the plane by them."""
        seen = find_markers(frame)
        if isinstance(seen, Sentence):
            self._work = replace(self._work, markers=(), looks=0, plane=None, plane_fault=seen)
            return
        work = look.with_markers(self._work, seen)
        if work is not None:
            self._empty = frame
            self._work = work

    def _look_for_cards(self, frame: Image) -> None:
        """Read what lies in the zones."""
        layout = self._work.layout()
        if layout is None or self._cards is None or not self._work.zones:
            return
        cards = tuple(self._cards(frame, layout))
        read = {card.zone for card in cards if card.sure}
        self._work = replace(self._work, cards=cards, tried=self._work.tried | read)

    # -- words -------------------------------------------------------------------------------------

    def _go(self, given: Mapping[str, Any]) -> None:
        """Go to a step; the first time that zones are due they are laid out."""
        name = str(given.get("step"))
        if name not in {each.value for each in Step}:
            raise refuse("bad_value", field="step", what=" or ".join(each.value for each in Step))
        self._step = Step(name)
        self._last = None
        if self._step is not Step.TRY:
            self._work = replace(self._work, cards=())
        if self._step in {Step.ZONES, Step.TRY}:
            self._lay_out()
        self._look({})

    def _lay_out(self) -> None:
        """Place the game's plan in the middle of what was measured."""
        work = self._work
        if work.zones or not plane_known(work) or work.plane is None:
            return
        middles = np.asarray([each.at_mm for each in work.plane.things])
        middle = (middles.min(axis=0) + middles.max(axis=0)) / 2
        zones = felt.plan(work.game, (float(middle[0]), float(middle[1])))
        self._work = replace(work, zones=zones, chosen=zones[0].id)

    def _lens_again(self, given: Mapping[str, Any]) -> None:  # noqa: ARG002
        self._remember()
        self._last = None
        self._work = look.measured(
            replace(self._work, views=(), found=None, lens=None, lens_by=LensBy.NOTHING)
        )

    def _lens_skip(self, given: Mapping[str, Any]) -> None:  # noqa: ARG002
        self._remember()
        self._work = look.measured(
            replace(self._work, found=None, lens=None, lens_by=LensBy.SKIPPED)
        )

    def _measure_anew(self, given: Mapping[str, Any]) -> None:
        """Measure the plane by this frame and what is given."""
        frame = self._needed()
        changes: dict[str, Any] = {}
        if "points" in given:
            changes["clicks"] = tuple(
                parse.click(each, frame) for each in parse.the_list(given, "points")
            )
            names = [each.name for each in changes["clicks"]]
            if len(set(names)) < len(names):
                raise refuse("bad_value", field="points", what="points with different names")
            parse.inside(changes["clicks"], frame)
        if "places" in given:
            places = given["places"]
            if not isinstance(places, Mapping):
                raise refuse("bad_value", field="places", what="places by marker")
            changes["places"] = tuple(
                (str(name), parse.pair(at, "places")) for name, at in places.items()
            )
            changes["old"] = ()
        if "distances" in given:
            changes["distances"] = tuple(
                parse.distance(each) for each in parse.the_list(given, "distances")
            )
        self._remember()
        self._work = replace(self._work, markers=(), looks=0, **changes)
        self._look_for_markers(frame)

    def _plan(self, given: Mapping[str, Any]) -> None:
        """Move or turn all zones."""
        if not self._work.zones:
            raise refuse("zones_plane_first")
        by = parse.pair(given.get("by_mm", (0.0, 0.0)), "by_mm")
        turn = parse.number(given.get("turn_deg", 0.0), "turn_deg", 360)
        self._remember()
        points = np.vstack([np.asarray(zone.polygon_mm) for zone in self._work.zones])
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        zones = tuple(
            felt.moved_by(felt.turned_about(zone, middle, turn), by) for zone in self._work.zones
        )
        self._work = replace(self._work, zones=zones, placed=frozenset(), tried=frozenset())

    def _zone(self, given: Mapping[str, Any]) -> None:
        """Move a handle of a zone, or all of it."""
        zone = self._known(given)
        layout = self._work.layout()
        if layout is None:
            raise refuse("zones_plane_first")
        handle = given.get("handle")
        if handle is not None and (isinstance(handle, bool) or not isinstance(handle, int)):
            raise refuse("bad_value", field="handle", what="a number from 0 to 7")
        if "polygon_mm" in given:
            self._set_zone(parse.zone(zone, given["polygon_mm"]))
            return
        if "to_px" in given:
            to = layout.to_mm([parse.pair(given["to_px"], "to_px")])[0]
            spots = felt.handles(zone)
            if handle is None:
                begun = np.asarray(zone.polygon_mm).mean(axis=0)
            elif 0 <= handle < len(spots):
                begun = spots[handle]
            else:
                raise refuse("bad_value", field="handle", what="a number from 0 to 7")
            by = (float(to[0] - begun[0]), float(to[1] - begun[1]))
        else:
            by = parse.pair(given.get("by_mm"), "by_mm")
        if not all(math.isfinite(each) and abs(each) < parse.FAR_MM for each in by):
            raise refuse("bad_value", field="to_px", what="a place on the felt")
        try:
            moved = felt.moved_by(zone, by) if handle is None else felt.pulled(zone, handle, by)
        except IndexError:
            raise refuse("bad_value", field="handle", what="a number from 0 to 7") from None
        self._set_zone(moved)

    def _set_zone(self, zone: Zone) -> None:
        """A zone lies elsewhere now."""
        self._remember()
        zones = tuple(zone if each.id == zone.id else each for each in self._work.zones)
        self._work = replace(
            self._work,
            zones=zones,
            placed=self._work.placed | {zone.id},
            tried=self._work.tried - {zone.id},
            chosen=zone.id,
        )

    def _choose(self, given: Mapping[str, Any]) -> None:
        self._work = replace(self._work, chosen=self._known(given).id)

    def _place(self, given: Mapping[str, Any]) -> None:
        """These zones fit as they lie."""
        if not self._work.zones:
            raise refuse("zones_plane_first")
        names = (
            {self._known(given).id} if given.get("id") else {zone.id for zone in self._work.zones}
        )
        self._remember()
        placed = self._work.placed | names
        left = [zone.id for zone in self._work.zones if zone.id not in placed]
        chosen = left[0] if left else self._work.chosen
        self._work = replace(self._work, placed=placed, chosen=chosen)

    def _undo(self, given: Mapping[str, Any]) -> None:  # noqa: ARG002
        if not self._past:
            raise refuse("no_undo")
        size = self._work.size
        work, self._step = self._past.pop()
        self._work = replace(work, size=size, version=self._work.version)

    def _save(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Keep the layout as the next version."""
        work = self._work
        layout = work.layout()
        faults = {} if layout is None else {z.id: felt.fault(layout, z) for z in work.zones}
        lacks = answers.missing(work, faults, layout)
        if given.get("untried") is True:
            lacks = [each for each in lacks if each.code != "save_try"]
        if lacks or layout is None:
            raise refuse("not_saved", what=", ".join(each.text for each in lacks))
        if self._file is None:
            raise refuse("no_file")
        image = self._empty if self._empty is not None else self._frame
        if image is not None:
            layout = look.watched(work, layout, image)
        few = len(layout.watch) < WANTED
        self._warnings = [say("watch_few", count=len(layout.watch))] if few else []
        return self._kept(store.keep(layout, self._file))

    def _keep_lens(self, given: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        work = self._work
        good = work.lens_by is LensBy.VIEWS and work.lens_known
        if not good or work.lens is None or work.found is None or work.size is None:
            raise refuse("no_lens", what=lens_sentence(work).text)
        if self._file is None:
            raise refuse("no_file")
        file = store.keep_lens(self._file, work.lens, work.size, work.found.rms_px)
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        return {"version": work.version, "file": file.name, "sha256": digest}

    def _take_back(self, given: Mapping[str, Any]) -> dict[str, Any]:
        version = given.get("version")
        if isinstance(version, bool) or not isinstance(version, int):
            raise refuse("bad_value", field="version", what="a number")
        if self._file is None:
            raise refuse("no_file")
        kept = store.take_back(self._file, version, self._work.game)
        self._take_over(self._file)
        return self._kept(kept)

    def _kept(self, kept: store.Kept) -> dict[str, Any]:
        self._work = replace(self._work, version=kept.version)
        return {"version": kept.version, "file": kept.file.name, "sha256": kept.sha256}

    # -- inside ------------------------------------------------------------------------------------

    def _take_over(self, file: Path) -> None:
        """Begin with what the layout in force knows: lens, zones, and where the markers lay."""
        known = store.versions(file)
        try:
            old = store.in_force(file)
        except LayoutError as error:
            # It is set aside when the next one is kept; what it says is told.
            self._warnings = [say("old_unfit", why=str(error))]
            old = None
        self._work = replace(self._work, version=max(known, default=0))
        lens = store.kept_lens(file)
        if old is None:
            if lens is not None:
                self._work = replace(self._work, lens=lens[0], size=lens[1], lens_by=LensBy.FILE)
            return
        if old.game != self._work.game:
            raise refuse("other_game", file=file.name, old=old.game, game=self._work.game)
        self._work = replace(
            self._work,
            size=old.image,
            lens=old.lens,
            lens_by=LensBy.NOTHING if old.lens is None else LensBy.KEPT,
            views=(),
            found=None,
            old=old.markers,
            zones=old.zones,
            chosen=old.zones[0].id,
            placed=frozenset(),
            tried=frozenset(),
            plane=None,
            plane_fault=None,
            version=max(known, default=0),
        )
        if lens is not None and lens[1] == old.image:
            self._work = replace(self._work, lens=lens[0], lens_by=LensBy.FILE)

    def _remember(self) -> None:
        """Keep this moment to be taken back to."""
        self._past = [*self._past[1 - UNDOS :], (self._work, self._step)]

    def _needed(self) -> Image:
        if self._frame is None:
            raise refuse("no_frame")
        return self._frame

    def _known(self, given: Mapping[str, Any]) -> Zone:
        name = given.get("id")
        for zone in self._work.zones:
            if zone.id == name:
                return zone
        if not self._work.zones or self._work.layout() is None:
            raise refuse("zones_plane_first")
        names = " ".join(zone.id for zone in self._work.zones)
        raise refuse("no_zone", zone=str(name)[:20], zones=names)

    def _state(self) -> dict[str, Any]:
        versions = [] if self._file is None else list(store.versions(self._file))
        return {
            **answers.state(self._work, self._step, self._camera, self._view, self._board),
            "versions": versions,
            "undo": bool(self._past),
            "warnings": [each.body() for each in self._warnings],
        }
