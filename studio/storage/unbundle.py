"""Checks a bundle with nothing but the bundle: no studio, no database, no network.

What is checked: the archive as a whole, each member against the manifest, the chain of the facts,
columns and rules against what the facts say of them, each piece of evidence against the digest that
the journal took down, and the signatures. An auditor can follow it: it reads plain JSON and knows
no event but those that name something else.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

from studio.domain.envelope import canonical
from studio.live.signing import signature_holds
from studio.storage.archive import FACTS, HEADS, MANIFEST, RULES, SEAL, STORY, Archive
from studio.storage.chain import Link

FORMAT: Final = "cutcard-bundle"
VERSION: Final = 1
FIELDS: Final = (
    "stream",
    "version",
    "command_id",
    "ordinal",
    "type",
    "schema_version",
    "body",
    "meta",
    "recorded_us",
    "prev_hash",
    "hash",
)
"""Of a fact, as it is stored: all that its hash covers, and both hashes."""
PACKED_KEYS: Final = frozenset({"kind", "key", "count", "totals", "digest"})
MOST_PROBLEMS: Final = 50
UNREADABLE: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError)
"""What a field of another shape than it should have leads to."""


@dataclass(frozen=True, slots=True)
class Subjects:
    """What a bundle is about: its rounds, and the names under which evidence of it is kept."""

    rounds: frozenset[str]
    faults: frozenset[str]

    @classmethod
    def of(cls, facts: Sequence[tuple[str, dict[str, Any]]], story: int) -> Self:
        """Read (type, body) of the facts, of which the first so many are the story."""
        rounds = {body["round_id"] for name, body in facts[:story] if name == "round_opened"}
        faults = {body["fault"]["id"] for name, body in facts[:story] if name == "fault_raised"}
        faults |= {
            f"void-{body['round_id']}" for name, body in facts[:story] if name == "round_voided"
        }
        for place, (name, body) in enumerate(facts):
            if name == "result_corrected" and (place < story or body["round_id"] in rounds):
                faults.add(f"corrected-{body['round_id']}-{body.get('number', 1)}")
        return cls(frozenset(rounds), frozenset(faults))

    def has(self, name: str, body: dict[str, Any]) -> bool:
        """Whether a fact that comes after the story still speaks of it."""
        if name == "evidence_kept":
            return body["fault"] in self.faults
        spoken = {"bets_stayed", "result_corrected", "receivable_noted"}
        return name in spoken and body["round_id"] in self.rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleReport:
    """What the check of a bundle found."""

    about: str
    facts: int
    evidence: int
    absent: tuple[str, ...]
    """Pieces that were no longer kept when the bundle was made."""
    problems: tuple[str, ...]
    """One sentence each, with the name of the member or the fact."""
    count: int
    heads: int
    """Signed heads that hold."""
    unsigned: int
    """Facts after the last signed head."""
    keys: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; a bundle without signatures may be right."""
        return not self.count

    def lines(self) -> tuple[str, ...]:
        """Give the report for people, one sentence a line."""
        first = f"{self.about}: {self.facts} facts, {self.evidence} pieces of evidence"
        gone = tuple(f"{name}: no longer kept when the bundle was made" for name in self.absent)
        if not self.ok:
            more = self.count - len(self.problems)
            rest = (f"and {more} more",) if more else ()
            return (first, *gone, *self.problems, *rest, "the bundle does NOT verify")
        signed = (
            f"signed: {self.heads} heads, {self.unsigned} facts after the last one"
            if self.heads
            else "unsigned"
        )
        return (first, *gone, "the chain holds", signed, "the bundle verifies")

    def as_dict(self) -> dict[str, Any]:
        """Give the report as one JSON object."""
        return {
            "ok": self.ok,
            "about": self.about,
            "facts": self.facts,
            "evidence": self.evidence,
            "absent": list(self.absent),
            "signed": self.heads > 0,
            "problems": list(self.problems),
        }


def check_bundle(path: Path, *, public_key: str = "") -> BundleReport:
    """Check a bundle; with a public key every signature must be of that key.

    Raises:
        BundleRefused: with one sentence, if it is none, or of a shape that is not even opened.
    """
    archive = Archive(path)
    try:
        return _Check(archive, public_key).report()
    finally:
        archive.close()


