"""A correction from the command to the wallet: read from the journal, paid once, not forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.live.past import read_past
from studio.live.ports import JournalError
from studio.live.recovery import prefix_of
from studio.live.replay import facts_of, replay
from studio.live.wallets import MemoryWallet
from studio.storage.journal import open_journal
from studio.storage.memory import MemoryJournal
from studio.table.laws import LawBroken, check_laws
from tests.support.live.bench import SUPERVISOR, Bench, Purse


class Killed(BaseException):
    """The process ended here."""


def correct(bench: Bench, codes: str = "", *, void: bool = False, number: int = 1) -> None:
    """Two people correct a coup of this shoe."""
    meant = next(ended.id for ended in bench.table.results if ended.number == number)
    cards = tuple(Card.parse(code) for code in codes.split())
    bench.do(
        c.CorrectResult(round_id=meant, cards=cards, void=void, reason="reason.camera_proves"),
        SUPERVISOR,
    )


def paid(codes: str = "9S 2D KH 5D", **more: Any) -> Bench:
    """A coup is paid: ann has 1,000 on Player, bob 2,000 on Banker; Player wins 9 to 7."""
    bench = Bench(**more)
    bench.open_shoe()
    bench.coup(codes)
    return bench


def again(bench: Bench, **more: Any) -> Bench:
    """Start a second process on the same journal, wallet and clock."""
    more = {"prefix": f"again{len(bench.journal.streams())}-{bench.table.version}-", **more}
    return Bench(bench.journal, clock=bench.clock, purse=bench.purse, **more)


def corrections(bench: Bench) -> list[e.ResultCorrected]:
    """The corrections in the journal."""
    return [event for event in bench.events() if isinstance(event, e.ResultCorrected)]


def test_each_player_is_paid_or_asked_the_difference_once() -> None:
    bench = paid()
    correct(bench, "2S 9D KH TD")
    (event,) = corrections(bench)
    key = f"{event.round_id}/corrected/1"
    assert (event.new_code, event.returned_before, event.returned) == ("banker", 2000, 3900)
    assert bench.purse.paid[f"{key}/credit"] == (("bob", 3900),)
    assert bench.purse.taken[f"{key}/debit"] == (("ann", 2000),)


def test_one_player_with_bets_on_both_sides_moves_by_the_sum_only() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet("a", ("ann", "player", 1000), ("ann", "banker", 2000))
    bench.do(c.CloseBets())
    bench.deal("9S 2D KH 5D")
    correct(bench, "2S 9D KH TD")
    (event,) = corrections(bench)
    assert bench.purse.paid[f"{event.round_id}/corrected/1/credit"] == (("ann", 1900),)
    assert bench.purse.taken == {}


def test_what_a_player_cannot_cover_is_a_receivable_and_the_correction_stands() -> None:
    bench = paid()
    bench.purse.poor = frozenset({"ann"})
    correct(bench, "2S 9D KH TD")
    (owed,) = [event for event in bench.events() if isinstance(event, e.ReceivableNoted)]
    assert owed.owed == (("ann", 2000),)
    assert bench.table.results[0].owed == 2000
    assert bench.table.results[0].code == "banker"


def test_what_a_player_owes_of_the_coup_is_set_off_before_anything_is_paid() -> None:
    """A later correction in the player's favour pays the debt first."""
    bench = paid()
    bench.purse.poor = frozenset({"ann"})
    correct(bench, "2S 9D KH TD")
    correct(bench, void=True)
    event = corrections(bench)[-1]
    assert event.set_off == (("ann", 1000),)
    assert bench.table.results[0].owing == (("ann", 1000),)
    correct(bench, "9S 2D KH 5D")
    assert corrections(bench)[-1].set_off == (("ann", 1000),)
    assert bench.table.results[0].owed == 0
    to_ann = [amount for entries in bench.purse.paid.values() for who, amount in entries
              if who == "ann"]  # fmt: skip
    assert to_ann == [2000]


def test_a_receivable_is_noted_once_however_often_the_studio_starts_again() -> None:
    bench = paid()
    bench.purse.poor = frozenset({"ann"})
    correct(bench, "2S 9D KH TD")
    later = again(again(bench))
    notes = [event for event in later.events() if isinstance(event, e.ReceivableNoted)]
    assert len(notes) == 1
    assert later.table.results[0].owed == 2000


