"""People, sessions, tokens and the log of sign-ins in SQL; the store of `studio.live.accounts`."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Select, Table, insert, select, update
from sqlalchemy.exc import IntegrityError

from studio.live.people import (
    Person,
    SignIn,
    StoredPerson,
    StoredSeat,
    StoredSession,
    StoredToken,
)
from studio.live.rights import Role
from studio.storage import schema
from studio.storage.database import Database

PEOPLE: Table = schema.PersonRow.__table__  # type: ignore[attr-defined]
SIGN_INS: Table = schema.SignInRow.__table__  # type: ignore[attr-defined]
SESSIONS: Table = schema.SessionRow.__table__  # type: ignore[attr-defined]
SEATS: Table = schema.SeatTokenRow.__table__  # type: ignore[attr-defined]
TOKENS: Table = schema.OverlayTokenRow.__table__  # type: ignore[attr-defined]


class SqlPeople:
    """The store of `Accounts`. Any thread may use it."""

    def __init__(self, database: Database) -> None:
        """Stand on an open database."""
        self._database = database

    def add_person(self, stored: StoredPerson) -> bool:
        """Keep a new person; False if the number or the badge is somebody's already."""
        try:
            with self._database.writing() as connection:
                connection.execute(insert(PEOPLE), [_person_values(stored)])
        except IntegrityError:
            return False
        return True

    def change_person(self, stored: StoredPerson) -> None:
        """Keep a person as they are now."""
        with self._database.writing() as connection:
            connection.execute(
                update(PEOPLE)
                .where(PEOPLE.c.id == stored.person.id)
                .values(**_person_values(stored))
            )

    def person_by_number(self, number: str) -> StoredPerson | None:
        """Give the person with this staff number."""
        return self._person(select(PEOPLE).where(PEOPLE.c.number == number))

    def person_by_badge(self, badge_hash: str) -> StoredPerson | None:
        """Give the person with this badge."""
        return self._person(select(PEOPLE).where(PEOPLE.c.badge_hash == badge_hash))

    def _person(self, query: Select[Any]) -> StoredPerson | None:
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else _person(dict(row))

    def people(self) -> Sequence[StoredPerson]:
        """Give all, by number."""
        with self._database.reading() as connection:
            rows = connection.execute(select(PEOPLE).order_by(PEOPLE.c.number)).mappings().all()
        return [_person(dict(row)) for row in rows]

    def log(self, tried: SignIn) -> None:
        """Keep a try; it is never changed."""
        values = {
            "at_us": tried.at_us,
            "number": tried.number,
            "address": tried.address,
            "method": tried.method,
            "outcome": tried.outcome,
        }
        with self._database.writing() as connection:
            connection.execute(insert(SIGN_INS), [values])

    def tries(
        self, *, number: str = "", address: str = "", since_us: int, but: Collection[str] = ()
    ) -> Sequence[SignIn]:
        """Give the newest hundred with this number, or from this address, newest first.

        Those of the outcomes `but` are left out, and do not count for the hundred.
        """
        query = select(SIGN_INS).where(SIGN_INS.c.at_us >= since_us)
        if but:
            query = query.where(SIGN_INS.c.outcome.not_in(list(but)))
        if number:
            query = query.where(SIGN_INS.c.number == number)
        if address:
            query = query.where(SIGN_INS.c.address == address)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(SIGN_INS.c.id.desc()).limit(100)).all()
        return [
            SignIn(
                at_us=row.at_us,
                number=row.number,
                address=row.address,
                method=row.method,
                outcome=row.outcome,
            )
            for row in rows
        ]

    def add_session(self, session: StoredSession) -> None:
        """Keep a new session."""
        with self._database.writing() as connection:
            connection.execute(insert(SESSIONS), [_session_values(session)])

    def session(self, token_hash: str) -> tuple[StoredSession, StoredPerson] | None:
        """Give a session with its person."""
        with self._database.reading() as connection:
            of_token = select(SESSIONS).where(SESSIONS.c.token_hash == token_hash)
            row = connection.execute(of_token).mappings().first()
            if row is None:
                return None
            of_person = select(PEOPLE).where(PEOPLE.c.id == row["person_id"])
            person = connection.execute(of_person).mappings().one()
        return StoredSession(**dict(row)), _person(dict(person))

    def change_session(self, session: StoredSession) -> None:
        """Keep a session as it is now."""
        with self._database.writing() as connection:
            connection.execute(
                update(SESSIONS)
                .where(SESSIONS.c.token_hash == session.token_hash)
                # What has ended stays ended, whoever wrote its last use meanwhile.
                .where(SESSIONS.c.revoked_us.is_(None))
                .values(**_session_values(session))
            )

    def revoke_sessions(self, person_id: str, at_us: int) -> None:
        """End all sessions of a person."""
        with self._database.writing() as connection:
            connection.execute(
                update(SESSIONS)
                .where(SESSIONS.c.person_id == person_id, SESSIONS.c.revoked_us.is_(None))
                .values(revoked_us=at_us)
            )

    def add_token(self, token: StoredToken) -> None:
        """Keep a new token."""
        with self._database.writing() as connection:
            connection.execute(insert(TOKENS), [_token_values(token)])

    def token(self, secret_hash: str) -> StoredToken | None:
        """Give the token with this secret."""
        query = select(TOKENS).where(TOKENS.c.secret_hash == secret_hash)
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else _token(dict(row))

    def tokens(self) -> Sequence[StoredToken]:
        """Give all, oldest first."""
        query = select(TOKENS).order_by(TOKENS.c.created_us, TOKENS.c.id)
        with self._database.reading() as connection:
            rows = connection.execute(query).mappings().all()
        return [_token(dict(row)) for row in rows]

    def change_token(self, token: StoredToken) -> None:
        """Keep a token as it is now."""
        with self._database.writing() as connection:
            connection.execute(
                update(TOKENS).where(TOKENS.c.id == token.id).values(**_token_values(token))
            )

    def add_seat(self, token: StoredSeat) -> None:
        """Keep a new token of a seat."""
        with self._database.writing() as connection:
            connection.execute(insert(SEATS), [_seat_values(token)])

    def seat(self, secret_hash: str) -> StoredSeat | None:
        """Give the token of a seat with this secret."""
        query = select(SEATS).where(SEATS.c.secret_hash == secret_hash)
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else _seat(dict(row))

    def seats(self) -> Sequence[StoredSeat]:
        """Give the tokens of all seats, oldest first."""
        query = select(SEATS).order_by(SEATS.c.created_us, SEATS.c.id)
        with self._database.reading() as connection:
            rows = connection.execute(query).mappings().all()
        return [_seat(dict(row)) for row in rows]

    def change_seat(self, token: StoredSeat) -> None:
        """Keep the token of a seat as it is now."""
        with self._database.writing() as connection:
            connection.execute(
                update(SEATS).where(SEATS.c.id == token.id).values(**_seat_values(token))
            )


