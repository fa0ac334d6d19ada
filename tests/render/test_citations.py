"""How articles are cited, in both languages."""

import datetime

from diglot.render.citations import citation

DAY = datetime.date(2026, 11, 1)
ADDRESS = "https://example.org/zh/posts/roofline/"


def test_a_chinese_article_is_cited_as_a_text_on_the_web() -> None:
    found = citation(
        "zh", authors=("林", "阿达"), site="脊点两侧", title="屋顶线", date=DAY, updated=None, address=ADDRESS
    )
    assert found.text == f"林, 阿达. 屋顶线[EB/OL]. 脊点两侧, (2026-11-01). {ADDRESS}"
    assert found.bibtex == (
        "@misc{roofline-2026,\n  author = {林 and 阿达},\n  title = {{屋顶线}},\n"
        "  howpublished = {脊点两侧},\n"
        f"  year = {{2026}},\n  month = nov,\n  url = {{{ADDRESS}}},\n  language = {{chinese}},\n}}"
    )


def test_an_article_without_authors_is_its_sites_and_what_tex_reads_is_escaped() -> None:
    found = citation(
        "en",
        authors=(),
        site="Ridge & roof",
        title=r"97% of {a}_b\c~^$#",
        date=DAY,
        updated=datetime.date(2027, 3, 9),
        address=ADDRESS,
    )
    assert found.text == rf"Ridge & roof. “97% of {{a}}_b\c~^$#.” Ridge & roof, 9 March 2027. {ADDRESS}"
    assert r"  author = {{Ridge \& roof}}," in found.bibtex
    assert (
        r"  title = {{97\% of \{a\}\_b\textbackslash{}c\textasciitilde{}\textasciicircum{}\$\#}},"
        in found.bibtex
    )
    assert "  year = {2027},\n  month = mar," in found.bibtex


def test_marks_of_a_title_do_not_meet_those_around_it() -> None:
    cited = {
        "Why “half” is not enough": "“Why ‘half’ is not enough.”",
        "Where is it?": "“Where is it?”",
        "It’s “here!”": "“It’s ‘here!’”",
    }
    for title, shown in cited.items():
        found = citation(
            "en", authors=("Ada",), site="Ridge", title=title, date=DAY, updated=None, address=ADDRESS
        )
        assert found.text == f"Ada. {shown} Ridge, 1 November 2026. {ADDRESS}"
