"""What a round of Baloot came to, worked out from the cards that lay open (RULES.md 4.5 to 4.7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from studio.domain.cards import HIDDEN, Card, Rank
from studio.games.baloot.bidding import KAWESH, may_be_shown
from studio.games.baloot.cards import (
    HAND,
    NATURAL,
    SEATS,
    SIDES,
    in_turn,
    next_seat,
    side_of,
)
from studio.games.baloot.felt import Call, Contract, Felt, Trick
from studio.games.baloot.projects import Kind, Project, counting_side, held
from studio.games.baloot.rules import BalootOverlap, BalootRules, ProjectTie
from studio.games.baloot.score import (
    NOTHING,
    Pair,
    Played,
    Score,
    convert,
    score,
    written_against,
)
from studio.games.baloot.tricks import legal

PASSED: Final = "passed"
MISDEAL: Final = "misdeal"
QAYD: Final = "qayd"
KABOOT: Final = "kaboot"
MADE: Final = "made"
FAILED: Final = "failed"
REDEALT: Final = frozenset({PASSED, KAWESH, MISDEAL})
"""Ends after which nothing is written and a new deal follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The projects of a round, as they count."""

    announced: Mapping[int, tuple[Project, ...]]
    """By seat, best first: what it announced and held."""
    side: int | None
    """Side whose projects count."""
    points: Pair = NOTHING
    """Round points of the projects that count."""
    raw: Pair = NOTHING
    """The same as 20, 50, 100, 200."""
    baloot: Pair = NOTHING
    """1 for the side that has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BalootOutcome:
    """The result of a round."""

    code: str
    """``made failed kaboot qayd``, or ``passed kawesh misdeal`` where nothing was written."""
    dealer: int
    packets: tuple[tuple[int, tuple[str, ...]], ...]
    """(seat, codes) in order of dealing; ``XX`` for a card that never lay open."""
    face: str
    calls: tuple[Call, ...]
    game_no: int
    round_no: int
    scores: Pair
    """Of the two sides before the round."""
    game_scores: Pair
    """And after it."""
    game_winner: int | None = None
    next_dealer: int
    shown_by: int | None = None
    """Seat that showed its first five."""
    against: int | None = None
    """Side against which a verdict was given."""
    contract: Contract | None = None
    multiplier: int = 1
    raises: tuple[tuple[int, str], ...] = ()
    closed: bool = False
    gahwa: bool = False
    hands: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    """By seat, by suit and from the lowest card up; what is known of them."""
    projects: Counted | None = None
    tricks: tuple[Trick, ...] = ()
    legal_counts: tuple[int, ...] = ()
    """How many cards were legal at each play; empty where a hand is not known whole."""
    abnat: Pair = NOTHING
    """Card points, the last trick among them."""
    tricks_won: Pair = NOTHING
    score: Score | None = None

    @property
    def redealt(self) -> bool:
        """Whether nothing was written and a new deal follows."""
        return self.code in REDEALT

    @property
    def winner(self) -> int | None:
        """Side that won the round."""
        return self.score.winner if self.score else None

    def as_dict(self) -> dict[str, Any]:
        """All that a screen or a record needs, JSON-ready."""
        plain: dict[str, Any] = {
            "dealer": self.dealer,
            "dealt": [[seat, list(codes)] for seat, codes in self.packets],
            "face": self.face,
            "bidding": [[call.seat, sorted(call.options), call.said] for call in self.calls],
            "contract": _contract(self.contract),
            "game_no": self.game_no,
            "round_no": self.round_no,
            "scores": list(self.scores),
            "game_scores": list(self.game_scores),
            "game_winner": self.game_winner,
            "next_dealer": self.next_dealer,
        }
        if self.redealt:
            plain["redeal"] = True
            if self.shown_by is not None:
                plain[self.code] = self.shown_by
            return plain
        return plain | self._play()

    def _play(self) -> dict[str, Any]:
        """What was bought, played and written."""
        projects, written = self.projects, self.score
        return {
            "hands": {str(s): [card.code for card in hand] for s, hand in self.hands.items()},
            "multiplier": self.multiplier,
            "raises": [list(each) for each in self.raises],
            "closed": self.closed,
            "gahwa": self.gahwa,
            "lead": self.tricks[0].lead if self.tricks else None,
            "declarations": _declarations(projects),
            "project_team": projects.side if projects else None,
            "project_points": list(projects.points if projects else NOTHING),
            "baloot": list(projects.baloot if projects else NOTHING),
            "tricks": [_trick(trick) for trick in self.tricks],
            "legal_counts": list(self.legal_counts),
            "abnat": list(self.abnat),
            "tricks_won": list(self.tricks_won),
            "score": written.as_dict() if written else None,
            "against": self.against,
        }


def _contract(contract: Contract | None) -> dict[str, Any] | None:
    if contract is None:
        return None
    return {
        "mode": contract.mode.value,
        "caller": contract.caller,
        "receiver": contract.receiver,
        "ashkal": contract.ashkal,
        "trump": contract.trump.value if contract.trump else None,
        "round": contract.bidding_round,
    }


