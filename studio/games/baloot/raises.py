"""Raises: double, triple, four, gahwa, one step at a time; and closed rounds (RULES.md 4.3)."""

from typing import Final

from studio.games.baloot.cards import Mode, next_seat
from studio.games.baloot.felt import Contract, Felt
from studio.games.baloot.rules import Closed, SunDouble
from studio.games.baloot.steps import Step
from studio.games.procedure import Choose, Chosen, Procedure

PASS: Final = "pass"  # noqa: S105  a call, no secret
DOUBLE: Final = "double"
TRIPLE: Final = "triple"
FOUR: Final = "four"
GAHWA: Final = "gahwa"
OPEN: Final = "open"
CLOSED: Final = "closed"
TIMES: Final = {DOUBLE: 2, TRIPLE: 3, FOUR: 4}
"""By what a raise multiplies the round."""
HUNDRED: Final = 100
"""Score about which it is asked whether a sun may be doubled."""


def raises(felt: Felt, contract: Contract) -> Procedure[None]:
    """Let the round be raised: an opponent doubles, then buyer and doubler answer each other.

    Both opponents are asked in turn, beginning right of the buyer; the first who doubles is the one
    who may make it four.
    """
    if contract.mode is Mode.SUN and not may_double_sun(felt, contract):
        return
    doubler = None
    for opponent in (next_seat(contract.caller, 1), next_seat(contract.caller, 3)):
        if (yield from _raised(felt, opponent, DOUBLE)):
            doubler = opponent
            break
    if doubler is None or contract.mode is Mode.SUN:
        return
    answers = ((contract.caller, TRIPLE), (doubler, FOUR), (contract.caller, GAHWA))
    for seat, step in answers:
        if not (yield from _raised(felt, seat, step)):
            return


def may_double_sun(felt: Felt, contract: Contract) -> bool:
    """Whether the scores allow the other side to double a sun."""
    return sun_doubles(felt.rules.sun_double, felt.scores, contract.buyer)


def sun_doubles(rule: SunDouble, scores: tuple[int, int], buyer: int) -> bool:
    """Whether a sun may be doubled at these scores, bought by this side."""
    own, other = scores[buyer], scores[1 - buyer]
    match rule:
        case SunDouble.OVER100_UNDER100:
            return own > HUNDRED > other
        case SunDouble.OVER100_UPTO100:
            return own > HUNDRED >= other
        case SunDouble.FROM100_UNDER100:
            return own >= HUNDRED > other


def _raised(felt: Felt, seat: int, step: str) -> Procedure[bool]:
    """Ask a seat whether it raises by this step, and whether the round is closed then."""
    said = yield from _choice(felt, Choose(step=Step.RAISE, seat=seat, options=(PASS, step)))
    if said == PASS:
        return False
    felt.raises.append((seat, step))
    felt.gahwa = step == GAHWA
    # Under gahwa the round decides the game, and nothing is multiplied.
    felt.multiplier = TIMES.get(step, 1)
    hokum = felt.trump is not None
    if step == GAHWA or not hokum:
        felt.closed = False
    elif felt.rules.closed is Closed.X2_X4:
        felt.closed = step in (DOUBLE, FOUR)
    else:
        asked = Choose(step=Step.CLOSED, seat=seat, options=(OPEN, CLOSED))
        felt.closed = (yield from _choice(felt, asked)) == CLOSED
    return True


def _choice(felt: Felt, asked: Choose) -> Procedure[str]:
    chosen = yield from felt.ask(asked)
    if not isinstance(chosen, Chosen):
        raise TypeError(f"a choice is due, not {chosen!r}")
    felt.said[chosen.seat].append(chosen.option)
    return chosen.option
