"""Checks read the tags of pages as browsers do, and pass over those that say nothing."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from diglot.check.html_tags import tags_of

CASES = {
    "quotes of three kinds": (
        """<a href="/a" id='b' title=c>""",
        [("a", {"href": "/a", "id": "b", "title": "c"})],
    ),
    "capital letters": ("<IMG SRC=/a.png Alt>", [("img", {"src": "/a.png", "alt": ""})]),
    "character references": ('<a href="?a=1&amp;b=2">', [("a", {"href": "?a=1&b=2"})]),
    "marks in a value": (
        '<a title="1 > 0 <b id=x>" href=/a/>',
        [("a", {"title": "1 > 0 <b id=x>", "href": "/a/"})],
    ),
    "spaces around the sign, and a slash": (
        '<img src = "/a"\n alt="" />',
        [("img", {"src": "/a", "alt": ""})],
    ),
    "comments": ("<!-- <a href=/a> --><!--><a href=/b>-->", [("a", {"href": "/b"})]),
    "a comment without an end": ("<!-- <a href=/a>", []),
    "scripts and styles": (
        "<script>'<a href=/a>'</script><style>a::after{content:'<a id=b>'}</STYLE><a id=c>",
        [("script", {}), ("style", {}), ("a", {"id": "c"})],
    ),
    "a tag without an end": ('<p id=a><a href="/a', [("p", {"id": "a"})]),
    "tags that say nothing": ('<p><span class="n">x</span></p><br><em class="">', []),
    "a mark in a class": ('<span class="<a href=/a>" id=b>', [("span", {"class": "<a href=/a>", "id": "b"})]),
    "ends that matter": (
        "<svg></svg><template></template ><picture></picture></a>",
        [("svg", {}), ("/svg", {}), ("template", {}), ("/template", {}), ("/picture", {})],
    ),
    "a sign that begins no tag": ("1 < 2 <3 <a id=b>", [("a", {"id": "b"})]),
}


def test_every_case_is_read() -> None:
    read = {name: [(tag.name, tag.attributes) for tag in tags_of(html)] for name, (html, _) in CASES.items()}
    assert read == {name: tags for name, (_, tags) in CASES.items()}


def test_tags_have_lines_and_a_title_has_its_text() -> None:
    html = "<html lang=zh>\n<svg><title>no</title></svg>\n<title>a &lt; b\n<c id=d></title>\n\n<a id=e>"
    found = [(tag.name, tag.line, tag.title) for tag in tags_of(html)]
    assert found[0] == ("html", 1, None)
    assert found[-2:] == [("title", 3, "a < b\n<c id=d>"), ("a", 6, None)]


PIECES = [
    *(
        "<p>",
        "</p>",
        '<span class="k">',
        "</span>",
        "<b id=x>",
        "<a href='/a?b&amp;c'>",
        "</a>",
        "<svg>",
        "</svg>",
    ),
    *(
        "<!-- <i id=y> -->",
        "<script>var a = '<i id=z>'</script>",
        "<!doctype html>",
        "<img src=/a.png alt>",
        "<br/>",
    ),
    *(
        '<div data-x="<a href=/q>" id="d">',
        '<a class="m" href="/b">',
        "text",
        " 1 < 2 ",
        "&lt;a id=e&gt;",
        "\n",
    ),
    *("<template>", "</template>", '<mo lspace="0em">', "<source srcset='/a 1x, /b 2x'>", "</picture>"),
]


class _Oracle(HTMLParser):
    """The start tags with an attribute besides `class`, as the standard library reads them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str], int]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if attributes.keys() - {"class"}:
            self.tags.append((tag, attributes, self.getpos()[0]))


@given(st.lists(st.sampled_from(PIECES)))
def test_what_is_read_is_what_the_standard_library_reads(pieces: list[str]) -> None:
    html = "".join(pieces)
    found = [
        (tag.name, tag.attributes, tag.line) for tag in tags_of(html) if tag.attributes.keys() - {"class"}
    ]
    assert found == _Oracle(html).tags