def _declarations(projects: Counted | None) -> dict[str, list[list[str]]]:
    announced = projects.announced if projects else {}
    return {
        str(seat): [
            [each.kind.short, each.form.value, each.top.value] for each in announced.get(seat, ())
        ]
        for seat in range(SEATS)
    }


def _trick(trick: Trick) -> dict[str, Any]:
    return {
        "lead": trick.lead,
        "cards": [card.code for _, card in trick.cards],
        "winner": trick.taken_by,
        "points": trick.points,
    }


# -- working it out -------------------------------------------------------------------------------


def outcome_of(felt: Felt) -> BalootOutcome:
    """The result of a round that has ended."""
    if felt.contract is None:
        return _redealt(felt)
    hands = hands_of(felt)
    counted = count_projects(felt.rules, felt, hands)
    tricks = felt.tricks
    abnat, won = card_points(felt), tricks_won(felt)
    played = as_played(felt, felt.contract, counted, abnat, won)
    if felt.against is None:
        written = score(felt.rules, played)
    else:
        written = verdict_score(felt, played, felt.against)
    game_scores = (felt.scores[0] + written.final[0], felt.scores[1] + written.final[1])
    return BalootOutcome(
        code=_code(felt, written),
        dealer=felt.dealer,
        packets=_packets(felt),
        face=felt.face.code if felt.face else HIDDEN,
        calls=tuple(felt.calls),
        game_no=felt.game_no,
        round_no=felt.round_no,
        scores=felt.scores,
        game_scores=game_scores,
        game_winner=game_winner(felt.rules, game_scores, written.game_won_by_gahwa),
        next_dealer=next_seat(felt.dealer),
        against=felt.against,
        contract=felt.contract,
        multiplier=felt.multiplier,
        raises=tuple(felt.raises),
        closed=felt.closed,
        gahwa=felt.gahwa,
        hands={seat: tuple(sorted(hand, key=_by_suit)) for seat, hand in hands.items()},
        projects=counted,
        tricks=tuple(tricks),
        legal_counts=_legal_counts(felt, hands),
        abnat=abnat,
        tricks_won=won,
        score=written,
    )


def _code(felt: Felt, written: Score) -> str:
    """The word for the end of a round that was bought."""
    if felt.against is not None:
        return QAYD
    if written.kaboot is not None:
        return KABOOT
    return FAILED if written.failed else MADE


def _redealt(felt: Felt) -> BalootOutcome:
    """Nobody bought, or a hand was shown: nothing is written.

    All passed: the deal goes to the right. A hand that was shown: the same dealer deals again,
    also where the hand did not give the right to it.
    """
    code, dealer = PASSED, next_seat(felt.dealer)
    if felt.shown_by is not None:
        shown = tuple(place.card for place in felt.racks[felt.shown_by] if place.card)
        code, dealer = KAWESH if may_be_shown(shown) else MISDEAL, felt.dealer
    return BalootOutcome(
        code=code,
        dealer=felt.dealer,
        packets=_packets(felt),
        face=felt.face.code if felt.face else HIDDEN,
        calls=tuple(felt.calls),
        game_no=felt.game_no,
        round_no=felt.round_no,
        scores=felt.scores,
        game_scores=felt.scores,
        next_dealer=dealer,
        shown_by=felt.shown_by,
    )


