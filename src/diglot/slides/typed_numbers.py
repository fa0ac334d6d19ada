"""Numbers that a person typed on a slide next to a figure, and that the figure's data now contradict."""

from collections.abc import Iterator
from typing import NamedTuple

from diglot.content.computed_numbers import KnownNumbers, WrittenNumber
from diglot.languages import count_han
from diglot.quantities.reading import quantities_in


class TypedNumber(NamedTuple):
    """A number in a text, the value that it was or is near to, and that value now in the same form."""

    text: str
    digits: str
    """The number without its unit."""
    path: str
    was: bool
    """Whether it was this value; else it is only near to it."""
    now: str | None
    """None if the figure does not compute it any more."""


def find_typed(text: str, known: KnownNumbers) -> Iterator[TypedNumber]:
    """The numbers of a paragraph that were numbers of a figure and are none now, or are near to one."""
    for quantity in quantities_in(text, "zh" if count_han(text) else "en"):
        written = None if quantity.is_in_itself else WrittenNumber.of(quantity, text)
        meaning = None if written is None else written.meaning(known, is_beside=True)
        if written is not None and meaning is not None and meaning.kind != "computed":
            was = meaning.kind == "outdated"
            yield TypedNumber(quantity.text, written.typed_digits, meaning.path, was, meaning.now)
