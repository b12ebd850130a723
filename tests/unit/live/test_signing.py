"""Signing the head of the journal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from studio.live.signing import KeyUnusable, Signer, signature_holds

HEAD: dict[str, Any] = {"stream": "table/ba1/2026-11-30", "version": 7, "head": "ab" * 32}


@pytest.fixture
def key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.generate()


def forms(key: Ed25519PrivateKey) -> dict[str, bytes]:
    """The three forms of a key file."""
    raw = key.private_bytes_raw()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return {"pem": pem, "raw": raw, "hex": raw.hex().encode() + b"\n"}


@pytest.mark.parametrize("form", ["pem", "raw", "hex"])
def test_a_key_file_is_read_in_each_of_its_forms(
    tmp_path: Path, key: Ed25519PrivateKey, form: str
) -> None:
    path = tmp_path / "key"
    path.write_bytes(forms(key)[form])
    signer = Signer.from_file(path)
    assert signer.public_key == key.public_key().public_bytes_raw().hex()


def test_a_signature_holds_for_what_was_signed_and_for_nothing_else(
    key: Ed25519PrivateKey,
) -> None:
    signer = Signer(key)
    signature = signer.sign(**HEAD)
    assert signature_holds(signer.public_key, signature, **HEAD)
    for other in ({"version": 8}, {"head": "cd" * 32}, {"stream": "table/ba2/2026-11-30"}):
        assert not signature_holds(signer.public_key, signature, **(HEAD | other))
    stranger = Signer(Ed25519PrivateKey.generate())
    assert not signature_holds(stranger.public_key, signature, **HEAD)


@pytest.mark.parametrize(("public", "signature"), [("", ""), ("zz", "00"), ("00" * 32, "00" * 64)])
def test_garbage_is_no_signature(public: str, signature: str) -> None:
    assert not signature_holds(public, signature, **HEAD)


@pytest.mark.parametrize("data", [b"", b"hello", b"-----BEGIN NOTHING-----\n", b"\xff" * 31])
def test_a_file_that_is_no_key_is_refused_in_one_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(data)
    with pytest.raises(KeyUnusable, match="is no Ed25519 key: make one with"):
        Signer.from_file(path)


def test_another_kind_of_key_is_refused(tmp_path: Path) -> None:
    other = generate_private_key(SECP256R1())
    path = tmp_path / "key"
    path.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(KeyUnusable, match="is no Ed25519 key"):
        Signer.from_file(path)


def test_a_missing_key_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(KeyUnusable, match="cannot be read: No such file"):
        Signer.from_file(tmp_path / "none")
