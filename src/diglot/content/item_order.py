"""Finds items of a list that are in another order in the twin, by what survives translation.

Each item is compared with its own twin and with those of all other items: by names in Latin letters, which
both languages write alike, and by length.
"""

import math
import re
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from diglot.content.pairs import length_in_letters
from diglot.content.prose import prose_of
from diglot.content.tree.nodes import Nodes

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9.+-]*[A-Za-z0-9]")
_CLEARLY = 0.6
"""By how much an exchange has to make two items likelier; a name that both have counts 1."""
_MOST_ITEMS = 100
"""Of longer lists only neighbours are compared: there are too many pairs."""


class _Item(NamedTuple):
    names: frozenset[str]
    letters: float

    @classmethod
    def of(cls, nodes: Nodes) -> "_Item":
        prose = prose_of(nodes)
        names = (name.lower().removesuffix("s") for name in _NAME.findall(prose))
        return cls(frozenset(names), length_in_letters(prose))

    def likeness(self, other: "_Item") -> float:
        """How likely two items say the same."""
        return len(self.names & other.names) - abs(math.log(self.letters / other.letters))


def exchanged_items(zh: Sequence[Nodes], en: Sequence[Nodes]) -> tuple[int, int] | None:
    """The places, from 0, of two items that are each other's twins; None where there are no such ones."""
    left, right = [*map(_Item.of, zh)], [*map(_Item.of, en)]
    own = [*map(_Item.likeness, left, right)]
    places = range(len(left))
    pairs = combinations(places, 2) if len(left) <= _MOST_ITEMS else pairwise(places)
    gains = {
        (i, j): left[i].likeness(right[j]) + left[j].likeness(right[i]) - own[i] - own[j] for i, j in pairs
    }
    best = max(gains, key=gains.__getitem__, default=None)
    return best if best is not None and gains[best] > _CLEARLY else None
