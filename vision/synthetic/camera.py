"""The synthetic camera as the studio sees it: a camera and the stage for a simulated dealer."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from studio.live.ports import CameraOptions, Clock
from vision.camera import ProcessCamera
from vision.layout import Layout, load_layout
from vision.synthetic.felts import ground_of
from vision.synthetic.world import FAULTS, World
from vision.worker import Job

FRAMES_TO_SETTLE: Final = 6
"""After a change by the dealer's hand the report of a card that is read well has been given once
so many frames passed: two with the hand, one that differs, two at rest, one in reserve."""
FRAMES_TO_ASK: Final = 24
"""The same for a card that cannot be read."""
FRAMES_TO_UNFIT: Final = 24
"""A fault of the camera, or its end, has been told once so many frames passed."""
IN_THE_PICTURE: Final = frozenset({"frozen", "lost", "dark", "knocked", "blur"})
"""Faults that the picture itself shows."""


class SyntheticCamera(ProcessCamera):
    """Renders a table in its child process; the world itself is kept here and outlives it."""

    synthetic = True

    def __init__(self, name: str, options: CameraOptions, clock: Clock, layout: Layout) -> None:
        super().__init__(name, options, clock, layout)
        self._world = World(options.seed, ground_of(layout.game))
        self._last_zone = layout.zones[0].id

    def lay(self, zone: str, code: str, *, face_up: bool = True, sideways: bool = False) -> None:
        """Lay a card on the next free place of a zone; ``CUT`` lays the cut card.

        Raises:
            ValueError: if the zone or the code does not exist or no place is free.
        """
        with self._lock:
            card = self._world.lay(zone, code, face_up=face_up, sideways=sideways)
            self._last_zone = card.zone
        self._tell("put", card)

    def turn(self, zone: str, index: int) -> None:
        """Turn the card at this place of the zone.

        Raises:
            ValueError: if there is none.
        """
        with self._lock:
            card = self._world.turn(zone, index)
        self._tell("put", card)

    def take(self, zone: str, index: int) -> None:
        """Take one card away.

        Raises:
            ValueError: if there is none.
        """
        with self._lock:
            card = self._world.take(zone, index)
        self._tell("remove", [card.key])

    def count(self, zone: str) -> int:
        """How many cards lie in a zone.

        Raises:
            LayoutError: for a zone that the felt does not have.
        """
        with self._lock:
            return len(self._world.in_zone(zone))

    def clear(self, zone: str) -> None:
        """Take all cards of a zone away.

        Raises:
            ValueError: if the felt has no such zone.
        """
        with self._lock:
            cards = self._world.clear(zone)
        if cards:
            self._tell("remove", [card.key for card in cards])

    def hand(self, zone: str | None) -> None:
        """Hold a hand over a zone, or take it away (None).

        Raises:
            ValueError: if the felt has no such zone.
        """
        if zone is not None:
            self._layout.zone(zone)
        with self._lock:
            self._world.held = zone
        self._tell("hold", zone)

    def switch(self, fault: str, *, on: bool = True) -> None:
        """Switch a camera fault of CONTRACTS.md 3 on or off.

        `unsure` and `wrong_zone` strike the next card that can show them and are then off again.

        Raises:
            ValueError: if the fault is not one of the camera's.
        """
        if fault not in FAULTS:
            raise ValueError(f"a camera has no fault {fault!r}: it has {' '.join(FAULTS)}")
        with self._lock:
            if on:
                self._world.faults.add(fault)
            else:
                self._world.faults.discard(fault)
            shown = frozenset(self._world.faults & IN_THE_PICTURE)
        if fault == "hand":
            self.hand(self._last_zone if on else None)
        elif fault in IN_THE_PICTURE:
            self._tell("faults", shown)

    def step(self, frames: int) -> None:
        """Let so many frames be rendered, encoded, decoded and looked at; then return.

        All that the camera reported in them has been given to `report` by then. If the camera's
        process fails meanwhile, the next one passes them all.
        """
        self._tell("step", frames, again=True)

    def _job(self) -> Job:
        """What a new child must know, with all that lies on the table."""
        return replace(
            super()._job(),
            world=tuple(self._world.cards.values()),
            faults=frozenset(self._world.faults & IN_THE_PICTURE),
            held=self._world.held,
        )


def open_synthetic(name: str, options: CameraOptions, clock: Clock) -> SyntheticCamera:
    """Make the synthetic camera of a table; it is not started yet.

    Raises:
        ValueError: if the layout cannot be used or the game has no synthetic felt.
    """
    layout = (
        load_layout(options.layout)
        if options.layout is not None and options.layout.exists()
        else ground_of(options.game).layout
    )
    return SyntheticCamera(name, options, clock, layout)


def look_synthetic(source: str, settings: Mapping[str, Any] | None = None) -> str:
    """Say what a synthetic source is; it has no settings."""
    del settings
    return f"{source} is a rendered table; it needs no device"
