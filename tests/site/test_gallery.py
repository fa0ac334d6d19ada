"""The list of all figures and the page of each: what they show, what leads to them, what makes them again."""

import json
import re
from pathlib import Path

import pytest

from diglot.cli import main
from diglot.languages import LANGUAGES
from tests.browser import axe_violations, has_no_horizontal_scroll, served
from tests.space import BARS, CHIPS, SITE_YAML, Space, errors, ran, told

GALLERY = f"{SITE_YAML}gallery: true\nsource_url: https://code.example/blob/main/\n"
DOTS = (
    BARS.replace("Two bars", "Dots")
    .replace(
        "def compute():\n",
        "def compute(style: Literal['round', 'square'] = 'round'):\n    open('figures/data.csv').read()\n",
    )
    .replace(
        "TITLE",
        "from typing import Literal\n\n"
        'LABELS = {"style": {"zh": "形状", "en": "shape"}}\n'
        'MESSAGE = {"zh": "点有{values[0]}个", "en": "There are {values[0]} dots"}\n'
        "TITLE",
        1,
    )
)
HALF = "[{dots}](/figures/dots/), [{all}](/figures/).\n\n```{{figure}} bars\n{caption}\n```\n"


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Space:
    """A built site with a gallery of three figures, of which an article shows one."""
    space = Space(tmp_path_factory.mktemp("project"))
    space.write(
        "site/site.yaml", GALLERY + "navigation:\n  - label: {zh: 图, en: Plates}\n    path: /figures/\n"
    )
    space.write("figures/bars.py", BARS)
    space.write("figures/chips.py", CHIPS)
    space.write("figures/dots.py", DOTS)
    space.write("figures/data.csv", "1\n")
    space.post(
        "one",
        zh=HALF.format(dots="点", all="图", caption="柱。"),
        en=HALF.format(dots="Dots", all="all", caption="Bars."),
    )
    assert told(space.build()) == ""
    return space


def test_every_figure_is_in_the_list(gallery: Space) -> None:
    page = gallery.page("en/figures")
    bars, dots, chips = (
        page.index(f'<h2><a href="/en/figures/{one}/">') for one in ("bars", "dots", "chips")
    )
    assert bars < dots < chips  # which has no drawing
    assert page.count("3 figures, each computed by a script.") == 1
    assert page.count('<div class="drawing" role="img" aria-label="Two bars, the taller is 5.">') == 1
    assert '<h2><a href="/en/figures/dots/">There are 3 dots</a></h2>\n<p class="says">Dots</p>' in page
    assert 'hreflang="zh-Hans" href="https://example.org/zh/figures/"' in page


def test_the_page_of_a_figure_has_all_that_is_known_of_it(gallery: Space) -> None:
    page = gallery.page("en/figures/dots")
    assert '<h1>Dots</h1>\n<p class="message">There are 3 dots</p>' in page
    assert 'role="img" aria-label="Dots"' in page
    assert "<td><code>style</code> shape</td><td>round</td><td>round, square</td>" in page
    assert (
        '<a href="https://code.example/blob/main/figures/data.csv">figures/data.csv</a> <span class="num">'
        in page
    )
    assert '<a href="https://code.example/blob/main/figures/dots.py">figures/dots.py</a>' in page
    assert '<span class="k">def</span>' in page
    assert f"{len(DOTS.splitlines())} lines" in page
    assert "```{figure} dots\n```" in page
    assert "```{table}" not in page
    assert "{eval}" not in page
    assert (
        "[![There are 3 dots](https://example.org/figures/dots/dots.en.svg)](https://example.org/en/figures/dots/)"
        in page
    )
    assert "% diglot figures export dots --lang en --format pdf\n\\includegraphics" in page
    assert "Articles that use it" not in page
    for file in ("dots.en.svg", "dots.zh.png", "dots.json"):
        assert (gallery.root / "public/figures/dots" / file).exists()
    assert 'type="application/json+oembed" href="https://example.org/figures/dots/oembed.en.json"' in page
    told = json.loads((gallery.root / "public/figures/dots/oembed.en.json").read_text("utf-8"))
    assert (told["type"], told["title"], told["width"]) == ("rich", "There are 3 dots", 680)
    assert 'src="https://example.org/figures/dots/embed.en.html" title="Dots"' in told["html"]
    alone = (gallery.root / "public/figures/dots/embed.zh.html").read_text("utf-8")
    assert alone.startswith('<!doctype html>\n<html lang="zh-Hans" class="embedded">')
    assert '<link rel="canonical" href="https://example.org/zh/figures/dots/">' in alone
    assert alone.count("<svg") == 2
    assert json.loads((gallery.root / "public/figures/dots/dots.json").read_text("utf-8")) == {
        "values": [3, 5]
    }


