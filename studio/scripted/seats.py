"""Cases of kind ``classic``: blackjack with house rules, seat by seat, through the live table."""

from typing import Any, Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.scripted.bench import Bench, CaseError
from studio.scripted.coup import need, round_no_of, shoe_of
from studio.scripted.script import (
    ACTIONS,
    DrainedWallet,
    Player,
    Script,
    answer_insurance,
    asked,
    balance_of,
    inputs_of,
    insurance_of,
    never_offered,
    play_to_end,
    send,
    wait_if_open,
)

NAME: Final = "blackjack"
ALL: Final = "all"
"""The one list of inputs that a seat has for all its hands."""
EARLY: Final = "early_surrender"
"""Step of the window in which a seat may give up before insurance and the secret look."""
MAIN: Final = "main"


def play_seats(case: dict[str, Any]) -> dict[str, Any]:
    """Play one round; the result has the fields of the case files (CONTRACTS.md 5).

    Raises:
        CaseError: if the case cannot be played.
    """
    given = need(case, "seats", list)
    players = [_player(each) for each in given]
    if len({player.id for player in players}) < len(players):
        raise CaseError("each seat must have an id of its own")
    wallet = DrainedWallet({each["id"]: balance_of(each) for each in given})
    bench = Bench(case.get("game", NAME), case.get("rules", {}), wallet=wallet)
    if not bench.game.seats:
        raise CaseError(f"{bench.game.name} has no seats with hands of their own")
    bench.in_mid_shoe(round_no_of(case))
    bench.ask(c.OpenBets())
    script = Script(bench, wallet, shoe_of(case), players, drops=[])
    _bet(script)
    bench.ask(c.CloseBets())
    play_to_end(script, _answer)
    never_offered(script)
    return _told(script)


def _player(given: Any) -> Player:
    if not isinstance(given, dict):
        raise CaseError("each seat must be an object with id and bet")
    stake = need(given, "bet", int)
    name = need(given, "id", str)
    return Player(
        id=name,
        bets={MAIN: stake},
        insurance=insurance_of(given),
        inputs={ALL: inputs_of(given.get("decisions", []), f"the decisions of seat {name}")},
    )


# -- what happens ---------------------------------------------------------------------------------


def _bet(script: Script) -> None:
    """Place every bet in order of the seats; a seat without one is dealt nothing.

    Raises:
        CaseError: if no seat has a bet.
    """
    bets = tuple(c.Bet(p.id, p.id, MAIN, p.bets[MAIN]) for p in script.players)
    if bets:
        script.bench.ask(c.PlaceBets(batch="bets", bets=bets))
    for event in script.bench.events():
        match event:
            case e.BetsRefused(refused=pairs):
                script.rejected += [[p, MAIN, why.removeprefix("refused.")] for p, why in pairs]
            case e.BetsConfirmed(refused=ids):
                script.rejected += [[player, MAIN, "balance"] for player in ids]
    if not any(batch.columns.count for batch in script.round.batches):
        raise CaseError("no seat has a bet, so this round is not dealt")


def _answer(script: Script) -> None:
    """Give the inputs of the open window."""
    if answer_insurance(script):
        return
    asks = asked(script)
    early = asks.step == EARLY
    if early:
        _surrender_early(script, asks.number)
    else:
        never_offered(script)
        _play(script, asks.offers[0].cohort, asks.offers[0].lane, asks.number)
    wait_if_open(script, asks.number)


def _surrender_early(script: Script, number: int) -> None:
    """The first input of a seat is its early answer if it gives up, else it stays for the play."""
    zones = dict(zip(script.round.seating.players, script.bench.game.seats, strict=False))
    wanted: list[tuple[Player, c.Decision]] = []
    for player in script.players:
        zone = zones.get(player.id)
        if zone is None:
            continue
        gives_up = player.inputs[ALL][:1] == ["R"]
        del player.inputs[ALL][: int(gives_up)]
        action = "surrender" if gives_up else "decline"
        wanted.append((player, c.Decision(player.id, player.id, zone, action)))
    gave_up = {p.id for p, decision in wanted if decision.action == "surrender"}
    for who, why in send(script, wanted, number, "early").items():
        if who in gave_up:
            script.rejected.append([who, "R", why])


