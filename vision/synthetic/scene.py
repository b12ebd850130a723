"""Renders the felt with its cards, hands and light, frame by frame.

Only what changes is drawn again: felt and cards are kept finished, a frame adds hands, the drift of
the light and the sensor's noise.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import CARD_MM, Layout
from vision.synthetic import deck
from vision.synthetic.deck import TEXTURE, Image, corner_mask, printed
from vision.synthetic.designs import DEMONSTRATION, Design
from vision.synthetic.felt import MARK_MM, Rack
from vision.synthetic.felts import GAMES, Ground, ground_of
from vision.synthetic.hand import TONES, draw_hand
from vision.synthetic.weather import Weather
from vision.synthetic.world import Laid

FRAMES_PER_SECOND: Final = 16
"""Of the running camera; a stepped one counts the same time for each frame."""
JPEG_QUALITY: Final = 88
NOISE: Final = 2.0
"""One sigma of the sensor's noise in grey levels."""
OPTICS: Final = 0.9
"""One sigma of the lens's softness in pixels of a card's texture."""
DRIFT: Final = 0.03
"""The light swings by this part of itself."""
DRIFT_S: Final = 47.0
DARK: Final = 0.08
KNOCK_PX: Final = (17.0, -11.0)
KNOCK_DEGREES: Final = 0.9
FELT_PIXELS: Final = 2
"""Pixels to the millimetre while the felt is drawn."""
FELT_COLOUR: Final = (58, 96, 26)
PRINT: Final = (150, 205, 214)
REACH: Final = (1.0, 0.45)
"""How far a gesture's hand reaches in each of its frames; it acts in the first."""
SLIDE: Final = (0.45, 0.8, 1.0)
"""How far a card that slides in has come in each frame; then the hand leaves it."""
LEAVES: Final = (1.0, 0.7, 0.3)
SHUTTER: Final = (0.0, 0.12, 0.24)
"""Where a sliding card is while one frame is exposed, as shares of a step."""


@dataclass(frozen=True, slots=True)
class Gesture:
    """A hand that reaches for a point of the frame and withdraws."""

    x: float
    y: float
    frames: deque[float]


@dataclass(slots=True)
class Sliding:
    """A card under a hand on its way from the shoe to its place."""

    card: Laid
    start: tuple[float, float]
    """Where the hand took it, in millimetres."""
    steps: deque[float]


@lru_cache(maxsize=2)
def draw_felt(layout: Layout) -> Image:
    """The printed felt as the camera sees it in even light."""
    ground = ground_of(layout.game) if layout.game in GAMES else None
    seen_mm = _extent(layout) if ground is None else ground.seen_mm
    size = (int(seen_mm[0] * FELT_PIXELS), int(seen_mm[1] * FELT_PIXELS))
    flat = np.empty((size[1], size[0], 3), dtype=np.uint8)
    flat[:] = FELT_COLOUR
    rng = np.random.default_rng(5)
    fibre = cv2.GaussianBlur(rng.normal(0, 14, flat.shape[:2]).astype(np.float32), (0, 0), 1.3)
    flat = np.clip(flat + fibre[..., None], 0, 255).astype(np.uint8)
    for zone in layout.zones:
        corners = (np.asarray(zone.polygon_mm) * FELT_PIXELS).astype(np.int32)
        cv2.polylines(flat, [corners], True, PRINT, 3, cv2.LINE_AA)  # noqa: FBT003
    if ground is not None:
        _words(flat, ground)
    for mark in layout.watch:
        x, y = (round(each * FELT_PIXELS) for each in mark.at_mm)
        cv2.circle(flat, (x, y), round(MARK_MM * 0.34 * FELT_PIXELS), PRINT, 3, cv2.LINE_AA)
        cv2.line(flat, (x - 9, y), (x + 9, y), PRINT, 3, cv2.LINE_AA)
        cv2.line(flat, (x, y - 9), (x, y + 9), PRINT, 3, cv2.LINE_AA)
    to_flat = np.diag([1 / FELT_PIXELS, 1 / FELT_PIXELS, 1.0])
    matrix = np.asarray(layout.plane).reshape(3, 3) @ to_flat
    flat = np.asarray(cv2.GaussianBlur(flat, (0, 0), 0.7), dtype=np.uint8)
    seen = cv2.warpPerspective(flat, matrix, layout.image, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.uint8)


def _extent(layout: Layout) -> tuple[float, float]:
    """Millimetres to the right and down that the camera sees of a felt."""
    width, height = layout.image
    right, low = layout.to_mm([(0, 0), (width, 0), (width, height), (0, height)]).max(axis=0)
    return float(right), float(low)


