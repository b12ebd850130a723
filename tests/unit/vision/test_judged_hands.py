"""What the hands of the judging are, and what counts as told of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from studio.domain.cards import Card
from studio.domain.observations import Look, SeenCard, ZoneSeen
from vision.judging.bench import BOXES, HANDS, Bench
from vision.judging.hands import FIRST_MM, MOST, STEPS_MM
from vision.locate import rounded, window
from vision.synthetic.world import Laid

if TYPE_CHECKING:
    from tests.unit.vision.conftest import PatternReader


@pytest.fixture
def bench(pattern_reader: PatternReader) -> Bench:
    return Bench(pattern_reader, None, 1)


@pytest.mark.parametrize("step", STEPS_MM)
@pytest.mark.parametrize("lean", [-8.0, 0.0, 8.0])
def test_the_longest_hand_stays_in_what_is_looked_at_of_its_box(
    bench: Bench, step: tuple[float, float], lean: float
) -> None:
    for box in (0, BOXES - 1):
        seen = window(bench.layout, bench.layout.zones[box])
        for at in range(MOST):
            x, y = (first + at * each for first, each in zip(FIRST_MM, step, strict=True))
            quad = bench.scene.quad(bench.place(box, "7C", x, y, lean))
            assert (quad > (seen.x0 + 1, seen.y0 + 1)).all()
            assert (quad < (seen.x1 - 1, seen.y1 - 1)).all()


def zone_with(bench: Bench, card: Laid, code: str, *, sure: bool = True) -> ZoneSeen:
    """A zone at rest in which such a card is seen where one lies."""
    quad = rounded(bench.scene.quad(card))
    seen = SeenCard(
        track=1, look=Look.FACE, card=Card.parse(code), sure=sure, confidence_milli=990,
        second=None, quad=quad,
    )  # fmt: skip
    return ZoneSeen(zone=card.zone, settled=True, cards=(seen,))


def heard(bench: Bench, monkeypatch: pytest.MonkeyPatch, *after: list[ZoneSeen]) -> str:
    """The verdict on the one card that lies there, by what its zone says at rest in each frame."""
    bench.scene.remove([card.key for card in bench.scene.cards], by_hand=False)
    told: list[list[ZoneSeen]] = [[] for _ in range(HANDS)]
    told += after
    monkeypatch.setattr(Bench, "_look", lambda *_: told)
    (said,) = bench.lay([card_in(bench)], Path())
    return said.verdict


def card_in(bench: Bench) -> Laid:
    return bench.place(0, "7C", 60, 80, 0)


def test_what_a_zone_told_at_rest_stands_though_a_shadow_passes_over_it_later(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_rest = [zone_with(bench, card_in(bench), "7C")]
    assert heard(bench, monkeypatch, [], at_rest, [], []) == "right"


def test_the_last_word_of_a_zone_counts_and_a_wrong_one_at_any_time(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = card_in(bench)
    right, doubtful = zone_with(bench, card, "7C"), zone_with(bench, card, "7C", sure=False)
    gone = ZoneSeen(zone=card.zone, settled=True)
    assert heard(bench, monkeypatch, [right], [doubtful]) == "unsure"
    assert heard(bench, monkeypatch, [right], [gone], []) == "missed"
    assert heard(bench, monkeypatch, [zone_with(bench, card, "7D")], [right]) == "wrong"


def test_a_zone_that_never_rests_tells_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert heard(bench, monkeypatch, [], []) == "missed"
