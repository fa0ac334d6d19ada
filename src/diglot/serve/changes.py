"""What happens on the disk while a preview watches."""

from typing import NamedTuple


class Change(NamedTuple):
    """One thing that happened."""

    path: str
    """Absolute."""
    names_changed: bool
    """Whether something came, went or was renamed; else its content changed."""
    is_folder: bool
