"""What is written behind the language of a fence: a title, lines that are marked, numbers of lines."""

import re
from collections.abc import Iterator

import msgspec

from diglot.content.directives import DIRECTIVES
from diglot.content.mistakes import Mistakes
from diglot.diagnostics import did_you_mean

_WORD = re.compile(r"""\{([^{}]*)\}|([\w-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?(?=\s|$)|(\S+)""")
_CURLY = re.compile(r"([\w-]+)[=＝][“”‘’＂]([^“”‘’＂]*)[“”‘’＂]?")
_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")
_LINES = "write numbers and ranges, as in {3,5-7}."
_NUMBERS = ("linenums", "linenos", "showLineNumbers", "numberLines", "line-numbers")
"""Names that other tools have for the numbers of lines; the first is ours."""
_KNOWN = ("title", "hl_lines", *_NUMBERS)
_DIRECTIVE = re.compile(r"\{[ \t]*([\w-]+)[ \t]+([^{}]+?)[ \t]*\}")
"""A directive whose argument is inside its braces: `{figure roofline}`."""
_TAG = re.compile(r"<(/?)span([^>]*)>")


class CodeOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a block of code is shown."""

    title: str = ""
    marked: frozenset[int] = frozenset()
    """Lines of the block, from 1."""
    first: int | None = None
    """The number of the first line; None for code without numbers."""


NONE = CodeOptions()


def read_code_options(info: str, lines: int, line: int, mistakes: Mistakes) -> CodeOptions:
    """The options in an info string, after the language. `lines` is how many lines the code has."""
    title, marked, first = "", set[int](), None
    if (directive := _DIRECTIVE.fullmatch(info)) is not None and directive[1] in DIRECTIVES:
        message = f"a brace is misplaced, so that this is code and no {directive[1]}"
        mistakes.warn("code-option-unknown", message, line, f"write ```{{{directive[1]}}} {directive[2]}.")
        return NONE
    if (curly := _CURLY.search(info)) is not None:
        message = f"the quotation marks of {curly[0]} are not ASCII"
        mistakes.warn("full-width-mark", message, line, f'write {curly[1]}="{curly[2]}".')
    for braces, name, double, single, bare, other in _WORD.findall(info):
        value = double or single or bare
        if name == "title":
            title = value
        elif name == "hl_lines" or not (name or other):
            marked |= set(_numbers(value if name else braces, lines, line, mistakes))
        elif name in _NUMBERS:
            first = int(value) if value.isdigit() and len(value) < 7 else 1
            if value in ("false", "none"):
                first = None
        else:
            word = name or other
            usual = 'write title="…", {3,5-7} or linenums, or delete it.'
            mistakes.warn(
                "code-option-unknown",
                f'code has no option "{word}"',
                line,
                did_you_mean(word, _KNOWN, otherwise=usual),
            )
    return CodeOptions(title=title, marked=frozenset(marked), first=first)


def _numbers(text: str, lines: int, line: int, mistakes: Mistakes) -> Iterator[int]:
    """The lines that are named in `3,5-7` or `3 5-7`."""
    for part in text.replace(",", " ").split():
        found = _RANGE.fullmatch(part)
        if found is None:
            word = "linenums" if part[1:] in _NUMBERS else f"```{part[1:]}"
            fix = f"write {word} without braces." if part[0] == "." else _LINES
            if part == "=html":
                fix = "write the HTML as it is, without a fence."
            elif part[0] == "=":
                fix = f"delete it: diglot makes pages, and nothing in {part[1:]}."
            mistakes.warn("code-lines", f'"{part}" does not name lines', line, fix)
            continue
        first, last = int(found[1]), int(found[2] or found[1])
        if not 1 <= first <= last <= lines:
            why = f"{part} is to be marked, but this code has lines 1 to {lines}"
            mistakes.warn("code-lines", why, line, _LINES)
        yield from range(first, min(last, lines) + 1)


def with_lines(code: str, options: CodeOptions) -> str:
    """Highlighted code with its numbers and its marked lines, in the classes that Pygments has for them.

    Numbers are attributes, so that nobody copies them. A newline stays outside of all elements.
    """
    if not options.marked and options.first is None:
        return code
    lines = _whole_lines(code)
    rest = lines.pop() if lines and not lines[-1] else None
    width = len(str((options.first or 1) + len(lines) - 1))
    shown = [_line(text, number, width, options) for number, text in enumerate(lines, 1)]
    return "\n".join(shown if rest is None else [*shown, rest])


def _line(text: str, number: int, width: int, options: CodeOptions) -> str:
    if options.first is not None:
        label = str(options.first + number - 1).rjust(width)
        text = f'<span class="linenos" data-n="{label}"></span>{text}'
    return f'<span class="hll">{text}</span>' if number in options.marked else text


def _whole_lines(code: str) -> list[str]:
    """The lines of highlighted code; elements that go on over several are closed and opened again."""
    shown: list[str] = []
    open_tags: list[str] = []
    for text in code.split("\n"):
        begins = "".join(open_tags)
        for closes, attributes in _TAG.findall(text):
            if closes:
                open_tags.pop()
            else:
                open_tags.append(f"<span{attributes}>")
        shown.append(f"{begins}{text}{'</span>' * len(open_tags)}")
    return shown