def test_figures_are_grouped_by_what_they_answer(space: Space) -> None:
    space.write("figures/bars.py", BARS)
    space.write("figures/dots.py", DOTS)
    space.write("figures/data.csv", "1\n")
    groups = "figure_groups:\n  - title: {zh: 多少？, en: How many?}\n    figures: [dots, bar]\n"
    space.write("site/site.yaml", GALLERY + groups)
    (found,) = errors(space.build())
    assert (found.rule, found.location.line, found.fix) == (
        *("figure-unknown", (GALLERY + groups).count("\n"), 'did you mean "bars"?'),
    )
    space.write("site/site.yaml", GALLERY + groups.replace(", bar", ""))
    assert told(space.build()) == ""
    order = [
        *('<a href="#_group-1">How many?</a>', "<h2>How many?", ">There are 3 dots</a></h3>"),
        *("<h2>Further figures", ">Two bars</a></h3>"),
    ]
    places = [space.page("en/figures").index(one) for one in order]
    assert places == sorted(places)


def test_a_grouped_table_is_a_list_by_kinds_which_readers_filter(space: Space) -> None:
    space.write("site/site.yaml", GALLERY)
    space.write(
        "figures/claims.py",
        "from diglot.figures import make_table\n\n"
        'TITLE = {"zh": "说法", "en": "Claims"}\n'
        'MESSAGE = {"zh": "共{count}条", "en": "{count} claims"}\n'
        'NAMES = {"yes": {"zh": "成立", "en": "holds"}, "no": {"zh": "不成立", "en": "fails"}}\n'
        'COLUMNS = {"n": {"zh": "号", "en": "No."}, "text": {"zh": "话", "en": "Text"},\n'
        '           "verdict": {"zh": "结论", "en": "Verdict", "names": NAMES},\n'
        '           "chips": {"zh": "芯片", "en": "Chip", "names": {"v2": "v2", "v3": "v3"}},\n'
        '           "place": {"zh": "文章", "en": "Article"}}\n'
        "def compute():\n"
        '    rows = [("A", "no"), ("B", "yes"), ("C", "no")]\n'
        '    named = [{"n": n, "text": t, "verdict": v} for n, (t, v) in enumerate(rows, 1)]\n'
        '    named[0] |= {"chips": ["v3", "v2"], "place": "One", "to": "/posts/one/#end"}\n'
        '    named[1] |= {"chips": ["v3"], "place": None, "to": None}\n'
        '    named[2] |= {"chips": [], "place": None, "to": None}\n'
        '    return {"rows": named, "count": 3}\n'
        "def table(data, t):\n"
        '    options = {"by": "verdict", "filters": ("chips",), "link": "to"}\n'
        '    return make_table(("n", "text", "verdict", "place"), data["rows"], t, **options)\n',
    )
    space.post("one", zh="一。", en="One.")
    assert told(space.build()) == ""
    page = space.page("en/figures/claims")
    kinds = [
        '<option value="0-0">v2</option><option value="0-1">v3</option>',
        '<section id="_kind-1">\n<h2>Holds <span>1</span>',
        'id="_row-2" data-marks="0-1"',
        '<section id="_kind-2">',
        'id="_row-1" data-marks="0-1 0-0"',
        '<a class="under" href="/en/posts/one/#end">One</a>',
        'id="_row-3">',
    ]
    places = [page.index(one) for one in kinds]
    assert places == sorted(places)
    home = space.page("en")
    assert '<p class="verdict">3 claims</p>' in home
    assert '<a href="/en/figures/claims/#_kind-2">fails <b>2</b></a>' in home
    assert home.count("<rect") == 3


def test_a_figure_and_its_articles_lead_to_each_other(gallery: Space) -> None:
    assert '<a href="/zh/posts/one/">文章one</a>' in gallery.page("zh/figures/bars")
    article = gallery.page("zh/posts/one")
    assert '<a href="/zh/figures/bars/">figures/bars.py</a>' in article
    assert '<a href="/zh/figures/dots/">点</a>' in article
    assert '<a href="/zh/figures/">图</a>' in article
    assert '<a href="/en/figures/bars/">figures/bars.py</a>' in gallery.page("zh/posts/one/both")


def test_numbers_alone_have_a_page_with_a_way_to_quote_them(gallery: Space) -> None:
    page = gallery.page("zh/figures/chips")
    assert "{eval}`chips.h200.peak_flops_per_s | number`" in page
    assert "{figure}" not in page
    assert "<svg" not in page.partition("<main")[2]


