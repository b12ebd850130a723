"""What the screens of a stopped table say: it is held, nothing can be pressed, and whom to call.

The table's own state cannot say so: nothing could be written any more (DESIGN.md 1, sentence 3).
"""

from dataclasses import replace
from typing import TypeVar

from studio.live.means import STOPPED
from studio.table.state import Setup
from studio.table.views import (
    ButtonView,
    DealerView,
    HoldNote,
    Message,
    OverlayView,
    Slate,
    StepView,
    SupervisorView,
    TileView,
)

View = TypeVar("View", DealerView, SupervisorView, OverlayView, TileView)

WHAT = Message(STOPPED)
DO = Message("hold.overrun.do", (("zone", ""),))
"""Draw nothing, leave all cards: the same words as when reports were lost."""
NO_TILE = "wall.no_tile"
STEP = StepView(kind="hold", code="step.hold")


def as_stopped(view: View, since_us: int) -> View:
    """Give the view as it must look once the table has stopped at this instant."""
    note = HoldNote(since_us=since_us, faults=1, do=DO, what=WHAT)
    match view:
        case DealerView():
            return _dealer(view, note)
        case SupervisorView():
            lift = ButtonView(command="LiftHold", enabled=False, reason=STOPPED)
            return replace(view, dealer=_dealer(view.dealer, note), cases=(), lift=lift, void=None)
        case OverlayView():
            slate = view.slate or Slate(code="wait", round_no=view.round_no)
            return replace(view, state="hold", window=None, slate=slate)
        case TileView():
            return replace(view, state="hold", hold=note, headline=WHAT, window=None)


def without_tile(setup: Setup, since_us: int) -> TileView:
    """The tile of a table of which none can be made: it asks for a look, as a held one does."""
    what = Message(NO_TILE)
    return TileView(
        table=setup.table,
        game=setup.game.name,
        state="hold",
        round_no=0,
        shoe_no=0,
        dealer="",
        headline=what,
        bets=0,
        staked=0,
        currency=setup.currency,
        window=None,
        devices=(),
        hold=HoldNote(since_us=since_us, faults=1, do=DO, what=what),
        result=None,
    )


def _dealer(view: DealerView, note: HoldNote) -> DealerView:
    buttons = tuple(
        replace(button, enabled=False, reason=STOPPED, main=False) for button in view.buttons
    )
    return replace(view, state="hold", step=STEP, hold=note, window=None, buttons=buttons)
