"""Events to canonical text and back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain import events
from studio.domain.cards import PACK, Card, Rank, Suit
from studio.domain.columns import Columns
from studio.domain.envelope import Packed, Sealed, canonical
from studio.live.ports import JournalError
from studio.storage.codec import Codec, default_codec
from studio.storage.upcasters import RELEASED, Upcasters

text = st.text(max_size=12) | st.just("\ud800")
columns = st.lists(st.tuples(text, text, text, st.integers(0, 10**9)), max_size=4).map(
    lambda rows: (
        Columns(*(tuple(column) for column in zip(*rows, strict=True))) if rows else Columns()
    )
)
st.register_type_strategy(str, text)
st.register_type_strategy(Card, st.sampled_from(PACK))
salts = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12)
st.register_type_strategy(Sealed, st.builds(Sealed, st.none() | st.sampled_from(PACK), salts))
st.register_type_strategy(Columns, columns)


@st.composite
def any_event(draw: st.DrawFn) -> Any:
    """An event of any class, its columns described as they are."""
    cls = draw(st.sampled_from(get_args(events.Event)))
    event = draw(st.builds(cls))
    if hasattr(event, "columns"):
        object.__setattr__(event, "packed", event.columns.packed("bets", draw(text)))
    return event


@given(any_event())
def test_every_event_comes_back_as_it_was(event: Any) -> None:
    codec = default_codec()
    encoded = codec.encode(event)
    secrets = {sealed.digest: sealed for sealed in encoded.sealed}
    back = codec.decode(
        encoded.name,
        encoded.version,
        encoded.body,
        secrets=secrets,
        attachment=encoded.attachment,
    )
    assert back == event


@given(any_event())
def test_a_body_is_canonical_and_names_no_sealed_card(event: Any) -> None:
    encoded = default_codec().encode(event)
    plain = json.loads(encoded.body)
    assert canonical(plain) == encoded.body
    for sealed in encoded.sealed:
        assert json.dumps(sealed.salt) not in encoded.body or len(sealed.salt) < 6
        assert sealed.digest in encoded.body


def test_the_body_is_sorted_tight_and_plain_ascii() -> None:
    encoded = default_codec().encode(
        events.FaultAnswered(fault="7", code="c", repair="r", reason="é\ud800")
    )
    assert encoded.body == (
        '{"code":"c","fault":"7","note":"","reason":"\\u00e9\\ud800","repair":"r","worded":""}'
    )


def test_every_event_of_this_release_has_a_name_of_its_own() -> None:
    assert len(default_codec().names) == len(get_args(events.Event))


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Part:
    colour: Colour
    card: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The artificial event of these tests."""

    NAME: ClassVar[str] = "sample"
    VERSION: ClassVar[int] = 3
    amount: int
    flag: bool = False
    parts: tuple[Part, ...] = ()
    pairs: tuple[tuple[str, int], ...] = ()
    either: str | int = ""


def sample_codec() -> Codec:
    upcasters = Upcasters()
    upcasters.register("sample", 1, lambda body: {**body, "flag": False})
    upcasters.register(
        "sample",
        2,
        lambda body: {
            "amount": body.pop("stake"),
            **body,
            "parts": [],
            "pairs": [],
            "either": "",
        },
    )
    return Codec([Sample], upcasters)


def test_an_old_event_is_brought_up_step_by_step() -> None:
    assert sample_codec().decode("sample", 1, '{"stake":5}') == Sample(amount=5)


def test_an_event_of_a_newer_release_says_so() -> None:
    with pytest.raises(JournalError, match="run a newer release"):
        sample_codec().decode("sample", 4, "{}")


def test_a_missing_upcaster_says_so() -> None:
    with pytest.raises(JournalError, match="no upcaster leads from sample 1"):
        Codec([Sample]).decode("sample", 1, "{}")


def test_an_upcaster_that_was_released_is_never_replaced() -> None:
    upcasters = Upcasters()
    upcasters.register("sample", 1, lambda body: body)
    with pytest.raises(ValueError, match="add the next version"):
        upcasters.register("sample", 1, lambda body: body)


