"""Plays a journalled round again from its inputs and compares (DESIGN.md 3)."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from studio.domain import events as e
from studio.domain.commands import Rejected
from studio.domain.envelope import Recorded, canonical
from studio.games.procedure import InputMismatch, run
from studio.games.registry import game
from studio.table import ledger, truth
from studio.table.book import procedure
from studio.table.correction import after
from studio.table.evolve import evolve
from studio.table.evolve_results import VOID
from studio.table.past import Past
from studio.table.past import settled as settled_past
from studio.table.state import Script, Setup, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What came out when a round was played again."""

    round_id: str
    game: str
    journalled_version: str
    """Version of the procedure under which the round was dealt."""
    present_version: str
    """Version of the procedure that played it again."""
    state: str
    """``settled``, ``voided`` or ``open``, as journalled."""
    journalled: dict[str, Any]
    """Outcome in the journal; empty for a round without one."""
    again: dict[str, Any]
    """Outcome of playing it again; empty if the inputs do not end a round."""
    money_same: bool
    """Whether every bet is paid the same."""
    corrections: tuple[tuple[int, str, bool], ...] = ()
    """(number, result, whether its cards give that result and that money again), oldest first."""

    @property
    def same(self) -> bool:
        """Whether result and money are the same, of the round and of all its corrections."""
        paid = self.journalled == self.again and self.money_same
        return paid and all(same for _, _, same in self.corrections)

    def line(self) -> dict[str, Any]:
        """Give it as one JSON object."""
        return {
            "round": self.round_id,
            "game": self.game,
            "journalled": self.journalled_version,
            "present": self.present_version,
            "state": self.state,
            "same": self.same,
            "outcome": self.journalled,
            "again": self.again,
            "corrections": [
                {"correction": number, "result": result, "same": same}
                for number, result, same in self.corrections
            ],
        }


class OtherRules(Exception):  # noqa: N818  what is told is the state of things
    """The round was dealt under rules that are not at hand."""


def facts_of(facts: Iterable[Recorded], round_id: str) -> tuple[Recorded, ...]:
    """Give the facts of one round in a stream: from its opening to the next one's, and corrections.

    What was said of other rounds meanwhile is left out.
    """
    found: list[Recorded] = []
    inside = False
    for fact in facts:
        if isinstance(fact.event, e.RoundOpened):
            inside = fact.event.round_id == round_id
        if isinstance(fact.event, e.ResultCorrected | e.BetsStayed):
            if fact.event.round_id == round_id:
                found.append(fact)
        elif inside:
            found.append(fact)
    return tuple(found)


def corrections_of(facts: Iterable[Recorded], round_id: str) -> tuple[Recorded, ...]:
    """Give the corrections of one round in a stream; they may come long after its end.

    With each what it says of bets that stand after the round.
    """
    return tuple(
        fact
        for fact in facts
        if isinstance(fact.event, e.ResultCorrected | e.BetsStayed)
        and fact.event.round_id == round_id
    )


def replay(table: str, facts: Sequence[Recorded], rules_known: Iterable[Any]) -> Replayed:
    """Play a round again by its own rules, or those among `rules_known` with its digest.

    Raises:
        OtherRules: if it is of a release that kept the digest alone, and none of them has it.
        ValueError: if these are not the facts of a round, or its game does not exist.
    """
    opened = facts[0].event if facts else None
    if not isinstance(opened, e.RoundOpened):
        raise ValueError("a round begins with its opening")
    dealt = game(opened.game)
    own = [dealt.rules(json.loads(opened.rules))] if opened.rules else []
    known = (*own, *rules_known)
    rules = next((r for r in known if digest_of(r) == opened.rules_digest), None)
    if rules is None:
        raise OtherRules(
            f"{opened.round_id} was dealt under other rules (digest {opened.rules_digest[:12]}…): "
            "give the configuration of that day with --config"
        )
    setup = Setup(table=table, game=dealt, rules=rules, rules_digest=opened.rules_digest)
    state, inputs, journalled, settled = _fold(facts)
    again: dict[str, Any] = {}
    money_same = settled is None
    try:
        standing = run(procedure(setup, Script.ROUND), inputs)
    except InputMismatch:
        standing = None
    if standing is not None and standing.outcome is not None:
        again = json.loads(canonical(standing.outcome.as_dict()))
        if settled is not None and state.round is not None:
            stays = ledger.stays(dealt, rules, standing.outcome, state.round.carried)
            staying, bets = ledger.parted(ledger.standing(state.round), stays)
            back, rows = ledger.settle(
                bets, dealt.pays(rules, standing.outcome), state.round.seating
            )
            paid = rows == settled.rows and back == settled.columns
            money_same = paid and staying == state.staying
    return Replayed(
        round_id=opened.round_id,
        game=opened.game,
        journalled_version=opened.procedure_version,
        present_version=dealt.version,
        state=state.round.state if state.round is not None else "open",
        journalled=journalled,
        again=again if journalled else {},
        money_same=money_same,
        corrections=_corrections(setup, facts, state, settled),
    )


def _corrections(
    setup: Setup, facts: Sequence[Recorded], state: Table, settled: e.RoundSettled | None
) -> tuple[tuple[int, str, bool], ...]:
    """Each correction once more: its cards through the procedure, its money from the stakes."""
    found: list[tuple[int, str, bool]] = []
    past = settled_past(state, settled.columns) if settled is not None else None
    if past is None:
        return ()
    for fact in facts[facts.index(next(f for f in facts if f.event is settled)) :]:
        event = fact.event
        if isinstance(event, e.BetsStayed):
            past = replace(past, staying=event.columns)
        if not isinstance(event, e.ResultCorrected):
            continue
        before, past = past, replace(past, back=after(past.back, event))
        if event.new_code == VOID:  # whether players were misled was judged by a profile
            same = event.outcome == "" and past.back in truth.possible_voids(before)
            same = same and past.staying == past.carried
        else:
            same = _same(setup, event, past)
        found.append((event.number, event.new_code, same and past.back.total == event.returned))
    return tuple(found)


def _same(setup: Setup, event: e.ResultCorrected, past: Past) -> bool:
    """Whether the cards of a correction give its result and its money again."""
    try:
        true = truth.again(setup, past, event.cards, event.policy)
    except Rejected:
        return False
    outcome = "" if true.outcome is None else canonical(true.outcome.as_dict())
    return (outcome, true.back, true.staying) == (event.outcome, past.back, past.staying)


def digest_of(rules: Any) -> str:
    """The digest by which a round names its rules."""
    return sha256(rules_text(rules).encode()).hexdigest()


def rules_text(rules: Any) -> str:
    """The rules as the text that their digest is of."""
    return canonical(rules.as_dict())


def _fold(
    facts: Sequence[Recorded],
) -> tuple[Table, tuple[Any, ...], dict[str, Any], e.RoundSettled | None]:
    """The round's last state, its inputs, its outcome and its payment, from its facts alone."""
    state = Table()
    inputs: tuple[Any, ...] = ()
    journalled: dict[str, Any] = {}
    settled = None
    for fact in facts:
        state = evolve(state, fact.event, fact.at_us)
        match fact.event:
            case e.RoundFinished(outcome=outcome):
                inputs = state.play.inputs if state.play is not None else ()
                journalled = json.loads(outcome)
            case e.RoundSettled():
                settled = fact.event
                break
            case e.RoundVoided():
                break
            case _:
                pass
    return state, inputs, journalled, settled
