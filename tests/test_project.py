"""site.yaml: every key, every form of its value, and the diagnostics for wrong ones."""

import pytest

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.languages import Bilingual
from diglot.project import (
    DEFAULT_TIMEOUT_S,
    NavigationEntry,
    Person,
    Project,
    Term,
    load_project,
)

LEAST = "title: {zh: 站, en: Site}\nbase_url: https://example.org/\n"
PATH = "site/site.yaml"


def _load(more: str = "") -> Project:
    return load_project(LEAST + more, PATH)


def _mistakes(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(DiagnosticError) as caught:
        load_project(text, PATH)
    return caught.value.diagnostics


def _mistake(more: str) -> Diagnostic:
    (found,) = _mistakes(LEAST + more)
    assert found.location is not None
    assert found.location.path == PATH
    return found


def test_a_title_and_an_address_are_enough() -> None:
    project = _load()
    assert project == Project(
        title=Bilingual(zh="站", en="Site"),
        description=Bilingual(zh="", en=""),
        base_url="https://example.org/",
    )
    assert (project.feed_entries, project.figure_timeout_s, project.frames) == (20, DEFAULT_TIMEOUT_S, 200)
    assert project.editor is None


def test_every_key_is_read() -> None:
    project = _load("""\
description: {zh: 述, en: About}
authors:
  ada: {name: {zh: 艾达, en: Ada}, url: https://ada.example/}
  bob: {name: Bob}
tags:
  roofline: {zh: 屋顶线, en: Roofline}
  gpu: GPU
categories:
  hardware: {zh: 硬件, en: Hardware}
navigation:
  - {label: {zh: 文, en: Articles}, path: /}
  - {label: Code, path: https://code.example/}
licence: {zh: 许可, en: CC BY}
feed_entries: 5
figure_timeout_s: 0.5
frames: 64
preview: {editor: zed}
""")
    assert project.description == Bilingual(zh="述", en="About")
    assert project.authors == (
        Person(id="ada", name=Bilingual(zh="艾达", en="Ada"), url="https://ada.example/"),
        Person(id="bob", name=Bilingual(zh="Bob", en="Bob")),
    )
    assert project.tags == (
        Term(id="roofline", label=Bilingual(zh="屋顶线", en="Roofline")),
        Term(id="gpu", label=Bilingual(zh="GPU", en="GPU")),
    )
    assert project.categories == (Term(id="hardware", label=Bilingual(zh="硬件", en="Hardware")),)
    assert project.navigation == (
        NavigationEntry(label=Bilingual(zh="文", en="Articles"), path="/"),
        NavigationEntry(label=Bilingual(zh="Code", en="Code"), path="https://code.example/"),
    )
    assert project.licence == Bilingual(zh="许可", en="CC BY")
    assert (project.feed_entries, project.figure_timeout_s, project.frames) == (5, 0.5, 64)
    assert project.editor == "zed://file{path}:{line}:{column}"


def test_keys_with_nothing_behind_them_count_as_left_out() -> None:
    keys = ("description", "authors", "tags", "categories", "navigation", "licence", "feed_entries")
    assert _load("".join(f"{key}:\n" for key in keys)) == _load()


@pytest.mark.parametrize(
    ("written", "base_url", "base_path", "origin"),
    [
        ("https://example.org", "https://example.org/", "/", "https://example.org"),
        ("https://example.org/", "https://example.org/", "/", "https://example.org"),
        ("https://example.org/blog", "https://example.org/blog/", "/blog/", "https://example.org"),
        ("https://example.org/a/b/", "https://example.org/a/b/", "/a/b/", "https://example.org"),
        ("http://localhost:8000", "http://localhost:8000/", "/", "http://localhost:8000"),
        ("http://[::1]:8000/x", "http://[::1]:8000/x/", "/x/", "http://[::1]:8000"),
        ("https://user.github.io/repo", "https://user.github.io/repo/", "/repo/", "https://user.github.io"),
        ("HTTPS://Example.org/Blog", "https://example.org/Blog/", "/Blog/", "https://example.org"),
        ("https://例子.example/", "https://xn--fsqu00a.example/", "/", "https://xn--fsqu00a.example"),
        (
            "https://Bücher。Example:80/x",
            "https://xn--bcher-kva.example:80/x/",
            "/x/",
            "https://xn--bcher-kva.example:80",
        ),
        ("https://example.org/文", "https://example.org/%E6%96%87/", "/%E6%96%87/", "https://example.org"),
        (
            "https://example.org/%E6%96%87/",
            "https://example.org/%E6%96%87/",
            "/%E6%96%87/",
            "https://example.org",
        ),
    ],
)
def test_the_address_of_a_site_ends_with_a_slash(
    written: str, base_url: str, base_path: str, origin: str
) -> None:
    project = load_project(f"title: Site\nbase_url: {written}\n", PATH)
    assert (project.base_url, project.base_path, project.origin) == (base_url, base_path, origin)


@pytest.mark.parametrize(
    "written",
    [
        '""',
        "example.org",
        "/blog/",
        "//example.org/",
        "ftp://example.org/",
        "https://",
        "https:///blog/",
        "https://:80/",
        "https://example.org:port/",
        "https://example.org:99999/",
        '"http://[::1/"',
        "https://user:word@example.org/",
        "https://example.org/?x=1",
        '"https://example.org/#top"',
        "https://example.org/a/../b/",
        "https://example.org//b/",
        '"https://example.org/a b/"',
        '"https://exa mple.org/"',
        "https://example.org/index.html",
        '"https://example.org/<x>/"',
        "mailto:a@example.org",
    ],
)
def test_what_is_no_address_of_a_site_is_told_with_an_example(written: str) -> None:
    (found,) = _mistakes(f"title: Site\nbase_url: {written}\n")
    assert str(found.location) == f"{PATH}:2:11"
    assert "is not the address of a site" in found.message
    assert found.fix == "write the complete address, as in https://example.org/ or https://example.org/blog/."


@pytest.mark.parametrize("text", ["", "# nothing\n", "title:\nbase_url:\n"])
def test_both_keys_that_must_be_there_are_missed(text: str) -> None:
    assert [found.message for found in _mistakes(text)] == ["title is missing", "base_url is missing"]


@pytest.mark.parametrize(
    ("more", "line", "message"),
    [
        ("description: 3\n", 3, "description: expected text, or {zh: …, en: …}, found the number 3"),
        ("description: {zh: 述}\n", 3, "description.en is missing"),
        ("description: {zh: 1, en: a}\n", 3, "description.zh: expected text, found the number 1"),
        ("authors: [ada]\n", 3, "authors: expected a mapping of `key: value` lines, found a list"),
        (
            "authors:\n  ada: Ada\n",
            4,
            'authors.ada: expected a mapping of `key: value` lines, found the text "Ada"',
        ),
        ("authors:\n  ada: {url: https://x.example}\n", 4, "authors.ada.name is missing"),
        ("authors:\n  ada: {name: A, url: 3}\n", 4, "authors.ada.url: expected text, found the number 3"),
        ("authors:\n  ada:\n", 4, "authors.ada has no name"),
        (
            "authors:\n  ada: {name: A, url: 'javascript:x'}\n",
            4,
            'authors.ada.url: "javascript:x" is not a complete',
        ),
        ("tags: gpu\n", 3, 'tags: expected a mapping of `key: value` lines, found the text "gpu"'),
        ("tags:\n  GPU: GPU\n", 4, '"GPU" cannot be part of an address'),
        ("tags:\n  a--b: x\n", 4, '"a--b" cannot be part of an address'),
        ("tags:\n  脉动: x\n", 4, '"脉动" cannot be part of an address'),
        ("tags:\n  gpu: {zh: 图}\n", 4, "tags.gpu.en is missing"),
        ("tags:\n  gpu: [x]\n", 4, "tags.gpu: expected text, or {zh: …, en: …}, found a list"),
        ("tags:\n  gpu:\n", 4, "tags.gpu has no label"),
        ("categories:\n  a b: x\n", 4, '"a b" cannot be part of an address'),
        ("navigation: {label: x}\n", 3, "navigation: expected a list, found a mapping"),
        (
            "navigation:\n  - x\n",
            4,
            'navigation[0]: expected a mapping of `key: value` lines, found the text "x"',
        ),
        ("navigation:\n  - {label: x}\n", 4, "navigation[0].path is missing"),
        ("navigation:\n  - {path: /}\n", 4, "navigation[0].label is missing"),
        ("navigation:\n  - {label: x, path: tags/}\n", 4, '"tags/" does not begin with / or https://'),
        ("licence: true\n", 3, "licence: expected text, or {zh: …, en: …}, found true"),
        ("feed_entries: 0\n", 3, "feed_entries: 0 is below 1"),
        ("feed_entries: 2.5\n", 3, "feed_entries: expected a whole number, found the number 2.5"),
        ("feed_entries: true\n", 3, "feed_entries: expected a whole number, found true"),
        ("figure_timeout_s: 0\n", 3, "figure_timeout_s: 0 is not above 0"),
        ("figure_timeout_s: -1.5\n", 3, "figure_timeout_s: -1.5 is not above 0"),
        ("figure_timeout_s: .inf\n", 3, "figure_timeout_s: inf is not a number of seconds"),
        ("figure_timeout_s: .nan\n", 3, "figure_timeout_s: nan is not a number of seconds"),
        ("preview: {editor: notepad}\n", 3, 'preview.editor: "notepad" is not a known editor'),
        ("preview: vscode\n", 3, "preview: expected a mapping"),
        ("tags:\n  gpu: {zh: 图, en: x, fr: y}\n", 4, 'tags.gpu: "fr" is not a language of the site'),
        ("figure_timeout_s: 60 s\n", 3, 'figure_timeout_s: expected a number, found the text "60 s"'),
    ],
)
def test_a_wrong_value_is_told_with_its_line(more: str, line: int, message: str) -> None:
    found = _mistake(more)
    assert found.location is not None
    assert found.location.line == line
    assert found.message.startswith(message)
    assert found.source_line == (LEAST + more).splitlines()[line - 1]


@pytest.mark.parametrize(
    ("more", "fix"),
    [
        ("authors: Ada\n", "write its keys on lines of their own below it, indented by two spaces."),
        ("figure_timeout_s: 60 s\n", "write 60, without a unit and without quotes."),
        ("list_entries: many\n", "write it in digits, without a unit and without quotes."),
    ],
)
def test_a_value_of_another_kind_says_what_to_write(more: str, fix: str) -> None:
    assert _mistake(more).fix == fix


@pytest.mark.parametrize(
    ("more", "name", "fix"),
    [
        ("tilte: x\n", "tilte", 'did you mean "title"?'),
        ("base-url: x\n", "base-url", 'did you mean "base_url"?'),
        (
            "theme: dark\n",
            "theme",
            "delete it, and change what `diglot theme copy` brings into templates/.",
        ),
        ("baseURL: x\n", "baseURL", "it is called `base_url` here, the whole address."),
        ("siteURL: x\n", "siteURL", "it is called `base_url` here, the whole address."),
        ("buildDrafts: true\n", "buildDrafts", "delete it, and build with --drafts, --future or --strict."),
        ("edit_url: x\n", "edit_url", "it is called `source_url` here, the address of a folder."),
        ("license: x\n", "license", 'did you mean "licence"?'),
        ("authors:\n  ada: {nmae: A, name: A}\n", "authors.ada.nmae", 'did you mean "name"?'),
        ("navigation:\n  - {label: x, path: /, lable: y}\n", "navigation[0].lable", 'did you mean "label"?'),
        ("tags:\n  gpu: {zh: 图, en: x, eng: y}\n", "tags.gpu.eng", 'did you mean "en"?'),
    ],
)
def test_an_unknown_key_gets_a_suggestion(more: str, name: str, fix: str) -> None:
    found = _mistake(more)
    assert found.message == f'unknown key "{name}"'
    assert found.fix == fix


def test_a_host_that_no_registry_has_is_no_base_url() -> None:
    for host, fix in (("example.con", 'write ".com" for ".con".'), ("www_a.org", 'write "www.a.org" for')):
        text = f"title: x\nbase_url: https://{host}/\n"
        with pytest.raises(DiagnosticError) as caught:
            load_project(text, "site.yaml")
        assert (caught.value.diagnostics[0].fix or "").startswith(fix)
    for host in ("localhost:8000", "intranet", "127.0.0.1", "xn--fsqu00a.xn--0zwm56d"):
        assert load_project(f"title: x\nbase_url: http://{host}/\n", "site.yaml").base_url


def test_all_mistakes_are_told_at_once() -> None:
    found = _mistakes("title: 3\nbase_url: nowhere\nfeed_entries: none\ntgas: {}\n")
    assert [one.location and one.location.line for one in found] == [1, 2, 3, 4]
