"""Addresses, order, neighbours and tags of a site."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from diglot.languages import LANGUAGES, Language
from diglot.site_map import (
    HalfSummary,
    SiteMap,
    Summary,
    article_path,
    articles_in,
    articles_under,
    both_path,
    feed_path,
    home_path,
    map_site,
    output_path,
    term_path,
    terms_in,
    terms_path,
)
from diglot.which_pages import page_languages


def _article(
    slug: str, day: int, *, languages: tuple[Language, ...] = LANGUAGES, tags: tuple[str, ...] = ()
) -> Summary:
    halves = tuple(
        HalfSummary(language=language, title=f"{slug} {language}", description="", reading_minutes=1)
        for language in languages
    )
    return Summary(name=slug, slug=slug, halves=halves, date=datetime.date(2026, 1, day), tags=tags)


OLD, NEW = _article("old", 1, tags=("gpu",)), _article("new", 9, tags=("tpu", "gpu"))
ONLY_ZH = _article("only-zh", 5, languages=("zh",), tags=("tpu", "zh-only"))
SITE = map_site([OLD, NEW, ONLY_ZH])


def test_the_newest_article_comes_first() -> None:
    assert [one.slug for one in SITE.articles] == ["new", "only-zh", "old"]


def test_articles_of_one_day_are_in_the_order_of_their_parts_and_slugs() -> None:
    first, second = (replace(_article(slug, 1), part=part) for slug, part in (("z", 1), ("d", 2)))
    site = map_site([_article("b", 1), first, _article("c", 1), second, _article("a", 1)])
    assert [one.slug for one in site.articles] == ["d", "z", "a", "b", "c"]


@given(st.permutations([OLD, NEW, ONLY_ZH, _article("b", 5), _article("a", 5)]))
def test_the_order_does_not_depend_on_the_order_of_the_files(articles: list[Summary]) -> None:
    assert [one.slug for one in map_site(articles).articles] == ["new", "a", "b", "only-zh", "old"]


def test_a_language_lists_the_articles_that_it_has() -> None:
    assert [one.slug for one in articles_in(SITE, "zh")] == ["new", "only-zh", "old"]
    assert [one.slug for one in articles_in(SITE, "en")] == ["new", "old"]


def test_tags_stand_by_how_many_carry_them_then_by_name() -> None:
    assert terms_in(SITE, "zh", "tags") == (("gpu", 2), ("tpu", 2), ("zh-only", 1))
    assert terms_in(SITE, "en", "tags") == (("gpu", 2), ("tpu", 1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tag_of_a_language_leads_to_as_many_articles_as_it_says(language: Language) -> None:
    for tag, count in terms_in(SITE, language, "tags"):
        assert len(articles_under(SITE, language, "tags", tag)) == count > 0


def test_a_half_that_is_not_there_is_none() -> None:
    assert ONLY_ZH.half("en") is None
    assert ONLY_ZH.languages == ("zh",)
    half = NEW.half("en")
    assert half is not None
    assert half.title == "new en"


def test_a_language_has_pages_once_it_has_an_article_and_both_have_on_an_empty_site() -> None:
    assert page_languages(SITE) == ("zh", "en")
    assert page_languages(map_site([ONLY_ZH])) == ("zh",)
    assert page_languages(SiteMap()) == LANGUAGES


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("", "index.html"),
        (home_path("zh"), "zh/index.html"),
        (article_path("en", "x"), "en/posts/x/index.html"),
        (both_path(article_path("en", "x")), "en/posts/x/both/index.html"),
        (terms_path("zh", "tags"), "zh/tags/index.html"),
        (term_path("zh", "tags", "gpu"), "zh/tags/gpu/index.html"),
        (feed_path(home_path("en")), "en/feed.xml"),
    ],
)
def test_an_address_ends_with_a_slash_or_names_a_file(address: str, file: str) -> None:
    assert output_path(address) == file
