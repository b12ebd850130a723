"""An entry of the felt says of each hand once what lies there; what says more is not guessed at."""

from __future__ import annotations

from studio.domain import commands as c
from studio.domain.cards import Card
from tests.support.rig import Rig

REASON = "reason.other"


def zone(name: str, codes: str) -> c.FeltZone:
    return c.FeltZone(zone=name, cards=tuple(Card.parse(code) for code in codes.split()))


def test_a_hand_that_is_entered_twice_is_refused_whichever_is_right() -> None:
    rig = Rig(sources=("shoe",)).in_play().dealing(player=1000)
    rig.deal("P", "4C")
    rig.restart()
    right, wrong = zone("P", "4C"), zone("P", "9S")
    for felt in ((wrong, right), (right, wrong), (right, right)):
        refused = rig.refused(c.RescanRound(fault=rig.fault(), reason=REASON, felt=felt))
        assert refused == "refused.felt_unexplained"
    assert rig.accepted() == [("P", "4C")]
    assert rig.refused(c.RescanRound(fault=rig.fault(), reason=REASON, felt=(right,))) is None
