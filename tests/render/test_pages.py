"""Pages as text: well-formed, in the right language, with links to the right places."""

import re
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context
from msgspec.structs import replace

from diglot.content.records import Alignment, Block, Placeholder, Row
from diglot.diagnostics import DiagnosticError
from diglot.figure_request import FigureRequest
from diglot.languages import LANGUAGES
from diglot.render import templates
from diglot.render.article import article_page, plain_text
from diglot.render.lists import list_page
from diglot.render.materials import value_requests
from diglot.render.numbering import number_embeds
from diglot.render.small_pages import redirect_page
from diglot.render.theme import Theme
from diglot.site_map import SiteMap, output_path
from tests.render.sample import (
    PROJECT,
    alignment,
    article,
    built_in,
    document,
    drawn,
    half,
    listed,
    material,
    site_files,
    value,
)

VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
THEME: Theme = built_in()[0]


@cache  # not when the module is loaded: each process that collects the tests would render all pages
def site() -> dict[str, str]:
    """The pages of the sample by their paths."""
    return {path: content.decode() for path, content in site_files().items() if path.endswith(".html")}


BASE = "https://example.org/blog/"


def test_pages_are_the_same_with_a_jinja_whose_inside_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(templates._Environment, "code_generator_class", CodeGenerator)
        patched.setattr(templates._Environment, "context_class", Context)
        built_in.cache_clear()
        made = {path: content.decode() for path, content in site_files().items() if path.endswith(".html")}
    built_in.cache_clear()
    assert made == site()


