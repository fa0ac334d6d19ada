"""The highlighted code of a parsed half: most of it stays as it is when the half is edited."""

from collections.abc import Iterator

from diglot.content.tree.html import Highlighted, around_code
from diglot.content.tree.nodes import CodeBlock, ParsedText


def code_made(parsed: ParsedText) -> Highlighted:
    """The highlighted code of a half, but for code with numbers or marked lines, and in lists and quotes."""
    return dict(_pairs(parsed))


def _pairs(parsed: ParsedText) -> Iterator[tuple[tuple[str, str], str]]:
    for top, block in zip(parsed.tree.blocks, parsed.document.blocks, strict=True):
        if len(top.nodes) != 1 or not isinstance(code := top.nodes[0], CodeBlock) or not code.language:
            continue
        if not code.marked and code.first is None:
            begin, end = around_code(code)
            made = "".join(map(str, block.parts))[len(begin) : -len(end)]
            if "<span " in made:  # else nothing may be known of its language, which is said each time
                yield (code.text, code.language), made
