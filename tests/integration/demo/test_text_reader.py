"""A demonstration whose shoe has a reader of printed codes: simulated people need nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hardware.sim.text_reader import FAULTS
from hardware.text_codes import Kind, as_csv, example
from studio.settings import Settings, ShoeSettings
from studio.simulate.demo import DemoStudio, Wanted, headless, settings_of
from studio.simulate.faults import BURN, CARDS, Planned
from studio.storage.verify import verify

LATE = "card_due_late"
LOST = "device_lost"


def on_printed_codes(wanted: Wanted, kind: Kind, folder: Path) -> Settings:
    """The demonstration's own configuration, with the other driver."""
    table = folder / "codes.csv"
    table.write_text(as_csv(example(kind), kind))
    settings = settings_of(wanted, f"sqlite:///{folder / 'demo.db'}")
    shoe = ShoeSettings(
        driver="serial-text",
        prefix="\x02",
        suffix="\x03",
        url="sim:",
        codes=kind.value,
        cards=table,
        rearm_s=0.5,  # the simulated dealer takes a second for each card
        options={"ack": True, "trigger": "\x16T\r"},
    )
    tables = {
        name: each.model_copy(update={"shoe": shoe}) for name, each in settings.tables.items()
    }
    return settings.model_copy(update={"tables": tables})


def with_shoe(settings: Settings, **changes: object) -> Settings:
    """The same with other settings of the shoe."""
    tables = {}
    for name, each in settings.tables.items():
        assert each.shoe is not None
        shoe = each.shoe.model_copy(update=changes)
        tables[name] = each.model_copy(update={"shoe": shoe})
    return settings.model_copy(update={"tables": tables})


def test_equal_neighbours_in_a_hurry_are_asked_and_both_are_dealt(tmp_path: Path) -> None:
    wanted = Wanted(headless=True, rounds=4, sources=("shoe",))
    settings = on_printed_codes(wanted, Kind.VALUE, tmp_path)
    studio = headless(wanted, with_shoe(settings, rearm_s=5.0))
    assert studio.tally.misreads == 0
    assert any("repeated_card" in line["faults"] for line in studio.lines)


def deal(wanted: Wanted, kind: Kind, folder: Path) -> DemoStudio:
    settings = on_printed_codes(wanted, kind, folder)
    studio = headless(wanted, settings)
    tally = studio.tally
    assert verify(settings.studio.database).ok
    assert tally.misreads == 0
    assert tally.staked == tally.returned + tally.refunded + tally.house
    return studio


@pytest.mark.parametrize("kind", list(Kind))
def test_coups_are_dealt_from_printed_codes_alone(tmp_path: Path, kind: Kind) -> None:
    wanted = Wanted(headless=True, rounds=6, sources=("shoe",))
    studio = deal(wanted, kind, tmp_path)
    assert studio.tally.rounds == 6
    assert studio.tally.voided == 0


def test_coups_are_dealt_from_printed_codes_under_the_camera(tmp_path: Path) -> None:
    wanted = Wanted(headless=True, rounds=2, sources=("shoe", "camera"))
    studio = deal(wanted, Kind.VALUE, tmp_path)
    assert studio.tally.rounds == 2
    assert studio.tally.voided == 0


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        *((fault, Kind.VALUE) for fault in FAULTS),
        *((fault, Kind.UNIQUE) for fault in ("triple_send", "repeat", "unplug")),
    ],
)
def test_whatever_the_reader_does_each_coup_ends_with_all_money_right(
    tmp_path: Path, fault: str, kind: Kind
) -> None:
    faults = (Planned(fault, 1),)
    wanted = Wanted(headless=True, rounds=2, sources=("shoe",), faults=faults)
    studio = headless(wanted, on_printed_codes(wanted, kind, tmp_path))
    assert verify(studio.settings.studio.database).ok
    tally = studio.tally
    assert tally.rounds == 2
    assert tally.staked == tally.returned + tally.refunded + tally.house
    # Without a camera nobody can know that the reader named another card.
    assert tally.misreads == (1 if fault == "wrong_card" else 0)


SIX_CARDS = ("2C", "2D", "KH", "KS", "5C", "5D")
"""A coup in which both hands draw."""


@pytest.mark.parametrize("moment", CARDS)
@pytest.mark.parametrize("fault", ["silence", "unplug"])
def test_a_card_that_the_reader_said_into_the_air_is_keyed_in(
    tmp_path: Path, fault: str, moment: str
) -> None:
    """No second card is drawn for it: the coup is the one that lies on the felt."""
    wanted = Wanted(
        headless=True,
        rounds=2,
        sources=("shoe",),
        faults=(Planned(fault, 1, moment),),
        stacked=("AS", "9H", *SIX_CARDS),  # the first burns one more
    )
    studio = deal(wanted, Kind.VALUE, tmp_path)
    first = studio.lines[0]
    assert (first["injected"], first["state"]) == ([fault], "settled")
    assert [card for _, card in sorted(first["cards"])] == sorted_by_hand(SIX_CARDS)
    told = set(first["faults"])  # a jumping clock may find it late before the loss is noticed
    assert told == {LATE} if fault == "silence" else {LOST} <= told <= {LATE, LOST}
    assert studio.tally.asked == 1


def sorted_by_hand(cards: Sequence[str]) -> list[str]:
    """The six cards of a coup as (hand, card) in order."""
    hands = ("player", "banker", "player", "banker", "player", "banker")
    return [card for _, card in sorted(zip(hands, cards, strict=True))]


@pytest.mark.parametrize("fault", ["silence", "unplug", "unreadable", "noise"])
def test_what_befalls_the_reader_during_a_burn_leaves_the_cards_of_the_coups_right(
    tmp_path: Path, fault: str
) -> None:
    faults = (Planned(fault, 1, BURN),)
    wanted = Wanted(headless=True, rounds=2, seed=3, sources=("shoe",), faults=faults)
    studio = deal(wanted, Kind.VALUE, tmp_path)
    assert [line["injected"] for line in studio.lines] == [[fault], []]
    assert {line["state"] for line in studio.lines} == {"settled"}


def test_noise_between_bare_lines_is_never_a_card(tmp_path: Path) -> None:
    """Without prefix and suffix noise may look like a line: a person says that no card came."""
    faults = (Planned("noise", 1),)
    wanted = Wanted(headless=True, rounds=2, seed=29, sources=("shoe",), faults=faults)
    settings = on_printed_codes(wanted, Kind.VALUE, tmp_path)
    settings = with_shoe(settings, prefix="", suffix="")
    studio = headless(wanted, settings)
    assert verify(settings.studio.database).ok
    assert studio.tally.misreads == 0
    assert studio.tally.settled + studio.tally.voided == 2
