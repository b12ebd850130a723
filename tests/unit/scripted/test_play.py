"""`cutcard play`: cases in, one line each out, and no traceback whatever comes in."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from studio.play import answer, command, differences

COUP = {
    "id": "x1",
    "kind": "coup",
    "game": "baccarat",
    "shoe": ["4C", "9D", "2H", "TS"],
    "players": [{"id": "a", "bets": {"player": 1000, "banker": 1000}}],
}


def play(text: str, *options: str) -> Result:
    """Run the command on standard input."""
    return CliRunner().invoke(command, [*options, "-"], input=text)


def lines(result: Result) -> list[dict[str, object]]:
    """The machine output."""
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.shared
def test_every_shared_baccarat_case_passes_through_the_ordinary_table(shared: Path) -> None:
    """75 coups: drawing table, naturals, commission, variants, side bets, cut card."""
    path = shared / "cases" / "baccarat.jsonl"
    result = CliRunner().invoke(command, ["--check", str(path)])
    assert (result.exit_code, result.stdout) == (0, "")


@pytest.mark.shared
def test_every_shared_baccarat_burn_passes_through_the_shoe_procedure(shared: Path) -> None:
    """The shown card decides how many are burned."""
    path = shared / "cases" / "shoe_procedure.jsonl"
    text = "\n".join(
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if json.loads(line)["game"] == "baccarat"
    )
    result = play(text, "--check")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "0 played" not in result.stderr


def test_a_case_without_expect_is_played_and_told() -> None:
    """A case may come without `expect`."""
    told = lines(play(json.dumps(COUP)))
    assert told[0]["id"] == "x1"
    result = told[0]["result"]
    assert isinstance(result, dict)
    assert (result["winner"], result["players"]["a"]["returned_total"]) == ("banker", 1950)


def test_a_wrong_expectation_is_printed_as_a_difference_with_exit_1() -> None:
    """Only the differences are printed."""
    result = play(json.dumps({**COUP, "expect": {"winner": "player", "cards": 4}}), "--check")
    assert result.exit_code == 1
    assert lines(result)[0]["differences"] == [
        {"field": "winner", "expected": "player", "found": "banker"}
    ]


@pytest.mark.parametrize(
    "broken",
    [
        "{",
        "[1]",
        '{"id":"k","kind":"roulette"}',
        json.dumps({**COUP, "shoe": ["4C", "9X", "2H", "TS"]}),
        json.dumps({**COUP, "shoe": ["4C"]}),
        json.dumps({**COUP, "shoe": "4C9D"}),
        json.dumps({**COUP, "shoe": ["4C", "??", "2H", "TS"]}),
        json.dumps({**COUP, "shoe": [4]}),
        json.dumps({**COUP, "players": [{"id": "a"}]}),
        json.dumps({**COUP, "players": ["a"]}),
        json.dumps({**COUP, "players": [{"id": "a", "bets": {"player": 1.5}}]}),
        json.dumps({**COUP, "rules": {"decks": 99}}),
        json.dumps({**COUP, "rules": {"no_such": 1}}),
        json.dumps({**COUP, "rules": []}),
        json.dumps({**COUP, "game": "snap"}),
        json.dumps({**COUP, "round_no": "two"}),
        '{"id":"a","kind":[]}',
        '{"id":NaN,"kind":"coup"}',
        "[" * 100_000,
    ],
)
def test_a_malformed_case_gives_an_error_and_the_next_one_is_played(broken: str) -> None:
    """One sentence, nothing lost, no traceback, exit 1 at the end."""
    result = play(broken + "\n" + json.dumps(COUP))
    told = lines(result)
    assert result.exit_code == 1
    assert isinstance(told[0]["error"], str)
    assert "result" in told[1]
    assert not isinstance(result.exception, Exception)


def test_a_refused_bet_is_told_and_never_paid() -> None:
    """The refusal names player, bet and reason."""
    bets = {"player": 1000, "no_such_bet": 5}
    told = answer(json.dumps({**COUP, "players": [{"id": "a", "bets": bets}]}))
    assert told["result"]["rejected"] == [["a", "no_such_bet", "not_offered"]]
    assert told["result"]["players"]["a"]["staked_total"] == 1000


def test_a_unit_case_is_skipped_by_name() -> None:
    """Kinds for unit tests are no failure."""
    assert answer('{"id":"u","kind":"cut"}') == {"id": "u", "skipped": "unit test"}


def test_a_file_that_does_not_exist_is_a_wrong_call() -> None:
    """Exit 2 with one sentence."""
    result = CliRunner().invoke(command, ["no-such-file.jsonl"])
    assert result.exit_code == 2
    assert "no-such-file.jsonl" in result.stderr


def test_true_is_not_one() -> None:
    """JSON's true and 1 are different answers."""
    assert list(differences({"n": 1}, {"n": True})) != []
