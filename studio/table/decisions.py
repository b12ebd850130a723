"""Windows in which players choose: what is taken, what is refused and why, and what is executed.

A window opens with the offers of the procedure, ends when all have answered or by the clock, and is
executed once the money for what costs is there (D-09, D-10). The core knows cohorts and packed
columns; what it does for a batch costs the batch, and the end of a window a few passes over arrays.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import numpy as np

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.columns import Columns
from studio.domain.decisions import Choice, Offer
from studio.domain.envelope import canonical
from studio.domain.observations import FundsAnswered
from studio.games.procedure import Decide, Facing
from studio.games.spec import Pay
from studio.table import ledger
from studio.table.bets import MOST_IN_BATCH
from studio.table.book import Book, actions_of, decision_text
from studio.table.evolve_decisions import INSURANCE
from studio.table.seating import Numbers, pack, written
from studio.table.state import Answering, Place, Round, Setup, Table
from studio.table.turn import Turn

NO_HAND: Final = ("", "M")
"""How a batch may name the hand of a decision that is about none."""
MOST_ACTIONS: Final = 64
"""More actions than any game offers in one window: a base for counting combinations."""


def open_window(turn: Turn, due: Decide) -> None:
    """Let players choose."""
    current = turn.table.round
    if current is None:
        return
    times = turn.setup.times
    lasts = times.insurance if due.step == INSURANCE else times.decision
    turn.emit(
        e.WindowOpened(
            round_id=current.id,
            window=len(current.windows) + 1,
            step=due.step,
            offers=due.offers,
            asked=_waited_for(turn.book, current, due.offers),
            deadline_us=turn.at_us + lasts,
            seen=digest_of_seen(turn.table.play.places if turn.table.play else ()),
        )
    )


def digest_of_seen(places: Sequence[Place]) -> str:
    """SHA-256 of what players see: the cards that lie face up, in order, with their zones."""
    shown = [[p.to, p.card.code] for p in places if p.face == Facing.UP.value and p.card]
    return sha256(canonical(shown).encode()).hexdigest()


def _waited_for(book: Book, current: Round, offers: tuple[Offer, ...]) -> int:
    """Answers that may come: one a player and lane, none of players who are gone."""
    lanes: dict[str, int] = {}
    for offer in offers:
        lanes[offer.cohort] = lanes.get(offer.cohort, 0) + 1
    sizes = current.seating.sizes()
    asked = sum(sizes.get(cohort, 0) * count for cohort, count in lanes.items())
    if current.seating.gone:
        per_cohort = [lanes.get(cohort, 0) for cohort in current.seating.cohorts]
        seats = book.seats(current).of(current.seating.gone)
        asked -= int(np.array(per_cohort, np.int64)[current.seating.numbers[seats]].sum())
    return asked


# -- taking decisions -----------------------------------------------------------------------------


def place(turn: Turn, command: c.PlaceDecisions) -> None:
    """Take what may be taken; refuse the rest entry by entry. Both are facts.

    Raises:
        Rejected: if no round is open or the batch is empty, too large, or was taken before.
    """
    current = _open_round(turn.table, command)
    window = current.answering
    if window is not None and any(name == command.batch for name, _ in window.batches):
        raise c.Rejected("refused.batch_known")
    judge = Judge(turn.setup, turn.table, turn.book, turn.at_us, command.window)
    refused: list[tuple[str, str]] = []
    taken: list[tuple[str, str, str, int]] = []
    strangers = frozenset(command.strangers)
    for decision in command.decisions:
        stranger = decision.player in strangers
        verdict = "not_seated" if stranger else judge.of(decision, turn.short)
        if isinstance(verdict, str):
            refused.append((decision.id, f"refused.{verdict}"))
        else:
            taken.append((decision.id, decision.player, *verdict))
    if taken:
        columns = Columns(*(tuple(column) for column in zip(*taken, strict=True)))
        key = f"{current.id}/{command.window}/{command.batch}"
        turn.emit(
            e.DecisionsTaken(
                round_id=current.id,
                batch=command.batch,
                window=command.window,
                packed=columns.packed("decisions", key),
                columns=columns,
            )
        )
    if refused:
        turn.emit(
            e.DecisionsRefused(
                round_id=current.id,
                batch=command.batch,
                window=command.window,
                refused=tuple(refused),
            )
        )


def _open_round(table: Table, command: c.PlaceDecisions) -> Round:
    current = table.round
    if len(command.decisions) > MOST_IN_BATCH:
        raise c.Rejected("refused.batch_too_large")
    if not command.decisions:
        raise c.Rejected("refused.batch_empty")
    if current is None or command.round_id not in ("", current.id):
        raise c.Rejected("refused.other_round")
    return current


def costly(
    setup: Setup, table: Table, command: c.PlaceDecisions, book: Book
) -> tuple[tuple[str, str, int], ...]:
    """(decision id, player, minor units) of what would cost money, for the wallet to look at.

    Each by itself, whatever the batch says before it: where the first of two answers for one hand
    is not covered, the second counts, and it must have been looked at too (D-09).
    """
    current = table.round
    if current is None or len(command.decisions) > MOST_IN_BATCH:
        return ()
    judge = Judge(setup, table, book, 0, command.window)
    strangers = frozenset(command.strangers)
    own = (each for each in command.decisions if each.player not in strangers)
    found = ((each, judge.alone(each)) for each in own)
    return tuple(
        (each.id, each.player, verdict[1])
        for each, verdict in found
        if not isinstance(verdict, str) and verdict[1]
    )


def extra_stake(setup: Setup, lane: str, action: str) -> tuple[str, Pay]:
    """The kind of bet that a costly action adds, and its share of the stake for the seat."""
    return setup.game.extra(setup.rules, lane, action)  # noqa: S610  no Django here


class Judge:
    """Judges the decisions of one batch; remembers what the batch itself answers."""

    def __init__(self, setup: Setup, table: Table, book: Book, at_us: int, number: int) -> None:
        """Look at the open window; `number` is the window that the batch means."""
        current = table.round
        self._setup, self._book, self._round = setup, book, current
        self._window = current.answering if current else None
        self._shut = _shut(table, at_us, number)
        self._had_no_hand = current is not None and any(
            past.step == INSURANCE for past in current.windows
        )
        asked = self._window.offers if self._window else ()
        self._of_insurance = {"insure", "decline"}
        if self._window is not None and self._window.step != INSURANCE:
            # Another window may take a no as well: early surrender does.
            self._of_insurance -= {action for offer in asked for action in offer.actions}
        self._here: set[tuple[str, str]] = set()
        if current is None or self._window is None or self._shut:
            return
        offers = {(offer.cohort, offer.lane): offer for offer in self._window.offers}
        self._offers = [
            {lane: offers[name, lane] for _, lane in offers if (name, lane) in offers}
            for name in current.seating.cohorts
        ]
        self._cohorts = np.frombuffer(current.seating.packed, "<u2")
        self._seats = book.seats(current)
        self._given = book.answers(current, self._window).given
        self._no_hand = self._window.step == INSURANCE
        self._prices: dict[tuple[str, str], Pay] = {}

    def of(self, decision: c.Decision, short: Mapping[str, str]) -> str | tuple[str, int]:
        """(its text, its cost in minor units), or the reason why it does not count."""
        if not decision.id or not decision.player or not decision.action:
            return "malformed"
        about_insurance = decision.action in self._of_insurance
        if self._shut:
            never = about_insurance and self._shut == "window_closed" and not self._had_no_hand
            return "not_offered" if never else self._shut
        if about_insurance and not self._no_hand:
            return "window_closed" if self._had_no_hand else "not_offered"
        return self._offered(decision, short)

    def alone(self, decision: c.Decision) -> str | tuple[str, int]:
        """The same of a decision by itself: as if the batch held no other."""
        verdict = self.of(decision, {})
        self._here.clear()
        return verdict

    def _offered(self, decision: c.Decision, short: Mapping[str, str]) -> str | tuple[str, int]:
        seat = self._seats.get(decision.player)
        current = self._round
        if seat is None or current is None:
            return "not_seated"
        if decision.player in current.seating.gone:
            return "disconnected"
        no_hand = self._no_hand and decision.lane in NO_HAND
        mine = self._offers[self._cohorts[seat]]
        lane = "" if no_hand else self._lane(decision.lane, mine)
        offer = mine.get(lane)
        if offer is None and no_hand:
            return "not_offered"
        if offer is None or decision.action not in offer.actions:
            return "not_available"
        if self._given[lane][seat] or (decision.player, lane) in self._here:
            return "known"
        cost = 0
        if decision.action in offer.costs:
            cost = self._price(lane, decision.action).returned(int(self._seats.stakes[seat]))
            if cost <= 0:
                return "balance" if no_hand else "not_available"
        if decision.id in short:
            reason = short[decision.id]
            return reason or ("balance" if no_hand else "not_available")
        self._here.add((decision.player, lane))
        return decision_text(lane, decision.action), cost

    def _lane(self, lane: str, mine: Mapping[str, Offer]) -> str:
        """The hand that is meant; who plays at a seat need not know which one it is."""
        if lane or not self._setup.game.seats or len(mine) != 1:
            return lane
        return next(iter(mine))

    def _price(self, lane: str, action: str) -> Pay:
        known = self._prices.get((lane, action))
        if known is None:
            known = extra_stake(self._setup, lane, action)[1]
            self._prices[lane, action] = known
        return known


def _shut(table: Table, at_us: int, number: int) -> str:
    """Why no decision at all counts now; empty if some may."""
    current, window = table.round, table.window
    asks = current.answering if current else None
    if asks is None or asks.closed or window is None or asks.number != number:
        return "window_closed"
    if table.held:
        return "table_held"
    return "window_closed" if at_us >= window.deadline_us else ""


# -- the end of a window --------------------------------------------------------------------------


def end_of_window(turn: Turn) -> bool:
    """Close the window when all have answered or its time is up; then do what was chosen."""
    current, window = turn.table.round, turn.table.window
    asks = current.answering if current else None
    if current is None or asks is None or window is None:
        return False
    over = window.remaining_us is None and turn.at_us >= window.deadline_us
    if asks.closed:
        if over:
            execute(turn, frozenset(asks.funds.ids), answered=False)
        return over
    if not over and asks.answered < asks.asked:
        return False
    turn.emit(
        e.WindowClosed(
            round_id=current.id,
            window=asks.number,
            by="all" if asks.answered >= asks.asked else "clock",
            asked=asks.asked,
            answered=asks.answered,
        )
    )
    costs = _extra_stakes(turn, asks)
    if not costs.count:
        execute(turn, frozenset())
        return True
    turn.emit(
        e.FundsAsked(
            round_id=current.id,
            batch=asks.funds_batch,
            deadline_us=turn.at_us + turn.setup.times.funds,
            packed=costs.packed("funds", f"{current.id}/{asks.number}"),
            columns=costs,
        )
    )
    return True


def funds(turn: Turn, answer: FundsAnswered) -> bool:
    """The wallet's word on what a window costs; whether it was about the one that waits."""
    current = turn.table.round
    asks = current.answering if current else None
    if asks is None or not asks.closed or asks.funds_batch != answer.batch:
        return False
    window = turn.table.window
    if window is not None and window.remaining_us is None and turn.at_us >= window.deadline_us:
        return False  # no answer in time means no: a late yes is rolled back
    execute(turn, frozenset(answer.refused))
    return True


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What every seat of an asked cohort does, lane by lane, as places in the list of actions."""

    actions: tuple[str, ...]
    lanes: tuple[str, ...]
    does: dict[str, Numbers]
    """By lane: the place of the action from 1; 0 where the seat is not asked about it."""
    offers: dict[tuple[str, str], Offer]


def _chosen(turn: Turn, current: Round, asks: Answering) -> _Chosen:
    """What was answered, and the automatic rule where nothing was (D-10)."""
    actions, cohorts = actions_of(asks), current.seating.numbers
    names = current.seating.cohorts
    given = turn.book.answers(current, asks).given
    offers = {(offer.cohort, offer.lane): offer for offer in asks.offers}
    lanes = tuple(dict.fromkeys(offer.lane for offer in asks.offers))
    code = {action: place for place, action in enumerate(actions, 1)}
    does = {}
    for lane in lanes:
        auto = [code[offers[n, lane].auto] if (n, lane) in offers else 0 for n in names]
        by_rule = np.array(auto, np.int64)[cohorts]
        answered = given[lane].astype(np.int64)
        does[lane] = np.where(answered > 0, answered, by_rule)
    return _Chosen(actions, lanes, does, offers)


def _extra_stakes(turn: Turn, asks: Answering) -> Columns:
    """What the chosen actions cost, in order of the seats, the first hand first (D-09)."""
    current = turn.table.round
    if current is None or not any(offer.costs for offer in asks.offers):
        return Columns()
    chosen = _chosen(turn, current, asks)
    rows: list[tuple[Numbers, int, str, Pay]] = []
    for order, lane in enumerate(chosen.lanes):
        costs = {a for o in asks.offers if o.lane == lane for a in o.costs}
        for action in sorted(costs):
            kind, share = extra_stake(turn.setup, lane, action)
            code = chosen.actions.index(action) + 1
            rows.append((np.flatnonzero(chosen.does[lane] == code), order, kind, share))
    return _columns(turn, current, asks, rows)


def _columns(
    turn: Turn,
    current: Round,
    asks: Answering,
    rows: Sequence[tuple[Numbers, int, str, Pay]],
) -> Columns:
    """The extra stakes of these (seats, place of the lane, kind, share) as columns."""
    seats = np.concatenate([seats for seats, _, _, _ in rows])
    if not len(seats):
        return Columns()
    lane = np.concatenate([np.full(len(s), order) for s, order, _, _ in rows])
    which = np.concatenate([np.full(len(row[0]), n) for n, row in enumerate(rows)])
    stakes = turn.book.stakes(current)
    amounts = np.empty(len(seats), stakes.dtype)
    for number, (_, _, _, share) in enumerate(rows):
        mine = which == number
        amounts[mine] = _share_of(stakes[seats[mine]], share)
    order = np.lexsort((lane, seats))
    order = order[amounts[order] > 0]
    seat_of, amount_of = seats[order].tolist(), amounts[order].tolist()
    kinds = [rows[number][2] for number in which[order].tolist()]
    name, players = asks.funds_batch, current.seating.players
    return Columns(
        tuple(f"{name}/{seat}/{kind}" for seat, kind in zip(seat_of, kinds, strict=True)),
        tuple(map(players.__getitem__, seat_of)),
        tuple(kinds),
        tuple(amount_of),
    )


def _share_of(stakes: Numbers, share: Pay) -> Numbers:
    """A share of each stake, the whole or less, rounded down (D-01); exact whatever the stakes."""
    if int(stakes.max(initial=0)) * share.numerator > ledger.EXACT:
        return np.array([share.returned(stake) for stake in stakes.tolist()], stakes.dtype)
    return stakes * share.numerator // share.denominator


def execute(turn: Turn, refused: frozenset[str], *, answered: bool = True) -> None:
    """Do what was chosen; where the money is not there, the substitute (D-09)."""
    current = turn.table.round
    asks = current.answering if current else None
    if current is None or asks is None:
        return
    chosen = _chosen(turn, current, asks)
    for seat, lane, short in _substitutes(turn, current, chosen, asks.funds, refused):
        chosen.does[lane][seat] = chosen.actions.index(short) + 1
    choices, cohorts, numbers = _counted(current, chosen)
    kept = asks.funds.without(refused)
    turn.emit(
        e.ActionsExecuted(
            round_id=current.id,
            window=asks.number,
            choices=choices,
            cohorts=cohorts,
            seats=written(pack(numbers)),
            answered=answered,
            packed=kept.packed("stakes", f"{current.id}/{asks.number}"),
            columns=kept,
        )
    )
    if turn.table.round is not None:
        turn.book.keep_rows(turn.table.round)


def _substitutes(
    turn: Turn, current: Round, chosen: _Chosen, costs: Columns, refused: frozenset[str]
) -> Iterator[tuple[int, str, str]]:
    """(seat, lane, action) of what is played instead of what cannot be paid."""
    if not refused:
        return
    lane_of: dict[str, str] = {}
    for (_, lane), offer in chosen.offers.items():
        for action in offer.costs:
            lane_of[extra_stake(turn.setup, lane, action)[0]] = lane
    seats, cohorts = turn.book.seats(current), current.seating.numbers
    poor = costs.only(refused)
    found = seats.of(player for _, player, _, _ in poor).tolist()
    for (_, _, kind, _), seat in zip(poor, found, strict=True):
        lane = lane_of[kind]
        cohort = current.seating.cohorts[int(cohorts[seat])]
        yield seat, lane, chosen.offers[cohort, lane].short


def _counted(
    current: Round, chosen: _Chosen
) -> tuple[tuple[Choice, ...], tuple[str, ...], Numbers]:
    """The choices by cohort, the names of the cohorts after them, and each seat's place in these.

    A window that is about no hand makes no cohorts: what was chosen in it is money alone.
    """
    names, before = current.seating.cohorts, current.seating.numbers
    key = before
    for lane in chosen.lanes:
        key = key * MOST_ACTIONS + chosen.does[lane]
    found, place, sizes = np.unique(key, return_inverse=True, return_counts=True)
    choices: list[Choice] = []
    after: list[str] = []
    for combined, size in zip(found.tolist(), sizes.tolist(), strict=True):
        cohort, does = _parted(combined, names, chosen)
        if does:
            choices.append(Choice(cohort, does, size))
        after.append(choices[-1].into if does else cohort)
    order = {name: n for n, name in enumerate(names)}
    choices.sort(key=lambda choice: order[choice.cohort])
    if chosen.lanes == ("",):
        return tuple(choices), names, before
    return tuple(choices), tuple(after) or ("",), place.reshape(-1).astype(np.int64)


def _parted(
    combined: int, names: Sequence[str], chosen: _Chosen
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """(cohort, what it does) of a combination."""
    does: list[tuple[str, str]] = []
    for lane in reversed(chosen.lanes):
        combined, code = divmod(combined, MOST_ACTIONS)
        if code:
            does.append((lane, chosen.actions[code - 1]))
    return names[combined], tuple(reversed(does))
