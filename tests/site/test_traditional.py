"""Sites whose Chinese pages are there in traditional characters, too."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

import pytest
from fontTools.ttLib import TTFont

from diglot.check.chromium import find_chromium
from diglot.cli.main import main
from diglot.figures.drawing.style import FONTS
from diglot.project import load_project
from diglot.render.cards import card
from diglot.render.materials import CardWords
from diglot.rules import options
from diglot.rules.files import copy_file
from diglot.rules.finished import check_files, read_finished
from diglot.rules.hardware import write_chip_data
from diglot.rules.ids import FileId
from diglot.rules.live import LiveSite
from diglot.rules.manifest import OutputFile
from diglot.rules.options import SiteOptions
from diglot.rules.traditional import make_traditional, traditional_files
from diglot.search.pagefind import find_pagefind
from diglot.search.texts import search_text
from diglot.serve.searching import PreviewIndex
from diglot.spelling.versions import opencc_version
from tests.browser import axe_violations, has_no_horizontal_scroll, served
from tests.space import BARS, Space, ran, told
from tests.traditional.settings import settings
from tests.waiting import HANG_S

needs_opencc = pytest.mark.skipif(
    not opencc_version(), reason="OpenCC is not installed (pip install 'diglot[hant]')"
)
CONFIG = """\
title: {zh: 内存与带宽, en: Memory}
description: {zh: 谈芯片。, en: About chips.}
base_url: https://example.org/blog/
traditional: taiwan-terms
gallery: true
markdown: true
search: true
cards: all
"""
ZH = """\
内存带宽{eval}`bars.values[0]`。[另一篇](/posts/roof/)说`内存`，[笔记](</zh/我的 笔记/a.b.html>)也说。

```{figure} bars
芯片的两根柱子。
```
"""
EN = """\
Bandwidth {eval}`bars.values[0]`. [Another one](/posts/roof/), [notes](</zh/我的 笔记/a.b.html>).

