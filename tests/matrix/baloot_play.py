"""Plays a cell of Baloot: the mishap, the lawful answers, the round to its end, a clean one after.

The supervisor takes the first lawful option, and the next one where the same fault comes back; the
hands put the felt right before each press.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import Fault
from studio.games.procedure import Deal, Facing, Move, Reveal
from studio.table import coverage, policy
from studio.table.evolve import evolve
from studio.table.options import options
from studio.table.rescan import WHOLE_FELT, zones_of
from studio.table.row import Row, Void
from studio.table.state import Phase, Place, Table
from studio.table.views import OptionView
from tests.matrix.baloot_cells import MISHAPS, Cell
from tests.support.baloot_rig import ORDER, BalootRig
from tests.support.row_play import REASON

STAKES = {"round_0": 1000, "round_1": 600, "kaboot_no": 100, "game_0": 50}
PATIENCE = 14
"""Holds after which a round has not come to an end."""


@dataclass
class Course:
    """One table and what befalls it."""

    rig: BalootRig
    tried: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    answers: list[tuple[str, str]] = field(default_factory=list)

    # -- what people do ----------------------------------------------------------------------------

    def finish(self) -> None:
        """Answer what is open and play on, until the round is paid or void."""
        rig = self.rig
        for _ in range(600):
            if rig.table.held:
                self.answer()
            elif rig.table.phase not in (Phase.DEALING, Phase.DECISION):
                return
            elif self._is_out():
                put_right(rig)
                if self._is_out() and not rig.table.held:
                    rig.wait(6)
            else:
                rig.step()
        raise AssertionError(f"no end: {rig.due}, {rig.faults()}, {self.answers}")

    def _is_out(self) -> bool:
        """Whether the due card has been drawn already."""
        play = self.rig.table.play
        return (
            isinstance(self.rig.due, Deal)
            and play is not None
            and len(play.inputs) in self.rig.racks
        )

    def answer(self) -> None:
        """Put devices and felt right, answer every fault, lift the hold."""
        rig = self.rig
        assert len(self.answers) < PATIENCE, self.answers
        mended(rig)
        for fault in rig.table.hold.faults if rig.table.hold else ():
            if rig.table.hold is not None and fault in rig.table.hold.faults:
                self._one(fault)
        if rig.table.hold is not None and not rig.table.hold.faults:
            put_right(rig)
            rig.lift()

    def _one(self, fault: Fault) -> None:
        """Take the first lawful option, the next one where the same fault has come back."""
        rig = self.rig
        inputs = len(rig.table.play.inputs) if rig.table.play else 0
        key = (fault.code.value, fault.step, inputs)
        lawful = [each for each in options(rig.setup, rig.table, fault) if each.enabled]
        first = min(self.tried[key], max(0, len(lawful) - 1))
        self.tried[key] += 1
        for option in (*lawful[first:], *lawful[:first]):
            if self._take(fault, option):
                self.answers.append((fault.code.value, option.command))
                return
        told = [(each.command, each.reason) for each in options(rig.setup, rig.table, fault)]
        raise AssertionError(f"nothing answers {fault}: {told}")

    def _take(self, fault: Fault, option: OptionView) -> bool:
        rig, fields = self.rig, self._fields(fault, option)
        if fields is None:
            return False
        put_right(rig)
        return rig.refused(getattr(c, option.command)(**fields)) is None

    def _fields(self, fault: Fault, option: OptionView) -> dict[str, Any] | None:
        rig = self.rig
        fields: dict[str, Any] = {"fault": fault.id, "reason": REASON}
        match option.command:
            case "EndShoe":
                return None
            case "KeyInCard":
                due = self._due_card()
                return None if due is None else fields | {"card": due}
            case "CorrectCard":
                wrong = self._wrong()
                return None if wrong is None else fields | wrong
            case "RescanRound" if fault.code in WHOLE_FELT and "camera" not in rig.sources:
                return fields | {"felt": truth(rig)}
            case "VoidRound":
                assert rig.table.round is not None
                return fields | {"round_id": rig.table.round.id}
            case "DecideQayd":
                return fields | {"against": None}
            case _:
                return fields

    def _due_card(self) -> Card | None:
        """What is due, if it is out."""
        rig, now = self.rig, self.rig.due
        at = now.index if isinstance(now, Move | Reveal) else len(rig.table.play.inputs)  # type: ignore[union-attr]
        code = rig.racks.get(at)
        return Card.parse(code) if code is not None else None

    def _wrong(self) -> dict[str, Any] | None:
        """An accepted card that is another one."""
        places = self.rig.table.play.places if self.rig.table.play else ()
        for place in places:
            true = Card.parse(self.rig.racks[place.index])
            if place.card not in (None, true) and place.face == Facing.UP.value:
                return {"index": place.index, "card": true}
        return None


def mended(rig: BalootRig) -> None:
    """What a technician does: every device is there, sees and runs."""
    for device in rig.table.devices:
        if "JAM" in device.trouble or "EMPTY" in device.trouble:
            for code in (o.DeviceFaultCode.JAM, o.DeviceFaultCode.EMPTY):
                rig.give(o.DeviceFaultCleared(device=device.name, at_us=rig.at_us, code=code))
        if not device.online:
            rig.online()
        if not device.fit:
            rig.give(o.CameraFit(device=device.name, at_us=rig.at_us))
        if not device.tested:
            rig.give(o.SelfTested(device=device.name, at_us=rig.at_us, passed=True, text="ok"))


# -- the felt -------------------------------------------------------------------------------------


def put_right(rig: BalootRig) -> None:
    """Lay every card where it belongs: each accepted one in its place, the drawn one where due."""
    if "camera" not in rig.sources or rig.table.play is None:
        return
    lying = {(zone, card.track): card for zone, cards in rig.felt.items() for card in cards}
    parked = {each.track for each in rig.table.sensing.parked if each.track is not None}
    felt: dict[str, list[o.SeenCard]] = {zone: [] for zone in rig.felt}
    for zone, track in sorted(parked & set(lying)):
        felt[zone].append(lying[zone, track])
    if rig.table.phase is not Phase.RESULT:
        for place in rig.table.play.places:
            if not place.off:
                felt[place.to].append(_in_place(rig, place, set(lying)))
        due, at = rig.due, len(rig.table.play.inputs)
        if isinstance(due, Deal) and at in rig.racks:
            felt[due.to].append(_card(rig, rig.racks[at], face_up=due.face is Facing.UP))
    rig.felt = felt
    rig.show()


def _in_place(rig: BalootRig, place: Place, lying: set[tuple[str, int]]) -> o.SeenCard:
    """An accepted card where it belongs, with the track that the camera has of it, if any."""
    card = _card(rig, rig.racks[place.index], face_up=place.face == Facing.UP.value)
    if place.track is not None and place.track in lying:
        return replace(card, track=place.track[1])
    return card


def _card(rig: BalootRig, code: str, *, face_up: bool) -> o.SeenCard:
    rig.tracks += 1
    if not face_up:
        return o.SeenCard(track=rig.tracks, look=o.Look.BACK)
    card, sure = Card.parse(code), 998
    return o.SeenCard(
        track=rig.tracks, look=o.Look.FACE, card=card, sure=True, confidence_milli=sure
    )


def truth(rig: BalootRig) -> tuple[c.FeltZone, ...]:
    """What a person sees on the felt: racks as backs."""
    places = [p for p in (rig.table.play.places if rig.table.play else ()) if not p.off]
    return tuple(
        c.FeltZone(
            zone=zone,
            cards=tuple(
                Card.parse(rig.racks[p.index]) if p.face == Facing.UP.value else None
                for p in places
                if p.to == zone
            ),
        )
        for zone in zones_of(rig.setup, rig.table)
    )


# -- a whole cell ----------------------------------------------------------------------------------


def play(cell: Cell, profile: str = "house") -> set[tuple[str, str, str]]:
    """Play a cell and a clean round after it; the rows that came about."""
    rig = BalootRig(sources=cell.sources, profile=profile).opened(**STAKES).until(cell.step)
    act, _, _ = MISHAPS[cell.name]
    act(rig)
    if not rig.table.held:
        rig.wait(6)
    if not rig.table.held and isinstance(rig.due, Deal | Move):
        rig.wait(6)
    course = Course(rig)
    course.finish()
    rows = rows_of(rig)
    assert not {row.row for row in rows} & set(coverage.IMPOSSIBLE[coverage.BALOOT])
    assert rig.table.round is not None
    void = any(row.holds and row.void in (Void.FIRST, Void.ONLY) for row in rows)
    state, spent = rig.table.round.state, (str(cell), rig.faults(), course.answers)
    assert state == "voided" if void else state == "settled", spent
    _check_money(rig)
    _over(course)
    figures = told(rig)
    if state == "voided":
        assert rig.table.carried in ((), figures), spent
    _clean(rig, rig.table.carried or figures, spent)
    assert reduce(lambda table, fact: evolve(table, *fact), rig.events, Table()) == rig.table
    return {(row.row, row.code.value, row.stem) for row in rows}


def rows_of(rig: BalootRig) -> list[Row]:
    """The policy's row of each fault of the round, when it was raised."""
    table, rows = Table(), []
    for event, at_us in rig.events:
        table = evolve(table, event, at_us)
        if isinstance(event, e.FaultRaised):
            rows.append(policy.row_of(rig.setup.profile, event.fault, table))
    return rows


