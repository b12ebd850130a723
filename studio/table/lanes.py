"""What screens see of a hand that all players share: lanes, the crowd, shares, windows, cut-offs.

All of it is made from accepted cards that lie face up and from counts; what lies face down has no
part in it (DESIGN.md 7).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from studio.domain.decisions import Offer
from studio.domain.values import replace
from studio.games.procedure import Deal, Decided, Facing, Input
from studio.games.spec import NO_CROWD, Crowd, Game, LaneState
from studio.table.book import read_decision
from studio.table.evolve_decisions import DECISION, INSURANCE
from studio.table.state import Phase, Place, Setup, Table, Window
from studio.table.views import CardView, HandView, SharesView, WindowView

LEAST_ANSWERS: Final = 20
"""Shares are on air from so many answers on: of fewer they would tell who chose what."""
SHOWN: Final = frozenset({"betting", "result", INSURANCE, DECISION})
"""Kinds of windows that people see; waits for a wallet or a secret look have no countdown."""
TWENTY_ONE: Final = 21
TWO_CARDS: Final = 2
DEALER: Final = "D"
"""Zone of the dealer's hand."""


def crowd_of(setup: Setup, table: Table) -> Crowd:
    """What the players of the open round do; nothing where no such hand is dealt."""
    if table.play is None or table.phase not in (Phase.DEALING, Phase.DECISION, Phase.RESULT):
        return NO_CROWD
    return _crowd(setup.game, setup.rules, table.play.inputs)


@lru_cache(maxsize=64)
def _crowd(game: Game, rules: Any, inputs: tuple[Input, ...]) -> Crowd:
    return game.crowd(rules, inputs)


def as_they_lie(setup: Setup) -> tuple[str, ...]:
    """Zones of the hands as they lie before the dealer: the dealer's own first, L left of M."""
    zones = setup.game.hands
    if DEALER not in zones:
        return zones
    return (DEALER, *sorted((zone for zone in zones if zone != DEALER), key="LMR".find))


@dataclass(frozen=True, slots=True)
class Lies:
    """One hand as it lies: its zone, its name, and which of the accepted cards are its own."""

    zone: str
    name: str
    """The zone itself, or the name of one of several hands of it, as ``S3:2``."""
    places: tuple[Place, ...]
    receives: bool = True
    """Whether what comes to the zone comes to this hand."""


def hands(setup: Setup, table: Table, crowd: Crowd) -> tuple[Lies, ...]:
    """All hands as they lie before the dealer, those of a split side by side."""
    accepted = table.play.places if table.play else ()
    dealt = table.play is not None and table.phase in (Phase.DEALING, Phase.DECISION, Phase.RESULT)
    parted: dict[str, dict[str, tuple[int, ...]]] = {}
    if dealt and table.play is not None:
        for zone, name, indexes in _parted(setup.game, setup.rules, table.play.inputs):
            parted.setdefault(zone, {})[name] = indexes
    found: list[Lies] = []
    for zone in as_they_lie(setup):
        here = {p.index: p for p in accepted if p.to == zone and not p.off}
        names = parted.get(zone)
        if names is None:
            found.append(Lies(zone, zone, tuple(here.values())))
            continue
        due = [lane.zone for lane in crowd.lanes if lane.zone in names and lane.state == "next"]
        takes = due[0] if due else next(iter(names))
        found += [
            Lies(zone, name, tuple(here[index] for index in own if index in here), name == takes)
            for name, own in names.items()
        ]
    return tuple(found)


@lru_cache(maxsize=64)
def _parted(
    game: Game, rules: Any, inputs: tuple[Input, ...]
) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    return game.hands_of(rules, inputs)


def with_lane(hand: HandView, crowd: Crowd, due: Any) -> HandView:
    """Add to a hand what its lane says: takers, who stood, images, the word for it."""
    if hand.zone == DEALER:
        return replace(hand, state=_dealers(hand, due))
    lane = next((each for each in crowd.lanes if each.zone == hand.zone), None)
    return hand if lane is None else _lane(hand, lane)


def _lane(hand: HandView, lane: LaneState) -> HandView:
    images = tuple(CardView(look="face", card=card.code, mark="ghost") for card in lane.images)
    return replace(
        hand,
        cards=(*images, *hand.cards),
        state=lane.state,
        taking=lane.taking,
        stood=lane.stood,
    )


def _dealers(hand: HandView, due: Any) -> str:
    """``next`` where a card is due, else ``bust`` or ``blackjack``, from open cards alone."""
    if isinstance(due, Deal) and due.to == hand.zone:
        return "next"
    known = all(card.look == "face" for card in hand.cards)
    if not known or hand.total is None:
        return ""
    if hand.total > TWENTY_ONE:
        return "bust"
    natural = len(hand.cards) == TWO_CARDS and hand.total == TWENTY_ONE
    return "blackjack" if natural else ""


