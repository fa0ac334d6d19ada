"""How names of products are written: the list that every site is checked by, and a site's own."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from diglot.diagnostics import DiagnosticError
from diglot.strict_yaml import Fields, read_mapping

WORDS = "site/words.yaml"
"""A site's own list."""


class _Listed(msgspec.Struct, frozen=True, kw_only=True):
    names: tuple[str, ...]
    also_written: dict[str, tuple[str, ...]] = msgspec.field(name="also written")


_LISTED = msgspec.yaml.decode(Path(__file__).with_suffix(".yaml").read_bytes(), type=_Listed)
_NAMES = {**dict.fromkeys(_LISTED.names, ()), **_LISTED.also_written}
"""Names in this field, each with what is often written instead, besides other capital letters."""

_NOT_BEFORE, _NOT_AFTER = r"(?<![A-Za-z0-9_./@#&+\\-])", r"(?![A-Za-z0-9_/@-]|\.[A-Za-z0-9])"
"""What makes a name a part of something else, such as a file's name or an address."""


class NameFound(NamedTuple):
    """A name of a product that is written in another way."""

    start: int
    written: str
    right: str


class ProductNames:
    """Finds names that are written in another way than their owners do."""

    def __init__(self, names: Mapping[str, tuple[str, ...]] = _NAMES) -> None:
        """`names` maps the right spelling to wrong ones; capital letters need not be listed."""
        self._right = {form.casefold(): name for name, others in names.items() for form in (name, *others)}
        self._names = frozenset(names)
        longest_first = sorted(self._right, key=len, reverse=True)
        forms = "|".join(re.escape(form) for form in longest_first)
        self._pattern = (
            re.compile(f"{_NOT_BEFORE}({forms})(s?){_NOT_AFTER}", re.IGNORECASE) if forms else None
        )

    def find(self, text: str) -> list[NameFound]:
        """The names in a text that are not written as they should be."""
        folded = text.casefold()
        if self._pattern is None or not any(form in folded for form in self._right):  # four times as quick
            return []
        found = (
            (one.start(), one[1], self._right[one[1].casefold()]) for one in self._pattern.finditer(text)
        )
        return [NameFound(*one) for one in found if one[1] != one[2]]


def read_names(text: str | None) -> ProductNames:
    """The names that a site's own file adds to the list, and without those that it leaves out.

    `text` is None where there is no such file. Raises DiagnosticError with all mistakes in it.
    """
    if text is None:
        return ProductNames()
    fields = Fields(read_mapping(text, WORDS))
    own: dict[str, tuple[str, ...]] = {}
    for name, others in fields.free("names").items():
        if isinstance(others, list) and all(isinstance(one, str) for one in others):
            own[str(name)] = tuple(others)
        else:
            fix = (
                "list what is written instead, as in `TileLang: [Tile Lang]`; `[]` for other capital letters."
            )
            fields.report("names", f"names.{name}: this is not a list of texts", fix, index=name)
    left_out = frozenset(fields.texts("leave"))
    fields.finish()
    if fields.diagnostics:
        raise DiagnosticError(*fields.diagnostics)
    ours = {name: others for name, others in _NAMES.items() if name not in left_out}
    return ProductNames({**ours, **own})
