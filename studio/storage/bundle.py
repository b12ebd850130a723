"""A round or a fault taken out of the studio: its facts as stored, its evidence, and their proof.

`studio.storage.unbundle` checks it without the studio and its database. Sealed cards leave as their
digests only; kept lines of wires name no card that could not be known when they were kept.
"""

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, Table, func, select

from studio import __version__
from studio.domain.envelope import canonical
from studio.live.ports import EvidenceError, EvidenceStore, JournalError
from studio.storage import schema
from studio.storage.archive import (
    FACTS,
    HEADS,
    MANIFEST,
    RULES,
    SEAL,
    STORY,
    BundleRefused,
    archive_of,
)
from studio.storage.shown import instant, story_line
from studio.storage.unbundle import FIELDS, FORMAT, VERSION, Subjects

JOURNAL: Table = schema.JournalRow.__table__  # type: ignore[attr-defined]
ATTACHMENTS: Table = schema.AttachmentRow.__table__  # type: ignore[attr-defined]
HEAD_ROWS: Table = schema.HeadRow.__table__  # type: ignore[attr-defined]
BEGINS: Final = ("round_opened", "shoe_procedure_started", "day_opened", "table_opened")
"""Facts with which something begins that has a story of its own."""
LATER: Final = ("bets_stayed", "result_corrected", "receivable_noted", "evidence_kept")
"""Facts about a story that may follow long after it."""
MOST_LINKS: Final = 20_000
"""Facts that are taken along only because a signature covers them."""
MOST_FACTS: Final = 50_000
Fact = Row[*tuple[Any, ...]]
RulesOf = Callable[[str], str | None]
"""From their digest to the canonical JSON of the rules; None if they are not known."""


class NotInJournal(JournalError):  # noqa: N818  what is told is what is missing
    """There is no such round or fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be taken out: a round by its id, or a fault of a table."""

    round_id: str = ""
    fault: str = ""
    table: str = ""
    """Needed with a fault where several tables have one of that number."""


@dataclass(slots=True)
class _Taken:
    """What was found, on its way into the archive."""

    asked: Asked
    table: str
    story: list[Fact]
    links: list[Fact] = field(default_factory=list)
    later: list[Fact] = field(default_factory=list)

    @property
    def facts(self) -> list[Fact]:
        return [*self.story, *self.links, *self.later]


def make_bundle(
    connection: Connection,
    evidence: EvidenceStore,
    asked: Asked,
    *,
    at_us: int,
    rules: RulesOf = lambda _digest: None,
) -> bytes:
    """The archive of a round or a fault; `at_us` is the instant that it says it was made at.

    Raises:
        NotInJournal: if there is no such round or fault.
        EvidenceError: if a piece is not what was kept, or the archive would be too large.
    """
    first = _anchor(connection, asked)
    taken = _take(connection, first, asked)
    members: dict[str, bytes] = {}
    members[FACTS] = b"".join(_fact_line(row) for row in taken.facts)
    members[STORY] = "".join(
        f"{story_line(row)}\n" for row in [*taken.story, *taken.later]
    ).encode()
    members[HEADS] = canonical(list(_heads(connection, taken))).encode()
    ruled = _rules(taken, rules)
    if ruled is not None:
        members[RULES] = ruled.encode()
    members |= _columns(connection, taken)
    absent: list[str] = []
    for name, data in _evidence(evidence, taken):
        if data is None:
            absent.append(name)
        else:
            members[name] = data
    manifest = canonical(_manifest(taken, members, absent, at_us)).encode()
    sealed = {MANIFEST: manifest, SEAL: f"{sha256(manifest).hexdigest()}\n".encode()}
    try:
        return archive_of(sealed | members)
    except BundleRefused as refusal:
        raise EvidenceError(str(refusal)) from refusal


def _manifest(
    taken: _Taken, members: dict[str, bytes], absent: Sequence[str], at_us: int
) -> dict[str, Any]:
    facts = taken.facts
    breaks = [
        index
        for index, (before, row) in enumerate(pairwise(facts), 1)
        if row.prev_hash != before.hash
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "product": {"name": "cutcard", "version": __version__},
        "made_at": instant(at_us),
        "table": taken.table,
        "round": taken.asked.round_id or _round_of(taken.story),
        "fault": taken.asked.fault,
        "facts": {
            "story": len(taken.story),
            "links": len(taken.links),
            "later": len(taken.later),
            "breaks": breaks,
        },
        "absent": sorted(absent),
        "members": {
            name: {"sha256": sha256(data).hexdigest(), "size": len(data)}
            for name, data in members.items()
        },
    }


