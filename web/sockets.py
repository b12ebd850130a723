"""The live channel: who may join what, and how a command goes in. Socket.IO on plain threads.

Flask's own hooks do not run for socket events, so everything that they would check is checked here:
the origin by the server, the person and the role from the store for each command, the rate by a
bucket per socket.
"""

import json
import logging
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask, request
from flask_socketio import ConnectionRefusedError as SocketRefused
from flask_socketio import SocketIO

from web.bucket import Bucket
from web.connections import FAREWELL_S, Connections, carrier
from web.door import Door
from web.guard import AUDIENCE_ROLES, SESSION_COOKIE, SUPERVISOR_ROLES, overlay_right, same_origin
from web.messages import Asked, Joined, UnreadableError, read_command, read_join, read_watch
from web.needs import Person, Service
from web.publisher import MAX_DELAY_MS, OVERLAY, WALL, Publisher, Slot, room

log = logging.getLogger("cutcard.web.sockets")
wire_log = logging.getLogger("cutcard.web.wire")
wire_log.setLevel(logging.CRITICAL)
"""The transport's own log: it writes traces for what a stranger sends, which is no fault."""

NAMESPACES = ("/dealer", "/supervisor", "/overlay")
EVENT = re.compile(r"2(?:/[^,]*,)?[0-9]*(\[.*)", re.DOTALL)
"""An event packet of Socket.IO; its one group is the JSON list of name and arguments."""
EVENTS = frozenset({"command", "watch"})
"""What a screen may send. The transport's own names are never a screen's to say."""
KINDS = frozenset("0123")
"""Packets of a screen: join, leave, event, answer. The transport itself takes digits of any script
for them, so what is not written just so is none."""
LARGEST_FRAME = 64 * 1024
"""Bytes of a frame above which the transport hangs up without an answer."""
BURST, PER_S = 20, 10.0
CHECK_S = 1.0
"""How often sessions and tokens of open sockets are looked up again; each of them once."""

TROUBLE = "The studio could not answer: call the engineer."
SIGNED_OUT = "You are signed out: sign in again."

Answer = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Seat:
    """One screen in one namespace."""

    sid: str
    wire: str
    """The transport's own name of the connection, shared by the namespaces of one screen."""
    namespace: str
    session: str
    secret: str
    table: str
    slots: tuple[Slot, ...]
    bucket: Bucket
    person: Person | None
    """Who was signed in when last looked; whose refusals are kept."""