def test_a_wallet_that_does_not_answer_is_asked_again_and_nothing_is_lost() -> None:
    bench = paid()
    bench.purse.broken = True
    correct(bench, "2S 9D KH TD")
    assert bench.purse.taken == {}
    bench.purse.broken = False
    bench.wait()
    assert list(bench.purse.taken.values()) == [(("ann", 2000),)]


@pytest.mark.parametrize(
    "point", ["before_commit", "after_commit", "after_adopt", "after_publish", "credit", "debit"]
)
@pytest.mark.parametrize("poor", [frozenset(), frozenset({"ann"})])
def test_a_process_that_dies_at_any_point_of_a_correction_pays_it_once(
    point: str, poor: frozenset[str]
) -> None:
    """Before the commit nothing has happened; after it everything does, once."""
    armed: list[str] = []

    class Deadly(Purse):
        def settle(self, key: str, entries: Any) -> None:
            super().settle(key, entries)
            die(key.rpartition("/")[2])

        def debit(self, key: str, entries: Any) -> tuple[str, ...]:
            found = super().debit(key, entries)
            die(key.rpartition("/")[2])
            return found

    def die(at: str) -> None:
        if at in armed:
            raise Killed

    bench = paid(at_point=die, purse=Deadly())
    bench.purse.poor = poor
    correct_by_one(bench)
    armed.append(point)
    with pytest.raises(Killed):
        approve(bench)
    armed.clear()
    later = again(bench, at_point=die)
    if point == "before_commit":
        assert corrections(later) == []
        approve(later)
    later = again(later)
    (event,) = corrections(later)
    assert later.table.results[0].returned == 3900
    assert [k for k in later.purse.paid if "corrected" in k] == [
        f"{event.round_id}/corrected/1/credit"
    ]
    assert len(later.purse.taken) == 1
    notes = [each for each in later.events() if isinstance(each, e.ReceivableNoted)]
    assert len(notes) == len(poor)


def correct_by_one(bench: Bench) -> None:
    """The first person asks; the second has not spoken."""
    cards = tuple(Card.parse(code) for code in ("2S", "9D", "KH", "TD"))
    meant = bench.table.results[0].id
    command = c.CorrectResult(round_id=meant, cards=cards, reason="reason.camera_proves")
    assert bench.ask(command, SUPERVISOR).status == "done"
    assert corrections(bench) == []


def approve(bench: Bench) -> None:
    """The second person says yes."""
    assert bench.table.approval is not None
    bench.approve(bench.table.approval.id)


def test_two_corrections_that_end_where_they_began_leave_every_balance_as_it_was() -> None:
    wallet = MemoryWallet({"ann": 10_000, "bob": 10_000})
    bench = paid(purse=wallet)
    before = (wallet.balance("ann"), wallet.balance("bob"))
    correct(bench, "2S 9D KH TD")
    assert (wallet.balance("ann"), wallet.balance("bob")) == (9_000, 11_900)
    correct(bench, void=True)
    assert (wallet.balance("ann"), wallet.balance("bob")) == (10_000, 10_000)
    correct(bench, "9S 2D KH 5D")
    assert (wallet.balance("ann"), wallet.balance("bob")) == before


@pytest.mark.parametrize("cards", [None, "", "9S", "9S 2D", "9S 2D KH"])
def test_a_void_at_any_moment_leaves_every_wallet_as_it_was(cards: str | None) -> None:
    """Law 4 (live-dealer-systems.md 9.2): the sum of the wallets is constant, and each of them."""
    wallet = MemoryWallet({"ann": 10_000, "bob": 2_500})
    bench = Bench(purse=wallet)
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet("a")
    bench.bet("b", ("bob", "tie", 400), ("bob", "big", 300))
    if cards is not None:
        bench.do(c.CloseBets())
        bench.deal(cards)
    assert wallet.total(["ann", "bob"]) < 12_500
    bench.do(c.CallSupervisor())
    hold, current = bench.table.hold, bench.table.round
    assert hold is not None
    assert current is not None
    void = c.VoidRound(fault=hold.faults[0].id, reason="reason.not_provable", round_id=current.id)
    bench.do(void, SUPERVISOR)
    assert (wallet.balance("ann"), wallet.balance("bob")) == (10_000, 2_500)
    assert bench.ask(void, SUPERVISOR).status == "rejected"
    assert wallet.total(["ann", "bob"]) == 12_500


