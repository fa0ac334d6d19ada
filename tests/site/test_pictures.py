"""Pictures of every kind, whole and damaged: their size where it can be told, and never a traceback."""

import io
import random
import re
import struct
import zlib

import pytest
from PIL import Image, features

from diglot.render.picture_files import read_picture
from diglot.rules.pictures import scaled_picture
from tests.space import BARS, Space, errors, ran

FORMATS = ("png", "jpeg", "gif", "webp", "bmp", "avif")
SVG = '<svg xmlns="http://www.w3.org/2000/svg" {}><path d="M0 0h9"/></svg>'
DRAWING = SVG.replace("{}", 'width="9" height="9"')


def picture(file_format: str, mode: str = "RGB", **settings: object) -> bytes:
    file = io.BytesIO()
    Image.new(mode, (16, 24)).save(file, file_format, **settings)
    return file.getvalue()


def measured(content: bytes, name: str = "a.picture") -> tuple[int, int]:
    facts = read_picture(name, content)
    return facts.width_px, facts.height_px


def damage(content: bytes, name: str = "a.picture") -> str:
    found = read_picture(name, content).damage
    return "" if found is None else f"{found.what} | {found.fix}"


@pytest.mark.parametrize("file_format", FORMATS)
def test_the_size_of_a_picture_is_measured(file_format: str) -> None:
    assert measured(picture(file_format)) == (16, 24)
    ending = file_format.replace("jpeg", "jpg")
    assert damage(picture(file_format), f"a/图.{ending}") == ""
    assert damage(picture(file_format), f"a/图.{ending.upper()}") == ""


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_damaged_picture_has_some_size_or_none(file_format: str) -> None:
    whole, rng = picture(file_format), random.Random(file_format)
    damaged = [whole[:end] for end in range(min(len(whole), 200))]
    for at in range(min(len(whole), 120)):
        for bits in (0xFF, 1 << rng.randrange(8)):
            damaged.append(whole[:at] + bytes([whole[at] ^ bits]) + whole[at + 1 :])
    for content in damaged:
        assert all(side >= 0 for side in measured(content))


@pytest.mark.parametrize("file_format", ["png", "jpeg", "gif", "webp", "avif"])
def test_a_picture_without_its_second_half_is_damaged(file_format: str) -> None:
    if file_format == "avif" and not features.check("avif"):
        pytest.skip("this Pillow cannot write AVIF")
    noise = Image.frombytes("L", (90, 90), random.Random(file_format).randbytes(90 * 90)).convert("RGB")
    file = io.BytesIO()
    noise.save(file, file_format)
    for share in (0.3, 0.5, 0.9):
        content = file.getvalue()[: int(len(file.getvalue()) * share)]
        assert "cut off" in damage(content), (file_format, share)


