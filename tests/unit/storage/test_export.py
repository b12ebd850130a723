"""The journal as rows for other programs: all of it, in order, and no card before its time."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import pairwise

import pytest

from studio.domain import events as e
from studio.live.ports import JournalError
from studio.storage import export
from studio.storage.export import COLUMNS, Wanted, Writer, facts
from studio.storage.journal import open_journal
from tests.support.live.bench import START_US, Bench

ROUND = "r-2027-01-15-ba1-1"


@pytest.fixture
def dealt(url: str) -> str:
    """One coup, the next one with its bets open, and a card that came too early."""
    journal = open_journal(url)
    bench = Bench(journal)
    bench.open_shoe()
    bench.coup("9S 2D KH 5D")
    bench.collect()
    bench.deal("QC")
    journal.database.close()
    return url


def test_every_fact_comes_once_in_order_with_its_hash(
    dealt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "CHUNK", 7)
    rows = list(facts(dealt, Wanted()))
    assert all(a["position"] < b["position"] for a, b in pairwise(rows))
    assert len({row["hash"] for row in rows}) == len(rows)
    journal = open_journal(dealt)
    stored = [fact for stream in journal.streams() for fact in journal.read(stream)]
    journal.database.close()
    assert [row["event"] for row in rows] == [type(fact.event).NAME for fact in stored]
    assert all(tuple(row) == COLUMNS for row in rows)


@pytest.mark.parametrize("as_csv", [False, True])
def test_no_sealed_card_is_in_an_export(dealt: str, *, as_csv: bool) -> None:
    out = io.StringIO()
    writer = Writer(out, as_csv=as_csv)
    for fact in facts(dealt, Wanted()):
        writer.write(fact)
    text = out.getvalue()
    assert '"sealed' in text or '""sealed' in text
    # 2C was shown at the burn; 3C and 4C were burned face down, QC came before its time.
    for secret in ("3C", "4C", "QC"):
        assert not re.search(rf"\b{secret}\b", text), secret
    assert re.search(r"\b9S\b", text)


def test_csv_and_json_say_the_same(dealt: str) -> None:
    out = io.StringIO()
    writer = Writer(out, as_csv=True)
    rows = list(facts(dealt, Wanted()))
    for row in rows:
        writer.write(row)
    read = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert [json.loads(row["body"]) for row in read] == [row["body"] for row in rows]
    assert [row["at"] for row in read] == [row["at"] for row in rows]


def test_a_round_a_table_and_a_time_can_be_asked_for(dealt: str) -> None:
    rows = list(facts(dealt, Wanted()))
    of_round = list(facts(dealt, Wanted(round_id=ROUND)))
    assert of_round[0]["event"] == e.RoundOpened.NAME
    assert of_round[-1]["event"] == e.RoundCleared.NAME
    assert list(facts(dealt, Wanted(table="ba1"))) == rows
    later = list(facts(dealt, Wanted(since_us=START_US + 1)))
    earlier = list(facts(dealt, Wanted(until_us=START_US + 1)))
    assert later
    assert earlier + later == rows


def test_a_table_or_round_that_does_not_exist_is_told_with_those_that_do(dealt: str) -> None:
    with pytest.raises(JournalError, match="there is no table 'xx' in this journal; it has: ba1"):
        list(facts(dealt, Wanted(table="xx")))
    with pytest.raises(JournalError, match="there is no round r-9"):
        list(facts(dealt, Wanted(round_id="r-9")))
