"""Articles are found in every layout that people come with, mixed in one site."""

from random import Random

import pytest

from diglot.rules.layouts import HalfFile, Misnamed, Section, read_path, twin_path, with_code
from tests.space import Space, errors, told

POSTS, PAGES = Section("posts"), Section("pages", nested=True)


@pytest.mark.parametrize(
    ("path", "name", "language", "twin"),
    [
        ("content/posts/a/zh.md", "a", "zh", "content/posts/a/en.md"),
        ("content/posts/a/zh-CN.md", "a", "zh", "content/posts/a/en.md"),
        ("content/posts/a.en.md", "a", "en", "content/posts/a.zh.md"),
        ("content/posts/a.zh-cn.md", "a", "zh", "content/posts/a.en.md"),
        ("content/posts/a.zh_CN.md", "a", "zh", "content/posts/a.en.md"),
        ("content/posts/a.ZH-Hans.md", "a", "zh", "content/posts/a.en.md"),
        ("content/posts/a.en-us.md", "a", "en", "content/posts/a.zh.md"),
        ("content/posts/py-3.9.zh.md", "py-3.9", "zh", "content/posts/py-3.9.en.md"),
        ("content/posts/a.md", "a", "zh", "content/posts/a.en.md"),
        ("content/posts/a/index.md", "a", "zh", "content/posts/a/index.en.md"),
        ("content/posts/a/index.zh.md", "a", "zh", "content/posts/a/index.en.md"),
        ("content/posts/a/index.en_GB.md", "a", "en", "content/posts/a/index.zh.md"),
        ("content/zh/posts/a.md", "a", "zh", "content/en/posts/a.md"),
        ("content/zh-cn/posts/a/index.md", "a", "zh", "content/en/posts/a/index.md"),
        ("content/en-US/posts/a.md", "a", "en", "content/zh/posts/a.md"),
    ],
)
def test_a_path_says_which_half_of_which_article_it_is(
    path: str, name: str, language: str, twin: str
) -> None:
    half = read_path(path, POSTS, "zh")
    assert isinstance(half, HalfFile)
    assert (half.name, half.language, twin_path(half, [path])) == (name, language, twin)


def test_a_half_that_names_no_language_is_in_the_first_one() -> None:
    half = read_path("content/posts/a/index.md", POSTS, "en")
    assert isinstance(half, HalfFile)
    assert (half.language, twin_path(half, [])) == ("en", "content/posts/a/index.zh.md")


def test_the_twin_belongs_into_the_folder_that_the_other_language_has() -> None:
    paths = ["content/zh-cn/posts/a.md", "content/en-us/posts/b.md"]
    half = read_path(paths[0], POSTS, "zh")
    assert isinstance(half, HalfFile)
    assert twin_path(half, paths) == "content/en-us/posts/a.md"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("content/pages/projects/talks/en.md", "projects/talks"),
        ("content/pages/projects/talks.en.md", "projects/talks"),
        ("content/pages/projects/talks/index.en.md", "projects/talks"),
        ("content/en/pages/projects/talks.md", "projects/talks"),
        ("content/en/pages/projects/talks/index.md", "projects/talks"),
    ],
)
def test_names_of_pages_may_have_folders(path: str, name: str) -> None:
    half = read_path(path, PAGES, "zh")
    assert isinstance(half, HalfFile)
    assert (half.name, half.language) == (name, "en")


@pytest.mark.parametrize(
    "path",
    [
        "content/posts/README.md",
        "content/posts/a/notes.md",
        "content/posts/_index.md",
        "content/zh/posts/_index.zh.md",
        "content/posts/a/stack.png",
        "content/drafts/posts/a.md",
        "content/zh/about.md",
    ],
)
def test_notes_and_other_files_are_left_alone(path: str) -> None:
    assert read_path(path, POSTS, "zh") is None


