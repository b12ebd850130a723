"""Scenes of many cards, with every index corner labelled: for the corner nets D and J.

Cards lie alone, in rows, in stacks and fans, in heaps, partly under others, fingers and chips, on
grounds dark and light; between them lie backs, cut cards, jokers and cards with foreign indices.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners import BOX, Corner, upright
from vision.training import backs
from vision.training.camera import Noise
from vision.training.decks import KEPT
from vision.training.scenes_decks import MarkedDeck, make
from vision.training.scenes_light import lit, seen
from vision.training.style import Parts

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
SIZE: Final = 192
"""Side of a training scene in pixels."""
X, Y, ANGLE, HIGH, RANK, SUIT, STATE, SHARE = range(8)
"""Columns of a scene's marks; STATE is one of the three below, SHARE how much is uncovered."""
HIDDEN, VISIBLE, IGNORED = range(3)
LEAST_SEEN: Final = 5 / 6
"""An index counts as visible if not more than a sixth of it is covered."""
LAYOUTS: Final = ("lone", "row", "stack", "fan", "heap", "grid", "none")
_LAYOUT_SHARES: Final = (0.12, 0.16, 0.22, 0.18, 0.22, 0.06, 0.04)
_GROUNDS: Final = 160
_CUTS: Final = 40
_MASK: Final = np.zeros(KEPT, np.uint8)
cv2.rectangle(_MASK, (8, 0), (131, 195), 255, -1)
cv2.rectangle(_MASK, (0, 8), (139, 187), 255, -1)
for _x, _y in ((8, 8), (131, 8), (8, 187), (131, 187)):
    cv2.circle(_MASK, (_x, _y), 8, 255, -1)
_UNIT: Final = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
_PROBES: Final = np.stack(np.meshgrid(np.linspace(0.04, 0.96, 7), np.linspace(0.04, 0.96, 7)), -1)
SHIFT, TURN, SCALE = 0.07, np.radians(7), 0.11
"""Errors of D for which J is trained: one sigma, in heights, radians and log size."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture and its marks, one row an index (columns as X to SHARE)."""

    picture: Picture
    marks: Floats
    families: tuple[str, ...]
    """The family of the deck of each mark."""
    middles: Floats
    """(n, 2): middles of the face-up cards."""


@dataclass(frozen=True, slots=True)
class _Laid:
    """A card's place on the plane: middle in card widths, turn, its picture and indices."""

    quad: Floats
    deck: MarkedDeck
    card: int
    """0 to 51, 52 and on for the deck's other cards, -1 a back, -2 a cut card."""