def _words(flat: Image, ground: Ground) -> None:
    """What is printed on a felt that we know, and its rack."""
    _rack(flat, ground.rack)
    for text, x, y, scale in ground.words:
        where = (int(x * FELT_PIXELS), int(y * FELT_PIXELS))
        cv2.putText(flat, text, where, cv2.FONT_HERSHEY_TRIPLEX, scale, PRINT, 3, cv2.LINE_AA)


def _rack(flat: Image, rack: Rack) -> None:
    """The discard rack: a dark box."""
    x0, y0 = (int(each * FELT_PIXELS) for each in (rack.x, rack.y))
    x1, y1 = x0 + int(rack.width * FELT_PIXELS), y0 + int(rack.height * FELT_PIXELS)
    cv2.rectangle(flat, (x0, y0), (x1, y1), (44, 40, 36), -1)
    cv2.rectangle(flat, (x0, y0), (x1, y1), (90, 84, 80), 8)


def light_map(image: tuple[int, int]) -> NDArray[np.float32]:
    """How bright each pixel is lit: a lamp to the left and a darker edge."""
    x = np.linspace(0, 1, image[0], dtype=np.float32)[None, :]
    y = np.linspace(0, 1, image[1], dtype=np.float32)[:, None]
    far = (x - 0.42) ** 2 * 0.5 + (y - 0.45) ** 2 * 0.35
    lit = np.float32(1.02) - far
    return np.asarray(lit, dtype=np.float32)