@pytest.mark.parametrize(
    ("path", "message", "fix"),
    [
        (
            "content/posts/a.fr.md",
            '"fr" is not a language of this site',
            "name it content/posts/a.zh.md or content/posts/a.en.md; "
            "a name that begins with _ is left alone.",
        ),
        (
            "content/posts/a/index.zh-tw.md",
            '"zh-tw" is not a language of this site',
            "name it content/posts/a/index.zh.md or content/posts/a/index.en.md; "
            "a name that begins with _ is left alone.",
        ),
        (
            "content/fr/posts/a.md",
            '"fr" is not a language of this site',
            "name it content/zh/posts/a.md or content/en/posts/a.md; "
            "a name that begins with _ is left alone.",
        ),
        (
            "content/posts/a/draft.md",
            "this file is not a half of an article",
            "name it content/posts/a/zh.md or en.md, or content/posts/a.zh.md or .en.md; "
            "a name that begins with _ is left alone.",
        ),
        (
            "content/posts/zh/a.md",
            "this file is not a half of an article",
            "rename it to content/posts/a/zh.md; a name that begins with _ is left alone.",
        ),
        (
            "content/posts/a/english.md",
            "this file is not a half of an article",
            "rename it to content/posts/a/en.md; a name that begins with _ is left alone.",
        ),
        (
            "content/posts/english.md",
            '"english" names the language of a half, but not its article',
            "name it content/posts/<slug>/en.md, or content/posts/<slug>.en.md; "
            "a name that begins with _ is left alone.",
        ),
        (
            "content/posts/2026/b7/en.md",
            'articles are in folders directly below content/posts/, not in "2026/b7"',
            "rename it to content/posts/b7/en.md; a name that begins with _ is left alone.",
        ),
        (
            "content/posts/2026/b7.md",
            "this file is not a half of an article",
            "name it content/posts/b7/zh.md or en.md, or content/posts/b7.zh.md or .en.md; "
            "a name that begins with _ is left alone.",
        ),
        (
            "content/zh/posts/a.en.md",
            "this file is not a half of an article",
            "name it content/zh/posts/a.md or content/zh/posts/a/index.md; the folder zh says its language.",
        ),
    ],
)
def test_a_wrong_name_is_told_with_the_right_one(path: str, message: str, fix: str) -> None:
    found = read_path(path, POSTS, "zh")
    assert isinstance(found, Misnamed)
    assert (found.message, found.fix) == (message, fix)


def test_the_variant_of_a_file_has_the_language_before_its_ending() -> None:
    assert with_code("content/posts/a/stack.png", "zh") == "content/posts/a/stack.zh.png"
    assert with_code("site/static/a.b/data", "en") == "site/static/a.b/data.en"


FRONT = "---\ntitle: {title}\ndate: 2026-11-01\n{more}---\n\n{body}\n"


def half(title: str, body: str = "Text.", more: str = "") -> str:
    """A half of an article."""
    return FRONT.format(title=title, body=body, more=more)


def test_layouts_are_mixed_in_one_site(space: Space) -> None:
    pairs = [
        ("content/posts/folder/zh.md", "content/posts/folder/en.md"),
        ("content/posts/flat.zh_CN.md", "content/posts/flat.EN-us.md"),
        ("content/posts/bundle/index.md", "content/posts/bundle/index.en.md"),
        ("content/posts/plain.md", "content/posts/plain.en.md"),
        ("content/zh-cn/posts/apart.md", "content/en/posts/apart/index.md"),
        ("content/posts/mixed/index.zh.md", "content/en/posts/mixed.md"),
    ]
    for zh, en in pairs:
        space.write(zh, half("中文"))
        space.write(en, half("English"))
    result = space.build()
    assert told(result) == ""
    for name in ("folder", "flat", "bundle", "plain", "apart", "mixed"):
        assert "中文" in space.page(f"zh/posts/{name}")
        assert "English" in space.page(f"en/posts/{name}")
        assert "中文" in space.page(f"en/posts/{name}/both")
    assert space.build().report.ran == ()


