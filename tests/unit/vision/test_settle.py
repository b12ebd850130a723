"""Settling: scripted sequences of outlines and readings, without a pixel."""

from __future__ import annotations

from itertools import count

import pytest

from studio.domain.cards import Card
from studio.domain.observations import Look
from vision.settle import UNSEEN, Outline, Thing, Vote, ZoneBook, judge

SEVEN = Card.parse("7H")
EIGHT = Card.parse("8H")
NINE = Card.parse("9H")


def face(card: Card, confidence: float = 0.998, *, sure: bool = True) -> Vote:
    return Vote(look=Look.FACE, card=card, confidence=confidence, sure=sure)


def at(x: float, y: float = 0.0, *, shaped: bool = True) -> Outline:
    quad = tuple((round(x) + dx, round(y) + dy) for dx, dy in ((0, 0), (9, 0), (9, 9), (0, 9)))
    return Outline(x=x, y=y, quad=quad, card_shaped=shaped)


class Script:
    """A zone that is looked at in frames a sixteenth of a second apart."""

    def __init__(self) -> None:
        self.book = ZoneBook("P", count(1))
        self.frame = 0
        self.told: list[tuple[bool, list[tuple[int, str, bool]]]] = []

    def still(self, *seen: tuple[Outline, Vote], rested: bool = True) -> None:
        self.frame += 1
        now_s = self.frame / 16
        things = self.book.rest([outline for outline, _ in seen])
        for thing, (_, vote) in zip(things, seen, strict=True):
            if thing.wants(now_s):
                thing.vote(vote, now_s)
        self.book.decide(rested=rested)
        self._tell()

    def move(self) -> None:
        self.frame += 1
        self.book.move()
        self._tell()

    def _tell(self) -> None:
        zone = self.book.seen()
        cards = [
            (card.track, str(card.card) if card.card else card.look.value, card.sure)
            for card in zone.cards
        ]
        if not self.told or self.told[-1] != (zone.settled, cards):
            self.told.append((zone.settled, cards))

    @property
    def last(self) -> tuple[bool, list[tuple[int, str, bool]]]:
        return self.told[-1]


def test_one_frame_is_never_enough() -> None:
    script = Script()
    script.still((at(0), face(SEVEN)))
    assert script.last == (False, [])
    script.still((at(0), face(SEVEN)))
    assert script.last == (True, [(1, "7H", True)])


def test_a_card_that_has_not_rested_is_not_told() -> None:
    script = Script()
    for _ in range(4):
        script.still((at(0), face(SEVEN)), rested=False)
    assert script.last == (False, [])


def test_frames_are_averaged_and_never_added() -> None:
    verdict = judge([face(SEVEN, 0.7, sure=False)] * 6)
    assert verdict is not None
    assert abs(verdict.confidence - 0.7) < 1e-9
    assert not verdict.sure


def test_a_sure_contradiction_makes_a_card_unsure() -> None:
    verdict = judge([face(SEVEN), face(EIGHT), face(SEVEN), face(SEVEN), face(SEVEN)])
    assert verdict is not None
    assert verdict.card == SEVEN
    assert not verdict.sure


def test_an_unsure_card_is_told_once_after_several_readings_and_again_when_it_is_sure() -> None:
    script = Script()
    script.move()
    for _ in range(30):
        script.still((at(0), face(SEVEN, 0.8, sure=False)))
    assert script.told == [(False, []), (True, [(1, "7H", False)])]
    for _ in range(60):
        script.still((at(0), face(SEVEN)))
    assert script.last == (True, [(1, "7H", True)])
    assert len(script.told) == 3


def test_an_unsure_card_is_read_at_most_five_times_a_second() -> None:
    thing = Thing(1, at(0))
    votes = 0
    for frame in range(60):
        if thing.wants(frame / 60):
            thing.vote(face(SEVEN, 0.5, sure=False), frame / 60)
            votes += 1
    assert votes <= 3 + 5


