"""The command `cutcard odds`, from outside."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from studio.cli import cli
from studio.cli import odds as command

CONFIG = Path(__file__).resolve().parents[3] / "config.toml"


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["odds", *arguments])


def test_it_prints_one_json_object_with_the_promised_fields() -> None:
    result = call("baccarat", "--json")
    assert result.exit_code == 0
    (line,) = result.stdout.splitlines()
    plain = json.loads(line)
    assert list(plain) == ["game", "rules", "bets", "method"]
    assert plain["game"] == "baccarat"
    assert plain["rules"]["decks"] == 8
    banker = plain["bets"][1]
    assert list(banker) == ["bet", "win", "push", "lose", "return", "house_edge", "exact"]
    assert banker["bet"] == "banker"
    assert round(100 * banker["house_edge"], 4) == 1.0579


def test_rules_are_given_by_name_as_numbers_words_lists_and_objects() -> None:
    given = [
        "decks=6",
        "banker_pays=half_on_6",
        "big_pays=[1,2]",
        'lucky_six_pays={"two_cards":13}',
    ]
    result = call("baccarat", "--json", *(word for rule in given for word in ("--rule", rule)))
    rules = json.loads(result.stdout)["rules"]
    assert (rules["decks"], rules["banker_pays"], rules["big_pays"]) == (6, "half_on_6", [1, 2])
    assert rules["lucky_six_pays"] == {"two_cards": 13, "three_cards": 20}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["baloot"], "the games that have them are: baccarat, blackjack, boundless-blackjack"),
        (["baccarat", "--rule", "decks"], "is not NAME=VALUE"),
        (["baccarat", "--rule", "decks="], "is not NAME=VALUE"),
        (["baccarat", "--rule", "decks=9"], "decks is 9"),
        (["baccarat", "--rule", "charlie=5"], "has no rule 'charlie'"),
        (["blackjack", "--rule", "charlie=4"], "charlie is 4"),
        (["blackjack", "--rule", "double_on=9"], "double_on is 9"),
        (["boundless-blackjack", "--rule", "decks=6"], "decks is 6"),
        (["boundless-blackjack", "--table", "ba1", "--config", str(CONFIG)], "plays baccarat"),
        (["baccarat", "--table", "zz", "--config", str(CONFIG)], "no table 'zz'"),
        (["baccarat", "--rule", "decks=" + "[" * 100_000], "decks is"),
        (["baccarat", "--rule", "decks=NaN"], "decks is 'NaN'"),
        ([], "Missing argument"),
    ],
)
def test_a_wrong_call_is_answered_in_one_sentence(arguments: list[str], says: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert not result.stdout
    assert "Traceback" not in result.stderr


def test_the_rules_of_a_configured_table_may_be_the_start() -> None:
    result = call(
        "baccarat", "--table", "ba1", "--config", str(CONFIG), "--rule", "tie_pays=9", "--json"
    )
    assert json.loads(result.stdout)["rules"]["tie_pays"] == 9


def test_a_person_reads_a_table_of_bets_and_one_of_best_plays() -> None:
    result = call("blackjack", "--rule", "max_hands=1")
    assert result.exit_code == 0
    assert "best play" in result.stdout
    assert "insurance" in result.stdout
    assert "0.308434" in result.stdout
    assert result.stdout.rstrip().endswith(".")


def test_what_takes_long_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "QUIET_S", 0.0)
    result = call("blackjack", "--rule", "max_hands=1", "--json")
    assert "up card A: 9 of 10 done" in result.stderr
    assert len(result.stdout.splitlines()) == 1
