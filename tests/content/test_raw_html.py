"""Tags that authors write: read with all their attributes, and written again with each of them once."""

from html import escape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.content.raw_html import Address, PictureSize, lacks_address, pieces_of
from diglot.html_tags import attributes_of, candidates_in, tags_of
from diglot.web_addresses import is_elsewhere

NAMES = st.sampled_from(
    ["src", "SRC", "alt", "width", "height", "Width", "title", "data-x", "class", "style", "poster", "srcset"]
)
VALUES = st.text("ab1 >\"'=/&;<图\n", max_size=8) | st.sampled_from(
    ["a.png", "40", "b c.png", "&amp;", "?a=1&copy=2"]
)
SPACES = st.sampled_from([" ", "\n", "  ", "\t"])


def quoted(value: str, quote: str) -> str:
    """A value as an author may write it in these quotes."""
    written = value.replace("&", "&amp;").replace('"', "&quot;").replace("'", "&#39;")
    if quote:
        return f"{quote}{written}{quote}"
    bare = "".join(one for one in written if one not in " \n\t=<>`/")
    return bare or "x"


@st.composite
def tags(draw: st.DrawFn) -> str:
    """A start tag with attributes in every way of writing."""
    written = [draw(st.sampled_from(["<img", "<IMG", "<video", "<source", "<a"]))]
    for name in draw(st.lists(NAMES, max_size=6)):
        written += [draw(SPACES), name]
        if draw(st.integers(0, 4)):
            around = draw(st.sampled_from(["", " "]))
            written.append(
                f"{around}={around}{quoted(draw(VALUES), draw(st.sampled_from(['', chr(34), chr(39)])))}"
            )
    return "".join((*written, draw(st.sampled_from([">", " >", " />"]))))


