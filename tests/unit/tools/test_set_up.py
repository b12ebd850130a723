"""Set-up: which OpenCV fits the machine, and when there is nothing to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import lock, set_up


class Calls(list[tuple[str, ...]]):
    """Stands for pip: keeps what it was asked for."""

    def __call__(self, *arguments: str) -> None:
        self.append(arguments)


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Calls:
    """Take pip's place, with an empty environment."""
    calls = Calls()
    monkeypatch.setattr(set_up, "pip", calls)
    monkeypatch.setattr(set_up, "VENV", tmp_path)
    monkeypatch.setattr(set_up.sys, "platform", "linux")
    monkeypatch.setattr(set_up.shutil, "which", lambda _name: None)
    return calls


def libraries(monkeypatch: pytest.MonkeyPatch, *there: str) -> None:
    """Let the machine have just these libraries."""
    monkeypatch.setattr(
        set_up.ctypes.util, "find_library", lambda name: f"lib{name}.so" if name in there else None
    )


def lock_files(calls: Calls) -> set[str]:
    """Names of the lock files that pip was given."""
    return {Path(each).name for call in calls for each in call if each.endswith(".lock")}


def test_a_machine_with_the_libraries_gets_opencv_python(
    pip: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries(monkeypatch, "GL", "glib-2.0")
    set_up.install()
    assert "opencv.lock" in lock_files(pip)
    assert "opencv-headless.lock" not in lock_files(pip)


def test_a_machine_without_them_gets_the_headless_one_and_is_told(
    pip: Calls, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    libraries(monkeypatch, "glib-2.0")
    set_up.install()
    assert "opencv-headless.lock" in lock_files(pip)
    assert "opencv.lock" not in lock_files(pip)
    told = capsys.readouterr().err
    assert "needs libgl1, which cannot be installed here" in told
    assert "opencv-python-headless instead" in told


def test_the_libraries_are_installed_first_where_that_is_possible(
    pip: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries(monkeypatch)
    asked: list[list[str]] = []

    def apt_install(packages: list[str]) -> bool:
        asked.append(packages)
        libraries(monkeypatch, "GL", "glib-2.0")
        return True

    monkeypatch.setattr(set_up, "apt_install", apt_install)
    set_up.install()
    assert asked == [["libgl1", "libglib2.0-0"]]
    assert "opencv.lock" in lock_files(pip)


def test_the_two_opencv_packages_are_never_together(
    pip: Calls, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    libraries(monkeypatch, "GL", "glib-2.0")
    packages = tmp_path / "lib/python3.11/site-packages"
    (packages / "opencv_python_headless-5.0.0.dist-info").mkdir(parents=True)
    set_up.install()
    assert pip[0][0] == "uninstall"
    assert {"opencv-python", "opencv-python-headless"} <= set(pip[0])


def test_node_is_taken_from_a_package_only_where_the_machine_has_none(
    pip: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries(monkeypatch, "GL", "glib-2.0")
    set_up.install()
    assert "node.lock" in lock_files(pip)
    pip.clear()
    monkeypatch.setattr(set_up.shutil, "which", lambda name: f"/usr/bin/{name}")
    set_up.install()
    assert "node.lock" not in lock_files(pip)


def test_every_package_is_installed_with_its_sum(
    pip: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries(monkeypatch, "GL", "glib-2.0")
    set_up.install()
    (locked,) = [call for call in pip if any(each.endswith(".lock") for each in call)]
    assert "--require-hashes" in locked


def test_nothing_is_installed_when_nothing_changed(
    pip: Calls, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    python = tmp_path / "bin/python"
    python.parent.mkdir()
    python.touch()
    (tmp_path / "bin/pip").touch()
    libraries(monkeypatch, "GL", "glib-2.0")
    monkeypatch.setattr(set_up, "PYTHON", python)
    monkeypatch.setattr(set_up, "STAMP", tmp_path / "stamp")
    assert set_up.main() == 0
    assert pip
    pip.clear()
    assert set_up.main() == 0
    assert not pip
    monkeypatch.setattr(set_up, "fingerprint", lambda: "another pyproject.toml")
    assert set_up.main() == 0
    assert pip


def test_the_lock_of_opencv_is_split_off_with_its_sums() -> None:
    text = (
        "numpy==2.0 \\\n    --hash=sha256:aa\nopencv-python==5.0 \\\n    --hash=sha256:bb\npip==1\n"
    )
    rest, opencv = lock.split_opencv(text)
    assert rest == "numpy==2.0 \\\n    --hash=sha256:aa\npip==1\n"
    assert opencv == "opencv-python==5.0 \\\n    --hash=sha256:bb\n"


@pytest.mark.parametrize("name", ["main", "opencv", "opencv-headless", "node"])
def test_a_lock_file_has_a_sum_for_each_package_and_no_address(name: str, root: Path) -> None:
    text = (root / "requirements" / f"{name}.lock").read_text()
    packages = [line for line in text.splitlines() if "==" in line and not line.startswith(" ")]
    assert packages
    for package in packages:
        assert text.split(package, 1)[1].lstrip().startswith("--hash=sha256:"), package
    assert "://" not in text
    assert "--index" not in text
