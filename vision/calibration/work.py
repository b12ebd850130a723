"""What has been measured so far in a calibration, and what is to be said of it. All pure.

`Work` is one moment of a calibration; a change makes a new one, so taking back is easy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from vision.calibration import lens as optics
from vision.calibration import plane as ground
from vision.calibration import zones as felt
from vision.calibration.boards import MARKER_MM
from vision.calibration.detect import BoardView, MarkerView
from vision.calibration.fitting import Known
from vision.calibration.lens import FoundLens
from vision.calibration.plane import Plane
from vision.calibration.words import Sentence, say
from vision.layout import MAX_RESIDUAL_MM, Layout, Lens, Marker, Zone

LEAST_MARKERS: Final = 4
SPAN: Final = 0.35
"""Markers that span less of the picture than this lie close together."""
TAPE_MM: Final = 4.0
TAPE_SHARE: Final = 0.006
"""A measured distance and the picture may differ by the first, or by the second of the distance."""
OLD_MM: Final = 4.0
"""A marker that lies farther from its old place was moved."""
OLD_ENOUGH: Final = 3
"""So many markers in their old places keep the old plan."""
CARD_SHARE: Final = 0.04
"""A card's sides on the felt may differ so much from their true length."""


class Step(StrEnum):
    """The steps of a calibration in their order."""

    CAMERA = "camera"
    LENS = "lens"
    PLANE = "plane"
    ZONES = "zones"
    TRY = "try"


