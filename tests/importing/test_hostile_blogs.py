"""Blogs that are odd in every way: all are imported, nothing is lost, and the first build succeeds."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml

from diglot.importing.site_import import Import, System, import_site
from diglot.importing.source_folder import SourceFile
from diglot.importing.writing.files import write_batches
from diglot.importing.writing.report import account, report_text
from diglot.project import load_project
from tests.hostile.profile import LONG
from tests.importing.hostile_blogs import CONFIGURATIONS, FILES, SIDE_FILES, SIDE_TEXTS, blog
from tests.importing.sources import HALF, HEXO, HUGO, JEKYLL, PNG, Imported, imported, write_source

SYSTEMS: tuple[System, ...] = ("jekyll", "hugo", "hexo")
POSTS = {
    "jekyll": "_posts/2020-01-01-a.md",
    "hugo": "content/posts/a.md",
    "hexo": "source/_posts/a.md",
}
POST = "---\ntitle: A\ndate: 2020-01-01\n---\nText in English.\n"
WRONG: tuple[Any, ...] = (
    *(
        "text",
        5,
        1.5,
        True,
        None,
        [],
        {},
        ["a"],
        [None],
        [["a"]],
        [{"a": 1}],
        {"a": "b"},
        {"a": None},
        {5: [1]},
    ),
    *({"a": {"b": ["c"]}}, "2020-01-01", "/", "..", ":year/:nothing/", float("inf"), 10**30, "中文", ""),
)
SEEDS = 5


def write_where_possible(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write the files, but those that need a folder where there is a file, or the other way round."""
    for path, content in files.items():
        with suppress(FileExistsError, NotADirectoryError, IsADirectoryError):
            write_source(root, {path: content})
    return root


def assert_everything_is_accounted_for(result: Import, source: Path) -> None:
    """Every file of the source is in one group, and every copy and article of the project is named."""
    ledger = result.ledger
    paths = [entry.path for entry in (*ledger.converted, *ledger.copied, *ledger.left)]
    paths += [*ledger.included, *ledger.configurations]
    assert len(paths) == len(set(paths))
    assert ledger.count == sum(len(files) for _, _, files in os.walk(source))
    named = {path for entry in (*ledger.converted, *ledger.copied) for path in entry.became}
    written = {path for batch in result.batches for path in batch.files}
    copies = {
        path
        for batch in result.batches
        for path, content in batch.files.items()
        if isinstance(content, SourceFile)
    }
    assert copies <= named
    assert {path for path in named - written if not path.endswith((".md", ".md/"))} == set()
    report = report_text((), result.findings, ledger, command="x")
    assert f"{account(ledger)}." in report
    assert all(f"- `{path}" in report for path in paths if path.isprintable() and "`" not in path)


@pytest.mark.parametrize("system", SYSTEMS)
def test_all_files_of_odd_blogs_are_accounted_for(system: System, tmp_path: Path) -> None:
    for seed in range(SEEDS):
        source = write_where_possible(tmp_path / str(seed), blog(system, seed))
        assert_everything_is_accounted_for(import_site(system, source), source)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_first_build_of_an_odd_blog_succeeds(system: System, tmp_path: Path) -> None:
    source = write_where_possible(tmp_path / "source", blog(system, 1000, count=60))
    result = import_site(system, source)
    root = tmp_path / "project"
    write_batches(list(result.batches), root)
    Imported(result, root).build()


def wrong_configurations(system: System) -> Iterator[dict[str, Any]]:
    """Configurations in which one value has another type, at the top or one level below."""
    right = CONFIGURATIONS[system]
    for key, value in right.items():
        for other in WRONG:
            yield {**right, key: other}
            if isinstance(value, dict):
                for inner in value:
                    yield {**right, key: {**value, inner: other}}
            elif isinstance(value, list):
                yield {**right, key: [other, *value]}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_value_of_any_type_in_any_place_of_a_configuration_costs_only_itself(
    system: System, tmp_path: Path
) -> None:
    wrong = []
    loaded = set()
    write_source(tmp_path, {POSTS[system]: POST})
    for number, configuration in enumerate(wrong_configurations(system)):
        if number % 3 and not LONG:
            continue  # each type is in other places then, and each place has other types
        text = yaml.safe_dump(configuration, allow_unicode=True)
        (tmp_path / FILES[system]).write_text(text, "utf-8")
        try:
            result = import_site(system, tmp_path)
        except Exception as error:  # what an outsider would call a crash
            wrong.append((number, configuration, repr(error)))
            continue
        files = {path: content for batch in result.batches for path, content in batch.files.items()}
        if (made := str(files["site/site.yaml"])) not in loaded:
            load_project(made, "site/site.yaml")
            loaded.add(made)
        if not any(path.startswith("content/posts/a/") for path in files) or result.ledger.count != 2:
            wrong.append((number, configuration, sorted(files)))
    assert not wrong