class Scene:
    """The felt and what is on it; `frame` gives the next picture of the sensor."""

    def __init__(
        self,
        layout: Layout,
        *,
        seed: int = 0,
        photos: Path | Mapping[str, Image] | None = None,
        design: Design = DEMONSTRATION,
        weather: Weather | None = None,
        gloss: float = 0.0,
    ) -> None:
        """`photos` are faces to lay instead of drawn ones: a folder of them, or pictures by code.

        `gloss` is how much of a lamp a plastic card mirrors, 0 to 1.
        """
        self.layout = layout
        self._design = design
        self._weather = weather
        self._gloss = gloss
        self._sliding: list[Sliding] = []
        self.faults: set[str] = set()
        self.held: tuple[float, float] | None = None
        self._rng = np.random.default_rng(seed)
        self._tone = TONES[seed % len(TONES)]
        self._below = layout.game in GAMES and ground_of(layout.game).below
        self._photos = deck.photographed(photos) if isinstance(photos, Path) else dict(photos or {})
        self._light = light_map(layout.image)
        self._felt = np.clip(draw_felt(layout) * self._light[..., None], 0, 255).astype(np.uint8)
        self._clean = self._felt.copy()
        self._cards: dict[int, Laid] = {}
        self._gestures: list[Gesture] = []
        self._frames = 0
        self._faces: dict[str, Image] = {}
        self._rim = np.asarray(cv2.GaussianBlur(corner_mask(), (0, 0), OPTICS), dtype=np.float32)
        size = (layout.image[1] + 40, layout.image[0] + 40, 3)
        noise = self._rng.standard_normal(size, dtype=np.float32) * NOISE + 128.5
        self._noise = np.clip(noise, 0, 255).astype(np.uint8)

    @property
    def busy(self) -> bool:
        """Whether a hand is still on its way."""
        return bool(self._gestures or self._sliding)

    @property
    def cards(self) -> tuple[Laid, ...]:
        """What lies at rest, in order of arrival."""
        return tuple(self._cards.values())

    def put(self, card: Laid, *, by_hand: bool = True) -> None:
        """Lay a card, or lay it again turned or moved."""
        if card.key in self._cards:
            self.remove([card.key], by_hand=False)
        self._cards[card.key] = card
        self._draw(card)
        if by_hand:
            self._reach(card)

    def slide(self, card: Laid, start: tuple[float, float]) -> None:
        """Let a hand push a card from a point in millimetres to its place; it rests there then."""
        self._sliding.append(Sliding(card, start, deque(SLIDE)))

    def remove(self, keys: Iterable[int], *, by_hand: bool = True) -> None:
        """Take cards away; one hand takes them all."""
        gone = [card for key in keys if (card := self._cards.pop(key, None)) is not None]
        boxes = [self._box(card, 16) for card in gone]
        anew = self._clean.copy()
        for x0, y0, x1, y1 in boxes:
            anew[y0:y1, x0:x1] = self._felt[y0:y1, x0:x1]
        for other in self._cards.values():
            a0, b0, a1, b1 = self._box(other, 16)
            if any(a0 < x1 and x0 < a1 and b0 < y1 and y0 < b1 for x0, y0, x1, y1 in boxes):
                self._print(anew, other)
        # Beside the boxes a neighbour stays as it was: printed twice it would throw two shadows.
        for x0, y0, x1, y1 in boxes:
            self._clean[y0:y1, x0:x1] = anew[y0:y1, x0:x1]
        if by_hand and gone:
            self._reach(gone[len(gone) // 2])

    def hold(self, zone: str | None) -> None:
        """Hold a hand over the middle of a zone, or take it away."""
        if zone is None:
            self.held = None
            return
        corners = self.layout.zone(zone).polygon_mm
        middle = self.layout.to_pixels([np.mean(corners, axis=0)])[0]
        self.held = (float(middle[0]), float(middle[1]))

    def frame(self) -> Image:
        """Render the next frame."""
        canvas, pushing = self._slide_on()
        hands = pushing + [(each.x, each.y, each.frames.popleft()) for each in self._gestures]
        self._gestures = [each for each in self._gestures if each.frames]
        if self.held:
            # A hand that is held trembles by a pixel or two.
            wave = self._rng.uniform(-1.5, 1.5, 2)
            hands.append((self.held[0] + wave[0], self.held[1] + wave[1], 1.0))
        if hands:
            canvas = canvas.copy() if canvas is self._clean else canvas
            for x, y, reach in hands:
                draw_hand(canvas, x, y, reach, self._tone, below=self._below)
        if "knocked" in self.faults:
            middle = (self.layout.image[0] / 2, self.layout.image[1] / 2)
            turn = cv2.getRotationMatrix2D(middle, KNOCK_DEGREES, 1.0)
            turn[:, 2] += np.asarray(KNOCK_PX)
            canvas = np.asarray(
                cv2.warpAffine(canvas, turn, self.layout.image, borderMode=cv2.BORDER_REPLICATE),
                dtype=np.uint8,
            )
        if "blur" in self.faults:
            canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), 6.0), dtype=np.uint8)
        return self._sensor(canvas)

    def _slide_on(self) -> tuple[Image, list[tuple[float, float, float]]]:
        """Push each sliding card one step on; the canvas with them, and the hands over them."""
        canvas, hands = self._clean, []
        for sliding in self._sliding:
            step = sliding.steps.popleft()
            if step >= 1.0:
                self._cards[sliding.card.key] = sliding.card
                self._draw(sliding.card)
                x, y = self.layout.to_pixels([(sliding.card.x, sliding.card.y)])[0]
                self._gestures.append(Gesture(float(x), float(y), deque(LEAVES)))
                continue
            canvas = self._clean.copy() if canvas is self._clean else canvas
            exposed = []
            for early in SHUTTER:
                share = step - early
                at = [
                    a + (b - a) * share
                    for a, b in zip(sliding.start, _middle(sliding), strict=True)
                ]
                turn = sliding.card.degrees + 25.0 * (1 - share)
                exposed.append(replace(sliding.card, x=at[0], y=at[1], degrees=turn))
            self._exposed(canvas, exposed)
            x, y = self.layout.to_pixels([(exposed[0].x, exposed[0].y)])[0]
            hands.append((float(x), float(y), 1.0))
        self._sliding = [each for each in self._sliding if each.steps]
        return canvas, hands

    def _exposed(self, canvas: Image, cards: Sequence[Laid]) -> None:
        """Print the mean of a card's places during one exposure."""
        boxes = np.asarray([self._box(card, 12) for card in cards])
        x0, y0 = boxes[:, :2].min(axis=0)
        x1, y1 = boxes[:, 2:].max(axis=0)
        if x1 <= x0 or y1 <= y0:
            return
        under = canvas[y0:y1, x0:x1].copy()
        total = np.zeros(under.shape, dtype=np.float32)
        for card in cards:
            canvas[y0:y1, x0:x1] = under
            self._print(canvas, card)
            total += canvas[y0:y1, x0:x1]
        canvas[y0:y1, x0:x1] = (total / len(cards)).astype(np.uint8)

    def _sensor(self, canvas: Image) -> Image:
        """The light's drift and the sensor's noise."""
        seconds = self._frames / FRAMES_PER_SECOND
        self._frames += 1
        gain = 1 + DRIFT * np.sin(2 * np.pi * seconds / DRIFT_S)
        if "dark" in self.faults:
            gain *= DARK
        x, y = (int(each) for each in self._rng.integers(0, 40, 2))
        height, width = canvas.shape[:2]
        noise = self._noise[y : y + height, x : x + width]
        if self._weather is not None:
            canvas = self._weather.light(canvas, float(gain))
            gain = 1.0
        return np.asarray(cv2.addWeighted(canvas, float(gain), noise, 1.0, -128.0), dtype=np.uint8)

    def _reach(self, card: Laid) -> None:
        """Send a hand to a card."""
        x, y = self.layout.to_pixels([(card.x, card.y)])[0]
        self._gestures.append(Gesture(float(x), float(y), deque(REACH)))

    def quad(self, card: Laid) -> NDArray[np.float64]:
        """The card's corners in pixels, from its printed upper left, clockwise."""
        half = np.asarray(CARD_MM) / 2
        turn = np.radians(card.degrees)
        spin = np.asarray([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corners = np.asarray([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ spin
        return self.layout.to_pixels(corners + np.asarray((card.x, card.y)))

    def _box(self, card: Laid, margin: int) -> tuple[int, int, int, int]:
        """The pixels a card may touch: left, top, right, bottom."""
        quad = self.quad(card)
        low = np.floor(quad.min(axis=0)).astype(int) - margin
        high = np.ceil(quad.max(axis=0)).astype(int) + margin
        width, height = self.layout.image
        return (
            int(np.clip(low[0], 0, width)),
            int(np.clip(low[1], 0, height)),
            int(np.clip(high[0], 0, width)),
            int(np.clip(high[1], 0, height)),
        )

    def _draw(self, card: Laid) -> None:
        """Print a card and its shadow into the finished picture."""
        self._print(self._clean, card)

    def _print(self, canvas: Image, card: Laid) -> None:
        """Print a card and its shadow into a picture."""
        x0, y0, x1, y1 = self._box(card, 12)
        target = (self.quad(card) - (x0, y0)).astype(np.float32)
        width, height = TEXTURE
        corners = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
        # A texture pixel's middle lies half a pixel inside the outline.
        matrix = cv2.getPerspectiveTransform(corners - 0.5, target)
        size = (x1 - x0, y1 - y0)
        if size[0] < 1 or size[1] < 1:
            return
        face = self._soft(card.shows)
        seen = cv2.warpPerspective(face, matrix, size, borderMode=cv2.BORDER_REPLICATE)
        cover = np.asarray(cv2.warpPerspective(self._rim, matrix, size), dtype=np.float32)
        under = canvas[y0:y1, x0:x1].astype(np.float32)
        shade = cv2.GaussianBlur(np.roll(cover, (4, 3), axis=(0, 1)), (0, 0), 3.0)
        under *= 1 - 0.45 * np.asarray(shade)[..., None]
        lit = seen.astype(np.float32) * (0.96 * self._light[y0:y1, x0:x1, None])
        if self._gloss:
            lit += 255 * self._gloss * self._sheen(card, size)[..., None]
        if card.glare:
            lit += 255 * self._glare(size)[..., None]
        mixed = under + (lit - under) * cover[..., None]
        canvas[y0:y1, x0:x1] = np.clip(mixed, 0, 255).astype(np.uint8)

    def _soft(self, code: str) -> Image:
        """A face as the lens shows it."""
        soft = self._faces.get(code)
        if soft is None:
            face = self._photos.get(code)
            face = printed(code, self._design) if face is None else face
            soft = np.asarray(cv2.GaussianBlur(face, (0, 0), OPTICS), dtype=np.uint8)
            self._faces[code] = soft
        return soft

    @staticmethod
    def _sheen(card: Laid, size: tuple[int, int]) -> NDArray[np.float32]:
        """A lamp mirrored in a plastic card: a soft spot that each card has elsewhere."""
        width, height = size
        spot = np.random.default_rng(card.key).uniform(-0.9, 0.9, 2)
        x = np.linspace(-1, 1, width, dtype=np.float32)[None, :] - np.float32(spot[0])
        y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] - np.float32(spot[1])
        return np.asarray(np.exp(-3.5 * (x**2 + y**2)), dtype=np.float32)

    @staticmethod
    def _glare(size: tuple[int, int]) -> NDArray[np.float32]:
        """A lamp that burns out nearly all of a card and leaves its edge."""
        width, height = size
        x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
        y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        return np.asarray(np.clip(2.6 - 1.6 * (x**2 + y**2), 0, 1), dtype=np.float32)


def _middle(sliding: Sliding) -> tuple[float, float]:
    """Where a sliding card comes to rest, in millimetres."""
    return sliding.card.x, sliding.card.y


def encode(image: Image) -> bytes:
    """Compress a frame as a camera does.

    Raises:
        RuntimeError: if the encoder fails.
    """
    done, body = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise RuntimeError("the frame could not be encoded as JPEG")
    return bytes(body)


def decode(body: bytes) -> Image | None:
    """Decompress a frame; None if the bytes are no image."""
    image = cv2.imdecode(np.frombuffer(body, dtype=np.uint8), cv2.IMREAD_COLOR)
    return None if image is None else np.asarray(image, dtype=np.uint8)
