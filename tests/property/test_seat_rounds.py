"""Rounds of blackjack in any order of inputs: no illegal round, money adds up, replay agrees.

Flags, cards, bets, decisions, silences, disconnections, holds and wallets that say no come as they
like; after each of them the laws hold (`SharedRig` checks them) and no view names the hole card.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import PACK, Card
from studio.table import ledger
from studio.table.show import dealer_view, overlay_view
from tests.property.test_shared_rounds import AnyRound, replays
from tests.support.past import past_of
from tests.support.shared import SharedRig, of_kind, reasons
from tests.unit.games.test_blackjack_properties import FLAGS, allowed

PLAYERS = tuple(f"p{number}" for number in range(8))
ACTIONS = ("hit", "stand", "double", "split", "surrender", "insure", "decline", "fold")
ROUNDS = 40


class SeatRound(AnyRound):
    """One round of a table with seats, whose course and house rules are drawn from a seed."""

    def __init__(self, seed: int) -> None:
        """Shuffle a shoe; some players are poor."""
        self.random = Random(f"seats-{seed}")
        rules: dict[str, Any] = {name: self.random.choice(may) for name, may in FLAGS.items()}
        if not allowed(rules):
            rules["surrender"] = "early"
        sources = self.random.choice((("shoe",), ("shoe", "camera"), ("camera",)))
        self.rig = SharedRig(sources=sources, rules=rules, game="blackjack")
        self.rig.purse = {p: self.random.choice((0, 500, 1500, 4000)) for p in PLAYERS[:5]}
        self.began = sum(self.rig.has(player) for player in PLAYERS)
        ranks = self.random.choice(("", "", "A8", "A2345"))
        self.shoe = [card for card in PACK if card.rank in (ranks or card.rank)] * 8
        self.random.shuffle(self.shoe)
        self.hole = ""

    def bet(self) -> None:
        """Some players take seats; nine of them cannot all have one."""
        for _ in range(self.random.randint(0, 12)):
            self.rig.bet(self.random.choice(PLAYERS), main=self.random.choice((1, 99, 500, 1000)))
        # A seat is taken at the latest here, if the others have not taken all.
        self.rig.bet("sure", main=777)

    def any_decision(self) -> str:
        """A decision about the hand that is asked, mostly; of anybody, lawful or not."""
        current = self.rig.table.round
        asks = current.answering if current is not None else None
        if asks is None or current is None or self.random.random() < 0.2:
            who = self.random.choice((*PLAYERS, "nobody", "sure"))
            return f"{who} {self.random.choice(('S1', 'S2:1', '-'))} {self.random.choice(ACTIONS)}"
        offer = self.random.choice(asks.offers)
        seating = current.seating
        seat = seating.numbers.tolist().index(seating.cohorts.index(offer.cohort))
        action = self.random.choice((*offer.actions, *ACTIONS))
        return f"{seating.players[seat]} {offer.lane or '-'} {action}"


@pytest.mark.parametrize("part", range(4))
def test_any_round_with_seats_is_lawful_adds_up_and_replays(part: int) -> None:
    for seed in range(part, ROUNDS, 4):
        course = SeatRound(seed)
        course.play()
        rig = course.rig
        current = rig.table.round
        assert current is not None
        assert current.state == "settled"
        assert 1 <= len(current.seating.players) <= 7
        bets = ledger.accepted(current)
        settled = next(x for x, _ in rig.events if isinstance(x, e.RoundSettled))
        assert (settled.staked, settled.columns.ids) == (bets.total, bets.ids)
        house = settled.staked - settled.returned
        after = sum(rig.has(player) for player in (*PLAYERS, "sure"))
        assert after == course.began + 1_000_000 - house
        replays(rig)


def table(**rules: Any) -> SharedRig:
    return SharedRig(rules=rules, game="blackjack")


def test_an_eighth_player_finds_no_seat_until_one_is_given_back() -> None:
    rig = table().in_play()
    rig.give(c.OpenBets())
    for player in PLAYERS[:7]:
        rig.bet(player, main=100)
    (refused,) = of_kind(rig.bet("p7", main=100), e.BetsRefused)
    assert [reason for _, reason in refused.refused] == ["refused.table_full"]
    assert not of_kind(rig.bet("p3", main=100), e.BetsRefused)
    assert rig.table.round is not None
    first = rig.table.round.batches[0].columns.ids
    rig.give(c.WithdrawBets(batch="w", ids=first))
    assert not of_kind(rig.bet("p7", main=100), e.BetsRefused)
    rig.give(c.CloseBets())
    assert rig.table.round.seating.players == (*PLAYERS[1:7], "p7")


def test_each_player_has_a_cohort_of_their_own_from_the_first_card_on() -> None:
    rig = table().seated(ann=100, bob=200)
    assert rig.cohorts() == {"S1": 1, "S2": 1}
    rig.cards("8S 9S 6D 8D 9D TC")
    assert (rig.asks.asked, rig.asks.offers[0].lane) == (1, "S1")
    assert reasons(rig.answer("bob S2 hit")) == ["not_available"]
    rig.answer("ann S1 split")
    rig.cards("3C")
    assert rig.asks.offers[0].lane == "S1:1"
    assert rig.cohorts() == {"S1 S1:split": 1, "S2": 1}


def test_a_decision_without_a_hand_is_about_the_one_that_is_asked() -> None:
    rig = table().seated(ann=100, bob=200)
    rig.cards("8S 9S 6D 8D 9D TC")
    assert reasons(rig.answer("bob - stand")) == ["not_available"]
    assert reasons(rig.answer("ann - split")) == []
    rig.cards("3C")
    assert reasons(rig.answer("ann - stand")) == []
    assert rig.cohorts() == {"S1 S1:split S1:1:stand": 1, "S2": 1}


def test_a_no_to_early_surrender_is_an_answer_and_no_word_on_insurance() -> None:
    rig = table(surrender="early").seated(ann=100, bob=200)
    rig.cards("8S 9S AD 8D 9D TC")
    assert rig.asks.step == "early_surrender"
    assert reasons(rig.answer("ann S1 insure")) == ["not_offered"]
    assert reasons(rig.answer("ann S1 decline", "bob S2 surrender")) == []
    assert rig.asks.step == "insurance"
    assert reasons(rig.answer("bob - insure")) == ["not_offered"]
    assert [offer.cohort for offer in rig.asks.offers] == ["S1 S1:decline"]


def test_money_that_is_gone_at_the_close_turns_a_split_into_the_automatic_play() -> None:
    rig = table()
    rig.purse = {"ann": 250}
    rig.seated(ann=100)
    rig.cards("5S 6D 5D TC")
    rig.silent = True
    rig.answer("ann S1 split")
    rig.pass_window()
    assert rig.cohorts() == {"S1 S1:hit": 1}


def test_split_hands_are_shown_one_by_one_with_their_own_cards_and_totals() -> None:
    rig = table(max_hands=4).seated(ann=100, bob=200)
    rig.cards("8S 9S 6D 8D 9D TC")
    rig.answer("ann S1 split")
    rig.cards("8H")
    rig.answer("ann S1:1 split")
    rig.cards("TH")
    for view in (dealer_view(rig.setup, rig.table, rig.at_us), overlay_view(rig.setup, rig.table)):
        hands = {hand.zone: hand for hand in view.hands}
        assert list(hands) == ["D", "S1:11", "S1:12", "S1:2", "S2", "S3", "S4", "S5", "S6", "S7"]
        shown = {zone: [card.card for card in hand.cards] for zone, hand in hands.items()}
        assert shown["S1:11"] == ["8S", "TH"]
        assert shown["S1:12"] == ["8H"]
        assert shown["S1:2"] == ["8D"]
        assert shown["S2"] == ["9S", "9D"]
        assert [hands[zone].total for zone in ("S1:11", "S1:12", "S2")] == [18, 8, 18]
        assert [hands[zone].state for zone in ("S1:11", "S1:12", "S2")] == ["asked", "", ""]


@pytest.mark.parametrize(
    ("profile", "back"),
    [
        ("nj-like", {"main": 1000, "split:S1": 0, "double:S1:1": 1000}),
        ("house", {"main": 1000, "split:S1": 1000, "double:S1:1": 1000}),
    ],
)
def test_a_paid_round_is_put_right_by_the_decisions_that_stand(
    profile: str, back: dict[str, int]
) -> None:
    """The card of the double was a nine, not a ten: twenty against twenty."""
    rig = table()
    rig.setup = replace(rig.setup, profile=profile)
    rig.seated(ann=1000)
    rig.cards("8S 6D 8C TC")
    rig.answer("ann S1 split")
    rig.cards("3C")
    rig.answer("ann S1:1 double")
    rig.cards("TH 9H")
    rig.answer("ann S1:2 stand")
    rig.turn_hole()
    rig.cards("4H")
    assert rig.paid() == {"ann": 4000}
    cards = tuple(map(Card.parse, ["8S", "6D", "8C", "TC", "3C", "9D", "9H", "4H"]))
    correction = c.CorrectResult(
        round_id=rig.table.results[-1].id, cards=cards, void=False, reason="reason.camera_proves"
    )
    rig.give(correction)
    past = past_of(rig.events, rig.table.results[-1].id)
    assert past is not None
    found = {bet: amount for _, _, bet, amount in past.back.rows()}
    assert found == back