def _packets(felt: Felt) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The packets as they were dealt, as far as their cards ever lay open."""
    seen = {place.index: place.card for rack in felt.racks for place in rack}
    return tuple(
        (seat, tuple(_code_of(seen.get(index)) for index in places))
        for seat, places in felt.packets
    )


def _code_of(card: Card | None) -> str:
    return card.code if card else HIDDEN


def _by_suit(card: Card) -> tuple[str, int]:
    return card.suit.value, -NATURAL.index(card.rank)


def hands_of(felt: Felt) -> dict[int, tuple[Card, ...]]:
    """The hands of all seats as far as their cards lay open, in the order of their racks."""
    return {
        seat: tuple(place.card for place in rack if place.card)
        for seat, rack in enumerate(felt.racks)
    }


def card_points(felt: Felt) -> Pair:
    """Card points that the two sides have taken; with the eighth trick ten more."""
    taken = [0, 0]
    for trick in felt.tricks:
        if trick.taken_by is not None:
            taken[side_of(trick.taken_by)] += trick.points
    return taken[0], taken[1]


def tricks_won(felt: Felt) -> Pair:
    """Tricks that the two sides have taken."""
    winners = [side_of(each.taken_by) for each in felt.tricks if each.taken_by is not None]
    return winners.count(0), winners.count(1)


def count_projects(rules: BalootRules, felt: Felt, hands: Mapping[int, Sequence[Card]]) -> Counted:
    """What was announced and held, whose projects count, and who has baloot.

    A project that a seat announced and does not hold counts nothing.
    """
    contract = felt.contract
    if contract is None:
        return Counted(announced={}, side=None)
    pair = pair_of(contract)
    announced = {
        seat: held(hands.get(seat, ()), contract.mode, kinds, pair)
        for seat, kinds in felt.announced.items()
    }
    order = in_turn(felt.tricks[0].lead) if felt.tricks else ()
    cancels = rules.project_tie is ProjectTie.CANCEL
    side = counting_side(announced, order, cancels=cancels)
    own = [each for seat, found in announced.items() if side_of(seat) == side for each in found]
    return Counted(
        announced=announced,
        side=side,
        points=on_side(side, sum(each.kind.points(contract.mode) for each in own)),
        raw=on_side(side, sum(each.kind.raw for each in own)),
        baloot=_baloot(rules, pair, hands, announced, side),
    )


def on_side(side: int | None, figure: int) -> Pair:
    """A figure on one side."""
    return (figure * (side == 0), figure * (side == 1))


def pair_of(contract: Contract) -> frozenset[Card]:
    """King and queen of hokum; nothing in sun."""
    if contract.trump is None:
        return frozenset()
    return frozenset(Card(rank, contract.trump) for rank in (Rank.KING, Rank.QUEEN))


def _baloot(
    rules: BalootRules,
    pair: frozenset[Card],
    hands: Mapping[int, Sequence[Card]],
    announced: Mapping[int, tuple[Project, ...]],
    counting: int | None,
) -> Pair:
    """Who held king and queen of hokum, unless another project has one of them."""
    if not pair:
        return NOTHING
    for seat, hand in hands.items():
        if not pair <= set(hand):
            continue
        found = announced.get(seat, ())
        if rules.baloot_overlap is BalootOverlap.HUNDRED:
            counts = side_of(seat) == counting
            found = tuple(each for each in found if counts and each.kind is Kind.HUNDRED)
        if not any(pair & set(each.cards) for each in found):
            return on_side(side_of(seat), 1)
    return NOTHING


def as_played(felt: Felt, contract: Contract, counted: Counted, abnat: Pair, won: Pair) -> Played:
    """The round as its score is worked out from."""
    return Played(
        mode=contract.mode,
        buyer=contract.buyer,
        abnat=abnat,
        tricks=won,
        projects=counted.points,
        projects_raw=counted.raw,
        baloot=counted.baloot,
        multiplier=felt.multiplier,
        raiser=felt.raiser,
        gahwa=felt.gahwa,
    )


def verdict_score(felt: Felt, played: Played, against: int) -> Score:
    """A verdict: the other side writes the round with its own counted projects and baloot.

    RULES.md 4.7 leaves the penalty of a fault open. Ours is that of a failed contract, but for
    what the side at fault had announced itself: 26 or 16, multiplied as the round was raised, and
    under gahwa the game.
    """
    other = 1 - against
    projects, baloot = on_side(other, played.projects[other]), on_side(other, played.baloot[other])
    final = on_side(other, written_against(felt.rules, played, projects, baloot))
    return Score(
        card_gp=convert(felt.rules, played.mode, played.abnat),
        kaboot=None,
        failed=against == played.buyer,
        total_gp=None,
        winner=other,
        final=final,
        game_won_by_gahwa=other if played.gahwa else None,
    )


def _legal_counts(felt: Felt, hands: Mapping[int, Sequence[Card]]) -> tuple[int, ...]:
    """How many cards were legal at each play."""
    if any(len(hands[seat]) != HAND for seat in range(SEATS)):
        return ()
    left = {seat: list(hand) for seat, hand in hands.items()}
    counts = []
    for trick in felt.tricks:
        for number, (seat, card) in enumerate(trick.cards):
            before = trick.cards[:number]
            allowed = legal(felt.rules, left[seat], before, seat, felt.trump, closed=felt.closed)
            counts.append(len(allowed))
            left[seat].remove(card)
    return tuple(counts)


def game_winner(rules: BalootRules, scores: Pair, gahwa: int | None) -> int | None:
    """The side that has won the game; both over: the higher one; equal: another round."""
    if gahwa is not None:
        return gahwa
    if max(scores) < rules.target or scores[0] == scores[1]:
        return None
    return max(range(SIDES), key=lambda side: scores[side])


FIRST: Final = (0, 0, SEATS - 1, 1, 1)
"""Figures of a table's first round: scores, dealer, so that seat 0 is eldest, game, round."""


def round_in_game(figures: tuple[int, ...]) -> int:
    """Number in its game of the round that is given these figures."""
    return figures[-1]


def carried(outcome: BalootOutcome) -> tuple[int, ...]:
    """The figures of the next round: scores, dealer, number of the game and of the round in it.

    A new deal counts as the same round.
    """
    if outcome.game_winner is not None:
        return (0, 0, outcome.next_dealer, outcome.game_no + 1, 1)
    round_no = outcome.round_no + (0 if outcome.redealt else 1)
    return (*outcome.game_scores, outcome.next_dealer, outcome.game_no, round_no)
