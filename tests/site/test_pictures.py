"""Pictures of every kind, whole and damaged: their size where it can be told, and never a traceback."""

import io
import random
import struct
import zlib

import pytest
from PIL import Image

from diglot.rules.pictures import measure_picture
from tests.space import Space, errors

FORMATS = ("png", "jpeg", "gif", "webp", "bmp", "tiff", "ppm")


def picture(file_format: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (16, 24)).save(file, file_format)
    return file.getvalue()


def measured(content: bytes) -> tuple[int, int]:
    async def fetch(_target: object, _name: str) -> bytes:
        return content

    running = measure_picture.run(fetch, "a.picture").__await__()  # type: ignore[arg-type]  (a stub)
    with pytest.raises(StopIteration) as ended:
        next(running)
    facts = ended.value.value
    return facts.width_px, facts.height_px


@pytest.mark.parametrize("file_format", FORMATS)
def test_the_size_of_a_picture_is_measured(file_format: str) -> None:
    assert measured(picture(file_format)) == (16, 24)


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_damaged_picture_has_some_size_or_none(file_format: str) -> None:
    whole, rng = picture(file_format), random.Random(file_format)
    damaged = [whole[:end] for end in range(min(len(whole), 200))]
    for at in range(min(len(whole), 120)):
        for bits in (0xFF, 1 << rng.randrange(8)):
            damaged.append(whole[:at] + bytes([whole[at] ^ bits]) + whole[at + 1 :])
    for content in damaged:
        assert all(side >= 0 for side in measured(content))


def test_a_picture_of_more_pixels_than_memory_holds_is_measured() -> None:
    header = struct.pack(">IIBBBBB", 2**30, 2**30, 8, 0, 0, 0, 0)
    chunk = b"IHDR" + header
    content = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    assert measured(content + struct.pack(">I", 0) + b"IDAT" + b"\0" * 8) == (2**30, 2**30)


def test_a_half_written_picture_does_not_end_the_build(space: Space) -> None:
    space.write("content/posts/a/dot.png", picture("png")[:20])
    space.post("a", zh="![点](dot.png)", en="![dot](dot.png)")
    assert not errors(space.build())
    assert "dot." in space.page("zh/posts/a")
