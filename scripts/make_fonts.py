"""Make the bundled fonts from their published packages: renamed subsets, always the same bytes.

    mkdir fonts && cd fonts
    npm pack @expo-google-fonts/noto-sans-sc@0.4.3 @expo-google-fonts/source-sans-3@0.4.1 \\
             @expo-google-fonts/source-serif-4@0.4.1 @fontsource/stix-two-math@5.3.0
    cd .. && pip install -e '.[fonts]' opencc==1.4.2 && python scripts/make_fonts.py fonts

"Source" is a reserved font name, which no subset may use; every family here begins with "Diglot". The licence
texts are written beside the fonts.
"""

import argparse
import base64
import hashlib
import io
import re
import sys
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from opencc import OpenCC

REPOSITORY = Path(__file__).resolve().parent.parent
FOR_FIGURES = REPOSITORY / "src" / "diglot" / "figures" / "drawing" / "fonts"
FOR_THE_WEB = REPOSITORY / "templates" / "static" / "fonts"
PAGE = REPOSITORY / "templates" / "base.html"
LARGEST_FILE_BYTES = 3 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A package of the npm registry that holds a font."""

    file: str
    """The file name that `npm pack` gives it."""
    sha256: str
    licence: str
    licence_as: str
    """The file that the licence text is written to."""


NOTO_SANS_SC = Package(
    file="expo-google-fonts-noto-sans-sc-0.4.3.tgz",
    sha256="0d69d0f4971d2ff574e3d93cbc218dc950bf3f3f8f8e2c008d97687ed53aee59",
    licence="package/LICENSE_FONT",
    licence_as="OFL-noto-sans-sc.txt",
)
SOURCE_SANS = Package(
    file="expo-google-fonts-source-sans-3-0.4.1.tgz",
    sha256="eb41834f563921e19b18b40bc924b97110983aef800d9cb67b9186f546311828",
    licence="package/LICENSE_FONT",
    licence_as="OFL-source-sans-3.txt",
)
SOURCE_SERIF = Package(
    file="expo-google-fonts-source-serif-4-0.4.1.tgz",
    sha256="84f0b412fbc9b0b666d6fe04620b2cd2e54bfd49ca61fe0663a9e5beb30afcc4",
    licence="package/LICENSE_FONT",
    licence_as="OFL-source-serif-4.txt",
)
STIX_TWO_MATH = Package(
    file="fontsource-stix-two-math-5.3.0.tgz",
    sha256="948de1b5470fbbd745fedbe6135797454fe833d94feecc6f2073cd771fe2f5fd",
    licence="package/LICENSE",
    licence_as="OFL-stix-two-math.txt",
)


def gb2312_characters() -> set[int]:
    """The 6,763 Han characters of GB 2312 with its punctuation, numerals, full-width Latin and Greek."""
    rows = {*range(0xA1, 0xA4), 0xA6, *range(0xB0, 0xF8)}  # kana, Cyrillic and box drawing are left out
    return characters_of("gb2312", rows, range(0xA1, 0xFF))


def traditional_characters() -> set[int]:
    """What the characters of GB 2312 become in traditional texts, and the 5,401 that Taiwan uses most.

    A character may become one of several, as its word has it: here are all those that are in Big5, with the
    forms that Hong Kong and OpenCC's own standard have of them.
    """
    simplified = {one for one in gb2312_characters() if one in HAN}
    cells = (*range(0x40, 0x7F), *range(0xA1, 0xFF))
    common = characters_of("big5", range(0xA4, 0xC7), cells) & {*HAN}
    big5 = sorted(characters_of("big5", range(0xA4, 0xFA), cells) & {*HAN})
    from_big5 = zip(big5, OpenCC("t2s").convert("\n".join(map(chr, big5))).split("\n"), strict=True)
    found = common | {one for one, becomes in from_big5 if ord(becomes) in simplified}
    for variant in ("s2twp", "s2hkp", "tw2t", "t2tw", "t2hk"):
        written = "\n".join(map(chr, sorted(found | simplified)))
        found |= {*map(ord, OpenCC(variant).convert(written))}
    return found & {*HAN}


def characters_of(encoding: str, rows: Iterable[int], cells: Iterable[int]) -> set[int]:
    """The characters in some rows of an encoding with two bytes."""
    found = set()
    for row in rows:
        for cell in cells:
            try:
                found.add(ord(bytes((row, cell)).decode(encoding)))
            except UnicodeDecodeError:
                continue  # unassigned in the standard
    return found


HAN = range(0x4E00, 0xA000)


LATIN = {*range(0x20, 0x7F), *range(0xA0, 0x180)}
GREEK = {*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)}
SIGNS = set(
    map(
        ord,
        "‐‑‒–—―‘’‚“”„†‡•…‰′″‹›⁄€™Ω℃№"
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"
        "←↑→↓↔↕⇒⇔∂∆∇∈∏∑−∓∕∗∘∙√∝∞∠∧∨∩∪∫≈≠≡≤≥≪≫⊕⊗⋅⌈⌉⌊⌋"
        "①②③④⑤⑥⑦⑧⑨⑩■□▲△▶▷▼▽◀◁◆◇○◎●★☆✓",
    )
) | {0x2002, 0x2003, 0x2009, 0x200A, 0x202F}
EVERYDAY = {*range(0x20, 0x7F), 0xA0, 0x2002, 0x2003, 0x2009, 0x200A, 0x202F} | set(
    map(ord, "°±²³µ·×÷‐‑–—‘’“”•…′←↑→↓−≈≠≤≥√μ○●□■◇◆△▲")
)
"""What nearly every English page and figure is written with."""
FURTHER = {"latin": LATIN - EVERYDAY, "greek": GREEK - EVERYDAY, "signs": SIGNS - EVERYDAY - LATIN - GREEK}
"""What few pages are written with: each group is a file of its own, which browsers fetch for these alone."""
NAME_OF_CHINESE = frozenset(map(ord, "中文"))
"""All Chinese on most English pages. In a file of their own, they keep a megabyte from readers of those whose
system has no Chinese face."""
NAME_OF_TRADITIONAL = frozenset(map(ord, "繁體"))
"""The same, on most pages of sites that are there in traditional characters, too."""
MATHEMATICS = (
    LATIN
    | GREEK
    | SIGNS
    | {*range(0x2190, 0x21FF), *range(0x2200, 0x2300), *range(0x27E6, 0x27F0), *range(0x27F5, 0x27FB)}
    | {0x3D1, 0x3D5, 0x3D6, 0x3F0, 0x3F1, 0x3F5, 0x2016, 0x2032, 0x2033, 0x2034, 0x2061, 0x2062, 0x2063}
    | {*range(0x300, 0x330), 0x20D6, 0x20D7, 0x2102, 0x210B, 0x210D, 0x210E, 0x2110, 0x2111, 0x2112, 0x2115}
    | {0x2118, 0x2119, 0x211A, 0x211B, 0x211C, 0x211D, 0x2124, 0x2113, 0x2130, 0x2131, 0x2133, 0x2135}
    | {*range(0x2308, 0x230C), 0x23B0, 0x23B1, *range(0x239B, 0x23B8), *range(0x23DC, 0x23E2)}
    | {*range(0x1D400, 0x1D504), *range(0x1D538, 0x1D56C), *range(0x1D6A4, 0x1D7CC), *range(0x1D7D8, 0x1D7E2)}
    | {0x2A00, 0x2A01, 0x2A02, 0x2A04, 0x2A06, 0x2A7D, 0x2A7E, 0x2AAF, 0x2AB0}
)

CHINESE_FEATURES = ("kern", "liga", "ccmp", "locl", "halt", "chws", "palt", "mark", "mkmk")
LATIN_FEATURES = (
    *CHINESE_FEATURES,
    "lnum",
    "tnum",
    "pnum",
    "onum",
    "case",
    "sups",
    "subs",
    "frac",
    "numr",
    "dnom",
)


WEB_FEATURES = ("kern", "liga", "ccmp", "locl", "mark", "mkmk", "lnum", "tnum")
"""What style sheets ask of Latin letters. Each further feature adds its glyphs to every reader's download."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One font file to make."""

    package: Package
    member: str
    family: str
    weight: int
    italic: bool = False
    characters: frozenset[int]
    features: tuple[str, ...]
    to: Path
    """A `.ttf` for matplotlib, which cannot read woff2; a `.woff2` for browsers; a `.woff` for browsers that
    builds make smaller still, which can be read and written without Brotli."""


