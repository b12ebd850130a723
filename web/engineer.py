"""The studio engineer's pages: choose a table, calibrate its camera, show it a deck.

What a page asks of a camera goes as JSON, one word after the other; the live picture comes as JPEG,
each with its age. Nothing of it is kept by a browser.
"""

import re
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
)
from werkzeug.wrappers import Response as AnyResponse

from studio.domain.commands import Rejected
from web import words
from web.build import Build, NoBuildError
from web.guard import (
    Refused,
    form_token,
    new_form_seed,
    person,
    require,
    require_table,
    session_token,
    studio,
)
from web.language import page_language
from web.pages import plain_styles, remember_language, shell

blueprint = Blueprint("engineer", __name__)

ENGINEER_ROLES: Final = frozenset({"engineer"})
PAGE: Final = re.compile(r"[A-Za-z0-9-]{8,64}")
WORD: Final = re.compile(r"[a-z][a-z_]{0,31}")
VIEWS: Final = ("calibrate", "enrol")


@blueprint.get("/engineer")
def start() -> AnyResponse:
    """The tables with their cameras, and where to go from each."""
    if person() is None:
        return redirect("/", 303)
    somebody = require(ENGINEER_ROLES)
    language = page_language()
    build: Build = current_app.extensions["cutcard_build"]
    try:
        script = build.files("src/choose.ts").script
    except NoBuildError:
        script = ""
    response = make_response(
        render_template(
            "engineer.html",
            language=language,
            languages=words.catalogues().values(),
            tiles=[_tile(tile) for tile in studio().wall().view["tiles"]],
            name=somebody.name,
            token=form_token(new_form_seed()),
            styles=plain_styles(),
            script=script,
        )
    )
    remember_language(response)
    return response


def _tile(tile: dict[str, Any]) -> dict[str, Any]:
    """What the start page says of one table."""
    table = str(tile["table"])
    benches = studio().benches
    opened = benches.opened(table)
    cameras = [each for each in tile.get("devices", ()) if each["kind"] == "camera"]
    return {
        "table": table,
        "state": tile.get("state", ""),
        "rung": cameras[0]["rung"] if cameras else None,
        "bench": benches.has(table),
        "busy": "" if opened is None else opened.name,
    }


@blueprint.get("/engineer/<table>/<view>")
def bench_page(table: str, view: str) -> AnyResponse:
    """Calibrate the camera of a table, or show it a deck."""
    if person() is None:
        return redirect("/", 303)
    require(ENGINEER_ROLES)
    require_table(table)
    if view not in VIEWS:
        raise Refused(404, "refused.not_found", "An engineer's pages are calibrate and enrol.")
    extra = {"params": {"view": view}, "socket": None}
    return shell("engineer", page_language(), table=table, extra=extra)


@blueprint.get("/engineer/<table>/live.jpg")
def live(table: str) -> Response:
    """The camera's newest frame; its age in milliseconds stands in the header."""
    require(ENGINEER_ROLES)
    name, benches = require_table(table), studio().benches
    found = benches.live(name)
    if found is None and benches.opened(name) is None:
        # A page that was left open asks on; no error, or its browser would write each into its log.
        return Response(status=204)
    if found is None:
        raise Refused(404, "refused.no_picture", "No camera of this table has shown a picture yet.")
    response = Response(found[1], mimetype="image/jpeg")
    response.headers["Cutcard-Age-Ms"] = str(found[0] // 1000)
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.post("/api/ui/bench/<table>")
def bench(table: str) -> AnyResponse:
    """Do one thing at the bench; the answer is the session's whole state, or a refusal."""
    somebody = require(ENGINEER_ROLES)
    name = require_table(table)
    page, word, given = _asked()
    signed = studio().accounts.signed_in(session_token()) or somebody
    try:
        answer = studio().benches.do(name, word, given, person=signed, page=page)
    except Rejected as no:
        if word in {"open", "save"}:
            studio().refused(name, "SetUpCamera", person=somebody, code=no.code, text=no.text[:200])
        # No mistake of the page, so no status of one: a browser would write it into its console.
        values = getattr(no, "values", {})
        return jsonify({"refused": {"code": no.code, "text": no.text, "values": values}})
    return jsonify(answer)


def _asked() -> tuple[str, str, dict[str, Any]]:
    """Window, word and values of what was asked; raises Refused with what to send."""
    body = request.get_json()
    body = body if isinstance(body, dict) else {}
    page, word, given = body.get("page"), body.get("word"), body.get("given", {})
    if not isinstance(page, str) or not isinstance(word, str):
        page = word = ""
    if not isinstance(given, dict) or not PAGE.fullmatch(page) or not WORD.fullmatch(word):
        raise Refused(
            400, "refused.malformed", 'Send {"page": …, "word": …, "given": {…}}, as the page does.'
        )
    return page, word, given
