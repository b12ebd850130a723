"""Rows of the table of irregularities that are said of Baloot (BL1–BL10).

They come before the general ones (`rows`). Sources: live-dealer-systems.md 8 (a card that is
flipped while it is dealt cannot be refused, unless it is an ace: then the same dealer shuffles
again; referees with a claim, a look at what was played, a verdict and its effect on the score) and
the game's own arithmetic: one pack of 32 is dealt out in each round, so a card too many or too few
is found at once and there is no next card in whose place it could go. Where the sources are silent
the answer is the house's.
"""

from typing import Final

from studio.domain.faults import FaultCode
from studio.table.row import ACE_SHOWN, BY_CLOCK, FROM_RACK, SHOWN_EARLY, Row, Void, When

_F: Final = FaultCode
_BALOOT: Final = ("baloot",)
PACKETS: Final = ("first_packets", "second_packets", "last_packets")
"""Steps in which packets are dealt, face down."""
DEALING: Final = (*PACKETS, "face_card")
DEALT_OUT: Final = (
    *("raise", "closed", "projects", "play", "turn_card", "take_trick", "show_rest"),
)
"""Steps in which no card is to come out of the shoe any more in this round."""
TURNING: Final = ("take_face", "turn_card")
"""Steps in which a card goes from one place of the felt to another."""
SHOWING: Final = (*TURNING, "show_hand", "show_rest")
"""Steps in which a card that was dealt is shown to all."""
PUT_BACK: Final = "put_back"
"""The words of a repair that says: the card is laid back where it came from."""
_PUT_BACK: Final = (("RescanRound", PUT_BACK),)

SHOWN: Final = (
    Row(
        row="BL1",
        code=_F.WRONG_FACE,
        when=When(games=_BALOOT, steps=PACKETS, causes=(ACE_SHOWN,)),
        void=Void.ONLY,
        say="ace_shown",
    ),
    Row(
        row="BL1",
        code=_F.SUBSTITUTED_CARD,
        when=When(games=_BALOOT, steps=DEALING, causes=(ACE_SHOWN,)),
        void=Void.ONLY,
        say="ace_shown",
    ),
    Row(
        row="BL2",
        code=_F.WRONG_FACE,
        when=When(games=_BALOOT, steps=PACKETS),
        repairs=("AcceptAsDealt", "RescanRound"),
        say="rack_card_shown",
        words=(("AcceptAsDealt", "stays_shown"), ("RescanRound", "turned_down")),
    ),
    Row(
        row="BL2",
        code=_F.SUBSTITUTED_CARD,
        when=When(games=_BALOOT, causes=(SHOWN_EARLY, ACE_SHOWN)),
        repairs=("AcceptAsDealt",),
        say="rack_card_shown",
        words=(("AcceptAsDealt", "stays_shown"),),
    ),
)
"""An ace that is shown while packets are dealt gives the deal up, in any of the three packets: the
same dealer shuffles again, and nothing is written. Any other card stays with its seat and is known
to all from then on; so does an ace that is shown later, when nothing is dealt any more."""

LAID: Final = (
    Row(
        row="BL3",
        code=_F.DEAL_ORDER,
        when=When(games=_BALOOT, steps=DEALING),
        repairs=("AssignCard",),
        refused=(("BurnCard", "refused.changes_order"),),
        say="packet_misplaced",
    ),
    Row(
        row="BL4",
        code=_F.DEAL_ORDER,
        when=When(games=_BALOOT, steps=TURNING),
        repairs=("RescanRound", "AssignCard"),
        say="out_of_turn",
        words=(*_PUT_BACK, ("AssignCard", "right_place")),
    ),
    Row(
        row="BL4",
        code=_F.DEAL_ORDER,
        when=When(games=_BALOOT, causes=(FROM_RACK,)),
        repairs=("RescanRound",),
        say="out_of_turn",
        words=_PUT_BACK,
    ),
    Row(
        row="BL5",
        code=_F.WRONG_CARD,
        repairs=("RescanRound",),
        words=_PUT_BACK,
    ),
    Row(
        row="C15",
        code=_F.SUBSTITUTED_CARD,
        when=When(games=_BALOOT, steps=SHOWING),
        repairs=("CorrectCard", "KeyInCard", "AcceptAsDealt"),
    ),
    Row(
        row="V10",
        code=_F.CARD_FROM_NOWHERE,
        when=When(games=_BALOOT, steps=TURNING),
        repairs=("KeyInCard", "RescanRound"),
    ),
)
"""A packet at another seat is moved: nobody saw it, and the order of the shoe is kept. A card that
was turned out of turn, or instead of the one that its seat chose, goes back face down. It was seen,
and counts for nothing by that: what the other side makes of it is a qayd (BL10).
One that the camera takes for another where it is turned, or whose old place it does not see empty,
is that card on a person's word; it was dealt, so it is never dead."""

