"""The synthetic table: where cards land, what the faults do, what a frame is made of."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from studio.domain.cards import CUT, HIDDEN, PACK
from vision.layout import Layout, LayoutError
from vision.synthetic import deck
from vision.synthetic.felts import ground_of
from vision.synthetic.scene import Scene, decode, encode
from vision.synthetic.world import World


def lay(world: World, zone: str, code: str, *, sideways: bool = False) -> int:
    return world.lay(zone, code, face_up=True, sideways=sideways).place


def test_the_same_seed_lays_the_same_table() -> None:
    one, other = World(4), World(4)
    for code in ("7H", "KS"):
        assert one.lay("P", code, face_up=True, sideways=False) == other.lay(
            "P", code, face_up=True, sideways=False
        )


def test_cards_take_the_next_free_place_and_a_sideways_one_the_wide_one() -> None:
    world = World()
    assert lay(world, "P", "7H") == 0
    assert lay(world, "P", "8H", sideways=True) == 2
    assert lay(world, "P", "9H") == 1
    world.take("P", 0)
    assert lay(world, "P", "2C") == 0
    assert [card.code for card in world.in_zone("P")] == ["8H", "9H", "2C"]


def test_every_place_lies_in_its_zone_and_cards_never_touch(layout: Layout) -> None:
    for zone in layout.zones:
        spots = ground_of(layout.game).places(zone.id)
        assert len(spots) == zone.slots
        for number, (x, y) in enumerate(spots):
            assert zone.holds(x, y)
            for other_x, other_y in spots[:number]:
                assert abs(x - other_x) >= 74 or abs(y - other_y) >= 100


def test_the_rack_takes_any_number_of_cards() -> None:
    world = World()
    for card in PACK:
        assert lay(world, "DISCARD", card.code) == -1
    assert len(world.clear("DISCARD")) == 52


def test_a_game_without_a_felt_is_refused_in_words() -> None:
    with pytest.raises(LayoutError, match="no felt for 'poker': it has baccarat and blackjack"):
        ground_of("poker")


def test_all_faces_back_and_cut_card_differ() -> None:
    images = [deck.printed(code) for code in (*(card.code for card in PACK), HIDDEN, CUT)]
    small = [cv2.resize(image, (42, 58)).astype(int) for image in images]
    for number, one in enumerate(small):
        for other in small[:number]:
            assert np.abs(one - other).max() > 60


def test_a_card_looks_the_same_from_both_ends_but_for_the_pips_of_the_suit() -> None:
    for code in ("4D", "TD", "KH", "QS"):
        image = deck.printed(code).astype(int)
        assert np.abs(image - image[::-1, ::-1]).mean() < 6


def test_photographs_replace_the_faces(layout: Layout, tmp_path: Path) -> None:
    blue = np.full((88, 63, 3), (250, 60, 20), dtype=np.uint8)
    cv2.imwrite(str(tmp_path / "7H.png"), blue)
    scene = Scene(layout, photos=tmp_path)
    card = World().lay("P", "7H", face_up=True, sideways=False)
    scene.put(card, by_hand=False)
    x, y = layout.to_pixels([(card.x, card.y)])[0].round().astype(int)
    pixel = scene.frame()[y, x]
    assert pixel[0] > 200
    assert pixel[2] < 60


def test_a_folder_without_photographs_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no card images named like 7H"):
        deck.photographed(tmp_path)


def test_removing_a_card_leaves_the_felt_as_it_was(layout: Layout) -> None:
    scene, world = Scene(layout), World()
    before = scene._clean.copy()
    cards = [world.lay("DISCARD", code, face_up=False, sideways=False) for code in ("7H", "8H")]
    for card in cards:
        scene.put(card, by_hand=False)
    scene.remove([cards[0].key], by_hand=False)
    assert not np.array_equal(scene._clean, before)
    scene.remove([cards[1].key], by_hand=False)
    assert np.array_equal(scene._clean, before)


def test_no_two_frames_are_alike_and_the_light_drifts(layout: Layout) -> None:
    scene = Scene(layout)
    frames = [scene.frame() for _ in range(2)]
    assert not np.array_equal(*frames)
    for _ in range(180):
        late = scene._sensor(scene._clean)
    assert late.mean() - frames[0].mean() > 0.5


def test_a_hand_reaches_in_for_two_frames(layout: Layout) -> None:
    scene = Scene(layout)
    scene.put(World().lay("P", "7H", face_up=True, sideways=False))
    busy = []
    for _ in range(3):
        busy.append(scene.busy)
        scene.frame()
    assert busy == [True, True, False]


def test_a_frame_is_compressed_and_decompressed(layout: Layout) -> None:
    image = Scene(layout).frame()
    body = encode(image)
    again = decode(body)
    assert again is not None
    assert 20_000 < len(body) < 400_000
    assert 0 < np.abs(image.astype(int) - again).mean() < 4
    assert decode(b"torn") is None
