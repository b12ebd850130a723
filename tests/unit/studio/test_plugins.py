"""What stands behind the ports is found by entry point, and refused if it is not ours."""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path

import pytest

from studio import plugins


def test_the_four_packages_of_this_installation_are_ours() -> None:
    assert list(plugins.strangers()) == []


def test_another_programs_package_of_the_same_name_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = types.ModuleType("web")
    other.__path__ = [str(tmp_path / "web")]
    other.__file__ = str(tmp_path / "web" / "__init__.py")
    monkeypatch.setitem(sys.modules, "web", other)
    (sentence,) = plugins.strangers()
    assert "another program's" in sentence
    assert str(tmp_path) in sentence


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> types.ModuleType:
        if name == "vision":
            raise ModuleNotFoundError(name)
        return importlib.import_module(name)

    monkeypatch.setattr(plugins.importlib, "import_module", find)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plugins, "OURS", ("vision",))
        (sentence,) = plugins.strangers()
    assert "the package vision is missing" in sentence


def test_two_builds_of_opencv_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Found:
        def __init__(self, name: str) -> None:
            self.metadata = {"Name": name}

    def there(name: str) -> Found:
        if name in {"opencv-python", "opencv-python-headless"}:
            return Found(name)
        raise plugins.PackageNotFoundError(name)

    monkeypatch.setattr(plugins, "distribution", there)
    (sentence,) = plugins.conflicts()
    assert "opencv-python and opencv-python-headless are installed together" in sentence


def test_our_own_drivers_cameras_faces_and_commands_are_found() -> None:
    assert plugins.driver("cutcard-line").name == "cutcard-line"
    assert plugins.camera_kind("synthetic:").name == "synthetic"
    assert plugins.camera_kind("rtsp://192.0.2.1/felt").name == "opencv"
    assert callable(plugins.face().serve)
    assert {command.name for command in plugins.subcommands()} >= {"devices", "see"}


def test_a_name_that_does_not_exist_is_told_with_those_that_do() -> None:
    with pytest.raises(plugins.LaunchError, match=r"the drivers are: .*cutcard-line"):
        plugins.driver("x")
    with pytest.raises(plugins.LaunchError, match="the face 'radio' is not installed"):
        plugins.face("radio")
