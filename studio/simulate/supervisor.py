"""A simulated supervisor: knows what lies on the felt, and takes the first lawful option."""

from collections import Counter

from studio.domain import commands as c
from studio.domain.cards import Card
from studio.simulate.desk import Place
from studio.simulate.faults import LASTING
from studio.table.approvals import waiting
from studio.table.casework import supervisor_view
from studio.table.views import CaseView, OptionView, SupervisorView

NAME = "Sim Supervisor"
SECOND = "Sim Pit Boss"
"""The second person, who approves whatever the first asks for (CONTRACTS.md 3)."""
THINKS_S = 2.0
"""Seconds of scaled time before the first press (CONTRACTS.md 3)."""


class Supervisor:
    """Answers every fault of a hold, then lifts it; voids where no repair is allowed."""

    def __init__(self, place: Place) -> None:
        """Look after one table."""
        self._place = place
        self._tried: Counter[tuple[int, str, int, str]] = Counter()
        self.lasting: set[tuple[str, str]] = set()
        """(``wire`` or ``stage``, fault) of the faults that somebody has to set right."""

    def work(self) -> None:
        """Deal with the hold."""
        place = self._place
        place.pace.pause(THINKS_S)
        self._set_right()
        view = self._view()
        for case in view.cases:
            if self._place.desk.table().hold is None:
                return
            self._answer(view, case)
        table = place.desk.table()
        if table.hold is not None and not table.hold.faults:
            self._press(c.LiftHold(fault="", reason="reason.camera_proves"))
            place.settle()

    def _view(self) -> SupervisorView:
        table = self._place.desk.table()
        return supervisor_view(self._place.desk.setup, table, table.at_us)

    def _press(self, command: c.Command) -> bool:
        try:
            self._place.desk.ask(command, who=NAME, role="supervisor")
        except c.Rejected as refused:
            self._place.say(f"refused: {refused.text}")
            return False
        self._place.desk.flush()
        return self._seconded()

    def _seconded(self) -> bool:
        """The second person approves what waits; whether it was done."""
        asked = waiting(self._place.desk.table())
        if asked is None:
            return True
        try:
            self._place.desk.ask(c.Approve(approval=asked.id), who=SECOND, role="pit-boss")
        except c.Rejected as refused:
            self._place.say(f"not approved: {refused.text}")
            return False
        self._place.desk.flush()
        ended = self._place.desk.table().approval
        return ended is not None and ended.how == "given"

    def _set_right(self) -> None:
        """Plug in, wipe, turn on again: what a technician does before the supervisor decides."""
        for kind, name in sorted(self.lasting):
            if name not in LASTING:
                continue
            device = self._place.wire if kind == "wire" else self._place.stage
            if device is not None:
                device.switch(name, on=False)
        self.lasting.clear()
        for _ in range(6):
            self._place.pace.frames(3)
            self._place.settle()
            table = self._place.desk.table()
            if all(d.online and d.fit and not d.trouble for d in table.devices):
                return
            self._place.pace.pause(0.5)

    def _answer(self, view: SupervisorView, case: CaseView) -> None:
        """Take the first lawful option; the next one if the same fault comes back after it."""
        table = self._place.desk.table()
        inputs = len(table.play.inputs) if table.play else 0
        place = (view.dealer.shoe_no, view.dealer.round_id, inputs, case.code)
        lawful = [option for option in case.options if option.enabled]
        first = min(self._tried[place], max(0, len(lawful) - 1))
        self._tried[place] += 1
        for option in (*lawful[first:], *lawful[:first]):
            if self._take(view, case, option):
                self._place.say(f"{case.code}: {option.command}")
                return

    def _take(self, view: SupervisorView, case: CaseView, option: OptionView) -> bool:
        """Do what the option needs with the hands, then press it."""
        reason = "reason.camera_proves"
        match option.command:
            case "KeyInCard":
                true = self._due_card(case)
                return true is not None and self._press(
                    c.KeyInCard(fault=case.fault, reason=reason, card=true)
                )
            case "CorrectCard":
                wrong = self._wrong(view)
                return wrong is not None and self._press(
                    c.CorrectCard(fault=case.fault, reason=reason, index=wrong[0], card=wrong[1])
                )
            case "AssignCard":
                self._move(case)
                return self._press(c.AssignCard(fault=case.fault, reason=reason))
            case "MarkDead":
                pressed = self._press(c.MarkDead(fault=case.fault, reason=reason))
                self._remove_strays()
                self._place.answered = ""
                return pressed
            case "RestoreCollected":
                self._lay_back()
                return self._press(c.RestoreCollected(fault=case.fault, reason=reason))
            case "VoidRound":
                round_id = view.dealer.round_id
                return self._press(
                    c.VoidRound(fault=case.fault, reason="reason.not_provable", round_id=round_id)
                )
            case name:
                command = getattr(c, name)(fault=case.fault, reason=reason)
                return self._press(command)

    def _due_card(self, case: CaseView) -> Card | None:
        """What really lies where the card was due."""
        code = self._place.felt.newest(case.due_zone) if case.due_zone else None
        return Card.parse(code) if code else None

    def _wrong(self, view: SupervisorView) -> tuple[int, Card] | None:
        """The first accepted card that is not what was laid."""
        laid = self._place.felt.laid
        for index, _, code in view.dealt:
            if index < len(laid) and laid[index][1] != code:
                return index, Card.parse(laid[index][1])
        return None

    def _move(self, case: CaseView) -> None:
        """The dealer moves the misplaced card to where it was due."""
        place, due = self._place, case.due_zone
        table = place.desk.table()
        accepted = sum(p.to == due for p in (table.play.places if table.play else ()))
        lying = place.felt.zones.get(due, [])
        sideways = case.step.endswith("_third")
        for sight in case.sightings:
            if not sight.zone or sight.zone == due:
                continue
            there = place.felt.zones.get(sight.zone, [])
            if len(lying) > accepted and place.stage is not None:
                # It slid: the dealer laid it rightly, so the truth has it where it was due.
                place.stage.take(sight.zone, len(there))
                place.settle()
                place.stage.lay(due, lying[-1], sideways=sideways)
            elif there:
                code = place.take(sight.zone, len(there) - 1)
                place.settle()
                place.lay(due, code, sideways=sideways)
            place.settle()
            return

    def _lay_back(self) -> None:
        """The dealer lays collected cards back in the order in which they were dealt."""
        place = self._place
        table = place.desk.table()
        for dealt in table.play.places if table.play else ():
            true = place.felt.laid[dealt.index][1] if dealt.index < len(place.felt.laid) else ""
            if true and true not in place.felt.zones.get(dealt.to, ()):
                place.lay(dealt.to, true, sideways=dealt.sideways)
                place.settle()

    def _remove_strays(self) -> None:
        """Cards outside the game go off the felt."""
        place = self._place
        table = place.desk.table()
        wanted = dict.fromkeys(place.desk.setup.game.hands, 0)
        for lying in table.play.places if table.play else ():
            if lying.to in wanted:
                wanted[lying.to] += 1
        for zone, count in wanted.items():
            while len(place.felt.zones.get(zone, ())) > count:
                place.take(zone, count)
                place.settle()
