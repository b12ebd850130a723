"""Cards that touch or overlap: which are there, which came on top, and what nothing explains.

A hand is dealt card by card, and each card lies whole on what lay there before. So cards that are
known are looked for first, where they were; what is new must then be one card of known size, and
as it lies on top it can be read whole. Only what this leaves unexplained is looked at by its index
corners (`vision.corners`), and what those do not explain either is told as unknown.
"""

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.assemble import Indexed, Physical, assemble, at_its_place, index_of
from vision.corners import Corner
from vision.locate import SPECK_MM2, Image, rectify
from vision.placed import (
    LEAST_INDEX_MM,
    MOST_INDEX_MM,
    Cells,
    FindsCorners,
    Known,
    Placed,
)
from vision.plan import Fitted, Plan, Pose, fit
from vision.prints import CELLS, PAPER, differing, shrink

THERE: Final = 0.25
"""A known card is still there if so much of its picture is as it was."""
FEW: Final = 4
"""Fewer changed cells of a card are nothing."""
CHANGED: Final = 0.3
"""A card is another one if so much of the print that can be seen of it is not as it was."""
PUSHED: Final = 0.06
"""A card was pushed if so much more of its picture is as it was where it would lie then."""
INSIDE: Final = 0.93
"""Of a new card this much must lie on what differs from the felt, and of what is new on it."""
EDGES: Final = 0.30
"""Mean support of a new card's sides by edges, at the least."""
PRINTED: Final = 45.0
"""A cell of a card's picture that is so much darker than paper is print."""
ON_TOP: Final = 0.5
"""A card lies on another one if so much of the print beneath it can be seen no more."""
TURNS: Final = 5
"""So many directions of a new outline are tried."""
TRIES: Final = 6
"""So many places of a new card are measured by its edges."""
AROUND_MM: Final = 25.0
"""Indices are looked for so far around what no known card explains."""
MARGIN_MM: Final = 12.0
"""So much of the felt around a heap is looked at."""
COMPARE_MS: Final = 1.8
PLACES_MS: Final = 3.0
FIT_MS: Final = 1.2
FIND_MS: Final = 2e-5
"""What the steps of taking a heap apart cost at most, the last for a byte of picture."""
ONE_PLACE_MM: Final = 9.0
"""Two finds whose cards would lie so near to each other are one card."""
FAR_MM: Final = 28.0
"""Both ends of one card, found apart, may place it so far from each other."""
BOTH_ENDS: Final = 0.45
"""And turned against each other by half a turn, give or take so much."""
REST_MM: Final = 3.0
"""What is left over is something only where it is wider than this."""


@dataclass(frozen=True, slots=True)
class Still:
    """A known card that is there, or another one in its place."""

    known: Known
    pose: Pose
    """Where it lies now."""
    cells: Cells
    """Which of its cells look different."""
    telling: Cells
    """Cells that show print, now or when it was known; paper tells nothing."""

    @property
    def fresh(self) -> Cells:
        """Cells that look different and were not covered before."""
        return np.asarray(self.cells & ~self.known.hidden, dtype=np.bool_)


@dataclass(slots=True)
class Heap:
    """What is known of one heap while it is taken apart."""

    plan: Plan
    view: Image
    flat: Image
    grey: NDArray[np.float32]
    mask: Image
    """255 where the plan differs from the felt within the heap."""
    old: list["Still"] = field(default_factory=list)
    new: list[tuple[Pose, bool]] = field(default_factory=list)
    """New cards, and whether each surely lies on top of all that it meets."""

    @property
    def mm2(self) -> float:
        """Square millimetres of a pixel of the plan."""
        return 1 / self.plan.scale**2


def taking_apart(
    plan: Plan, view: Image, mask: Image, known: Sequence[Known], corners: FindsCorners | None
) -> Generator[float, None, list[Placed]]:
    """Find what a heap consists of, step by step; `mask` is the heap within the window's view.

    Before each step it yields what that will cost, in milliseconds of a slow core, so that the work
    can be spread over frames. With `corners` None index corners are not looked for.
    """
    plan = plan.part(mask, MARGIN_MM)
    flat = plan.flat(view)
    blue, green, red = cv2.split(flat)
    grey = cv2.max(cv2.max(blue, green), red).astype(np.float32)
    heap = Heap(plan, view, flat, grey, _binary(plan.flat(mask)))
    for one in known:
        yield COMPARE_MS
        _still_there(heap, one)
    for _ in range(2):
        fresh = _fresh(heap)
        if fresh is None or not (yield from _new_card(heap, fresh)):
            break
    placed = _placed(heap)
    fresh = _fresh(heap)
    if corners is not None and fresh is not None:
        part = _around(heap, fresh)
        yield FIND_MS * heap.view[part].size
        placed += _by_corners(heap, placed, corners, part)
    return placed + _unexplained(heap, placed)