def test_a_second_card_keeps_the_order_of_arrival() -> None:
    script = Script()
    for _ in range(2):
        script.still((at(100), face(SEVEN)))
    for _ in range(2):
        script.still((at(0), face(EIGHT)), (at(100), face(SEVEN)))
    assert script.last == (True, [(1, "7H", True), (2, "8H", True)])


def test_equal_cards_side_by_side_are_two_cards() -> None:
    script = Script()
    for _ in range(2):
        script.still((at(0), face(SEVEN)), (at(80), face(SEVEN)))
    assert script.last == (True, [(1, "7H", True), (2, "7H", True)])


def test_a_hand_over_the_zone_leaves_the_last_stable_cards() -> None:
    script = Script()
    for _ in range(2):
        script.still((at(0), face(SEVEN)))
    script.move()
    assert script.last == (False, [(1, "7H", True)])


def test_a_card_that_is_missing_once_is_not_gone() -> None:
    script = Script()
    for _ in range(2):
        script.still((at(0), face(SEVEN)))
    script.still()
    assert script.last == (False, [(1, "7H", True)])
    script.still((at(0), face(SEVEN)))
    assert script.last == (True, [(1, "7H", True)])
    for _ in range(2):
        script.still()
    assert script.last == (True, [])


def test_another_card_in_the_same_place_is_a_new_reading_of_the_same_thing() -> None:
    script = Script()
    for _ in range(2):
        script.still((at(0), face(SEVEN)))
    script.book.things[0].forget()
    script.still((at(0), face(EIGHT)))
    assert script.last == (False, [(1, "7H", True)])
    script.still((at(0), face(EIGHT)))
    assert script.last == (True, [(1, "8H", True)])


def test_a_turned_card_keeps_its_track() -> None:
    script = Script()
    back = Vote(look=Look.BACK, confidence=0.99, sure=True)
    for _ in range(2):
        script.still((at(0), back))
    script.book.things[0].forget()
    for _ in range(2):
        script.still((at(2), face(SEVEN)))
    assert script.last == (True, [(1, "7H", True)])


def test_a_card_that_was_pushed_far_keeps_its_track() -> None:
    script = Script()
    for _ in range(2):
        script.still((at(0), face(SEVEN)), (at(200), face(EIGHT)))
    script.move()
    for _ in range(3):
        script.still((at(60), face(SEVEN)), (at(200), face(EIGHT)))
    assert script.last == (True, [(1, "7H", True), (2, "8H", True)])


def test_a_card_that_was_pushed_a_little_is_told_where_it_lies_now() -> None:
    script = Script()
    for _ in range(2):
        script.still((at(0), face(SEVEN)))
    script.still((at(10), face(SEVEN)))
    assert script.book.seen().cards[0].quad[0] == (10, 0)
    script.still((at(11), face(SEVEN)))
    assert script.book.seen().cards[0].quad[0] == (10, 0)


def test_a_thing_without_a_cards_shape_is_told_as_unknown() -> None:
    script = Script()
    for _ in range(20):
        script.still((at(0, shaped=False), UNSEEN))
    assert script.last == (True, [(1, "unknown", False)])


def test_nothing_is_agreed_without_a_reading() -> None:
    assert judge([]) is None


def test_cards_that_come_together_are_told_in_the_order_of_their_slots() -> None:
    """As after a restart: outlines come in no order, and the table pairs a hand by its order."""
    script = Script()
    for _ in range(2):
        script.still(
            (at(216, 66), face(NINE)), (at(45, 62), face(SEVEN)), (at(124, 58), face(EIGHT))
        )
    assert script.last == (True, [(1, "7H", True), (2, "8H", True), (3, "9H", True)])


def test_slots_in_two_rows_are_counted_row_by_row() -> None:
    script = Script()
    for _ in range(2):
        script.still(
            (at(40, 156), face(NINE)), (at(120, 57), face(EIGHT)), (at(40, 52), face(SEVEN))
        )
    assert [card for _, card, _ in script.last[1]] == ["7H", "8H", "9H"]


