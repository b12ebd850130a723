"""`cutcard calibrate`: find the felt and its zones without a browser; print boards and markers."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from vision.layout import LayoutError, load_layout

if TYPE_CHECKING:
    from vision.calibration.frames import Frames
    from vision.locate import Image

SECONDS: Final = 180.0
SETTLING: Final = 8
"""Looks over which the markers are averaged."""

Answer = Mapping[str, Any]


@click.command(
    "calibrate",
    epilog=(
        "Example: cutcard calibrate --print markers --out markers.pdf, then"
        " cutcard calibrate --camera /dev/video0 --layout layouts/ba1.json --game baccarat"
    ),
)
@click.option("--camera", "source", help="Camera, stream, film, or a folder of pictures.")
@click.option(
    "--layout",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The layout file; the version before is kept beside it.",
)
@click.option("--game", help="Whose zones are laid out; that of the layout if there is one.")
@click.option("--lens-only", is_flag=True, help="Measure the lens and keep it beside the layout.")
@click.option("--no-lens", is_flag=True, help="Do without a lens model.")
@click.option("--again", is_flag=True, help="Measure the lens again though it is known.")
@click.option(
    "--points",
    "points_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="JSON with clicked points, places of markers or distances between them.",
)
@click.option(
    "--zones",
    "zones_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="JSON with the outline of each zone in millimetres, by its name.",
)
@click.option(
    "--move",
    type=(float, float),
    metavar="X Y",
    help="Move all zones by millimetres, to the right and down.",
)
@click.option("--turn", type=float, metavar="DEGREES", help="Turn all zones clockwise.")
@click.option(
    "--draw",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the last picture with zones and markers over it, as .png or .jpg.",
)
@click.option("--try", "trying", is_flag=True, help="Wait until a card was read in each zone.")
@click.option(
    "--seconds",
    type=click.FloatRange(1, 3600),
    default=SECONDS,
    show_default=True,
    help="Time for each step.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object at the end.")
@click.option("--versions", is_flag=True, help="List the versions of the layout that are kept.")
@click.option("--take-back", type=int, metavar="N", help="Put version N in force again.")
@click.option("--print", "printing", type=click.Choice(["board", "markers"]), help="What to print.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the print goes, as .pdf or .svg.",
)
@click.option("--paper", type=click.Choice(["a4", "a3", "letter"]), default="a4", show_default=True)
def calibrate(**given: Any) -> None:
    """Find the felt and its zones, with a residual in millimetres and a verdict.

    First the lens, from the printed board, then the plane, from markers on the felt, then the zones
    of the game. Exit 1 if the felt was not found well enough.
    """
    if given["printing"]:
        _print(given["printing"], given["out"], given["paper"])
        return
    if given["file"] is None:
        raise click.UsageError("give --layout FILE, or --print board or markers")
    if given["versions"] or given["take_back"] is not None:
        _history(given["file"], given["take_back"], as_json=given["as_json"])
        return
    if given["source"] is None:
        raise click.UsageError("give --camera, as in the configuration, or a folder of pictures")
    if given["no_lens"] and (given["lens_only"] or given["again"]):
        raise click.UsageError("--no-lens leaves nothing of the lens to measure: choose one")
    try:
        job = _Job(given)
    except LayoutError as wrong:
        raise click.UsageError(str(wrong)) from None
    try:
        good = job.run()
    except LayoutError as wrong:
        raise click.ClickException(str(wrong)) from None
    except KeyboardInterrupt:
        click.echo("Stopped: nothing was kept.", err=True)
        good = False
    finally:
        job.close()
    if not good:
        sys.exit(1)


class _Job:
    """One calibration from the command line."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Read what was given and open the source.

        Raises:
            LayoutError: if something of it cannot be used.
        """
        from vision.calibration.frames import open_frames  # noqa: PLC0415  loads OpenCV
        from vision.calibration.look import cards_by  # noqa: PLC0415
        from vision.calibration.session import Calibration  # noqa: PLC0415
        from vision.reader import Reader  # noqa: PLC0415

        self._given = given
        self._points = _read(given["points_file"], ("points", "places", "distances"))
        self._zones = _read(given["zones_file"], None)
        cards = cards_by(Reader()) if given["trying"] else None
        file: Path = given["file"]
        self._session: Calibration = Calibration(_game(file, given["game"]), file, cards)
        self._frames: Frames = open_frames(given["source"], given["seconds"])
        self._told: dict[str, str] = {}
        self._last: Image | None = None
        """The frame that was looked at last."""

    def close(self) -> None:
        """Give the source back."""
        self._frames.close()

    def run(self) -> bool:
        """All steps; whether a layout, or a lens, was kept."""
        given = self._given
        if given["no_lens"]:
            answer = self._do("lens_skip")
        else:
            answer = self._lens(again=given["again"] or given["lens_only"])
            if not _row(answer, "lens")["done"]:
                return self._end(answer, None)
        if given["lens_only"]:
            return self._end(answer, self._do("keep_lens")["saved"])
        answer = self._plane()
        if not _row(answer, "plane")["done"]:
            return self._end(answer, None)
        answer = self._place()
        if any(zone["fault"] for zone in answer["zones"]):
            return self._end(answer, None)
        if given["trying"]:
            answer = self._walk("try", lambda each: bool(_row(each, "try")["done"]))
            if not _row(answer, "try")["done"]:
                return self._end(answer, None)
        return self._end(answer, self._do("save", untried=not given["trying"])["saved"])

    def _lens(self, *, again: bool) -> Answer:
        """Collect views until the lens is known."""
        if again:
            self._do("lens_again")
        answer = self._do("look")
        if _row(answer, "lens")["done"]:
            return answer
        return self._walk("lens", lambda each: bool(_row(each, "lens")["done"]))

    def _plane(self) -> Answer:
        """Look at the markers until they are known well, and measure the plane."""
        looks = 0

        def enough(answer: Answer) -> bool:
            nonlocal looks
            looks += bool(_row(answer, "plane")["done"])
            return looks >= SETTLING

        return self._walk("plane", enough, self._points)

    def _place(self) -> Answer:
        """Lay the zones out, or where they are given."""
        answer = self._do("step", step="zones")
        plan = {"by_mm": self._given["move"], "turn_deg": self._given["turn"]}
        asked = {name: value for name, value in plan.items() if value is not None}
        if asked:
            answer = self._do("plan", **asked)
        for name, polygon in self._zones.items():
            answer = self._do("zone", id=name, polygon_mm=polygon)
        return self._do("place") if answer["zones"] else answer

    def _walk(
        self, step: str, done: Callable[[Answer], bool], plane: Mapping[str, Any] | None = None
    ) -> Answer:
        """Give frames to a step until it is done or the frames end."""
        answer: Answer | None = None
        for frame in self._frames.each():
            if answer is None:
                answer = self._session.do("step", {"step": step}, frame)
                if plane:
                    answer = self._session.do("plane", plane, frame)
            else:
                answer = self._session.do("look", {}, frame)
            self._last = frame
            self._frames.follow(answer)
            self._say(step, answer)
            if done(answer):
                break
        return answer or self._do("step", step=step)

    def _do(self, word: str, **given: Any) -> Answer:
        """A word without a new frame."""
        answer = self._session.do(word, given, None)
        self._frames.follow(answer)
        return answer

    def _say(self, step: str, answer: Answer) -> None:
        """Tell a person what to do, when it changes."""
        row = _row(answer, step)
        text = row["sentence"]["text"]
        view = answer["lens"]["sentence"]
        if step == "lens" and not row["done"] and view["code"] not in {"board_none", "board_taken"}:
            self._tell("view", view["text"])
        self._tell(step, text)

    def _tell(self, what: str, text: str) -> None:
        if self._told.get(what) != text:
            self._told[what] = text
            click.echo(text, err=True)

    def _end(self, answer: Answer, saved: Mapping[str, Any] | None) -> bool:
        """Print what was found, and draw it; whether it was kept."""
        if self._given["draw"] is not None and self._last is not None:
            from vision.calibration.drawn import write  # noqa: PLC0415  loads OpenCV

            write(self._last, answer, self._given["draw"])
        if self._given["as_json"]:
            click.echo(json.dumps(_summary(answer, saved), ensure_ascii=False))
        else:
            for line in _report(answer, saved, lens_only=self._given["lens_only"]):
                click.echo(line)
        return saved is not None


def _report(answer: Answer, saved: Mapping[str, Any] | None, *, lens_only: bool) -> list[str]:
    """What was found, in words: residuals, zones, verdict."""
    lens, plane = answer["lens"], answer["plane"]
    lines = [f"lens    {_row(answer, 'lens')['sentence']['text']}"]
    if lens["rms_px"] is not None:
        lines[0] += f" Error {lens['rms_px']:.2f} of {lens['limit_px']:.2f} px."
    if not lens_only:
        for each in (*plane["markers"], *plane["points"]):
            beside = "not measured" if each["mm"] is None else f"{each['mm']:.2f} mm"
            lines.append(f"plane   {each['name']:>4}  {beside}")
        mean = "" if plane["residual_mm"] is None else f" Mean {plane['residual_mm']:.2f} mm."
        lines.append(f"plane   {_row(answer, 'plane')['sentence']['text']}{mean}")
        for zone in answer["zones"]:
            wide, high = zone["size_mm"]
            fault = zone["fault"]["text"] if zone["fault"] else "good"
            size = f"{wide} × {high} mm, a card is {zone['card_px']:.0f} px wide"
            lines.append(f"zone    {zone['id']:>8}  {size}: {fault}")
        if answer["zones"]:
            lines.append(f"try     {_row(answer, 'try')['sentence']['text']}")
    lines += [f"warning {each['text']}" for each in answer["warnings"]]
    if saved is None:
        lines.append("Not kept: " + _why(answer))
    elif lens_only:
        lines.append(f"Kept as {saved['file']}.")
    else:
        lines.append(f"Kept as version {saved['version']} of {saved['file']}.")
    return lines


def _why(answer: Answer) -> str:
    """The first sentence that stands in the way."""
    for row in answer["steps"][1:]:
        if not row["done"]:
            return str(row["sentence"]["text"])
    return "; ".join(each["text"] for each in answer["save"]["missing"])


def _summary(answer: Answer, saved: Mapping[str, Any] | None) -> dict[str, Any]:
    """The same for programs."""
    lens, plane = answer["lens"], answer["plane"]
    return {
        "game": answer["game"],
        "lens": {"views": lens["views"], "rms_px": lens["rms_px"], "kept": lens["kept"],
                 "skipped": lens["skipped"]},
        "plane": {
            "residual_mm": plane["residual_mm"],
            "limit_mm": plane["limit_mm"],
            "beside_mm": {
                each["name"]: each["mm"] for each in (*plane["markers"], *plane["points"])
            },
        },
        "zones": {
            zone["id"]: {
                "card_px": zone["card_px"],
                "wanted_px": zone["wanted_px"],
                "tried": zone["tried"],
                "fault": zone["fault"] and zone["fault"]["text"],
            }
            for zone in answer["zones"]
        },
        "verdict": " ".join(each["text"] for each in answer["verdict"]["sentences"]),
        "saved": None if saved is None else dict(saved),
    }  # fmt: skip


def _row(answer: Answer, name: str) -> Mapping[str, Any]:
    """The row of a step."""
    row: Mapping[str, Any] = next(each for each in answer["steps"] if each["id"] == name)
    return row


def _game(file: Path, given: str | None) -> str:
    """The game whose zones are meant."""
    if given is not None:
        return given
    if not file.exists():
        raise LayoutError(f"{file} is new: give --game, as --game baccarat")
    return load_layout(file).game


def _read(file: Path | None, known: tuple[str, ...] | None) -> dict[str, Any]:
    """The JSON object of a file that was given.

    Raises:
        LayoutError: if there is none, or it holds a field that is not known.
    """
    if file is None:
        return {}
    try:
        body = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutError(f"{file}: cannot be read ({error}): correct the path") from None
    except json.JSONDecodeError as error:
        raise LayoutError(f"{file}: line {error.lineno} is not JSON ({error.msg})") from None
    if not isinstance(body, dict):
        raise LayoutError(f"{file}: must be an object with named fields")
    extra = [] if known is None else sorted(set(body) - set(known))
    if extra:
        raise LayoutError(f"{file}: {extra[0]} is not known: it may have {' '.join(known or ())}")
    return body


def _history(file: Path, version: int | None, *, as_json: bool) -> None:
    """List the versions of a layout, or take one back."""
    from vision.calibration import store  # noqa: PLC0415  loads numpy

    if version is not None:
        try:
            kept = store.take_back(file, version)
        except LayoutError as wrong:
            raise click.ClickException(str(wrong)) from None
        words = f"Version {version} is in force again, as version {kept.version} of {file}."
        line = {"version": kept.version, "file": str(file), "sha256": kept.sha256}
        click.echo(json.dumps(line) if as_json else words)
        return
    known = store.versions(file)
    if as_json:
        click.echo(json.dumps({"file": str(file), "versions": list(known)}))
    elif not known:
        click.echo(f"{file}: no version is kept")
    else:
        shown = ", ".join(str(each) for each in known)
        click.echo(f"{file}: version {known[-1]} is in force; kept are {shown}")


def _print(what: str, out: Path | None, paper: str) -> None:
    """Write a board or markers to print."""
    from vision.calibration.boards import board_sheets, marker_sheets  # noqa: PLC0415  OpenCV
    from vision.calibration.sheets import PAPERS, as_pdf, as_svg  # noqa: PLC0415

    printed = (board_sheets if what == "board" else marker_sheets)(PAPERS[paper])
    target = out or Path(f"{printed.name}.pdf")
    files: dict[Path, bytes]
    match target.suffix.lower():
        case ".pdf":
            files = {target: as_pdf(printed.sheets)}
        case ".svg":
            several = len(printed.sheets) > 1
            files = {
                target.with_stem(f"{target.stem}-{number}") if several else target: as_svg(
                    sheet
                ).encode()
                for number, sheet in enumerate(printed.sheets, 1)
            }
        case _:
            raise click.UsageError(f"--out {target}: end the name in .pdf or .svg")
    for file, body in files.items():
        try:
            file.write_bytes(body)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise click.ClickException(f"{file} cannot be written ({why})") from None
        click.echo(f"{file}: print at 100 % and measure its line of 100 mm")


COMMANDS: Final[tuple[click.Command, ...]] = (calibrate,)
"""What this package adds to `cutcard`, for the entry point ``cutcard.commands``."""
