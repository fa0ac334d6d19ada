"""What hosts need: compressed files, old addresses, times of files, and pages that a strict policy allows.

And how a site does without any.
"""

import base64
import gzip
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from diglot.check.parsed_pages import ParsedPage
from diglot.render.relative_pages import relative_page
from tests.browser import wait_until_loaded
from tests.site.test_controls import WAVE
from tests.site.test_forms_in_browser import SCRIPT as FORM
from tests.space import BARS, Space, ran, told
from tests.waiting import wait_until

DOCS = Path(__file__).parents[2] / "docs/publishing.md"
TEXT = """\
Text with $x_i$ and a note[^1].

$$
\\begin{cases} x & y \\\\ \\color{red} z & 1 \\end{cases}
$$

| a | b |
| :--- | ---: |
| 1 | 2 |

```python
print(1)
```

```{figure} bars
Bars.
```

```{figure} wave
:explore: n = 0..3072 step 1024
Wave.
```

```{figure} shape
Shape.
```

[^1]: A note.
"""
TALK = """\
---
title: A talk
---

## Turned

```{figure} wave
:explore: n = 0..2048 step 1024
```
"""
TURNED = "before => ![...document.querySelectorAll('svg')].some(svg => svg.innerHTML === before)"
"""Whether no drawing is any more what it was."""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("hosting"))
    made.change("site/site.yaml", "https://example.org/", "https://example.org/blog/")
    made.change("site/site.yaml", "base_url", "gallery: true\nbase_url")
    made.write("figures/bars.py", BARS)
    made.write("figures/wave.py", WAVE)
    made.write("figures/shape.py", FORM)
    for language in ("zh", "en"):
        made.write(f"content/talks/first/{language}.md", TALK)
    made.post("one", zh=TEXT, en=TEXT, aliases="[/old/, /en/older/]")
    made.post("two", zh="二。", en="Two.")
    assert told(made.build(precompress=True)) == ""
    return made


def test_texts_are_published_compressed(space: Space) -> None:
    brotli = pytest.importorskip("brotli")
    files = space.outputs()
    endings = (".html", ".css", ".js", ".svg", ".xml", ".json", ".txt")
    texts = [path for path in files if path.endswith(endings)]
    assert len(texts) > 20
    for path in texts:
        assert gzip.decompress(files[f"{path}.gz"]) == files[path]
        assert brotli.decompress(files[f"{path}.br"]) == files[path]
        assert files[f"{path}.gz"][4:8] == bytes(4), "the time in a compressed file differs between builds"
    assert not any(path.endswith((".png.gz", ".woff2.gz", ".gz.gz", ".br.gz")) for path in files)


def test_an_edit_compresses_again_what_it_changes(space: Space) -> None:
    space.change("content/posts/two/en.md", "Two.", "Two!")
    done = [one for one in ran(space.build(precompress=True)) if one.startswith("compressed gz")]
    assert "compressed gz article-page two:en" in done
    assert "compressed gz article-page one:en" not in done
    assert ran(space.build(precompress=True)) == []


def test_files_that_stay_the_same_keep_their_times(space: Space) -> None:
    public = space.root / "public"
    before = {path: (public / path).stat().st_mtime_ns for path in space.outputs()}
    contents = space.outputs()
    space.change("content/posts/two/zh.md", "二。", "两。")
    space.build(precompress=True)
    after = space.outputs()
    changed = {path for path in after if (public / path).stat().st_mtime_ns != before[path]}
    assert changed - {".diglot-output"} == {path for path in after if contents[path] != after[path]}
    assert "zh/posts/two/index.html" in changed


def test_compressed_files_go_with_the_flag(space: Space, tmp_path: Path) -> None:
    other = Space(tmp_path).copied_from(space)
    other.build()
    assert not any(path.endswith((".gz", ".br")) for path in other.outputs())


def test_old_addresses_are_listed_for_hosts(space: Space) -> None:
    assert (space.root / "public/_redirects").read_text() == (
        "/blog/en/older/ /blog/en/posts/one/ 301\n/blog/old/ /blog/zh/posts/one/ 301\n"
    )


