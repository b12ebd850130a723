"""Events of faults, holds, and what needs a second person."""

from dataclasses import dataclass
from typing import ClassVar

from studio.domain.envelope import Sealed
from studio.domain.faults import Fault
from studio.domain.observations import EvidenceItem


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRaised:
    """The world is not as the rules say. `holds` puts (or keeps) the table on hold."""

    NAME: ClassVar[str] = "fault_raised"
    VERSION: ClassVar[int] = 2
    fault: Fault
    holds: bool
    remaining_us: int | None = None
    """What was left of the open window when it was stopped; None if none ran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallExplained:
    """The dealer said why the supervisor was called, after the call."""

    NAME: ClassVar[str] = "call_explained"
    VERSION: ClassVar[int] = 1
    fault: str
    reason: str
    """Message code of the list `policy.CALL_REASONS`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultAnswered:
    """A repair answered a fault."""

    NAME: ClassVar[str] = "fault_answered"
    VERSION: ClassVar[int] = 3
    fault: str
    code: str
    repair: str
    reason: str
    note: str = ""
    """Words of the person's own, on top of the reason."""
    worded: str = ""
    """Name of the words under which the repair was offered, as ``put_back``, where these were not
    its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldTaken:
    """A supervisor has this hold in hand."""

    NAME: ClassVar[str] = "hold_taken"
    VERSION: ClassVar[int] = 2
    by: str
    """Name as screens show it."""
    number: str = ""
    """Staff number; empty in what 0.1.0 wrote, and of whoever has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldLifted:
    """The table goes on; a stopped window runs again until `deadline_us`."""

    NAME: ClassVar[str] = "hold_lifted"
    VERSION: ClassVar[int] = 1
    deadline_us: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalAsked:
    """A person asked for what needs a second one; nothing is done yet."""

    NAME: ClassVar[str] = "approval_asked"
    VERSION: ClassVar[int] = 2
    approval: str
    """Number of this event, as text; unique in the table's stream."""
    command: str
    """Name of the command that waits."""
    body: str
    """The command, canonical JSON by field; cards by code, one that lies face down as ``XX``."""
    by: str
    """Staff number of who asked."""
    by_name: str
    session: str
    """Names the sign-in of who asked, never its secret."""
    fault: str = ""
    """The fault that it answers, where it does."""
    round_id: str = ""
    """The round that it is about, where it is."""
    before: str = ""
    """Result of a settled round as it stands, where it is to be corrected."""
    after: str = ""
    """What its result would be."""
    gives: int = 0
    """Minor units that would go to players."""
    takes: int = 0
    """Minor units that would be asked back from players."""
    sealed: Sealed | None = None
    """What the command says of a card that lies face down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalEnded:
    """What was asked for is no longer waiting; if it was given, what follows comes next."""

    NAME: ClassVar[str] = "approval_ended"
    VERSION: ClassVar[int] = 1
    approval: str
    how: str
    """``given``, ``declined``, ``withdrawn`` or ``overtaken``."""
    by: str = ""
    """Staff number of the second person, or of who withdrew; empty if overtaken."""
    by_name: str = ""
    reason: str = ""
    """Message code: why it was declined, or what happened instead of what was overtaken."""
    note: str = ""
    """Words of who declined, on top of the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceKept:
    """Frames of the wires and pictures of the cameras around a fault were kept, with digests."""

    NAME: ClassVar[str] = "evidence_kept"
    VERSION: ClassVar[int] = 1
    fault: str
    """Id of the fault; ``void-<round>`` or ``corrected-<round>-<number>`` where there is none."""
    items: tuple[EvidenceItem, ...]
