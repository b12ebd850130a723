"""What a film of a table is made of: designs, hands, light, sliding cards, a codec, the truth."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from studio.domain.cards import CUT, HIDDEN, PACK
from vision.layout import Layout
from vision.synthetic import deck
from vision.synthetic.boxes import COLUMNS, ROWS, boxes_layout, in_box
from vision.synthetic.designs import DEMONSTRATION, drawn
from vision.synthetic.film import RATE, SHOE_MM, Film
from vision.synthetic.hand import draw_hand
from vision.synthetic.scene import SLIDE, Scene
from vision.synthetic.video import Video
from vision.synthetic.weather import Weather
from vision.synthetic.world import World


@pytest.mark.parametrize("seed", [1, 5, 11])
def test_the_cards_of_a_drawn_design_all_differ(seed: int) -> None:
    design = drawn(seed)
    codes = (*(card.code for card in PACK), HIDDEN, CUT)
    small = [cv2.resize(deck.printed(code, design), (42, 58)).astype(int) for code in codes]
    for number, one in enumerate(small):
        for other in small[:number]:
            assert np.abs(one - other).max() > 60


def test_designs_follow_from_their_seeds_and_differ_from_each_other() -> None:
    assert drawn(4) == drawn(4)
    assert len({drawn(seed) for seed in range(40)} | {DEMONSTRATION}) == 41
    assert len({drawn(seed).letters for seed in range(40)}) == 5


@pytest.mark.parametrize("seed", range(12))
def test_no_print_of_a_drawn_design_runs_over_the_edge(seed: int) -> None:
    design = drawn(seed)
    for code in ("TH", "TC", "QS", "AD"):
        face = deck.printed(code, design).astype(int)
        rim = np.concatenate([face[:2].reshape(-1, 3), face[:, :2].reshape(-1, 3)])
        assert np.abs(rim - np.asarray(design.paper)).max() <= 2


def test_a_sliding_card_lies_there_only_once_it_is_at_rest(layout: Layout) -> None:
    scene = Scene(layout)
    card = World().lay("P", "7H", face_up=True, sideways=False)
    scene.slide(card, SHOE_MM)
    lying = []
    for _ in range(len(SLIDE) + 1):
        scene.frame()
        lying.append(len(scene.cards))
    assert lying == [*[0] * (len(SLIDE) - 1), 1, 1]
    assert scene.busy  # the hand has not left yet


def test_a_hand_covers_its_point_and_darkens_what_lies_beside_it() -> None:
    felt = np.full((720, 1280, 3), 90, dtype=np.uint8)
    seen = felt.copy()
    draw_hand(seen, 600.0, 300.0, 1.0)
    assert np.abs(seen[280, 600].astype(int) - 90).max() > 30
    darker = (seen.astype(int).max(axis=2) < 85) & (seen.astype(int).max(axis=2) > 53)
    assert np.count_nonzero(darker) > 2_000


def test_the_light_changes_and_follows_from_its_seed(layout: Layout) -> None:
    grey = np.full((layout.image[1], layout.image[0], 3), 120, dtype=np.uint8)
    means = []
    for seed in (1, 1, 2):
        weather = Weather(seed, layout.image, 1.0)
        means.append([float(weather.light(grey, 1.0)[::40, ::40].mean()) for _ in range(90)])
    assert means[0] == means[1] != means[2]
    assert max(means[0]) - min(means[0]) > 12
    assert min(means[0]) > 40


def test_a_video_gives_back_every_frame_a_little_changed(layout: Layout, tmp_path: Path) -> None:
    film = Film(layout, seed=2, cards=1)
    images = [shot.image for shot in film.shots()]
    video = Video(tmp_path, layout.image, RATE)
    back = list(video.through(images))
    assert len(back) == video.frames == len(images)
    for one, other in zip(images[::9], back[::9], strict=True):
        assert 0 < np.abs(one.astype(int) - other).mean() < 8
    assert 0.2 < video.megabits < 20
    assert list(tmp_path.iterdir()) == []


def test_equal_seeds_give_equal_films_and_each_card_is_where_the_truth_says(
    layout: Layout,
) -> None:
    films = [Film(layout, seed=seed, cards=3) for seed in (6, 6, 7)]
    first, again, other = ([*islice(film.shots(), 40)] for film in films)
    assert [shot.truth for shot in first] == [shot.truth for shot in again]
    assert all(np.array_equal(a.image, b.image) for a, b in zip(first, again, strict=True))
    assert [shot.truth for shot in first] != [shot.truth for shot in other]
    empty = first[4].image
    for card in first[-1].truth:
        x, y = (round(each) for each in card.at)
        spot = np.s_[y - 25 : y + 25, x - 25 : x + 25]
        assert np.abs(first[-1].image[spot].astype(int) - empty[spot]).mean() > 40


def test_a_film_deals_so_many_cards_and_each_lies_alone(layout: Layout) -> None:
    seen = {}
    for shot in Film(layout, seed=8, cards=12).shots():
        for card in shot.truth:
            seen[card.key] = card.code
            others = [each for each in shot.truth if each is not card]
            assert all(np.hypot(*np.subtract(card.at, each.at)) > 90 for each in others)
    assert len(seen) == 12


def test_a_felt_of_boxes_has_room_for_cards_apart_and_for_cards_on_each_other() -> None:
    layout = boxes_layout()
    assert len(layout.zones) == COLUMNS * ROWS == 14
    for number, zone in enumerate(layout.zones):
        apart = [in_box(number, 1, "7H", place) for place in range(4)]
        heap = [in_box(number, 1, "7H", place, fanned=True) for place in range(5)]
        assert all(zone.holds(card.x, card.y) for card in (*apart, *heap))
        for one, other in ((a, b) for at, a in enumerate(apart) for b in apart[:at]):
            assert abs(one.x - other.x) >= 74 or abs(one.y - other.y) >= 100
        assert np.hypot(heap[1].x - heap[0].x, heap[1].y - heap[0].y) < 40
    corners = layout.to_mm([(0, 0), (layout.image[0], layout.image[1])])
    assert np.abs(corners).max() < 1400
