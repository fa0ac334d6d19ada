"""A talk as a PowerPoint file: what is in it, read back."""

import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER

from diglot.check.chromium import find_chromium
from diglot.cli import main
from diglot.diagnostics import DiagnosticError
from diglot.slides.powerpoint_files.pictures import shown_picture
from tests.hardware.test_catalogue import SMALL
from tests.site.test_provenance import ROOFS
from tests.slides.making import mistakes_in, png, rewritten, svg
from tests.space import BARS, Space
from tests.waiting import HANG_S

CHART_OF_BARS = '''\
"""Bars that PowerPoint can draw, too."""

from diglot.figures import charts, make_table

TITLE = {"zh": "速率", "en": "Rates"}
COLUMNS = {"who": {"zh": "方案", "en": "Way"}, "rate": {"zh": "速率", "en": "Rate"}}


def compute():
    return {"rows": [{"who": "a", "rate": 3}, {"who": "b", "rate": 5}]}


def draw(figure, data, t):
    charts.bars(figure, data["rows"], y="who", x="rate")


def describe(data, t):
    return t(zh="两种速率。", en="Two rates.")


def table(data, t):
    return make_table(
        [t(zh="方案", en="Way"), t(zh="速率", en="Rate")], [(row["who"], row["rate"]) for row in data["rows"]]
    )
'''

EN = """
A talk about **two** bars, the taller of which is {eval}`bars.values[1]`.

## A {eval}`bars.values[0]` in the title

{.step}
- first, with [a link](https://example.org/)
  - nested
- second

$$
R = \\frac{P}{\\beta}
$$

:::{notes}
Say **this**, at {eval}`bars.values[0]`.
:::

## Numbers

| Chip | Rate |
| --- | ---: |
| one | {eval}`bars.values[1]` |

## Code

```python
def f():
    return 1
```

## The bars

{.step}
```{figure} bars
A caption.
```

{.step}
```text
a listing
```

---

```{figure} rates
```

- beside it

## Two ways

left

***

right

## A photograph

![A chip](chip.png)

***

![A drawing](drawing.svg)

:::{notes}
It reads {eval}`roofs.own.bandwidth | si("B/s")`, and there are {eval}`roofs.chips`.
:::
"""
ZH = """
两根柱，高的是{eval}`bars.values[1]`。

## 柱

```{figure} bars
说明。
```
"""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    space = Space(tmp_path_factory.mktemp("talk"))
    space.write("figures/bars.py", BARS)
    space.write("figures/rates.py", CHART_OF_BARS)
    space.write("figures/roofs.py", ROOFS)
    space.write("site/hardware/mine.yaml", SMALL)
    for language, title, body in (("zh", "柱与速率", ZH), ("en", "Bars and rates", EN)):
        matter = f"---\ntitle: {title}\ndescription: Words.\ndate: 2026-11-01\nonly: {language}\n---\n"
        space.write(f"content/talks/{language}-talk/{language}.md", matter + body)
    space.write("content/talks/en-talk/chip.png", png(""))
    red = b'<rect width="1280" height="720" fill="#f00"/>'
    space.write("content/talks/en-talk/drawing.svg", svg("").replace(b"<g/>", red))
    return space


FOOT = (PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.SLIDE_NUMBER)


def build(space: Space, talk: str, language: str, folder: str, *words: str) -> Path:
    out = space.root / folder
    command = ["-q", "-C", str(space.root), "slides", "build", talk, "--lang", language, *words]
    assert main([*command, "-o", str(out)]) == 0
    return out / f"{talk}.{language}.pptx"


@pytest.fixture(scope="module")
def plain(space: Space) -> Path:
    return build(space, "en-talk", "en", "out")


@pytest.fixture(scope="module")
def dark(space: Space) -> Path:
    return build(space, "en-talk", "en", "dark", "--charts", "native", "--theme", "dark")


def texts(slide) -> list[str]:
    """All but the foot of the slide."""
    at_foot = {one.shape_id for one in slide.placeholders if one.placeholder_format.type in FOOT}
    return [one.text_frame.text for one in slide.shapes if one.has_text_frame and one.shape_id not in at_foot]


def foot(slide) -> list[str]:
    """What is about its figures, date and event, and the number."""
    found = {one.placeholder_format.type: one.text_frame.text for one in slide.placeholders}
    return [found.get(kind, "") for kind in FOOT]


def said(slide) -> list[str]:
    return slide.notes_slide.notes_text_frame.text.split("\n") if slide.has_notes_slide else []


