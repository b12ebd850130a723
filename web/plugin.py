"""What the entry-point group ``cutcard.faces`` gives: the web."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from web import server

if TYPE_CHECKING:
    from studio.live.service import Service
    from studio.settings import Settings
    from web import needs

    def _fits(service: Service, settings: Settings) -> tuple[needs.Service, needs.Settings]:
        """Where the studio does not give what the faces ask for, the type check fails here."""
        return service, settings


class WebFace:
    """The consoles, overlays and pages as a face of the studio (`studio.live.ports.Face`)."""

    def serve(
        self,
        service: Any,
        settings: Any,
        *,
        ready: Callable[[str], None],
        next_port: bool = False,
    ) -> None:
        """Serve until interrupted. The studio runs in a process of its own, made here.

        `service.start()` and `service.stop()` are called in that process where they exist, then
        `ready` with the address. With `next_port` a busy port takes the next free one.

        Raises:
            OSError: with one sentence that says what to change.
        """
        server.serve(service, settings, ready=ready, next_port=next_port)

    def stop(self) -> None:
        """End the server in order, from any thread of the process that serves."""
        server.stop()


FACE = WebFace()
