"""Signing: the head of the journal with Ed25519 (RFC 8032), calls with HMAC-SHA-256 (RFC 2104).

The chain shows damage; the signature shows that nobody without the key has written the whole file
anew. The key lies in a file outside the database, named by ``CUTCARD_SIGNING_KEY_FILE``. Calls
between the studio and a platform are signed in both directions in one way (CONTRACTS.md 8).
"""

import hashlib
import hmac
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

RAW_BYTES: Final = 32
"""Length of an Ed25519 private key as it is."""
KEY_HEADER: Final = "Cutcard-Key"
"""Header that names the key of a call."""
TIME_HEADER: Final = "Cutcard-Timestamp"
"""Header with the Unix seconds at which a call was signed."""
SIGNATURE_HEADER: Final = "Cutcard-Signature"
"""Header with the signature of a call."""


class KeyUnusable(Exception):  # noqa: N818  what is told is the state of the key
    """The signing key cannot be used; the text says what to do."""


class Signer:
    """Signs heads of the chain. Any thread may use it."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        """Keep the key."""
        self._key = key
        self.public_key = key.public_key().public_bytes_raw().hex()
        """The public key, 64 hexadecimal digits."""

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Read a private key: PEM (PKCS 8, no password), 32 raw bytes, or 64 hexadecimal digits.

        Raises:
            KeyUnusable: with one sentence that says what to do.
        """
        try:
            data = path.read_bytes()
        except OSError as error:
            raise KeyUnusable(f"the signing key {path} cannot be read: {error.strerror}") from None
        try:
            return cls(_private_key(data))
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise KeyUnusable(
                f"{path} is no Ed25519 key: make one with "
                "`openssl genpkey -algorithm ed25519 -out FILE`"
            ) from None

    def sign(self, stream: str, version: int, head: str) -> str:
        """Give the signature, hexadecimal, of the head of a stream at a version."""
        return self._key.sign(_message(stream, version, head)).hex()


def signature_holds(
    public_key: str, signature: str, *, stream: str, version: int, head: str
) -> bool:
    """Say whether this signature was made with that key for this head; False for garbage."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(signature), _message(stream, version, head))
    except (InvalidSignature, ValueError):
        return False
    return True


def call_signature(secret: str, method: str, target: str, timestamp: str, body: bytes) -> str:
    """The signature, hexadecimal, of one call; `target` is the path with its query.

    HMAC-SHA-256 over method, target, timestamp and the hexadecimal SHA-256 of the body, joined by
    line feeds.
    """
    signed = "\n".join((method, target, timestamp, hashlib.sha256(body).hexdigest()))
    key = secret.encode("utf-8", "surrogatepass")
    return hmac.new(key, signed.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def call_headers(
    key: str, secret: str, *, method: str, target: str, at_s: int, body: bytes
) -> Mapping[str, str]:
    """The three headers of a signed call, signed at `at_s` (Unix seconds)."""
    timestamp = str(at_s)
    return {
        KEY_HEADER: key,
        TIME_HEADER: timestamp,
        SIGNATURE_HEADER: call_signature(secret, method, target, timestamp, body),
    }


def call_holds(secret: str, given: str, *, method: str, target: str, at: str, body: bytes) -> bool:
    """Whether `given` is the signature of this call; False for garbage, in constant time."""
    wanted = call_signature(secret, method, target, at, body)
    return hmac.compare_digest(wanted.encode(), given.lower().encode("utf-8", "surrogatepass"))


def _message(stream: str, version: int, head: str) -> bytes:
    """Give what is signed; the first word keeps it from meaning anything elsewhere."""
    return f"cutcard-head\n{stream}\n{version}\n{head}".encode()


def _private_key(data: bytes) -> Ed25519PrivateKey:
    """Read the key in one of its three forms.

    Raises:
        ValueError: if it is none of them.
    """
    if data.lstrip().startswith(b"-----BEGIN"):
        key = load_pem_private_key(data, password=None)
        if not isinstance(key, Ed25519PrivateKey):
            raise ValueError("another kind of key")
        return key
    if len(data) == RAW_BYTES:
        return Ed25519PrivateKey.from_private_bytes(data)
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(data.decode("ascii").strip()))
