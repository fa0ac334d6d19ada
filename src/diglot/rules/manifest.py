"""The site as a list of files: what is published."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One file of the site."""

    path: str
    """From the output folder."""
    kind: str
    name: str
    """With `kind`, the key of the task that makes it."""
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Every file of the site, sorted by path."""

    outputs: tuple[Output, ...] = ()
    whole: bool = True
    """False where some file could not be made."""
