"""Which articles are related."""

import datetime

from diglot.content.document import parse_document
from diglot.content.keywords import keywords_of
from diglot.relatedness import Keywords, related_articles
from diglot.site_map import HalfSummary, Summary


def article(name: str, *tags: str, series: str = "") -> Summary:
    half = HalfSummary(language="en", title=name, description="", reading_minutes=1)
    return Summary(
        name=name, slug=name, halves=(half,), date=datetime.date(2026, 1, 1), tags=tags, series=series
    )


def about(*words: str) -> Keywords:
    return Keywords(words=words)


def found(articles: list[Summary], words: dict[str, Keywords], most: int = 3) -> dict[str, tuple[str, ...]]:
    return related_articles(articles, {one.name: words.get(one.name, about()) for one in articles}, most)


def test_a_rare_tag_says_more_than_a_common_one() -> None:
    articles = [article(f"x{n}", "common") for n in range(20)]
    articles += [article("one", "common", "rare"), article("two", "rare")]
    assert found(articles, {}, most=1)["one"] == ("two",)


def test_words_relate_articles_without_tags_if_they_share_several_rare_ones() -> None:
    articles = [article(f"x{n}") for n in range(30)]
    words = {
        "x1": about("systolic", "array", "tile", "wave"),
        "x2": about("systolic", "array", "tile"),
        "x3": about("tile", "wave"),
    }
    lists = found(articles, words)
    assert lists["x1"] == ("x2",)
    assert lists["x2"] == ("x1",)
    assert lists["x9"] == ()


def test_other_parts_of_a_series_are_left_out() -> None:
    articles = [article("one", "t", series="s"), article("two", "t", series="s"), article("three", "t")]
    assert found(articles, {})["one"] == ("three",)


def test_ties_go_to_the_nearest_in_time() -> None:
    articles = [article(f"x{n}", "t") for n in range(9)]
    assert found(articles, {}, most=2)["x4"] == ("x3", "x5")


def test_keywords_are_frequent_words_without_endings_and_those_of_headings_count_more() -> None:
    text = "---\n---\n\nTiles wait for tiles and the others.\n\n## Systolic array\n\n`code` waits.\n"
    text += "\n```\ntiles\n```\n"
    assert keywords_of(parse_document(text, "en.md", "en")) == (
        *("array", "systolic", "tile", "code", "wait"),
    )


def test_chinese_counts_by_pairs_of_characters_in_headings_and_at_the_beginning() -> None:
    text = "---\n---\n\n脊点，H200。\n\n## 屋顶线\n\n后面的话不算 roofline。\n"
    assert keywords_of(parse_document(text, "zh.md", "zh")) == (
        *("屋顶", "顶线", "h200", "roofline", "脊点"),
    )
