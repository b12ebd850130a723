"""What is decided before a round has ended (F4): that there is no kaboot any more."""

from collections.abc import Mapping
from types import MappingProxyType

from studio.games.baloot.course import laid_out
from studio.games.baloot.outcome import tricks_won
from studio.games.baloot.pays import KABOOT_NO, KABOOT_YES, pays
from studio.games.baloot.rules import BalootRules
from studio.games.procedure import Input
from studio.games.spec import LOST, Pay


def certain(rules: BalootRules, inputs: tuple[Input, ...]) -> Mapping[str, Pay]:
    """What each bet returns that no further card can change.

    Once each side has a trick nobody takes all eight. All else is open to the last card, and to a
    verdict.

    Raises:
        InputMismatch: if these are not the inputs of a round.
    """
    with laid_out(rules, inputs) as now:
        if now.outcome is not None:
            return MappingProxyType(pays(rules, now.outcome))
        if min(tricks_won(now.felt)):
            return MappingProxyType({KABOOT_YES: LOST, KABOOT_NO: rules.kaboot_no_pays.pay})
        return MappingProxyType({})
