"""The door to quicker ways through markdown-it-py and Pygments, which follow the inside of these libraries.

What comes out is the same. They are taken with the versions that they were verified with (`versions.py`);
with others, the libraries run as they are, and a build from nothing takes about a sixth longer.
"""

from typing import Any

from markdown_it import MarkdownIt

from diglot.content.fast.versions import are_verified


def quick_parser(md: MarkdownIt) -> MarkdownIt:
    """The parser, to be called once all rules are there: it asks only the rules that can match."""
    if not are_verified("markdown-it-py", "mdit-py-plugins"):
        return md
    from diglot.content.fast.dispatch import quicken

    return quicken(md)


def quick_lexer(lexer: Any) -> Any:
    """A class of Pygments' lexers that tries only the expressions that can match."""
    if not are_verified("Pygments", "Python"):
        return lexer
    from diglot.content.fast.lexing import quickened

    return quickened(lexer)
