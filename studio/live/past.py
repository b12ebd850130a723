"""Reads an ended round from the journal, for a decision that its table can no longer make alone."""

from dataclasses import replace

from studio.domain import events as e
from studio.domain.columns import Columns
from studio.live.ports import Journal, JournalError
from studio.table.correction import after
from studio.table.ended import Ended
from studio.table.evolve import evolve
from studio.table.past import Past, settled
from studio.table.state import Table


def read_past(journal: Journal, table: Table, prefix: str, round_id: str) -> Past | None:
    """Give the bets of a settled round of this shoe and what went back; None if it is not known.

    Only the facts of the round and its corrections are read. `prefix` is what the names of the
    table's streams begin with.

    Raises:
        JournalError: if the journal does not hold what the table remembers.
    """
    ended = next((each for each in table.results if each.id == round_id), None)
    if ended is None:
        return None
    places = _places(journal, table, prefix, (ended.started, *ended.corrections))
    past = _settled(journal, places[0], ended)
    back, staying = past.back, past.staying
    for stream, version in places[1:]:
        fact = next(journal.read(stream, version - 1), None)
        if fact is None or not isinstance(fact.event, e.ResultCorrected):
            raise JournalError(f"{stream} fact {version} should be a correction of {round_id}")
        back = after(back, fact.event)
        staying = _staying(journal, stream, version, staying)
    if back.total != ended.returned:
        raise JournalError(f"{round_id}: {back.total} went back, not {ended.returned}")
    return replace(past, back=back, staying=staying)


def _staying(journal: Journal, stream: str, version: int, before: Columns) -> Columns:
    """The bets that stand after a correction: what it says of them comes just before it."""
    said = next(journal.read(stream, version - 2), None) if version > 1 else None
    return said.event.columns if said and isinstance(said.event, e.BetsStayed) else before


def _places(
    journal: Journal, table: Table, prefix: str, versions: tuple[int, ...]
) -> list[tuple[str, int]]:
    """(stream, version in it) of facts that the table counts through all of its streams."""
    streams = [name for name in journal.streams() if name.startswith(prefix)]
    ends, places = table.version, {}
    for stream in reversed(streams):
        begins = ends - journal.version(stream)
        for version in versions:
            if begins < version <= ends:
                places[version] = (stream, version - begins)
        if len(places) == len(versions):
            break
        ends = begins
    if len(places) != len(set(versions)):
        raise JournalError("the journal does not reach back to the round that is meant")
    return [places[version] for version in versions]


def _settled(journal: Journal, place: tuple[str, int], ended: Ended) -> Past:
    """A round as it was settled, before any correction."""
    stream, version = place
    state = Table()
    for fact in journal.read(stream, version - 1):
        state = evolve(state, fact.event, fact.at_us)
        if isinstance(fact.event, e.RoundSettled) and fact.event.round_id == ended.id:
            break
    else:
        raise JournalError(f"the journal holds no payment of {ended.id}")
    past = settled(state, fact.event.columns)
    if past is None:
        raise JournalError(f"the journal holds no opening of {ended.id}")
    return past
