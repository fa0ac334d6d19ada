"""The writers' view: articles, problems, and the last build."""

import datetime
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from diglot.cli import main
from diglot.rules.live import LiveSite
from diglot.rules.options import SiteOptions
from diglot.rules.unreferenced import UnreferencedFigures
from diglot.serve.changes import Change
from diglot.serve.hub import Hub
from diglot.serve.preview import Preview
from diglot.serve.unreferenced import UnreferencedDrawing
from diglot.serve.writers import Writers
from tests.browser import axe_violations, has_no_horizontal_scroll
from tests.cli.sites import CONFIG, LINE, LOOPING, article, pair, write
from tests.serve.conftest import Published, Silent
from tests.waiting import wait_until

TABLE = """
def table(data, t):
    return make_table(("y",), [(y,) for y in data["y"]])


def describe(data, t):
    return t(zh="数", en="Numbers")
"""

TOMORROW = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=2)).date().isoformat()


class Previewed:
    """A project with its preview, which builds when a test asks."""

    def __init__(self, root: Path) -> None:
        self.root = root
        options = SiteOptions(root=root, output=root / "public", drafts=True, future=True, expired=True)
        self.site = LiveSite(options)
        self.hub = Hub()
        self.preview = Preview(self.site, self.hub, Silent())
        self.unreferenced = UnreferencedDrawing(UnreferencedFigures(options), self.preview, self.hub)
        self.writers = Writers(self.site, self.preview, self.unreferenced)

    def save(self, files: dict[str, str]) -> None:
        write(self.root, files)
        self.preview.build()

    def text(self, name: str = "") -> str:
        page = self.writers.page(name)
        assert page is not None
        return page.decode()

    def drawn(self) -> str:
        """The sheet of figures, once all are drawn."""
        self.text("figures/")
        wait_until(lambda: not self.unreferenced.is_at_work)
        return self.text("figures/")

    def row(self, article: str) -> str:
        """The text of an article's row, without tags."""
        rows = re.findall(rf'<li id="article-{article}">(.*?)</li>', self.text(), re.DOTALL)
        assert len(rows) == 1
        return " ".join(re.sub(r"<[^>]*>", " ", rows[0]).split())


@pytest.fixture
def previewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Previewed]:
    monkeypatch.delenv("DIGLOT_EDITOR", raising=False)
    for name in ("_PATIENCE_S", "_LONG_PATIENCE_S"):
        monkeypatch.setattr(f"diglot.rules.live.{name}", 60.0)  # a build here waits for its figures
    write(tmp_path, {"site/site.yaml": CONFIG, **pair("hello")})
    one = Previewed(tmp_path)
    yield one
    one.unreferenced.close(20)
    one.site.close()


def test_before_the_first_build_the_view_is_there_and_empty(previewed: Previewed) -> None:
    assert "no articles yet" in previewed.text()
    assert "No article uses a figure yet" in previewed.text("figures/")
    assert not (previewed.root / ".diglot" / "store.sqlite").exists()


def test_articles_are_listed_with_what_is_to_be_said_of_them(previewed: Previewed) -> None:
    previewed.save(
        {
            **pair("sketch", more="draft: true\n"),
            **pair("later", more=""),
            **pair("over", more="expires: 2026-01-31\n"),
            "content/posts/later/meta.yaml": "",
            "content/posts/lonely/zh.md": article(more="only: zh\n"),
            "content/posts/odd/zh.md": article(more="tags: [nothing-known]\n"),
            "content/posts/odd/en.md": article(more="tags: [nothing-known]\n"),
            "content/posts/later/zh.md": article().replace("2026-01-02", TOMORROW),
            "content/posts/later/en.md": article().replace("2026-01-02", TOMORROW),
        }
    )
    assert "draft" in previewed.row("sketch")
    assert "future" in previewed.row("later")
    assert "expired" in previewed.row("over")
    assert "no English" in previewed.row("lonely")
    assert "1 warning" in previewed.row("odd")
    assert not re.search("draft|future|expired|no English|warning|error|broken", previewed.row("hello"))
    for address in ("/zh/posts/hello/", "/en/posts/hello/", "/zh/posts/hello/both/", "/zh/posts/lonely/"):
        assert f'href="{address}"' in previewed.text()
    for address in ("/en/posts/lonely/", "/zh/posts/lonely/both/"):
        assert f'href="{address}"' not in previewed.text()


