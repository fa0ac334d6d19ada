"""From the HTML of a half's blocks to paragraphs, tables and listings of a slide."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from diglot.content.plain_formulas import formula_in_one_line
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
from diglot.slides.html_tree import Element, as_xml, parse_html, with_single_spaces

EXPRESSION = "data-expression"
"""The attribute of a `<span>` that holds the value of an expression."""
_HIDDEN = frozenset(("script", "style", "template"))
_LISTS = ("ul", "ol")


_MOVING = ("video", "audio", "iframe", "object", "embed", "canvas", "svg")


def left_out_of(html: str) -> Iterator[str]:
    """The elements of a block that no slide of a file can show, by name."""
    tree = parse_html(html)
    return (name for name in _MOVING if any(True for _ in tree.all(name)))


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
    mathml = as_xml(one)
    yield FormulaContents(mathml=mathml, text=formula_in_one_line(mathml))


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


def _quote(one: Element, pictures: Mapping[str, str], level: int) -> Iterator[BlockContents]:
    for block in _blocks(one, pictures, level):
        yield replace(block, is_quoted=True) if isinstance(block, Paragraph) else block


def _nothing(_one: Element, _pictures: Mapping[str, str], _level: int) -> Iterator[BlockContents]:
    return iter(())


_BLOCKS = {
    **dict.fromkeys(
        ("p", "div", "section", "figure", "figcaption", "dl", "dt", "dd", "details", "summary"),
        _division,
    ),
    **dict.fromkeys(("h2", "h3", "h4", "h5", "h6"), lambda one, *_: _heading(one)),
    **dict.fromkeys(_LISTS, _list),
    **dict.fromkeys((*_HIDDEN, "hr"), _nothing),
    "blockquote": _quote,
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
            case "math" if is_plain(child):
                yield from plain_runs(child, style)
                continue
            case "math":
                mathml = as_xml(child)
                yield replace(style, text=formula_in_one_line(mathml), mathml=mathml)
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
            text = with_single_spaces(text)
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


def is_plain(one: Element, *, in_script: bool = False) -> bool:
    """Whether a formula is letters, numbers and signs with single exponents and indices: text in a line."""
    if one.name in _TOKENS or one.name == "mspace":
        return True
    inner = [child for child in one.children if isinstance(child, Element)]
    if one.name in _SCRIPTS and not in_script:
        return all(is_plain(child, in_script=True) for child in inner)
    return one.name in _ROWS and all(is_plain(child, in_script=in_script) for child in inner)


def plain_runs(one: Element, style: Run) -> Iterator[Run]:
    """A plain formula as text, with its exponents and indices."""
    if one.name in _TOKENS:
        text = one.text.translate(_INVISIBLE)
        spaced = f"\u00a0{text}\u00a0" if one.name == "mo" and text in _WITH_SPACES else text
        yield replace(style, text=spaced, italic=one.name == "mi" and len(text) == 1)
        return
    inner = [child for child in one.children if isinstance(child, Element)]
    if one.name in _SCRIPTS:
        yield from plain_runs(inner[0], style)
        shifted = replace(style, shift="up" if one.name == "msup" else "down")
        yield from plain_runs(inner[1], shifted)
        return
    for child in inner:
        yield from plain_runs(child, style)


_WITH_SPACES = frozenset("=≤≥<>≈×+−∈→")
_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")
