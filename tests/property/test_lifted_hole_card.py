"""The hole card is lifted, laid open, covered again at any moment of any round: nobody is told it.

What the camera sees of it comes and goes between bets, windows, waves and holds as chance has it;
views, facts, feed and the waiting pictures are looked at after each step.
"""

import json
from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.games.procedure import Facing, Reveal
from studio.live.lifted import Lifted
from studio.storage.codec import default_codec
from studio.table.masked import lies_open
from studio.table.state import Phase
from studio.table.turn import due
from tests.property.test_shared_rounds import AnyRound

ROUNDS = 40


class LiftedRound(AnyRound):
    """A round whose dealer cannot leave the hole card alone."""

    lifts = 0

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        while "camera" not in self.rig.sources:
            seed += 1000
            super().__init__(seed)

    def step(self) -> None:
        """It is lifted now and then; else what the round does anyway."""
        if self.covered() and self.random.random() < 0.25:
            self.lift()
        else:
            super().step()

    def covered(self) -> bool:
        """Whether it lies there and is not to be turned now."""
        rig = self.rig
        places = rig.table.play.places if rig.table.play else ()
        down = any(place.face == Facing.DOWN.value for place in places)
        return down and not rig.table.held and not isinstance(due(rig.setup, rig.table), Reveal)

    def lift(self) -> None:
        """It shows its face, well or badly; what holds the table is let stand; it is covered."""
        rig, self.lifts = self.rig, self.lifts + 1
        at = next(n for n, card in enumerate(rig.felt["D"]) if card.look is o.Look.BACK)
        back, read = rig.felt["D"][at], self.random.random() < 0.7
        look = o.Look.FACE if read else o.Look.UNKNOWN
        card = Card.parse(self.hole) if read else None
        rig.felt["D"][at] = replace(back, look=look, card=card, sure=read)
        rig.show()
        assert lies_open(rig.table), "its picture may not be shown"
        assert self.waiting(), "nor one of these seconds"
        self.nothing_hidden_is_shown()
        if rig.table.held:
            assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
            rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.other"))
        rig.felt["D"][at] = back
        rig.show()
        assert not lies_open(rig.table)
        if rig.table.held:
            rig.lift()

    def waiting(self) -> bool:
        """Whether a picture of now waits for the turn."""
        lifted = Lifted()
        for event, at_us in self.rig.events:
            lifted.learn(event, at_us)
        return lifted.between(self.rig.at_us, self.rig.at_us)

    def nothing_hidden_is_shown(self) -> None:
        """Neither in a view nor in a fact."""
        super().nothing_hidden_is_shown()
        rig = self.rig
        places = rig.table.play.places if rig.table.play else ()
        down = any(place.face == Facing.DOWN.value for place in places)
        shown = {place.card.code for place in places if place.card and place.face == "up"}
        if down and self.hole not in shown:
            facts = [default_codec().encode(event).body for event, _ in rig.events]
            assert f'"{self.hole}"' not in json.dumps(facts).replace("\\", "")


@pytest.mark.parametrize("part", range(2))
def test_whenever_the_hole_card_is_lifted_nothing_names_it(part: int) -> None:
    lifts = 0
    for seed in range(part, ROUNDS, 2):
        course = LiftedRound(seed)
        course.play()
        assert course.rig.table.phase is Phase.RESULT
        lifts += course.lifts
    assert lifts >= ROUNDS / 4
