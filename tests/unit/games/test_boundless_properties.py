"""What holds for every round that can be dealt, whatever the cards and whatever players choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from studio.domain.cards import PACK, Card
from studio.games.boundless import GAME
from studio.games.boundless.outcome import BoundlessOutcome
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

LANES = ("M", "L", "R")
MOST_COHORTS = 30
"""So many ways of playing at most go on side by side in one round."""
bets = st.sets(st.sampled_from(["bust_bonus", "lucky_trio", "pair", "poker_trio"]))
rounds = st.fixed_dictionaries(
    {
        "schedule": st.sampled_from(["waves", "lanes"]),
        "seated": st.integers(0, 60),
        "bets": bets,
        "low": st.booleans(),
        "random": st.randoms(use_true_random=False),
    }
)


@dataclass
class Played:
    """A finished round with all that was asked and answered."""

    rules: Any
    inputs: list[Input] = field(default_factory=list)
    asked: list[Request] = field(default_factory=list)
    outcome: BoundlessOutcome | None = None

    @property
    def done(self) -> BoundlessOutcome:
        assert self.outcome is not None
        return self.outcome

    @property
    def waves(self) -> Iterator[tuple[Decide, Decided, list[str]]]:
        """Each decision window with its choices and the lanes of its cards."""
        for place, (asked, given_) in enumerate(zip(self.asked, self.inputs, strict=True)):
            if isinstance(asked, Decide) and asked.step == "decision":
                assert isinstance(given_, Decided)
                lanes = []
                for later in self.asked[place + 1 :]:
                    if not isinstance(later, Deal) or later.to == "D":
                        break
                    lanes.append(later.to)
                yield asked, given_, lanes


def choose(random: Any, due: Decide, sizes: dict[str, int]) -> Decided:
    """Split each cohort's players over what is offered to them, as the dice fall."""
    lanes: dict[str, list[Offer]] = {}
    for offer in due.offers:
        lanes.setdefault(offer.cohort, []).append(offer)
    choices = []
    for cohort, offers in lanes.items():
        room = 1 if len(sizes) >= MOST_COHORTS else 4
        ways = Counter[tuple[tuple[str, str], ...]]()
        kinds = [
            tuple((offer.lane, random.choice(offer.actions)) for offer in offers)
            for _ in range(random.randint(1, room))
        ]
        for _ in range(sizes[cohort]):
            ways[random.choice(kinds)] += 1
        choices += [Choice(cohort, way, players) for way, players in ways.items()]
    return Decided(tuple(choices))


def played(wanted: dict[str, Any]) -> Played:
    """Deal a round of this kind to its end."""
    random = wanted["random"]
    # Low cards make long rounds with many waves.
    pack = [card for card in PACK if card.rank in "A23456"] if wanted["low"] else list(PACK)
    result = Played(GAME.rules({"schedule": wanted["schedule"]}))
    kinds = set(wanted["bets"]) | ({"main"} if wanted["seated"] else set())
    sizes, hole = {"": wanted["seated"]}, Card.parse("2S")
    procedure = GAME.round(result.rules)
    due = next(procedure)
    while True:
        given_: Input
        match due:
            case Stakes():
                given_ = Staked(wanted["seated"], tuple(sorted(kinds)))
            case Deal(face=Facing.DOWN):
                hole = random.choice(pack)
                given_ = Dealt(None)
            case Deal():
                given_ = Dealt(random.choice(pack))
            case Peek():
                given_ = Peeked(GAME.natural(result.rules, tuple(result.inputs), hole))
            case Reveal():
                given_ = Turned(hole)
            case Decide(step="insurance", offers=(offer,)):
                given_ = Decided((Choice("", (("", random.choice(offer.actions)),), sizes[""]),))
            case Decide():
                given_ = choose(random, due, sizes)
                for choice in given_.choices:
                    sizes.pop(choice.cohort, None)
                sizes |= {choice.into: choice.players for choice in given_.choices}
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


@given(rounds)
def test_a_round_run_again_from_its_inputs_is_the_same_round(wanted: dict[str, Any]) -> None:
    first = played(wanted)
    again = run(lambda: GAME.round(first.rules), first.inputs)
    assert again.outcome == first.outcome
    assert again.outcome is not None
    assert again.outcome.as_dict() == first.done.as_dict()
    assert list(again.asked) == first.asked


@given(rounds)
def test_every_wave_gives_cards_to_exactly_the_lanes_with_takers_in_order_m_l_r(
    wanted: dict[str, Any],
) -> None:
    closed: set[str] = set()
    for asked, decided, lanes in played(wanted).waves:
        actions = [each for choice in decided.choices for each in choice.actions]
        takers = {lane for lane, action in actions if action in ("hit", "double")}
        if "split" in {action for _, action in actions}:
            takers |= {"L", "R"}
        assert lanes == [lane for lane in LANES if lane in takers]
        assert closed.isdisjoint(lanes), "a lane that was closed got a card"
        if wanted["schedule"] == "waves":
            started = {lane for lane, _ in actions} | {"L", "R"}
            closed |= started - takers
        else:
            (lane,) = {offer.lane for offer in asked.offers}
            assert lane not in closed
            closed |= set(LANES[: LANES.index(lane)])


