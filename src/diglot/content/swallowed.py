"""Warns of what CommonMark and GFM drop, swallow or take for something else without a word."""

import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from itertools import takewhile
from typing import Any

from markdown_it.token import Token

from diglot.content.leftovers.addresses import looks_like_an_address
from diglot.content.mistakes import Mend, Mistakes
from diglot.diagnostics import shortened
from diglot.dollars import has_lone_dollar
from diglot.languages import HAN

_LONGEST_SHOWN = 60


class Definitions(dict[str, dict[str, Any]]):
    """The definitions of links in a half, by label, which remember whether they are used."""

    def __init__(self) -> None:
        super().__init__()
        self.used: set[str] = set()

    def get(self, label: str, default: Any = None) -> Any:
        """The definition, as markdown-it asks for it."""
        self.used.add(label)
        return default if label.startswith("＾") else super().get(label, default)  # a note's, with a twin


def warn_of_definitions(env: dict[str, Any], first_line: int, mistakes: Mistakes) -> None:
    """Warn of definitions of links that nothing uses, or that come too late, once all links are known."""
    definitions: Definitions = env["references"]
    for label, definition in definitions.items():
        target = definition["href"]
        note = "".join(label[1:].lower().split())
        is_note = label.startswith(("^", "＾")) and bool(note)
        if target in ("#", "") or (label in definitions.used and not is_note):
            continue  # `[//]: # (…)` is a comment
        line = first_line + definition["map"][0]
        name = shortened(label.lower(), _LONGEST_SHOWN)
        message = f'no link uses the definition of "{name}", and readers do not see it'
        fix = f"write [text][{name}] where it is meant, or delete it."
        if is_note:
            message = f'"[{name}]:" begins the definition of a link, and not of a footnote'
            mark = f"[^{shortened(note, _LONGEST_SHOWN)}]"
            fix = f"write {mark}: …, and the same mark in the text, without spaces."
        elif not looks_like_an_address(target):
            message = f'"[{name}]:" begins the definition of a link, so that readers do not see this line'
            fix = f"put a backslash before it: \\[{name}]: …; for a note, write [^{name}]: …"
        mistakes.warn("definition-unused", message, line, fix)
    for definition in env.get("duplicate_refs", ()):
        label = definition["label"]
        first = first_line + definitions[label]["map"][0]
        mistakes.warn(
            "definition-duplicate",
            f'"{shortened(label.lower(), _LONGEST_SHOWN)}" is defined already on line {first}, which counts',
            first_line + definition["map"][0],
            "delete it, or give it another name.",
        )


_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")


_FOOT = re.compile(r":?={3,}:?")
_HEADS = re.compile(r"[ \t]*-{3,}(?:[ \t]+-{2,})+[ \t]*")


def warn_of_dashes(line: int, mistakes: Mistakes) -> None:
    """Warn of a rule that is the line below the head of a table of Pandoc."""
    source = mistakes.lines[line - 1] if 0 < line <= len(mistakes.lines) else ""
    if _HEADS.fullmatch(source) is not None:
        message = f'"{shortened(source.strip(), _LONGEST_SHOWN)}" draws a rule, and no table'
        fix = "write the cells of a table between bars, with |---|---| below the first row."
        mistakes.warn("table-left-over", message, line, fix)


_ANNOTATED = re.compile(r"(?:#|//|--|;|%)[ \t]*<\d{1,3}>[ \t]*$", re.MULTILINE)


def warn_of_annotations(code: str, line: int, mistakes: Mistakes) -> None:
    """Warn of marks at lines of code that Quarto connects with a list below it."""
    if "<" in code and (found := _ANNOTATED.search(code)) is not None:
        message = f'"{found[0]}" is shown as a part of the code: no list explains its lines'
        fix = "write what the line does in a comment, or in the text below the code."
        mistakes.warn("code-left-over", message, line + 1 + code.count("\n", 0, found.start()), fix)


