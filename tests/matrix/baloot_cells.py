"""The matrix of mishaps and steps of a round of Baloot, at the table itself.

Devices, dealer, seats and supervisor are what they report and ask; time is moved by hand. A cell
that cannot be says why, in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from studio.domain import commands as c
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.games.procedure import Deal, Facing
from studio.table.decide import noticed
from studio.table.turn import Stamp
from tests.support.baloot_rig import RACKS, TRICK, BalootRig

BOTH: Final = ("shoe", "camera")
CAMERA: Final = ("camera",)
SHOE: Final = ("shoe",)
SOURCES: Final = (BOTH, CAMERA, SHOE)
PACKETS: Final = ("first_packets", "second_packets", "last_packets")
DEALING: Final = ("first_packets", "second_packets", "face_card", "last_packets")
MOVING: Final = ("take_face", "turn_card")
ASKING: Final = ("bidding", "raise", "projects", "play")
CONTRACTED: Final = (
    *("take_face", "last_packets", "raise", "projects", "play", "turn_card", "take_trick"),
)
"""Steps from the contract to the end."""
STEPS: Final = (*DEALING[:3], "bidding", *CONTRACTED)
"""The steps of a round that is bought and played, in order."""
SEAT_1: Final = c.Asker(number="1", name="Seat 2", role="seat", session="t1")
Act = Callable[[BalootRig], Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """A mishap at a step of a table with these sources."""

    name: str
    step: str
    sources: tuple[str, ...]

    def __str__(self) -> str:
        """As a test is named."""
        return f"{self.name}@{self.step}[{'+'.join(self.sources)}]"


# -- while cards are dealt ------------------------------------------------------------------------


def _first(rig: BalootRig, *, ace: bool) -> None:
    """An ace, or no ace, is the next card of the pack."""
    at = next(n for n, code in enumerate(rig.deck) if (code[0] == "A") is ace)
    rig.deck[0], rig.deck[at] = rig.deck[at], rig.deck[0]


def _drawn(rig: BalootRig, **how: str) -> None:
    rig.dealt(rig.due, rig.deck.pop(0), **how)


def _shown(rig: BalootRig) -> None:
    _first(rig, ace=False)
    _drawn(rig, shows=rig.deck[0])


def _ace_shown(rig: BalootRig) -> None:
    _first(rig, ace=True)
    _drawn(rig, shows=rig.deck[0])


def _face_down(rig: BalootRig) -> None:
    _drawn(rig, shows="XX")


def _misplaced(rig: BalootRig) -> None:
    _drawn(rig, to=next(zone for zone in (*RACKS, "FACE") if zone != rig.due.to))


def _on_the_floor(rig: BalootRig) -> None:
    assert rig.table.play is not None
    code = rig.deck.pop(0)
    rig.racks[len(rig.table.play.inputs)] = code
    rig.read(code)


def _unreadable(rig: BalootRig) -> None:
    assert rig.table.play is not None
    now, code = rig.due, rig.deck.pop(0)
    rig.racks[len(rig.table.play.inputs)] = code
    rig.read("??")
    if "camera" in rig.sources:
        rig.lay(now.to, "XX" if now.face is Facing.DOWN else code)


def _misread(rig: BalootRig) -> None:
    """The shoe names another card than the one that lies open."""
    assert rig.table.play is not None
    code = rig.deck.pop(0)
    rig.racks[len(rig.table.play.inputs)] = code
    rig.read(rig.deck[-1])
    rig.lay(rig.due.to, code)


def _taken_for_another(rig: BalootRig) -> None:
    """The shoe takes a card that goes face down for one that it has given."""
    assert rig.table.play is not None
    now, code = rig.due, rig.deck.pop(0)
    given = next(iter(rig.racks.values()))
    rig.racks[len(rig.table.play.inputs)] = code
    rig.read(given)
    if "camera" in rig.sources:
        rig.lay(now.to, "XX")


def _two_at_once(rig: BalootRig) -> None:
    assert rig.table.play is not None
    zone, at = rig.due.to, len(rig.table.play.inputs)
    for number in (at, at + 1):
        rig.racks[number] = rig.deck.pop(0)
        if "shoe" in rig.sources:
            rig.read(rig.racks[number])
    rig.tracks += 2
    backs = (o.SeenCard(track=rig.tracks - more, look=o.Look.BACK) for more in (1, 0))
    rig.felt[zone].extend(backs)
    rig.show()


def _drawn_early(rig: BalootRig) -> None:
    """The first of the last packets comes out before the open card is taken; nobody sees it."""
    assert rig.table.play is not None
    rig.racks[len(rig.table.play.inputs) + 1] = rig.deck.pop(0)
    rig.read(rig.racks[len(rig.table.play.inputs) + 1])


def _seen_early(rig: BalootRig) -> None:
    """A card that belongs to nobody yet lies open while the seats bid."""
    if "shoe" in rig.sources:
        rig.read(rig.deck[0])
    rig.lay("H0", rig.deck[0])


# -- while cards are turned -----------------------------------------------------------------------


def _another_of_the_rack(rig: BalootRig) -> None:
    rack = rig.board().seats[rig.seat_of(rig.due)].rack
    wrong = next(s.index for s in rack if s.look == "back" and s.index != rig.due.index)
    rig.lift_from(wrong)
    rig.lay(rig.due.to, rig.racks[wrong])


def _two_turned(rig: BalootRig) -> None:
    now = rig.due
    rack = rig.board().seats[rig.seat_of(now)].rack
    other = next(s.index for s in rack if s.look == "back" and s.index != now.index)
    for index in (now.index, other):
        rig.lift_from(index)
        rig.tracks += 1
        face = o.SeenCard(
            track=rig.tracks,
            look=o.Look.FACE,
            card=Card.parse(rig.racks[index]),
            sure=True,
            confidence_milli=998,
        )
        rig.felt[now.to].append(face)
    rig.show()


def _before_another_seat(rig: BalootRig) -> None:
    rig.moved(rig.due, to=next(z for z in TRICK if z != rig.due.to and not rig.felt[z]))


def _out_of_turn(rig: BalootRig) -> None:
    """A card of a seat that is not to play is laid open."""
    now = rig.due
    busy = rig.seat_of(now)
    seat = next(s for s in range(4) if s != busy and not rig.felt[f"T{s}"])
    slot = next(s for s in rig.board().seats[seat].rack if s.look == "back")
    rig.lift_from(slot.index)
    rig.lay(f"T{seat}", rig.racks[slot.index])


def _unsure(rig: BalootRig) -> None:
    now = rig.due
    if isinstance(now, Deal):
        assert rig.table.play is not None
        code = rig.deck.pop(0)
        rig.racks[len(rig.table.play.inputs)] = code
        if "shoe" in rig.sources:
            rig.read(code)
        rig.lay(now.to, code, sure=False)
        return
    rig.lift_from(now.index)
    rig.lay(now.to, rig.racks[now.index], sure=False)


def _seen_in_its_rack(rig: BalootRig) -> None:
    """Somebody turns up a card of a rack that is not due."""
    due = getattr(rig.due, "index", None)
    index = next(
        place.index
        for place in (rig.table.play.places if rig.table.play else ())
        if place.face == Facing.DOWN.value and place.index != due
        if rig.racks[place.index][0] != "A"
    )
    rig.flip(index, rig.racks[index])


# -- on the felt ----------------------------------------------------------------------------------


def _open(rig: BalootRig) -> int:
    """The input of the open card that came last and lies on the felt."""
    places = rig.table.play.places if rig.table.play else ()
    found = [p for p in places if p.face == Facing.UP.value and not p.off]
    return next((p.index for p in found if p.to in TRICK), found[-1].index)


def _vanished(rig: BalootRig) -> None:
    rig.lift_from(_open(rig))
    rig.show()


def _cleared(rig: BalootRig) -> None:
    for zone in rig.felt:
        rig.felt[zone].clear()
    rig.show()


def _swapped(rig: BalootRig) -> None:
    index = _open(rig)
    rig.flip(index, next(code for code in rig.racks.values() if code[0] != rig.racks[index][0]))


# -- devices, people, machine ---------------------------------------------------------------------


def _blind(rig: BalootRig) -> None:
    rig.give(o.CameraUnfit(device="camera", at_us=rig.at_us, why=o.Unfit.FROZEN))


def _unplugged(rig: BalootRig) -> None:
    device = "shoe" if "shoe" in rig.sources else "camera"
    rig.give(o.DeviceOffline(device=device, at_us=rig.at_us, reason="unplugged"))


def _jammed(rig: BalootRig) -> None:
    jam = o.DeviceFaultCode.JAM
    rig.give(o.DeviceFault(device="shoe", at_us=rig.at_us, code=jam, text="jam"))


def _gap(rig: BalootRig) -> None:
    rig.give(o.SequenceGap(device="shoe", at_us=rig.at_us, boot="b0", first=900, last=901))


def _empty(rig: BalootRig) -> None:
    empty = o.DeviceFaultCode.EMPTY
    rig.give(o.DeviceFault(device="shoe", at_us=rig.at_us, code=empty, text="no card"))


def _beyond(rig: BalootRig) -> None:
    rig.read(next(iter(rig.racks.values())))


def _stopped(rig: BalootRig) -> None:
    rig.restart()


def _overrun(rig: BalootRig) -> None:
    stamp = Stamp(at_us=rig.at_us, salt="overrun")
    for event in noticed(rig.setup, rig.table, FaultCode.OVERRUN, stamp).events:
        rig.record(event)


def _called(rig: BalootRig) -> None:
    rig.give(c.CallSupervisor())


def _claimed(rig: BalootRig) -> None:
    rig.give(c.ClaimQayd(seat=1, note="did not follow"), SEAT_1)


def _late(rig: BalootRig) -> None:
    rig.wait(31)


MISHAPS: Final[dict[str, tuple[Act, tuple[str, ...], tuple[str, ...]]]] = {
    "ace_shown": (_ace_shown, PACKETS, CAMERA),
    "shown": (_shown, PACKETS, CAMERA),
    "face_down": (_face_down, ("face_card",), CAMERA),
    "misplaced": (_misplaced, DEALING, CAMERA),
    "on_the_floor": (_on_the_floor, DEALING, BOTH),
    "unreadable": (_unreadable, DEALING, SHOE),
    "two_at_once": (_two_at_once, PACKETS, CAMERA),
    "two_turned": (_two_turned, ("turn_card",), CAMERA),
    "drawn_early": (_drawn_early, ("take_face",), SHOE),
    "seen_early": (_seen_early, ("bidding",), CAMERA),
    "misread": (_misread, ("face_card",), BOTH),
    "taken_for_another": (_taken_for_another, PACKETS[1:], SHOE),
    "empty": (_empty, (*DEALING, *ASKING, *MOVING), SHOE),
    "beyond": (_beyond, ("raise", "projects", "play", "turn_card", "take_trick"), SHOE),
    "another_of_the_rack": (_another_of_the_rack, ("turn_card",), CAMERA),
    "before_another_seat": (_before_another_seat, ("turn_card",), CAMERA),
    "out_of_turn": (_out_of_turn, ("bidding", "raise", "projects", "play", "turn_card"), CAMERA),
    "unsure": (_unsure, ("face_card", *MOVING), CAMERA),
    "seen_in_its_rack": (_seen_in_its_rack, STEPS[1:], CAMERA),
    "vanished": (_vanished, STEPS[3:-1], CAMERA),
    "cleared": (_cleared, STEPS[3:-1], CAMERA),
    "swapped": (_swapped, STEPS[3:-1], CAMERA),
    "blind": (_blind, STEPS, CAMERA),
    "unplugged": (_unplugged, STEPS, ()),
    "jammed": (_jammed, STEPS, SHOE),
    "gap": (_gap, STEPS, SHOE),
    "stopped": (_stopped, STEPS, ()),
    "overrun": (_overrun, STEPS, ()),
    "called": (_called, STEPS, ()),
    "late": (_late, (*DEALING, *MOVING), ()),
    "qayd": (_claimed, CONTRACTED, ()),
}
"""(what happens, steps at which it can, sources that it needs) by name."""
SHOE_ALONE: Final = "where a camera looks on, that card is laid when its turn comes: played by rows"
NO_TIME: Final = "without a camera the dealer says when a card is turned: nothing is late"


def impossible(cell: Cell) -> str | None:
    """Why this cell cannot be; None if it can."""
    _, steps, needs = MISHAPS[cell.name]
    if not set(needs) <= set(cell.sources):
        return f"{cell.name} needs a table with {' and '.join(needs)}"
    if cell.step not in steps:
        if cell.step == "take_trick":
            return f"the trick is taken up then, so nothing is told of its cards: {cell.name}"
        return f"{cell.name} cannot happen while {cell.step} is due"
    if cell.name == "drawn_early" and "camera" in cell.sources:
        return SHOE_ALONE
    if cell.name == "late" and cell.step in MOVING and "camera" not in cell.sources:
        return NO_TIME
    return None


def cells() -> Iterator[Cell]:
    """Every cell of the matrix, also those that cannot be."""
    for sources in SOURCES:
        for step in STEPS:
            for name in MISHAPS:
                yield Cell(name, step, sources)


def possible_cells() -> tuple[Cell, ...]:
    """The cells that can be."""
    return tuple(cell for cell in cells() if impossible(cell) is None)


Key = tuple[str, str, str]
"""(row, fault, stem)."""
BROUGHT_BY: Final[dict[Key, Cell]] = {
    ("BL1", "wrong_face", "ace_shown"): Cell("ace_shown", "second_packets", BOTH),
    ("BL2", "wrong_face", "rack_card_shown"): Cell("shown", "last_packets", CAMERA),
    ("BL2", "substituted_card", "rack_card_shown"): Cell("seen_in_its_rack", "raise", BOTH),
    ("BL3", "deal_order", "packet_misplaced"): Cell("misplaced", "last_packets", BOTH),
    ("BL4", "deal_order", "out_of_turn"): Cell("out_of_turn", "projects", CAMERA),
    ("BL5", "wrong_card", "wrong_card"): Cell("another_of_the_rack", "turn_card", CAMERA),
    ("BL6", "card_out_of_phase", "card_too_many_in_round"): Cell("beyond", "take_trick", SHOE),
    ("BL6", "card_out_of_phase", "pack_broken"): Cell("seen_early", "bidding", BOTH),
    ("BL8", "shoe_empty", "pack_short"): Cell("empty", "last_packets", SHOE),
    ("BL10", "qayd", "qayd"): Cell("qayd", "turn_card", BOTH),
    ("B3", "card_out_of_phase", "card_out_of_phase"): Cell("drawn_early", "take_face", SHOE),
    ("B11", "two_at_once", "two_at_once"): Cell("two_turned", "turn_card", BOTH),
    ("B12", "card_unseen", "card_unseen"): Cell("on_the_floor", "second_packets", BOTH),
    ("B14", "card_vanished", "card_vanished"): Cell("cleared", "play", BOTH),
    ("C15", "substituted_card", "substituted_card"): Cell("swapped", "play", BOTH),
    ("F5", "recovered", "recovered"): Cell("stopped", "turn_card", BOTH),
    ("F10", "dealer_call", "dealer_call"): Cell("called", "bidding", CAMERA),
    ("P8", "device_trouble", "device_trouble"): Cell("jammed", "last_packets", SHOE),
    ("R4", "overrun", "overrun"): Cell("overrun", "play", SHOE),
    ("V1", "unreadable_card", "unreadable_card"): Cell("unreadable", "face_card", BOTH),
    ("V3", "reader_mismatch", "reader_mismatch"): Cell("misread", "face_card", BOTH),
    ("V4", "unsure_card", "unsure_card"): Cell("unsure", "turn_card", BOTH),
    ("V4", "wrong_face", "wrong_face"): Cell("face_down", "face_card", CAMERA),
    ("V5", "impossible_card", "impossible_card"): Cell("taken_for_another", "last_packets", BOTH),
    ("V5", "impossible_card", "impossible_outside"): Cell("beyond", "play", SHOE),
    ("V10", "camera_unfit", "camera_unfit"): Cell("blind", "projects", CAMERA),
    ("V10", "card_due_late", "card_due_late"): Cell("late", "turn_card", CAMERA),
    ("V10", "device_lost", "device_lost"): Cell("unplugged", "turn_card", BOTH),
    ("V10", "sequence_gap", "sequence_gap"): Cell("gap", "first_packets", SHOE),
}
"""Each row that a mishap of the matrix brings about, with one such cell."""
ROWS: Final = "played by what a table is told: tests/unit/table/test_rows_baloot.py"
ANY_GAME: Final = "the same whatever is dealt: tests/unit/table/test_rows_readers.py, test_rows.py"
TEXT_READER: Final = "a shoe that does not number its reports: tests/unit/table/test_unnumbered.py"
ELSEWHERE: Final[dict[Key, str]] = {
    ("BL1", "substituted_card", "ace_shown"): ROWS,
    ("BL6", "early_card", "pack_broken"): ROWS,
    ("BL7", "extra_card", "card_after_round"): ROWS,
    ("BL9", "revoke", "revoke"): "tests/unit/table/test_qayd.py",
    ("BL9", "revoke", "clock_revoked"): "tests/unit/table/test_qayd.py",
    ("B1", "early_card", "early_card"): ROWS,
    ("V8", "card_out_of_phase", "card_out_of_phase"): ROWS,
    ("C9", "count_mismatch", "count_mismatch"): ROWS,
    ("B3", "early_card", "early_card"): ANY_GAME,
    ("B4", "card_out_of_phase", "card_out_of_phase"): ANY_GAME,
    ("B9", "shoe_empty", "shoe_empty"): ANY_GAME,
    ("B15", "extra_card", "extra_card"): ANY_GAME,
    ("F8", "device_untested", "device_untested"): ANY_GAME,
    ("L5", "clock_jump", "clock_jump"): ANY_GAME,
    ("P6", "card_out_of_phase", "no_round"): ANY_GAME,
    ("P8", "device_rebooted", "device_rebooted"): ANY_GAME,
    ("P10", "dealer_call", "shuffle_again"): ANY_GAME,
    ("P11", "dealer_call", "dealer_call"): ANY_GAME,
    ("S2", "device_replaced", "device_replaced"): ANY_GAME,
    ("V2", "unreadable_card", "unreadable_two_out"): ANY_GAME,
    ("V7", "repeated_card", "repeated_card"): ANY_GAME,
    ("V10", "card_from_nowhere", "card_from_nowhere"): ANY_GAME,
    ("V1", "card_out_of_phase", "line_unread"): TEXT_READER,
    ("V1", "extra_card", "line_unread"): TEXT_READER,
    ("V1", "unreadable_card", "line_unread"): TEXT_READER,
    ("V10", "device_lost", "lost_with_a_card_due"): TEXT_READER,
}
"""The same of those that none brings about, and where each is played."""