def test_every_event_beyond_version_1_has_upcasters_from_the_first() -> None:
    for name, version in default_codec().names.items():
        for step in range(1, version):
            assert RELEASED.has(name, step), (name, step)


@pytest.mark.parametrize(
    "wrong",
    [
        Sample(amount=1.0),  # type: ignore[arg-type]
        Sample(amount=True),
        Sample(amount=1, flag=1),  # type: ignore[arg-type]
        Sample(amount=1, pairs=(("a", 0.5),)),  # type: ignore[arg-type]
        Sample(amount=1, pairs=[("a", 1)]),  # type: ignore[arg-type]
        Sample(amount=1, parts=(Part("red"),)),  # type: ignore[arg-type]
        Sample(amount=1, parts=(Part(Colour.RED, "7H"),)),  # type: ignore[arg-type]
        Sample(amount=1, either=1.5),  # type: ignore[arg-type]
    ],
)
def test_a_value_of_the_wrong_type_is_refused_when_it_is_written(wrong: Sample) -> None:
    with pytest.raises(TypeError):
        sample_codec().encode(wrong)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "{}",
        '{"amount":1}',
        '{"amount":1,"either":"","flag":false,"pairs":[],"parts":[],"more":1}',
        '{"amount":1,"either":"","flag":false,"pairs":[["a"]],"parts":[]}',
        '{"amount":1,"either":"","flag":false,"pairs":[],"parts":[{"colour":"blue","card":null}]}',
        '{"amount":1,"either":"","flag":false,"pairs":[],"parts":[{"colour":"red","card":"1H"}]}',
    ],
)
def test_a_body_that_is_not_what_its_version_should_be_is_told(body: str) -> None:
    with pytest.raises(JournalError, match="sample 3 cannot be read"):
        sample_codec().decode("sample", 3, body)


def test_nested_values_come_back_as_they_were() -> None:
    event = Sample(
        amount=7,
        parts=(Part(Colour.RED, Card(Rank.ACE, Suit.SPADES)), Part(Colour.RED)),
        pairs=(("a", 1), ("b", 2)),
        either=4,
    )
    codec = sample_codec()
    encoded = codec.encode(event)
    assert codec.decode(encoded.name, encoded.version, encoded.body) == event


def test_an_event_that_was_never_registered_is_refused() -> None:
    with pytest.raises(TypeError, match="not an event that this journal knows"):
        sample_codec().encode(events.TableOpened())
    with pytest.raises(JournalError, match="does not know"):
        sample_codec().decode("table_opened", 1, "{}")


def test_a_class_that_cannot_be_written_is_refused_at_once() -> None:
    @dataclass(frozen=True, slots=True)
    class Exact:
        NAME: ClassVar[str] = "exact"
        VERSION: ClassVar[int] = 1
        ratio: float

    with pytest.raises(TypeError, match="has no canonical form"):
        Codec([Exact])


def test_a_name_is_given_to_one_event_only() -> None:
    with pytest.raises(TypeError, match="never used again"):
        Codec([Sample, Sample])


def test_columns_need_a_field_that_describes_them() -> None:
    @dataclass(frozen=True, slots=True)
    class Bare:
        NAME: ClassVar[str] = "bare"
        VERSION: ClassVar[int] = 1
        columns: Columns

    with pytest.raises(TypeError, match="describes"):
        Codec([Bare])


def test_packed_says_count_totals_and_digest() -> None:
    packed = Columns(("a", "b"), ("p", "q"), ("tie", "tie"), (5, 7)).packed("bets", "k")
    assert packed == Packed("bets", "k", 2, (("amount", 12),), packed.digest)
    assert len(packed.digest) == 64


def test_a_seal_without_a_salt_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a salt"):
        Sealed(PACK[0], "")


def test_a_closed_seal_reveals_nothing_and_an_open_one_its_card() -> None:
    sealed = Sealed(PACK[0], "salt")
    assert sealed.reveal().digest == sealed.digest
    with pytest.raises(ValueError, match="cannot be revealed"):
        Sealed.closed(sealed.digest).reveal()
