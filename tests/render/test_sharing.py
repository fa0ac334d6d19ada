"""Pages that show the same half share its resolved content, and no page shows another one's."""

import pytest
from msgspec.structs import replace

from diglot.content.records import Placeholder
from diglot.diagnostics import DiagnosticError
from diglot.languages import LANGUAGES
from diglot.render.article import article_page
from diglot.render.materials import Article
from diglot.render.recent import Recent
from diglot.render.theme import ResolvedHalf, Theme
from diglot.site_map import article_path
from tests.render.sample import PROJECT, article, built_in, half

PAGES = [(language, mode) for language in LANGUAGES for mode in ("single", "both")]


@pytest.fixture
def theme() -> Theme:
    return new_theme()


def new_theme() -> Theme:
    """The built-in theme with empty caches."""
    built, _ = built_in()
    return Theme(templates=built.templates, strings=built.strings, assets=built.assets)


def pages(theme: Theme, one: Article) -> list[str]:
    return [article_page(theme, PROJECT, one, language, mode) for language, mode in PAGES]  # type: ignore[arg-type]  (literals)


def pages_apart(one: Article) -> list[str]:
    return [
        article_page(new_theme(), PROJECT, one, language, mode)  # type: ignore[arg-type]  (literals)
        for language, mode in PAGES
    ]


def changed_links(language: str) -> Article:
    halves = {one: half(one) for one in LANGUAGES}
    halves[language] = replace(halves[language], links={"../other": "elsewhere/"})
    return article(halves=halves)


def other_numbers() -> Article:
    figures = dict(article().figures)
    computed = figures["roofline"].computed
    data = computed.data.replace(b"206", b"207")
    figures["roofline"] = replace(figures["roofline"], computed=replace(computed, data=data))
    return article(figures=figures)


def fewer_rows() -> Article:
    return article(alignment=replace(article().alignment, rows=article().alignment.rows[:-1]))


@pytest.mark.parametrize(
    "another",
    [
        changed_links("zh"),
        changed_links("en"),
        other_numbers(),
        fewer_rows(),
        article(halves={one: half(one, authors=()) for one in LANGUAGES}),
        article(paths={one: article_path(one, "elsewhere") for one in LANGUAGES}),
    ],
    ids=["zh links", "en links", "numbers", "rows", "authors", "slug"],
)
def test_pages_made_one_after_the_other_are_those_made_apart(theme: Theme, another: Article) -> None:
    expected, others = pages_apart(article()), pages_apart(another)
    assert others != expected
    assert pages(theme, article()) == expected
    assert pages(theme, another) == others
    assert pages(theme, article()) == expected


def test_a_half_is_filled_once_for_all_pages_that_show_it(
    theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[object] = []
    monkeypatch.setattr(Recent, "keep", lambda _recent, _key, value: kept.append(value))
    article_page(theme, PROJECT, article(), "en", "both")
    heads = [one.head for one in kept if isinstance(one, ResolvedHalf)]
    assert [head.language for head in heads if head] == ["zh", "en"]
    monkeypatch.undo()
    pages(theme, article())
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
