"""XML without a document type."""

import pytest

from diglot.plain_xml import XmlMistake, parse_xml


def test_the_root_of_a_file_is_read() -> None:
    assert parse_xml(b"<a><b>x</b></a>").findtext("b") == "x"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"<a>", "no element found"),
        (b"", "no element found"),
        (b'<?xml version="1.0" encoding="no-such"?><a/>', "no-such|encoding"),
        (b"<!DOCTYPE a [<!ENTITY b 'b'>]><a>&b;</a>", "it has a document type"),
    ],
)
def test_anything_else_is_refused(content: bytes, why: str) -> None:
    with pytest.raises(XmlMistake, match=why):
        parse_xml(content)
