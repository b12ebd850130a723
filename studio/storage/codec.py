"""Events to canonical JSON and back, by name and version.

The codec reads the type hints of the event classes once and keeps a function per field, so there is
no second description of any event. What it does not know it refuses when it is made, not when the
first such event is written.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from studio.domain import events as domain_events
from studio.domain.cards import Card
from studio.domain.columns import Columns
from studio.domain.envelope import Attachment, Packed, Sealed
from studio.live.ports import JournalError
from studio.storage.upcasters import RELEASED, Upcasters

Secrets = Mapping[str, Sealed]
"""Opened seals by their digest; empty for everybody but the table's own recovery."""
Encode = Callable[[Any, list[Sealed]], Any]
"""From a value to plain JSON; seals met on the way are added to the list."""
Decode = Callable[[Any, Secrets], Any]
"""From plain JSON to a value."""
NO_SECRETS: Final[Secrets] = {}
SEALED_KEY: Final = "sealed"


@dataclass(frozen=True, slots=True)
class Encoded:
    """An event as it is stored."""

    name: str
    version: int
    body: str
    """Canonical JSON: sorted keys, tight separators, no floats."""
    sealed: tuple[Sealed, ...]
    """Whose cards and salts are stored apart."""
    attachment: Attachment | None
    """What is stored packed beside the body; None if the event has none or they are empty."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is known of one event class."""

    cls: type
    name: str
    version: int
    encode: Encode
    decode: Decode
    columns: str
    """Name of the field of type `Columns`, empty if there is none."""
    packed: str
    """Name of the field of type `Packed` that describes them."""


class Codec:
    """Writes and reads the events of a closed set of classes."""

    def __init__(self, classes: Iterable[type], upcasters: Upcasters = RELEASED) -> None:
        """Learn the classes.

        Raises:
            TypeError: for a field that has no canonical form, or a name that is used twice.
        """
        self._upcasters = upcasters
        self._by_class: dict[type, _Kind] = {}
        self._by_name: dict[str, _Kind] = {}
        for cls in classes:
            kind = _kind(cls)
            if kind.name in self._by_name:
                raise TypeError(f"two events are called {kind.name}: a name is never used again")
            self._by_class[cls] = self._by_name[kind.name] = kind

    @property
    def names(self) -> Mapping[str, int]:
        """Name and present version of each event."""
        return {name: kind.version for name, kind in self._by_name.items()}

    def encode(self, event: object) -> Encoded:
        """Give the stored form of an event.

        Raises:
            TypeError: if it is no known event, or a field holds another type than it should.
        """
        kind = self._by_class.get(type(event))
        if kind is None:
            raise TypeError(f"{type(event).__name__} is not an event that this journal knows")
        sealed: list[Sealed] = []
        body = json.dumps(kind.encode(event, sealed), sort_keys=True, separators=(",", ":"))
        return Encoded(kind.name, kind.version, body, tuple(sealed), _attachment(kind, event))

    def decode(
        self,
        name: str,
        version: int,
        body: str,
        *,
        secrets: Secrets = NO_SECRETS,
        attachment: Attachment | None = None,
    ) -> Any:
        """Give the event back, in its present shape whatever version it was written in.

        Raises:
            JournalError: if this release cannot read it, or it is not what its version should be.
        """
        kind = self._by_name.get(name)
        if kind is None:
            raise JournalError(f"the journal holds {name!r}, which this release does not know")
        try:
            plain = _parse(body)
            if version != kind.version:
                plain = self._upcasters.lift(name, version, plain, kind.version)
            if attachment is not None:
                plain[kind.columns] = Columns.of(attachment)
            return kind.decode(plain, secrets)
        except (ValueError, TypeError, KeyError) as error:
            raise JournalError(f"{name} {version} cannot be read: {error}") from error


_DECODE: Final = json.JSONDecoder().raw_decode
"""Bodies have no space around them, and `json.loads` spends a fifth of its time looking for it."""


