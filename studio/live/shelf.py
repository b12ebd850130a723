"""What people are shown of the kept evidence: what there is, each piece, and the whole bundle."""

from collections.abc import Callable
from typing import Final

from studio.domain.commands import Rejected
from studio.live.evidence import Keeper
from studio.live.ports import EvidenceError, EvidenceStore
from studio.table.kept import HIDDEN
from studio.table.views import EvidenceView

HIDDEN_TEXT: Final = (
    "this picture may show a card that lies face down: look at it once that card is turned"
)


class Shelf:
    """The evidence of all tables; a part of the service. Every method from any thread."""

    keeper: Keeper | None = None
    """Who keeps it; None before the start."""
    _kept: EvidenceStore | None = None
    _bundle: Callable[[str, str], bytes | None] | None = None

    def evidence(self, table: str, fault: str) -> tuple[EvidenceView, ...]:
        """What was kept of a fault, as the journal says; empty if nothing was."""
        if self._kept is None:
            return ()
        return tuple(
            EvidenceView(
                name=item.name,
                kind=item.kind,
                sha256=item.sha256,
                size=item.size,
                at_us=item.at_us,
            )
            for item in self._kept.items(table, fault)
        )

    def evidence_item(self, table: str, fault: str, name: str) -> bytes | None:
        """The bytes of one piece; None if there is none, or it is no longer kept.

        Raises:
            Rejected: if it is not what was kept, or shows a card that nobody may know yet.
        """
        if self._kept is None:
            return None
        try:
            data = self._kept.read(table, fault, name)
        except EvidenceError as wrong:
            raise Rejected("refused.evidence_damaged", str(wrong)) from wrong
        if data is None and (name, HIDDEN) in self._kinds(table, fault):
            raise Rejected("refused.evidence_hidden", HIDDEN_TEXT)
        return data

    def _kinds(self, table: str, fault: str) -> set[tuple[str, str]]:
        return {(item.name, item.kind) for item in self.evidence(table, fault)}

    def bundle(self, table: str, fault: str) -> bytes | None:
        """All of a fault and its round as one archive that can be checked without the studio.

        None if there is no such fault.

        Raises:
            Rejected: if something of it is damaged.
        """
        if self._bundle is None:
            return None
        try:
            return self._bundle(table, fault)
        except EvidenceError as wrong:
            raise Rejected("refused.evidence_damaged", str(wrong)) from wrong

    def _lay_out(
        self,
        keeper: Keeper,
        kept: EvidenceStore,
        bundle: Callable[[str, str], bytes | None] | None = None,
    ) -> None:
        """Take over keeper, store and how a bundle is made, at a start."""
        self.keeper, self._kept, self._bundle = keeper, kept, bundle

    def _evidence_findings(self) -> tuple[str, ...]:
        return () if self.keeper is None else self.keeper.findings()
