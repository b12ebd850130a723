"""A demonstration where nobody deals, and whose camera is neither calibrated nor enrolled.

Run as a program, with the options of `cutcard demo` and `--folder`, where layout and deck are kept.
Simulated hands hold the board and show the cards as the engineer's pages ask for them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

SOURCE = "synthetic:calibrate"


def main() -> None:
    """Put the bench under the table's camera, then run the demonstration."""
    # The camera's own process imports this module first and has no use for a demonstration.
    from studio.simulate import demo  # noqa: PLC0415

    at = sys.argv.index("--folder")
    folder = Path(sys.argv[at + 1])
    del sys.argv[at : at + 2]
    ordinary = demo.settings_of

    def settings_of(wanted: demo.Wanted, database: str) -> Any:
        settings = ordinary(wanted, database)
        table = settings.tables[demo.TABLE]
        assert table.camera is not None
        files = {"layout": folder / "ba1.json", "deck": folder / "studio.deck"}
        camera = table.camera.model_copy(update={"source": SOURCE, **files})
        table = table.model_copy(update={"camera": camera})
        return settings.model_copy(update={"tables": {demo.TABLE: table}})

    demo.settings_of = settings_of  # type: ignore[assignment]
    demo.DemoStudio._send_dealer = lambda _studio, _table: None  # type: ignore[method-assign]
    demo.COMMAND()


if __name__ == "__main__":
    main()
