"""Which language a page speaks: asked for, remembered, the person's own, the studio's."""

from flask import request

from web.guard import LANGUAGE_COOKIE, person, studio
from web.words import SOURCE, Catalogue, catalogue, catalogues


def asked_language() -> str:
    """The language that the address asks for, empty if none or one that is not offered."""
    asked = request.args.get("lang", "")
    return asked if asked in catalogues() else ""


def page_language() -> Catalogue:
    """The language of this page."""
    somebody = person()
    wishes = (
        asked_language(),
        request.cookies.get(LANGUAGE_COOKIE, ""),
        somebody.locale if somebody is not None else "",
        str(studio().locale),
    )
    return catalogue(next((wish for wish in wishes if wish in catalogues()), SOURCE))


def overlay_language() -> Catalogue:
    """The language of an overlay: the address decides, never whoever is signed in."""
    return catalogue(asked_language() or str(studio().locale))
