"""Opens the site in a browser, once there is a page to show."""

import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

from diglot.languages import Language
from diglot.site_map import home_path, output_path

_LOOK_S = 0.2
"""Seconds between looks for a page."""


def open_home(
    address: str, output: Path, languages: Callable[[], Sequence[Language]], *, is_built: Callable[[], bool]
) -> None:
    """Open the home page of the first of the languages that has one, on a thread of its own.

    A site that was built before is opened at once, a new one after its first build. `address` is that of the
    landing page, which is opened if no language has a home page by then.
    """

    def wait_and_open() -> None:
        never = threading.Event()
        while (home := home_in(output, languages())) is None and not is_built():
            never.wait(_LOOK_S)
        home = home or home_in(output, languages())
        webbrowser.open(address + (home or ""))

    threading.Thread(target=wait_and_open, name="open", daemon=True).start()


def home_in(output: Path, languages: Sequence[Language]) -> str | None:
    """The path of the home page of the first language that has one."""
    paths = map(home_path, languages)
    return next((path for path in paths if (output / output_path(path)).is_file()), None)