def faces() -> list[Face]:
    """All font files to make."""
    chinese = frozenset(gb2312_characters() | LATIN | GREEK | SIGNS)
    latin = frozenset(LATIN | GREEK | SIGNS)
    made: list[Face] = []

    def add(
        package: Package,
        member: str,
        family: str,
        weight: int,
        to: Path,
        *,
        characters: frozenset[int],
        features: tuple[str, ...],
        italic: bool = False,
    ) -> None:
        made.append(
            Face(
                package=package,
                member=f"package/{member}",
                family=family,
                weight=weight,
                italic=italic,
                characters=characters,
                features=features,
                to=to,
            )
        )

    def add_latin(package: Package, member: str, family: str, weight: int, name: str) -> None:
        for end, characters in (("", EVERYDAY), *((f"-{group}", FURTHER[group]) for group in FURTHER)):
            to, italic = FOR_THE_WEB / f"{name}{end}.woff2", "italic" in name
            add(
                package,
                member,
                family,
                weight,
                to,
                characters=frozenset(characters),
                features=WEB_FEATURES,
                italic=italic,
            )

    sc, sans = "400Regular/NotoSansSC_400Regular.ttf", "400Regular/SourceSans3_400Regular.ttf"
    for to in (FOR_FIGURES / "DiglotSansSC-Regular.ttf", FOR_THE_WEB / "diglot-sans-sc-400.woff2"):
        add(NOTO_SANS_SC, sc, "Diglot Sans SC", 400, to, characters=chinese, features=CHINESE_FEATURES)
    hant = frozenset(traditional_characters()) - chinese
    for to in (FOR_FIGURES / "DiglotSansHant-Regular.ttf", FOR_THE_WEB / "diglot-sans-hant-400.woff2"):
        add(NOTO_SANS_SC, sc, "Diglot Sans Hant", 400, to, characters=hant, features=())
    to = FOR_THE_WEB / "diglot-sans-sc-400-name.woff2"
    add(NOTO_SANS_SC, sc, "Diglot Sans SC", 400, to, characters=NAME_OF_CHINESE, features=())
    to = FOR_THE_WEB / "diglot-sans-hant-400-name.woff2"
    add(NOTO_SANS_SC, sc, "Diglot Sans Hant", 400, to, characters=NAME_OF_TRADITIONAL, features=())
    to = FOR_FIGURES / "DiglotSans-Regular.ttf"
    add(SOURCE_SANS, sans, "Diglot Sans", 400, to, characters=latin, features=LATIN_FEATURES)
    add_latin(SOURCE_SANS, sans, "Diglot Sans", 400, "diglot-sans-400")
    to = FOR_THE_WEB / "diglot-sans-400-dot.woff2"
    add(SOURCE_SANS, sans, "Diglot Sans", 400, to, characters=frozenset({0xB7}), features=WEB_FEATURES)
    semibold = "600SemiBold/SourceSans3_600SemiBold.ttf"
    add_latin(SOURCE_SANS, semibold, "Diglot Sans", 600, "diglot-sans-600")
    serif = "400Regular/SourceSerif4_400Regular.ttf"
    add_latin(SOURCE_SERIF, serif, "Diglot Serif", 400, "diglot-serif-400")
    slanted = "400Regular_Italic/SourceSerif4_400Regular_Italic.ttf"
    add_latin(SOURCE_SERIF, slanted, "Diglot Serif", 400, "diglot-serif-400-italic")
    heavy = "600SemiBold/SourceSerif4_600SemiBold.ttf"
    add_latin(SOURCE_SERIF, heavy, "Diglot Serif", 600, "diglot-serif-600")
    stix, to = "files/stix-two-math-latin-400-normal.woff2", FOR_THE_WEB / "diglot-math.woff"
    add(
        STIX_TWO_MATH,
        stix,
        "Diglot Math",
        400,
        to,
        characters=frozenset(MATHEMATICS),
        features=LATIN_FEATURES,
    )
    return made


