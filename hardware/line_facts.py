"""What each kind of frame of `cutcard-line` means, as an observation."""

import logging
from dataclasses import dataclass

from hardware.line_codec import Message
from hardware.line_mask import words
from studio.domain.cards import Card
from studio.domain.observations import (
    CardIdentified,
    CardRead,
    CardUnreadable,
    CutCardOut,
    DeviceFault,
    DeviceFaultCleared,
    DeviceFaultCode,
    GateMoved,
    SelfTested,
    WireObservation,
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Report:
    """Where and when a frame arrived."""

    device: str
    at_us: int
    message: Message


def fact(device: str, message: Message, at_us: int) -> WireObservation | None:
    """The observation that a frame stands for; None for `BEAT`, `HELLO` and unknown kinds.

    A card code that is none, under a right check sum, is an unreadable card: never a value.
    """
    boot, sequence, first = message.boot, message.sequence, message.field(0)
    match message.kind:
        case "CARD":
            return _card(_Report(device, at_us, message))
        case "DRAWN":
            return CardRead(device=device, at_us=at_us, boot=boot, sequence=sequence, card=None)
        case "IDENT":
            return _identified(_Report(device, at_us, message))
        case "BAD":
            return CardUnreadable(
                device=device, at_us=at_us, boot=boot, sequence=sequence, cause=words(first)
            )
        case "CUT":
            return CutCardOut(device=device, at_us=at_us, boot=boot, sequence=sequence)
        case "FAULT":
            text = words(message.field(1) or first)
            return DeviceFault(device=device, at_us=at_us, code=_fault_code(first), text=text)
        case "CLEAR":
            return DeviceFaultCleared(device=device, at_us=at_us, code=_fault_code(first))
        case "LOCKED" | "UNLOCKED":
            return GateMoved(device=device, at_us=at_us, locked=message.kind == "LOCKED")
        case "TESTED":
            text = words(message.field(1))
            return SelfTested(device=device, at_us=at_us, passed=first == "PASS", text=text)
        case "BEAT" | "HELLO":
            return None
        case _:
            log.info("kind_unknown device=%s kind=%s", device, message.kind)
            return None


def _card(report: _Report) -> CardRead | CardUnreadable:
    message = report.message
    try:
        card = Card.parse(message.field(0))
    except ValueError:
        return CardUnreadable(
            device=report.device,
            at_us=report.at_us,
            boot=message.boot,
            sequence=message.sequence,
            cause="what was sent is not a card",
        )
    return CardRead(
        device=report.device,
        at_us=report.at_us,
        boot=message.boot,
        sequence=message.sequence,
        card=card,
    )


def _identified(report: _Report) -> CardIdentified | DeviceFault:
    message = report.message
    drawn, code = message.field(0), message.field(1)
    try:
        card = Card.parse(code)
    except ValueError:
        card = None
    if card is None or not drawn.isdecimal():
        # The draw itself was reported and stays unknown; a person must name the card.
        # What it says instead is not told: half of it may be right.
        text = f"the identity in frame {message.sequence} names no draw and card"
        return DeviceFault(
            device=report.device, at_us=report.at_us, code=DeviceFaultCode.OTHER, text=text
        )
    return CardIdentified(
        device=report.device,
        at_us=report.at_us,
        boot=message.boot,
        sequence=message.sequence,
        of=int(drawn),
        card=card,
    )


def _fault_code(word: str) -> DeviceFaultCode:
    """The class of a fault; what a device calls otherwise is `OTHER`."""
    try:
        return DeviceFaultCode(word)
    except ValueError:
        return DeviceFaultCode.OTHER
