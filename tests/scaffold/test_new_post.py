"""`diglot new post`: a pair from two titles, at an address that is free."""

import json
import sys
import types
from pathlib import Path

import pytest

from diglot.cli import main
from diglot.scaffold.titles import propose_slug, titles_by_language
from tests.scaffold.conftest import Run
from tests.space import Space, outputs, told


@pytest.fixture
def blog(space: Space, run: Run, monkeypatch: pytest.MonkeyPatch) -> Space:
    """A site with one article, in whose folder commands run."""
    monkeypatch.chdir(space.root)
    space.post("taken", zh="一。", en="One.", slug="elsewhere")
    return space


def test_a_pair_is_made_from_two_titles(blog: Space, run: Run) -> None:
    assert run("new", "post", "脉动阵列", "Systolic arrays", "--tags", "roofline") == (
        0,
        "content/posts/systolic-arrays/zh.md\ncontent/posts/systolic-arrays/en.md\n"
        "content/posts/systolic-arrays/meta.yaml\n",
        "",
    )
    assert outputs(blog.root / "content/posts/systolic-arrays") == {
        "en.md": b"---\ntitle: Systolic arrays\n---\n\n",
        "meta.yaml": b"date: 2026-11-22\ntags: [roofline]\n",
        "zh.md": "---\ntitle: 脉动阵列\n---\n\n".encode(),
    }
    result = blog.build(strict=True)
    assert told(result) == ""
    assert "<h1>脉动阵列</h1>" in blog.page("zh/posts/systolic-arrays")


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (
            ["一", "One", "--flat", "--date", "2026-01-02"],
            {
                "one.en.md": "---\ntitle: One\n---\n\n",
                "one.meta.yaml": "date: 2026-01-02\n",
                "one.zh.md": "---\ntitle: 一\n---\n\n",
            },
        ),
        (
            ["Notes: HBM4", "--only", "en"],
            {"notes-hbm4/en.md": '---\ntitle: "Notes: HBM4"\ndate: 2026-11-22\nonly: en\n---\n\n'},
        ),
        (
            ["一", "--draft", "--slug", "ledger", "--tags", "roofline, roofline,"],
            {"ledger/zh.md": "---\ntitle: 一\ndate: 2026-11-22\ntags: [roofline]\ndraft: true\n---\n\n"},
        ),
        (
            ["H200", "--only", "zh", "--flat"],
            {"h200.zh.md": "---\ntitle: H200\ndate: 2026-11-22\nonly: zh\n---\n\n"},
        ),
    ],
)
def test_an_article_has_the_form_that_is_asked_for(
    words: list[str], files: dict[str, str], blog: Space, run: Run
) -> None:
    blog.remove("content/posts/taken")
    said = run("new", "post", *words)
    assert said.code == 0, said.err
    assert outputs(blog.root / "content/posts") == {path: text.encode() for path, text in files.items()}
    assert said.out.splitlines() == sorted(
        (f"content/posts/{path}" for path in files), key=lambda path: (path.endswith("yaml"), "en.md" in path)
    )
    result = blog.build(strict=True, drafts=True)
    assert [one for one in result.diagnostics if one.rule != "draft-half-missing"] == []


