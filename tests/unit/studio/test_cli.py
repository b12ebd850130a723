"""The command line: help with an example, one sentence for a mistake, exit statuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from studio.cli import cli
from studio.live.means import TableStopped
from studio.storage.journal import open_journal
from tests.support.live.bench import Bench

CONFIG = """
[studio]
database = "sqlite:///cutcard.db"
[web]
bind = "127.0.0.1:0"
[tables.ba1]
game = "baccarat"
sources = ["shoe"]
limits = { player = [100, 500000] }
[tables.ba1.shoe]
url = "sim:"
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "config.toml"
    file.write_text(CONFIG)
    return file


def call(*args: object) -> Result:
    return CliRunner().invoke(cli, [str(arg) for arg in args], prog_name="cutcard")


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        if command is not None:
            yield (*path, name)


def test_every_command_has_help_with_an_example() -> None:
    for words in commands(cli):
        done = call(*words, "--help")
        assert done.exit_code == 0, words
        assert "Example: cutcard" in done.output.replace("\n", " "), words


def test_what_does_not_exist_is_a_wrong_call() -> None:
    for words in (("explode",), ("run", "--fast"), ("people", "add"), ("journal", "show")):
        assert call(*words).exit_code == 2, words


def test_a_wrong_configuration_is_told_in_one_sentence_per_mistake(config: Path) -> None:
    config.write_text(CONFIG.replace("[web]", "[web]\nfoo = 1\nmax_sockets = 1"))
    for words in (("run",), ("check",), ("people", "list"), ("journal", "verify")):
        done = call(*words, "--config", config)
        assert done.exit_code == 2, words
        assert "web.foo" in done.stderr
        assert "web.max_sockets" in done.stderr
        assert "Traceback" not in done.output
        assert done.stdout == ""


def test_check_says_what_it_understood_and_tries_each_device(config: Path) -> None:
    done = call("check", "--config", config)
    assert done.exit_code == 0, done.output
    assert "Table ba1 deals baccarat (baccarat@1) from 8 packs" in done.stdout
    assert "ok       table ba1, shoe: Model S" in done.stdout


def test_check_names_the_house_rules_that_change_nothing_and_refuses_those_that_cannot_be(
    config: Path,
) -> None:
    blackjack = CONFIG.replace('game = "baccarat"', 'game = "blackjack"')
    limits = blackjack.replace("{ player = [100, 500000] }", "{ main = [100, 500000] }")
    config.write_text(f"{limits}\n[tables.ba1.rules]\nresplit_aces = true\n")
    done = call("check", "--config", config)
    assert done.exit_code == 0, done.output
    assert "Table ba1 deals blackjack (blackjack@1) from 8 packs" in done.stdout
    assert "Table ba1: resplit_aces has no effect: with max_hands 2 no hand is" in done.stdout
    assert "resplit_aces true, hit_split_aces false, split_by value" in done.stdout
    rules = 'surrender = "late"\nhole_card = "none_all_lost"'
    config.write_text(f"{limits}\n[tables.ba1.rules]\n{rules}\n")
    done = call("check", "--config", config)
    assert done.exit_code == 2
    assert "surrender is 'late' and hole_card is 'none_all_lost'" in done.output


def test_check_says_that_a_text_reader_has_no_name_and_names_a_wrong_table_of_codes(
    config: Path,
) -> None:
    codes = config.with_name("codes.csv")
    codes.write_text("code,card\nA1,7H\n")
    reader = 'driver = "serial-text"\ncards = "codes.csv"\nurl = "sim:"'
    config.write_text(CONFIG.replace('url = "sim:"', reader))
    done = call("check", "--config", config)
    assert done.exit_code == 0, done.output
    assert "shoe: its port opens; serial-text does not say who it is" in done.stdout
    codes.write_text("code,card\nA1,1H\n")
    done = call("check", "--config", config)
    assert done.exit_code == 1
    assert "codes.csv, line 2: '1H' is no card" in done.stdout


