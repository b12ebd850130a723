"""Profiles of policy: where a house follows another jurisdiction's habit than our own.

All but `house` are UNOFFICIAL TEMPLATES: written from the public texts that live-dealer-systems.md
quotes, read by no regulator, to be completed by the house that uses them. A profile is a list of
rows that are looked at before the house's own; what a void gives back is the ledger's word.
"""

from dataclasses import dataclass
from typing import Final

from studio.domain.faults import FaultCode
from studio.domain.values import replace
from studio.table.row import Row, Void, When
from studio.table.rows import CALLS, DEVICES, HOUSE, READ


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One profile: its rows before the house's."""

    name: str
    source: str
    """What its own rows are written after."""
    rows: tuple[Row, ...] = ()


_FOUND_BY_DEVICES: Final = (
    *(row for row in DEVICES if row.device and row.code is not FaultCode.DEVICE_UNTESTED),
)


def _voided(rows: tuple[Row, ...], void: Void) -> tuple[Row, ...]:
    """The same rows while cards are dealt, with another word on the void."""
    return tuple(
        replace(row, when=replace(row.when, phases=("dealing",)), void=void)
        for row in rows
        if not row.when.phases or "dealing" in row.when.phases
    )


_COUPS: Final = ("baccarat",)
"""Where a card too many is not burned by the house's own rows already."""
_SHARED: Final = ("boundless-blackjack",)
_DEALER_GAMES: Final = ("baccarat", "blackjack", "boundless-blackjack")
"""Where a shoe can miss a card; a pack of 32 that is dealt out cannot (BL6)."""
_NJ: Final = (
    Row(
        row="B1",
        code=FaultCode.EARLY_CARD,
        when=When(games=_DEALER_GAMES, exposed=True),
        repairs=("BurnCard", "MarkDead"),
        refused=(("UseAsNextCard", "refused.exposed_early"),),
    ),
    Row(
        row="P4",
        code=FaultCode.EXTRA_CARD,
        when=When(games=_COUPS, rounds=("settled",), exposed=True),
        repairs=("BurnCard", "MarkDead"),
        void=Void.NEVER,
        refused=(("UseAsNextCard", "refused.exposed_card"),),
    ),
)
"""An exposed card that is not used is burned, as N.J.A.C. 13:69F has a card drawn in error."""
_UKGC: Final = (
    Row(
        row="B4",
        code=FaultCode.CARD_OUT_OF_PHASE,
        when=When(games=_SHARED, rounds=("open",), exposed=True),
        repairs=("BurnCard", "MarkDead"),
        refused=(("UseAsNextCard", "refused.exposed_card"),),
        say="next_card_seen",
    ),
    Row(
        row="P2",
        code=FaultCode.EXTRA_CARD,
        when=When(games=_COUPS, rounds=("settled",), exposed=True),
        repairs=("MarkDead", "BurnCard"),
        void=Void.NEVER,
        refused=(("UseAsNextCard", "refused.exposed_card"),),
    ),
    Row(
        row="P1",
        code=FaultCode.EXTRA_CARD,
        when=When(games=_COUPS, rounds=("settled",)),
        repairs=("UseAsNextCard", "MarkDead"),
        void=Void.NEVER,
        refused=(("BurnCard", "refused.changes_order"),),
        say="extra_card_unseen",
    ),
)
"""RTS 5A: a gamble goes on by the published rules where it can; a seen card serves nobody."""
_AGCO: Final = _voided(_FOUND_BY_DEVICES, Void.FIRST)
"""AGCO 4.20 to 4.21: a failed game pays what was won or gives bets back, whichever is better."""
_SINGAPORE: Final = (
    *_voided(_FOUND_BY_DEVICES, Void.ONLY),
    *_voided(tuple(row for row in READ if row.code is FaultCode.CARD_DUE_LATE), Void.FIRST),
    *_voided(tuple(row for row in CALLS if row.code is FaultCode.RECOVERED), Void.FIRST),
)
"""Conduct of Gaming Regulations 2009 reg. 15: a fault of equipment that affects the outcome voids
the round; while cards are dealt nobody can say that it does not (F1)."""

PROFILES: Final[dict[str, Profile]] = {
    profile.name: profile
    for profile in (
        Profile(name="house", source="the house's own habit (live-dealer-systems.md 2)"),
        Profile(name="ukgc-like", source="UKGC RTS 5A", rows=_UKGC),
        Profile(name="nj-like", source="N.J.A.C. 13:69F", rows=_NJ),
        Profile(
            name="agco-like",
            source="AGCO standards 4.20 to 4.21",
            rows=_AGCO,
        ),
        Profile(
            name="singapore-like",
            source="Casino Control (Conduct of Gaming) Regulations 2009, regulation 15",
            rows=_SINGAPORE,
        ),
    )
}
"""Every profile by its name in the configuration."""


def rows_of(profile: str) -> tuple[Row, ...]:
    """Every row of a profile in the order in which they are looked at.

    Raises:
        KeyError: for a profile that does not exist.
    """
    return (*PROFILES[profile].rows, *HOUSE)