PACK_OF_32: Final = (
    Row(
        row="BL6",
        code=_F.EARLY_CARD,
        when=When(games=_BALOOT, exposed=True),
        void=Void.ONLY,
        say="pack_broken",
    ),
    Row(
        row="BL6",
        code=_F.CARD_OUT_OF_PHASE,
        when=When(games=_BALOOT, rounds=("open",), steps=DEALT_OUT),
        repairs=("RescanRound", "MarkDead"),
        void=Void.FIRST,
        say="card_too_many_in_round",
        words=_PUT_BACK,
    ),
    Row(
        row="B3",
        code=_F.CARD_OUT_OF_PHASE,
        when=When(games=_BALOOT, rounds=("open",), exposed=False),
        holds=False,
    ),
    Row(
        row="BL6",
        code=_F.CARD_OUT_OF_PHASE,
        when=When(games=_BALOOT, rounds=("open",)),
        void=Void.ONLY,
        say="pack_broken",
    ),
    Row(
        row="V5",
        code=_F.IMPOSSIBLE_CARD,
        when=When(games=_BALOOT, steps=PACKETS),
        repairs=("AcceptAsDealt",),
        words=(("AcceptAsDealt", "lies_unnamed"),),
    ),
    Row(
        row="BL7",
        code=_F.EXTRA_CARD,
        when=When(games=_BALOOT, rounds=("settled",)),
        repairs=("MarkDead",),
        void=Void.NEVER,
        refused=(("UseAsNextCard", "refused.shuffled_first"),),
        say="card_after_round",
    ),
    Row(
        row="BL8",
        code=_F.SHOE_EMPTY,
        when=When(games=_BALOOT, rounds=("open",), phases=("dealing", "decision")),
        repairs=("RetryDevice",),
        void=Void.FIRST,
        refused=(("ShuffleDiscards", "refused.no_discards"),),
        say="pack_short",
    ),
)
"""32 cards are dealt, no more and no fewer. One that comes while the seats bid and that nobody saw
is the first of the last packets (B3); one that all saw belongs to nobody yet, and without it the
pack is short: the round is given up. One that lies face down and that the shoe takes for a card
which it has given already is named when it is turned (V5): nobody may look before. A card beyond
the 32, or a shoe that is empty too early, says that the pack was not right. What is left after a
round (nothing, or 11 cards of a round that was not bought) is counted, and shuffled with the others
before the next one."""

VERDICTS: Final = (
    Row(
        row="BL9",
        code=_F.REVOKE,
        when=When(games=_BALOOT, causes=(BY_CLOCK,)),
        repairs=("AcknowledgeFault",),
        refused=(("DecideQayd", "refused.clock_chose"),),
        say="clock_revoked",
        words=(("AcknowledgeFault", "clock_stands"),),
    ),
    Row(
        row="BL9",
        code=_F.REVOKE,
        repairs=("DecideQayd", "AcknowledgeFault"),
        words=(("AcknowledgeFault", "revoke_stands"),),
    ),
    Row(row="BL10", code=_F.QAYD, repairs=("DecideQayd",)),
)
"""A table without a reader in the shoe learns of a revoke when a later card proves it; a claimed
fault (qayd) freezes the play. A supervisor looks at what was called and played, and decides. A card
that the clock chose for a silent seat, whose rack nobody knows, is no seat's fault: there is no
verdict on it, and the play goes on or the round is void."""

BALOOT_ROWS: Final = (*SHOWN, *LAID, *PACK_OF_32, *VERDICTS)
"""All of them, in the order in which they are looked at."""