def test_check_says_of_each_platform_whether_it_has_a_key_and_whom_the_money_is_with(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = 'webhook = "https://platform.example/hook?token=hunter3"'
    config.write_text(f"{CONFIG}[platforms.big-house]\n{hook}\n[platforms.other]\n")
    done = call("check", "--config", config)
    assert done.exit_code == 0
    assert "warning  platform big-house: it has no key" in done.output
    assert "its webhook is told nothing" in done.output
    assert "`cutcard tokens add platform other` and set CUTCARD_PLATFORM_OTHER_KEY" in done.output
    assert "ok       wallet: the studio keeps the balances itself" in done.output
    monkeypatch.setenv("CUTCARD_PLATFORM_BIG_HOUSE_KEY", "hunter4-0123456789")
    done = call("check", "--config", config)
    assert "platform big-house: it has a key, and is told at platform.example\n" in done.output
    assert "hunter" not in done.output


def test_check_answers_one_where_the_wallet_of_a_platform_has_no_key(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text(f'{CONFIG}[wallet]\nkind = "http"\nurl = "https://p.example/wallet"\n')
    done = call("check", "--config", config)
    assert done.exit_code == 1
    assert "WRONG    wallet: " in done.output
    assert "set CUTCARD_WALLET_KEY" in done.output
    monkeypatch.setenv("CUTCARD_WALLET_KEY", "hunter2")
    done = call("check", "--config", config)
    assert done.exit_code == 0
    assert "asked at p.example with a key" in done.output


def test_check_answers_one_where_a_port_does_not_exist(config: Path) -> None:
    config.write_text(CONFIG.replace('"sim:"', '"/dev/ttyNOWHERE"'))
    done = call("check", "--config", config)
    assert done.exit_code == 1
    assert "WRONG    table ba1, shoe: port /dev/ttyNOWHERE does not exist" in done.stdout


def test_check_warns_of_a_bare_index_and_names_a_missing_layout(config: Path) -> None:
    camera = '[tables.ba1.camera]\nsource = "97"\nlayout = "none.json"\n'
    config.write_text(CONFIG.replace('["shoe"]', '["shoe", "camera"]') + camera)
    done = call("check", "--config", config)
    assert done.exit_code == 1
    assert "warning  table ba1, camera: source 97 is a bare index" in done.stdout
    assert "none.json: there is no such file" in done.stdout


def test_people_are_added_with_a_pin_that_is_shown_once(config: Path) -> None:
    done = call(
        "people", "add", "Sana Malik", "--role", "supervisor", "--number", "12", "--config", config
    )
    assert done.exit_code == 0, done.output
    assert done.stdout.strip().isdigit()
    assert len(done.stdout.strip()) == 6
    listed = call("people", "list", "--json", "--config", config)
    person = {"number": "12", "name": "Sana Malik", "role": "supervisor"}
    assert json.loads(listed.stdout) == {**person, "enabled": True, "badge": False}
    assert done.stdout.strip() not in listed.stdout
    assert call("people", "passwd", "12", "--config", config).exit_code == 0
    assert call("people", "disable", "12", "--config", config).exit_code == 0
    assert '"enabled": false' in call("people", "list", "--json", "--config", config).stdout
    assert "Sana Malik" in call("people", "list", "--config", config).stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("add", "X", "--role", "boss", "--number", "1"), "'boss' is no role"),
        (("add", "X", "--role", "dealer", "--number", "no!"), "is no staff number"),
        (("disable", "99"), "nobody has number 99"),
        (("passwd", "99"), "nobody has number 99"),
    ],
)
def test_a_person_that_cannot_be_is_refused(
    config: Path, words: tuple[str, ...], sentence: str
) -> None:
    done = call("people", *words, "--config", config)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert done.stdout == ""


def test_tokens_of_overlays_are_made_listed_and_revoked(config: Path) -> None:
    made = call("tokens", "add", "overlay", "ba1", "--config", config)
    assert "/overlay/ba1?token=" in made.stdout
    secret = made.stdout.strip().rpartition("=")[2]
    listed = call("tokens", "list", "--config", config)
    assert secret not in listed.stdout
    token = json.loads(listed.stdout)
    assert call("tokens", "revoke", token["id"], "--config", config).exit_code == 0
    assert json.loads(call("tokens", "list", "--config", config).stdout)["revoked"] is True
    assert call("tokens", "add", "overlay", "ba9", "--config", config).exit_code == 2


@pytest.fixture
def dealt(config: Path, tmp_path: Path) -> Path:
    """A configuration whose database holds one settled round."""
    journal = open_journal(f"sqlite:///{tmp_path / 'cutcard.db'}")
    bench = Bench(journal)
    bench.open_shoe()
    bench.coup("9S 2D KH 5D")
    journal.database.close()
    return config


def test_the_journal_is_verified_shown_and_played_again(dealt: Path) -> None:
    verified = call("journal", "verify", "--config", dealt)
    assert verified.exit_code == 0, verified.output
    assert "unsigned" in verified.stdout
    line = json.loads(call("journal", "verify", "--json", "--config", dealt).stdout)
    assert (line["ok"], line["rounds"], line["problems"]) == (True, 1, [])
    name = "r-2027-01-15-ba1-1"
    shown = call("journal", "show", "--round", name, "--config", dealt)
    assert "round_settled" in shown.stdout
    facts = call("journal", "show", "--round", name, "--json", "--config", dealt).stdout
    assert json.loads(facts.splitlines()[0])["event"] == "round_opened"
    again = call("replay", "--round", name, "--config", dealt)
    assert again.exit_code == 0, again.output
    assert "the result is the same" in again.stdout
    line = json.loads(call("replay", "--round", name, "--json", "--config", dealt).stdout)
    assert (line["journalled"], line["present"], line["same"]) == (
        "baccarat@1", "baccarat@1", True,
    )  # fmt: skip


def test_a_round_or_a_database_that_is_not_there_is_a_wrong_call(
    config: Path, dealt: Path, tmp_path: Path
) -> None:
    for words in (("journal", "show"), ("replay",)):
        done = call(*words, "--round", "r-none", "--config", dealt)
        assert done.exit_code == 2, words
        assert "there is no round r-none" in done.stderr
    done = call("journal", "verify", "--database", f"sqlite:///{tmp_path / 'none.db'}")
    assert done.exit_code == 2
    assert "there is no database" in done.stderr


def test_a_round_of_other_rules_asks_for_the_configuration_of_that_day(dealt: Path) -> None:
    rules = "\n[tables.ba1.rules]\ntie_pays = 9\n"
    dealt.write_text(dealt.read_text() + rules)
    assert call("replay", "--round", "r-2027-01-15-ba1-1", "--config", dealt).exit_code == 0


def test_a_studio_with_a_driver_that_does_not_exist_is_not_run(config: Path) -> None:
    config.write_text(CONFIG.replace('"sim:"', '"sim:"\ndriver = "none"'))
    done = call("run", "--config", config)
    assert done.exit_code == 2
    assert "there is no driver 'none'" in done.stderr


def test_a_demonstration_whose_table_stops_ends_with_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(_wanted: object) -> int:
        raise TableStopped("table ba1 has stopped: the database refused to write: disk is full")

    monkeypatch.setattr("studio.simulate.demo.run", full)
    result = call("demo", "--headless")
    assert result.exit_code == 1
    assert result.stderr == (
        "cutcard demo: table ba1 has stopped: the database refused to write: disk is full\n"
    )