def test_a_talk_is_text_tables_and_pictures(plain: Path) -> None:
    deck = Presentation(str(plain))
    cover, statement, first, numbers, code, figure, beside, two, photograph = deck.slides
    assert texts(cover) == ["Bars and rates", "Words.\n1 November 2026"]
    assert texts(statement) == ["A talk about two bars, the taller of which is 5."]
    assert first.shapes.title.text == "A 3 in the title"
    assert texts(first)[1] == "first, with a link\nnested\nsecond"
    assert [one.level for one in first.shapes[1].text_frame.paragraphs] == [0, 1, 0]
    assert said(first) == ["Say this, at 3.", "Sources", "Figure: bars · figures/bars.py"]
    (table,) = (one.table for one in numbers.shapes if one.has_table)
    assert [[cell.text for cell in row.cells] for row in table.rows] == [["Chip", "Rate"], ["one", "5"]]
    assert "def f():\n    return 1" in texts(code)
    (drawn,) = (one for one in figure.shapes if one.shape_type == 13)
    assert drawn.name.startswith("bars en light ")
    assert drawn.element.nvPicPr.cNvPr.get("descr") == f"Two bars, the taller is 5.\n{drawn.name}"
    assert texts(figure) == ["The bars", "a listing"]
    address = "example.org/en/talks/en-talk/"
    assert foot(cover) == [address, "", "1"], "it has the date already"
    assert foot(figure) == [f"A caption.\N{NO-BREAK SPACE}· {address}#/6", "1 November 2026", "6"]
    assert beside.shapes.title.text == "Rates"
    text = beside.shapes[1]
    (picture,) = (one for one in beside.shapes if one.shape_type == 13)
    assert picture.left + picture.width < text.left + 60 * 9525, "only its empty margin reaches further"
    assert texts(two) == ["Two ways", "left", "right"]
    pictures = [one for one in photograph.shapes if one.shape_type == 13]
    assert [one.element.nvPicPr.cNvPr.get("descr") for one in pictures] == ["A chip", "A drawing"]
    assert [round(one.width / one.height, 2) for one in pictures] == [1.78, 1.78]
    with Image.open(io.BytesIO(pictures[1].image.blob)) as image:
        assert image.convert("RGBA").getpixel((9, 9)) == ((255, 0, 0, 255) if find_chromium() else (0,) * 4)
    for slide in deck.slides:
        for shape in slide.shapes:
            assert 0 <= shape.top < shape.top + shape.height <= deck.slide_height, shape.name
    with zipfile.ZipFile(plain) as archive:
        slide = archive.read("ppt/slides/slide3.xml").decode()
        assert FORMULA.findall(slide) == [
            '<a:rPr sz="2800" i="1"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill>'
            '<a:latin typeface="Cambria Math"/></a:rPr><m:t>P</m:t>'
        ]
        assert 'lang="en-US"' in slide
        assert 'typeface="Microsoft YaHei"' in archive.read("ppt/theme/theme1.xml").decode()
        assert archive.read("ppt/media/drawing1.svg").startswith(b"<")


def test_notes_say_what_values_and_figures_rest_on(plain: Path) -> None:
    slides = [*Presentation(str(plain)).slides]
    (photograph,) = (one for one in slides if one.shapes.title.text == "A photograph")
    assert said(photograph) == [
        "It reads 4.8\N{NO-BREAK SPACE}TB/s, and there are 2.",
        "Sources",
        "Figure: roofs · dtype = bf16 · figures/roofs.py",
        "One Bandwidth ≈ 4,800 GB/s · Data sheet (2024-05); Sources disagree",
    ]
    runs = photograph.notes_slide.notes_text_frame.paragraphs[3].runs
    assert [one.hyperlink.address for one in runs] == [None, "https://example.org/", None]
    assert [said(one) for one in slides if one.shapes.title.text == "Code"] == [[]]


def test_steps_appear_at_clicks(plain: Path) -> None:
    deck = Presentation(str(plain))

    def appearing(slide) -> list[tuple[str, str, str]]:
        effects = slide.element.iterfind(".//p:cTn[@presetClass]", NAMES)
        names = {str(one.shape_id): one.name for one in slide.shapes}
        return [
            (
                effect.get("nodeType"),
                names[effect.find(".//p:spTgt", NAMES).get("spid")].partition(" ")[0],
                "".join(one.get("st") for one in effect.iterfind(".//p:pRg", NAMES)),
            )
            for effect in effects
        ]

    first, figure = deck.slides[2], deck.slides[5]
    assert appearing(first) == [
        ("clickEffect", "TextBox", "0"),
        ("withEffect", "TextBox", "1"),
        ("clickEffect", "TextBox", "2"),
    ]
    assert appearing(figure) == [
        ("clickEffect", "bars", ""),
        ("clickEffect", "TextBox", ""),
    ]
    assert [one.get("animBg") for one in figure.element.iterfind(".//p:bldP", NAMES)] == ["1"]
    assert not appearing(deck.slides[3])