def warn_of_cells(row: Sequence[str], line: int, mistakes: Mistakes) -> None:
    """Warn of cells beyond those of the header: GFM leaves them out."""
    source = mistakes.lines[line - 1].strip("> \t\r") if 0 < line <= len(mistakes.lines) else ""
    if row and all(_FOOT.fullmatch(cell.strip()) for cell in row):
        message = f'"{shortened(source, _LONGEST_SHOWN)}" is a row of the table, and begins no foot'
        mistakes.warn("table-left-over", message, line, "delete the line; write the rows below it in bold.")
    if len(row) > 1 and source and "|" not in source:
        message = f'"{shortened(source, _LONGEST_SHOWN)}" is a row of the table above'
        mistakes.warn("table-left-over", message, line, "put an empty line between the table and this text.")
    if source.count("|") < len(row) + (source[:1] == "|") + (source[-1:] == "|"):
        return
    cells = _BETWEEN_CELLS.split(source.removeprefix("|"))
    if not cells[-1].strip():
        del cells[-1]
    beyond = [cell.strip() for cell in cells[len(row) :] if cell.strip()]
    if not beyond or any(
        cell.count("$") % 2 and has_lone_dollar(cell) for cell in row
    ):  # a formula that a bar has cut is reported separately
        return
    has = f"{len(cells)} cells, and the head of the table has {len(row)}"
    mistakes.warn(
        "table-cell-left-out",
        f'"{shortened(beyond[0], _LONGEST_SHOWN)}" is left out: this row has {has}',
        line,
        "write \\| for a bar inside a cell, or give the head and the line of dashes below it more cells.",
    )


_TWIN_OF_FENCE = re.compile(r"^[ \t]*([·•｀～]{3,})[ \t]*$", re.M)


def report_text_behind(
    token: Token, line: int, report: Callable[[str, str, int, str], None], *, is_closed: bool
) -> bool:
    """Report a line inside a fence that looks as if it ended it. Returns whether there is one."""
    mark = token.markup[:1]
    if not is_closed and (twin := _TWIN_OF_FENCE.search(token.content)) is not None:
        report(
            "fence-text",
            f'the fence that begins on line {line} does not end here: "{twin[1]}" is not {token.markup}',
            line + 1 + token.content.count("\n", 0, twin.start()),
            f"write {token.markup}.",
        )
        return True
    if mark * len(token.markup) not in token.content:
        return False
    ending = rf"^ {{0,3}}{mark}{{{len(token.markup)},}}[ \t]*([^\s{mark}][^{mark}\n]*)$"
    found = re.search(ending, token.content, re.M)
    if found is None:
        return False
    shown = shortened(found[1], _LONGEST_SHOWN)
    report(
        "fence-text",
        f"the fence that begins on line {line} does not end here, because the {mark * 3} is followed by "
        f'"{shown}"',
        line + 1 + token.content.count("\n", 0, found.start()),
        f"end it with {token.markup} alone on a line; to show such a line in code, fence it with {mark * 4}.",
    )
    return True


_SHORT_DIRECTIVE = re.compile(r"``\{(?P<name>[a-z][a-z-]+)\} *(?P<rest>[^`\n]*)``")


def warn_of_short_directive(paragraph: str, line: int, mistakes: Mistakes) -> None:
    """Warn of a directive in a line of code: ``{figure} roofline``."""
    if (found := _SHORT_DIRECTIVE.fullmatch(paragraph.strip())) is not None:
        message = f"{{{found['name']}}} is shown as code, because two backticks begin no fence"
        fix = (
            f"write ```{{{found['name']}}} {found['rest'].strip()}".rstrip()
            + " on a line, and ``` on the next."
        )
        mistakes.warn("code-left-over", message, line, fix)


_SHORT_FENCE = re.compile(r"(``?)[\w+#.-]{0,20}\n.*\n[ \t]*\1", re.DOTALL)


def warn_of_short_fence(paragraph: str, line: int, mistakes: Mistakes) -> None:
    """Warn of code in a line that is a whole paragraph, with its backticks on lines of their own."""
    if (found := _SHORT_FENCE.fullmatch(paragraph.strip())) is None:
        return
    lines = paragraph.strip().split("\n")
    last = lines[-1].strip()
    mends = (Mend(line, lines[0], f"```{lines[0].lstrip('`')}"), Mend(line + len(lines) - 1, last, "```"))
    message = f"these lines of code run together, because {found[1]} begins no fence"
    mistakes.warn("code-left-over", message, line, "write ``` above the code and below it.", mends=mends)


_ENDS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>"}
_MARKDOWN = re.compile(
    r"\*\*[^*\s][^*\n]*\*\*|!?\[[^\[\]\n]+\]\([^()\s]+\)|`[^`\n]+`|^[ \t]*(?:```|~~~)|\$[A-Za-z\\][^$\n]*\$"
    r"|^[ \t]*(?:#{2,6}|[-*+]|[0-9]{1,3}[.)])[ \t]+\S[^\n]*",
    re.M,
)
_VERBATIM = frozenset(
    ("pre", "code", "kbd", "samp", "script", "style", "textarea", "svg", "math", "tt", "var")
)


