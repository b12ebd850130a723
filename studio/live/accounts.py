"""People, their sign-ins and the secrets of overlays.

Rights are read from the store each time, so a right that is taken away is gone at once. A PIN and
the secret of a token are shown once, when they are made; only hashes are kept. Wrong tries are
answered more and more slowly, never with a lock-out for ever: that would let anybody lock a table.
"""

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from studio.domain.commands import Rejected
from studio.live.people import (
    Added,
    AddedSeat,
    AddedToken,
    Credentials,
    OverlayToken,
    PeopleStore,
    Person,
    Refusal,
    SeatToken,
    Session,
    SignedIn,
    SignIn,
    StoredPerson,
    StoredSeat,
    StoredSession,
    StoredToken,
)
from studio.live.ports import Clock, Ids
from studio.live.rights import Role, may

__all__ = [
    "Accounts",
    "Added",
    "AddedSeat",
    "AddedToken",
    "Credentials",
    "OverlayToken",
    "PeopleStore",
    "Person",
    "Refusal",
    "Role",
    "SeatToken",
    "Session",
    "SignIn",
    "SignedIn",
    "StoredPerson",
    "StoredSeat",
    "StoredSession",
    "StoredToken",
    "may",
]

SECOND_US: Final = 1_000_000
PIN_DIGITS: Final = 6
FREE_TRIES: Final = 3
"""Wrong tries of a number before each next one has to wait."""
FREE_TRIES_OF_ADDRESS: Final = 20
"""The same for an address; several people share one console."""
LONGEST_WAIT_S: Final = 60
MEMORY_US: Final = 3600 * SECOND_US
"""Wrong tries are forgotten after an hour."""
SESSION_US: Final = 16 * 3600 * SECOND_US
"""A sign-in ends after sixteen hours: a double shift."""
IDLE_US: Final = 8 * 3600 * SECOND_US
"""A sign-in ends after eight hours without use."""
SEEN_EVERY_US: Final = 60 * SECOND_US
"""How often the use of a session is written down at most."""
MAX_DELAY_MS: Final = 600_000
NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,15}")
HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""Argon2id as OWASP's password sheet asks at least (19 MiB, 2 passes): about 20 ms of one core."""


