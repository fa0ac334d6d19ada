"""The bundled fonts: their characters, their names, and the licences beside them."""

import base64
import io
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

import diglot.figures
from diglot.render.formula_font import formula_font

FONTS = Path(diglot.figures.__file__).parent / "drawing/fonts"
WEB = Path(__file__).parent.parent.parent / "templates/static/fonts"
WEB_FACES = {
    "diglot-serif-400": ("Diglot Serif", 400),
    "diglot-serif-400-italic": ("Diglot Serif", 400),
    "diglot-serif-600": ("Diglot Serif", 600),
    "diglot-sans-400": ("Diglot Sans", 400),
    "diglot-sans-600": ("Diglot Sans", 600),
    "diglot-sans-sc-400": ("Diglot Sans SC", 400),
    "diglot-sans-hant-400": ("Diglot Sans Hant", 400),
    "diglot-math": ("Diglot Math", 400),
}


def test_the_chinese_face_has_every_character_of_gb_2312():
    characters = TTFont(FONTS / "DiglotSansSC-Regular.ttf").getBestCmap()
    han = [
        bytes((row, cell)).decode("gb2312", "ignore")
        for row in range(0xB0, 0xF8)
        for cell in range(0xA1, 0xFF)
    ]
    assert len([c for c in han if c]) == 6763
    assert all(ord(c) in characters for c in han if c)


def test_the_face_of_traditional_characters_has_what_texts_of_gb_2312_become():
    opencc = pytest.importorskip("opencc", reason="OpenCC is not installed (pip install 'diglot[hant]')")
    simplified, hant = (
        TTFont(FONTS / f"DiglotSans{one}-Regular.ttf").getBestCmap() for one in ("SC", "Hant")
    )
    assert not {*simplified} & {*hant}, "one of the two is enough"
    assert {*TTFont(WEB / "diglot-sans-hant-400.woff2").getBestCmap()} == {*hant}
    han = "".join(chr(one) for one in simplified if 0x4E00 <= one < 0xA000)
    written = (
        "里面、心里，发展、头发，一只，后来、皇后，面条、界面，复杂、重复，系统、联系，台湾、平台，周期、四周"
    )
    for variant in ("s2t", "s2tw", "s2twp", "s2hk", "s2hkp"):
        becomes = opencc.OpenCC(variant).convert(han + written)
        assert not [one for one in becomes if ord(one) not in simplified | hant], variant


@pytest.mark.parametrize("name", ["DiglotSansSC-Regular.ttf", "DiglotSans-Regular.ttf"])
def test_figures_can_write_units_greek_and_signs(name: str):
    characters = TTFont(FONTS / name).getBestCmap()
    assert not [c for c in "×·–—°μ≤≥≈→−±²³¹αβΔ“”‘’…FLOP/s" if ord(c) not in characters]


@pytest.mark.parametrize(("name", "family", "weight"), [(n, *rest) for n, rest in WEB_FACES.items()])
def test_faces_for_the_web_have_their_names_and_weights(name: str, family: str, weight: int):
    font = TTFont(next(WEB.glob(f"{name}.woff*")))
    assert (font["name"].getDebugName(16) or font["name"].getDebugName(1)) == family
    assert font["OS/2"].usWeightClass == weight


def test_missing_characters_are_as_wide_and_high_as_those_of_the_chinese_face():
    page = (WEB.parent.parent / "head.html").read_text("utf-8")
    (content, range_) = re.findall(r'atob\("([^"]+)".*unicodeRange: "([^"]+)"', page)[0]
    frames, chinese = TTFont(io.BytesIO(base64.b64decode(content))), TTFont(WEB / "diglot-sans-sc-400.woff2")
    assert not frames.getBestCmap()
    assert frames["hmtx"][".notdef"][0] == chinese["hmtx"][chinese.getBestCmap()[ord("字")]][0]
    assert [(font["hhea"].ascent, font["hhea"].descent) for font in (frames, chinese)] == [(1160, -288)] * 2
    style = (WEB.parent / "style.css").read_text("utf-8")
    ranges = re.findall(r"Diglot Sans SC\"; src[^}]*unicode-range: ([^;]+);", style)
    narrow_or_wide = {"U+00B7", "U+00D7", "U+2014", "U+2018-201D", "U+2026", "U+2460-2473"}
    assert {*ranges[0].split(", ")} - {*range_.split(", ")} == narrow_or_wide


