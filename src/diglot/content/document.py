"""Parses one half of an article: from a file's text to a tree, and to blocks of HTML with placeholders."""

from collections.abc import Sequence
from typing import cast

from markdown_it.token import Token
from msgspec.structs import replace

from diglot.content.code_cells import CELL
from diglot.content.extensions import ENV, NOT_EXTENDED, Extended
from diglot.content.foreign_syntax import find_suspects
from diglot.content.front_matter import split_front_matter
from diglot.content.html_names import fix_of_element
from diglot.content.html_policy import clean_blocks
from diglot.content.limits import MOST_CHARACTERS, too_long
from diglot.content.mistakes import Mistakes, TooMuch
from diglot.content.parser import markdown_parser
from diglot.content.quotes import environment
from diglot.content.raw_html import fix_of_open
from diglot.content.records import OF_TALKS, BlockKind, Document
from diglot.content.references import report_references
from diglot.content.swallowed import Definitions, warn_of_definitions
from diglot.content.tree.building import Building
from diglot.content.tree.html import NONE_HIGHLIGHTED, Highlighted, HtmlWriter
from diglot.content.tree.nodes import (
    NOTHING,
    Break,
    Captioned,
    Directive,
    Nodes,
    Paragraph,
    ParsedText,
    Raw,
    TopBlock,
    Tree,
    Value,
)
from diglot.content.tree.raw import Piece
from diglot.content.tree.text import line_of
from diglot.diagnostics import DiagnosticError, sorted_diagnostics
from diglot.ignore_comments import HTML_COMMENT, MARK
from diglot.languages import Language, reading_minutes
from diglot.project import HtmlPolicy, is_as_strict

_KINDS: dict[str, BlockKind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "dl_open": "definitions",
    "table": "table",
    "fence": "code",
    "code_block": "code",
    "display_formula": "formula",
    "blockquote_open": "quote",
    "admonition_open": "admonition",
    "html_block": "html",
    "html_open": "html",
    "hr": "rule",
}
_NOT_READ = frozenset(("code", "formula", "rule", "html", "notes", "slide"))


def parse_text(
    source_text: str,
    path: str,
    language: Language,
    html: HtmlPolicy = "all",
    made: Highlighted = NONE_HIGHLIGHTED,
    *,
    extended: Extended = NOT_EXTENDED,
) -> ParsedText:
    """The body of a half, parsed. Front matter is skipped, but its lines count in line numbers.

    Code that is in `made` is not highlighted again. Raises DiagnosticError with all mistakes in the body,
    and with its warnings.
    """
    parsed, mistakes = read_parsed(source_text, path, language, html, made, extended=extended)
    if mistakes.errors:
        raise DiagnosticError(*sorted_diagnostics([*mistakes.errors, *mistakes.warnings]))
    return parsed


def parse_document(source_text: str, path: str, language: Language) -> Document:
    """Like `parse_text`, for who needs no tree."""
    return parse_text(source_text, path, language).document


def read_document(
    source_text: str,
    path: str,
    language: Language,
    html: HtmlPolicy = "all",
    made: Highlighted = NONE_HIGHLIGHTED,
    *,
    extended: Extended = NOT_EXTENDED,
) -> tuple[Document, Mistakes]:
    """Like `read_parsed`, for who needs no tree."""
    parsed, mistakes = read_parsed(source_text, path, language, html, made, extended=extended)
    return parsed.document, mistakes


def read_parsed(
    source_text: str,
    path: str,
    language: Language,
    html: HtmlPolicy = "all",
    made: Highlighted = NONE_HIGHLIGHTED,
    *,
    extended: Extended = NOT_EXTENDED,
) -> tuple[ParsedText, Mistakes]:
    """Like `parse_text`, but returns the mistakes with as much as could be parsed."""
    matter = split_front_matter(source_text, path)
    mistakes = Mistakes(path, matter.lines)
    env = environment(language)
    env["references"], env[ENV] = Definitions(), extended
    building = Building(env, language, matter.body_line, mistakes, html)
    building.code_made = made
    try:
        _refuse_long(matter.body)
        tokens = markdown_parser(html=html != "none").parse(matter.body, env)
        if MARK in matter.body:
            tokens = _without_ignore_comments(tokens)
        if is_as_strict(html, "safe"):
            clean_blocks(tokens, matter.body_line, mistakes, html)
        building.suspects = find_suspects(matter.body, matter.body_line)
        report_references(matter.body, tokens, env, matter.body_line, mistakes)
        blocks = _blocks(_take_notes(tokens, building), building)
    except TooMuch as error:
        line = building.line if error.line is None else matter.body_line + error.line
        mistakes.error(error.rule, error.message, line, error.fix)
        nothing = ParsedText(
            Tree(path=path, language=language, blocks=()), Document(path=path, language=language, blocks=())
        )
        return nothing, mistakes
    if env["references"]:
        warn_of_definitions(env, matter.body_line, mistakes)
    _drop_what_only_seems_inside(mistakes, building.never_closed)
    for label, line in building.unused_notes():
        message = f"nothing refers to this footnote: there is no [^{label}] in the text"
        mistakes.warn("footnote-unused", message, line, "add the reference, or delete the note.")
    tree = Tree(
        path=path,
        language=language,
        blocks=tuple(_with_assertions(blocks)),
        scripts=tuple(building.scripts),
        cells=tuple(building.cells),
        diagrams=tuple(building.diagrams),
    )
    return ParsedText(tree, _document(tree, building)), mistakes