def _binary(mask: Image) -> Image:
    return np.asarray((mask > 127).astype(np.uint8) * 255, dtype=np.uint8)


# -- known cards -----------------------------------------------------------------------------------


def _still_there(heap: Heap, known: Known) -> None:
    """Find a known card where it lay, or pushed a little; note which cells look different."""
    here = heap.plan.pose(known.quad)
    if cv2.countNonZero(cv2.bitwise_and(heap.plan.mask([here]), heap.mask)) * heap.mm2 < SPECK_MM2:
        return
    still = _compared(heap, known, here)
    if _odd(still) > 0.02:
        pushed = _compared(heap, known, fit(heap.plan, heap.grey, here).pose)
        if _odd(pushed) < _odd(still) - PUSHED:
            still = pushed
    # Where felt shows, no card lies any more.
    if _odd(still) <= 1 - THERE and _on_heap(heap, still.pose) >= INSIDE - 0.03:
        heap.old.append(still)


def _odd(still: Still) -> float:
    """The share of a card's cells that changed, of those that could be seen before."""
    return float(still.fresh.sum() / max(1, int((~still.known.hidden).sum())))


def _compared(heap: Heap, known: Known, pose: Pose) -> Still:
    """A known card as it looks where it may lie."""
    # The plan's own quad is cut from the flat picture: no lens, no other turn of the card.
    corners = heap.plan.to_plan(pose.corners(heap.plan.card_mm)) - 0.5
    now = shrink(rectify(heap.flat, corners))
    telling = np.minimum(known.small, now) < PAPER - PRINTED
    return Still(known, pose, differing(known.small, now), np.asarray(telling, dtype=np.bool_))


def _cells(heap: Heap, pose: Pose, cells: Cells) -> Image:
    """Cells of a card's picture as a mask of the plan."""
    drawn = np.zeros(heap.plan.size[::-1], dtype=np.uint8)
    corners = heap.plan.to_plan(pose.corners(heap.plan.card_mm))
    x0, y0 = np.maximum(0, np.floor(corners.min(axis=0)).astype(int))
    x1, y1 = np.minimum(heap.plan.size, np.ceil(corners.max(axis=0)).astype(int) + 1)
    if x1 <= x0 or y1 <= y0 or not cells.any():
        return drawn
    width, height = CELLS
    box = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(
        box - np.float32(0.5), (corners - (x0, y0)).astype(np.float32)
    )
    small = cells.astype(np.uint8) * 255
    size = (int(x1 - x0), int(y1 - y0))
    drawn[y0:y1, x0:x1] = cv2.warpPerspective(small, matrix, size, flags=cv2.INTER_NEAREST)
    return drawn


# -- the new card on top ---------------------------------------------------------------------------


def _fresh(heap: Heap) -> Image | None:
    """What no card that was found explains; None if that is nothing."""
    poses = [still.pose for still in heap.old] + [pose for pose, _ in heap.new]
    rest = cv2.bitwise_and(heap.mask, cv2.bitwise_not(heap.plan.mask(poses, 1.5)))
    changed = np.zeros_like(rest)
    for still in heap.old:
        changed = np.maximum(changed, _cells(heap, still.pose, still.fresh))
    covers = heap.plan.mask([pose for pose, _ in heap.new], 1.5)
    changed = cv2.bitwise_and(changed, cv2.bitwise_not(covers))
    side = max(2, round(REST_MM * heap.plan.scale))
    kernel = np.ones((side, side), dtype=np.uint8)
    both = cv2.bitwise_or(
        cv2.morphologyEx(rest, cv2.MORPH_OPEN, kernel),
        cv2.morphologyEx(changed, cv2.MORPH_OPEN, kernel),
    )
    if cv2.countNonZero(both) * heap.mm2 < SPECK_MM2:
        return None
    return np.asarray(both, dtype=np.uint8)


