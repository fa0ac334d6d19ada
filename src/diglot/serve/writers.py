"""The writers' view below `/__diglot/`: articles, figures, problems and the last build.

It reads what builds have recorded, so it works during a build. Only unreferenced figures are made for it.
"""

import datetime
import time
from collections.abc import Collection, Iterable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
from markupsafe import Markup

from diglot.diagnostics import Diagnostic, Location
from diglot.engine import Key
from diglot.figure_request import FigureRequest
from diglot.figures.palette import TOKENS, css_colour
from diglot.languages import HTML_LANG, LANGUAGES
from diglot.render.embeds import drawing_views
from diglot.rules.building import Site
from diglot.rules.figures import draw_figure
from diglot.rules.sources import PostFiles, find_post, find_posts
from diglot.rules.staleness import find_staleness
from diglot.rules.summaries import summarise
from diglot.rules.theme import find_asset_path
from diglot.rules.unreferenced import known_scripts
from diglot.serve.preview import Preview, PreviewBuild
from diglot.serve.problems import Problem, describe_problems, editor_link
from diglot.serve.status import status_articles
from diglot.serve.unreferenced import Drawings, UnreferencedDrawing
from diglot.site_map import UNDATED, Summary, both_path

if TYPE_CHECKING:
    from jinja2 import Environment

    from diglot.figures.records import DrawnFigure

_MOST_TASKS = 200
"""Most rows in the table of tasks: a first build has thousands."""
_WORDS = {"zh": "中文", "en": "English"}
_FONTS = (
    ("Diglot Sans", 400, "fonts/diglot-sans-400.woff2"),
    ("Diglot Sans", 600, "fonts/diglot-sans-600.woff2"),
    ("Diglot Sans SC", 400, "fonts/diglot-sans-sc-400.woff2"),
)
"""The theme's own fonts (family, weight, file), in which figures are set."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """One of an article's three links: Chinese, English, side by side."""

    text: str
    lang: str
    url: str
    """Empty if there is nothing to show."""


class ArticleRow(msgspec.Struct, frozen=True, kw_only=True):
    """An article in the list of all articles."""

    name: str
    titles: tuple[tuple[str, str], ...]
    """Language code for HTML and title; none if the article is broken."""
    date: str
    marks: tuple[str, ...]
    """`broken` (cannot be built now), `draft`, `future`, `expired`, `no English`."""
    errors: int
    warnings: int
    views: tuple[View, ...]
    sources: tuple[tuple[str, str], ...]
    """Its files, each with a URL that opens it in an editor (empty if no editor is known)."""
    behind: int
    """How many blocks are not in step."""


class ShownDrawing(msgspec.Struct, frozen=True, kw_only=True):
    """One of a figure's four drawings: language and theme."""

    lang: str
    theme: str
    alt: str
    svg: Markup


class FigureRow(msgspec.Struct, frozen=True, kw_only=True):
    """A figure in the contact sheet."""

    name: str
    titles: tuple[tuple[str, str], ...]
    drawings: tuple[ShownDrawing, ...]


class TaskRow(msgspec.Struct, frozen=True, kw_only=True):
    """A task that ran in the last build."""

    task: str
    milliseconds: str
    outcome: str
    reason: str


class BuildFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The last build in numbers."""

    began: str
    """Time of day."""
    milliseconds: str
    """From its start until it was published or found to have errors."""
    working_milliseconds: str
    """The part of it until all tasks were up to date; empty if the build ended early."""
    changed: int | None
    ran: int
    up_to_date: int
    tasks: tuple[TaskRow, ...]
    """Longest first."""
    left_out: int


class Writers:
    """The pages of the writers' view, each made on request."""

    def __init__(self, site: Site, preview: Preview, unreferenced: UnreferencedDrawing) -> None:
        self._site = site
        self._preview = preview
        self._unreferenced = unreferenced

    def page(self, name: str) -> bytes | None:
        """The page at a path below `/__diglot/`; None if there is none."""
        if name == "":
            return self._overview()
        if name == "figures/":
            return self._contact_sheet()
        if name == "status/":
            return self._status()
        return None

    def _overview(self) -> bytes:
        last = self._preview.last
        diagnostics = last.diagnostics if last else ()
        problems = self._described(diagnostics)
        return self._render(
            "overview.html",
            title="Articles",
            articles=self._articles(diagnostics),
            problems=problems,
            count=_count(problems),
            build=_build_facts(last) if last else None,
            failed=last is not None and last.changed is None,
        )

    def _status(self) -> bytes:
        """What is behind in articles that keep count."""
        known = self._site.last_build.values(find_posts).values()  # none before the first build
        posts = {name: post for one in known for name, post in one.articles.items()}
        found = self._site.last_build.values(find_staleness)
        pairs = [post for post in posts.values() if len(post.languages) == 2]
        return self._render(
            "status.html",
            title="Status",
            articles=status_articles(found, posts, self._link),
            untracked=sum(post.sync is None for post in pairs),
        )

    def _contact_sheet(self) -> bytes:
        """The sheet of all figures. Drawing of unreferenced ones starts now, and the sheet is updated."""
        visited = self._preview.last.visited if self._preview.last else frozenset()
        shown = {one.request.figure_id for one in draw_figure.names_in(visited)}
        scripts = {one.figure_id: one for one in (known_scripts(self._site, visited) if visited else ())}
        others = [one for name, one in scripts.items() if name not in shown]
        self._unreferenced.ask(others)
        at_work = (
            self._unreferenced.is_at_work
        )  # read before the drawings are, so that the sheet is updated with later ones
        asked, unreferenced = self._asked_drawings(visited), self._unreferenced.drawings(others)
        drawn = {request for request, _ in unreferenced}
        numbers = {
            FigureRequest.parse(request).figure_id
            for (request, _), one in [*asked.items(), *unreferenced.items()]
            if not one.svgs
        }
        return self._render(
            "figures.html",
            title="Figures",
            figures=tuple(_rows(asked)),
            unreferenced=tuple(_rows(unreferenced)),
            waiting=[one.figure_id for one in others if at_work and one.figure_id not in drawn],
            numbers=[
                (name, self._link(Location(path=one.path)))
                for name, one in scripts.items()
                if name in numbers
            ],
            problems=self._described(() if at_work else self._unreferenced.diagnostics),
        )

    def _described(self, diagnostics: tuple[Diagnostic, ...]) -> tuple[Problem, ...]:
        return describe_problems(diagnostics, root=self._site.options.root, editor=self._preview.editor)

    def _link(self, place: Location) -> str:
        return editor_link(self._preview.editor, self._site.options.root, place)

    def _render(self, template: str, **values: object) -> bytes:
        base = quote(self._preview.base_path)
        assets = self._site.last_build.values(find_asset_path)
        fonts = [
            (family, weight, f"{base}{quote(assets[file])}")
            for family, weight, file in _FONTS
            if file in assets
        ]
        page = _templates().get_template(template)
        return page.render(values, style=_style(), palette=_palette(), fonts=fonts, home=base).encode()

    def _articles(self, diagnostics: tuple[Diagnostic, ...]) -> tuple[ArticleRow, ...]:
        """All articles, newest first, including those that the build leaves out or cannot read."""
        posts = self._site.last_build.values(find_post)
        summaries = self._site.last_build.values(summarise)
        last = self._preview.last
        ran = last.report.ran if last and last.report else ()
        broken = set(summarise.names_in(run.key for run in ran if "failed" in run.outcome))
        stale = self._site.last_build.values(find_staleness)
        behind = {name: len(one) for name, one in stale.items()}
        rows = []
        for found in self._site.last_build.values(
            find_posts
        ).values():  # one item, or none before the first build
            for name in found.names:
                row = self._article(
                    name,
                    posts.get(name),
                    summaries.get(name),
                    diagnostics,
                    broken=name in broken or name not in summaries,
                    behind=behind.get(name, 0),
                )
                # Articles never read successfully come first, and pages without a date last.
                day = row.date or ("0000" if name in summaries else "9999")
                rows.append((day, name, row))
        return tuple(row for _, _, row in sorted(rows, key=lambda item: item[:2], reverse=True))

    def _article(
        self,
        name: str,
        post: PostFiles | None,
        summary: Summary | None,
        diagnostics: Iterable[Diagnostic],
        *,
        broken: bool,
        behind: int,
    ) -> ArticleRow:
        paths = tuple(path for path in (post.zh, post.en) if path) if post else ()
        own = [one.severity for one in diagnostics if _belongs(one, post)]
        return ArticleRow(
            name=name,
            titles=tuple((HTML_LANG[half.language], half.title) for half in summary.halves)
            if summary
            else (),
            date=summary.date.isoformat() if summary and summary.date != UNDATED else "",
            marks=(*(["broken"] if broken else []), *_marks(summary, post, self._site.options.day)),
            errors=own.count("error"),
            warnings=own.count("warning"),
            views=tuple(self._views(summary)) if summary else (),
            sources=tuple((path, self._link(Location(path=path))) for path in paths),
            behind=behind,
        )

    def _views(self, summary: Summary) -> Iterable[View]:
        base = quote(self._preview.base_path)
        for language in LANGUAGES:
            url = f"{base}{quote(summary.path(language))}"
            there = summary.half(language) is not None
            yield View(text=_WORDS[language], lang=HTML_LANG[language], url=url if there else "")
        both = f"{base}{quote(both_path(summary.path('zh')))}" if summary.has_both else ""
        yield View(text="side by side", lang="en", url=both)

    def _asked_drawings(self, visited: Collection[Key]) -> Drawings:
        """The figures that articles show."""
        return {
            (str(name.request), name.language): drawn
            for name, drawn in self._site.last_build.values(draw_figure).items()
            if draw_figure.key(name) in visited
        }


