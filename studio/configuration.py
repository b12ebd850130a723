"""Reads a TOML configuration against a model and says what is wrong with it, in sentences.

Knows nothing of what is configured: studio.settings holds the model. Each problem is one sentence
with the file, the key and what to do; a value that may be a secret is never repeated.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

Model = TypeVar("Model", bound=BaseModel)

SECRET_WORD = re.compile(r"(^|_)(secret|passwd|password|pin|token|credentials?)(_|$)|(^|_)key$")
"""Names of keys that can only mean a secret."""
ADDRESS_WITH_PASSWORD = re.compile(r"(://[^/@\s:]*):[^@/\s]*@")
"""An address as scheme://user:password@host; the group is what may be kept."""

WANTED = {
    "bool_type": "must be true or false, without quotes",
    "dict_type": "must be a section of keys and values",
    "float_type": "must be a number, without quotes",
    "int_from_float": "must be a whole number",
    "int_type": "must be a whole number, without quotes",
    "model_type": "must be a section of keys and values",
    "path_type": "must be a path in quotes",
    "string_too_short": "must not be empty",
    "string_type": "must be text in quotes",
    "tuple_type": "must be a list in square brackets",
}
"""What to do about a value of the wrong type."""


class SettingsError(Exception):
    """The configuration cannot be used; `problems` are sentences that say what to change."""

    def __init__(self, problems: Sequence[str]) -> None:
        """Keep the sentences; as text they are one a line."""
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def without_passwords(text: str) -> str:
    """Take the passwords out of all addresses in a text."""
    return ADDRESS_WITH_PASSWORD.sub(r"\1@", text)


def read_toml(file: Path) -> dict[str, Any]:
    """Read a TOML file as plain JSON values.

    Raises:
        SettingsError: if there is no such file, it may not be read, or it is not TOML.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SettingsError(
            [f"{file}: there is no such file: give its path with --config"]
        ) from None
    except UnicodeDecodeError:
        raise SettingsError([f"{file}: is not UTF-8 text: save it as UTF-8"]) from None
    except OSError as error:
        raise SettingsError([f"{file}: cannot be read ({error.strerror})"]) from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError([f"{file}: is not valid TOML: {error}"]) from None
    # Dates and times become text, so that a model says what form it wants.
    return json.loads(json.dumps(values, default=str))  # type: ignore[no-any-return]


def secrets_in(
    values: Mapping[str, Any], variables: Mapping[str, str], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each secret that stands in the file, as its key path and the sentence about it.

    `variables` names the environment variable for a key path, with `*` for any name in it.
    """
    for key, value in values.items():
        here = (*path, key)
        if isinstance(value, Mapping):
            yield from secrets_in(value, variables, here)
        elif SECRET_WORD.search(key.lower()):
            yield here, _to_environment(here, variables, "is a secret")
        elif isinstance(value, str) and ADDRESS_WITH_PASSWORD.search(value):
            yield here, _to_environment(here, variables, "holds a password")


def _to_environment(path: tuple[str, ...], variables: Mapping[str, str], what: str) -> str:
    for pattern, variable in variables.items():
        parts = pattern.split(".")
        if len(parts) == len(path) and all(
            part in {"*", key} for part, key in zip(parts, path, strict=True)
        ):
            names = [key for part, key in zip(parts, path, strict=True) if part == "*"]
            name = variable.replace("*", "".join(names).upper().replace("-", "_"))
            return f"{what}: take it out of the file and set {name} in the environment"
    return f"{what}: take it out of the file; secrets come from the environment"


def check(
    model: type[Model], values: Mapping[str, Any], file: Path, variables: Mapping[str, str]
) -> Model:
    """Read the values as the model.

    Raises:
        SettingsError: with one sentence for each thing that is wrong.
    """
    secrets = dict(secrets_in(values, variables))
    problems = [f"{file}: {'.'.join(path)}: {what}" for path, what in secrets.items()]
    try:
        made = model.model_validate_json(json.dumps(values))
    except ValidationError as error:
        for detail in error.errors(include_url=False, include_input=True):
            path = tuple(str(part) for part in detail["loc"])
            if path not in secrets:
                problems.append(f"{file}: {_sentence(model, detail)}")
        raise SettingsError(problems) from None
    if problems:
        raise SettingsError(problems)
    return made


def _sentence(model: type[BaseModel], detail: ErrorDetails) -> str:
    """One problem as `key: what to do`."""
    location = detail["loc"]
    kind = detail["type"]
    if location and location[-1] == "[key]":
        path = ".".join(str(part) for part in location[:-1])
        return f"{path}: a name has small letters, digits and hyphens only, at most 32: change it"
    path = ".".join(str(part) for part in location) or "the file"
    owner, field = _place(model, location)
    if kind == "extra_forbidden":
        return f"{path}: there is no such key; {_known(owner, str(location[-1]))}"
    if kind == "missing":
        hint = f" ({_first_sentence(field)})" if field else ""
        return f"{path}: is missing: add it{hint}"
    return f"{path}: {_wish(detail, field)}"


