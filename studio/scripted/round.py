"""Cases of kind ``round``: Boundless Blackjack with all its players, through the ordinary table."""

from collections.abc import Collection, Generator
from typing import Any, Final

import numpy as np

from studio.domain import commands as c
from studio.domain import events as e
from studio.scripted.bench import Bench, CaseError
from studio.scripted.coup import need, round_no_of, shoe_of
from studio.scripted.script import (
    ACTIONS,
    STEPS,
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
from studio.table.bets import MOST_IN_BATCH
from studio.table.book import read_decision
from studio.table.seating import read_back
from studio.table.state import Round

LETTERS: Final = {action: letter for letter, action in ACTIONS.items()}
LANES: Final = ("M", "L", "R")
"""Lanes for which a case has inputs."""
NAME: Final = "boundless-blackjack"


def play_round(case: dict[str, Any]) -> dict[str, Any]:
    """Play one round; the result has the fields of the case files (CONTRACTS.md 5).

    Raises:
        CaseError: if the case cannot be played.
    """
    rules = case.get("rules", {})
    if not isinstance(rules, dict):
        raise CaseError('the rules must be an object, as {"decks": 6}')
    if "schedule" in case:
        rules = {**rules, "schedule": case["schedule"]}
    players = [_player(each) for each in need(case, "players", list)]
    if len({player.id for player in players}) < len(players):
        raise CaseError("each player must have an id of their own")
    wallet = DrainedWallet({each["id"]: balance_of(each) for each in case["players"]})
    drops = case.get("balance_drops", [])
    if not isinstance(drops, list):
        raise CaseError("balance_drops must be a list")
    bench = Bench(case.get("game", NAME), rules, wallet=wallet)
    if not bench.game.seat:
        raise CaseError(f"{bench.game.name} has no rounds with decisions")
    if bench.game.seats:
        raise CaseError(f"a round of {bench.game.name} is a case of kind classic")
    bench.in_mid_shoe(round_no_of(case))
    bench.ask(c.OpenBets())
    left = [_drop(drop, {player.id for player in players}) for drop in drops]
    script = Script(bench, wallet, shoe_of(case), players, left)
    _bet(script)
    if not script.round.batches and not bench.rules.deal_without_bets:
        raise CaseError("nobody has a bet, so this round is not dealt")
    bench.ask(c.CloseBets())
    play_to_end(script, _answer)
    return _told(script)


def _player(given: Any) -> Player:
    if not isinstance(given, dict):
        raise CaseError("each player must be an object with id and bets")
    bets = need(given, "bets", dict)
    for bet, stake in bets.items():
        if not isinstance(stake, int) or isinstance(stake, bool):
            raise CaseError(f"the stake of {given.get('id')} on {bet} must be whole minor units")
    decisions = given.get("decisions", {})
    if not isinstance(decisions, dict):
        raise CaseError('decisions must be an object, as {"M": ["H", "S"]}')
    other = next((lane for lane in decisions if lane not in LANES), None)
    if other is not None:
        raise CaseError(f"decisions are for the lanes {' '.join(LANES)}, not for {other}")
    inputs = {
        lane: inputs_of(said, f"the inputs of lane {lane}") for lane, said in decisions.items()
    }
    return Player(
        id=need(given, "id", str),
        bets=bets,
        insurance=insurance_of(given),
        inputs=inputs,
    )


def _drop(given: Any, players: Collection[str]) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise CaseError("each of balance_drops must be an object with player, wave and amount")
    player, wave = need(given, "player", str), need(given, "wave", int)
    if player not in players:
        raise CaseError(f"balance_drops names {player}, who is no player of this case")
    if wave < 1:
        raise CaseError("the wave of a balance drop must be 1 or more")
    return {"player": player, "wave": wave, "amount": need(given, "amount", int)}


# -- what happens ---------------------------------------------------------------------------------


def _bet(script: Script) -> None:
    """Place every bet, player by player, and note what was refused in that order."""
    placed = tuple(
        c.Bet(f"{player.id}/{bet}", player.id, bet, stake)
        for player in script.players
        for bet, stake in player.bets.items()
    )
    if not placed:
        return
    refused: dict[str, str] = {}
    for first in range(0, len(placed), MOST_IN_BATCH):
        part = placed[first : first + MOST_IN_BATCH]
        script.bench.ask(c.PlaceBets(batch=f"b{first}", bets=part))
    for event in script.bench.events():
        match event:
            case e.BetsRefused(refused=pairs):
                refused.update(pairs)
            case e.BetsConfirmed(refused=ids):
                refused.update(dict.fromkeys(ids, "refused.balance"))
    script.rejected += [
        [bet.player, bet.bet, refused[bet.id].removeprefix("refused.")]
        for bet in placed
        if bet.id in refused
    ]


def _answer(script: Script) -> None:
    """Give the inputs of the open window, or let its time pass."""
    if answer_insurance(script):
        return
    asks = asked(script)
    never_offered(script)
    if not script.window_of_wave_1:
        script.window_of_wave_1 = asks.number
        for drop in script.drops:
            name = str(drop["wave"] + asks.number - 1)
            script.wallet.leaving.setdefault(name, []).append((drop["player"], drop["amount"]))
    _give_inputs(script, _lanes_asked(script.round), asks.number)
    wait_if_open(script, asks.number)


def _lanes_asked(current: Round) -> dict[str, list[str]]:
    """The lanes that each player is asked about, in order."""
    offers = current.answering.offers if current.answering else ()
    per_cohort: dict[str, list[str]] = {}
    for offer in offers:
        per_cohort.setdefault(offer.cohort, []).append(offer.lane)
    seating = current.seating
    return {
        player: per_cohort.get(seating.cohorts[number], [])
        for player, number in zip(seating.players, seating.numbers.tolist(), strict=True)
    }


def _give_inputs(script: Script, lanes: dict[str, list[str]], number: int) -> None:
    """Send what players have for this window, each their next input.

    A refused input is followed by the next one of the same list. A player who is gone gives none.
    """
    turns = {player.id: _turns(player, lanes.get(player.id, [])) for player in script.players}
    refused: dict[str, list[list[str]]] = {player.id: [] for player in script.players}
    answers: dict[str, bool | None] = dict.fromkeys(turns)
    for attempt in range(STEPS):
        wanted: list[tuple[Player, c.Decision]] = []
        sent: dict[str, tuple[str, str]] = {}
        for player in script.players:
            try:
                lane, given = turns[player.id].send(answers[player.id])
            except StopIteration:
                continue
            if given is None:
                player.gone = True
                script.bench.ask(c.MarkDisconnected((player.id,)))
                continue
            wanted.append((player, c.Decision(player.id, player.id, lane, ACTIONS[given])))
            sent[player.id] = (lane, given)
        if not wanted:
            break
        reasons = send(script, wanted, number, f"{number}/{attempt}")
        for who, (lane, given) in sent.items():
            answers[who] = who not in reasons
            if who in reasons:
                refused[who].append([who, f"{lane}:{given}", reasons[who]])
    script.rejected += [entry for player in script.players for entry in refused[player.id]]


def _turns(
    player: Player, lanes: list[str]
) -> Generator[tuple[str, str | None], bool | None, None]:
    """Give (lane, input) one after the other; is sent whether the last one was taken."""
    for lane in lanes:
        inputs = player.inputs.get(lane, [])
        while inputs and not player.gone:
            if (yield lane, inputs.pop(0)):
                break


# -- what came of it ------------------------------------------------------------------------------


def _told(script: Script) -> dict[str, Any]:
    bench = script.bench
    outcome: Any = bench.standing.outcome
    if outcome is None:
        raise CaseError("the round was not played to its end")
    told = outcome.as_dict()
    result: dict[str, Any] = {
        name: told[name]
        for name in (
            "dealt", "peek", "dealer_blackjack", "player_blackjack", "dealer", "side_patterns",
            "cards_used",
        )
    }  # fmt: skip
    result["waves"] = [
        {"actions": actions, "cards": wave["cards"]}
        for actions, wave in zip(_waves(script), told["waves"], strict=True)
    ]
    result["rejected"] = script.rejected
    shoe = bench.table.shoe
    result["last_round_of_shoe"] = shoe is not None and shoe.rounds_left == 0
    settled = next(event for event in bench.events() if isinstance(event, e.RoundSettled))
    back: dict[str, dict[str, int]] = {}
    columns = settled.columns
    for player, bet, amount in zip(columns.players, columns.bets, columns.amounts, strict=True):
        back.setdefault(player, {})[bet] = amount
    staked: dict[str, dict[str, int]] = {}
    for batch in script.round.batches:
        rows = batch.columns
        for player, bet, amount in zip(rows.players, rows.bets, rows.amounts, strict=True):
            staked.setdefault(player, {})[bet] = amount
    seating = script.round.seating
    cohorts = dict(zip(seating.players, seating.numbers.tolist(), strict=True))
    result["players"] = {
        player.id: _player_told(
            script,
            player,
            told["hands"].get(seating.cohorts[cohorts[player.id]]) if player.id in cohorts else [],
            staked.get(player.id, {}),
            back.get(player.id, {}),
        )
        for player in script.players
    }
    return result


def _waves(script: Script) -> list[list[list[str]]]:
    """Per window about hands what every player was asked, did, and why, as the facts tell."""
    waves: list[list[list[str]]] = []
    names: tuple[str, ...] = ("",)
    players = script.round.seating.players
    before = dict.fromkeys(players, 0)
    autos: dict[tuple[str, str], str] = {}
    taken: dict[tuple[str, str], str] = {}
    for event in script.bench.events():
        match event:
            case e.WindowOpened(offers=offers):
                autos = {(offer.cohort, offer.lane): offer.auto for offer in offers}
                taken = {}
            case e.DecisionsTaken(columns=columns):
                for player, decision in zip(columns.players, columns.bets, strict=True):
                    lane, action = read_decision(decision)
                    taken[player, lane] = action
            case e.ActionsExecuted(cohorts=cohorts, seats=seats) if ("", "") not in autos:
                numbers = np.frombuffer(read_back(seats), "<u2").tolist()
                after = dict(zip(players, numbers, strict=True))
                asked = {p: [lane for n, lane in autos if n == names[before[p]]] for p in players}
                waves.append(
                    [
                        _action(player.id, lane, taken.get((player.id, lane)),
                                autos[names[before[player.id]], lane],
                                _last(cohorts[after[player.id]])[lane])
                        for player in script.players
                        for lane in asked.get(player.id, ())
                    ]
                )  # fmt: skip
                names, before = cohorts, after
    return waves


def _last(cohort: str) -> dict[str, str]:
    """What the players of a cohort did last: lane → action."""
    parts = (part.partition(":") for part in cohort.rpartition(" ")[2].split(","))
    return {lane: action for lane, _, action in parts}


def _action(player: str, lane: str, asked: str | None, auto: str, did: str) -> list[str]:
    if asked is None:
        return [player, lane, LETTERS[auto], LETTERS[did], "auto"]
    why = "player" if asked == did else "insufficient"
    return [player, lane, LETTERS[asked], LETTERS[did], why]


def _player_told(
    script: Script,
    player: Player,
    hands: list[dict[str, Any]],
    staked: dict[str, int],
    back: dict[str, int],
) -> dict[str, Any]:
    side = {bet: back[bet] for bet in player.bets if bet in back and bet != "main"}
    if "insurance" in back:
        side["insurance"] = back["insurance"]
    return {
        "side_and_insurance": side,
        "insurance_stake": staked.get("insurance", 0),
        "hands": [_hand(hand, staked, back) for hand in hands],
        "returned_total": sum(back.values()),
        "balance_after": script.wallet.balance(player.id),
    }


def _hand(hand: dict[str, Any], staked: dict[str, int], back: dict[str, int]) -> dict[str, Any]:
    """A hand with its own stakes: that of the seat or of the split, and of a double on it."""
    kinds = ("split" if hand["lane"] == "R" else "main", f"double:{hand['lane']}")
    return {
        **hand,
        "stake": sum(staked.get(kind, 0) for kind in kinds),
        "returned": sum(back.get(kind, 0) for kind in kinds),
    }
