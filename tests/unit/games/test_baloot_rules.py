"""Rules of a table of Baloot, the page for players, the bets, and what screens are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.games import registry
from studio.games.baloot import GAME
from studio.games.procedure import (
    Choose,
    Confirm,
    Confirmed,
    Count,
    Counted,
    run,
)
from studio.games.spec import LOST, PUSHED, Pay
from tests.support.baloot_round import Says, Table, deck_of, hokum

RULES = GAME.rules({})
SAUDI: dict[str, Any] = {
    "preset": "saudi",
    "first_lead": "right_of_dealer",
    "void": "must_trump",
    "under_trump": "free",
    "compare": "raw",
    "baloot_compares": True,
    "tie": "stands",
    "kaboot_raised": "plain",
    "kaboot_projects": "winner",
    "closed": "raiser_chooses",
    "baloot_overlap": "hundred",
    "sun_double": "over100_upto100",
    "sun_reclaim": "earlier_opponents",
    "hokum2_asks": "unspoken_and_opponents",
    "kawesh": "same_dealer",
    "projects_raised": "full",
    "hokum_round": "pair16",
    "ashkal_round2": True,
    "project_tie": "earlier_player",
    "max_projects": 2,
    "target": 152,
    "round_pays": [19, 20],
    "game_pays": [19, 20],
    "kaboot_yes_pays": [8, 1],
    "kaboot_no_pays": [1, 20],
}
"""Every flag of RULES.md 4 with the value of the preset."""
OTHERS: tuple[dict[str, Any], ...] = (
    {"tie": "raw_points", "hokum_round": "individual", "void": "must_trump"},
    {"hokum_round": "larger_keeps", "project_tie": "cancel", "ashkal_round2": False},
    {"sun_double": "from100_under100", "projects_raised": "at_most_double"},
    {"baloot_compares": True, "max_projects": 1, "target": 100, "kaboot_yes_pays": 12},
)


def test_the_game_is_registered_under_its_name_and_version() -> None:
    assert registry.game("baloot") is GAME
    assert GAME.version == "baloot@1"
    assert GAME.version in registry.VERSIONS
    assert GAME.hands == ("H0", "H1", "H2", "H3")
    assert (GAME.seat, GAME.first, GAME.rounds_in_shoe) == ("", (0, 0, 3, 1, 1), 1)


# -- rules ----------------------------------------------------------------------------------------


def test_the_presets_are_those_of_the_rules() -> None:
    assert GAME.rules({"preset": "saudi"}).as_dict() == SAUDI
    simple = GAME.rules({"preset": "simple"})
    assert simple == RULES
    differs = {name for name, value in simple.as_dict().items() if value != SAUDI[name]}
    assert differs == set(SAUDI) - {
        "projects_raised",
        "hokum_round",
        "ashkal_round2",
        "project_tie",
        "max_projects",
        "target",
        "round_pays",
        "game_pays",
        "kaboot_yes_pays",
        "kaboot_no_pays",
    }


def test_rules_read_from_their_own_record_are_the_same_rules() -> None:
    for given in ({}, {"preset": "saudi"}, *OTHERS):
        rules = GAME.rules(given)
        assert GAME.rules(json.loads(json.dumps(rules.as_dict()))) == rules
    assert hash(GAME.rules({"preset": "saudi"})) != hash(RULES)


def test_a_flag_that_is_given_goes_before_the_preset() -> None:
    mixed = GAME.rules({"preset": "saudi", "void": "free"})
    assert mixed.as_dict() == {**SAUDI, "void": "free"}
    assert GAME.without_effect(GAME.rules({"preset": "saudi", "void": "free"})) == ()
    (idle,) = GAME.without_effect(GAME.rules({"under_trump": "free"}))
    assert idle == "under_trump has no effect: with void 'free' nobody must cut"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {"decks": 1},
            "baloot has no rule 'decks'; its rules are ashkal_round2, baloot_compares, ",
        ),
        ({"preset": "arab"}, "preset is 'arab', but it must be simple or saudi"),
        ({"preset": True}, "preset is True, but it must be simple or saudi"),
        ({"preset": ["saudi"]}, "preset is ['saudi'], but it must be simple or saudi"),
        ({"void": "must"}, "void is 'must', but it must be free or must_trump"),
        ({"tie": 1}, "tie is 1, but it must be buyer_fails or stands or raw_points"),
        ({"baloot_compares": 1}, "baloot_compares is 1, but it must be true or false"),
        ({"max_projects": 3}, "max_projects is 3, but it must be a whole number from 0 to 2"),
        ({"target": 0}, "target is 0, but it must be a whole number from 1 to 1000"),
        ({"round_pays": [1, 0]}, "round_pays is [1, 0], but odds are a whole number as 11"),
    ],
)
def test_a_wrong_rule_is_refused_in_one_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the sentence is compared below
        GAME.rules(given)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("lang", ["ar", "en", "ur"])
def test_every_rule_is_worded_with_all_its_figures(lang: str, root: Path) -> None:
    texts = json.loads((root / "web/ui/messages" / f"{lang}.json").read_text("utf-8"))
    for given in ({}, {"preset": "saudi"}, *OTHERS):
        for code, params in GAME.rule_text(GAME.rules(given)):
            said = texts[code].format(**dict(params))
            assert all(str(value) in said for _, value in params), code


def test_the_rules_page_follows_the_rules_in_force() -> None:
    plain = dict(GAME.rule_text(RULES))
    assert plain["rule.baloot.pays.round"] == (("pays", "0.95:1"),)
    assert plain["rule.baloot.project.hundred"] == (("sun", 20), ("hokum", 10))
    assert "rule.baloot.under_trump.must" not in plain
    saudi = dict(GAME.rule_text(GAME.rules({"preset": "saudi"})))
    assert "rule.baloot.under_trump.free" in saudi
    only = {code.rpartition(".")[0] for code in set(plain) - set(saudi)}
    assert only == {
        f"rule.baloot.{name}"
        for name in (
            *("preset", "first_lead", "void", "compare", "baloot_compares", "tie"),
            *("kaboot_raised", "kaboot_projects", "closed", "baloot_overlap", "sun_double"),
            *("sun_reclaim", "hokum2_asks", "kawesh"),
        )
    }


# -- the pack -------------------------------------------------------------------------------------


def test_a_new_pack_is_shuffled_cut_and_loaded_and_nothing_is_burned() -> None:
    standing = run(lambda: GAME.new_shoe(RULES), [Confirmed()] * 3)
    assert [due.step for due in standing.asked if isinstance(due, Confirm)] == [
        "shuffle",
        "cut",
        "load",
    ]
    assert standing.outcome == 0


def test_what_is_left_of_the_pack_is_counted_after_its_round() -> None:
    standing = run(lambda: GAME.end_shoe(RULES), [])
    assert isinstance(standing.due, Count)
    assert (standing.due.least, standing.due.most) == (0, 32)
    assert run(lambda: GAME.end_shoe(RULES), [Counted(11)]).outcome == 11


# -- bets -----------------------------------------------------------------------------------------


def played(says: dict[str, list[str]], **rules: Any) -> Table:
    scores = rules.pop("scores", (0, 0))
    deck = rules.pop("deck", None) or deck_of({}, "9S", receiver=0)
    table = Table(GAME.rules(rules), deck, (*scores, 3, 1, 1))
    return table.play_on(Says(says))


def test_bets_name_what_they_are_on() -> None:
    names = ("round:0", "round:1", "game:0", "game:1", "kaboot:yes", "kaboot:no")
    assert GAME.bets == GAME.offered(RULES, 1) == names
    assert [GAME.refuse_bet(RULES, bet, frozenset(), 1) for bet in names] == [None] * 6
    assert GAME.refuse_bet(RULES, "round", frozenset(), 1) == "not_offered"
    assert GAME.refuse_bet(RULES, "round:2", frozenset(), 1) == "not_offered"


def test_the_winner_of_the_round_is_paid_and_bets_on_the_game_stay() -> None:
    outcome = played(hokum()).outcome
    assert outcome is not None
    won = outcome.as_dict()["score"]["winner"]
    pays = GAME.pays(RULES, outcome)
    assert pays[f"round:{won}"] == Pay(39, 20)
    assert pays[f"round:{1 - won}"] == LOST
    assert (pays["kaboot:yes"], pays["kaboot:no"]) == (LOST, Pay(21, 20))
    assert set(pays).isdisjoint(("game:0", "game:1"))
    assert GAME.stays(RULES, outcome) == ("game:0", "game:1")


def test_the_end_of_the_game_settles_the_bets_on_it() -> None:
    outcome = played(hokum(), scores=(151, 151)).outcome
    assert outcome is not None
    assert outcome.game_winner is not None
    pays = GAME.pays(RULES, outcome)
    assert pays[f"game:{outcome.game_winner}"] == Pay(39, 20)
    assert pays[f"game:{1 - outcome.game_winner}"] == LOST
    assert GAME.stays(RULES, outcome) == ()


def test_a_new_deal_gives_bets_on_the_round_and_on_kaboot_back() -> None:
    outcome = played({}).outcome
    assert outcome is not None
    back = ("round:0", "round:1", "kaboot:yes", "kaboot:no")
    assert GAME.pays(RULES, outcome) == dict.fromkeys(back, PUSHED)
    assert GAME.stays(RULES, outcome) == ("game:0", "game:1")


SWEEP = {0: "AC TC KC AD TD", 1: "7C 8C 7D 8D 7H"}
"""Seat 0 takes all in sun, from the top of every suit."""


def test_a_kaboot_pays_who_said_yes() -> None:
    deck = deck_of(SWEEP, "AS", {0: "KD AH"}, receiver=0)
    table = Table(RULES, deck, (0, 0, 3, 1, 1))
    table.until("play", Says({"bidding": ["sun"]}))
    best = iter(["1", "2", "3", "4", "5", "7", "8", "6"])

    def highest(now: Table, due: Choose) -> Any:
        options = dict(GAME.choices(RULES, tuple(now.inputs), now.down).options)
        if due.step == "play" and due.seat == 0:
            return Says({"play": [next(place for place in best if place in options)]})(now, due)
        return Says({})(now, due)

    outcome = table.play_on(highest).outcome
    assert outcome is not None
    assert (outcome.code, outcome.as_dict()["score"]["kaboot"]) == ("kaboot", 0)
    pays = GAME.pays(RULES, outcome)
    assert (pays["kaboot:yes"], pays["kaboot:no"]) == (Pay(9), LOST)


def test_no_kaboot_is_certain_once_both_sides_have_a_trick_and_nothing_else() -> None:
    table = Table(RULES, deck_of({}, "9S", receiver=0))
    seen: list[tuple[bool, dict[str, Pay]]] = []

    def watching(now: Table, due: Choose) -> Any:
        board = GAME.board(RULES, tuple(now.inputs), {})
        assert board is not None
        seen.append((min(board.won) > 0, dict(GAME.certain(RULES, tuple(now.inputs)))))
        return Says({})(now, due) if due.step != "bidding" else Says({"bidding": ["sun"]})(now, due)

    table.play_on(watching)
    assert {both for both, _ in seen} == {False, True}
    for both, found in seen:
        assert found == ({"kaboot:yes": LOST, "kaboot:no": Pay(21, 20)} if both else {})
    assert table.outcome is not None
    assert dict(GAME.certain(RULES, tuple(table.inputs))) == GAME.pays(RULES, table.outcome)


def test_the_reference_names_every_flag_with_the_values_of_both_presets(root: Path) -> None:
    page = (root / "docs/reference/baloot.md").read_text("utf-8")
    simple, saudi = RULES.as_dict(), GAME.rules({"preset": "saudi"}).as_dict()
    written = {
        tuple(cell.strip(" `") for cell in line.split("|")[1:4])
        for line in page.splitlines()
        if line.startswith("| `")
    }
    for name in set(simple) - {"preset"}:
        if name.endswith("_pays"):
            assert f"`{name}`" in page
            continue
        values = [json.dumps(each[name]).strip('"') for each in (simple, saudi)]
        assert (name, *values) in written, name
