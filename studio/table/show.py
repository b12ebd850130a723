"""Builds what each audience sees; only what is named here gets out (DESIGN.md 7)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from studio.domain.observations import Look, SeenCard
from studio.games.procedure import (
    Carry,
    Choose,
    Clear,
    Confirm,
    Count,
    Deal,
    Dealt,
    Decide,
    Facing,
    Move,
    Peek,
    Reveal,
    Stakes,
)
from studio.games.shoe import ShoeStep, burn_size
from studio.table import boards, controls, hidden, lanes, ledger
from studio.table.approvals import waiting_view
from studio.table.evolve_decisions import FUNDS, INSURANCE
from studio.table.holdnote import disputed, hold_note
from studio.table.results import correction_view, result_views, roads_view
from studio.table.sensing import unaccounted
from studio.table.state import Phase, Place, Setup, Table
from studio.table.turn import standing
from studio.table.views import (
    CardView,
    DealerView,
    DeviceView,
    HandView,
    Message,
    OverlayView,
    Slate,
    SlotView,
    StepView,
    TileView,
)

FIRST_STEPS: Final = ("first_four", "first_cards")
"""Steps with which a round of some game begins to be dealt."""


def dealer_view(
    setup: Setup, table: Table, now_us: int, health: Sequence[DeviceView] = ()
) -> DealerView:
    """Everything of the dealer console; burned cards and sealed reads are not in it."""
    shoe, current = table.shoe, table.round
    last, crowd = _last_card(setup, table), lanes.crowd_of(setup, table)
    return DealerView(
        table=setup.table,
        game=setup.game.name,
        state=table.state,
        phase=table.phase.value,
        dealer=table.dealer_name,
        dealer_number=table.dealer,
        shoe_no=shoe.number if shoe else 0,
        round_no=current.called if current else 0,
        round_id=current.id if current else "",
        step=step_view(setup, table),
        hands=hand_views(setup, table, on_air=False),
        window=lanes.window_view(table),
        last_card=last[0] if last else None,
        last_sources=last[1] if last else (),
        bets=ledger.sums(current)[0] if current else 0,
        cards_left=shoe.cards.left if shoe else 0,
        cut_card="out" if _rounds_left(setup, table) is not None else "in",
        last_rounds=_rounds_left(setup, table),
        results=result_views(table),
        devices=tuple(health),
        buttons=controls.buttons(setup, table, now_us),
        hold=hold_note(setup, table),
        refunded=current.refunded if current else 0,
        seated=crowd.seated,
        takers=crowd.takers,
        wave=crowd.wave,
        again=crowd.again,
        shares=lanes.shares(table),
        cutoffs=lanes.cutoffs(setup, table),
        roads=roads_view(setup, table),
        board=boards.board_of(setup, table),
    )


def overlay_view(setup: Setup, table: Table) -> OverlayView:
    """What players may see: accepted cards only, nothing while the table is held."""
    current, shoe = table.round, table.shoe
    results = result_views(table)
    shown = results[-1] if results and _is_shown(table) else None
    voided = table.phase is Phase.RESULT and current is not None and current.state == "voided"
    slate, crowd = _slate(table), lanes.crowd_of(setup, table)
    return OverlayView(
        table=setup.table,
        game=setup.game.name,
        state=table.state,
        shoe_no=shoe.number if shoe else 0,
        round_no=current.called if current else 0,
        hands=() if slate else hand_views(setup, table, on_air=True),
        window=lanes.window_view(table),
        result=None if slate else shown,
        results=results,
        last_rounds=_rounds_left(setup, table),
        slate=slate,
        void_round=current.called if voided and current else 0,
        correction=correction_view(table),
        seated=crowd.seated,
        takers=crowd.takers,
        wave=crowd.wave,
        shares=() if slate else lanes.shares_on_air(setup, table),
        cutoffs=lanes.cutoffs(setup, table),
        roads=roads_view(setup, table),
        board=None if slate else boards.board_of(setup, table),
    )


def _rounds_left(setup: Setup, table: Table) -> int | None:
    """Whole rounds after this one, once the cut card is out; None where there is no such card."""
    shoe = table.shoe
    return None if shoe is None or setup.game.rounds_in_shoe else shoe.rounds_left


def tile_view(setup: Setup, table: Table, health: Sequence[DeviceView] = ()) -> TileView:
    """One table on the supervisor's wall."""
    current = table.round
    results = result_views(table)
    count, staked = ledger.sums(current) if current else (0, 0)
    hold = hold_note(setup, table)
    step, crowd = step_view(setup, table), lanes.crowd_of(setup, table)
    headline = hold.what if hold else Message(f"tile.{step.code}", (("zone", step.to),))
    return TileView(
        table=setup.table,
        game=setup.game.name,
        state=table.state,
        round_no=current.called if current else 0,
        shoe_no=table.shoe.number if table.shoe else 0,
        dealer=table.dealer_name,
        headline=headline,
        bets=count,
        staked=staked,
        currency=setup.currency,
        window=lanes.window_view(table),
        devices=tuple(health),
        hold=hold,
        result=results[-1] if results and _is_shown(table) else None,
        claimed_by=table.claimed_by,
        claimed_name=table.claimed_name,
        approval=waiting_view(table),
        seated=crowd.seated,
        takers=crowd.takers,
        wave=crowd.wave,
    )


