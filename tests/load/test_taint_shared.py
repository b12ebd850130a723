"""No word that leaves the studio names the hole card, or tells the secret look, before its time.

A whole studio is served: screens of every audience listen, everybody signs in, a platform is told
by webhook and reads by signed calls, a shoe speaks over its wire, and a camera keeps pictures on
which the open cards can be read as text. All of it is searched (RULES.md D-02, DESIGN.md 7).
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog

from studio.domain.cards import Card
from studio.games.procedure import Peek, Reveal
from studio.logs import LogForm, set_up
from tests.support.outside import Outside
from tests.support.shared_house import SharedHouse
from tests.support.taint import leaks, naming

NATURAL, NONE = "AH", "QH"
"""Hole cards under a king: no other card of the shoe has their ranks."""
SECRET_LOOK = r"(?i:\bnatural\W{1,4}(true|false)\b)"
NAMED = naming(NATURAL, NONE)
TOLD = naming(NATURAL, NONE, more=SECRET_LOOK)

Make = Callable[..., SharedHouse]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Opens a house; it is closed at the end."""
    said = io.StringIO()
    handlers, level = logging.getLogger().handlers[:], logging.getLogger().level
    set_up(form=LogForm.JSON, level="DEBUG", stream=said)
    opened: list[SharedHouse] = []
    with Outside(tmp_path) as outside:

        def make_one(*sources: str, late: bool = False) -> SharedHouse:
            house = SharedHouse(
                tmp_path, said, sources, patch=monkeypatch, outside=outside, late=late
            )
            opened.append(house)
            return house

        yield make_one
        for house in opened:
            house.close()
    logging.getLogger().handlers[:] = handlers
    logging.getLogger().setLevel(level)
    structlog.reset_defaults()


def named_now(house: SharedHouse) -> set[str]:
    """Where the card is named once it was turned: the search would find it if it were there."""
    house.studio.flush()
    house.told()
    assert house.studio.journal is not None
    (stream,) = house.studio.journal.streams()
    said = {
        "view": house.studio.view(house.name, "dealer"),
        "journal": list(house.studio.journal.read(stream)),
        "feed": house.studio.journal.feed(house.name),
        "webhook": list(house.outside.server.heard),
    }
    return {where for where, what in said.items() if leaks(NAMED, where, repr(what))}


def test_the_search_finds_a_card_and_an_answer() -> None:
    for text in ('"card":"AH"', "D:QH", "an Ace of Hearts", repr(Card.parse("AH"))):
        assert leaks(NAMED, "here", text), text
    for text in ('{"natural":true}', "natural=False"):
        assert leaks(TOLD, "here", text), text
    for text in ("AHA", "a natural", '"peek":true', "aQH9", repr(Card.parse("AD"))):
        assert not leaks(TOLD, "here", text), text


@pytest.mark.parametrize("late", [False, True])
def test_a_hole_card_that_a_reader_names_is_told_by_nothing_before_its_turn(
    make: Make, late: bool
) -> None:
    """A reader in the shoe names it as it comes, one beneath the table a moment later."""
    house = make("shoe", late=late)
    house.begin("8S", "KD", "9C", NATURAL)
    house.wait(1.0)
    assert isinstance(house.due, Peek)
    assert house.found(TOLD) == []
    house.do("CallSupervisor", "1001")
    house.wait(5.0)
    assert {item.kind for item in house.kept()} == {"wire"}
    assert house.found(TOLD) == []
    house.answer("AcknowledgeFault")
    house.wait(1.0)
    assert isinstance(house.due, Reveal), "there is a natural: nobody is asked"
    assert house.found(NAMED) == []
    house.do("ConfirmStep")
    assert named_now(house) == {"view", "journal", "feed", "webhook"}


@pytest.mark.parametrize("lifted", ["QH", "??"])
def test_what_the_camera_sees_of_a_lifted_hole_card_is_told_by_nothing_before_its_turn(
    make: Make, lifted: str
) -> None:
    """Neither the fact, nor the fault, nor its pictures, nor the newest picture."""
    house = make("shoe", "camera")
    house.begin("8S", "KD", "9C", NONE)
    house.to_decisions()
    eye = house.eyes[0]
    eye.turn("D", 1, lifted)
    if lifted == "??":
        house.do("CallSupervisor", "1001")
        eye.open.add(NONE)  # a person who looks at the picture may read what the eye could not
        eye.show()
    house.worker.until(lambda _desk: house.held)
    house.wait(5.0)
    kinds = {item.name: item.kind for item in house.kept()}
    assert {"wire", "hidden"} == set(kinds.values())
    assert house.found(NAMED) == []
    name = [name for name, kind in kinds.items() if kind == "hidden"][-1]
    address = f"/evidence/{house.name}/{house.fault()}/{name}"
    assert house.page(address, "5001").status_code == 409
    eye.cover("D", 1, NONE)
    house.answer("AcceptAsDealt" if lifted == NONE else "AcknowledgeFault")
    house.stand()
    assert house.found(NAMED) == []
    eye.turn("D", 1, NONE)
    house.worker.until(lambda _desk: not isinstance(house.due, Reveal))
    assert NONE.encode() in house.page(address, "5001").data
    assert named_now(house) == {"view", "journal", "feed", "webhook"}


@pytest.mark.parametrize("natural", [True, False])
def test_what_a_dealer_says_of_the_hole_card_is_told_by_nothing_before_the_instant(
    make: Make, natural: bool
) -> None:
    """The camera alone knows cards; nobody knows this one until it is keyed in for two people."""
    house = make("camera")
    house.begin("8S", "KD", "9C", NATURAL)
    house.do("AnswerPeek", "1001", natural=natural)
    house.wait(1.0)
    assert isinstance(house.due, Peek)
    assert house.found(TOLD) == []
    house.wait(1.0)
    if natural:
        assert isinstance(house.due, Reveal)
        house.eyes[0].turn("D", 1, NATURAL)
        house.worker.until(lambda _desk: not isinstance(house.due, Reveal))
        assert named_now(house) == {"view", "journal", "feed", "webhook"}
        return
    house.stand()
    house.eyes[0].turn("D", 1, "??")
    house.wait(10.0)
    fault = house.fault()
    house.do("KeyInCard", fault=fault, reason="reason.card_identity", card=NONE)
    approval = house.worker.desk.table().approval
    assert approval is not None
    assert house.found(NAMED) == []
    house.do("Approve", "3001", approval=approval.id)
    assert named_now(house) == {"view", "journal", "feed", "webhook"}
