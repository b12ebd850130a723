"""What a table owes and asks, where the answers of two rounds come late and cross."""

from studio.domain import events as e
from studio.domain.columns import Columns
from studio.domain.observations import FundsAnswered
from studio.live.treasury import Treasury
from studio.live.wallets import MemoryWallet

BATCH = "window/1"


class Purse(MemoryWallet):
    """A wallet that can be away."""

    away = False

    def reserve(self, key: str, entries: object) -> tuple[str, ...]:
        """Take stakes, unless it is away.

        Raises:
            ConnectionError: while it is.
        """
        if self.away:
            raise ConnectionError("the wallet is away")
        return super().reserve(key, entries)  # type: ignore[arg-type]


def executed(round_id: str, *, answered: bool) -> e.ActionsExecuted:
    """The first window of a round was executed, and nothing was paid for."""
    nothing = Columns()
    return e.ActionsExecuted(
        round_id=round_id,
        window=1,
        choices=(),
        cohorts=("",),
        seats="",
        answered=answered,
        packed=nothing.packed("stakes", f"{round_id}/1"),
        columns=nothing,
    )


def asked(round_id: str) -> e.FundsAsked:
    """A double of ann's in the first window of a round."""
    columns = Columns((f"{BATCH}/0/double:M",), ("ann",), ("double:M",), (1_000,))
    packed = columns.packed("funds", f"{round_id}/1")
    return e.FundsAsked(
        round_id=round_id, batch=BATCH, deadline_us=0, packed=packed, columns=columns
    )


def test_a_late_yes_is_rolled_back_though_the_next_rounds_same_window_is_over() -> None:
    """The windows of all rounds have the same numbers: one of another round answers for none."""
    purse = Purse({"ann": 5_000})
    treasury = Treasury(purse)
    purse.away = True
    treasury.heed((asked("r-1"),))
    assert treasury.deliver(0) == ()
    treasury.heed((executed("r-1", answered=False), executed("r-2", answered=True)))
    purse.away = False
    late = treasury.deliver(1)
    assert late == (FundsAnswered(device="memory", at_us=1, batch=BATCH),)
    treasury.heed((e.FundsLate(batch=BATCH),))
    assert treasury.deliver(2) == ()
    assert purse.balance("ann") == 5_000


def test_an_answer_that_was_used_is_not_asked_for_again_after_a_stop() -> None:
    purse = Purse({"ann": 5_000})
    treasury = Treasury(purse)
    treasury.heed((asked("r-1"), executed("r-1", answered=True)))
    treasury.forget_answered()
    assert treasury.deliver(0) == ()
    assert purse.balance("ann") == 5_000
