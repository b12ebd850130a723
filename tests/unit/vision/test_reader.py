"""The reader loads what was committed, says what it said when it was made, and knows its limits."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from studio.domain.cards import Card
from vision.reader import (
    CARDS,
    CROP,
    HIDDEN,
    MODELS,
    CardKind,
    Crop,
    General,
    ModelsUnfit,
    Reader,
    Reading,
    Votes,
    fuse,
)
from vision.training import golden

ACE_OF_CLUBS = CARDS.index(Card.parse("AC"))
KING_OF_SPADES = CARDS.index(Card.parse("KS"))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def votes_for(w: int, first: int, second: int, *, seen: tuple[float, float] = (9, 9)) -> Votes:
    """Votes in which each net is convinced of one card (places among CARDS)."""
    whole = np.full((1, 22), -9, np.float32)
    whole[0, [w // 4, 13 + w % 4, 17]] = 9
    corners = np.full((1, 2, 18), -9, np.float32)
    for at, place in enumerate((first, second)):
        corners[0, at, [place // 4, 13 + place % 4]] = 9
        corners[0, at, 17] = seen[at]
    return Votes(
        w=whole,
        i=corners,
        w_hidden=np.zeros((1, HIDDEN), np.float32),
        i_hidden=np.zeros((1, 2, HIDDEN), np.float32),
    )


def test_the_nets_say_to_the_golden_pictures_what_they_said_when_they_were_exported(
    reader: Reader,
) -> None:
    stored = json.loads((MODELS / "golden.json").read_text(encoding="utf-8"))
    votes = reader.votes(golden.pictures())
    assert stored["seed"] == golden.SEED
    np.testing.assert_allclose(votes.w, np.array(stored["w"]), atol=stored["tolerance"])
    np.testing.assert_allclose(votes.i, np.array(stored["i"]), atol=stored["tolerance"])


def test_many_crops_are_read_as_each_would_be_alone(reader: Reader) -> None:
    crops = golden.pictures()
    together = reader.read(crops)
    alone = [reader.read([crop])[0] for crop in crops]
    assert [reading.card for reading in together] == [reading.card for reading in alone]
    assert [reading.confidence for reading in together] == pytest.approx(
        [reading.confidence for reading in alone], abs=1e-3
    )


def test_features_are_what_the_answer_is_drawn_from(reader: Reader) -> None:
    votes = reader.votes(golden.pictures())
    count = len(golden.pictures())
    assert votes.w_hidden.shape == (count, HIDDEN)
    assert votes.i_hidden.shape == (count, 2, HIDDEN)
    assert float(votes.w_hidden.min()) >= 0
    assert float(votes.i_hidden.min()) >= 0
    assert float(np.abs(votes.w_hidden[0] - votes.w_hidden[1]).max()) > 0.1


class Doubter:
    """An enrolled deck that knows none of the cards."""

    def settled(self, reading: Reading, votes: Votes, at: int) -> Reading:
        assert votes.w_hidden[at].shape == (HIDDEN,)
        return replace(reading, sure=False, confidence=0.25)

    def compared(self, crop: Crop, reading: Reading, general: General, votes: Votes) -> Reading:
        assert (crop.shape, general.cards.shape, len(votes.w)) == ((*CROP, 3), (52,), 1)
        return reading


def test_an_enrolled_deck_has_the_last_word() -> None:
    readings = Reader(deck=Doubter()).read(golden.pictures())
    assert [reading.confidence for reading in readings] == [0.25] * 4
    assert not any(reading.sure for reading in readings)


def test_a_second_look_is_about_the_crop_as_it_was_given(reader: Reader) -> None:
    crops = golden.pictures()
    turned = [np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops]
    again, first = reader.votes(crops, again=True), reader.votes(turned)
    np.testing.assert_allclose(again.w[:, :21], first.w[:, :21], atol=golden.TOLERANCE)
    np.testing.assert_allclose(again.w[:, 21], -first.w[:, 21], atol=golden.TOLERANCE)


class FaceAtFirst(Reader):
    """Takes every crop for a face that is unsure, and counts the looks."""

    looks = 0

    def votes(self, crops: Sequence[Crop], *, again: bool = False) -> Votes:
        self.looks += 1
        votes = votes_for(ACE_OF_CLUBS, ACE_OF_CLUBS, KING_OF_SPADES)
        if again:
            votes.i[0, 1] = 3 * votes.i[0, 0]
        return votes


def test_a_doubtful_face_is_looked_at_once_more_and_the_mean_decides() -> None:
    reader = FaceAtFirst()
    reading = reader.read(golden.pictures()[:1])[0]
    assert reader.looks == 2
    assert (reading.card, reading.sure) == (Card.parse("AC"), True)


def test_no_crop_gives_no_reading(reader: Reader) -> None:
    assert reader.read([]) == []


def test_bare_felt_is_never_a_card_that_is_sure(reader: Reader) -> None:
    rng = np.random.default_rng(5)
    felt = np.clip(rng.normal((60, 100, 20), 6, (176, 126, 3)), 0, 255).astype(np.uint8)
    reading = reader.read([felt])[0]
    assert not (reading.kind is CardKind.FACE and reading.sure)


def test_a_crop_of_another_size_is_refused_in_one_sentence(reader: Reader) -> None:
    with pytest.raises(ValueError, match=r"give bytes of shape \(176, 126, 3\)"):
        reader.read([np.zeros((88, 64, 3), np.uint8)])


def test_three_votes_for_one_card_are_sure(reader: Reader) -> None:
    fused = reader.fused(votes_for(*[ACE_OF_CLUBS] * 3))
    reading = reader.decide(fused, 0)
    assert (reading.card, reading.sure) == (Card.parse("AC"), True)


def test_suits_are_tempered_by_a_temperature_of_their_own() -> None:
    votes = votes_for(*[ACE_OF_CLUBS] * 3)
    votes.w[0, 16] = votes.i[0, :, 16] = 8.5
    same, apart = fuse(votes, 2.0), fuse(votes, 2.0, suits=6.0)
    clubs, spades = ACE_OF_CLUBS, CARDS.index(Card.parse("AS"))
    assert same.cards[0, clubs] > apart.cards[0, clubs] > apart.cards[0, spades]
    assert apart.cards[0, spades] > same.cards[0, spades]
    ranks = [fused.cards[0].reshape(13, 4).sum(axis=1) for fused in (same, apart)]
    np.testing.assert_allclose(ranks[0], ranks[1], atol=1e-9)


def test_an_index_that_contradicts_makes_it_unsure(reader: Reader) -> None:
    fused = reader.fused(votes_for(ACE_OF_CLUBS, ACE_OF_CLUBS, KING_OF_SPADES))
    assert not reader.decide(fused, 0).sure


def test_indices_without_the_whole_card_are_unsure(reader: Reader) -> None:
    fused = reader.fused(votes_for(KING_OF_SPADES, ACE_OF_CLUBS, ACE_OF_CLUBS))
    assert not reader.decide(fused, 0).sure


def test_the_whole_card_without_any_index_is_unsure(reader: Reader) -> None:
    votes = votes_for(ACE_OF_CLUBS, ACE_OF_CLUBS, ACE_OF_CLUBS, seen=(-9, -9))
    assert not reader.decide(reader.fused(votes), 0).sure


def test_one_index_suffices_when_the_other_is_covered(reader: Reader) -> None:
    votes = votes_for(ACE_OF_CLUBS, ACE_OF_CLUBS, KING_OF_SPADES, seen=(9, -9))
    assert reader.decide(reader.fused(votes), 0).sure


def test_a_back_on_which_an_index_is_seen_is_unsure(reader: Reader) -> None:
    votes = votes_for(*[ACE_OF_CLUBS] * 3)
    votes.w[0, 17:19] = (-9, 9)
    reading = reader.decide(reader.fused(votes), 0)
    assert (reading.kind, reading.sure) == (CardKind.OTHER, False)


@pytest.mark.parametrize("name", ["w.onnx", "reader.json"])
def test_a_missing_file_is_told_in_one_sentence(tmp_path: Path, name: str) -> None:
    folder = shutil.copytree(MODELS, tmp_path / "models")
    (folder / name).unlink()
    with pytest.raises(ModelsUnfit, match="install the package again"):
        Reader(folder)


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    folder = shutil.copytree(MODELS, tmp_path / "models")
    with (folder / "i.onnx").open("ab") as weights:
        weights.write(b"\0")
    with pytest.raises(ModelsUnfit, match="have been changed"):
        Reader(folder)


def test_weights_of_another_format_are_refused(tmp_path: Path) -> None:
    folder = shutil.copytree(MODELS, tmp_path / "models")
    (folder / "reader.json").write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(ModelsUnfit, match="another format"):
        Reader(folder)


def test_the_models_stay_small() -> None:
    assert sum(path.stat().st_size for path in MODELS.iterdir()) < 2_500_000