class Maker:
    """An endless source of scenes; the same seed gives the same stream."""

    def __init__(self, pool: Parts, seed: int, count: int, known: list[MarkedDeck]) -> None:
        self._rng = np.random.default_rng(seed)
        self._pool, self._seed, self._made = pool, seed, 0
        self._noise = Noise(self._rng)
        self._known = len(known)
        self.decks = [*known, *(self._new() for _ in range(count))]
        self._grounds = [backs.ground(self._rng) for _ in range(_GROUNDS)]
        self._cuts = [self._cut() for _ in range(_CUTS)]

    def _new(self) -> MarkedDeck:
        self._made += 1
        return make(self._pool, self._seed * 1_000_003 + self._made)

    def _cut(self) -> Picture:
        card = backs.cut_card(self._rng)
        return np.asarray(cv2.resize(card, KEPT[::-1], interpolation=cv2.INTER_AREA), np.uint8)

    def renew(self) -> None:
        """A new deck, ground and cut card in the place of old ones."""
        if len(self.decks) > self._known:
            at = int(self._rng.integers(self._known, len(self.decks)))
            self.decks[at] = self._new()
        self._grounds[self._rng.integers(_GROUNDS)] = backs.ground(self._rng)
        self._cuts[self._rng.integers(_CUTS)] = self._cut()

    def _ground(self, size: int) -> Picture:
        rng = self._rng
        ground = self._grounds[rng.integers(_GROUNDS)]
        side = int(rng.integers(100, 420))
        y, x = rng.integers(0, 421 - side, 2)
        out = np.asarray(cv2.resize(ground[y : y + side, x : x + side], (size, size)), np.uint8)
        pick = rng.random()
        if pick < 0.14:  # a light table: paper on white
            light = np.full_like(out, int(rng.integers(170, 256)))
            out = np.asarray(cv2.addWeighted(out, 0.25, light, 0.75, 0), np.uint8)
        if rng.random() < 0.06:
            self._print(out)
        return np.ascontiguousarray(np.rot90(out, int(rng.integers(4))))

    def _print(self, canvas: Picture) -> None:
        """Lines of print, as on a leaflet or a screen."""
        rng, ink = self._rng, self._rng.integers(0, 256, 3).tolist()
        scale, face = rng.uniform(0.3, 1.3), int(rng.integers(0, 6))
        for y in range(int(rng.integers(5, 40)), canvas.shape[0], int(14 + 26 * scale)):
            letters = rng.choice(list("A23456789JQK10ABCDEFGHILMNOPRSTUVXYZ    "), 20)
            place = (int(rng.integers(-30, 60)), y)
            cv2.putText(canvas, "".join(letters), place, face, scale, ink, 1 + int(scale * 1.6), 16)

    def _pick(self, deck: MarkedDeck) -> int:
        pick = self._rng.random()
        if pick < 0.06:
            return -1
        if pick < 0.08:
            return -2
        if pick < 0.13 and len(deck.others) > 1:
            return 52 + int(self._rng.integers(len(deck.others)))
        return int(self._rng.integers(52))

    def _poses(self, layout: str, most: int) -> list[tuple[float, float, float]]:
        """Middles in card widths and turns of the cards, the lowest first."""
        rng = self._rng
        count = min(most, int(rng.choice([1, 2, 2, 3, 3, 4, 5, 6, 8])))
        turn = rng.uniform(0, 6.283) if rng.random() < 0.6 else rng.integers(4) * np.pi / 2
        ratio = KEPT[0] / KEPT[1]
        out: list[tuple[float, float, float]] = []
        if layout == "lone":
            out = [(0.0, 0.0, turn)]
        elif layout == "row":
            gap = rng.uniform(1.0, 1.25)
            for k in range(min(count, 5)):
                side = np.pi / 2 if k == 2 and rng.random() < 0.4 else 0.0
                out.append((k * gap + (0.25 if side else 0), rng.normal(0, 0.04), side))
        elif layout == "grid":
            out = [(i * 1.12, j * 1.5, 0.0) for j in range(2) for i in range(3)]
        elif layout == "stack":
            step = rng.uniform(0.16, 0.55) * rng.choice([-1, 1])
            down = rng.uniform(0.0, 0.5) * rng.choice([-1, 1])
            out = [(k * step, k * down, 0.0) for k in range(count)]
        elif layout == "fan":
            reach, open_ = ratio * rng.uniform(0.5, 1.4), rng.uniform(0.07, 0.42)
            way = rng.choice([-1, 1])
            for k in range(count):
                at = way * (k - (count - 1) / 2) * open_
                out.append((np.sin(at) * reach, -np.cos(at) * reach, at))
        elif layout == "heap":
            spread = rng.uniform(0.5, 2.2)
            for _ in range(count):
                out.append((*rng.uniform(-spread, spread, 2), rng.uniform(0, 6.283)))
        wobble = rng.choice([0.01, 0.04, 0.1])
        c, s = np.cos(turn), np.sin(turn)
        flips = rng.integers(0, 2, len(out)) * np.pi if rng.random() < 0.5 else np.zeros(len(out))
        return [
            (c * x - s * y, s * x + c * y, turn + a + rng.normal(0, wobble) + flip)
            for (x, y, a), flip in zip(out, flips, strict=True)
        ]

    def _lay(self, size: int, layout: str, width: float, deck: MarkedDeck) -> list[_Laid]:
        rng = self._rng
        poses = self._poses(layout, 8)
        if not poses:
            return []
        centre = np.mean([pose[:2] for pose in poses], axis=0)
        to = rng.uniform(0.25, 0.75, 2) * size
        lean = rng.uniform(0, 6.283)
        c, s = np.cos(lean), np.sin(lean)
        spin = np.array([[c, -s], [s, c]])
        squash = rng.uniform(0.62, 1) if rng.random() < 0.5 else 1.0
        tilt = spin @ np.diag([1.0, squash]) @ spin.T
        ratio = KEPT[0] / KEPT[1] * rng.uniform(0.97, 1.1)
        out = []
        for x, y, turn in poses:
            if rng.random() < 0.12:
                deck = self.decks[rng.integers(len(self.decks))]
            shape = (_UNIT - 0.5) * np.array([1.0, ratio])
            shape *= 1 + rng.uniform(-1, 1, (4, 2)) * rng.choice([0.0, 0.006, 0.02])
            c, s = np.cos(turn), np.sin(turn)
            quad = shape @ np.array([[c, s], [-s, c]]) + np.array([x, y]) - centre
            quad = (quad * width) @ tilt.T + to
            out.append(_Laid(np.asarray(quad, np.float32), deck, self._pick(deck)))
        return out

    def _picture(self, laid: _Laid) -> Picture:
        if laid.card == -1:
            return laid.deck.back
        if laid.card == -2:
            return self._cuts[self._rng.integers(_CUTS)]
        if laid.card >= 52:
            return np.asarray(laid.deck.others[laid.card - 52], np.uint8)
        return np.asarray(laid.deck.faces[laid.card], np.uint8)

    def scene(self, size: int = SIZE, layout: str = "", width: float = 0.0) -> Scene:
        """One scene; `width` fixes the cards' width in pixels (0: indices 9 to 38 high)."""
        rng = self._rng
        layout = layout or str(rng.choice(LAYOUTS, p=_LAYOUT_SHARES))
        deck = self.decks[rng.integers(len(self.decks))]
        share = span(np.median(deck.boxes, axis=0)) / KEPT[1]
        high = width * share or float(np.exp(rng.uniform(np.log(9), np.log(38))))
        width = width or float(np.clip(high / share, 30, 220))
        frame = self._ground(size)
        owner = np.zeros((size, size), np.int16)
        marks: list[list[float]] = []
        families: list[str] = []
        middles: list[Floats] = []
        shade = rng.uniform(0.2, 0.6) if rng.random() < 0.5 else 0.0
        corners: list[tuple[int, Floats, _Laid]] = []
        groups = 1 + int(rng.integers(0, 1 + int(60 // width))) if layout != "none" else 1
        all_laid = [laid for _ in range(groups) for laid in self._lay(size, layout, width, deck)]
        for at, laid in enumerate(all_laid, 1):
            matrix = blit(frame, owner, self._picture(laid), laid.quad, at, shade)
            corners += [(at, polygon, laid) for polygon in _indices(laid, matrix)]
            if 0 <= laid.card < 52:
                middles.append(laid.quad.mean(axis=0))
        if rng.random() < 0.25:
            self._cover(frame, owner, width)
        for at, polygon, laid in corners:
            marks.append(_mark(polygon, laid.card, owner, at))
            families.append(laid.deck.family)
        seen_high = high if not marks else float(np.median([mark[HIGH] for mark in marks]))
        picture = seen(lit(frame, rng), seen_high, self._noise, rng)
        table = np.array(marks, np.float32).reshape(-1, 8)
        return Scene(picture, table, tuple(families), np.array(middles, np.float32).reshape(-1, 2))

    def _cover(self, frame: Picture, owner: NDArray[np.int16], width: float) -> None:
        """Fingers or a chip over the cards."""
        rng, size = self._rng, frame.shape[0]
        mask = np.zeros((size, size), np.uint8)
        start = rng.uniform(0, size, 2)
        tone = rng.uniform((60, 80, 110), (190, 200, 240))
        if rng.random() < 0.6:
            turn = rng.uniform(0, 6.283)
            way = np.array([np.cos(turn), np.sin(turn)])
            thick = max(3, int(width * rng.uniform(0.14, 0.34)))
            for k in range(int(rng.integers(1, 5))):
                base = start + np.array([-way[1], way[0]]) * k * thick * 1.05
                tip = base + way * rng.normal(0, 0.25) * width
                far = base + way * size * 2
                ends = [(int(p[0]), int(p[1])) for p in (tip, far)]
                cv2.line(mask, ends[0], ends[1], 255, thick, cv2.LINE_AA)
        else:
            tone = rng.uniform(10, 245, 3)
            radius = int(width * rng.uniform(0.25, 0.38))
            middle = (int(start[0]), int(start[1]))
            cv2.circle(mask, middle, radius, 255, -1, cv2.LINE_AA)
        paint = np.empty_like(frame)
        paint[:] = tone
        if rng.random() < 0.5:
            soft = cv2.blur(mask, (max(3, int(width * 0.12)),) * 2)
            cv2.copyTo(cv2.multiply(paint, cv2.merge([soft] * 3), scale=1 / 255), mask, paint)
        hard = (mask > 127).astype(np.uint8)
        cv2.copyTo(paint, hard, frame)
        owner[hard > 0] = -1

    def crops(self, scene: Scene) -> list[tuple[Picture, int, int, int]]:
        """J's samples of one scene: crop, rank, suit and 1 if an index is there to be read."""
        rng = self._rng
        out: list[tuple[Picture, int, int, int]] = []
        readable = [mark for mark in scene.marks if mark[STATE] == VISIBLE and mark[RANK] >= 0]
        for mark in readable:
            rank, suit = int(mark[RANK]), int(mark[SUIT])
            twice = [upright(scene.picture, self._erring(mark)) for _ in range(2)]
            out += [(crop, rank, suit, 1) for crop in twice]
        for mark in scene.marks:
            foreign = mark[RANK] < 0 and mark[SHARE] > 0.5
            if foreign or 0.08 < mark[SHARE] < 0.5:
                out.append((upright(scene.picture, self._erring(mark)), 0, 0, 0))
        if readable:
            mark = readable[rng.integers(len(readable))]
            for turn in (np.pi, rng.choice([-0.5, 0.5]) * np.pi):
                wrong = self._erring(mark, turn)
                out.append((upright(scene.picture, wrong), 0, 0, 0))
            out.append((upright(scene.picture, self._misplaced(mark)), 0, 0, 0))
        out += [(upright(scene.picture, corner), 0, 0, 0) for corner in self._anywhere(scene)]
        return out

    def met(self, scene: Scene, found: list[Corner]) -> list[tuple[Picture, int, int, int]]:
        """J's samples at corners that a D found: its own errors, and what it took for indices."""
        out: list[tuple[Picture, int, int, int]] = []
        marks, doubt = scene.marks, {HIDDEN: 0.0, VISIBLE: 0.45, IGNORED: 0.6}
        for corner in found[:10]:
            rank, suit, there = 0, 0, 0
            if len(marks):
                away = np.hypot(marks[:, X] - corner.x, marks[:, Y] - corner.y) / marks[:, HIGH]
                best = int(away.argmin())
                near, mark = float(away[best]), marks[best]
                turn = np.cos(mark[ANGLE] - corner.angle)
                fits = near < 0.3 and turn > 0.85 and abs(np.log(mark[HIGH] / corner.high)) < 0.5
                if mark[STATE] == VISIBLE and fits:
                    rank, suit, there = int(mark[RANK]), int(mark[SUIT]), 1
                elif near < doubt[int(mark[STATE])] and mark[RANK] >= 0 and turn > 0.3:
                    continue
            out.append((upright(scene.picture, corner), rank, suit, there))
        return out

    def _erring(self, mark: Floats, turn: float = 0.0) -> Corner:
        """The corner as D would give it."""
        rng, high = self._rng, float(mark[HIGH])
        shift = np.clip(rng.normal(0, SHIFT, 2), -0.2, 0.2) * high
        return Corner(
            x=float(mark[X] + shift[0]),
            y=float(mark[Y] + shift[1]),
            angle=float(mark[ANGLE] + turn + np.clip(rng.normal(0, TURN), -0.4, 0.4)),
            high=high * float(np.exp(np.clip(rng.normal(0, SCALE), -0.3, 0.3))),
            score=1.0,
        )

    def _misplaced(self, mark: Floats) -> Corner:
        """A corner half an index and more beside one, or of a wrong size."""
        rng, high = self._rng, float(mark[HIGH])
        if rng.random() < 0.5:
            turn, far = rng.uniform(0, 6.283), rng.uniform(0.5, 0.9) * high
            x, y = mark[X] + np.cos(turn) * far, mark[Y] + np.sin(turn) * far
            return Corner(x=float(x), y=float(y), angle=float(mark[ANGLE]), high=high, score=1.0)
        factor = rng.uniform(0.4, 0.58) if rng.random() < 0.5 else rng.uniform(1.8, 2.8)
        return Corner(
            x=float(mark[X]), y=float(mark[Y]), angle=float(mark[ANGLE]),
            high=high * float(factor), score=1.0,
        )  # fmt: skip

    def _anywhere(self, scene: Scene) -> list[Corner]:
        """Places without an index: pips, courts, prints, felt."""
        rng, size = self._rng, scene.picture.shape[0]
        out = []
        for k in range(3):
            high = float(np.exp(rng.uniform(np.log(9), np.log(40))))
            at = rng.uniform(0, size, 2)
            if k and len(scene.middles):
                middle = scene.middles[rng.integers(len(scene.middles))]
                at = middle + rng.normal(0, 1.0, 2) * high
            if at.min() < 0 or at.max() >= size:
                continue
            away = np.hypot(scene.marks[:, X] - at[0], scene.marks[:, Y] - at[1])
            if (away > 0.6 * np.maximum(high, scene.marks[:, HIGH])).all():
                turn = float(rng.uniform(0, 6.283))
                out.append(Corner(x=float(at[0]), y=float(at[1]), angle=turn, high=high, score=1.0))
        return out


def span(box: NDArray[np.floating]) -> float:
    """The size of an index box: its height, or what makes its width fit into J's window."""
    return float(max(box[3] - box[1], (box[2] - box[0]) * BOX[1] / BOX[0]))


def _indices(laid: _Laid, matrix: NDArray[np.float64]) -> list[Floats]:
    """Each index of a card as four points in the frame: upper left first, clockwise, upright."""
    if laid.card < 0:
        return []
    deck = laid.deck
    box = deck.other_boxes[laid.card - 52] if laid.card >= 52 else deck.boxes[laid.card]
    left, top, right, bottom = (float(v) for v in box)
    if right - left < 2:
        return []
    high, wide = KEPT
    places = [(left, top, right, bottom, False)]
    places.append((wide - right, high - bottom, wide - left, high - top, True))
    if deck.four:
        places.append((wide - right, top, wide - left, bottom, False))
        places.append((left, high - bottom, right, high - top, True))
    out = []
    for x0, y0, x1, y1, turned in places:
        shape = np.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]], np.float32)
        polygon = cv2.perspectiveTransform(shape, matrix)[0]
        out.append(np.asarray(np.roll(polygon, 2, axis=0) if turned else polygon, np.float32))
    return out


