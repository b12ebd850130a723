"""Where a person belongs after signing in."""

from collections.abc import Sequence

from web.guard import SUPERVISOR_ROLES


def home_of(role: str, tables: Sequence[str]) -> str:
    """The address of a role's own face; empty where a dealer must choose among tables."""
    if role == "engineer":
        return "/engineer"
    if role in SUPERVISOR_ROLES:
        return "/supervisor"
    return f"/dealer/{tables[0]}" if len(tables) == 1 else ""
