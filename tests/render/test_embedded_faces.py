"""Faces inside a talk's page: what it is set in, and no more."""

from diglot.render.embedded_faces import without_unused_faces


def face(name: str, more: str = "", source: str = "data:font/woff2;base64,AA==") -> str:
    return f'@font-face {{ font-family: "{name}"; src: url("{source}") format("woff2"); {more}}}\n'


BASE, ITALIC = face("Base"), face("Italic", "font-style: italic; ")
GREEK, SIGNS = (
    face("Greek", "unicode-range: U+0391-03A9, U+03B1-03C9; "),
    face("Signs", "unicode-range: U+2211; "),
)
FETCHED = face("Fetched", "unicode-range: U+4E00-9FFF; ", source="../../assets/large.woff2")
STYLE = f"<style>{BASE}{ITALIC}{GREEK}{SIGNS}{FETCHED}p {{ margin: 0; }}</style>"


def left_out(body: str) -> list[str]:
    page = without_unused_faces(STYLE + body)
    assert page.endswith(f"p {{ margin: 0; }}</style>{body}")
    return [name for name in ("Base", "Italic", "Greek", "Signs", "Fetched") if f'"{name}"' not in page]


def test_faces_for_characters_that_are_not_there_are_left_out():
    assert left_out("<p>Plain.</p>") == ["Italic", "Greek", "Signs"]
    assert left_out("<p>The bandwidth β.</p>") == ["Italic", "Signs"]
    assert left_out("<p>A sum: &#8721; or &sum;</p>") == ["Italic", "Greek"]
    assert left_out("<p><math><mi>β</mi><mo>∑</mo></math></p>") == ["Italic", "Greek", "Signs"]


def test_italic_faces_stay_where_something_may_be_in_italics():
    assert left_out("<p>A <em>word</em>.</p>") == ["Greek", "Signs"]
    assert left_out("<style>.name { font-style: italic; }</style>") == ["Greek", "Signs"]
    assert left_out('<link rel="stylesheet" href="custom.css">') == ["Greek", "Signs"]
    assert left_out("<embed><img>") == ["Italic", "Greek", "Signs"]
