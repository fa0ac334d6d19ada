"""Labels of what has a number in an article: `Figure 1` of a picture, `(a)` of a part of one, `Theorem 2`."""

from typing import NamedTuple

from diglot.content.records import Block, Placeholder

PART = "part"
"""What a picture is that is shown together with others, as a figure of several: `(a)`."""
NUMBERED_KINDS = frozenset(
    (
        *("theorem", "lemma", "corollary", "proposition", "definition", "axiom", "conjecture", "assumption"),
        *("property", "algorithm", "remark", "observation", "exercise", "example"),
    )
)
"""Kinds of admonitions that have a number if they have a name."""


class Label(NamedTuple):
    """What is numbered, and its name in references; written with a space between them."""

    of: str
    """`figure`, `table`, one of `NUMBERED_KINDS`, or `PART`."""
    name: str

    def __str__(self) -> str:
        return f"{self.of} {self.name}"


def read_label(placeholder: Placeholder) -> Label:
    """The label that a placeholder stands for."""
    of, _, name = placeholder.target.partition(" ")
    return Label(of, name)


def labels_in(block: Block) -> tuple[Label, ...]:
    """The labels of a block. Those of the parts of a figure are before its own."""
    if len(block.parts) == 1:  # text alone, as most blocks are
        return ()
    return tuple(
        read_label(part) for part in block.parts if isinstance(part, Placeholder) and part.kind == "label"
    )
