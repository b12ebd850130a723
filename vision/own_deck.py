"""What a camera's process reads with: the weights, and the studio's own deck where one is named."""

from dataclasses import dataclass
from pathlib import Path

from vision.deck import EnrolledDeck, load_deck
from vision.deckfile import DeckError
from vision.reader import Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDeck:
    """The deck of a camera."""

    deck: EnrolledDeck | None
    reads: str
    """Weights and deck by name and hash, for the journal and for evidence."""
    barred: str
    """Why nothing may be dealt, in one sentence; empty if it may."""


def own_deck(file: str, reader: Reader, *, needed: bool) -> OwnDeck:
    """Load the deck of a camera.

    A deck that was never made bars the camera only where the table's policy asks for one, so
    that it can be shown to that very camera; a deck that cannot be used always does.
    """
    weights = f"reader {reader.version}"
    if file and Path(file).exists():
        try:
            deck = load_deck(Path(file), reader)
        except DeckError as error:
            return OwnDeck(deck=None, reads=weights, barred=str(error))
        return OwnDeck(deck=deck, reads=f"{weights}, deck {deck.head.short}", barred="")
    barred = ""
    if needed:
        barred = "no deck is enrolled, and this table deals only with one: show it at the camera"
    return OwnDeck(deck=None, reads=weights, barred=barred)