def make(face: Face, source: bytes) -> bytes:
    """The subset under its new name, without hinting and without today's time stamp."""
    font = TTFont(io.BytesIO(source), recalcTimestamp=False)
    options = Options()
    options.layout_features = list(face.features)
    options.hinting = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 14]
    if face.features != WEB_FEATURES:  # those that every reader fetches give their licence's address alone
        options.name_IDs.append(13)
    options.name_languages = [0x409]
    options.notdef_outline = True
    options.flavor = None if face.to.suffix == ".ttf" else face.to.suffix.removeprefix(".")
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=face.characters)
    subsetter.subset(font)
    rename(font, face)
    if face.to.suffix == ".ttf":
        centre_on_capitals(font)
    font.flavor = options.flavor
    made = io.BytesIO()
    font.save(made, reorderTables=True)
    return made.getvalue()


def rename(font: TTFont, face: Face) -> None:
    """Set every name that a program may show or look the font up by."""
    style = {(400, False): "Regular", (400, True): "Italic", (600, False): "SemiBold"}[
        face.weight, face.italic
    ]
    compact = face.family.replace(" ", "")
    names = {
        1: face.family if face.weight == 400 else f"{face.family} {style}",
        2: style if face.weight == 400 else "Regular",
        3: f"{compact}-{style}; subset for diglot",
        4: face.family if style == "Regular" else f"{face.family} {style}",
        6: f"{compact}-{style}",
    }
    if face.weight != 400:
        names |= {16: face.family, 17: style}
    for number, text in names.items():
        font["name"].setName(text, number, 3, 1, 0x409)


