"""A paid round of the shared hand is corrected: wallet, journal, feed, record of bets, replay."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.envelope import Actor, ActorKind, Outgoing, Recorded
from studio.live.clock import ManualClock
from studio.live.feed import round_json
from studio.live.outbox import feed_entries
from studio.live.past import read_past
from studio.live.recovery import prefix_of, restore
from studio.live.replay import digest_of, facts_of, replay
from studio.live.wallets import MemoryWallet
from studio.storage.betrecord import BETS, BetRecord
from studio.storage.readmodels import Rounds
from studio.storage.verify import verify
from studio.table.approvals import waiting
from studio.table.evolve import evolve
from studio.table.state import Table as SharedTable
from tests.unit.live.test_shared_runner import BALANCES, PLATFORM, Live

ASKS = Actor(ActorKind.PERSON, "8", "supervisor")
APPROVES = Actor(ActorKind.PERSON, "9", "pit-boss")
SECOND = c.Asker(number="9", name="Lena", role="pit-boss", session="second")
AS_PAID = "8S 6D 8C TC 2D 2H 3H 9D"
"""ann splits and stands on 10 and 11, bob stands on 16, cid doubles to 18; the dealer is bust."""
AFTER = {"ann": 7_000, "bob": 2_200, "cid": 12_000}

Table = Callable[[str], Live]


@pytest.fixture
def paid(tmp_path: Path) -> Table:
    """A round with a split and a double is paid, under a profile."""

    def played(profile: str) -> Live:
        table = Live(tmp_path / "j.db", MemoryWallet(BALANCES), ManualClock(), "one")
        table.runner.setup = replace(table.runner.setup, profile=profile)
        table.ask(c.OpenTable())
        table.ask(c.StartShoe())
        table.burn("AC 2C")
        table.ask(c.OpenBets())
        bets = tuple(c.Bet(f"{p}-main", p, "main", 1_000) for p in BALANCES)
        table.ask(c.PlaceBets("b1", bets), PLATFORM)
        table.ask(c.CloseBets())
        table.cards("8S 6D 8C TC")
        table.decide(1, "ann M split", "bob M stand", "cid M double")
        table.cards("2D 2H 3H")
        table.decide(2, "ann L stand", "ann R stand")
        table.ask(c.ConfirmStep())
        table.cards("9D")
        assert balances(table) == AFTER
        return table

    return played


def balances(table: Live) -> dict[str, int]:
    """What the wallet holds of each player."""
    return {player: table.wallet.balance(player) for player in BALANCES}


def correct(table: Live, codes: str) -> None:
    """Two people say which cards fell."""
    ended = table.runner.shown.table.results[-1].id
    cards = tuple(Card.parse(code) for code in codes.split())
    asked = c.CorrectResult(round_id=ended, cards=cards, reason="reason.camera_proves")
    assert table.ask(asked, ASKS) == "done"
    waits = waiting(table.runner.shown.table)
    assert waits is not None
    future = table.runner.ask(c.Approve(approval=waits.id), APPROVES, by=SECOND)
    table.runner.flush()
    assert future.result(0).status == "done"


def facts(table: Live) -> list[Recorded]:
    """All facts of the table, in order."""
    return [
        fact
        for stream in table.journal.streams()
        if stream.startswith(prefix_of("bb1"))
        for fact in table.journal.read(stream)
    ]


def replayed(table: Live) -> bool:
    """Whether the round and its corrections come out the same when they are played again."""
    rules = table.runner.setup.rules
    ended = table.runner.shown.table.results[-1].id
    mine = list(facts_of(facts(table), ended))
    assert isinstance(mine[0].event, e.RoundOpened)
    mine[0] = replace(mine[0], event=replace(mine[0].event, rules_digest=digest_of(rules)))
    return replay("bb1", mine, [rules]).same


def recorded(table: Live) -> dict[str, tuple[int, str]]:
    """What went back for each bet, and its state, by the record of bets."""
    record = BetRecord(table.journal)
    record.refresh()
    with table.database.reading() as connection:
        rows = connection.execute(select(BETS.c.player, BETS.c.bet, BETS.c.returned, BETS.c.state))
        return {f"{player} {bet}": (back, state) for player, bet, back, state in rows}


@pytest.mark.parametrize(
    ("profile", "codes", "after"),
    [
        # The hole card was an ace, which nobody had seen: with 17 the dealer draws nothing.
        ("house", "8S 6D 8C AC 2D 2H 3H", {"ann": 3_000, "bob": 200, "cid": 12_000}),
        # The pair was none: ann's stakes go back; 19 and 17 meet a bust dealer all the same.
        ("nj-like", "8S 6D 9C TC 2D 9D", {"ann": 5_000, "bob": 2_200, "cid": 12_000}),
        ("house", "8S 6D 9C TC 2D 9D", BALANCES),
        ("agco-like", "8S 6D 9C TC 2D 9D", {"ann": 5_000, "bob": 2_200, "cid": 12_000}),
    ],
)
def test_a_corrected_round_moves_the_difference_once_and_back_again(
    paid: Table, tmp_path: Path, profile: str, codes: str, after: dict[str, int]
) -> None:
    table = paid(profile)
    correct(table, codes)
    assert balances(table) == after
    correct(table, AS_PAID)
    assert balances(table) == AFTER
    assert replayed(table)
    assert verify(f"sqlite:///{tmp_path / 'j.db'}").problems == ()
    assert restore(table.journal, "bb1").table == table.runner.shown.table


def test_the_records_of_rounds_and_bets_have_the_true_cards_and_returns(paid: Table) -> None:
    table = paid("nj-like")
    assert replayed(table)
    before = recorded(table)
    assert before["ann split"] == (2_000, "settled")
    correct(table, "8S 6D 9C TC 2D 9D")
    assert recorded(table) == {
        "ann main": (1_000, "settled"),
        "ann split": (1_000, "settled"),
        "bob main": (2_000, "settled"),
        "cid main": (2_000, "settled"),
        "cid double:M": (2_000, "settled"),
    }
    rounds = Rounds(table.journal)
    rounds.refresh()
    row = rounds.all("bb1")[0]
    assert " ".join(code for _, code in row.cards) == "8S 6D 9C TC 2D 9D"
    assert (row.staked, row.returned, row.state) == (5_000, 8_000, "settled")


def test_a_round_voided_by_policy_says_so_in_the_feed(paid: Table) -> None:
    table = paid("house")
    before = table.runner.shown.table
    correct(table, "8S 6D 9C TC 2D 9D")
    event = next(f.event for f in facts(table) if isinstance(f.event, e.ResultCorrected))
    entries = feed_entries(
        table.runner.setup, before, [event], stream="s", version=0, at_us=event.number
    )
    (entry,) = [each for each in entries if each.type == "result.corrected"]
    told = json.loads(json.dumps(dict(entry.data)))
    assert (told["result"], told["policy"], told["outcome"]) == ("void", "void", {})
    assert (told["returned"], told["debited"] - told["credited"]) == (5_000, 5_000)
    assert recorded(table)["cid double:M"] == (1_000, "voided")


def test_a_platform_reads_the_true_cards_of_a_corrected_round(paid: Table) -> None:
    table = paid("nj-like")
    correct(table, "8S 6D 9C TC 2D 9D")
    rules, state, sent = table.runner.setup, SharedTable(), []
    for fact in facts(table):
        after = evolve(state, fact.event, fact.at_us)
        sent += feed_entries(rules, state, [fact.event], stream="s", version=0, at_us=fact.at_us)
        state = after
    mine = [Outgoing(n=n, entry=entry) for n, entry in enumerate(sent, 1) if entry.round_id]
    told = round_json("bb1", mine[0].entry.round_id, mine)
    laid = [(card["to"], card["card"], card["face"]) for card in told["cards"]]
    assert laid == [
        ("M", "8S", "up"), ("D", "6D", "up"), ("M", "9C", "up"), ("D", "TC", "up"),
        ("M", "2D", "up"), ("D", "9D", "up"),
    ]  # fmt: skip
    assert (told["corrections"], told["returned"], told["refunded"]) == (1, 8_000, 0)


def test_the_past_of_a_round_is_read_with_its_course(paid: Table) -> None:
    table = paid("house")
    state = table.runner.shown.table
    past = read_past(table.journal, state, prefix_of("bb1"), state.results[-1].id)
    assert past is not None
    assert past.seating.players == ("ann", "bob", "cid")
    assert state.play is not None
    assert past.inputs == state.play.inputs
    assert [window.step for window in past.windows] == ["decision", "decision"]


def test_a_round_that_ends_with_the_turned_card_is_played_again_the_same(tmp_path: Path) -> None:
    table = Live(tmp_path / "j.db", MemoryWallet(BALANCES), ManualClock(), "one")
    table.ask(c.OpenTable())
    table.ask(c.StartShoe())
    table.burn("AC 2C")
    table.ask(c.OpenBets())
    table.ask(c.PlaceBets("b1", (c.Bet("ann-main", "ann", "main", 1_000),)), PLATFORM)
    table.ask(c.CloseBets())
    table.cards("8S 9D 8C TC")
    table.decide(1, "ann M stand")
    table.ask(c.ConfirmStep())
    assert table.runner.shown.table.results[-1].code == "dealer_19"
    assert replayed(table)
