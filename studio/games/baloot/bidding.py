"""The bidding of Baloot: two rounds of hokum, sun and ashkal; shown hands (RULES.md 4.2)."""

from typing import Final

from studio.domain.cards import Card, Rank, Suit
from studio.games.baloot.cards import Mode, in_turn, partner, side_of
from studio.games.baloot.felt import RACKS, Call, Contract, Felt
from studio.games.baloot.rules import Hokum2Asks, Kawesh, SunReclaim
from studio.games.baloot.steps import Step
from studio.games.procedure import Choose, Chosen, Procedure, Reveal

PASS: Final = "pass"  # noqa: S105  a call, no secret
HOKUM: Final = "hokum"
SUN: Final = "sun"
ASHKAL: Final = "ashkal"
KAWESH: Final = "kawesh"
TAKE: Final = "take"
LEAVE: Final = "leave"
THIRD: Final = 2
"""Place in the order of speaking from which on ashkal may be bid, counted from 0."""
SECOND_ROUND: Final = 2
HIGH: Final = frozenset({Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN})
"""Ranks that a hand must not hold which is shown for a new deal."""


def bid(felt: Felt) -> Procedure[None]:
    """Let the seats speak, from the right of the dealer, until somebody buys or all passed twice.

    Afterwards the felt has a contract, or a hand was shown, or there is neither.
    """
    order = in_turn(felt.eldest)
    for round_no in (1, SECOND_ROUND):
        for position, seat in enumerate(order):
            options = bids(felt, round_no, position)
            # A hand may be shown as long as every call was a pass, by who has not spoken yet.
            silent = order[position:] if round_no == 1 else ()
            who, call = yield from _call(felt, seat, options, showing=silent)
            match call.split(":"):
                case ["pass"]:
                    continue
                case ["kawesh"]:
                    yield from show_hand(felt, who)
                case ["hokum", *named]:
                    yield from _over_hokum(felt, round_no, position, _suit(felt, named))
                case _:
                    yield from _sun(felt, round_no, position, ashkal=call == ASHKAL)
            return


def bids(felt: Felt, round_no: int, position: int) -> tuple[str, ...]:
    """What the seat may bid that speaks at this place of the order."""
    face = felt.face
    if round_no == 1:
        hokum: tuple[str, ...] = (HOKUM,)
    else:
        hokum = tuple(f"{HOKUM}:{suit}" for suit in Suit if face is None or suit is not face.suit)
    return (PASS, *hokum, SUN, *_ashkal(felt, round_no, position))


def _ashkal(felt: Felt, round_no: int, position: int) -> tuple[str, ...]:
    """A sun for which the partner receives the face-up card: from the third seat on, on no ace."""
    barred = felt.ace_face or (round_no == SECOND_ROUND and not felt.rules.ashkal_round2)
    return () if barred or position < THIRD else (ASHKAL,)


def _suit(felt: Felt, named: list[str]) -> Suit:
    """The hokum suit: as named, or in the first round that of the face-up card."""
    if named:
        return Suit(named[0])
    if felt.face is None:
        raise TypeError("a suit is bid before the face-up card lies there")
    return felt.face.suit


def _over_hokum(felt: Felt, round_no: int, position: int, suit: Suit) -> Procedure[None]:
    """After a hokum others may say sun; if none does, the caller keeps it or turns it into sun."""
    order = in_turn(felt.eldest)
    caller = order[position]
    for other in _asked_over_hokum(felt, round_no, position):
        options: tuple[str, ...] = (PASS, SUN)
        if round_no == 1 or other > position:
            options = (*options, *_ashkal(felt, round_no, other))
        _, call = yield from _call(felt, order[other], options)
        if call != PASS:
            yield from _sun(felt, round_no, other, ashkal=call == ASHKAL)
            return
    _, call = yield from _call(felt, caller, (HOKUM, SUN), step=Step.CONFIRM)
    felt.contract = Contract(
        mode=Mode(call),
        caller=caller,
        receiver=caller,
        ashkal=False,
        trump=suit if call == HOKUM else None,
        bidding_round=round_no,
    )


def _asked_over_hokum(felt: Felt, round_no: int, position: int) -> tuple[int, ...]:
    """Places in the order of speaking that are asked after a hokum, in turn from its caller on."""
    later = tuple(range(position + 1, len(RACKS)))
    earlier = tuple(range(position))
    if round_no == 1:
        return (*later, *earlier)
    if felt.rules.hokum2_asks is Hokum2Asks.UNSPOKEN:
        return later
    return (*later, *(each for each in earlier if side_of(each) != side_of(position)))


def _sun(felt: Felt, round_no: int, position: int, *, ashkal: bool) -> Procedure[None]:
    """A sun may be taken by others in turn; the first who takes it has it."""
    order = in_turn(felt.eldest)
    caller = order[position]
    receiver = partner(caller) if ashkal else caller
    for other in _may_take(felt, position):
        seat = order[other]
        _, call = yield from _call(felt, seat, (TAKE, LEAVE), step=Step.CLAIM)
        if call == TAKE:
            caller, receiver, ashkal = seat, seat, False
            break
    felt.contract = Contract(
        mode=Mode.SUN,
        caller=caller,
        receiver=receiver,
        ashkal=ashkal,
        trump=None,
        bidding_round=round_no,
    )


def _may_take(felt: Felt, position: int) -> tuple[int, ...]:
    """Places in the order of speaking that may take a sun away, in turn."""
    earlier = tuple(range(position))
    if felt.rules.sun_reclaim is SunReclaim.EARLIER_OPPONENTS:
        return tuple(each for each in earlier if side_of(each) != side_of(position))
    return (*range(position + 1, len(RACKS)), *earlier)


def _call(
    felt: Felt,
    seat: int,
    options: tuple[str, ...],
    *,
    step: Step = Step.BIDDING,
    showing: tuple[int, ...] = (),
) -> Procedure[tuple[int, str]]:
    """Ask one seat; who spoke and what was said, also of a seat that shows its hand instead."""
    allowed = showing if felt.rules.kawesh is Kawesh.SAME_DEALER else ()
    besides = tuple((each, KAWESH) for each in allowed)
    asked = Choose(step=step, seat=seat, options=options, besides=besides)
    chosen = yield from felt.ask(asked)
    if not isinstance(chosen, Chosen):
        raise TypeError(f"a call is due, not {chosen!r}")
    on_offer = (KAWESH,) if chosen.option == KAWESH else options
    felt.calls.append(Call(chosen.seat, on_offer, chosen.option))
    felt.said[chosen.seat].append(chosen.option)
    return chosen.seat, chosen.option


# -- a hand that is shown -------------------------------------------------------------------------


def show_hand(felt: Felt, seat: int) -> Procedure[None]:
    """Turn the first five cards of a seat where they lie."""
    felt.shown_by = seat
    for place in felt.racks[seat]:
        reveal = Reveal(zone=RACKS[seat], index=place.index, step=Step.SHOW_HAND)
        card = yield from felt.ask(reveal)
        if not isinstance(card, Card):
            raise TypeError(f"a card is due, not {card!r}")
        place.card = card


def may_be_shown(hand: tuple[Card, ...]) -> bool:
    """Whether a first five gives the right to a new deal: no ace, king, queen, jack and ten."""
    return all(card.rank not in HIGH for card in hand)
