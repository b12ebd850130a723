"""`cutcard replay`: a journalled round once more, by the procedure of today."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from studio.cli.shared import Sorry, config_option, database_option, settings_of, url_of


@click.command(epilog="Example: cutcard replay --round r-2026-01-01-ba1-17")
@config_option
@database_option
@click.option("--round", "round_id", required=True, metavar="ID", help="The round.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def replay(config: Path, database: str | None, round_id: str, *, as_json: bool) -> None:
    """Play a journalled round again and say whether the result is the same. Exit 1 if not."""
    from studio.live.replay import OtherRules, corrections_of, facts_of
    from studio.live.replay import replay as play_again
    from studio.storage.database import open_existing
    from studio.storage.journal import SqlJournal

    with open_existing(url_of(database, config)) as opened:
        kept = SqlJournal(opened)
        streams = iter(kept.streams())
        for stream in streams:
            facts = facts_of(kept.read(stream), round_id)
            if facts:
                break
        else:
            raise Sorry(f"there is no round {round_id} in this journal: name one that is")
        for later in streams:
            if later.rpartition("/")[0] == stream.rpartition("/")[0]:
                facts += corrections_of(kept.read(later), round_id)
    table = stream.split("/")[1]
    try:
        done = play_again(table, facts, _rules(config, table, facts[0].event.game))
    except OtherRules as wrong:
        raise Sorry(str(wrong)) from wrong
    if as_json:
        click.echo(json.dumps(done.line()))
    else:
        click.echo(f"round {done.round_id}, {done.state}, journalled {done.journalled_version}")
        click.echo(f"journalled: {json.dumps(done.journalled)}")
        click.echo(f"again:      {json.dumps(done.again)} by {done.present_version}")
        for number, result, same in done.corrections:
            told = "the same again" if same else "NOT the same again"
            click.echo(f"correction {number}: {result}, {told}")
        click.echo("the result is the same" if done.same else "the result is NOT the same")
    if not done.same:
        raise SystemExit(1)


def _rules(config: Path, table: str, game_name: str) -> Iterator[Any]:
    """Rules that a round may have been dealt under: the table's own, then the game's defaults."""
    from studio.games.registry import game

    dealt = game(game_name)
    if config.exists():
        found = settings_of(config).tables.get(table)
        if found is not None and found.game.value == game_name:
            yield dealt.rules(found.rules)
    yield dealt.rules({})