def test_a_broken_article_stays_listed_as_it_was_with_its_errors(previewed: Previewed) -> None:
    previewed.save({})
    assert "hello zh" in previewed.row("hello")
    previewed.save({"content/posts/hello/zh.md": article(more="datte: 1\n")})
    row = previewed.row("hello")
    assert "hello zh" in row
    assert "broken" in row
    assert "1 error" in row
    assert "unknown key" in previewed.text()
    assert "Nothing was published" in previewed.text()
    previewed.save({"content/posts/hello/zh.md": article(title="hello zh")})
    assert "broken" not in previewed.row("hello")


def test_an_article_that_lost_a_half_is_marked(previewed: Previewed) -> None:
    previewed.save({})
    (previewed.root / "content/posts/hello/en.md").unlink()
    previewed.save({})
    row = previewed.row("hello")
    assert "broken" in row
    assert "no English" in row
    assert "1 error" in row


def test_the_tasks_of_the_last_build_are_told_with_time_and_reason_the_longest_first(
    previewed: Previewed,
) -> None:
    previewed.save({})
    previewed.save({"content/posts/hello/zh.md": article("Another paragraph.", title="hello zh")})
    rows = re.findall(
        r'<tr><td class="r">([\d.,]+)</td><td class="k">(.*?)</td>.*?<td>(.*?)</td></tr>', previewed.text()
    )
    times = [float(time.replace(",", "")) for time, _, _ in rows]
    assert times == sorted(times, reverse=True)
    reasons = {task: reason for _, task, reason in rows}
    assert "file content/posts/hello/zh.md changed" in reasons["document hello:zh"]
    assert "document hello:en" not in reasons
    assert re.search(r"published after [\d.,]+ ms", previewed.text())


def test_figures_are_shown_in_both_languages_light_and_dark(previewed: Previewed) -> None:
    embed = "\n\n```{figure} line\nA caption.\n```"
    previewed.save({**pair("hello", f"A paragraph.{embed}"), "figures/line.py": LINE})
    page = previewed.text("figures/")
    assert page.count("<svg") == 4
    shown = re.findall(r'class="drawing" data-theme="(\w+)" lang="([\w-]+)"', page)
    assert shown == [("light", "zh-Hans"), ("light", "en"), ("dark", "zh-Hans"), ("dark", "en")]
    assert len(ids := re.findall(r'\sid="([^"]+)"', page)) == len(set(ids))
    assert "线" in page
    assert "A line" in page
    assert "Not in any article" not in page


def test_figures_of_no_article_are_drawn_when_the_sheet_is_looked_at_and_not_before(
    previewed: Previewed,
) -> None:
    previewed.save({"figures/idle.py": LINE, "content/posts/hello/figures/own.py": LINE})
    made = {path.name for path in previewed.root.glob(".diglot/unreferenced/*")}
    assert made <= {"diglot-code"}  # which is kept there where Python writes no bytecode
    assert "being drawn: idle, own" in previewed.text("figures/")
    page = previewed.drawn()
    assert page.count("<svg") == 8
    assert page.index('id="unreferenced"') < page.index('id="figure-idle"')
    assert len(ids := re.findall(r'\sid="([^"]+)"', page)) == len(set(ids))
    assert "being drawn" not in page
    assert not list((previewed.root / "public").rglob("*idle*"))


def test_scripts_in_articles_are_on_the_sheet_though_no_article_shows_a_figure(previewed: Previewed) -> None:
    previewed.save(pair("hello", f"A paragraph.\n\n```{{figure-script}} inside\n{LINE}```"))
    assert 'id="figure-inside"' in previewed.drawn()
    previewed.save(pair("hello", "A paragraph."))
    assert "inside" not in previewed.drawn()


def test_scripts_that_draw_nothing_are_named_whether_an_article_asks_for_them_or_not(
    previewed: Previewed,
) -> None:
    numbers = LINE.partition("def draw")[0]
    tabled = f"from diglot.figures import make_table\n{numbers}\n{TABLE}"
    previewed.save(
        {
            "figures/chips.py": numbers,
            "figures/tabled.py": tabled,
            **pair("hello", "A paragraph.\n\n```{table} tabled\nA caption.\n```"),
        }
    )
    assert re.search(r"draw nothing:\s+chips, tabled\.", previewed.drawn())


