"""From the HTML of a half's blocks to paragraphs, tables and listings of a slide."""

from collections.abc import Iterable, Iterator, Mapping
from html.parser import HTMLParser
from xml.sax.saxutils import escape, quoteattr

import msgspec
from msgspec.structs import replace

from diglot.content.slides import STEP
from diglot.slides.contents import (
    BlockContents,
    CodeContents,
    FormulaContents,
    Paragraph,
    PictureContents,
    Run,
    Runs,
    Step,
    TableContents,
)

EXPRESSION = "data-expression"
"""The attribute of a `<span>` that holds the value of an expression."""
_EMPTY = frozenset(("br", "img", "hr", "input", "wbr", "col"))
_HIDDEN = frozenset(("script", "style", "template"))
_LISTS = ("ul", "ol")


class Element(msgspec.Struct, kw_only=True):
    """An element of a small tree."""

    name: str
    attributes: Mapping[str, str]
    children: list["Element | str"]

    def all(self, *names: str) -> Iterator["Element"]:
        """The elements of these names below this one, in order."""
        for child in self.children:
            if isinstance(child, Element):
                if child.name in names:
                    yield child
                yield from child.all(*names)

    @property
    def text(self) -> str:
        """All text below it."""
        return "".join(one if isinstance(one, str) else one.text for one in self.children)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element(name="", attributes={}, children=[])
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        one = Element(name=tag, attributes={name: value or "" for name, value in attrs}, children=[])
        self._open[-1].children.append(one)
        if tag not in _EMPTY:
            self._open.append(one)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(
            Element(name=tag, attributes={name: value or "" for name, value in attrs}, children=[])
        )

    def handle_endtag(self, tag: str) -> None:
        if any(one.name == tag for one in self._open[1:]):
            while self._open.pop().name != tag:
                pass

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def parse_html(html: str) -> Element:
    """The tree of a piece of HTML."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    return builder.root


def contents_of(html: str, pictures: Mapping[str, str]) -> tuple[BlockContents, ...]:
    """What a block shows. `pictures` are the files of pictures in the project, by address."""
    return tuple(_blocks(parse_html(html), pictures, 0))


def runs_of(html: str) -> Runs:
    """Text in a line, such as a title or a caption."""
    return _joined(_runs(parse_html(html), Run(text="")))


def _blocks(parent: Element, pictures: Mapping[str, str], level: int) -> Iterator[BlockContents]:
    inline: list[Element | str] = []

    def paragraph() -> Iterator[BlockContents]:
        runs = _joined(_runs(Element(name="p", attributes={}, children=[*inline]), Run(text="")))
        inline.clear()
        if runs:
            yield Paragraph(runs=runs, level=level)

    for child in parent.children:
        if isinstance(child, Element) and child.name in _BLOCKS:
            yield from paragraph()
            blocks = _BLOCKS[child.name](child, pictures, level)
            yield from appearing(blocks) if _is_step(child) and child.name not in _LISTS else blocks
        elif isinstance(child, Element) and child.name == "img":
            yield from paragraph()
            yield from _picture(child, pictures)
        else:
            inline.append(child)
    yield from paragraph()


def appearing(blocks: Iterable[BlockContents]) -> Iterator[BlockContents]:
    """Blocks that appear together at a click."""
    step: Step = "click"
    for block in blocks:
        yield replace(block, step=step)
        step = "along"


def _is_step(one: Element) -> bool:
    return STEP in one.attributes.get("class", "").split()


def _list(one: Element, pictures: Mapping[str, str], level: int) -> Iterator[BlockContents]:
    number = int(one.attributes.get("start", "1") or 1) - 1
    for entry in one.children:
        if isinstance(entry, Element) and entry.name == "li":
            number += 1
            blocks = _blocks(entry, pictures, level + 1)
            for at, block in enumerate(appearing(blocks) if _is_step(one) else blocks):
                is_first = at == 0 and one.name == "ol" and isinstance(block, Paragraph)
                yield replace(block, number=number) if is_first else block


def _table(one: Element, _pictures: Mapping[str, str], _level: int) -> Iterator[BlockContents]:
    rows = [[cell for cell in row.children if isinstance(cell, Element)] for row in one.all("tr")]
    width = max(map(len, rows), default=0)
    if not width:
        return
    right = [False] * width
    for row in rows:
        for at, cell in enumerate(row):
            right[at] |= "r" in cell.attributes.get("class", "").split()
    head = any(cell.name == "th" for cell in rows[0])
    empty: Runs = ()
    yield TableContents(
        rows=tuple(
            tuple(_joined(_runs(row[at], Run(text=""))) if at < len(row) else empty for at in range(width))
            for row in rows
        ),
        has_head=head,
        right=tuple(right),
    )


def _code(one: Element, _pictures: Mapping[str, str], _level: int) -> Iterator[BlockContents]:
    lines: list[list[Run]] = [[]]
    for run in _runs(one, Run(text="", code=True), in_code=True):
        for at, piece in enumerate(run.text.split("\n")):
            if at:
                lines.append([])
            if piece:
                lines[-1].append(replace(run, text=piece))
    while lines and not lines[-1]:
        lines.pop()
    yield CodeContents(lines=tuple(_joined(line, strip=False) for line in lines))


def _formula(one: Element, _pictures: Mapping[str, str], _level: int) -> Iterator[BlockContents]:
    yield FormulaContents(mathml=_written(one), text=_linear(one))


def _picture(one: Element, pictures: Mapping[str, str]) -> Iterator[BlockContents]:
    """A picture of the project; for one of another site, a link to it."""
    address, alt = one.attributes.get("src", ""), one.attributes.get("alt", "")
    if address in pictures:
        yield PictureContents(path=pictures[address], alt=alt)
    elif "://" in address:
        yield Paragraph(runs=(Run(text=alt or address, link=address),))


def _division(one: Element, pictures: Mapping[str, str], level: int) -> Iterator[BlockContents]:
    formulas = [*one.all("math")]
    if "eq" in one.attributes.get("class", "").split() and formulas:
        yield from _formula(formulas[0], pictures, level)
    else:
        yield from _blocks(one, pictures, level)


def _nothing(_one: Element, _pictures: Mapping[str, str], _level: int) -> Iterator[BlockContents]:
    return iter(())


_BLOCKS = {
    **dict.fromkeys(
        ("p", "div", "blockquote", "section", "figure", "figcaption", "dl", "dt", "dd", "details", "summary"),
        _division,
    ),
    **dict.fromkeys(("h2", "h3", "h4", "h5", "h6"), lambda one, *_: _heading(one)),
    **dict.fromkeys(_LISTS, _list),
    **dict.fromkeys((*_HIDDEN, "hr"), _nothing),
    "table": _table,
    "pre": _code,
}


def _heading(one: Element) -> Iterator[BlockContents]:
    yield Paragraph(runs=_joined(_runs(one, Run(text="", bold=True))))


def _runs(one: Element, style: Run, *, in_code: bool = False) -> Iterator[Run]:
    for child in one.children:
        if isinstance(child, str):
            yield replace(style, text=child)
            continue
        classes = child.attributes.get("class", "").split()
        match child.name:
            case "math" if _is_plain(child):
                yield from _plain_math(child, style)
                continue
            case "math":
                yield replace(style, text=_linear(child), mathml=_written(child))
                continue
            case "br":
                yield replace(style, text="\v")
                continue
            case "strong" | "b" | "th":
                inner = replace(style, bold=True)
            case "em" | "i":
                inner = replace(style, italic=True)
            case "sup" | "sub":
                inner = replace(style, shift="up" if child.name == "sup" else "down")
            case "code" | "kbd" | "samp":
                inner = replace(style, code=True)
            case "a":
                address = child.attributes.get("href", "")
                inner = replace(style, link=address if "://" in address else style.link)
            case "span" if in_code and classes:
                inner = replace(style, bold=classes[0].startswith("k"), muted=classes[0].startswith("c"))
            case "span" if EXPRESSION in child.attributes:
                inner = replace(style, expression=child.attributes[EXPRESSION])
            case name if name in _HIDDEN:
                continue
            case _:
                inner = style
        yield from _runs(child, inner, in_code=in_code)


def _joined(runs: "Iterator[Run] | list[Run]", *, strip: bool = True) -> Runs:
    """Runs of the same style as one, with a line's white space as single spaces."""
    found: list[Run] = []
    for run in runs:
        text = run.text
        if strip and not run.mathml:
            text = _spaced(text)
            if found and not found[-1].mathml and found[-1].text[-1:] in (" ", "\v"):
                text = text.lstrip(" ")
        if not text and not run.mathml:
            continue
        last = found[-1] if found else None
        plain = last is not None and not (last.expression or last.mathml or run.expression or run.mathml)
        if last is not None and plain and replace(last, text="") == replace(run, text=""):
            found[-1] = replace(last, text=last.text + text)
        else:
            found.append(replace(run, text=text))
    if strip and found:
        found[0] = replace(found[0], text=found[0].text.lstrip(" "))
        found[-1] = replace(found[-1], text=found[-1].text.rstrip(" "))
    return tuple(one for one in found if one.text or one.mathml)


