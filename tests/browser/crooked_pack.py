"""A demonstration whose packs were mixed with others: sixteen kings of spades in eight packs.

Run as a program, with the options of `cutcard demo`. The ninth king is one too many.
"""

from __future__ import annotations

from studio.simulate import demo, desk

KING = "KS"
MISSING = "2C"
BURN = ("AC", "3C")
"""An ace is shown, so one card is burned face down."""
KINGS = 9
"""Six kings make the first coup; the ninth comes third in the second one."""


def main() -> None:
    """Put the crooked packs into the shoe, then run the demonstration."""
    stacked = (*BURN, *(KING,) * KINGS)
    ordinary = desk.Place.load

    def load(self: desk.Place, cards: list[str]) -> None:
        mixed = [KING if code == MISSING else code for code in cards]
        for code in stacked:
            mixed.remove(code)
        ordinary(self, [*stacked, *mixed])

    desk.Place.load = load  # type: ignore[method-assign]
    demo.COMMAND()


if __name__ == "__main__":
    main()