def warn_of_html_block(html: str, line: int, mistakes: Mistakes) -> None:
    """Warn of HTML that swallows the rest of the text, and of Markdown in it, which is shown as it is."""
    beginning = html.lstrip()
    if beginning.startswith("<script setup"):
        message = "readers do not see <script setup>, and no browser runs it: articles have no components"
        mistakes.warn("syntax-unsupported", message, line, "write Markdown or HTML itself.")
    for opening, ending in _ENDS.items():
        if beginning.startswith(opening) and ending not in beginning[len(opening) :]:
            mistakes.warn(
                "comment-unclosed",
                f"{opening} is never closed, so that readers do not see the text from here on",
                line,
                f"write {ending} where it ends.",
            )
            return
    if _MARKDOWN.search(html) is None:
        return
    reader = _Texts()
    reader.feed(html)
    reader.close()
    for below, text in reader.texts:
        if (found := _MARKDOWN.search(text)) is not None:
            shown = shortened(found[0].strip(), _LONGEST_SHOWN)
            mistakes.warn(
                "html-markdown",
                f'"{shown}" is shown as text: after HTML that begins a line, Markdown needs an empty line',
                line + below + text.count("\n", 0, found.start()),
                'put an empty line before it and after it, or write <div markdown="1"> on a line of its own.',
            )
            return


class _Texts(HTMLParser):
    """The texts of some HTML outside of elements for code, with the number of lines above each."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[tuple[int, str]] = []
        self._verbatim: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VERBATIM:
            self._verbatim.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._verbatim and self._verbatim[-1] == tag:
            self._verbatim.pop()

    def handle_data(self, data: str) -> None:
        line, column = self.getpos()
        if not self._verbatim:
            self.texts.append((line - 1, "\ufffc" * (column > 0) + data))


_LEAST_YEAR = 1000


def warn_of_numbers(tokens: Sequence[Token], index: int, first_line: int, mistakes: Mistakes) -> None:
    """Warn of a list that begins with a year, as a sentence may, and of an item shown with another number.

    A list in which all items have the same number leaves counting to Markdown.
    """
    token = tokens[index]
    if token.type != "ordered_list_open":
        return
    line = first_line + (token.map[0] if token.map else 0)
    number = int(token.attrs.get("start", 1))
    if number >= _LEAST_YEAR:
        message = f'"{number}." begins a list here'
        fix = f"put a backslash before its point: {number}\\{token.markup}"
        mistakes.warn("list-number", message, line, fix)
        return
    following = map(tokens.__getitem__, range(index + 1, len(tokens)))
    below = takewhile(lambda other: other.level > token.level, following)
    items = [item for item in below if item.type == "list_item_open" and item.level == token.level + 1]
    if len({item.info for item in items}) == 1:
        return
    for shown, item in enumerate(items, number):
        if int(item.info) != shown:
            written, counted = f"{item.info}{token.markup}", f"{shown}{token.markup}"
            message = f'"{written}" is shown as {counted}, because a list counts on from its first number'
            fix = f"write {counted}; to keep the number, put <!-- --> between empty lines above it."
            mistakes.warn("list-number", message, first_line + (item.map[0] if item.map else 0), fix)
            return


def warn_of_underline(token: Token, text: str, line: int, mistakes: Mistakes) -> None:
    """Warn of a paragraph that the dashes below it make a heading."""
    if token.markup[:1] in "-=" and ("\n" in text or text.endswith(tuple("。；，：.;,:"))):
        mistakes.warn(
            "heading-underlined",
            f"this paragraph is a heading, because {token.markup[:1] * 3} is right below it",
            line,
            "put an empty line above the rule; for a heading, write ## before its text.",
        )


_LONGEST_LINE = 200
"""Characters of a line that are looked at."""
_NO_CODE = r"[^{}();=<>\n]*"
_PROSE = re.compile(
    r"(?:(?:#{1,6}|[-*+>]|[0-9]{1,3}[.)、])[ \t]+)?"
    rf"(?:{_NO_CODE}[{HAN}]{_NO_CODE}[，。；：！？、]|[A-Z][a-z']*(?: [\w',;-]+){{6,}}[.?!:]?$)",
    re.M,
)


def warn_of_indented(code: str, line: int, mistakes: Mistakes) -> None:
    """Warn of a paragraph that four spaces before it make code."""
    first = code.lstrip().partition("\n")[0][:_LONGEST_LINE]
    if _PROSE.match(first) is not None:
        shown = shortened(first, _LONGEST_SHOWN)
        mistakes.warn(
            "indented-prose",
            f'"{shown}" is shown as code, because it begins with four spaces',
            line,
            "delete the spaces; fence what is code with ```.",
        )
