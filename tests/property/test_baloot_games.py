"""Random games of Baloot over random flags, judged by rules that were written a second time.

What a seat may choose, who wins, what is written: all of it is compared with
`tests.support.baloot_oracle`, which was made from RULES.md 4 alone.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

import pytest

from studio.domain.cards import Card
from studio.games.baloot import GAME
from studio.games.baloot.cards import PACK
from studio.games.procedure import Choose, Chosen, Reveal, fits, run
from tests.support import baloot_oracle as oracle
from tests.support.baloot_round import Table

FLAGS: dict[str, tuple[Any, ...]] = {
    "first_lead": ("buyer", "right_of_dealer"),
    "void": ("free", "must_trump"),
    "under_trump": ("must", "free"),
    "compare": ("board", "raw"),
    "baloot_compares": (False, True),
    "tie": ("buyer_fails", "stands", "raw_points"),
    "kaboot_raised": ("multiplied", "plain"),
    "kaboot_projects": ("both", "winner"),
    "closed": ("x2_x4", "raiser_chooses"),
    "baloot_overlap": ("any", "hundred"),
    "sun_double": ("over100_under100", "over100_upto100", "from100_under100"),
    "sun_reclaim": ("all_in_turn", "earlier_opponents"),
    "hokum2_asks": ("unspoken", "unspoken_and_opponents"),
    "kawesh": ("none", "same_dealer"),
    "projects_raised": ("full", "at_most_double"),
    "hokum_round": ("pair16", "individual", "larger_keeps"),
    "ashkal_round2": (True, False),
    "project_tie": ("earlier_player", "cancel"),
    "max_projects": (2, 2, 1, 0),
    "target": (152, 52, 26, 26),
}
"""Every flag of the play with its values."""
CHUNKS = 8
GAMES = 250
"""Games of a chunk: 2,000 in all."""
SOAK_CHUNKS = 100
SOAK_GAMES = 1_000
"""100,000 in all."""
WORDS = {"hokum": 3, "sun": 2, "ashkal": 2, "pass": 6, "take": 1, "leave": 3, "double": 3}
"""How often a word is said, beside the others that may be."""


@dataclass
class Seats:
    """Four players without a plan, and the judge who watches every choice."""

    flags: dict[str, Any]
    random: Random
    calls: list[tuple[int, str]] = field(default_factory=list)
    raised: list[tuple[int, str]] = field(default_factory=list)
    said: dict[int, str] = field(default_factory=dict)
    tricks: list[list[tuple[int, str]]] = field(default_factory=list)
    level: Any = None
    """How far the round was raised, once it is played."""
    bought: Any = None
    """What was bought, once it is."""

    def __call__(self, table: Table, due: Choose) -> Chosen:
        """Compare what may be chosen, then choose."""
        inputs = tuple(table.inputs)
        given = GAME.choices(table.rules, inputs, table.down)
        options = dict(given.options)
        assert given.auto in options
        if self.random.random() < 0.25:
            self._refuses(table, due)
        match due.step:
            case "bidding" | "claim" | "confirm":
                return self._bid(table, due, set(options))
            case "raise" | "closed":
                judged = self._raised(table)
                assert judged == ("ask", due.step, due.seat, set(options))
                assert set(due.options) == set(options)
                word = self._word(options)
                self.raised.append((due.seat, word))
                return Chosen(due.seat, word)
            case "projects":
                return self._announce(table, due, set(options))
            case _:
                return self._play(table, due, options)

    def _bid(self, table: Table, due: Choose, options: set[str]) -> Chosen:
        figures = table.figures
        assert table.face is not None
        judged = oracle.bidding(self.flags, figures[2], table.face.code, self.calls)
        showing = {seat for seat, word in due.besides if word == "kawesh"}
        assert judged == ("ask", due.step, due.seat, options, list(judged[4]))
        assert (set(due.options), showing) == (options, set(judged[4]))
        inputs = tuple(table.inputs)
        may = []
        for seat in range(4):
            right = oracle.shows(self._codes(table, seat)) and seat in showing
            assert GAME.besides(table.rules, inputs, table.down, seat, "kawesh") is right
            may += [seat] if right else []
        if showing and self.random.random() < (0.3 if may else 0.002):
            chosen = Chosen(self.random.choice(may or sorted(showing)), "kawesh")
        else:
            chosen = Chosen(due.seat, self._word(options))
        self.calls.append((chosen.seat, chosen.option))
        return chosen

    def _announce(self, table: Table, due: Choose, options: set[str]) -> Chosen:
        mode = self._bought(table)[1]
        hand = self._codes(table, due.seat)
        assert options == oracle.announceable(hand, mode, self.flags["max_projects"])
        assert options <= set(due.options)
        word = max(options, key=len) if self.random.random() < 0.7 else self._word(options)
        self.said[due.seat] = word
        return Chosen(due.seat, word)

    def _play(self, table: Table, due: Choose, options: dict[str, str]) -> Chosen:
        rack = enumerate(table.racks[due.seat], 1)
        held = {str(n): table.codes[at] for n, (at, _) in rack if at not in table.gone}
        assert due.options == tuple(held)
        if not self.tricks or len(self.tricks[-1]) == 4:
            self.tricks.append([])
        trick, trump = self.tricks[-1], self._bought(table)[2]
        if self.level is None:
            self.level = self._raised(table)
        closed = self.level[3]
        judged = oracle.allowed(
            self.flags, list(held.values()), trick, due.seat, trump, closed=closed
        )
        assert set(options.values()) == judged
        assert all(held[place] == code for place, code in options.items())
        place = self.random.choice(sorted(options))
        trick.append((due.seat, held[place]))
        return Chosen(due.seat, place)

    def _refuses(self, table: Table, due: Choose) -> None:
        """Nothing else is taken from anybody."""
        other = (due.seat + self.random.randrange(1, 4)) % 4
        for wrong in (
            Chosen(other, due.options[0]),
            Chosen(due.seat, "9"),
            Chosen(due.seat, "kawesh" if not due.besides else "hokum:X"),
        ):
            assert not fits(due, wrong)

    def _word(self, options: Any) -> str:
        words = sorted(options)
        weights = [WORDS.get(word.split(":")[0], 2) for word in words]
        return str(self.random.choices(words, weights)[0])

    # what the judge makes of it

    def _bought(self, table: Table) -> Any:
        if self.bought is None:
            assert table.face is not None
            self.bought = oracle.bidding(self.flags, table.figures[2], table.face.code, self.calls)
        return self.bought

    def _raised(self, table: Table) -> Any:
        bought = self._bought(table)
        return oracle.raising(self.flags, bought[1], bought[3], self._scores(table), self.raised)

    def _caller(self, table: Table) -> int:
        caller: int = self._bought(table)[3]
        return caller

    @staticmethod
    def _scores(table: Table) -> tuple[int, ...]:
        return table.figures[:2]

    @staticmethod
    def _codes(table: Table, seat: int) -> list[str]:
        return [table.codes[at] for at, _ in table.racks[seat]]

    def judge(self, table: Table) -> None:
        """Compare the outcome of a round that was played out."""
        bought = self._bought(table)
        raised = self._raised(table)
        assert (bought[0], raised[0]) == ("bought", "play")
        hands = {seat: self._codes(table, seat) for seat in range(4)}
        judged = oracle.round_result(
            self.flags,
            {
                "bought": bought,
                "raised": raised,
                "hands": hands,
                "said": self.said,
                "tricks": self.tricks,
            },
        )
        assert table.outcome is not None
        told = table.outcome.as_dict()
        found = {name: told[name] for name in judged}
        found["score"] = {name: told["score"][name] for name in judged["score"]}
        assert found == judged
        self._sums(table, told, bought[1])
        final = judged["score"]["final"]
        scores = [a + b for a, b in zip(table.figures, final, strict=False)]
        assert told["game_scores"] == scores
        gahwa = judged["score"]["game_won_by_gahwa"]
        assert told["game_winner"] == oracle.game_won(self.flags, scores, gahwa)

    def _sums(self, table: Table, told: dict[str, Any], mode: str) -> None:
        """Points of a round sum as RULES.md 4.6 says, and all 32 cards were seen once."""
        assert sum(told["abnat"]) == {"sun": 130, "hokum": 162}[mode]
        sixes = self.flags["hokum_round"] == "individual" and told["abnat"][0] % 10 == 6
        extra = int(mode == "hokum" and sixes)
        assert sum(told["score"]["card_gp"]) == {"sun": 26, "hokum": 16}[mode] + extra
        assert sum(told["tricks_won"]) == 8
        shown = [code for trick in told["tricks"] for code in trick["cards"]]
        assert sorted(shown) == sorted(card.code for card in PACK)
        assert next(table.deck, None) is None

    def judge_verdict(self, table: Table, against: int) -> None:
        """The other side writes the round with its own projects and baloot, and nothing else."""
        assert table.outcome is not None
        _, mode, trump, *_ = self._bought(table)
        _, mult, gahwa, _, _ = self._level(table)
        hands = {seat: self._codes(table, seat) for seat in range(4)}
        announced = {s: oracle.meant(hands[s], mode, w, trump) for s, w in self.said.items()}
        lead = self.tricks[0][0][0] if self.tricks else self._lead(table)
        order = [(lead + step) % 4 for step in range(4)]
        side = oracle.compared(self.flags, announced, order)
        own = [p for s, found in announced.items() if s % 2 == side != against for p in found]
        worth = sum(oracle.ROUND_POINTS[p[0]] // (1 + (mode == "hokum")) for p in own)
        times = min(mult, 2) if self.flags["projects_raised"] == "at_most_double" else mult
        told = table.outcome.as_dict()
        baloot = told["baloot"][1 - against] * 2
        full = {"sun": 26, "hokum": 16}[mode] * mult + worth * times + baloot
        assert told["score"]["final"] == [full * (against == 1), full * (against == 0)]
        assert told["score"]["game_won_by_gahwa"] == (1 - against if gahwa else None)
        assert table.outcome.code == "qayd"

    def _level(self, table: Table) -> Any:
        """How far the round was raised when the verdict came, an unasked raise being a pass."""
        said = list(self.raised)
        while (now := self._after(table, said))[0] == "ask":
            said.append((now[2], "open" if now[1] == "closed" else "pass"))
        return now

    def _after(self, table: Table, said: list[tuple[int, str]]) -> Any:
        bought = self._bought(table)
        return oracle.raising(self.flags, bought[1], bought[3], self._scores(table), said)

    def _lead(self, table: Table) -> int:
        buyer = self.flags["first_lead"] == "buyer"
        return self._caller(table) if buyer else (table.figures[2] + 1) % 4


def deck_of(random: Random) -> list[Card]:
    """A shuffled pack; now and then one hardly shuffled, with long runs and strong sides."""
    deck = list(PACK)
    if random.random() < 0.75:
        random.shuffle(deck)
        return deck
    suits = random.sample("CDHS", 4)
    deck.sort(key=lambda card: (suits.index(card.suit.value), "AKQJT987".index(card.rank.value)))
    start = random.randrange(32)
    deck = deck[start:] + deck[:start]
    for _ in range(random.randrange(12)):
        one, other = random.sample(range(32), 2)
        deck[one], deck[other] = deck[other], deck[one]
    return deck


def look(table: Table) -> None:
    """The board never names a card that lies face down, but a project that was shown."""
    inputs = tuple(table.inputs)
    board = GAME.board(table.rules, inputs, table.down)
    assert board is not None
    bare = GAME.board(table.rules, inputs, {})
    if len(board.tricks) < 2:
        assert board == bare
    shown = {code for seat in board.seats for project in seat.projects for code in project.cards}
    open_index = {table.turn} if isinstance(table.due, Choose) else set()
    seen = {
        r.index for r, given in zip(table.asked, table.inputs, strict=True) if isinstance(r, Reveal)
    }
    hidden = {
        card.code
        for at, card in table.down.items()
        if at not in table.gone | seen and at not in open_index - table.gone
    }
    told = json.dumps(asdict(board))
    named = {code for code in hidden if f'"{code}"' in told}
    assert named <= shown
    for seat in board.seats:
        codes = {table.card(slot.index).code for slot in seat.rack}
        for project in seat.projects:
            assert set(project.cards) <= codes


def play_game(flags: dict[str, Any], random: Random) -> int:
    """Play one game to its end; how many rounds it took."""
    rules = GAME.rules(flags)
    # Now and then a game is taken up at its score.
    begun = random.random() < 0.3
    scores = [random.randrange(flags["target"]) if begun else 0 for _ in range(2)]
    figures: tuple[int, ...] = (*scores, random.randrange(4), 1, 1)
    for number in range(1, 1_000):
        table = Table(rules, iter(deck_of(random)), figures)
        seats = Seats(flags, random)
        against = play_one(table, seats, random)
        assert table.outcome is not None
        if against is not None:
            seats.judge_verdict(table, against)
        elif table.outcome.code in ("passed", "kawesh", "misdeal"):
            judge_redeal(table, seats)
        else:
            seats.judge(table)
        if random.random() < 0.1:
            again = run(lambda: GAME.round(rules), table.inputs)
            assert again.asked == tuple(table.asked)
            assert again.outcome is not None
            assert again.outcome.as_dict() == table.outcome.as_dict()
        figures = GAME.carried(table.outcome)
        if table.outcome.game_winner is not None:
            assert figures == (0, 0, (table.figures[2] + 1) % 4, 2, 1)
            return number
    raise AssertionError("the game does not end")


def play_one(table: Table, seats: Seats, random: Random) -> int | None:
    """Play one round; the side against which a verdict was given, if one was."""
    ends_at = random.randrange(20, 110) if random.random() < 0.04 else -1
    looks = {random.randrange(10, 125)} if random.random() < 0.2 else set()
    bought = False
    while table.due is not None:
        if len(table.inputs) in looks:
            look(table)
        bought |= table.due.step == "take_face"
        if 0 <= ends_at <= len(table.inputs) and bought:
            against = random.randrange(2)
            table.verdict(against)
            table.play_on(seats)
            return against
        table.step(seats)
    return None


def judge_redeal(table: Table, seats: Seats) -> None:
    """Nothing is written, and the right seat deals next."""
    assert table.outcome is not None
    judged = seats._bought(table)
    told, dealer = table.outcome.as_dict(), table.figures[2]
    assert told["game_scores"] == list(table.figures[:2])
    if judged == ("passed",):
        assert (table.outcome.code, told["next_dealer"]) == ("passed", (dealer + 1) % 4)
        return
    assert judged[0] == "shown"
    right = oracle.shows([card.code for _, card in table.racks[judged[1]]])
    assert table.outcome.code == ("kawesh" if right else "misdeal")
    assert told["next_dealer"] == dealer


def play_games(seed: int, games: int) -> int:
    """Play so many games with flags of their own; how many rounds."""
    random = Random(seed)
    rounds = 0
    for _ in range(games):
        flags = {name: random.choice(values) for name, values in FLAGS.items()}
        rounds += play_game(flags, random)
    return rounds


@pytest.mark.parametrize("seed", range(CHUNKS))
def test_random_games_are_played_and_written_as_the_rules_say(seed: int) -> None:
    """2,000 games over all seeds."""
    assert play_games(seed, GAMES) > GAMES


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(1_000, 1_000 + SOAK_CHUNKS))
def test_a_hundred_thousand_random_games_are_played_as_the_rules_say(seed: int) -> None:
    """Over all seeds."""
    assert play_games(seed, SOAK_GAMES) > SOAK_GAMES