def _is_shown(table: Table) -> bool:
    current = table.round
    return table.phase is Phase.RESULT and current is not None and current.state == "settled"


def _slate(table: Table) -> Slate | None:
    current = table.round
    if table.held:
        return Slate(code="wait", round_no=current.called if current else 0)
    if table.phase is Phase.RESULT and current is not None and current.state == "voided":
        return Slate(code="void", round_no=current.called)
    return None


def _places(table: Table) -> tuple[Place, ...]:
    return table.play.places if table.play else ()


def _last_card(
    setup: Setup, table: Table
) -> tuple[tuple[CardView, str, int], tuple[str, ...]] | None:
    last = None if table.phase is Phase.SHOE else boards.newest(setup, table)
    if last is None:
        return None
    return (_card(last), last.to, last.index + 1), last.sources


def _card(place: Place) -> CardView:
    if place.face != Facing.UP.value or place.card is None:
        return CardView(look="back", sideways=place.sideways)
    return CardView(look="face", card=place.card.code, sideways=place.sideways)


def hand_views(setup: Setup, table: Table, *, on_air: bool) -> tuple[HandView, ...]:
    """The hands with their accepted cards and the slots to come; burned cards are no hand."""
    if table.phase is Phase.SHOE:
        zones: tuple[str, ...] = () if on_air else ("BURN",)
        return tuple(_burn(table, zone) for zone in zones)
    crowd, due = lanes.crowd_of(setup, table), _due_card(setup, table)
    lying = lanes.hands(setup, table, crowd)
    dealt = tuple((hand.name, p.card) for hand in lying for p in lanes.open_cards(hand.places))
    totals = {
        total.zone: total
        for total in setup.game.totals(
            setup.rules, tuple((zone, Dealt(card)) for zone, card in dealt)
        )
    }
    extra = {} if on_air else _provisional(setup, table)
    return tuple(
        lanes.with_lane(
            HandView(
                zone=hand.name,
                total=totals[hand.name].total if hand.name in totals else None,
                low=totals[hand.name].low if hand.name in totals else None,
                cards=(*map(_card, hand.places), *_coming(hand, extra)),
                slots=_slots(setup, table, hand, seen=len(_coming(hand, extra))),
                word=_word(setup, table, hand.name),
            ),
            crowd,
            due,
        )
        for hand in lying
    )


def _coming(hand: lanes.Lies, extra: Mapping[str, tuple[CardView, ...]]) -> tuple[CardView, ...]:
    """Cards of a zone that are not accepted yet, with the hand to which they come."""
    return extra.get(hand.zone, ()) if hand.receives else ()


def _due_card(setup: Setup, table: Table) -> Any:
    """What is due now, where a card may be."""
    return standing(setup, table).due if table.phase is Phase.DEALING else None


def _burn(table: Table, zone: str) -> HandView:
    cards = tuple(_card(p) for p in _places(table) if p.to == zone)
    return HandView(zone=zone, total=None, cards=cards, slots=())


def _provisional(setup: Setup, table: Table) -> dict[str, tuple[CardView, ...]]:
    """Cards that one source saw and that are not accepted: dealer and supervisor only.

    One that is in dispute is there without its name; a supervisor sees it in the case.
    """
    if table.phase is not Phase.DEALING:
        return {}
    faults = table.hold.faults if table.hold is not None else ()
    unnamed = any(disputed(setup, fault) for fault in faults)
    found: dict[str, tuple[CardView, ...]] = {}
    for lying in unaccounted(table):
        shown = _lying(lying.card, held=table.held, named=not unnamed)
        found[lying.zone] = (*found.get(lying.zone, ()), shown)
    return found


def _lying(card: SeenCard, *, held: bool, named: bool) -> CardView:
    mark = "fault" if held else "prov"
    if card.look is Look.BACK:
        return CardView(look="back", mark=mark)
    if named and card.look is Look.FACE and card.sure and card.card is not None:
        return CardView(look="face", card=card.card.code, mark=mark)
    return CardView(look="question", mark=mark)


