"""Warns of the syntax of other tools, which this Markdown does not have and shows as text.

A half without such syntax must cost next to nothing. So one expression finds the few lines with a sign of it,
and only their text is examined further. That happens at rendering, when code, formulas and HTML are known.
All expressions have upper bounds, so that no line takes quadratic time.
"""

import re
from collections.abc import Sequence, Set

from markdown_it.token import Token

from diglot.content.foreign_kinds import LONGEST_SHOWN, SYNTAXES, Finding
from diglot.content.foreign_names import ANY_TAG
from diglot.content.mistakes import Mistakes
from diglot.diagnostics import shortened

_SIGN = (
    r"\n(?:%|\([^()\s]{1,100}\)=|\+\+\+|\[[\[Tt]|@\[|\[(?:gallery|caption|embed|video|audio|playlist|youtube)\b|\{"
    r"|#\+[A-Za-z]|import |export |<<<|!!!|\?\?\?|\.\. |\*\[|\\\[|///|--?8<)"
    r"| #[^\W\d_][\w-]{0,40}/[^\W_]|\n#[^\W\d_][\w-]{0,40}/[^\W_]|\n\(@|\{::|\{:/"
    r"|\{props\.|\{front[mM]atter\.|\{siteConfig\.|\{metadata\."
    r"|%%|\{[{%#]|\[[!\[]|:[a-z][a-z0-9_]{1,30}:|:`"
    r"|\\begin\{|\\\(|\\\[|\$\$|\[/[A-Za-z]|\{(?:/\*|code|quote|noformat|panel|color)"
    r"|@(?:fig|tbl|tab|eq|sec|lst)[-:]|<[%?]| \^[a-z0-9-]{3,40}\n"
)
"""How each kind begins. Each alternative begins with a literal, which Python's `re` finds quickly."""


_LONGEST_TEXT = 4000
"""Characters of a line that are examined: longer lines are not written by hand."""


def find_suspects(body: str, first_line: int) -> Set[int]:
    """The lines of a file that may contain foreign syntax; its body begins on `first_line`."""
    suspects = {first_line}
    line, counted = first_line, 0
    for found in re.finditer(_SIGN, body):
        start = found.start() + 1
        line += body.count("\n", counted, start)
        counted = start
        suspects.add(line)
    return suspects


_STRAIGHT = str.maketrans("“”‘’", "\"\"''")


def warn_of_syntax(tokens: Sequence[Token], index: int, line: int, mistakes: Mistakes) -> None:
    """Warn of foreign syntax in a text token on a suspect line."""
    before = tokens[index - 1] if index else None
    begins = before is None or before.type in ("softbreak", "hardbreak")
    # In English, quotation marks are curly by now.
    content = tokens[index].content[:_LONGEST_TEXT].translate(_STRAIGHT)
    text = f"\n{content}" if begins else content
    above = tokens[index - 2].content if begins and index > 1 else ""
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    source = mistakes.lines[line - 1][:_LONGEST_TEXT].translate(_STRAIGHT)
    for syntax in SYNTAXES:
        for found in re.finditer(syntax.pattern, text, re.MULTILINE):
            what = found.group().strip()
            escaped = what not in source or f"\\{what}" in source
            if escaped if syntax.written is None else re.search(syntax.written, source) is None:
                continue
            if (advice := syntax.advise(Finding(found, before, above, after))) is not None:
                quoted = syntax.quoted or shortened(what, LONGEST_SHOWN)
                mistakes.warn(syntax.rule, f'"{quoted}" is shown as text: {advice[0]}', line, advice[1])


def warn_of_comment(html: str, line: int, mistakes: Mistakes) -> None:
    """Warn of what HTML hides and other tools understand: `<!-- more -->`, `<?php … ?>`."""
    if html.startswith(("<?php", "<?=", "<? ")):
        shown = shortened(html.strip(), LONGEST_SHOWN)
        message = f'readers do not see "{shown}": articles have no template tags'
        mistakes.warn("syntax-unsupported", message, line, ANY_TAG)
    if html.startswith("<!--") and "<!--" in (inside := html[4:].partition("-->")[0]):
        rest = html[4 + len(inside) + 3 :].strip()
        message = "a comment inside another one ends both" + (
            f', so that readers see "{shortened(rest, LONGEST_SHOWN)}"' if rest else ""
        )
        mistakes.warn("comment-left-over", message, line, "delete the inner <!-- and its -->.")
    if (included := _INCLUDED.match(html)) is not None:
        message = (
            f'readers do not see "{shortened(included[0], LONGEST_SHOWN)}", and no file is put in its place'
        )
        fix = f"write ```{{include}} {included[1]} on a line, and ``` on the next."
        mistakes.warn("syntax-unsupported", message, line, fix)
    if (found := _EXCERPT.fullmatch(html.strip())) is not None:
        mistakes.warn(
            "syntax-unsupported",
            f'"{found.group()}" does nothing here: lists of articles do not show an excerpt',
            line,
            "delete it; lists show the `description:` of the front matter, or else the first paragraph.",
        )


_INCLUDED = re.compile(r"<!--[ \t]*@?include:?[ \t]+([^\s<>]+?)[ \t]*-->")
_EXCERPT = re.compile(r"<!--[ \t]*(?:more|truncate|excerpt)[ \t]*-->", re.IGNORECASE)
