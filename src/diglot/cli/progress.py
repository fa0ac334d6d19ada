"""Shows the engine's progress on the terminal's progress line."""

from collections.abc import Callable

from diglot.cli.terminal import Terminal
from diglot.engine import Progress


def waiting_line(holder: int | None) -> str:
    """The message shown while another process has the project's lock."""
    process = f" (process {holder})" if holder is not None else ""
    return f"another build of this project is running{process}; waiting for it"


def progress_line(terminal: Terminal) -> Callable[[Progress], None]:
    """A callback that updates the progress line."""

    def show(progress: Progress) -> None:
        if progress.waiting:
            terminal.say(waiting_line(progress.holder))
        else:
            terminal.progress(progress.done, progress.known, progress.running or "")

    return show
