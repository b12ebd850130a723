"""What players were offered and what was executed of it: shared by procedures and facts.

A cohort is the players whose executed decisions so far are the same; its name is that history as
text, empty before the first decision. Rules and facts know cohorts and their sizes, never a list of
players (DESIGN.md 6).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offer:
    """What the players of one cohort may choose for one hand."""

    cohort: str
    """Decisions of these players so far, as `Choice.into` named them; empty at first."""
    lane: str
    """Zone of the hand, as ``M``; empty where the choice is about no hand (insurance)."""
    actions: tuple[str, ...]
    """By their public names, as ``hit stand double split surrender insure decline``."""
    costs: tuple[str, ...] = ()
    """Those of the actions that cost money."""
    auto: str = ""
    """What is played for a player who gives no answer."""
    short: str = ""
    """What is played where the money for a costly action is not there at execution."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Players of one cohort who chose alike, as their choice was executed."""

    cohort: str
    actions: tuple[tuple[str, str], ...]
    """(lane, action) for each hand that they were asked about, in the order of the offers."""
    players: int
    """How many they are, 1 and up."""

    @property
    def into(self) -> str:
        """The cohort that they make from now on: their decisions so far, as one text.

        ``M:hit``, then ``M:hit M:stand``; lanes of one window are joined by a comma.
        """
        told = [f"{lane}:{action}" if lane else action for lane, action in self.actions]
        mine = ",".join(told)
        return f"{self.cohort} {mine}" if self.cohort else mine
