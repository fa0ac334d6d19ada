"""Removes comments that silence a warning from parsed Markdown, so that they are not published."""

from collections.abc import Sequence

from markdown_it.token import Token

from diglot.ignore_comments import HTML_COMMENT


def without_ignore_comments(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without such comments. Line numbers stay the same."""
    kept = []
    for token in tokens:
        if token.type in ("html_block", "html_inline"):
            content = HTML_COMMENT.sub("", token.content)
            if content != token.content and not content.strip():
                continue
            token.content = content
        elif token.children:
            token.children = without_ignore_comments(token.children)
        kept.append(token)
    return kept
