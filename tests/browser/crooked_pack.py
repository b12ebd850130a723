"""A demonstration whose packs were mixed with others: sixteen kings of spades in eight packs.

Run as a program, with the options of `cutcard demo`. The ninth king is one too many.
"""

from __future__ import annotations

import functools

from studio.domain.cards import Card
from studio.simulate import dealer, demo

KING = "KS"
MISSING = "2C"
BURN = ("AC", "3C")
"""An ace is shown, so one card is burned face down."""
KINGS = 9
"""Six kings make the first coup; the ninth comes third in the second one."""


def main() -> None:
    """Put the crooked packs into the simulated dealer's hands, then run the demonstration."""
    king = Card.parse(KING)
    dealer.PACK = tuple(  # type: ignore[misc]  the simulated dealer looks here for its cards
        king if card.code == MISSING else card for card in dealer.PACK
    )
    stacked = (*BURN, *(KING,) * KINGS)
    demo.Wanted = functools.partial(demo.Wanted, stacked=stacked)  # type: ignore[misc, assignment]
    demo.COMMAND()


if __name__ == "__main__":
    main()
