"""The embedded wallet, in SQL and in memory: nothing moves twice, nothing is made or lost."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.commands import Rejected
from studio.live.ports import Wallet
from studio.live.wallets import EmbeddedWallet, MemoryWallet, Movement, WalletMisused
from studio.storage.database import Database
from studio.storage.wallet import SqlWallet

Make = Callable[[], EmbeddedWallet]


@pytest.fixture(params=["sqlite", "memory"])
def wallet(request: pytest.FixtureRequest) -> EmbeddedWallet:
    """One of the wallets, with Amina who has 1,000 and Bilal who has 50."""
    if request.param == "memory":
        made: EmbeddedWallet = MemoryWallet()
    else:
        database: Database = request.getfixturevalue("database")
        made = EmbeddedWallet(SqlWallet(database))
    made.create("amina", 1_000)
    made.create("bilal", 50)
    return made


def test_it_is_the_wallet_that_a_table_asks(wallet: EmbeddedWallet) -> None:
    port: Wallet = wallet
    assert port.reserve("r1/b1", [("x", "amina", 1)]) == ()


def test_a_stake_that_is_covered_is_taken_and_one_that_is_not_is_named(
    wallet: EmbeddedWallet,
) -> None:
    refused = wallet.reserve("r1/b1", [("x", "amina", 300), ("y", "bilal", 60)])
    assert refused == ("y",)
    assert (wallet.balance("amina"), wallet.balance("bilal")) == (700, 50)


def test_a_player_stakes_no_more_than_there_is_over_a_whole_batch(
    wallet: EmbeddedWallet,
) -> None:
    batch = [("x", "bilal", 30), ("y", "bilal", 30), ("z", "bilal", 20)]
    assert wallet.reserve("r1/b1", batch) == ("y",)
    assert wallet.balance("bilal") == 0


def test_a_player_who_was_never_created_has_no_funds(wallet: EmbeddedWallet) -> None:
    assert wallet.reserve("r1/b1", [("x", "nobody", 1)]) == ("x",)
    assert wallet.balance("nobody") is None


def test_what_is_asked_back_is_taken_whole_or_not_at_all(wallet: EmbeddedWallet) -> None:
    """F12: a player who has spent it owes all of it; nobody goes below nothing."""
    poor = wallet.debit("r1/corrected/1", [("amina", 400), ("bilal", 60), ("nobody", 1)])
    assert poor == ("bilal", "nobody")
    assert (wallet.balance("amina"), wallet.balance("bilal")) == (600, 50)
    assert wallet.movements("amina")[-1] == Movement("amina", -400, 1_000, 600)


def test_asking_back_again_gives_the_same_answer_though_there_is_money_now(
    wallet: EmbeddedWallet,
) -> None:
    asked = [("bilal", 60)]
    assert wallet.debit("r1/corrected/1", asked) == ("bilal",)
    wallet.settle("r2/settled", [("bilal", 500)])
    assert wallet.debit("r1/corrected/1", asked) == ("bilal",)
    assert wallet.balance("bilal") == 550


def test_a_key_for_asking_back_is_not_used_for_something_else(wallet: EmbeddedWallet) -> None:
    wallet.debit("r1/corrected/1", [("amina", 1)])
    with pytest.raises(WalletMisused):
        wallet.debit("r1/corrected/1", [("amina", 2)])
    with pytest.raises(WalletMisused):
        wallet.debit("r1/corrected/2", [("amina", 0)])
    assert wallet.balance("amina") == 999


def test_the_same_key_gives_the_same_answer_and_moves_nothing(wallet: EmbeddedWallet) -> None:
    batch = [("x", "amina", 300), ("y", "bilal", 60)]
    wallet.reserve("r1/b1", batch)
    wallet.settle("r1/settled", [("amina", 600), ("bilal", 10)])
    assert wallet.reserve("r1/b1", batch) == ("y",), "although it would be covered now"
    wallet.settle("r1/settled", [("amina", 600), ("bilal", 10)])
    assert (wallet.balance("amina"), wallet.balance("bilal")) == (1_300, 60)


def test_the_same_key_with_another_content_is_refused_and_moves_nothing(
    wallet: EmbeddedWallet,
) -> None:
    wallet.reserve("r1/b1", [("x", "amina", 300)])
    wallet.settle("r1/settled", [("amina", 5)])
    with pytest.raises(WalletMisused, match="used for another call"):
        wallet.reserve("r1/b1", [("x", "amina", 301)])
    with pytest.raises(WalletMisused, match="used for another call"):
        wallet.settle("r1/settled", [("amina", 6)])
    assert wallet.balance("amina") == 705


def test_a_stake_and_a_payment_may_share_a_key(wallet: EmbeddedWallet) -> None:
    wallet.reserve("r1", [("x", "amina", 300)])
    wallet.settle("r1", [("amina", 300)])
    assert wallet.balance("amina") == 1_000


def test_what_is_paid_to_a_player_who_is_not_known_is_kept_for_them(
    wallet: EmbeddedWallet,
) -> None:
    wallet.settle("r1/voided", [("late", 25)])
    assert wallet.balance("late") == 25


def test_creating_a_player_again_changes_nothing(wallet: EmbeddedWallet) -> None:
    wallet.reserve("r1/b1", [("x", "amina", 300)])
    wallet.create("amina", 9_999)
    assert wallet.balance("amina") == 700


def test_an_opening_balance_below_nothing_is_refused(wallet: EmbeddedWallet) -> None:
    with pytest.raises(Rejected, match="0 or more"):
        wallet.create("carl", -1)


@pytest.mark.parametrize("amount", [0, -5, 1.5, True])
def test_a_stake_that_is_no_amount_is_refused(wallet: EmbeddedWallet, amount: int) -> None:
    with pytest.raises(WalletMisused, match="no amount"):
        wallet.reserve("r1/b1", [("x", "amina", amount)])
    with pytest.raises(WalletMisused, match="no amount"):
        wallet.settle("r1/s", [("amina", amount - 1 if amount == 0 else -1)])
    assert wallet.balance("amina") == 1_000


def test_each_movement_is_kept_with_the_balance_before_and_after(wallet: EmbeddedWallet) -> None:
    wallet.reserve("r1/b1", [("x", "amina", 300), ("y", "amina", 100)])
    wallet.settle("r1/settled", [("amina", 600)])
    assert list(wallet.movements("amina")) == [
        Movement("amina", 1_000, 0, 1_000),
        Movement("amina", -300, 1_000, 700),
        Movement("amina", -100, 700, 600),
        Movement("amina", 600, 600, 1_200),
    ]


def test_a_void_gives_everything_back(wallet: EmbeddedWallet) -> None:
    before = wallet.total(["amina", "bilal"])
    wallet.reserve("r1/b1", [("x", "amina", 300), ("y", "bilal", 50)])
    wallet.settle("r1/voided", [("amina", 300), ("bilal", 50)])
    assert wallet.total(["amina", "bilal"]) == before


def test_a_large_batch_is_one_call(wallet: EmbeddedWallet) -> None:
    wallet.settle("gift", [(f"p{n}", 10) for n in range(5_000)])
    assert wallet.reserve("r1/b1", [(f"b{n}", f"p{n}", 10) for n in range(5_000)]) == ()
    assert wallet.total(f"p{n}" for n in range(5_000)) == 0


def test_two_people_who_press_retry_at_once_are_paid_once(wallet: EmbeddedWallet) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: wallet.settle("r1/voided", [("amina", 100)]), range(8)))
    assert wallet.balance("amina") == 1_100


def test_everybody_has_plenty_in_an_unlimited_wallet_but_who_was_given_a_balance() -> None:
    wallet = MemoryWallet({"poor": 5}, unlimited=True)
    assert wallet.reserve("r1/b1", [("x", "anybody", 10**9), ("y", "poor", 6)]) == ("y",)


players = st.sampled_from(["a", "b", "c"])
amounts = st.integers(1, 200)
calls = st.lists(
    st.tuples(
        st.sampled_from(["reserve", "settle"]),
        st.integers(0, 5),
        st.lists(st.tuples(players, amounts), max_size=4),
    ),
    max_size=12,
)


@given(calls)
def test_no_balance_is_ever_below_nothing_and_entries_add_up(
    made: list[tuple[str, int, list[tuple[str, int]]]],
) -> None:
    wallet = MemoryWallet({"a": 100, "b": 0})
    for kind, key, entries in made:
        try:
            if kind == "reserve":
                wallet.reserve(str(key), [(str(n), p, a) for n, (p, a) in enumerate(entries)])
            else:
                wallet.settle(str(key), entries)
        except WalletMisused:
            continue
    for player, opening in (("a", 100), ("b", 0), ("c", 0)):
        balance = wallet.balance(player) or 0
        moved = wallet.movements(player)
        assert balance >= 0
        assert balance == opening + sum(movement.amount for movement in moved)
        assert all(m.after == m.before + m.amount for m in moved)