def _document(tree: Tree, building: Building) -> Document:
    """What pages show of a half."""
    writer = HtmlWriter(tree.language, building.highlighted)
    blocks = tuple(map(writer.block, tree.blocks))
    first = next((block.nodes for block in tree.blocks if block.kind == "paragraph"), ())
    return Document(
        path=tree.path,
        language=tree.language,
        blocks=blocks,
        figures=tuple(writer.figures),
        tables=tuple(writer.tables),
        scripts=tree.scripts,
        cells=tree.cells,
        diagrams=tree.diagrams,
        links=tuple(writer.links),
        citations=tuple(writer.citations),
        reading_minutes=reading_minutes(
            "\n".join(block.text for block in blocks if block.kind not in _NOT_READ)
        ),
        first_text=line_of(first),
        warnings=sorted_diagnostics(building.mistakes.warnings),
    )


def _refuse_long(body: str) -> None:
    if len(body) > MOST_CHARACTERS:
        raise too_long(f"{len(body):,} characters; at most {MOST_CHARACTERS:,} are allowed", 0)


def _take_notes(tokens: list[Token], building: Building) -> list[Token]:
    """The tokens without the definitions of footnotes, which are stored in `building` by label."""
    kept: list[Token] = []
    current: list[Token] | None = None
    for token in tokens:
        if token.type == "footnote_reference_open":
            label, line = token.meta["label"], building.line_of(token)
            if label in building.note_definitions:
                first = building.note_definitions[label][1]
                building.mistakes.error(
                    "footnote-duplicate",
                    f"[^{label}] is defined twice, first on line {first}",
                    line,
                    "keep one of them.",
                )
            current = []
            building.note_definitions.setdefault(label, (current, line))
        elif token.type == "footnote_reference_close":
            current = None
        elif current is not None:
            current.append(token)
        else:
            kept.append(token)
    return kept


def _blocks(tokens: list[Token], building: Building) -> list[TopBlock]:
    blocks: list[TopBlock] = []
    joined: dict[int, list[Piece]] = {}
    """The pieces of blocks that raw HTML joins, by index."""
    last: list[Piece] = []
    start, depth, level = 0, 0, 1
    for index, token in enumerate(tokens):
        depth += token.nesting
        if depth:
            continue
        group = tokens[start : index + 1]
        start = index + 1
        continues = bool(building.open_elements)
        block, pieces = _block(group, building)
        if continues:
            joined.setdefault(len(blocks) - 1, last).extend(pieces)
            block = blocks[-1] = _merged(blocks[-1], block)
        elif not all(map(_is_empty, pieces)):
            last = pieces
            blocks.append(block)
        if building.open_elements and block.kind != "html":
            _report_open(block.line, building)
        if block.kind == "heading" and not continues:
            if block.level > level + 1:
                message = f"a heading of level {block.level} follows one of level {level}"
                building.mistakes.warn("heading-skip", message, block.line, f"use {'#' * (level + 1)}.")
            level = block.level
    if building.open_elements:
        _report_open(blocks[-1].line, building)
    for index, pieces in joined.items():
        blocks[index] = replace(blocks[index], nodes=building.closed(pieces))
    return blocks


def _with_assertions(blocks: Sequence[TopBlock]) -> list[TopBlock]:
    """The blocks, with paragraphs that only hold an `{assert}` joined to the block before or behind them.

    A rule is passed over, because a talk is cut there and does not show it.
    """
    kept: list[TopBlock] = []
    waiting: Nodes = ()
    for block in blocks:
        if not _shows_nothing(block.nodes):
            kept.append(replace(block, nodes=waiting + block.nodes) if waiting else block)
            waiting = ()
        elif kept and kept[-1].kind != "rule":
            kept[-1] = replace(kept[-1], nodes=kept[-1].nodes + block.nodes)
        else:
            waiting += block.nodes
    if waiting:
        line = blocks[-1].line
        kept.append(TopBlock(kind="paragraph", line=line, last_line=0, nodes=waiting))
    return kept