@pytest.mark.parametrize(
    ("system", "configuration", "message"),
    [
        (
            "jekyll",
            "title: [a]",
            "_config.yml:1: `title` has a list where a text is expected; it is not used",
        ),
        ("jekyll", "url: x\nauthor: {name: [b]}", "_config.yml:2: `author.name` has a list where a text is"),
        ("jekyll", "collections: text", "`collections` has a text (text) where a mapping is expected"),
        ("jekyll", "defaults: {a: b}", "`defaults` has a mapping where a list is expected"),
        ("jekyll", "permalink: /:nothing/", "`permalink: /:nothing/` has a word that is not known"),
        ("jekyll", "source: ../x", "`source: ../x` is no folder of the blog; it is not used"),
        ("hugo", "params: [a]", "`params` has a list where a mapping is expected"),
        ("hugo", "permalinks: [a]", "`permalinks` has a list where a mapping is expected"),
        ("hugo", "permalinks: {posts: [a]}", "`permalinks.posts` has a list where a text is expected"),
        ("hugo", "languages: {zh: x}", "`languages.zh` has a text (x) where a mapping is expected"),
        ("hugo", "menu: {main: {a: b}}", "`menu.main` has a mapping where a list is expected"),
        ("hugo", "baseURL: example.org", '"example.org" is not the address of a site'),
        ("hugo", "defaultContentLanguageInSubdir: 5", "has a number (5) where true or false is expected"),
        ("hexo", "theme: [a]", "`theme` has a list where a text is expected"),
        ("hexo", "menu: 2020-01-01", "`menu` has a date (2020-01-01) where a mapping is expected"),
        ("hexo", "source_dir: /etc", '`source_dir: /etc` is no folder of the blog; "source" is read'),
        ("hexo", "- a\n- b", "_config.yml: it has no keys at its top, and nothing of it is used"),
    ],
)
def test_a_value_of_the_wrong_type_is_told(
    system: System, configuration: str, message: str, tmp_path: Path
) -> None:
    site = imported(system, tmp_path, {FILES[system]: f"{configuration}\n", POSTS[system]: POST})
    assert [one for one in site.told() if message in one], site.told()


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_optional_file_costs_at_most_what_it_holds(system: System, tmp_path: Path) -> None:
    configuration = {"jekyll": JEKYLL, "hugo": HUGO, "hexo": {"_config.yml": "title: T\ntheme: next\n"}}[
        system
    ]
    for name in SIDE_FILES[system]:
        for number, text in enumerate(SIDE_TEXTS):
            source = write_source(
                tmp_path / f"{number}-{Path(name).stem}", {**configuration, POSTS[system]: POST, name: text}
            )
            result = import_site(system, source)
            assert result.single == 1
            assert_everything_is_accounted_for(result, source)
            left = {entry.path for entry in result.ledger.left}
            assert name in left or name in result.ledger.configurations
            if name in left:
                assert [finding for finding in result.findings if finding.path == name]


LEVELS = "".join(f"k{n}: &k{n} [{', '.join([f'*k{n - 1}'] * 10)}]\n" for n in range(1, 9))
MATTERS = (
    f"---\ntitle: A\nk0: &k0 [{', '.join('x' * 10)}]\n{LEVELS}---\n",
    "---\ntitle: A\nx: &x {y: *x}\n---\n",
    f"---\ntitle: A\nx: {'[' * 5000}{']' * 5000}\n---\n",
    f'{{\n"title": "A", "x": {"[" * 5000}{"]" * 5000}}}\n',
    f"+++\ntitle = 'A'\nx = {'[' * 5000}{']' * 5000}\n+++\n",
    f"---\ntitle: A\nx: {'9' * 100_000}\ny: 0x{'f' * 100_000}\n---\n",
    '---\ntitle: "\\ud800A\\u0000"\nx: "\\ufffe"\n---\n',
    "---\ntitle: A\ndate: 2020-02-31\n? [a, b]\n: c\n---\n",
    "---\ntitle: A\n<<: 5\n---\n",
    "---\ntitle: A\nx: !!python/object:os.system [a]\ny: !!binary '*'\nz: !!set {a, b}\n---\n",
    "---\n- a\n- b\n---\n",
    "---\ntitle: A\n",
)


