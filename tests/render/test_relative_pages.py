"""Addresses on pages that browsers open from files."""

import pytest

from diglot.render.relative_pages import relative_address, relative_page

PAGE = "zh/posts/a%20b/index.html"
BASE = "https://example.org/blog/"

CASES = {
    '<a href="/blog/">': '<a href="../../../index.html">',
    '<a href="/blog/zh/posts/a%20b/#top">': '<a href="index.html#top">',
    '<a href="/blog/zh/posts/a%20b/both/?with=x#_1">': '<a href="both/index.html?with=x#_1">',
    "<a class='x' href='/blog/zh/feed.xml'>": "<a class='x' href='../../feed.xml'>",
    '<img src="/blog/a.png" srcset="/blog/a.1.png 400w, /blog/b:c/a.2.png 800w" alt="/blog/">': (
        '<img src="../../../a.png" srcset="../../../a.1.png 400w, ../../../b:c/a.2.png 800w" alt="/blog/">'
    ),
    '<svg><image xlink:href="/blog/a.png"/></svg>': '<svg><image xlink:href="../../../a.png"/></svg>',
    '<figure data-frames="/blog/figures/a.json" data-n="2">': (
        '<figure data-frames="../../../figures/a.json" data-n="2">'
    ),
    '<meta http-equiv="refresh" content="0; url=/blog/en/">': (
        '<meta http-equiv="refresh" content="0; url=../../../en/index.html">'
    ),
    '<p style="x:url(/blog/a.png), url(&quot;/other/b.png&quot;)">': (
        '<p style="x:url(../../../a.png), url(/other/b.png)">'
    ),
    "<style>p { x: url(/blog/a.png) }</style>": "<style>p { x: url(../../../a.png) }</style>",
    '<form action="/blog/en/">': '<form action="../../../en/index.html">',
    # Links of talks, which may be sent alone, but nothing that programs read.
    f'<a href="{BASE}en/">': '<a href="../../../en/index.html">',
    f'<link rel="canonical" href="{BASE}en/">': f'<link rel="canonical" href="{BASE}en/">',
    # Nothing of this site, and no address.
    '<a href="/other/">': '<a href="/other/">',
    '<a href="#here">': '<a href="#here">',
    '<a href="//cdn.example/blog/">': '<a href="//cdn.example/blog/">',
    '<p title="/blog/">href="/blog/" &lt;a href="/blog/"&gt;</p>': (
        '<p title="/blog/">href="/blog/" &lt;a href="/blog/"&gt;</p>'
    ),
    "<p title='an href=\"/blog/\" inside'>": "<p title='an href=\"/blog/\" inside'>",
    # What browsers ask servers alone for.
    '<meta charset="utf-8">\n<link rel="manifest" href="/blog/site.webmanifest">': '<meta charset="utf-8">',
}


@pytest.mark.parametrize("html", CASES)
def test_addresses_of_the_site_become_relative_and_nothing_else_changes(html: str) -> None:
    assert relative_page(html, PAGE, BASE) == CASES[html]


def test_at_the_root_an_address_with_a_colon_is_not_taken_for_a_scheme() -> None:
    assert relative_address("a:b/", "index.html") == "./a:b/index.html"


def test_pages_with_scripts_get_the_one_that_reads_data() -> None:
    page = relative_page('<head><script src="/blog/a.js" defer></script>\n</head>', PAGE, BASE)
    assert page == (
        '<head><script src="../../../a.js" defer></script>\n'
        '<script src="../../../assets/files.js"></script>\n</head>'
    )
