"""The sentences of a calibration, each with a code, so that a page can say them in any language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from vision.layout import LayoutError

TEXTS: Final[Mapping[str, str]] = {
    # camera
    "camera_none": "No picture has come yet: check the camera's cable.",
    "camera_good": "The picture is sharp and lit.",
    "camera_dark": "The picture is dark: switch the lamps on or lengthen the exposure.",
    "camera_burnt": "The picture is burnt out: shorten the exposure or dim the lamps.",
    "camera_blurred": "The picture is not sharp: focus the lens on the felt.",
    "camera_small": "The picture is {width} × {height}: set the camera to at least 1280 × 720.",
    # lens
    "lens_show": "Hold the printed board so that it fills a third of the picture.",
    "lens_missing": "{views} of {wanted} views. Still missing: {where}.",
    "lens_more": "{views} of {wanted} views. Show the board from other sides.",
    "lens_tilt": "{views} views. Hold the board at more of an angle, to each side.",
    "lens_good": "{views} views of the board, all corners of the picture.",
    "lens_kept": "Kept from version {version}: the same camera and lens.",
    "lens_file": "Kept as it was measured before: the same camera and lens.",
    "lens_skipped": "Done without. Places may be wrong by several millimetres near the rim.",
    "lens_bad": "The board is seen {rms} px beside its place, {limit} are allowed: lay the board"
    " on something flat and show it again.",
    "board_none": "No board is seen.",
    "board_mirrored": "The picture is mirrored: switch mirroring off in the camera.",
    "board_two": "Two boards are in the picture: take one away.",
    "board_other": "This is another board: print ours with `cutcard calibrate --print board`.",
    "board_part": "Too little of the board is seen: show at least half of it, sharp and lit.",
    "board_moving": "Hold the board still.",
    "board_same": "This view is known: move the board on.",
    "board_taken": "Taken. Move the board on.",
    # plane
    "plane_show": "Lay four or more markers flat on the felt, at its corners and edges.",
    "plane_lens_first": "Measure the lens first, or do without it.",
    "plane_few": "{count} of 4 markers are seen: lay more, at the corners and edges of the felt.",
    "plane_places": "Without the lens the places of the markers must be known: measure from marker"
    " to marker with a tape and enter the distances.",
    "plane_four": "Four points fit any error: give two more, best in the middle of the edges.",
    "plane_line": "The points lie in a line: give some beside it.",
    "plane_turned": "The points go round the wrong way: the picture is mirrored, or two points were"
    " exchanged.",
    "plane_exchanged": "{first} and {second} seem to be exchanged.",
    "plane_good": "Limit {limit} mm. {worst} is the worst.",
    "plane_bad": "{worst} is {mm} mm beside its place, {limit} mm are allowed: press it flat or"
    " correct its place.",
    "plane_bad_lens": "{mm} mm beside their places, {limit} mm are allowed: the lens bends the"
    " picture, so measure the lens.",
    "plane_narrow": "The markers lie close together: spread them to the corners of the felt.",
    "plane_distances": "The distances do not fit the markers: {first} to {second} is {seen} mm in"
    " the picture, {given} mm by the tape.",
    "plane_moved": "Marker {worst} lies {mm} mm beside its old place: put it back, or begin anew.",
    "plane_mirrored": "The picture is mirrored: switch mirroring off in the camera.",
    "plane_twice": "Marker {worst} is in the picture twice: take one away.",
    "plane_point": "Point {worst} is outside of the picture.",
    # zones
    "zones_plane_first": "Measure the plane of the felt first.",
    "zones_begin": "Go on to the zones.",
    "zones_drag": "Drag the corners of {zone} until the printed box fits.",
    "zones_good": "All zones are placed.",
    "zone_outside": "{zone} reaches out of the picture: move it in, or move the camera back.",
    "zone_small": "A card is {card} px wide in {zone}, {wanted} are needed: move the camera"
    " {closer} % closer, or set it to {width} × {height}.",
    "zone_overlap": "{zone} and {other} overlap: move them apart.",
    "zone_crossed": "The sides of {zone} cross: put its corners in order.",
    "zone_tight": "{zone} is too small for {slots} cards: make it larger.",
    # try
    "try_zones_first": "Place the zones first.",
    "try_lay": "Lay a card in each zone.",
    "try_next": "Lay a card face up in {zone}.",
    "try_unsure": "The card in {zone} is not read surely: lay it anew.",
    "try_good": "A card was read in each zone.",
    "try_size": "The card in {zone} measures {wide} × {high} mm, {card_wide} × {card_high} are"
    " expected: the markers were not printed at 100 %, or the distances are wrong.",
    # verdict
    "verdict_begin": "Begin",
    "verdict_almost": "Almost",
    "verdict_good": "Good",
    "verdict_bad": "Not yet",
    "verdict_far": "So far good: worst error {worst} of {limit} mm; a card is {card} px wide at the"
    " far edge, {wanted} are needed.",
    "verdict_ready": "Worst error {worst} of {limit} mm; a card is {card} px wide at the far edge,"
    " {wanted} are needed.",
    # save
    "save_lens": "the lens",
    "save_plane": "the plane",
    "save_place": "{count} to place",
    "save_try": "{count} to try",
    "save_mend": "{count} to mend",
    # fixed features
    "watch_few": "The felt shows {count} fixed features outside of the zones: without two a knocked"
    " camera is not noticed, so leave two markers on the felt.",
    # refusals
    "no_word": "There is no such word: {word}.",
    "no_frame": "No picture has come yet: check the camera's cable.",
    "no_zone": "There is no zone {zone}: there are {zones}.",
    "no_game": "There are no zones for {game}: there are {games}.",
    "bad_value": "{field} must be {what}.",
    "not_saved": "Not kept yet: {what}.",
    "no_undo": "There is nothing to take back.",
    "no_version": "There is no version {version}: there are {versions}.",
    "no_lens": "The lens is not measured yet: {what}",
    "no_file": "No layout file is configured for this camera: set `layout` and begin again.",
    "cannot_write": "{file} cannot be written ({why}): correct the folder's rights or choose"
    " another file.",
    "old_unfit": "The layout in force cannot be used and is set aside: {why}.",
    "other_game": "The layout in {file} is for {old}, not for {game}: give `--game {old}`, or"
    " another file.",
    "other_size": "The picture is {width} × {height}, the lens was measured at {wide} × {high}:"
    " set the camera back, or measure the lens again.",
}
"""English of each code; names in braces are in the sentence's values."""

PARTS: Final = (
    ("upper left", "top", "upper right"),
    ("left", "middle", "right"),
    ("lower left", "bottom", "lower right"),
)
"""Words for the nine parts of a picture, row by row."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence by its code, with what is filled in."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The sentence in English."""
        return TEXTS[self.code].format(**self.values)

    def body(self) -> dict[str, Any]:
        """Its JSON object: code, values and the English text."""
        return {"code": self.code, "values": dict(self.values), "text": self.text}


def say(code: str, **values: Any) -> Sentence:
    """Make a sentence."""
    return Sentence(code, values)


class CalibrationRefused(LayoutError):  # noqa: N818  it says what happened
    """What was asked is not done; one sentence that says what to do instead."""

    def __init__(self, sentence: Sentence) -> None:
        """Keep the sentence."""
        super().__init__(sentence.text)
        self.sentence = sentence


def refuse(code: str, **values: Any) -> CalibrationRefused:
    """The refusal to raise."""
    return CalibrationRefused(say(code, **values))