class Accounts:
    """Who may come in. Any thread may use it; sign-ins wait for each other."""

    def __init__(self, store: PeopleStore, clock: Clock, ids: Ids) -> None:
        """Stand on a store."""
        self._store = store
        self._clock = clock
        self._ids = ids
        # Without it a hundred guesses sent at once would all be looked at before the first counts.
        self._one_at_a_time = Lock()

    # -- signing in ---------------------------------------------------------------------------

    def sign_in(self, number: str, pin: str, address: str = "") -> Session | Refusal:
        """Sign a person in by staff number and PIN; `address` is that of the screen."""
        number = _plain(number)
        with self._one_at_a_time:
            wait_s = self._wait_s(number, address)
            if wait_s:
                return self._refuse(number, address, "pin", "wait", wait_s)
            stored = self._store.person_by_number(number)
            # An unknown number takes as long as a known one.
            right = _pin_fits(stored.pin_hash if stored else _NOBODYS_PIN, pin)
            if stored is None:
                return self._refuse(number, address, "pin", "unknown")
            if not right:
                return self._refuse(number, address, "pin", "wrong")
            return self._admit(stored, address, "pin")

    def sign_in_badge(self, badge: str, address: str = "") -> Session | Refusal:
        """Sign a person in by badge alone."""
        with self._one_at_a_time:
            wait_s = self._wait_s("", address)
            if wait_s:
                return self._refuse("", address, "badge", "wait", wait_s)
            stored = self._store.person_by_badge(_hash("badge", badge))
            if stored is None:
                return self._refuse("", address, "badge", "unknown")
            return self._admit(stored, address, "badge")

    def sign_in_by(self, given: Credentials) -> Session | Refusal:
        """Sign a person in by whichever they gave: a badge alone, or number and PIN."""
        if given.badge and not given.number:
            return self.sign_in_badge(given.badge, given.address)
        return self.sign_in(given.number, given.pin, given.address)

    def _admit(self, stored: StoredPerson, address: str, method: str) -> Session | Refusal:
        """Begin a session, if the person is enabled."""
        number = stored.person.number
        if not stored.enabled:
            return self._refuse(number, address, method, "disabled")
        now_us = self._clock.now_us()
        self._log(number, address, method, "ok")
        token = secrets.token_urlsafe(32)
        self._store.add_session(
            StoredSession(
                token_hash=_hash("session", token),
                person_id=stored.person.id,
                created_us=now_us,
                seen_us=now_us,
            )
        )
        return Session(token, stored.person)

    def _refuse(
        self, number: str, address: str, method: str, outcome: str, wait_s: int = 0
    ) -> Refusal:
        """Keep the try and word the answer."""
        self._log(number, address, method, outcome)
        if outcome == "wait":
            return Refusal(
                "refused.too_fast",
                f"Too many wrong tries: wait {wait_s} s, then try again.",
                wait_s,
            )
        if method == "badge":
            return Refusal("refused.sign_in", "This badge is not known: use number and PIN.")
        return Refusal("refused.sign_in", "Number and PIN do not fit: try again.")

    def _log(self, number: str, address: str, method: str, outcome: str) -> None:
        self._store.log(
            SignIn(
                at_us=self._clock.now_us(),
                number=number,
                address=address,
                method=method,
                outcome=outcome,
            )
        )

    def _wait_s(self, number: str, address: str) -> int:
        """Whole seconds until this number may be tried from this address; 0 for now."""
        now_us = self._clock.now_us()
        since_us = now_us - MEMORY_US
        of_number: list[SignIn] = []
        if number:
            # Tries that cost nothing must not push those that count out of sight.
            for tried in self._store.tries(number=number, since_us=since_us, but=("wait",)):
                if tried.outcome == "ok":
                    break
                of_number.append(tried)
        of_address: Sequence[SignIn] = ()
        if address:
            of_address = self._store.tries(address=address, since_us=since_us, but=("wait", "ok"))
        return max(
            _delay_s(of_number, FREE_TRIES, now_us),
            _delay_s(of_address, FREE_TRIES_OF_ADDRESS, now_us),
        )

    # -- sessions -----------------------------------------------------------------------------

    def session(self, token: str) -> Person | None:
        """Who holds this session now; None if it ended or the person may not sign in any more."""
        found = self._store.session(_hash("session", token))
        if found is None:
            return None
        session, stored = found
        now_us = self._clock.now_us()
        if (
            session.revoked_us is not None
            or not stored.enabled
            or now_us - session.created_us > SESSION_US
            or now_us - session.seen_us > IDLE_US
        ):
            return None
        if now_us - session.seen_us > SEEN_EVERY_US:
            self._store.change_session(replace(session, seen_us=now_us))
        return stored.person

    def signed_in(self, token: str) -> SignedIn | None:
        """Who holds this session now, and what names it; None where `session` gives None."""
        person = self.session(token)
        return None if person is None else SignedIn(person, self.name_of_session(token))

    @staticmethod
    def name_of_session(token: str) -> str:
        """What names a session where its secret may not stand."""
        return _hash("session-name", token)[:16]

    def sign_out(self, token: str) -> None:
        """End a session; an unknown one is no mistake."""
        found = self._store.session(_hash("session", token))
        if found is not None and found[0].revoked_us is None:
            self._store.change_session(replace(found[0], revoked_us=self._clock.now_us()))

    # -- people -------------------------------------------------------------------------------

    def add_person(
        self, name: str, role: str, *, number: str, badge: str | None = None, locale: str = ""
    ) -> Added:
        """Add a person; the PIN is made here and shown this once.

        Raises:
            Rejected: for an unknown role, a bad number or name, or one that is taken.
        """
        name = name.strip()
        if not name or len(name) > 80 or not name.isprintable():  # noqa: PLR2004  as it fits
            raise Rejected("name_unusable", "give a name of 1 to 80 printable characters")
        if not NUMBER.fullmatch(number):
            raise Rejected(
                "number_unusable", f"{number!r} is no staff number: use 1 to 16 letters and digits"
            )
        if role not in set(Role):
            roles = ", ".join(Role)
            raise Rejected("role_unknown", f"{role!r} is no role: use one of {roles}")
        person = Person(self._ids.new(), number, name, Role(role), locale)
        pin = _new_pin()
        stored = StoredPerson(
            person=person,
            pin_hash=HASHER.hash(pin),
            badge_hash=_hash("badge", badge) if badge else None,
            enabled=True,
            created_us=self._clock.now_us(),
        )
        if not self._store.add_person(stored):
            raise Rejected(
                "number_taken", f"number {number} or the badge is somebody's already: give another"
            )
        return Added(person, pin)

    def name_of(self, number: str) -> str:
        """The name of the person with this staff number; empty if nobody has it."""
        stored = self._store.person_by_number(number)
        return "" if stored is None else stored.person.name

    def lost_right(self, number: str, command: str) -> bool:
        """Whether this person, as the store knows them now, may not ask this any more."""
        stored = self._store.person_by_number(number)
        return stored is not None and not (stored.enabled and may(stored.person.role, command))

    def list_people(self) -> Sequence[StoredPerson]:
        """Give everybody, by number."""
        return self._store.people()

    def new_pin(self, number: str) -> str:
        """Make a new PIN, shown this once; all sessions of the person end.

        Raises:
            Rejected: if nobody has this number.
        """
        stored = self._known(number)
        pin = _new_pin()
        self._store.change_person(replace(stored, pin_hash=HASHER.hash(pin)))
        self._store.revoke_sessions(stored.person.id, self._clock.now_us())
        return pin

    def enable(self, number: str, *, enabled: bool) -> None:
        """Let a person sign in or not; when not, all their sessions end at once.

        Raises:
            Rejected: if nobody has this number.
        """
        stored = self._known(number)
        self._store.change_person(replace(stored, enabled=enabled))
        if not enabled:
            self._store.revoke_sessions(stored.person.id, self._clock.now_us())

    def _known(self, number: str) -> StoredPerson:
        stored = self._store.person_by_number(number)
        if stored is None:
            raise Rejected("number_unknown", f"nobody has number {number}: see `people list`")
        return stored

    # -- tokens of overlays and seats -----------------------------------------------------------

    def add_token(self, table: str, *, delay_ms: int = 0) -> AddedToken:
        """Make a read-only address for a table's overlay; the secret is shown this once.

        Raises:
            Rejected: for a delay below 0 or above ten minutes.
        """
        if not 0 <= delay_ms <= MAX_DELAY_MS:
            raise Rejected("delay_unusable", f"give a delay of 0 to {MAX_DELAY_MS} ms")
        secret = secrets.token_urlsafe(24)
        stored = StoredToken(
            id=self._ids.new(),
            secret_hash=_hash("overlay", secret),
            table=table,
            delay_ms=delay_ms,
            created_us=self._clock.now_us(),
        )
        self._store.add_token(stored)
        return AddedToken(OverlayToken(stored.id, table, delay_ms), secret)

    def token(self, secret: str) -> OverlayToken | None:
        """What an overlay's secret stands for; None if it is unknown or was revoked."""
        stored = self._store.token(_hash("overlay", secret))
        if stored is None or stored.revoked_us is not None:
            return None
        return OverlayToken(stored.id, stored.table, stored.delay_ms)

    def list_tokens(self) -> Sequence[StoredToken]:
        """Give all tokens, oldest first; none of them tells its secret."""
        return self._store.tokens()

    def add_seat(self, table: str, seat: int) -> AddedSeat:
        """Make the token of a seat, from 0; the secret is shown this once.

        Raises:
            Rejected: for a seat below 0.
        """
        if seat < 0:
            raise Rejected("seat_unknown", "seats are numbered from 0")
        secret = secrets.token_urlsafe(24)
        stored = StoredSeat(
            id=self._ids.new(),
            secret_hash=_hash("seat", secret),
            table=table,
            seat=seat,
            created_us=self._clock.now_us(),
        )
        self._store.add_seat(stored)
        return AddedSeat(SeatToken(stored.id, table, seat), secret)

    def seat_token(self, secret: str) -> SeatToken | None:
        """What a seat's secret stands for; None if it is unknown or was revoked."""
        stored = self._store.seat(_hash("seat", secret))
        if stored is None or stored.revoked_us is not None:
            return None
        return SeatToken(stored.id, stored.table, stored.seat)

    def list_seats(self) -> Sequence[StoredSeat]:
        """Give the tokens of all seats, oldest first; none of them tells its secret."""
        return self._store.seats()

    def revoke_token(self, token_id: str) -> None:
        """End a token, of an overlay or a seat; it opens nothing from now on.

        Raises:
            Rejected: if there is no such token.
        """
        for seat in self._store.seats():
            if seat.id == token_id:
                self._store.change_seat(replace(seat, revoked_us=self._clock.now_us()))
                return
        for stored in self._store.tokens():
            if stored.id == token_id:
                self._store.change_token(replace(stored, revoked_us=self._clock.now_us()))
                return
        raise Rejected("token_unknown", f"there is no token {token_id}: see `tokens list`")