def _new_card(heap: Heap, fresh: Image) -> Generator[float, None, bool]:
    """Find the one card that explains all that is new, or one of its parts; whether there is."""
    for part in _parts(fresh):
        best: Fitted | None = None
        yield PLACES_MS
        for pose in _places(heap, part)[:TRIES]:
            yield FIT_MS
            found = fit(heap.plan, heap.grey, pose)
            score = _inside(heap, part, found.pose)
            if min(score) < INSIDE or found.mean < EDGES:
                continue
            if best is None or found.mean > best.mean:
                best = found
        if best is not None:
            if not any(_same_place(best.pose, still.pose) for still in heap.old):
                heap.new.append((best.pose, _on_top(heap, best.pose)))
                return True
            # Another card in the place of a known one: the same thing, to be read anew.
            return False
    return False


def _same_place(one: Pose, other: Pose) -> bool:
    """Whether two cards lie in one place, either way up."""
    turned = abs(math.remainder(one.turn - other.turn, math.pi))
    return math.hypot(one.x - other.x, one.y - other.y) < ONE_PLACE_MM / 2 and turned < 0.15


def _parts(fresh: Image) -> Iterator[Image]:
    """All that is new, then its separate parts, the largest first."""
    yield fresh
    count, labels, stats, _ = cv2.connectedComponentsWithStats(fresh)
    if count > 2:
        order = sorted(range(1, count), key=lambda at: -int(stats[at, cv2.CC_STAT_AREA]))
        for at in order[:3]:
            yield np.asarray((labels == at).astype(np.uint8) * 255, dtype=np.uint8)


def _places(heap: Heap, part: Image) -> list[Pose]:
    """Where a card may lie that covers a part of the plan, the likeliest first."""
    rows, columns = np.nonzero(part)
    points = heap.plan.to_mm(np.column_stack([columns, rows]).astype(np.float64) + 0.5)
    wide, high = heap.plan.card_mm
    poses: list[tuple[float, Pose]] = []
    for turn, upright in product(_directions(heap, part), (True, False)):
        size = (wide, high) if upright else (high, wide)
        right = np.asarray((np.cos(turn), np.sin(turn)))
        down = np.asarray((-np.sin(turn), np.cos(turn)))
        spans = [
            _span(points @ axis, length) for axis, length in ((right, size[0]), (down, size[1]))
        ]
        for across, along in product(*spans):
            middle = right * across + down * along
            pose = Pose(float(middle[0]), float(middle[1]), turn if upright else turn + np.pi / 2)
            score = min(_inside(heap, part, pose))
            if score >= INSIDE - 0.10:
                poses.append((score, pose))
    poses.sort(key=lambda each: -each[0])
    return [pose for _, pose in poses]


def _span(values: NDArray[np.float64], length: float) -> tuple[float, ...]:
    """Where the middle of a card may lie along one axis so that it covers these; none if never."""
    low, high = (float(each) for each in np.percentile(values, (0.5, 99.5)))
    if high - low > length + 4.0:
        return ()
    if length - (high - low) < 4.0:
        return ((low + high) / 2,)
    return (low + length / 2, high - length / 2)


def _directions(heap: Heap, part: Image) -> list[float]:
    """Turns of the long straight edges of a part, in radians below a quarter turn."""
    outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(np.concatenate(outlines))
    turns = [np.radians(cv2.minAreaRect(hull)[2])]
    corners = cv2.approxPolyDP(hull, 1.2 * heap.plan.scale, True)[:, 0].astype(np.float64)  # noqa: FBT003
    edges = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*edges.T) / heap.plan.scale
    long = [at for at in np.argsort(-lengths)[:TURNS] if lengths[at] >= 12.0]
    turns += [np.arctan2(edges[at, 1], edges[at, 0]) for at in long]
    kept: list[float] = []
    for turn in (float(each) % (np.pi / 2) for each in turns):
        if all(min(abs(turn - k), np.pi / 2 - abs(turn - k)) > 0.035 for k in kept):
            kept.append(turn)
    return kept[:TURNS]


