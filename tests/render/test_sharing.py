"""Pages that show the same half share its resolved content, and no page shows another one's."""

import datetime
import random

import msgspec
import pytest
from msgspec.structs import replace

from diglot.bibliography.works import CitationMark, HalfCitations, ListedWork
from diglot.content.records import Alignment, Placeholder
from diglot.diagnostics import DiagnosticError
from diglot.figure_request import FigureRequest
from diglot.figures.frames.plan import Axis, Plan
from diglot.figures.records import Domain
from diglot.languages import LANGUAGES, Bilingual, Language
from diglot.project import Project, Term
from diglot.render.article import Mode, article_page
from diglot.render.materials import (
    Article,
    BehindBlock,
    DrawnDiagram,
    Exploration,
    Half,
    ImageFile,
    LinkedArticle,
    ManualPage,
    ManualPlace,
    ManualTree,
    TreeSection,
)
from diglot.render.recent import Recent
from diglot.render.resolved_halves import ResolvedHalf
from diglot.render.theme import Theme
from diglot.site_map import Neighbours, SeriesPlace, article_path
from tests.render import sample
from tests.render.sample import ONLY_ZH, OTHER, article, built_in, half

PROJECT = replace(sample.PROJECT, series=(Term(id="ser", label=Bilingual("系列", "Serial")),))


@pytest.fixture
def theme() -> Theme:
    return new_theme()


def new_theme() -> Theme:
    """The built-in theme with empty caches."""
    built, _ = built_in()
    return Theme(templates=built.templates, strings=built.strings, assets=built.assets)


Page = tuple[Language, Mode]


def pages_of(one: Article) -> list[Page]:
    """All pages of an article; of one with a single half, the one for readers of the other language, too."""
    modes: tuple[Mode, ...] = ("single", "both") if len(one.languages) == 2 else ("single",)
    return [(language, mode) for language in LANGUAGES for mode in modes]


def made(theme: Theme, one: Article, page: Page, project: Project = PROJECT) -> str:
    return article_page(theme, project, one, *page)


def of_halves(**changes: object) -> Article:
    return article(halves={one: replace(half(one), **changes) for one in LANGUAGES})


def other_numbers() -> Article:
    figures = dict(article().figures)
    computed = figures["roofline"].computed
    data = computed.data.replace(b"206", b"207")
    figures["roofline"] = replace(figures["roofline"], computed=replace(computed, data=data))
    return article(figures=figures)


def in_a_series(number: int) -> Article:
    place = SeriesPlace(series="ser", number=number, count=3, before=OTHER, after=ONLY_ZH)
    return article(neighbours={one: Neighbours(newer=None, older=None, place=place) for one in LANGUAGES})


def only_chinese() -> Article:
    rows = [replace(row, en=None) for row in article().alignment.rows if row.zh is not None]
    return article(halves={"zh": half("zh")}, alignment=Alignment(rows=tuple(rows)))


def behind() -> Article:
    blocks = tuple(
        BehindBlock(row=row, twin_row="", since=datetime.date(2026, 11, 1))
        for row in ("", article().alignment.rows[0].id)
    )
    return article(behind={"zh": blocks, "en": ()})


def citing() -> Article:
    """An article whose first block cites a work."""
    work = ListedWork(key="a", language="en", label="[1]", html="A.", text="A.", marks=(1,))
    citations = HalfCitations(marks={"a": CitationMark(html="[1]", text="[1]")}, works=(work,))
    document = half("zh").document
    mark = Placeholder(kind="cite", target="a", line=3)
    block = replace(document.blocks[0], parts=("<p>", mark, "</p>"))
    document = replace(document, blocks=(block, *document.blocks[1:]))
    return article(
        halves={"zh": replace(half("zh"), document=document, citations=citations), "en": half("en")}
    )


def with_diagram() -> Article:
    """An article whose first block is a diagram."""
    document = half("zh").document
    diagram = Placeholder(kind="diagram", target="0", line=3)
    block = replace(document.blocks[0], parts=("<p>", diagram, "</p>"))
    document = replace(document, blocks=(block, *document.blocks[1:]))
    drawn = (DrawnDiagram(svg="<svg></svg>", alt="Two steps"),)
    return article(halves={"zh": replace(half("zh"), document=document, diagrams=drawn), "en": half("en")})


def turned(*values: str) -> Article:
    """An article whose figure can be turned, beginning with the first value."""
    axis = Axis(domain=Domain(name="n", kind="choice", default="1", values=values), values=values, default=0)
    plan = Plan(request=FigureRequest.of("roofline"), axes=(axis,))
    explorations = {"roofline": Exploration(plan=plan, files={})}
    document = half("zh").document
    control = Placeholder(kind="control", target="n", line=3)
    block = replace(document.blocks[0], parts=("<p>", control, "</p>"))
    document = replace(document, blocks=(block, *document.blocks[1:]))
    chinese = replace(half("zh"), document=document, explorations=explorations)
    return article(halves={"zh": chinese, "en": half("en")})