def open_cards(places: Iterable[Place]) -> tuple[Place, ...]:
    """The cards that lie face up; totals are made from these alone."""
    return tuple(p for p in places if p.card is not None and p.face == Facing.UP.value)


def window_view(table: Table) -> WindowView | None:
    """The window that counts down before people; how many have answered, where players choose."""
    window = table.window
    if window is None or window.kind not in SHOWN:
        return None
    asks = table.round.answering if table.round is not None else None
    shown = _window(window)
    seat = table.round.asking if table.round is not None else None
    if seat is not None and window.kind == DECISION:
        return replace(shown, number=seat.number, asked=1)
    if asks is None or window.kind not in (INSURANCE, DECISION):
        return shown
    return replace(shown, number=asks.number, asked=asks.asked, answered=asks.answered)


def _window(window: Window) -> WindowView:
    return WindowView(
        kind=window.kind,
        deadline_us=window.deadline_us,
        total_us=window.total_us,
        suspended_us=window.remaining_us,
    )


# -- shares ---------------------------------------------------------------------------------------


def shares(table: Table) -> tuple[SharesView, ...]:
    """How the players have chosen so far in the open window, lane by lane; for people who work."""
    current = table.round
    asks = current.answering if current is not None else None
    if asks is None or table.phase is not Phase.DECISION:
        return ()
    counts = {read_decision(text): count for text, count in asks.chosen}
    return _rows(_actions(asks.offers), counts)


def shares_on_air(setup: Setup, table: Table) -> tuple[SharesView, ...]:
    """What players may see of it, as the house wants: at once, when all is chosen, or nothing."""
    match setup.shares:
        case "live":
            told = shares(table)
        case "after" if table.phase is Phase.DEALING and table.play is not None:
            told = _executed(table.play.inputs)
        case _:
            told = ()
    enough = sum(count for each in told for _, count in each.rows) >= LEAST_ANSWERS
    return told if enough else ()


def _executed(inputs: tuple[Input, ...]) -> tuple[SharesView, ...]:
    """The choices of the newest window, as long as nothing but its cards has followed."""
    last = next((given for given in reversed(inputs) if isinstance(given, Decided)), None)
    if last is None:
        return ()
    lanes: dict[str, dict[str, None]] = {}
    counts: dict[tuple[str, str], int] = {}
    for choice in last.choices:
        for lane, action in choice.actions:
            lanes.setdefault(lane, {})[action] = None
            counts[lane, action] = counts.get((lane, action), 0) + choice.players
    return _rows({lane: tuple(actions) for lane, actions in lanes.items()}, counts)


def _actions(offers: Iterable[Offer]) -> dict[str, tuple[str, ...]]:
    """Per lane the actions that somebody may choose, in the order in which they are offered."""
    found: dict[str, dict[str, None]] = {}
    for offer in offers:
        found.setdefault(offer.lane, {}).update(dict.fromkeys(offer.actions))
    return {lane: tuple(actions) for lane, actions in found.items()}


def _rows(
    actions: Mapping[str, tuple[str, ...]], counts: Mapping[tuple[str, str], int]
) -> tuple[SharesView, ...]:
    return tuple(
        SharesView(
            lane=lane, rows=tuple((action, counts.get((lane, action), 0)) for action in offered)
        )
        for lane, offered in actions.items()
    )


# -- side bets ------------------------------------------------------------------------------------


def cutoffs(setup: Setup, table: Table) -> tuple[tuple[str, int, int], ...]:
    """(bet, last round of the shoe that takes it, rounds after this one that do; -1: closed)."""
    number = table.round.number if table.round is not None else 0
    if table.round is None or table.shoe is None or not table.shoe.open or number == 0:
        return ()
    skipped = number - table.round.counted
    ends = {bet: n + skipped for bet, n in _last_rounds(setup.game, setup.rules).items()}
    offered = [bet for bet, _ in setup.limits] or list(ends)
    return tuple((bet, ends[bet], max(-1, ends[bet] - number)) for bet in offered if bet in ends)


MOST_ROUNDS: Final = 120
"""A shoe of eight packs has no more rounds than this."""


@lru_cache(maxsize=16)
def _last_rounds(game: Game, rules: Any) -> dict[str, int]:
    """The last round of each bet that is not taken to the end of the shoe."""
    first = game.offered(rules, 1)
    late = set(game.offered(rules, MOST_ROUNDS))
    return {
        bet: max(n for n in range(1, MOST_ROUNDS) if bet in game.offered(rules, n))
        for bet in first
        if bet not in late
    }