def _parse(body: str) -> Any:
    """Read the JSON of a body.

    Raises:
        ValueError: if it is none, or anything stands behind it.
    """
    plain, end = _DECODE(body)
    if end != len(body):
        raise ValueError("something stands behind its JSON")
    return plain


@cache
def default_codec() -> Codec:
    """Give the codec of all events of this release."""
    return Codec(get_args(domain_events.Event))


def _kind(cls: type) -> _Kind:
    """Read an event class."""
    name, version = getattr(cls, "NAME", None), getattr(cls, "VERSION", None)
    if not isinstance(name, str) or not isinstance(version, int):
        raise TypeError(f"{cls.__name__} needs NAME and VERSION to be journalled")
    hints = get_type_hints(cls)
    columns = [field.name for field in fields(cls) if hints[field.name] is Columns]
    packed = [field.name for field in fields(cls) if hints[field.name] is Packed]
    if len(columns) > 1 or len(columns) != len(packed):
        raise TypeError(f"{cls.__name__} needs one field that describes its one field of columns")
    encode, decode = _record(cls)
    return _Kind(cls, name, version, encode, decode, "".join(columns), "".join(packed))


def _attachment(kind: _Kind, event: object) -> Attachment | None:
    """Give the columns of an event as they are stored.

    Raises:
        TypeError: if the event describes other columns than it carries.
    """
    if not kind.columns:
        return None
    columns: Columns = getattr(event, kind.columns)
    packed: Packed = getattr(event, kind.packed)
    attachment = columns.attachment(packed.kind, packed.key)
    if attachment.packed(*(name for name, _ in packed.totals)) != packed:
        raise TypeError(f"{kind.name} describes other columns than it carries: {packed}")
    return attachment if attachment.count else None


@cache
def _record(cls: type) -> tuple[Encode, Decode]:
    """Give the functions of a frozen dataclass; a field of columns is not part of its body."""
    hints = get_type_hints(cls)
    names = [field.name for field in fields(cls) if hints[field.name] is not Columns]
    least, most = len(names), len(fields(cls))
    encoders: list[tuple[str, Encode]] = []
    decoders: list[tuple[str, Decode]] = []
    for name in names:
        encode, decode = _functions(hints[name], f"{cls.__name__}.{name}")
        encoders.append((name, encode))
        if decode is not None:
            decoders.append((name, decode))

    def write(value: Any, sealed: list[Sealed]) -> Any:
        if type(value) is not cls:
            raise TypeError(f"{value!r} is not {cls.__name__}")
        return {name: encode(getattr(value, name), sealed) for name, encode in encoders}

    def read(plain: Any, secrets: Secrets) -> Any:
        # The class itself refuses unknown names; so counting is enough to find a missing one.
        if not least <= len(plain) <= most:
            raise ValueError(f"{cls.__name__} has {least} fields, not {len(plain)}")
        for name, decode in decoders:
            plain[name] = decode(plain[name], secrets)
        return cls(**plain)

    return write, read