_TOKENS = ("mi", "mn", "mo", "mtext", "ms")
_ROWS = ("math", "mrow", "mstyle", "mpadded")
_SCRIPTS = ("msup", "msub")


def _is_plain(one: Element, *, in_script: bool = False) -> bool:
    """Whether a formula is letters, numbers and signs with single exponents and indices: text in a line."""
    if one.name in _TOKENS or one.name == "mspace":
        return True
    inner = [child for child in one.children if isinstance(child, Element)]
    if one.name in _SCRIPTS and not in_script:
        return all(_is_plain(child, in_script=True) for child in inner)
    return one.name in _ROWS and all(_is_plain(child, in_script=in_script) for child in inner)


def _plain_math(one: Element, style: Run) -> Iterator[Run]:
    if one.name in _TOKENS:
        text = one.text.translate(_INVISIBLE)
        spaced = f"\u00a0{text}\u00a0" if one.name == "mo" and text in _WITH_SPACES else text
        yield replace(style, text=spaced, italic=one.name == "mi" and len(text) == 1)
        return
    inner = [child for child in one.children if isinstance(child, Element)]
    if one.name in _SCRIPTS:
        yield from _plain_math(inner[0], style)
        shifted = replace(style, shift="up" if one.name == "msup" else "down")
        yield from _plain_math(inner[1], shifted)
        return
    for child in inner:
        yield from _plain_math(child, style)


