"""Rules of a table of Baloot, the page for players, the bets, and what screens are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.domain.cards import Card
from studio.games import registry
from studio.games.baloot import GAME
from studio.games.board import Choices
from studio.games.procedure import (
    Carried,
    Choose,
    Confirm,
    Confirmed,
    Count,
    Counted,
    InputMismatch,
    Moved,
    Ruled,
    run,
)
from studio.games.spec import LOST, PUSHED, Pay
from tests.support.baloot_round import Says, Table, deck_of

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


def hokum(**more: list[str]) -> dict[str, list[str]]:
    calls = ["hokum", "pass", "pass", "pass", "hokum"]
    return {"bidding": calls, "confirm": calls, **more}


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


# -- what a seat may choose -----------------------------------------------------------------------


def asked(table: Table, step: str, says: dict[str, list[str]]) -> Choices:
    table.until(step, Says(says))
    return GAME.choices(table.rules, tuple(table.inputs), table.down)


def test_a_silent_seat_passes_leaves_keeps_hokum_and_announces_nothing() -> None:
    for says, step, auto in (
        ({}, "bidding", "pass"),
        ({"bidding": ["sun"]}, "claim", "leave"),
        ({"bidding": ["hokum"]}, "confirm", "hokum"),
        (hokum(), "raise", "pass"),
        (hokum(), "projects", "none"),
    ):
        table = Table(RULES, deck_of({}, "9S", receiver=0))
        assert asked(table, step, dict(says)).auto == auto
    chooses = Table(GAME.rules({"closed": "raiser_chooses"}), deck_of({}, "9S", receiver=0))
    assert asked(chooses, "closed", hokum(**{"raise": ["double"]})).auto == "open"


def test_a_silent_seat_plays_its_lowest_legal_card_plain_before_hokum() -> None:
    first = {0: "7S AD 7D KH TH", 1: "8C 9C TC JC QC"}
    deck = deck_of(first, "9S", {0: "8H 7C"}, receiver=0)
    choices = asked(Table(RULES, deck), "play", hokum())
    assert len(choices.options) == 8
    assert choices.auto == "3"
    assert dict(choices.options)["3"] == "7D"
    assert dict(choices.options)["6"] == "9S"


def test_a_card_that_nobody_has_named_may_be_anything() -> None:
    deck = deck_of({}, "9S", receiver=0)
    table = Table(RULES, deck).until("play", Says(hokum()))
    blind = GAME.choices(RULES, tuple(table.inputs), {})
    assert [place for place, _ in blind.options] == list("12345678")
    assert [code for _, code in blind.options] == [*[""] * 5, "9S", "", ""]
    assert blind.auto == "6"
    nothing = Table(RULES, deck_of({}, "9S", receiver=1)).until(
        "play", Says({"bidding": ["pass", "sun"], "claim": ["leave", "leave", "leave"]})
    )
    nothing.step(Says({}))
    nothing.until("play", Says({}))
    assert GAME.choices(RULES, tuple(nothing.inputs), {}).auto == "1"


def test_a_seat_announces_what_it_holds_and_others_are_not_told_by_what_is_asked() -> None:
    first = {0: "7C 8C 9C AD KD", 1: "7D 8D 7H 8H JH"}
    deck = deck_of(first, "9S", {0: "QD TH", 1: "AC KS QH"}, receiver=0)
    table = Table(RULES, deck)
    own = asked(table, "projects", {"bidding": ["sun"]})
    assert [option for option, _ in own.options] == ["none", "sira", "sira+sira"]
    before = table.due
    table.step(Says({}))
    table.until("projects", Says({}))
    other = GAME.choices(RULES, tuple(table.inputs), table.down)
    assert [option for option, _ in other.options] == ["none"]
    assert isinstance(before, Choose)
    assert isinstance(table.due, Choose)
    assert before.options == table.due.options
    blind = GAME.choices(RULES, tuple(table.inputs), {})
    assert [option for option, _ in blind.options] == list(table.due.options)


def test_a_hand_is_shown_only_where_its_cards_give_the_right() -> None:
    rules = GAME.rules({"kawesh": "same_dealer"})
    deck = deck_of({2: "7C 8C 9C 7D 8D", 3: "9D 7H 8H 9H TH"}, "9S", receiver=0)
    table = Table(rules, deck).until("bidding", Says({}))
    inputs = tuple(table.inputs)
    assert GAME.besides(rules, inputs, table.down, 2, "kawesh")
    assert not GAME.besides(rules, inputs, table.down, 3, "kawesh")
    assert GAME.besides(rules, inputs, {}, 3, "kawesh")
    assert not GAME.besides(rules, inputs, table.down, 2, "sun")
    assert not GAME.besides(RULES, inputs[:0] + inputs, table.down, 2, "kawesh")


def test_nobody_is_asked_where_a_card_is_due() -> None:
    with pytest.raises(ValueError, match="a seat is asked nothing here"):
        GAME.choices(RULES, (Carried((0, 0, 3, 1, 1)),), {})


# -- what open cards prove ------------------------------------------------------------------------


def breaches(table: Table, plays: list[str]) -> list[str]:
    """Play these cards, lawful or not; what the game says after each."""
    found = []
    for code in plays:
        table.until("play", Says({}))
        assert isinstance(table.due, Choose)
        place = table.place_of(table.due.seat, Card.parse(code))
        table.step(Says({"play": [place]}))
        table.step(Says({}))
        found.append(GAME.breach(table.rules, tuple(table.inputs)))
    return found


def test_a_card_that_comes_to_light_proves_an_earlier_revoke() -> None:
    first = {0: "AC KC 7C 8C 9C", 1: "TC 7D 8D 9D TD", 2: "JC QC 7H 8H 9H", 3: "7S 8S JD QD KD"}
    last = {0: "AH TH", 1: "AD JH QH", 2: "KH TS JS", 3: "QS KS AS"}
    deck = deck_of(first, "9S", last, receiver=0)
    table = Table(RULES, deck).until("play", Says({"bidding": ["sun"]}))
    found = breaches(table, ["AC", "7D", "QC", "7S", "KC", "TC"])
    assert found[:5] == [""] * 5
    assert found[5] == "revoke seat=1 trick=1 held=TC played=7D"
    assert breaches(table, ["JC", "8S"]) == ["", ""]


def test_a_hokum_led_in_a_closed_round_is_proved_by_another_suit() -> None:
    first = {0: "AS KS 7C 8C 9C"}
    deck = deck_of(first, "9S", {0: "AH TH", 1: "7S 8S TS"}, receiver=0)
    says = Says(hokum(**{"raise": ["double", "pass"]}))
    table = Table(RULES, deck).until("play", says)
    found = breaches(table, ["AS", "7S"])
    assert found == ["", ""]
    table.until("take_trick", Says({})).step(Says({}))
    assert breaches(table, ["7C"]) == ["revoke seat=0 trick=1 held=7C played=AS"]


# -- a verdict ------------------------------------------------------------------------------------


def test_a_verdict_ends_the_round_with_all_racks_shown_and_the_other_side_writes_it() -> None:
    first = {1: "7C 8C 9C TC AD", 2: "KS", 3: "QS"}
    table = Table(RULES, deck_of(first, "9S", receiver=0), (10, 20, 3, 1, 4))
    table.until("raise", Says(hokum()))
    table.until("turn_card", Says(hokum(**{"raise": ["double"], "projects": ["none", "fifty"]})))
    table.step(Says({}))
    table.until("turn_card", Says({"projects": ["fifty"]}))
    inputs = tuple(table.inputs)
    assert GAME.verdict(RULES, inputs, 0) == (0, 32)
    assert GAME.verdict(RULES, inputs, 1) == (32, 0)
    table.verdict(0)
    table.play_on(Says({}))
    assert table.outcome is not None
    told = table.outcome.as_dict()
    assert (table.outcome.code, told["against"], told["score"]["winner"]) == ("qayd", 0, 1)
    assert told["score"]["final"] == [0, 16 * 2 + 5 * 2]
    assert told["game_scores"] == [10, 20 + 42]
    assert GAME.carried(table.outcome) == (10, 62, 0, 1, 5)
    assert all(len(hand) == 8 for hand in told["hands"].values())
    assert GAME.verdict(RULES, tuple(table.inputs), 0) is None
    pays = GAME.pays(RULES, table.outcome)
    assert (pays["round:1"], pays["round:0"]) == (Pay(39, 20), LOST)
    assert (pays["kaboot:yes"], pays["kaboot:no"]) == (LOST, Pay(21, 20))


def test_a_verdict_under_gahwa_decides_the_game() -> None:
    says = hokum(**{"raise": ["double", "triple", "four", "gahwa"]})
    table = Table(RULES, deck_of({}, "9S", receiver=0)).until("play", Says(says))
    table.verdict(1)
    table.play_on(Says({}))
    assert table.outcome is not None
    assert (table.outcome.game_winner, table.outcome.game_scores) == (0, (16, 0))


def test_before_anybody_bought_no_verdict_is_given() -> None:
    table = Table(RULES, deck_of({}, "9S", receiver=0)).until("bidding", Says({}))
    inputs = tuple(table.inputs)
    assert GAME.verdict(RULES, inputs, 0) is None
    with pytest.raises(InputMismatch):
        run(lambda: GAME.round(RULES), (*inputs, Ruled(0)))
    with pytest.raises(InputMismatch):
        GAME.board(RULES, (*inputs, Ruled(0)), {})
    table.until("take_face", Says({"bidding": ["sun"]}))
    assert GAME.verdict(RULES, tuple(table.inputs), 0) == (0, 26)


def test_an_ace_that_shows_itself_while_dealing_gives_up_the_deal() -> None:
    assert GAME.redealt(RULES, Card.parse("AS"))
    assert not GAME.redealt(RULES, Card.parse("KS"))


# -- the board ------------------------------------------------------------------------------------


def test_the_board_tells_calls_racks_tricks_and_the_score() -> None:
    table = Table(RULES, deck_of({}, "9S", receiver=0), (40, 60, 3, 2, 5))
    table.until("raise", Says(hokum()))
    board = GAME.board(RULES, tuple(table.inputs), table.down)
    assert board is not None
    assert (board.scores, board.dealer, board.game_no, board.round_no) == ((40, 60), 3, 2, 5)
    assert (board.face, board.mode, board.trump, board.buyer) == ("9S", "hokum", "S", 0)
    assert [seat.said for seat in board.seats] == [("hokum", "hokum"), *[("pass",)] * 3]
    assert [slot.look for slot in board.seats[0].rack] == [*["back"] * 5, "face", "back", "back"]
    assert board.asked is not None
    assert (board.asked.step, board.asked.seat) == ("raise", 1)
    assert board.tricks == ()
    table.until("take_trick", Says({}))
    board = GAME.board(RULES, tuple(table.inputs), table.down)
    assert board is not None
    (trick,) = board.tricks
    assert trick.cards == tuple((s.seat, s.played) for s in board.seats)
    assert board.won == ((1, 0) if trick.winner in (0, 2) else (0, 1))
    assert sum(slot.look == "gone" for seat in board.seats for slot in seat.rack) == 4
    table.play_on(Says({}))
    board = GAME.board(RULES, tuple(table.inputs), {})
    assert board is not None
    assert table.outcome is not None
    assert (board.scores, board.ended) == (table.outcome.game_scores, table.outcome.code)
    assert board.points == tuple(table.outcome.as_dict()["score"]["final"])
    assert sum(board.won) == 8
    assert {seat.played for seat in board.seats} == {""}


def test_projects_that_count_are_shown_from_the_second_trick_on() -> None:
    first = {0: "7C 8C 9C TC AD", 1: "QD KD 7H 8H JH"}
    deck = deck_of(first, "9S", {0: "8D TH", 1: "JD QC KS"}, receiver=0)
    table = Table(RULES, deck)
    says = Says({**hokum(), "projects": ["fifty", "sira"]})
    table.until("take_trick", says)
    board = GAME.board(RULES, tuple(table.inputs), table.down)
    assert board is not None
    assert board.counting is None
    assert [[p.kind for p in seat.projects] for seat in board.seats] == [
        ["fifty"],
        ["sira"],
        [],
        [],
    ]
    assert all(p.cards == () for seat in board.seats for p in seat.projects)
    table.step(says)
    board = GAME.board(RULES, tuple(table.inputs), table.down)
    assert board is not None
    assert board.counting == 0
    assert board.seats[0].projects[0].cards == ("TC", "9C", "8C", "7C")
    assert board.seats[1].projects[0].cards == ()
    blind = GAME.board(RULES, tuple(table.inputs), {})
    assert blind is not None
    assert (blind.counting, blind.seats[0].projects[0].cards) == (0, ())


def test_baloot_is_told_when_its_second_card_falls() -> None:
    first = {0: "KS QS 7C 8D 9H"}
    deck = deck_of(first, "9S", {0: "AD TH"}, receiver=0)
    table = Table(RULES, deck).until("play", Says(hokum()))
    table.step(Says({"play": ["1"]}))
    table.step(Says({}))
    shown = GAME.board(RULES, tuple(table.inputs), table.down)
    assert shown is not None
    assert shown.seats[0].projects == ()
    table.play_on(Says({}))
    shown = GAME.board(RULES, tuple(table.inputs), {})
    assert shown is not None
    assert [(p.kind, p.cards) for p in shown.seats[0].projects] == [("baloot", ("KS", "QS"))]


def test_the_same_cards_give_the_same_answers_whoever_asked_before() -> None:
    """A round that runs on for one asker is found again by another one from its beginning."""
    one = Table(RULES, deck_of({}, "9S", receiver=0))
    other = Table(RULES, deck_of({}, "9H", receiver=0))
    for table in (one, other, one, other):
        table.until("play", Says(hokum()))
        assert table.face is not None
        board = GAME.board(RULES, tuple(table.inputs), {})
        assert board is not None
        assert board.face == table.face.code
    early = GAME.board(RULES, tuple(one.inputs[:22]), {})
    assert early is not None
    assert (early.face, early.mode, early.buyer) == ("9S", "", None)
    with pytest.raises(InputMismatch):
        GAME.board(RULES, (*one.inputs, Moved(Card.parse("7C"))), {})


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
