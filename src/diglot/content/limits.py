"""How much of a half is taken, and why no more: what would take too long is refused before it is begun.

All of them are far beyond what people write. Time and memory are in proportion to a text up to here, so each
half that is taken is through in seconds.
"""

from diglot.content.mistakes import TooMuch

MOST_CHARACTERS = 4_000_000
"""Of a half: a thousand times an article, two books. A page of it takes browsers seconds, too."""

MOST_BLOCKS = 20_000
"""At the top of a half: a page has a row for each, its twin's page and the one of both as well."""

MOST_TOKENS = 100_000
"""Of the library, for all blocks: a paragraph has three, an item of a list five."""

MOST_CELLS = 100_000
"""Of the tables of a half: short rows are filled up, so that a megabyte of text may have tens of millions."""

MOST_LOOKS_A_LINE = 12
MOST_LOOKS = 30_000
"""So often, for each line and in all, lines are looked at to find where quotations, lists and notes end.

The library goes through what may still belong to a block, and once more for each block that this turns out
not to belong to: quadratic in what is left open. Ordinary text is looked at once or twice."""

MOST_STEPS_A_CHARACTER = 6
MOST_STEPS = 60_000
"""So often, for each character and in all, the library skips what stands between brackets, which it does
again for each bracket around them."""

MOST_ADDED = 20_000_000
"""Characters of addresses and titles: one long address, defined once, may be used on every line."""

LONGEST_FORMULA = 5000
DEEPEST_FORMULA = 100
"""Characters, and braces inside each other: math-core recurses in native code, which ends the process where
the stack does."""

MOST_UNCLOSED = 12
"""Parentheses and the like in a formula without their ends: math-core takes twice as long for each."""

LONGEST_CODE = 50_000
LONGEST_CODE_LINE = 2_000
"""Characters of a block and of its longest line that are highlighted: some lexers' expressions are quadratic
in what they read, and nothing can interrupt one of them."""

LONGEST_HIGHLIGHTING_S = 2.5
"""Of processor time for a block of code. Ordinary code takes milliseconds; some lexers look through all that
is ahead at each of a thousand empty lines. No page depends on how quick a machine is: a block that takes
longer is a mistake, not shown otherwise."""


def too_long(has: str, line: int) -> TooMuch:
    """What is raised where a half has more than is taken."""
    return TooMuch("half-too-long", f"this half has {has}", "split the article into several.", line)


def too_tangled(line: int | None) -> TooMuch:
    """What is raised where a text is looked at too often."""
    return TooMuch(
        "text-tangled",
        "so many brackets, quotations or lists are left open here that parsing would take too long",
        "close or escape them, or put empty lines between them.",
        line,
    )
