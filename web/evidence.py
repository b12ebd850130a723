"""Kept evidence of a fault: what there is, each piece, and all of it as one archive.

Never for a dealer (FACES.md 11), and never kept by a browser: a right that ends, ends here too.
"""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from flask import Blueprint, Response, jsonify

from studio.domain.commands import Rejected
from studio.table.views import to_json
from web.guard import SUPERVISOR_ROLES, Refused, require, require_table, studio

blueprint = Blueprint("evidence", __name__, url_prefix="/evidence")

BUNDLE_ROLES: Final = frozenset({"supervisor", "pit-boss", "auditor"})
"""Who may take a whole round away: the archive names players and stakes."""
TYPES: Final = {"wire": "text/plain; charset=utf-8", "picture": "image/jpeg"}
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

Given = TypeVar("Given")


@blueprint.get("/<table>/<fault>")
def listing(table: str, fault: str) -> Response:
    """What was kept of a fault, as the journal says; an empty list if nothing was."""
    require(SUPERVISOR_ROLES)
    items = studio().evidence(require_table(table), _known(fault))
    return jsonify({"table": table, "fault": fault, "items": to_json(items)})


@blueprint.get("/<table>/<fault>.zip")
def bundle(table: str, fault: str) -> Response:
    """The fault with its round and its evidence, to be checked without the studio."""
    require(BUNDLE_ROLES)
    name = require_table(table)
    found = _told(lambda: studio().bundle(name, _known(fault)))
    if found is None:
        raise _nothing()
    return _file(found, "application/zip", f"cutcard-{name}-{fault}.zip", save=True)


@blueprint.get("/<table>/<fault>/<name>")
def item(table: str, fault: str, name: str) -> Response:
    """The bytes of one piece, exactly as they were kept."""
    require(SUPERVISOR_ROLES)
    where = require_table(table)
    kinds = {each.name: each.kind for each in studio().evidence(where, _known(fault))}
    if name not in kinds:
        raise _nothing()
    found = _told(lambda: studio().evidence_item(where, fault, name))
    if found is None:
        raise _nothing()
    return _file(found, TYPES.get(kinds[name], "application/octet-stream"), _known(name))


def _known(name: str) -> str:
    """A name that evidence can have; every other one names nothing."""
    if not NAME.fullmatch(name):
        raise _nothing()
    return name


def _nothing() -> Refused:
    return Refused(
        404,
        "refused.no_evidence",
        "Nothing of that name is kept: it never was, or its days are over.",
    )


def _told(ask: Callable[[], Given]) -> Given:
    """Give what was asked for; what is damaged is told instead of shown."""
    try:
        return ask()
    except Rejected as refusal:
        raise Refused(409, refusal.code, refusal.text) from None


def _file(data: bytes, kind: str, name: str, *, save: bool = False) -> Response:
    response = Response(data, content_type=kind)
    how = "attachment" if save else "inline"
    response.headers["Content-Disposition"] = f'{how}; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response
