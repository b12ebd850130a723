"""A demonstration whose shoe has a reader of printed codes: simulated people need nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.text_codes import Kind, as_csv, example
from studio.settings import Settings, ShoeSettings
from studio.simulate.demo import DemoStudio, Wanted, headless, settings_of
from studio.storage.verify import verify


def on_printed_codes(wanted: Wanted, kind: Kind, folder: Path) -> Settings:
    """The demonstration's own configuration, with the other driver."""
    table = folder / "codes.csv"
    table.write_text(as_csv(example(kind), kind))
    settings = settings_of(wanted, f"sqlite:///{folder / 'demo.db'}")
    shoe = ShoeSettings(
        driver="serial-text",
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