@pytest.mark.parametrize(
    ("words", "message", "fix"),
    [
        (
            ["一", "Taken"],
            'there is an article at "taken" already: content/posts/taken/zh.md',
            "choose another address with --slug.",
        ),
        (
            ["一", "Elsewhere"],
            'there is an article at "elsewhere" already: content/posts/taken/zh.md',
            "choose another address with --slug.",
        ),
        (
            ["一", "Pictures"],
            "content/posts/pictures already exists",
            "choose another address with --slug.",
        ),
        (["一", "One", "--slug", "Über uns"], '"Über uns" cannot be an address', 'use "uber-uns".'),
        (
            ["一", "One", "--slug", "/"],
            '"/" cannot be an address',
            "use lower-case ASCII letters, digits and hyphens.",
        ),
        (
            ["One"],
            "the Chinese title is missing",
            "write both titles, or add `--only en` for one language only, or `--draft` to write the other "
            "half later.",
        ),
        (
            ["一", "--slug", "x"],
            "the English title is missing",
            "write both titles, or add `--only zh` for one language only, or `--draft` to write the other "
            "half later.",
        ),
        (["一", "One", "--only", "zh"], "--only zh takes one title", "leave out the other one."),
        (
            ["One", "more", "title"],
            "3 titles are given",
            "put each title in quotes, first the Chinese one, then the English one.",
        ),
        (
            ["？", "!"],
            "the title has no letter or digit for an address",
            "name the address with --slug.",
        ),
        (
            ["一", "One", "--tags", "GPU"],
            'tags: "GPU" cannot be an id',
            "use lower-case ASCII letters, digits and hyphens. Its label in both languages belongs in "
            "site.yaml.",
        ),
    ],
)
def test_what_cannot_be_made_is_refused(
    words: list[str], message: str, fix: str, blog: Space, run: Run
) -> None:
    blog.write("content/posts/pictures/a.txt", "")
    before = outputs(blog.root)
    assert run("new", "post", *words) == (2, "", f"diglot: {message}\n  fix: {fix}\n")
    assert outputs(blog.root) == before


def test_a_wrong_date_is_refused(run: Run, blog: Space, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["new", "post", "一", "One", "--date", "2026-11-31"])
    assert '"2026-11-31" is not a day such as 2026-12-01: November has 30 days.' in capsys.readouterr().err


def test_tags_without_a_label_are_told(blog: Space, run: Run) -> None:
    assert run("new", "post", "一", "One", "--tags", "tpu,rooflines").err == (
        'the tag "tpu" is not in site/site.yaml: add it there, with a label in both languages.\n'
        'the tag "rooflines" is not in site/site.yaml: did you mean "roofline"?\n'
    )


def test_json_names_the_files(blog: Space, run: Run) -> None:
    said = run("new", "post", "One", "--only", "en", "--json")
    assert json.loads(said.out) == {"ok": True, "created": ["content/posts/one/en.md"]}


def test_it_works_from_below_the_project(
    blog: Space, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(blog.root / "content/posts")
    assert run("new", "post", "One", "--only", "en").code == 0
    assert (blog.root / "content/posts/one/en.md").exists()


@pytest.mark.parametrize(
    ("titles", "slug"),
    [
        (["GPU vs TPU: a comparison"], "gpu-vs-tpu-a-comparison"),
        (["Amdahl’s law, and O'Brien's café"], "amdahls-law-and-obriens-cafe"),
        (["算力", "Where the roof bends"], "where-the-roof-bends"),
        (["Where the roof bends", "算力"], "where-the-roof-bends"),
        (["word " * 30], "-".join(["word"] * 12)),
        (["x" * 90], "x" * 60),
        (["GPU", "TPU"], "tpu"),
    ],
)
def test_an_address_is_made_of_the_english_title(titles: list[str], slug: str) -> None:
    assert propose_slug(titles_by_language(titles)) == slug


def test_a_chinese_title_alone_gives_its_sounds(
    blog: Space, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = types.ModuleType("pypinyin")
    library.lazy_pinyin = {"GPU与脉动阵列": ["GPU", "yu", "mai", "dong", "zhen", "lie"]}.__getitem__  # type: ignore[attr-defined]  # made here
    monkeypatch.setitem(sys.modules, "pypinyin", library)
    assert run("new", "post", "GPU与脉动阵列", "--only", "zh").out == (
        "content/posts/gpu-yu-mai-dong-zhen-lie/zh.md\n"
    )


def test_the_library_of_sounds_does_what_is_expected_of_it() -> None:
    pytest.importorskip("pypinyin", reason="pypinyin is not installed")
    assert propose_slug({"zh": "绿色GPU与脉动阵列"}) == "lv-se-gpu-yu-mai-dong-zhen-lie"


def test_without_the_library_of_sounds_the_way_out_is_told(
    blog: Space, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypinyin", None)
    assert run("new", "post", "脉动阵列", "--only", "zh") == (
        2,
        "",
        'diglot: an address for "脉动阵列" needs pinyin, and pypinyin is not installed\n'
        "  fix: name the address with --slug, give an English title too, or run `pip install "
        "'diglot[pinyin]'`.\n",
    )