def _seat_values(token: StoredSeat) -> dict[str, Any]:
    """Give a row of a seat's token."""
    return {
        "id": token.id,
        "secret_hash": token.secret_hash,
        "table_name": token.table,
        "seat": token.seat,
        "created_us": token.created_us,
        "revoked_us": token.revoked_us,
    }


def _seat(row: dict[str, Any]) -> StoredSeat:
    """Give a seat's token back."""
    return StoredSeat(
        id=row["id"],
        secret_hash=row["secret_hash"],
        table=row["table_name"],
        seat=row["seat"],
        created_us=row["created_us"],
        revoked_us=row["revoked_us"],
    )


def _person_values(stored: StoredPerson) -> dict[str, Any]:
    """Give a row of a person."""
    return {
        "id": stored.person.id,
        "number": stored.person.number,
        "name": stored.person.name,
        "role": stored.person.role.value,
        "locale": stored.person.locale,
        "badge_hash": stored.badge_hash,
        "pin_hash": stored.pin_hash,
        "enabled": stored.enabled,
        "created_us": stored.created_us,
    }


def _person(row: dict[str, Any]) -> StoredPerson:
    """Give a person back."""
    return StoredPerson(
        person=Person(row["id"], row["number"], row["name"], Role(row["role"]), row["locale"]),
        pin_hash=row["pin_hash"],
        badge_hash=row["badge_hash"],
        enabled=bool(row["enabled"]),
        created_us=row["created_us"],
    )


def _session_values(session: StoredSession) -> dict[str, Any]:
    """Give a row of a session."""
    return {
        "token_hash": session.token_hash,
        "person_id": session.person_id,
        "created_us": session.created_us,
        "seen_us": session.seen_us,
        "revoked_us": session.revoked_us,
    }


def _token_values(token: StoredToken) -> dict[str, Any]:
    """Give a row of a token."""
    return {
        "id": token.id,
        "secret_hash": token.secret_hash,
        "table_name": token.table,
        "delay_ms": token.delay_ms,
        "created_us": token.created_us,
        "revoked_us": token.revoked_us,
    }


def _token(row: dict[str, Any]) -> StoredToken:
    """Give a token back."""
    return StoredToken(
        id=row["id"],
        secret_hash=row["secret_hash"],
        table=row["table_name"],
        delay_ms=row["delay_ms"],
        created_us=row["created_us"],
        revoked_us=row["revoked_us"],
    )