def test_links_by_file_lead_to_the_half_in_every_layout(space: Space) -> None:
    space.write("content/posts/a.zh-cn.md", half("甲"))
    space.write("content/posts/a.en.md", half("A"))
    space.write("content/zh/posts/b.md", half("乙", "[1](c.md), [2](../../posts/a.zh-cn.md)"))
    space.write("content/en/posts/b.md", half("B", "[1](../../zh/posts/c.md#x), [2](c)"))
    space.write("content/zh/posts/c.md", half("丙", "## X {#x}"))
    space.write("content/en/posts/c/index.md", half("C", "## X {#x}"))
    assert told(space.build()) == ""
    zh, en = space.page("zh/posts/b"), space.page("en/posts/b")
    assert 'href="/zh/posts/c/">1' in zh
    assert 'href="/zh/posts/a/">2' in zh
    assert 'href="/zh/posts/c/#x">1' in en
    assert 'href="/en/posts/c/">2' in en


def test_a_translation_key_joins_halves_of_different_names(space: Space) -> None:
    key = "translation_key: roof\n"
    space.write("content/zh/posts/wu-ding.md", half("屋顶", "[b](b.md)", more=key))
    space.write("content/en/posts/roof.md", half("Roof", more=key))
    space.write("content/zh/posts/b.md", half("乙", "[1](wu-ding.md) [2](/posts/roof/)"))
    space.write("content/en/posts/b.md", half("B", "[1](roof.md) [2](/posts/wu-ding/)"))
    assert told(space.build()) == ""
    assert 'href="/en/posts/roof/both/"' in space.page("en/posts/roof")
    assert 'href="/en/posts/roof/"' in space.page("zh/posts/wu-ding")
    assert [f'href="/zh/posts/wu-ding/">{n}' in space.page("zh/posts/b") for n in (1, 2)] == [True, True]
    assert [f'href="/en/posts/roof/">{n}' in space.page("en/posts/b") for n in (1, 2)] == [True, True]
    assert space.build().report.ran == ()


def test_a_key_that_no_twin_has_is_told(space: Space) -> None:
    space.write("content/zh/posts/wu-ding.md", half("屋顶", more="translation_key: roof\n"))
    space.write("content/zh/posts/wu-ding-er.md", half("屋顶", more="translation_key: roof\n"))
    assert told(space.build()) == (
        "content/zh/posts/wu-ding-er.md:1: error[pair-missing]: the en half of this article is missing\n"
        "  fix: write content/en/posts/wu-ding-er.md, give it `translation_key: roof` if it has another "
        "name, or add `only: zh` to the front matter.\n"
        "\n"
        "content/zh/posts/wu-ding.md: error[pair-twice]: `translation_key: roof` is also in the zh half "
        "content/zh/posts/wu-ding-er.md\n"
        "  fix: give one of them another key."
    )


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (
            "content/posts/a/index.md",
            "content/posts/a/index.md:1: error[pair-missing]: the en half of this article is missing\n"
            "  fix: write content/posts/a/index.en.md, or add `only: zh` to the front matter; "
            "without a language in its name, this file is the zh half.",
        ),
        (
            "content/posts/a.en-us.md",
            "content/posts/a.en-us.md:1: error[pair-missing]: the zh half of this article is missing\n"
            "  fix: write content/posts/a.zh.md, or add `only: en` to the front matter.",
        ),
        (
            "content/en/posts/a.md",
            "content/en/posts/a.md:1: error[pair-missing]: the zh half of this article is missing\n"
            "  fix: write content/zh/posts/a.md, or add `only: en` to the front matter.",
        ),
    ],
)
def test_a_missing_half_is_named_in_the_layout_of_the_other(space: Space, path: str, said: str) -> None:
    space.write(path, half("A"))
    assert told(space.build()) == said


def test_two_files_for_one_half_are_an_error_across_layouts(space: Space) -> None:
    for path in ("content/posts/a/zh.md", "content/zh/posts/a.md", "content/posts/a.en.md"):
        space.write(path, half("A"))
    space.write("content/posts/a/index.md", half("A"))
    assert told(space.build()) == (
        'content/posts/a/zh.md: error[pair-twice]: there are two zh halves of "a": this one and '
        "content/posts/a/index.md\n"
        "  fix: keep one of the files; without a language in its name, content/posts/a/index.md is the zh "
        "half.\n"
        "\n"
        'content/zh/posts/a.md: error[pair-twice]: there are two zh halves of "a": this one and '
        "content/posts/a/index.md\n"
        "  fix: keep one of the files; without a language in its name, content/posts/a/index.md is the zh "
        "half."
    )