NO_SIZE = "says no size, so that each browser chooses one"
SIZE = 'give its <svg> a viewBox="0 0 WIDTH HEIGHT" with the numbers that its drawing takes.'
BROKEN = "is damaged or cut off | copy or download it again, or save it again in its program."
XML = "correct it there, or save it as SVG again."
SIDES = "write a width, height and viewBox above 0 into its <svg>."
OTHER = "save it as PNG, JPEG, WebP or SVG."
ANEW = "download the picture itself again."
FLAT = b'<svg xmlns="http://www.w3.org/2000/svg" %s/>'
NOTHING = "is 0 pixels wide or high, so that nothing is shown"


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.png", b"", "is empty | save it again, or take it from a copy."),
        ("a.jpg", bytes(4096), "holds only zeros | save it again, or take it from a copy."),
        (
            "a.png",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
            "is a pointer of Git LFS, not the picture | run `git lfs pull`, then build again.",
        ),
        (
            "a.svg",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
            "is a pointer of Git LFS, not the picture | run `git lfs pull`, then build again.",
        ),
        (
            "a.png",
            b"../.git/annex/objects/a/b/c.png",
            "is a pointer of git-annex, not the picture | run `git annex get` on it, then build again.",
        ),
        ("a.png", b"\n<!DOCTYPE html><p>404", f"is a web page, not a picture | {ANEW}"),
        ("a.svg", b"<html><p>404", f"is a web page, not a picture | {ANEW}"),
        ("a.jpg", b"\0\0\0\x18ftypheic\0", f"is a HEIC file, which most browsers do not show | {OTHER}"),
        ("a.jxl", b"\xff\x0a\0\0", f"is a JPEG XL file, which most browsers do not show | {OTHER}"),
        ("a.png", b"%PDF-1.7", f"is a PDF file, which most browsers do not show | {OTHER}"),
        ("a.tif", picture("tiff"), f"is a TIFF file, which most browsers do not show | {OTHER}"),
        ("a.ppm", picture("ppm"), f"is a PPM file, which most browsers do not show | {OTHER}"),
        (
            "a.png",
            b"\0\0\0\x18ftypisom\0",
            'is a film, not a picture | write <video src="…" controls></video>.',
        ),
        ("a.svgz", b"\x1f\x8b\x08", "is compressed, so that browsers do not show it | unpack it."),
        ("a.png", b"hello", f"is no picture that browsers know | {OTHER}"),
        (
            "a.png",
            picture("jpeg"),
            'holds a picture in the format JPEG | rename it to "a.jpg", here and in articles.',
        ),
        (
            "x/a.jpeg",
            picture("png"),
            'holds a picture in the format PNG | rename it to "a.png", here and in articles.',
        ),
        (
            "a.png",
            DRAWING.encode(),
            'holds a picture in the format SVG | rename it to "a.svg", here and in articles.',
        ),
        ("a.svg", b"<svg><p></svg>", f"is not XML: mismatched tag: line 1, column 10 | {XML}"),
        ("a.svg", b"<svg/>", 'has no xmlns="http://www.w3.org/2000/svg" in its <svg> | '
         'begin it with <svg xmlns="http://www.w3.org/2000/svg" ….'),
        ("a.svg", b"<g/>", "begins with <g> instead of <svg> | save the picture as SVG."),
        (
            "a.svg",
            DRAWING.replace("<path", "\n&nbsp;<path").encode(),
            f"is not XML: undefined entity: line 2, column 0 | {XML}",
        ),
        ("a.svg", FLAT % b'width="0" height="0"', f"{NOTHING} | {SIDES}"),
        ("a.svg", FLAT % b'viewBox="0 0 0 9"', f"{NOTHING} | {SIDES}"),
        ("a.avif", b"\0\0\0\x18ftypavif\0junk", BROKEN),
        ("a.webp", b"RIFF\x10\0\0\0WEBPjunk", BROKEN),
        ("a.png", b"\x89PNG\r\n\x1a\njunk", BROKEN),
        ("a.jpg", picture("jpeg", "CMYK"), ""),
        ("a.png", picture("png", "P"), ""),
        ("a.png", picture("png", "I;16"), ""),
        ("a.svg", DRAWING.encode(), ""),
        ("a.svg", b"\xef\xbb\xbf<?xml version='1.0'?><!-- x -->" + DRAWING.encode(), ""),
        (
            "a.svg",
            b'<!DOCTYPE svg [<!ENTITY x "http://www.w3.org/2000/svg">]><svg xmlns="&x;" viewBox="0 0 9 9"/>',
            "",
        ),
        ("a.svg", FLAT % b"", f"{NO_SIZE} | {SIZE}"),
        ("a.svg", FLAT % b'width="100%" height="100%"', f"{NO_SIZE} | {SIZE}"),
        ("a.svg", FLAT % b'viewBox="0 0 9"', f"{NO_SIZE} | {SIZE}"),
        ("a.svg", FLAT % b'width="9cm"', f"{NO_SIZE} | {SIZE}"),
        ("a.svg", FLAT % b'viewBox="0 0 9 4"', ""),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_picture(name: str, content: bytes, found: str) -> None:
    assert damage(content, name) == found


def test_a_drawing_that_expands_without_end_is_damaged() -> None:
    entities = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9))
    bomb = f'<!DOCTYPE svg [<!ENTITY a0 "{"x" * 100}">{entities}]>{DRAWING.replace("<path", "&a9;<path")}'
    assert damage(bomb.encode(), "a.svg").startswith("is not XML: ")


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('width="400" height="300"', (400, 300, True)),
        ('width="4in" height="72pt"', (384, 96, True)),
        ('width="100" viewBox="0 0 40 30"', (100, 75, True)),
        ('height="1.5e1px" viewBox="0,0,40,30"', (20, 15, True)),
        ('width="100%" height="100%" viewBox="0 0 40 30"', (40, 30, False)),
        ('viewBox="0 0 40 30"', (40, 30, False)),
        ('width="100"', (0, 0, False)),
        ('width="auto" viewBox="0 0 x 30"', (0, 0, False)),
        ("", (0, 0, False)),
    ],
)
def test_the_size_of_a_drawing_is_what_its_file_says(attributes: str, size: tuple[int, int, bool]) -> None:
    facts = read_picture("a.svg", SVG.format(attributes).encode())
    assert (facts.width_px, facts.height_px, facts.is_sized) == size


