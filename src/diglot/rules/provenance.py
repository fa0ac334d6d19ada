"""What a value in prose depends on: an expression, a figure, and rows of the catalogue with their sources."""

import re
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from diglot.comparing.half_texts import parts_of_front
from diglot.content.records import Document, Placeholder
from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.expressions.numbers import ValuePath, paths_in, without_format
from diglot.expressions.parsing import ExpressionError, figures_read_by
from diglot.figure_request import CELLS, FigureRequest
from diglot.figures.chip_sheets import ChipPrice, ChipSheet, ChipSource, Fact
from diglot.figures.records import ComputedFigure
from diglot.figures.scripts.origins import Origins
from diglot.figures.scripts.value_parts import Parts
from diglot.languages import LANGUAGES, Language
from diglot.render.facts_read import (
    Fields,
    Reach,
    chips_of,
    facts_in,
    prices_in,
    rest_of,
    rest_of_all,
)
from diglot.render.parts import placeholders_in
from diglot.render.provenance_materials import ScriptLine, lines_of
from diglot.render.values import Values
from diglot.rules.building import Site
from diglot.rules.chips import read_sheets
from diglot.rules.figures import compute_figure, find_scripts
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import cut_references, read_document
from diglot.rules.origins import find_origins, find_parts
from diglot.rules.parsed_halves import parts_of


class ReadChip(msgspec.Struct, frozen=True, kw_only=True):
    """A chip whose facts a figure has read."""

    id: str
    name: str
    has_all: bool
    """Whether the figure has read all facts."""
    facts: tuple[Fact, ...]
    """Those that the value depends on and a source gives; others follow from them."""
    prices: tuple[ChipPrice, ...]
    sources: tuple[ChipSource, ...]


class ReadFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure whose data an expression reads."""

    request: str
    script: str
    parameters: tuple[tuple[str, str], ...]
    """All of them, with the defaults."""
    files: tuple[str, ...]
    """Data files that it has read."""
    variables: tuple[str, ...]
    """Environment variables that it has read."""
    lines: tuple[ScriptLine, ...]
    """Those of its script that give the value, or a mapping around it."""
    reach: Reach
    """How closely it is known which facts the value depends on."""
    chips: tuple[ReadChip, ...]
    """Those on whose facts the value rests."""
    other_chips: tuple[str, ...]
    """The names of the others that the figure has read."""


class ValueChain(msgspec.Struct, frozen=True, kw_only=True):
    """What a value depends on."""

    expression: str
    texts: Mapping[Language, str]
    unformatted: str
    """With all its digits."""
    places: tuple[str, ...]
    """File and line of each place that quotes it, in any format, as of the last build."""
    figures: tuple[ReadFigure, ...]


def trace_value(site: Site, expression: str, path: str = "") -> ValueChain:
    """The chain from an expression in the half at `path` to the catalogue. Brings figures up to date.

    Raises DiagnosticError for an expression that is not one, or has no value.
    """
    try:
        requests = figures_read_by(expression)
        bare = without_format(expression)
    except ExpressionError as error:
        raise _wrong("value-syntax", f'"{expression}" cannot be read: {error}', _EXAMPLE) from None
    scripts = {script.figure_id: script.path for script in site.value(find_scripts, None).scripts}
    if path:
        requests = tuple(FigureRequest.of_cells(path) if one.figure_id == CELLS else one for one in requests)
        scripts[CELLS] = path
    elif any(one.figure_id == CELLS for one in requests):
        message = "the values of code cells belong to their article"
        raise _wrong("value-unknown", message, "name a place: diglot explain value content/posts/a/zh.md:12.")
    unknown = next((one.figure_id for one in requests if one.figure_id not in scripts), None)
    if unknown is not None:
        message = f'there is no figure named "{unknown}"'
        raise _wrong("value-unknown", message, did_you_mean(unknown, scripts, otherwise=_EXAMPLE))
    computed = site.values(compute_figure, requests)
    for one in computed:
        if one.refusals:
            raise DiagnosticError(*one.refusals)
    data = {str(request): one.data for request, one in zip(requests, computed, strict=True)}
    sheets = site.value(read_sheets, None)
    paths = paths_in(expression, Values("en", data).figures)
    return ValueChain(
        expression=expression,
        texts={language: _text(language, data, expression) for language in LANGUAGES},
        unformatted=_text("en", data, bare),
        places=tuple(_places(site, bare, requests)),
        figures=tuple(
            _figure(
                _Script(
                    request,
                    scripts[request.figure_id],
                    site.value(find_origins, request.figure_id),
                    site.value(find_parts, request.figure_id),
                ),
                one,
                sheets.sheets,
                paths,
            )
            for request, one in zip(requests, computed, strict=True)
        ),
    )


_EXAMPLE = "write a value as in an article: diglot explain value 'roofline.h200.ridge'."


def _wrong(rule: str, message: str, fix: str) -> DiagnosticError:
    return DiagnosticError(Diagnostic(rule=rule, message=message, fix=fix))


def _text(language: Language, data: Mapping[str, bytes], expression: str) -> str:
    try:
        return Values(language, data).text(expression, path="", line=1)
    except DiagnosticError as error:
        raise DiagnosticError(*(replace(one, location=None) for one in error.diagnostics)) from None


class _Script(NamedTuple):
    """A figure's script, with what its lines give."""

    request: FigureRequest
    path: str
    origins: Origins
    parts: Parts


