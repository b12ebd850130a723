"""What all scripted rounds with decisions have in common: players, a purse, windows, time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.games.procedure import Deal, Reveal
from studio.live.wallets import MemoryWallet
from studio.scripted.bench import Bench, CaseError
from studio.table.evolve_decisions import INSURANCE
from studio.table.state import Answering, Phase, Round

ACTIONS: Final = {
    "H": "hit",
    "S": "stand",
    "D": "double",
    "P": "split",
    "R": "surrender",
}
"""Inputs of a case, and the actions that they mean."""
STEPS: Final = 2_000
"""More than any round takes: a case that never ends is an error of the case."""


class DrainedWallet(MemoryWallet):
    """A wallet that money leaves just before it is asked for something (`balance_drops`)."""

    def __init__(self, balances: dict[str, int]) -> None:
        """Begin with these balances."""
        super().__init__(balances)
        self.leaving: dict[str, list[tuple[str, int]]] = {}
        """Per end of a key the (player, minor units) that leave first."""

    def reserve(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        """Let go what leaves, then reserve."""
        self.let_go(key.rpartition("/")[2])
        return super().reserve(key, entries)

    def let_go(self, window: str) -> None:
        """Let go what leaves at the end of this window, once."""
        for number, (player, amount) in enumerate(self.leaving.pop(window, [])):
            has = self.balance(player) or 0
            if min(has, amount) > 0:
                self.debit(f"drop/{window}/{number}", [(player, min(has, amount))])


@dataclass(slots=True)
class Player:
    """One player of the case, with the inputs that are left."""

    id: str
    bets: dict[str, int]
    insurance: bool | None
    inputs: dict[str, list[str | None]]
    gone: bool = False


@dataclass(slots=True)
class Script:
    """What happens in one case: the table, the cards to come, and what was refused."""

    bench: Bench
    wallet: DrainedWallet
    shoe: list[str]
    players: list[Player]
    drops: list[dict[str, Any]]
    rejected: list[list[str]] = field(default_factory=list)
    insured: bool = False
    """Whether what players said about insurance was sent."""
    window_of_wave_1: int = 0
    """Number of the first window that is about hands; 0 before."""

    @property
    def round(self) -> Round:
        """The open round."""
        current = self.bench.table.round
        if current is None:
            raise CaseError("the round is gone")
        return current


def balance_of(given: dict[str, Any]) -> int:
    """Read the balance of a player before betting.

    Raises:
        CaseError: if it is no amount.
    """
    balance = given.get("balance")
    if not isinstance(balance, int) or isinstance(balance, bool) or balance < 0:
        raise CaseError(f"the balance of {given.get('id')} must be whole minor units, 0 or more")
    return balance


def inputs_of(given: Any, what: str) -> list[str | None]:
    """Read a list of inputs; `what` names it.

    Raises:
        CaseError: if it is none.
    """
    if not isinstance(given, list) or not all(x is None or x in ACTIONS for x in given):
        raise CaseError(f"{what} must be a list of {' '.join(ACTIONS)}")
    return list(given)


def insurance_of(given: dict[str, Any]) -> bool | None:
    """Read what a player says about insurance; None for no answer.

    Raises:
        CaseError: if it is neither.
    """
    insurance = given.get("insurance")
    if insurance is not None and not isinstance(insurance, bool):
        raise CaseError("insurance must be true, false or null")
    return insurance


def play_to_end(script: Script, answer: Callable[[Script], None]) -> None:
    """Let one thing happen after the other until the round is settled.

    `answer` gives the inputs of the window that is open.

    Raises:
        CaseError: if the round does not end.
    """
    for _ in range(STEPS):
        if script.bench.table.phase is Phase.RESULT:
            return
        _step(script, answer)
        over = len(script.round.windows) - (script.round.answering is not None)
        for number in range(1, over + 1):
            script.wallet.let_go(str(number))
    raise CaseError("the round does not end")


def _step(script: Script, answer: Callable[[Script], None]) -> None:
    """Let the next thing happen: a card, an answer, a press, or time."""
    bench = script.bench
    if bench.table.phase is Phase.DECISION:
        answer(script)
        return
    match bench.standing.due:
        case Deal():
            if not script.shoe:
                raise CaseError("the shoe has too few cards for this round")
            bench.read(script.shoe.pop(0))
        case Reveal():
            never_offered(script)
            bench.ask(c.ConfirmStep())
        case _:
            never_offered(script)
            let_time_pass(bench)


def let_time_pass(bench: Bench) -> None:
    """Wait for the end of the open window.

    Raises:
        CaseError: if none is open.
    """
    window = bench.table.window
    if window is None:
        raise CaseError(f"the table waits for nothing in {bench.table.phase}")
    bench.pass_until(window.deadline_us)


def never_offered(script: Script) -> None:
    """Who wants insurance where none is offered is refused, once."""
    if script.insured:
        return
    script.insured = True
    seated = set(script.round.seating.players)
    wanting = [player for player in script.players if player.insurance and player.id in seated]
    insure(script, wanting, number=max(1, len(script.round.windows)))


def insure(script: Script, players: list[Player], number: int) -> None:
    """Send what these players say about insurance to a window, and note who wants it in vain."""
    wanted = [
        (p, c.Decision(p.id, p.id, "", "insure" if p.insurance else "decline")) for p in players
    ]
    wants = {player.id for player in players if player.insurance}
    for player, reason in send(script, wanted, number, "insurance").items():
        if player in wants:
            script.rejected.append([player, "insurance", reason])


def send(
    script: Script, wanted: list[tuple[Player, c.Decision]], number: int, batch: str
) -> dict[str, str]:
    """Send decisions in one batch; the reasons of those refused, by player."""
    if not wanted:
        return {}
    bench = script.bench
    first = len(bench.runner.shown.records)
    decisions = tuple(decision for _, decision in wanted)
    bench.ask(c.PlaceDecisions(batch=batch, decisions=decisions, window=number))
    return {
        player: reason.removeprefix("refused.")
        for record in bench.runner.shown.records[first:]
        if isinstance(record.event, e.DecisionsRefused)
        for player, reason in record.event.refused
    }


def answer_insurance(script: Script) -> bool:
    """Give what players say in the insurance window; whether that is the one that is open.

    Who wants it where it was not offered is refused before the first window about hands.
    """
    asks = asked(script)
    if asks.step != INSURANCE:
        return False
    script.insured = True
    seated = set(script.round.seating.players)
    said = [p for p in script.players if p.insurance is not None and p.id in seated]
    insure(script, said, asks.number)
    wait_if_open(script, asks.number)
    return True


def asked(script: Script) -> Answering:
    """What is asked in the open window.

    Raises:
        CaseError: if none is open.
    """
    asks = script.round.answering
    if asks is None:
        raise CaseError("a window is due and none is open")
    return asks


def wait_if_open(script: Script, number: int) -> None:
    """Let the time of this window pass, if not all have answered."""
    if _still_open(script, number):
        let_time_pass(script.bench)


def _still_open(script: Script, number: int) -> bool:
    asks = script.round.answering
    return asks is not None and asks.number == number
