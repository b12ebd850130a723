"""A simulated supervisor: knows what lies on the felt, and takes the first lawful option."""

import threading
from collections import Counter
from typing import Any

from studio.domain import commands as c
from studio.domain.cards import CUT, HIDDEN, Card
from studio.domain.faults import FaultCode
from studio.simulate.desk import Place
from studio.simulate.faults import LASTING
from studio.simulate.hands import Hands
from studio.simulate.telling import case_line, does
from studio.table.approvals import waiting
from studio.table.casework import supervisor_view
from studio.table.views import CaseView, OptionView, SupervisorView

NAME = "Sim Supervisor"
SECOND = "Sim Pit Boss"
"""The second person, who approves whatever the first asks for (CONTRACTS.md 3)."""
THINKS_S = 2.0
"""Seconds of scaled time before the first press (CONTRACTS.md 3)."""
REPEATED = FaultCode.REPEATED_CARD.value
NO_REPORT = (FaultCode.CARD_DUE_LATE.value, FaultCode.DEVICE_LOST.value)
"""Faults after which no report may come of a card that lies there."""
READERS = (
    FaultCode.UNREADABLE_CARD.value,
    FaultCode.CARD_OUT_OF_PHASE.value,
    FaultCode.EXTRA_CARD.value,
)
"""Faults that a reader may raise though no card came."""
PATIENCE = 40
"""So often it is looked whether a device is back before the coup is given up."""
CABLE_S = 0.05
"""Real seconds between two looks: a cable is found again by the machine's clock alone."""


