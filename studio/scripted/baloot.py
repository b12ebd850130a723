"""Cases of kind ``baloot_round``: rounds of Baloot through the live table (CONTRACTS.md 5)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from studio.domain import commands as c
from studio.domain.cards import HIDDEN, Card
from studio.games.baloot.cards import SEATS, Mode
from studio.games.baloot.projects import detect, word_of
from studio.games.baloot.steps import Step
from studio.games.procedure import Choose, Deal, Facing, Move
from studio.scripted.bench import Bench, CaseError
from studio.scripted.coup import need, shoe_of
from studio.scripted.script import STEPS
from studio.table.seatplay import SEAT, choices
from studio.table.state import Phase, Table

NAME: Final = "baloot"
CALLED: Final = frozenset({Step.BIDDING, Step.CLAIM, Step.CONFIRM})
"""Steps in which a seat says what `calls` has next."""


@dataclass(slots=True)
class Script:
    """What the four seats do in one case, as far as they have not done it yet."""

    bench: Bench
    deck: list[str]
    calls: list[tuple[int, str]]
    raises: list[dict[str, Any]]
    declare: dict[str, int]
    plays: list[str]
    raised: dict[str, Any] = field(default_factory=dict)
    """The newest raise."""
    mode: Mode = Mode.SUN
    racks: dict[int, list[Card]] = field(default_factory=lambda: {s: [] for s in range(SEATS)})
    """The cards that each seat was dealt."""


def play_baloot(case: dict[str, Any]) -> dict[str, Any]:
    """Play one round; the result has the fields of the case files (CONTRACTS.md 5).

    Raises:
        CaseError: if the case cannot be played.
    """
    rules = case.get("rules", {})
    if not isinstance(rules, dict):
        raise CaseError('the rules must be an object, as {"void": "free"}')
    preset = {"preset": case["preset"]} if "preset" in case else {}
    bench = Bench(case.get("game", NAME), {**preset, **rules})
    if bench.game.name != NAME:
        raise CaseError(f"a baloot_round is a case of baloot, not of {bench.game.name}")
    script = Script(
        bench=bench,
        deck=shoe_of(case),
        calls=list(_calls(case)),
        raises=list(_raises(case)),
        declare=_declared(case),
        plays=_plays(case),
    )
    bench.in_mid_shoe(1, carried=(*_scores(case), _seat(case.get("dealer"), "dealer"), 1, 1))
    bench.ask(c.OpenBets())
    bench.ask(c.CloseBets())
    for _ in range(STEPS):
        if bench.table.phase is Phase.RESULT:
            _all_done(script)
            return _told(bench)
        _step(script)
    raise CaseError("the round does not end")


# -- the course of the round ----------------------------------------------------------------------


def _step(script: Script) -> None:
    """Let the next thing happen: a card, a choice, or a press."""
    bench = script.bench
    due = bench.standing.due
    match due:
        case Deal():
            if not script.deck:
                raise CaseError("the deck has too few cards for this round")
            code = script.deck.pop(0)
            bench.read(code)
            if due.face is Facing.DOWN:
                script.racks[bench.game.hands.index(due.to)].append(Card.parse(code))
        case Choose():
            _choose(script, due)
        case Move(step=Step.TAKE_FACE):
            seat = bench.game.hands.index(due.to)
            script.racks[seat].append(Card.parse(_face(bench.table)))
            bench.ask(c.ConfirmStep())
        case _:
            bench.ask(c.ConfirmStep())


def _face(table: Table) -> str:
    """The card that was turned for the bidding."""
    places = table.play.places if table.play else ()
    return next(str(place.card) for place in places if place.step == Step.FACE_CARD)


def _choose(script: Script, due: Choose) -> None:
    """Say what the seat that is asked says in this case."""
    if due.step in CALLED:
        seat, option = _next_call(script, due)
    else:
        seat, option = due.seat, _option(script, due)
    current = script.bench.table.round
    if current is None or current.asking is None:
        raise CaseError(f"{due.step} is due and nobody is asked")
    said = c.ChooseForSeat(seat=seat, window=current.asking.number, option=option)
    try:
        script.bench.ask(said, by=c.Asker(number=str(seat), role=SEAT))
    except CaseError:
        if due.step != Step.PLAY:
            raise
        may = " ".join(card for _, card in choices(script.bench.setup, script.bench.table).options)
        raise CaseError(f"seat {seat} cannot play {option}: it may play {may}") from None


def _next_call(script: Script, due: Choose) -> tuple[int, str]:
    """The next call of the case, if it may be made here."""
    where = f"seat {due.seat} is asked for {' '.join(due.options)}"
    if not script.calls:
        raise CaseError(f"there are too few calls: {where}")
    seat, call = script.calls.pop(0)
    in_turn = seat == due.seat and call in due.options
    if not in_turn and (seat, call) not in due.besides:
        raise CaseError(f"seat {seat} cannot say {call}: {where}")
    if due.step != Step.CLAIM and call != "pass":
        script.mode = Mode.HOKUM if call.startswith(Mode.HOKUM) else Mode.SUN
    return seat, call


def _option(script: Script, due: Choose) -> str:
    """What a seat raises, announces or plays."""
    match due.step:
        case Step.RAISE:
            following = script.raises[0] if script.raises else {}
            if following.get("seat") != due.seat or following.get("call") not in due.options:
                return "pass"
            script.raised = script.raises.pop(0)
            return str(script.raised["call"])
        case Step.CLOSED:
            if "closed" not in script.raised:
                raise CaseError(f"seat {due.seat} raised without saying whether it is closed")
            return "closed" if script.raised["closed"] else "open"
        case Step.PROJECTS:
            best = detect(script.racks[due.seat], script.mode)
            said = word_of(best[: script.declare.get(str(due.seat), 0)])
            return said if said in due.options else word_of(best[:1])
        case _:
            if not script.plays:
                raise CaseError(f"there are too few plays: seat {due.seat} is to play")
            return script.plays.pop(0)


def _all_done(script: Script) -> None:
    """Refuse what the case tells beyond the end of its round."""
    for name in ("calls", "raises", "plays"):
        left = len(getattr(script, name))
        if left:
            raise CaseError(f"the round ended with {left} of its {name} left")


def _told(bench: Bench) -> dict[str, Any]:
    """The result; cards that lay face down to the end are told too, as the shoe named them."""
    outcome: Any = bench.standing.outcome
    told: dict[str, Any] = outcome.as_dict()
    if "redeal" not in told:
        return told
    places = bench.table.play.places if bench.table.play else ()
    cards = iter([place.card for place in places if place.step != Step.FACE_CARD])
    told["dealt"] = [
        [seat, [str(next(cards, None) or HIDDEN) for _ in packet]] for seat, packet in told["dealt"]
    ]
    return told


# -- what a case says -----------------------------------------------------------------------------


def _seat(given: Any, what: str) -> int:
    """Read a seat; `what` names it.

    Raises:
        CaseError: if it is none.
    """
    if isinstance(given, int) and not isinstance(given, bool) and given in range(SEATS):
        return given
    raise CaseError(f"{what} must be a seat from 0 to {SEATS - 1}, not {given!r}")


def _scores(case: dict[str, Any]) -> tuple[int, int]:
    match case.get("scores", [0, 0]):
        case [int(first), int(second)] if min(first, second) >= 0 and not _flags(first, second):
            return first, second
    raise CaseError("scores must be two whole numbers from 0 up")


def _flags(*given: Any) -> bool:
    return any(isinstance(each, bool) for each in given)


def _calls(case: dict[str, Any]) -> Iterator[tuple[int, str]]:
    for number, given in enumerate(need(case, "calls", list), 1):
        match given:
            case [seat, str(call)]:
                yield _seat(seat, f"the seat of call {number}"), call
            case _:
                raise CaseError(f"call {number} must be a seat and a word, as [2, 'pass']")


def _raises(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    given = case.get("raises", [])
    if not isinstance(given, list):
        raise CaseError("raises must be a list")
    for number, each in enumerate(given, 1):
        if not isinstance(each, dict) or not isinstance(each.get("call"), str):
            raise CaseError(f"raise {number} must be an object with seat and call")
        _seat(each.get("seat"), f"the seat of raise {number}")
        if not isinstance(each.get("closed", False), bool):
            raise CaseError(f"closed of raise {number} must be true or false")
        yield dict(each)


def _declared(case: dict[str, Any]) -> dict[str, int]:
    given = case.get("declare", {})
    if not isinstance(given, dict):
        raise CaseError('declare must be an object, as {"0": 2}')
    for seat, number in given.items():
        if seat not in {str(each) for each in range(SEATS)}:
            raise CaseError(f"declare names {seat!r}, but the seats are 0 to {SEATS - 1}")
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise CaseError(f"declare of seat {seat} must be a whole number from 0 up")
    return dict(given)


def _plays(case: dict[str, Any]) -> list[str]:
    given = case.get("plays", [])
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise CaseError("plays must be a list of cards")
    return list(given)
