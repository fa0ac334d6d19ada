"""Renders the list of all figures, and the page of each."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import msgspec
from markupsafe import Markup

from diglot.content.highlighting import highlighted
from diglot.content.mistakes import TooMuch
from diglot.figures.chip_sheets import ChipSheet
from diglot.figures.frames.plan import Plan
from diglot.figures.records import Domain, DrawnFigure, Table
from diglot.languages import HTML_LANG, Language
from diglot.project import Project
from diglot.render.addresses import Addresses
from diglot.render.chip_facts import read_chip_view, read_source_views
from diglot.render.controls import label_text, state_text, value_text
from diglot.render.embeds import DIGITS_OF_DIGEST, drawing_views, kind_views, table_view
from diglot.render.facts_read import Fields
from diglot.render.figure_embeds import EmbeddedFigure, figure_controls, snippets_for_elsewhere
from diglot.render.forms import form_view
from diglot.render.materials import Exploration, FigureMaterial
from diglot.render.page_parts import addresses_of, generated_page, render_page
from diglot.render.strings import Strings
from diglot.render.structured_data import figure_data
from diglot.render.theme import Theme
from diglot.render.versions import versions_of
from diglot.render.views import (
    CardView,
    FigureEntryView,
    FigureGroupView,
    FigureView,
    InputView,
    Link,
    ParameterView,
    SnippetView,
)
from diglot.site_map import chip_path, figure_path, gallery_path, oembed_path


class ListedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """What the list of all figures shows of one."""

    figure_id: str
    title: str
    message: str
    """The sentence that it shows; may be empty."""
    alt: str
    svg: str
    """The drawing for a phone; empty where the script only computes numbers."""
    turnable: bool
    """Whether readers can turn it on its page."""
    kinds: tuple[tuple[str, int], ...]
    """The kinds of the rows of its table, with how many are of each; empty for a plain one."""


class FigureArticle(msgspec.Struct, frozen=True, kw_only=True):
    """An article that uses a figure."""

    title: str
    path: str
    """From the site's root."""
    language: Language