def _round_of(story: Sequence[Fact]) -> str:
    for row in story:
        if row.type == "round_opened":
            return str(json.loads(row.body)["round_id"])
    return ""


def _fact_line(row: Fact) -> bytes:
    return canonical({name: getattr(row, name) for name in FIELDS}).encode() + b"\n"


# -- finding -------------------------------------------------------------------------------------


def _anchor(connection: Connection, asked: Asked) -> Fact:
    """The fact that the bundle is about.

    Raises:
        NotInJournal: if there is none, or several tables have it.
    """
    if asked.round_id:
        said = f'"round_id":{json.dumps(asked.round_id)}'
        query = select(JOURNAL).where(JOURNAL.c.type == "round_opened", _holds(said))
        narrow = query.where(JOURNAL.c.stream == _stream_guess(asked.round_id))
        row = connection.execute(narrow).first() or connection.execute(query).first()
        if row is None:
            raise NotInJournal(
                f"there is no round {asked.round_id} in this journal: "
                "name one as `demo --json` prints it"
            )
        return row
    rows = list(_faults(connection, asked))
    if not rows:
        where = f" at table {asked.table}" if asked.table else ""
        raise NotInJournal(f"there is no fault {asked.fault}{where} in this journal")
    if len({row.chain for row in rows}) > 1:
        raise NotInJournal(f"several tables have a fault {asked.fault}: add --table NAME")
    return rows[0]


def _faults(connection: Connection, asked: Asked) -> Iterator[Fact]:
    """Facts that evidence of this name is about."""
    what, _, rest = asked.fault.partition("-")
    if what == "void":
        kind, key, value = "round_voided", "round_id", rest
    elif what == "corrected":
        kind, key, value = "result_corrected", "round_id", rest.rpartition("-")[0]
    else:
        kind, key, value = "fault_raised", "id", asked.fault
    query = select(JOURNAL).where(JOURNAL.c.type == kind, _holds(f'"{key}":{json.dumps(value)}'))
    if asked.table:
        query = query.where(JOURNAL.c.chain == f"table/{asked.table}")
    for row in connection.execute(query.order_by(JOURNAL.c.position)):
        body = json.loads(row.body)
        if (body["fault"] if kind == "fault_raised" else body)[key] == value:
            yield row


def _holds(said: str) -> Any:
    return JOURNAL.c.body.contains(said, autoescape=True)


def _stream_guess(round_id: str) -> str:
    """The stream that a round's id speaks of, as ``r-2026-01-01-ba1-17``."""
    _, _, rest = round_id.partition("-")
    day, table = rest[:10], rest[11:].rpartition("-")[0]
    return f"table/{table}/{day}"


def _take(connection: Connection, about: Fact, asked: Asked) -> _Taken:
    """The story around a fact, what was said of it later, and what a signature needs."""
    chain = select(JOURNAL).where(JOURNAL.c.chain == about.chain).order_by(JOURNAL.c.position)
    begin = select(func.max(JOURNAL.c.position)).where(
        JOURNAL.c.chain == about.chain,
        JOURNAL.c.position <= about.position,
        JOURNAL.c.type.in_(BEGINS),
    )
    first = connection.execute(begin).scalar() or about.position
    next_one = select(func.min(JOURNAL.c.position)).where(
        JOURNAL.c.chain == about.chain,
        JOURNAL.c.position > max(first, about.position),
        JOURNAL.c.type.in_(BEGINS),
    )
    end = connection.execute(next_one).scalar()
    query = chain.where(JOURNAL.c.position >= first)
    story = _rows(connection, query if end is None else query.where(JOURNAL.c.position < end))
    taken = _Taken(asked, about.chain.rpartition("/")[2], story)
    _take_later(connection, chain, taken)
    return taken


