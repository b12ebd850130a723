"""Faults that can be put into a simulated round, by the names of CONTRACTS.md 3.

A fault has a *moment*, the step of a coup at which it strikes. Each has one of its own; the matrix
of faults and steps tries the others too.
"""

from dataclasses import dataclass, replace
from typing import Final

from studio.games.procedure import Stakes
from studio.table.state import Phase, Script, Setup, Table
from studio.table.turn import due

SHOE: Final = (
    "split_frame",
    "noise",
    "bad_checksum",
    "triple_send",
    "silence",
    "burst",
    "unplug",
    "wrong_card",
    "unreadable",
    "repeat",
)
CAMERA: Final = ("frozen", "lost", "dark", "knocked", "blur", "hand", "unsure", "wrong_zone")
DEALER: Final = (
    "early_card",
    "skipped_card",
    "extra_card",
    "wrong_hand",
    "exposed_card",
    "two_at_once",
    "card_on_floor",
    "cleared_early",
    "missing_burn",
    "substituted_card",
)
"""Mistakes and worse that the simulated dealer knows how to make."""
MACHINE: Final = ("platform_down", "slow_disk", "clock_jump", "kill")
"""What befalls the network and the studio's own machine."""
LASTING: Final = frozenset(
    {"silence", "burst", "unplug", "frozen", "lost", "dark", "knocked", "blur", "hand"}
)
"""Faults that stay until somebody sets the device right."""
ALL: Final = (*SHOE, *CAMERA, *DEALER, *MACHINE)
"""Every fault that can be put in, in the order of CONTRACTS.md 3."""

UNSEEN: Final = frozenset(
    {"skipped_card", "wrong_hand", "card_on_floor", "cleared_early", "substituted_card"}
)
"""What only a camera could notice: a reader of the shoe knows nothing of the felt."""
BELIEVED: Final = frozenset({"wrong_card", "repeat"})
"""What only a camera contradicts: a lone shoe is believed."""

BURN: Final = "burn"
BETTING: Final = "betting"
RESULT: Final = "result"
SHOE_CHANGE: Final = "shoe_change"
CARDS: Final = ("card_1", "card_2", "card_3", "card_4", "player_third", "banker_third")
MOMENTS: Final = (BURN, BETTING, *CARDS, RESULT, SHOE_CHANGE)
"""The steps of a coup at which a fault may strike: a card of the first four by its number."""

WINDOWS: Final = ("insurance", "peek", "decision")
"""Steps of the shared hand at which no card is due."""
SHARED_STEPS: Final = (*WINDOWS, "lane_card", "hole_card", "dealer_draws")
"""Steps of the shared hand after its first four cards, by the game's own names."""
SHARED_MOMENTS: Final = (BURN, BETTING, *CARDS[:4], *SHARED_STEPS, RESULT, SHOE_CHANGE)
"""The steps of a round of Boundless Blackjack at which a fault may strike."""
SEAT_STEPS: Final = (*WINDOWS, "seat_card", "hole_card", "dealer_draws")
"""Steps of blackjack after the first cards, by the game's own names."""
TRICK_STEPS: Final = (
    "first_packets",
    "second_packets",
    "face_card",
    "bidding",
    "take_face",
    "last_packets",
    "play",
    "turn_card",
    "take_trick",
)
"""Steps of every round of Baloot in which somebody buys, by the game's own names."""
TRICK_MOMENTS: Final = (BETTING, *TRICK_STEPS, RESULT, SHOE_CHANGE)
"""The steps of a round of Baloot at which a fault may strike."""
STEPS: Final = frozenset((*CARDS, *SHARED_STEPS, *SEAT_STEPS, *TRICK_STEPS))
"""Steps that are moments by their own names; other cards are moments by their number."""
RANKS: Final[dict[str, tuple[str, ...]]] = {
    "insurance": ("5", "A", "6", "7", "2"),
    "peek": ("5", "A", "6", "7", "2"),
    "decision": ("5", "7", "6", "T", "2"),
    "lane_card": ("5", "7", "6", "T", "2"),
    "dealer_draws": ("T", "6", "9", "T"),
}
"""Ranks of the cards of a round, in order of dealing, with which a step is sure to come."""