def test_a_card_that_comes_later_stays_last_wherever_it_lies() -> None:
    """The order of arrival is known then, and stronger than where it lies."""
    script = Script()
    for _ in range(2):
        script.still((at(124), face(EIGHT)))
    for _ in range(2):
        script.still((at(45), face(SEVEN)), (at(124), face(EIGHT)))
    assert [card for _, card, _ in script.last[1]] == ["8H", "7H"]


def test_one_of_two_equal_cards_that_is_not_found_in_one_look_stays_what_it_is() -> None:
    script = Script()
    here = [(at(0), face(SEVEN)), (at(80), face(EIGHT)), (at(160), face(SEVEN))]
    for number in (1, 2, 3):
        for _ in range(4):
            script.still(*here[:number])
    lain = script.last
    assert lain == (True, [(1, "7H", True), (2, "8H", True), (3, "7H", True)])
    script.still(*here[1:])
    assert script.last == (False, lain[1])
    script.still(*here)
    assert script.last == lain


def test_the_first_of_two_equal_cards_taken_away_leaves_the_other_as_it_was() -> None:
    script = Script()
    here = [(at(0), face(SEVEN)), (at(80), face(EIGHT)), (at(160), face(SEVEN))]
    for number in (1, 2, 3):
        for _ in range(4):
            script.still(*here[:number])
    for _ in range(4):
        script.still(*here[1:])
    assert script.last == (True, [(2, "8H", True), (3, "7H", True)])


def test_a_card_of_an_earlier_eye_that_is_gone_leaves_the_book() -> None:
    script = Script()
    for _ in range(4):
        script.still((at(0), face(SEVEN)))
    said = script.book.seen().cards[0]
    again = Script()
    again.book.remember(at(0), said)
    for _ in range(3):
        again.still()
    assert again.last == (True, [])


def test_a_card_that_is_missing_while_the_zone_still_moves_is_not_gone() -> None:
    script = Script()
    for _ in range(2):
        script.still((at(0), face(SEVEN)))
    for _ in range(5):
        script.still(rested=False)
        assert script.last == (False, [(1, "7H", True)])
    script.still()
    assert script.last == (True, [])


def doubted(script: Script) -> Thing:
    """A card that was surely read, and over which a hand was then."""
    for _ in range(2):
        script.still((at(0), face(SEVEN)))
    (thing,) = script.book.things
    thing.doubt()
    return thing


def test_a_doubted_card_is_no_fact_until_a_reading_confirms_it() -> None:
    script = Script()
    doubted(script)
    script.still((at(0), UNSEEN))
    assert script.last == (False, [(1, "7H", True)])
    script.still((at(0), face(SEVEN)))
    assert script.last == (True, [(1, "7H", True)])


@pytest.mark.parametrize("sure", [True, False])
def test_a_doubted_card_that_is_read_as_another_is_read_as_if_it_had_just_come(
    *, sure: bool
) -> None:
    script = Script()
    thing = doubted(script)
    script.still((at(0), face(EIGHT, 0.7, sure=sure)))
    assert (thing.doubted, thing.settled, thing.count) == (False, False, 1)
    assert script.last == (False, [(1, "7H", True)])
    for _ in range(12):
        script.still((at(0), face(EIGHT, 0.7, sure=sure)))
    assert script.last == (True, [(1, "8H", sure)])


def test_a_doubted_card_that_nothing_confirms_is_asked_about() -> None:
    script = Script()
    doubted(script)
    for _ in range(40):
        script.still((at(0), face(SEVEN, 0.8, sure=False)))
    assert script.last == (True, [(1, "7H", False)])


def test_a_reading_that_is_nearly_sure_confirms_a_card_unless_it_must_be_strict() -> None:
    for strict in (False, True):
        thing = doubted(Script())
        thing.vote(face(SEVEN, 0.95, sure=False), 1.0, strict=strict)
        assert thing.doubted is strict