def test_files_are_valid_by_the_schemas_of_office(plain: Path, dark: Path, tmp_path: Path) -> None:
    assert mistakes_in(plain) == mistakes_in(dark) == []
    with zipfile.ZipFile(plain) as archive:
        slide = archive.read("ppt/slides/slide3.xml")
        types = archive.read("[Content_Types].xml")
    changes = {
        "ppt/slides/slide3.xml": slide.replace(b"<m:num>", b"<m:no>").replace(b"</m:num>", b"</m:no>"),
        "[Content_Types].xml": types.replace(b"/drawing1.svg", b"/drawing9.svg"),
    }
    broken = "\n".join(mistakes_in(rewritten(Path(shutil.copy(plain, tmp_path)), changes)))
    assert "slide3.xml" in broken
    assert "Required element 'num' is missing" in broken
    assert "/ppt/media/drawing1.svg: its type is not said" in broken


def test_a_dark_talk_is_light_on_dark(dark: Path) -> None:
    figure = next(one for one in Presentation(str(dark)).slides[5].shapes if one.shape_type == 13)
    assert figure.name.startswith("bars en dark ")
    with zipfile.ZipFile(dark) as archive:
        assert 'bg1="dk1" tx1="lt1"' in archive.read("ppt/slideMasters/slideMaster1.xml").decode()
        assert '<a:dk1><a:srgbClr val="14171A"/>' in archive.read("ppt/theme/theme1.xml").decode()


def test_charts_of_powerpoint_where_the_script_says_what_is_drawn(space: Space, dark: Path) -> None:
    deck = Presentation(str(dark))
    (chart,) = (one.chart for slide in deck.slides for one in slide.shapes if one.has_chart)
    assert list(chart.plots[0].categories) == ["a", "b"]
    assert [tuple(one.values) for one in chart.plots[0].series] == [(3.0, 5.0)]
    again = build(space, "en-talk", "en", "dark-again", "--charts", "native", "--theme", "dark")
    assert again.read_bytes() == dark.read_bytes()


def test_what_does_not_fit_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    space = Space(tmp_path)
    much = "\n".join(
        f"- The {number}th point of this slide is a sentence that is not short." for number in range(14)
    )
    rows = "\n".join(f"| {number} | 2 |" for number in range(15))
    circle = 'In <math><menclose notation="circle"><mi>x</mi></menclose></math>.'
    space.write(
        "content/talks/full/en.md",
        "---\ntitle: Full\ndescription: Words.\ndate: 2026-11-01\nonly: en\n---\n"
        f"\n## Points\n\n{much}\n\n## Rows\n\n| a | b |\n| --- | --- |\n{rows}\n"
        f"\n## {'A title that says too much. ' * 7}\n\n{circle}\n\n## Fits\n\nWell.\n",
    )
    capsys.readouterr()
    command = [
        "-C",
        str(space.root),
        "slides",
        "build",
        "full",
        "--lang",
        "en",
        "-o",
        str(space.root / "full"),
    ]
    assert main(command) == 0
    warning = "content/talks/full/en.md:{}: warning[slide-overflow]: slide {} does not fit in PowerPoint: "
    fix = "\n  fix: say less, or make two slides of it.\n\n"
    assert capsys.readouterr().err == (
        f"{warning.format(8, 2)}its text has no room, even at 55% of its size{fix}"
        f"{warning.format(25, 3)}its text is made smaller, to 65% of its size{fix}"
        f"{warning.format(45, 4)}its title is made smaller, to 56% of its size{fix}"
        'content/talks/full/en.md:45: warning[slides-formula]: the formula "x" on slide 4 is written as '
        "text: PowerPoint cannot show its circle\n"
        "  fix: write it in another way, or show it as a picture.\n\n"
    )


def test_a_template_gives_layouts_and_loses_its_slides(space: Space, tmp_path: Path) -> None:
    template = Presentation()
    template.slides.add_slide(template.slide_layouts[0]).shapes.title.text = "Not this"
    template.slide_layouts[3].placeholders[1].left = 111_111
    template.save(str(tmp_path / "own.pptx"))
    path = build(space, "en-talk", "en", "own", "--template", str(tmp_path / "own.pptx"))
    deck = Presentation(str(path))
    assert len(deck.slides) == 9
    assert deck.slides[0].shapes.title.text == "Bars and rates"
    assert (deck.slide_width, deck.slides[7].placeholders[1].left) == (template.slide_width, 111_111)
    assert main(["-C", str(space.root), "slides", "build", "en-talk", "--template", "nowhere.potx"]) == 2