def _take_later(connection: Connection, chain: Select[Any], taken: _Taken) -> None:
    """Add what was said of the story later, and the facts up to the next signed head."""
    last = taken.story[-1]
    query = chain.where(JOURNAL.c.position > last.position, JOURNAL.c.type.in_(LATER))
    found = _rows(connection, query)
    subjects = _subjects([*taken.story, *found], len(taken.story))
    later = [row for row in found if subjects.has(row.type, json.loads(row.body))]
    wanted = (later[-1] if later else last).position
    head = connection.execute(
        select(func.min(JOURNAL.c.position))
        .select_from(
            JOURNAL.join(
                HEAD_ROWS,
                (JOURNAL.c.stream == HEAD_ROWS.c.stream)
                & (JOURNAL.c.version == HEAD_ROWS.c.version),
            )
        )
        .where(JOURNAL.c.chain == last.chain, JOURNAL.c.position >= wanted)
    ).scalar()
    through = head if head is not None and _count(connection, last, head) <= MOST_LINKS else None
    if through is None and _count(connection, last, wanted) <= MOST_LINKS:
        through = wanted
    if through is None:
        taken.later = later
        return
    between = chain.where(JOURNAL.c.position > last.position, JOURNAL.c.position <= through)
    taken.links = _rows(connection, between)


def _count(connection: Connection, last: Fact, position: int) -> int:
    query = select(func.count()).where(
        JOURNAL.c.chain == last.chain,
        JOURNAL.c.position > last.position,
        JOURNAL.c.position <= position,
    )
    return connection.execute(query).scalar() or 0


def _rows(connection: Connection, query: Select[Any]) -> list[Fact]:
    """Read the facts.

    Raises:
        EvidenceError: if there are too many for one bundle.
    """
    rows = list(connection.execute(query.limit(MOST_FACTS + 1)))
    if len(rows) > MOST_FACTS:
        raise EvidenceError(f"there are more than {MOST_FACTS} facts: they fit into no bundle")
    return rows


def _subjects(facts: Sequence[Fact], story: int) -> Subjects:
    """What these facts are about, of which the first so many are the story."""
    return Subjects.of([(row.type, json.loads(row.body)) for row in facts], story)


# -- what goes along -----------------------------------------------------------------------------


def _heads(connection: Connection, taken: _Taken) -> Iterator[dict[str, Any]]:
    """The signed heads of these facts."""
    streams = {row.stream for row in taken.facts}
    versions = {(row.stream, row.version) for row in taken.facts}
    query = select(HEAD_ROWS).where(HEAD_ROWS.c.stream.in_(streams)).order_by(HEAD_ROWS.c.id)
    for row in connection.execute(query):
        if (row.stream, row.version) in versions:
            yield {
                "stream": row.stream,
                "version": row.version,
                "hash": row.hash,
                "public_key": row.public_key,
                "signature": row.signature,
            }


def _rules(taken: _Taken, rules: RulesOf) -> str | None:
    for row in taken.story:
        if row.type in {"round_opened", "shoe_procedure_started"}:
            body = json.loads(row.body)
            digest = body["rules_digest"]
            text = body.get("rules") or rules(digest)
            return text if text and sha256(text.encode()).hexdigest() == digest else None
    return None


def _columns(connection: Connection, taken: _Taken) -> dict[str, bytes]:
    """The bets and payments of the story, as canonical JSON, by the place of their fact."""
    found = {}
    subjects = _subjects(taken.facts, len(taken.story))
    for index, row in enumerate(taken.facts):
        if index >= len(taken.story) and not subjects.has(row.type, json.loads(row.body)):
            continue
        query = select(ATTACHMENTS.c.packed).where(
            ATTACHMENTS.c.stream == row.stream, ATTACHMENTS.c.version == row.version
        )
        packed = connection.execute(query).scalar()
        if packed is not None:
            found[f"columns/{index}.json"] = zlib.decompress(packed)
    return found


def _evidence(store: EvidenceStore, taken: _Taken) -> Iterator[tuple[str, bytes | None]]:
    """Each piece that the journal names for this story; None where it is no longer kept."""
    subjects = _subjects(taken.facts, len(taken.story))
    for row in taken.facts:
        body = json.loads(row.body)
        if row.type == "evidence_kept" and subjects.has(row.type, body):
            for item in body["items"]:
                data = store.read(taken.table, body["fault"], item["name"])
                yield f"evidence/{body['fault']}/{item['name']}", data
