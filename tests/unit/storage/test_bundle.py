"""A bundle is checked with nothing but itself, and whatever is changed in it is found by name."""

from __future__ import annotations

import io
import json
import random
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.domain import commands as c
from studio.domain.envelope import canonical
from studio.live.ports import EvidenceError
from studio.live.replay import digest_of, rules_text
from studio.live.signing import Signer
from studio.storage import archive, bundle
from studio.storage.archive import BundleRefused, archive_of
from studio.storage.bundle import Asked, NotInJournal, make_bundle
from studio.storage.chain import Link
from studio.storage.database import Database, open_database
from studio.storage.evidence import Days, FileEvidence
from studio.storage.journal import SqlJournal
from studio.storage.unbundle import BundleReport, check_bundle
from tests.support.live.bench import SUPERVISOR
from tests.support.live.kept import KeptBench

SECRETS = ("3C", "4C")
"""Burned face down in every shoe of the bench."""


@dataclass
class Evening:
    """A shoe with a held and settled coup, a voided one, and its end; the head is signed."""

    folder: Path
    database: Database
    store: FileEvidence
    bench: KeptBench
    fault: str
    settled: str
    voided: str
    key: str

    def make(self, **asked: str) -> bytes:
        rules = self.bench.setup.rules
        with self.database.reading() as connection:
            return make_bundle(
                connection,
                self.store,
                Asked(**asked),
                at_us=1_800_000_000_000_000,
                rules={digest_of(rules): rules_text(rules)}.get,
            )


def evening(folder: Path) -> Evening:
    signer = Signer(Ed25519PrivateKey.generate())
    database = open_database(f"sqlite:///{folder / 'studio.db'}")
    store = FileEvidence(folder / "evidence", database, Days())
    bench = KeptBench(journal=SqlJournal(database, signer=signer), store=store)
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet("a")
    bench.do(c.CallSupervisor())
    assert bench.table.hold is not None
    fault = bench.table.hold.faults[0].id
    bench.pass_s(3)
    bench.do(c.AcknowledgeFault(fault=fault, reason="reason.other"), SUPERVISOR)
    bench.do(c.LiftHold(fault="", reason="reason.other"), SUPERVISOR)
    bench.do(c.CloseBets())
    bench.deal("9S 2D KH 5D")
    settled = bench.table.round.id  # type: ignore[union-attr]
    bench.collect()
    bench.bet("b")
    bench.do(c.CallSupervisor())
    assert bench.table.hold is not None
    voided = bench.table.round.id  # type: ignore[union-attr]
    call = bench.table.hold.faults[0].id
    bench.do(c.VoidRound(fault=call, reason="reason.other", round_id=voided), SUPERVISOR)
    bench.pass_s(3)
    bench.do(c.EndShoe(reason="reason.other"), SUPERVISOR)
    bench.collect()
    bench.do(c.EnterCount(number=409))
    return Evening(folder, database, store, bench, fault, settled, voided, signer.public_key)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    made = evening(tmp_path_factory.mktemp("evening"))
    yield made
    made.database.close()


@pytest.fixture(scope="module")
def whole(kept: Evening) -> bytes:
    """The bundle of the settled round."""
    return kept.make(round_id=kept.settled)


