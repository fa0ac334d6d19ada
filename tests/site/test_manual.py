"""A manual: pages in an order, each with the list of all."""

import pytest

from tests.space import SITE_YAML, Space, errors, ran, told

MANUAL = """\
manual:
  edit_url: https://github.com/ada/site/edit/main
  version: site 2
  sections:
    - title: {zh: 教程, en: Tutorial}
      pages: [start, guide/draw]
    - title: {zh: 操作, en: How to}
      pages: [deploy]
navigation:
  - label: {zh: 关于, en: About}
    path: /about/
"""


@pytest.fixture
def manual(space: Space) -> Space:
    space.write("site/site.yaml", SITE_YAML + MANUAL)
    space.post("post", zh="一段。", en="A paragraph.")
    for page in ("start", "guide/draw", "deploy", "about"):
        for language in ("zh", "en"):
            space.write(
                f"content/pages/{page}/{language}.md", f"---\ntitle: {language} {page}\n---\n\nWords.\n"
            )
    return space


def test_a_page_has_the_list_of_all_its_neighbours_and_the_address_of_its_file(manual: Space) -> None:
    result = manual.build()
    assert told(result) == ""
    page = manual.page("en/guide/draw")
    tree, after = page.partition('<nav class="tree"')[2].partition("</nav>")[0], page.partition("turns")[2]
    links = [part.partition('"')[0] for part in tree.split('href="')[1:]]
    assert links == ["/en/start/", "/en/guide/draw/", "/en/deploy/"]
    assert '<a href="/en/guide/draw/" aria-current="page">en guide/draw</a>' in tree
    assert after.index('/en/start/" rel="prev"') < after.index('/en/deploy/" rel="next"')
    assert "https://github.com/ada/site/edit/main/content/pages/guide/draw/en.md" in after
    assert '<p class="crumb">Manual / Tutorial</p>' in page
    assert "site 2" in after
    assert 'rel="prev"' not in manual.page("zh/start")
    for other in ("en/about", "en/posts/post", "en"):
        assert "manual" not in manual.page(other)


def test_another_order_makes_the_pages_of_the_manual_again_and_no_others(manual: Space) -> None:
    manual.build()
    manual.change("site/site.yaml", "[start, guide/draw]", "[guide/draw, start]")
    again = {one.partition(" ")[2] for one in ran(manual.build()) if "-page pages/" in one or " post:" in one}
    pages = ("pages/start", "pages/guide/draw", "pages/deploy")
    assert again == {f"{page}:{language}" for page in pages for language in ("zh", "en")}
    kept = manual.outputs()
    manual.change("site/site.yaml", "version:", "# An order.\n  version:")
    assert not [one for one in ran(manual.build()) if "-page" in one and "terms" not in one]
    assert manual.outputs() == kept


def test_an_entry_leads_to_one_page_and_every_page_has_one(manual: Space) -> None:
    manual.write("content/pages/stray/zh.md", "---\ntitle: 多\nonly: zh\n---\n\n字。\n")
    manual.change("site/site.yaml", "[deploy]", "[deploi, home, start]")
    result = manual.build()
    places = {str(one.location) for one in errors(result)}
    assert places == {"site/site.yaml:13", "site/site.yaml:13:15", "site/site.yaml:13:29"}
    for words in (
        'manual: there is no page "deploi" in content/pages/',
        'did you mean "deploy"?',
        "manual: the home page is no page of a manual",
        'manual: "start" is already in line 11',
        'warning[manual-unlisted]: no section of the manual names the page "stray"',
        'no section of the manual names the page "deploy"',
    ):
        assert words in told(result)
