"""A short evening at one table, as facts: one settled coup, one voided, the end of the shoe."""

from __future__ import annotations

from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.columns import Columns
from studio.domain.envelope import Actor, ActorKind, Envelope, Sealed
from studio.domain.faults import Fault, FaultCode
from studio.live.ports import Journal

STREAM = "table/ba1/2026-11-30"
NEXT_DAY = "table/ba1/2026-12-01"
BURNED = Sealed(Card.parse("KS"), "salt-1")
READ = Sealed(Card.parse("4H"), "salt-2")
STAKES = Columns(("b1", "b2"), ("amina", "bilal"), ("banker", "tie"), (1_000, 250))
BACK = Columns(("b1", "b2"), ("amina", "bilal"), ("banker", "tie"), (1_950, 0))


def dealt(index: int, to: str, code: str, **more: object) -> e.CardDealt:
    """A card that was accepted."""
    return e.CardDealt(
        index=index,
        to=to,
        face="up",
        step="first_four",
        sideways=False,
        card=Card.parse(code),
        **more,  # type: ignore[arg-type]
    )


def opened(number: int) -> e.RoundOpened:
    """The opening of a round."""
    return e.RoundOpened(
        round_id=f"r{number}",
        round_no=number,
        shoe_no=1,
        game="baccarat",
        procedure_version="baccarat@1",
        rules_digest="d",
        deadline_us=1,
        rounds_left=None,
    )


def placed(number: int) -> list[e.Event]:
    """A batch of bets that the wallet reserved, and the close."""
    round_id = f"r{number}"
    return [
        e.BetsPlaced(
            round_id=round_id, batch="x", packed=STAKES.packed("bets", "x"), columns=STAKES
        ),
        e.BetsConfirmed(round_id=round_id, batch="x", refused=(), total=1_250),
        e.BetsClosed(round_id=round_id, by="clock", count=2, total=1_250),
    ]


def settled(number: int) -> e.RoundSettled:
    """The payment of a round."""
    rows = (
        e.BetSettled(
            bet="banker", numerator=39, denominator=20, count=1, staked=1_000, returned=1_950
        ),
        e.BetSettled(bet="tie", numerator=0, denominator=1, count=1, staked=250, returned=0),
    )
    return e.RoundSettled(
        round_id=f"r{number}",
        staked=1_250,
        returned=1_950,
        rows=rows,
        packed=BACK.packed("returns", f"r{number}"),
        deadline_us=2,
        columns=BACK,
    )


def voided(number: int) -> e.RoundVoided:
    """The refund of a round."""
    return e.RoundVoided(
        round_id=f"r{number}",
        reason="card on the floor",
        refunded=1_250,
        staked=1_250,
        packed=STAKES.packed("refunds", f"r{number}"),
        deadline_us=3,
        columns=STAKES,
    )


def corrected(number: int, nth: int = 1) -> e.ResultCorrected:
    """A coup that was paid to the Banker was really a tie: 6 to 6."""
    more = Columns(("b2",), ("bilal",), ("tie",), (2_250,))
    codes = (("P", "4H"), ("B", "3H"), ("P", "2S"), ("B", "3C"))
    return e.ResultCorrected(
        round_id=f"r{number}",
        round_no=number,
        shoe_no=1,
        number=nth,
        old_code="banker",
        new_code="tie",
        outcome="{}",
        cards=tuple(Card.parse(code) for _, code in codes),
        placed=tuple((at, to, "up", "first_four", False) for at, (to, _) in enumerate(codes)),
        staked=1_250,
        returned_before=1_950,
        returned=3_250,
        debits=(("b1", "amina", "banker", 950),),
        reason="reason.camera_proves",
        packed=more.packed("corrections", f"r{number}/{nth}"),
        columns=more,
    )


def declared_void(number: int, nth: int = 2) -> e.ResultCorrected:
    """The same coup, declared not played after all."""
    less = (("b2", "bilal", "tie", 2_000),)
    return e.ResultCorrected(
        round_id=f"r{number}",
        round_no=number,
        shoe_no=1,
        number=nth,
        old_code="tie",
        new_code="void",
        outcome="",
        cards=(),
        staked=1_250,
        returned_before=3_250,
        returned=1_250,
        debits=less,
        reason="reason.not_provable",
        packed=Columns().packed("corrections", f"r{number}/{nth}"),
    )


def first_coup() -> list[e.Event]:
    """A shoe, and a coup that was corrected, finished and paid."""
    return [
        e.TableOpened(),
        e.CardDead(fate="burned", card=None, sealed=BURNED),
        opened(1),
        *placed(1),
        e.ShoeRead(device="shoe", boot="9F", sequence=1, status="read", sealed=READ),
        dealt(0, "P", "4H", revealed=READ.reveal()),
        dealt(1, "B", "2H"),
        dealt(2, "P", "TS"),
        dealt(3, "B", "5C"),
        e.CardCorrected(index=1, old=Card.parse("2H"), new=Card.parse("3H"), kept=3),
        dealt(3, "B", "6C"),
        e.RoundFinished(round_id="r1", code="banker", outcome="{}"),
        settled(1),
        e.RoundCleared(round_id="r1", by="dealer"),
    ]


def second_coup() -> list[e.Event]:
    """A coup that was held and voided, and the end of the shoe."""
    fault = Fault(id="1", code=FaultCode.EXTRA_CARD, at_us=1)
    return [
        opened(2),
        *placed(2),
        e.FaultRaised(fault=fault, holds=True),
        voided(2),
        e.RoundCleared(round_id="r2", by="dealer"),
    ]


def shoe_end() -> list[e.Event]:
    """The end of the shoe."""
    return [e.ShoeEnded(shoe_no=1, remainder=411, gone=5, loaded=416, balance="balanced")]


def write(journal: Journal, *parts: list[e.Event], stream: str = STREAM) -> int:
    """Append each part as one commit."""
    version = journal.version(stream)
    for number, events in enumerate(parts, version):
        envelope = Envelope(
            command_id=f"c{number}",
            actor=Actor(ActorKind.PERSON, "17", "dealer"),
            at_us=1_764_500_000_000_000 + number,
        )
        version = journal.append(stream, version, envelope, events)
    return version