Check = Callable[..., BundleReport]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Writes bytes to a file and checks it."""

    def one(data: bytes, key: str = "") -> BundleReport:
        path = tmp_path / "case.zip"
        path.write_bytes(data)
        return check_bundle(path, public_key=key)

    return one


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def resealed(parts: dict[str, bytes]) -> bytes:
    """The archive with a manifest that fits its members: what a clumsy forger would do."""
    manifest = json.loads(parts["manifest.json"])
    manifest["members"] = {
        name: {"sha256": sha256(body).hexdigest(), "size": len(body)}
        for name, body in parts.items()
        if not name.startswith("manifest.")
    }
    text = canonical(manifest).encode()
    seal = f"{sha256(text).hexdigest()}\n".encode()
    return archive_of(parts | {"manifest.json": text, "manifest.sha256": seal})


def test_a_round_and_its_evidence_verify_without_the_studio(
    kept: Evening, whole: bytes, check: Check
) -> None:
    report = check(whole, kept.key)
    assert report.problems == ()
    assert report.ok
    assert report.evidence == 27
    assert report.heads == 1
    assert report.lines()[-1] == "the bundle verifies"
    assert f"round {kept.settled}" in report.lines()[0]


def test_the_same_bundle_is_made_twice(kept: Evening, whole: bytes) -> None:
    assert kept.make(round_id=kept.settled) == whole


def test_a_fault_brings_the_round_it_lies_in(kept: Evening, check: Check) -> None:
    report = check(kept.make(fault=kept.fault))
    assert report.ok
    assert f"round {kept.settled}, fault {kept.fault}, table ba1" in report.lines()[0]


def test_a_void_has_evidence_of_its_own(kept: Evening, check: Check) -> None:
    data = kept.make(fault=f"void-{kept.voided}", table="ba1")
    assert check(data).ok
    assert f"evidence/void-{kept.voided}/shoe.wire" in members(data)
    assert len([name for name in members(data) if name.startswith("columns/")]) == 2


@pytest.mark.parametrize(
    "asked",
    [{"round_id": "r-2027-01-15-ba1-99"}, {"round_id": "7H"}, {"fault": "99999"},
     {"fault": "void-r-0"}, {"fault": "corrected-r-0-1"}, {"fault": ""},
     {"fault": '"', "table": "%"}],
)  # fmt: skip
def test_what_is_not_in_the_journal_is_told(kept: Evening, asked: dict[str, str]) -> None:
    with pytest.raises(NotInJournal, match="there is no"):
        kept.make(**asked)


def test_sealed_cards_leave_as_digests_only(kept: Evening) -> None:
    for asked in ({"round_id": kept.settled}, {"fault": kept.fault}):
        parts = members(kept.make(**asked))
        text = b"".join(parts.values())
        assert b'"salt"' not in text
        for code in SECRETS:
            assert f'"{code}"'.encode() not in text
            assert f"CARD,{code}".encode() not in text
            assert f"card={code}".encode() not in parts["story.txt"]


# -- whatever is changed is found ----------------------------------------------------------------


@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_a_flipped_byte_in_any_member_is_found_and_the_member_named(
    whole: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    parts = members(whole)
    name = data.draw(st.sampled_from(sorted(parts)))
    place = data.draw(st.integers(0, max(0, len(parts[name]) - 1)))
    flip = data.draw(st.integers(1, 255))
    body = bytearray(parts[name] or b"\0")
    body[place] ^= flip
    path = tmp_path_factory.mktemp("flip") / "case.zip"
    path.write_bytes(archive_of(parts | {name: bytes(body)}))
    report = check_bundle(path)
    assert not report.ok
    assert any(name.removesuffix(".sha256") in each for each in report.problems)


def test_a_flipped_byte_anywhere_in_the_file_is_found(whole: bytes, tmp_path: Path) -> None:
    """Also between the members: in their heads, in the directory, at the very end."""
    path = tmp_path / "case.zip"
    tail = len(whole) - 4_000
    chance = random.Random(5)
    places = [*range(44), *chance.sample(range(len(whole)), 60), *range(tail, len(whole), 37)]
    for place in places:
        body = bytearray(whole)
        body[place] ^= 1 << chance.randrange(8)
        path.write_bytes(body)
        try:
            found = not check_bundle(path).ok
        except BundleRefused:
            found = True
        assert found, f"byte {place} of {len(whole)}"


@pytest.mark.parametrize("cut", [1, 22, 500, 20_000])
def test_a_file_that_was_cut_short_or_grew_is_no_bundle(
    whole: bytes, check: Check, cut: int
) -> None:
    with pytest.raises(BundleRefused, match="is no bundle of this program, or it is damaged"):
        check(whole[:-cut])
    assert not check(b"x" * cut + whole).ok


def test_each_missing_member_is_named_and_so_is_one_too_many(whole: bytes, check: Check) -> None:
    parts = members(whole)
    for name in parts:
        left = {key: body for key, body in parts.items() if key != name}
        report = check(archive_of(left))
        assert not report.ok
        assert any(name.partition(".")[0] in each for each in report.problems), name
    report = check(archive_of(parts | {"evidence/17/extra.jpg": b"x"}))
    assert "evidence/17/extra.jpg: the manifest does not name it" in report.problems


def test_evidence_that_was_exchanged_with_its_manifest_is_found_by_the_journal(
    kept: Evening, whole: bytes, check: Check
) -> None:
    parts = members(whole)
    name = f"evidence/{kept.fault}/camera-0003.jpg"
    report = check(resealed(parts | {name: b"\xff\xd8another"}))
    assert report.problems == (f"{name}: changed, it is not what the journal says",)
    del parts[name]
    report = check(resealed(parts))
    assert report.problems == (f"{name}: missing, the journal says that it was kept",)


@pytest.mark.parametrize(
    ("old", "new"),
    [('"total":3000', '"total":3001'), ('\\"total\\":3000', '\\"total\\":3001'),
     ("timer", "tamer"), ('\\"card\\":\\"9S\\"', '\\"card\\":\\"8S\\"')],
)  # fmt: skip
def test_a_fact_that_was_changed_with_its_manifest_breaks_the_chain(
    whole: bytes, check: Check, old: str, new: str
) -> None:
    parts = members(whole)
    facts = parts["facts.jsonl"].decode()
    if old not in facts:
        assert old == '"total":3000'  # bodies are text inside the facts
        return
    report = check(resealed(parts | {"facts.jsonl": facts.replace(old, new, 1).encode()}))
    assert any("it was changed after it was written" in each for each in report.problems)


def test_a_whole_chain_written_anew_is_found_by_the_signature(whole: bytes, check: Check) -> None:
    parts = members(whole)
    previous, lines = "", []
    for number, line in enumerate(parts["facts.jsonl"].splitlines()):
        row = json.loads(line)
        if not number:
            row["body"] = (
                row["body"].replace("house", "hoove").replace('"round_no":1', '"round_no":2')
            )
            previous = row["prev_hash"]
        row["prev_hash"] = previous
        fields = {key: row[key] for key in row if key not in {"prev_hash", "hash", "type"}}
        previous = row["hash"] = Link(name=row["type"], **fields).digest(previous)
        lines.append(canonical(row))
    report = check(resealed(parts | {"facts.jsonl": ("\n".join(lines) + "\n").encode()}))
    assert any("what was signed is not what is written" in each for each in report.problems)


def test_a_fact_that_was_taken_out_or_turned_round_is_missed(whole: bytes, check: Check) -> None:
    parts = members(whole)
    lines = parts["facts.jsonl"].splitlines(keepends=True)
    for changed in (lines[:3] + lines[4:], [lines[1], lines[0], *lines[2:]], lines[:-1]):
        assert not check(resealed(parts | {"facts.jsonl": b"".join(changed)})).ok


def test_rules_and_columns_are_those_that_the_facts_name(whole: bytes, check: Check) -> None:
    parts = members(whole)
    assert json.loads(parts["rules.json"])["decks"] == 8
    report = check(resealed(parts | {"rules.json": b'{"decks":6}'}))
    assert report.problems == ("rules.json: changed, no fact names these rules",)
    name = next(each for each in parts if each.startswith("columns/"))
    report = check(resealed(parts | {name: b"{}"}))
    assert report.problems == (f"{name}: changed, it is not what its fact says",)


def test_a_signature_of_another_key_does_not_pass_as_the_studios(
    kept: Evening, whole: bytes, check: Check
) -> None:
    report = check(whole, "00" * 32)
    assert any("it was signed with another key" in each for each in report.problems)
    parts = members(whole)
    heads = json.loads(parts["heads.json"])
    heads[0]["signature"] = "00" * 64
    report = check(resealed(parts | {"heads.json": canonical(heads).encode()}))
    assert any("its signature does not hold" in each for each in report.problems)
    assert heads[0]["public_key"] == kept.key


@pytest.mark.parametrize("name", ["facts.jsonl", "heads.json", "manifest.json", "columns/2.json"])
@pytest.mark.parametrize(
    "body",
    [b"", b"\n", b"null\n", b"[]", b"{}\n", b'{"facts":7}\n', b"[" * 50_000, b"\xff\xfe", b"7"],
)
def test_whatever_stands_in_a_member_gives_sentences_and_no_crash(
    whole: bytes, check: Check, name: str, body: bytes
) -> None:
    parts = members(whole) | {name: body}
    report = check(archive_of(parts) if name == "manifest.json" else resealed(parts))
    # A bundle without any signature may be right, and says that it is unsigned.
    assert report.ok == ((name, body) == ("heads.json", b"[]"))
    assert report.ok == ("unsigned" in report.lines())
    assert all("\n" not in each for each in report.lines())


# -- files that are not even opened --------------------------------------------------------------


def packed(parts: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        for name, body in parts.items():
            made.writestr(name, body)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (packed({"facts.jsonl": b"\0" * 5_000_000}, zipfile.ZIP_DEFLATED), "is packed"),
        (packed({"../evil": b"x"}), "which no bundle does"),
        (packed({"/etc/passwd": b"x"}), "which no bundle does"),
        (packed({"evidence/17/../../x": b"x"}), "which no bundle does"),
        (packed({"evidence/17/a/b": b"x"}), "which no bundle does"),
        (packed({"evidence/..": b"x"}), "which no bundle does"),
        (packed({f"columns/{n}.json": b"" for n in range(archive.MOST_MEMBERS + 1)}), "members"),
        (
            b"x" * 50 + b"PK\x05\x06" + b"\0" * 8 + b"\xff\xff\xff\x7f" + b"\0" * 6,
            "too many members",
        ),
        (b"PK\x06\x07" + b"\0" * 16 + b"PK\x05\x06" + b"\0" * 18, "is no bundle"),
        (b"", "is no bundle"),
        (b"PK\x03\x04" + b"\0" * 100, "is no bundle"),
    ],
)
def test_a_bomb_and_odd_names_are_refused_with_one_sentence(
    check: Check, data: bytes, why: str
) -> None:
    with pytest.raises(BundleRefused, match=why) as refused:
        check(data)
    assert "\n" not in str(refused.value)


def test_a_name_that_comes_twice_is_refused(check: Check) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("facts.jsonl", b"a")
        with pytest.warns(UserWarning, match="Duplicate"):
            made.writestr("facts.jsonl", b"b")
    with pytest.raises(BundleRefused, match="names a member twice"):
        check(out.getvalue())


def test_members_that_claim_the_same_bytes_over_and_over_are_refused(check: Check) -> None:
    body = bytearray(packed({"facts.jsonl": b"x" * 1000, "rules.json": b"y"}))
    start = body.rindex(b"PK\x01\x02")
    for place in (start + 20, start + 24):  # sizes of the second member, in the directory
        body[place : place + 4] = (2000).to_bytes(4, "little")
    with pytest.raises(BundleRefused, match="holds more than it does"):
        check(bytes(body))


def test_a_file_that_is_too_large_is_not_opened(
    whole: bytes, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 1000)
    with pytest.raises(BundleRefused, match="a bundle has at most 1000"):
        check(whole)
    with pytest.raises(BundleRefused, match="choose one fault"):
        archive_of({"facts.jsonl": b"x" * 501})


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(BundleRefused, match="cannot be read"):
        check_bundle(tmp_path)


# -- later, and long after -----------------------------------------------------------------------


@pytest.fixture
def own(kept: Evening, tmp_path: Path) -> Iterator[Evening]:
    """A copy of the evening that may be changed."""
    shutil.copytree(kept.folder, tmp_path / "own")
    database = open_database(f"sqlite:///{tmp_path / 'own' / 'studio.db'}")
    store = FileEvidence(tmp_path / "own" / "evidence", database, Days())
    yield Evening(
        tmp_path / "own", database, store, kept.bench, kept.fault, kept.settled, kept.voided,
        kept.key,
    )  # fmt: skip
    database.close()


def test_what_is_no_longer_kept_is_said_and_no_fault_of_the_bundle(
    own: Evening, check: Check
) -> None:
    own.store.purge(date(2027, 6, 1))
    data = own.make(fault=own.fault)
    report = check(data)
    assert report.ok
    assert len(report.absent) == 26
    assert "no longer kept when the bundle was made" in report.lines()[1]
    parts = members(data)
    manifest = json.loads(parts["manifest.json"])
    manifest["absent"] = manifest["absent"][1:]
    report = check(resealed(parts | {"manifest.json": canonical(manifest).encode()}))
    assert report.problems == (
        f"evidence/{own.fault}/camera-0001.jpg: missing, the journal says that it was kept",
    )


def test_evidence_that_was_changed_in_the_studio_goes_into_no_bundle(own: Evening) -> None:
    (own.folder / "evidence/ba1/2027-01-15" / own.fault / "shoe.wire").write_bytes(b"other\n")
    with pytest.raises(EvidenceError, match=r"shoe\.wire of fault .* is not what was kept"):
        own.make(fault=own.fault)


def test_without_a_near_signature_the_bundle_ends_with_its_story_and_says_unsigned(
    kept: Evening, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "MOST_LINKS", 0)
    report = check(kept.make(round_id=kept.settled))
    assert report.ok
    assert report.heads == 0
    assert "unsigned" in report.lines()


def test_more_facts_than_fit_are_told(kept: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "MOST_FACTS", 3)
    with pytest.raises(EvidenceError, match="more than 3 facts"):
        kept.make(round_id=kept.settled)