def _plain(given: str) -> str:
    """Give what was typed as it may be kept: at most 64 characters that any database takes."""
    return given[:64].encode("utf-8", "replace").decode()


def _hash(what: str, secret: str) -> str:
    """Hash a secret that is long and random, or a badge, so that it can be looked up."""
    return hashlib.sha256(f"cutcard-{what}:{secret}".encode("utf-8", "replace")).hexdigest()


def _new_pin() -> str:
    """Make a PIN; not one whose digits are all alike."""
    while True:
        pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        if len(set(pin)) > 1:
            return pin


_NOBODYS_PIN: Final = HASHER.hash(secrets.token_hex(16))


def _pin_fits(pin_hash: str, pin: str) -> bool:
    """Compare; False for whatever cannot be compared."""
    try:
        return HASHER.verify(pin_hash, pin.encode("utf-8", "replace"))
    except (VerificationError, InvalidHashError):
        return False


def _delay_s(tries: Sequence[SignIn], free: int, now_us: int) -> int:
    """Seconds still to wait after these tries, newest first: 1, 2, 4 … up to a minute.

    Tries that were told to wait do not count, so that waiting never gets longer by asking.
    """
    # A wall clock that was set back must not lock anybody out until it is there again.
    wrong = [
        tried for tried in tries if tried.outcome not in {"ok", "wait"} and tried.at_us <= now_us
    ]
    if len(wrong) < free:
        return 0
    wait_s = min(LONGEST_WAIT_S, 1 << min(len(wrong) - free, 10))
    left_us = wait_s * SECOND_US - (now_us - wrong[0].at_us)
    return max(0, -(-left_us // SECOND_US))
