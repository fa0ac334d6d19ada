"""Settings of conversions in tests."""

from diglot.spelling.settings import Spelling, TraditionalVariant
from diglot.traditional.settings import Settings


def spelling(variant: TraditionalVariant = "taiwan", **exceptions: str) -> Spelling:
    return Spelling(variant=variant, exceptions=tuple(exceptions.items()))


def settings(variant: TraditionalVariant = "taiwan", **exceptions: str) -> Settings:
    return Settings(
        spelling=spelling(variant, **exceptions),
        base_url="https://example.org/blog/",
        notice="由简体中文转换。",
        stamp="1",
    )
