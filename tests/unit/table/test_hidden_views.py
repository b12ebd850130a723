"""What people see of a hold is the same whichever card lies face down, in every profile."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import observations as o
from studio.games.procedure import Peek, Reveal
from studio.storage.codec import default_codec
from studio.table.profiles import PROFILES
from studio.table.turn import due
from tests.support.shared import SharedRig
from tests.unit.table.test_hidden import everything_shown

BOTH = ("shoe", "camera")
Mishap = Callable[[SharedRig], None]


def called(rig: SharedRig) -> None:
    """The dealer calls."""
    rig.give(c.CallSupervisor())


def unplugged(rig: SharedRig) -> None:
    """The shoe is gone."""
    rig.give(o.DeviceOffline(device="shoe", at_us=rig.at_us, reason="unplugged"))


def stopped(rig: SharedRig) -> None:
    """The studio stood still."""
    rig.restart()


def stray(rig: SharedRig) -> None:
    """A card comes that nobody waits for."""
    rig.read("2C")
    rig.lay("D", "2C")
    rig.wait(10)


MISHAPS = (called, unplugged, stopped, stray)


def seen(profile: str, hole: str, stage: str, mishap: Mishap, sources: tuple[str, ...]) -> str:
    """All that is shown of a hold at a stage of a round with this hole card."""
    rig = SharedRig(sources=sources)
    rig.setup = replace(rig.setup, profile=profile)
    rig.seated(ann=1000, bob=700)
    rig.cards(f"8S {'KD' if stage == 'peek' else '6D'} 9C {hole}")
    if stage == "peek":
        assert isinstance(due(rig.setup, rig.table), Peek)
    if stage == "turn":
        rig.answer("ann M stand", "bob M stand")
        assert isinstance(due(rig.setup, rig.table), Reveal)
    mishap(rig)
    shown = everything_shown(rig)
    for event, _ in rig.events:
        for sealed in default_codec().encode(event).sealed:
            shown = shown.replace(sealed.digest, "digest")
    return shown


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("mishap", MISHAPS)
@pytest.mark.parametrize(
    ("stage", "holes"), [("peek", "AC 9H"), ("choose", "TC 5H"), ("turn", "TC 5H")]
)
def test_a_hold_shows_the_same_whichever_card_lies_face_down(
    profile: str, mishap: Mishap, stage: str, holes: str
) -> None:
    """Neither what each answer would lead to, nor what a void would return, tells it."""
    one, other = holes.split()
    assert seen(profile, one, stage, mishap, BOTH) == seen(profile, other, stage, mishap, BOTH)