def test_a_bad_file_name_is_one_error_and_hides_no_other(space: Space) -> None:
    space.post("good", zh="[x](nowhere.md)", en="Text.")
    space.post("Bad Name")
    space.write("content/posts/twin.zh.md", half("甲", "[bad](<Bad Name/zh.md>)"))
    space.write("content/posts/twin.fr.md", half("A"))
    space.post("fine", zh="[bad](<../Bad Name/zh.md>), [twin](../twin.zh.md)", en="Text.")
    assert told(space.build()) == (
        'content/posts/Bad Name/en.md: error[slug-form]: "Bad Name" cannot be the address of an article\n'
        '  fix: rename "Bad Name" to "bad-name"; addresses have lower-case ASCII letters, digits and '
        "hyphens.\n"
        "\n"
        'content/posts/good/zh.md:6:5: error[link-missing]: link not found: "nowhere.md"\n'
        "    [x](nowhere.md)\n"
        "        ^^^^^^^^^^\n"
        "  fix: write a path relative to content/posts/good/, or one that begins with / for site/static/, "
        "other articles (/posts/<slug>/) and pages (/<path>/).\n"
        "\n"
        'content/posts/twin.fr.md: error[pair-name]: "fr" is not a language of this site\n'
        "  fix: name it content/posts/twin.zh.md or content/posts/twin.en.md; "
        "a name that begins with _ is left alone."
    )


def test_front_matter_of_both_halves_is_found_in_every_layout(space: Space) -> None:
    for path in ("content/zh/posts/a.md", "content/en/posts/a.md"):
        space.write(path, "---\ntitle: A\n---\n\nText.\n")
    space.write("content/posts/a.meta.yaml", "date: 2026-11-01\n")
    assert told(space.build()) == ""
    space.remove("content/posts/a.meta.yaml")
    space.write("content/posts/a/meta.yaml", "date: 2026-11-02\n")
    assert told(space.build()) == ""
    assert "2 November 2026" in space.page("en/posts/a")


PIXEL = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU"
    b"\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82"
)


def test_pictures_are_found_beside_either_half(space: Space) -> None:
    space.write("content/zh/posts/a/index.md", half("甲", "![图](p.png)"))
    space.write("content/en/posts/a/index.md", half("A", "![picture](q.png)"))
    space.write("content/en/posts/a/p.png", PIXEL)
    space.write("content/posts/a/q.png", PIXEL)
    assert told(space.build()) == ""
    assert "/en/posts/a/p." in space.page("zh/posts/a")
    assert "/posts/a/q." in space.page("en/posts/a")


def test_the_variant_of_a_file_wins_on_pages_of_its_language(space: Space) -> None:
    body = "![p](p.png) ![q](/q.png) [d](d.csv) [e](/e.csv)"
    space.post("a", zh=body, en=body)
    for path in ("content/posts/a/p", "site/static/q"):
        space.write(f"{path}.png", PIXEL)
        space.write(f"{path}.zh.png", PIXEL + b"zh")
    for path in ("content/posts/a/d", "site/static/e"):
        space.write(f"{path}.csv", "1")
        space.write(f"{path}.en.csv", "2")
    assert told(space.build()) == ""
    zh, en, both = (space.page(path) for path in ("zh/posts/a", "en/posts/a", "zh/posts/a/both"))
    for page, there, absent in (
        (zh, ("a/p.zh.", "/q.zh.png", "a/d.", "/e.csv"), ("d.en.", "e.en.csv")),
        (en, ("a/p.", "/q.png", "a/d.en.", "/e.en.csv"), ("p.zh.", "q.zh.png")),
        (both, ("a/p.zh.", "/q.zh.png", "a/d.en.", "/e.en.csv", "/q.png", "/e.csv"), ()),
    ):
        assert [one for one in there if one not in page] == []
        assert [one for one in absent if one in page] == []
    space.remove("site/static/q.zh.png")
    space.remove("content/posts/a/p.zh.png")
    space.build()
    assert "p.zh." not in space.page("zh/posts/a")
    assert "q.zh.png" not in space.page("zh/posts/a")