_LOW: Final = (*("5",) * 8, *("6",) * 8)
RANKS_AT_SEATS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("insurance", "peek"), ("5", *("A",) * 7, *("6",) * 8)),
    **dict.fromkeys(("decision", "seat_card", "dealer_draws"), _LOW),
}
"""The same at seats, however many are taken: the dealer's first card follows those of the seats."""

OWN_MOMENT: Final = {
    "early_card": BETTING,
    "skipped_card": "card_1",
    "wrong_hand": "card_1",
    "extra_card": RESULT,
    "exposed_card": RESULT,
    "two_at_once": "card_2",
    "card_on_floor": "card_3",
    "cleared_early": "card_4",
    "missing_burn": BURN,
    "substituted_card": "card_4",
    "platform_down": BETTING,
    "kill": "card_3",
}
"""When a fault strikes if nobody says otherwise; every other one before the second card."""
USUAL_MOMENT: Final = "card_2"
OWN_AT_SHARED: Final = {
    "noise": "lane_card",
    "bad_checksum": "card_4",
    "triple_send": "lane_card",
    "silence": "decision",
    "burst": "lane_card",
    "unplug": "insurance",
    "wrong_card": "card_3",
    "unreadable": "lane_card",
    "repeat": "lane_card",
    "frozen": "decision",
    "lost": "peek",
    "dark": "insurance",
    "knocked": "lane_card",
    "blur": "hole_card",
    "hand": "lane_card",
    "unsure": "lane_card",
    "wrong_zone": "lane_card",
    "wrong_hand": "lane_card",
    "exposed_card": "card_4",
    "two_at_once": "lane_card",
    "cleared_early": "dealer_draws",
    "substituted_card": "lane_card",
    "platform_down": "decision",
    "slow_disk": "peek",
    "clock_jump": "insurance",
    "kill": "lane_card",
}
"""The same at the shared hand: in a wave, at the hidden card, while players choose, at the peek."""


OWN_AT_TRICKS: Final = {
    "split_frame": "first_packets",
    "noise": "second_packets",
    "bad_checksum": "face_card",
    "triple_send": "last_packets",
    "silence": "first_packets",
    "burst": "second_packets",
    "unplug": "last_packets",
    "wrong_card": "second_packets",
    "unreadable": "first_packets",
    "repeat": "last_packets",
    "frozen": "play",
    "lost": "bidding",
    "dark": "turn_card",
    "knocked": "last_packets",
    "blur": "take_trick",
    "hand": "turn_card",
    "unsure": "turn_card",
    "wrong_zone": "turn_card",
    "skipped_card": "second_packets",
    "extra_card": "bidding",
    "wrong_hand": "first_packets",
    "exposed_card": "second_packets",
    "two_at_once": "first_packets",
    "card_on_floor": "last_packets",
    "cleared_early": "turn_card",
    "substituted_card": "turn_card",
    "slow_disk": "play",
    "clock_jump": "bidding",
    "kill": "turn_card",
}
"""The same at Baloot: while the racks are filled, while seats choose, while a trick lies there."""

BALOOT: Final = "baloot"
BLACKJACK: Final = "blackjack"
OWN_AT: Final = {
    BALOOT: OWN_AT_TRICKS,
    "boundless-blackjack": OWN_AT_SHARED,
    BLACKJACK: {
        name: "seat_card" if moment == "lane_card" else moment
        for name, moment in OWN_AT_SHARED.items()
    }
    # A card for another seat: there are others from the first cards on.
    | {"wrong_hand": "card_3"},
}
"""The steps that are the faults' own, by games in which players choose."""


def ranks_of(game: str) -> dict[str, tuple[str, ...]]:
    """Ranks of the next cards of the shoe with which a step of this game is sure to come."""
    return RANKS_AT_SEATS if game == BLACKJACK else RANKS


def at_game(fault: "Planned", game: str, sources: tuple[str, ...]) -> "Planned":
    """Give a fault the step that is its own in this game, where it was given none."""
    if fault.moment or game not in OWN_AT:
        return fault
    if fault.name == "exposed_card" and "camera" not in sources:
        # Nobody sees which face a card shows. After a whole round of Baloot no card is left.
        return replace(fault, moment="bidding" if game == BALOOT else RESULT)
    return replace(fault, moment=OWN_AT[game].get(fault.name, fault.when))


