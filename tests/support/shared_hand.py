"""Plays worked rounds of Boundless Blackjack through the procedure alone, player by player.

It knows players, balances and inputs, and asks the procedure for everything else: what is offered,
what is played by itself, which card goes where, what each bet returns. What the table does with
millions of players column-wise is done here for each one by one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from studio.domain.cards import CUT, Card
from studio.games.boundless import GAME
from studio.games.boundless.outcome import BoundlessOutcome
from studio.games.procedure import (
    Choice,
    Deal,
    Dealt,
    Decide,
    Decided,
    Facing,
    Input,
    Offer,
    Peek,
    Peeked,
    Reveal,
    Staked,
    Stakes,
    Turned,
    answer_of,
    fits,
)

ACTIONS = {"H": "hit", "S": "stand", "D": "double", "P": "split", "R": "surrender"}
LETTERS = {action: letter for letter, action in ACTIONS.items()}


@dataclass
class Player:
    """A player of a case, with what the case says that this player does."""

    id: str
    balance: int
    wishes: dict[str, int]
    insurance: bool | None
    decisions: dict[str, list[str | None]]
    cohort: str = ""
    gone: bool = False
    rows: dict[str, int] = field(default_factory=dict)
    """Stake per kind of bet."""

    @property
    def main(self) -> int:
        return self.rows.get("main", 0)

    def pay(self, kind: str, stake: int) -> None:
        self.balance -= stake
        self.rows[kind] = stake


class Driver:
    """One case; `result` has the fields of its `expect`."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case = case
        self.rules = GAME.rules({**case.get("rules", {}), "schedule": case["schedule"]})
        self.players = [
            Player(p["id"], p["balance"], p["bets"], p["insurance"], _lists(p["decisions"]))
            for p in case["players"]
        ]
        self.shoe = iter(case["shoe"])
        self.cut_seen = False
        self.hole: Card | None = None
        self.up: Card | None = None
        self.peeked: bool | None = None
        self.rejected: list[list[str]] = []
        self.waves: list[dict[str, Any]] = []
        self.inputs: list[Input] = []

    def result(self) -> dict[str, Any]:
        """Play the case to its end."""
        self._bets()
        procedure = GAME.round(self.rules)
        due = next(procedure)
        while True:
            given = self._answer(due)
            assert fits(due, given), (due, given)
            self.inputs.append(given)
            try:
                due = procedure.send(answer_of(given))
            except StopIteration as ended:
                return self._told(ended.value)

    def _answer(self, due: object) -> Input:
        match due:
            case Stakes():
                kinds = {kind for player in self.players for kind in player.rows}
                return Staked(len(self._seated()), tuple(sorted(kinds)))
            case Deal(to="D", face=Facing.DOWN):
                self.hole = self._card()
                self._refuse_insurance()
                return Dealt(None)
            case Deal(to=zone):
                card = self._card()
                self.up = self.up or (card if zone == "D" else None)
                return Dealt(card)
            case Peek():
                assert self.hole is not None
                self.peeked = GAME.natural(self.rules, tuple(self.inputs), self.hole)
                return Peeked(self.peeked)
            case Reveal(zone="D", index=index):
                assert self.inputs[index] == Dealt(None)
                assert self.hole is not None
                return Turned(self.hole)
            case Decide(step="insurance", offers=(offer,)):
                return self._insure(offer)
            case Decide(offers=offers):
                return self._window(offers)
        raise AssertionError(due)

    def _card(self) -> Card:
        code = next(self.shoe)
        if code == CUT:
            self.cut_seen = True
            code = next(self.shoe)
        return Card.parse(code)

    def _seated(self) -> list[Player]:
        return [player for player in self.players if player.main]

    def _bets(self) -> None:
        for player in self.players:
            for kind, stake in player.wishes.items():
                has, number = frozenset(player.rows), self.case["round_no"]
                reason = GAME.refuse_bet(self.rules, kind, has, number)
                if reason is None and stake > player.balance:
                    reason = "balance"
                if reason is None:
                    player.pay(kind, stake)
                else:
                    self.rejected.append([player.id, kind, reason])

    def _refuse_insurance(self) -> None:
        """Who wants insurance where the procedure will not ask is told so."""
        assert self.up is not None
        for player in self._seated():
            if player.insurance and self.up.rank != "A":
                self.rejected.append([player.id, "insurance", "not_offered"])

    def _insure(self, offer: Offer) -> Input:
        executed: Counter[str] = Counter()
        kind, share = GAME.extra(self.rules, offer.lane, "insure")
        for player in self._seated():
            stake = share.returned(player.main)
            action = offer.auto
            if player.insurance is not None:
                action = "insure" if player.insurance else "decline"
            if action == "insure" and not 0 < stake <= player.balance:
                self.rejected.append([player.id, "insurance", "balance"])
                action = offer.auto
            if action == "insure":
                player.pay(kind, stake)
            executed[action] += 1
        return Decided(tuple(Choice("", (("", a),), n) for a, n in sorted(executed.items())))

    def _window(self, offers: tuple[Offer, ...]) -> Input:
        asked = {
            (player.id, offer.lane): self._ask(player, offer)
            for player in self._seated()
            for offer in offers
            if offer.cohort == player.cohort
        }
        number = len(self.waves) + 1
        for drop in self.case.get("balance_drops", []):
            if drop["wave"] == number:
                player = next(p for p in self.players if p.id == drop["player"])
                player.balance -= min(drop["amount"], player.balance)
        actions, alike = [], Counter[tuple[str, tuple[tuple[str, str], ...]]]()
        movers: list[tuple[Player, tuple[tuple[str, str], ...]]] = []
        for player in self._seated():
            mine = []
            for offer in offers:
                if (player.id, offer.lane) in asked and offer.cohort == player.cohort:
                    wanted, why = asked[player.id, offer.lane]
                    action, why = self._execute(player, offer, wanted, why)
                    letters = LETTERS[wanted], LETTERS[action]
                    actions.append([player.id, offer.lane, *letters, why])
                    mine.append((offer.lane, action))
            if mine:
                movers.append((player, tuple(mine)))
                alike[player.cohort, tuple(mine)] += 1
        for player, chosen in movers:
            player.cohort = Choice(player.cohort, chosen, 1).into
        self.waves.append({"actions": actions})
        return Decided(tuple(Choice(cohort, done, n) for (cohort, done), n in alike.items()))

    def _ask(self, player: Player, offer: Offer) -> tuple[str, str]:
        """What is taken of the player's inputs in this window, and why."""
        inputs = player.decisions.get(offer.lane, [])
        while inputs and not player.gone:
            letter = inputs.pop(0)
            if letter is None:
                player.gone = True
                break
            action = ACTIONS[letter]
            dear = action in offer.costs and self._price(player, offer, action) > player.balance
            if action in offer.actions and not dear:
                return action, "player"
            self.rejected.append([player.id, f"{offer.lane}:{letter}", "not_available"])
        return offer.auto, "auto"

    def _price(self, player: Player, offer: Offer, action: str) -> int:
        _, share = GAME.extra(self.rules, offer.lane, action)
        return share.returned(player.main)

    def _execute(self, player: Player, offer: Offer, action: str, why: str) -> tuple[str, str]:
        """What is played, and why, after the second look at the balance."""
        if action not in offer.costs:
            return action, why
        kind, share = GAME.extra(self.rules, offer.lane, action)
        if share.returned(player.main) > player.balance:
            return offer.short, "insufficient"
        player.pay(kind, share.returned(player.main))
        return action, why

    def _told(self, outcome: BoundlessOutcome) -> dict[str, Any]:
        told = outcome.as_dict()
        pays = GAME.pays(self.rules, outcome)
        named = ("dealt", "peek", "dealer_blackjack", "player_blackjack", "dealer")
        result = {name: told[name] for name in (*named, "side_patterns", "cards_used")}
        result["waves"] = [
            {**mine, **theirs} for mine, theirs in zip(self.waves, told["waves"], strict=True)
        ]
        result["rejected"] = self.rejected
        result["last_round_of_shoe"] = self.cut_seen and GAME.rounds_after_cut(self.rules, 1) == 0
        result["players"] = {p.id: self._player(p, told["hands"], pays) for p in self.players}
        return result

    def _player(self, player: Player, hands: dict[str, Any], pays: dict[str, Any]) -> Any:
        back = {
            kind: pays.get(f"{kind}@{player.cohort}", pays.get(kind)).returned(stake)
            for kind, stake in player.rows.items()
        }
        player.balance += sum(back.values())
        own = {"main", "split", "double:M", "double:L", "double:R"}
        return {
            "side_and_insurance": {kind: back[kind] for kind in back if kind not in own},
            "insurance_stake": player.rows.get("insurance", 0),
            "hands": [_hand(player, hand, back) for hand in hands[player.cohort]]
            if player.main
            else [],
            "returned_total": sum(back.values()),
            "balance_after": player.balance,
        }


def _hand(player: Player, hand: dict[str, Any], back: dict[str, int]) -> dict[str, Any]:
    """One hand with its stakes and what they returned."""
    kinds = ["split" if hand["lane"] == "R" else "main"]
    if hand["doubled"]:
        kinds.append(f"double:{hand['lane']}")
    return {
        **hand,
        "stake": sum(player.rows[kind] for kind in kinds),
        "returned": sum(back[kind] for kind in kinds),
    }


def _lists(decisions: dict[str, list[str | None]]) -> dict[str, list[str | None]]:
    return {lane: list(inputs) for lane, inputs in decisions.items()}
