"""Rounds of the shared hand in any order of inputs: no illegal round, money adds up, replay agrees.

Cards, bets, decisions, silences, disconnections, holds and wallets that say no come as they like;
after each of them the laws hold (`SharedRig` checks them) and no view names the hole card.
"""

import json
from dataclasses import replace
from random import Random

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import PACK
from studio.games.procedure import Deal, Facing, Peek, Reveal, run
from studio.table import ledger
from studio.table.book import Book, procedure
from studio.table.casework import supervisor_view
from studio.table.evolve import fold
from studio.table.show import dealer_view, overlay_view, tile_view
from studio.table.state import Phase, Script, Table
from studio.table.turn import due
from studio.table.views import to_json
from tests.support.shared import SharedRig

PLAYERS = tuple(f"p{number}" for number in range(8))
KINDS = ("main", "main", "pair", "bust_bonus", "lucky_trio", "poker_trio")
ACTIONS = ("hit", "stand", "double", "split", "surrender", "insure", "decline", "fold")
LANES = ("M", "L", "R", "")
ROUNDS = 60


class AnyRound:
    """One round whose course is drawn from a seed."""

    def __init__(self, seed: int) -> None:
        """Shuffle a shoe; some players are poor."""
        self.random = Random(f"shared-{seed}")
        schedule = self.random.choice(("waves", "lanes"))
        sources = self.random.choice((("shoe",), ("shoe", "camera"), ("camera",)))
        self.rig = SharedRig(sources=sources, rules={"schedule": schedule})
        self.rig.purse = {p: self.random.choice((0, 500, 1500, 4000)) for p in PLAYERS[:5]}
        self.began = sum(self.rig.has(player) for player in PLAYERS)
        self.shoe = list(PACK) * 8
        self.random.shuffle(self.shoe)
        self.hole = ""

    def play(self) -> None:
        """From the bets to the result."""
        rig = self.rig
        rig.in_play().give(c.OpenBets())
        self.bet()
        rig.give(c.CloseBets())
        for _ in range(400):
            if rig.table.phase is Phase.RESULT:
                return
            self.step()
            self.nothing_hidden_is_shown()
        raise AssertionError("the round does not end")

    def bet(self) -> None:
        """Some players have bets of some kinds."""
        for _ in range(self.random.randint(1, 14)):
            kind, stake = self.random.choice(KINDS), self.random.choice((1, 99, 500, 1000))
            self.rig.bet(self.random.choice(PLAYERS), **{kind: stake})
        self.rig.bet("sure", main=777)

    def step(self) -> None:
        """One thing that may happen now."""
        rig, chance = self.rig, self.random.random()
        if chance < 0.05:
            self.call_and_go_on()
        elif chance < 0.10:
            rig.give(c.MarkDisconnected((self.random.choice(PLAYERS),)))
        elif chance < 0.15 and rig.table.round is not None:
            rig.answer(self.any_decision(), window=self.random.randint(0, 5))
        elif rig.table.phase is Phase.DECISION:
            self.choose()
        else:
            self.deal()

    def any_decision(self) -> str:
        """A decision of anybody, lawful or not."""
        who = self.random.choice((*PLAYERS, "nobody"))
        return f"{who} {self.random.choice(LANES) or '-'} {self.random.choice(ACTIONS)}"

    def choose(self) -> None:
        """Answers, or silence until the clock; the wallet may have run dry meanwhile."""
        rig = self.rig
        if self.random.random() < 0.2:
            rig.pass_window()
            return
        if self.random.random() < 0.1:
            poor = self.random.choice(PLAYERS)
            self.began -= rig.has(poor)
            rig.purse[poor] = 0
        rig.answer(*(self.any_decision() for _ in range(self.random.randint(1, 6))))

    def deal(self) -> None:
        """What is due is done."""
        rig = self.rig
        match due(rig.setup, rig.table):
            case Deal(face=face):
                code = self.shoe.pop().code
                self.hole = code if face is Facing.DOWN else self.hole
                rig.cards(code)
            case Peek(zone=zone):
                known = self.hole if "camera" in rig.sources and "shoe" not in rig.sources else ""
                if known and rig.table.round is not None and rig.table.round.peeked is None:
                    inputs = rig.table.play.inputs if rig.table.play else ()
                    card = next(card for card in PACK if card.code == known)
                    assert zone == "D"
                    natural = rig.setup.game.natural(rig.setup.rules, inputs, card)
                    rig.refused(c.AnswerPeek(natural=natural))
                rig.pass_window()
            case Reveal():
                rig.turn_hole(self.hole)
            case waits:
                raise AssertionError(f"nothing is known for {waits}")

    def call_and_go_on(self) -> None:
        """A hold and its end; decisions are refused meanwhile."""
        rig = self.rig
        rig.give(c.CallSupervisor())
        rig.answer(self.any_decision(), window=1)
        rig.give(c.AcknowledgeFault(fault=rig.fault(), reason="reason.other"))
        rig.lift()

    def nothing_hidden_is_shown(self) -> None:
        """The hole card is in no view before it is turned, unless another card is the same."""
        rig = self.rig
        places = rig.table.play.places if rig.table.play else ()
        down = [place for place in places if place.face == Facing.DOWN.value]
        open_cards = {p.card.code for p in places if p.card and p.face == Facing.UP.value}
        if not down or self.hole in open_cards:
            return
        views = (
            dealer_view(rig.setup, rig.table, rig.at_us),
            overlay_view(rig.setup, rig.table),
            tile_view(rig.setup, rig.table),
            supervisor_view(rig.setup, rig.table, rig.at_us),
        )
        assert f'"{self.hole}"' not in json.dumps([to_json(view) for view in views])


