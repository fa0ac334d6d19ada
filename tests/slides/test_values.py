"""Values that were written from expressions, and numbers that people typed."""

import json

import pytest

from diglot.content.computed_numbers import KnownNumbers
from diglot.expressions.numbers_of import earlier_numbers, numbers_within
from diglot.slides.bound_values import Spot, locate, tags_updated, values_replaced
from diglot.slides.changes import Change, list_changes
from diglot.slides.typed_numbers import TypedNumber, find_typed


def test_a_value_is_found_in_its_own_run_or_inside_of_another() -> None:
    runs = ["At batch ", "32", ", H200 reaches 15% of 1,532, v6e 6%"]
    found = locate(runs, ["32", "15%", "6%", "32"])
    assert found == [Spot(1, 0), Spot(2, 15), Spot(2, 33), None]
    assert locate(["132 or 3.2 or 32.5 or 32"], ["32"]) == [Spot(0, 22)]


A = "http://schemas.openxmlformats.org/drawingml/2006/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
PART = (
    f'<p:sld xmlns:p="p" xmlns:a="{A}" xmlns:m="m" xmlns:mc="{MC}">'
    '<p:sp><p:nvSpPr><p:cNvPr id="4" name="x"/></p:nvSpPr><p:txBody><a:p>'
    "<mc:AlternateContent><mc:Choice><m:t>5</m:t></mc:Choice>"
    "<mc:Fallback><a:r><a:t>5</a:t></a:r></mc:Fallback></mc:AlternateContent>"
    "<a:r><a:t>5 &amp; then </a:t></a:r><a:r><a:t/></a:r><a:r><a:t>5</a:t></a:r></a:p></p:txBody></p:sp>"
    '<p:sp><p:nvSpPr><p:cNvPr id="5" name="y"/></p:nvSpPr><a:t>5</a:t></p:sp></p:sld>'
)


def test_values_are_replaced_in_their_shape_alone_and_not_in_formulas() -> None:
    now = values_replaced(PART.encode(), {"4": [("5", "<7>"), ("5", "5 & 6")]})
    assert now.decode() == PART.replace("5 &amp; then", "&lt;7&gt; &amp; then", 1).replace(
        "<a:t/></a:r><a:r><a:t>5</a:t></a:r>", "<a:t/></a:r><a:r><a:t>5 &amp; 6</a:t></a:r>"
    )
    assert values_replaced(PART.encode(), {"4": [("5", "5")], "9": [("5", "6")]}) == PART.encode()


def test_the_list_of_values_follows() -> None:
    values = [{"expression": "a.b", "language": "en", "text": "5"}]
    other = "<p:tag val='1'/>"
    tags = f"<p:tagLst xmlns:p='p'><p:tag name='X' val='{json.dumps(values)}'/>{other}</p:tagLst>"
    now = tags_updated(tags.encode(), {("a.b", "5"): "7"})
    assert now.decode() == tags.replace('"text": "5"', '"text": "7"')


OLD = {"ridge": 206.04, "rate": 4.8e12, "share": 0.753, "years": [2024, 2025], "n": 2048, "few": 3}
NEW = {**OLD, "ridge": 247.2, "rate": 4.0e12, "share": 0.8, "few": 4}
NOW = numbers_within("a", NEW)
KNOWN = KnownNumbers(NOW, earlier_numbers(numbers_within("a", OLD), NOW))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("At 206 FLOP/byte", [("206 FLOP/byte", "206", "a.ridge", True, "247 FLOP/byte")]),
        (
            "4.8 TB/s or 4,800 GB/s",
            [
                ("4.8 TB/s", "4.8", "a.rate", True, "4.0 TB/s"),
                ("4,800 GB/s", "4,800", "a.rate", True, "4,000 GB/s"),
            ],
        ),
        ("4.8 against 3", [("4.8", "4.8", "a.rate", True, "4.0")]),
        ("75% of the peak", [("75%", "75", "a.share", True, "80%")]),
        ("达到峰值的75%", [("75%", "75", "a.share", True, "80%")]),
        ("it is 247 now, 80%, at 2,048", []),
        ("about 2,050 columns", [("2,050 columns", "2,050", "a.n", False, "2,048 columns")]),
        ("in 2025, 3 of H206, v2.06", []),
    ],
)
def test_numbers_that_people_typed_are_compared_with_data(text: str, found: list) -> None:
    assert [*find_typed(text, KNOWN)] == [TypedNumber(*one) for one in found]


def test_changes_are_listed_with_words_and_names_first() -> None:
    old = {"rows": [1, 2.5], "a": {"b": 4.8e12, "c": "x"}, "gone": None, "same": [1], "short": [1, 2]}
    new = {"rows": [1, 3.5], "a": {"b": 4e12, "c": "y"}, "come": True, "same": [1], "short": [1]}
    assert list_changes(old, new) == [
        Change("a.c", '"x"', '"y"'),
        Change("a.b", "4.8e12", "4e12"),
        Change("gone", "none", "nothing"),
        Change("short", "2 values", "1 value"),
        Change("come", "nothing", "true"),
        Change("rows[1]", "2.5", "3.5"),
    ]
    assert list_changes({"x": 1.00000001}, {"x": 1.00000002}) == [Change("x", "1.00000001", "1.00000002")]