@given(rounds)
def test_nothing_is_offered_that_the_table_of_actions_forbids(wanted: dict[str, Any]) -> None:
    course = played(wanted)
    shared = [given_.card for given_ in course.inputs[1:4] if isinstance(given_, Dealt)]
    first, up, second = (card for card in shared if card is not None)
    for number, (asked, _, _) in enumerate(course.waves):
        assert asked.offers
        for offer in asked.offers:
            history = offer.cohort.split()
            fresh = not history or (offer.lane != "M" and f"{offer.lane}:" not in offer.cohort)
            assert ("double" in offer.actions) == fresh
            assert ("split" in offer.actions) == (
                not history and score([first]) % 10 == score([second]) % 10
            )
            assert ("surrender" in offer.actions) == (not history and up.rank in set("23456789"))
            assert {"hit", "stand"} <= set(offer.actions)
            assert offer.auto in ("hit", "stand")
            assert number == 0 or history
            if "M:split" in history:
                assert first.rank != "A"


@given(rounds)
def test_nobody_is_asked_about_a_hand_that_is_over(wanted: dict[str, Any]) -> None:
    over: set[tuple[str, str]] = set()
    for asked, decided, _ in played(wanted).waves:
        for offer in asked.offers:
            assert (offer.cohort, offer.lane) not in over
        for choice in decided.choices:
            inherited = {lane for cohort, lane in over if cohort == choice.cohort}
            ended = {lane for lane, action in choice.actions if action not in ("hit", "split")}
            over |= {(choice.into, lane) for lane in inherited | ended}


@given(rounds)
@settings(max_examples=40)
def test_each_player_is_in_one_cohort_and_its_hands_are_the_first_cards_of_their_lanes(
    wanted: dict[str, Any],
) -> None:
    outcome = played(wanted).done
    assert sum(cohort.players for cohort in outcome.cohorts) == wanted["seated"]
    drawn = {lane: [card for zone, card, _ in outcome.dealt if zone == lane] for lane in LANES}
    lanes = {"M": drawn["M"], "L": drawn["M"][:1] + drawn["L"], "R": drawn["M"][1:2] + drawn["R"]}
    longest = Counter[str]()
    for cohort in outcome.cohorts:
        assert [hand.lane for hand in cohort.hands] in (["M"], ["L", "R"])
        for hand in cohort.hands:
            assert list(hand.cards) == lanes[hand.lane][: len(hand.cards)]
            assert hand.score == score(hand.cards)
            longest[hand.lane] = max(longest[hand.lane], len(hand.cards))
    for lane in LANES:
        assert not drawn[lane] or lane == "M" or longest[lane] == len(lanes[lane])


@given(rounds, st.integers(1, 10**9))
def test_every_stake_of_every_cohort_has_one_return_that_adds_up(
    wanted: dict[str, Any], stake: int
) -> None:
    course = played(wanted)
    pays = GAME.pays(course.rules, course.done)
    dealer = course.done
    for cohort in dealer.cohorts:
        for hand in cohort.hands:
            kinds = ["split" if hand.lane == "R" else "main"]
            kinds += [f"double:{hand.lane}"] * hand.doubled
            keys = [f"{kind}@{cohort.name}" if cohort.name else kind for kind in kinds]
            back = sum(pays[key].returned(stake) for key in keys)
            staked = stake * len(keys)
            match hand.result:
                case "blackjack":
                    assert back == stake + stake * 3 // 2
                case "win":
                    assert back == 2 * staked
                    assert dealer.bust or hand.score > dealer.score
                case "push":
                    assert back == staked
                    assert hand.score == dealer.score
                case "surrender":
                    assert back == stake // 2
                case "lose" | "bust":
                    assert back == 0
            assert (hand.result == "bust") == (hand.score > 21)
    for pay in pays.values():
        assert pay.returned(stake) >= 0


@given(rounds)
@settings(max_examples=40)
def test_what_was_certain_on_the_way_is_what_is_paid(wanted: dict[str, Any]) -> None:
    course = played(wanted)
    paid = GAME.pays(course.rules, course.done)
    for place in range(len(course.inputs) + 1):
        certain = GAME.certain(course.rules, tuple(course.inputs[:place]))
        for key, pay in certain.items():
            assert paid.get(key, pay) == pay, (place, key)


@given(rounds)
def test_the_dealer_draws_to_seventeen_if_and_only_if_somebody_waits(
    wanted: dict[str, Any],
) -> None:
    outcome = played(wanted).done
    waits = "bust_bonus" in wanted["bets"] or any(
        hand.result in ("win", "push", "lose")
        for cohort in outcome.cohorts
        for hand in cohort.hands
    )
    if outcome.dealer_blackjack or not waits:
        assert len(outcome.dealer) == 2
    else:
        assert outcome.score >= 17
        assert all(score(outcome.dealer[:n]) < 17 for n in range(2, len(outcome.dealer)))


@given(rounds)
@settings(max_examples=30)
def test_totals_on_the_way_are_those_of_the_known_cards_and_the_hidden_one_counts_for_nothing(
    wanted: dict[str, Any],
) -> None:
    course = played(wanted)
    laid = [
        (asked.to, given_)
        for asked, given_ in zip(course.asked, course.inputs, strict=True)
        if isinstance(asked, Deal) and isinstance(given_, Dealt)
    ]
    shown = {total.zone: total for total in GAME.totals(course.rules, tuple(laid))}
    assert set(shown) == {"M", "L", "R", "D"}
    up = course.done.dealer[0]
    before = [each for each in laid if each[0] != "D"][:2]
    early = {t.zone: t for t in GAME.totals(course.rules, (*before, ("D", Dealt(up))))}
    assert early["D"].total == score([up])
    assert early["L"].total is None
    for zone, total in course.done.totals:
        if zone != "D":
            assert shown[zone].total == total
            low = shown[zone].low
            assert low is None or low == total - 10