def _inside(heap: Heap, part: Image, pose: Pose) -> tuple[float, float]:
    """How much of a card lies on the heap, and how much of what is new on the card."""
    grown = heap.plan.mask([pose], 2.0)
    explained = cv2.countNonZero(cv2.bitwise_and(part, grown)) / max(1, cv2.countNonZero(part))
    return _on_heap(heap, pose), explained


def _on_heap(heap: Heap, pose: Pose) -> float:
    """How much of a card lies where the plan differs from the felt."""
    card = heap.plan.mask([pose])
    wide, high = heap.plan.card_mm
    # What of a card lies beyond the plan lies on nothing.
    area = max(cv2.countNonZero(card), int(wide * high / heap.mm2))
    return cv2.countNonZero(cv2.bitwise_and(card, heap.mask)) / area


def _on_top(heap: Heap, pose: Pose) -> bool:
    """Whether a card surely lies on all known cards that it meets: their print under it is gone."""
    card = heap.plan.mask([pose], -2.0)
    for still in heap.old:
        met = cv2.bitwise_and(card, heap.plan.mask([still.pose], -2.0))
        hidden = still.known.hidden
        met = cv2.bitwise_and(met, cv2.bitwise_not(_cells(heap, still.pose, hidden)))
        if cv2.countNonZero(met) * heap.mm2 < 40.0:
            continue
        print_ = np.asarray((still.known.small < PAPER - PRINTED) & ~hidden, dtype=np.bool_)
        printed = cv2.bitwise_and(_cells(heap, still.pose, print_), met)
        if cv2.countNonZero(printed) * heap.mm2 < 12.0:
            return False
        gone = cv2.bitwise_and(printed, _cells(heap, still.pose, still.cells))
        if cv2.countNonZero(gone) < ON_TOP * cv2.countNonZero(printed):
            return False
    return True


# -- what is told ----------------------------------------------------------------------------------


def _placed(heap: Heap) -> list[Placed]:
    """Known and new cards as they are told."""
    tops = heap.plan.mask([pose for pose, _ in heap.new], 0.5)
    told = []
    for still in heap.old:
        under = cv2.dilate(_under(heap, still.pose, tops), np.ones((3, 3), dtype=np.uint8)) > 0
        free = ~(still.known.hidden | under)
        odd = int((still.cells & free).sum())
        # Nothing new lies there, and yet it looks different: it is another card, or was turned.
        changed = odd >= FEW and odd > CHANGED * max(1, int((still.telling & free).sum()))
        hidden = np.asarray((still.known.hidden & still.cells) | under, dtype=np.bool_)
        moved = still.pose != heap.plan.pose(still.known.quad)
        told.append(
            Placed(
                quad=heap.plan.quad(still.pose) if moved else still.known.quad,
                track=still.known.track,
                covered=bool(hidden.mean() > 0.03),
                hidden=hidden,
                changed=changed,
            )
        )
    return told + [
        Placed(quad=heap.plan.quad(pose), covered=not on_top) for pose, on_top in heap.new
    ]


def _under(heap: Heap, pose: Pose, tops: Image) -> Image:
    """The cells of a card that lie under what is white in a mask of the plan."""
    corners = heap.plan.to_plan(pose.corners(heap.plan.card_mm)).astype(np.float32)
    width, height = CELLS
    box = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(corners, box - np.float32(0.5))
    return np.asarray(cv2.warpPerspective(tops, matrix, CELLS, flags=cv2.INTER_NEAREST), np.uint8)


def _unexplained(heap: Heap, placed: Sequence[Placed]) -> list[Placed]:
    """What no card explains: one unknown thing for each part of it."""
    poses = [heap.plan.pose(each.quad) for each in placed if each.card_shaped]
    rest = cv2.bitwise_and(heap.mask, cv2.bitwise_not(heap.plan.mask(poses, 2.5)))
    side = max(2, round(REST_MM * heap.plan.scale))
    rest = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((side, side), dtype=np.uint8))
    outlines, _ = cv2.findContours(rest, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    told = []
    for outline in outlines:
        if cv2.contourArea(outline) * heap.mm2 >= SPECK_MM2:
            box = np.asarray(cv2.boxPoints(cv2.minAreaRect(outline)), dtype=np.float64)
            pixels = heap.plan.to_frame(box)
            told.append(Placed(quad=pixels, card_shaped=False))
    return told


# -- index corners ---------------------------------------------------------------------------------


def _around(heap: Heap, fresh: Image) -> tuple[slice, slice]:
    """Rows and columns of the window in which what is not explained lies, and its indices."""
    x, y, wide, high = cv2.boundingRect(fresh)
    box = np.asarray([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)], np.float64)
    seen = heap.plan.in_window(heap.plan.to_frame(box))
    rim = AROUND_MM * heap.plan.scale
    low = np.maximum(np.floor(seen.min(axis=0) - rim), 0).astype(int)
    end = np.ceil(seen.max(axis=0) + rim).astype(int)
    return slice(int(low[1]), int(end[1])), slice(int(low[0]), int(end[0]))