def test_navigation_and_sitemap_know_the_pages(gallery: Space) -> None:
    assert '<a href="/zh/figures/">图</a>' in gallery.page("zh")
    sitemap = (gallery.root / "public/sitemap.xml").read_text("utf-8")
    pages = ["figures/", *(f"figures/{one}/" for one in ("bars", "chips", "dots"))]
    assert all(
        f"<loc>https://example.org/{one}/{page}</loc>" in sitemap for one in LANGUAGES for page in pages
    )
    assert (
        "/figures/" not in (gallery.root / "public/en/feed.xml").read_text("utf-8").partition("</entry>")[2]
    )


def test_an_edit_makes_only_the_pages_that_show_it(gallery: Space) -> None:
    def pages(path: str, old: str, new: str) -> set[str]:
        gallery.change(path, old, new)
        made = {one for one in ran(site.build()) if one.split()[0] in {"gallery-page", "figure-page"}}
        gallery.change(path, new, old)
        site.build()
        return made

    with gallery.site() as site:
        assert ran(site.build()) == []
        assert pages("content/posts/one/en.md", "Bars.", "Legend.") == set()
        assert pages("content/posts/one/en.md", "Article one", "Article 1") == {"figure-page bars@en"}
        assert pages("figures/bars.py", "(120)", "(121)") == {
            *("figure-page bars@en", "figure-page bars@zh", "gallery-page en", "gallery-page zh")
        }
        assert pages("figures/dots.py", '"""Dots."""', '"""Some dots."""') == {
            *("figure-page dots@en", "figure-page dots@zh")
        }
        assert pages("figures/data.csv", "1", "2") == {"figure-page dots@en", "figure-page dots@zh"}


def test_without_the_key_there_are_no_pages_and_links_to_them_lead_nowhere(space: Space) -> None:
    space.write("figures/bars.py", BARS)
    space.post("one", zh="一。", en="[all](/figures/)")
    assert 'link not found: "/figures/"' in told(space.build())
    space.post("one", zh="一。", en="One.")
    assert told(space.build()) == ""
    assert not (space.root / "public/en/figures").exists()
    space.remove("figures")
    space.write("site/site.yaml", GALLERY)
    assert told(space.build()) == ""
    assert not (space.root / "public/en/figures").exists()


def test_mistakes_around_the_gallery_are_told(space: Space) -> None:
    space.write("site/site.yaml", GALLERY)
    space.write("figures/bars.py", BARS)
    space.write("figures/broken.py", BARS.replace("[3, 5]", "[3, 5"))
    space.write("content/pages/figures/en.md", "---\ntitle: Figures\nonly: en\n---\n\nMine.\n")
    space.write("site/static/en/figures/bars/index.html", "mine")
    space.post("one", zh="一。", en="[bars](/figures/bar/)")
    found = {(one.rule, str(one.location), one.fix) for one in errors(space.build())}
    assert {rule for rule, _, _ in found} == {"page-clash", "static-clash", "link-missing", "figure-syntax"}
    assert {fix for rule, _, fix in found if rule == "link-missing"} == {'did you mean "/figures/bars/"?'}


@pytest.mark.layout
@pytest.mark.browser
def test_the_pages_can_be_read_by_everyone(gallery: Space, open_page) -> None:
    with served(gallery.root / "public") as address:
        for path, width in (("zh/figures/", 360), ("en/figures/dots/", 1440)):
            open_page.leave()
            page = open_page(f"{address}/{path}", width=width)
            assert axe_violations(page) == []
            assert has_no_horizontal_scroll(page)
        page.click(".langs [data-word=zh]")
        page.wait_for_selector("html[lang=zh-Hans] main h1")
        assert page.locator("main .message").inner_text() == "点有3个"


def test_frames_and_files_of_other_decks_are_there(gallery: Space, open_page, tmp_path: Path) -> None:
    guide = (
        (Path(__file__).parents[2] / "docs/slides.md").read_text("utf-8").partition("## In decks of other")[2]
    )
    guide = guide.replace("roofline", "bars")
    (slide,) = re.findall(r"```html\n(.*?)```", guide, re.DOTALL)
    with served(gallery.root / "public") as address:
        frame = slide.replace("https://example.org", address).replace("data-src", "src")
        (tmp_path / "deck.html").write_text(f"<!doctype html><title>Deck</title>{frame}", "utf-8")
        page = open_page((tmp_path / "deck.html").as_uri())
        shown = page.frame_locator("iframe")
        shown.locator(".drawing svg:visible").wait_for()
        assert shown.locator("html").get_attribute("data-theme") == "dark"
        assert shown.locator("figcaption a").get_attribute("href") == "https://example.org/en/figures/bars/"
    assert (
        main(
            [
                "-q",
                "-C",
                str(gallery.root),
                "figures",
                "export",
                "bars",
                "--lang",
                "en",
                "--format",
                "svg,pdf",
            ]
        )
        == 0
    )
    for path in re.findall(r"exports/[\w.]+", guide):
        assert (gallery.root / path).is_file()