def _figure(
    script: _Script, computed: ComputedFigure, sheets: tuple[ChipSheet, ...], paths: tuple[ValuePath, ...]
) -> ReadFigure:
    request = str(script.request)
    ids = chips_of(computed)
    read = [one for one in sheets if one.id in ids]
    own = [one for one in paths if one.figure == request]
    rest = rest_of_all(rest_of(path, computed, read, script.parts) for path in own)
    return ReadFigure(
        request=script.request.expression if script.request.cells_path else request,
        script=script.path,
        parameters=computed.parameters,
        files=computed.provenance,
        variables=computed.variables,
        lines=lines_of(own, {request: script.origins}),
        reach=rest.reach,
        chips=tuple(_chip(one, rest.chips[one.id]) for one in read if one.id in rest.chips),
        other_chips=tuple(one.short_name for one in read if one.id not in rest.chips),
    )


def _chip(sheet: ChipSheet, fields: Fields) -> ReadChip:
    facts = facts_in(sheet, fields)
    prices = prices_in(sheet, fields)
    named = {*(one.source for one in facts), *(one.source for one in prices)}
    named |= {source for one in facts for told in one.disagreements for _, source in told.claims}
    return ReadChip(
        id=sheet.id,
        name=sheet.short_name,
        has_all=fields is None,
        facts=facts,
        prices=prices,
        sources=tuple(one for one in sheet.sources if one.id in named),
    )


class _Quote(NamedTuple):
    """A value at its place, as of the last build."""

    path: str
    line: int
    """0 in the front matter, which may lie in a file of its own."""
    expression: str

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}" if self.line else f"{self.path} (front matter)"


def _quotes(site: Site, wanted: Container[str] | None = None) -> Iterator[_Quote]:
    """The values that the last build found; only those that read one of some figures, if these are given."""
    with site.last_build.records() as records:
        for half in sorted(records.digests(read_document)):
            references = records.value(cut_references, half)
            front = records.value(read_front_matter, half)
            if references is None:
                continue
            in_front = [one for parts in parts_of_front(front) for one in placeholders_in(parts)]
            in_body: list[Placeholder] = []
            parsed = records.value(read_document, half) if references.quoted else None
            if parsed is not None:
                document = msgspec.msgpack.decode(parsed.body, type=Document)
                in_body += (one for parts in parts_of(document) for one in placeholders_in(parts))
            found = [_Quote(references.path, 0, one.target) for one in in_front if _reads(one, wanted)]
            found += [_Quote(references.path, one.line, one.target) for one in in_body if _reads(one, wanted)]
            yield from dict.fromkeys(found)


def _reads(placeholder: Placeholder, wanted: Container[str] | None) -> bool:
    return placeholder.kind == "eval" and (
        wanted is None or any(figure in wanted for figure in placeholder.figures)
    )


def _places(site: Site, bare: str, requests: tuple[FigureRequest, ...]) -> Iterator[str]:
    """Where the last build found the value quoted."""
    for quote in _quotes(site, {str(request) for request in requests}):
        if without_format(quote.expression) == bare:
            yield quote.place


_PLACE = re.compile(r"(?P<path>\S+\.(?:md|ipynb))(?::(?P<line>\d+))?")


def values_at(site: Site, place: str) -> tuple[str, ...] | None:
    """The expressions that the last build found at a place, `content/posts/a/zh.md:12` or a whole file.

    None for a text that is no place, and so may be an expression. Raises DiagnosticError where no value
    is there.
    """
    found = _PLACE.fullmatch(place)
    if found is None:
        return None
    path, line = _in_project(site, found["path"]), found["line"]
    quotes = [*_quotes(site)]
    in_file = [one for one in quotes if one.path == path]
    there = dict.fromkeys(one.expression for one in in_file if line is None or one.line == int(line))
    if not there:
        lines = ", ".join(str(one) for one in sorted({one.line for one in in_file if one.line}))
        files = dict.fromkeys(one.path for one in quotes)
        fix = (
            f"its values are on these lines: {lines}."
            if lines
            else did_you_mean(path, files, otherwise="build first, or name a half that quotes values.")
        )
        raise _wrong("value-unknown", f"the last build found no value at {place}", fix)
    return tuple(there)


def path_of(site: Site, place: str) -> str:
    """The file that a place is in; empty for a text that is no place."""
    found = _PLACE.fullmatch(place)
    return "" if found is None else _in_project(site, found["path"])


def _in_project(site: Site, path: str) -> str:
    """A path as the project names it; it may be relative to the current folder."""
    root, here = site.options.root.resolve(), Path(path).resolve()
    return here.relative_to(root).as_posix() if here.is_file() and here.is_relative_to(root) else path
