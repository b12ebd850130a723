"""What people are shown of the rules at a table, and of what each bet returns under them."""

from dataclasses import dataclass, replace

from studio.live.desk import Desk
from studio.live.exact import Exact, Figures, Progress
from studio.live.observed import Asked, Counted, Observed, Of, compare
from studio.table.views import Message


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules in force at a table, in the order in which they are to be read."""

    table: str
    game: str
    version: str
    """Version of the procedure, as ``baccarat@1``."""
    digest: str
    lines: tuple[Message, ...]


class Figured:
    """Rules and figures of all tables; a part of the service. Every method from any thread."""

    exact: Exact
    """Who works the figures out; exchangeable, so that a test need not wait for them."""
    counted: Counted
    """Who counts what was dealt."""
    _desks: dict[str, Desk]

    def rules(self, table: str) -> RulesView:
        """The rules in force, for players; KeyError for a table that does not exist."""
        setup = self._desks[table].runner.setup
        lines = tuple(Message(code, params) for code, params in setup.game.rule_text(setup.rules))
        return RulesView(table, setup.game.name, setup.game.version, setup.rules_digest, lines)

    def figures(self, table: str) -> Figures:
        """What each bet returns under the rules in force, as far as it is worked out by now.

        Raises:
            KeyError: for a table that does not exist.
        """
        setup = self._desks[table].runner.setup
        return self.exact.of(setup.game, setup.rules, setup.rules_digest)

    def observed(self, table: str) -> Observed:
        """What was dealt beside what is expected, per table, dealer and shift.

        Raises:
            KeyError: for a table that does not exist.
        """
        setup = self._desks[table].runner.setup
        figures = self.figures(table)
        asked = Asked(
            table=table,
            game=setup.game.name,
            rules=setup.rules.as_dict(),
            digest=setup.rules_digest,
        )
        count = self.counted.of(asked, self.now_us())
        for each in (figures.progress, count.progress):
            if each is not Progress.READY:
                return Observed(table=table, game=setup.game.name, progress=each)
        return Observed(
            table=table,
            game=setup.game.name,
            progress=Progress.READY,
            at_us=count.at_us,
            groups=tuple(
                replace(group, name=self._name_of(group.name)) if group.of is Of.DEALER else group
                for group in compare(count.groups, figures)
            ),
        )

    def now_us(self) -> int:
        """The studio's clock, UTC in microseconds."""
        raise NotImplementedError

    def _name_of(self, number: str) -> str:
        raise NotImplementedError
