"""What a game tells the table about itself; one value per game, found through the registry."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from studio.domain.cards import PACK, Card
from studio.games.board import Board, Breach, Choices, Known
from studio.games.procedure import Dealt, Input, Procedure, Request
from studio.games.roads import Roads, Told


@dataclass(frozen=True, slots=True)
class Pay:
    """What goes back for a stake, the stake included: floor(stake × numerator / denominator)."""

    numerator: int
    denominator: int = 1

    def returned(self, stake: int) -> int:
        """Minor units that go back for a stake in minor units, rounded down (D-01)."""
        return stake * self.numerator // self.denominator


LOST = Pay(0)
PUSHED = Pay(1)


class Rules(Protocol):
    """The rules of a table: frozen, versioned, hashed."""

    @property
    def decks(self) -> int:
        """Packs of 52 in the shoe."""

    @property
    def cut_card_from_end(self) -> int:
        """Cards behind the cut card."""

    def as_dict(self) -> dict[str, Any]:
        """All rules by their public names (CONTRACTS.md 6), JSON-ready, no floats."""


class Outcome(Protocol):
    """The result of a round."""

    @property
    def code(self) -> str:
        """One word for the result, as ``banker``."""

    def as_dict(self) -> dict[str, Any]:
        """All that a screen or a record needs to say about it, JSON-ready, no floats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTotal:
    """The total of one hand as a screen shows it, from accepted cards only."""

    zone: str
    total: int | None
    low: int | None = None
    """The other total of a soft hand: 7 where `total` is 17; None where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneState:
    """One lane of a hand that all players share, as a screen shows it."""

    zone: str
    taking: int
    """Players who take its next card."""
    stood: int
    """Players who play this hand and take no more cards on it."""
    images: tuple[Card, ...] = ()
    """Cards that count here and lie on another lane, before its own."""
    state: str = ""
    """``next then closed bust blackjack done``, or empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """What the players of a shared hand have done so far and do next."""

    seated: int = 0
    takers: int = 0
    """Players who take a card in this wave."""
    wave: int = 0
    """Which wave of decisions and cards, from 1; 0 before the first."""
    again: bool = False
    """Whether somebody may choose again after the cards of this wave."""
    lanes: tuple[LaneState, ...] = ()


NO_CROWD = Crowd()


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended:
    """A settled round worked out again through other cards, with the decisions as executed."""

    inputs: tuple[Input, ...]
    asked: tuple[Request, ...]
    """One request for each input."""
    cards: tuple[Card, ...]
    """In order of dealing."""
    outcome: Outcome | None
    """None where the round needs another card."""
    pays: Mapping[str, Pay]
    """What each bet returns, by the cohorts in which players had ended; empty without outcome."""
    same: bool
    """Whether the same was asked of the same players and every decision could be made."""


def no_crowd(rules: Any, inputs: tuple[Input, ...]) -> Crowd:  # noqa: ARG001  one shape
    """Say that nobody shares a hand: for games without lanes."""
    return NO_CROWD


def no_extra(rules: Any, lane: str, action: str) -> tuple[str, Pay]:  # noqa: ARG001  one shape
    """Say that no action costs anything: for games without decisions.

    Raises:
        KeyError: always.
    """
    raise KeyError(f"{action} on {lane or 'no hand'} costs nothing")


def no_natural(rules: Any, inputs: tuple[Input, ...], hidden: Card) -> bool:  # noqa: ARG001
    """Say that no card is looked at in secret: for games without a hidden card."""
    return False


def no_amending(rules: Any, inputs: Sequence[Input], cards: Sequence[tuple[str, Card]]) -> Amended:
    """Say that nothing is decided in a round: its cards alone give its result.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError("a round without decisions is run through its cards")


def no_other_hands(
    rules: Any,  # noqa: ARG001  one shape for all games
    inputs: tuple[Input, ...],  # noqa: ARG001
) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    """Say that each zone holds one hand: for games in which no hand is parted."""
    return ()


def all_matter(rules: Any) -> tuple[str, ...]:  # noqa: ARG001  one shape for all games
    """Say that no rule is without effect."""
    return ()


def no_choices(rules: Any, inputs: tuple[Input, ...], known: Known) -> Choices:
    """Say that nobody who sits at the table chooses: for games without seats that play.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError("no seat of this game chooses in turn")


