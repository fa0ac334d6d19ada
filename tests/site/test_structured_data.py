"""JSON-LD of pages: it parses, has the keys that search engines ask for, and ends no script element."""

import json
import re

import pytest

from tests.space import BARS, Space, told

TABLE = (
    "from diglot.figures import make_table\n"
    + BARS
    + '\n\ndef table(data, t):\n    rows = [[one] for one in data["values"]]\n'
    + '    return make_table([t(zh="值", en="Value")], rows)\n'
)
TEXT = "A text.\n\n```{figure} bars\nBars.\n```\n"
BASE = "https://example.org/"


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("structured"))
    authors = (
        "authors:\n  ada: {name: {zh: 艾达, en: Ada}, url: https://example.org/ada}\n"
        "  bob: {name: {zh: 鲍勃, en: Bob}}\n"
    )
    made.change("site/site.yaml", "cards: none", f"gallery: true\nlicence: CC BY 4.0\n{authors}")
    made.write("figures/bars.py", TABLE)
    numbers = TABLE.replace("def draw(", "def unused(").replace("def describe(", "def unsaid(")
    made.write("figures/numbers.py", numbers)
    made.post("shown", zh=TEXT, en=TEXT, updated="2026-11-03", tags="[roofline]", authors="[ada]")
    made.post("odd", zh="文字。", en="Text.", title="'</script> & \"x\"'", authors="[bob]")
    for language in ("zh", "en"):
        made.write(f"content/pages/about/{language}.md", "---\ntitle: About\n---\n\nUs.\n")
    assert told(made.build()) == ""
    return made


def records(page: str) -> list[dict[str, object]]:
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    return [json.loads(one) for one in found]


def test_an_article_says_what_it_is(space: Space) -> None:
    (zh,), (en,) = (records(space.page(f"{language}/posts/shown")) for language in ("zh", "en"))
    for one, language in ((zh, "zh"), (en, "en")):
        page = f"{BASE}{language}/posts/shown/"
        assert one["@context"] == "https://schema.org"
        assert one["@type"] == ["BlogPosting", "ScholarlyArticle"]
        assert one["@id"] == f"{page}#article"
        assert one["url"] == one["mainEntityOfPage"] == page
        assert one["image"] == f"{page}card.png"
        assert (one["datePublished"], one["dateModified"]) == ("2026-11-01", "2026-11-03")
        assert one["description"] == "A text."
        assert one["publisher"]["@type"] == "Organization"
        assert one["isPartOf"] == {"@id": f"{BASE}#site"}
    assert (zh["inLanguage"], zh["headline"], zh["keywords"]) == ("zh-Hans", "文章shown", ["屋顶线"])
    assert (en["inLanguage"], en["headline"], en["keywords"]) == ("en", "Article shown", ["Roofline"])
    assert zh["author"] == [{"@type": "Person", "name": "艾达", "url": "https://example.org/ada"}]
    assert zh["workTranslation"] == [{"@id": en["@id"]}]
    assert en["translationOfWork"] == [{"@id": zh["@id"]}]


def test_the_table_of_a_figure_is_a_dataset(space: Space) -> None:
    (article,), (figure,) = (records(space.page(f"en/{path}")) for path in ("posts/shown", "figures/bars"))
    files = {BASE + path for path in space.outputs()}
    (dataset,) = article["hasPart"]
    assert dataset["@id"] == f"{BASE}en/posts/shown/#fig-bars"
    assert figure["@id"] == f"{BASE}en/figures/bars/"
    for one, count in ((dataset, 1), (figure, 2)):
        assert (one["@type"], one["name"]) == ("Dataset", "Two bars")
        assert one["description"].startswith("Two bars: Two bars, the taller is 5.")
        assert one["variableMeasured"] == ["Value"]
        assert one["creator"]
        assert one["inLanguage"] == "en"
        assert len({file["contentUrl"] for file in one["distribution"]} & files) == count


def test_whatever_can_be_reused_names_its_licence_and_everybody_has_a_page(space: Space) -> None:
    (article,), (figure,) = (records(space.page(f"en/{path}")) for path in ("posts/shown", "figures/bars"))
    for one in (article, *article["hasPart"], figure):
        assert one["license"] == {"@type": "CreativeWork", "name": "CC BY 4.0"}
    (odd,) = records(space.page("zh/posts/odd"))
    assert odd["author"] == [{"@type": "Person", "name": "鲍勃", "url": f"{BASE}zh/authors/bob/"}]
    assert "<h1>鲍勃</h1>" in space.page("zh/authors/bob")
    feed = (space.root / "public/zh/feed.xml").read_text("utf-8")
    assert re.findall(r"<name>鲍勃</name>\s*<uri>(.*?)</uri>", feed) == [f"{BASE}zh/authors/bob/"]
    odd, _ = json.loads((space.root / "public/zh/feed.json").read_text("utf-8"))["items"]
    assert odd["authors"] == [{"name": "鲍勃", "url": f"{BASE}zh/authors/bob/"}]


def test_the_page_of_a_figure_is_shared_with_the_figure(space: Space) -> None:
    page = space.page("en/figures/bars")
    (picture,) = re.findall(f'<meta property="og:image" content="{BASE}([^"]*)">', page)
    assert picture.endswith(".en.png")
    assert (space.root / "public" / picture).is_file()
    assert '<meta property="og:image:alt" content="Two bars, the taller is 5.">' in page
    assert '<meta name="twitter:card" content="summary_large_image">' in page
    assert "og:image:width" not in page
    assert '<meta property="og:image:width" content="1200">' in space.page("en/posts/shown")


def test_a_figure_without_a_drawing_is_described_by_its_columns(space: Space) -> None:
    assert '<meta name="description" content="Two bars: Value">' in space.page("en/figures/numbers")


def test_other_pages_say_what_they_are(space: Space) -> None:
    (home,) = records(space.page("en"))
    assert (home["@type"], home["name"], home["url"]) == ("WebSite", "Test site", BASE)
    assert home["@id"] == f"{BASE}#site"
    (about,) = records(space.page("en/about"))
    assert (about["@type"], about["name"]) == ("WebPage", "About")
    assert "datePublished" not in about
    assert records(space.page("en/posts/shown/both")) == []


def test_a_title_cannot_end_the_element(space: Space) -> None:
    (odd,) = records(space.page("en/posts/odd"))
    assert odd["headline"] == "</script> & “x”"
