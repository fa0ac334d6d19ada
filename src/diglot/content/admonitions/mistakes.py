"""What is wrong with an admonition: a kind that there is not, and options that are text."""

import re
from collections.abc import Collection, Sequence

from markdown_it.token import Token

from diglot.content.admonitions.kinds import KINDS, LOOKS
from diglot.content.mistakes import Mistakes
from diglot.diagnostics import did_you_mean

_CLASS = re.compile(r"\.([\w-]+)")
_OPTION = re.compile(r":([A-Za-z][\w-]*):[ \t]*(.*)")


def report_unknown(token: Token, line: int, mistakes: Mistakes, others: Collection[str]) -> None:
    """Report a block between colons that is no admonition: `:::{nots}`, `::: {.column}`, `:::python`.

    `others` are the directives of extensions.
    """
    kind, bare = token.info, token.meta.get("bare")
    if bare is None and kind in others:
        return  # it never ends, which is reported
    if bare is None:
        known = f"there are {', '.join(LOOKS)} and other tools' names for them."
        fix = did_you_mean(kind, (*KINDS, *sorted(others)), otherwise=known)
        mistakes.error("admonition-unknown", f'there is no admonition "{kind}"', line, fix)
        return
    named = _CLASS.search(bare) if bare[0] == "{" else None
    name = named.group(1) if named else bare
    if name in others:
        fix = f"write :::{{{name}}}."
        mistakes.error(
            "admonition-braces", f"a directive has its name in braces, and {name} has none", line, fix
        )
        return
    message = f'":::{bare}" begins no block here: there are only admonitions, as in :::{{note}}'
    tag = f'div class="{name}"' if name[0] != "{" else "div"
    fix = f'write <{tag} markdown="1">, the text, and </div> on lines of their own.'
    mistakes.error("admonition-braces", message, line, fix)


def warn_of_options(tokens: Sequence[Token], index: int, line: int, mistakes: Mistakes) -> None:
    """Warn of an option below the first line of an admonition that it does not have, and shows as text."""
    if index + 2 >= len(tokens) or tokens[index + 1].type != "paragraph_open":
        return
    opened, first = tokens[index].map, tokens[index + 1].map
    start = line + first[0] - opened[0] if opened and first else line
    for number, text in enumerate(tokens[index + 2].content.split("\n")):
        found = _OPTION.fullmatch(text)
        if found is None or not found.group(2):
            return
        message = f'"{text}" is shown as text: an admonition has no such option'
        fix = "delete it; there are :class:, :name: and :open:, directly below the first line."
        mistakes.warn("syntax-unsupported", message, start + number, fix)
