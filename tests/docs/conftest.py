"""A browser for the examples that are looked at."""

from tests.browser import browser

__all__ = ["browser"]
