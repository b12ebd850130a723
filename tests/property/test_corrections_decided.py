"""Any correction of any settled round with decisions: it pays what is right, and back again.

A round of any course is settled, then one or two of its cards are said to have been others. What
the correction pays is held against the procedure run through the same inputs with those cards.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import PACK, Card
from studio.domain.columns import Columns
from studio.games.procedure import Dealt, Input, InputMismatch, Peeked, Turned, run
from studio.table import ledger
from studio.table.after_decisions import policy_of
from studio.table.book import procedure
from studio.table.casework import supervisor_view
from studio.table.evolve import fold
from studio.table.past import Past
from studio.table.show import dealer_view, overlay_view
from studio.table.state import Script, Table
from tests.property.test_shared_rounds import AnyRound
from tests.support.past import past_of
from tests.support.shared_truth import Player

PROFILES = ("house", "nj-like", "agco-like")
ROUNDS = 12
TRIES = 12
"""So often cards are taken away or added until the round ends with the last of them."""


class Corrected:
    """One settled round, and corrections of it."""

    def __init__(self, seed: int) -> None:
        """Play it under a profile."""
        self.random = Random(f"corrected-{seed}")
        course = AnyRound(seed)
        self.rig = course.rig
        self.profile = PROFILES[seed % len(PROFILES)]
        self.rig.setup = replace(self.rig.setup, profile=self.profile)
        course.play()
        self.ended = self.rig.table.results[-1]
        self.cards = tuple(card for _, card in self.ended.cards)
        self.first = self.past()
        self.moved: Counter[str] = Counter()

    def past(self) -> Past:
        """The round as the journal has it now."""
        found = past_of(self.rig.events, self.ended.id)
        assert found is not None
        return found

    def others(self) -> list[Card]:
        """The cards with one or two of them exchanged."""
        cards = list(self.cards)
        for _ in range(self.random.randint(1, 2)):
            cards[self.random.randrange(len(cards))] = self.random.choice(PACK)
        return cards

    def correct(self, cards: tuple[Card, ...]) -> e.ResultCorrected | str:
        """Two people say so; the fact, or the code of the refusal."""
        before = self.rig.table
        command = c.CorrectResult(
            round_id=self.ended.id, cards=cards, reason="reason.camera_proves"
        )
        code = self.rig.refused(command)
        if code is not None:
            assert self.rig.table == before
            return code
        event = next(
            each for each, _ in reversed(self.rig.events) if isinstance(each, e.ResultCorrected)
        )
        for player, amount in zip(event.columns.players, event.columns.amounts, strict=True):
            self.moved[player] += amount
        for _, player, _, amount in event.debits:
            self.moved[player] -= amount
        self.screens_show_it()
        return event

    def until_it_ends(self, cards: list[Card]) -> e.ResultCorrected | None:
        """Correct by these cards; with fewer or more at the end where the round wants that."""
        for _ in range(TRIES):
            told = self.correct(tuple(cards))
            if isinstance(told, e.ResultCorrected):
                return told
            if told == "refused.cards_too_many":
                cards.pop()
            elif told == "refused.cards_too_few":
                cards.append(self.random.choice(PACK))
            else:
                assert told in ("refused.same_result", "refused.impossible_card")
                return None
        return None

    def screens_show_it(self) -> None:
        """No screen stumbles over the inputs of the corrected round, and replay agrees."""
        rig = self.rig
        dealer_view(rig.setup, rig.table, rig.at_us)
        supervisor_view(rig.setup, rig.table, rig.at_us)
        shown = overlay_view(rig.setup, rig.table)
        assert shown.correction is not None
        again = fold(Table(), rig.events)
        assert again == replace(rig.table, at_us=again.at_us)
        assert again.shoe is not None
        shoe = again.shoe.cards
        assert shoe.gone == shoe.dealt + shoe.burned + shoe.dead
        assert sum(shoe.seen) + shoe.unknown == shoe.gone
        assert max(shoe.seen) <= shoe.packs

    def by_the_procedure(self, cards: tuple[Card, ...]) -> Columns | None:
        """What the same inputs with these cards return; None if the course was another one.

        Whether there was a look in secret follows from the cards: it is tried without one and in
        each place where one may be.
        """
        past, left = self.first, list(cards)
        inputs: list[Input] = []
        hole = left[3] if len(left) > 3 else None
        for given in past.inputs:
            match given:
                case Dealt() if left:
                    card = left.pop(0)
                    inputs.append(given if given.card is None else Dealt(card))
                case Turned() if hole is not None:
                    inputs.append(Turned(hole))
                case Dealt() | Turned() | Peeked():
                    pass
                case _:
                    inputs.append(given)
        inputs += map(Dealt, left)
        looks = [inputs]
        if hole is not None and len(inputs) > 5:
            game, rules = self.rig.setup.game, self.rig.setup.rules
            looked = Peeked(game.natural(rules, tuple(inputs), hole))
            looks += [[*inputs[:at], looked, *inputs[at:]] for at in (5, 6)]
        for each in looks:
            try:
                now = run(procedure(self.rig.setup, Script.ROUND), each)
            except InputMismatch:
                continue
            if now.outcome is not None:
                pays = self.rig.setup.game.pays(self.rig.setup.rules, now.outcome)
                return ledger.settle(past.bets, pays, past.seating)[0]
        return None


def player_by_player(past: Past, event: e.ResultCorrected) -> dict[tuple[str, str], int]:
    """What each player is to get back for each kind of bet on hands, by the true cards alone."""
    laid: dict[str, list[Card]] = {zone: [] for zone in ("M", "L", "R", "D")}
    for (_, zone, *_), card in zip(event.placed, event.cards, strict=True):
        laid[zone].append(card)
    stakes: Counter[str] = Counter()
    for player, bet, stake in zip(
        past.bets.players, past.bets.bets, past.bets.amounts, strict=True
    ):
        stakes[player] += stake if bet == "main" else 0
    due: dict[tuple[str, str], int] = {}
    for player, number in zip(past.seating.players, past.seating.numbers.tolist(), strict=True):
        did: dict[str, list[str]] = {}
        for each in past.seating.cohorts[number].replace(",", " ").split():
            lane, action = each.split(":")
            did.setdefault(lane, []).append(action)
        for kind, amount in Player(laid, did, stakes[player]).returns().items():
            due[player, kind] = amount
    return due


def on_hands(past: Past) -> dict[tuple[str, str], int]:
    """What has gone back to each player for each kind of bet on hands."""
    found: Counter[tuple[str, str]] = Counter()
    for player, bet, amount in zip(
        past.back.players, past.back.bets, past.back.amounts, strict=True
    ):
        if bet.partition(":")[0] in ("main", "split", "double"):
            found[player, bet] += amount
    return dict(found)


def is_right(round_: Corrected, event: e.ResultCorrected) -> str:
    """Whether the correction pays what its policy says; how it was paid."""
    bets, back = round_.first.bets, round_.past().back
    due = round_.by_the_procedure(event.cards)
    assert event.policy in ("", policy_of(round_.profile))
    match event.policy:
        case "":
            assert back == due
        case "void":
            assert (event.new_code, event.outcome, back) == ("void", "", bets)
        case "best_for_player":
            got, stakes = ledger.by_player(back), ledger.by_player(bets)
            assert all(got.get(player, 0) >= stake for player, stake in stakes.items())
            assert due is None or back == ledger.larger(bets, due)
        case "stand_as_locked":
            assert due is None or back == due
    if event.policy in ("", "stand_as_locked"):
        alone, paid = player_by_player(round_.first, event), on_hands(round_.past())
        assert set(alone) == set(paid)
        # A player with several stakes on main is paid each by itself, rounded down.
        assert all(abs(amount - paid[key]) <= 8 for key, amount in alone.items())
    return event.policy + ("" if due is not None else " otherwise")


@pytest.mark.parametrize("part", range(4))
def test_any_correction_pays_by_its_policy_and_taken_back_leaves_all_as_it_was(part: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(part, ROUNDS * 4, 4):
        round_ = Corrected(seed)
        for _ in range(3):
            event = round_.until_it_ends(round_.others())
            if event is None:
                continue
            seen[is_right(round_, event)] += 1
            back = round_.correct(round_.cards)
            if isinstance(back, str):
                assert back == "refused.same_result"
                continue
            assert back.policy == ""
            assert round_.past().back == round_.first.back
            assert not any(round_.moved.values())
            assert round_.rig.table.results[-1].outcome == round_.ended.outcome
    assert len(seen) >= 4, seen
