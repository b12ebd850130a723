"""What every cell must keep, looked at from outside: the journal, the truth and a plain referee."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

from studio.domain import events as e
from studio.domain.columns import Columns
from studio.live.recovery import restore
from studio.simulate.faults import RESULT
from studio.table import policy
from studio.table.evolve import evolve
from studio.table.row import Row, Void
from studio.table.state import Table
from tests.matrix import referee
from tests.matrix.cells import Cell
from tests.support.plain_table import OPENING, PlainTable

STACKED = ("2C", "4D", "5D", "2D", "3D", "KS", "QS", "4H", "5H")
"""A burn of two after the 2C, then a coup of six cards: Player 2, K, 4; Banker 3, Q, 5."""
NATURAL = ("2C", "4D", "5D", "9D", "2D", "KS", "QS")
"""The same burn, then a coup of four cards: Player 9, K; Banker 2, Q."""


def cards_of(cell: Cell) -> tuple[str, ...]:
    """The cards of the cell: after the last card there must be room for one more beside it."""
    return NATURAL if cell.moment == RESULT else STACKED


@dataclass
class Books:
    """One pass over a journal: bets, ends, and the policy's rows of each fault."""

    profile: str
    bets: dict[str, dict[str, tuple[str, str, int]]] = field(default_factory=dict)
    """By round: (player, bet, stake) by the id of each bet that stands."""
    settled: dict[str, e.RoundSettled] = field(default_factory=dict)
    voided: dict[str, e.RoundVoided] = field(default_factory=dict)
    rows: list[tuple[str, Row]] = field(default_factory=list)
    """(open round, row) of each fault when it was raised, and again when more became known."""
    answers: list[tuple[str, str]] = field(default_factory=list)
    """(code, repair) of each answer."""
    table: Table = field(default_factory=Table)

    def read(self, facts: Sequence[tuple[e.Event, int]]) -> Books:
        """Take all facts in order."""
        for event, at_us in facts:
            self._take(event, at_us)
        return self

    def _take(self, event: e.Event, at_us: int) -> None:
        self.table = evolve(self.table, event, at_us)
        match event:
            case (
                e.BetsPlaced(round_id=round_id, columns=columns)
                | e.ActionsExecuted(round_id=round_id, columns=columns)
            ):
                self.bets.setdefault(round_id, {}).update(_by_id(columns))
            case e.BetsRefused(round_id=round_id, refused=refused):
                for bet, _ in refused:
                    self.bets.get(round_id, {}).pop(bet, None)
            case (
                e.BetsConfirmed(round_id=round_id, refused=names)
                | e.BetsWithdrawn(round_id=round_id, ids=names)
            ):
                for bet in names:
                    self.bets[round_id].pop(bet, None)
            case e.RoundSettled(round_id=round_id):
                self.settled[round_id] = event
            case e.RoundVoided(round_id=round_id):
                self.voided[round_id] = event
            case e.FaultRaised(fault=fault):
                current = self.table.round
                here = current.id if current is not None and current.state == "open" else ""
                self.rows.append((here, policy.row_of(self.profile, fault, self.table)))
            case e.CardParked():
                for fault in self.table.hold.faults if self.table.hold else ():
                    self.rows.append(("known", policy.row_of(self.profile, fault, self.table)))
            case e.FaultAnswered(code=code, repair=repair):
                self.answers.append((code, repair))
            case _:
                pass

    def must_be_void(self, round_id: str) -> bool:
        """Whether policy has a void as its own answer to a fault of this round."""
        return any(
            here == round_id and row.holds and row.void in (Void.FIRST, Void.ONLY)
            for here, row in self.rows
        )


def _by_id(columns: Columns) -> dict[str, tuple[str, str, int]]:
    found = zip(columns.ids, columns.players, columns.bets, columns.amounts, strict=True)
    return {bet_id: (player, bet, stake) for bet_id, player, bet, stake in found}


def check_cell(cell: Cell, at: PlainTable, line: dict[str, object]) -> Books:
    """The round of the cell ended as policy says, and everything else is right as well."""
    assert line["injected"] == [cell.fault], (line, at.said)
    books = check_table(at)
    void = books.must_be_void(str(line["round"]))
    assert line["state"] == ("voided" if void else "settled"), (line, at.said)
    assert at.lines[-1]["faults"] == [], ("the round after it is not clean", at.lines, at.said)
    return books


def check_table(at: PlainTable) -> Books:
    """Journal, money and cards of a whole course."""
    facts = [(fact.event, fact.at_us) for fact in at.facts()]
    assert reduce(lambda state, fact: evolve(state, *fact), facts, Table()) == at.table
    assert restore(at.journal, "ba1").table == at.table
    books = Books(at.setup.profile).read(facts)
    assert at.tally.misreads == 0, at.said
    for round_id, laid in at.laid:
        check_money(books, round_id, laid)
    paid = sum(event.returned for event in books.settled.values())
    paid += sum(event.refunded for event in books.voided.values())
    staked = sum(stake for bets in books.bets.values() for _, _, stake in bets.values())
    assert at.balances() == OPENING * len(at.names) - staked + paid
    return books


def check_money(books: Books, round_id: str, laid: Sequence[tuple[str, str]]) -> None:
    """Each bet of a round brings what the referee says, to the unit."""
    bets = books.bets.get(round_id, {})
    hands = {zone: [code for to, code in laid if to == zone] for zone in ("P", "B")}
    if round_id in books.settled:
        back = books.settled[round_id].columns
        assert referee.complete(hands["P"], hands["B"]), laid
        for bet_id, amount in zip(back.ids, back.amounts, strict=True):
            _, bet, stake = bets[bet_id]
            assert amount == referee.returned(bet, stake, hands["P"], hands["B"]), (bet, laid)
    else:
        back = books.voided[round_id].columns
        given: dict[str, int] = {}
        stakes: dict[str, int] = {}
        for bet_id, player, amount in zip(back.ids, back.players, back.amounts, strict=True):
            given[player] = given.get(player, 0) + amount
            stakes[player] = stakes.get(player, 0) + bets[bet_id][2]
        if books.profile == "agco-like":
            assert all(given[player] >= stakes[player] for player in stakes)
        else:
            assert given == stakes
    assert sorted(back.ids) == sorted(bets)