def centre_on_capitals(font: TTFont) -> None:
    """Make a line of text as high as its capitals, for matplotlib, which centres text by these numbers.

    With the fonts' own numbers, a Latin label is three pixels below its line. The line gap keeps lines of one
    text 1.3 em apart.
    """
    table, em = font["OS/2"], font["head"].unitsPerEm
    table.sTypoAscender, table.sTypoDescender = table.sCapHeight, 0
    table.sTypoLineGap = round(1.3 * em) - table.sCapHeight


def frames() -> bytes:
    """A font without any character. For one that is missing, it draws a frame as wide as a Chinese character.

    Its lines are as high as those of the Chinese face, so that nothing moves when that one takes its place.
    """
    pen = TTGlyphPen(None)
    for left, bottom, right, top in ((90, -30, 910, 790), (880, 0, 120, 760)):  # the inside runs backwards
        pen.moveTo((left, bottom))
        for point in ((left, top), (right, top), (right, bottom)):
            pen.lineTo(point)
        pen.closePath()
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([".notdef"])
    builder.setupCharacterMap({})
    builder.setupGlyf({".notdef": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (1000, 90)})
    builder.setupHorizontalHeader(ascent=1160, descent=-288)
    builder.setupNameTable({"familyName": "Diglot Frames", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=880, sTypoDescender=-120, usWinAscent=1160, usWinDescent=288)
    builder.setupPost(keepGlyphNames=False)
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    builder.font.flavor = "woff2"
    made = io.BytesIO()
    builder.font.save(made, reorderTables=True)
    return made.getvalue()


def write_frames() -> None:
    """Write that font into the page, because it must be there when the page is first laid out."""
    content = base64.b64encode(frames()).decode("ascii")
    page = PAGE.read_text("utf-8")
    PAGE.write_text(re.sub(r"(?<=atob\(\")[^\"]*", content, page, count=1), "utf-8", newline="\n")


def write_licences(packages: Iterable[tuple[Package, Path]], folder: Path) -> None:
    """Write the licence of each package beside the fonts made from it."""
    for package, beside in packages:
        (beside / package.licence_as).write_bytes(read_member(folder / package.file, package.licence))


def read_member(archive: Path, name: str) -> bytes:
    """One file of a package."""
    with tarfile.open(archive) as tar:
        member = tar.extractfile(name)
        if member is None:
            raise FileNotFoundError(f"{archive.name} has no {name}")
        return member.read()


def check_packages(folder: Path) -> list[str]:
    """The packages that are missing or have changed, one message for each."""
    wrong = []
    for package in (NOTO_SANS_SC, SOURCE_SANS, SOURCE_SERIF, STIX_TWO_MATH):
        path = folder / package.file
        if not path.is_file():
            wrong.append(f"{path}: not there; see the top of {Path(__file__).name} for the npm pack line")
        elif hashlib.sha256(path.read_bytes()).hexdigest() != package.sha256:
            wrong.append(f"{path}: its content is not what was published")
    return wrong


def main() -> int:
    """Make all files; exit status 1 if a package is missing or a file is too large."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where npm pack put the packages")
    folder = parser.parse_args().folder
    if wrong := check_packages(folder):
        print("\n".join(wrong), file=sys.stderr)
        return 1
    too_large = False
    made = faces()
    for face in made:
        face.to.parent.mkdir(parents=True, exist_ok=True)
        content = make(face, read_member(folder / face.package.file, face.member))
        face.to.write_bytes(content)
        too_large |= len(content) > LARGEST_FILE_BYTES
        print(f"{len(content) / 1024:8,.0f} KiB  {face.to.relative_to(REPOSITORY)}")
    write_frames()
    write_licences({(face.package, face.to.parent) for face in made}, folder)
    return int(too_large)


if __name__ == "__main__":
    sys.exit(main())
