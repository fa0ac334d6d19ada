"""The words of a page that can be found, and the ids that they are under."""

import re

import pytest

from diglot.search.texts import _TAG, search_text

HEAD = '<header id="_top"><h1>屋顶线 &amp; 算力</h1><p class="meta">约 3 分钟</p></header>'


def text_of(main: str) -> str:
    """The words, with `[id]` where a block begins."""
    body = search_text(f"<nav>目录</nav><main>{main}</main><footer>CC</footer>", "zh").partition(']">')[2]
    words = re.sub(r"<[^>]+>", "", re.sub(r'<a id="([^"]*)"></a>', r"[\1]", body))
    return " ".join(words.split())


def test_each_han_character_is_a_word_and_names_stay_whole() -> None:
    assert text_of("<p>H200的带宽，4.8 TB/s。</p>") == "H200 的 带 宽， 4.8 TB/s。"
    assert text_of('<p>脊点是<span class="num"><em>206</em></span>。</p>') == "脊 点 是 206。"


def test_words_stand_under_the_ids_of_their_blocks() -> None:
    html = '<div id="ridge"><h2>脊点</h2></div><div id="ridge-1"><p>In <em>one</em>word</p></div>'
    assert text_of(HEAD + html) == "[_top] 屋 顶 线 &amp; 算 力 [ridge] 脊 点 [ridge-1] In oneword"


def test_a_figure_is_found_by_its_caption_its_message_and_what_it_says_in_words() -> None:
    html = (
        '<div id="fig-bars"><figure data-said="TPU is ahead"><div role="img"><svg><text>9</text></svg></div>'
        '<figcaption><b>Figure 1</b>Two bars<span class="under">figures/bars.py</span></figcaption>'
        "<details><summary>Data</summary><table><tr><td>1</td></tr></table></details></figure></div>"
    )
    assert text_of(html) == "[fig-bars] TPU is ahead · Figure 1 Two bars"


def test_words_of_headings_count_more_and_those_of_code_less() -> None:
    html = search_text("<main><h2>Ridge</h2><p>peak</p><pre><code>roofline.ridge</code></pre></main>", "en")
    assert '<span data-pagefind-weight="5">Ridge</span>' in html
    assert '<span data-pagefind-weight="0.2">roofline.ridge</span>' in html


def test_what_nobody_looks_for_is_left_out() -> None:
    html = (
        '<div data-pagefind-ignore><div>one</div></div><form><p>two</p></form><a class="twin">English</a>'
        '<!-- <p>three</p> --><p title="a > b">four</p><img src="a.png" alt="stack"><br>five'
    )
    assert text_of(html) == "four stack · five"
    html = (
        '<h2>Ridge</h2><a class="anchor" href="#ridge">#</a>'
        '<p>A note\u2060<sup class="mark"><a href="#note-en-1">1</a></sup>.</p>'
    )
    assert text_of(html) == "Ridge A note."


@pytest.mark.parametrize("begun", ["<!-- a ", "<a b ", "<a b='", '<a b="c"', "<a 'b\" <!--", "</a "])
def test_whatever_begins_is_read_to_an_end_and_not_begun_again(begun: str) -> None:
    """Else a page with many comments or tags without an end would be read as often as it has these."""
    assert len(_TAG.findall(begun * 100)) == 1
    assert text_of(f"<p>one</p>{begun}") == "one"


def test_the_title_is_kept_as_it_is_read() -> None:
    assert 'data-title="屋顶线 &amp;amp; 算力"' not in search_text(f"<main>{HEAD}</main>", "zh")
    assert 'lang="zh-Hans"><body data-title="屋顶线 &amp; 算力"' in search_text(f"<main>{HEAD}</main>", "zh")


def test_a_page_says_its_kind_and_articles_count_more_than_tables_of_chips() -> None:
    for attribute, kind, weight in (
        (' data-found="article"', "article", ""),
        (' data-found="chip"', "chip", '<div data-pagefind-weight="0.1">'),
        (' data-found="mine"', "page", ""),
        ("", "page", ""),
    ):
        text = search_text(f'<main id="_main"{attribute}><h2>A</h2></main>', "en")
        assert f' data-kind="{kind}" data-pagefind-meta="title[data-title], kind[data-kind]">{weight}' in text
        assert ("<div" in text) == bool(weight)
        assert "filter" not in text, "Pagefind writes these in another order each time"