def _mark(polygon: Floats, card: int, owner: NDArray[np.int16], at: int) -> list[float]:
    size = owner.shape[0]
    middle = polygon.mean(axis=0)
    up = (polygon[0] + polygon[1] - polygon[2] - polygon[3]) / 2
    across = (polygon[1] + polygon[2] - polygon[0] - polygon[3]) / 2
    high = max(float(np.hypot(*up)), float(np.hypot(*across)) * BOX[1] / BOX[0])
    a, b = _PROBES[..., :1], _PROBES[..., 1:]
    points = (
        polygon[0] * (1 - a) * (1 - b) + polygon[1] * a * (1 - b)
        + polygon[2] * a * b + polygon[3] * (1 - a) * b
    )  # fmt: skip
    where = np.rint(points).astype(int).reshape(-1, 2)
    inside = (where >= 0).all(axis=1) & (where < size).all(axis=1)
    mine = owner[where[inside, 1], where[inside, 0]] == at
    share = float(mine.sum()) / len(where)
    state = VISIBLE if share >= LEAST_SEEN else IGNORED if share > 0.35 else HIDDEN
    if card >= 52 and state == VISIBLE:
        state = IGNORED
    rank, suit = (card // 4, card % 4) if card < 52 else (-1, -1)
    turn = float(np.arctan2(up[0], -up[1]))
    return [float(middle[0]), float(middle[1]), turn, high, rank, suit, state, share]


def blit(
    frame: Picture,
    owner: NDArray[np.int16],
    card: Picture,
    quad: Floats,
    at: int,
    shade: float,
) -> NDArray[np.float64]:
    """Lay a kept card into the frame; returns what takes its pixels to the frame's."""
    size = frame.shape[0]
    high, wide = KEPT
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners, quad)
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    top = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, size)
    if (top - low).min() <= 1:
        return np.asarray(matrix, np.float64)
    off = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], np.float64)
    scale = float(np.linalg.norm(quad[1] - quad[0])) / wide
    share = max(scale * 1.2, 0.25) if scale < 0.8 else 1.0
    card, mask = _smaller(card, share), _smaller(_MASK, share)
    real = np.array([card.shape[1] / wide, card.shape[0] / high])
    grow = np.array([[1 / real[0], 0, 0.5 / real[0] - 0.5], [0, 1 / real[1], 0.5 / real[1] - 0.5]])
    to = off @ matrix @ np.vstack([grow, (0, 0, 1)])
    room = (int(top[0] - low[0]), int(top[1] - low[1]))
    seen_card = cv2.warpPerspective(card, to, room, borderMode=cv2.BORDER_REPLICATE)
    seen_mask = cv2.warpPerspective(mask, to, room)
    spot = frame[low[1] : top[1], low[0] : top[0]]
    if shade > 0:
        reach = max(2, int(scale * 9))
        dark = cv2.blur(seen_mask, (reach, reach))
        moved = np.roll(dark, (reach // 2, reach // 3), axis=(0, 1))
        keep = cv2.convertScaleAbs(moved, alpha=-shade, beta=255)
        spot[:] = cv2.multiply(spot, cv2.merge([keep] * 3), scale=1 / 255)
    weight = seen_mask.astype(np.float32) / 255
    spot[:] = cv2.blendLinear(seen_card, np.ascontiguousarray(spot), weight, 1 - weight)
    owner[low[1] : top[1], low[0] : top[0]][seen_mask > 127] = at
    return np.asarray(matrix, np.float64)


def _smaller(picture: Picture, share: float) -> Picture:
    if share == 1.0:
        return picture
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)
