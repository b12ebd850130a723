"""A shoe and a camera that really disagree: bytes of a simulated shoe, pixels of a rendered felt.

A pair of hands does at the first cards of a coup what no simulated dealer does by itself. Then the
simulated people take over: the coup must end with the cards that lay there, and all money right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from hardware.text_codes import Kind
from studio.domain.cards import CUT, PACK
from studio.domain.faults import FaultCode, Sighting
from studio.live.clock import ManualClock
from studio.settings import Settings
from studio.simulate.course import Course
from studio.simulate.demo import NOON_US, TABLE, DemoStudio, Wanted, settings_of, wait_for_devices
from studio.simulate.faults import moment_of
from studio.simulate.pace import JumpingPace
from studio.storage.verify import verify
from studio.table.state import Table
from tests.integration.demo.test_text_reader import on_printed_codes, with_shoe
from vision.synthetic.camera import FRAMES_TO_ASK

BOTH = ("shoe", "camera")
REST = [card for card in PACK if card.rank.value in "6789"]
"""What comes after the cards of a test: low totals end quickly, whoever draws."""
MOST_STEPS = 2_000

pytestmark = pytest.mark.timeout(240)


@dataclass
class Hands:
    """Somebody who deals by hand at a table with a simulated shoe under the synthetic camera."""

    studio: DemoStudio
    pace: JumpingPace
    course: Course
    steps: Iterator[Literal[True]] = field(init=False)

    def __post_init__(self) -> None:
        self.steps = self.course.steps(None)

    def new_coup(self, *cards: str) -> None:
        """Come to the first card of a fresh coup, with these cards next in the shoe."""
        table, place = self.studio.desk(TABLE).table, self.course.place
        last = round_id(table())
        for _ in range(MOST_STEPS):
            if round_id(table()) != last and moment_of(place.desk.setup, table()) == "card_1":
                break
            next(self.steps)
        else:
            raise AssertionError(f"no coup began: {table().phase}, {self.faults()}")
        assert not table().held
        shoe = table().shoe
        assert shoe is not None
        # One shoe serves all tests, and cards come out of it by hand: none oftener than it may.
        place.load([*cards, *(card.code for card in sorted(REST, key=shoe.cards.gone_of))])

    def draw(self, reads_as: str | None = None) -> str:
        """Slide a card out; it is the answer to what the console asks for."""
        place, table = self.course.place, self.studio.desk(TABLE).table()
        inputs = len(table.play.inputs) if table.play else -1
        place.answered = f"{table.shoes}/{round_id(table)}/{inputs}"
        return place.draw(reads_as)

    def lay(self, zone: str, code: str, *, face_up: bool = True) -> None:
        """Lay a card of the coup where it belongs."""
        self.course.place.felt.laid.append((zone, code))
        self.course.place.lay(zone, code, face_up=face_up)

    def deal(self, zone: str, reads_as: str | None = None) -> None:
        """Draw a card, lay it, and wait until both were heard."""
        self.lay(zone, self.draw(reads_as))
        self.settle()

    def settle(self) -> None:
        """Wait until all was read, seen and decided."""
        self.course.place.settle()

    def wait(self, seconds: float) -> None:
        """Let the clock run, and let the camera look meanwhile."""
        self.pace.pause(seconds)
        self.settle()

    def faults(self) -> list[FaultCode]:
        """What holds the table."""
        hold = self.studio.desk(TABLE).table().hold
        return [fault.code for fault in hold.faults] if hold else []

    def sightings(self) -> dict[str, Sighting]:
        """What each source says it saw, in the first fault of the hold."""
        hold = self.studio.desk(TABLE).table().hold
        assert hold is not None
        return {sight.source: sight for sight in hold.faults[0].sightings}

    def accepted(self) -> list[str]:
        """The cards that the table took as dealt."""
        play = self.studio.desk(TABLE).table().play
        return [place.card.code for place in (play.places if play else ()) if place.card]

    def end(self) -> dict[str, Any]:
        """Let the simulated people bring the coup to its end; what was told of it."""
        told = len(self.studio.lines)
        for _ in range(MOST_STEPS):
            if len(self.studio.lines) > told:
                break
            next(self.steps)
        else:
            raise AssertionError(f"the coup never ended: {self.faults()}")
        line = self.studio.lines[-1]
        # Cards were put into the shoe by hand, so what is left of it never balances.
        line["faults"] = [code for code in line["faults"] if code != "count_mismatch"]
        assert line["state"] == "settled", line
        assert self.studio.tally.misreads == 0
        assert line["staked"] == line["returned"] + line["refunded"] + line["house"]
        return line


def round_id(table: Table) -> str:
    """The coup on the felt; empty before the first."""
    return table.round.id if table.round else ""


def sit_down(wish: Wanted, settings: Settings) -> Iterator[Hands]:
    """A table in a whole embedded studio."""
    clock = ManualClock(NOON_US)
    studio = DemoStudio(wish, settings, clock)
    studio.start()
    try:
        pace = JumpingPace(clock, studio, studio.stages.get(TABLE))
        wait_for_devices(studio, pace)
        yield Hands(studio, pace, studio.course(pace))
    finally:
        studio.stop()
    assert verify(settings.studio.database).problems == ()


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hands]:
    """A shoe that numbers its reports, under a camera."""
    wish = Wanted(headless=True, seed=8, sources=BOTH)
    folder = tmp_path_factory.mktemp("two")
    yield from sit_down(wish, settings_of(wish, f"sqlite:///{folder}/two.db"))


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hands]:
    """A reader of printed values that cannot tell repeats, under a camera."""
    wish = Wanted(headless=True, seed=9, sources=BOTH)
    folder = tmp_path_factory.mktemp("printed")
    settings = with_shoe(on_printed_codes(wish, Kind.VALUE, folder), rearm_s=30.0)
    yield from sit_down(wish, settings)


def name(sight: Sighting) -> str:
    """The card that a source names."""
    return sight.card.code if sight.card else ""


# -- the two name different things ---------------------------------------------------------------


def test_the_shoe_names_another_card_than_the_felt_shows(at: Hands) -> None:
    at.new_coup("7H", "2C")
    at.deal("P", reads_as="9S")
    assert at.faults() == [FaultCode.READER_MISMATCH]
    seen = at.sightings()
    assert (name(seen["shoe"]), name(seen["camera"])) == ("9S", "7H")
    assert at.accepted() == []
    assert at.end()["cards"][0] == ["P", "7H"]


def test_an_unsure_camera_is_no_witness_for_a_sure_shoe(at: Hands) -> None:
    at.new_coup("5D", "KC")
    assert at.course.place.stage is not None
    at.course.place.stage.switch("unsure")
    at.deal("P")
    at.pace.frames(FRAMES_TO_ASK)  # so long the camera tries to read it
    at.wait(5.5)
    assert at.faults() == [FaultCode.UNSURE_CARD]
    seen = at.sightings()
    assert name(seen["shoe"]) == "5D"
    assert seen["camera"].look != "face"
    assert at.accepted() == []
    at.end()


def test_a_camera_that_becomes_sure_in_time_asks_nobody(at: Hands) -> None:
    at.new_coup("4S", "JD")
    stage = at.course.place.stage
    assert stage is not None
    stage.switch("unsure")
    at.deal("P")
    assert at.accepted() == []
    stage.take("P", 0)
    stage.lay("P", "4S")  # the same card, pushed out of the glare
    at.settle()
    assert at.accepted() == ["4S"]
    assert at.faults() == []
    assert at.end()["faults"] == []


def test_an_unsure_shoe_is_no_witness_for_a_sure_camera(at: Hands) -> None:
    at.new_coup("QH", "3C")
    at.deal("P", reads_as="??")
    assert at.faults() == [FaultCode.UNREADABLE_CARD]
    assert at.accepted() == []
    at.end()


# -- the two do not speak together ---------------------------------------------------------------


def test_a_card_that_lies_there_before_the_shoe_speaks_waits_for_it(at: Hands) -> None:
    at.new_coup("TS", "2D")
    at.lay("P", "TS")
    at.settle()
    assert at.accepted() == []
    assert at.faults() == []
    assert at.draw() == "TS"
    at.settle()
    assert at.accepted() == ["TS"]
    assert at.end()["faults"] == []


def test_a_card_of_which_the_shoe_never_speaks_came_from_nowhere(at: Hands) -> None:
    at.new_coup("AC", "8D")
    at.course.place.lay("P", "KH")
    at.settle()
    assert at.faults() == []
    at.wait(5.5)
    assert at.faults() == [FaultCode.CARD_FROM_NOWHERE]
    assert name(at.sightings()["camera"]) == "KH"
    assert "shoe" not in at.sightings()
    assert at.accepted() == []
    at.course.place.take("P", 0)
    at.end()


def test_a_card_that_the_camera_never_sees_is_asked_for(at: Hands) -> None:
    at.new_coup("6H", "9C")
    at.draw()
    at.settle()
    assert at.faults() == []
    at.wait(5.5)
    assert at.faults() == [FaultCode.CARD_UNSEEN]
    assert name(at.sightings()["shoe"]) == "6H"
    assert at.accepted() == []
    at.lay("P", "6H")
    at.settle()
    at.end()


def test_two_cards_that_both_hands_lay_at_once_are_told_apart_by_their_zones(at: Hands) -> None:
    at.new_coup("3H", "9D", "KD", "QC")
    first, second = at.draw(), at.course.place.draw()
    at.lay("B", second)
    at.lay("P", first)
    at.course.place.felt.laid[:] = [("P", first), ("B", second)]
    at.settle()
    assert at.accepted() == ["3H", "9D"]
    assert at.faults() == []
    assert at.end()["faults"] == []


def test_two_cards_that_come_to_rest_in_one_zone_have_no_order(at: Hands) -> None:
    at.new_coup("5C", "TH", "4D", "JS")
    first, second = at.draw(), at.course.place.draw()
    at.lay("P", first)
    at.course.place.lay("P", second)
    at.course.place.felt.aside.append(second)
    at.settle()
    assert at.faults() == [FaultCode.TWO_AT_ONCE]
    assert at.accepted() == []
    at.end()


# -- an accepted card changes --------------------------------------------------------------------


def test_a_card_that_is_swapped_on_the_felt_holds_the_table(at: Hands) -> None:
    at.new_coup("2S", "KS")
    at.deal("P")
    assert at.accepted() == ["2S"]
    stage = at.course.place.stage
    assert stage is not None
    stage.take("P", 0)
    stage.lay("P", "9H")
    at.settle()
    assert FaultCode.SUBSTITUTED_CARD in at.faults() or FaultCode.CARD_VANISHED in at.faults()
    assert at.accepted() == ["2S"]
    stage.take("P", 0)
    stage.lay("P", "2S")
    at.settle()
    at.end()


def test_a_card_that_is_turned_over_on_the_felt_holds_the_table(at: Hands) -> None:
    at.new_coup("3D", "QS")
    at.deal("P")
    stage = at.course.place.stage
    assert stage is not None
    stage.turn("P", 0)
    at.settle()
    assert at.faults() == [FaultCode.SUBSTITUTED_CARD]
    stage.turn("P", 0)
    at.settle()
    assert at.end()["cards"][0] == ["P", "3D"]


def test_a_card_that_slides_under_a_hand_is_still_the_same(at: Hands) -> None:
    at.new_coup("8C", "2H")
    at.deal("P")
    stage = at.course.place.stage
    assert stage is not None
    stage.hand("P")
    at.settle()
    stage.take("P", 0)
    stage.lay("P", "8C")
    at.settle()
    stage.hand(None)
    at.settle()
    assert at.accepted() == ["8C"]
    assert at.faults() == []
    assert at.end()["faults"] == []


# -- the cut card ---------------------------------------------------------------------------------


def test_the_cut_card_on_the_felt_contradicts_a_shoe_that_read_a_card(at: Hands) -> None:
    at.new_coup("4C", "7D")
    at.draw()
    at.course.place.lay("P", CUT)
    at.settle()
    assert at.faults() == [FaultCode.CUT_CARD_ON_FELT]
    assert at.accepted() == []
    at.course.place.take("P", 0)
    at.lay("P", "4C")
    at.settle()
    at.end()


def test_a_card_on_the_felt_contradicts_a_shoe_that_read_the_cut_card(at: Hands) -> None:
    at.new_coup(CUT, "5S", "KH")
    assert at.draw() == CUT
    at.course.place.lay("P", "QD")
    at.settle()
    assert at.accepted() == []
    at.wait(5.5)
    assert at.faults() == [FaultCode.CARD_FROM_NOWHERE]
    at.course.place.take("P", 0)
    at.course.place.answered = ""
    at.end()


# -- printed values that cannot tell repeats ------------------------------------------------------


@pytest.mark.parametrize("cards", [("7H", "7H", "7H", "KC"), ("KS", "KS", "KS", "KS")])
def test_equal_neighbours_are_cards_because_the_camera_shows_them(
    printed: Hands, cards: Sequence[str]
) -> None:
    """No question is asked, though each code equals the one before."""
    printed.new_coup(*cards)
    for zone in ("P", "B", "P", "B"):
        printed.deal(zone)
    assert printed.accepted() == list(cards)
    assert printed.end()["faults"] == []


def test_a_value_that_is_said_twice_for_one_card_is_one_card(printed: Hands) -> None:
    """The camera shows one card, so the second line is none; nothing is asked."""
    printed.new_coup("2S", "9D", "KH", "QH")
    wire = printed.course.place.wire
    assert wire is not None
    wire.switch("triple_send")
    printed.deal("P")
    printed.wait(5.5)
    assert printed.accepted() == ["2S"]
    printed.deal("B")
    assert printed.accepted() == ["2S", "9D"]
    assert printed.faults() == []
    printed.end()


def test_a_repeat_with_another_card_on_the_felt_is_no_card(printed: Hands) -> None:
    """The reader said the last value once more; the card that lies there speaks for itself."""
    printed.new_coup("3C", "8H", "KD", "JC")
    printed.deal("P")
    printed.deal("B", reads_as="3C")
    printed.wait(5.5)
    assert "3C" not in printed.accepted()[1:]
    printed.end()


def test_a_repeat_under_a_hand_waits_for_what_the_hand_uncovers(printed: Hands) -> None:
    """The second of two equal cards lies under the dealer's hand for longer than a card may."""
    printed.new_coup("9C", "9C", "TD", "QS")
    printed.deal("P")
    stage = printed.course.place.stage
    assert stage is not None
    stage.hand("B")
    printed.settle()
    printed.lay("B", printed.draw())
    printed.settle()
    printed.wait(5.5)
    assert printed.accepted() == ["9C"]
    assert printed.faults() == []
    stage.hand(None)
    printed.settle()
    printed.settle()
    assert printed.accepted() == ["9C", "9C"]
    assert printed.end()["faults"] == []
