"""Pictures of every kind, whole and damaged: their size where it can be told, and never a traceback."""

import io
import random
import re
import struct
import zlib

import pytest
from PIL import Image

from diglot.rules.pictures import measure_picture, scaled_picture
from tests.space import BARS, Space, errors, ran

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


def photograph(width: int, height: int, **settings: object) -> bytes:
    file = io.BytesIO()
    gradient = Image.linear_gradient("L").resize((width, height))
    Image.merge("RGB", (gradient, gradient, gradient)).save(file, "JPEG", **settings)
    return file.getvalue()


def test_pictures_are_published_for_every_screen_and_captioned_ones_are_figures(space: Space) -> None:
    """One site, because each build of it takes a second."""
    lying = Image.Exif()
    lying[0x0112] = 6  # turned by a quarter
    lying[0x010E] = "taken at home"
    space.write("content/posts/a/photo.jpg", photograph(2000, 1000, exif=lying))
    for name, colour in (("chip", "white"), ("chip.dark", "black")):
        file = io.BytesIO()
        Image.new("RGB", (600, 300), colour).save(file, "PNG")
        space.write(f"content/posts/a/{name}.png", file.getvalue())
    moving = io.BytesIO()
    frames = [Image.new("RGB", (500, 500), one) for one in ("red", "blue")]
    frames[0].save(moving, "GIF", save_all=True, append_images=frames[1:])
    space.write("content/posts/a/moving.gif", moving.getvalue())
    space.write("content/posts/a/drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    space.write("site/static/banner.png", (space.root / "content/posts/a/chip.png").read_bytes())
    body = """
        See {{ref}}`fig-chip`, {{ref}}`fig-home` and {{ref}}`fig-bars`.

        ![1](chip.png "{chip}")

        {{#fig-home}}
        ![2](photo.jpg "{home}"){{width=50%}}

        ```{{figure}} bars
        ```

        ![3](moving.gif) ![4](drawing.svg) ![5](/banner.png){{width=120}}

        ![6](chip.png)
    """
    space.write("figures/bars.py", BARS)
    space.post(
        "a", zh=body.format(chip="芯片与<b>", home="家"), en=body.format(chip="A chip & <b>", home="Home")
    )
    with space.site() as site:
        site.build()
        page, both = space.page("en/posts/a"), space.page("zh/posts/a/both")
        assert ran(site.build()) == []
        space.change("content/posts/a/en.md", "See ", "Now see ")
        assert not [one for one in ran(site.build()) if one.startswith("picture")]
    images = {alt: tags for tags, alt in re.findall(r'((?:<source [^>]*>)*<img [^>]*alt="(\d)"[^>]*>)', page)}

    # Widths never above the picture's own, upright, without metadata; what cannot be scaled stays.
    assert [*re.findall(r"-(\d+)\.[0-9a-f]{8}\.webp (\d+)w", images["2"])] == [
        ("400", "400"),
        ("800", "800"),
        ("1000", "1000"),
    ]
    assert 'width="1000" height="2000"' in images["2"]
    assert 'sizes="(max-width: 720px) calc(0.5 * (100vw - 40px)), 340px"' in images["2"]
    assert [*re.findall(r" (\d+)w", images["1"])] == ["400", "600", "600", "400", "600"]
    assert 'width="120" height="60"' in images["5"]
    assert 'src="/banner.png"' in images["5"]
    assert "srcset" not in images["3"] + images["4"]
    assert "loading" not in images["1"]
    assert all('loading="lazy"' in images[n] for n in "23456")
    made = {path: content for path, content in space.outputs().items() if "/photo" in path}
    assert sorted(re.sub(r"\.[0-9a-f]{8}\.", ".", path) for path in made) == [
        f"assets/posts/a/photo-jpg-{name}" for name in ("1000.jpg", "1000.webp", "400.webp", "800.webp")
    ]
    for path, content in made.items():
        with Image.open(io.BytesIO(content)) as shown:
            assert shown.height == 2 * shown.width, path
            assert not shown.getexif()
        assert b"taken at home" not in content

    # The dark variant stands before the picture, and what some browsers cannot show before what all can.
    # Numbers run on with figures, in both languages.
    sources = re.findall(
        r'<source( data-dark media="\(prefers-color-scheme: dark\)")?(?: type="([^"]*)")? srcset="/([^" ]*)',
        images["1"],
    )
    assert [(bool(dark), kind) for dark, kind, _ in sources] == [
        (True, "image/webp"),
        (True, ""),
        (False, "image/webp"),
    ]
    assert {path for _, _, path in sources} <= {*space.outputs()}
    assert page.count("<picture>") == page.count("</picture>") == 4
    assert "<figcaption><b>Figure 1</b>A chip &amp; &lt;b&gt;</figcaption></figure>" in page
    assert re.findall(r'<a class="ref" href="#([\w-]+)">(Figure \d)', page) == [
        ("top-2", "Figure 1"),
        ("fig-home", "Figure 2"),
        ("fig-bars", "Figure 3"),
    ]
    assert both.count('alt="1"') == both.count('alt="2"') == both.count('alt="6"') == 1
    assert both.count('alt="3"') == 2  # with other pictures in one paragraph
    assert '<div class="caption"><b>Figure 2</b>Home</div>' in both
    assert re.findall("<b>图.?2</b>家</figcaption>", both)
    feed = (space.root / "public/en/feed.xml").read_text("utf-8")
    assert "Figure 1" in feed
    assert "https://example.org/assets/posts/a/chip" in feed

    # A site may keep its pictures as they are.
    space.change("site/site.yaml", "base_url:", "pictures: none\nbase_url:")
    space.build()
    page = space.page("en/posts/a")
    assert not re.findall(r"<source (?!data-dark)", page)
    (kept,) = re.findall(r'src="/([^"]*photo[^"]*)"', page)
    assert (space.root / "public" / kept).read_bytes() == photograph(2000, 1000, exif=lying)


def test_a_picture_that_only_one_half_has_counts_in_both(space: Space) -> None:
    for name in ("a", "b"):
        space.write(f"content/posts/x/{name}.png", picture("png"))
    space.post(
        "x",
        zh='## 一\n\n![甲](a.png "甲")\n\n正文很长，写了好几句话。\n\n## 二\n\n![乙](b.png "乙")\n',
        en='## One\n\nA long text of several sentences.\n\n## Two\n\n![B](b.png "B")\n',
    )
    assert not errors(space.build())
    assert "<b>Figure 2</b>B" in space.page("en/posts/x")
    assert re.findall(r"<b>图\s?(\d)</b>(.)", space.page("zh/posts/x")) == [("1", "甲"), ("2", "乙")]


@pytest.mark.parametrize("kind", ["webp", "avif", "jpg"])
def test_the_same_picture_gives_the_same_bytes(kind: str) -> None:
    source = photograph(900, 600)
    one = scaled_picture(source, 400, kind)
    assert one
    assert one == scaled_picture(source, 400, kind)
    assert scaled_picture(source[:2000], 400, kind) is None