def test_a_picture_of_more_pixels_than_memory_holds_is_measured_and_reported() -> None:
    header = struct.pack(">IIBBBBB", 2**30, 2**30, 8, 0, 0, 0, 0)
    chunk = b"IHDR" + header
    content = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    content += struct.pack(">I", 0) + b"IDAT" + b"\0" * 8
    assert measured(content) == (2**30, 2**30)
    assert damage(content).startswith(
        "has 1,073,741,824 × 1,073,741,824 pixels, more than browsers can show | "
    )


def test_a_moving_picture_keeps_its_frames_and_a_second_picture_in_one_is_no_frame() -> None:
    frames = [Image.new("RGB", (500, 500), one) for one in ("red", "blue", "green")]
    for kind in ("GIF", "WEBP", "PNG"):
        file = io.BytesIO()
        frames[0].save(file, kind, save_all=True, append_images=frames[1:])
        facts = read_picture(f"a.{kind.lower()}", file.getvalue())
        assert (facts.format, facts.width_px, facts.damage) == ("", 500, None), kind
    file = io.BytesIO()
    frames[0].save(file, "MPO", save_all=True, append_images=frames[1:])
    facts = read_picture("a.jpg", file.getvalue())
    assert (facts.format, facts.has_metadata, facts.damage) == ("jpg", True, None)
    scaled = scaled_picture(file.getvalue(), 400, "jpg")
    assert scaled is not None
    with Image.open(io.BytesIO(scaled)) as shown:
        assert (shown.format, shown.size) == ("JPEG", (400, 400))


def test_inks_become_colours_without_their_profile() -> None:
    file = io.BytesIO()
    Image.new("CMYK", (500, 500), (0, 255, 255, 0)).save(file, "JPEG", icc_profile=b"inks")
    scaled = scaled_picture(file.getvalue(), 400, "png")
    assert scaled is not None
    with Image.open(io.BytesIO(scaled)) as shown:
        red, green, blue = shown.convert("RGB").getpixel((9, 9))
        assert red > 200 > green + blue
        assert "icc_profile" not in shown.info


def test_a_gif_is_whole_only_with_its_end() -> None:
    frames = [Image.effect_noise((20, 20), 90 + n).convert("P") for n in range(3)]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:])
    whole = file.getvalue()
    assert damage(whole, "a.gif") == damage(whole + bytes(3), "a.gif") == ""
    assert [end for end in range(len(whole)) if not damage(whole[:end], "a.gif")] == []


def test_a_pointer_to_any_other_file_and_one_in_another_format_are_warnings(space: Space) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    space.write("content/posts/a/v.mp4", pointer)
    space.write("site/static/paper.pdf", pointer)
    space.write("site/static/page.pdf", "<!DOCTYPE html>\n<title>404</title>\n")
    space.write("site/static/empty.zip", "")
    space.write("site/static/right.pdf", "%PDF-1.7\n")
    space.write("site/static/any.txt", "<!DOCTYPE html>")
    body = '<video src="v.mp4" controls></video>'
    space.post("a", zh=body, en=body)
    result = space.build()
    no_format = "is not in the format of"
    assert {(one.rule, one.message) for one in result.diagnostics} == {
        *(
            ("file-pointer", f'"{path}" is a pointer of Git LFS or git-annex, not the file')
            for path in ("content/posts/a/v.mp4", "site/static/paper.pdf")
        ),
        (
            "file-format",
            f'"site/static/page.pdf" {no_format} .pdf files: it begins with "<!DOCTYPE html>"',
        ),
        ("file-format", f'"site/static/empty.zip" {no_format} .zip files: it begins otherwise, or is empty'),
    }


def test_a_damaged_picture_is_published_with_a_warning_at_its_file(space: Space) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    space.write("content/posts/a/dot.png", picture("png")[:20])
    space.write("content/posts/a/poster.jpg", pointer)
    space.write("content/posts/a/v.mp4", b"film")
    space.write("content/posts/a/banner.webp", b"")
    body = '![点](dot.png) ![旗](banner.webp)\n\n<video src="v.mp4" poster="poster.jpg"></video>'
    space.post("a", zh=body, en=body)
    with space.site() as site:
        result = site.build()
        assert not errors(result)
        assert {one.message for one in result.diagnostics} == {
            '"content/posts/a/dot.png" is damaged or cut off',
            '"content/posts/a/poster.jpg" is a pointer of Git LFS, not the picture',
            '"content/posts/a/banner.webp" is empty',
        }
        assert {one.rule for one in result.diagnostics} == {"picture-damaged"}
        again = site.build()
        assert (ran(again), again.diagnostics) == ([], result.diagnostics)
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
