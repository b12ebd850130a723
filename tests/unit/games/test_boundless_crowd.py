"""What a screen is told of the players of a shared hand: takers, those who stood, closed lanes."""

from studio.domain.cards import Card
from studio.games import baccarat
from studio.games.boundless import GAME
from studio.games.boundless.rules import BoundlessRules
from studio.games.procedure import Choice, Dealt, Decided, Input, Staked
from studio.games.spec import NO_CROWD, Crowd

RULES = BoundlessRules()


def dealt(*codes: str) -> tuple[Input, ...]:
    """Stakes of ten players and the first four cards, the hole card unknown."""
    cards = [Dealt(Card.parse(code)) for code in codes]
    return (Staked(10, ("main",)), *cards, Dealt(None))


def card(code: str) -> Dealt:
    """One card."""
    return Dealt(Card.parse(code))


def chose(*choices: tuple[str, str, int]) -> Decided:
    """Choices as (cohort, ``M:hit,R:stand``, players)."""
    return Decided(
        tuple(
            Choice(cohort, tuple((each[0], each[2:]) for each in actions.split(",")), players)
            for cohort, actions, players in choices
        )
    )


def crowd(*inputs: Input) -> Crowd:
    """What is told after these inputs."""
    return GAME.crowd(RULES, inputs)


def lanes(told: Crowd) -> dict[str, tuple[str, int, int]]:
    """Per lane its word, takers, those who stood."""
    return {lane.zone: (lane.state, lane.taking, lane.stood) for lane in told.lanes}


SEVENS = dealt("7S", "9C", "7D")
FIRST = (*SEVENS, chose(("", "M:hit", 5), ("", "M:stand", 2), ("", "M:split", 3)))


def test_before_the_first_decision_the_shared_hand_is_open() -> None:
    told = crowd(*SEVENS)
    assert (told.seated, told.takers, told.wave) == (10, 0, 1)
    assert lanes(told) == {"M": ("", 0, 0)}


def test_lanes_with_takers_get_their_cards_in_the_order_m_l_r() -> None:
    told = crowd(*FIRST)
    assert (told.takers, told.wave) == (8, 1)
    assert lanes(told) == {"M": ("next", 5, 2), "L": ("then", 3, 0), "R": ("then", 3, 0)}
    told = crowd(*FIRST, card("2H"))
    assert lanes(told) == {"M": ("", 0, 2), "L": ("next", 3, 0), "R": ("then", 3, 0)}
    assert told.takers == 3, "a player who split is one player"


def test_decisions_reopen_unless_all_who_take_a_card_have_doubled() -> None:
    assert crowd(*FIRST).again
    told = crowd(*SEVENS, chose(("", "M:double", 5), ("", "M:stand", 5)))
    assert (told.takers, told.again) == (5, False)
    told = crowd(*SEVENS, chose(("", "M:double", 5), ("", "M:hit", 5)))
    assert told.again
    assert not crowd(*SEVENS, chose(("", "M:hit", 10)), card("7C")).again, "21 stands by itself"


def test_a_split_hand_begins_with_the_image_of_a_shared_card() -> None:
    images = {
        lane.zone: [each.code for each in lane.images] for lane in crowd(*FIRST, card("2H")).lanes
    }
    assert images == {"M": [], "L": ["7S"], "R": ["7D"]}


def test_a_lane_on_which_all_have_stood_is_closed() -> None:
    wave = (*FIRST, card("2H"), card("4D"), card("TS"))
    told = crowd(*wave, chose(("M:hit", "M:hit", 5), ("M:split", "L:hit,R:stand", 3)))
    assert told.wave == 2
    assert lanes(told) == {"M": ("next", 5, 2), "L": ("then", 3, 0), "R": ("closed", 0, 3)}


def test_a_bust_lane_says_so_and_those_who_stood_before_still_count() -> None:
    told = crowd(*FIRST, card("KH"), card("4D"), card("TS"))
    assert lanes(told)["M"] == ("bust", 0, 2)


def test_a_hand_that_ends_by_itself_is_done() -> None:
    told = crowd(*dealt("5S", "9C", "6D"), chose(("", "M:double", 10)), card("2H"))
    assert lanes(told) == {"M": ("done", 0, 10)}
    told = crowd(*dealt("5S", "9C", "6D"), chose(("", "M:hit", 9), ("", "M:stand", 1)), card("KH"))
    assert lanes(told) == {"M": ("done", 0, 10)}


def test_split_aces_are_done_after_one_card_each() -> None:
    told = crowd(*dealt("AS", "9C", "AD"), chose(("", "M:split", 10)), card("4H"), card("5H"))
    assert lanes(told)["L"] == ("done", 0, 10)
    assert lanes(told)["R"] == ("done", 0, 10)


def test_a_natural_needs_no_decision() -> None:
    assert lanes(crowd(*dealt("AS", "9C", "KD"))) == {"M": ("blackjack", 0, 10)}


def test_who_gave_the_hand_up_has_not_stood() -> None:
    told = crowd(*SEVENS, chose(("", "M:surrender", 4), ("", "M:stand", 6)))
    assert lanes(told) == {"M": ("closed", 0, 6)}


def test_nobody_shares_a_hand_at_baccarat() -> None:
    assert baccarat.GAME.crowd(None, ()) is NO_CROWD
