"""Counts what readers see of a text, to compare an article with its source."""

import re
from collections.abc import Callable

from diglot.importing.text.body import Body

_UNSEEN = re.compile(
    r"""
    <(style|script)\b.{0,20000}?</\1\s*>  # with what is inside; limits keep odd texts from taking long
    | <!--.{0,20000}?-->
    | \{%-?\s*comment\s*-?%\}.{0,20000}?\{%-?\s*endcomment\s*-?%\}
    | \{::comment\}.{0,20000}?\{:/(?:comment)?\}
    | </?[A-Za-z][\w-]*(?:\s[^<>\n]*)?/?>  # no formula, `a<b`
    | \{%.{0,2000}?%\} | \{\{.{0,2000}?\}\}  # tags of the old systems
    | ^[ \t>]*(?:`{3,}|~{3,})[^\n]*$  # what follows a fence
    | \]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)  # addresses
    | ^[ ]{0,3}\[[^\]\n]+\]:[^\n]*$
    | https?://[^\s)>\]]+
    | \{:?[^{}\n]*\}
    | \\(?:label|begin|end|tag)\*?\{[^{}]*\} | \\[A-Za-z]+
    | :[a-z0-9_+-]+:  # emoji
    | \[![a-z]+\] | ^[ ]{0,3}\[toc\][ \t]*$  # marks of callouts and of tables of contents
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE | re.IGNORECASE,
)


def count_characters(text: str) -> int:
    """The number of letters and digits of a text in Markdown, without tags and addresses."""
    return len(re.findall(r"[^\W_]", _UNSEEN.sub(" ", text)))


def substitute(
    body: Body,
    pattern: re.Pattern[str],
    make: Callable[[re.Match[str]], str | None],
    *,
    in_code: bool = False,
) -> None:
    """Replace what is written in another form here: names and options are no text that is lost."""

    def counted(found: re.Match[str]) -> str | None:
        new = make(found)
        if new is not None:
            body.count -= count_characters(found[0]) - count_characters(new)
        return new

    body.substitute(pattern, counted, in_code=in_code)