def test_mistakes_say_what_to_do(
    space: Space, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["-C", str(space.root), "slides", "build"]
    assert main([*command, "absent"]) == 2
    assert main([*command, "en-talk", "--lang", "zh"]) == 2
    assert main([*command, "zh-talk", "--lang", "zh-hant"]) == 2
    assert capsys.readouterr().err == (
        'error[slides-talk]: there is no talk named "absent"\n  fix: known are: en-talk, zh-talk.\n\n'
        'error[slides-talk]: the talk "en-talk" has no half in "zh"\n  fix: use --lang en.\n\n'
        "error[slides-talk]: the site has no pages in traditional characters\n"
        "  fix: add `traditional: taiwan` to site.yaml, or leave out zh-hant.\n\n"
    )
    monkeypatch.delitem(sys.modules, "diglot.use.slides_build")
    monkeypatch.setitem(sys.modules, "diglot.slides.powerpoint_files.designs", None)
    assert main([*command, "en-talk"]) == 2
    assert capsys.readouterr().err == (
        "error[slides-extra]: a PowerPoint file needs python-pptx, which is not installed\n"
        "  fix: `pip install 'diglot[slides]'` brings python-pptx.\n\n"
    )
    with pytest.raises(DiagnosticError, match=r'"a.webp" is a picture that PowerPoint cannot show'):
        shown_picture("a.webp", b"RIFF", lambda *_: None)


def test_values_and_figures_of_a_built_talk_are_kept_up_to_date(
    space: Space, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Space(tmp_path).copied_from(space)
    monkeypatch.chdir(tmp_path)
    build(own, "en-talk", "en", "exports")
    talk = "exports/en-talk.en.pptx"
    capsys.readouterr()
    assert main(["slides", "check", talk]) == 0, "a value with its unit is what was written"
    own.change("figures/bars.py", "[3, 5]", "[4, 7]")
    assert main(["slides", "check", talk]) == 1
    assert capsys.readouterr().out.endswith(
        """\
exports/en-talk.en.pptx: 1 stale, 1 current, 2 unknown
  slide 6: stale bars
    values[0]: 3 → 4
    values[1]: 5 → 7
  slide 2: 5 → 7, bars.values[1]
  slide 3: 3 → 4, bars.values[0]
  slide 3, notes: 3 → 4, bars.values[0]
  slide 4: 5 → 7, bars.values[1]
"""
    )
    assert main(["slides", "update", talk]) == 0
    assert "1 picture and 4 values updated" in capsys.readouterr().out
    deck = Presentation(talk)
    assert texts(deck.slides[1]) == ["A talk about two bars, the taller of which is 7."]
    assert deck.slides[2].shapes.title.text == "A 4 in the title"
    assert said(deck.slides[2])[0] == "Say this, at 4."
    assert main(["slides", "check", talk]) == 0
    own.change("figures/bars.py", "[4, 7]", "[4, 8]")
    assert main(["slides", "check", talk, "--json"]) == 1
    (report,) = json.loads(capsys.readouterr().out.partition("{")[2].join(["{", ""]))["decks"]
    assert [one["now"] for one in report["values"] if one["status"] == "stale"] == ["8", "8"]
    assert mistakes_in(Path(talk)) == []


FORMULA = re.compile("<m:num><m:r>(.*?)</m:r></m:num>")
NAMES = {"p": "http://schemas.openxmlformats.org/presentationml/2006/main"}
OFFICE = shutil.which("soffice")


@pytest.mark.skipif(
    OFFICE is None or not shutil.which("pdftotext"), reason="needs LibreOffice and poppler-utils"
)
def test_libreoffice_opens_the_file_and_shows_every_slide(space: Space, tmp_path: Path) -> None:
    path = build(space, "zh-talk", "zh", "office")
    assert OFFICE is not None
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    command = [OFFICE, profile, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=HANG_S)
    shown = subprocess.run(
        ["pdftotext", "-layout", str(tmp_path / "zh-talk.zh.pdf"), "-"],
        check=True,
        capture_output=True,
        timeout=HANG_S,
    )
    pages = shown.stdout.decode().split("\f")
    assert ["柱与速率" in pages[0], "高的是5" in pages[1].replace(" ", ""), "说明" in pages[2]] == [True] * 3
