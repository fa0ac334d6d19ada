"""The page of a site's terms: what stands there, where it leads, and what an edit makes again."""

import pytest

from tests.space import SITE_YAML, Space, errors, ran, told

GLOSSARY = """\
systolic-array: {zh: 脉动阵列, en: systolic array, also: [array], never: [收缩阵列]}
token:
  zh: 词元
  en: token
  definition: {zh: 一小段文字。, en: A piece of <text>.}
"""
ASKED_FOR = """\
glossary: true
navigation:
  - label: {zh: 术语, en: Terms}
    path: /glossary/
"""


@pytest.fixture
def terms(space: Space) -> Space:
    space.write("site/site.yaml", SITE_YAML + ASKED_FOR)
    space.write("site/glossary.yaml", GLOSSARY)
    space.post(
        "one",
        zh="脉动阵列和词元。词元。",
        en="A systolic array and a token. Tokens, [explained](/glossary/#term-token).",
    )
    space.post("two", zh="词元。", en="One token. `token` in code.\n\nNothing.")
    return space


def test_each_term_has_its_twin_its_definition_and_the_articles_that_use_it_most(terms: Space) -> None:
    result = terms.build()
    assert not errors(result), told(result)
    page = terms.page("en/glossary")
    array, token = page.index('id="term-systolic-array"'), page.index('id="term-token"')
    assert array < token
    of_array, of_token = page[array:token], page[token:].partition("</dl>")[0]
    assert '<dfn>systolic array</dfn> <span lang="zh-Hans">脉动阵列</span>' in of_array
    assert "A piece of &lt;text&gt;." in of_token
    assert of_array.count("<a ") == 1
    assert of_token.index("/en/posts/one/") < of_token.index("/en/posts/two/")
    assert "收缩阵列" not in terms.page("zh/glossary")
    assert '<a href="/zh/glossary/"' in terms.page("zh")
    assert '<a href="/en/glossary/#term-token">' in terms.page("en/posts/one")
    assert "https://example.org/zh/glossary/" in terms.outputs()["sitemap.xml"].decode()


def test_an_edit_makes_the_page_again_only_if_terms_are_used_otherwise(terms: Space) -> None:
    terms.build()
    terms.change("content/posts/two/en.md", "Nothing.", "Nothing at all.")
    assert "glossary-page en" not in ran(terms.build())
    terms.change("content/posts/two/en.md", "Nothing at all", "Tokens, tokens, tokens")
    assert {"term-uses two:en", "glossary-page en"} <= set(ran(terms.build()))
    of_token = terms.page("en/glossary").partition('id="term-token"')[2]
    assert of_token.index("/en/posts/two/") < of_token.index("/en/posts/one/")


def test_first_uses_show_twins_on_pages_and_nowhere_else(terms: Space) -> None:
    terms.write("site/site.yaml", f"{SITE_YAML}first_use: twin\n")
    terms.change("content/posts/one/en.md", "[explained](/glossary/#term-token)", "explained")
    result = terms.build()
    assert not errors(result), told(result)
    shown = 'A systolic array<span class="gloss"> (<span lang="zh-Hans">脉动阵列</span>)</span> and a token'
    assert shown in terms.page("en/posts/one")
    assert "gloss" not in terms.page("en/posts/one/both")
    assert "gloss" not in terms.outputs()["en/feed.xml"].decode()
    terms.change("site/glossary.yaml", "zh: 词元", "zh: 令牌")
    assert {"article-page one:en", "article-page two:en"} <= set(ran(terms.build()))


def test_a_site_that_does_not_ask_for_it_has_no_such_page(terms: Space) -> None:
    terms.write("site/site.yaml", SITE_YAML)
    terms.change("content/posts/one/en.md", "[explained](/glossary/#term-token)", "explained")
    result = terms.build()
    assert not errors(result), told(result)
    assert "en/glossary/index.html" not in terms.outputs()
    assert not any(one.startswith(("term-uses", "glossary-page")) for one in ran(result))