def test_the_code_of_a_half_is_the_code_of_its_files(space: Space) -> None:
    space.write("content/posts/a/index.zh-cn.md", half("甲", "![p](p.png)"))
    space.write("content/posts/a/index.en.md", half("A", "![p](p.png)"))
    space.write("content/posts/a/p.zh-cn.png", PIXEL)
    space.write("content/posts/a/p.en.png", PIXEL)
    assert told(space.build()) == ""
    assert "a/p.zh-cn." in space.page("zh/posts/a")


_PLACES = {
    "zh": ("{n}/zh.md", "{n}.zh.md", "{n}/index.zh.md", "{n}/index.md", "{n}.md", "{n}.zh_CN.md"),
    "en": ("{n}/en.md", "{n}.en.md", "{n}/index.en.md", "{n}.en-US.md"),
}
_APART = {
    "zh": ("content/zh/posts/{n}.md", "content/zh-cn/posts/{n}/index.md"),
    "en": ("content/en/posts/{n}.md", "content/en/posts/{n}/index.md"),
}
_NAMES = ("a", "b", "c")


def _anywhere(random: Random, language: str, name: str) -> str:
    together = [f"content/posts/{place}" for place in _PLACES[language]]
    return random.choice([*together, *_APART[language]]).format(n=name)


def _body(random: Random) -> str:
    if random.random() < 0.6:
        return "Text."
    links = [
        "[x](/posts/{n}/)",
        "[x](../posts/{n}.md)",
        "[x]({n}.md)",
        "[x](../{n}/en.md)",
        "[x](../../en/posts/{n}.md)",
        "![x](p.png)",
        "![x](/p.png)",
    ]
    return random.choice(links).format(n=random.choice(_NAMES))


def _edit(space: Space, random: Random) -> str:
    """One edit that adds, removes or moves a half, or a file beside it."""
    halves = sorted(
        path.relative_to(space.root).as_posix() for path in (space.root / "content").rglob("*.md")
    )
    language, name = random.choice(("zh", "en")), random.choice(_NAMES)
    what = random.choice(("write", "pair", "pair", "remove", "move", "picture", "front"))
    if what in ("write", "pair"):
        for path in halves if what == "pair" else ():
            if f"/{name}." in path or f"/{name}/" in path:
                space.remove(path)
        key = random.choice("kl")
        for one in ("zh", "en") if what == "pair" else (language,):
            more = random.choice(("", f"translation_key: {key}\n"))
            space.write(_anywhere(random, one, name), half(f"{name} {one}", _body(random), more))
    elif what == "picture":
        place = random.choice(("content/posts/{n}/p", "content/en/posts/{n}/p", "site/static/p"))
        path = place.format(n=name) + random.choice((".png", ".zh.png", ".en.png", ".zh-cn.png"))
        if (space.root / path).exists():
            space.remove(path)
        else:
            space.write(path, PIXEL)
    elif halves:
        path = random.choice(halves)
        text = (space.root / path).read_text("utf-8")
        if what == "front":
            more = random.choice(("", "translation_key: k\n", "slug: other\n", "draft: true\n"))
            text = half(f"{name} {language}", _body(random), more)
        if what != "front":
            space.remove(path)
        if what == "move":
            path = _anywhere(random, language, name)
        if what != "remove":
            space.write(path, text)
    return what


@pytest.mark.parametrize("seed", range(4))
def test_an_incremental_build_equals_a_clean_one_in_every_layout(
    space: Space, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    random = Random(seed)
    published = 0
    with space.site() as site:
        for step in range(12):
            done = [_edit(space, random) for _ in range(random.choice((1, 1, 2)))]
            result = site.build()
            clean = Space(tmp_path_factory.mktemp("clean"))
            for folder in ("content", "site"):
                for path in sorted((space.root / folder).rglob("*")):
                    if path.is_file():
                        clean.write(path.relative_to(space.root).as_posix(), path.read_bytes())
            again = clean.build()
            assert told(result) == told(again), (step, done)
            if not errors(again):
                published += 1
                assert space.outputs() == clean.outputs(), (step, done)
    assert published