_WITH_SPACES = frozenset("=≤≥<>≈×+−∈→")
_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")
_BETWEEN = {"mfrac": "/", "msup": "^", "msub": "_"}


def _linear(one: Element) -> str:
    """A formula in a line of text, for programs that show no formulas: `I^∗ = P/β`."""
    if one.name in _BETWEEN:
        parts = [_linear(child) for child in one.children if isinstance(child, Element)]
        return _BETWEEN[one.name].join(part if len(part) < 2 else f"({part})" for part in parts)
    text = "".join(child if isinstance(child, str) else _linear(child) for child in one.children)
    text = _spaced(text).translate(_INVISIBLE)
    return f" {text} " if one.name == "mo" and text in _WITH_SPACES else text


def _spaced(text: str) -> str:
    """Text with runs of white space as single spaces; spaces that do not break stay."""
    out: list[str] = []
    for character in text:
        if character in " \t\n\r":
            if not out or out[-1] != " ":
                out.append(" ")
        else:
            out.append(character)
    return "".join(out)


def _written(one: Element) -> str:
    """An element as XML again."""
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in one.attributes.items())
    inner = "".join(escape(child) if isinstance(child, str) else _written(child) for child in one.children)
    return f"<{one.name}{attributes}>{inner}</{one.name}>"