class _Oracle(HTMLParser):
    """The attributes of the first tag, as the standard library reads them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tag, self.attributes, self.all_names = "", dict[str, str](), list[str]()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self.tag:
            self.tag, self.all_names = tag, [name for name, _ in attrs]
            self.attributes = {name: value or "" for name, value in reversed(attrs)}


def published(html: str) -> str:
    """A piece of HTML in which addresses are below `/p/`, and the file of a picture has 40 × 30 pixels."""
    out = []
    for piece in pieces_of(html):
        if isinstance(piece, Address):
            out.append(escape(piece.target if is_elsewhere(piece.target) else f"/p/{piece.target}"))
        elif isinstance(piece, PictureSize):
            out.append(f' width="{piece.width or 40}" height="{piece.height or 30}"')
        else:
            out.append(piece)
    return "".join(out)


@given(tags())
def test_a_tag_written_again_has_its_authors_attributes_once_and_ours(tag: str) -> None:
    before, after = _Oracle(f"{tag}text"), _Oracle(f"{published(tag)}text")
    assert after.tag == before.tag
    assert published(tag).endswith(">")
    if published(tag) != tag:
        assert len(after.all_names) == len(set(after.all_names)), published(tag)
    expected = dict(before.attributes)
    found = dict(after.attributes)
    for name in ("src", "poster", "srcset", "href"):
        if found.get(name, "") != expected.get(name, ""):
            assert "/p/" in found[name]
            del found[name], expected[name]
    if after.tag == "img":
        for name in ("width", "height"):
            if not expected.get(name):
                found.pop(name, None)
                expected.pop(name, None)
    assert found.pop("style", "") == expected.pop("style", "")
    assert found == expected


@given(tags())
def test_attributes_are_read_as_the_standard_library_reads_them(tag: str) -> None:
    (read,) = tags_of(tag)
    assert {one.name: one.value for one in attributes_of(read)} == _Oracle(tag).attributes


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<img src='a.png'>", '<img src="/p/a.png" width="40" height="30">'),
        ('<img width="100" src=a.png>', '<img src="/p/a.png" width="100" height="30">'),
        ('<img src=a.png height="9">', '<img src="/p/a.png" width="40" height="9">'),
        ('<img src=a.png width="50%">', '<img src="/p/a.png" width="50%">'),
        ('<img src=a.png style="height:3em">', '<img src="/p/a.png" style="height:3em">'),
        ("<img src=a.png src=b.png/>", '<img src="/p/a.png" width="40" height="30">'),
        ("<video src='x&amp;y.mp4' />", '<video src="/p/x&amp;y.mp4" />'),
        ('<img src="https://x.y/a.png" width=3>', '<img src="https://x.y/a.png" width="3" height="30">'),
        ('<img src="data:image/png;base64,AA==">',
         '<img src="data:image/png;base64,AA==" width="40" height="30">'),
        ('<video poster=a.png width=640 src="v.mp4">', '<video poster="/p/a.png" width=640 src="/p/v.mp4">'),
        ('<a href=" b.md\n">', '<a href="/p/b.md">'),
        ('<a href="">x</a><form action="?q">', None),
        ("<!-- <img src=a.png> --><script>'<img src=a.png>'</script>", None),
        ('<b title="<img src=a.png>">', None),
        ('<a xlink:href="b.md"/><use href="#x"/>', '<a xlink:href="/p/b.md" /><use href="#x"/>'),
        ("<area href=b.md><q cite=b.md><form action=b.md><input formaction=b.md>",
         '<area href="/p/b.md"><q cite="/p/b.md"><form action="/p/b.md"><input formaction="/p/b.md">'),
        ("<iframe src=a.html></iframe><embed src=a.pdf><object data=a.pdf>",
         '<iframe src="/p/a.html"></iframe><embed src="/p/a.pdf"><object data="/p/a.pdf">'),
        ('<i style="background:url(\'a.png\')">', '<i style="background:url(/p/a.png)">'),
        ('<i style="x:url(#a)" class=b>', None),
        ('<i style=\'x:image-set("a.png" 1x, url(b.png) 2x)\'>',
         '<i style="x:image-set(url(/p/a.png) 1x, url(/p/b.png) 2x)">'),
        ('<i style=\'x:-webkit-image-set("a.png" type("image/png"))\'>',
         '<i style="x:-webkit-image-set(url(/p/a.png) type(&quot;image/png&quot;))">'),
        ('<i style=\'font:"a.png";x:f("a.png") calc((1px))\'>', None),
        ('<style>i{x:image-set("a.png" 1x)}</style>', "<style>i{x:image-set(url(/p/a.png) 1x)}</style>"),
        ("<rect fill='url(\"a.svg#g\")'><rect fill='url(#g)'>",
         '<rect fill="url(/p/a.svg#g)"><rect fill=\'url(#g)\'>'),
        ("<path marker-end=url(a.svg#g) title=url(a.svg#g)>",
         '<path marker-end="url(/p/a.svg#g)" title=url(a.svg#g)>'),
        ("<link rel=stylesheet href=a.css><link rel=Icon href=a.png>",
         '<link rel=stylesheet href="/p/a.css"><link rel=Icon href="/p/a.png">'),
        ('<link rel=preload as=image imagesrcset="a.png 1x,b.png 2x">',
         '<link rel=preload as=image imagesrcset="/p/a.png 1x, /p/b.png 2x">'),
        ("<meta http-equiv=Refresh content='0;URL=\"a.html\"'>",
         '<meta http-equiv=Refresh content="0; url=/p/a.html">'),
        ("<meta http-equiv=refresh content='1.5, a.html'>",
         '<meta http-equiv=refresh content="1.5; url=/p/a.html">'),
        ('<meta http-equiv=refresh content=5><meta name=x content="0; url=a.html">', None),
        ('<meta http-equiv=refresh content="0; url=https://x.y/">', None),
        ('<img src="a.png', None),
    ],
)  # fmt: skip
def test_addresses_are_written_where_they_stand(html: str, written: str | None) -> None:
    assert published(html) == (html if written is None else written)


@pytest.mark.parametrize(
    ("html", "lacks"),
    [
        ("<img alt=x>", True),
        ("<img>", True),
        ('<img srcset="a.png 2x">', False),
        ("<img data-src=a.png>", False),
        ("<img src>", False),  # which is a missing picture
        ('<a href="">', True),
        ("<a href>", True),
        ("<a name=x>", False),
        ('<a href="#">', False),
        ('<area href=" ">', True),
        ("<video src=''>", True),
        ("<video>", False),
        ("<object data=''>", True),
        ("<link rel=stylesheet href=''>", True),
        ("<form action=''>", False),
        ("<q cite=''>", False),
        ("<b title=''>", False),
    ],
)
def test_an_element_without_its_address_is_known(html: str, lacks: bool) -> None:
    (tag,) = tags_of(html)
    assert lacks_address(tag.name, {one.name: one.value for one in attributes_of(tag)}) is lacks


def test_an_address_with_a_comma_is_one_candidate() -> None:
    offered = [tuple(one) for one in candidates_in(" a,b.png 1x,, c.png 2x,d.png, e.png (a,b) x ")]
    assert offered == [("a,b.png", "1x"), ("c.png", "2x"), ("d.png", ""), ("e.png", "(a,b) x")]