class Supervisor:
    """Answers every fault of a hold, then lifts it; voids where no repair is allowed."""

    def __init__(self, place: Place) -> None:
        """Look after one table."""
        self._place = place
        self.name = NAME
        self._hands = Hands(place)
        self._tried: Counter[tuple[int, str, int, str]] = Counter()
        self._watched: set[str] = set()
        """Faults of which was said what they are, while persons answer them."""
        self.lasting: set[tuple[str, str]] = set()
        """(``wire`` or ``stage``, fault) of the faults that somebody has to set right."""

    def work(self) -> None:
        """Deal with the hold."""
        place = self._place
        place.pace.pause(THINKS_S)
        self._set_right()
        self._seconded()  # what was asked for before a stop waits still
        view = self._view()
        for case in view.cases:
            if self._place.desk.table().hold is None:
                return
            self._answer(view, case)
        table = place.desk.table()
        if table.hold is not None and not table.hold.faults:
            self._press(c.LiftHold(fault="", reason="reason.camera_proves"))
            place.settle()
        if not place.desk.table().held:
            place.say(f"lifted: the table goes on ({place.desk.table().phase})")

    def watch(self) -> None:
        """Say once of each fault what it is, where persons answer it."""
        hold = self._place.desk.table().hold
        if hold is None or self._watched.issuperset(fault.id for fault in hold.faults):
            return
        for case in self._view().cases:
            if case.fault not in self._watched:
                self._watched.add(case.fault)
                self._place.say(case_line(case))

    def _view(self) -> SupervisorView:
        table = self._place.desk.table()
        return supervisor_view(self._place.desk.setup, table, table.at_us)

    def _press(self, command: c.Command) -> bool:
        try:
            self._place.desk.ask(command, who=NAME, role="supervisor")
        except c.Rejected as refused:
            self._place.say(f"supervisor: is refused: {refused.text}")
            return False
        self._place.desk.flush()
        return self._seconded()

    def _seconded(self) -> bool:
        """The second person approves what this one asked for; whether it was done."""
        asked = waiting(self._place.desk.table())
        if asked is None or asked.by != NAME:
            return True
        try:
            self._place.desk.ask(c.Approve(approval=asked.id), who=SECOND, role="pit-boss")
        except c.Rejected as refused:
            self._place.say(f"pit boss: is refused: {refused.text}")
            return False
        self._place.desk.flush()
        self._place.say(f"pit boss: approves {asked.command}")
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
        for _ in range(PATIENCE):
            self._place.pace.frames(3)
            self._place.settle()
            table = self._place.desk.table()
            if all(d.online and d.fit and not d.trouble for d in table.devices):
                return
            self._place.pace.pause(0.5)
            threading.Event().wait(CABLE_S)

    def _answer(self, view: SupervisorView, case: CaseView) -> None:
        """Take the first lawful option; the next one if the same fault comes back after it."""
        table = self._place.desk.table()
        inputs = len(table.play.inputs) if table.play else 0
        place = (view.dealer.shoe_no, view.dealer.round_id, inputs, case.code)
        lawful = [option for option in case.options if option.enabled]
        first = min(self._tried[place], max(0, len(lawful) - 1))
        self._tried[place] += 1
        self._place.say(case_line(case))
        for option in self.order(lawful, first):
            if self._take(view, case, option):
                return

    def order(self, lawful: list[OptionView], first: int) -> list[OptionView]:
        """In which order lawful options are tried: as policy has them, from the given one on."""
        return [*lawful[first:], *lawful[:first]]

    def _take(self, view: SupervisorView, case: CaseView, option: OptionView) -> bool:
        """Do what the option needs with the hands, then press it."""
        fields: dict[str, Any] = {"fault": case.fault, "reason": "reason.camera_proves"}
        match option.command:
            case "KeyInCard":
                self._hands.tidy(case)
                fields["card"] = self._due_card(case)
            case "CorrectCard":
                fields |= self._wrong(view, case)
            case "RescanRound" | "RetryDevice" if self._unreported(case):
                return False  # another card would be drawn for the one that lies there
            case "RescanRound":
                fields |= self._look_again(case)
            case "EndShoe":
                return self._press(c.EndShoe(reason="reason.dealing_error"))
            case "DecideQayd":
                fields["against"] = None
            case "VoidRound":
                fields |= {"reason": "reason.not_provable", "round_id": view.dealer.round_id}
            case name if not self._by_hand(name, case):
                return False
            case _:
                pass
        if fields.get("card", True) is None:
            return False
        self._place.say(f"supervisor: {does(option.command, fields)}")
        if not self._press(getattr(c, option.command)(**fields)):
            return False
        if option.command in ("MarkDead", "BurnCard"):
            self._hands.remove_strays()
            self._place.answered = ""
        return True

    def _look_again(self, case: CaseView) -> dict[str, Any]:
        """Put the felt right and say what lies there; the dealer draws if the due card is not."""
        self._hands.tidy(case)
        if case.code == FaultCode.DEAL_ORDER.value:
            self._hands.move(case)
        newest = self._hands.newest(case.due_zone)
        if newest is None:
            self._place.answered = ""
        else:
            self._hands.counts_now(case.due_zone, newest)
        return {} if case.felt is None else {"felt": self._hands.felt(case.felt)}

    def _by_hand(self, name: str, case: CaseView) -> bool:
        """What is done at the felt before this repair is pressed; False if it cannot be."""
        match name:
            case "AcknowledgeFault" if case.code == REPEATED:
                return not self._second_lies()
            case "AcknowledgeFault" if case.code in READERS:
                return not self._came(case)
            case "AcceptAsDealt" if case.code in (*NO_REPORT, *READERS):
                return self._came(case)
            case "UseAsNextCard" if case.code == REPEATED:
                return self._second_lies()
            case "AssignCard":
                self._hands.move(case)
            case "UseAsNextCard":
                return self._hands.keep_for_next()
            case "RestoreCollected":
                self._hands.lay_back()
            case "AcceptAsDealt" if case.code == FaultCode.DEAL_ORDER.value:
                self._hands.leave(case)
            case "AcceptAsDealt":
                self._hands.swap_back()
            case "PassSelfTest":
                self._test(case)
            case _:
                pass
        return True

    def _unreported(self, case: CaseView) -> bool:
        """Whether the due card lies there, and no source will tell of it any more."""
        place = self._place
        asked = case.code in NO_REPORT and any(o.command == "KeyInCard" for o in case.options)
        if not asked or place.stage is not None or place.desk.table().sensing.reads:
            return False
        return bool(case.due_zone) and self._hands.newest(case.due_zone) is not None

    def _came(self, case: CaseView) -> bool:
        """Whether a card is out that the table has not accepted."""
        felt = self._place.felt
        due = bool(case.due_zone) and self._hands.newest(case.due_zone) is not None
        return due or bool(felt.aside or felt.floor)

    def _second_lies(self) -> bool:
        """Whether the next card that was laid is the same as the last accepted: two, not one."""
        play = self._place.desk.table().play
        places, laid = play.places if play else (), self._place.felt.laid
        last = places[-1].card if places else None
        following = laid[len(places)][1] if len(laid) > len(places) else ""
        return following != "" and (last is None or following == last.code)

    def _test(self, case: CaseView) -> None:
        """Let the device that the fault is about test itself."""
        hold = self._place.desk.table().hold
        for fault in hold.faults if hold else ():
            if fault.id == case.fault:
                self._place.test(fault.device)
                self._await_test(fault.device)

    def _await_test(self, device: str) -> None:
        """Wait for the answer in real time, whatever the studio's clock says."""
        for _ in range(PATIENCE):
            self._place.settle()
            if self._place.desk.table().device(device).tested:
                return
            threading.Event().wait(CABLE_S)

    def _due_card(self, case: CaseView) -> Card | None:
        """What really lies where the card was due; None if nothing new, or no card, lies there.

        Where a card is turned, it is that one.
        """
        if not case.due_zone and case.index is not None:
            return self._place.true(case.index)
        code = self._hands.newest(case.due_zone) if case.due_zone else None
        return Card.parse(code) if code and code != CUT else None

    def _wrong(self, view: SupervisorView, case: CaseView) -> dict[str, Any]:
        """Place and true identity of the first accepted card that is not what was laid."""
        laid = self._place.felt.laid
        open_now = {index for index, _, _ in view.dealt}
        if case.index is not None and case.index not in open_now:
            return {"index": case.index, "card": self._place.true(case.index)}  # it is turned now
        seen: Counter[str] = Counter()
        moves = bool(self._place.desk.setup.game.first)
        for index, zone, code in view.dealt:  # by its place in the hand: a hidden one is not told
            mine = [true for to, true in laid if to == zone]
            true = mine[seen[zone]] if seen[zone] < len(mine) else code
            if moves and (card := self._place.true(index)) is not None:
                true = card.code  # it may have been laid elsewhere since it was dealt
            seen[zone] += 1
            if code not in (true, HIDDEN):
                return {"index": index, "card": Card.parse(true)}
        return {"card": None}
