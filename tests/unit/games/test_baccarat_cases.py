"""Worked coups and recorded shoes, played straight through the procedure and the pay tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from studio.domain.cards import CUT, Card, Rank, Suit
from studio.games.baccarat.coup import CoupOutcome
from studio.games.baccarat.pays import commission
from studio.games.procedure import Confirmed, Dealt, run
from studio.games.registry import GAMES, game

pytestmark = pytest.mark.shared
GAME = game("baccarat")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def played(cards: list[Card], rules: Any) -> CoupOutcome:
    """The outcome of a coup that needs exactly these cards."""
    outcome = run(lambda: GAME.round(rules), [Dealt(card) for card in cards]).outcome
    assert isinstance(outcome, CoupOutcome)
    return outcome


def test_every_worked_coup_gives_the_expected_result_and_money(shared: Path) -> None:
    cases = lines(shared / "cases" / "baccarat.jsonl")
    assert len(cases) >= 75
    for case in cases:
        expect = case["expect"]
        rules = GAME.rules(case.get("rules", {}))
        shoe = [Card.parse(code) for code in case["shoe"] if code != CUT]
        outcome = played(shoe[: expect["cards"]], rules)
        said = {key: value for key, value in outcome.as_dict().items() if key in expect}
        assert said == {key: expect[key] for key in said}, case["id"]
        assert set(expect) - set(said) == {"cut_seen_before_card", "players"}, case["id"]
        pays = GAME.pays(rules, outcome)
        for player in case["players"]:
            wanted = expect["players"][player["id"]]
            stakes = player["bets"]
            back = {bet: pays[bet].returned(stake) for bet, stake in stakes.items()}
            assert back == wanted["returned"], case["id"]
            assert sum(back.values()) == wanted["returned_total"], case["id"]
            taken = commission(rules, outcome, stakes.get("banker", 0))
            assert taken == wanted.get("commission", 0), case["id"]


def test_every_worked_burn_takes_the_expected_cards(shared: Path) -> None:
    cases = [
        case
        for case in lines(shared / "cases" / "shoe_procedure.jsonl")
        if case["kind"] == "burn" and case["game"] in GAMES
    ]
    assert cases
    for case in cases:
        shoe = [Card.parse(code) for code in case["shoe"]]
        rules = game(case["game"]).rules({})
        inputs = [Confirmed()] * 3 + [Dealt(card) for card in shoe[: case["expect"]["cards_gone"]]]
        standing = run(lambda rules=rules: GAME.new_shoe(rules), [*inputs, Confirmed()])
        assert standing.outcome is not None, case["id"]
        assert standing.outcome.shown.code == case["expect"]["shown_face_up"]
        assert standing.outcome.down == case["expect"]["count"]
        assert shoe[standing.outcome.cards].code == case["expect"]["next_card"]


def test_the_cut_card_ends_the_shoe_after_the_expected_coup(shared: Path) -> None:
    cases = [
        case
        for case in lines(shared / "cases" / "shoe_procedure.jsonl")
        if case["kind"] == "cut" and case["game"] in GAMES
    ]
    assert cases
    for case in cases:
        before, rules = case["cut_before_card"], game(case["game"]).rules({})
        for number, cards in enumerate(case["cards_per_round"], start=1):
            if before < cards:
                last = number + game(case["game"]).rounds_after_cut(rules, before)
                assert last == case["expect"]["last_round"], case["id"]
                break
            before -= cards


def of_value(value: int, suit: Suit) -> Card:
    return Card(Rank("TA23456789"[value]), suit)


def test_recorded_shoes_are_dealt_as_the_drawing_rules_say(shared: Path) -> None:
    coups = [
        (shoe["id"], coup)
        for shoe in lines(shared / "cases" / "field" / "baccarat_recorded_shoes.jsonl")
        for coup in shoe["coups"]
        if "P" in coup
    ]
    assert len(coups) > 300
    for where, coup in coups:
        player = [of_value(value, Suit.CLUBS) for value in coup["P"]]
        banker = [of_value(value, Suit.HEARTS) for value in coup["B"]]
        order = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
        outcome = played(order, GAME.rules({}))
        assert outcome.code[0].upper() == coup["w"], where
        assert (outcome.player_total, outcome.banker_total) == (coup["p"], coup["b"]), where
        assert outcome.natural == bool(coup["nat"]), where
        assert (list(outcome.player), list(outcome.banker)) == (player, banker), where


def test_coups_traced_from_a_shoe_end_as_it_said(shared: Path) -> None:
    seen = 0
    for trace in lines(shared / "cases" / "field" / "shoe_trace_coups.jsonl"):
        if not trace.get("agrees_with_rule"):
            continue
        cards = [Card.parse(trace["cards"][place]) for place in trace["drawn"]]
        outcome = played(cards, GAME.rules({}))
        assert outcome.code[0].upper() == trace["result"], trace["id"]
        assert [outcome.player_total, outcome.banker_total] == trace["totals"], trace["id"]
        assert "".join(mark[0] for mark in outcome.marks) == trace["pairs"], trace["id"]
        seen += 1
    assert seen