def _functions(hint: Any, where: str) -> tuple[Encode, Decode | None]:
    """Give the functions for a type hint; no decoder where the plain value is the value."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _union(get_args(hint), where)
    if origin is tuple:
        return _tuple(get_args(hint), where)
    if hint in (str, int, bool, NoneType):
        return _scalar(hint, where), None
    if hint is Card:
        return _write_card, _read_card
    if hint is Sealed:
        return _write_sealed, _read_sealed
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _enum(hint, where)
    if isinstance(hint, type) and is_dataclass(hint) and hint is not Columns:
        return _record(hint)
    raise TypeError(f"{where}: {hint} has no canonical form in the journal")


def _scalar(kind: type, where: str) -> Encode:
    def write(value: Any, _: list[Sealed]) -> Any:
        # A bool is an int for Python and not for JSON; an enumeration of text is text.
        if type(value) is kind or (kind is str and isinstance(value, str)):
            return value
        raise TypeError(f"{where} holds {value!r}, which is not {kind.__name__}")

    return write


def _enum(kind: type[StrEnum], where: str) -> tuple[Encode, Decode]:
    members = {member.value: member for member in kind}

    def write(value: Any, _: list[Sealed]) -> Any:
        if type(value) is not kind:
            raise TypeError(f"{where} holds {value!r}, which is not {kind.__name__}")
        return value.value

    def read(plain: Any, _: Secrets) -> Any:
        return members[plain]

    return write, read


def _tuple(kinds: tuple[Any, ...], where: str) -> tuple[Encode, Decode]:
    if len(kinds) == 2 and kinds[1] is Ellipsis:  # noqa: PLR2004  tuple[X, ...]
        write_each, read_each = _functions(kinds[0], where)

        def write(value: Any, sealed: list[Sealed]) -> Any:
            return [write_each(each, sealed) for each in _checked(value, where)]

        def read(plain: Any, secrets: Secrets) -> Any:
            if read_each is None:
                return tuple(plain)
            return tuple([read_each(each, secrets) for each in plain])

        return write, read

    functions = [_functions(kind, where) for kind in kinds]
    length = len(kinds)

    def write_fixed(value: Any, sealed: list[Sealed]) -> Any:
        pairs = zip(functions, _checked(value, where), strict=True)
        return [write_one(each, sealed) for (write_one, _), each in pairs]

    def read_plain(plain: Any, _: Secrets) -> Any:
        if len(plain) != length:
            raise ValueError(f"{where} has {length} parts, not {len(plain)}")
        return tuple(plain)

    if all(read_one is None for _, read_one in functions):
        return write_fixed, read_plain

    def read_fixed(plain: Any, secrets: Secrets) -> Any:
        pairs = zip(functions, plain, strict=True)
        return tuple(
            [each if read_one is None else read_one(each, secrets) for (_, read_one), each in pairs]
        )

    return write_fixed, read_fixed


def _checked(value: Any, where: str) -> tuple[Any, ...]:
    if isinstance(value, tuple):
        return value
    raise TypeError(f"{where} holds {value!r}, which is not a tuple")


def _union(kinds: tuple[Any, ...], where: str) -> tuple[Encode, Decode | None]:
    """Give the functions for ``X | None``, or for a choice of plain scalars."""
    rest = [kind for kind in kinds if kind is not NoneType]
    if len(rest) > 1:
        if not all(kind in (str, int, bool) for kind in rest):
            raise TypeError(f"{where}: a choice of types has no canonical form in the journal")
        allowed = (*rest, NoneType) if len(rest) < len(kinds) else tuple(rest)

        def write_any(value: Any, _: list[Sealed]) -> Any:
            if type(value) in allowed:
                return value
            raise TypeError(f"{where} holds {value!r}, which is none of {allowed}")

        return write_any, None

    write_one, read_one = _functions(rest[0], where)

    def write(value: Any, sealed: list[Sealed]) -> Any:
        return None if value is None else write_one(value, sealed)

    if read_one is None:
        return write, None
    reading = read_one

    def read(plain: Any, secrets: Secrets) -> Any:
        return None if plain is None else reading(plain, secrets)

    return write, read


def _write_card(value: Any, _: list[Sealed]) -> Any:
    if not isinstance(value, Card):
        raise TypeError(f"{value!r} is not a card")
    return value.code


def _read_card(plain: Any, _: Secrets) -> Any:
    return Card.parse(plain)


def _write_sealed(value: Any, sealed: list[Sealed]) -> Any:
    if not isinstance(value, Sealed):
        raise TypeError(f"{value!r} is not a sealed card")
    if value.known:
        sealed.append(value)
    return {SEALED_KEY: value.digest}


def _read_sealed(plain: Any, secrets: Secrets) -> Any:
    digest = plain[SEALED_KEY]
    return secrets.get(digest) or Sealed.closed(digest)
