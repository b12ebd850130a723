"""What a seat of Baloot may choose, what open cards prove, verdicts, and the board."""

from __future__ import annotations

import pytest

from studio.domain.cards import Card
from studio.games.baloot import GAME
from studio.games.board import Choices
from studio.games.procedure import (
    Carried,
    Choose,
    InputMismatch,
    Moved,
    Ruled,
    run,
)
from studio.games.spec import LOST, Pay
from tests.support.baloot_round import Says, Table, deck_of, hokum

RULES = GAME.rules({})


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
        proven = GAME.breach(table.rules, tuple(table.inputs))
        found.append(", ".join(each.text for each in proven))
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


def test_one_card_may_prove_two_revokes_oldest_first() -> None:
    first = {0: "AC KC QC 8C 9C", 1: "TC 7D 8D 9D TD", 2: "JC 7H 8H 9H KD", 3: "7S 8S JD QD 7C"}
    last = {0: "AH TH", 1: "AD JH QH", 2: "KH TS JS", 3: "QS KS AS"}
    deck = deck_of(first, "9S", last, receiver=0)
    table = Table(RULES, deck).until("play", Says({"bidding": ["sun"]}))
    found = breaches(table, ["AC", "7D", "JC", "7C", "KC", "8D", "7H", "7S", "QC", "TC"])
    assert found[-1] == (
        "revoke seat=1 trick=1 held=TC played=7D, revoke seat=1 trick=2 held=TC played=8D"
    )
    assert found[:-1] == [""] * 9


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
    assert GAME.verdict(RULES, inputs, {}, 0) == (0, 42)  # the fifty was announced
    assert GAME.verdict(RULES, inputs, {}, 1) == (32, 0)
    table.verdict(0)
    table.play_on(Says({}))
    assert table.outcome is not None
    told = table.outcome.as_dict()
    assert (table.outcome.code, told["against"], told["score"]["winner"]) == ("qayd", 0, 1)
    assert told["score"]["final"] == [0, 16 * 2 + 5 * 2]
    assert told["game_scores"] == [10, 20 + 42]
    assert GAME.carried(table.outcome) == (10, 62, 0, 1, 5)
    assert all(len(hand) == 8 for hand in told["hands"].values())
    assert GAME.verdict(RULES, tuple(table.inputs), {}, 0) is None
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
    assert GAME.verdict(RULES, inputs, {}, 0) is None
    with pytest.raises(InputMismatch):
        run(lambda: GAME.round(RULES), (*inputs, Ruled(0)))
    with pytest.raises(InputMismatch):
        GAME.board(RULES, (*inputs, Ruled(0)), {})
    table.until("take_face", Says({"bidding": ["sun"]}))
    assert GAME.verdict(RULES, tuple(table.inputs), {}, 0) == (0, 26)


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
