"""What an editor shows about the word under the cursor."""

import re

from lsprotocol.types import Hover, MarkupContent, MarkupKind

from diglot.content.terms import Term, pattern_of
from diglot.diagnostics import DiagnosticError
from diglot.figure_request import FigureRequest
from diglot.figures.chip_marks import fold_chip_id
from diglot.figures.chip_sheets import ChipSheet
from diglot.lsp.asked import Asked
from diglot.lsp.describing import about_chip, about_domain, about_figure, about_term, about_work, short
from diglot.lsp.labels import label_at, names_in
from diglot.lsp.marks import Mark, fences_in
from diglot.lsp.value_paths import path_at, paths_in, value_at
from diglot.lsp.yaml_keys import place_at, schema_at
from diglot.render.values import Values

_OPTION = re.compile(r"[ \t>]*:(?P<name>[a-z][\w-]*):")
_QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_CHIP_PAGE = re.compile(r"/hardware/(?P<slug>[\w-]+)")


def hover(asked: Asked) -> Hover | None:
    """What is under the cursor; None where nothing is known of it."""
    text, mark = _about(asked), asked.mark
    if not text:
        return None
    place = asked.text.range(mark.start, mark.end) if mark is not None else None
    return Hover(contents=MarkupContent(kind=MarkupKind.Markdown, value=text), range=place)


def _about(asked: Asked) -> str:
    if asked.is_yaml:
        return _about_key(asked)
    mark, known = asked.mark, asked.known
    if mark is None:
        return _about_option(asked) or _about_words(asked)
    if mark.kind == "value":
        return _about_value(asked, mark)
    if mark.kind == "figure":
        return _figure(asked, FigureRequest(mark.text))
    if mark.kind == "citation":
        entry = known.works.get(mark.text)
        return about_work(entry) if entry is not None else ""
    if mark.kind == "link" and (page := _CHIP_PAGE.search(mark.text)) is not None:
        return next((about_chip(one) for one in known.chips if one.slug == page["slug"]), "")
    label = label_at(known, asked.path, mark)
    if label is None or asked.half is None:
        return ""
    said = names_in(known, asked.half._replace(article=label.article)).get(label.name)
    return f"`{label.name}`: {said}" if said else ""


def _figure(asked: Asked, request: FigureRequest) -> str:
    if request.figure_id not in asked.known.scripts:
        return ""
    script = asked.known.scripts[request.figure_id]
    return about_figure(asked.known, request, script.source or asked.read(script.path))


def _about_value(asked: Asked, mark: Mark) -> str:
    """The text that readers see, and the value at the cursor."""
    known, half = asked.known, asked.half
    expression = mark.text
    requests = {str(one.request) for one in paths_in(expression, asked.path)}
    data = {text: known.figures[text].data for text in requests if text in known.figures}
    lines: list[str] = []
    if half is not None and requests <= data.keys():
        try:
            shown = Values(half.language, data).text(" ".join(expression.split()), path=asked.path, line=1)
            lines.append(f"**{shown}**")
        except DiagnosticError as error:
            lines += [f"{one.message}: {one.fix}" if one.fix else one.message for one in error.diagnostics]
    at = path_at(expression, asked.offset - mark.start, asked.path)
    if at is None:
        return "\n\n".join(lines)
    if not at.keys:
        return "\n\n".join((*lines, _figure(asked, at.request)))
    try:
        value = value_at(known.data_of(at.request), at.names)
    except (LookupError, ValueError):
        return "\n\n".join(lines)
    way = ".".join((at.request.expression, *at.names))
    return "\n\n".join((*lines, f"`{way}` = `{short(value).replace('`', '′')}`"))


def _about_option(asked: Asked) -> str:
    """A parameter in the fence of a figure."""
    option = _OPTION.match(asked.line)
    if option is None or not option.start("name") <= asked.column <= option.end("name"):
        return ""
    for fence in fences_in(asked.lines):
        if fence.first < asked.position.line < fence.last and fence.name in ("figure", "table"):
            computed = asked.known.figures.get(fence.argument)
            for domain in computed.domains if computed is not None else ():
                if domain.name == option["name"]:
                    return f"`{domain.name}`: {about_domain(domain)}"
    return ""


def _about_words(asked: Asked) -> str:
    if asked.path.endswith(".py"):
        chip = next(
            (
                found
                for quoted in _QUOTED.finditer(asked.line)
                if quoted.start() <= asked.column <= quoted.end()
                and (found := chip_named(asked.known.chips, quoted[1] or quoted[2] or ""))
            ),
            None,
        )
        return about_chip(chip) if chip is not None else ""
    if asked.half is None:
        return ""
    term = _term_at(asked)
    return about_term(term) if term is not None else ""


def chip_named(chips: tuple[ChipSheet, ...], name: str) -> ChipSheet | None:
    """The chip with an id or a name in addresses."""
    folded = fold_chip_id(name) if name else ""
    return next((one for one in chips if folded in (one.id, one.slug)), None)


def _term_at(asked: Asked) -> Term | None:
    """The longest term at the cursor, in either language."""
    best: tuple[int, Term] | None = None
    for term in asked.known.terms:
        for word in (*term.names, *term.also, *term.never):
            for found in re.finditer(pattern_of(word), asked.line):
                if found.start() <= asked.column <= found.end() and (best is None or len(word) > best[0]):
                    best = len(word), term
    return best[1] if best is not None else None


def _about_key(asked: Asked) -> str:
    kind = asked.yaml_kind
    if kind is None:
        return ""
    place = place_at(asked.lines, asked.position.line, asked.column)
    if place.in_value and (said := _about_id(asked, place.keys)):
        return said
    said = str(schema_at(kind, place.keys).get("description", ""))
    return f"`{'.'.join(key for key in place.keys if key != '[]')}`: {said}" if said else ""


def _about_id(asked: Asked, keys: tuple[str, ...]) -> str:
    """The label of a tag, category, series or author under the cursor."""
    project = asked.known.project
    word = next(
        (w[0] for w in re.finditer(r"[\w-]+", asked.line) if w.start() <= asked.column <= w.end()), ""
    )
    name = next((key for key in reversed(keys) if key and key != "[]"), "")
    if project is None or not word or name not in ("tags", "categories", "series", "authors"):
        return ""
    labels = {term.id: term.label for term in (*project.tags, *project.categories, *project.series)}
    labels |= {person.id: person.name for person in project.authors}
    return " · ".join(labels.get(word, ()))
