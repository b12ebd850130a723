"""The crowd at the shared hand: batches, kinds of players, purses, and what they see."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from studio.domain.cards import Card
from studio.domain.commands import MarkDisconnected, PlaceBets, PlaceDecisions
from studio.domain.decisions import Offer
from studio.games.boundless import GAME
from studio.simulate.crowd import AT_ONCE, Kind, Sharers
from studio.table.seating import Seating
from studio.table.state import Answering, Limit, Phase

LIMITS = (
    ("main", Limit(100, 500_000)),
    ("pair", Limit(100, 50_000)),
    ("bust_bonus", Limit(100, 10_000)),
)
RULES = GAME.rules({})
SETUP: Any = SimpleNamespace(game=GAME, rules=RULES)


def place(zone: str, code: str, face: str = "up") -> Any:
    return SimpleNamespace(to=zone, card=Card.parse(code), face=face, off=False)


def at_table(
    number: int = 1,
    answering: Answering | None = None,
    seated: tuple[str, ...] = (),
    gone: frozenset[str] = frozenset(),
    places: tuple[Any, ...] = (),
) -> Any:
    seating = Seating(bet="main", players=seated, packed=bytes(2 * len(seated)), gone=gone)
    current = SimpleNamespace(
        id="r-1", number=number, counted=number, answering=answering, seating=seating
    )
    for at, lying in enumerate(places, start=1):
        lying.index = at
    play = SimpleNamespace(places=places, inputs=())
    return SimpleNamespace(round=current, play=play, phase=Phase.DECISION)


def window(*offers: Offer, number: int = 1) -> Answering:
    return Answering(number=number, step="decision", offers=offers, asked=0)


def offer(lane: str = "M", *more: str) -> Offer:
    return Offer("", lane, ("hit", "stand", *more), costs=(), auto="stand")


PLACES = (place("M", "TS"), place("D", "7H"), place("M", "6C"), place("D", "AS", "down"))
"""Sixteen against a seven; an ace that players do not see."""


def bets(crowd: Sharers, number: int = 1) -> list[PlaceBets]:
    return list(crowd.bets(SETUP, at_table(number)))


def test_bets_come_in_batches_that_a_table_takes() -> None:
    crowd = Sharers(1, LIMITS, 12_000)
    batches = bets(crowd)
    assert len(batches) >= 3
    assert all(0 < len(batch.bets) <= AT_ONCE for batch in batches)
    assert len({batch.batch for batch in batches}) == len(batches)
    ids = [bet.id for batch in batches for bet in batch.bets]
    assert len(set(ids)) == len(ids)


def test_stakes_are_within_the_limits_and_the_poor_stake_the_least() -> None:
    crowd = Sharers(2, LIMITS, 500)
    limits = dict(LIMITS)
    for bet in (bet for batch in bets(crowd) for bet in batch.bets):
        assert limits[bet.bet].least <= bet.stake <= limits[bet.bet].most
        assert bet.player not in crowd.poor or bet.stake == limits[bet.bet].least


def test_some_bet_beside_the_hand_only() -> None:
    crowd = Sharers(3, LIMITS, 500)
    placed = [bet for batch in bets(crowd) for bet in batch.bets]
    seated = {bet.player for bet in placed if bet.bet == "main"}
    assert {bet.player for bet in placed} - seated


def test_only_the_wild_ask_for_a_bet_that_is_not_taken_any_more() -> None:
    crowd = Sharers(4, LIMITS, 500)
    late = [bet for batch in bets(crowd, number=41) for bet in batch.bets if bet.bet == "pair"]
    assert late
    assert {crowd.kind_of(bet.player) for bet in late} == {Kind.WILD}


def test_equal_seeds_play_equally_and_others_do_not() -> None:
    assert bets(Sharers(5, LIMITS, 200)) == bets(Sharers(5, LIMITS, 200))
    assert bets(Sharers(5, LIMITS, 200)) != bets(Sharers(6, LIMITS, 200))


def test_those_with_a_small_purse_may_bring_more_before_each_round() -> None:
    asked: list[tuple[str, int, int, int]] = []
    crowd = Sharers(
        7,
        LIMITS,
        200,
        lambda key, names, least, amount: asked.append((key, len(names), least, amount)),
    )
    bets(crowd)
    assert asked == [("r-1", len(crowd.poor), 100, crowd.small_purse)]


@pytest.fixture
def crowd() -> Sharers:
    return Sharers(8, LIMITS, 2_000)


def say(
    crowd: Sharers, asks: Answering, gone: frozenset[str] = frozenset()
) -> tuple[dict[str, list[str]], set[str]]:
    """(what each player chose, who dropped off)."""
    table = at_table(answering=asks, seated=crowd.names, gone=gone, places=PLACES)
    chosen: dict[str, list[str]] = {}
    left: set[str] = set()
    for asked in crowd.decisions(SETUP, table):
        if isinstance(asked, MarkDisconnected):
            left.update(asked.players)
            continue
        assert isinstance(asked, PlaceDecisions)
        assert asked.window == asks.number
        for decision in asked.decisions:
            chosen.setdefault(decision.player, []).append(decision.action)
    return chosen, left


def test_players_by_the_book_hit_sixteen_against_a_seven_whatever_is_hidden(
    crowd: Sharers,
) -> None:
    chosen, _ = say(crowd, window(offer()))
    book = {does[0] for name, does in chosen.items() if crowd.kind_of(name) is Kind.BOOK}
    assert book == {"hit"}


def test_the_silent_say_nothing_and_some_leavers_drop_off(crowd: Sharers) -> None:
    chosen, left = say(crowd, window(offer()))
    assert not [name for name in chosen if crowd.kind_of(name) is Kind.SILENT]
    assert left
    assert {crowd.kind_of(name) for name in left} == {Kind.LEAVER}
    assert not left & set(chosen)


def test_who_is_gone_says_nothing_more(crowd: Sharers) -> None:
    gone = frozenset(crowd.names[:1_000])
    chosen, _ = say(crowd, window(offer()), gone)
    assert chosen
    assert not gone & set(chosen)


def test_the_wild_try_what_is_not_on_offer(crowd: Sharers) -> None:
    chosen, _ = say(crowd, window(offer()))
    astray = {name for name, does in chosen.items() if not {*does} <= {"hit", "stand"}}
    assert astray
    assert {crowd.kind_of(name) for name in astray} == {Kind.WILD}


def test_only_the_careful_and_some_of_the_wild_insure(crowd: Sharers) -> None:
    asks = window(Offer("", "", ("insure", "decline"), costs=("insure",), auto="decline"))
    chosen, _ = say(crowd, asks)
    insured = {crowd.kind_of(name) for name, does in chosen.items() if does == ["insure"]}
    assert insured == {Kind.CAREFUL, Kind.WILD}


def test_a_splitter_answers_for_both_hands(crowd: Sharers) -> None:
    chosen, _ = say(crowd, window(offer("L"), offer("R")))
    assert {len(does) for does in chosen.values()} == {2}


def test_a_crowd_of_many_thousand_decides_in_batches_that_a_table_takes() -> None:
    crowd = Sharers(9, LIMITS, 20_000)
    table = at_table(answering=window(offer()), seated=crowd.names, places=PLACES)
    sizes = [
        len(asked.decisions)
        for asked in crowd.decisions(SETUP, table)
        if isinstance(asked, PlaceDecisions)
    ]
    assert len(sizes) >= 4
    assert max(sizes) <= AT_ONCE
