"""Renders figures for other places: a page of a figure alone, what says so to programs, and what to copy."""

import json
from collections.abc import Iterator
from html import escape
from typing import Any

import msgspec

from diglot.figures.records import DrawnFigure
from diglot.figures.svg_sizes import svg_size
from diglot.languages import Language
from diglot.project import Project
from diglot.render.addresses import Addresses
from diglot.render.controls import controls_view
from diglot.render.embeds import Room, drawing_views
from diglot.render.materials import Exploration, FigureMaterial
from diglot.render.page_parts import addresses_of, page_view, render_page
from diglot.render.theme import Theme
from diglot.render.versions import versions_of
from diglot.render.views import ControlsView, EmbeddedFigureView, SnippetView
from diglot.site_map import embed_path, figure_path

_CONTROLS_PX, _CAPTION_PX = 70, 44
"""Room for controls above the drawing and for the caption below it."""
_USUAL_SIDES_PX = (680.0, 400.0)
_SLIDE_WIDTH_PX = 1120


class EmbeddedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """What the page of a figure alone is rendered from."""

    figure_id: str
    language: Language
    material: FigureMaterial
    exploration: Exploration | None
    """What readers can turn; None for nothing."""

    @property
    def drawn(self) -> DrawnFigure:
        """The figure in the page's language."""
        return self.material.drawn[self.language]


def embedded_page(theme: Theme, project: Project, shown: EmbeddedFigure) -> str:
    """The page `/figures/roofline/embed.en.html`: the figure alone, as wide as the frame that it is in."""
    addresses, drawn = addresses_of(project), shown.drawn
    own = figure_path(shown.language, shown.figure_id)
    page = page_view(
        project,
        language=shown.language,
        path=embed_path(shown.language, shown.figure_id),
        title=drawn.title,
        versions=versions_of(project, {shown.language: own}),
        indexed=False,
    )
    figure = embedded_view(project, shown, page=addresses.whole(own))
    return render_page(theme, project, "embedded.html", page, figure=figure)


def embedded_view(
    project: Project, shown: EmbeddedFigure, *, page: str, room: Room = "page"
) -> EmbeddedFigureView:
    """A figure without its numbers and sources. `page` is the address of its own page."""
    addresses, drawn = addresses_of(project), shown.drawn
    controls = figure_controls(shown.figure_id, shown.exploration, drawn, shown.language, addresses)
    drawings = drawing_views(drawn, frames=controls.frames if controls else {}, room=room)
    return EmbeddedFigureView(
        title=drawn.title,
        message=drawn.message,
        alt=drawn.alt,
        page=page,
        drawings=drawings,
        controls=controls,
        has_readings=any(drawing.has_readings for drawing in drawings),
    )


def figure_controls(
    figure_id: str,
    exploration: Exploration | None,
    drawn: DrawnFigure,
    language: Language,
    addresses: Addresses,
) -> ControlsView | None:
    """The controls of a figure on a page of its own; None for nothing to turn."""
    if exploration is None:
        return None
    name, svg = f"fig-{figure_id.replace('_', '-')}", next((svg for _, svg in drawn.svgs), "")
    return controls_view(name, exploration, language, addresses, following=(), svg=svg)


def oembed(project: Project, shown: EmbeddedFigure) -> bytes:
    """What programs read that show a figure whose address was pasted: oEmbed's `rich` type, as JSON."""
    width, height = _frame_px(shown)
    told: dict[str, Any] = {
        "version": "1.0",
        "type": "rich",
        "title": shown.drawn.message or shown.drawn.title,
        "provider_name": project.title.of(shown.language),
        "provider_url": project.base_url,
        "html": _frame(project, shown),
        "width": width,
        "height": height,
    }
    return json.dumps(told, ensure_ascii=False).encode()


def _frame(project: Project, shown: EmbeddedFigure) -> str:
    address = addresses_of(project).whole(embed_path(shown.language, shown.figure_id))
    height = _frame_px(shown)[1]
    title = escape(shown.drawn.title)
    size = f'width="100%" height="{height}"'
    return f'<iframe src="{address}" title="{title}" {size} style="border:0" loading="lazy"></iframe>'


def _frame_px(shown: EmbeddedFigure) -> tuple[int, int]:
    """Width and height of the frame, for the drawing of the text column or a wider one."""
    svgs = dict(shown.drawn.svgs)
    shown_first = svgs.get("column") or svgs.get("wide") or next(iter(svgs.values()), "")
    width, height = svg_size(shown_first) or _USUAL_SIDES_PX
    return round(width), round(height) + _CAPTION_PX + (_CONTROLS_PX if shown.exploration else 0)


def snippets_for_elsewhere(project: Project, shown: EmbeddedFigure) -> Iterator[SnippetView]:
    """What to write on other sites, in decks and in documents."""
    svg = dict(shown.material.downloads.get(shown.language, ())).get("SVG")
    if svg is None:
        return
    addresses, drawn = addresses_of(project), shown.drawn
    picture, page = addresses.whole(svg), addresses.whole(figure_path(shown.language, shown.figure_id))
    frame = addresses.whole(embed_path(shown.language, shown.figure_id))
    height = _frame_px(shown)[1]
    name = f"{shown.figure_id}.{shown.language}.light"
    export = f"diglot figures export {shown.figure_id} --lang {shown.language}"
    alt = drawn.message or drawn.title
    said = json.dumps(alt, ensure_ascii=False)
    wide = f'width="{_SLIDE_WIDTH_PX}" height="{height}"'
    for word, code in (
        ("html", _frame(project, shown)),
        ("markdown", f"[![{alt}]({picture})]({page})"),
        ("marp", f"![w:{_SLIDE_WIDTH_PX}]({picture})"),
        ("slidev", f'<iframe src="{frame}" class="w-full" style="height:{height}px"></iframe>'),
        ("reveal", f'<section>\n  <iframe data-src="{frame}" {wide}></iframe>\n</section>'),
        ("latex", f"% {export} --format pdf\n\\includegraphics[width=\\textwidth]{{exports/{name}.pdf}}"),
        ("typst", f'// {export}\n#image("exports/{name}.svg", alt: {said})'),
    ):
        yield SnippetView(name=f"snippet_{word}", code=code)
