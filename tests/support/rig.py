"""A table without threads or devices: what it is told, it decides at once; time moves by hand."""

from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.games.registry import game
from studio.table.correction import round_meant
from studio.table.decide import decide, returned
from studio.table.evolve import evolve
from studio.table.state import Limit, Phase, Setup, Table, Times
from studio.table.turn import Stamp
from tests.support.past import past_of

START_US = 1_800_000_000_000_000
SECOND_US = 1_000_000
BOTH = ("shoe", "camera")
FIRST = c.Asker(number="2001", name="Amina K.", role="supervisor", session="s1")
SECOND = c.Asker(number="3001", name="Lena P.", role="pit-boss", session="s2")


def setup_of(sources: tuple[str, ...] = BOTH, **rules: Any) -> Setup:
    """A baccarat table with all bets from 1 to 1,000,000 minor units."""
    baccarat = game("baccarat")
    return Setup(
        table="ba1",
        game=baccarat,
        rules=baccarat.rules(rules),
        rules_digest="rules",
        sources=sources,
        limits=tuple((bet, Limit(1, 1_000_000)) for bet in baccarat.bets),
        times=Times(),
    )


@dataclass
class Rig:
    """One table under test; `events` is its journal."""

    sources: tuple[str, ...] = BOTH
    setup: Setup = field(init=False)
    table: Table = field(default_factory=Table)
    events: list[tuple[e.Event, int]] = field(default_factory=list)
    at_us: int = START_US
    sequence: int = 0
    tracks: int = 0
    felt: dict[str, list[o.SeenCard]] = field(default_factory=dict)
    rules: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Lay an empty felt."""
        self.setup = setup_of(self.sources, **self.rules)
        self.felt = {zone: [] for zone in ("P", "B", "BURN", "DISCARD")}

    def give(self, given: Any, by: c.Asker = FIRST, *, second: bool = True) -> list[e.Event]:
        """Give the table a command or an observation; the events that followed.

        A person asks; what needs a second one is approved at once by that one, unless `second` is
        off.
        """
        new = self._decide(given, by)
        if second and new and isinstance(new[-1], e.ApprovalAsked):
            new += self._decide(c.Approve(approval=new[-1].approval), SECOND)
        return new

    def _decide(self, given: Any, by: c.Asker) -> list[e.Event]:
        stamp = Stamp(at_us=self.at_us, salt=f"s{len(self.events)}")
        past = past_of(self.events, round_meant(self.table, given))
        new = list(decide(self.setup, self.table, given, stamp, by=by, past=past))
        self.table = reduce(lambda t, event: evolve(t, event, self.at_us), new, self.table)
        self.events += [(event, self.at_us) for event in new]
        return new

    def refused(self, command: c.Command, by: c.Asker = FIRST) -> str | None:
        """The code with which a command is rejected; None if it is accepted (and done)."""
        try:
            self.give(command, by)
        except c.Rejected as refused:
            return refused.code
        return None

    def wait(self, seconds: float) -> list[e.Event]:
        """Let time pass, then tell the table."""
        self.at_us += round(seconds * SECOND_US)
        return self.give(c.Tick())

    # devices

    def online(self, *, looks: bool = True) -> None:
        """Both devices come up; `looks`: and the camera has spoken of the felt."""
        if "shoe" in self.sources:
            self.give(
                o.DeviceOnline(
                    device="shoe", at_us=self.at_us, model="S", firmware="1", serial="SN", boot="b0"
                )
            )
        if "camera" in self.sources:
            self.give(
                o.DeviceOnline(
                    device="camera", at_us=self.at_us, model="C", firmware="1", serial="cam"
                )
            )
            self.give(o.CameraFit(device="camera", at_us=self.at_us))
            if looks:
                self.show()

    def read(self, code: str) -> list[e.Event]:
        """The shoe reads a card: a code, ``??`` or ``CUT``."""
        self.sequence += 1
        common: dict[str, Any] = {
            "device": "shoe",
            "at_us": self.at_us,
            "boot": "b0",
            "sequence": self.sequence,
        }
        if code == "CUT":
            return self.give(o.CutCardOut(**common))
        if code == "??":
            return self.give(o.CardUnreadable(**common, cause="blurred"))
        return self.give(o.CardRead(**common, card=Card.parse(code)))

    def show(self, *, unsettled: tuple[str, ...] = ()) -> list[e.Event]:
        """The camera reports what lies on the felt."""
        zones = tuple(
            o.ZoneSeen(zone=zone, settled=zone not in unsettled, cards=tuple(cards))
            for zone, cards in self.felt.items()
        )
        return self.give(
            o.CardsSeen(device="camera", at_us=self.at_us, frame=len(self.events), zones=zones)
        )

    def lay(self, zone: str, code: str, *, sure: bool = True) -> list[e.Event]:
        """A card comes to rest on a zone: a code, ``XX`` for a back, ``??`` for unreadable."""
        self.tracks += 1
        look = {"XX": o.Look.BACK, "??": o.Look.UNKNOWN}.get(code, o.Look.FACE)
        card = Card.parse(code) if look is o.Look.FACE else None
        self.felt[zone].append(
            o.SeenCard(
                track=self.tracks,
                look=look,
                card=card,
                sure=sure and card is not None,
                confidence_milli=998 if sure else 700,
            )
        )
        return self.show()

    def take(self, zone: str) -> list[e.Event]:
        """All cards of a zone are taken away."""
        self.felt[zone].clear()
        return self.show()

    def deal(self, zone: str, code: str) -> list[e.Event]:
        """A card passes every source of the table."""
        new: list[e.Event] = []
        if "shoe" in self.sources:
            new += self.read(code)
        if "camera" in self.sources:
            new += self.lay(zone, code)
        return new

    # the course of a table

    def in_play(self) -> "Rig":
        """Open the table in the middle of a shoe, without a burn."""
        self.online()
        self.give(c.OpenTable())
        self.record(e.ShoeOpened(shoe_no=1, decks=self.setup.rules.decks, unknown_gone=6))
        return self

    def burning(self, shown: str) -> "Rig":
        """A new shoe is shuffled, cut and loaded, and its first card is shown."""
        self.online()
        self.give(c.OpenTable())
        self.give(c.StartShoe())
        for _ in range(3):
            self.give(c.ConfirmStep())
        self.deal("BURN", shown)
        return self

    def restart(self, *, online: bool = True, looks: bool = True) -> None:
        """The studio stopped and came back: held, and the camera counts its cards anew.

        `online`: whether the devices are back; `looks`: whether the camera has spoken of the felt.
        """
        for event in returned(self.setup, self.table, Stamp(at_us=self.at_us, salt="r")).events:
            self.record(event)
        for zone, cards in self.felt.items():
            self.felt[zone] = [replace(card, track=card.track + 500) for card in cards]
        if online:
            self.online(looks=looks)

    def record(self, event: e.Event) -> None:
        """Write a fact into the journal that no decision made."""
        self.table = evolve(self.table, event, self.at_us)
        self.events.append((event, self.at_us))

    def betting(self, **stakes: int) -> "Rig":
        """Open bets, and place these by one player; the wallet has the funds."""
        self.give(c.OpenBets())
        if stakes:
            self.bet("ann", **stakes)
        return self

    def bet(self, player: str, /, **stakes: int) -> list[e.Event]:
        """One batch of one player, answered by the wallet."""
        batch = f"{player}-{len(self.events)}"
        bets = tuple(
            c.Bet(f"{batch}-{name}", player, name, stake) for name, stake in stakes.items()
        )
        new = self.give(c.PlaceBets(batch=batch, bets=bets))
        if any(isinstance(event, e.BetsPlaced) for event in new):
            new += self.give(o.FundsAnswered(device="wallet", at_us=self.at_us, batch=batch))
        return new

    def dealing(self, **stakes: int) -> "Rig":
        """Bets are closed and the first card is due."""
        self.betting(**stakes)
        self.wait(15)
        assert self.table.phase is Phase.DEALING
        return self

    def faults(self) -> list[FaultCode]:
        """Codes of the open faults."""
        return [fault.code for fault in self.table.hold.faults] if self.table.hold else []

    def fault(self) -> str:
        """The id of the first open fault."""
        assert self.table.hold is not None
        return self.table.hold.faults[0].id

    def lift(self) -> list[e.Event]:
        """Lift the hold."""
        return self.give(c.LiftHold(fault="", reason="reason.other"))

    def accepted(self) -> list[tuple[str, str]]:
        """(zone, code) of the accepted cards of the running procedure; ``XX`` for unknown."""
        places = self.table.play.places if self.table.play else ()
        return [(p.to, p.card.code if p.card else "XX") for p in places]
