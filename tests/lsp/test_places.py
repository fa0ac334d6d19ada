"""Positions in the units of editors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, PositionEncodingKind

from diglot.lsp.places import Text, path_in, uri_of
from diglot.lsp.yaml_keys import place_at


@given(st.text(alphabet=st.sampled_from("aé屋🚀\n\r\u2028\x0c ")), st.sampled_from([*PositionEncodingKind]))
def test_every_character_is_found_again(text: str, encoding: PositionEncodingKind) -> None:
    whole = Text(text, encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":
            assert whole.offset(whole.position(offset)) == min(
                offset,
                whole.start_of(whole.position(offset).line) + len(whole.line(whole.position(offset).line)),
            )


def test_lines_end_where_editors_end_them() -> None:
    text = Text("a\u2028b\r\nc\rd\n")
    assert [text.line(number) for number in range(text.line_count)] == ["a\u2028b", "c", "d", ""]
    assert text.position(5) == Position(line=1, character=0)


@pytest.mark.parametrize(("character", "offset"), [(0, 0), (2, 1), (4, 2), (5, 3), (99, 3)])
def test_emoji_are_two_units(character: int, offset: int) -> None:
    assert Text("🚀🚀屋").offset(Position(line=0, character=character)) == offset


def test_paths_and_addresses(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = "content/posts/屋 顶#1/zh.md"
    assert path_in(tmp_path, uri_of(tmp_path, path)) == path
    assert path_in(tmp_path, "untitled:Untitled-1") is None
    assert path_in(tmp_path, "file:///elsewhere/x.md") is None


@pytest.mark.parametrize(
    ("text", "keys", "in_value"),
    [
        ("ti", ("ti",), False),
        ("title: x", ("title",), True),
        ("title: {zh: a}\nauthors:\n  ada:\n    na", ("authors", "ada", "na"), False),
        ("navigation:\n  - label: x\n    pa", ("navigation", "[]", "pa"), False),
        ("navigation:\n- la", ("navigation", "[]"), True),
        ("tags: [a, b", ("tags",), True),
        ("tags:\n  - a", ("tags", "[]"), True),
        ("a:\n  b: 1\nc", ("c",), False),
    ],
)
def test_keys_of_a_place(text: str, keys: tuple[str, ...], in_value: bool) -> None:
    lines = text.split("\n")
    place = place_at(lines, len(lines) - 1, len(lines[-1]))
    assert (place.keys, place.in_value) == (keys, in_value)
