"""What the faces ask of the studio. `studio.live.service` and `studio.live.accounts` fulfil it.

Written down here so that a face can be tried against a small fake, and so that one page says how
little the web may do: look at views, and ask.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from studio.domain.commands import Bet, Decision
from studio.table.views import Envelope, EvidenceView, Message


class Person(Protocol):
    """Somebody who signed in; `role` decides which faces and commands are open."""

    @property
    def id(self) -> str:
        """Identifier in the store."""

    @property
    def number(self) -> str:
        """Staff number."""

    @property
    def name(self) -> str:
        """Name as it is shown."""

    @property
    def role(self) -> str:
        """``dealer``, ``supervisor``, ``pit-boss``, ``engineer`` or ``auditor``."""

    @property
    def locale(self) -> str:
        """Language of this person's screens, empty for the studio's own."""


class SignedIn(Protocol):
    """Who holds a session now."""

    @property
    def person(self) -> Person:
        """Who it is."""

    @property
    def session(self) -> str:
        """Names the sign-in; it is not its secret."""


class OverlayToken(Protocol):
    """What the secret in an overlay's address stands for."""

    @property
    def table(self) -> str:
        """The only table that this overlay may show."""

    @property
    def delay_ms(self) -> int:
        """Delay that the server keeps, in milliseconds; the address may only add to it."""


class SeatToken(Protocol):
    """What the secret of a seat stands for."""

    @property
    def id(self) -> str:
        """Identifier in the store."""

    @property
    def table(self) -> str:
        """The table at which the seat is."""

    @property
    def seat(self) -> int:
        """Its number, from 0."""


class Accounts(Protocol):
    """Who may come in. Sessions live in the store, so a right taken away is gone at once."""

    def sign_in(self, number: str, pin: str, address: str) -> Any:
        """Give a session, with `token` and `person`, or a refusal, with `code` and `text`."""

    def sign_in_badge(self, badge: str, address: str) -> Any:
        """The same by the badge alone."""

    def session(self, token: str) -> Person | None:
        """Who holds this session now; None if it ended or the person may not sign in any more."""

    def signed_in(self, token: str) -> Any:
        """The same with the name of the sign-in, a `SignedIn`; None where `session` gives None."""

    def sign_out(self, token: str) -> None:
        """End a session; an unknown one is no mistake."""

    def token(self, secret: str) -> OverlayToken | None:
        """What an overlay's secret stands for; None if it is unknown or was revoked."""

    def seat_token(self, secret: str) -> SeatToken | None:
        """What a seat's secret stands for; None if it is unknown or was revoked."""


class Reply(Protocol):
    """The answer to a command."""

    @property
    def status(self) -> str:
        """``done``, ``rejected``, ``pending`` or ``busy``."""

    @property
    def code(self) -> str:
        """Message code of the reason, empty where it was done."""

    @property
    def text(self) -> str:
        """The reason in English."""

    @property
    def seq(self) -> int:
        """Number of the view that holds the outcome."""


class RulesView(Protocol):
    """The rules in force at a table, in the order in which they are to be read."""

    @property
    def table(self) -> str:
        """Name of the table."""

    @property
    def game(self) -> str:
        """Name of the game."""

    @property
    def version(self) -> str:
        """Version of the procedure, as ``baccarat@1``."""

    @property
    def digest(self) -> str:
        """Digest of the rule object."""

    @property
    def lines(self) -> tuple[Message, ...]:
        """One message per rule."""


class BetFigures(Protocol):
    """One bet under the rules in force; shares of 1, per unit staked."""

    @property
    def bet(self) -> str:
        """A bet of the game, or the main bet under a way of playing, as ``main_auto``."""

    @property
    def returned(self) -> float:
        """Mean of what goes back, the stake included."""


class Figures(Protocol):
    """What each bet of a table returns, as far as it is worked out."""

    @property
    def progress(self) -> str:
        """``ready``, ``in_work``, ``failed``, or ``none`` where how seats play decides the bets."""

    @property
    def bets(self) -> Sequence[BetFigures]:
        """All bets; empty until they are ready."""

    @property
    def label(self) -> float | None:
        """The return that the house shows, where the game has such a label."""


class Health(Protocol):
    """Whether the studio can deal, and what speaks against it."""

    @property
    def ready(self) -> bool:
        """Whether every table can be worked with."""

    @property
    def findings(self) -> tuple[str, ...]:
        """One English sentence per finding, empty if all is well."""

    @property
    def tables(self) -> tuple[Any, ...]:
        """The tables, by name or as a value with `table` and `state`."""


class Opened(Protocol):
    """What is open at one camera's bench."""

    @property
    def name(self) -> str:
        """Who works there."""


class Benches(Protocol):
    """The benches at which an engineer sets cameras up."""

    def opened(self, table: str) -> Opened | None:
        """What is open at this table's camera now."""

    def has(self, table: str) -> bool:
        """Whether this table's camera can be set up at all."""

    def live(self, table: str) -> tuple[int, bytes] | None:
        """(age in microseconds, JPEG) of the camera's newest frame; None where there is none."""

    def do(
        self, table: str, word: str, given: Mapping[str, Any], *, person: Any, page: str
    ) -> dict[str, Any]:
        """Do one thing; raises Rejected, with `values` for its sentence."""


class Taken(Protocol):
    """What became of a batch."""

    @property
    def accepted(self) -> int:
        """How many entries are in."""

    @property
    def refused(self) -> tuple[tuple[str, str], ...]:
        """(id, message code) of all others."""


