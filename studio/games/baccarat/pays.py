"""What each bet of baccarat returns, and which bets may be placed (RULES.md D-31, D-34 to D-37).

Every return is floor(stake × numerator / denominator), which is the rule itself: a win on Banker
at 5 % commission gives back stake + floor(stake × 95 / 100) = floor(stake × 195 / 100).
"""

from typing import Final

from studio.games.baccarat.coup import CoupOutcome, Winner
from studio.games.baccarat.rules import BaccaratRules, BankerPays
from studio.games.paytable import PayTable
from studio.games.spec import LOST, PUSHED, Pay

BETS: Final = (
    "player",
    "banker",
    "tie",
    "player_pair",
    "banker_pair",
    "either_pair",
    "perfect_pair",
    "big",
    "small",
    "dragon_player",
    "dragon_banker",
    "lucky_six",
)
"""All bets, main bets first."""
OPPOSED: Final = "opposed_bets"
"""Reason of refusal: this player already bets on the other side (D-34)."""
NOT_OFFERED: Final = "not_offered"
"""Reason of refusal: baccarat has no such bet."""
EVEN: Final = Pay(2)
LESS_COMMISSION: Final = Pay(195, 100)
HALF: Final = Pay(3, 2)
LUCKY_TOTAL: Final = 6
"""Total with which the Banker wins for lucky six, or half under `half_on_6`."""
PUSH_TOTAL: Final = 7
"""Total of three cards with which the Banker's win is a push under `push_on_three_card_7`."""
LEAST_MARGIN: Final = 4
"""A dragon bonus without a natural wins by so many points or more."""


def pays(rules: BaccaratRules, outcome: CoupOutcome) -> dict[str, Pay]:
    """What each of the twelve bets returns for a stake, the stake included."""
    player_pair, banker_pair = outcome.player_pair, outcome.banker_pair
    small = not (outcome.player_drew or outcome.banker_drew)
    return {
        "player": _player(outcome),
        "banker": _banker(rules, outcome),
        "tie": Pay(rules.tie_pays + 1) if outcome.winner is Winner.TIE else LOST,
        "player_pair": rules.player_pair_pays.pay if player_pair else LOST,
        "banker_pair": rules.banker_pair_pays.pay if banker_pair else LOST,
        "either_pair": rules.either_pair_pays.pay if player_pair or banker_pair else LOST,
        "perfect_pair": _perfect_pair(rules, outcome),
        "big": LOST if small else rules.big_pays.pay,
        "small": rules.small_pays.pay if small else LOST,
        "dragon_player": _dragon(rules.dragon_player_pays, outcome, Winner.PLAYER),
        "dragon_banker": _dragon(rules.dragon_banker_pays, outcome, Winner.BANKER),
        "lucky_six": _lucky_six(rules, outcome),
    }


def commission(rules: BaccaratRules, outcome: CoupOutcome, stake: int) -> int:
    """Minor units that the house keeps of a win on Banker; 0 where none is taken (D-31)."""
    if rules.banker_pays is BankerPays.COMMISSION_5 and outcome.winner is Winner.BANKER:
        return EVEN.returned(stake) - LESS_COMMISSION.returned(stake)
    return 0


def offered(rules: BaccaratRules, round_no: int) -> tuple[str, ...]:  # noqa: ARG001  same for all
    """Bets that may be placed in this round of the shoe: all of them, in every round."""
    return BETS


def refuse_bet(
    rules: BaccaratRules,
    bet: str,
    has: frozenset[str],
    round_no: int,  # noqa: ARG001  the same in every round
) -> str | None:
    """Why a player who has these bets may not place another one; None if it may be placed."""
    if bet not in BETS:
        return NOT_OFFERED
    other = {"player": "banker", "banker": "player"}.get(bet)
    return OPPOSED if not rules.opposed_bets and other in has else None


def _player(outcome: CoupOutcome) -> Pay:
    """Player pays 1:1; a tie is a push."""
    match outcome.winner:
        case Winner.PLAYER:
            return EVEN
        case Winner.TIE:
            return PUSHED
        case Winner.BANKER:
            return LOST


def _banker(rules: BaccaratRules, outcome: CoupOutcome) -> Pay:
    """Banker pays as the table says (D-36); a tie is a push."""
    if outcome.winner is not Winner.BANKER:
        return PUSHED if outcome.winner is Winner.TIE else LOST
    match rules.banker_pays:
        case BankerPays.COMMISSION_5:
            return LESS_COMMISSION
        case BankerPays.HALF_ON_6:
            return HALF if outcome.banker_total == LUCKY_TOTAL else EVEN
        case BankerPays.PUSH_ON_THREE_CARD_7:
            pushed = outcome.banker_total == PUSH_TOTAL and outcome.banker_drew
            return PUSHED if pushed else EVEN


def _perfect_pair(rules: BaccaratRules, outcome: CoupOutcome) -> Pay:
    """Two equal cards in one hand, or in both."""
    match outcome.perfect_pairs:
        case 0:
            return LOST
        case 1:
            return rules.perfect_pair_pays["one_hand"].pay
        case _:
            return rules.perfect_pair_pays["both_hands"].pay


def _dragon(table: PayTable, outcome: CoupOutcome, side: Winner) -> Pay:
    """The side wins with a natural, or by four points and more; a tie of naturals is a push."""
    if outcome.winner is not side:
        return PUSHED if outcome.winner is Winner.TIE and outcome.natural else LOST
    if outcome.natural:
        return table["natural"].pay
    margin = abs(outcome.player_total - outcome.banker_total)
    return table[f"by_{margin}"].pay if margin >= LEAST_MARGIN else LOST


def _lucky_six(rules: BaccaratRules, outcome: CoupOutcome) -> Pay:
    """Banker wins with 6, of two cards or of three."""
    if outcome.winner is not Winner.BANKER or outcome.banker_total != LUCKY_TOTAL:
        return LOST
    return rules.lucky_six_pays["three_cards" if outcome.banker_drew else "two_cards"].pay
