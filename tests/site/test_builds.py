"""Which tasks a build runs after an edit, and which files it writes."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from fontTools.ttLib import TTFont

import diglot.assembly
import diglot.features
import diglot.rules
from diglot.figure_request import FigureRequest
from diglot.rules.ids import DownloadId, DrawingId, HalfId, TermId, TermListId
from diglot.rules.site import SITE, site_rules
from diglot.rules.tasks import Task
from tests.space import BARS, CHIPS, Space, errors, ran, told

ROOT = Path(__file__).parents[2]


@pytest.fixture
def article(space: Space) -> Space:
    """A project with one article of three paragraphs and a figure, and a second article."""
    space.write("figures/bars.py", BARS)
    space.write("figures/chips.py", CHIPS)
    for language, words in (("zh", ("第一段。", "第二段。")), ("en", ("First paragraph.", "Second one."))):
        caption = "两根柱" if language == "zh" else "Two bars"
        body = f"{words[0]}\n\n## H200 {{#h200}}\n\n{words[1]}\n\n```{{figure}} bars\n{caption}\n```\n"
        space.post("pair", **{language: body, {"zh": "en", "en": "zh"}[language]: None})
    space.post("other", zh="别的。", en="Something else.", date="2026-10-01")
    return space


def test_a_pair_becomes_two_pages_and_their_side_by_side_views(article: Space) -> None:
    result = article.build()
    assert not errors(result), told(result)
    assert {"zh/posts/pair/index.html", "en/posts/pair/index.html"} <= article.outputs().keys()
    assert {"zh/posts/pair/both/index.html", "en/posts/pair/both/index.html"} <= article.outputs().keys()
    assert "第二段" in article.page("zh/posts/pair")
    assert "第二段" not in article.page("en/posts/pair")
    assert "第二段" in article.page("en/posts/pair/both")


def test_everything_around_the_articles_is_there(article: Space) -> None:
    article.build()
    expected = {
        *("index.html", "404.html", "sitemap.xml", "robots.txt", ".nojekyll"),
        *("zh/index.html", "en/index.html", "zh/feed.xml", "en/feed.xml", "zh/tags/index.html"),
        *("figures/bars/bars.zh.svg", "figures/bars/bars.en.png"),
    }
    assert expected <= article.outputs().keys()


def test_a_second_build_runs_no_task_and_touches_no_file(article: Space) -> None:
    article.build()
    before = {path: path.stat().st_mtime_ns for path in (article.root / "public").rglob("*")}
    result = article.build()
    assert ran(result) == []
    assert result.published is not None
    assert not result.published.written
    assert before == {path: path.stat().st_mtime_ns for path in (article.root / "public").rglob("*")}


def test_editing_one_paragraph_rebuilds_only_what_shows_it(article: Space) -> None:
    article.build()
    article.change("content/posts/pair/zh.md", "第二段。", "第二段，改过。")
    result = article.build()
    assert sorted(ran(result)) == [
        "alignment pair",  # reads both halves again, with the same result
        "article-outputs pair",
        "article-page pair:zh",
        "both-page pair:en",
        "both-page pair:zh",
        "document pair:zh",
        "feed zh.json",
        "feed zh.xml",
        "feed-entry pair:zh",
        "front-matter pair:zh",
        "keywords pair",
        "outline pair:zh",
        "references pair:zh",
        "site",
        "skeleton pair:zh",
    ]
    assert result.published is not None
    assert sorted(result.published.written) == [
        "en/posts/pair/both/index.html",
        "zh/feed.json",
        "zh/feed.xml",
        "zh/posts/pair/both/index.html",
        "zh/posts/pair/index.html",
    ]


def test_a_new_article_leaves_distant_pages_alone(article: Space) -> None:
    article.post("oldest", zh="最早。", en="Oldest.", date="2026-01-01")
    article.build()
    article.post("newest", zh="最新。", en="Newest.", date="2026-12-01")
    result = article.build(future=True)
    assert "article-page newest:zh" in ran(result)
    assert "article-page pair:zh" in ran(result)  # its neighbour is new
    assert "article-page other:zh" not in ran(result)
    assert "article-page oldest:zh" not in ran(result)


def test_a_changed_number_reaches_prose_and_figure_of_both_languages(article: Space) -> None:
    article.change("content/posts/pair/zh.md", "第二段。", "脊点{eval}`chips.h200.ridge | number(0)`。")
    article.build()
    assert "206" in article.page("zh/posts/pair")
    article.change("figures/chips.py", "206.04", "207.9")
    result = article.build()
    assert "208" in article.page("zh/posts/pair")
    assert "drawing bars@zh" not in ran(result)
    assert "article-page other:zh" not in ran(result)


def test_a_script_edited_without_changing_its_numbers_renders_no_prose_again(article: Space) -> None:
    article.change("content/posts/pair/zh.md", "第二段。", "脊点{eval}`chips.h200.ridge | number(0)`。")
    article.build()
    article.change("figures/chips.py", '"""The numbers of two chips."""', '"""The numbers of 2 chips."""')
    assert ran(article.build()) == ["data chips", "origins chips", "value-parts chips"]


def test_two_clean_builds_are_the_same_to_the_byte(article: Space) -> None:
    article.build(output="first")
    for cache in sorted((article.root / ".diglot").rglob("*"), reverse=True):
        cache.rmdir() if cache.is_dir() else cache.unlink()
    article.build(output="second", jobs=2)
    assert article.outputs("first") == article.outputs("second")


def test_an_incremental_build_equals_a_clean_one(article: Space, tmp_path: Path) -> None:
    article.build()
    article.change("content/posts/pair/en.md", "Second one.", "Second one, **edited**.")
    article.post("third", zh="新的。", en="New.", date="2026-10-15")
    article.remove("content/posts/other/zh.md")
    article.remove("content/posts/other/en.md")
    article.change("figures/bars.py", "[3, 5]", "[4, 7]")
    result = article.build()
    assert not errors(result), told(result)
    clean = Space(tmp_path / "clean")
    for path in article.root.rglob("*"):
        inside = path.relative_to(article.root)
        if path.is_file() and inside.parts[0] not in (".diglot", "public"):
            clean.write(inside.as_posix(), path.read_bytes())
    clean.build()
    assert article.outputs() == clean.outputs()


def test_drafts_and_future_articles_are_shown_only_when_asked_for(space: Space) -> None:
    space.post("draft", zh="草稿。", en="Draft.", draft="true")
    space.post("later", zh="以后。", en="Later.", date="2999-01-01")
    space.build()
    assert not any("draft" in path or "later" in path for path in space.outputs())
    space.build(drafts=True, future=True)
    assert {"zh/posts/draft/index.html", "en/posts/later/index.html"} <= space.outputs().keys()


def test_a_removed_article_leaves_no_file_behind(article: Space) -> None:
    article.build()
    for language in ("zh", "en"):
        article.remove(f"content/posts/other/{language}.md")
    article.build()
    assert not any("other" in path for path in article.outputs())


def test_an_alias_leads_to_the_half_that_claims_it(space: Space) -> None:
    space.post("moved", zh="搬了。", en="Moved.", aliases="[/2019/old/]")
    result = space.build()
    assert not errors(result), told(result)
    assert "/zh/posts/moved/" in space.page("2019/old")


def test_a_flat_pair_is_a_pair(space: Space) -> None:
    for language, text in (("zh", "平放。"), ("en", "Flat.")):
        space.write(
            f"content/posts/flat.{language}.md", f"---\ntitle: Flat\ndate: 2026-01-01\n---\n\n{text}\n"
        )
    assert not errors(space.build())
    assert "平放。" in space.page("zh/posts/flat")


def test_shared_keys_come_from_meta_yaml(space: Space) -> None:
    space.write("content/posts/shared/meta.yaml", "date: 2026-01-01\ntags: [roofline]\n")
    for language in ("zh", "en"):
        space.write(f"content/posts/shared/{language}.md", "---\ntitle: Shared\n---\n\nText.\n")
    assert not errors(space.build())
    assert {"zh/tags/roofline/index.html", "en/tags/roofline/index.html"} <= space.outputs().keys()


def test_an_only_half_has_no_twin_and_no_side_by_side_view(space: Space) -> None:
    space.post("alone", zh="只有中文。", en=None, only="zh")
    assert not errors(space.build())
    assert "zh/posts/alone/index.html" in space.outputs()
    assert not any(path.startswith("en/posts/alone") or "both" in path for path in space.outputs())


def test_a_picture_is_published_under_the_digest_of_its_content(space: Space) -> None:
    space.write(
        "content/posts/picture/dot.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    )
    space.post("picture", zh="![点](dot.svg)", en="![dot](dot.svg)")
    assert not errors(space.build())
    (picture,) = [path for path in space.outputs() if "/dot." in path]
    assert f"/{picture}" in space.page("zh/posts/picture")


def test_a_figure_of_the_articles_own_folder_and_one_in_a_fence(space: Space) -> None:
    space.write("content/posts/own/figures/own_bars.py", BARS)
    fence = "```{figure-script} fenced\n" + CHIPS + "```\n"
    embed = "```{figure} own_bars\nBars\n```\n\n"
    space.post("own", zh=f"{fence}\n{embed}{{eval}}`fenced.names[0]`", en=f"{embed}{{eval}}`fenced.names[0]`")
    result = space.build()
    assert not errors(result), told(result)
    assert "H200" in space.page("en/posts/own")


def test_a_build_with_nothing_to_do_loads_no_heavy_library(article: Space) -> None:
    article.build()
    heavy = (
        *("numpy", "matplotlib", "jinja2", "markdown_it", "pygments", "yaml"),
        *("starlette", "uvicorn", "watchdog", "asyncio"),
        *("logging", "concurrent.futures", "socket", "pickle", "json", "diglot.processes.forked_workers"),
    )
    script = (
        "import sys; from diglot.cli import main; assert main(['-q', 'build']) == 0; "
        f"print(*sorted(sys.modules.keys() & set({heavy!r})))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=article.root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "\n"), done.stderr


def test_the_formula_font_has_what_the_formulas_of_the_site_need(space: Space) -> None:
    def published() -> tuple[str, set[str]]:
        (path,) = (space.root / "public/assets/fonts").glob("diglot-math.*.woff")
        assert f"fonts/{path.name}" in next((space.root / "public/assets").glob("style.*.css")).read_text()
        return path.name, {chr(code) for code in TTFont(path).getBestCmap()}

    space.post("one", zh="没有公式。", en="No formula.")
    space.build()
    assert len(published()[1]) > 1000, "nobody fetches it, so it is left as it is"
    space.post("two", zh="设$x$。", en="Let $\\sqrt{y}$ and `$z$`.")
    space.build()
    name, characters = published()
    assert {*" xz09=√𝑥𝑧"} <= characters
    assert len(characters) < 200
    space.change("content/posts/two/zh.md", "$x$", "$x+1$")
    assert "asset fonts/diglot-math.woff" not in ran(space.build()), "they belong to the same group"
    space.change("content/posts/two/zh.md", "$x+1$", "$x \\approx 1$")
    space.build()
    assert published()[1] - characters == {"≈"}
    assert published()[0] != name


def test_a_killed_build_leaves_the_old_site_whole_and_the_next_one_right(article: Space) -> None:
    article.build()
    before = article.outputs()
    article.change("figures/bars.py", "[3, 5]", "[4, 7]")
    command = [sys.executable, "-m", "diglot", "-q", "build"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(command, cwd=article.root, env=environment) as process:
        try:
            process.wait(timeout=0.9)
        except subprocess.TimeoutExpired:
            process.kill()
    after = article.outputs()
    assert after.keys() == before.keys()
    result = article.build()
    assert not errors(result), told(result)
    assert "7" in article.page("en/posts/pair")


def test_tags_and_categories_have_pages_under_their_labels(space: Space) -> None:
    space.change("site/site.yaml", "tags:", "categories:\n  hardware: {zh: 硬件, en: Hardware}\ntags:")
    space.post("sorted", zh="归好类。", en="Sorted.", tags="[roofline]", categories="[hardware]")
    result = space.build()
    assert not errors(result), told(result)
    assert "硬件" in space.page("zh/categories/hardware")
    assert "Hardware" in space.page("en/categories")
    assert 'href="/en/categories/hardware/"' in space.page("en/posts/sorted")
    assert "屋顶线" in space.page("zh/tags/roofline")


def test_every_task_is_found_once_and_its_names_are_read_as_they_were_written(tmp_path: Path) -> None:
    modules = [
        import_module(one.name)
        for room in (diglot.rules, diglot.features, diglot.assembly)
        for one in walk_packages(room.__path__, f"{room.__name__}.")
    ]
    declared = [
        one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, Task) and one.module == module.__name__
    ]
    kinds = [one.kind for one in declared]
    rules = site_rules(tmp_path)
    assert sorted(kinds) == sorted(rules)
    assert rules[SITE.kind].code == rules.codes["diglot.assembly.outputs"]
    for name in (
        HalfId("a.b-c", "zh"),
        DrawingId(FigureRequest.parse("roofline?dtype=fp8"), "en"),
        DownloadId(DrawingId(FigureRequest.parse("bars?at=a@b.c"), "zh"), "csv"),
        TermListId("categories", "en"),
        TermId("tags", "a:b/c", "zh"),
    ):
        assert type(name).parse(str(name)) == name


def test_mistakes_in_one_line_are_told_in_one_order_whatever_ran(space: Space, tmp_path: Path) -> None:
    line = "See https://example.org/x and [nothing](nowhere.csv)."  # one is found in the text, one beside it
    space.post("a", zh="好。", en=f"{line}\n\nThe end.")
    first = space.build()
    space.change("content/posts/a/en.md", "The end.", "The very end.")
    again = space.build()
    assert "document a:en" in ran(again)
    clean = space.build(cache_folder=tmp_path / "clean")
    assert [one.rule for one in clean.diagnostics] == ["link-bare", "link-missing"]
    assert again.diagnostics == first.diagnostics == clean.diagnostics
    assert space.build().diagnostics == clean.diagnostics
