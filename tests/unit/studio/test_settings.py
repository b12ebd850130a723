"""The configuration file: what it may hold, and the sentence for each thing that is wrong."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from studio import settings as module
from studio.games.registry import game
from studio.settings import GameName, Settings, SettingsError, Source, load, parse
from tools import reference

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "config.toml"
FILE = Path("studio.toml")
MINIMAL: dict[str, Any] = {
    "tables": {
        "ba1": {
            "game": "baccarat",
            "limits": {"player": [100, 5000]},
            "shoe": {"url": "sim:"},
            "camera": {"source": "synthetic:"},
        }
    }
}

Change = Callable[[dict[str, Any]], None]


def problems_of(change: Change) -> tuple[str, ...]:
    """What is said about the smallest good configuration after a change."""
    values = copy.deepcopy(MINIMAL)
    change(values)
    with pytest.raises(SettingsError) as caught:
        parse(values, FILE, {})
    return caught.value.problems


def put(path: str, value: Any) -> Change:
    """Set the value at a dotted path, making sections on the way."""

    def change(values: dict[str, Any]) -> None:
        *sections, key = path.split(".")
        for section in sections:
            values = values.setdefault(section, {})
        values[key] = value

    return change


def test_the_example_runs_as_it_is_on_simulated_devices() -> None:
    settings = load(EXAMPLE, {})
    table = settings.tables["ba1"]
    assert table.game is GameName.BACCARAT
    assert table.sources == (Source.SHOE, Source.CAMERA)
    assert table.shoe is not None
    assert table.shoe.simulated
    assert table.camera is not None
    assert table.camera.synthetic


def test_the_example_has_limits_for_every_bet_of_baccarat() -> None:
    bets = (
        "player banker tie player_pair banker_pair either_pair perfect_pair big small "
        "dragon_player dragon_banker lucky_six"
    )
    assert set(load(EXAMPLE, {}).tables["ba1"].limits) == set(bets.split())


def test_the_tables_that_the_example_leaves_commented_out_are_right_as_they_stand() -> None:
    _, *parts = re.split(r"^# (?=\[tables\.\w+\]$)", EXAMPLE.read_text("utf-8"), flags=re.MULTILINE)
    signs = re.compile(r"^# ?(?=\[tables\.|\w+ = |$)", re.MULTILINE)
    read = {}
    for part in parts:
        own, *_ = part.split("\n\n")
        tables = tomllib.loads(signs.sub("", own))["tables"]
        read |= parse({"tables": tables}, FILE, {}).tables
    assert {name: table.game for name, table in read.items()} == {
        "bj1": GameName.BLACKJACK,
        "bb1": GameName.BOUNDLESS_BLACKJACK,
        "bl1": GameName.BALOOT,
    }
    named = {name: game(table.game).rules(dict(table.rules)) for name, table in read.items()}
    assert set(read["bj1"].rules) == set(named["bj1"].as_dict()), "every rule of blackjack is there"


def test_the_example_names_every_key_of_the_studio_and_the_web() -> None:
    values = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    for name in ("studio", "web", "obs"):
        model = module.Settings.model_fields[name].annotation
        assert isinstance(model, type)
        assert issubclass(model, BaseModel)
        assert set(values[name]) == set(model.model_fields)


def test_what_is_left_out_has_its_default() -> None:
    table = parse(MINIMAL, FILE, {}).tables["ba1"]
    assert (table.betting_s, table.result_s, table.reopen_min_s, table.pace_s) == (15, 8, 4, 8)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (put("tables.ba1.beting_s", 9), "tables.ba1.beting_s: there is no such key; did you mean"),
        (put("tables.ba1.betting_s", 0), "tables.ba1.betting_s: must be at least 1, and is 0"),
        (put("tables.ba1.betting_s", 601), "tables.ba1.betting_s: must be at most 600"),
        (put("tables.ba1.betting_s", "9"), "tables.ba1.betting_s: must be a number, without"),
        (put("tables.ba1.game", "poker"), "tables.ba1.game: must be one of 'baccarat'"),
        (put("tables.ba1.sources", []), "tables.ba1.sources: must not be empty"),
        (put("tables.ba1.sources", ["shoe", "shoe"]), "sources names one source twice"),
        (put("tables.ba1.sources", ["shoe"]), "the section [….camera] is not used"),
        (put("tables.ba1.limits.tie", [9, 5]), "tables.ba1.limits.tie: must be the smallest"),
        (put("tables.ba1.limits.tie", [0, 5]), "tables.ba1.limits.tie: must be the smallest"),
        (put("tables.ba1.limits", {}), "tables.ba1.limits: must not be empty"),
        (put("tables.ba1.shoe.usb_serial", "A1"), "give exactly one of url and usb_serial"),
        (put("tables.ba1.shoe.codes", "both"), "tables.ba1.shoe.codes: has not the form"),
        (put("tables.ba1.camera.source", "0"), "tables.ba1.camera: give layout"),
        (put("tables.BA 1", {}), "tables.BA 1: a name has small letters"),
        (put("tables", {}), "tables: must not be empty"),
        (put("studio.time_zone", "Mars"), "studio.time_zone: is not a time zone"),
        (put("studio.gaming_day_starts", "6"), "studio.gaming_day_starts: has not the form"),
        (put("studio.currency", "euro"), "studio.currency: has not the form"),
        (put("studio.database", "mysql://h/d"), 'must start with "sqlite:///" or'),
        (put("web.bind", "8000"), "web.bind: must be a host and a port"),
        (put("web.bind", "h:99999"), "web.bind: must be a host and a port"),
        (put("wallet.kind", "http"), 'wallet: url belongs to kind = "http"'),
        (put("obs.url", "http://h"), "obs.url: is not the address of OBS"),
        (put("platforms.house.webhook", "ftp://h"), "platforms.house.webhook: is not a web"),
        (put("secrets.secret_key", "x"), "secrets.secret_key: is a secret"),
        (put("file", "x"), "file: there is no such key"),
        (put("studio", 7), "studio: must be a section"),
    ],
)
def test_a_mistake_is_told_in_one_sentence_with_file_and_key(change: Change, expected: str) -> None:
    problems = problems_of(change)
    assert len([each for each in problems if expected in each]) == 1, problems
    for problem in problems:
        assert problem.startswith("studio.toml: ")
        assert "\n" not in problem
        assert "pydantic" not in problem


def test_all_mistakes_are_told_at_once() -> None:
    def change(values: dict[str, Any]) -> None:
        put("web.max_sockets", 1)(values)
        put("tables.ba1.pace_s", 0)(values)

    assert len(problems_of(change)) == 2


def test_a_missing_key_says_what_it_is_for() -> None:
    def change(values: dict[str, Any]) -> None:
        del values["tables"]["ba1"]["game"]

    (problem,) = problems_of(change)
    assert problem == "studio.toml: tables.ba1.game: is missing: add it (What is dealt here)"


@pytest.mark.parametrize(
    ("path", "value", "variable"),
    [
        ("obs.password", "hunter2", "CUTCARD_OBS_PASSWORD"),
        ("platforms.big-house.key", "hunter2", "CUTCARD_PLATFORM_BIG_HOUSE_KEY"),
        ("studio.secret_key", "hunter2", "CUTCARD_SECRET_KEY"),
        ("studio.database", "postgresql+psycopg://me:hunter2@h/d", "CUTCARD_DATABASE"),
        ("studio.broker", "redis://:hunter2@h", "CUTCARD_BROKER"),
        ("tables.ba1.camera.source", "rtsp://me:hunter2@h/s", "CUTCARD_CAMERA_BA1"),
        ("wallet.token", "hunter2", "the environment"),
    ],
)
def test_a_secret_in_the_file_is_refused_and_never_repeated(
    path: str, value: str, variable: str
) -> None:
    problems = problems_of(put(path, value))
    assert any(problem.endswith(f"{variable} in the environment") for problem in problems) or (
        problems[0].endswith(variable)
    )
    assert not any("hunter2" in problem for problem in problems)


def test_secrets_come_from_the_environment_and_are_never_shown() -> None:
    values = copy.deepcopy(MINIMAL)
    values["platforms"] = {"big-house": {}}
    env = {
        "CUTCARD_SECRET_KEY": "hunter2",
        "CUTCARD_PLATFORM_BIG_HOUSE_KEY": "hunter2",
        "CUTCARD_DATABASE": "postgresql+psycopg://me:hunter2@h/d",
        "CUTCARD_CAMERA_BA1": "rtsp://me:hunter2@h/s",
    }
    settings = parse(values, FILE, env)
    assert settings.studio.database == env["CUTCARD_DATABASE"]
    assert settings.secrets.platform_keys["big-house"].get_secret_value() == "hunter2"
    camera = settings.tables["ba1"].camera
    assert camera is not None
    assert camera.source == env["CUTCARD_CAMERA_BA1"]
    assert "hunter2" not in repr(settings.secrets)
    assert "hunter2" not in repr(settings.public())


def test_a_wrong_database_in_the_environment_names_the_variable() -> None:
    with pytest.raises(SettingsError, match="environment: CUTCARD_DATABASE: must start with"):
        parse(MINIMAL, FILE, {"CUTCARD_DATABASE": "mysql://h/d"})


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    file = tmp_path / "studio.toml"
    file.write_text(
        """
        [tables.ba1]
        game = "baccarat"
        limits = { player = [1, 2] }
        shoe = { url = "/dev/ttyUSB0", cards = "codes.csv" }
        camera = { source = "film.mkv", layout = "ba1.json", deck = "/decks/a.deck" }
        """,
        encoding="utf-8",
    )
    settings = load(file, {})
    table = settings.tables["ba1"]
    assert table.shoe is not None
    assert table.camera is not None
    assert settings.studio.database == f"sqlite:///{tmp_path}/var/cutcard.db"
    assert table.shoe.cards == tmp_path / "codes.csv"
    assert table.camera.source == str(tmp_path / "film.mkv")
    assert table.camera.layout == tmp_path / "ba1.json"
    assert table.camera.deck == Path("/decks/a.deck")


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"[web", "is not valid TOML"), (b"a = '\xff'", "is not UTF-8 text")],
)
def test_a_file_that_is_no_toml_is_told_in_one_sentence(
    content: bytes, expected: str, tmp_path: Path
) -> None:
    file = tmp_path / "studio.toml"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=expected):
        load(file, {})


def test_a_file_that_is_not_there_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="there is no such file: give its path with --config"):
        load(tmp_path / "no.toml", {})
    with pytest.raises(SettingsError, match="cannot be read"):
        load(tmp_path, {})


def test_the_settings_cannot_be_changed() -> None:
    settings = parse(MINIMAL, FILE, {})
    with pytest.raises(ValidationError):
        settings.web.max_sockets = 7  # type: ignore[misc]


def test_the_digest_depends_on_the_settings_and_not_on_secrets() -> None:
    plain = parse(MINIMAL, FILE, {})
    assert plain.digest() == parse(MINIMAL, FILE, {"CUTCARD_SECRET_KEY": "x"}).digest()
    other = copy.deepcopy(MINIMAL)
    put("tables.ba1.betting_s", 16)(other)
    assert plain.digest() != parse(other, FILE, {}).digest()
    spelled_out = copy.deepcopy(MINIMAL)
    put("tables.ba1.betting_s", 15)(spelled_out)
    assert plain.digest() == parse(spelled_out, FILE, {}).digest()


def test_a_driver_gets_its_own_options_beside_the_common_settings() -> None:
    values = copy.deepcopy(MINIMAL)
    put("tables.ba1.shoe.options", {"colour": "red"})(values)
    shoe = parse(values, FILE, {}).tables["ba1"].shoe
    assert shoe is not None
    given = shoe.for_driver()
    assert given["url"] == "sim:"
    assert given["colour"] == "red"
    assert "driver" not in given


def models() -> list[type[BaseModel]]:
    """Every section of the configuration."""
    values = vars(module).values()
    return [each for each in values if isinstance(each, type) and issubclass(each, module.Strict)]


@pytest.mark.parametrize("model", models(), ids=lambda model: model.__name__)
def test_every_key_has_its_line_in_the_reference(model: type[BaseModel]) -> None:
    assert model.__doc__
    for name, field in model.model_fields.items():
        assert field.description, f"{model.__name__}.{name} has no docstring"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=4,
)
sections = st.sampled_from(
    ["studio", "web", "wallet", "tables", "tables.ba1", "tables.ba1.shoe", "tables.ba1.limits"]
)


@given(
    where=sections, key=st.text(max_size=12) | st.sampled_from(["url", "game"]), value=json_values
)
def test_any_value_anywhere_is_read_or_answered_in_sentences(
    where: str, key: str, value: Any
) -> None:
    values = copy.deepcopy(MINIMAL)
    holder: Any = values
    for part in where.split("."):
        holder = holder.setdefault(part, {})
    holder[key] = value
    try:
        made, problems = parse(values, FILE, {}), ()
    except SettingsError as error:
        made, problems = None, error.problems
    assert isinstance(made, Settings) or problems
    assert all(problem.startswith("studio.toml: ") for problem in problems)


def test_the_reference_in_the_manual_is_what_the_settings_say() -> None:
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(), "run make reference"
