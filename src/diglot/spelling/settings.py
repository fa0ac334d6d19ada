"""How texts are spelt."""

from typing import Literal

import msgspec

TraditionalVariant = Literal["standard", "taiwan", "taiwan-terms", "hong-kong", "hong-kong-terms"]
TRADITIONAL_VARIANTS: tuple[TraditionalVariant, ...] = (
    *("standard", "taiwan", "taiwan-terms"),
    *("hong-kong", "hong-kong-terms"),
)


class Spelling(msgspec.Struct, frozen=True, kw_only=True):
    """All that traditional texts depend on, beside the simplified ones."""

    variant: TraditionalVariant
    exceptions: tuple[tuple[str, str], ...] = ()
    """The project's own: a phrase, and what it becomes."""
    dictionaries: str = ""
    """The version of OpenCC."""