def no_besides(
    rules: Any,  # noqa: ARG001  one shape for all games
    inputs: tuple[Input, ...],  # noqa: ARG001
    known: Known,  # noqa: ARG001
    seat: int,  # noqa: ARG001
    option: str,  # noqa: ARG001
) -> bool:
    """Say that nothing may be chosen out of turn."""
    return False


def no_board(rules: Any, inputs: tuple[Input, ...], known: Known) -> Board | None:  # noqa: ARG001
    """Say that there is no board: for games without tricks."""
    return None


def no_breach(rules: Any, inputs: tuple[Input, ...]) -> tuple[Breach, ...]:  # noqa: ARG001
    """Say that no choice can break a rule."""
    return ()


def never_redealt(rules: Any, card: Card) -> bool:  # noqa: ARG001  one shape for all games
    """Say that no card that is shown while it is dealt gives the deal up."""
    return False


def no_verdict(
    rules: Any,  # noqa: ARG001  one shape for all games
    inputs: tuple[Input, ...],  # noqa: ARG001
    known: Known,  # noqa: ARG001
    against: int,  # noqa: ARG001
) -> tuple[int, int] | None:
    """Say that no verdict may be given: for games without sides."""
    return None


def nothing_stays(rules: Any, outcome: Any) -> tuple[str, ...]:  # noqa: ARG001  one shape for all
    """Say that every bet ends with its round."""
    return ()


def nothing_carried(outcome: Any) -> tuple[int, ...]:  # noqa: ARG001  one shape for all games
    """Say that a round leaves nothing to the next one."""
    return ()


