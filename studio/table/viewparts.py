"""What every face's view of a table is made of: cards, hands, step, window, result, devices.

`studio.table.views` puts these together for each audience and gives them all; import from there.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence of the catalogue: its code and what is filled in."""

    code: str
    params: tuple[tuple[str, str | int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """One card on the felt as this audience may see it."""

    look: str
    """``face``, ``back``, ``question`` (unsure), ``cut``."""
    card: str = ""
    """Code, only where `look` is ``face``."""
    sideways: bool = False
    mark: str = ""
    """``prov`` (one source of two so far), ``fault`` (the card in question), ``dead``, ``ghost``
    (image of a card that lies on another lane), or empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotView:
    """A place where a card is due, or comes later."""

    order: int
    """Number in the order of dealing, 1 and up; 0 where the rules may ask for it."""
    due: bool = False
    sideways: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """One hand: cards in order of dealing, its total, and the slots still to come."""

    zone: str
    total: int | None
    cards: tuple[CardView, ...]
    slots: tuple[SlotView, ...]
    word: Message | None = None
    """What the hand does: draws, stands, natural."""
    low: int | None = None
    """The other total of a soft hand: 7 where `total` is 17; None for a hard one."""
    state: str = ""
    """``next`` (its card is due), ``then`` (a card of this wave comes later), ``closed`` (takes
    nothing any more), ``bust``, ``blackjack``, ``done`` (played to its end), or empty."""
    taking: int = 0
    """Players who take the next card of this hand."""
    stood: int = 0
    """Players who play this hand and take no more cards on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """The one next step of the dealer."""

    kind: str
    """``deal confirm count clear collect wait hold open_bets start_shoe open_table``, ``turn`` (a
    card is turned where it lies), ``peek`` (the dealer looks and answers yes or no), ``choose`` (a
    seat is asked), ``move`` (a card of a rack is laid elsewhere)."""
    code: str
    """Message code of the headline, as ``step.first_four``; its variants are the screen's."""
    to: str = ""
    """Zone that a card goes to, or that holds the card to turn or to look at."""
    face: str = ""
    """``up`` or ``down`` where a card is due."""
    sideways: bool = False
    """The card is laid across."""
    number: int = 0
    """Which card of the round, from 1."""
    of: int = 0
    """How many cards this step has in a row (a burn), 0 if it does not matter."""
    since_us: int = 0
    """Since when it is due; the pace ring counts from here."""
    pace_us: int = 0
    """After so long the console warns; 0: no pace."""
    then: "StepView | None" = None
    seat: int | None = None
    """Who is asked, or whose card is laid elsewhere, from 0; None in games without such seats."""
    place: int = 0
    """Which place of its rack, from 1 at the left; 0 where it does not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowView:
    """An open window that ends by the server's clock."""

    kind: str
    """``betting``, ``insurance``, ``decision`` or ``result``."""
    deadline_us: int
    total_us: int
    suspended_us: int | None = None
    """Remaining time if a hold stopped it; None while it runs."""
    number: int = 0
    """Which window of the round in which players choose, from 1; 0 for betting and result."""
    asked: int = 0
    """Answers that could be given in it: one a player, and lane."""
    answered: int = 0
    """Answers given so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesView:
    """How the players of one lane have chosen so far."""

    lane: str
    """Zone of the hand; empty for insurance."""
    rows: tuple[tuple[str, int], ...]
    """(action, players) in the order in which the actions are offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceView:
    """A device's health: four rungs (FACES.md 6), always with its name."""

    name: str
    kind: str
    """``shoe``, ``camera``."""
    rung: int
    """4 fresh and agreeing, 3 late, 2 what is due has not come, 1 silent, 0 switched off."""
    last_us: int
    bytes: int = 0
    frames: int = 0
    facts: int = 0
    garbage: int = 0
    detail: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """The result of a finished round."""

    round_no: int
    code: str
    """Baccarat: ``player banker tie``. Boundless: ``dealer_blackjack``, ``dealer_bust``, else
    ``dealer_`` and the total (``dealer_17``)."""
    totals: tuple[tuple[str, int], ...]
    """(zone, total)."""
    natural: bool = False
    marks: tuple[str, ...] = ()
    """``player_pair``, ``banker_pair``; Boundless: what the shared hand made (``shared_blackjack``,
    ``shared_bust``) and the side bets that were hit, as ``pair_perfect``, ``lucky_trio_total_20``,
    ``poker_trio_flush``, ``bust_bonus_5``."""
    corrected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BetRow:
    """All bets of one kind in the open round."""

    bet: str
    count: int
    staked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonView:
    """A control and whether it would be accepted now."""

    command: str
    """``open_table close_table start_shoe end_shoe confirm count open_bets close_bets cut_card
    call_supervisor``."""
    enabled: bool
    reason: str = ""
    """Message code of the refusal, where disabled."""
    main: bool = False
    """The one main button of the screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldNote:
    """What the dealer and the wall see of a hold: what to do, what is wrong, for how long."""

    since_us: int
    faults: int
    do: Message
    """The one sentence of what to do with the hands."""
    what: Message
    due: Message | None = None
    seen: Message | None = None
    zone: str = ""
    taken_by: str = ""
    """Name of the supervisor who has it, empty if nobody has."""