@dataclass(slots=True)
class _Check:
    """One pass over a bundle."""

    archive: Archive
    public_key: str
    named: list[str] = field(default_factory=list)
    count: int = 0
    facts: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    manifest: dict[str, Any] = field(default_factory=dict)
    evidence: int = 0
    heads: dict[tuple[str, int], str] = field(default_factory=dict)

    def report(self) -> BundleReport:
        """Check everything that can be read, and say what was found."""
        self._manifest()
        self._members()
        for check in (self._facts, self._chain, self._columns, self._rules, self._evidence):
            self._try(check)
        self._try(self._heads)
        self._try(self._about)
        for name in self.archive.damaged:
            self._add(f"{name}: damaged, its bytes are not those that were written")
        if not self.count and not self.archive.as_written():
            self._add("the archive itself was changed, though its members are right")
        signed = [n for n, row in enumerate(self.facts) if _key(row) in self.heads]
        absent = self.manifest.get("absent", [])
        return BundleReport(
            about=self._title(),
            facts=len(self.facts),
            evidence=self.evidence,
            absent=tuple(str(name) for name in absent) if isinstance(absent, list) else (),
            problems=tuple(self.named),
            count=self.count,
            heads=len(self.heads),
            unsigned=len(self.facts) - 1 - signed[-1] if signed else len(self.facts),
            keys=tuple(sorted(set(self.heads.values()))),
        )

    def _try(self, check: Any) -> None:
        """Run a check; what is of another shape than it should be is a finding."""
        try:
            check()
        except UNREADABLE:
            self._add(f"{check.__name__.strip('_')}: it is not what was written, and unreadable")

    def _add(self, sentence: str) -> None:
        self.count += 1
        if len(self.named) < MOST_PROBLEMS:
            self.named.append(sentence)

    def _title(self) -> str:
        said = self.manifest
        parts = [f"{what} {said[what]}" for what in ("round", "fault", "table") if said.get(what)]
        return ", ".join(parts) or "a bundle that does not say what it is about"

    # -- the archive -----------------------------------------------------------------------------

    def _manifest(self) -> None:
        """Read the manifest and its digest."""
        raw, seal = self.archive.read(MANIFEST), self.archive.read(SEAL)
        if raw is None:
            self._add(f"{MANIFEST}: missing or damaged")
            return
        if seal is None or seal != f"{sha256(raw).hexdigest()}\n".encode():
            self._add(f"{MANIFEST}: changed, it is not what {SEAL} says")
        try:
            plain = json.loads(raw)
            tidy = isinstance(plain, dict) and canonical(plain).encode() == raw
        except UNREADABLE:
            plain, tidy = {}, False
        if not tidy:
            self._add(f"{MANIFEST}: it is no canonical JSON")
            return
        if plain.get("format") != FORMAT or plain.get("version") != VERSION:
            self._add(f"{MANIFEST}: this release checks {FORMAT} {VERSION} only")
        self.manifest = plain

    def _members(self) -> None:
        """Compare each member with what the manifest says of it."""
        told = self.manifest.get("members", {})
        if not isinstance(told, dict):
            self._add(f"{MANIFEST}: it names no members")
            return
        for name in sorted(set(told) - set(self.archive.names)):
            self._add(f"{name}: missing")
        for name in self.archive.names:
            if name in {MANIFEST, SEAL}:
                continue
            if name not in told:
                self._add(f"{name}: the manifest does not name it")
                continue
            data = self.archive.read(name)
            said = told[name] if isinstance(told[name], dict) else {}
            if data is not None and (
                sha256(data).hexdigest() != said.get("sha256") or len(data) != said.get("size")
            ):
                self._add(f"{name}: changed, it is not what the manifest says")

    # -- the facts -------------------------------------------------------------------------------

    def _facts(self) -> None:
        """Read the facts; each must be written as it would be written again."""
        data = self.archive.read(FACTS)
        if data is None:
            if FACTS not in self.archive.names:
                self._add(f"{FACTS}: missing")
            return
        for number, line in enumerate(data.split(b"\n")[:-1], 1):
            row = json.loads(line)
            if sorted(row) != sorted(FIELDS) or canonical(row).encode() != line:
                self._add(f"{FACTS}, line {number}: it is no fact")
                return
            body = json.loads(row["body"])
            if not isinstance(body, dict):
                self._add(f"{FACTS}, line {number}: its body is no object")
                return
            self.facts.append(row)
            self.bodies.append(body)
        if not data.endswith(b"\n") or not self.facts:
            self._add(f"{FACTS}: its end is missing")
        said = self.manifest["facts"]
        if said["story"] + said["links"] + said["later"] != len(self.facts):
            self._add(f"{FACTS}: it has not as many facts as the manifest says")

    def _chain(self) -> None:
        """Each fact must have its hash and go on from the one before, but where it is declared."""
        breaks = set(self.manifest["facts"]["breaks"])
        before: dict[str, Any] | None = None
        for number, row in enumerate(self.facts):
            where = f"{row['stream']} fact {row['version']}"
            if _link(row).digest(row["prev_hash"]) != row["hash"]:
                self._add(f"{where}: it was changed after it was written")
            if before is not None:
                if (row["prev_hash"] != before["hash"]) != (number in breaks):
                    self._add(f"{where}: it does not follow the fact before it")
                if row["recorded_us"] < before["recorded_us"]:
                    self._add(f"{where}: it is older than the fact before it")
                same = row["stream"] == before["stream"] and number not in breaks
                if same and row["version"] != before["version"] + 1:
                    self._add(f"{where}: fact {before['version'] + 1} is missing")
            before = row

    def _columns(self) -> None:
        """Bets and payments must be those that the facts name."""
        subjects, story = self._subjects(), self.manifest["facts"]["story"]
        wanted = set()
        for number, (row, body) in enumerate(zip(self.facts, self.bodies, strict=True)):
            packed = next((each for each in _objects(body) if each.keys() == PACKED_KEYS), None)
            ours = number < story or subjects.has(row["type"], body)
            if packed is None or not packed["count"] or not ours:
                continue
            name = f"columns/{number}.json"
            wanted.add(name)
            data = self.archive.read(name)
            if data is None:
                if name not in self.archive.names:
                    self._add(f"{name}: missing, a fact names it")
            elif sha256(data).hexdigest() != packed["digest"]:
                self._add(f"{name}: changed, it is not what its fact says")
        for name in self.archive.names:
            if name.startswith("columns/") and name not in wanted:
                self._add(f"{name}: no fact names it")

    def _rules(self) -> None:
        """The rules must be those that the facts name."""
        data = self.archive.read(RULES)
        if data is None:
            return
        digests = {body["rules_digest"] for body in self.bodies if "rules_digest" in body}
        if sha256(data).hexdigest() not in digests:
            self._add(f"{RULES}: changed, no fact names these rules")

    def _evidence(self) -> None:
        """Each piece must be what the journal took down; each that it took down must be here."""
        subjects, absent = self._subjects(), set(self.manifest["absent"])
        wanted = set()
        for row, body in zip(self.facts, self.bodies, strict=True):
            if row["type"] != "evidence_kept" or not subjects.has(row["type"], body):
                continue
            for item in body["items"]:
                name = f"evidence/{body['fault']}/{item['name']}"
                wanted.add(name)
                if name in self.archive.names:
                    self._piece(name, item)
                elif name not in absent:
                    self._add(f"{name}: missing, the journal says that it was kept")
        for name in self.archive.names:
            if name.startswith("evidence/") and name not in wanted:
                self._add(f"{name}: the journal does not name it")
        for name in sorted(absent - wanted):
            self._add(f"{name}: the journal does not name what is said to be absent")

    def _piece(self, name: str, item: dict[str, Any]) -> None:
        data = self.archive.read(name)
        if data is None:
            return  # told as damaged
        self.evidence += 1
        if sha256(data).hexdigest() != item["sha256"] or len(data) != item["size"]:
            self._add(f"{name}: changed, it is not what the journal says")

    def _heads(self) -> None:
        """Each signature must be of a fact that is here, and hold."""
        data = self.archive.read(HEADS)
        if data is None:
            if HEADS not in self.archive.names:
                self._add(f"{HEADS}: missing")
            return
        hashes = {_key(row): row["hash"] for row in self.facts}
        heads = json.loads(data)
        if not isinstance(heads, list) or canonical(heads).encode() != data:
            self._add(f"{HEADS}: it is no list of heads")
            return
        for head in heads:
            stream, version, key = head["stream"], head["version"], head["public_key"]
            where = f"{stream} fact {version}"
            if hashes.get((stream, version)) != head["hash"]:
                self._add(f"{where}: what was signed is not what is written")
            elif not signature_holds(
                key, head["signature"], stream=stream, version=version, head=head["hash"]
            ):
                self._add(f"{where}: its signature does not hold")
            elif self.public_key and self.public_key != key:
                self._add(f"{where}: it was signed with another key")
            else:
                self.heads[stream, version] = key

    def _about(self) -> None:
        """What the manifest says that it is about must be in the facts."""
        subjects = self._subjects()
        said, table = self.manifest, f"table/{self.manifest['table']}/"
        if said["round"] and said["round"] not in subjects.rounds:
            self._add(f"{FACTS}: there is no round {said['round']} in it")
        if said["fault"] and said["fault"] not in subjects.faults:
            self._add(f"{FACTS}: there is no fault {said['fault']} in it")
        if not all(row["stream"].startswith(table) for row in self.facts):
            self._add(f"{FACTS}: it has facts of another table")
        if STORY not in self.archive.names:
            self._add(f"{STORY}: missing")

    def _subjects(self) -> Subjects:
        facts = [(row["type"], body) for row, body in zip(self.facts, self.bodies, strict=True)]
        return Subjects.of(facts, self.manifest["facts"]["story"])


def _key(row: dict[str, Any]) -> tuple[str, int]:
    return row["stream"], row["version"]


def _link(row: dict[str, Any]) -> Link:
    """Give what the hash of a fact covers."""
    return Link(
        stream=row["stream"],
        version=row["version"],
        command_id=row["command_id"],
        ordinal=row["ordinal"],
        name=row["type"],
        schema_version=row["schema_version"],
        body=row["body"],
        meta=row["meta"],
        recorded_us=row["recorded_us"],
    )


def _objects(plain: object) -> Iterator[dict[str, Any]]:
    """Give every object inside plain JSON."""
    if isinstance(plain, dict):
        yield plain
        for each in plain.values():
            yield from _objects(each)
    elif isinstance(plain, list):
        for each in plain:
            yield from _objects(each)