def _rows(drawings: Drawings) -> Iterable[FigureRow]:
    for name in sorted({name for (name, _), drawn in drawings.items() if drawn.svgs}):
        halves = {
            language: drawings[name, language] for language in LANGUAGES if (name, language) in drawings
        }
        yield FigureRow(
            name=name,
            titles=tuple((HTML_LANG[language], drawn.title) for language, drawn in halves.items()),
            drawings=tuple(
                ShownDrawing(lang=HTML_LANG[language], theme=theme, alt=drawn.alt, svg=svg)
                for again, theme in enumerate(("light", "dark"))
                for language, drawn in halves.items()
                for svg in _smallest(drawn, again)
            ),
        )


def _smallest(drawn: "DrawnFigure", again: int) -> Iterable[Markup]:
    """The drawing for phones, if there is one."""
    return [view.svg for view in drawing_views(drawn, again) if "at-phone" in view.shown_at]


def _belongs(one: Diagnostic, post: PostFiles | None) -> bool:
    """Whether a diagnostic is about a file of the article."""
    if one.location is None or post is None:
        return False
    path = one.location.path
    return path in (post.zh, post.en, post.shared) or path.startswith(
        tuple(f"{folder}/" for folder in post.folders)
    )


def _marks(summary: Summary | None, post: PostFiles | None, day: datetime.date) -> Iterable[str]:
    if summary and summary.draft:
        yield "draft"
    if summary and summary.date > day:
        yield "future"
    if summary and summary.expires is not None and summary.expires < day:
        yield "expired"
    for language in LANGUAGES:
        if post and post.half(language) is None:
            yield f"no {'Chinese' if language == 'zh' else 'English'}"


def _count(problems: Iterable[Problem]) -> str:
    severities = [problem.severity for problem in problems]
    words = []
    for severity in ("error", "warning"):
        if number := severities.count(severity):
            words.append(f"{number} {severity}{'s' if number > 1 else ''}")
    return ", ".join(words)


def _build_facts(last: PreviewBuild) -> BuildFacts:
    report = last.report
    longest = sorted(report.ran, key=lambda run: run.seconds, reverse=True) if report else []
    return BuildFacts(
        began=time.strftime("%H:%M:%S", time.localtime(last.began_at)),
        milliseconds=_milliseconds(last.seconds),
        working_milliseconds=_milliseconds(report.seconds) if report else "",
        changed=last.changed,
        ran=len(longest),
        up_to_date=report.verified if report else 0,
        tasks=tuple(
            TaskRow(
                task=str(run.key),
                milliseconds=_milliseconds(run.seconds),
                outcome=run.outcome,
                reason=str(run.reason),
            )
            for run in longest[:_MOST_TASKS]
        ),
        left_out=max(0, len(longest) - _MOST_TASKS),
    )


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.1f}" if seconds < 0.01 else f"{seconds * 1000:,.0f}"


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415  (takes 100 ms, and only articles with values need it)

    return Environment(
        loader=PackageLoader("diglot.serve", "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _style() -> Markup:
    return Markup(files("diglot.serve").joinpath("pages", "style.css").read_text("utf-8"))


@cache
def _palette() -> Markup:
    """The colours of figures as on a page, light and dark."""
    pairs = (f"--fig-{token}: {css_colour(token)};" for token in TOKENS)
    return Markup(":root { " + " ".join(pairs) + " }")
