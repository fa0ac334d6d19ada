"""From tokens to HTML in parts: one walk over a half, which also finds figures, links, notes and mistakes."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import unquote

from markdown_it.common.utils import unescapeAll
from markdown_it.token import Token

from diglot.content.admonitions import WORDS
from diglot.content.cjk import is_cjk, joins_without_space
from diglot.content.directives import DIRECTIVES, directive_name, read_directive, read_figure_id
from diglot.content.formulas import FormulaError, formula_html
from diglot.content.highlighting import highlighted, known_language
from diglot.content.mistakes import Mistakes
from diglot.content.parser import markdown_parser
from diglot.content.raw_html import addresses_of, update_open_elements
from diglot.content.records import FencedScript, FigureEmbed, Hole, Note, Parts, TableEmbed
from diglot.content.roles import looks_like_a_broken_role, role_hole, text_with_values
from diglot.diagnostics import did_you_mean, nearest
from diglot.languages import Bilingual, Language

_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_KEPT_ENCODED = re.compile(r"(%23|%3F|%25)", re.IGNORECASE)
_BARE_LINK = re.compile(r"https?://[^\s<>）。，；]+")
_FULL_WIDTH_LINK = re.compile(r"!?\[[^\[\]]*\]（[^（）]*）")
_FULL_WIDTH_START = re.compile(r"＃+[ 　]|＞[ 　]|：：：|｀｀｀|[０-９]+．|！\[|－[ 　]")
_TASK_WORDS = {True: Bilingual(zh="已完成", en="Done"), False: Bilingual(zh="未完成", en="To do")}
_LOOKED_THROUGH = frozenset(
    {
        "footnote_ref",
        *(f"{n}_{side}" for n in ("em", "strong", "s", "link", "span") for side in ("open", "close")),
    }
)


class Rendering:
    """The walk over one half. What it finds is read off when it is through."""

    def __init__(self, env: dict[str, Any], language: Language, first_line: int, mistakes: Mistakes) -> None:
        self.language = language
        self.mistakes = mistakes
        self.figures: list[FigureEmbed] = []
        self.tables: list[TableEmbed] = []
        self.scripts: list[FencedScript] = []
        self.links: list[Hole] = []
        self.names: dict[str, int] = {}
        """Names and anchors given so far, with their lines."""
        self.note_definitions: dict[str, tuple[list[Token], int]] = {}
        """Tokens and line of every footnote, by label."""
        self.open_elements: list[str] = []
        """Elements of raw HTML that are still open."""
        self._env = env
        self._first_line = first_line
        self._line = first_line
        self._out: list[str | Hole] = []
        self._words: list[str] = []
        self._numbers: dict[str | int, int] = {}
        self._marks: dict[int, int] = {}
        self._waiting: list[tuple[int, str | int, int]] = []
        self._depth = 0
        self._equations = 0

    # What the walk is used for

    def render_block(self, tokens: Sequence[Token]) -> tuple[Parts, str, tuple[Note, ...]]:
        """The HTML of one top-level block, its plain text, and the notes that it is the first to refer to."""
        parts, text = self._captured(lambda: self._blocks(tokens))
        return parts, text, self._notes()

    def line_of(self, token: Token) -> int:
        """The line of the file that a block's token begins on."""
        return self._first_line + token.map[0] if token.map else self._line

    def give_name(self, name: str, line: int) -> None:
        """Note that a name is taken; twice is a mistake."""
        if name in self.names:
            self.mistakes.error(
                "anchor-duplicate",
                f'the name "{name}" is taken on line {self.names[name]}',
                line,
                "give this one another, with `:name:` or `{#…}`.",
            )
        self.names.setdefault(name, line)

    # Capturing

    def _captured(self, work: Callable[[], None]) -> tuple[Parts, str]:
        out, words = self._out, self._words
        self._out, self._words = [], []
        work()
        parts, text = _joined(self._out), "".join(self._words)
        self._out, self._words = out, words
        return parts, re.sub(r"[ \n]*\n[ \n]*", "\n", text).strip()

    def _notes(self) -> tuple[Note, ...]:
        notes = []
        while self._waiting:  # a note may refer to another, which then stands beside the same block
            number, key, line = self._waiting.pop(0)
            tokens = self._note_tokens(key)
            if len(tokens) == 3 and tokens[0].type == "paragraph_open":
                tokens = tokens[1:2]
            parts, _ = self._captured(lambda tokens=tokens: self._blocks(tokens))  # type: ignore[misc]
            notes.append(Note(number=number, parts=parts, line=line))
        return tuple(notes)

    def _note_tokens(self, key: str | int) -> list[Token]:
        if isinstance(key, str):
            return self.note_definitions[key][0]
        token = Token("inline", "", 0)
        token.children = self._env["footnotes"]["list"][key]["tokens"]
        return [token]

    # Blocks

    def _blocks(self, tokens: Sequence[Token]) -> None:
        for index, token in enumerate(tokens):
            if token.map:
                self._line = self._first_line + token.map[0]
            if token.type == "inline":
                self._inline(token.children or [])
                continue
            handler = _BLOCKS.get(token.type)
            if handler is not None:
                handler(self, tokens, index)
            elif token.nesting == 1:
                self._open(token)
            elif token.nesting == -1:
                self._close(token)
            else:
                raise AssertionError(f"no way to render a {token.type}")

    def _open(self, token: Token) -> None:
        self._depth += 1
        if not token.hidden:
            self._refuse_id(token)
            self._out.append(f"<{token.tag}{_attributes(token.attrs)}>")

    def _close(self, token: Token) -> None:
        self._depth -= 1
        self._words.append("\n")
        if not token.hidden:
            self._out.append(f"</{token.tag}>")

    def _refuse_id(self, token: Token) -> None:
        """Ids are for whole blocks: both halves may stand on one page, where inner ones would clash."""
        if (name := token.attrs.pop("id", None)) is None:
            return
        if self._depth > (1 if token.nesting == 1 else 0) or not token.block:
            self.mistakes.error(
                "anchor-inside",
                f'the id "{name}" is on something inside a block',
                self._line,
                "put it on the whole block: `{#" + str(name) + "}` on the line above it.",
            )

    def _heading_open(self, tokens: Sequence[Token], index: int) -> None:
        if tokens[index].tag == "h1":
            self.mistakes.error(
                "heading-level-1",
                "a level-1 heading in the text",
                self._line,
                "the title stands in the front matter; begin the text's headings with ##.",
            )
        self._open(tokens[index])

    def _item_open(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        self._depth += 1
        checked = token.meta.get("checked")
        if checked is None:
            self._out.append(f"<li{_attributes(token.attrs)}>")
            return
        label = _TASK_WORDS[checked].of(self.language)
        mark = " checked" if checked else ""
        self._out.append(f'<li class="task"><input type="checkbox" disabled{mark} aria-label="{label}"> ')

    def _list_open(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        if "contains-task-list" in str(token.attrs.get("class", "")):
            token.attrs["class"] = str(token.attrs["class"]).replace("contains-task-list", "tasks")
        self._open(token)

    def _table_open(self, tokens: Sequence[Token], index: int) -> None:
        self._out.append('<div class="scroll">')
        self._open(tokens[index])

    def _table_close(self, tokens: Sequence[Token], index: int) -> None:
        self._close(tokens[index])
        self._out.append("</div>")

    def _cell_open(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        self._depth += 1
        style = str(token.attrs.get("style", ""))
        side = ' class="r"' if "right" in style else ' class="c"' if "center" in style else ""
        self._out.append(f"<{token.tag}{side}>")
        content = tokens[index + 1].content
        if content.count("$") % 2 and "\\$" not in content:
            self.mistakes.warn(
                "formula-cut-by-cell",
                "a single $ in a table cell: a | inside a formula ends the cell",
                self._line,
                "write \\vert or \\mid for the bar in the formula, \\$ for money.",
            )

    def _code_block(self, tokens: Sequence[Token], index: int) -> None:
        self._code(tokens[index].content, "")

    def _fence(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        line = self._line
        if token.map and token.map[1] - token.map[0] < token.content.count("\n") + 2:
            self.mistakes.warn(
                "fence-unclosed", "this fence is never closed", line, f"end it with {token.markup}."
            )
        info = unescapeAll(token.info).strip()
        name = directive_name(info)
        if name is None:
            language = info.split(maxsplit=1)[0] if info else ""
            if language and not known_language(language):
                self.mistakes.warn(
                    "code-language-unknown",
                    f'there is no highlighting for "{language}"',
                    line,
                    "see pygments.org/languages for the names; `text` is plain.",
                )
            self._code(token.content, language)
        elif name == "figure-script":
            self._script(token, line)
        elif name in DIRECTIVES:
            self._embed(token, name, line)
        elif name in WORDS:
            fix = f"write :::{{{name}}}, the text, and :::"
            self.mistakes.error("directive-unknown", f"{{{name}}} is no fence", line, fix)
        else:
            known = ", ".join(f"{{{n}}}" for n in DIRECTIVES)
            fix = did_you_mean(name, DIRECTIVES, otherwise=f"known are {known}; code is fenced as ```python.")
            self.mistakes.error("directive-unknown", f'there is no directive "{name}"', line, fix)

    def _code(self, code: str, language: str) -> None:
        name = f' class="language-{escape(language)}"' if language else ""
        self._out.append(f"<pre><code{name}>{highlighted(code, language)}</code></pre>")
        self._words.append(code)

    def _script(self, token: Token, line: int) -> None:
        figure_id = read_figure_id(token, "figure-script", line, self.mistakes)
        if figure_id is None:
            return
        earlier = next((s for s in self.scripts if s.figure_id == figure_id), None)
        if earlier is not None:
            self.mistakes.error(
                "figure-script-duplicate",
                f'the script "{figure_id}" stands on line {earlier.line - 1} already',
                line,
                "give one of the two another id.",
            )
        self.scripts.append(FencedScript(figure_id=figure_id, source=token.content, line=line + 1))

    def _embed(self, token: Token, kind: str, line: int) -> None:
        directive = read_directive(token, kind, line, self.mistakes)
        if self._depth or self.open_elements:
            self.mistakes.error(
                f"{kind}-nested",
                f"a {kind} inside a list, a quotation, an admonition or HTML",
                line,
                "put it between blocks, not indented.",
            )
        if directive is None:
            return
        self._line = directive.caption_line
        caption_tokens: list[Token] = []
        md = markdown_parser()
        md.inline.parse(directive.caption, md, self._env, caption_tokens)
        caption, text = self._captured(lambda: self._inline(caption_tokens))
        self._words.append(text)
        prefix = "fig" if kind == "figure" else "tab"
        name = directive.name or str(
            token.attrs.get("id") or f"{prefix}-{directive.figure_id.replace('_', '-')}"
        )
        self.give_name(name, line)
        embed = {
            "figure_id": directive.figure_id,
            "name": name,
            "parameters": directive.parameters,
            "caption": caption,
            "line": line,
        }
        if kind == "figure":
            self._out.append(Hole(kind="figure", target=str(len(self.figures)), line=line))
            self.figures.append(FigureEmbed(**embed))  # type: ignore[arg-type]
        else:
            self._out.append(Hole(kind="table", target=str(len(self.tables)), line=line))
            self.tables.append(TableEmbed(**embed))  # type: ignore[arg-type]

    def _display_formula(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        line = self._line
        label = ""
        if token.info:
            if self._depth:
                fix = "put the formula between blocks, not indented."
                self.mistakes.error("formula-nested", "a numbered formula inside another block", line, fix)
            self._equations += 1
            label = f'<span class="number">({self._equations})</span>'
        self._out.append(f'<div class="eq">{self._formula(token.content, display=True)}{label}</div>')
        self._words.append(token.content.strip())

    def _admonition_open(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        line = self._line
        kind = token.info
        if kind not in WORDS:
            fix = did_you_mean(kind, WORDS)
            if kind in DIRECTIVES:
                fix = f"fence it with backticks: ```{{{kind}}}"
            self.mistakes.error("admonition-unknown", f'there is no admonition "{kind}"', line, fix)
        colons = ":" * token.meta["colons"]
        if (inner := token.meta["misnested"]) is not None:
            place = f"line {self._first_line + inner}"
            self.mistakes.error(
                "admonition-nesting",
                f"the admonition on {place} stands inside this one and has as many colons",
                line,
                f"give this outer one more, here and at its end: {colons}:",
            )
        elif not token.meta["closed"]:
            self.mistakes.error(
                "admonition-unclosed",
                "this admonition is never closed",
                line,
                f"end it with a line of {colons}",
            )
        self._depth += 1
        names = " ".join(filter(None, ("admonition", escape(kind), str(token.attrs.pop("class", "")))))
        token.attrs.pop("id", None)
        self._out.append(f'<div class="{names}"{_attributes(token.attrs)}><b>')
        if token.content:
            title: list[Token] = []
            md = markdown_parser()
            md.inline.parse(token.content, md, self._env, title)
            self._inline(title)
            self._words.append("\n")
        elif kind in WORDS:
            self._out.append(WORDS[kind].of(self.language))
        self._out.append("</b><div>")

    def _admonition_close(self, tokens: Sequence[Token], index: int) -> None:
        self._depth -= 1
        self._out.append("</div></div>")

    def _stray_colons(self, tokens: Sequence[Token], index: int) -> None:
        self.mistakes.error(
            "admonition-stray",
            "this closes no admonition",
            self._line,
            "delete it, or open one with :::{note}.",
        )

    def _html_block(self, tokens: Sequence[Token], index: int) -> None:
        content = tokens[index].content
        self._raw_html(content)
        self._track_elements(content, self.open_elements)

    def _html_open(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        if not token.meta["closed"]:
            self.mistakes.error(
                "html-unclosed",
                f"<{token.info}> is never closed",
                self._line,
                f"put </{token.info}> at the beginning of a line of its own.",
            )
        elif token.meta["rest"]:
            self.mistakes.error(
                "html-markdown-line",
                f"text behind <{token.info} markdown> on its line",
                self._line,
                "put the tag on a line of its own, or all of it in one line.",
            )
        self._depth += 1
        self._raw_html(token.content)

    def _html_close(self, tokens: Sequence[Token], index: int) -> None:
        self._depth -= 1
        self._out.append(tokens[index].content)

    def _raw_html(self, html: str) -> None:
        position = 0
        for address in addresses_of(html):
            if _EXTERNAL.match(address.target):
                continue
            line = self._line + html.count("\n", 0, address.start)
            self._out.append(html[position : address.start])
            self._address("link" if address.kind == "link" else "image", address.target, line)
            position = address.end
        self._out.append(html[position:])

    def _track_elements(self, html: str, stack: list[str]) -> None:
        stray = update_open_elements(html, stack)
        if stray is not None:
            expected = f"</{stack[-1]}> was expected." if stack else "delete it."
            self.mistakes.error("html-stray", f"</{stray}> closes nothing here", self._line, expected)
            stack.clear()

    def _unused_attributes(self, tokens: Sequence[Token], index: int) -> None:
        self.mistakes.warn(
            "attributes-unused",
            "these attributes have no block below them",
            self._line,
            "move or delete them.",
        )

    # Inline

    def _inline(self, tokens: Sequence[Token]) -> None:
        elements: list[str] = []
        inside_link = 0
        for index, token in enumerate(tokens):
            kind = token.type
            if kind == "text":
                self._text(token.content, tokens, index, inside_link)
                continue
            if kind == "html_inline":
                self._raw_html(token.content)
                self._track_elements(token.content, elements)
                self._line += token.content.count("\n")
                continue
            if kind == "link_open":
                inside_link += 1
            elif kind == "link_close":
                inside_link -= 1
            handler = _INLINES.get(kind)
            if handler is not None:
                handler(self, tokens, index)
            else:
                self._out.append(
                    f"</{token.tag}>"
                    if token.nesting == -1
                    else f"<{token.tag}{self._inline_attributes(token)}>"
                )
        if elements:
            name = elements[-1]
            fix = f"add </{name}> in the same paragraph."
            self.mistakes.error("html-unclosed", f"<{name}> is never closed", self._line, fix)

    def _text(self, text: str, tokens: Sequence[Token], index: int, inside_link: int) -> None:
        self._out.append(escape(text, quote=False).replace('"', "&quot;"))
        self._words.append(text)
        # Everything below only warns of what was most likely not meant; each check begins with a cheap `in`.
        if "://" in text and not inside_link and (found := _BARE_LINK.search(text)):
            self.mistakes.warn(
                "link-bare",
                f"{found.group()} is shown, but is no link",
                self._line,
                f"write <{found.group()}>, or `code` if it is no link.",
            )
        if looks_like_a_broken_role(text):
            fix = "write it with ASCII braces and no space: {eval}`name.key`."
            self.mistakes.warn("role-broken", "this is shown as it stands, it is no role", self._line, fix)
        if "（" in text and (found := _FULL_WIDTH_LINK.search(text)):
            fix = "use ASCII parentheses: [text](address)."
            self.mistakes.warn("full-width-link", f"{found.group()} is no link", self._line, fix)
        if index == 0 and text[:1] in "＃＞：｀！－０１２３４５６７８９" and text:
            found = _FULL_WIDTH_START.match(text)
            if found is not None and self._depth <= 1:
                fix = "use the ASCII character if Markdown was meant."
                message = f'"{found.group().strip()}" begins a paragraph and no more'
                self.mistakes.warn("full-width-mark", message, self._line, fix)
        if text[0:1] == "{" and index and tokens[index - 1].type in ("image", "link_close", "code_inline"):
            fix = 'write {#id .class key="value"}, with ASCII quotes and no colon.'
            self.mistakes.warn("attributes-broken", "these are no attributes", self._line, fix)
        if "**" in text and self._is_left_over(text):
            fix = "no space may stand inside **, and both must be in one paragraph."
            self.mistakes.warn("emphasis-left-over", "** is shown as it stands", self._line, fix)

    def _is_left_over(self, text: str) -> bool:
        """Whether a `**` beside Chinese was meant as emphasis (escaped ones, and 2**10, were not)."""
        source = self.mistakes.lines
        if not 0 < self._line <= len(source) or "\\*" in source[self._line - 1]:
            return False
        at = text.find("**")
        around = text[max(0, at - 1) : at].strip() + text[at + 2 : at + 4].strip()
        return any(is_cjk(character) for character in around)

    def _softbreak(self, tokens: Sequence[Token], index: int) -> None:
        self._line += 1
        if _joins(tokens, index):
            return
        self._out.append("\n")
        self._words.append(" ")

    def _hardbreak(self, tokens: Sequence[Token], index: int) -> None:
        self._line += 1
        self._out.append("<br>\n")
        self._words.append(" ")

    def _code_inline(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        self._out.append(f"<code{self._inline_attributes(token)}>{escape(token.content)}</code>")
        self._words.append(token.content)

    def _formula_inline(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        if token.markup == "$$":
            fix = "put $$ on lines of their own for a display, or use one $."
            self.mistakes.warn("formula-display-inside", "$$ inside a line", self._line, fix)
        self._out.append(self._formula(token.content, display=False))
        self._words.append(token.content)
        self._line += token.content.count("\n")

    def _formula(self, latex: str, *, display: bool) -> str:
        try:
            return formula_html(latex, display=display)
        except FormulaError as error:
            line = self._line + latex.count("\n", 0, error.offset)
            self.mistakes.error("formula-syntax", f"LaTeX: {error}", line, error.fix)
            return ""

    def _role(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        hole = role_hole(token.info, token.content, self._line, "html", self.mistakes)
        if hole is not None:
            attributes = self._inline_attributes(token)
            self._out += [f"<span{attributes}>", hole, "</span>"] if attributes else [hole]

    def _link_open(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        self._out.append('<a href="')
        self._address("link", _decoded(str(token.attrs.pop("href", ""))), self._line)
        self._out.append('"')
        self._title(token)
        self._out.append(f"{self._inline_attributes(token)}>")

    def _image(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        self._out.append('<img src="')
        self._address("image", _decoded(str(token.attrs.pop("src", ""))), self._line)
        self._out.append('" alt="')
        token.attrs.pop("alt", None)
        self._alt(token.children or [])
        self._out.append('"')
        self._title(token)
        _sizes_to_style(token.attrs)
        self._out.append(f"{self._inline_attributes(token)}>")

    def _address(self, kind: Any, target: str, line: int) -> None:
        hole = Hole(kind=kind, target=target, line=line, context="attribute")
        self.links.append(hole)
        self._out.append(hole)

    def _title(self, token: Token) -> None:
        title = token.attrs.pop("title", None)
        if title is None:
            return
        self._out.append(' title="')
        for part in text_with_values(str(title), self._line, self.mistakes):
            self._out.append(escape(part) if isinstance(part, str) else replace(part, context="attribute"))
        self._out.append('"')

    def _alt(self, tokens: Sequence[Token]) -> None:
        """What a picture shows, in the words between its brackets."""
        for index, token in enumerate(tokens):
            if token.type == "role":
                hole = role_hole(token.info, token.content, self._line, "attribute", self.mistakes)
                if hole is not None:
                    self._out.append(hole)
            elif token.type == "softbreak":
                if not _joins(tokens, index):
                    self._out.append(" ")
            elif token.type == "image":
                self._alt(token.children or [])
            elif token.type != "html_inline":
                self._out.append(escape(token.content))

    def _footnote_ref(self, tokens: Sequence[Token], index: int) -> None:
        meta = tokens[index].meta
        key: str | int = meta["label"] if "label" in meta else meta["id"]
        if isinstance(key, str) and key not in self.note_definitions:
            close = nearest(key, self.note_definitions)
            fix = f"did you mean [^{close}]?" if close else f"add a line `[^{key}]: …`."
            self.mistakes.error("footnote-unknown", f"there is no footnote [^{key}]", self._line, fix)
            return
        if key not in self._numbers:
            self._numbers[key] = len(self._numbers) + 1
            line = self.note_definitions[key][1] if isinstance(key, str) else self._line
            self._waiting.append((self._numbers[key], key, line))
        number = self._numbers[key]
        self._marks[number] = self._marks.get(number, 0) + 1
        again = f"-{self._marks[number]}" if self._marks[number] > 1 else ""
        self._out.append(
            f'<sup class="mark"><a href="#note-{self.language}-{number}" '
            f'id="mark-{self.language}-{number}{again}">{number}</a></sup>'
        )

    def unused_notes(self) -> Iterable[tuple[str, int]]:
        """Label and line of the footnotes that no mark refers to."""
        return (
            (label, line) for label, (_, line) in self.note_definitions.items() if label not in self._numbers
        )

    def _inline_attributes(self, token: Token) -> str:
        if "id" in token.attrs:
            self._refuse_id(token)
        return _attributes(token.attrs)


def _attributes(attributes: dict[str, str | int | float]) -> str:
    return "".join(f' {key}="{escape(str(value))}"' for key, value in attributes.items())


def _sizes_to_style(attributes: dict[str, str | int | float]) -> None:
    """`width="50%"` is right in an author's eyes and wrong in HTML."""
    for key in ("width", "height"):
        value = str(attributes.get(key, ""))
        if value and not value.isdigit():
            old = str(attributes.get("style", ""))
            attributes["style"] = f"{old};{key}:{value}".lstrip(";")
            del attributes[key]


def _decoded(address: str) -> str:
    """An address as its author wrote it; markdown-it encodes what is not ASCII."""
    if _EXTERNAL.match(address) or "%" not in address:
        return address
    return "".join(
        part if _KEPT_ENCODED.fullmatch(part) else unquote(part) for part in _KEPT_ENCODED.split(address)
    )


def _joins(tokens: Sequence[Token], index: int) -> bool:
    """Whether the line break at `index` is no space."""
    before = _visible((tokens[i] for i in range(index - 1, -1, -1)), -1)
    after = _visible((tokens[i] for i in range(index + 1, len(tokens))), 0)
    return before is not None and after is not None and joins_without_space(before, after)


def _visible(tokens: Iterable[Token], end: int) -> str | None:
    """The nearest character of text, looking through emphasis and links; None where something else stands."""
    for token in tokens:
        if token.type == "text":
            if token.content:
                return token.content[end]
        elif token.type not in _LOOKED_THROUGH:
            return None
    return None


def _joined(parts: Sequence[str | Hole]) -> Parts:
    """Parts with neighbouring literals made one."""
    joined: list[str | Hole] = []
    run: list[str] = []
    for part in parts:
        if isinstance(part, str):
            run.append(part)
            continue
        if text := "".join(run):
            joined.append(text)
        run.clear()
        joined.append(part)
    if text := "".join(run):
        joined.append(text)
    return tuple(joined)


_Handler = Callable[[Rendering, Sequence[Token], int], None]

_BLOCKS: dict[str, _Handler] = {
    "heading_open": Rendering._heading_open,
    "list_item_open": Rendering._item_open,
    "bullet_list_open": Rendering._list_open,
    "ordered_list_open": Rendering._list_open,
    "table_open": Rendering._table_open,
    "table_close": Rendering._table_close,
    "th_open": Rendering._cell_open,
    "td_open": Rendering._cell_open,
    "code_block": Rendering._code_block,
    "fence": Rendering._fence,
    "display_formula": Rendering._display_formula,
    "admonition_open": Rendering._admonition_open,
    "admonition_close": Rendering._admonition_close,
    "stray_colons": Rendering._stray_colons,
    "html_block": Rendering._html_block,
    "html_open": Rendering._html_open,
    "html_close": Rendering._html_close,
    "attributes": Rendering._unused_attributes,
    "hr": lambda rendering, tokens, index: rendering._out.append("<hr>"),
}

_INLINES: dict[str, _Handler] = {
    "softbreak": Rendering._softbreak,
    "hardbreak": Rendering._hardbreak,
    "code_inline": Rendering._code_inline,
    "formula": Rendering._formula_inline,
    "role": Rendering._role,
    "link_open": Rendering._link_open,
    "image": Rendering._image,
    "footnote_ref": Rendering._footnote_ref,
}
