"""The HTML report: every wrong, unsure and missed card as a picture.

One file that needs nothing else. The photographs belong to others: a report with their pictures
stays on the machine on which it was made.
"""

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.judging.photos import Failure, Judged
from vision.judging.tables import Line, Tally, tallies, verdicts
from vision.judging.units import Failed
from vision.judging.whole import Sum

THUMB: Final = 200
"""The longer side of a picture in the report, in pixels."""
ORDER: Final = ("wrong", "unsure", "missed")
WORDS: Final = {
    "wrong": "Wrong and sure",
    "unsure": "Found, and asked about",
    "missed": "Not found",
}
COUNTED: Final = "Right and sure, wrong and sure, asked: as multisets of codes in each picture."
STYLE: Final = """
:root{color-scheme:light dark;--line:#8884}
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:78rem;padding:0 1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;width:100%}
th,td{border-bottom:1px solid var(--line);padding:.3rem .5rem;text-align:left}
.n{text-align:right}.bad{color:#c22;font-weight:600}.good{color:#2a7;font-weight:600}
section>div{display:flex;flex-wrap:wrap;gap:.8rem}
figure{margin:0;width:13rem;border:1px solid var(--line);border-radius:.4rem;padding:.4rem}
figure.wrong{border:2px solid #c22}img{display:block;margin:auto;max-width:100%}
figcaption{font-size:.82rem;margin-top:.3rem;overflow-wrap:anywhere}
"""


def page(
    judged: Sequence[Judged],
    blind: Sequence[str],
    version: str,
    simulated: Mapping[str, Sum] | None = None,
    more: Sequence[Line] = (),
) -> str:
    """The whole report; of the sets in `blind` only the numbers.

    `simulated` are the rows of the simulated camera with their failures, `more` their lines.
    """
    counted = tallies(judged)
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>How well the eye sees</title>",
        f"<style>{STYLE}</style><h1>How well the eye sees</h1>",
        f"<p>Weights {escape(version)}. {COUNTED}</p>",
        _verdicts([*verdicts(judged), *more]),
    ]
    if counted:
        parts += ["<h2>Sets</h2>", _sets(counted)]
    for name in counted:
        here = [one for one in judged if one.photo.set == name]
        failures = [failure for one in here for failure in one.failures]
        if not failures:
            continue
        parts.append(f"<h2>{escape(name)}</h2>")
        if name in blind:
            parts.append(f"<p>Held out: {len(failures)} failures, not shown.</p>")
            continue
        for verdict in ORDER:
            shown = [failure for failure in failures if failure.verdict == verdict]
            if shown:
                parts.append(f"<section><h3>{WORDS[verdict]}: {len(shown)}</h3><div>")
                parts.extend(_figure(failure) for failure in shown)
                parts.append("</div></section>")
    for name, one in (simulated or {}).items():
        parts += _simulated(name, one)
    return "\n".join(parts)


def _simulated(name: str, one: Sum) -> list[str]:
    """The failures of one row of the simulated camera."""
    if not one.failed:
        return []
    parts = [f"<h2>Simulated camera: {escape(name)}</h2>"]
    hidden = sum(not each.jpeg for _, each in one.failed)
    if hidden:
        parts.append(f"<p>Held out: {hidden} failures, not shown.</p>")
    for verdict in ORDER:
        shown = [(d, each) for d, each in one.failed if each.verdict == verdict and each.jpeg]
        if shown:
            parts.append(f"<section><h3>{WORDS[verdict]}: {len(shown)}</h3><div>")
            parts.extend(_shot(design, each) for design, each in shown)
            parts.append("</div></section>")
    return parts


