"""`cutcard odds`: exact probabilities, house edges and returns of every bet (CONTRACTS.md 6)."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from studio.cli.shared import Sorry, config_option, settings_of

QUIET_S: Final = 1.0
"""Nothing is said about progress before so many seconds, and then once in so many."""


@click.command(
    epilog="Example: cutcard odds baccarat --rule banker_pays=half_on_6 --rule tie_pays=9"
)
@click.argument("game")
@click.option(
    "--rule", "given", multiple=True, metavar="NAME=VALUE", help="A rule other than the default."
)
@click.option("--table", help="Begin with the rules of this table of the configuration.")
@config_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def odds(
    game: str, given: tuple[str, ...], table: str | None, config: Path, *, as_json: bool
) -> None:
    """Work out every bet of GAME under the given rules: probabilities, house edge, return.

    A value is written as in the configuration: 9, true, late, [6,5], {"two_cards": 12}.
    """
    from studio.odds.registry import odds as work_out

    rules = (_rules_of(table, game, config) if table else {}) | dict(map(_read_rule, given))
    try:
        report = work_out(game, rules, _Progress())
    except ValueError as wrong:
        raise Sorry(str(wrong)) from wrong
    plain = report.as_dict()
    if as_json:
        click.echo(json.dumps(plain, ensure_ascii=False, separators=(",", ":")))
        return
    for line in _lines(plain):
        click.echo(line)


def _rules_of(table: str, game: str, config: Path) -> dict[str, Any]:
    """Rules of a configured table.

    Raises:
        Sorry: if there is no such table, or it plays something else.
    """
    tables = settings_of(config).tables
    if table not in tables:
        raise Sorry(f"there is no table {table!r} in {config}; it has {', '.join(tables)}")
    if tables[table].game != game:
        raise Sorry(f"table {table} plays {tables[table].game}, not {game}")
    return dict(tables[table].rules)


def _read_rule(text: str) -> tuple[str, Any]:
    """Read ``NAME=VALUE``; a value that is no JSON is text.

    Raises:
        Sorry: if there is no name or no value.
    """
    name, sign, value = text.partition("=")
    if not name.strip() or not sign or not value.strip():
        raise Sorry(f"--rule {text!r} is not NAME=VALUE, as --rule decks=6")
    try:
        return name.strip(), json.loads(value, parse_constant=str)
    except (ValueError, RecursionError):
        return name.strip(), value.strip()


class _Progress:
    """Says on standard error what is being worked out, if it takes long."""

    def __init__(self) -> None:
        self._next = time.monotonic() + QUIET_S

    def __call__(self, sentence: str) -> None:
        """Print the sentence if the last one is a while ago."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + QUIET_S
            click.echo(sentence, err=True)


def _lines(plain: Mapping[str, Any]) -> list[str]:
    """The report as a person reads it."""
    rules = ", ".join(f"{name} {_short(value)}" for name, value in plain["rules"].items())
    lines = [f"{plain['game']}: {rules}", ""]
    lines.append(
        f"{'bet':<16}{'win':>11}{'push':>11}{'lose':>11}{'return %':>12}{'edge %':>11}  exact edge"
    )
    for bet in plain["bets"]:
        shares = "".join(f"{bet[name]:>11.6f}" for name in ("win", "push", "lose"))
        figures = f"{100 * bet['return']:>12.4f}{100 * bet['house_edge']:>11.4f}"
        lines.append(f"{bet['bet']:<16}{shares}{figures}  {bet.get('exact', '')}".rstrip())
    if "label_return" in plain:
        lines.append(
            f"{'label':<16}{'':33}{100 * plain['label_return']:>12.2f}  shown by the house"
        )
    return [*lines, *_strategy(plain.get("strategy")), "", f"Method: {plain['method']}."]


def _strategy(table: Mapping[str, Any] | None) -> list[str]:
    """The table of best plays as a person reads it; nothing where a game has none."""
    if table is None:
        return []
    lines = ["", f"{'best play':<16}" + "".join(f"{up:>4}" for up in table["up"])]
    for kind in ("hard", "soft", "pairs"):
        for hand, plays in table[kind].items():
            lines.append(f"{kind + ' ' + hand:<16}" + "".join(f"{play:>4}" for play in plays))
    lines.append("H hit, S stand, D double or hit, Ds double or stand, P split, R surrender or hit")
    lines += [
        f"but {'-'.join(each['cards'])} against {each['up']}: {each['play']}"
        f" (+{100 * each['gain']:.3f} points)"
        for each in table["exceptions"]
    ]
    return lines


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
