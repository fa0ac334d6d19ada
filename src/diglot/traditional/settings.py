"""What a conversion depends on."""

import msgspec

from diglot.spelling.settings import Spelling


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All that a conversion depends on, besides the texts."""

    spelling: Spelling
    base_url: str
    notice: str
    """What readers read about the conversion, in simplified characters."""
    stamp: str
    """Differs between two conversions that may give different files for the same file."""
