"""Cases of kind ``coup`` (a round of baccarat) and ``burn`` (the procedure of a new shoe)."""

from typing import Any

from studio.domain import commands as c
from studio.domain import events as e
from studio.games.baccarat.pays import commission
from studio.games.procedure import Confirm, Deal, Facing
from studio.scripted.bench import Bench, CaseError
from studio.table.state import Phase
from studio.table.turn import due, standing

ROUNDS_OF_A_SHOE = 10_000


def need(case: dict[str, Any], name: str, kind: type) -> Any:
    """Give a field that must be there.

    Raises:
        CaseError: if it is missing or of another kind.
    """
    value = case.get(name)
    if not isinstance(value, kind):
        raise CaseError(f"the field {name!r} must be {_words(kind)}")
    return value


def _words(kind: type) -> str:
    return {list: "a list", dict: "an object", str: "text", int: "a whole number"}[kind]


def shoe_of(case: dict[str, Any]) -> list[str]:
    """The order in which cards come out.

    Raises:
        CaseError: if it is missing or has something that is no text.
    """
    shoe = need(case, "shoe" if "shoe" in case else "deck", list)
    if not all(isinstance(code, str) for code in shoe):
        raise CaseError('the shoe must be a list of card codes, as ["7H", "CUT"]')
    return list(shoe)


def round_no_of(case: dict[str, Any]) -> int:
    """Number of the round in the shoe, 1 if not said.

    Raises:
        CaseError: if it is no number from 1 up.
    """
    number = case.get("round_no", 1)
    if (
        not isinstance(number, int)
        or isinstance(number, bool)
        or not 1 <= number < ROUNDS_OF_A_SHOE
    ):
        raise CaseError("round_no must be a whole number from 1 up")
    return number


def play_coup(case: dict[str, Any]) -> dict[str, Any]:
    """Play one coup; the result has the fields of the case files (CONTRACTS.md 5).

    Raises:
        CaseError: if the case cannot be played.
    """
    shoe = shoe_of(case)
    bench = Bench(case.get("game", "baccarat"), case.get("rules", {}))
    bench.in_mid_shoe(round_no_of(case))
    bench.ask(c.OpenBets())
    refused = _bet(bench, need(case, "players", list))
    bench.ask(c.CloseBets())
    for code in shoe:
        if bench.table.phase is not Phase.DEALING:
            break
        bench.read(code)
    if bench.table.phase is not Phase.RESULT:
        raise CaseError("the shoe has too few cards for this round")
    return _told(bench, case, refused)


def _bet(bench: Bench, players: list[Any]) -> list[list[str]]:
    """Place every bet, player by player; the refused as [player, bet, reason]."""
    for number, player in enumerate(players):
        if not isinstance(player, dict):
            raise CaseError("each player must be an object with id and bets")
        who, bets = need(player, "id", str), need(player, "bets", dict)
        for bet, stake in bets.items():
            if not isinstance(stake, int) or isinstance(stake, bool):
                raise CaseError(f"the stake of {who} on {bet} must be whole minor units")
        placed = tuple(c.Bet(f"{who}/{bet}", who, bet, stake) for bet, stake in bets.items())
        if placed:
            bench.ask(c.PlaceBets(batch=f"b{number}", bets=placed))
    return [
        [*bet.split("/", 1), reason.removeprefix("refused.")]
        for event in bench.events()
        if isinstance(event, e.BetsRefused)
        for bet, reason in event.refused
    ]


def _told(bench: Bench, case: dict[str, Any], refused: list[list[str]]) -> dict[str, Any]:
    outcome: Any = standing(bench.setup, bench.table).outcome
    told = outcome.as_dict()
    settled = next(event for event in bench.events() if isinstance(event, e.RoundSettled))
    cut = [event.cards_of_round for event in bench.events() if isinstance(event, e.CutCardSeen)]
    back = dict(zip(settled.columns.ids, settled.columns.amounts, strict=True))
    result: dict[str, Any] = {
        name: told[name]
        for name in (
            "dealt", "player", "banker", "player_total", "banker_total", "natural",
            "player_drew", "banker_drew", "winner", "cards",
        )
    }  # fmt: skip
    result["cut_seen_before_card"] = cut[0] if cut else None
    result["players"] = {
        player["id"]: _player(bench, player, back, outcome) for player in case["players"]
    }
    shoe = bench.table.shoe
    result["last_round_of_shoe"] = shoe is not None and shoe.rounds_left == 0
    if refused:
        result["rejected"] = refused
    return result


def _player(
    bench: Bench, player: dict[str, Any], back: dict[str, int], outcome: Any
) -> dict[str, Any]:
    bets: dict[str, int] = player["bets"]
    taken = {bet: stake for bet, stake in bets.items() if f"{player['id']}/{bet}" in back}
    returned = {bet: back[f"{player['id']}/{bet}"] for bet in taken}
    told: dict[str, Any] = {
        "returned": returned,
        "returned_total": sum(returned.values()),
        "staked_total": sum(taken.values()),
    }
    kept = commission(bench.rules, outcome, taken.get("banker", 0))
    if kept:
        told["commission"] = kept
    return told


def play_burn(case: dict[str, Any]) -> dict[str, Any]:
    """Open a shoe and burn by its first card (D-15, D-32).

    Raises:
        CaseError: if the case cannot be played.
    """
    shoe = shoe_of(case)
    bench = Bench(case.get("game", "baccarat"), case.get("rules", {}))
    bench.open(e.TableOpened())
    bench.ask(c.StartShoe())
    while isinstance(due(bench.setup, bench.table), Confirm):
        bench.ask(c.ConfirmStep())
    used = 0
    for code in shoe:
        if not isinstance(due(bench.setup, bench.table), Deal):
            break
        bench.read(code)
        used += 1
    play = bench.table.play
    places = play.places if play else ()
    if isinstance(due(bench.setup, bench.table), Deal) or not places:
        raise CaseError("the shoe has too few cards for this burn")
    down = [code for code, place in zip(shoe, places, strict=False) if place.face == Facing.DOWN]
    return {
        "shown_face_up": shoe[0],
        "burned_face_down": down,
        "count": len(down),
        "next_card": shoe[used] if used < len(shoe) else None,
        "cards_gone": bench.table.shoe.cards.gone if bench.table.shoe else 0,
    }
