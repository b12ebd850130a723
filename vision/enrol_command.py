"""`cutcard enrol`: show the studio's own deck to a camera without a browser."""

import json
import queue
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import click

from studio.domain.cards import CUT, HIDDEN, PACK, Rank, Suit
from vision.deckfile import UNFINISHED, DeckError, read_deck
from vision.layout import LayoutError, load_layout

if TYPE_CHECKING:
    from rich.console import RenderableType

    from vision.locate import Image

SECONDS: Final = 1800.0
JOKER: Final = "JOKER"
CODES: Final = frozenset({*(card.code for card in PACK), HIDDEN, CUT, JOKER})
WORDS: Final = ("keep", "forget", "absent")
"""What may be typed before a card."""
ROWS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
STYLES: Final = {"in": "bold green", "again": "bold yellow", "missing": "dim"}

Answer = Mapping[str, Any]


@click.command(
    "enrol",
    epilog=(
        "Example: cutcard enrol --camera /dev/video0 --deck decks/studio.deck,"
        " cutcard enrol --camera photographs/ --deck decks/studio.deck"
    ),
)
@click.option(
    "--camera",
    "source",
    required=True,
    help="Camera, stream, film, a folder of pictures, or synthetic: to practise.",
)
@click.option(
    "--deck",
    "file",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The deck file; what is not finished is kept beside it and gone on with.",
)
@click.option(
    "--layout",
    "layout_file",
    type=click.Path(path_type=Path),
    help="Layout of the camera: things of another size than a card do not count then.",
)
@click.option("--name", default="", help="The deck's name in evidence; else that of the file.")
@click.option("--again", is_flag=True, help="Forget what was shown before and begin anew.")
@click.option("--no-cut", is_flag=True, help="The studio has no cut card.")
@click.option("--jokers", is_flag=True, help="Go on when all cards are in, to show jokers too.")
@click.option(
    "--seconds",
    type=click.FloatRange(1, 86400),
    default=SECONDS,
    show_default=True,
    help="Time for all.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object at the end.")
def enrol(**given: Any) -> None:
    """Show each card of the studio's own deck once, its back and its cut card too.

    Any order, any way up, each alone and flat. Where the reader is in doubt, type the card (as QH,
    XX for the back, CUT, JOKER) and press Enter. Ctrl-C keeps what was shown. Exit 1 if the deck is
    not finished.
    """
    file: Path = given["file"]
    finished = not given["again"] and not _part(file).is_file() and _is_deck(file)
    if finished and not given["jokers"]:
        raise click.UsageError(
            f"{file} is a finished deck: give --again to show all cards anew, --jokers to add"
            " views, or another file"
        )
    try:
        job = _Job(given)
    except (LayoutError, ValueError) as wrong:
        raise click.UsageError(str(wrong)) from None
    try:
        good = job.run()
    except LayoutError as wrong:
        raise click.ClickException(str(wrong)) from None
    if not good:
        sys.exit(1)


def _part(file: Path) -> Path:
    """Where an unfinished deck is kept."""
    return file.with_name(file.name + UNFINISHED)


def _is_deck(file: Path) -> bool:
    """Whether a file is a deck that can be read."""
    try:
        return read_deck(file).head.finished
    except DeckError:
        return False


