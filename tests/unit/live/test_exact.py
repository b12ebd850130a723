"""The figures of a game are worked out once, beside the tables."""

import threading
from collections.abc import Mapping
from typing import Any

import pytest

from studio.games.registry import game
from studio.live.exact import BetFigures, Exact, Figures, Progress, beside

BACCARAT = game("baccarat")
RULES = BACCARAT.rules({})
SOME = Figures(
    progress=Progress.READY,
    bets=(BetFigures(bet="tie", win=0.1, push=0.0, lose=0.9, returned=0.86),),
)


class Held:
    """Works only when it is let; `calls` are the games that were asked for."""

    def __init__(self, answer: Figures | Exception) -> None:
        self.answer = answer
        self.calls: list[str] = []
        self.go = threading.Event()

    def __call__(self, name: str, rules: Mapping[str, Any]) -> Figures:
        assert rules["decks"] == 8
        self.calls.append(name)
        assert self.go.wait(20)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def finished(exact: Exact) -> Figures:
    for thread in threading.enumerate():
        if thread.name == "figures":
            thread.join(20)
    return exact.of(BACCARAT, RULES, "digest")


def test_who_asks_never_waits_and_the_work_is_done_once() -> None:
    work = Held(SOME)
    exact = Exact(work=work)
    first = [exact.of(BACCARAT, RULES, "digest").progress for _ in range(3)]
    assert first == [Progress.IN_WORK] * 3
    work.go.set()
    assert finished(exact) == SOME
    assert finished(exact) == SOME
    assert work.calls == ["baccarat"]


def test_other_rules_are_worked_out_anew() -> None:
    work = Held(SOME)
    work.go.set()
    exact = Exact(work=work)
    exact.of(BACCARAT, RULES, "digest")
    exact.of(BACCARAT, RULES, "another digest")
    finished(exact)
    assert work.calls == ["baccarat", "baccarat"]


def test_work_that_goes_wrong_is_told_as_failed_and_stops_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    work = Held(ZeroDivisionError("nothing to divide"))
    work.go.set()
    exact = Exact(work=work)
    exact.of(BACCARAT, RULES, "digest")
    assert finished(exact).progress is Progress.FAILED
    assert "could not be worked out" in caplog.text


def test_a_process_of_its_own_gives_what_the_command_gives() -> None:
    found = beside("baccarat", RULES.as_dict())
    assert found.progress is Progress.READY
    returns = {bet.bet: round(bet.returned, 6) for bet in found.bets}
    # RULES.md 3.3, eight decks: 1.2351 %, 1.0579 % and 14.3596 % for the house.
    assert returns["player"] == pytest.approx(1 - 0.012351, abs=1e-6)
    assert returns["banker"] == pytest.approx(1 - 0.010579, abs=1e-6)
    assert returns["tie"] == pytest.approx(1 - 0.143596, abs=1e-6)


def test_a_game_without_exact_odds_has_no_figures() -> None:
    assert beside("faro", {}).progress is Progress.FAILED


def test_a_game_that_is_decided_by_how_seats_play_has_none_and_no_work_is_begun() -> None:
    work = Held(SOME)
    baloot = game("baloot")
    found = Exact(work=work).of(baloot, baloot.rules({}), "digest")
    assert (found.progress, found.bets, work.calls) == (Progress.NONE, (), [])
