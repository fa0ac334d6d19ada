"""Resolves what a half refers to. A task of its own, because three or four pages show the same half."""

from collections.abc import Iterable

import msgspec
from msgspec import Raw, msgpack

from diglot.bibliography.works import NO_CITATIONS, HalfCitations
from diglot.content.records import FrontMatter
from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.output_paths import PathFault, check_path
from diglot.render.materials import DrawnDiagram, ImageFile
from diglot.render.parts import placeholders_in
from diglot.rules.citations import resolve_citations
from diglot.rules.diagrams import draw_diagrams
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import cut_references
from diglot.rules.ids import HalfId
from diglot.rules.links import Links
from diglot.rules.readable_articles import read_anyway
from diglot.rules.requests import check_explorations, check_requests, download_path
from diglot.rules.tasks import Fetch, task
from diglot.rules.value_mistakes import find_value_mistakes


class Targets(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """Addresses of links and files of pictures, by target as written."""

    links: dict[str, str]
    images: dict[str, ImageFile]
    citations: HalfCitations = NO_CITATIONS
    diagrams: tuple[DrawnDiagram, ...] = ()


class ResolvedReferences(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What a half refers to, found in the rest of the site."""

    targets: Raw
    """A `Targets`, decoded only by the process that renders the page."""
    files: dict[str, str]
    """Published paths of the project's files that are linked to or shown, by path in the project."""
    embedded: tuple[str, ...]
    """Figures shown as drawing or table, each as the text of a `FigureRequest`."""
    quoted: tuple[str, ...]
    """Figures whose values the text, title or description quotes, in the same form."""
    in_title: tuple[str, ...] = ()
    """Figures whose values the title quotes, by their names."""
    pictures: dict[str, str] = {}
    """Pictures in other widths: the text of a `PictureId`, by published path."""
    has_citations: bool = False
    has_controls: bool = False
    """Whether readers can turn one of the figures."""


@task("resolved-references")
async def resolve_references(fetch: Fetch, half: HalfId) -> ResolvedReferences:
    """The resolved references of a half. Raises DiagnosticError for links, pictures and figures not found."""
    front, waits = None, None  # what waits for other mistakes must not hide those found here
    try:
        references = await fetch(cut_references, half)
    except UpstreamFailed as failure:
        waits, readable = failure, (await fetch(read_anyway, half.article)).halves.get(half.language)
        if readable is None:
            raise
        references = readable.references
    try:
        front = await fetch(read_front_matter, half)
    except UpstreamFailed as failure:
        waits = failure
    links = Links(fetch, references, half.article)
    addresses, images = await links.resolve_all()
    quoted = (*(quoted_by(front) if front else ()), *references.quoted)
    lines = [
        (FigureRequest.parse(text), references.path, line) for text, line in (*references.embedded, *quoted)
    ]
    downloads = [(FigureRequest.parse(text), line) for text, line in references.embedded]
    mistakes = [
        *links.mistakes,
        *(mistake for request, line in downloads for mistake in _unwritable(request, references.path, line)),
    ]
    citations = NO_CITATIONS
    if references.citations:
        try:
            citations, unknown = await resolve_citations(fetch, references.citations, references.path, half)
            mistakes += unknown
        except UpstreamFailed as failure:
            waits = failure
    diagrams: tuple[DrawnDiagram, ...] = ()
    if references.diagrams:
        try:
            diagrams = await draw_diagrams(fetch, half, references)
        except DiagnosticError as error:
            mistakes += error.diagnostics
        except UpstreamFailed as failure:
            waits = failure
    try:
        wrong = await check_requests(fetch, lines)
        mistakes += [*wrong, *await check_explorations(fetch, references.explored, references.path)]
    except UpstreamFailed as failure:
        waits = failure
    if mistakes or waits is not None:
        mistakes += await find_value_mistakes(fetch, half, [text for text, _ in quoted])
    if any(mistake.severity == "error" for mistake in mistakes):
        raise DiagnosticError(*mistakes)
    fetch.report(*mistakes)
    if waits is not None:
        raise waits
    targets = Targets(links=addresses, images=images, citations=citations, diagrams=diagrams)
    return ResolvedReferences(
        targets=Raw(msgpack.encode(targets)),
        files=links.files,
        pictures=links.pictures,
        embedded=tuple(dict.fromkeys(text for text, _ in references.embedded)),
        quoted=tuple(dict.fromkeys(text for text, _ in quoted)),
        in_title=tuple(dict.fromkeys(_figures_in_title(front))) if front is not None else (),
        has_citations=bool(citations.works),
        has_controls=bool(references.explored),
    )


def _unwritable(request: FigureRequest, path: str, line: int) -> Iterable[Diagnostic]:
    """The error for a figure whose files would have an invalid path; none otherwise."""
    try:
        check_path(download_path(request, "zh", "svg"))
    except PathFault as fault:
        yield Diagnostic(
            rule="path-name",
            message=f'the files of the figure "{request.figure_id}" cannot be published: their path {fault}',
            location=Location(path=path, line=line),
            fix="use a shorter name for the script, or shorter values for its parameters.",
        )


def _figures_in_title(front: FrontMatter) -> Iterable[str]:
    for placeholder in placeholders_in(front.title):
        yield from (FigureRequest.parse(text).figure_id for text in placeholder.figures)


def quoted_by(front: FrontMatter) -> Iterable[tuple[str, int]]:
    """The figures whose values the title or description quotes, with the line of the quote."""
    for parts in (front.title, front.description, front.event):
        for placeholder in placeholders_in(parts):
            for text in placeholder.figures:
                yield text, placeholder.line
