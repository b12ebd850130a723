"""A token bucket: how many messages one socket may send."""

import time
from collections.abc import Callable


class Bucket:
    """Holds `size` tokens and gets `per_s` new ones each second; a message costs one."""

    def __init__(
        self, size: int, per_s: float, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        """Start full."""
        self._size = size
        self._per_s = per_s
        self._now_s = now_s
        self._tokens = float(size)
        self._at_s = now_s()

    def take(self) -> bool:
        """Take one token; False if there is none, and then nothing is taken."""
        now_s = self._now_s()
        self._tokens = min(self._size, self._tokens + (now_s - self._at_s) * self._per_s)
        self._at_s = now_s
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
