"""A site that can be searched: its index, and the dialog in a browser."""

import shutil
from collections.abc import Iterator

import pytest

from diglot.rules import search
from diglot.rules.live import LiveSite
from diglot.rules.options import SiteOptions
from diglot.rules.tasks import Task
from diglot.search import pagefind
from diglot.serve.searching import PreviewIndex
from tests.browser import axe_violations, has_no_horizontal_scroll, served, wait_until_started
from tests.space import BARS, Space, ran, told

needs_pagefind = pytest.mark.skipif(
    pagefind.find_pagefind() is None, reason="Pagefind is not installed (pip install 'diglot[search]')"
)
CONFIG = """\
title: {zh: 试验站, en: Test site}
base_url: https://example.org/blog/
search: true
"""
ZH = """\
混合专家模型把词元分给专家，张量并行切开矩阵。

## 通信 {#links}

全对全通信决定带宽。H200的带宽是4.8 TB/s。

```{figure} bars
两根柱子。
```
"""
EN = """\
A mixture of experts routes tokens; tensor parallelism cuts matrices.

## Links {#links}

All-to-all decides about bandwidth. The H200 has 4.8 TB/s.

```{figure} bars
Two columns.
```
"""
TALK = """\
---
title: 讲芯片
date: 2026-01-01
only: zh
---

## 互连 {#wires}

铜缆跨不过机柜。

:::{notes}
讲慢一点。
:::
"""
NAMED = """\
---
title: Bandwidth of links
date: 2026-01-01
only: en
---

## Bandwidth

Bandwidth, and more bandwidth.
"""
MESSAGE = 'MESSAGE = {"zh": "甲比乙矮两格", "en": "A is two steps lower than B"}\n\n\ndef compute'


def write(space: Space) -> None:
    space.write("site/site.yaml", CONFIG)
    space.write("figures/bars.py", BARS.replace("def compute", MESSAGE, 1))
    space.post("moe", zh=ZH, en=EN)
    space.post("roof", zh="屋顶线：访存带宽与算力。", en="The roofline: bandwidth and compute.")
    space.write("content/talks/chips/zh.md", TALK)
    space.write("content/talks/bandwidth/en.md", NAMED)


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("search"))
    write(made)
    assert told(made.build(output="www/blog")) == ""
    return made


@pytest.fixture(scope="module")
def address(space: Space) -> Iterator[str]:
    with served(space.root / "www") as address:
        yield f"{address}/blog/"