def test_a_coup_of_an_earlier_gaming_day_of_this_shoe_is_found() -> None:
    bench = paid()
    bench.do(c.ConfirmStep())
    bench.clock.advance(86_400_000_000)
    bench.runner.tick()
    bench.runner.flush()
    assert len(bench.journal.streams()) == 2
    correct(bench, "2S 9D KH TD")
    correct(bench, void=True)
    assert [event.number for event in corrections(bench)] == [1, 2]


def test_a_later_shoe_knows_the_coup_no_more() -> None:
    bench = paid()
    meant = bench.table.results[0].id
    bench.do(c.EndShoe(), SUPERVISOR)
    bench.do(c.ConfirmStep())
    bench.wait()
    bench.do(c.EnterCount(409))
    correct(bench, "2S 9D KH TD")
    bench.do(c.StartShoe())
    command = c.CorrectResult(round_id=meant, void=True, reason="reason.other")
    assert bench.ask(command, SUPERVISOR).code == "refused.round_unknown"


@pytest.fixture(params=["memory", "sql"])
def journal(request: pytest.FixtureRequest, tmp_path: Any) -> Iterator[Any]:
    """Both journals."""
    if request.param == "memory":
        yield MemoryJournal()
        return
    opened = open_journal(f"sqlite:///{tmp_path}/past.db")
    yield opened
    opened.database.close()


def test_the_past_of_a_coup_is_its_bets_and_what_went_back_with_every_correction(
    journal: Any,
) -> None:
    bench = paid(journal=journal)
    bench.collect()
    bench.coup(batch="b")
    correct(bench, "2S 9D KH TD", number=1)
    meant = bench.table.results[0].id
    past = read_past(bench.journal, bench.table, prefix_of("ba1"), meant)
    assert past is not None
    assert past.bets.amounts == (1000, 2000)
    assert past.back.amounts == (0, 3900)
    assert read_past(bench.journal, bench.table, prefix_of("ba1"), "r-0") is None


def test_a_corrected_coup_is_played_again_with_each_of_its_corrections(journal: Any) -> None:
    """What `cutcard replay` says: the first result, and what later words made of it."""
    bench = paid(journal=journal)
    meant = bench.table.results[0].id
    for told in ({"codes": "2S 9D KH TD"}, {"void": True}, {"codes": "9S 2D KH 5C"}):
        correct(bench, **told)  # type: ignore[arg-type]
    bench.collect()
    facts = facts_of(bench.journal.read(bench.journal.streams()[0]), meant)
    done = replay("ba1", facts, [bench.setup.rules])
    assert done.same
    assert done.corrections == ((1, "banker", True), (2, "void", True), (3, "player", True))
    at = next(n for n, fact in enumerate(facts) if isinstance(fact.event, e.ResultCorrected))
    wrong = replace(facts[at].event, new_code="tie", outcome="{}")
    changed = (*facts[:at], replace(facts[at], event=wrong), *facts[at + 1 :])
    assert not replay("ba1", changed, [bench.setup.rules]).same


def test_a_correction_that_does_not_add_up_breaks_a_law() -> None:
    bench = paid()
    correct(bench, "2S 9D KH TD")
    after = bench.table
    (event,) = corrections(bench)
    known = replace(after.results[0], returned=2000, code="player", corrections=())
    before = replace(after, version=after.version - 1, results=(known,))
    check_laws(before, after, [event])
    for wrong in (
        replace(event, returned=event.returned + 1),
        replace(event, returned_before=0, returned=event.returned - 2000),
        replace(event, debits=(*event.debits, ("a-1", "bob", "banker", 1))),
        replace(event, columns=event.columns.without(frozenset({"a-1"}))),
        replace(event, round_id="r-0"),
        replace(event, set_off=(("bob", 1),)),
    ):
        with pytest.raises(LawBroken):
            check_laws(before, after, [wrong])


def test_a_journal_that_does_not_hold_the_coup_stops_the_table_and_pays_nothing() -> None:
    bench = paid()
    meant = bench.table.results[0].id
    with pytest.raises(JournalError):
        read_past(MemoryJournal(), bench.table, prefix_of("ba1"), meant)