def _shot(design: str, one: Failed) -> str:
    """One failure of the simulated camera."""
    words = [f"<b>{escape(one.truth)}</b>"]
    if one.said:
        asked = "" if one.verdict == "wrong" else " (asked)"
        words.append(f"said {escape(one.said)}{asked} {one.confidence:.3f}")
    words.append(f"<i>{escape(design)}</i>")
    return (
        f"<figure class={one.verdict}><img alt='' src='data:image/jpeg;base64,{one.jpeg}'>"
        f"<figcaption>{'<br>'.join(words)}</figcaption></figure>"
    )


def _sets(counted: dict[str, Tally]) -> str:
    """The table of sets."""
    head = ["set", "pictures", "cards", "right", "share", "wrong", "unsure", "missed", "ms"]
    rows = [
        "<table><tr>"
        + "".join(f"<th{' class=n' if at else ''}>{word}" for at, word in enumerate(head))
    ]
    for name, tally in counted.items():
        cells = (tally.pictures, tally.cards, tally.right, f"{100 * tally.share:.1f} %")
        more = (tally.unsure, tally.missed, f"{np.median(tally.ms):.0f}")
        mood = "bad" if tally.wrong else "good"
        rows.append(
            f"<tr><td>{escape(name)}"
            + "".join(f"<td class=n>{cell}" for cell in cells)
            + f"<td class='n {mood}'>{tally.wrong}"
            + "".join(f"<td class=n>{cell}" for cell in more)
        )
    return "\n".join([*rows, "</table>"])


def _verdicts(lines: Sequence[Line]) -> str:
    """The rows of VISION.md 3."""
    body = ["<table><tr><th>what<th>must<th>measured<th>95 %<th>met"]
    words = {True: ("good", "yes"), False: ("bad", "no"), None: ("", "not measured")}
    for one in lines:
        mood, met = words[one.met]
        cells = (one.what, one.must, one.measured, one.bound)
        row = "".join(f"<td>{escape(each)}" for each in cells)
        body.append(f"<tr>{row}<td class='{mood}'>{met}")
    return "\n".join([*body, "</table>"])


def _figure(failure: Failure) -> str:
    """One failure as a picture with its words."""
    said = failure.said
    words = [f"<b>{escape(failure.truth or 'not known which')}</b>"]
    if said is not None:
        word = said.card if said.sure else f"{said.likely or '??'} (asked)"
        words.append(f"said {escape(word)} {said.confidence:.3f} by {said.by.value}")
    words.append(f"<i>{escape(failure.photo.path.name)}</i>")
    shown = thumb(failure)
    picture = "" if shown is None else f"<img alt='' src='data:image/jpeg;base64,{shown}'>"
    caption = "<br>".join(word for word in words if word)
    return f"<figure class={failure.verdict}>{picture}<figcaption>{caption}</figcaption></figure>"


def thumb(failure: Failure) -> str | None:
    """The place of a failure, its outline drawn, as JPEG in base 64; the picture if none is known.

    None where the file cannot be read.
    """
    loaded = cv2.imread(str(failure.photo.path), cv2.IMREAD_COLOR)
    if loaded is None:
        return None
    image: NDArray[np.uint8] = np.asarray(loaded, dtype=np.uint8)
    high, wide = image.shape[:2]
    low, end = np.zeros(2, dtype=int), np.asarray((wide, high))
    if failure.outline is not None:
        thick = max(1, round(float(np.ptp(failure.outline, axis=0).max()) / 90))
        corners = np.rint(failure.outline).astype(np.int32)
        cv2.polylines(image, [corners], True, (40, 40, 240), thick, cv2.LINE_AA)  # noqa: FBT003
        room = float(np.ptp(failure.outline, axis=0).max()) * 0.25 + 8
        low = np.clip(failure.outline.min(axis=0) - room, 0, end - 2).astype(int)
        end = np.clip(failure.outline.max(axis=0) + room, low + 2, end).astype(int)
    part = image[low[1] : end[1], low[0] : end[0]]
    scale = THUMB / max(part.shape[:2])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=way)
    _, body = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 82])
    return base64.b64encode(body.tobytes()).decode("ascii")
