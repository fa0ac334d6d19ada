"""How texts are spelt."""

from typing import Literal

import msgspec

TraditionalVariant = Literal["standard", "taiwan", "taiwan-terms", "hong-kong", "hong-kong-terms"]
TRADITIONAL_VARIANTS: tuple[TraditionalVariant, ...] = (
    *("standard", "taiwan", "taiwan-terms"),
    *("hong-kong", "hong-kong-terms"),
)


def locale_of(variant: TraditionalVariant) -> str:
    """Its language as Open Graph writes it, with a country where it is at home."""
    return "zh_HK" if variant.startswith("hong-kong") else "zh_TW"


class Spelling(msgspec.Struct, frozen=True, kw_only=True):
    """All that traditional texts depend on, besides the simplified ones."""

    variant: TraditionalVariant
    exceptions: tuple[tuple[str, str], ...] = ()
    """The project's own: a phrase, and what it becomes."""
    dictionaries: str = ""
    """The version of OpenCC."""