def told(rig: BalootRig) -> tuple[int, ...]:
    """The figures that the newest round was given."""
    found = [event.figures for event, _ in rig.events if isinstance(event, e.FiguresCarried)]
    return found[-1]


def _check_money(rig: BalootRig) -> None:
    """A void gives back all stakes of the round; a paid one what its winner brings."""
    back, current = rig.paid(), rig.table.round
    assert current is not None
    if current.state == "voided":
        assert back == {bet.replace("_", ":"): stake for bet, stake in STAKES.items()}
        return
    assert current.code in {"made", "failed", "kaboot"}
    won = [bet for bet in ("round:0", "round:1") if back[bet] > 0]
    assert len(won) == 1
    assert back[won[0]] == STAKES[won[0].replace(":", "_")] * 195 // 100
    assert "game:0" not in back


def _over(course: Course) -> None:
    """The cards are collected and counted, whatever is open then."""
    rig = course.rig
    for _ in range(6):
        if rig.table.held:
            course.answer()
        elif rig.table.phase in (Phase.RESULT, Phase.SHOE):
            rig.collected()
        else:
            break
    assert rig.table.phase is Phase.IDLE, (rig.table.phase, rig.faults(), course.answers)


def _clean(rig: BalootRig, figures: tuple[int, ...], spent: object) -> None:
    """The next round is told the score, and has no fault."""
    mended(rig)
    rig.deck = list(ORDER)
    rig.new_pack()
    faults = len(rows_of(rig))
    rig.begin(round_0=1000)
    assert told(rig) == figures, spent
    rig.until("")
    assert rig.table.round is not None
    assert rig.table.round.state == "settled"
    rig.collected()
    assert (rig.faults(), rig.table.phase) == ([], Phase.IDLE), spent
    assert len(rows_of(rig)) == faults
    assert rig.table.shoe is not None
    assert rig.table.shoe.balance == "balanced"
