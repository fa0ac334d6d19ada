"""Settings of conversions in tests."""

from diglot.project import TraditionalVariant
from diglot.traditional.settings import Settings


def settings(variant: TraditionalVariant = "taiwan", **exceptions: str) -> Settings:
    return Settings(
        variant=variant,
        exceptions=tuple(exceptions.items()),
        base_url="https://example.org/blog/",
        notice="由简体中文转换。",
        stamp="1",
    )
