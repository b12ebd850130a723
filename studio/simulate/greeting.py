"""What a demonstration in the browser says when it is up: its addresses and sign-in codes."""

import json
from collections.abc import Mapping, Sequence

import click
from rich.console import Console


def greet(
    address: str,
    people: Sequence[tuple[str, str, str, str]],
    overlays: Mapping[str, str],
    *,
    as_json: bool,
) -> None:
    """Say where everything is, and who may sign in: on standard error, or as one JSON line.

    `people` are (name, role, number, PIN); `overlays` has the secret of each table's overlay.
    """
    shown = {name: f"{address}/overlay/{name}?token={secret}" for name, secret in overlays.items()}
    if as_json:
        told = {
            "address": address,
            "overlay": next(iter(shown.values()), ""),
            "overlays": shown,
            "people": [
                {"name": name, "role": role, "number": number, "pin": pin}
                for name, role, number, pin in people
            ],
        }
        click.echo(json.dumps(told, separators=(",", ":")))
        return
    console = Console(stderr=True)
    console.print(f"\n[bold]Cutcard is live at {address}[/bold]  (Ctrl-C ends it)\n")
    console.print(f"  supervisor  {address}/supervisor")
    for name, overlay in shown.items():
        console.print(f"  dealer      {address}/dealer/{name}")
        console.print(f"  overlay     {overlay}", soft_wrap=True)
        console.print(f"  rules       {address}/rules/{name}\n")
    for name, role, number, pin in people:
        console.print(f"  sign in as {role:<11} number {number}  PIN {pin}   ({name})")
    console.print("")