def _wish(detail: ErrorDetails, field: FieldInfo | None) -> str:
    """What a value should have been."""
    kind = detail["type"]
    context = detail.get("ctx", {})
    if kind == "value_error":
        return str(context.get("error", detail["msg"]))
    if kind == "enum":
        return f"must be one of {context['expected']}".replace(" or ", ", ")
    if kind in {"greater_than_equal", "less_than_equal"}:
        bound = context.get("ge", context.get("le"))
        side = "at least" if kind == "greater_than_equal" else "at most"
        return f"must be {side} {bound:g}, and is {detail['input']}: change it"
    if kind == "too_short":
        return "must not be empty"
    if kind == "string_pattern_mismatch" and field is not None:
        return f"has not the form that is wanted: {_first_sentence(field)}"
    return WANTED.get(kind, f"{detail['msg'][0].lower()}{detail['msg'][1:]}")


def _first_sentence(field: FieldInfo) -> str:
    """What the field is for, from its docstring."""
    return " ".join((field.description or "").split()).rstrip(".")


def _known(owner: type[BaseModel] | None, key: str) -> str:
    """What could have been meant by an unknown key."""
    names = sorted(owner.model_fields) if owner else []
    close = get_close_matches(key, names, n=1)
    if close:
        return f"did you mean {close[0]}?"
    return f"known here are {', '.join(names)}: remove it" if names else "remove it"


def _place(
    model: type[BaseModel], location: Sequence[int | str]
) -> tuple[type[BaseModel] | None, FieldInfo | None]:
    """The section that holds the last key of a path, and that key's field if it has one."""
    holder: Any = model
    owner: type[BaseModel] | None = None
    field: FieldInfo | None = None
    for part in location:
        owner = holder if isinstance(holder, type) and issubclass(holder, BaseModel) else None
        field = owner.model_fields.get(str(part)) if owner else None
        if field is not None:
            holder = _holder(field.annotation)
        else:
            # Inside `dict[str, X]` the part is a name that was given, and X comes next.
            holder = _holder(get_args(holder)[1]) if get_origin(holder) is dict else None
    return owner, field


def _holder(annotation: Any) -> Any:
    """The model or the `dict[str, X]` in an annotation as `X | None`; None if there is neither."""
    if get_origin(annotation) is dict:
        return annotation
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_holder(argument) for argument in get_args(annotation))
    return next((each for each in found if each is not None), None)


def is_address(text: str) -> bool:
    """Whether a text is an address with a scheme, not a path of this machine."""
    return bool(urlsplit(text).scheme)


def valid_time_zone(name: str) -> str:
    """A name of the time zone database.

    Raises:
        ValueError: with what it must be.
    """
    if name not in available_timezones():
        raise ValueError("is not a time zone: use a name of the tz database, as Europe/Riga")
    return name


def valid_web(address: str) -> str:
    """A web address, or nothing.

    Raises:
        ValueError: with what it must be.
    """
    if address and urlsplit(address).scheme not in {"http", "https"}:
        raise ValueError("is not a web address: it starts with https://")
    return address


def valid_websocket(address: str) -> str:
    """OBS Studio's address, or nothing.

    Raises:
        ValueError: with what it must be.
    """
    if address and urlsplit(address).scheme not in {"ws", "wss"}:
        raise ValueError("is not the address of OBS: it starts with ws://, as ws://127.0.0.1:4455")
    return address


def valid_database(url: str) -> str:
    """The address of a database that the studio can use.

    Raises:
        ValueError: with what it must be.
    """
    if urlsplit(url).scheme not in {"sqlite", "postgresql+psycopg"}:
        raise ValueError('must start with "sqlite:///" or "postgresql+psycopg://"')
    return url


def valid_bind(address: str) -> str:
    """A host and a port.

    Raises:
        ValueError: with what it must be.
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:  # noqa: PLR2004
        raise ValueError('must be a host and a port, as "127.0.0.1:8000"')
    return address


def valid_limit(limit: tuple[int, int]) -> tuple[int, int]:
    """The smallest and the greatest stake.

    Raises:
        ValueError: with what it must be.
    """
    low, high = limit
    if not 1 <= low <= high:
        raise ValueError("must be the smallest and the greatest stake, in whole minor units")
    return limit


def shared_files(key: str, files: Mapping[str, Path | None]) -> list[str]:
    """A sentence for each table whose camera names the same file as that of another table.

    `key` is ``layout`` or ``deck``: what an engineer keeps at one camera would else be the other's
    at its next start.
    """
    owners: dict[Path, str] = {}
    problems = []
    for name, file in files.items():
        if file is None:
            continue
        owner = owners.setdefault(file.resolve(), name)
        if owner != name:
            problems.append(
                f"[tables.{name}.camera] {key}: {file} is the {key} of table {owner} too, and what"
                " is set up at one camera would become the other's: name a file of its own"
            )
    return problems