@pytest.mark.parametrize(("name", "written"), [("sc", "中文"), ("hant", "繁體")])
def test_the_words_of_the_toggle_have_small_files_of_their_own(name: str, written: str):
    path = WEB / f"diglot-sans-{name}-400-name.woff2"
    assert {*map(chr, TTFont(path).getBestCmap())} == {*written}
    assert path.stat().st_size < 2000


def test_no_face_is_called_by_a_reserved_name():
    for path in (*FONTS.glob("*.ttf"), *WEB.glob("*.woff*")):
        names = [str(TTFont(path)["name"].getDebugName(number)) for number in (1, 3, 4, 6, 16)]
        assert not [name for name in names if "Source" in name or "Noto" in name or "STIX" in name], path.name


def test_formulas_have_their_table_and_what_they_need_of_the_font_alone():
    whole = (WEB / "diglot-math.woff").read_bytes()
    made = formula_font(whole, "x=√+h(")
    assert made == formula_font(whole, "x=√+h(")
    assert len(made) < len(whole) / 10
    font = TTFont(io.BytesIO(made))
    assert {"MATH"} <= {*font.keys()}
    # With the italic letters that browsers put in their place, and the space of the first font of a list.
    assert {*font.getBestCmap()} == {*map(ord, " x=√+h("), 0x1D465, 0x210E}
    assert len(font.getGlyphOrder()) > 20, "the root and the bracket have lost their sizes"
    variants = font["MATH"].table.MathVariants
    root = font.getBestCmap()[ord("√")]
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    higher = [one.VariantGlyph for one in signs.MathGlyphVariantRecord]
    higher += [one.glyph for one in signs.GlyphAssembly.PartRecords]
    widths = {font["hmtx"][one][0] for one in (root, *higher)}
    assert len(widths) == 1, "Chromium keeps room for the widest"


@pytest.mark.parametrize("name", [name for name in WEB_FACES if not re.search("sc|hant|math", name)])
def test_rare_characters_lie_in_files_of_their_own(name: str):
    style = (WEB.parent / "style.css").read_text("utf-8")
    had = {*TTFont(WEB / f"{name}.woff2").getBestCmap()}
    assert {*map(ord, "azAZ09“”‘’–—…·×−°≤≈←→")} <= had
    for group, some in (("latin", "éßł½§"), ("greek", "αβΔΩ"), ("signs", "€†™∞∑")):
        characters = {*TTFont(WEB / f"{name}-{group}.woff2").getBestCmap()}
        assert {*map(ord, some)} <= characters
        assert not characters & had
        (range_,) = re.findall(rf'{name}-{group}.woff2"[^}}]*unicode-range: ([^;]+);', style)
        listed: set[int] = set()
        for one in range_.replace("U+", "").split(", "):
            first, _, last = one.partition("-")
            listed |= {*range(int(first, 16), int(last or first, 16) + 1)}
        assert characters <= listed
        assert not had & listed, "these would be fetched twice"
        had |= characters


def test_chinese_punctuation_can_be_set_at_half_width():
    for path in (FONTS / "DiglotSansSC-Regular.ttf", WEB / "diglot-sans-sc-400.woff2"):
        font = TTFont(path)
        features = {
            record.FeatureTag
            for table in ("GSUB", "GPOS")
            if table in font
            for record in font[table].table.FeatureList.FeatureRecord
        }
        assert {"halt", "palt"} <= features


def test_licences_lie_beside_the_faces_and_no_file_is_too_large():
    for folder, licences in ((FONTS, 2), (WEB, 4)):
        texts = [path.read_text() for path in folder.glob("OFL-*.txt")]
        assert len(texts) == licences
        assert all("SIL OPEN FONT LICENSE" in text for text in texts)
        assert all(path.stat().st_size < 3 * 2**20 for path in folder.iterdir())