class Hub:
    """All open screens, and the way in and out for their messages."""

    def __init__(self, app: Flask, service: Service, door: Door) -> None:
        """Attach the channel to the application; nothing runs before `begin`."""
        self._service = service
        self._door = door
        self._lock = threading.Lock()
        self._seats: dict[str, Seat] = {}
        self._ending = threading.Event()
        self._watcher: threading.Thread | None = None
        self._io = SocketIO(
            app,
            async_mode="threading",
            async_handlers=False,
            transports=["websocket"],
            namespaces=list(NAMESPACES),
            cors_allowed_origins=lambda origin, environ: same_origin(
                origin, environ.get("HTTP_HOST", "")
            ),
            max_http_buffer_size=LARGEST_FRAME,
            manage_session=False,
            logger=wire_log,
            engineio_logger=wire_log,
        )
        self.publisher = Publisher(service, self, each_beat=self.look_after)
        for namespace in NAMESPACES:
            self._io.on_event("connect", self._connected(namespace), namespace=namespace)
            self._io.on_event("disconnect", self._disconnected, namespace=namespace)
            self._io.on_event("command", self._command, namespace=namespace)
            self._io.on_event("watch", self._watch, namespace=namespace)
        self._server = self._io.server
        self._connections = Connections(self._server.eio)
        self._read_packet: Callable[[str, Any], None] = self._server.eio.handlers["message"]
        self._server.eio.on("message", self._guarded)
        # The transport itself reads a message of any length before it looks at its length.
        eio = self._server.eio
        driver = eio._async  # noqa: SLF001  there is no other way; it is shared by all servers
        eio._async = {**driver, "websocket": carrier(driver["websocket"], LARGEST_FRAME)}  # noqa: SLF001

    # -- for the server --------------------------------------------------------------------

    def begin(self) -> None:
        """Start to publish. After the fork of the server, never before."""
        self.publisher.begin()
        # A thread of its own: a store that answers late must not keep a card from the screens.
        self._watcher = threading.Thread(target=self._watch_rights, name="rights", daemon=True)
        self._watcher.start()

    def end(self) -> None:
        """Close every screen and stop to publish."""
        self._ending.set()
        self.publisher.stop()
        if self._watcher is not None:
            self._watcher.join(FAREWELL_S)
        self.close_all()
        self._server.shutdown()

    def close_all(self) -> None:
        """Close every connection, so that the server's threads end; a second at most."""
        self._connections.hang_up_all()
        until_s = time.monotonic() + FAREWELL_S
        while self._door.open and time.monotonic() < until_s:
            time.sleep(0.02)
        self._connections.cut()

    def open_sockets(self) -> int:
        """How many connections are open."""
        return self._door.open

    def seats(self) -> Mapping[str, int]:
        """Number of screens per namespace."""
        with self._lock:
            names = [seat.namespace for seat in self._seats.values()]
        return {namespace: names.count(namespace) for namespace in NAMESPACES}

    def emit(self, event: str, data: Any, slot: Slot) -> None:
        """Queue an event for everybody in a slot; a message names table and audience or stays."""
        if data.get("table") != slot[0] or data.get("audience") != slot[1]:
            raise ValueError(f"{event} for {room(slot)} names another table or audience")
        namespace = "/supervisor" if slot[1] == WALL else f"/{slot[1]}"
        self._io.emit(event, data, to=room(slot), namespace=namespace)

    def sign_out(self, session: str) -> None:
        """Close every screen of this session."""
        for seat in self._all_seats():
            if seat.session and seat.session == session:
                self._refuse(seat, "refused.signed_out", SIGNED_OUT)

    def look_after(self) -> None:
        """Each second: close what joined nothing, and what is too slow."""
        seats = self._all_seats()
        self._connections.beat({seat.wire for seat in seats})

    def _watch_rights(self) -> None:
        """Each second, until the end: close the screens of those whose right has ended."""
        while not self._ending.wait(CHECK_S):
            try:
                self._check(self._all_seats())
            except Exception:  # a store that fails now is asked again; commands ask it as well
                log.exception("the rights of the open screens could not be looked up")

    # -- connecting ------------------------------------------------------------------------

    def _connected(self, namespace: str) -> Callable[[Any], None]:
        def connected(auth: Any = None) -> None:
            if self._door.full:
                raise SocketRefused(
                    "All places for screens are taken: close one, or raise max_sockets.",
                    {"code": "refused.full"},
                )
            try:
                joined = read_join(auth)
                slots = self._slots(namespace, joined)
            except UnreadableError as wrong:
                raise SocketRefused(wrong.text, {"code": wrong.code}) from None
            self._seat(namespace, joined, slots)

        return connected

    def _slots(self, namespace: str, joined: Joined) -> tuple[Slot, ...]:
        """What this screen may join; raises UnreadableError with the reason if it may not."""
        table, audience = joined.table, namespace[1:]
        wall = audience == "supervisor"
        if table not in self._service.tables() and not (wall and not table):
            raise UnreadableError(
                "refused.unknown_table", "There is no table of that name: look at the address."
            )
        if audience == OVERLAY:
            return ((table, OVERLAY, self._overlay_delay(joined)),)
        person = self._person(request.cookies.get(SESSION_COOKIE, ""))
        if person is None:
            raise UnreadableError("refused.signed_out", "Sign in first: open / and sign in.")
        if person.role not in AUDIENCE_ROLES[audience]:
            raise UnreadableError(
                "refused.no_right", f"The role {person.role} may not see this screen."
            )
        own: tuple[Slot, ...] = ((table, audience, 0),) if table else ()
        return (*own, ("", WALL, 0)) if wall else own

    def _overlay_delay(self, joined: Joined) -> int:
        """Milliseconds by which an overlay is late; raises UnreadableError without a right."""
        token = overlay_right(self._service, joined.table, joined.token)
        person = self._person(request.cookies.get(SESSION_COOKIE, ""))
        if token is None and (person is None or person.role not in SUPERVISOR_ROLES):
            raise UnreadableError(
                "refused.token",
                "This overlay's address is not valid any more: ask the engineer for a new one.",
            )
        own_ms = token.delay_ms if token is not None else 0
        return min(MAX_DELAY_MS, own_ms + joined.delay_ms)

    def _seat(self, namespace: str, joined: Joined, slots: tuple[Slot, ...]) -> None:
        sid: str = request.sid  # type: ignore[attr-defined]  # put there by Flask-SocketIO
        seat = Seat(
            sid=sid,
            wire=self._server.manager.eio_sid_from_sid(sid, namespace),
            namespace=namespace,
            session=request.cookies.get(SESSION_COOKIE, ""),
            secret=joined.token,
            table=joined.table,
            slots=(),
            bucket=Bucket(BURST, PER_S),
            person=self._person(request.cookies.get(SESSION_COOKIE, "")),
        )
        with self._lock:
            self._seats[sid] = seat
        self._move(seat, slots)

    def _move(self, seat: Seat, slots: tuple[Slot, ...]) -> None:
        """Let a screen watch exactly these slots, and give it their newest views at once."""
        for slot in seat.slots:
            if slot not in slots:
                self._server.leave_room(seat.sid, room(slot), namespace=seat.namespace)
                self.publisher.leave_slot(slot)
        before, seat.slots = seat.slots, slots
        for slot in slots:
            if slot not in before:
                self.publisher.join_slot(slot)
                self._server.enter_room(seat.sid, room(slot), namespace=seat.namespace)
            event = "wall" if slot[1] == WALL else "view"
            self._tell(seat, event, self.publisher.current(slot))

    def _disconnected(self, _reason: Any = None) -> None:
        with self._lock:
            seat = self._seats.pop(request.sid, None)  # type: ignore[attr-defined]
        if seat is not None:
            for slot in seat.slots:
                self.publisher.leave_slot(slot)

    # -- messages --------------------------------------------------------------------------

    def _command(self, data: Any = None) -> Answer:
        """A console asks a table for something. The answer is the acknowledgement."""
        seat = self._own_seat()
        if seat is None or seat.namespace == "/overlay":
            return _rejected("refused.no_right", "This screen only looks.")
        if not seat.bucket.take():
            return _rejected("refused.too_fast", "Too many messages: wait a second.")
        try:
            asked = read_command(data)
        except UnreadableError as wrong:
            return self._kept(seat, "", "unreadable", _rejected(wrong.code, wrong.text))
        try:
            refusal, signed_in = self._may_ask(seat, asked)
        except Exception:  # without the store nobody knows what this person may
            log.exception("the right to %s could not be looked up", asked.name)
            return _rejected("refused.trouble", TROUBLE)
        if refusal is not None:
            return self._kept(seat, asked.table, asked.name, refusal)
        return self._submit(asked, signed_in)

    def _may_ask(self, seat: Seat, asked: Asked) -> tuple[Answer | None, Any]:
        """Why this screen may not ask this now, and who is signed in there, from the store."""
        found = self._service.accounts.signed_in(seat.session[:200]) if seat.session else None
        person: Person | None = found.person if found is not None else None
        if person is None or person.role not in AUDIENCE_ROLES[seat.namespace[1:]]:
            # This screen is answered first; the next beat closes it, as it does now the others.
            others = (other for other in self._all_seats() if other.session == seat.session)
            self._check([other for other in others if other is not seat])
        if person is None:
            self._tell(seat, "refused", {"code": "refused.signed_out", "text": SIGNED_OUT})
            return _rejected("refused.signed_out", SIGNED_OUT), None
        seat.person = person
        if person.role not in AUDIENCE_ROLES[seat.namespace[1:]]:
            text = f"The role {person.role} may not do this."
            return _rejected("refused.no_right", text), None
        known = {seat.table} if seat.namespace == "/dealer" else set(self._service.tables())
        if asked.table not in known:
            text = "This screen may not speak to that table."
            return _rejected("refused.unknown_table", text), None
        return None, found

    def _kept(self, seat: Seat, table: str, name: str, refusal: Answer) -> Answer:
        """What is refused here never comes to a table, and is kept all the same."""
        if seat.person is not None:
            code, text = refusal["code"], refusal["text"]
            self._service.refused(table, name, person=seat.person, code=code, text=text)
        return refusal

    def _submit(self, asked: Asked, person: Any) -> Answer:
        try:
            reply = self._service.submit(
                asked.table,
                asked.name,
                asked.args,
                person=person,
                command_id=asked.command_id,
                seq=asked.seq,
            )
        except Exception:  # a person at a console needs a sentence, not a trace
            log.exception("the command %s at %s was not answered", asked.name, asked.table)
            return _rejected("refused.trouble", TROUBLE)
        status, code = str(reply.status), str(reply.code)
        return {"status": status, "code": code, "text": reply.text, "seq": reply.seq}

    def _watch(self, data: Any = None) -> Answer:
        """A supervisor turns to another table, or to the wall alone."""
        seat = self._own_seat()
        if seat is None or seat.namespace != "/supervisor":
            return _rejected("refused.no_right", "This screen stays at its table.")
        if not seat.bucket.take():
            return _rejected("refused.too_fast", "Too many messages: wait a second.")
        try:
            table = read_watch(data)
            slots = self._slots("/supervisor", Joined(table=table, token="", delay_ms=0))
        except UnreadableError as wrong:
            return _rejected(wrong.code, wrong.text)
        seat.table = table
        self._move(seat, slots)
        return {"status": "done", "code": "", "text": "", "seq": 0}

    def _guarded(self, wire: str, data: Any) -> None:
        """Read a packet; a packet that is none gets one sentence, and the connection ends."""
        try:
            if not isinstance(data, str) or data[:1] not in KINDS:
                raise ValueError("no packet that a screen may send")  # noqa: TRY301
            event = EVENT.match(data)
            if data[0] == "2" and (event is None or json.loads(event[1])[0] not in EVENTS):
                raise ValueError("no event that a screen may send")  # noqa: TRY301
            self._read_packet(wire, data)
        except (ValueError, TypeError, KeyError, IndexError, RecursionError) as wrong:
            log.warning("a screen sent what is no message (%s)", type(wrong).__name__)
            sentence = "That was no message of ours: load the page again."
            seats = [seat for seat in self._all_seats() if seat.wire == wire]
            for seat in seats:
                self._tell(seat, "refused", {"code": "refused.malformed", "text": sentence})
            if not seats:
                refusal = json.dumps({"message": sentence, "data": {"code": "refused.malformed"}})
                self._server.eio.send(wire, f"4{refusal}")
            self._connections.hang_up(wire)

    # -- small things ----------------------------------------------------------------------

    def _check(self, seats: list[Seat]) -> None:
        """Close the screens whose session or token is not good any more, whoever ended it."""
        people = {session: self._person(session) for session in {seat.session for seat in seats}}
        overlays = {(seat.table, seat.secret) for seat in seats if seat.namespace == "/overlay"}
        open_ones = {
            (table, secret)
            for table, secret in overlays
            if overlay_right(self._service, table, secret) is not None
        }
        for seat in seats:
            person, audience = people[seat.session], seat.namespace[1:]
            if audience == OVERLAY:
                looks_in = person is not None and person.role in SUPERVISOR_ROLES
                if not looks_in and (seat.table, seat.secret) not in open_ones:
                    self._refuse(seat, "refused.token", "This overlay's address was taken back.")
            elif person is None or person.role not in AUDIENCE_ROLES[audience]:
                self._refuse(seat, "refused.signed_out", SIGNED_OUT)

    def _person(self, session: str) -> Person | None:
        return self._service.accounts.session(session[:200]) if session else None

    def _own_seat(self) -> Seat | None:
        with self._lock:
            return self._seats.get(request.sid)  # type: ignore[attr-defined]

    def _all_seats(self) -> list[Seat]:
        with self._lock:
            return list(self._seats.values())

    def _tell(self, seat: Seat, event: str, data: Any) -> None:
        self._io.emit(event, data, to=seat.sid, namespace=seat.namespace)

    def _refuse(self, seat: Seat, code: str, text: str) -> None:
        """Say why, then close this screen."""
        self._tell(seat, "refused", {"code": code, "text": text})
        self._server.disconnect(seat.sid, namespace=seat.namespace)


def _rejected(code: str, text: str) -> Answer:
    return {"status": "rejected", "code": code, "text": text, "seq": 0}