def _shows_nothing(nodes: Nodes) -> bool:
    """Whether readers see nothing of nodes: they hold assertions alone, or nothing at all."""
    for node in nodes:  # a loop, as this is asked of each block
        kind = type(node)
        if kind is Paragraph:
            paragraph = cast(Paragraph, node)
            if not paragraph.is_hidden or not _shows_nothing(paragraph.children):
                return False
        elif not (kind is Value and cast(Value, node).kind == "assert") and not _is_empty(node):
            return False
    return True


def _is_empty(node: Piece) -> bool:
    """Whether a node is written as nothing."""
    kind = type(node)
    if kind is str:
        return node == ""
    if kind is Break:
        return cast(Break, node).shows == NOTHING
    if kind is Paragraph or kind is Raw:
        around = cast(Paragraph | Raw, node)
        has_tag = not around.is_hidden if isinstance(around, Paragraph) else bool(around.begin or around.end)
        return not has_tag and all(map(_is_empty, around.children))
    return False


def _report_open(line: int, building: Building) -> None:
    name = building.open_elements[-1]
    fix = fix_of_open(building.open_elements, fix_of_element(name, f"add </{name}> where the element ends."))
    building.mistakes.error("html-unclosed", f"<{name}> is never closed", line, fix)
    building.never_closed.append(line)
    building.open_elements.clear()


_INSIDE = frozenset(("anchor-inside", "figure-nested", "table-nested", "formula-nested"))


def _drop_what_only_seems_inside(mistakes: Mistakes, never_closed: Sequence[int]) -> None:
    """Drop errors about blocks inside another block where only a missing end puts them there."""
    if never_closed:
        first = min(never_closed)
        mistakes.errors[:] = [
            one
            for one in mistakes.errors
            if one.rule not in _INSIDE or one.location is None or (one.location.line or 0) < first
        ]


def _block(group: list[Token], building: Building) -> tuple[TopBlock, list[Piece]]:
    first = group[0]
    kind = _KINDS.get(first.type, "html")
    line = building.line_of(first)
    anchor = str(first.attrs["id"]) if "id" in first.attrs else None
    if first.type == "admonition_open" and first.info in OF_TALKS:
        kind = "notes" if first.info == "notes" else "slide"
    classes = tuple(str(first.attrs.get("class", "")).split())
    before, building.own_id = len(building.embeds), anchor or ""
    pieces, notes = building.build_block(group)
    nodes = building.closed(pieces)
    if first.type == "display_formula" and first.info:
        anchor = first.info
    if len(building.embeds) > before and first.type == "fence":
        embed = building.embeds[before]
        kind, anchor = ("figure" if embed.kind == "figure" else "table"), embed.name
    elif len(nodes) == 1 and isinstance(cell := nodes[0], Directive) and cell.name == CELL:
        anchor = cell.attributes["id"] or None
    elif first.type == "admonition_open" and len(nodes) == 1 and isinstance(nodes[0], Captioned):
        kind = "table" if nodes[0].of == "table" else "paragraph"
    elif first.type == "fence" and len(nodes) == 1 and isinstance(nodes[0], Captioned | Paragraph):
        kind = "paragraph"  # as pictures are in their other spellings
    anchor = anchor or building.own_id or None
    if anchor is not None and kind not in ("figure", "table"):
        building.give_name(anchor, line)
    block = TopBlock(
        kind=kind,
        line=line,
        last_line=building.last_line_of(first),
        nodes=nodes,
        level=int(first.tag[1]) if kind == "heading" else 0,
        anchor=anchor,
        number=building.equations if first.type == "display_formula" and first.info else 0,
        notes=notes,
        classes=classes,
        markup=first.markup if kind == "rule" else "",
    )
    return block, pieces


def _merged(block: TopBlock, more: TopBlock) -> TopBlock:
    """A block of HTML with the next block in it, as an element of it is still open; without its nodes."""
    return TopBlock(
        kind="html",
        line=block.line,
        last_line=more.last_line,
        nodes=(),
        anchor=block.anchor,
        notes=block.notes + more.notes,
    )


def _without_ignore_comments(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without comments that silence a warning: readers get none. Lines keep their numbers."""
    kept = []
    for token in tokens:
        if token.type in ("html_block", "html_inline"):
            content = HTML_COMMENT.sub("", token.content)
            if content != token.content and not content.strip():
                continue
            token.content = content
        elif token.children:
            token.children = _without_ignore_comments(token.children)
        kept.append(token)
    return kept
