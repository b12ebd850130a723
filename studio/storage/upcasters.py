"""How events of an older shape become events of the present one.

An upcaster takes the plain body of version n and gives the body of version n + 1. It is pure, it is
never changed once it was released, and it is kept for ever: a journal of the first day must load.
"""

from collections.abc import Callable
from typing import Any, Final

from studio.live.ports import JournalError

Body = dict[str, Any]
"""The body of an event as it was read from its JSON."""
Upcaster = Callable[[Body], Body]
"""From the body of one version to that of the next; it may change what it is given."""


class Upcasters:
    """A registry of upcasters by name of event and version."""

    def __init__(self) -> None:
        """Begin empty."""
        self._steps: dict[tuple[str, int], Upcaster] = {}

    def register(self, name: str, from_version: int, step: Upcaster) -> None:
        """Add the step from a version to the next one.

        Raises:
            ValueError: if there is one already; what was released is never changed.
        """
        if (name, from_version) in self._steps:
            raise ValueError(f"{name} {from_version} has an upcaster: add the next version instead")
        self._steps[name, from_version] = step

    def has(self, name: str, from_version: int) -> bool:
        """Whether a step leads on from this version."""
        return (name, from_version) in self._steps

    def lift(self, name: str, version: int, body: Body, to: int) -> Body:
        """Bring a body up to a version.

        Raises:
            JournalError: if a step is missing, or the body is newer than this release.
        """
        if version > to:
            raise JournalError(
                f"the journal holds {name} {version}, this release knows {to}: run a newer release"
            )
        for step in range(version, to):
            if (name, step) not in self._steps:
                raise JournalError(f"no upcaster leads from {name} {step} to {step + 1}")
            body = self._steps[name, step](body)
        return body


def _answered_with_a_note(body: Body) -> Body:
    """0.1.0 had no words of one's own beside the reason."""
    return {**body, "note": ""}


def _voided_with_stakes(body: Body) -> Body:
    """0.1.0 returned exactly what was staked, and knew no note."""
    return {**body, "note": "", "staked": body["refunded"]}


def _fault_with_its_moment(body: Body) -> Body:
    """0.1.0 kept no phase, exposure or further card."""
    return {**body, "fault": {**body["fault"], "phase": "", "exposed": True, "further": False}}


def _shoe_with_rounds(body: Body) -> Body:
    """0.1.0 kept no list of rounds since the last good count, and no word on what is off."""
    return {**body, "since": [], "unknown": 0, "off": []}


def _round_with_its_people(body: Body) -> Body:
    """0.1.0 kept no dealer and no supervisor of a round."""
    return {**body, "dealer": "", "supervisor": ""}


def _round_with_its_rules(body: Body) -> Body:
    """0.1.0 kept the digest of the rules alone."""
    return {**body, "rules": ""}


def _ending_with_a_note(body: Body) -> Body:
    """0.1.0 kept the reason alone."""
    return {**body, "note": ""}


def _taken_by_a_number(body: Body) -> Body:
    """0.1.0 kept the name alone."""
    return {**body, "number": ""}


def _felt_with_its_secrets(body: Body) -> Body:
    """0.1.0 had no game with a card that lies face down."""
    return {**body, "hidden": []}


def _without_a_seal(body: Body) -> Body:
    """0.1.0 corrected no card that lies face down, and had nothing to seal there."""
    return {**body, "sealed": None}


def _corrected_by_cards_alone(body: Body) -> Body:
    """0.1.0 corrected no round in which players decide."""
    return {**body, "policy": "", "course": [], "choices": []}


def _parked_for_any_place(body: Body) -> Body:
    """0.1.0 kept no card for the turn of its own place."""
    return {**body, "to": ""}


def _seated_with_zones(body: Body) -> Body:
    """0.1.0 had no game in which players have hands of their own."""
    return {**body, "zones": []}


def _of_whole_packs(body: Body) -> Body:
    """There was no game with another pack than that of 52."""
    return {**body, "ranks": ""}


def _nothing_taken_away(body: Body) -> Body:
    """No cards were taken away in the middle of a round, and no zone was named."""
    return {**body, "zones": []}


def _nothing_carried(body: Body) -> Body:
    """There was no game in which a round leaves anything to the next."""
    return {**body, "carried": []}


def _counted_by_the_shoe(body: Body) -> Body:
    """A round was called by its number in the shoe alone."""
    return {**body, "game_round": 0}


def _answered_in_its_own_words(body: Body) -> Body:
    """A repair was told by its own name alone."""
    return {**body, "worded": ""}


RELEASED: Final = Upcasters()
"""The upcasters of this release."""
RELEASED.register("fault_answered", 1, _answered_with_a_note)
RELEASED.register("round_voided", 1, _voided_with_stakes)
RELEASED.register("fault_raised", 1, _fault_with_its_moment)
RELEASED.register("shoe_ended", 1, _shoe_with_rounds)
RELEASED.register("round_opened", 1, _round_with_its_people)
RELEASED.register("round_opened", 2, _round_with_its_rules)
RELEASED.register("approval_asked", 1, _without_a_seal)
RELEASED.register("card_parked", 1, _parked_for_any_place)
RELEASED.register("card_corrected", 1, _without_a_seal)
RELEASED.register("felt_seen", 1, _felt_with_its_secrets)
RELEASED.register("hold_taken", 1, _taken_by_a_number)
RELEASED.register("result_corrected", 1, _corrected_by_cards_alone)
RELEASED.register("shoe_ending", 1, _ending_with_a_note)
RELEASED.register("players_seated", 1, _seated_with_zones)
RELEASED.register("shoe_procedure_started", 1, _of_whole_packs)
RELEASED.register("shoe_opened", 1, _of_whole_packs)
RELEASED.register("step_confirmed", 1, _nothing_taken_away)
RELEASED.register("round_finished", 1, _nothing_carried)
RELEASED.register("result_corrected", 2, _nothing_carried)
RELEASED.register("fault_answered", 2, _answered_in_its_own_words)
RELEASED.register("round_opened", 3, _counted_by_the_shoe)
RELEASED.register("result_corrected", 3, _counted_by_the_shoe)
