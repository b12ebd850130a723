"""Tells whoever watches a demonstration what its people do, one short line a step."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import click
from rich.console import Console
from rich.text import Text

from studio.table.views import CaseView, SightingView

DOES: Final = {
    "KeyInCard": "keys the card in",
    "CorrectCard": "corrects the card",
    "AssignCard": "has the card moved to its place",
    "UseAsNextCard": "keeps the card as the next one",
    "BurnCard": "has the card burned",
    "MarkDead": "declares the card dead",
    "AcceptAsDealt": "accepts what lies there",
    "RescanRound": "has the felt looked at again",
    "RestoreCollected": "has the collected cards laid back",
    "ShuffleDiscards": "has the cards of earlier coups shuffled and put into the shoe",
    "RetryDevice": "asks the device again",
    "PassSelfTest": "has the device test itself",
    "AcknowledgeFault": "has seen it; nothing has to change",
    "DecideQayd": "finds neither side at fault",
    "VoidRound": "declares the coup void",
    "EndShoe": "ends the shoe",
}
"""What a supervisor does, by the name of the repair."""

STYLES: Final = {
    "fault": "bold yellow",
    "dealer": "yellow",
    "held": "bold red",
    "supervisor": "cyan",
    "pit boss": "cyan",
    "lifted": "green",
}
"""Colours of the first word of a line."""


def does(command: str, fields: Mapping[str, Any]) -> str:
    """What a supervisor does with this repair, in words, and its name."""
    words = "enters what lies on the felt" if fields.get("felt") else DOES[command]
    card = fields.get("card")
    return f"{words}{f' as {card.code}' if card else ''} ({command})"


def case_line(case: CaseView) -> str:
    """What holds the table: the fault, its row of policy, what was due and what each source saw."""
    parts = [f"held: {case.code.replace('_', ' ')} (row {case.row})"]
    if case.due_zone:
        parts.append(f"due: {case.step.replace('_', ' ')} to {case.due_zone}")
    parts += [_sight(sight) for sight in case.sightings]
    parts += [case.text] if case.text else []
    return "; ".join(parts)


def _sight(sight: SightingView) -> str:
    seen = sight.card or sight.look.replace("_", " ")
    return f"{sight.source}: {seen}{f' in {sight.zone}' if sight.zone else ''}"


def teller(
    coup: Callable[[], str], *, watched: bool, console: Console | None = None
) -> Callable[[str], None]:
    """Give what takes the lines: with the coup's number before each, coloured where watched.

    Everything goes to standard error (CONTRACTS.md, first paragraph).
    """
    screen = console or Console(stderr=True, highlight=False)

    def plain(text: str) -> None:
        click.echo(f"{coup()}  {text}", err=True)

    def coloured(text: str) -> None:
        who, colon, what = text.partition(":")
        line = Text(f"  {coup():<8} ", style="dim")
        line.append(f"{who + colon:<12} ", style=STYLES.get(who, ""))
        line.append(what.strip())
        screen.print(line, soft_wrap=True)

    return coloured if watched else plain
