"""Converts figures and tables of numbers to the views that templates receive."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from markupsafe import Markup, escape

from diglot.content.records import FigureEmbed, TableEmbed
from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.figure_request import FigureRequest
from diglot.figures.records import DrawnFigure, Size, Table
from diglot.render.addresses import Addresses
from diglot.render.chip_classes import chip_classes
from diglot.render.controls import controls_view
from diglot.render.forms import form_view
from diglot.render.materials import Exploration, FigureMaterial
from diglot.render.strings import Strings
from diglot.render.views import (
    CellView,
    ColumnView,
    DrawingView,
    EmbedView,
    KindEntryView,
    KindView,
    Link,
    ProvenanceView,
    TableView,
)
from diglot.site_map import chip_path

DIGITS_OF_DIGEST = 6
"""How much of a digest readers see."""
_SVG_PREFIX = re.compile(r'<title id="([^"]+)-title">')
"""The common prefix of all ids in a drawing: figure, parameters, size and language."""

_POINTS = '<metadata data-points="">'

# Preferred sizes for each width of the window, best first: figures are drawn anew for a size, not scaled.
_AT_PHONE: tuple[Size, ...] = ("narrow", "column", "wide")
_AT_TEXT: tuple[Size, ...] = ("column", "wide", "narrow")
_AT_WIDE: tuple[Size, ...] = ("wide", "column", "narrow")
Room = Literal["page", "text", "phone"]
"""How wide the place of a figure is at most: the page, its text column, a phone."""
_ON_PAGES: Mapping[Room, tuple[tuple[str, tuple[Size, ...]], ...]] = {
    "page": (("at-phone", _AT_PHONE), ("at-text", _AT_TEXT), ("at-wide", _AT_WIDE)),
    "text": (("at-phone", _AT_PHONE), ("at-text", _AT_TEXT), ("at-wide", _AT_TEXT)),
    "phone": (("at-phone", _AT_PHONE), ("at-text", _AT_PHONE), ("at-wide", _AT_PHONE)),
}
_ON_SLIDES: tuple[tuple[str, tuple[Size, ...]], ...] = (
    ("at-slide", ("slide",)),
    ("at-phone", ("narrow", "slide")),
)


def embed_view(
    embed: FigureEmbed | TableEmbed,
    *,
    number: int,
    caption: Markup,
    material: FigureMaterial,
    source_urls: Mapping[str, str],
    strings: Strings,
    addresses: Addresses,
    path: str,
    page: str = "",
    data: str = "",
    draw: bool = True,
    again: int = 0,
    exploration: Exploration | None = None,
    following: tuple[Link, ...] = (),
) -> EmbedView:
    """A figure or table of numbers in one language.

    `draw` is False in the half of a side-by-side row whose twin shows the drawing; `again` is the number of
    times the page has shown this drawing so far; `page` is the address of the figure's own page, and `data`
    of the file with all its data.
    `exploration` is what readers can turn, and `following` are the files with the texts of values that
    follow. Raises DiagnosticError for a figure without drawings, and for a table where the script has none.
    """
    language = strings.language
    kind: Literal["figure", "table"] = "figure" if isinstance(embed, FigureEmbed) else "table"
    request = FigureRequest.of(embed.figure_id, embed.parameters)
    drawn = material.drawn.get(language)
    form = material.computed.form if kind == "figure" else None
    problem = "" if form and drawn else _problem(kind, drawn)
    if drawn is None or problem:
        raise DiagnosticError(_cannot(kind, request, problem or "is not drawn", path, embed.line))
    downloads = tuple(
        Link(text=word, url=addresses.path(at)) for word, at in material.downloads.get(language, ())
    )
    chips = tuple(
        Link(text=one.name, url=addresses.path(chip_path(language, one.slug))) for one in material.chips
    )
    controls = None
    if exploration is not None:
        svg = next((svg for _, svg in drawn.svgs), "")
        controls = controls_view(embed.name, exploration, language, addresses, following=following, svg=svg)
    return EmbedView(
        kind=kind,
        label=strings(f"{kind}_label", n=number),
        caption=caption if caption.strip() else escape(drawn.message),
        message=drawn.message,
        provenance=provenance_view(
            material, drawn, source_urls, page=page, data=data or _data_among(downloads), chips=chips
        ),
        table=table_view(drawn.table) if drawn.table else None,
        downloads=downloads,
        alt=drawn.alt,
        title=drawn.title,
        wide=kind == "figure" and any(size == "wide" for size, _ in drawn.svgs),
        drawings=drawing_views(drawn, again, controls.frames if controls else {})
        if draw and kind == "figure"
        else (),
        controls=controls,
        form=form_view(form, language, url=addresses.path(material.answers_path)) if form and draw else None,
    )


def _data_among(downloads: tuple[Link, ...]) -> str:
    """Address of the table of the numbers, where the whole data is not published; empty if there is none."""
    return next((file.url for file in downloads if file.text == "CSV"), "")


def _problem(kind: Literal["figure", "table"], drawn: DrawnFigure | None) -> str:
    if kind == "figure" and (drawn is None or not drawn.svgs):
        return "computes numbers but draws nothing"
    if kind == "table" and (drawn is None or drawn.table is None):
        return "has no table"
    return ""


def _cannot(kind: str, request: FigureRequest, problem: str, path: str, line: int) -> Diagnostic:
    function = "draw(figure, data, t)" if kind == "figure" else "table(data, t)"
    return Diagnostic(
        rule=f"{kind}-missing",
        message=f'"{request}" {problem}',
        location=Location(path=path, line=line),
        fix=f"add a function {function} to its script.",
    )


def drawing_views(
    drawn: DrawnFigure,
    again: int = 0,
    frames: Mapping[str, str] = MappingProxyType({}),
    *,
    room: Room = "page",
) -> tuple[DrawingView, ...]:
    """The drawings of a figure, each with the widths of the window that show it; unused ones are left out.

    Where `again` is above 0, ids get a suffix, so that they differ from those of the earlier copy on the
    page. `frames` are the addresses of what its states differ in, by size.
    """
    svgs = dict(drawn.svgs)
    shown: dict[Size, list[str]] = {}
    for name, sizes in _ON_SLIDES if "slide" in svgs else _ON_PAGES[room]:
        size = next((size for size in sizes if size in svgs), None)
        if size is not None:
            shown.setdefault(size, []).append(name)
    return tuple(
        DrawingView(
            svg=Markup(_with_ids(svgs[size] if size != "slide" else _at_top_left(svgs[size]), again)),
            shown_at=" ".join(names),
            has_readings=_POINTS in svgs[size],
            frames=frames.get(size, ""),
        )
        for size, names in shown.items()
    )


def _at_top_left(svg: str) -> str:
    """A drawing that begins at the top left of its box where the box has another shape."""
    return svg.replace("<svg ", '<svg preserveAspectRatio="xMinYMin meet" ', 1)


def _with_ids(svg: str, again: int) -> str:
    prefix = _SVG_PREFIX.search(svg)
    return svg.replace(prefix[1], f"{prefix[1]}-{again + 1}") if again and prefix else svg


def kind_views(table: Table, link_to: Callable[[str], str] = str) -> tuple[KindView, ...]:
    """The rows of a table by their kinds; nothing for a plain one. `link_to` says where an address is."""
    at = table.kind_column
    if at is None:
        return ()
    by_kind: dict[str, list[KindEntryView]] = {kind: [] for kind in table.kinds}
    for place, row in enumerate(table.rows):
        name, text, *facts = (cell for n, cell in enumerate(row) if n != at)
        linked = table.links[place] if table.links else ""
        if table.links:
            target = facts.pop()
        marks = [
            f"{number}-{one.choices.index(word)}"
            for number, one in enumerate(table.filters)
            for word in one.values[place]
        ]
        by_kind[row[at]].append(
            KindEntryView(
                number=place + 1,
                name=name,
                text=text,
                facts=tuple(fact for fact in facts if fact != "–"),
                link=Link(text=target, url=link_to(linked)) if linked else None,
                marks=" ".join(marks),
                ranges=table.ranges[place] if table.ranges else None,
            )
        )
    return tuple(
        KindView(name=kind, count=len(entries), entries=tuple(entries)) for kind, entries in by_kind.items()
    )


def table_view(table: Table) -> TableView:
    """A table of numbers with units below the column names and marks of chips in the first column."""
    columns = []
    for head, numeric in zip(table.columns, table.numeric, strict=True):
        name, _, unit = head.partition("\n")
        columns.append(
            ColumnView(name=name, unit=unit, label=" · ".join(filter(None, (name, unit))), numeric=numeric)
        )
    rows = tuple(
        tuple(
            CellView(text=text, numeric=numeric, mark=chip_classes(mark) if mark and at == 0 else "")
            for at, (text, numeric) in enumerate(zip(cells, table.numeric, strict=True))
        )
        for cells, mark in zip(table.rows, table.chips, strict=True)
    )
    return TableView(columns=tuple(columns), rows=rows)


def provenance_view(
    material: FigureMaterial,
    drawn: DrawnFigure,
    source_urls: Mapping[str, str],
    *,
    page: str,
    data: str,
    chips: tuple[Link, ...],
) -> ProvenanceView:
    """The origin of a figure's numbers, with the addresses of its own page, of its data and of its chips."""
    parameters = ", ".join(f"{name} = {value}" for name, value in material.computed.parameters)
    return ProvenanceView(
        parameters=parameters,
        page=page,
        script=material.script_path,
        script_url=source_urls.get(material.script_path),
        digest=material.computed.digest[:DIGITS_OF_DIGEST],
        data_url=data,
        sources=tuple(Link(text=path, url=source_urls.get(path, "")) for path in drawn.provenance),
        chips=chips,
    )
