"""Drawing a procedural deck: 52 faces, its back and a few cards that are no standard cards."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training import courts, ornament, pips, wild
from vision.training.backs import back
from vision.training.glyphs import RANKS, SUITS, Mask
from vision.training.style import HIGH, WIDE, Colour, Parts, Style, choose, foreign_rank

KEPT: Final = (196, 140)
"""Height and width at which faces are kept."""
Picture = NDArray[np.uint8]
OTHERS: Final = 5
_THIRD: Final = 1 / 3
_FOUR: Final = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0))
_SIX: Final = (*_FOUR, (0.0, 0.5), (1.0, 0.5))
_EIGHT: Final = (*_FOUR, (0.0, _THIRD), (1.0, _THIRD), (0.0, 2 * _THIRD), (1.0, 2 * _THIRD))
PLACES: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    2: ((0.5, 0.0), (0.5, 1.0)),
    3: ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0)),
    4: _FOUR,
    5: (*_FOUR, (0.5, 0.5)),
    6: _SIX,
    7: (*_SIX, (0.5, 0.25)),
    8: (*_SIX, (0.5, 0.25), (0.5, 0.75)),
    9: (*_EIGHT, (0.5, 0.5)),
    10: (*_EIGHT, (0.5, _THIRD / 2), (0.5, 1 - _THIRD / 2)),
}
"""Where the pips of 2 to 10 sit, as shares of the pip field's width and height."""


@dataclass(frozen=True, slots=True)
class Deck:
    """Pictures of one design at 140 by 196: 52 faces by rank and suit, a back, others."""

    faces: Picture
    back: Picture
    others: Picture


def fit(mask: Mask, high: float, wide: float) -> Mask:
    """A mask scaled to so many pixels."""
    size = (max(2, round(wide)), max(2, round(high)))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