@pytest.mark.parametrize("system", SYSTEMS)
def test_front_matter_that_grows_without_end_or_is_broken_is_imported(system: System, tmp_path: Path) -> None:
    folder = POSTS[system].rpartition("/")[0]
    posts = {
        f"{folder}/2020-01-0{1 + n % 9}-p{n}.md": f"{text}Text in English.\n"
        for n, text in enumerate(MATTERS)
    }
    site = imported(system, tmp_path, {FILES[system]: "title: T\n", **posts})
    assert site.result.single == len(MATTERS)
    assert all("Text in English." in site.text(path) for path in site.files() if path.endswith("en.md"))
    site.build()


@pytest.mark.parametrize(
    ("permalinks", "address"),
    [
        ("{post: /p/:slug/, page: /:slug/}", "/p/a/"),
        ("{page: {post: /q/:slug/}, section: {post: /s/}}", "/q/a/"),
        ("{post: /p/:slug/, page: {other: /x/}}", "/p/a/"),
        ("{Post: /p/:slug/}", "/p/a/"),
        ("{page: /:slug/}", "/post/a/"),
        ("{post: {a: b}}", "/post/a/"),
        ("{post: /:nothing/}", "/post/a/"),
        ("text", "/post/a/"),
        ("[{pattern: /x/}]", "/post/a/"),
        ("null", "/post/a/"),
    ],
)
def test_permalinks_of_every_shape(permalinks: str, address: str, tmp_path: Path) -> None:
    site = imported(
        "hugo",
        tmp_path,
        {
            "config.yaml": f"title: T\nbaseURL: https://x.example/\npermalinks: {permalinks}\n",
            "content/post/a.md": POST,
        },
    )
    assert f"aliases:\n  - {address}\n" in site.matter("content/posts/a/en.md")


def test_collections_are_imported_and_others_are_told(tmp_path: Path) -> None:
    site = imported(
        "jekyll",
        tmp_path,
        {
            "_config.yml": "title: T\nurl: https://x.example\npermalink: /:title/\n"
            "collections:\n  cn: {output: true, permalink: '/cn/:title/'}\n  docs: {output: true}\n"
            "  data: {}\n",
            "_posts/2020-02-03-x.md": "---\ntitle: X\nlang: en\n---\nSee [it](/docs/sub/b/).\n",
            "_cn/2020-02-03-x.md": "---\ntitle: 某\n---\n一段中文文字。\n",
            "_docs/sub/b.md": "---\ntitle: B\n---\nText in English.\n",
            "_cn/z.md": "---\ntitle: 再\ndate: 2020-03-04\n---\n一段中文文字。\n",
            "_cn/y.md": "---\ntitle: 又\n---\n一段中文文字。\n",
            "_posts/2020-03-05-y.md": "---\ntitle: Y\nlang: en\n---\nText in English.\n",
            "RELEASE.md": "How to release.\n",
            "_docs/empty.md": "---\ntitle: E\n---\n",
            "_data/c.md": "---\ntitle: C\n---\nText in English.\n",
            "_notes/d.md": "---\ntitle: D\n---\nText in English.\n",
        },
    )
    assert site.body("content/posts/x/zh.md") == "一段中文文字。"
    assert "only: zh\n" in site.matter("content/posts/z/zh.md")
    assert site.body("content/posts/y/zh.md") == "一段中文文字。"
    assert site.body("content/posts/y/en.md") == "Text in English."
    assert "  - /cn/x/\n" in site.matter("content/posts/x/zh.md")
    assert site.body(HALF) == "See [it](/docs/sub/b/)."
    assert site.matter("content/pages/docs/sub/b/en.md") == (
        "title: B\nonly: en\naliases:\n  - /docs/sub/b/\n"
    )
    assert "draft: true\n" in site.matter("content/pages/data/c/en.md")
    told = "\n".join(site.told())
    assert '_notes/d.md: the site does not publish "_notes/": its Markdown files, 1, are not imported' in told
    assert "RELEASE.md: it has no front matter and is not imported" in told
    assert "_docs/empty.md: it has no text and is not imported" in told
    site.build()


