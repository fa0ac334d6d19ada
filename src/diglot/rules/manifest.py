"""The site as a list of files: what is published."""

import msgspec

from diglot.engine import Key


class Output(msgspec.Struct, frozen=True, kw_only=True):
    """One file of the site."""

    path: str
    """From the output folder."""
    kind: str
    name: str
    """With `kind`, the key of the task that makes it."""
    digest: str

    @property
    def key(self) -> Key:
        """Of the task that makes it."""
        return Key(self.kind, self.name)


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Every file of the site, sorted by path."""

    outputs: tuple[Output, ...] = ()
    whole: bool = True
    """False where some file could not be made."""