def _by_corners(
    heap: Heap, placed: list[Placed], corners: FindsCorners, part: tuple[slice, slice]
) -> list[Placed]:
    """New cards that only their index corners give away, looked for in a part of the window."""
    low, high = (each * heap.plan.scale for each in (LEAST_INDEX_MM, MOST_INDEX_MM))
    found = [
        replace(each, x=each.x + part[1].start, y=each.y + part[0].start)
        for each in corners.find(np.ascontiguousarray(heap.view[part]), least=low, most=high)
    ]
    votes = corners.read(heap.view, found)
    seen: list[tuple[Corner, Indexed]] = []
    for corner, vote in zip(found, votes, strict=True):
        index = index_of(corner, vote, corners.temperature)
        known = [heap.plan.in_window(each.quad) for each in placed if each.card_shaped]
        if index is not None and not any(at_its_place(quad, index) for quad in known):
            seen.append((corner, index))
    told: list[tuple[Pose, Physical, Placed]] = []
    for physical in assemble([], [index for _, index in seen], size=heap.plan.card_px):
        members = tuple(seen[at] for at in physical.indices)
        pose = _pose_of(heap, [index for _, index in members])
        if _on_heap(heap, pose) < INSIDE - 0.08:
            continue
        own = tuple(corner for corner, _ in members)
        for at, (other, named, before) in enumerate(told):
            if _one_card(pose, physical, other, named):
                # Perhaps both ends of one card that were not paired: all its corners are kept
                # together, and as they do not make one card it will not be sure.
                told[at] = (other, named, replace(before, indices=before.indices + own))
                break
        else:
            one = Placed(quad=heap.plan.quad(pose), covered=True, indices=own)
            told.append((pose, physical, one))
    return [one for _, _, one in told]


def _one_card(pose: Pose, card: Physical, other: Pose, named: Physical) -> bool:
    """Whether two finds may be one card: at one place, or the same card seen from both ends."""
    apart = float(np.hypot(other.x - pose.x, other.y - pose.y))
    ends = abs(abs(math.remainder(pose.turn - other.turn, 2 * math.pi)) - math.pi) < BOTH_ENDS
    return apart < ONE_PLACE_MM or (ends and card.card == named.card and apart < FAR_MM)


def _pose_of(heap: Heap, indices: Sequence[Indexed]) -> Pose:
    """Where the card of one or two indices lies: by their place on a card, then by its edges."""
    first = indices[0]
    x, y = heap.plan.window_to_mm(np.asarray([(first.x, first.y)]))[0]
    high = first.high / heap.plan.card_px[0] * heap.plan.card_mm[0]
    turn = heap.plan.turn_at(first.x, first.y, first.angle)
    if len(indices) > 1:
        other = heap.plan.window_to_mm(np.asarray([(indices[1].x, indices[1].y)]))[0]
        middle = (np.asarray((x, y)) + other) / 2
    else:
        wide, tall = heap.plan.card_mm
        # An index of h mm is printed 3 mm from the side and 4 mm from the end, about 0.6 h wide.
        right, down = wide / 2 - 3 - 0.3 * high, tall / 2 - 4 - 0.5 * high
        cos, sin = float(np.cos(turn)), float(np.sin(turn))
        middle = np.asarray((x + right * cos - down * sin, y + right * sin + down * cos))
    seed = Pose(float(middle[0]), float(middle[1]), turn)
    fitted = fit(heap.plan, heap.grey, seed).pose
    far = np.hypot(fitted.x - seed.x, fitted.y - seed.y)
    return fitted if far < 6.0 and abs(fitted.turn - seed.turn) < 0.2 else seed