def test_without_pagefind_the_site_is_published_without_a_search(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(pagefind, "find_spec", lambda _: None)
    space = Space(tmp_path)
    space.write("site/site.yaml", CONFIG)
    space.post("one", zh="一。", en="One.")
    result = space.build(strict=True)
    assert told(result) == (
        "site/site.yaml: warning[search-missing]: "
        "this site has no search, because Pagefind is not installed\n"
        "  fix: run `pip install 'diglot[search]'`, or remove `search:`."
    )
    assert result.published is not None, "with --strict, too: nothing is wrong with the site"
    assert 'class="find"' not in space.page("zh/posts/one")
    assert not (space.root / "public/pagefind").exists()


@needs_pagefind
def test_an_edit_makes_the_index_of_its_language_again_and_equals_a_clean_build(space, tmp_path) -> None:
    edited, clean = Space(tmp_path / "edited").copied_from(space), Space(tmp_path / "clean")
    edited.change("content/posts/roof/zh.md", "访存", "内存")
    done = [one for one in ran(edited.build(output="www/blog")) if one.startswith("search-")]
    assert "search-text zh article-page roof:zh" in done
    assert "search-index zh" in done
    assert not [one for one in done if one.startswith(("search-index en", "search-text en"))]
    assert ran(edited.build(output="www/blog")) == []
    write(clean)
    clean.change("content/posts/roof/zh.md", "访存", "内存")
    clean.build(output="www/blog")
    assert clean.outputs("www/blog") == edited.outputs("www/blog")
    assert any(path.startswith("pagefind/zh/fragment/") for path in clean.outputs("www/blog"))


@needs_pagefind
def test_a_preview_makes_the_index_when_a_reader_asks_for_it(space, tmp_path) -> None:
    own = Space(tmp_path).copied_from(space)
    shutil.rmtree(own.root / "www")
    with LiveSite(SiteOptions(root=own.root, output=own.root / "preview")) as site:
        site.refresh(())
        assert not (own.root / "preview/pagefind").exists()
        index = PreviewIndex(own.root / "preview", site.found_pages)
        entry = index.file("zh/pagefind-entry.json")
        assert entry is not None
        assert b'"page_count":3' in entry
        assert index.file("zh/pagefind.js") is not None
        assert index.file("fr/pagefind.js") is index.file("zh/other.js") is None
        own.change("content/posts/roof/zh.md", "访存", "内存")
        site.refresh(("content/posts/roof/zh.md",))
        assert index.file("zh/pagefind-entry.json") != entry
        assert index.file("zh/pagefind-entry.json") == index.file("zh/pagefind-entry.json")


@needs_pagefind
def test_a_preview_leaves_the_index_of_the_last_build_as_it_is(space, tmp_path, monkeypatch) -> None:
    kinds = [
        one.kind for one in vars(search).values() if isinstance(one, Task) and one.module == search.__name__
    ]
    assert {*kinds} == search.OF_INDEX
    own = Space(tmp_path).copied_from(space)
    monkeypatch.setattr("diglot.rules.building._TOLERATED", -1000)  # a preview of a large site prunes, too
    with LiveSite(SiteOptions(root=own.root, output=own.root / "preview")) as site:
        site.refresh(())
    assert not {one.partition(" ")[0] for one in ran(own.build(output="www/blog"))} & search.OF_INDEX


def look(page, query: str) -> list[str]:
    """What the search finds: the addresses and texts of all links."""
    if not page.locator("dialog.search[open]").count():
        page.keyboard.press("Control+k")
        page.wait_for_selector("dialog.search[open]")
    page.evaluate("document.querySelector('dialog.search [role=status]').textContent = ''")
    page.fill("dialog.search input", query)
    page.wait_for_function("document.querySelector('dialog.search [role=status]').textContent")
    return page.eval_on_selector_all(
        "dialog.search .found a",
        "links => links.map(link => `${link.getAttribute('href')} ${link.textContent}`)",
    )


@needs_pagefind
@pytest.mark.browser
def test_readers_find_words_pieces_of_words_and_figures(open_page, address) -> None:
    page = open_page(f"{address}zh/posts/roof/")
    found = [
        "/blog/zh/posts/moe/ 文章moe",
        "/blog/zh/posts/moe/#links-1 全对全通信决定带宽。H200的带宽是4.8 TB/s。",
    ]
    assert look(page, "全通信") == found
    assert page.text_content("dialog.search [role=status]") == "1 篇"
    assert page.locator("dialog.search mark").all_text_contents() == ["全通信"]
    assert look(page, "信决 h200") == found, "pieces across words, with a name in small letters"
    assert look(page, "宽带") == []
    assert page.text_content("dialog.search [role=status]") == "没有找到“宽带”。"
    assert look(page, "两格") == [
        "/blog/zh/posts/moe/ 文章moe",
        "/blog/zh/posts/moe/#fig-bars 甲比乙矮两格·图1两根柱子。",
    ]
    assert len(look(page, "带宽")) == 4
    assert look(page, "铜缆") == [
        "/blog/zh/talks/chips/ 讲芯片",
        "/blog/zh/talks/chips/#wires-1 铜缆跨不过机柜。",
    ]
    assert look(page, "讲慢") == [], "what the speaker says is for the speaker"
    # With the keyboard: down to the first block, and there.
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.role") == "searchbox"
    look(page, "全通信")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}zh/posts/moe/#links-1")
    wait_until_started(page)
    # Escape ends it, and the focus is where it was.
    page.focus("button.find")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog.search[open]")
    page.keyboard.press("Escape")
    assert page.locator("dialog.search[open]").count() == 0
    assert page.evaluate("document.activeElement.className") == "find"
    # The other language has its own index, and its own words.
    page.click('[data-word="en"]')
    page.wait_for_selector('html[lang="en"]')
    assert look(page, "cutting tensors")[0] == "/blog/en/posts/moe/ Article moe", (
        "in other forms of the words"
    )
    pages = [link.split()[0] for link in look(page, "bandwidth") if "#" not in link]
    *texts, talk = (page.removeprefix("/blog/en/") for page in pages)
    assert set(texts) == {"posts/moe/", "posts/roof/"}, "texts come before a talk that is called so"
    assert talk == "talks/bandwidth/"
    assert look(page, "bandwidth of links")[0] == "/blog/en/talks/bandwidth/ Bandwidth of links"
    look(page, "cutting tensors")
    assert page.get_attribute("dialog.search", "aria-label") == "Search this site"
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}en/posts/moe/")


@needs_pagefind
@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_everybody_can_use_the_dialog(open_page, address, scheme, width) -> None:
    page = open_page(f"{address}en/posts/moe/", width=width, color_scheme=scheme)
    assert len(look(page, "bandwidth")) == 7
    assert axe_violations(page) == []
    assert has_no_horizontal_scroll(page)


@needs_pagefind
@pytest.mark.browser
def test_an_index_that_does_not_come_is_told(open_page, address) -> None:
    page = open_page(f"{address}zh/posts/moe/", java_script_enabled=False)
    assert not page.is_visible("button.find")
    page = open_page(f"{address}zh/posts/moe/")
    page.route("**/pagefind/**", lambda route: route.abort())
    assert look(page, "带宽") == []
    assert page.text_content("dialog.search [role=status]") == "搜索索引没能载入，请稍后再试。"
    open_page.complaints.clear()
    page.unroute("**/pagefind/**")
    assert len(look(page, "算力")) == 2, "the next try reads it"
