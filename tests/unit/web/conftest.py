"""A web application over a fake studio, alone or on a real port of the loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from tests.unit.web.fakes import PIN, FakeService, fake_settings
from web.app import create_app, hub_of
from web.build import Build


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """A front end as Vite leaves it."""
    chunks: dict[str, Any] = {
        f"src/{page}.tsx": {
            "file": f"assets/{page}-1a2b.js",
            "isEntry": True,
            "imports": ["_feed.js"],
            "css": [f"assets/{page}-1a2b.css"],
        }
        for page in ("signin", "dealer", "supervisor", "overlay", "engineer")
    }
    chunks["_feed.js"] = {"file": "assets/feed-9f.js", "css": ["assets/kit-9f.css"]}
    chunks["src/rules.css"] = {"file": "assets/rules-77.css", "isEntry": True}
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps(chunks))
    return Build(manifest)


@pytest.fixture
def service() -> FakeService:
    return FakeService()


@pytest.fixture
def app(service: FakeService, build: Build) -> Flask:
    return create_app(service, fake_settings(), build=build)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def signed_in(app: Flask) -> Any:
    """Signs somebody in by staff number and gives the browser."""

    def sign_in(number: str) -> FlaskClient:
        browser = app.test_client()
        answer = browser.post("/api/ui/sign-in", json={"number": number, "pin": PIN})
        assert answer.status_code == 200, answer.text
        return browser

    return sign_in


class Server:
    """The application on a port of the loopback."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.hub = hub_of(app)
        self._server = make_server("127.0.0.1", 0, app, threaded=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )

    def __enter__(self) -> Self:
        self.hub.begin()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.hub.end()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    with Server(app) as running:
        yield running
