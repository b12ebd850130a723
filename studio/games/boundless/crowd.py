"""What the crowd does: who takes the next card of each lane, who stood, which lanes are closed."""

from typing import Final

from studio.domain.cards import Rank
from studio.games.boundless.felt import LANES, LEFT, RIGHT, SHARED, Cohort, Felt, Share
from studio.games.boundless.round import Step, deal
from studio.games.boundless.rules import BoundlessRules
from studio.games.hands21 import TWENTY_ONE, TWO_CARDS
from studio.games.procedure import Deal, Decide, Input, Request, run
from studio.games.spec import Crowd, LaneState

IMAGES: Final = ((LEFT, 0), (RIGHT, 1))
"""Which card of the shared hand a split hand begins with."""


def crowd(rules: BoundlessRules, inputs: tuple[Input, ...]) -> Crowd:
    """Tell what the players of a round have done so far and do next, from its inputs."""
    felt = Felt()
    due = run(lambda: deal(rules, felt), inputs).due
    choosing = isinstance(due, Decide) and due.step == Step.DECISION
    return Crowd(
        seated=felt.staked.seated,
        takers=sum(
            cohort.players
            for cohort in felt.cohorts.values()
            if any(_takes(felt, share) for share in cohort.shares)
        ),
        wave=len(felt.waves) + choosing,
        again=any(
            _open(felt, share) or (_takes(felt, share) and not share.over)
            for cohort in felt.cohorts.values()
            for share in cohort.shares
        ),
        lanes=tuple(_lane(felt, lane, due) for lane in LANES if lane in felt.lanes),
    )


def _takes(felt: Felt, share: Share) -> bool:
    """Whether the next card of its lane belongs to this hand and has not come yet."""
    return share.size > len(felt.lanes[share.lane].cards)


def _open(felt: Felt, share: Share) -> bool:
    """Whether its players choose again."""
    return not share.over and not _takes(felt, share) and felt.score(share) < TWENTY_ONE


def _lane(felt: Felt, lane: str, due: Request | None) -> LaneState:
    """One lane: its takers, those who take no card any more, and the word for it."""
    had = [
        (cohort, share)
        for cohort in felt.cohorts.values()
        for share in cohort.shares
        if share.lane == lane
    ]
    taking = sum(cohort.players for cohort, share in had if _takes(felt, share))
    return LaneState(
        zone=lane,
        taking=taking,
        stood=sum(cohort.players for cohort, share in had if _stood(felt, share)),
        images=tuple(felt.shared.cards[at] for zone, at in IMAGES if zone == lane),
        state=_word(felt, lane, had, due, taking),
    )


def _stood(felt: Felt, share: Share) -> bool:
    """Whether this hand still plays against the dealer and takes no more cards."""
    if share.surrendered or _takes(felt, share) or _open(felt, share):
        return False
    return felt.score(share) <= TWENTY_ONE


def _word(
    felt: Felt, lane: str, had: list[tuple[Cohort, Share]], due: Request | None, taking: int
) -> str:
    """``next``, ``then``, ``blackjack``, ``bust``, ``done``, ``closed``, or empty while it is open.

    A lane is closed once its players have stood; done where it ended by itself, at 21 or with the
    one card of a double or a split ace.
    """
    hand = felt.lanes[lane]
    if isinstance(due, Deal) and due.to == lane:
        return "next"
    if taking:
        return "then"
    if lane == SHARED and len(hand.cards) == TWO_CARDS and hand.natural:
        return "blackjack"
    if hand.score > TWENTY_ONE:
        return "bust"
    if not had or any(_open(felt, share) for _, share in had):
        return ""
    aces = lane != SHARED and felt.shared.cards[0].rank is Rank.ACE
    ended = aces or hand.score == TWENTY_ONE or all(share.doubled for _, share in had)
    return "done" if ended else "closed"
