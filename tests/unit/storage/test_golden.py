"""Every event that was ever released still loads, and is written as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studio.domain.envelope import Attachment
from studio.storage.codec import default_codec
from tests.unit.storage.golden import kept, lines


@pytest.mark.parametrize("line", kept(), ids=lambda line: f"{line['name']}-{line['version']}")
def test_a_released_event_still_loads(line: dict[str, Any]) -> None:
    codec = default_codec()
    attachment = None
    if line["columns"] is not None:
        attachment = Attachment("kind", "key", json.loads(line["columns"]))
    event = codec.decode(line["name"], line["version"], line["body"], attachment=attachment)
    if line["version"] == codec.names[line["name"]]:
        assert codec.encode(event).body == line["body"]


def test_every_event_of_this_release_is_in_the_golden_file() -> None:
    known = {(line["name"], line["version"]) for line in kept()}
    new = [line["name"] for line in lines() if (line["name"], line["version"]) not in known]
    assert not new, f"run `python -m tests.unit.storage.golden` to add {', '.join(new)}"
