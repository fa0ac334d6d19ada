"""Limits on the size and complexity of a half, so that parsing it always ends within seconds.

All of them are far beyond what people write. Up to these limits, time and memory grow in proportion to the
text; whatever would take too long is refused before it starts.
"""

from diglot.content.mistakes import TooMuch

MOST_CHARACTERS = 4_000_000
"""Characters of a half: a thousand articles, or two books. Browsers need seconds for such a page, too."""

MOST_BLOCKS = 8_000
"""Top-level blocks of a half. Its page, its twin's page and the page with both have a row for each."""

MOST_TOKENS = 100_000
"""Tokens of markdown-it for all blocks of a half: a paragraph has three, a list item five."""

MOST_MARKS = 60_000
"""Line breaks, links, code and other inline marks of a half. A long article has a thousand."""

MOST_CELLS = 100_000
"""Table cells of a half. Short rows are padded, so a megabyte of text could give tens of millions."""

MOST_LOOKS_A_LINE = 12
MOST_LOOKS = 30_000
"""How often markdown-it may examine lines to find where quotations, lists and notes end: per line, in all.

It examines every line that may still belong to a block, and again for each open block that the line turns out
not to belong to: quadratic in the blocks left open. Ordinary text is examined once or twice."""

MOST_STEPS_A_CHARACTER = 6
MOST_STEPS = 60_000
"""How often markdown-it may skip over bracketed text: per character, and in all. It skips the same text again
for each bracket around it."""

MOST_ADDED = 20_000_000
"""Characters of addresses and titles in a half: one long address, defined once, may be used on every line."""

MOST_LEFT_OVER = 100_000
"""Characters of a half that are searched for Markdown that is spoilt: those of blocks with a sign of it."""

LONGEST_FORMULA = 5000
DEEPEST_FORMULA = 100
"""Characters, and nested braces. math-core recurses in native code: a stack overflow ends the process."""

MOST_UNCLOSED = 12
"""Unclosed parentheses and brackets in a formula: each one doubles math-core's time."""

LONGEST_CODE = 50_000
LONGEST_CODE_LINE = 2_000
"""Characters of a block, and of its longest line, that are highlighted. Some lexers' regular expressions are
quadratic, and nothing can interrupt one of them."""

LONGEST_HIGHLIGHTING_S = 2.5
"""Processor time for one block of code, in seconds. Ordinary code takes milliseconds; some lexers search the
whole rest of the text at each of a thousand empty lines. A block that takes longer is an error and is not
shown plain instead, so that no page depends on the speed of the machine."""


def too_long(has: str, line: int | None) -> TooMuch:
    """The exception for a half that has more of something than is allowed."""
    return TooMuch("half-too-long", f"this half has {has}", "split the article into several.", line)


def too_tangled(line: int | None) -> TooMuch:
    """The exception for text that markdown-it would examine too often."""
    return TooMuch(
        "text-tangled",
        "so many brackets, quotations or lists are left open here that parsing would take too long",
        "close or escape them, or put empty lines between them.",
        line,
    )
