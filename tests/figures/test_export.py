"""Files that a person drops into slides: fonts right in both languages, real colours, words in metadata."""

import io
import re
from xml.etree import ElementTree

import pypdf
import pytest
from PIL import Image

from diglot.figure_request import FigureRequest
from diglot.figures.drawing.canvas import SLIDE_SCALE
from diglot.figures.drawing.sheets import SheetTexts, layout, place
from diglot.figures.jobs import Sheet
from diglot.figures.palette import DARK, LIGHT
from diglot.figures.picture_key import picture_key
from diglot.figures.records import Script
from diglot.figures.scripts.failures import FigureFailed
from diglot.figures.scripts.words import Words
from diglot.figures.sheet_options import key_of, sheet_of, with_resolution
from diglot.languages import NO_TEXT, Bilingual

from .conftest import Workshop

BODY = """
axes = figure.axes_px(42, 46, figure.width_px - 60, figure.height_px - 90)
axes.plot([1, 2, 3], color="gpu3", marker="o", mfc="paper")
figure.text_px(0, 14, t(zh="可达算力", en="Attainable rate"))
"""


@pytest.fixture(scope="module")
def script(workshop: Workshop) -> Script:
    return workshop.drawing("exported", BODY)


def image(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


@pytest.mark.parametrize(
    ("size", "dpi", "pixels"),
    [
        ("slide", 96, (1280, 720)),
        ("slide", 192, (2560, 1440)),
        ("16:9", 96, (1280, 720)),
        ("4:3", 96, (960, 720)),
        ("1920x1080", 96, (1920, 1080)),
        ("600x600", 144, (900, 900)),
        ("column", 96, (720, 440)),
        ("narrow", 192, (780, 760)),
    ],
)
def test_a_png_has_exactly_the_pixels_asked_for(
    workshop: Workshop, script: Script, size: str, dpi: int, pixels: tuple[int, int]
):
    assert image(workshop.export(script, format="png", size=size, dpi=dpi)).size == pixels


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_a_png_stands_on_the_paper_of_its_theme(
    workshop: Workshop, script: Script, theme: str, colours: dict
):
    content = workshop.export(script, "en", theme, "png", size="slide", dpi=96, background="page")
    picture = image(content).convert("RGB")
    paper = tuple(bytes.fromhex(colours["paper"][1:]))
    corners = [picture.getpixel(place) for place in ((0, 0), (1279, 0), (0, 719), (1279, 719))]
    assert corners == [paper] * 4
    line = tuple(bytes.fromhex(colours["gpu3"][1:]))
    assert any(colour == line for _, colour in picture.getcolors(100_000))


def test_a_png_says_what_it_is(workshop: Workshop, script: Script):
    words = image(workshop.export(script, "zh", format="png", dpi=96)).text
    assert {"Title": "图", "Description": "一张图。"}.items() <= words.items()
    assert re.fullmatch(r"exported zh light slide dpi=96 data [0-9a-f]{8}", words["Source"])
    assert "Software" not in words


def test_a_pdf_embeds_its_faces_and_keeps_its_text(workshop: Workshop, script: Script):
    for language, words in (("zh", "可达算力"), ("en", "Attainable rate")):
        reader = pypdf.PdfReader(io.BytesIO(workshop.export(script, language, format="pdf")))
        (page,) = reader.pages
        assert words in page.extract_text()
        fonts = [font.get_object() for font in page["/Resources"]["/Font"].values()]
        assert fonts
        for font in fonts:
            descriptor = font.get("/DescendantFonts", [font])[0].get_object()["/FontDescriptor"]
            assert "/FontFile2" in descriptor, "embedded as TrueType"
            assert "Diglot" in font["/BaseFont"]
        assert reader.metadata.title
        assert reader.metadata.subject
        assert reader.metadata["/Keywords"].startswith(f"exported {language} light slide data ")
        assert "/CreationDate" not in reader.metadata
        assert float(page.mediabox.width) / float(page.mediabox.height) == pytest.approx(16 / 9, rel=1e-3)


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_an_svg_needs_no_fonts_and_nothing_from_elsewhere(
    workshop: Workshop, script: Script, theme: str, colours: dict
):
    content = workshop.export(script, "zh", theme, format="svg", background="page").decode()
    root = ElementTree.fromstring(content)
    assert not list(root.iter("{http://www.w3.org/2000/svg}text"))
    assert "var(" not in content
    assert set(re.findall(r"#[0-9a-f]{6}\b", content)) <= set(colours.values())
    assert (root.get("width"), root.get("height")) == ("1280", "720")
    namespaces = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert set(re.findall(r"https?://[^\"']*", content)) == namespaces
    ids = re.findall(r' id="([^"]+)"', content)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', content)) <= set(ids)


def test_an_svg_says_what_it_is(workshop: Workshop, script: Script):
    root = ElementTree.fromstring(workshop.export(script, "zh", format="svg"))
    words = {child.tag.rpartition("}")[2]: child.text for child in root}
    assert (words["title"], words["desc"]) == ("图", "一张图。")
    assert words["metadata"].startswith("exported zh light slide data ")


def test_lines_and_markers_of_a_slide_are_larger():
    on = layout("slide")
    placed = place(on.canvas(Words("zh")), on)
    assert (2 * placed.scale, 8 * placed.scale) == (3.5, 14)
    assert placed.view_box[2] * placed.scale == pytest.approx(1280)


def test_a_drawing_too_high_for_a_slide_is_fitted_in():
    on = layout("slide")
    canvas = on.canvas(Words("zh"))
    canvas.set_height_px(662)
    placed = place(canvas, on)
    assert canvas.height_px * placed.scale == pytest.approx(560)


def test_nonsense_for_a_size_is_refused_with_what_may_be_written(workshop: Workshop, script: Script):
    with pytest.raises(FigureFailed, match="WIDTHxHEIGHT"):
        workshop.export(script, format="png", size="huge")


def test_frames_of_the_two_languages_lie_on_each_other(workshop: Workshop, script: Script):
    chinese, english = (
        image(workshop.export(script, language, format="png", size="column", dpi=96)).convert("L")
        for language in ("zh", "en")
    )
    frame = (60, 110, 650, 370)  # inside the axes, because their frames overlap
    assert chinese.crop(frame).tobytes() == english.crop(frame).tobytes()
    assert chinese.tobytes() != english.tobytes()


TITLED = {"titled": True, "credit": Bilingual("来源：一个站点", "Source: a site"), "background": ""}


def test_a_title_and_a_source_are_around_the_drawing_and_the_background_is_transparent(
    workshop: Workshop, script: Script
):
    plain, titled = (
        image(workshop.export(script, "en", format="png", size="16:9", dpi=96, background="", **options))
        for options in ({}, {key: value for key, value in TITLED.items() if key != "background"})
    )
    assert plain.size == titled.size == (1280, 720)
    assert plain.getpixel((5, 5))[3] == titled.getpixel((5, 5))[3] == 0
    rows = [{y for y in range(720) if one.crop((0, y, 1280, y + 1)).getbbox()} for one in (plain, titled)]
    assert min(rows[1]) < min(rows[0])
    assert max(rows[1]) > max(rows[0])
    assert image(workshop.export(script, format="png", dpi=96, background="#102030")).convert("RGB").getpixel(
        (5, 5)
    ) == (16, 32, 48)


@pytest.mark.parametrize(
    ("size", "pixels"),
    [("4:3", (960, 720)), ("half", (640, 720)), ("square", (720, 720)), ("poster", (2400, 1350))],
)
def test_sheets_with_names(workshop: Workshop, script: Script, size: str, pixels: tuple[int, int]):
    content = workshop.export(script, "en", size=size, **TITLED).decode()
    assert f'width="{pixels[0]}" height="{pixels[1]}"' in content
    assert f" en light {size} title=yes credit=yes data " in content


@pytest.mark.parametrize("size", ["16:9", "column", "poster"])
def test_larger_text_is_a_smaller_drawing_that_is_enlarged(size: str):
    usual, large = layout(size), layout(size, text=1.5)
    assert large.scale == pytest.approx(1.5 * usual.scale)
    width = [(on.canvas(Words("en")).width_px) for on in (usual, large)]
    assert width[1] == pytest.approx(width[0] / 1.5, abs=1)


STACKED = """
is_narrow = figure.width_px < 600
figure.set_height_px(900 if is_narrow else 270)
figure.axes_px(42, 46, figure.width_px - 60, figure.height_px - 90).plot([1, 2, 3])
"""


def test_text_is_only_as_large_as_the_drawing_has_room_for(workshop: Workshop):
    script = workshop.drawing("stacked", STACKED)
    widths = {}
    for text in (1.0, 1.4):
        content = workshop.export(script, "en", size="16:9", text=text).decode()
        view_box = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+)', content)
        assert view_box
        widths[text] = float(view_box[1])
        assert (" text=1.4 " in content) == (text > 1)
    assert widths[1.0] == pytest.approx(1280 / SLIDE_SCALE, abs=1)
    assert widths[1.4] == pytest.approx(1280 / SLIDE_SCALE / (1.4 * 0.72), abs=1)


def test_both_languages_leave_the_same_room_for_their_title():
    texts = SheetTexts(title=Bilingual("短", "A title of many words " * 6))
    on = layout("16:9", texts=texts)
    assert on.above > 2 * on.title_px
    assert on.drawn_height < layout("16:9").drawn_height


def test_what_a_key_says_makes_the_same_sheet_again():
    sheet = Sheet(
        theme="dark", formats=("png",), size="half", dpi=96, text=1.4, titled=True, background="#ffffff"
    )
    key = with_resolution(key_of(FigureRequest.of("line"), "9c41e7b2", "zh", sheet), 96)
    assert str(key) == "line zh dark half text=1.4 background=#ffffff title=yes dpi=96 data 9c41e7b2"
    assert sheet_of(picture_key(str(key)), ("png",), NO_TEXT) == sheet