def test_a_site_can_be_kept_on_a_home_screen(space: Space) -> None:
    manifest = json.loads((space.root / "public/site.webmanifest").read_text())
    assert (manifest["name"], manifest["start_url"], manifest["lang"]) == ("试验站", "/blog/", "zh-Hans")
    for icon in manifest["icons"]:
        assert (space.root / "public" / icon["src"].removeprefix("/blog/")).is_file()
    page = space.page("en/posts/one")
    assert '<link rel="manifest" href="/blog/site.webmanifest">' in page
    (touch,) = re.findall(r'<link rel="apple-touch-icon" href="/blog/([^"]+)">', page)
    assert (space.root / "public" / touch).is_file()


def test_before_the_first_paint_pages_fetch_nothing_but_style_sheets(space: Space) -> None:
    of_pages, of_lists, of_talks = ("style",), ("style", "lists"), ("style", "deck")
    for path, faces, sheets in (
        *(("en/posts/one", 3, of_pages), ("zh/posts/one", 1, of_pages), ("en", 3, of_lists)),
        *(("en/figures/wave", 3, of_pages), ("en/talks/first", 3, of_talks)),
    ):
        head = space.page(path).partition("</head>")[0]
        later = "".join(re.findall(r"<template .*?</template>", head, re.DOTALL))
        at_once = re.sub(r"<template .*?</template>", "", head, flags=re.DOTALL)
        at_once, for_paper = re.subn(r'<link rel="stylesheet" media="print" [^>]*>', "", at_once)
        assert for_paper == 1, "for which no screen waits"
        fetched = re.findall(r'rel="(?:preload|stylesheet)"[^>]*|<script [^>]*src=', at_once)
        assert [re.findall(r'^rel="stylesheet" href="/blog/assets/(\w+)', one) for one in fetched] == [
            [one] for one in sheets
        ]
        assert later.count('rel="preload" as="font"') == faces
        assert re.search(r'<script src="/blog/assets/(?:diglot|deck)\.', later)
        assert at_once.index("<script>") < at_once.index('rel="stylesheet"'), (
            "a script waits for a sheet before it"
        )


def policy() -> str:
    """The policy that the guide recommends."""
    (found,) = re.findall(r"^Content-Security-Policy: (.*)$", DOCS.read_text("utf-8"), re.MULTILINE)
    return str(found)


@pytest.mark.parametrize(
    "path", ["en/posts/one/index.html", "en/talks/first/index.html", "figures/wave/embed.en.html"]
)
def test_the_policy_of_the_guide_names_the_script_in_pages(space: Space, path: str) -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", space.outputs()[path].decode(), re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy()