def test_a_figure_of_no_article_that_fails_says_why_on_the_sheet_and_nowhere_else(
    previewed: Previewed,
) -> None:
    previewed.save({"figures/idle.py": LINE.replace("int(slope)", "1 // 0"), "figures/fine.py": LINE})
    page = previewed.drawn()
    assert "ZeroDivisionError" in page
    assert page.count("<svg") == 4
    assert previewed.hub.state.problems == ()
    assert "ZeroDivisionError" not in previewed.text()


def test_a_saved_figure_of_no_article_is_drawn_again_while_somebody_looks(previewed: Previewed) -> None:
    previewed.save({"figures/idle.py": LINE, "figures/_shared.py": ""})
    idle = f"{previewed.root}/figures/idle.py"
    assert not previewed.preview.inputs.concerns(idle, names_changed=False)
    assert "Another line" not in previewed.drawn()
    assert previewed.preview.inputs.concerns(idle, names_changed=False)
    told = previewed.hub.state.told
    write(previewed.root, {"figures/idle.py": LINE.replace("A line", "Another line")})
    previewed.preview.build(frozenset({Change(idle, False, False)}))
    assert previewed.hub.state.told > told
    assert "Another line" in previewed.drawn()


def test_what_is_drawn_already_is_looked_at_without_a_worker(previewed: Previewed) -> None:
    previewed.save({"figures/idle.py": LINE})
    previewed.drawn()
    told = previewed.hub.state.told
    for _ in range(3):
        assert previewed.text("figures/").count("<svg") == 4
    assert not previewed.unreferenced.is_at_work
    assert previewed.hub.state.told == told


def test_a_build_stops_what_is_drawn_for_the_sheet(previewed: Previewed) -> None:
    previewed.save({"figures/idle.py": LOOPING})
    previewed.text("figures/")
    wait_until((previewed.root / "looping").exists)
    previewed.unreferenced.close(20)  # much less than the minute that a call may take
    assert not previewed.unreferenced.is_at_work
    (previewed.root / "looping").unlink()
    previewed.text("figures/")  # the open sheet starts it again
    wait_until((previewed.root / "looping").exists)