class FigurePage(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the page of a figure is rendered from."""

    figure_id: str
    language: Language
    languages: tuple[Language, ...]
    """Those in which it has a page."""
    material: FigureMaterial
    code: str
    """The script."""
    inputs: tuple[tuple[str, str], ...]
    """Data files with their digests; empty for those that come with diglot."""
    chips: tuple[tuple[ChipSheet, Fields], ...]
    """Chips that its numbers depend on, with the facts that it has read."""
    source_urls: Mapping[str, str]
    articles: tuple[FigureArticle, ...]
    data_path: str
    """Path of the file with its data, from the site's root."""
    exploration: Exploration | None
    """What readers can turn; None for nothing."""
    tables_path: str
    """Path of the file with the tables of all states, from the site's root; empty where there is none."""


class StateTables(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of a figure's states, for the page of the figure."""

    states: tuple[str, ...]
    """For each frame, what the table stands for, in words."""
    tables: tuple[str, ...]
    """Each different table once, as HTML."""
    which: tuple[int, ...]
    """For each frame, the index of its table."""


def _in_site(addresses: Addresses, language: Language, address: str) -> str:
    """An address as authors write it, `/posts/roofline/#ridge`, on the pages of a language."""
    path, hash_sign, heading = address.partition("#")
    return addresses.path(language + path) + hash_sign + heading


def listed_figure(figure_id: str, drawn: DrawnFigure, *, turnable: bool) -> ListedFigure:
    """What the list of all figures shows of this one."""
    svg = next((svg for size, svg in drawn.svgs if size == "narrow"), "")
    return ListedFigure(
        figure_id=figure_id,
        title=drawn.title,
        message=drawn.message,
        alt=drawn.alt,
        svg=svg,
        turnable=turnable,
        kinds=tuple((kind.name, kind.count) for kind in kind_views(drawn.table)) if drawn.table else (),
    )


def gallery_page(
    theme: Theme,
    project: Project,
    figures: tuple[ListedFigure, ...],
    language: Language,
    languages: tuple[Language, ...],
) -> str:
    """The page `/en/figures/`: all figures by the question that they answer, then those in no group."""
    addresses = addresses_of(project)
    versions = versions_of(project, {one: gallery_path(one) for one in languages})
    title, names = theme.strings[language]("figures"), (one.title for one in figures)
    page = generated_page(theme, project, language, versions, title=title, names=names)
    entries = {
        one.figure_id: FigureEntryView(
            id=one.figure_id,
            turnable=one.turnable,
            title=Link(text=one.title, url=addresses.path(figure_path(language, one.figure_id))),
            message=one.message,
            alt=one.alt,
            drawing=Markup(one.svg),
        )
        for one in figures
    }
    groups = [
        (group.title.of(language), [entries.pop(one) for one in group.figures if one in entries])
        for group in project.figure_groups
    ]
    further = theme.strings[language]("figures_further") if groups else ""
    return render_page(
        theme,
        project,
        "figures.html",
        page,
        groups=tuple(
            FigureGroupView(title=title, figures=tuple(sorted(listed, key=lambda entry: not entry.drawing)))
            for title, listed in (*groups, (further, list(entries.values())))
            if listed
        ),
    )


def figure_page(theme: Theme, project: Project, shown: FigurePage) -> str:
    """The page `/en/figures/roofline/`: a figure with its numbers, script, sources and uses."""
    drawn = shown.material.drawn[shown.language]
    versions = versions_of(project, {one: figure_path(one, shown.figure_id) for one in shown.languages})
    figure = _figure_view(project, shown, drawn, theme.strings[shown.language])
    page = generated_page(
        theme,
        project,
        shown.language,
        versions,
        title=drawn.title,
        description=drawn.message or drawn.alt,
        names=drawn.table.columns if drawn.table else (),
        card=_card(project, figure, drawn),
        structured=figure_data(project, shown.language, shown.figure_id, drawn, figure.downloads),
    )
    return render_page(theme, project, "figure.html", page, figure=figure)


def _card(project: Project, figure: FigureView, drawn: DrawnFigure) -> CardView | None:
    """The figure itself, as the file that readers can download."""
    if project.cards == "none":
        return None
    picture = next((link.url for link in figure.downloads if link.text == "PNG"), None)
    return None if picture is None else CardView(url=project.origin + picture, alt=drawn.alt, is_drawn=False)


def _figure_view(project: Project, shown: FigurePage, drawn: DrawnFigure, strings: Strings) -> FigureView:
    material, language, addresses = shown.material, shown.language, addresses_of(project)
    form = material.computed.form
    chips = tuple(
        read_chip_view(
            sheet,
            fields,
            addresses.path(chip_path(language, sheet.slug)) if project.hardware else "",
            strings,
        )
        for sheet, fields in shown.chips
        if fields != ()
    )
    files = (*material.downloads.get(language, ()), ("JSON", shown.data_path))
    controls = figure_controls(shown.figure_id, shown.exploration, drawn, language, addresses)
    alone = EmbeddedFigure(
        figure_id=shown.figure_id, language=language, material=material, exploration=shown.exploration
    )
    return FigureView(
        id=shown.figure_id,
        title=drawn.title,
        message=drawn.message,
        gallery=addresses.path(gallery_path(language)),
        alt=drawn.alt,
        wide=any(size == "wide" for size, _ in drawn.svgs),
        drawings=(drawings := drawing_views(drawn, frames=controls.frames if controls else {})),
        controls=controls,
        has_readings=any(drawing.has_readings for drawing in drawings),
        form=form_view(form, language, url=addresses.path(material.answers_path)) if form else None,
        table=table_view(drawn.table) if drawn.table else None,
        kinds=kind_views(drawn.table, partial(_in_site, addresses, language)) if drawn.table else (),
        filters=drawn.table.filters if drawn.table else (),
        tables=addresses.path(shown.tables_path) if shown.tables_path else "",
        downloads=tuple(Link(text=word, url=addresses.path(path)) for word, path in files),
        parameters=tuple(_parameter_view(domain, language) for domain in material.computed.domains),
        digest=material.computed.digest[:DIGITS_OF_DIGEST],
        inputs=tuple(
            InputView(text=path, url=shown.source_urls.get(path, ""), digest=digest[:DIGITS_OF_DIGEST])
            for path, digest in shown.inputs
        ),
        chips=tuple(chip.name for chip in chips),
        sources=read_source_views(chips),
        articles=tuple(
            Link(
                text=one.title,
                url=addresses.path(one.path),
                lang=None if one.language == language else HTML_LANG[one.language],
            )
            for one in shown.articles
        ),
        snippets=tuple(_snippets(shown, drawn)),
        elsewhere=tuple(snippets_for_elsewhere(project, alone)),
        oembed=addresses.whole(oembed_path(language, shown.figure_id)) if drawn.svgs else "",
        script=material.script_path,
        script_url=shown.source_urls.get(material.script_path),
        code=Markup(_highlighted(shown.code)),
        lines=len(shown.code.splitlines()),
    )


def state_tables(theme: Theme, plan: Plan, tables: Sequence[Table], language: Language) -> bytes:
    """The file with the table of every state of a figure."""
    different = tuple(dict.fromkeys(tables))
    words = theme.strings[language]
    texts = [[state_text(axis.domain, value, language) for value in axis.values] for axis in plan.axes]
    return msgspec.json.encode(
        StateTables(
            states=tuple(words("data_of_state", state=", ".join(state)) for state in product(*texts)),
            tables=tuple(
                theme.templates.render("table.html", numbers=table_view(one)).strip() for one in different
            ),
            which=tuple(map(different.index, tables)),
        )
    )


def _parameter_view(domain: Domain, language: Language) -> ParameterView:
    label = label_text(domain, language)
    values = [value_text(domain, one, language) for one in domain.values]
    if domain.range is not None:
        start, stop, step = domain.range
        values = [f"{start:g}", f"{start + step:g}", f"{stop:g}"]
    shown = ", ".join(values) if domain.range is None else f"{values[0]}, {values[1]} … {values[2]}"
    return ParameterView(
        name=domain.name,
        label=label if label != domain.name else "",
        default=value_text(domain, domain.default, language),
        values=shown,
    )


def _highlighted(code: str) -> str:
    try:
        return highlighted(code.rstrip("\n"), "python")
    except TooMuch:
        return highlighted(code.rstrip("\n"), "text")


def _snippets(shown: FigurePage, drawn: DrawnFigure) -> Iterator[SnippetView]:
    """What to write in an article of this site."""
    form = shown.material.computed.form
    fences = [word for word, there in (("figure", drawn.svgs or form), ("table", drawn.table)) if there]
    for word in fences:
        yield SnippetView(name=f"snippet_{word}", code=f"```{{{word}}} {shown.figure_id}\n```")
    path = next(_numbers_in(json.loads(shown.material.computed.data)), None)
    if path is not None:
        expression = ".".join((shown.figure_id, *path))
        yield SnippetView(name="snippet_value", code=f"{{eval}}`{expression} | number`")


def _numbers_in(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths of numbers that prose can quote by names alone."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key.isascii() and key.isidentifier():
                yield from _numbers_in(value, (*path, key))
    elif path and isinstance(data, int | float) and not isinstance(data, bool):
        yield path
