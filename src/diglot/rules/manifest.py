"""The manifest: the list of files to publish."""

import msgspec

from diglot.engine import Key
from diglot.left_out import LeftOut


class OutputFile(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One file of the site."""

    path: str
    """Relative to the output folder."""
    kind: str
    name: str
    """With `kind`, the key of the task that makes it."""
    digest: str

    @property
    def key(self) -> Key:
        """The key of the task that makes it."""
        return Key(self.kind, self.name)


class Manifest(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """Every file of the site, sorted by path."""

    outputs: tuple[OutputFile, ...] = ()
    whole: bool = True
    """False if a file could not be made."""
    left_out: tuple[LeftOut, ...] = ()
    """The articles that the build does not show, by path."""
