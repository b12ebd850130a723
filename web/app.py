"""The web application: pages, JSON for the screens, the live channel, and how mistakes are told."""

import json
import logging
from typing import Any

from flask import Flask, Response, make_response, render_template, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import HTTPException

from web import api, engineer, evidence, pages
from web.build import Build, NoBuildError
from web.door import Door
from web.guard import Refused, guard
from web.language import page_language
from web.needs import Service, Settings
from web.platform import calls, seats
from web.sockets import Hub
from web.words import SOURCE, catalogue

log = logging.getLogger("cutcard.web")

SENTENCES = {
    400: "This request could not be read: load the page again.",
    404: "There is nothing at this address: start at /.",
    405: "This address cannot be used in this way: start at /.",
    408: "This request did not come whole: send it again.",
    413: "This request is too large: send less at once.",
    415: "Send JSON with the content type application/json.",
}
"""What is said for the errors that are not refusals of our own."""
CODES = {404: "refused.not_found", 408: "refused.malformed", 413: "refused.too_large"}
TROUBLE = "The studio could not answer: tell the engineer, with the time."


class Json(DefaultJSONProvider):
    """Reads what a request holds; lists in lists without end are no JSON to us."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """Read JSON; raises ValueError for whatever cannot be read."""
        try:
            return super().loads(s, **kwargs)
        except RecursionError:
            raise ValueError("nested too deeply") from None


def create_app(service: Service, settings: Settings, *, build: Build | None = None) -> Flask:
    """Make the application for a studio. It starts nothing: see `hub_of` and `Hub.begin`."""
    app = Flask("web", static_folder=None)
    app.json = Json(app)
    guard(app, service, settings.secrets)
    app.extensions["cutcard_build"] = build or Build()
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(api.blueprint)
    app.register_blueprint(evidence.blueprint)
    app.register_blueprint(engineer.blueprint)
    app.register_blueprint(calls.blueprint)
    app.register_blueprint(seats.blueprint)
    app.register_error_handler(Exception, tell)
    door = Door(settings.web.max_sockets)
    app.extensions["cutcard_hub"] = Hub(app, service, door)
    app.wsgi_app = door.before(app.wsgi_app)  # type: ignore[method-assign]
    return app


def hub_of(app: Flask) -> Hub:
    """The live channel of an application."""
    hub: Hub = app.extensions["cutcard_hub"]
    return hub


def tell(problem: Exception) -> Response:
    """Tell a mistake: as a problem document to a script, as one sentence to a person."""
    status, code, sentence, retry_s = _words_of(problem)
    if _wants_json():
        response = _problem_document(status, code, sentence, retry_s)
    else:
        response = make_response(_sentence_page(status, code, sentence), status)
    if retry_s:
        response.headers["Retry-After"] = str(retry_s)
    if isinstance(problem, HTTPException) and status == 405:  # noqa: PLR2004
        allowed = problem.get_response().headers.get("Allow")
        if allowed:
            response.headers["Allow"] = allowed
    return response


def _sentence_page(status: int, code: str, sentence: str) -> str:
    """A plain page with one sentence; it must not fail, so where the studio does it is English."""
    try:
        language = page_language()
    except Exception:  # noqa: BLE001  whatever is broken was told already
        language = catalogue(SOURCE)
    return render_template(
        "sentence.html",
        status=status,
        sentence=language.reason(code, sentence),
        language=language,
        styles=pages.plain_styles(),
    )


def _words_of(problem: Exception) -> tuple[int, str, str, int]:
    """Status, message code, sentence, and seconds after which trying again may help."""
    if isinstance(problem, Refused):
        return problem.code or 400, problem.reason, problem.sentence, problem.retry_s
    if isinstance(problem, NoBuildError):
        return 503, "refused.trouble", str(problem), 0
    if isinstance(problem, HTTPException):
        status = problem.code or 500
        return status, CODES.get(status, "refused.malformed"), SENTENCES.get(status, TROUBLE), 0
    if isinstance(problem, BlockingIOError):
        return 408, CODES[408], SENTENCES[408], 0
    log.error("a request to %s failed", request.path, exc_info=problem)
    return 500, "refused.trouble", TROUBLE, 0


def _wants_json() -> bool:
    if request.path.startswith("/api/"):
        return True
    accepted = request.accept_mimetypes
    return bool(accepted["application/json"] > accepted["text/html"])


def _problem_document(status: int, code: str, sentence: str, retry_s: int) -> Response:
    document: dict[str, Any] = {
        "type": "about:blank",
        "title": Response(status=status).status.partition(" ")[2],
        "status": status,
        "detail": sentence,
        "code": code,
    }
    if retry_s:
        document["retry_s"] = retry_s
    return Response(json.dumps(document), status=status, mimetype="application/problem+json")
