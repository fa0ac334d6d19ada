"""Changes on disk that a preview's watcher reports."""

from typing import NamedTuple


class Change(NamedTuple):
    """One change of a file or folder."""

    path: str
    """An absolute path."""
    names_changed: bool
    """Whether it was created, removed or renamed; otherwise its content changed."""
    is_folder: bool