def stamp(canvas: Picture, mask: Mask, at: tuple[float, float], ink: Colour) -> None:
    """Print a mask with its top left corner at (x, y); what falls outside is lost."""
    x, y = round(at[0]), round(at[1])
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + mask.shape[1], canvas.shape[1]), min(y + mask.shape[0], canvas.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    part = mask[y0 - y : y1 - y, x0 - x : x1 - x, None].astype(np.uint16)
    spot = canvas[y0:y1, x0:x1]
    spot[:] = (spot * (255 - part) + np.array(ink, np.uint16) * part) // 255


def centred(canvas: Picture, mask: Mask, at: tuple[float, float], ink: Colour) -> None:
    """Print a mask about a point."""
    stamp(canvas, mask, (at[0] - mask.shape[1] / 2, at[1] - mask.shape[0] / 2), ink)


class Painter:
    """Draws the cards of one style."""

    def __init__(self, style: Style, art: Picture | None, rng: np.random.Generator) -> None:
        self._style = style
        self._art = art
        self._rng = rng
        self._plain_ace = bool(rng.random() < 0.7)

    def index_mask(self, rank: str, suit: Mask | None) -> Mask:
        """The index as one mask: rank over suit, or beside it."""
        style = self._style
        high, wide = style.rank
        glyphs = [style.glyphs[sign] for sign in rank]
        total = wide * (style.ten if len(rank) > 1 else 1.0)
        if rank in ("J", "1"):
            total *= style.squeeze
        letters = [fit(glyph, high, total / len(rank) * 0.94) for glyph in glyphs]
        spacer = np.zeros((letters[0].shape[0], max(1, round(total * 0.05))), np.uint8)
        row = letters[0]
        for letter in letters[1:]:
            row = np.hstack([row, spacer, letter])
        if suit is None:
            return row
        aspect = suit.shape[1] / suit.shape[0]
        pip = fit(suit, style.suit_high, style.suit_high * aspect * style.pip[1])
        gap = max(1, round(style.gap))
        if style.beside:
            return self._beside(row, pip, gap)
        if style.layout == "stagger":
            row = np.pad(row, ((0, 0), (0, round(pip.shape[1] * 0.5))))
            pip = np.pad(pip, ((0, 0), (max(0, row.shape[1] - pip.shape[1]), 0)))
        out = np.zeros(
            (row.shape[0] + gap + pip.shape[0], max(row.shape[1], pip.shape[1])), np.uint8
        )
        if style.layout == "above":
            row, pip = pip, row
        share = 0 if style.layout == "flush" else 2
        x = (out.shape[1] - row.shape[1]) // share if share else 0
        out[: row.shape[0], x : x + row.shape[1]] = row
        x = (out.shape[1] - pip.shape[1]) // share if share else 0
        out[-pip.shape[0] :, x : x + pip.shape[1]] = pip
        return out

    def _beside(self, row: Mask, pip: Mask, gap: int) -> Mask:
        """Rank and suit side by side."""
        layout = self._style.layout
        high = max(row.shape[0], pip.shape[0])
        out = np.zeros((high, row.shape[1] + gap + pip.shape[1]), np.uint8)
        y = (high - pip.shape[0]) // 2
        if layout == "left":
            out[: row.shape[0], -row.shape[1] :] = row
            out[y : y + pip.shape[0], : pip.shape[1]] = pip
            return out
        y = high - pip.shape[0] if layout == "sunk" else y
        out[: row.shape[0], : row.shape[1]] = row
        out[y : y + pip.shape[0], -pip.shape[1] :] = pip
        return out

    def paint_index(self, canvas: Picture, mask: Mask, ink: Colour, *, clear: bool) -> None:
        """Put the index into two or four corners, on clear paper over a court."""
        style = self._style
        x, y = style.margin
        rows, cols = mask.shape
        spots = [(x, y, mask), (WIDE - x - cols, HIGH - y - rows, mask[::-1, ::-1])]
        if style.corners == 4:
            spots += [(WIDE - x - cols, y, mask), (x, HIGH - y - rows, mask[::-1, ::-1])]
        for left, top, part in spots:
            if clear:
                corner = (int(left) - 3, int(top) - 3)
                end = (int(left) + cols + 3, int(top) + rows + 3)
                cv2.rectangle(canvas, corner, end, style.paper, -1)
            stamp(canvas, np.ascontiguousarray(part), (left, top), ink)

    def paint_pips(self, canvas: Picture, count: int, suit: Mask, ink: Colour) -> None:
        """Lay out so many pips, those of the lower half turned."""
        style = self._style
        high = style.pip[0]
        pip = fit(suit, high, high * suit.shape[1] / suit.shape[0] * style.pip[1])
        turned = np.ascontiguousarray(pip[::-1, ::-1])
        spots = wild.places(count, self._rng) if style.odd_pips else PLACES[count]
        for across, down in spots:
            x = style.column + across * (WIDE - 2 * style.column)
            y = style.row + down * (HIGH - 2 * style.row)
            centred(canvas, turned if down > 0.5 else pip, (x, y), ink)

    def paint_ace(self, canvas: Picture, suit: Mask, code: str, ink: Colour) -> None:
        """One pip; that of spades often large and ornate, with a maker's words."""
        rng, style = self._rng, self._style
        scale = style.ornate if code == "S" else rng.uniform(1.0, min(2.6, style.ornate))
        high = min(style.pip[0] * scale, 0.55 * HIGH)
        wide = min(high * suit.shape[1] / suit.shape[0], 0.62 * WIDE)
        large = fit(suit, high, wide)
        printed = ink if code != "S" or rng.random() < 0.85 else style.inks["H"]
        if rng.random() < 0.4:
            large = np.ascontiguousarray(large[::-1, ::-1])
        centred(canvas, large, (WIDE / 2, HIGH / 2), printed)
        if scale > 2.0 and rng.random() < 0.75:
            ornament.lace(canvas, large, printed, style.paper, rng)
        if rng.random() < (0.6 if code == "S" else 0.08):
            for y in rng.uniform(0.2, 0.86, int(rng.integers(1, 4))):
                if abs(y * HIGH - HIGH / 2) > high / 2:
                    ornament.words(canvas, printed, rng, y=float(y))
            if rng.random() < 0.5:
                canvas[:] = canvas[::-1, ::-1].copy()

    def paint_court(self, canvas: Picture, rank: int, suit: int, ink: Colour) -> None:
        """The picture in the middle of a jack (10), queen (11) or king (12)."""
        style, rng = self._style, self._rng
        x, y = style.court_box
        mask = style.suits[SUITS[suit]]
        if style.court == "suit":
            centred(
                canvas,
                fit(mask, 120, 120 * mask.shape[1] / mask.shape[0]),
                (WIDE / 2, HIGH / 2),
                ink,
            )
        elif style.court != "blank":
            if style.court == "art" and self._art is not None:
                whose = int(rng.integers(10, 13)) if style.odd_courts else rank
                picture = courts.borrowed(self._art[whose * 4 + suit], rng)
            elif style.court == "letter":
                picture = courts.lettered(style.glyphs[RANKS[rank]], ink, style.paper)
            elif style.court == "abstract":
                picture = courts.abstract(style.paper, rng)
            elif style.court == "collage":
                masks = [*style.suits.values(), style.glyphs[str(rng.choice(list("AJQK278")))]]
                picture = wild.collage(style.paper, masks, rng)
            elif style.court == "emblem":
                picture = ornament.emblem(rank - 10, courts.SIZE, style.paper, rng)
            elif style.court == "portrait":
                picture = ornament.portrait(rank - 10, courts.SIZE, style.paper, rng)
            else:
                picture = courts.figure(rank - 10, style.paper, rng)
            size = (WIDE - 2 * x, HIGH - 2 * y)
            canvas[y : HIGH - y, x : WIDE - x] = cv2.resize(
                picture, size, interpolation=cv2.INTER_AREA
            )
        if style.frame and style.panel is None:
            cv2.rectangle(canvas, (x, y), (WIDE - x - 1, HIGH - y - 1), style.frame_ink, 2)
        if style.corner_pip and style.court != "blank":
            pip = fit(
                mask, style.pip[0] * 0.75, style.pip[0] * 0.75 * mask.shape[1] / mask.shape[0]
            )
            stamp(canvas, pip, (x + 5, y + 6), ink)
            turned = np.ascontiguousarray(pip[::-1, ::-1])
            end = (WIDE - x - 5 - pip.shape[1], HIGH - y - 6 - pip.shape[0])
            stamp(canvas, turned, end, ink)

    def blank(self) -> Picture:
        """Empty paper, with the frame that some decks print round every card."""
        canvas = np.empty((HIGH, WIDE, 3), np.uint8)
        canvas[:] = self._style.paper
        if self._style.frame == "all":
            cv2.rectangle(canvas, (9, 10), (WIDE - 10, HIGH - 11), self._style.frame_ink, 2)
        return canvas

    def paint_panel(self, canvas: Picture) -> None:
        """The window in the middle."""
        style = self._style
        x, y = style.court_box
        if style.panel is not None:
            canvas[y : HIGH - y, x : WIDE - x] = style.panel
            if style.frame:
                cv2.rectangle(canvas, (x, y), (WIDE - x - 1, HIGH - y - 1), style.frame_ink, 2)

    def face(self, rank: int, suit: int) -> Picture:
        """One standard card."""
        style = self._style
        code = SUITS[suit]
        ink, mask = style.inks[code], style.suits[code]
        canvas = self.blank()
        if rank or self._plain_ace:
            self.paint_panel(canvas)
        if rank == 0:
            self.paint_ace(canvas, mask, code, ink)
        elif rank > 9:
            self.paint_court(canvas, rank, suit, ink)
        elif style.body == "pips":
            self.paint_pips(canvas, rank + 1, mask, ink)
        elif style.body == "one":
            high = style.pip[0] * 2
            centred(canvas, fit(mask, high, high * style.pip[1]), (WIDE / 2, HIGH / 2), ink)
        elif style.body == "rank":
            big = np.hstack([fit(style.glyphs[sign], 140, 80) for sign in RANKS[rank]])
            centred(canvas, big, (WIDE / 2, HIGH / 2), ink)
        self.paint_index(
            canvas, self.index_mask(RANKS[rank], mask), ink, clear=rank > 9 or rank == 0
        )
        if style.codes:
            ornament.codes(canvas, style.codes, self._rng)
        return canvas

    def other(self, kind: int) -> Picture:
        """A card that nobody may read: foreign rank, foreign suit, joker, no suit, advert."""
        style, rng = self._style, self._rng
        canvas = self.blank()
        code = SUITS[rng.integers(4)]
        ink, suit = style.inks[code], style.suits[code]
        if kind == 0:
            rank = foreign_rank(rng)
            self._foreign_body(canvas, suit, ink)
            self.paint_index(canvas, self.index_mask(rank, suit), ink, clear=True)
        elif kind == 1:
            count = int(rng.integers(1, 14))
            shape = pips.no_suit(rng)
            if 2 <= count <= 10:
                self.paint_pips(canvas, count, shape, ink)
            else:
                self._foreign_body(canvas, shape, ink)
            self.paint_index(canvas, self.index_mask(RANKS[count - 1], shape), ink, clear=True)
        elif kind == 2:
            self._joker(canvas, ink)
        elif kind == 3:
            if rng.random() < 0.5:
                self._foreign_body(canvas, pips.no_suit(rng), ink)
            rank = RANKS[rng.integers(13)]
            self.paint_index(canvas, self.index_mask(rank, None), ink, clear=True)
        else:
            self._advert(canvas, ink)
        return canvas

    def _foreign_body(self, canvas: Picture, shape: Mask, ink: Colour) -> None:
        if self._rng.random() < 0.5:
            picture = courts.figure(int(self._rng.integers(3)), self._style.paper, self._rng)
            x, y = self._style.court_box
            canvas[y : HIGH - y, x : WIDE - x] = cv2.resize(picture, (WIDE - 2 * x, HIGH - 2 * y))
        else:
            centred(canvas, fit(shape, 90, 80), (WIDE / 2, HIGH / 2), ink)

    def _joker(self, canvas: Picture, ink: Colour) -> None:
        style, rng = self._style, self._rng
        self._foreign_body(canvas, pips.no_suit(rng), ink)
        if rng.random() < 0.75:
            high = rng.uniform(14, 30)
            rows = [fit(style.glyphs[sign], high, high * 0.7) for sign in "JOKER"]
            widest = max(row.shape[1] for row in rows)
            rows = [np.pad(row, ((0, 5), (0, widest - row.shape[1]))) for row in rows]
            mask = np.vstack(rows)
        else:
            mask = self.index_mask("J", pips.no_suit(rng))
        self.paint_index(canvas, mask, ink, clear=True)

    def _advert(self, canvas: Picture, ink: Colour) -> None:
        rng = self._rng
        for line in range(int(rng.integers(2, 16))):
            words = "".join(chr(c) for c in rng.integers(65, 91, int(rng.integers(4, 14))))
            at = (int(rng.integers(6, 40)), 24 + 22 * line)
            cv2.putText(canvas, words, at, int(rng.integers(0, 4)), rng.uniform(0.4, 0.9), ink, 2)
        if rng.random() < 0.6:
            centred(canvas, fit(pips.no_suit(rng), 110, 110), (WIDE / 2, HIGH * 0.6), ink)


def _kept(canvas: Picture) -> Picture:
    return np.asarray(cv2.resize(canvas, KEPT[::-1], interpolation=cv2.INTER_AREA), np.uint8)


def make(pool: Parts, seed: int) -> Deck:
    """The procedural deck of one seed."""
    rng = np.random.default_rng(seed)
    style = choose(pool, rng)
    art = pool.art[rng.integers(len(pool.art))] if pool.art else None
    painter = Painter(style, art, rng)
    faces = np.stack([_kept(painter.face(rank, suit)) for rank in range(13) for suit in range(4)])
    others = np.stack([_kept(painter.other(kind)) for kind in range(OTHERS)])
    return Deck(faces, _kept(back(rng)), others)


def of_art(faces: Picture, seed: int) -> Deck:
    """A deck of real art, with procedural back and other cards."""
    rng = np.random.default_rng(seed)
    kept = np.stack([_kept(face) for face in faces])
    blank = np.full((OTHERS, *KEPT, 3), 250, np.uint8)
    return Deck(kept, _kept(back(rng)), blank)
