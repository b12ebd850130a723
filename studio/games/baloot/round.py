"""The round of Baloot as it is dealt, bid, raised and played (RULES.md 4).

All that this procedure is given is public: a card that lies face down is dealt without its name,
and a seat chooses a place of its rack. Its card is known when the dealer turns it, so after eight
tricks all 32 are, and the round is scored by what lay open. What a seat's own cards forbid it is
judged beside the procedure (`choices`).
"""

from typing import Final

from studio.domain.cards import Card
from studio.games.baloot.bidding import bid
from studio.games.baloot.cards import HAND, Mode, in_turn
from studio.games.baloot.felt import FACE, RACKS, TRICK, Contract, Felt, Place, Trick
from studio.games.baloot.outcome import BalootOutcome, outcome_of
from studio.games.baloot.projects import announcements, said
from studio.games.baloot.raises import raises
from studio.games.baloot.rules import BalootRules, FirstLead
from studio.games.baloot.steps import Step
from studio.games.procedure import (
    Answer,
    Carried,
    Carry,
    Choose,
    Chosen,
    Clear,
    Deal,
    Facing,
    Move,
    Procedure,
    Reveal,
    RuledAgainst,
)

FIRST_PACKET: Final = 3
SECOND_PACKET: Final = 2
LAST_PACKET: Final = 3
RECEIVERS_PACKET: Final = 2
"""The receiver has the face-up card already."""


def baloot(rules: BalootRules) -> Procedure[BalootOutcome]:
    """Baloot: what is dealt, who speaks, who plays which place, and what is written."""
    return play_round(rules, Felt(rules))


def play_round(rules: BalootRules, felt: Felt) -> Procedure[BalootOutcome]:
    """Play a round on this felt, which shows at any time what lies there and was said."""
    carried = yield from felt.ask(Carry(Step.CARRY))
    felt.carry(carried.figures if isinstance(carried, Carried) else ())
    yield from _packets(felt, Step.FIRST_PACKETS, FIRST_PACKET)
    yield from _packets(felt, Step.SECOND_PACKETS, SECOND_PACKET)
    yield from _turn_face(felt)
    yield from bid(felt)
    if felt.contract is None:
        return outcome_of(felt)
    try:
        yield from _take_face(felt, felt.contract)
        yield from _packets(felt, Step.LAST_PACKETS, LAST_PACKET, receiver=felt.contract.receiver)
        yield from raises(felt, felt.contract)
        yield from _tricks(rules, felt, felt.contract)
    except RuledAgainst as verdict:
        felt.inputs += 1
        felt.against = verdict.against
        yield from _show_rest(felt)
    return outcome_of(felt)


# -- dealing --------------------------------------------------------------------------------------


def _packets(felt: Felt, step: Step, size: int, receiver: int | None = None) -> Procedure[None]:
    """Deal one packet to each seat, face down, beginning right of the dealer."""
    for seat in in_turn(felt.eldest):
        places: list[int] = []
        felt.packets.append((seat, places))
        for _ in range(RECEIVERS_PACKET if seat == receiver else size):
            index = felt.inputs
            yield from felt.ask(Deal(to=RACKS[seat], face=Facing.DOWN, step=step))
            places.append(index)
            felt.racks[seat].append(Place(index))


def _turn_face(felt: Felt) -> Procedure[None]:
    """Turn one card for the bidding."""
    felt.face_index = felt.inputs
    felt.face = _card((yield from felt.ask(Deal(to=FACE, face=Facing.UP, step=Step.FACE_CARD))))


def _take_face(felt: Felt, contract: Contract) -> Procedure[None]:
    """Give the face-up card to its receiver; in the rack it stays face up."""
    seat = contract.receiver
    move = Move(index=felt.face_index, to=RACKS[seat], face=Facing.UP, step=Step.TAKE_FACE)
    card = _card((yield from felt.ask(move)))
    felt.racks[seat].append(Place(felt.face_index, card))
    felt.face_taken = True


# -- the play -------------------------------------------------------------------------------------


def _tricks(rules: BalootRules, felt: Felt, contract: Contract) -> Procedure[None]:
    """Play eight tricks; who wins one leads to the next."""
    buyer_leads = rules.first_lead is FirstLead.BUYER
    lead = contract.caller if buyer_leads else felt.eldest
    for number in range(HAND):
        trick = Trick(lead)
        felt.tricks.append(trick)
        for seat in in_turn(lead):
            if number == 0:
                yield from _announce(rules, felt, contract.mode, seat)
            yield from _play_card(felt, seat)
        yield from felt.ask(Clear(zones=TRICK, step=Step.TAKE_TRICK))
        if trick.taken_by is None:
            raise TypeError("a trick of four cards has no winner")
        lead = trick.taken_by


def _announce(rules: BalootRules, felt: Felt, mode: Mode, seat: int) -> Procedure[None]:
    """Ask a seat for its projects; every seat is asked, so that asking tells nothing."""
    words = announcements(mode, rules.max_projects)
    if len(words) == 1:
        return
    word = yield from _option(felt, Choose(step=Step.PROJECTS, seat=seat, options=words))
    felt.announced[seat] = said(word)


def _play_card(felt: Felt, seat: int) -> Procedure[None]:
    """A seat chooses a place of its rack, then the dealer turns that card into the trick."""
    asked = Choose(step=Step.PLAY, seat=seat, options=felt.places(seat))
    felt.chosen = felt.place(seat, (yield from _option(felt, asked)))
    place = felt.chosen
    move = Move(index=place.index, to=TRICK[seat], face=Facing.UP, step=Step.TURN_CARD)
    felt.play(seat, place, _card((yield from felt.ask(move))))
    felt.chosen = None


# -- a verdict ------------------------------------------------------------------------------------


def _show_rest(felt: Felt) -> Procedure[None]:
    """Turn all cards that still lie face down in the racks, so that the round can be counted."""
    for seat in in_turn(felt.eldest):
        for place in felt.racks[seat]:
            if place.card is None:
                reveal = Reveal(zone=RACKS[seat], index=place.index, step=Step.SHOW_REST)
                place.card = _card((yield from felt.ask(reveal)))


def _option(felt: Felt, asked: Choose) -> Procedure[str]:
    """What the asked seat chose."""
    chosen = yield from felt.ask(asked)
    if isinstance(chosen, Chosen):
        return chosen.option
    raise TypeError(f"a choice is due, not {chosen!r}")


def _card(answer: Answer) -> Card:
    """A card that all can see; one without identity cannot be answered where this is asked."""
    if isinstance(answer, Card):
        return answer
    raise TypeError(f"a card that can be seen is due, not {answer!r}")