@pytest.mark.parametrize("part", range(4))
def test_any_round_is_lawful_adds_up_and_replays(part: int) -> None:
    for seed in range(part, ROUNDS, 4):
        course = AnyRound(seed)
        course.play()
        rig = course.rig
        current = rig.table.round
        assert current is not None
        assert current.state == "settled"
        bets = ledger.accepted(current)
        settled = next(x for x, _ in rig.events if isinstance(x, e.RoundSettled))
        assert (settled.staked, settled.columns.ids) == (bets.total, bets.ids)
        house = settled.staked - settled.returned
        after = sum(rig.has(player) for player in (*PLAYERS, "sure"))
        assert after == course.began + 1_000_000 - house
        replays(rig)


def replays(rig: SharedRig) -> None:
    """The journal alone gives the same table, and the inputs the same outcome and money."""
    again = fold(Table(), rig.events)
    assert again == replace(rig.table, at_us=again.at_us)
    assert again.play is not None
    assert again.round is not None
    standing = run(procedure(rig.setup, Script.ROUND), again.play.inputs)
    assert standing == Book().standing(rig.setup, again)
    pays = rig.setup.game.pays(rig.setup.rules, standing.outcome)
    back, rows = ledger.settle(ledger.accepted(again.round), pays, again.round.seating)
    settled = next(x for x, _ in rig.events if isinstance(x, e.RoundSettled))
    assert (back, rows) == (settled.columns, settled.rows)


def test_columns_paid_as_arrays_are_paid_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick way of a crowd and the exact way of few, or of huge amounts, agree."""
    for seed in range(8):
        course = AnyRound(seed)
        course.play()
        current, setup = course.rig.table.round, course.rig.setup
        assert current is not None
        assert course.rig.table.play is not None
        outcome = run(procedure(setup, Script.ROUND), course.rig.table.play.inputs).outcome
        pays = setup.game.pays(setup.rules, outcome)
        bets = ledger.accepted(current)
        monkeypatch.setattr(ledger, "MANY", 10**9)
        slow = ledger.settle(bets, pays, current.seating)
        monkeypatch.setattr(ledger, "MANY", 0)
        assert ledger.settle(bets, pays, current.seating) == slow
