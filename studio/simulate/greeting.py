"""What a demonstration in the browser says when it is up: its addresses and sign-in codes."""

import json
from collections.abc import Mapping, Sequence

import click
from rich.console import Console


def hand_of(address: str, table: str, seat: int) -> str:
    """Where a seat reads its own hand, with its token in the header."""
    return f"{address}/api/v1/tables/{table}/seats/{seat}/hand"


def greet(
    address: str,
    people: Sequence[tuple[str, str, str, str]],
    overlays: Mapping[str, str],
    seats: Mapping[str, Sequence[str]],
    *,
    as_json: bool,
) -> None:
    """Say where everything is, and who may sign in: on standard error, or as one JSON line.

    `people` are (name, role, number, PIN); `overlays` has the secret of each table's overlay,
    `seats` the token of each seat of a table whose seats choose, from seat 0.
    """
    shown = {name: f"{address}/overlay/{name}?token={secret}" for name, secret in overlays.items()}
    if as_json:
        told = {
            "address": address,
            "overlay": next(iter(shown.values()), ""),
            "overlays": shown,
            "seats": {
                name: [
                    {"address": hand_of(address, name, seat), "token": token}
                    for seat, token in enumerate(tokens)
                ]
                for name, tokens in seats.items()
            },
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
        for seat, token in enumerate(seats.get(name, ())):
            console.print(f"  seat {seat + 1}      {hand_of(address, name, seat)}", soft_wrap=True)
            console.print(f"              Authorization: Bearer {token}", soft_wrap=True)
        if name in seats:
            console.print("")
    for name, role, number, pin in people:
        console.print(f"  sign in as {role:<11} number {number}  PIN {pin}   ({name})")
    console.print("")