@dataclass(frozen=True, slots=True)
class Planned:
    """A fault and the round (from 1) that it is put into."""

    name: str
    round_no: int
    moment: str = ""
    """The step at which it strikes; empty: its own."""

    @property
    def when(self) -> str:
        """The step at which it strikes."""
        return self.moment or OWN_MOMENT.get(self.name, USUAL_MOMENT)

    @staticmethod
    def parse(text: str) -> "Planned":
        """Read ``NAME@ROUND``.

        Raises:
            ValueError: one sentence that says what is wrong and what can be written.
        """
        name, at, number = text.partition("@")
        if name not in ALL:
            raise ValueError(f"there is no fault {name!r}; the faults are: {', '.join(ALL)}")
        if not at or not number.isdecimal() or int(number) < 1:
            raise ValueError(f"write {name}@ROUND with a round from 1 up, as {name}@3")
        return Planned(name, int(number))


def moment_of(setup: Setup, table: Table) -> str:
    """The step of a coup at which a table stands; empty between two of them."""
    request = due(setup, table) if table.play is not None else None
    match table.phase:
        case Phase.SHOE if table.play is not None and table.play.script is Script.END_SHOE:
            return SHOE_CHANGE
        case Phase.SHOE:
            return BURN if request is not None and request.step.startswith(BURN) else ""
        case Phase.BETTING:
            return BETTING
        case Phase.DECISION if request is not None:
            return request.step
        case Phase.DEALING if request is not None and table.play is not None:
            if isinstance(request, Stakes):
                return ""
            number = len(table.play.places)
            return request.step if request.step in STEPS else f"card_{number + 1}"
        case Phase.RESULT if table.round is not None and not table.round.collected:
            return RESULT
        case _:
            return ""


def why_not(name: str, sources: tuple[str, ...], game: str = "") -> str | None:
    """Why a table with these sources cannot have this fault, in words; None if it can."""
    if name == "missing_burn" and game == BALOOT:
        return f"{name} is a fault of the burn, and in {game} no card is burned"
    if name in SHOE and "shoe" not in sources:
        return f"{name} is a fault of the shoe, and this table has none"
    if name in CAMERA and "camera" not in sources:
        return f"{name} is a fault of the camera, and this table has none"
    if name in UNSEEN and "camera" not in sources:
        return f"{name} happens on the felt, and without a camera this table does not see it"
    if name in BELIEVED and "camera" not in sources:
        return f"{name} is contradicted by nothing but a camera, and this table has none"
    return None


def possible(sources: tuple[str, ...], game: str = "") -> tuple[str, ...]:
    """Names of the faults that a table with these sources can have."""
    return tuple(name for name in ALL if why_not(name, sources, game) is None)


class Plan:
    """Which faults are put into which round of a demonstration."""

    def __init__(self, planned: tuple[Planned, ...]) -> None:
        """Keep the faults, in order within their round."""
        self._waiting: dict[int, list[Planned]] = {}
        for fault in planned:
            self._waiting.setdefault(fault.round_no, []).append(fault)
        self.last = max(self._waiting, default=0)
        """The last round that has a fault; 0 if none has."""

    def add(self, fault: Planned) -> None:
        """Plan one more."""
        self._waiting.setdefault(fault.round_no, []).append(fault)
        self.last = max(self.last, fault.round_no)

    def take(self, round_no: int, moment: str) -> tuple[str, ...]:
        """Names of the faults that strike now; each is given once."""
        waiting = self._waiting.get(round_no, [])
        now = [fault for fault in waiting if fault.when == moment]
        for fault in now:
            waiting.remove(fault)
        return tuple(fault.name for fault in now)

    def waits_for(self, round_no: int) -> tuple[str, ...]:
        """Steps of this round at which something is to strike yet."""
        return tuple(fault.when for fault in self._waiting.get(round_no, ()))

    def left(self, rounds: int) -> tuple[Planned, ...]:
        """What was planned for the first so many rounds and has not struck."""
        return tuple(
            fault
            for number, waiting in sorted(self._waiting.items())
            if number <= rounds
            for fault in waiting
        )

    def needs_new_shoe(self, round_no: int) -> bool:
        """Whether something that waits for this round strikes while a shoe is changed."""
        waiting = self._waiting.get(round_no, ())
        return any(fault.when in (BURN, SHOE_CHANGE) for fault in waiting)