class _Job:
    """One enrolment from the command line."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Read what was given.

        Raises:
            LayoutError: if the layout or the source cannot be used; one sentence.
            ValueError: if what was kept cannot be gone on with.
        """
        from vision.enrol import Enrolment  # noqa: PLC0415  loads OpenCV
        from vision.enrol_source import open_shown  # noqa: PLC0415
        from vision.reader import Reader  # noqa: PLC0415

        self._given = given
        file: Path = given["file"]
        layout = load_layout(given["layout_file"]) if given["layout_file"] else None
        self._source = open_shown(given["source"], given["seconds"])
        self._session: Enrolment = Enrolment(Reader(), file, layout=layout)
        self._answer: Answer = self._session.answer()
        if not given["again"] and (_part(file).is_file() or _is_deck(file)):
            self._answer = self._session.do("resume", {}, None)
        while self._answer["say"]["code"] == "resuming":
            self._answer = self._session.do("look", {}, None)
        if given["no_cut"]:
            self._answer = self._session.do("absent", {"card": CUT}, None)

    def run(self) -> bool:
        """Look until all is in, the source ends or somebody stops; whether the deck is saved."""
        stopped = False
        try:
            self._show()
        except KeyboardInterrupt:
            stopped = True
        finally:
            self._source.close()
        good = bool(self._answer["save"]["allowed"]) and not stopped
        self._end(saved=good)
        return good

    def _show(self) -> None:
        """Look at one frame after the other and say what comes of it."""
        typed = Typed()
        with Screen(plain=self._given["as_json"]) as screen:
            screen.tell(self._answer)
            for image, name in self._source.each():
                self._do("look", {"still": self._source.still}, image)
                if name in CODES and self._answer["last"] != name:
                    self._do("name", {"card": name}, image)
                for line in typed.lines():
                    self._type(line, image, screen)
                screen.tell(self._answer)
                self._source.follow(self._answer)
                if self._all_in():
                    return

    def _all_in(self) -> bool:
        """Whether nothing more is to be shown."""
        endless = self._given["jokers"] or not self._source.live
        return bool(self._answer["save"]["allowed"]) and not endless

    def _do(self, word: str, given: Mapping[str, Any], image: "Image | None") -> None:
        """One word; a refusal is told and changes nothing."""
        try:
            self._answer = self._session.do(word, given, image)
        except ValueError as refusal:
            click.echo(str(refusal), err=True)

    def _type(self, line: str, image: "Image", screen: "Screen") -> None:
        """Do what somebody typed: a card, or a word and a card."""
        words = line.upper().replace("10", "T").split()
        if len(words) == 1 and words[0] in CODES:
            self._do("name", {"card": words[0]}, image)
        elif len(words) == 2 and words[0].lower() in WORDS and words[1] in CODES:
            self._do(words[0].lower(), {"card": words[1]}, image)
        else:
            screen.say("Type a card as QH, XX, CUT or JOKER, or keep QH, forget QH, absent CUT.")

    def _end(self, *, saved: bool) -> None:
        """Save, or keep what was shown, and say so."""
        if saved:
            name = self._given["name"]
            self._do("save", {"name": name} if name else {}, None)
        elif self._answer["count"] or self._answer["changed"]:
            self._do("store", {}, None)
        answer = self._answer
        if self._given["as_json"]:
            click.echo(json.dumps(answer, ensure_ascii=False))
            return
        file: Path = self._given["file"]
        if answer["saved"]:
            click.echo(f"Saved {file}: {answer['name']}, {answer['saved']['sha256'][:12]}.")
            odd = [code for code, cell in answer["cards"].items() if cell["taken_for"]]
            if odd:
                click.echo(f"The deck itself decides about: {' '.join(odd)}.")
            return
        click.echo(f"Not finished: {answer['save']['text'] or 'stopped'}.", err=True)
        if _part(file).is_file():
            click.echo(
                f"What was shown is kept in {_part(file)}: the same command goes on.", err=True
            )


class Typed:
    """Lines typed at the terminal, read beside the work."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        if sys.stdin is not None and sys.stdin.isatty():
            threading.Thread(target=self._listen, name="typed", daemon=True).start()

    def _listen(self) -> None:
        """Take lines until there are no more."""
        for line in sys.stdin:
            self._lines.put(line.strip())

    def lines(self) -> Iterator[str]:
        """What was typed meanwhile."""
        while not self._lines.empty():
            line = self._lines.get()
            if line:
                yield line


class Screen:
    """Progress: the chart where there is a terminal, else one line for each new sentence."""

    def __init__(self, *, plain: bool) -> None:
        from rich.console import Console  # noqa: PLC0415  only this command draws
        from rich.live import Live  # noqa: PLC0415

        self._console = Console(stderr=True)
        drawn = self._console.is_terminal and not plain
        self._live = Live(console=self._console, auto_refresh=False) if drawn else None
        self._quiet = plain
        self._said = ""
        self._note = ""
        self._told_s = 0.0

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def say(self, text: str) -> None:
        """A note of our own."""
        self._note = text
        if self._live is None and not self._quiet:
            self._console.print(text)

    def tell(self, answer: Answer) -> None:
        """Show the state."""
        say = answer["say"]
        if self._live is not None:
            now = time.monotonic()
            if say["text"] != self._said or now - self._told_s > 1:
                self._told_s = now
                self._live.update(chart(answer, self._note), refresh=True)
        elif say["text"] != self._said and not self._quiet and say["code"] not in PASSING:
            self._console.print(f"{answer['count']:2d}/52 {say['text']}", highlight=False)
        self._said = say["text"]


PASSING: Final = frozenset({"show", "moving", "resuming"})
"""Sentences that are of no use in a list."""


def chart(answer: Answer, note: str = "") -> "RenderableType":
    """The 4 by 13 chart with what to do next."""
    from rich.console import Group  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, padding=(0, 1))
    table.add_column("")
    for rank in Rank:
        table.add_column("10" if rank is Rank.TEN else rank.value, justify="center")
    for suit in ROWS:
        cells = [answer["cards"][f"{rank.value}{suit.value}"] for rank in Rank]
        signs = {"in": "■", "again": "?", "missing": "·"}
        row = [Text(signs[cell["state"]], style=STYLES[cell["state"]]) for cell in cells]
        table.add_row({"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[suit.value], *row)
    extras = "   ".join(
        f"{word}: {answer[key]['state']}" + (f", {n} views" if (n := answer[key]["views"]) else "")
        for key, word in (("back", "back"), ("cut", "cut card"), ("jokers", "jokers"))
    )
    lines: list[RenderableType] = [Text(answer["say"]["text"], style="bold"), Text(extras), table]
    if answer["hint"] is not None:
        lines.append(Text(answer["hint"]["text"], style="yellow"))
    lines.append(Text(f"{answer['count']} of 52.  {note or answer['save']['text']}"))
    return Group(*lines)


COMMANDS: Final[tuple[click.Command, ...]] = (enrol,)
"""What this module adds to `cutcard`, for the entry point ``cutcard.commands``."""
