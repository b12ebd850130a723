"""What a dealer's hands do at the felt on the supervisor's word, so that a repair is true."""

from collections import Counter
from dataclasses import dataclass, replace

from studio.domain.cards import Card
from studio.domain.commands import FeltZone
from studio.simulate.desk import Loose, Place
from studio.table.state import Phase
from studio.table.views import CaseView, FeltView

LIFTED = 10
"""More cards than ever lie too many on one zone."""


@dataclass(slots=True)
class Hands:
    """Puts cards where they belong; every movement is seen by the camera as it happens."""

    place: Place

    def tidy(self, case: CaseView) -> None:
        """Bring the due card to its place, alone and with the right face, before a new look."""
        self._pick_up()
        self._part(case)
        self._turn(case)
        self.swap_back()

    def _pick_up(self) -> None:
        """Cards from the floor go to the places that they belong to."""
        floor = self.place.felt.floor
        while floor:
            self._put(floor.pop(0))

    def _part(self, case: CaseView) -> None:
        """Of two cards that were laid at once the second goes back into the dealer's hand."""
        lying = self.place.felt.zones.get(case.due_zone, [])
        aside = self.place.felt.aside
        if aside and len(lying) > self._accepted(case.due_zone) + 1 and lying[-1] == aside[0]:
            self.place.take(case.due_zone, len(lying) - 1)
            self.place.settle()

    def _turn(self, case: CaseView) -> None:
        """The due card shows the face that it should."""
        lying = self.place.felt.lying(case.due_zone) if case.due_zone else []
        if not lying or len(lying) <= self._accepted(case.due_zone):
            return
        last, up = lying[-1], case.due_face != "down"
        if last.face_up is not up:
            self.place.take(case.due_zone, len(lying) - 1)
            self.place.settle()
            self._put(Loose(zone=last.zone, code=last.code, face_up=up, sideways=last.sideways))

    def move(self, case: CaseView) -> None:
        """The misplaced card goes to where it was due."""
        place, due = self.place, case.due_zone
        lying = place.felt.zones.get(due, [])
        sideways, up = case.step.endswith("_third"), case.due_face != "down"
        for sight in case.sightings:
            if not sight.zone or sight.zone == due:
                continue
            there = place.felt.zones.get(sight.zone, [])
            slid = place.stage is not None and place.stage.count(sight.zone) > len(there)
            if slid and place.stage is not None and len(lying) > self._accepted(due):
                # It slid: the dealer laid it rightly, so the truth has it where it was due.
                place.stage.take(sight.zone, len(there))
                place.settle()
                self._is_dealt(due, lying[-1])
                place.stage.lay(due, lying[-1], face_up=up, sideways=sideways)
            elif there:
                wrong = self._strange(sight.zone) or [len(there) - 1]
                code = place.take(sight.zone, wrong[-1])
                place.settle()
                self._is_dealt(due, code)
                place.lay(due, code, face_up=up, sideways=sideways)
            place.settle()
            return

    def leave(self, case: CaseView) -> None:
        """The card stays on the place that was not due yet; another one is drawn for the due one.

        A card that slid there is not where the dealer laid it: the truth has it where it lies now.
        """
        place, due = self.place, case.due_zone
        for sight in case.sightings:
            if not sight.zone or sight.zone == due:
                continue
            if place.slid(due):
                lying = place.felt.lying(due)[-1]
                place.take(due, len(place.felt.lying(due)) - 1)
                place.felt.lay(sight.zone, lying.code, face_up=lying.face_up)
            code = place.felt.zones[sight.zone][-1]
            if code in place.felt.aside:
                place.felt.aside.remove(code)
            elif place.felt.laid and place.felt.laid[-1] == (due, code):
                place.felt.laid.pop()
            place.felt.kept.append((sight.zone, code))
            place.answered = ""
            return

    def counts_now(self, due: str, code: str) -> None:
        """A card that waited, and lies where one is due when a person looks, is the due one."""
        hands = self.place.hands
        if due in hands and len(self.place.felt.laid) <= self._dealt():
            self._is_dealt(due, code)

    def _is_dealt(self, due: str, code: str) -> None:
        """A card that came early, and waited, is the due card now."""
        if code in self.place.felt.aside:
            self.place.felt.aside.remove(code)
            self.place.felt.laid.append((due, code))

    def lay_back(self) -> None:
        """Collected cards go back in the order in which they lay, swapped ones to their places."""
        collected = self.place.felt.collected
        while collected:
            self._put(collected.pop(0))
        self.swap_back()

    def swap_back(self) -> None:
        """Cards that were swapped for others lie there again."""
        place = self.place
        for zone in place.hands:
            for code in self._swapped_out(zone):
                strange = self._strange(zone)
                if not strange:
                    break
                lying = place.felt.lying(zone)[strange[0]]
                place.take(zone, strange[0])
                place.settle()
                self._put(replace(lying, code=code))

    def _swapped_out(self, zone: str) -> list[str]:
        """Cards that belong in a zone and are not there, nor on their way to another one."""
        lying = Counter(self.place.felt.zones.get(zone, ()))
        gone = [*(Counter(self.place.belongs(zone)) - lying).elements()]
        if self.place.desk.setup.game.first:
            return [code for code in gone if self.place.where(code) is None]
        return gone

    def _strange(self, zone: str) -> list[int]:
        """Places in a zone of the cards that do not belong there, in order of arrival."""
        belong, found = Counter(self.place.belongs(zone)), []
        for index, code in enumerate(self.place.felt.zones.get(zone, ())):
            if belong[code]:
                belong[code] -= 1
            else:
                found.append(index)
        return found

    def newest(self, zone: str) -> str | None:
        """The newest card of a zone, if the table has not accepted it yet."""
        lying = self.place.felt.zones.get(zone, [])
        return lying[-1] if len(lying) > self._at_home(zone) else None

    def keep_for_next(self) -> bool:
        """Cards outside the game are put aside: they are the next ones. False if there is none."""
        kept = [*self._strays(), *self.place.felt.floor]
        self.place.felt.floor.clear()
        known = list(self.place.felt.aside)
        for loose in kept:
            if loose.code in known:
                known.remove(loose.code)
            else:
                self.place.felt.aside.append(loose.code)
        return bool(self.place.felt.aside)

    def remove_strays(self) -> None:
        """Cards outside the game go off the felt for good."""
        felt = self.place.felt
        self._strays()
        felt.floor.clear()
        del felt.aside[len(self.place.desk.table().sensing.parked) :]  # others wait still
        if self.place.desk.table().phase is Phase.DEALING:
            del felt.laid[self._dealt() :]

    def felt(self, asked: FeltView) -> tuple[FeltZone, ...]:
        """What lies on each zone that is asked about, as a person would enter it."""
        return tuple(
            FeltZone(
                zone=zone,
                cards=tuple(
                    Card.parse(lying.code) if lying.face_up else None
                    for lying in self.place.felt.lying(zone)
                ),
            )
            for zone, _ in asked.zones
        )

    def _strays(self) -> list[Loose]:
        """Take the cards that the table did not accept off the felt."""
        place, taken, racks = self.place, [], bool(self.place.desk.setup.game.first)
        for zone in list(place.felt.zones):
            count = self._at_home(zone)
            for _ in range(LIFTED):
                lying = place.felt.lying(zone)
                if len(lying) <= count:
                    break
                at = self._strange(zone)[-1] if racks and self._strange(zone) else count
                taken.append(lying[at])
                place.take(zone, at)
                place.settle()
        return taken

    def _accepted(self, zone: str) -> int:
        """How many cards that the table has accepted lie in a zone."""
        play = self.place.desk.table().play
        return sum(place.to == zone and not place.off for place in play.places) if play else 0

    def _dealt(self) -> int:
        """How many cards of the round the table has accepted."""
        play, hands = self.place.desk.table().play, self.place.hands
        return sum(place.to in hands for place in play.places) if play else 0

    def _at_home(self, zone: str) -> int:
        """How many cards of a zone were accepted, or wait there for the turn of their place."""
        parked = self.place.desk.table().sensing.parked
        return self._accepted(zone) + sum(card.to == zone for card in parked)

    def _put(self, loose: Loose) -> None:
        self.place.lay(loose.zone, loose.code, face_up=loose.face_up, sideways=loose.sideways)
        self.place.settle()