class _UnderPolicy(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", policy())
        super().end_headers()


@pytest.fixture(scope="module")
def address(space: Space, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "blog").symlink_to(space.root / "public")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_UnderPolicy, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/blog/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.browser
def test_pages_keep_the_policy_of_the_guide(address: str, browser) -> None:
    page = browser.new_page()
    told_of: list[str] = []
    page.on("console", lambda message: told_of.append(message.text) if message.type == "error" else None)
    for path in ("", "en/", "zh/posts/one/", "en/posts/one/both/", "en/tags/"):
        page.goto(address + path)
        assert page.evaluate("document.documentElement.dataset.script") == ""
    page.goto(f"{address}zh/posts/one/")
    page.click('[data-word="en"]')
    page.wait_for_selector('html[lang="en"]')
    page.click("button.theme")
    assert page.evaluate("document.fonts.size") > 0
    page.get_by_label("Rows").fill("1,024")
    # The policy forbids `wait_for_function` to make a function of a text in the page.
    wait_until(lambda: page.locator(".ask .said").inner_text().endswith("computed"))
    for path in ("en/posts/one/", "figures/wave/embed.en.html", "en/talks/first/#/2"):
        page.goto(address + path)
        drawn = page.locator("figure:has([data-parameter=n]) svg >> visible=true").first
        before = drawn.inner_html()
        page.locator("[data-parameter=n] input >> visible=true").first.press("ArrowRight")
        wait_until(partial(page.evaluate, TURNED, before))
    page.close()
    assert told_of == []


@pytest.fixture(scope="module")
def from_files(space: Space) -> Path:
    """The output of `diglot build --relative`."""
    space.change("site/site.yaml", "base_url", "search: true\nbase_url")
    assert told(space.build(output="files", relative=True)) == ""
    space.change("site/site.yaml", "search: true\n", "")
    return space.root / "files"


def test_pages_for_files_are_those_for_hosts_with_other_addresses(space: Space, from_files: Path) -> None:
    before = space.outputs()
    done = ran(space.build(output="files", relative=True))
    assert not [one for one in done if one.split()[0] in ("article-page", "both-page", "figure-page")]
    assert ran(space.build(output="files", relative=True)) == []
    made = space.outputs("files")
    pages = {path for path in made if path.endswith(".html")}
    assert pages == {path for path in before if path.endswith(".html")}
    for path in pages - {"404.html", "zh/404.html", "en/404.html"}:
        expected = relative_page(before[path].decode(), path, "https://example.org/blog/")
        assert made[path].decode() == expected, path
    assert made["404.html"] == before["404.html"], "hosts show it at any depth"
    space.build(precompress=True)
    assert space.outputs() == before


def test_every_address_on_pages_for_files_leads_to_a_file(from_files: Path) -> None:
    reached, waiting = set(), ["index.html"]
    while waiting:
        path = waiting.pop()
        text = (from_files / path).read_text("utf-8")
        assert not re.search(r'[\s"\'](?:href|src|srcset|data-[\w-]+)="/', text), path
        page = ParsedPage(text)
        data = re.findall(r'data-(?:frames|tables|answers|following[\w-]*)="([^"#]+)"', text)
        for target in [*(one for one, _ in page.targets), *data]:
            if target.startswith(("https:", "http:", "#", "data:", "mailto:")):
                continue
            file = (from_files / path).parent / unquote(target.partition("#")[0].partition("?")[0])
            assert file.is_file(), f"{path}: {target}"
            assert target not in data or Path(f"{file}.js").is_file(), f"{path}: {target}"
            goal = file.resolve().relative_to(from_files.resolve()).as_posix()
            if goal.endswith(".html") and goal not in reached:
                reached.add(goal)
                waiting.append(goal)
    assert {"en/posts/one/index.html", "zh/posts/one/both/index.html"} <= reached
    assert {"en/talks/first/index.html", "en/figures/wave/index.html"} <= reached


@pytest.mark.browser
def test_a_reader_without_a_server_reads_toggles_and_turns(from_files: Path, open_page: Any) -> None:
    page = open_page((from_files / "index.html").as_uri())
    page.get_by_role("link", name="Article one").first.click()
    page.wait_for_url("**/en/posts/one/index.html")
    assert page.locator("button.find").count() == 0
    wait_until_loaded(page, "Diglot Serif")
    drawn = page.locator("#fig-wave svg >> visible=true").first
    before = drawn.inner_html()
    page.locator("#fig-wave [data-parameter=n] input >> visible=true").first.press("ArrowRight")
    page.wait_for_function(TURNED, arg=before)
    page.get_by_label("Rows").fill("1,024")
    page.wait_for_function("document.querySelector('.ask .said').innerText.endsWith('computed')")
    page.locator("[data-word=both]").click()
    page.wait_for_url("**/en/posts/one/both/index.html*")
    page.locator("[data-word=zh]").click()
    page.wait_for_url("**/zh/posts/one/index.html*")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    page.goto(f"{(from_files / 'en/talks/first/index.html').as_uri()}#/2")
    page.wait_for_selector(".slide[data-on=now] svg")
    before = page.locator(".slide[data-on=now] svg >> visible=true").inner_html()
    page.locator(".slide[data-on=now] [data-parameter=n] input").press("ArrowRight")
    page.wait_for_function(TURNED, arg=before)
    page.keyboard.press("l")
    page.wait_for_url("**/zh/talks/first/index.html#/2*")
    page.wait_for_selector(".slide[data-on=now]:lang(zh)")
    page.goto((from_files / "old/index.html").as_uri())
    page.wait_for_url("**/zh/posts/one/index.html")