def test_places_open_in_the_editor_of_the_site_or_of_the_writer(
    previewed: Previewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = {"content/posts/hello/zh.md": article(more="datte: 1\n")}
    previewed.save(broken)
    assert "zed://" not in previewed.text()
    assert previewed.hub.state.problems[0].link == ""
    previewed.save({"site/site.yaml": f"{CONFIG}preview: {{editor: zed}}\n"})
    link = f"zed://file{previewed.root}/content/posts/hello/zh.md:5:1"
    assert f'href="{link}"' in previewed.text()
    assert previewed.hub.state.problems[0].link == link
    monkeypatch.setenv("DIGLOT_EDITOR", "vscode")
    assert f'href="{link.replace("zed", "vscode")}"' in previewed.text()


def test_nothing_an_author_writes_becomes_html(previewed: Previewed) -> None:
    evil = '"<script>alert(1)</script>"'
    previewed.save(
        {
            "content/posts/hello/zh.md": article(title=evil),
            "content/posts/broken/zh.md": article(more="'<script>alert(2)</script>': 1\n"),
        }
    )
    assert "alert(2)" in previewed.text()
    assert "<script>alert" not in previewed.text()


def test_nothing_of_the_view_is_published_and_no_other_page_is_there(previewed: Previewed) -> None:
    previewed.save({})
    assert previewed.writers.page("figures") is None
    assert previewed.writers.page("../secret") is None
    published = [path for path in (previewed.root / "public").rglob("*") if path.is_file()]
    assert published
    assert not [path for path in published if b"__diglot" in path.read_bytes()]


@pytest.mark.browser
def test_the_view_keeps_up_with_builds_and_fits_every_screen(
    previewed: Previewed, open_page: Callable[..., Any]
) -> None:
    embed = "\n\n```{figure} line\nA caption.\n```"
    previewed.save(
        {**pair("hello", f"A paragraph.{embed}"), "figures/line.py": LINE, "figures/idle.py": LINE}
    )
    previewed.drawn()
    served = Published(previewed.root / "public", hub=previewed.hub, writers=previewed.writers.page)
    try:
        for width, scheme in ((360, "light"), (1440, "dark")):
            for name in ("", "figures/"):
                page = open_page(f"{served.address}__diglot/{name}", width=width, color_scheme=scheme)
                assert has_no_horizontal_scroll(page)
                assert axe_violations(page) == []
                open_page.leave()  # type: ignore[attr-defined]  # a fixture's function
        page = open_page(f"{served.address}__diglot/")
        page.evaluate("window.kept = true")
        previewed.save({"content/posts/hello/zh.md": article(more="datte: 1\n")})  # this changes no file
        page.locator(".marks").get_by_text("1 error").wait_for()
        assert page.evaluate("window.kept") is True
        assert page.get_by_role("alert").count() == 0
        previewed.save(pair("hello"))
        page.locator(".marks").get_by_text("1 error").wait_for(state="detached")
    finally:
        open_page.leave()  # type: ignore[attr-defined]  # a page that is open complains of a server that is gone
        served.end()


@pytest.mark.browser
def test_the_view_runs_no_script_but_its_own_and_is_shown_in_no_frame(
    previewed: Previewed, open_page: Callable[..., Any]
) -> None:
    embed = "\n\n```{figure} line\nA caption.\n```"
    previewed.save(
        {**pair("hello", f"A paragraph.{embed}"), "figures/line.py": LINE, "figures/idle.py": LINE}
    )
    previewed.drawn()
    served = Published(previewed.root / "public", hub=previewed.hub, writers=previewed.writers.page)
    frame = f'<iframe src="{served.address}__diglot/"></iframe><iframe src="/zh/"></iframe>'
    served.write({"framing.html": f"<!doctype html><title>t</title><body>{frame}</body>"})
    try:
        for name in ("__diglot/", "__diglot/figures/", "zh/posts/hello/"):
            page = open_page(f"{served.address}zh/")
            page.evaluate("localStorage.setItem('diglot-theme', 'dark')")
            told: list[str] = []
            page.on("console", lambda message, told=told: told.append(message.text))
            page.on("pageerror", lambda error, told=told: told.append(str(error)))
            page.goto(f"{served.address}{name}")
            page.wait_for_load_state()
            assert not [text for text in told if "404" not in text]  # its address for icons
            assert page.evaluate("document.documentElement.dataset.theme") == "dark"
            page.evaluate(
                "document.body.append(Object.assign(document.createElement('script'), {text: 'ran = 1'}))"
            )
            assert page.evaluate("window.ran ?? 0") == (0 if name.startswith("__diglot") else 1)
            open_page.leave()  # type: ignore[attr-defined]  # a fixture's function
        page = open_page(f"{served.address}framing.html")
        for frame in page.frames[1:]:
            frame.wait_for_load_state()
        shown = [frame.evaluate("document.title") for frame in page.frames[1:]]
        assert not any("diglot" in title for title in shown)
        assert any("hello" in frame.content() for frame in page.frames[1:]), (
            "a page of the site is the author's"
        )
        open_page.complaints.clear()  # type: ignore[attr-defined]  # of the script and the frame, as they should
    finally:
        open_page.leave()  # type: ignore[attr-defined]  # a page that is open complains of a server that is gone
        served.end()


def test_the_status_shows_both_halves_with_what_changed(previewed: Previewed) -> None:
    previewed.save(pair("one", "A paragraph of three words."))
    assert "2 without: <code>diglot sync NAME</code>" in previewed.text("status/")
    assert main(["-C", str(previewed.root), "-q", "sync", "one"]) == 0
    previewed.preview.build()
    assert "in step" in previewed.text("status/")
    assert "out of step" not in previewed.text()
    english = "content/posts/one/en.md"
    text = (previewed.root / english).read_text("utf-8")
    previewed.save({english: text.replace("three", "four <")})
    status = previewed.text("status/")
    assert "A paragraph of <del>three</del><ins>four &lt;</ins> words." in status
    assert "Chinese is behind: the English text changed" in status
    assert f"{english}:" in status
    assert '<a href="/__diglot/status/#status-one">1 out of step</a>' in previewed.text()