_PAGE = ManualPage(name="pages/a", title="A", language="en", path="en/a/")
_TREE = ManualTree(
    title=Bilingual("手册", "Manual"),
    version="",
    sections=(TreeSection(title=Bilingual("始", "Start"), pages=(_PAGE,)),),
)
MANUAL = ManualPlace(tree=_TREE, page="pages/a", edits={"zh": "", "en": ""})
VARIANTS = {
    "as it is": article(),
    "links": of_halves(links={"../other": "elsewhere/"}),
    "images": of_halves(images={"die.svg": ImageFile(path="elsewhere.svg")}),
    "file of values": of_halves(values="zh/posts/roofline/texts.json"),
    "citing": citing(),
    "diagrams": with_diagram(),
    "following": of_halves(following=frozenset({("roofline", "roofline.h200.ridge | number(0)")})),
    "numbers": other_numbers(),
    "rows": article(alignment=Alignment(rows=article().alignment.rows[:-1])),
    "authors": article(halves={one: half(one, authors=()) for one in LANGUAGES}),
    "slug": article(paths={one: article_path(one, "elsewhere") for one in LANGUAGES}),
    "page": article(kind="page"),
    "expired": article(expired=True),
    "first of a series": in_a_series(1),
    "second of a series": in_a_series(2),
    "only Chinese": only_chinese(),
    "behind": behind(),
    "talks": article(
        talks=(LinkedArticle(paths={"zh": "zh/talks/t/"}, titles={"zh": "报告", "en": "Talk"}),)
    ),
    "sources": article(source_urls={}),
    "in a manual": article(manual=MANUAL),
    "turned to 1": turned("1", "7"),
    "turned to 7": turned("7", "1"),
}


def test_pages_made_in_any_order_are_those_made_apart() -> None:
    apart = {
        (name, page): made(new_theme(), one, page) for name, one in VARIANTS.items() for page in pages_of(one)
    }
    assert len(set(apart.values())) > len(VARIANTS)
    for seed in range(3):
        theme, chance = new_theme(), random.Random(seed)
        names = chance.choices(sorted(VARIANTS), k=2 * len(VARIANTS))
        for name in names:
            pages = pages_of(VARIANTS[name])
            for page in chance.sample(pages, len(pages)):
                assert made(theme, VARIANTS[name], page) == apart[name, page], (seed, name, page)


@pytest.mark.parametrize("record", [Article, Half])
def test_every_field_differs_in_a_variant(record: type[msgspec.Struct]) -> None:
    first = VARIANTS["as it is"]
    varied = set()
    for variant in VARIANTS.values():
        pairs = [(first, variant)] if record is Article else zip_halves(first, variant)
        varied |= {
            name
            for one, other in pairs
            for name in record.__struct_fields__
            if getattr(one, name) != getattr(other, name)
        }
    assert set(record.__struct_fields__) == varied


def zip_halves(one: Article, other: Article) -> list[tuple[Half, Half]]:
    return [(one.halves[language], other.halves[language]) for language in other.languages]


def test_pages_of_another_site_share_nothing(theme: Theme) -> None:
    other = replace(PROJECT, base_url="https://example.org/", authors=())
    for page in pages_of(article()):
        assert made(theme, article(), page) == made(new_theme(), article(), page)
        assert made(theme, article(), page, other) == made(new_theme(), article(), page, other)


def test_parts_of_a_series_lead_readers_to_parts_in_their_language(theme: Theme) -> None:
    one = in_a_series(2)
    for page, address, title in (
        (("en", "both"), "/en/posts/other/", "Wave quantisation &lt;one&gt;"),
        (("zh", "single"), "/zh/posts/other/", "波次量化 &lt;一&gt;"),
        (("zh", "both"), "/zh/posts/other/", "波次量化 &lt;一&gt;"),
        (("en", "single"), "/en/posts/other/", "Wave quantisation &lt;one&gt;"),
    ):
        assert f'<a href="/blog{address}">{title}</a>' in made(theme, one, page)  # type: ignore[arg-type]  (literals)


def test_a_half_is_filled_once_for_all_pages_that_show_it(
    theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[object] = []
    monkeypatch.setattr(Recent, "keep", lambda _recent, _key, value: kept.append(value))
    made(theme, article(), ("en", "both"))
    resolved = [one for one in kept if isinstance(one, ResolvedHalf)]
    assert [one._head.language for one in resolved if one._head] == ["zh", "en"]
    monkeypatch.undo()
    for page in pages_of(article()):
        made(theme, article(), page)
    assert len(theme.filled._kept) == 2


def test_a_page_with_a_mistake_shares_nothing(theme: Theme) -> None:
    whole = half("en")
    nowhere = Placeholder(kind="link", target="../nowhere", line=3, context="attribute")
    block = replace(whole.document.blocks[0], parts=('<p><a href="', nowhere, '">x</a></p>'))
    document = replace(whole.document, blocks=(block, *whole.document.blocks[1:]))
    broken = article(halves={"zh": half("zh"), "en": replace(whole, document=document)})
    for _ in range(2):
        with pytest.raises(DiagnosticError, match="nowhere"):
            article_page(theme, PROJECT, broken, "en", "single")


def test_the_last_few_are_kept() -> None:
    recent: Recent[str, int] = Recent(2)
    for number, key in enumerate("abc"):
        recent.keep(key, number)
    assert [recent.find(key) for key in "abc"] == [None, 1, 2]
