"""What a player or a platform is told beside a reason's code, in English."""

from typing import Final

from web.words import SOURCE, catalogue

PLAYER: Final = {
    "refused.balance": "Your balance does not cover it.",
    "refused.bet_known": "This bet is in the round already.",
    "refused.bets_closed": "Bets are closed.",
    "refused.disconnected": "You were disconnected: this round is played for you.",
    "refused.funds_unanswered": "Your wallet did not answer in time: nothing was taken.",
    "refused.known": "You have decided already.",
    "refused.limits": "The stake is outside the limits of this bet.",
    "refused.not_available": "This hand has no such choice now, or your balance does not cover it.",
    "refused.busy": "The table has much to do: ask again.",
    "refused.no_contract": "There is no contract yet: nothing can be claimed.",
    "refused.no_right": "This is not yours to choose.",
    "refused.not_allowed": "This cannot be chosen: choose one of the options of your hand.",
    "refused.not_offered": "This is not offered now.",
    "refused.not_seated": "You have no bet in this round.",
    "refused.opposed_bets": "Bets on both sides are not taken together.",
    "refused.round_over": "The round has ended: nothing can be claimed any more.",
    "refused.round_limit": "This side bet is closed until the next shoe.",
    "refused.table_full": "All seats of the table are taken.",
    "refused.table_held": "The table is paused: no bets and no decisions are taken.",
    "refused.table_stopped": "The table has stopped: ask again later.",
    "refused.window_closed": "The time to decide is over.",
}
"""For each entry of a batch that is refused; the player may read it as it is."""


def player_text(code: str) -> str:
    """The sentence that a player can read for a message code."""
    if code in PLAYER:
        return PLAYER[code]
    english = catalogue(SOURCE)
    return f"{english.text(code)}." if english.knows(code) else "This was not taken."