def _play(script: Script, cohort: str, lane: str, number: int) -> None:
    """Give the inputs of the one seat that is asked until one is taken, or its list runs out."""
    seating = script.round.seating
    seat = seating.numbers.tolist().index(seating.cohorts.index(cohort))
    player = next(p for p in script.players if p.id == seating.players[seat])
    inputs = player.inputs[ALL]
    attempt = 0
    while inputs and not player.gone:
        said = inputs.pop(0)
        if said is None:
            player.gone = True
            script.bench.ask(c.MarkDisconnected((player.id,)))
            return
        attempt += 1
        decision = c.Decision(player.id, player.id, lane, ACTIONS[said])
        refused = send(script, [(player, decision)], number, f"{number}/{attempt}")
        if player.id not in refused:
            return
        script.rejected.append([player.id, said, refused[player.id]])


# -- what came of it ------------------------------------------------------------------------------


def _told(script: Script) -> dict[str, Any]:
    bench = script.bench
    outcome: Any = bench.standing.outcome
    if outcome is None:
        raise CaseError("the round was not played to its end")
    told = outcome.as_dict()
    seating = script.round.seating
    named = dict(zip(bench.game.seats, seating.players, strict=False))
    shoe = bench.table.shoe
    cohorts = dict(zip(seating.players, seating.numbers.tolist(), strict=True))
    back, staked = _money(script)
    return {
        "dealt": [[_seat_name(hand, named), card, face] for hand, card, face in told["dealt"]],
        "dealer": told["dealer"],
        "peek": told["peek"],
        "rejected": script.rejected,
        "last_round_of_shoe": shoe is not None and shoe.rounds_left == 0,
        "cards_used": told["cards_used"],
        "seats": {
            player.id: _player_told(
                script,
                player,
                told["hands"][seating.cohorts[cohorts[player.id]]] if player.id in cohorts else [],
                staked.get(player.id, {}),
                back.get(player.id, {}),
            )
            for player in script.players
        },
    }


def _seat_name(hand: str, named: dict[str, str]) -> str:
    """The case's own name of a seat's hand; the dealer's zone keeps its own."""
    zone, colon, place = hand.partition(":")
    return f"{named.get(zone, zone)}{colon}{place}"


def _money(script: Script) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    """(what went back, what was staked) by player and kind of bet."""
    settled = next(each for each in script.bench.events() if isinstance(each, e.RoundSettled))
    back: dict[str, dict[str, int]] = {}
    staked: dict[str, dict[str, int]] = {}
    pairs = [(settled.columns, back)]
    pairs += [(batch.columns, staked) for batch in script.round.batches]
    for columns, kept in pairs:
        for player, bet, amount in zip(columns.players, columns.bets, columns.amounts, strict=True):
            kept.setdefault(player, {})[bet] = amount
    return back, staked


def _player_told(
    script: Script,
    player: Player,
    hands: list[dict[str, Any]],
    staked: dict[str, int],
    back: dict[str, int],
) -> dict[str, Any]:
    return {
        "hands": [_hand(hand, staked, back) for hand in hands],
        "insurance_stake": staked.get("insurance", 0),
        "insurance_returned": back.get("insurance", 0),
        "returned_total": sum(back.values()),
        "balance_after": script.wallet.balance(player.id),
    }


def _hand(hand: dict[str, Any], staked: dict[str, int], back: dict[str, int]) -> dict[str, Any]:
    """A hand with its own stakes: that of the seat or of its split, and of a double on it."""
    kinds = (hand["stake_kind"], f"double:{hand['lane']}")
    told = {name: value for name, value in hand.items() if name not in ("lane", "stake_kind")}
    return {
        **told,
        "stake": sum(staked.get(kind, 0) for kind in kinds),
        "returned": sum(back.get(kind, 0) for kind in kinds),
    }
