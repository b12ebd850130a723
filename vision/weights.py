"""Weights of trained nets: loaded from a folder, checked by hash, run by OpenCV.

Used by the reader of whole cards and by the finder and reader of index corners.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

MODELS: Final = Path(__file__).parent / "models"
"""The folder with the weights and their descriptions."""
FORMAT: Final = 1
"""What `format` must be in a description."""
OUTPUTS: Final = ("logits", "hidden")
"""Names of what a net that reads gives: its answer, and the features it is drawn from."""


class ModelsUnfit(RuntimeError):  # noqa: N818  # a state of the files, told in one sentence
    """The weights are missing, changed or of another format; nothing can be read."""


def described(folder: Path, name: str) -> dict[str, Any]:
    """The description `name` (a JSON file) of the weights in a folder.

    Raises:
        ModelsUnfit: it is missing, is no JSON object or is of another format.
    """
    path = folder / name
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        text = f"the description of weights {path} cannot be read: install the package again"
        raise ModelsUnfit(text) from error
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ModelsUnfit(f"{path} is of another format: install weights made for this release")
    return about


def net(folder: Path, about: Mapping[str, Any]) -> cv2.dnn.Net:
    """One net, whose `file` and `sha256` the description names.

    Raises:
        ModelsUnfit: the file is missing or not the one described.
    """
    path = folder / str(about["file"])
    try:
        body = path.read_bytes()
    except OSError as error:
        raise ModelsUnfit(f"weights {path} are missing: install the package again") from error
    if hashlib.sha256(body).hexdigest() != about["sha256"]:
        raise ModelsUnfit(f"weights {path} have been changed: install the package again")
    return cv2.dnn.readNetFromONNX(np.frombuffer(body, np.uint8))


def run(
    loaded: cv2.dnn.Net, pictures: Sequence[cv2.typing.MatLike], outputs: Sequence[str] = OUTPUTS
) -> tuple[NDArray[np.float32], ...]:
    """What a net says to pictures of its size (bytes, blue first), one array per output.

    Pixels are scaled as in training: (value - 127.5) / 64.
    """
    loaded.setInput(cv2.dnn.blobFromImages(pictures, 1 / 64, mean=(127.5, 127.5, 127.5)))
    return tuple(np.asarray(out, np.float32) for out in loaded.forward(list(outputs)))
