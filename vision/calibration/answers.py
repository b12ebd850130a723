"""The state of a calibration as a page and the command line are given it: JSON values only."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.calibration import lens as optics
from vision.calibration import zones as felt
from vision.calibration.lens import WANTED_VIEWS
from vision.calibration.words import Sentence, say
from vision.calibration.work import (
    LensBy,
    Step,
    Work,
    lens_sentence,
    odd_size,
    plane_known,
    plane_sentence,
    to_try,
    try_sentence,
    zone_faults,
    zones_sentence,
)
from vision.layout import MAX_RESIDUAL_MM, Layout

Faults = Mapping[str, Sentence | None]


def points(array: NDArray[np.float64] | Sequence[Sequence[float]], digits: int = 1) -> list[Any]:
    """Points as JSON has them."""
    flat = np.asarray(array, dtype=np.float64).reshape(-1, 2)
    return [[round(float(x), digits), round(float(y), digits)] for x, y in flat]


def state(
    work: Work, step: Step, camera: Sentence, view: Sentence, board: NDArray[np.float64]
) -> dict[str, Any]:
    """Everything but what a caller adds of files and undoing.

    `camera` and `view` say what the newest frame is like, and what it shows of the board.
    """
    layout = work.layout()
    faults = zone_faults(work, layout) if layout is not None else {}
    lacks = missing(work, faults, layout)
    return {
        "game": work.game,
        "step": step.value,
        "version": work.version,
        "steps": steps(work, camera, faults, layout),
        "lens": _lens(work, view, board),
        "plane": _plane(work),
        "zones": [] if layout is None else _zones(work, layout, faults),
        "cards": [
            {"card": each.card, "sure": each.sure, "zone": each.zone, "quad": points(each.quad)}
            for each in work.cards
        ],
        "verdict": verdict(work, camera, faults, layout),
        "save": {
            "allowed": not lacks,
            "version": work.version + 1,
            "missing": [each.body() for each in lacks],
        },
        "saved": None,
    }


def steps(
    work: Work, camera: Sentence, faults: Faults, layout: Layout | None
) -> list[dict[str, Any]]:
    """The column of steps: what is done, a figure, and a sentence."""
    size = "" if work.size is None else f"{work.size[0]} × {work.size[1]}"
    good = work.size is not None and camera.code in {"camera_good", "camera_small"}
    lens = "" if work.found is None else f"{work.found.rms_px:.2f} px"
    plane = "" if work.plane is None else f"{work.plane.residual_mm:.2f} mm"
    fit = [zone.id for zone in work.zones if zone.id in work.placed and not faults.get(zone.id)]
    wanted = to_try(work)
    done = [zone for zone in wanted if zone in work.tried]
    tried = try_sentence(work, layout)
    views = [min(len(work.views), WANTED_VIEWS), WANTED_VIEWS]
    few = [min(len(work.markers) + len(work.clicks), 4), 4]
    rows: list[tuple[Step, bool, str, Sentence, list[int]]] = [
        (Step.CAMERA, good, size, camera, [int(good), 1]),
        (Step.LENS, work.lens_known, lens, lens_sentence(work), views),
        (Step.PLANE, plane_known(work), plane, plane_sentence(work), few),
        (
            Step.ZONES,
            bool(work.zones) and len(fit) == len(work.zones),
            "",
            zones_sentence(work, faults),
            [len(fit), len(work.zones)],
        ),
        (Step.TRY, tried.code == "try_good", "", tried, [len(done), len(wanted)]),
    ]
    return [
        {
            "id": name.value,
            "done": is_done,
            "figure": figure,
            "sentence": sentence.body(),
            "count": count,
        }
        for name, is_done, figure, sentence, count in rows
    ]


def missing(work: Work, faults: Faults, layout: Layout | None) -> list[Sentence]:
    """What still stands in the way of keeping the layout."""
    if not work.lens_known:
        return [say("save_lens")]
    if not plane_known(work) or layout is None:
        return [say("save_plane")]
    lacks = []
    wrong = sum(each is not None for each in faults.values())
    left = sum(zone.id not in work.placed for zone in work.zones)
    untried = sum(zone not in work.tried for zone in to_try(work))
    odd = next((odd for card in work.cards if (odd := odd_size(layout, card))), None)
    if wrong:
        lacks.append(say("save_mend", count=wrong))
    if left or not work.zones:
        lacks.append(say("save_place", count=left))
    if untried:
        lacks.append(say("save_try", count=untried))
    if odd is not None:
        lacks.append(odd)
    return lacks


def verdict(work: Work, camera: Sentence, faults: Faults, layout: Layout | None) -> dict[str, Any]:
    """One word and why."""
    rows = steps(work, camera, faults, layout)
    lacks = missing(work, faults, layout)
    figures = _figures(work, layout)
    bad = [
        sentence
        for sentence in (
            work.plane_fault if work.plane is not None else None,
            lens_sentence(work) if lens_sentence(work).code == "lens_bad" else None,
            *faults.values(),
        )
        if sentence is not None
    ]
    if not lacks:
        word, sentences = "good", [say("verdict_ready", **figures)] if figures else []
    elif bad:
        word, sentences = "bad", bad[:1]
    elif not any(row["done"] for row in rows[1:]):
        word, sentences = "begin", [_next(work, camera, faults, layout)]
    else:
        word, sentences = "almost", [_next(work, camera, faults, layout)]
        if figures:
            sentences.append(say("verdict_far", **figures))
    told = [say(f"verdict_{word}"), *sentences]
    return {"word": word, "sentences": [each.body() for each in told]}


def _next(work: Work, camera: Sentence, faults: Faults, layout: Layout | None) -> Sentence:
    """The sentence of the first step that is not done."""
    said = (
        camera,
        lens_sentence(work),
        plane_sentence(work),
        zones_sentence(work, faults),
        try_sentence(work, layout),
    )
    rows = steps(work, camera, faults, layout)
    return next((said[at] for at, row in enumerate(rows) if not row["done"]), said[-1])


def _figures(work: Work, layout: Layout | None) -> dict[str, Any]:
    """The two figures that decide: the worst error, and the smallest card."""
    if work.plane is None or layout is None or not work.zones:
        return {}
    widths = [felt.card_px(layout, zone) for zone in work.zones if zone.slots]
    return {
        "worst": f"{work.plane.worst.error_mm:.2f}",
        "limit": f"{MAX_RESIDUAL_MM:.2f}",
        "card": int(min(widths)),
        "wanted": round(felt.WANTED_PX),
    }


def _lens(work: Work, view: Sentence, board: NDArray[np.float64]) -> dict[str, Any]:
    size = work.size or (1280, 720)
    return {
        "views": len(work.views),
        "wanted": WANTED_VIEWS,
        "rms_px": None if work.found is None else round(work.found.rms_px, 2),
        "limit_px": round(optics.limit_px(size), 2),
        "skipped": work.lens_by is LensBy.SKIPPED,
        "kept": work.lens_by in {LensBy.KEPT, LensBy.FILE},
        "parts": optics.coverage(work.views, size),
        "board": points(board),
        "sentence": view.body(),
    }


def _plane(work: Work) -> dict[str, Any]:
    plane = work.plane
    errors = {} if plane is None else {each.name: each.error_mm for each in plane.things}
    return {
        "markers": [
            {
                "name": str(each.number),
                "px": points(each.corners.mean(axis=0))[0],
                "quad": points(each.corners),
                "mm": _rounded(errors.get(str(each.number))),
            }
            for each in work.markers
        ],
        "points": [
            {
                "name": each.name,
                "px": points([each.px])[0],
                "at_mm": list(each.mm),
                "mm": _rounded(errors.get(each.name)),
            }
            for each in work.clicks
        ],
        "residual_mm": None if plane is None else round(plane.residual_mm, 2),
        "worst": "" if plane is None else plane.worst.name,
        "limit_mm": MAX_RESIDUAL_MM,
    }


def _zones(work: Work, layout: Layout, faults: Faults) -> list[dict[str, Any]]:
    out = []
    for zone in work.zones:
        wrong = faults.get(zone.id)
        out.append(
            {
                "id": zone.id,
                "slots": zone.slots,
                "placed": zone.id in work.placed,
                "tried": zone.id in work.tried,
                "chosen": zone.id == work.chosen,
                "polygon_mm": points(zone.polygon_mm, 2),
                "polygon_px": points(layout.to_pixels(zone.polygon_mm)),
                "outline_px": points(felt.outline_px(layout, zone)),
                "handles_px": points(layout.to_pixels(felt.handles(zone))),
                "size_mm": list(felt.size_mm(zone)),
                "card_px": round(felt.card_px(layout, zone), 1),
                "wanted_px": round(felt.WANTED_PX),
                "fault": None if wrong is None else wrong.body(),
            }
        )
    return out


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
