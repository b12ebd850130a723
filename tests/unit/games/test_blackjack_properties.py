"""What holds for every round that can be dealt, whatever the cards, the flags and the choices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from studio.domain.cards import PACK, Card, Rank
from studio.games.blackjack import GAME
from studio.games.blackjack.outcome import BlackjackOutcome, PlayedHand
from studio.games.hands21 import score
from studio.games.procedure import (
    Choice,
    Deal,
    Dealt,
    Decide,
    Decided,
    Facing,
    Input,
    Offer,
    Peek,
    Peeked,
    Request,
    Reveal,
    Staked,
    Stakes,
    Turned,
    answer_of,
    fits,
    run,
)

FLAGS: dict[str, tuple[object, ...]] = {
    "dealer_hits_soft_17": (False, True),
    "hole_card": ("peek", "none_all_lost", "none_original_lost"),
    "double_on": ("any", "9-11", "10-11"),
    "double_after_split": (True, False),
    "max_hands": (1, 2, 3, 4),
    "resplit_aces": (False, True),
    "hit_split_aces": (False, True),
    "split_by": ("value", "rank"),
    "charlie": (0, 5, 6, 7),
    "surrender": ("none", "early", "late"),
    "blackjack_pays": ([3, 2], [6, 5]),
    "insurance": (True, False),
}
"""Every rule of the play with its values."""


def allowed(rules: dict[str, Any]) -> bool:
    return rules["surrender"] != "late" or rules["hole_card"] == "peek"


rounds = st.fixed_dictionaries(
    {
        "rules": st.fixed_dictionaries(
            {name: st.sampled_from(values) for name, values in FLAGS.items()}
        ).filter(allowed),
        "seats": st.integers(1, 7),
        "ranks": st.sampled_from(["", "", "A23456", "A8", "TJQKA"]),
        "random": st.randoms(use_true_random=False),
    }
)


@dataclass
class Played:
    """A finished round with all that was asked and answered."""

    rules: Any
    seats: int
    inputs: list[Input] = field(default_factory=list)
    asked: list[Request] = field(default_factory=list)
    outcome: BlackjackOutcome | None = None
    cards: list[Card] = field(default_factory=list)

    @property
    def done(self) -> BlackjackOutcome:
        assert self.outcome is not None
        return self.outcome

    @property
    def choices(self) -> list[tuple[str, Offer, str]]:
        """(step, what was offered, what was chosen) of every answer in order."""
        found = []
        for due, given_ in zip(self.asked, self.inputs, strict=True):
            if isinstance(due, Decide) and isinstance(given_, Decided):
                by = {choice.cohort: choice for choice in given_.choices}
                found += [(due.step, o, by[o.cohort].actions[0][1]) for o in due.offers]
        return found


def played(wanted: dict[str, Any]) -> Played:
    """Deal a round of this kind to its end; hands are split whenever that is offered, mostly."""
    random = wanted["random"]
    pack = [card for card in PACK if card.rank in (wanted["ranks"] or "A23456789TJQK")]
    result = Played(GAME.rules(wanted["rules"]), wanted["seats"])
    procedure, hole = GAME.round(result.rules), pack[0]
    due = next(procedure)
    while True:
        given_: Input
        match due:
            case Stakes():
                given_ = Staked(wanted["seats"], ("main",))
            case Deal(face=face):
                card = random.choice(pack)
                result.cards.append(card)
                hole = card if face is Facing.DOWN else hole
                given_ = Dealt(None if face is Facing.DOWN else card)
            case Peek():
                given_ = Peeked(GAME.natural(result.rules, tuple(result.inputs), hole))
            case Reveal():
                given_ = Turned(hole)
            case Decide(offers=offers):
                given_ = Decided(tuple(_choice(random, offer) for offer in offers))
            case _:
                raise AssertionError(due)
        assert fits(due, given_)
        result.asked.append(due)
        result.inputs.append(given_)
        try:
            due = procedure.send(answer_of(given_))
        except StopIteration as ended:
            result.outcome = ended.value
            return result


def _choice(random: Any, offer: Offer) -> Choice:
    often = "split" in offer.actions and random.random() < 0.7
    return Choice(
        offer.cohort, ((offer.lane, "split" if often else random.choice(offer.actions)),), 1
    )


@given(rounds)
def test_the_same_inputs_give_the_same_result(wanted: dict[str, Any]) -> None:
    course = played(wanted)
    again = run(lambda: GAME.round(course.rules), course.inputs)
    assert again.outcome == course.outcome
    assert list(again.asked) == course.asked
    pays = GAME.pays(course.rules, course.done)
    assert dict(GAME.certain(course.rules, tuple(course.inputs))) == pays


@given(rounds)
def test_every_card_is_in_one_hand_and_in_the_order_in_which_it_came(
    wanted: dict[str, Any],
) -> None:
    course = played(wanted)
    done, seats = course.done, wanted["seats"]
    assert [card for _, card, _ in done.dealt] == course.cards
    zones = [due.to for due in course.asked if isinstance(due, Deal)]
    assert [hand.partition(":")[0] for hand, _, _ in done.dealt] == zones
    first = [f"S{n}" for n in range(1, seats + 1)]
    hole = ["D"] * course.rules.peeks
    assert zones[: 2 * seats + 1 + len(hole)] == [*first, "D", *first, *hole]
    for seat in done.seats:
        mine = [card for hand in seat.hands for card in hand.cards]
        dealt = [card for zone, card in zip(zones, course.cards, strict=True) if zone == seat.zone]
        assert sorted(map(str, mine)) == sorted(map(str, dealt))
    later = list(zones[2 * seats + 1 + len(hole) :])
    assert later == sorted(later, key=["S1", "S2", "S3", "S4", "S5", "S6", "S7", "D"].index)


@given(rounds)
def test_nothing_is_offered_that_the_flags_forbid(wanted: dict[str, Any]) -> None:
    course, rules = played(wanted), wanted["rules"]
    first: set[str] = set()
    for step, offer, chosen in course.choices:
        if step == "early_surrender":
            assert rules["surrender"] == "early"
        elif step == "insurance":
            assert rules["insurance"]
            assert course.done.dealer[0].rank is Rank.ACE
        else:
            once = offer.lane not in first
            first.add(offer.lane)
            split_hand = ":" in offer.lane
            if "surrender" in offer.actions:
                assert rules["surrender"] == "late"
                assert once
                assert not split_hand
            if "double" in offer.actions:
                assert once
                assert rules["double_after_split"] or not split_hand
            if split_hand:
                assert rules["max_hands"] > 1
            assert offer.auto in offer.actions
            assert offer.short in (offer.auto, "")
        assert chosen in offer.actions
    for seat in course.done.seats:
        assert 1 <= len(seat.hands) <= rules["max_hands"]
        assert len({hand.lane for hand in seat.hands}) == len(seat.hands)
        assert len({hand.stake_kind for hand in seat.hands}) == len(seat.hands)


def expected(rules: dict[str, Any], hand: PlayedHand, dealer: tuple[Card, ...]) -> str:
    """How a hand ends, counted a second time from the rules alone."""
    mine, house = score(hand.cards), score(dealer)
    natural = mine == 21 and len(hand.cards) == 2 and ":" not in hand.lane
    against = house == 21 and len(dealer) == 2
    if mine > 21:
        return "bust"
    if rules["charlie"] and len(hand.cards) >= rules["charlie"]:
        return "charlie"
    if natural:
        return "push" if against else "blackjack"
    if against:
        return "lose"
    if house > 21 or mine > house:
        return "win"
    return "push" if mine == house else "lose"


@given(rounds)
def test_every_hand_ends_and_pays_as_a_second_count_says(wanted: dict[str, Any]) -> None:
    course, rules = played(wanted), wanted["rules"]
    done, stake = course.done, 1001
    pays = GAME.pays(course.rules, done)
    spared = done.dealer_blackjack and rules["hole_card"] == "none_original_lost"
    won = {"win": 2002, "charlie": 2002, "push": 1001, "surrender": 500, "lose": 0, "bust": 0}
    won["blackjack"] = stake + stake * rules["blackjack_pays"][0] // rules["blackjack_pays"][1]
    given_up = {o.lane for _, o, chosen in course.choices if chosen == "surrender"}
    for seat in done.seats:
        for hand in seat.hands:
            ended = hand.result.value
            up = hand.lane in given_up
            assert ended == ("surrender" if up else expected(rules, hand, done.dealer))
            back = pays[f"{hand.stake_kind}@{seat.cohort}"].returned(stake)
            free = spared and ended == "lose"
            assert back == (stake if free and hand.stake_kind != "main" else won[ended])
            double = pays.get(f"double:{hand.lane}@{seat.cohort}")
            assert (double is not None) is hand.doubled
            if double is not None:
                assert double.returned(stake) == (stake if free else won[ended])
    assert pays["insurance"].returned(10) == 30 * done.dealer_blackjack


@given(rounds)
def test_the_dealer_draws_by_the_rules_and_only_where_a_hand_is_in(wanted: dict[str, Any]) -> None:
    course, rules = played(wanted), wanted["rules"]
    dealer = course.done.dealer
    waits = [
        hand.result.value in ("win", "push", "lose")
        and not (len(hand.cards) == 2 and hand.score == 21 and ":" not in hand.lane)
        for seat in course.done.seats
        for hand in seat.hands
    ]
    for size in range(2, len(dealer)):
        drawn = dealer[:size]
        soft = score(drawn) != sum(min(10, "A23456789TJQK".index(c.rank) + 1) for c in drawn)
        hits = rules["dealer_hits_soft_17"] and soft and score(drawn) == 17
        assert score(drawn) < 17 or hits
    if any(waits) and len(dealer) >= 2:
        assert score(dealer) >= 17
    if not any(waits):
        assert len(dealer) <= 2
    if not course.rules.peeks and len(dealer) == 1:
        assert not any(waits)


@given(rounds)
def test_what_was_certain_stays_so(wanted: dict[str, Any]) -> None:
    course = played(wanted)
    final = GAME.pays(course.rules, course.done)
    for size in range(0, len(course.inputs), 3):
        part = tuple(course.inputs[:size])
        for kind, pay in GAME.certain(course.rules, part).items():
            bet, _, cohort = kind.partition("@")
            later = [
                value
                for name, value in final.items()
                if name.partition("@")[0] == bet
                and (name.partition("@")[2] + " ").startswith(cohort + " " if cohort else "")
            ]
            assert later == [pay], kind


def _told(rules: dict[str, Any], inputs: list[str], codes: str) -> tuple[object, ...]:
    """Result, money and offers of a round with these cards, played by a list of wishes."""
    cards, wishes = [Card.parse(code) for code in codes.split()], list(inputs)
    built = GAME.rules(rules)
    procedure, hole, seen = GAME.round(built), cards[0], []
    before: list[Input] = []
    due = next(procedure)
    while True:
        given_: Input
        match due:
            case Stakes():
                given_ = Staked(1, ("main",))
            case Deal(face=face):
                card = cards.pop(0)
                hole = card if face is Facing.DOWN else hole
                given_ = Dealt(None if face is Facing.DOWN else card)
            case Peek():
                given_ = Peeked(GAME.natural(built, tuple(before), hole))
            case Reveal():
                given_ = Turned(hole)
            case Decide(offers=(offer,), step=step):
                seen.append((step, offer.actions))
                action = "" if step == "decision" else offer.auto
                while wishes and not action:
                    wish = wishes.pop(0)
                    action = wish if wish in offer.actions else ""
                action = action or offer.auto
                given_ = Decided((Choice(offer.cohort, ((offer.lane, action),), 1),))
            case _:
                raise AssertionError(due)
        before.append(given_)
        try:
            due = procedure.send(answer_of(given_))
        except StopIteration as ended:
            pays = GAME.pays(built, ended.value)
            return (seen, sorted((k, p.returned(100)) for k, p in pays.items()))


MATTERS: dict[str, tuple[tuple[list[str], str], ...]] = {
    "dealer_hits_soft_17": ((["stand"], "TS AD 8S 6C 4C"),),
    "hole_card": ((["double"], "6S TD 5D 9C AC 2C 2D"),),
    "double_on": ((["stand"], "4S 6D 5D TC TD"), (["stand"], "AS 6D 8D TC TD")),
    "double_after_split": ((["split", "stand", "stand"], "8S 6D 8D TC 3C 3D TD"),),
    "max_hands": ((["split"] * 3 + ["stand"] * 4, "8S 6D 8D TC 8C 8H TD TS TH 5C 5D"),),
    "resplit_aces": ((["split"], "AS 6D AD TC AH 5H TD 9C 9D"),),
    "hit_split_aces": ((["split", "stand", "stand"], "AS 6D AD TC 2H 5H TD"),),
    "split_by": ((["stand"], "KS 6D QD TC TD"),),
    "charlie": ((["hit"] * 5, "2S TD 2D 9C 2H 3C 4D AC AD"),),
    "surrender": ((["surrender", "stand"], "TS 6D 6C TC TD"),),
    "blackjack_pays": (([], "AS 9D KC TC"),),
    "insurance": (([], "TS AD 9S 8C"),),
}
"""Rounds for each flag in which all its values differ in what is offered or paid."""


def test_no_flag_is_without_effect() -> None:
    assert set(MATTERS) == set(FLAGS)
    for name, courses in MATTERS.items():
        base = {"max_hands": 4} if "ace" in name else {}
        told = {
            str([_told({**base, name: value}, *course) for course in courses])
            for value in FLAGS[name]
        }
        assert len(told) == len(FLAGS[name]), name
