"""Parses one half of an article: from a file's text to blocks of HTML with placeholders."""

import re
from collections.abc import Sequence
from html import escape, unescape

from markdown_it.token import Token
from msgspec.structs import replace

from diglot.content.code_made import NONE_MADE, CodeMade
from diglot.content.foreign_syntax import find_suspects
from diglot.content.front_matter import split_front_matter
from diglot.content.html_policy import clean_blocks
from diglot.content.limits import MOST_CHARACTERS, too_long
from diglot.content.mistakes import Mistakes, TooMuch
from diglot.content.parser import markdown_parser
from diglot.content.quotes import environment
from diglot.content.records import OF_TALKS, Block, BlockKind, Document, Parts, Placeholder
from diglot.content.references import report_references
from diglot.content.rendering import Rendering
from diglot.content.swallowed import Definitions, warn_of_definitions
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


def parse_document(
    source_text: str, path: str, language: Language, html: HtmlPolicy = "all", made: CodeMade = NONE_MADE
) -> Document:
    """The body of a half, parsed. Front matter is skipped, but its lines count in line numbers.

    Code that is in `made` is not highlighted again. Raises DiagnosticError with all mistakes in the body,
    and with its warnings.
    """
    document, mistakes = read_document(source_text, path, language, html, made)
    if mistakes.errors:
        raise DiagnosticError(*sorted_diagnostics([*mistakes.errors, *mistakes.warnings]))
    return document


def read_document(
    source_text: str, path: str, language: Language, html: HtmlPolicy = "all", made: CodeMade = NONE_MADE
) -> tuple[Document, Mistakes]:
    """Like `parse_document`, but returns the mistakes with as much of the document as could be parsed."""
    matter = split_front_matter(source_text, path)
    mistakes = Mistakes(path, matter.lines)
    env = environment(language)
    env["references"] = Definitions()
    rendering = Rendering(env, language, matter.body_line, mistakes, html)
    rendering.code_made = made
    try:
        _refuse_long(matter.body)
        tokens = markdown_parser(html=html != "none").parse(matter.body, env)
        if MARK in matter.body:
            tokens = _without_ignore_comments(tokens)
        if is_as_strict(html, "safe"):
            clean_blocks(tokens, matter.body_line, mistakes, html)
        rendering.suspects = find_suspects(matter.body, matter.body_line)
        report_references(matter.body, tokens, env, matter.body_line, mistakes)
        blocks = _blocks(_take_notes(tokens, rendering), rendering)
    except TooMuch as error:
        line = rendering.line if error.line is None else matter.body_line + error.line
        mistakes.error(error.rule, error.message, line, error.fix)
        return Document(path=path, language=language, blocks=()), mistakes
    if env["references"]:
        warn_of_definitions(env, matter.body_line, mistakes)
    _drop_what_only_seems_inside(mistakes, rendering.never_closed)
    for label, line in rendering.unused_notes():
        message = f"nothing refers to this footnote: there is no [^{label}] in the text"
        mistakes.warn("footnote-unused", message, line, "add the reference, or delete the note.")
    prose = "\n".join(block.text for block in blocks if block.kind not in _NOT_READ)
    document = Document(
        path=path,
        language=language,
        blocks=tuple(_with_assertions(blocks)),
        figures=tuple(rendering.figures),
        tables=tuple(rendering.tables),
        scripts=tuple(rendering.scripts),
        links=tuple(rendering.links),
        reading_minutes=reading_minutes(prose),
        first_text=next((_as_text(block.parts) for block in blocks if block.kind == "paragraph"), ()),
        warnings=sorted_diagnostics(mistakes.warnings),
    )
    return document, mistakes


def _refuse_long(body: str) -> None:
    if len(body) > MOST_CHARACTERS:
        raise too_long(f"{len(body):,} characters; at most {MOST_CHARACTERS:,} are allowed", 0)


def _take_notes(tokens: list[Token], rendering: Rendering) -> list[Token]:
    """The tokens without the definitions of footnotes, which are stored in `rendering` by label."""
    kept: list[Token] = []
    current: list[Token] | None = None
    for token in tokens:
        if token.type == "footnote_reference_open":
            label, line = token.meta["label"], rendering.line_of(token)
            if label in rendering.note_definitions:
                first = rendering.note_definitions[label][1]
                rendering.mistakes.error(
                    "footnote-duplicate",
                    f"[^{label}] is defined twice, first on line {first}",
                    line,
                    "keep one of them.",
                )
            current = []
            rendering.note_definitions.setdefault(label, (current, line))
        elif token.type == "footnote_reference_close":
            current = None
        elif current is not None:
            current.append(token)
        else:
            kept.append(token)
    return kept


