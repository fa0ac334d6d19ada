"""Access to faster code for markdown-it-py and Pygments, which relies on the internals of these libraries.

The output is the same. This code is used with the versions that it was verified with (`versions.py`); with
other versions, the libraries run unchanged, and a build from nothing takes about a sixth longer.
"""

from typing import Any

from markdown_it import MarkdownIt

from diglot.content.fast.versions import are_verified


def quick_parser(md: MarkdownIt) -> MarkdownIt:
    """The parser, calling only the rules that can match. Call it after all rules have been added."""
    if not are_verified("markdown-it-py", "mdit-py-plugins"):
        return md
    from diglot.content.fast.dispatch import quicken  # noqa: PLC0415  (only in versions that it was verified with)

    return quicken(md)


def quick_lexer(lexer: Any) -> Any:
    """The class of a Pygments lexer, changed to try only the expressions that can match."""
    if not are_verified("Pygments", "Python"):
        return lexer
    from diglot.content.fast.lexing import quickened  # noqa: PLC0415  (only in versions that it was verified with)

    return quickened(lexer)
