"""Cited works on pages, in feeds, Markdown twins and talks, and what is made again when one changes."""

from pathlib import Path

import pytest

from tests.space import Space, errors, guarded, outputs, ran, told

WORKS = (Path(__file__).parents[1] / "bibliography/references.bib").read_text("utf-8")
EN = """
The TPU [@jouppi2017, pp. 3-5] and the model of @williams2009 are known.[^n]

[^n]: As [@zhou2016] says: {cite-number}`92 TOPS|@jouppi2017`.

## Second {#second}

Three at once [@jouppi2017; @williams2009; @zhou2016].
"""
ZH = """
TPU [@jouppi2017, pp. 3-5]与 @williams2009 的模型广为人知。[^n]

[^n]: 见 [@zhou2016]：{cite-number}`92 TOPS|@jouppi2017`。

## 第二 {#second}

三者[@jouppi2017; @williams2009; @zhou2016]。
"""
TALK = """---
title: T
date: 2026-11-02
---

## A

As @jouppi2017 and [@dao2022] say, and a source of chips [@sb-gpus].
"""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("works"))
    made.change("site/site.yaml", "tags:\n", "markdown: true\ntags:\n")
    made.write("site/references.bib", WORKS)
    made.post("a", zh=ZH, en=EN)
    made.post("plain", zh="无。", en="None.")
    for language in ("zh", "en"):
        made.write(f"content/talks/t/{language}.md", TALK)
    assert told(made.build()) == ""
    return made


def test_marks_entries_and_the_list(space: Space) -> None:
    en, zh = space.page("en/posts/a"), space.page("zh/posts/a")
    both = space.page("en/posts/a/both")
    assert '<span class="citation" id="cite-en-1">[<a href="#reference-en-1">1</a>, pp. 3–5]</span> and' in en
    assert 'TPU<span class="citation" id="cite-zh-1">[<a' in zh
    assert 'Williams 等[<a href="#reference-zh-2">2</a>]</span>的模型' in zh
    assert '<a href="#reference-en-1">1</a>–<a href="#reference-en-3">3</a>' in en
    assert en.count("N. P. Jouppi et al.") == 2  # in the margin and in the list
    assert '<span lang="zh-Hans">周志华' in en
    assert "<h2>References</h2>" in en
    assert "<h2>参考文献</h2>" in zh
    assert ">92 TOPS <span" in en
    assert ">92 TOPS<span" in zh
    back = '<a class="back" href="#cite-en-4" aria-label="Back to citation 2 in the text">'
    assert back in en
    for language in ("zh", "en"):
        assert both.count(f'id="reference-{language}-3"') == 1
        assert both.count(f'id="cite-{language}-5"') == 1
    assert "references.bib" not in space.page("en/posts/plain")
    files = outputs(space.root / "public")
    assert files["en/posts/a/references.bib"].startswith(b"@inproceedings{jouppi2017,")
    assert b"says: 92 TOPS [1]." in files["en/posts/a/index.md"]
    assert b"Williams et al. [2] are known" in files["en/posts/a/index.md"]
    assert "- [3] 周志华, 机器学习".encode() in files["zh/posts/a/index.md"]
    assert files["en/feed.xml"].count(b"N. P. Jouppi et al.") == 1


def test_a_talk_leads_to_the_works_themselves(space: Space) -> None:
    talk = space.page("en/talks/t")
    assert (
        '(<a href="https://jax-ml.github.io/scaling-book/gpus/">“How to Scale Your Model”, 2026</a>)' in talk
    )
    assert '<a href="https://doi.org/10.1145/3079856.3080246">Jouppi et al. (2017)</a>' in talk
    assert '(<a href="https://arxiv.org/abs/2205.14135">Dao and Ré, 2022</a>)' in talk
    assert "#reference-" not in talk


def test_a_changed_work_makes_only_the_pages_again_that_cite_it(space: Space, tmp_path: Path) -> None:
    site = Space(tmp_path).copied_from(space)
    site.change("site/references.bib", "{Another}", "{Another one}\n")
    pages = [key for key in ran(site.build()) if "-page" in key]
    assert pages == []
    site.change("site/references.bib", "Multicore Architectures}", "Multicores}")
    made = {key for key in ran(site.build()) if "-page" in key}
    assert {"article-page a:zh", "article-page a:en"} <= made
    assert not any("plain" in key for key in made)
    clean = Space(tmp_path / "clean")
    for folder in ("site", "content"):
        for path in (site.root / folder).rglob("*.*"):
            clean.write(path.relative_to(site.root).as_posix(), path.read_bytes())
    clean.build()
    assert site.outputs() == clean.outputs()


def test_unknown_and_broken_works_are_errors_with_their_lines(tmp_path: Path) -> None:
    site = Space(tmp_path)
    site.post("a", zh="见[@jouppi2071]，@ada1998。", en="See [@jouppi2071], @ada1998.")
    result = site.build()
    assert {(one.rule, one.fix) for one in errors(result)} == {
        ("citation-unknown", "create site/references.bib with it.")
    }
    assert told(result).count("warning[citation-unknown]") == 2
    site.write("site/references.bib", WORKS + "@misc{half, title = {Half}\n")
    assert "references-syntax" in told(site.build())
    site.write("site/references.bib", WORKS + "@article{poor2020, title = {Poor}}\n")
    assert {one.fix for one in errors(site.build())} == {'did you mean "jouppi2017"?'}
    site.post("a", zh="见[@poor2020]，@jouppi2071。", en="See [@poor2020; @zhou2016].")
    result = site.build()
    assert [one.rule for one in errors(result)] == ["citation-unknown"]
    assert "has no author and no year" in told(result)
    site.post("a", zh="见[@poor2020]。", en="See [@poor2020; @zhou2016].")
    with site.site() as built:
        built.build()
        found = {one.rule: one.message for one in guarded(built, "pairs")}
    assert found["halves-citation"].startswith("the English half cites zhou2016")
    assert found["references-unused"].startswith("no article cites jouppi2017, williams2009")
