"""Pages in traditional characters: what readers see and hear is converted, and nothing else."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.languages import HAN
from diglot.traditional.pages import _TAG, converted_page
from tests.traditional.settings import settings

pytest.importorskip("opencc", reason="OpenCC is not installed (pip install 'diglot[hant]')")


def converted(html: str, **exceptions: str) -> str:
    return converted_page(html, settings("taiwan-terms", **exceptions), noticed=False)


@pytest.mark.parametrize(
    "html",
    [
        "<pre><code>内存 <b>带宽</b></code></pre>",
        "<p><code>内存</code><kbd>内存</kbd><samp>内存</samp><var>内存</var></p>",
        "<math><mtext>内存</mtext></math>",
        "<style>/* 内存 */ [lang='zh'] > p { color: red }</style>",
        "<script>const 内存 = '<b>带宽</b>' < 1</script>",
        '<p lang="en">the Chinese word 内存 <i>内存</i></p>',
        "<!-- 内存 -->",
        '<a href="#内存" id="内存" class="内存" data-value="内存 | number(0)">1.5</a>',
        '<option value="内存">2</option>',
    ],
)
def test_what_stays_as_it_is(html: str) -> None:
    assert converted(f"{html}<p>后</p>") == f"{html}<p>後</p>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>内存<br>带宽<img alt='芯片'>里</p>", '<p>記憶體<br>頻寬<img alt="晶片">裡</p>'),
        (
            '<p aria-label="内存" title="内存" data-said="内存">1.2 万</p>',
            '<p aria-label="記憶體" title="記憶體" data-said="記憶體">1.2 萬</p>',
        ),
        (
            '<p lang="en">RAM <b lang="zh-Hans">内存</b> 内存</p>内存',
            '<p lang="en">RAM <b lang="zh-Hant">記憶體</b> 内存</p>記憶體',
        ),
        ("<code>里</code>里<pre><pre>里</pre>里</pre>里", "<code>里</code>裡<pre><pre>里</pre>里</pre>裡"),
        ("<p>A &amp; B：内存 &lt; 1</p>", "<p>A &amp; B：記憶體 &lt; 1</p>"),
        (
            "<p>叫“<code>x</code>”，“<b>后</b>”是“<i>a</i> b”</p>",
            "<p>叫「<code>x</code>」，「<b>後</b>」是「<i>a</i> b」</p>",
        ),
        ("<p>后<cite>“Roofline”</cite></p>", "<p>後<cite>“Roofline”</cite></p>"),
        (
            "<svg><text x='1'>内存</text><title>内存</title></svg>",
            "<svg><text x='1'>內存</text><title>記憶體</title></svg>",
        ),
        ('<meta property="og:locale" content="zh_CN">', '<meta property="og:locale" content="zh_TW">'),
        (
            '<meta property="og:locale:alternate" content="en_US">'
            '<meta property="og:locale:alternate" content="zh_TW">',
            '<meta property="og:locale:alternate" content="en_US">'
            '<meta property="og:locale:alternate" content="zh_CN">',
        ),
    ],
)
def test_what_is_converted(html: str, expected: str) -> None:
    assert converted(html) == expected


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/blog/zh/", "/blog/zh-hant/"),
        ("/blog/zh/posts/moe/#links", "/blog/zh-hant/posts/moe/#links"),
        ("https://example.org/blog/zh/feed.xml", "https://example.org/blog/zh-hant/feed.xml"),
        ("/blog/pagefind/zh/", "/blog/pagefind/zh-hant/"),
        ("/blog/figures/a/embed.zh.html", "/blog/figures/a/embed.zh-hant.html"),
        (
            "https://example.org/blog/zh/posts/moe/card.png",
            "https://example.org/blog/zh-hant/posts/moe/card.png",
        ),
        ("/blog/figures/a/a.zh.svg", "/blog/figures/a/a.zh-hant.svg"),
        ("/blog/zh/posts/moe/photo.png", None),
        ("/blog/en/posts/zh/", None),
        ("/zh/posts/moe/", None),
        ("https://example.com/blog/zh/", None),
        ("/blog/zhang/", None),
    ],
)
def test_addresses_lead_to_converted_files(address: str, expected: str | None) -> None:
    assert converted(f'<a href="{address}">1</a>') == f'<a href="{expected or address}">1</a>'


def test_the_word_of_the_toggle_moves_on_and_versions_keep_their_addresses() -> None:
    page = (
        '<link rel="alternate" hreflang="zh-Hans" href="https://example.org/blog/zh/"><nav>'
        '<a href="/blog/zh/" data-word="zh" lang="zh-Hans" aria-current="true">中文简体</a>'
        '<a href="/blog/zh-hant/" data-word="zh-hant" lang="zh-Hant">繁體</a></nav>'
    )
    assert converted(page) == (
        '<link rel="alternate" hreflang="zh-Hans" href="https://example.org/blog/zh/"><nav>'
        '<a href="/blog/zh/" data-word="zh" lang="zh-Hans">中文简体</a>'
        '<a href="/blog/zh-hant/" data-word="zh-hant" lang="zh-Hant" aria-current="true">繁體</a></nav>'
    )


def test_data_about_the_page_is_converted_and_cannot_end_its_element() -> None:
    data = '{"url":"https://example.org/blog/zh/","内存":"内存\\u003c/b>","inLanguage":"zh-Hans","n":1.50,"all":["zh-Hans"]}'
    expected = '{"url":"https://example.org/blog/zh-hant/","内存":"記憶體\\u003c/b>","inLanguage":"zh-Hant","n":1.50,"all":["zh-Hans"]}'
    page = '<script type="application/ld+json">{}</script><p>后</p>'
    assert converted(page.format(data)) == page.replace("后", "後").format(expected)


def test_what_a_talk_as_one_file_holds_for_its_controls_is_converted() -> None:
    data = '{"values":["后台","\\u003cg>\\u003ctext x=\\"1\\">后台\\u003c/text>\\u003c/g>"],"frames":2}'
    page = '<script type="application/json" id="figures/a/a.states.slide.zh.01234567.json">{}</script>'
    assert converted(page.replace("{}", data)) == page.replace("{}", data.replace("后台", "後臺"))


@pytest.mark.parametrize("begun", ["<!-- 后 ", "<a 后 ", "<a b='", '<a b="c"', "<a 'b\" <!--", "</a "])
def test_a_page_is_read_once_whatever_has_no_end(begun: str) -> None:
    assert len(_TAG.findall(begun * 100)) == 1
    assert converted(f"<p>后</p>{begun}") == f"<p>後</p>{begun}"


def test_a_page_says_once_that_it_was_converted() -> None:
    page = converted_page("<body><main id='a'><p>一</p></main></body>", settings())
    assert page == "<body><main id='a'>\n<p class=\"derived\">由簡體中文轉換。</p><p>一</p></main></body>"


_PIECES = (
    "<p>",
    "</p>",
    "<code>",
    "</code>",
    "<pre",
    '<b lang="en">',
    "</b>",
    "<br/>",
    "<script>",
    "</script>",
)
_PIECES += ("<!--", "-->", "<", ">", '"', "'", "=", " ", "&lt;", "\n", "a", "1.5", "title=")
_PIECES += ("内存", "里", "发", "台", "芯片")


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
def test_whatever_the_tags_only_chinese_characters_change(html: str) -> None:
    page = converted_page(html, settings("taiwan"), noticed=False)
    # An attribute with other text gets double quotes.
    before, after = (re.sub("[\"' ]", "", unescape(one)) for one in (html, page))
    assert len(after) == len(before)
    assert re.sub(f"[{HAN}]", "", after) == re.sub(f"[{HAN}]", "", before)
