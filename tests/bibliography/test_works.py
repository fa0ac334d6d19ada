"""Cited works: what files say, what lists show, and what marks a text has."""

import time
from pathlib import Path

import pytest
import yaml

from diglot.bibliography.entries import entry_html
from diglot.bibliography.latex import plain, work_of
from diglot.bibliography.marks import cite
from diglot.bibliography.reading import read_entries
from diglot.bibliography.works import STYLES, CitationTarget, CitedWork, Form, Style, Work
from diglot.languages import Language

HERE = Path(__file__).parent
BIBTEX = (HERE / "references.bib").read_text("utf-8")
ENTRIES: dict[str, dict[Style, str]] = yaml.safe_load((HERE / "entries.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def works() -> dict[str, Work]:
    entries, mistakes = read_entries({"site/references.bib": BIBTEX})
    assert not mistakes
    return {key: work_of(entry) for key, entry in entries.items()}


def test_entries_in_three_styles(works: dict[str, Work]) -> None:
    wrong = [
        (key, style, shown)
        for key, styles in ENTRIES.items()
        for style, expected in styles.items()
        if (shown := entry_html(works[key], style).striptags()) != expected
    ]
    assert not wrong
    pages = "".join(entry_html(work, style) for work in works.values() for style in STYLES)
    assert "<b>" not in pages
    assert 'href="javascript' not in pages
    assert 'href="https://doi.org/10.1145/3079856.3080246"' in pages
    assert 'href="https://arxiv.org/abs/2205.14135"' in pages
    assert 'href="https://a.org/?a=1&amp;b=2"' in pages


def _target(form: Form, *works: str) -> str:
    cited = (work.split("|") for work in works)
    target = CitationTarget(
        form=form, works=tuple(CitedWork(key=key, locator="".join(rest)) for key, *rest in cited)
    )
    return str(target)


CITED = (
    _target("p", "jouppi2017"),
    _target("p", "williams2009", "zhou2016", "jouppi2017"),
    _target("p", "dao2022b", "h200", "dao2022"),
    _target("t", "dao2022|p. 3"),
    _target("p", "hennessy2017|ch. 4", "jouppi2017"),
    _target("t", "hennessy2017", "ji2018"),
)
MARKS: dict[tuple[Style, Language], list[str]] = {
    ("ieee", "en"): [
        "[1]",
        "[1–3]",
        "[4–6]",
        "Dao and Ré [6, p. 3]",
        "[7, ch. 4; 1]",
        "Hennessy and Patterson [7] and 纪荣嵘 et al. [8]",
    ],
    ("gb-t-7714", "zh"): [
        "[1]",
        "[1–3]",
        "[4–6]",
        "Dao 和 Ré[6，p. 3]",
        "[7，ch. 4；1]",
        "Hennessy 和 Patterson[7]和纪荣嵘等[8]",
    ],
    ("author-year", "en"): [
        "(Jouppi et al., 2017)",
        "(Williams et al., 2009; 周志华, 2016; Jouppi et al., 2017)",
        "(Dao and Ré, 2022a; NVIDIA, 2024; Dao and Ré, 2022b)",
        "Dao and Ré (2022b, p. 3)",
        "(Hennessy and Patterson, 2017, ch. 4; Jouppi et al., 2017)",
        "Hennessy and Patterson (2017) and 纪荣嵘 et al. (2018)",
    ],
    ("author-year", "zh"): [
        "（Jouppi 等，2017）",
        "（Williams 等，2009；周志华，2016；Jouppi 等，2017）",
        "（Dao 和 Ré，2022a；NVIDIA，2024；Dao 和 Ré，2022b）",
        "Dao 和 Ré（2022b，p. 3）",
        "（Hennessy 和 Patterson，2017，ch. 4；Jouppi 等，2017）",
        "Hennessy 和 Patterson（2017）和纪荣嵘等（2018）",
    ],
}


def test_marks_in_the_language_of_the_half(works: dict[str, Work]) -> None:
    for (style, language), expected in MARKS.items():
        found = cite(CITED, works, style, language)
        assert [found.marks[target].text for target in CITED] == expected
    ordered = [work.key for work in cite(CITED, works, "author-year", "zh").works]
    assert ordered[:2] == ["zhou2016", "ji2018"]
    assert ordered[2:4] == ["dao2022b", "dao2022"]


def test_csl_json_is_read_like_bibtex() -> None:
    text = """[
      {"id": "kung1982", "type": "article-journal", "title": "Why Systolic Architectures?", "volume": 15,
       "author": [{"family": "Kung", "given": "H. T."}], "container-title": "Computer", "issue": "1",
       "page": "37-46", "issued": {"date-parts": [[1982, 1]]}, "DOI": "10.1109/MC.1982.1653825"}]"""
    entries, mistakes = read_entries({"site/references.json": text})
    assert not mistakes
    assert entries["kung1982"].line == 2
    assert entry_html(work_of(entries["kung1982"]), "ieee").striptags() == (
        "H. T. Kung, “Why Systolic Architectures?” Computer, vol. 15, no. 1, pp. 37–46, Jan. 1982, "
        "doi: 10.1109/MC.1982.1653825."
    )


BROKEN = {
    "@article{a, title = {x}\n@misc{b, title={y}}": (1, "this entry is broken"),
    "@misc{a, title = {x}, title = {y}}": (1, "this entry has title more than once"),
    "@misc{a,\n  title = nope}": (2, 'there is no @string "nope"'),
    "@misc{a, title={x}}\n\n@misc{a, title={y}}": (3, 'there is a work "a" on line 1 already'),
    "no entries": (1, "there is no entry in this file"),
}
HOSTILE = {
    "1 MB": "@misc{a, t={" + "x" * 1_000_000,
    "unclosed": "@misc{a, title={" * 30_000,
    "deep": "@misc{a, title={" + "{" * 9_000 + "}" * 9_000 + "}}",
    "bomb": "@string{a0={aaaaaaaaaa}}"
    + "".join(f"@string{{a{n + 1} = {' # '.join([f'a{n}'] * 10)}}}" for n in range(9))
    + "@misc{b, title=a9}",
    "5 MB": "x" * 5_000_000,
}


def test_mistakes_have_a_place_and_hostile_files_an_end() -> None:
    for text, (line, message) in BROKEN.items():
        _, mistakes = read_entries({"site/references.bib": text})
        place = mistakes[0].location
        assert place is not None
        assert (place.line, mistakes[0].message[: len(message)]) == (line, message)
    since = time.process_time()
    for name, text in HOSTILE.items():
        entries, mistakes = read_entries({"site/references.bib": text})
        assert mistakes or all(work_of(entry) for entry in entries.values()), name
    for text in ("[" * 100_000, "{}", "[1]", '[{"id": 1}', '[{"type": "book"}]'):
        assert read_entries({"site/references.json": text})[1], text
    many = "".join(f"@misc{{a{n}, title={{T}}}}" for n in range(10_000))
    assert len(read_entries({"site/references.bib": many})[0]) == 10_000
    assert time.process_time() - since < 60


def test_commands_around_a_text_leave_it() -> None:
    written = {
        r"Problems with \texttt{a\_b.c}": "Problems with a_b.c",
        r"\textsf{S} and \mbox{no break}": "S and no break",
        r"\href{https://example.org/a%20b}{\emph{A} book}": "A book",
        r"The \TeX{}book in \LaTeX": "The TeXbook in LaTeX",
        r"\textbf{B} \textsc{s} \textit{i}": "B s i",
    }
    assert {latex: plain(latex) for latex in written} == written
