"""Counts what readers see of a text, to compare an article with its source."""

import re

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