```{figure} bars
Two bars.
```
"""
OUTPUT = "www/blog"
NAMED = BARS.replace('zh="甲 乙"', 'zh="内存 缓存"')


def write(space: Space) -> None:
    space.write("site/site.yaml", CONFIG)
    space.write("site/hant.yaml", "根柱子: 根長條\n")
    space.write("figures/bars.py", NAMED)
    space.write("site/static/zh/我的 笔记/a.b.html", "<p>内存</p>\n")
    space.post("memory", zh=ZH, en=EN)
    space.post("roof", zh="屋顶线。", en="The roofline.")
    space.change("content/posts/roof/zh.md", "title: 文章roof", "title: 屋顶线")
    for language, title, text in (("zh", "内存与带宽", "内存。"), ("en", "Memory", "Memory.")):
        space.write(
            f"content/talks/chips/{language}.md",
            f"---\ntitle: {title}\n---\n\n## {title} {{#a}}\n\n{text}\n",
        )
    space.post("english", zh=None, en="Only in English.", only="en", fallback="true")


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("traditional"))
    write(made)
    assert told(made.build(output=OUTPUT)) == ""
    return made


@pytest.fixture(scope="module")
def address(space: Space) -> Iterator[str]:
    with served(space.root / "www") as address:
        yield f"{address}/blog/"


@needs_opencc
def test_every_chinese_page_has_a_converted_one_and_links_lead_from_one_to_the_next(space) -> None:
    files = space.outputs(OUTPUT)
    pages = [path for path in files if re.match(r"zh/.*\.(html|xml|json|md)$", path)]
    assert len(pages) > 10
    assert {path.replace("zh/", "zh-hant/", 1) for path in pages} <= files.keys()
    assert files["zh-hant/我的 笔记/a.b.html"] == files["zh/我的 笔记/a.b.html"], (
        "an author's own files stay as they are"
    )
    for path, content in files.items():
        if path.startswith("zh-hant/") and path.endswith(".html"):
            for address in re.findall(rb'(?:href|src|data-\w+)="/blog/([^"#]*)', content):
                goal = unquote(address.decode().partition("?")[0])
                there = f"{goal}index.html" if goal.endswith("/") or not goal else goal
                assert there in files or goal == "pagefind/zh-hant/", f"{path} leads to {goal}"
                named = f'href="/blog/{goal}" data-word="zh"'.encode()
                assert not goal.startswith("zh/") or named in content, f"{path} leads to {goal}"


@needs_opencc
def test_a_page_its_numbers_figure_code_and_feeds(space) -> None:
    page = space.page("zh-hant/posts/memory", output=OUTPUT)
    assert '<html lang="zh-Hant"' in page
    assert '<p class="derived">本頁由簡體中文自動轉換而成。</p>' in page
    assert re.search(r"記憶體頻寬<[^>]*>3<.*<code>内存</code>", page)
    assert "晶片的兩根長條" in page
    assert ">內存</text>" in page, "a label has as much room as before"
    assert ">快取</text>" in page
    assert '<a href="/blog/zh-hant/posts/roof/">' in page
    assert "內存" not in (space.root / OUTPUT / "zh-hant/feed.xml").read_text("utf-8")
    feed = json.loads((space.root / OUTPUT / "zh-hant/feed.json").read_text("utf-8"))
    assert feed["language"] == "zh-Hant"
    assert {one["url"].split("/")[4] for one in feed["items"]} == {"zh-hant"}
    markdown = (space.root / OUTPUT / "zh-hant/posts/memory/index.md").read_text("utf-8")
    assert "記憶體頻寬3。" in markdown
    assert "說`内存`" in markdown
    listed = (space.root / OUTPUT / "llms.txt").read_text("utf-8").partition("## 繁體\n\n")[2]
    line = "- [文章memory](https://example.org/blog/zh-hant/posts/memory/index.md): 記憶體頻寬3。"
    assert line in listed.partition("\n## ")[0]


@needs_opencc
def test_files_of_figures_and_cards_are_drawn_with_traditional_characters(space) -> None:
    files = space.outputs(OUTPUT)
    page = files["zh-hant/posts/memory/index.html"].decode()
    assert 'href="/blog/figures/bars/bars.zh-hant.svg"' in page
    assert 'content="https://example.org/blog/zh-hant/posts/memory/card.png"' in page
    svg, original = (files[f"figures/bars/bars.{one}.svg"].decode() for one in ("zh-hant", "zh"))
    glyph = TTFont(FONTS / "DiglotSansHant-Regular.ttf").getReverseGlyphMap()
    new = {f"DiglotSansHant-Regular-{glyph[f'uni{ord(one):04X}']:x}" for one in "內"}
    assert {*re.findall(r"DiglotSansHant-Regular-[0-9a-f]+", svg)} == new, "快取 is in both"
    assert "DiglotSansHant" not in original
    assert re.search("<svg [^>]*>", svg)[0] == re.search("<svg [^>]*>", original)[0].replace("Hans", "Hant")
    assert files["figures/bars/bars.zh-hant.png"] != files["figures/bars/bars.zh.png"]
    words = CardWords(language="zh", title="屋頂線", site="記憶體與頻寬", host="example.org")
    assert files["zh-hant/posts/roof/card.png"] == card(words)


def test_facts_of_chips_have_a_copy_and_an_authors_own_data_has_none() -> None:
    chip, own = (
        OutputFile(path=f"hardware/{name}.json", kind=kind, name=name, digest="1")
        for name, kind in (("h200", write_chip_data.kind), ("mine", copy_file.kind))
    )
    expected = make_traditional.key(FileId(chip.path, chip.kind, chip.name))
    assert traditional_files([chip, own], settings()) == {"hardware/h200.zh-hant.json": expected}


@needs_opencc
def test_numbers_tags_ids_and_code_of_all_pages_are_those_of_the_originals(space) -> None:
    files = space.outputs(OUTPUT)
    for path in (one for one in files if one.startswith("zh/") and one.endswith(".html")):
        original, copy = (files[one].decode() for one in (path, path.replace("zh/", "zh-hant/", 1)))
        copy = re.sub(r'\n<p class="derived">.*?</p>', "", copy)
        for pattern in (
            r"</?[\w-]+",
            r'\bid="[^"]*"',
            r'data-value="[^"]*"',
            r"<code\b.*?</code>",
            r"<path [^>]*>",
        ):
            assert re.findall(pattern, original, re.DOTALL) == re.findall(pattern, copy, re.DOTALL), path
        digits = [re.findall(r"\d", re.sub("<[^>]*>", "", one)) for one in (original, copy)]
        assert digits[0] == digits[1], path


@needs_opencc
def test_no_page_has_a_simplified_character_but_in_code_and_in_addresses_of_authors(space) -> None:
    for path, content in space.outputs(OUTPUT).items():
        if path.startswith("zh-hant/") and path.endswith((".html", ".json", ".xml")) and "笔记" not in path:
            apart = r"<(code|style)\b.*?</\1>|`[^`]*`"
            shown = re.sub(apart, "", unescape(content.decode()), flags=re.DOTALL)
            left = {one for one in shown if "\u4e00" <= one <= "\u9fff" and not one.encode("big5", "ignore")}
            assert not left, f"{path}: {left}"


@needs_opencc
def test_versions_name_each_other_and_the_toggle_leads_to_all_of_them(space) -> None:
    def versions(page: str) -> list[tuple[str, str]]:
        return re.findall(
            r'<link rel="alternate" hreflang="([^"]*)" href="https://example.org/blog/([^"]*)"', page
        )

    three = [space.page(f"{one}/posts/memory", output=OUTPUT) for one in ("zh", "zh-hant", "en")]
    expected = [
        ("zh-Hans", "zh/posts/memory/"),
        ("en", "en/posts/memory/"),
        ("zh-Hant", "zh-hant/posts/memory/"),
        ("x-default", "zh/posts/memory/"),
    ]
    assert [versions(page) for page in three] == [expected] * 3
    words = [
        re.findall(r'data-word="([\w-]+)"[^>]*?(aria-current)?(?:="true")?>([^<]+)<', page) for page in three
    ]
    assert [[word for word, current, _ in found if current] for found in words] == [
        ["zh"],
        ["zh-hant"],
        ["en"],
    ]
    assert [text for *_, text in words[0]] == ["中文", "繁體", "English", "对照"]
    assert [text for *_, text in words[1]] == ["中文", "繁體", "English", "對照"]
    sitemap = (space.root / OUTPUT / "sitemap.xml").read_text("utf-8")
    assert sitemap.count("<loc>https://example.org/blog/zh-hant/posts/memory/</loc>") == 1
    locales = [re.findall(r'"og:locale(?::alternate)?" content="(\w+)"', page) for page in three]
    assert locales == [["zh_CN", "en_US", "zh_TW"], ["zh_TW", "en_US", "zh_CN"], ["en_US", "zh_CN", "zh_TW"]]
    canonical = '<link rel="canonical" href="https://example.org/blog/zh-hant/posts/memory/">'
    assert canonical in three[1]


@needs_opencc
def test_the_text_of_a_page_in_english_alone_stays(space) -> None:
    page = space.page("zh-hant/posts/english", output=OUTPUT)
    assert "Only in English." in page
    assert '<link rel="canonical" href="https://example.org/blog/en/posts/english/">' in page


@needs_opencc
@pytest.mark.skipif(
    find_pagefind() is None, reason="Pagefind is not installed (pip install 'diglot[search]')"
)
def test_converted_pages_have_an_index_of_their_own(space) -> None:
    entry = json.loads((space.root / OUTPUT / "pagefind/zh-hant/pagefind-entry.json").read_text("utf-8"))
    assert entry["languages"]["zh-hant"]["page_count"] == 4
    assert "轉換" not in search_text(space.page("zh-hant/posts/memory", output=OUTPUT), "zh-hant")
    assert 'data-index="/blog/pagefind/zh-hant/"' in space.page("zh-hant/posts/memory", output=OUTPUT)


@needs_opencc
@pytest.mark.skipif(
    find_pagefind() is None, reason="Pagefind is not installed (pip install 'diglot[search]')"
)
def test_a_preview_converts_what_is_saved_and_finds_it(space, tmp_path) -> None:
    own = Space(tmp_path).copied_from(space)
    with LiveSite(SiteOptions(root=own.root, output=own.root / "preview")) as site:
        site.refresh(())
        index = PreviewIndex(own.root / "preview", site.found_pages)
        assert b'"zh-hant":{"hash":' in (entry := index.file("zh-hant/pagefind-entry.json") or b"")
        own.change("content/posts/roof/zh.md", "屋顶线。", "内存墙。")
        site.refresh(("content/posts/roof/zh.md",))
        assert "記憶體牆。" in own.page("zh-hant/posts/roof", output="preview")
        assert index.file("zh-hant/pagefind-entry.json") not in (entry, None)


@needs_opencc
def test_an_edit_converts_its_pages_alone_and_equals_a_clean_build(space, tmp_path) -> None:
    edited, clean = Space(tmp_path / "edited").copied_from(space), Space(tmp_path / "clean")
    assert ran(edited.build(output=OUTPUT)) == []
    edited.change("content/posts/memory/zh.md", "另一篇", "另一头")
    done = [one for one in ran(edited.build(output=OUTPUT)) if one.startswith("traditional")]
    assert done
    assert not [one for one in done if not re.search("memory|feed|home-page", one)], "it begins with the edit"
    clean.copied_from(edited)
    clean.remove("www")
    clean.remove(".diglot")
    clean.build(output=OUTPUT)
    assert clean.outputs(OUTPUT) == edited.outputs(OUTPUT)


@needs_opencc
def test_a_site_of_files_has_converted_ones(space, tmp_path) -> None:
    own = Space(tmp_path).copied_from(space)
    own.build(output="files", relative=True)
    page = own.page("zh-hant/posts/memory", output="files")
    assert '<a href="../roof/index.html">' in page
    assert 'href="../../../zh/posts/memory/index.html" data-word="zh"' in page


@needs_opencc
def test_exceptions_convert_all_pages_anew(space, tmp_path) -> None:
    edited = Space(tmp_path).copied_from(space)
    edited.change("site/hant.yaml", "根柱子: 根長條", "根柱子: 根柱")
    edited.build(output=OUTPUT)
    assert "晶片的兩根柱。" in edited.page("zh-hant/posts/memory", output=OUTPUT)


@needs_opencc
def test_the_toggle_changes_characters_in_place_and_no_page_is_fetched_before(open_page, address) -> None:
    page = open_page(f"{address}zh/posts/memory/", width=360, height=800)
    assert has_no_horizontal_scroll(page)
    page.evaluate("window.stays = true")
    fetched = (
        "performance.getEntriesByType('resource').map(one => one.name).filter(one => one.includes('zh-hant'))"
    )
    assert page.evaluate(fetched) == []
    page.click('.bar a[data-word="zh-hant"]')
    page.wait_for_url("**/zh-hant/posts/memory/")
    assert page.evaluate("[window.stays, document.documentElement.lang]") == [True, "zh-Hant"]
    assert page.text_content(".bar a[aria-current]") == "繁體"
    assert page.evaluate("localStorage.getItem('diglot-view')") == "zh", "what pages for both put first"
    assert has_no_horizontal_scroll(page)
    assert axe_violations(page) == []


@needs_opencc
@pytest.mark.skipif(
    find_pagefind() is None, reason="Pagefind is not installed (pip install 'diglot[search]')"
)
@pytest.mark.parametrize(("edition", "query"), [("zh", "頻寬"), ("zh-hant", "带宽"), ("zh-hant", "頻寬")])
def test_a_search_finds_what_readers_type_in_either_characters(open_page, address, edition, query) -> None:
    page = open_page(f"{address}{edition}/posts/roof/")
    page.click("button.find")
    page.fill("dialog.search input", query)
    assert page.locator("dialog.search mark").first.text_content() == query
    said = {"zh": "zh-Hans", "zh-hant": "zh-Hant"}["zh" if query == "带宽" else "zh-hant"]
    written_in = "one => one.closest('[lang]').lang"
    assert page.locator("dialog.search mark").first.evaluate(written_in) == said
    links = page.locator("dialog.search .found > li > a")
    led = {link.get_attribute("href") for link in links.all()}
    assert led == {f"/blog/{edition}/{one}/" for one in ("posts/memory", "talks/chips")}


@needs_opencc
def test_words_on_slides_lead_to_their_pages(open_page, address) -> None:
    page = open_page(f"{address}zh/talks/chips/")
    for word, lang in (("zh-hant", "zh-Hant"), ("en", "en"), ("zh-hant", "zh-Hant"), ("zh", "zh-Hans")):
        page.locator(f'.slide:visible a[data-word="{word}"]').click()
        page.wait_for_url(f"**/{word}/talks/chips/**")
        assert page.evaluate("document.documentElement.lang") == lang
    page.locator('.slide:visible a[data-word="zh-hant"]').click()
    page.wait_for_url("**/zh-hant/talks/chips/**")
    assert "內存與頻寬" not in (said := page.text_content(".slide:visible"))
    assert "記憶體與頻寬" in said


def test_a_site_without_them_has_no_word_no_page_no_face_no_task_and_imports_no_conversion(
    tmp_path, monkeypatch
) -> None:
    monkeypatch.setitem(sys.modules, "diglot.spelling.conversion", None)  # to import it is an error now
    space = Space(tmp_path)
    space.post("one", zh="内存。", en="Memory.")
    result = space.build()
    assert told(result) == ""
    assert not [one for one in ran(result) if one.startswith("traditional")]
    assert not [path for path in space.outputs() if "hant" in path or "traditional" in path]
    assert "hant" not in space.page("zh/posts/one").casefold()


@needs_opencc
def test_a_talk_is_written_as_a_powerpoint_file(space, tmp_path) -> None:
    pptx = pytest.importorskip("pptx", reason="python-pptx is not installed")
    own = Space(tmp_path).copied_from(space)
    text = (own.root / "content/talks/chips/zh.md").read_text("utf-8")
    own.write("content/talks/chips/zh.md", f"{text}\n---\n\n```{{figure}} bars\n```\n")
    assert main(["-C", str(own.root), "slides", "build", "chips", "--lang", "zh-Hant"]) == 0
    path = own.root / "exports/chips.zh-hant.pptx"
    cover, slide, figure = pptx.Presentation(str(path)).slides
    assert cover.shapes.title.text == "記憶體與頻寬"
    assert [slide.placeholders[at].text for at in (0, 1)] == ["記憶體與頻寬", "記憶體。"]
    assert [one.text for one in slide.placeholders][-1] == "2"
    assert figure.shapes.title.text == "兩根柱"
    assert "圖表：bars" in figure.notes_slide.notes_text_frame.text
    with zipfile.ZipFile(path) as archive:
        assert b'lang="zh-TW"' in archive.read("ppt/slides/slide2.xml")
        assert b'typeface="Microsoft JhengHei"' in archive.read("ppt/theme/theme1.xml")
        (drawing,) = (one for one in archive.namelist() if one.endswith(".svg"))
        assert 'lang="zh-Hant"' in archive.read(drawing).decode()


@needs_opencc
@pytest.mark.skipif(
    find_chromium() is None or not shutil.which("pdftotext"), reason="needs Chromium and poppler-utils"
)
def test_a_talk_is_printed(space, tmp_path) -> None:
    command = ["-C", str(space.root), "slides", "pdf", "chips", "--lang", "zh-hant", "-o", str(tmp_path)]
    assert main(command) == 0
    text = ["pdftotext", str(tmp_path / "chips.zh-hant.pdf"), "-"]
    printed = subprocess.run(text, check=True, capture_output=True, timeout=HANG_S).stdout.decode()
    assert "記憶體與頻寬" in printed
    assert "内存" not in printed


@needs_opencc
def test_check_looks_at_originals_alone(space, tmp_path) -> None:
    own = Space(tmp_path).copied_from(space)
    own.post("roof", zh='<p id="a">一</p>\n<p id="a">二</p>', en="One.")
    with own.site(output=OUTPUT) as site:
        result = site.build(publishing=False)
        assert result.manifest is not None, told(result)
        project = load_project(CONFIG, "site/site.yaml")
        with site.last_build.records() as records:
            finished = read_finished(site.options, records, result, project)
            read = (*finished.site.pages, *finished.texts)
            assert "zh/posts/roof/index.html" in read
            assert not [path for path in read if path.startswith("zh-hant/")]
        found = [one.message for one in check_files(site, result, project, "")]
        assert len([one for one in found if '"a"' in one]) == 1, found


def test_without_opencc_nothing_is_published(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(options, "opencc_version", lambda: "")
    space = Space(tmp_path)
    space.write("site/site.yaml", CONFIG.replace("search: true\n", ""))
    space.post("one", zh="内存。", en="Memory.")
    result = space.build()
    assert result.published is None
    assert told(result) == (
        "site/site.yaml: error[traditional-missing]: "
        "no page can be converted to traditional characters, because OpenCC is not installed\n"
        "  fix: run `pip install 'diglot[hant]'`, or remove `traditional:`."
    )


def test_an_unknown_variant_is_an_error_with_the_known_ones(tmp_path) -> None:
    space = Space(tmp_path)
    space.write("site/site.yaml", CONFIG.replace("taiwan-terms", "taiwam"))
    space.post("one", zh="内存。", en="Memory.")
    assert "taiwam" in (said := told(space.build()))
    assert "taiwan" in said
    assert "hong-kong" in said