def by_the_shoe(figures: tuple[int, ...]) -> int:  # noqa: ARG001  one shape for all games
    """Say that rounds are counted by the shoe alone."""
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game. Everything here is pure."""

    name: str
    """Name in commands and configuration, as ``baccarat``."""
    version: str
    """Version of the round's procedure, as ``baccarat@1``."""
    bets: tuple[str, ...]
    """Names of all bets, main bets first."""
    steps: tuple[str, ...]
    """Names of the steps of a round, in order of dealing."""
    hands: tuple[str, ...]
    """Zones that are hands, in the order in which they lie before the dealer."""
    rules: Callable[[Mapping[str, Any]], Any]
    """Read rules from public names and values.

    Raises:
        ValueError: one sentence that names the rule, the value and what is allowed.
    """
    round: Callable[[Any], Procedure[Any]]
    """The procedure of one round under these rules; its outcome has `code` and `as_dict`."""
    new_shoe: Callable[[Any], Procedure[Any]]
    """Shuffle, cut, load, burn."""
    end_shoe: Callable[[Any], Procedure[Any]]
    """Closing count; its outcome is the number of cards that remained (int)."""
    pays: Callable[[Any, Any], dict[str, Pay]]
    """(rules, outcome) → what each bet returns."""
    certain: Callable[[Any, tuple[Input, ...]], Mapping[str, Pay]]
    """(rules, inputs so far) → what each bet returns that no further card can change."""
    offered: Callable[[Any, int], tuple[str, ...]]
    """(rules, number of the round in the shoe) → bets that may be placed."""
    refuse_bet: Callable[[Any, str, frozenset[str], int], str | None]
    """(rules, bet, bets this player already has, number of the round in the shoe) → reason or None.

    It alone says why: ``not_offered`` for a bet that the game does not have, ``round_limit`` for
    one that it does not take any more in this shoe (D-13).
    """
    rounds_after_cut: Callable[[Any, int], int]
    """(rules, cards of the round dealt when the cut card came out) → whole rounds still to play."""
    totals: Callable[[Any, tuple[tuple[str, Dealt], ...]], tuple[HandTotal, ...]]
    """(rules, cards so far as (zone, Dealt)) → totals of all hands, None where none is known."""
    rule_text: Callable[[Any], tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]]
    """Message codes with parameters, in order, from which the rules page is made."""
    plan: Callable[[Any], tuple[tuple[str, bool, bool], ...]]
    """(rules) → (zone, laid across, only perhaps) of every card of a round, in order of dealing."""
    word: Callable[[Any, tuple[Input, ...], str], str | None]
    """(rules, inputs so far, zone) → what that hand does: ``natural draws stands``, or None."""
    seat: str = ""
    """The bet that gives its player a hand; empty where players have none (baccarat)."""
    extra: Callable[[Any, str, str], tuple[str, Pay]] = no_extra
    """(rules, lane, action) → the kind of bet that a costly action adds, and its share of the stake
    on `seat`, rounded down: ``("double:L", Pay(1))``, ``("insurance", Pay(1, 2))``."""
    crowd: Callable[[Any, tuple[Input, ...]], Crowd] = no_crowd
    """(rules, inputs so far) → what the players of a shared hand have done and do next."""
    natural: Callable[[Any, tuple[Input, ...], Card], bool] = no_natural
    """(rules, inputs so far, the hidden card) → whether it makes a natural (`Peek`)."""
    amend: Callable[[Any, Sequence[Input], Sequence[tuple[str, Card]]], Amended] = no_amending
    """(rules, inputs of a settled round, all its cards as they truly fell) → the round worked out
    again with the decisions as executed. A card is (zone, card), in order of dealing within each
    zone; where the zone is empty, in order of all. Asked only where players have hands (`seat`).

    Raises:
        InputMismatch: if the round ends before the last of the cards.
    """
    roads: Callable[[Sequence[Told]], Roads] | None = None
    """(results of a shoe, oldest first) → its five roads; None for games that have none."""
    seats: tuple[str, ...] = ()
    """Zones of the players' own hands, where a table has seats; empty where any number of players
    share one hand, or have none."""
    hands_of: Callable[[Any, tuple[Input, ...]], tuple[tuple[str, str, tuple[int, ...]], ...]] = (
        no_other_hands
    )
    """(rules, inputs so far) → (zone, name, places of its cards among the inputs) of each hand of a
    zone that holds several."""
    without_effect: Callable[[Any], tuple[str, ...]] = all_matter
    """(rules) → a sentence for each rule that was set and changes nothing beside the others."""
    pack: tuple[Card, ...] = PACK
    """Cards of one pack, in the order of `PACK`."""
    rounds_in_shoe: int = 0
    """Rounds after which the cards are counted and shuffled; 0: until the cut card."""
    first: tuple[int, ...] = ()
    """Figures that the first round of a table is given (`Carry`)."""
    carried: Callable[[Any], tuple[int, ...]] = nothing_carried
    """(outcome) → the figures that the next round is given."""
    game_round: Callable[[tuple[int, ...]], int] = by_the_shoe
    """(figures that a round is given) → its number in its game, by which people call it; 0 where
    rounds are counted by the shoe."""
    choices: Callable[[Any, tuple[Input, ...], Known], Choices] = no_choices
    """(rules, inputs so far, cards of the racks as far as they are known) → what the seat that is
    asked now may choose, and what is chosen for it by the clock."""
    besides: Callable[[Any, tuple[Input, ...], Known, int, str], bool] = no_besides
    """(rules, inputs so far, cards of the racks, seat, option) → whether that seat's own cards
    allow what it asks for out of turn."""
    board: Callable[[Any, tuple[Input, ...], Known], Board | None] = no_board
    """(rules, inputs so far, cards of the racks) → what all may see of the game."""
    breach: Callable[[Any, tuple[Input, ...]], tuple[Breach, ...]] = no_breach
    """(rules, inputs so far) → what the newest open card proves of earlier choices, oldest first;
    empty if nothing."""
    stays: Callable[[Any, Any], tuple[str, ...]] = nothing_stays
    """(rules, outcome) → the kinds of bets that are not ended by this round (`game`)."""
    redealt: Callable[[Any, Card], bool] = never_redealt
    """(rules, a card that showed its face while it was dealt face down) → whether the deal is given
    up for it, and the same dealer shuffles again."""
    verdict: Callable[[Any, tuple[Input, ...], Known, int], tuple[int, int] | None] = no_verdict
    """(rules, inputs so far, cards of the racks, side at fault) → what a verdict against that side
    (`Ruled`) writes for the two sides, as far as all can see it; None where no verdict may be given
    now."""
    laid: tuple[str, ...] = ()
    """Zones beside the hands on which cards of a round lie, as the places of a trick."""

    @property
    def zones(self) -> tuple[str, ...]:
        """All zones on which cards of a round lie."""
        return (*self.hands, *self.laid)
