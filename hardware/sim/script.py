"""Scripts for a simulated shoe: one order a line, as `draw`, `wait 1.5` or `fault noise on`."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from studio.domain.cards import CUT, UNREADABLE, Card
from studio.live.ports import SimulatedWire

HELP: Final = """draw                  slide the next card out
draw 7H               the same; an empty shoe gets this card first
draw 7H as 8H         the reader takes it for another card; `as ??`: unreadable
wait 1.5              seconds
wait studio           until a studio is connected and has heard everything
fault noise on        switch a fault on or off
load 7H KS CUT 2C     put cards behind the others"""
"""All orders, for people."""
LONGEST_WAIT_S: Final = 86400.0
_MEET_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Draw:
    """Slide a card out: `card` is what must come, None for any."""

    card: str | None
    reads_as: str | None


@dataclass(frozen=True, slots=True)
class Wait:
    """Let so many seconds pass."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Meet:
    """Wait until a studio is connected and has acknowledged everything."""


@dataclass(frozen=True, slots=True)
class Switch:
    """Switch a fault."""

    fault: str
    on: bool


@dataclass(frozen=True, slots=True)
class Load:
    """Put cards behind the others."""

    cards: tuple[str, ...]


Order = Draw | Wait | Meet | Switch | Load
"""One line of a script."""


def parse_order(line: str, faults: Iterable[str]) -> Order | None:
    """Read one line; None for an empty one or a comment after ``#``.

    Raises:
        ValueError: with a sentence that says what to write.
    """
    match line.split("#", 1)[0].split():
        case []:
            return None
        case ["draw"]:
            return Draw(None, None)
        case ["draw", card]:
            return Draw(_slides(card), None)
        case ["draw", "as", seen]:
            return Draw(None, _reads(seen))
        case ["draw", card, "as", seen]:
            return Draw(_slides(card), _reads(seen))
        case ["wait", "studio"]:
            return Meet()
        case ["wait", seconds]:
            return Wait(_seconds(seconds))
        case ["fault", name, "on" | "off" as state]:
            known = tuple(faults)
            if name not in known:
                raise ValueError(f"{name!r} is no fault: take one of {', '.join(known)}")
            return Switch(name, state == "on")
        case ["load", *cards] if cards:
            return Load(tuple(_slides(card) for card in cards))
        case words:
            orders = "draw, draw 7H as 8H, wait 1.5, fault NAME on|off or load 7H KS CUT"
            raise ValueError(f"{' '.join(words)!r} is no order: write {orders}")


def parse_script(lines: Iterable[str], faults: Iterable[str]) -> Iterator[Order]:
    """Read a whole script.

    Raises:
        ValueError: naming the line and what to write there.
    """
    known = tuple(faults)
    for number, line in enumerate(lines, 1):
        try:
            order = parse_order(line, known)
        except ValueError as trouble:
            raise ValueError(f"line {number}: {trouble}") from None
        if order is not None:
            yield order


def carry_out(order: Order, shoe: SimulatedWire, wait: Callable[[float], object]) -> str:
    """Do one order; what happened, in a few words for people, or nothing.

    Raises:
        ValueError: if another card than the order names would come out.
    """
    match order:
        case Draw(card, reads_as):
            return _draw(shoe, card, reads_as)
        case Wait(seconds):
            wait(seconds)
            return ""
        case Meet():
            while not shoe.quiet(_MEET_S):
                pass
            return "the studio is connected"
        case Switch(fault, on):
            shoe.switch(fault, on=on)
            return f"fault {fault} {'on' if on else 'off'}"
        case Load(cards):
            shoe.load(cards)
            return f"loaded {len(cards)}"


def _draw(shoe: SimulatedWire, card: str | None, reads_as: str | None) -> str:
    inside = shoe.remaining()
    if card is not None and not inside:
        shoe.load([card])
    elif card is not None and inside[0] != card:
        raise ValueError(f"the next card is {inside[0]}, not {card}: write `draw` alone")
    came = shoe.draw(reads_as=reads_as)
    if not came:
        return "nothing came out"
    return f"drew {came}" + (f", reads {reads_as}" if reads_as else "")


def _slides(code: str) -> str:
    return code if code == CUT else Card.parse(code).code


def _reads(code: str) -> str:
    return code if code == UNREADABLE else Card.parse(code).code


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_WAIT_S:
        raise ValueError(f"{text!r} is no time to wait: write seconds, as 1.5")
    return seconds
