"""A settled round worked out again through the cards as they truly fell, with all that was chosen.

A seat chose a place of its rack, so its choice stands whichever card lay there. What may not stand
is the order of the play: who wins a trick leads to the next one, and where another card would have
won it, others would have been asked.
"""

from collections.abc import Sequence

from studio.domain.cards import Card
from studio.games.baloot.pays import pays
from studio.games.baloot.round import baloot
from studio.games.baloot.rules import BalootRules
from studio.games.procedure import (
    Deal,
    Dealt,
    Input,
    InputMismatch,
    Move,
    Moved,
    Request,
    Reveal,
    Turned,
    run,
)
from studio.games.spec import Amended


def amend(
    rules: BalootRules, inputs: Sequence[Input], cards: Sequence[tuple[str, Card]]
) -> Amended:
    """Work a round out again through all its cards, in order of dealing.

    Without an outcome where some are missing.

    Raises:
        InputMismatch: if there are too many, or what was chosen does not fit them.
    """
    settled = run(lambda: baloot(rules), inputs)
    dealt = [at for at, asked in enumerate(settled.asked) if isinstance(asked, Deal)]
    if len(cards) > len(dealt):
        raise InputMismatch(len(inputs), None, Dealt(cards[len(dealt)][1]))
    names = [card for _, card in cards]
    true = dict(zip(dealt, names, strict=False))
    given = tuple(
        _truly(asked, at, before, true)
        for at, (asked, before) in enumerate(zip(settled.asked, inputs, strict=True))
    )
    whole = len(true) == len(dealt) and len(set(names)) == len(names)
    now = run(lambda: baloot(rules), given)
    return Amended(
        inputs=given,
        asked=now.asked,
        cards=tuple(names),
        outcome=now.outcome if whole else None,
        pays=pays(rules, now.outcome) if whole and now.outcome is not None else {},
        same=True,
    )


def _truly(asked: Request, at: int, before: Input, true: dict[int, Card]) -> Input:
    """An input with the card that it truly was; one that nobody saw stays unseen."""
    match asked, before:
        case Deal(), Dealt(card) if card is not None and at in true:
            return Dealt(true[at])
        case Move(index=index), Moved(card) if card is not None and index in true:
            return Moved(true[index])
        case Reveal(index=index), Turned() if index in true:
            return Turned(true[index])
        case _:
            return before
