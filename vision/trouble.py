"""Why a source gives no picture, in a sentence: OpenCV itself says nothing but no."""

import base64
import http.client
import os
import re
import socket
import ssl
from contextlib import closing
from typing import Final
from urllib.parse import unquote, urlsplit

PATIENCE_S: Final = 3.0
"""An address is given so long to answer."""
STATUS: Final = re.compile(r"^RTSP/\d\.\d (\d{3})")
PORTS: Final = {"http": 80, "https": 443, "rtsp": 554, "rtsps": 322}
BROKEN: Final = "it answers, but gives no picture that can be decoded"


def hide_secret(address: str) -> str:
    """An address without the name and password in it."""
    return re.sub(r"//[^/@]*@", "//", address)


def explain(target: int | str) -> str:
    """Find out why a source that OpenCV does not open or read gives no picture; one sentence.

    Asks a network address once more, for at most `PATIENCE_S` a step.
    """
    if isinstance(target, int):
        target = f"/dev/video{target}"
    scheme = urlsplit(target).scheme.lower() if "://" in target else ""
    name = hide_secret(target)
    try:
        if scheme in {"http", "https"}:
            return f"{name}: {_http(target)}"
        if scheme in {"rtsp", "rtsps"}:
            return f"{name}: {_rtsp(target)}"
    except TimeoutError:
        return f"{name} does not answer: check the camera's power, cable and address"
    except (OSError, http.client.HTTPException, ValueError) as wrong:
        return f"{name} cannot be reached ({_words(wrong)}): check the camera and its address"
    if scheme:
        return f"{name} gives no picture: check the camera and its address"
    return _file(target)


def _http(address: str) -> str:
    parts = urlsplit(address)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme.lower()]
    headers = {}
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
    secure = parts.scheme.lower() == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    with closing(kind(host, port, timeout=PATIENCE_S)) as wire:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        wire.request("GET", path, headers=headers)
        answer = wire.getresponse()
        return _status(answer.status, answer.getheader("Content-Type") or "")


def _rtsp(address: str) -> str:
    parts = urlsplit(address)
    secure = parts.scheme.lower() == "rtsps"
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme.lower()]
    with socket.create_connection((host, port), timeout=PATIENCE_S) as plain:
        wire = (
            ssl.create_default_context().wrap_socket(plain, server_hostname=host)
            if secure
            else plain
        )
        wire.sendall(f"DESCRIBE {hide_secret(address)} RTSP/1.0\r\nCSeq: 1\r\n\r\n".encode())
        found = STATUS.match(wire.recv(512).decode("ascii", "replace"))
    return BROKEN if found is None else _status(int(found[1]), "")


def _status(status: int, kind: str) -> str:
    """What a status of HTTP or RTSP means for somebody who wants video."""
    if status in {401, 403}:
        return f"the camera answers {status}: check the name and password in `source`"
    if status in {404, 410}:
        return f"the camera answers {status}: check the path in `source`"
    if 300 <= status < 400:
        return f"the camera answers {status} and points elsewhere: give that address as `source`"
    if status >= 400:
        return f"the camera answers {status}: restart it, or look at its own page"
    if kind.startswith("text/"):
        plain = kind.partition(";")[0]
        return f"the camera answers with a page ({plain}): check the path in `source`"
    if kind.startswith("image/"):
        return "the camera answers with one picture: give the address of its video as `source`"
    return BROKEN + ": restart the camera"


def _file(path: str) -> str:
    """Why a device or a file gives no picture."""
    if not os.path.exists(path):  # noqa: PTH110 - a device may be no regular path
        return f"{path} is not there: connect the camera, or correct `source`"
    try:
        os.close(os.open(path, os.O_RDWR if path.startswith("/dev/") else os.O_RDONLY))
    except PermissionError:
        return f"{path} may not be opened: give this user the right, as by the group video"
    except OSError as wrong:
        return f"{path} does not open ({_words(wrong)}): check that no other program uses it"
    return f"{path} gives no picture: check that it is connected and that no other program uses it"


def _words(wrong: Exception) -> str:
    text = wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else str(wrong)
    return (text or type(wrong).__name__).lower()