class Seats(Protocol):
    """What those who sit at a table ask for their own seat."""

    def knows(self, token: Any) -> bool:
        """Whether a token's seat is one of a table that exists now."""

    def hand(self, token: Any) -> dict[str, Any]:
        """The seat's own cards, and what it may choose now."""

    def choose(self, token: Any, window: int, choice: str, key: str = "") -> Reply:
        """Choose for the seat."""

    def claim(self, token: Any, note: str, key: str = "") -> Reply:
        """Claim a fault of the play."""


class Platform(Protocol):
    """What betting platforms ask; KeyError for a table that does not exist."""

    def call(self, **fields: Any) -> Any:
        """A call as it came in."""

    def admit(self, call: Any) -> Any:
        """The same call, once its signature was found good; raises Rejected."""

    def tables(self) -> tuple[str, ...]:
        """Names of the tables."""

    def table(self, name: str) -> dict[str, Any]:
        """A table as it is now."""

    def rounds(self, table: str, *, before: int = 0, limit: int = 50) -> dict[str, Any]:
        """The rounds of a table, newest first."""

    def round(self, table: str, round_id: str) -> dict[str, Any] | None:
        """A round; None if there is none of that name."""

    def feed(
        self, table: str, after: int, *, limit: int = 500, wait_s: float = 0.0
    ) -> dict[str, Any]:
        """The outbox after an entry, waiting for one where there is none."""

    def bets_of(
        self, call: Any, player: str, *, before: int = 0, limit: int = 100
    ) -> dict[str, Any]:
        """The bet record of a player, as far as the caller placed the bets."""

    def place(self, call: Any, table: str, round_id: str, bets: Sequence[Bet]) -> Taken:
        """Place a batch of bets; raises Rejected."""

    def decide(
        self, call: Any, table: str, round_id: str, window: int, decisions: Sequence[Decision]
    ) -> Taken:
        """Give a batch of decisions; raises Rejected."""

    def disconnect(self, call: Any, table: str, round_id: str, players: Sequence[str]) -> Taken:
        """Name players who are gone; raises Rejected."""


class Service(Protocol):
    """The studio as the faces see it. Every method may be called from any thread."""

    @property
    def epoch(self) -> str:
        """Changes each time the studio starts."""

    @property
    def studio_name(self) -> str:
        """Name of the studio."""

    @property
    def currency(self) -> str:
        """ISO code of the tables' currency."""

    @property
    def locale(self) -> str:
        """Language of the studio."""

    @property
    def profile(self) -> str:
        """Whose rules about irregularities apply."""

    @property
    def accounts(self) -> Accounts:
        """Who may come in."""

    @property
    def benches(self) -> Benches:
        """Where cameras are set up."""

    @property
    def platform(self) -> Platform:
        """What betting platforms ask."""

    @property
    def seats(self) -> Seats:
        """What those who sit at a table ask."""

    def tables(self) -> tuple[str, ...]:
        """Names of the tables in their fixed order."""

    def view(self, table: str, audience: str) -> Envelope:
        """The newest view; raises KeyError for a table that does not exist."""

    def wall(self) -> Envelope:
        """One tile per table, for supervisors."""

    def submit(
        self,
        table: str,
        name: str,
        args: Mapping[str, Any],
        *,
        person: Any,
        command_id: str,
        seq: int | None,
        timeout_s: float = 1.0,
    ) -> Reply:
        """Ask a table for something; the same `command_id` gets the same answer."""

    def approve_here(
        self,
        table: str,
        approval: str,
        *,
        second: Any,
        approve: bool = True,
        reason: str = "",
        command_id: str,
    ) -> Reply:
        """Let a second person answer an approval on the console of the first."""

    def leave(self, person: Any) -> Reply:
        """Let who goes home stand up from their table, or say why they cannot."""

    def refused(self, table: str, name: str, *, person: Any, code: str, text: str) -> None:
        """Keep what was refused before it came to a table."""

    def subscribe(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with a table's name after each new view; the answer ends it."""

    def picture(self, table: str) -> bytes | None:
        """The camera's newest picture as JPEG; None where there is none."""

    def evidence(self, table: str, fault: str) -> tuple[EvidenceView, ...]:
        """What was kept of a fault, as the journal says; empty if nothing was."""

    def evidence_item(self, table: str, fault: str, name: str) -> bytes | None:
        """The bytes of one piece; None if there is none. Raises Rejected if it was changed."""

    def bundle(self, table: str, fault: str) -> bytes | None:
        """A fault, its round and its evidence as one archive; None if there is no such fault."""

    def rules(self, table: str) -> RulesView:
        """The rules in force; raises KeyError for a table that does not exist."""

    def figures(self, table: str) -> Figures:
        """What each bet returns, as far as it is known; it is worked out from the first asking."""

    def observed(self, table: str) -> Any:
        """Expected against observed, as `studio.live.observed.Observed`; counted when asked for."""

    def health(self) -> Health:
        """Whether the studio can deal."""

    def metrics(self, screens: Mapping[str, int] | None = None) -> str:
        """All figures in the Prometheus text format; `screens` are the open ones by audience."""


class WebSettings(Protocol):
    """The part of the configuration that the web reads."""

    @property
    def bind(self) -> str:
        """Host and port, as ``127.0.0.1:8000``."""

    @property
    def max_sockets(self) -> int:
        """How many screens may be connected at once."""


class Secret(Protocol):
    """A text that is never shown by accident."""

    def get_secret_value(self) -> str:
        """The text itself."""


class Secrets(Protocol):
    """What the web takes from the environment."""

    @property
    def secret_key(self) -> Secret | None:
        """``CUTCARD_SECRET_KEY``; None where it is not set."""


class Settings(Protocol):
    """The configuration, as far as the web looks into it."""

    @property
    def secrets(self) -> Secrets:
        """What came from the environment."""

    @property
    def web(self) -> WebSettings:
        """Section ``[web]``."""
