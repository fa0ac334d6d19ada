"""Feeds, Markdown and JSON in traditional characters."""

import pytest

from diglot.traditional.addresses import converted_path
from diglot.traditional.files import converted_feed, converted_json, converted_markdown
from tests.traditional.settings import settings

pytest.importorskip("opencc", reason="OpenCC is not installed (pip install 'diglot[hant]')")
SETTINGS = settings("taiwan-terms")


def test_a_feed_with_the_html_in_it() -> None:
    feed = (
        '<feed xml:lang="zh-Hans"><id>https://example.org/blog/zh/feed.xml</id><entry><title>内存</title>'
        '<link rel="alternate" hreflang="zh-Hans" href="https://example.org/blog/zh/posts/a/" />'
        '<category term="内存" label="内存" />'
        '<content type="html">&lt;p&gt;内存 &amp;amp; &lt;code&gt;内存&lt;/code&gt;&lt;/p&gt;</content>'
        "</entry></feed>"
    )
    assert converted_feed(feed, SETTINGS) == (
        '<feed xml:lang="zh-Hant"><id>https://example.org/blog/zh-hant/feed.xml</id><entry><title>記憶體</title>'
        '<link rel="alternate" hreflang="zh-Hant" href="https://example.org/blog/zh-hant/posts/a/" />'
        '<category term="内存" label="記憶體" />'
        '<content type="html">&lt;p&gt;記憶體 &amp;amp; &lt;code&gt;内存&lt;/code&gt;&lt;/p&gt;</content>'
        "</entry></feed>"
    )


def test_json_keeps_its_keys_numbers_and_spaces() -> None:
    content = '{"内存": "内存", "n": [1.50, "<b>内存<code>内存</code></b>"], "language": "zh-Hans"}'
    expected = '{"内存": "記憶體", "n": [1.50, "<b>記憶體<code>内存</code></b>"], "language": "zh-Hant"}'
    assert converted_json(content, SETTINGS) == expected
    assert converted_json('{"code": "t(zh=\\"内存\\")", "a": "内存"}', SETTINGS) == (
        '{"code": "t(zh=\\"内存\\")", "a": "記憶體"}'
    )
    assert converted_json('["内存", "芯片"]', SETTINGS, labels=True) == '["內存", "晶片"]'


def test_markdown_without_its_code_and_formulas() -> None:
    text = """\
# 内存

- <https://example.org/blog/zh/posts/a/>

内存`内存`，$t_{内存}$，价格$5与$6。[带宽](https://example.org/blog/zh/posts/b/ "带宽")

```python
内存 = 1
```

一个` 内存

内存，1`内存`

1. 内存

   ~~~
   内存
   ~~~

$$
内存
$$
带宽
"""
    assert (
        converted_markdown(text, SETTINGS)
        == """\
# 記憶體

> 由簡體中文轉換。

- <https://example.org/blog/zh-hant/posts/a/>

記憶體`内存`，$t_{内存}$，價格$5與$6。[頻寬](https://example.org/blog/zh-hant/posts/b/ "頻寬")

```python
内存 = 1
```

一個` 記憶體

記憶體，1`内存`

1. 記憶體

   ~~~
   内存
   ~~~

$$
内存
$$
頻寬
"""
    )


def test_which_files_are_converted_and_where_they_are() -> None:
    assert converted_path("zh/posts/a/index.html", "1") == "zh-hant/posts/a/index.html"
    assert converted_path("zh/404.html", "1") == "zh-hant/404.html"
    assert converted_path("zh/posts/a/card.png", "1") == "zh-hant/posts/a/card.png"
    assert converted_path("figures/a/a.zh.csv", "1") == "figures/a/a.zh-hant.csv"
    assert converted_path("figures/a/a.zh.svg", "1") == "figures/a/a.zh-hant.svg"
    kept = (
        "en/index.html",
        "zh/posts/a/photo.png",
        "figures/a/photo.png",
        "pagefind/zh/a.json",
        "zh.html",
        "index.html",
    )
    assert [converted_path(path, "1") for path in kept] == [None] * len(kept)


def test_a_file_that_browsers_keep_has_another_address_where_it_may_have_other_content() -> None:
    path = "figures/a/a.states.column.zh.01234567.json"
    first, same, other = (converted_path(path, stamp) for stamp in "112")
    assert first is not None
    assert first.startswith("figures/a/a.states.column.zh-hant.")
    assert first == same != other
