"""What an exported picture says about itself."""

import pytest

from diglot.figure_request import FigureRequest
from diglot.figures.picture_key import PictureKey, picture_key

ROOFLINE = FigureRequest.of("roofline", (("dtype", "fp8"), ("note", "a b")))


@pytest.mark.parametrize(
    "key",
    [
        PictureKey(request=ROOFLINE, digest="9c41e7b2", language="en", theme="light", size="16:9"),
        PictureKey(
            request=FigureRequest("roofline"),
            digest="9c41e7b2",
            language="zh",
            theme="dark",
            size="1920x1080",
            options=(("dpi", "96"), ("text", "1.4")),
        ),
        PictureKey(request=ROOFLINE, digest="9c41e7b2"),
    ],
)
def test_a_key_is_read_as_it_was_written(key: PictureKey) -> None:
    assert picture_key(str(key)) == key
    assert picture_key(f"A description.\n{key}\n") == key


@pytest.mark.parametrize(
    "text", ["", "about data", "training data facade1 of a model", "line en data 9c41e7b2"]
)
def test_other_texts_are_no_keys(text: str) -> None:
    assert picture_key(text) is None
