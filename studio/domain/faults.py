"""Faults: departures from the rules or from a sound table, as values.

A fault never changes the phase of a round. Policy says whether it puts a hold on the table and
which repairs answer it.
"""

from dataclasses import dataclass
from enum import StrEnum

from studio.domain.cards import Card


class FaultCode(StrEnum):
    """Every kind of departure that the core recognises; the rows are the irregularities'."""

    EARLY_CARD = "early_card"
    """A card left the shoe, or lay on the felt, before bets were closed (B1, R1)."""
    CARD_OUT_OF_PHASE = "card_out_of_phase"
    """A card came when none was due (V8)."""
    EXTRA_CARD = "extra_card"
    """A card after the last card of the round (P1, P2, P4)."""
    DEAL_ORDER = "deal_order"
    """The card lies in another place than the one that was due (P3, B13)."""
    UNREADABLE_CARD = "unreadable_card"
    """A reader could not read the card (V1, V2)."""
    UNSURE_CARD = "unsure_card"
    """The camera sees a card and is not sure which (V4)."""
    READER_MISMATCH = "reader_mismatch"
    """Shoe and camera name different cards (V3)."""
    CARD_UNSEEN = "card_unseen"
    """The shoe reported a card and no camera saw it land."""
    CARD_FROM_NOWHERE = "card_from_nowhere"
    """The camera sees a card that the shoe did not report."""
    WRONG_FACE = "wrong_face"
    """A card lies with the wrong face up."""
    TWO_AT_ONCE = "two_at_once"
    """Two cards came to rest in no provable order (B11)."""
    SUBSTITUTED_CARD = "substituted_card"
    """An accepted face-up card is now another one; a security fault."""
    CARD_VANISHED = "card_vanished"
    """An accepted card is gone from the felt before the round's end (B14)."""
    IMPOSSIBLE_CARD = "impossible_card"
    """More of a card than the shoe can hold (V5)."""
    REPEATED_CARD = "repeated_card"
    """The same value again from a reader that cannot tell repeats: one card or two? (V7)."""
    CARD_DUE_LATE = "card_due_late"
    """A card is due and neither source reports one (V10)."""
    SEQUENCE_GAP = "sequence_gap"
    """Reports of a device are missing."""
    DEVICE_LOST = "device_lost"
    """A device of the table does not answer."""
    DEVICE_REBOOTED = "device_rebooted"
    """A device came back with a new count (another boot)."""
    DEVICE_REPLACED = "device_replaced"
    """A device came back as another one (serial number)."""
    DEVICE_TROUBLE = "device_trouble"
    """The device itself reports a fault: jam, cover, sensor."""
    CAMERA_UNFIT = "camera_unfit"
    """The camera cannot see: lost, frozen, dark, blurred, knocked."""
    CUT_CARD_MISSING = "cut_card_missing"
    """More cards are gone than can lie before the cut card."""
    CUT_CARD_ON_FELT = "cut_card_on_felt"
    """The camera sees the cut card and the shoe did not report it."""
    COUNT_MISMATCH = "count_mismatch"
    """The closing count does not balance."""
    SHOE_EMPTY = "shoe_empty"
    """A card is due and the shoe holds none."""
    DEALER_CALL = "dealer_call"
    """The dealer called a supervisor."""
    RECOVERED = "recovered"
    """The table came back after a stop."""
    CLOCK_JUMP = "clock_jump"
    """The wall clock jumped; a note, not a hold."""
    DEVICE_UNTESTED = "device_untested"
    """A device caused a void and has not passed its test since (F8)."""
    WRONG_CARD = "wrong_card"
    """Another card of the rack was turned than the one that its seat chose (BL5)."""
    REVOKE = "revoke"
    """An open card proves that an earlier one was not lawful (BL9)."""
    QAYD = "qayd"
    """A seat claims a fault in the play, which stands still until a supervisor decides (BL10)."""
    OVERRUN = "overrun"
    """More observations came than the inbox holds; some were not kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What one source reported about the moment of a fault."""

    source: str
    """Name of the device."""
    card: Card | None = None
    """The reading; None if unread or secret."""
    zone: str = ""
    """Where it was seen; empty for a shoe."""
    look: str = ""
    """`Look` of a camera's; of a wire ``read unreadable drawn``, or ``hidden`` (sealed)."""
    confidence_milli: int | None = None
    sequence: int | None = None
    at_us: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One departure, kept in the hold until it is answered."""

    id: str
    """Number of the event that raised it, as text; unique in the table's stream."""
    code: FaultCode
    at_us: int
    step: str = ""
    """Step of the procedure that was due."""
    due_to: str = ""
    """Zone that was due, empty if no card was."""
    due_face: str = ""
    index: int | None = None
    """Index of the round's input that the fault is about, where there is one."""
    sightings: tuple[Sighting, ...] = ()
    device: str = ""
    phase: str = ""
    """Phase of the table at that moment."""
    exposed: bool = True
    """Whether the card that it is about was seen by players, as far as anybody knows."""
    further: bool = False
    """Whether a further card had left the shoe by then (the columns of the irregularities)."""
    text: str = ""
    """A few technical words for the engineer; never a secret card, never shown to a dealer."""
