"""What people are shown of the rules at a table, and of what each bet returns under them."""

from dataclasses import dataclass

from studio.live.desk import Desk
from studio.live.exact import Exact, Figures
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