def _slots(setup: Setup, table: Table, hand: lanes.Lies, *, seen: int = 0) -> tuple[SlotView, ...]:
    """Places still to come; a card that is seen and not accepted yet (`seen`) takes the due one."""
    if table.phase in (Phase.RESULT, Phase.CLOSED) or not hand.receives:
        return ()
    zone = hand.zone
    places = _places(table)
    now = standing(setup, table) if table.phase is Phase.DEALING else None
    due = now.due if now else None
    dealt = len(places)
    plan = setup.game.plan(setup.rules)
    slots = [
        SlotView(order=order if not maybe else 0, due=False, sideways=sideways)
        for order, (to, sideways, maybe) in enumerate(plan, start=1)
        if to == zone and (order > dealt if not maybe else _may_come(table, due, zone))
    ]
    if isinstance(due, Deal) and due.to == zone:
        later = [s for s in slots if s.order > dealt + 1 or (s.order == 0 and not due.sideways)]
        here = SlotView(order=dealt + 1, due=True, sideways=due.sideways)
        slots = later if seen else [here, *later]
    return tuple(slots)


def _may_come(table: Table, due: Any, zone: str) -> bool:
    """Whether a third card may still come to this zone, as far as anybody knows."""
    taken = any(p.to == zone and p.sideways for p in _places(table))
    if taken:
        return False
    if table.phase is not Phase.DEALING:
        return True
    return isinstance(due, Deal) and not (due.sideways and due.to != zone and zone == "P")


def _word(setup: Setup, table: Table, zone: str) -> Message | None:
    """What a hand does, once it is known: draws, stands, natural."""
    if table.phase not in (Phase.DEALING, Phase.RESULT) or table.play is None:
        return None
    code = setup.game.word(setup.rules, table.play.inputs, zone)
    return Message(f"hand.{code}") if code else None


def step_view(setup: Setup, table: Table) -> StepView:
    """The one next step of the dealer."""
    if table.held:
        return StepView(kind="hold", code="step.hold")
    match table.phase:
        case Phase.CLOSED:
            return StepView(kind="open_table", code="step.open_table")
        case Phase.IDLE:
            shoe = table.shoe
            if shoe is None or not shoe.open:
                return StepView(kind="start_shoe", code="step.start_shoe")
            return StepView(kind="open_bets", code="step.open_bets")
        case Phase.BETTING:
            return StepView(kind="wait", code="step.wait_bets", then=_first_card(setup, table))
        case Phase.RESULT:
            if table.round is not None and not table.round.collected:
                kind = "collect" if table.round.state == "settled" else "collect_void"
                return StepView(kind="collect", code=f"step.{kind}")
            voided = table.round is not None and table.round.state == "voided"
            return StepView(kind="wait", code="step.wait_void" if voided else "step.wait_result")
        case _:
            return _procedure_step(setup, table)


def _first_card(setup: Setup, table: Table) -> StepView | None:
    plan = setup.game.plan(setup.rules)
    if setup.game.first or not plan:
        return boards.first_card(setup, table) if setup.game.first else None
    step = next(step for step in setup.game.steps if step in FIRST_STEPS)
    return StepView(kind="deal", code=f"step.{step}", to=plan[0][0], face="up", number=1)


def _procedure_step(setup: Setup, table: Table) -> StepView:
    now = standing(setup, table)
    play = table.play
    since = play.due_since_us if play else 0
    match now.due:
        case Deal(to=to, face=face, step=step, sideways=sideways):
            asked = sum(isinstance(a, Deal) and a.step == step for a in now.asked)
            # Where no card was shown there is but one to burn.
            of = (burn_size(play.inputs) or 1) if play and step == ShoeStep.BURN_DOWN else 0
            number, packet = boards.packet_of(setup, table, now.due)
            return StepView(
                kind="deal",
                code=f"step.{step}",
                to=to,
                face=face.value,
                sideways=sideways,
                number=number or (asked + 1 if of else len(now.asked) + 1),
                of=of or packet,
                since_us=since,
                pace_us=setup.times.pace,
            )
        case Confirm(step=step):
            return StepView(kind="confirm", code=f"step.{step}", since_us=since)
        case Clear(step=step):
            return StepView(kind="clear", code=f"step.{step}", since_us=since)
        case Count(step=step):
            return StepView(kind="count", code=f"step.{step}", since_us=since)
        case Reveal(zone=zone, step=step):
            pace = setup.times.pace
            code = f"step.{step}"
            return StepView(kind="turn", code=code, to=zone, since_us=since, pace_us=pace)
        case Decide(step=step):
            return StepView(kind="wait", code=_waits_for(table, step), since_us=since)
        case Peek(zone=zone) as asked:
            if hidden.known(setup, table, asked) is None:
                return StepView(kind="peek", code="step.peek", to=zone, since_us=since)
            return StepView(kind="wait", code="step.wait_peek", since_us=since)
        case Choose() | Move() as asked:
            return boards.step_of(setup, table, asked)
        case Stakes(step=step) | Carry(step=step):
            return StepView(kind="wait", code=f"step.{step}", since_us=since)
        case None:
            return StepView(kind="wait", code="step.wait_result")


def _waits_for(table: Table, step: str) -> str:
    """Why the dealer waits: players choose, or the wallet is asked for what they chose."""
    if table.window is not None and table.window.kind == FUNDS:
        return "step.wait_funds"
    return "step.wait_insurance" if step == INSURANCE else "step.wait_decisions"
