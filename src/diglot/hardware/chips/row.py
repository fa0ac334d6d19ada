"""Rows of the catalogue: what can be asked of it, each a dependency of its own."""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

RowKind = Literal[
    "valid",  # that the files could be read
    "names",  # which chips there are
    "chip",  # one of them, without its figures
    "fields",  # which figures it has
    "quantity",  # one of them
    "quantities",  # all of them
    "prices",
    "conflicts",
    "source",
    "sources",
    "places",
]


class Row(NamedTuple):
    """Something that can be asked of the catalogue."""

    kind: RowKind
    id: str = ""
    """Of a chip or a source."""
    field: str = ""
    """Of a quantity."""

    @property
    def name(self) -> str:
        """How dependencies name it: `quantity:h200-sxm:memory.bandwidth`."""
        return ":".join(filter(None, self))


Use: TypeAlias = Callable[[Row], None]
"""Called with each row that is read."""
