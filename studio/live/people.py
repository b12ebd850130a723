"""People, sign-ins, sessions and tokens as values, and the port of the store that keeps them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from studio.live.rights import Role


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may sign in, as the faces see them."""

    id: str
    number: str
    """Staff number, unique."""
    name: str
    role: Role
    locale: str = ""
    """Language of this person's screens; empty for the studio's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPerson:
    """A person as the store keeps them."""

    person: Person
    pin_hash: str
    badge_hash: str | None
    enabled: bool
    created_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """One try to sign in; all are kept."""

    at_us: int
    number: str
    """As it was given, or the number that the badge belongs to; empty for an unknown badge."""
    address: str
    method: str
    """``pin`` or ``badge``."""
    outcome: str
    """``ok``, ``unknown``, ``wrong``, ``disabled`` or ``wait``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSession:
    """A sign-in that lasts, by the hash of its token."""

    token_hash: str
    person_id: str
    created_us: int
    seen_us: int
    revoked_us: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredToken:
    """The secret of an overlay, by its hash."""

    id: str
    secret_hash: str
    table: str
    delay_ms: int
    created_us: int
    revoked_us: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSeat:
    """The secret of a seat, by its hash."""

    id: str
    secret_hash: str
    table: str
    seat: int
    created_us: int
    revoked_us: int | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """A sign-in that was granted."""

    token: str
    """The secret of the session, for the browser's cookie; only its hash is kept."""
    person: Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """By what somebody says who they are; number and PIN, or a badge. Its text tells neither."""

    number: str = ""
    pin: str = field(default="", repr=False)
    badge: str = field(default="", repr=False)
    address: str = ""
    """Of the screen at which they stand."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who holds a session now."""

    person: Person
    session: str
    """Names the sign-in, in facts and in records; it says nothing about the session's secret."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A sign-in that was not granted. It never says which of number and PIN was wrong."""

    code: str
    """Message code."""
    text: str
    """The reason in English, and what to do."""
    retry_s: int = 0
    """Whole seconds until the next try is looked at; 0 if it may be made now."""


@dataclass(frozen=True, slots=True)
class Added:
    """A person with the PIN that is shown this once."""

    person: Person
    pin: str


@dataclass(frozen=True, slots=True)
class OverlayToken:
    """What the secret in an overlay's address stands for."""

    id: str
    table: str
    delay_ms: int
    """Delay that the server keeps, in milliseconds; an address may only add to it."""


@dataclass(frozen=True, slots=True)
class SeatToken:
    """What the secret of a seat stands for: the right to see that hand and to choose for it."""

    id: str
    table: str
    seat: int
    """From 0, in the order of play."""


@dataclass(frozen=True, slots=True)
class AddedSeat:
    """A seat's token with the secret that is shown this once."""

    token: SeatToken
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AddedToken:
    """A token with the secret that is shown this once."""

    token: OverlayToken
    secret: str


class PeopleStore(Protocol):
    """Where people, sessions and tokens are kept. Any thread may call it."""

    def add_person(self, stored: StoredPerson) -> bool:
        """Keep a new person; False if the number or the badge is somebody's already."""

    def change_person(self, stored: StoredPerson) -> None:
        """Keep a person as they are now."""

    def person_by_number(self, number: str) -> StoredPerson | None:
        """Give the person with this staff number."""

    def person_by_badge(self, badge_hash: str) -> StoredPerson | None:
        """Give the person with this badge."""

    def people(self) -> Sequence[StoredPerson]:
        """Give all, by number."""

    def log(self, tried: SignIn) -> None:
        """Keep a try; it is never changed."""

    def tries(
        self, *, number: str = "", address: str = "", since_us: int, but: Collection[str] = ()
    ) -> Sequence[SignIn]:
        """Give the newest hundred with this number, or from this address, newest first.

        Those of the outcomes `but` are left out, and do not count for the hundred.
        """

    def add_session(self, session: StoredSession) -> None:
        """Keep a new session."""

    def session(self, token_hash: str) -> tuple[StoredSession, StoredPerson] | None:
        """Give a session with its person."""

    def change_session(self, session: StoredSession) -> None:
        """Keep a session as it is now."""

    def revoke_sessions(self, person_id: str, at_us: int) -> None:
        """End all sessions of a person."""

    def add_token(self, token: StoredToken) -> None:
        """Keep a new token."""

    def token(self, secret_hash: str) -> StoredToken | None:
        """Give the token with this secret."""

    def tokens(self) -> Sequence[StoredToken]:
        """Give all, oldest first."""

    def change_token(self, token: StoredToken) -> None:
        """Keep a token as it is now."""

    def add_seat(self, token: StoredSeat) -> None:
        """Keep a new token of a seat."""

    def seat(self, secret_hash: str) -> StoredSeat | None:
        """Give the token of a seat with this secret."""

    def seats(self) -> Sequence[StoredSeat]:
        """Give the tokens of all seats, oldest first."""

    def change_seat(self, token: StoredSeat) -> None:
        """Keep the token of a seat as it is now."""