class Page(HTMLParser):
    """Collects the elements of a page, and mistakes in their nesting."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.mistakes: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.mistakes += [f"<{tag}> is never closed" for tag in self._open]

    def handle_starttag(self, tag, attrs):
        if len(attrs) != len(dict(attrs)):
            self.mistakes.append(f"<{tag}> repeats an attribute")
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self._open or self._open.pop() != tag:
            self.mistakes.append(f"</{tag}> at {self.getpos()} closes something else")

    def all(self, tag: str, **attributes: str) -> list[dict[str, str | None]]:
        return [
            attrs
            for name, attrs in self.elements
            if name == tag and all(attrs.get(key) == wanted for key, wanted in attributes.items())
        ]


def page(path: str) -> Page:
    return Page(site()[f"{path}index.html" if path.endswith("/") or not path else path])


def alternates(path: str) -> dict[str | None, str | None]:
    links = page(path).all("link", rel="alternate")
    return {link["hreflang"]: link["href"] for link in links if "hreflang" in link}


class TestEveryPage:
    def test_is_well_formed(self):
        assert [(path, mistakes) for path, text in site().items() if (mistakes := Page(text).mistakes)] == []

    def test_has_each_id_once(self):
        for path, text in site().items():
            ids = [attrs["id"] for _, attrs in Page(text).elements if "id" in attrs]
            assert len(ids) == len(set(ids)), path

    def test_has_one_first_heading_a_title_and_a_language(self):
        for path, text in site().items():
            found = Page(text)
            assert len(found.all("h1")) == 1, path
            assert len(found.all("title")) == 1, path
            assert found.all("html")[0]["lang"] in ("zh-Hans", "en"), path

    def test_has_one_canonical_address(self):
        for path, text in site().items():
            addresses = [link["href"] for link in Page(text).all("link", rel="canonical")]
            assert len(addresses) == 1, path
            assert addresses[0].startswith(BASE), path

    def test_leads_only_to_what_is_there(self):
        files = site_files()
        for path, text in site().items():
            for _, attrs in Page(text).elements:
                for key in ("href", "src"):
                    address = (attrs.get(key) or "").partition("#")[0]
                    if not address.startswith("/") or re.search("/(figures|other)/|/values.json$", address):
                        continue
                    assert address.startswith("/blog/"), path
                    inside = address.removeprefix("/blog/")
                    target = f"{inside}index.html" if inside.endswith("/") or not inside else inside
                    assert target in files, path


def test_the_pages_of_a_pair_name_each_other_and_a_default():
    zh, en = alternates("zh/posts/roofline/"), alternates("en/posts/roofline/")
    assert zh == en
    assert zh == {
        "zh-Hans": f"{BASE}zh/posts/roofline/",
        "en": f"{BASE}en/posts/roofline/",
        "x-default": f"{BASE}zh/posts/roofline/",
    }


def test_pages_name_what_the_map_of_the_site_names():
    found = 0
    for url in ET.fromstring(site_files()["sitemap.xml"]):
        address = url[0].text
        links = {link.get("hreflang"): link.get("href") for link in url if link.get("hreflang")}
        path = output_path(address.removeprefix(BASE))
        if path in site():
            found += 1
            assert page(path).all("link", rel="canonical")[0]["href"] == address
            assert alternates(path) == links
    assert found > 8


def test_an_article_with_one_half_names_only_itself():
    assert set(alternates("zh/posts/only-zh/")) == {"zh-Hans", "x-default"}


def test_the_side_by_side_view_is_found_through_its_halves():
    both = page("en/posts/roofline/both/")
    assert both.all("link", rel="canonical")[0]["href"] == f"{BASE}en/posts/roofline/"
    assert both.all("meta", name="robots")[0]["content"] == "noindex"
    assert alternates("en/posts/roofline/both/") == {}


def test_each_page_says_what_it_is_about_and_lists_say_what_they_hold():
    described = {
        path: attrs["content"]
        for path in site()
        if path.endswith(".html")
        for attrs in page(path.removesuffix("index.html")).all("meta", name="description")
    }
    assert {path for path in site() if path.endswith(".html")} - described.keys() == {
        "404.html",
        "old/roofline/index.html",  # which leads elsewhere at once
    }
    assert described["en/tags/index.html"] == "Tags: Roofline, TPU"
    assert described["zh/archive/index.html"] == "按年归档：2026、2025"


def test_the_words_of_the_toggle_are_links_in_their_own_language():
    words = {
        attrs["data-word"]: attrs for _, attrs in page("en/posts/roofline/").elements if "data-word" in attrs
    }
    assert [words[one]["href"] for one in ("zh", "en", "both")] == [
        "/blog/zh/posts/roofline/",
        "/blog/en/posts/roofline/",
        "/blog/en/posts/roofline/both/",
    ]
    assert (words["zh"]["lang"], words["zh"]["hreflang"]) == ("zh-Hans", "zh-Hans")
    assert "hreflang" not in words["both"]
    assert words["en"]["aria-current"] == "true"
    assert "aria-current" not in words["zh"]


def test_a_missing_half_keeps_its_word_with_the_reason():
    words = {
        attrs["data-word"]: attrs for _, attrs in page("zh/posts/only-zh/").elements if "data-word" in attrs
    }
    for one in ("en", "both"):
        assert words[one]["aria-disabled"] == "true"
        assert "href" not in words[one]
    assert "暂无英文版，本页只有中文" in site()["zh/posts/only-zh/index.html"]


def test_browsers_that_show_no_svg_as_icon_have_one_of_pixels() -> None:
    page = site()["zh/posts/only-zh/index.html"]
    assert re.findall('<link rel="icon" type="([^"]*)"', page) == ["image/png", "image/svg+xml"]


def test_paired_blocks_carry_the_same_id_on_both_pages():
    ids = {
        one: [attrs["id"] for tag, attrs in page(f"{one}/posts/roofline/").elements if "data-kind" in attrs]
        for one in LANGUAGES
    }
    assert [one for one in ids["en"] if one != "b-remark"] == ids["zh"]


def test_a_section_leads_to_the_same_section_of_the_twin():
    links = [attrs for attrs in page("zh/posts/roofline/").all("a") if attrs.get("class") == "twin"]
    assert links[0]["href"] == "/blog/en/posts/roofline/#ridges"
    assert links[0]["lang"] == "en"


def test_figures_are_numbered_in_reading_order_and_alike():
    for one, words in (("zh", ("图 1", "图 2", "表 1")), ("en", ("Figure 1", "Figure 2", "Table 1"))):
        text = site()[f"{one}/posts/roofline/index.html"]
        assert re.findall(r"<b>((?:图|表|Figure|Table) \d)</b>", text) == list(words)
        assert f'<a class="ref" href="#fig-roofline">{words[0]}</a>' in text


def test_a_figure_that_only_one_half_shows_takes_a_number_in_both():
    zh = replace(document("zh"), figures=document("zh").figures[1:], blocks=(figure_block(),))
    en = replace(document("en"), blocks=(figure_block(0), figure_block(1)))
    rows = Alignment(rows=(Row(id="a", zh=None, en=0), Row(id="b", zh=0, en=1)))
    numbered = number_embeds({"zh": zh, "en": en}, rows)
    assert {name: one.number for name, one in numbered.items()} == {"fig-roofline": 1, "fig-generations": 2}


def figure_block(index: int = 0) -> Block:
    return Block(kind="figure", line=1, parts=(Placeholder(kind="figure", target=str(index), line=1),))


def test_values_are_formatted_in_prose_titles_and_attributes():
    text = site()["en/posts/roofline/index.html"]
    marked = '<span class="num" data-value="roofline.h200.ridge | number(0)">206</span>'
    assert f"{marked} operations per byte" in text
    assert "<title>Where the roof bends: past 206 · Both sides of the ridge</title>" in text
    assert 'alt="H200"' in text


def test_what_authors_write_is_escaped():
    text = site()["en/posts/roofline/index.html"]
    assert 'aria-label="The ridge of H200 is at 206 FLOP/B, &#34;far&#34; left."' in text
    assert 'content="Bandwidth &amp; arithmetic"' in text
    assert "Wave quantisation &lt;one&gt;" in text


def test_a_picture_keeps_its_place_free():
    (image,) = page("en/posts/roofline/").all("img")
    assert image["src"] == "/blog/content/posts/roofline/die.svg"
    assert (image["width"], image["height"]) == ("340", "120")


def test_side_by_side_both_halves_carry_their_language_and_a_drawing_with_words_stands_in_each():
    text = site()["en/posts/roofline/both/index.html"]
    drawings = re.findall(r'<svg [^>]*id="((?:roofline|generations)-[^"]*)"', text)
    assert drawings == [
        *("roofline-narrow-zh", "roofline-column-zh", "roofline-narrow-en", "roofline-column-en"),
        *("generations-narrow-en", "generations-column-en", "generations-wide-en"),
    ]
    assert text.count('<div class="half" lang="zh-Hans">') > 15
    assert text.index('lang="zh-Hans">', text.index("<main")) < text.index('lang="en">', text.index("<main"))


def test_a_figure_brings_its_numbers_its_sources_and_its_files():
    text = site()["en/posts/roofline/index.html"]
    assert '<span class="chip circle gpu3">H200</span>' in text
    assert "Peak<small>TFLOP/s</small>" in text
    assert "<summary>Source data</summary>diglot/hardware/data/accelerators.yaml" in text
    assert '<a href="https://example.org/source/figures/roofline.py">figures/roofline.py</a>' in text
    assert "data 9c41e7" in text
    assert '<a href="/blog/figures/roofline.en.csv" download>CSV</a>' in text


def test_a_draft_says_so_and_is_not_indexed():
    halves = {one: half(one, draft=True) for one in LANGUAGES}
    text = article_page(THEME, PROJECT, article(halves=halves), "en", "single")
    assert "<b>draft</b>" in text
    assert '<meta name="robots" content="noindex">' in text


def failing(**changes: object) -> tuple:
    with pytest.raises(DiagnosticError) as caught:
        article_page(THEME, PROJECT, article(**changes), "en", "single")
    return caught.value.diagnostics


def with_blocks(*parts: object):
    blocks = (Block(kind="paragraph", line=5, parts=tuple(parts)),)
    changed = replace(half("en"), document=replace(document("en"), blocks=blocks))
    return {"halves": {"en": changed}, "alignment": Alignment(rows=(Row(id="a", zh=None, en=0),))}


def test_every_mistake_of_a_page_is_told_at_once():
    found = failing(
        **with_blocks(
            value("roofline.h200.rigde", 5),
            Placeholder(kind="ref", target="fig-rofline", line=6),
            Placeholder(kind="link", target="../ohter", line=7),
            Placeholder(kind="image", target="dye.svg", line=8),
        )
    )
    assert [(d.rule, d.location.line) for d in found] == [
        ("value-unknown", 5),
        ("ref-unknown", 6),
        ("link-unknown", 7),
        ("image-unknown", 8),
    ]
    assert [d.fix for d in found[2:]] == ['did you mean "../other"?', 'did you mean "die.svg"?']


def test_a_reference_may_name_a_section():
    blocks = (
        Block(kind="heading", line=5, level=2, parts=("<h2>The roof</h2>",), text="The roof"),
        Block(kind="paragraph", line=7, parts=(Placeholder(kind="ref", target="roof", line=7),)),
    )
    changed = replace(half("en"), document=replace(document("en"), blocks=blocks))
    rows = Alignment(rows=(Row(id="roof", zh=None, en=0), Row(id="b", zh=None, en=1)))
    text = article_page(THEME, PROJECT, article(halves={"en": changed}, alignment=rows), "en", "single")
    assert '<a class="ref" href="#roof">“The roof”</a>' in text


def test_a_figure_that_only_computes_cannot_be_shown():
    only = replace(material(), drawn={})
    found = failing(figures={"roofline": only, "generations": material(wide=True)})
    assert [(d.rule, d.location.line) for d in found] == [("figure-missing", 20), ("table-missing", 70)]
    assert "draw(figure, data, t)" in found[0].fix


def test_the_message_of_a_figure_stands_where_its_author_gives_no_caption():
    said = {language: replace(drawn(language), message="97% < 100%") for language in LANGUAGES}
    figures = {name: replace(one, drawn=said) for name, one in article().figures.items()}
    roofline, generations = document("en").figures
    bare = replace(document("en"), figures=(replace(roofline, caption=()), generations))
    halves = article().halves | {"en": replace(half("en"), document=bare)}
    text = article_page(THEME, PROJECT, article(figures=figures, halves=halves), "en", "single")
    assert "<b>Figure 1</b>97% &lt; 100%\n" in text
    assert "<b>Figure 2</b>Seven TPU generations." in text


def test_a_figure_is_shown_at_every_width_by_its_best_drawing():
    text = site()["en/posts/roofline/index.html"]
    assert '<div class="at-phone"><svg' in text
    assert '<div class="at-text at-wide"><svg' in text, "the column drawing of a figure that has no wide one"
    assert '<div class="at-wide"><svg' in text


def test_the_build_knows_whose_values_a_title_quotes():
    assert value_requests(half("en").front_matter.title) == (FigureRequest("roofline"),)


def test_a_title_is_filled_for_lists():
    title = half("en").front_matter.title
    data = {"roofline": material().computed.data}
    assert plain_text(title, language="en", path="en.md", data=data) == "Where the roof bends: past 206"


def test_lists_show_each_article_under_its_year():
    text = site()["en/index.html"]
    assert re.findall(r"<h2>(\d+)</h2>", text) == ["2026"]
    assert text.index("Where the roof bends") < text.index("Wave quantisation &lt;one&gt;")
    assert "only-zh" not in text


def test_an_empty_site_has_its_lists():
    assert "还没有文章。" in list_page(THEME, PROJECT, listed("zh", site_map=SiteMap()))


def test_a_moved_page_leads_on_with_and_without_a_refresh():
    text = redirect_page(THEME, PROJECT, "en/posts/roofline/", "Where <it> bends", "en")
    assert 'content="0; url=/blog/en/posts/roofline/"' in text
    assert '<a href="/blog/en/posts/roofline/">Where &lt;it&gt; bends</a>' in text


def test_a_static_file_that_is_not_there_is_placed_in_the_template():
    theme = replace(THEME, assets={"stlye.css": "assets/x.css"})
    with pytest.raises(DiagnosticError) as caught:
        list_page(theme, PROJECT, listed("zh"))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.location.path == "templates/base.html"
    assert diagnostic.location.line


def test_pages_are_the_same_twice():
    assert site_files() == site_files()


def test_rows_of_the_sample_cover_all_kinds():
    kinds = {block.kind for block in document("zh").blocks}
    assert kinds == {
        *("heading", "paragraph", "list", "definitions", "table", "code", "formula", "figure"),
        *("quote", "admonition", "rule"),
    }
    assert len(alignment().rows) == len(document("en").blocks)