@pytest.mark.parametrize(
    ("system", "path", "place"),
    [
        ("hugo", "content/page/about.md", "about"),
        ("hugo", "content/tags.md", "tags-page"),
        ("hugo", "content/authors/ada.md", "authors-ada"),
        ("jekyll", "tags/git.md", "tags-git"),
        ("jekyll", "archive/2020.md", "archive-2020"),
        ("jekyll", "home.md", "home-page"),
        ("hexo", "source/archive/index.md", "archive-page"),
        ("hexo", "source/talks/a/index.md", "talks-a"),
        ("hexo", "source/figures/index.md", "figures-page"),
        ("hexo", "source/x/both/index.md", "x/both-page"),
        ("hexo", "source/posts/page/series/index.md", "series-page"),
        ("hexo", "source/" + "long-name-of-a-folder/" * 30 + "index.md", None),
    ],
)
def test_a_page_at_an_address_of_diglots_own_is_moved(
    system: System, path: str, place: str | None, tmp_path: Path
) -> None:
    files: dict[str, str | bytes] = {
        FILES[system]: "title: T\nurl: https://x.example\nbaseURL: https://x.example/\n"
    }
    page = "---\ntitle: P\n---\nText in English.\n"
    site = imported(system, tmp_path, {**files, path: page, POSTS[system]: POST})
    pages = [name for name in site.files() if name.startswith("content/pages/")]
    assert len(pages) == 1
    if place is not None:
        assert pages == [f"content/pages/{place}/en.md"]
        assert "aliases:\n" in site.matter(pages[0])
    assert [
        one for one in site.told() if "diglot uses the address of" in one or "its path is too long" in one
    ]
    site.build()


def test_an_article_that_loses_text_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "One sentence of many words. " * 20
    files: dict[str, str | bytes] = {**HEXO, "source/_posts/a.md": f"---\ntitle: A\n---\n{body}\n"}
    assert not [one for one in imported("hexo", tmp_path, files).told() if "are missing" in one]
    monkeypatch.setattr(
        "diglot.importing.site_import.finish",
        lambda text, *rest: text.replace([(0, len(text.text) // 2, "")]),
    )
    (tmp_path / "again").mkdir()
    told = imported("hexo", tmp_path / "again", files).told()
    assert [one for one in told if one.startswith("source/_posts/a.md: 220 of 440 letters and digits")], told


@pytest.mark.parametrize(
    "body", ["# A\n\nShort text.", "> [!NOTE]\n> Short text.", "[TOC]\n\nShort text.", "Short :rocket: text."]
)
def test_marks_and_the_title_are_no_text_that_is_lost(tmp_path: Path, body: str) -> None:
    site = imported("hexo", tmp_path, {**HEXO, "source/_posts/a.md": f"---\ntitle: A\n---\n{body}\n"})
    assert not [one for one in site.told() if "are missing" in one]


def test_a_word_that_a_short_article_loses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "diglot.importing.site_import.finish", lambda text, *rest: text.replace([(0, len("Four"), "")])
    )
    files: dict[str, str | bytes] = {
        **HEXO,
        "source/_posts/a.md": "---\ntitle: A\n---\nFour words of short text.\n",
    }
    told = imported("hexo", tmp_path, files).told()
    assert [one for one in told if one.startswith("source/_posts/a.md: 4 of 20 letters and digits")], told


def test_files_that_differ_in_case_only_and_long_names_do_not_stop_a_build(tmp_path: Path) -> None:
    site = imported(
        "hexo",
        tmp_path,
        {
            **HEXO,
            "source/_posts/a.md": f"---\ntitle: A\ndate: 2020-01-01\n---\n![x](/img/{'n' * 230}.png)\n",
            f"source/img/{'n' * 230}.png": PNG,
            "source/x/a.png": PNG,
            "source/x/A.png": PNG,
            "source/X/b.png": PNG,
            "source/site.webmanifest": "{}",
            "source/_redirects": "/a /b",
        },
    )
    assert_everything_is_accounted_for(site.result, tmp_path / "source of the blog")
    site.build()
