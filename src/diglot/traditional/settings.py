"""What a conversion depends on."""

import msgspec

from diglot.project import TraditionalVariant


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All that a conversion depends on, beside the texts."""

    variant: TraditionalVariant
    exceptions: tuple[tuple[str, str], ...] = ()
    """The project's own: a phrase, and what it becomes."""
    base_url: str
    notice: str
    """What readers are told of the conversion, in simplified characters."""
    stamp: str
    """Differs between two conversions that may give different files for the same file."""