class LensBy(StrEnum):
    """Where the lens model comes from."""

    NOTHING = "nothing"
    VIEWS = "views"
    KEPT = "kept"
    """From the layout in force."""
    FILE = "file"
    """From a file of its own, measured before there was a layout."""
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Click:
    """A point of the felt whose place is known, and where it was clicked."""

    name: str
    px: tuple[float, float]
    mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card that was read in step try."""

    card: str
    sure: bool
    zone: str
    quad: tuple[tuple[float, float], ...]
    whole: bool = True
    """Whether `quad` is the outline of the card, not of an index of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One moment of a calibration."""

    game: str
    size: tuple[int, int] | None = None
    """Of the frames; None before the first."""
    views: tuple[BoardView, ...] = ()
    lens_by: LensBy = LensBy.NOTHING
    lens: Lens | None = None
    found: FoundLens | None = None
    markers: tuple[MarkerView, ...] = ()
    """With their corners averaged over several frames."""
    looks: int = 0
    """Frames over which the markers were averaged."""
    clicks: tuple[Click, ...] = ()
    places: tuple[tuple[str, tuple[float, float]], ...] = ()
    distances: tuple[tuple[str, str, float], ...] = ()
    old: tuple[Marker, ...] = ()
    """Where the markers lay in the version before, while that still counts."""
    plane: Plane | None = None
    moved: tuple[str, float] | None = None
    """The marker that lies farthest from its old place, and how far."""
    plane_fault: Sentence | None = None
    zones: tuple[Zone, ...] = ()
    placed: frozenset[str] = frozenset()
    tried: frozenset[str] = frozenset()
    chosen: str = ""
    cards: tuple[LaidCard, ...] = ()
    version: int = 0
    """The version that is in force."""

    @property
    def lens_known(self) -> bool:
        """Whether the lens step is behind."""
        if self.lens_by is LensBy.VIEWS:
            return self.size is not None and optics.judge(self.views, self.size, self.found)[0]
        return self.lens_by is not LensBy.NOTHING

    def layout(self) -> Layout | None:
        """The layout as it stands; None before the plane was measured."""
        if self.plane is None or self.size is None:
            return None
        return Layout(
            game=self.game,
            image=self.size,
            plane=self.plane.matrix,
            zones=self.zones,
            lens=self.lens,
            residual_mm=round(min(self.plane.residual_mm, MAX_RESIDUAL_MM), 3),
            revision=self.version,
            markers=tuple(
                Marker(int(each.name), (round(each.at_mm[0], 2), round(each.at_mm[1], 2)))
                for each in self.plane.things
                if each.name in {str(seen.number) for seen in self.markers}
            ),
        )


def things(work: Work) -> list[Known]:
    """What the plane is fitted to: the markers that were seen and the points that were clicked."""
    places = dict(work.places)
    if work.lens is None:
        places = {str(each.number): each.at_mm for each in work.old} | places
    seen = [ground.marker(each.number, each.corners, places, MARKER_MM) for each in work.markers]
    return [*seen, *(ground.point(each.name, each.px, each.mm) for each in work.clicks)]


def lens_sentence(work: Work) -> Sentence:
    """What is to be said of the lens."""
    match work.lens_by:
        case LensBy.KEPT:
            return say("lens_kept", version=work.version)
        case LensBy.FILE:
            return say("lens_file")
        case LensBy.SKIPPED:
            return say("lens_skipped")
        case _:
            size = work.size or (1280, 720)
            return optics.judge(work.views, size, work.found)[1]


def unmeasurable(work: Work) -> Sentence | None:
    """Why no plane can be measured by what there is."""
    known = things(work)
    placed = [each for each in known if each.at_mm is not None]
    names = {each.name for each in known}
    taped = [each for each in work.distances if each[0] in names and each[1] in names]
    if not work.lens_known:
        return say("plane_lens_first")
    if not known:
        return say("plane_show")
    if len(known) < LEAST_MARKERS:
        return say("plane_few", count=len(known))
    if work.lens is None and len(placed) < LEAST_MARKERS and len(taped) < LEAST_MARKERS + 1:
        return say("plane_places")
    middles = np.asarray([each.pixels.mean(axis=0) for each in known])
    given = np.asarray([each.at_mm for each in placed], dtype=np.float64).reshape(-1, 2)
    if ground.in_a_line(middles) or (len(placed) == len(known) and ground.in_a_line(given)):
        return say("plane_line")
    if not work.markers and len(work.clicks) == LEAST_MARKERS:
        return say("plane_four")
    if work.size is not None and ground.spread_px(known, work.size) < SPAN:
        return say("plane_narrow")
    return None


def measure(work: Work) -> tuple[Plane | None, tuple[str, float] | None, Sentence | None]:
    """The plane by what there is, the marker that was moved, and what is wrong."""
    why = unmeasurable(work)
    if why is not None:
        return None, None, why
    known = things(work)
    try:
        plane = ground.fit(known, work.lens, work.distances)
    except (ValueError, np.linalg.LinAlgError):
        return None, None, say("plane_narrow")
    if ground.orientation(plane.matrix) <= 0:
        return None, None, _turned(work, known)
    moved = None
    names = {str(each.number) for each in work.markers}
    old = {str(each.number): each.at_mm for each in work.old if str(each.number) in names}
    if len(old) >= OLD_ENOUGH and sum(each.at_mm is not None for each in known) < 2:
        plane, far, name = ground.aligned(plane, old)
        moved = (name, far) if far > OLD_MM else None
    return plane, moved, _plane_fault(work, known, plane, moved)


def _turned(work: Work, known: list[Known]) -> Sentence:
    """Points that go round the wrong way: two exchanged, or all mirrored."""
    swap = ground.exchanged(known, work.lens, MAX_RESIDUAL_MM)
    if swap is not None:
        return say("plane_exchanged", first=swap[0], second=swap[1])
    return say("plane_turned")


def _plane_fault(
    work: Work, known: list[Known], plane: Plane, moved: tuple[str, float] | None
) -> Sentence | None:
    """Why a measured plane is refused."""
    worst = plane.worst
    limit = f"{MAX_RESIDUAL_MM:.2f}"
    if worst.error_mm > MAX_RESIDUAL_MM:
        swap = ground.exchanged(known, work.lens, MAX_RESIDUAL_MM)
        if swap is not None:
            return say("plane_exchanged", first=swap[0], second=swap[1])
        name = ground.culprit(known, work.lens, plane)
        many = sum(each.error_mm > MAX_RESIDUAL_MM for each in plane.things) * 2 > len(known)
        if work.lens is None and many and name is None:
            return say("plane_bad_lens", mm=f"{plane.residual_mm:.2f}", limit=limit)
        beside = next((each for each in plane.things if each.name == name), worst)
        return say("plane_bad", worst=beside.name, mm=f"{beside.error_mm:.2f}", limit=limit)
    for first, second, given, seen in plane.distances:
        if abs(given - seen) > max(TAPE_MM, TAPE_SHARE * given):
            return say(
                "plane_distances", first=first, second=second, seen=round(seen), given=round(given)
            )
    if moved is not None:
        return say("plane_moved", worst=moved[0], mm=f"{moved[1]:.0f}")
    return None


def plane_sentence(work: Work) -> Sentence:
    """What is to be said of the plane."""
    if work.plane_fault is not None:
        return work.plane_fault
    if work.plane is None:
        return unmeasurable(work) or say("plane_show")
    return say("plane_good", limit=f"{MAX_RESIDUAL_MM:.2f}", worst=work.plane.worst.name)


def plane_known(work: Work) -> bool:
    """Whether the plane was measured and is good."""
    return work.plane is not None and work.plane_fault is None


def zone_faults(work: Work, layout: Layout) -> Mapping[str, Sentence | None]:
    """What is wrong with each zone."""
    return {zone.id: felt.fault(layout, zone) for zone in work.zones}


def zones_sentence(work: Work, faults: Mapping[str, Sentence | None]) -> Sentence:
    """What is to be done with the zones next."""
    if not work.zones:
        return say("zones_begin" if plane_known(work) else "zones_plane_first")
    wrong = faults.get(work.chosen)
    wrong = wrong or next((each for each in faults.values() if each is not None), None)
    if wrong is not None:
        return wrong
    left = [zone.id for zone in work.zones if zone.id not in work.placed]
    if not left:
        return say("zones_good")
    return say("zones_drag", zone=work.chosen if work.chosen in left else left[0])


def to_try(work: Work) -> list[str]:
    """Zones in which a card is to be read, by name."""
    return [zone.id for zone in work.zones if zone.slots]


def try_sentence(work: Work, layout: Layout | None) -> Sentence:
    """What is to be laid next."""
    if layout is None or not work.zones:
        return say("try_zones_first")
    for card in work.cards:
        odd = odd_size(layout, card)
        if odd is not None:
            return odd
    left = [zone for zone in to_try(work) if zone not in work.tried]
    if not left:
        return say("try_good")
    unsure = next((card.zone for card in work.cards if not card.sure and card.zone in left), None)
    if unsure is not None:
        return say("try_unsure", zone=unsure)
    return say("try_next", zone=left[0]) if work.tried else say("try_lay")


def odd_size(layout: Layout, card: LaidCard) -> Sentence | None:
    """A sure card whose sides on the felt are not a card's: something is printed or given wrong."""
    if not (card.sure and card.whole) or len(card.quad) != 4:
        return None
    quad = layout.to_mm(card.quad)
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    pair = sorted(((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2))
    ratio = [pair[0] / layout.card_mm[0], pair[1] / layout.card_mm[1]]
    if max(abs(each - 1) for each in ratio) <= CARD_SHARE:
        return None
    return say(
        "try_size",
        zone=card.zone,
        wide=f"{pair[0]:.1f}",
        high=f"{pair[1]:.1f}",
        card_wide=f"{layout.card_mm[0]:g}",
        card_high=f"{layout.card_mm[1]:g}",
    )
