"""Admonitions: :::{note} blocks of text set apart, closed by `:::`."""

import re
from collections.abc import Sequence

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from diglot.content.mistakes import Mistakes
from diglot.languages import Bilingual

WORDS: dict[str, Bilingual] = {
    "note": Bilingual(zh="注意", en="Note"),
    "tip": Bilingual(zh="提示", en="Tip"),
    "important": Bilingual(zh="重要", en="Important"),
    "warning": Bilingual(zh="警告", en="Warning"),
    "caution": Bilingual(zh="小心", en="Caution"),
}

LIKE: dict[str, str] = {
    **dict.fromkeys(("info", "abstract", "summary", "tldr", "todo", "example", "seealso", "quote"), "note"),
    **dict.fromkeys(("question", "help", "faq", "details", "dropdown", "admonition", "callout"), "note"),
    **dict.fromkeys(("hint", "success", "check", "done"), "tip"),
    **dict.fromkeys(("attention", "alert", "bug", "warn"), "warning"),
    **dict.fromkeys(("danger", "error", "failure", "fail", "missing"), "caution"),
}
"""Kinds that other tools have, each with the one here that comes closest."""

_OPENING = re.compile(r"(:{3,})[ \t]*(?:\{([\w-]+)\}|(\{[^}]*\}|[A-Za-z][\w-]*))(.*)$")
_CLOSING = re.compile(r"(:{3,})[ \t]*$")
_FENCE = re.compile(r"(`{3,}|~{3,})")


def admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule. Outer admonitions have more colons than inner ones; `meta` tells rendering of mistakes.

    `:::note` and `::: {.callout-note}`, as other tools have them, are read too, so that one mistake is
    reported and not a second one at their end.
    """
    begin = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not state.src.startswith(":::", begin):
        return False
    opening = _OPENING.match(state.src[begin : state.eMarks[start]])
    if opening is None:
        return False
    if silent:
        return True
    colons = len(opening.group(1))
    closing, misnested = _find_closing(state, start, end, colons)

    token = state.push("admonition_open", "div", 1)
    token.info = opening.group(2) or ""
    token.content = opening.group(4).strip(" \t")
    token.map = [start, end if closing is None else closing + 1]
    token.meta = {"closed": closing is not None, "misnested": misnested, "colons": colons}
    token.meta["foreign"] = opening.group(3)
    last = end if closing is None else closing
    old_parent, old_max, state.parentType, state.lineMax = state.parentType, state.lineMax, "container", last
    state.md.block.tokenize(state, start + 1, last)
    state.parentType, state.lineMax = old_parent, old_max
    state.push("admonition_close", "div", -1)
    state.line = last + (closing is not None)
    return True


def kind_like(name: str) -> str | None:
    """The kind of admonition that another tool's name stands for, as in `callout-tip`; None for others."""
    plain = name.casefold().removeprefix(".").removeprefix("callout-")
    chinese = (kind for kind, words in WORDS.items() if words.zh == plain)
    return plain if plain in WORDS else LIKE.get(plain) or next(chinese, None)


def stray_colons(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: a `:::` that closes nothing ends a paragraph; rendering reports it."""
    begin = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not state.src.startswith(":::", begin):
        return False
    if _CLOSING.match(state.src[begin : state.eMarks[start]]) is None:
        return False
    if silent:
        return True
    state.push("stray_colons", "", 0).map = [start, start + 1]
    state.line = start + 1
    return True


def _find_closing(state: StateBlock, start: int, end: int, colons: int) -> tuple[int | None, int | None]:
    """The line that closes the block, and the first inner opening line with as many colons or more."""
    fence = ""
    misnested, depth = None, 0
    for line in range(start + 1, end):
        begin = state.bMarks[line] + state.tShift[line]
        if begin < state.eMarks[line] and state.sCount[line] < state.blkIndent:
            return None, misnested
        text = state.src[begin : state.eMarks[line]]
        if found := _FENCE.match(text):
            marks = found.group(1)
            if not fence:
                fence = marks
            elif marks.startswith(fence) and not text.strip(fence[0]).strip():
                fence = ""
        elif not fence and text.startswith(":::"):
            if (inner := _OPENING.match(text)) and len(inner.group(1)) >= colons:
                depth += 1
                misnested = line if misnested is None else misnested
            elif (closing := _CLOSING.match(text)) and len(closing.group(1)) >= colons:
                if depth == 0:
                    return line, misnested
                depth -= 1  # as if the inner one were right, to report one mistake instead of three
    return None, misnested


_CLASS = re.compile(r"\.([\w-]+)")
_OPTION = re.compile(r":([A-Za-z][\w-]*):[ \t]*(.*)")


def report_foreign_admonition(token: Token, written: str, line: int, mistakes: Mistakes) -> None:
    """Report an admonition as another tool has it: `:::note`, `::: {.callout-note}`, `::: {.column}`."""
    named = _CLASS.search(written) if written[0] == "{" else None
    name = named.group(1) if named else written
    kind = kind_like(name)
    title = token.content.strip("[] ")
    message = f'":::{written}" does not begin an admonition: the name of its kind is not in braces'
    if written == "details" or kind is None:
        message = f'":::{written}" begins no block here: there are only admonitions, as in :::{{note}}'
        tag = "details" if written == "details" else f'div class="{name}"' if name[0] != "{" else "div"
        fix = (
            f'write <{tag} markdown="1">, the text, and </{tag.split(maxsplit=1)[0]}> on lines of their own.'
        )
    else:
        fix = f"write :::{{{kind}}}{f' {title}' if title else ''}"
    mistakes.error("admonition-braces", message, line, fix)


def warn_of_options(tokens: Sequence[Token], index: int, line: int, mistakes: Mistakes) -> None:
    """Warn of an option below the first line of an admonition: it has none, so they are shown as text."""
    if index + 2 >= len(tokens) or tokens[index + 1].type != "paragraph_open":
        return
    for number, text in enumerate(tokens[index + 2].content.split("\n"), start=1):
        found = _OPTION.fullmatch(text)
        if found is None or not (found.group(2) or found.group(1) in ("open", "icon")):
            return
        name, value = found.group(1), found.group(2).strip()
        fix = "delete it."
        if (name == "class" and "dropdown" in value) or name == "open":
            fix = 'for text that readers unfold, write <details markdown="1"> and <summary>…</summary>.'
        elif name == "class":
            fix = f"write {{.{'.'.join(value.split())}}} on the line above the admonition."
        elif name in ("name", "label"):
            fix = f"write {{#{value}}} on the line above the admonition."
        mistakes.warn(
            "syntax-unsupported",
            f'"{text}" is shown as text: admonitions have no options',
            line + number,
            fix,
        )
