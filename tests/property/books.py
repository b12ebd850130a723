"""Money and results of a course, kept a second time from its facts, to compare with the table's.

Written without `evolve` and the ledger: these books add up what the facts say, and know nothing of
how the table came to it (live-dealer-systems.md 9.2, laws 2, 4 and 9).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.domain import events as e
from studio.domain.envelope import Recorded
from studio.storage.readmodels import RoundSummary, corrected, rounds_of
from studio.table.results import result_views
from studio.table.state import Table


@dataclass(slots=True, kw_only=True)
class Paid:
    """One round that has ended; amounts in minor units."""

    staked: int
    returned: int = 0
    refunded: int = 0
    owed: int = 0

    @property
    def house(self) -> int:
        """What the house keeps of it."""
        return self.staked - self.returned - self.refunded


@dataclass(slots=True)
class Books:
    """What has to be in the wallets, and what the roads have to show."""

    asked: dict[str, dict[str, int]] = field(default_factory=dict)
    """By batch of the open round that the wallet has not answered yet: stakes by bet id."""
    taken: dict[str, int] = field(default_factory=dict)
    """Stakes of the open round that the wallet has reserved, by bet id."""
    paid: dict[str, Paid] = field(default_factory=dict)
    streams: dict[str, list[Recorded]] = field(default_factory=dict)

    def take(self, stream: str, fact: Recorded) -> None:
        """Take one fact, in order."""
        self.streams.setdefault(stream, []).append(fact)
        match fact.event:
            case e.RoundOpened():
                self.asked.clear()
                self.taken.clear()
            case e.BetsPlaced(batch=batch, columns=columns):
                self.asked[batch] = dict(zip(columns.ids, columns.amounts, strict=True))
            case e.BetsConfirmed(batch=batch, refused=refused):
                stakes = self.asked.pop(batch, {})
                self.taken |= {bet: stakes[bet] for bet in stakes if bet not in refused}
            case e.BetsWithdrawn(ids=ids):
                for bet in ids:
                    self.taken.pop(bet, None)
            case e.RoundSettled(round_id=round_id, staked=staked, returned=returned):
                assert staked == sum(self.taken.values())
                self.paid[round_id] = Paid(staked=staked, returned=returned)
                self.taken.clear()
            case e.RoundVoided(round_id=round_id, staked=staked, refunded=refunded):
                assert staked == refunded == sum(self.taken.values())
                self.paid[round_id] = Paid(staked=staked, refunded=refunded)
                self.taken.clear()
            case e.ResultCorrected(round_id=round_id, set_off=set_off):
                paid, now = self.paid[round_id], corrected(fact.event)
                paid.returned, paid.refunded = now["returned"], now["refunded"]
                paid.owed -= sum(amount for _, amount in set_off)
            case e.ReceivableNoted(round_id=round_id, owed=owed):
                self.paid[round_id].owed += sum(amount for _, amount in owed)
            case _:
                pass

    @property
    def away(self) -> int:
        """What the wallets must have less than at the beginning, once all was asked and paid.

        A void leaves no trace in it: what was taken for the round is there again.
        """
        ended = sum(paid.house - paid.owed for paid in self.paid.values())
        return sum(self.taken.values()) + ended

    def check_results(self, table: Table) -> None:
        """Law 9: results and roads of the shoe are those that its facts give again."""
        late: list[e.ResultCorrected] = []
        rounds: dict[str, RoundSummary] = {}
        for stream, facts in self.streams.items():
            rounds |= {each.round_id: each for each in rounds_of(stream, facts)}
            late += [f.event for f in facts if isinstance(f.event, e.ResultCorrected)]
        newest = {event.round_id: event for event in late}
        here = [r for r in rounds.values() if table.shoe and r.shoe_no == table.shoe.number]
        known = {ended.id: ended for ended in table.results}
        settled = [r for r in here if r.state == "settled" or r.round_id in newest]
        assert [r.round_id for r in settled] == list(known)
        roads = []
        for each in settled:
            code, cards, returned = each.outcome, each.cards, each.returned
            if each.round_id in newest:  # also one of a day whose stream has ended
                event = newest[each.round_id]
                code, returned = event.new_code, event.returned
                if event.cards:
                    zones = [at[1] for at in event.placed]
                    cards = tuple(zip(zones, (card.code for card in event.cards), strict=True))
            ended = known[each.round_id]
            assert (ended.code, ended.returned, ended.staked) == (code, returned, each.staked)
            assert tuple((zone, card.code) for zone, card in ended.cards) == cards
            assert ended.owed == self.paid[each.round_id].owed
            if code != "void":
                roads.append((each.round_no, code))
        assert [(view.round_no, view.code) for view in result_views(table)] == roads
