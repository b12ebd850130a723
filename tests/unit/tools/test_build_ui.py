"""The build of the front end: when it runs, when not, and what it says when it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import build_ui


class Npm:
    """Stands for npm: keeps what was run and leaves an output."""

    def __init__(self, output: Path, modules: Path) -> None:
        self.output = output
        self.modules = modules
        self.ran: list[str] = []
        self.broken = ""

    def __call__(self, command: list[str], _environment: dict[str, str], failure: str) -> None:
        word = command[-1] if command[1] == "run" else command[1]
        self.ran.append(word)
        if word == self.broken:
            raise build_ui.UiBuildError(failure)
        self.modules.mkdir(exist_ok=True)
        if word == "build":
            self.output.mkdir(exist_ok=True)
            (self.output / "dealer.js").touch()


@pytest.fixture
def npm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Npm:
    """A front end with one source, and no npm but ours."""
    sources, output = tmp_path / "web/ui", tmp_path / "web/static"
    (sources / "src").mkdir(parents=True)
    (sources / "package.json").write_text('{"scripts": {"check": "tsc", "build": "vite build"}}')
    (sources / "package-lock.json").write_text("{}")
    (sources / "src/dealer.tsx").write_text("one")
    fake = Npm(output, sources / "node_modules")
    monkeypatch.setattr(build_ui, "ROOT", tmp_path)
    monkeypatch.setattr(build_ui, "SOURCES", sources)
    monkeypatch.setattr(build_ui, "OUTPUT", output)
    monkeypatch.setattr(build_ui, "STAMP", output / ".sources")
    monkeypatch.setattr(build_ui, "node_environment", lambda: (["npm"], {}))
    monkeypatch.setattr(build_ui, "run", fake)
    monkeypatch.setattr(build_ui.sys, "argv", ["build_ui.py"])
    return fake


def test_the_first_build_installs_and_builds_and_the_second_does_nothing(npm: Npm) -> None:
    assert build_ui.main() == 0
    assert npm.ran == ["ci", "build"]
    assert build_ui.main() == 0
    assert npm.ran == ["ci", "build"]


def test_a_changed_source_is_built_again_without_installing_again(npm: Npm) -> None:
    build_ui.main()
    (build_ui.SOURCES / "src/dealer.tsx").write_text("two")
    build_ui.main()
    assert npm.ran == ["ci", "build", "build"]


def test_a_changed_lock_file_is_installed_again(npm: Npm) -> None:
    build_ui.main()
    (build_ui.SOURCES / "package-lock.json").write_text('{"lockfileVersion": 3}')
    build_ui.main()
    assert npm.ran == ["ci", "build", "ci", "build"]


def test_an_output_that_was_removed_is_built_again(npm: Npm) -> None:
    build_ui.main()
    for path in npm.output.iterdir():
        path.unlink()
    build_ui.main()
    assert npm.ran.count("build") == 2


def test_installed_modules_are_not_sources(npm: Npm) -> None:
    build_ui.main()
    (npm.modules / "preact.js").touch()
    build_ui.main()
    assert npm.ran.count("build") == 1


def test_a_build_that_failed_is_tried_again(npm: Npm, capsys: pytest.CaptureFixture[str]) -> None:
    npm.broken = "build"
    assert build_ui.main() == 1
    assert "Building the front end failed" in capsys.readouterr().err
    npm.broken = ""
    assert build_ui.main() == 0


def test_types_are_checked_once_for_the_same_sources(
    npm: Npm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_ui.sys, "argv", ["build_ui.py", "--check"])
    assert build_ui.main() == 0
    assert build_ui.main() == 0
    assert npm.ran == ["ci", "build", "check"]


def test_without_sources_there_is_nothing_to_do(npm: Npm) -> None:
    (build_ui.SOURCES / "package.json").unlink()
    assert build_ui.main() == 0
    assert not npm.ran


def test_without_npm_the_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(build_ui.shutil, "which", lambda _name: None)
    monkeypatch.setattr(build_ui.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(build_ui.UiBuildError, match=r"install Node\.js 20 or newer"):
        build_ui.node_environment()