def _blocks(tokens: list[Token], rendering: Rendering) -> list[Block]:
    blocks: list[Block] = []
    start, depth, level = 0, 0, 1
    for index, token in enumerate(tokens):
        depth += token.nesting
        if depth:
            continue
        group = tokens[start : index + 1]
        start = index + 1
        continues = bool(rendering.open_elements)
        block = _block(group, rendering)
        if continues:
            blocks[-1] = _merged(blocks[-1], block)
            block = blocks[-1]
        elif block.parts:
            blocks.append(block)
        if rendering.open_elements and block.kind != "html":
            _report_open(block.line, rendering)
        if block.kind == "heading" and not continues:
            if block.level > level + 1:
                message = f"a heading of level {block.level} follows one of level {level}"
                rendering.mistakes.warn("heading-skip", message, block.line, f"use {'#' * (level + 1)}.")
            level = block.level
    if rendering.open_elements:
        _report_open(blocks[-1].line, rendering)
    return blocks


def _with_assertions(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with paragraphs that only hold an `{assert}` joined to the block before or behind them.

    A rule is passed over, because a talk is cut there and does not show it.
    """
    kept: list[Block] = []
    waiting: Parts = ()
    for block in blocks:
        if not _shows_nothing(block):
            kept.append(replace(block, parts=waiting + block.parts) if waiting else block)
            waiting = ()
        elif kept and kept[-1].kind != "rule":
            kept[-1] = replace(kept[-1], parts=kept[-1].parts + block.parts)
        else:
            waiting += block.parts
    if waiting:
        kept.append(Block(kind="paragraph", line=blocks[-1].line, parts=waiting))
    return kept


def _shows_nothing(block: Block) -> bool:
    return all(isinstance(part, Placeholder) and part.kind == "assert" for part in block.parts)


def _report_open(line: int, rendering: Rendering) -> None:
    name = rendering.open_elements[-1]
    rendering.mistakes.error(
        "html-unclosed", f"<{name}> is never closed", line, f"add </{name}> where the element ends."
    )
    rendering.never_closed.append(line)
    rendering.open_elements.clear()


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


def _block(group: list[Token], rendering: Rendering) -> Block:
    first = group[0]
    kind = _KINDS.get(first.type, "html")
    line = rendering.line_of(first)
    anchor = str(first.attrs["id"]) if "id" in first.attrs else None
    if first.type == "admonition_open" and first.info in OF_TALKS:
        kind = "notes" if first.info == "notes" else "slide"
    classes = tuple(str(first.attrs.get("class", "")).split())
    figures, tables = len(rendering.figures), len(rendering.tables)
    parts, text, notes = rendering.render_block(group)
    if first.type == "display_formula" and first.info:
        anchor = first.info
    if len(rendering.figures) > figures and first.type == "fence":
        kind, anchor = "figure", rendering.figures[figures].name
    elif len(rendering.tables) > tables and first.type == "fence":
        kind, anchor = "table", rendering.tables[tables].name
    elif anchor is not None:
        rendering.give_name(anchor, line)
    return Block(
        kind=kind,
        line=line,
        last_line=rendering.last_line_of(first),
        parts=parts,
        level=int(first.tag[1]) if kind == "heading" else 0,
        anchor=anchor,
        number=rendering.equations if first.type == "display_formula" and first.info else 0,
        text=text,
        notes=notes,
        classes=classes,
        markup=first.markup if kind == "rule" else "",
    )


def _merged(block: Block, more: Block) -> Block:
    """A block of HTML with the next block appended, because an element of it is still open."""
    return Block(
        kind="html",
        line=block.line,
        last_line=more.last_line,
        parts=_concatenated(block.parts, more.parts),
        anchor=block.anchor,
        text=f"{block.text}\n{more.text}".strip(),
        notes=block.notes + more.notes,
    )


def _concatenated(first: Parts, second: Parts) -> Parts:
    if first and second and isinstance(first[-1], str) and isinstance(second[0], str):
        return (*first[:-1], first[-1] + second[0], *second[1:])
    return first + second


_MATH = re.compile(r"<math.*?</math>", re.DOTALL)
_NO_TEXT = re.compile(r'\u2060<sup class="mark[^"]*">.*?</sup>|<[^>]*>', re.DOTALL)


def _as_text(parts: Parts) -> Parts:
    """HTML parts as text parts: values and references stay placeholders, tags and addresses are dropped."""
    marked = "".join(
        part if isinstance(part, str) else f"\x00{index}\x00" for index, part in enumerate(parts)
    )
    if "<math" in marked:
        from diglot.content.plain_formulas import formula_in_one_line  # noqa: PLC0415  (few first paragraphs have one)

        marked = _MATH.sub(lambda found: escape(formula_in_one_line(found[0])), marked)
    pieces = re.split("\x00([0-9]+)\x00", unescape(_NO_TEXT.sub("", marked)))
    text: list[str | Placeholder] = []
    for position, piece in enumerate(pieces):
        if position % 2 == 0:
            if piece := piece.replace("\n", " "):
                text.append(piece)
            continue
        placeholder = parts[int(piece)]
        if isinstance(placeholder, Placeholder) and placeholder.kind in ("eval", "control", "ref"):
            text.append(
                Placeholder(
                    kind=placeholder.kind,
                    target=placeholder.target,
                    line=placeholder.line,
                    context="text",
                    figures=placeholder.figures,
                )
            )
    return tuple(text)


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
