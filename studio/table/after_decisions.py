"""A card is corrected after players decided by what they saw: what then becomes of the decisions.

Each window keeps the digest of what players saw when it opened. Where a correction leaves that as
it was, nothing was decided by a wrong card. Where it does not, policy says what is done
(DESIGN.md 3). In an open round ``stand_as_locked`` lets the executed decisions stand, as long as
the round still fits them; ``void`` and ``best_for_player`` allow no correction, the way out is the
void, which pays by the profile's own method. What they do to a round that was paid is in `truth`.
"""

from collections.abc import Sequence
from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.values import replace
from studio.games.procedure import Deal, Dealt, Decided, Input, Request
from studio.table.decisions import digest_of_seen
from studio.table.evolve_decisions import CORRECTION
from studio.table.state import Answered, Place, Play
from studio.table.turn import Turn

Course = Sequence[tuple[Request, Input]]
"""Each request of a round with what answered it."""
STAND_AS_LOCKED: Final = "stand_as_locked"
VOID: Final = "void"
BEST_FOR_PLAYER: Final = "best_for_player"
AFTER_DECISIONS: Final[dict[str, str]] = {
    "nj-like": STAND_AS_LOCKED,
    "agco-like": BEST_FOR_PLAYER,
}
"""What a profile says; every other says ``void``. Unofficial templates, all."""


def policy_of(profile: str) -> str:
    """What a profile does with decisions that were taken by another card."""
    return AFTER_DECISIONS.get(profile, VOID)


def saw_otherwise(windows: Sequence[Answered], settled: Course, true: Course) -> bool:
    """Whether in any window of a settled round players saw other cards than truly lay there.

    Both courses are (request, its input) of the round: as it was settled, and as it truly was; all
    was asked in the second as in the first. What a round was settled by counts as seen too: where a
    card was corrected while it was open, policy has let the decisions stand already.
    """
    digests = _digests(true)
    seen = [window.seen for window in windows if window.seen]
    return digests not in (seen, _digests(settled))


def _digests(course: Course) -> list[str]:
    """The digest of what lay face up at each window."""
    places: list[Place] = []
    digests: list[str] = []
    for index, (ask, given) in enumerate(course):
        match ask, given:
            case Deal(), Dealt(card):
                places.append(
                    Place(
                        index=index,
                        to=ask.to,
                        face=ask.face.value,
                        sideways=ask.sideways,
                        step=ask.step,
                        card=card,
                    )
                )
            case _, Decided():
                digests.append(digest_of_seen(places))
    return digests


def after_decisions(turn: Turn, true: Place, kept: int) -> None:
    """Look whether a card may be corrected; `kept` inputs still fit with what it truly was.

    A window that is still open is withdrawn if it showed the wrong card: it opens anew.

    Raises:
        Rejected: if players decided by the wrong card and policy does not let that stand.
    """
    current, play = turn.table.round, turn.table.play
    if current is None or play is None:
        return
    misled = [window for window in current.windows if _misled(play, true, window)]
    asks = current.answering
    if asks is not None and not asks.closed:
        if any(window.number == asks.number for window in misled):
            turn.emit(
                e.WindowClosed(
                    round_id=current.id,
                    window=asks.number,
                    by=CORRECTION,
                    asked=asks.asked,
                    answered=asks.answered,
                )
            )
        misled = [window for window in misled if window.number != asks.number]
    if not misled:
        return
    if policy_of(turn.setup.profile) != STAND_AS_LOCKED or asks is not None:
        raise c.Rejected("refused.decided_by_it")
    last = max(at for at, given in enumerate(play.inputs) if isinstance(given, Decided))
    if kept <= last:
        raise c.Rejected("refused.decisions_do_not_fit")


def _misled(play: Play, true: Place, window: Answered) -> bool:
    """Whether players would have seen something else when this window opened."""
    if not window.seen:
        return False
    shown = [
        replace(place, card=true.card) if place.index == true.index else place
        for place in play.places
        if place.index < window.inputs and play.inputs[place.index] != Dealt(None)
    ]
    return digest_of_seen(shown) != window.seen
