"""A talk that shows figures: a number changes, `check` names the slides and values, `update` mends them."""

import copy
import io
import json
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from diglot.cli import main
from diglot.slides.picture_metadata import picture_metadata
from tests.slides.making import odp, rewritten, with_svg
from tests.slides.test_replacing import raw_members
from tests.space import BARS, Space

CHIP = """\
schema: accelerators/1
sources: {sheet: {title: Data sheet, url: 'https://example.org/', as_of: 2026-05, tier: official}}
chips:
- id: one
  vendor: Acme
  name: One X
  short_name: One
  year: 2026
  kind: gpu
  peak_dense: {bf16: {value: 1000, unit: TFLOP/s, source: sheet, as_of: 2026-05}}
  memory:
    type: HBM3
    capacity: {value: 192, unit: GB, source: sheet, as_of: 2026-05}
    bandwidth: {value: 4, unit: TB/s, source: sheet, as_of: 2026-05}
"""

RIDGE = '''\
"""The ridge of a chip."""
from typing import Literal

from diglot.hardware import load_catalogue

TITLE = {"zh": "脊点", "en": "Ridge"}
MESSAGE = {"zh": "One的脊点是{ridge | number}", "en": "One's ridge is at {ridge | number} FLOP/byte"}


def compute(scale: Literal["1", "2"] = "1") -> dict:
    chip = load_catalogue()["one"]
    ridge = chip.ridge_flops_per_byte("bf16") * int(scale)
    return {"ridge": ridge, "bandwidth_bytes_per_s": chip.memory_bandwidth_bytes_per_s, "curve": [1, ridge]}


def draw(figure, data, t):
    figure.set_height_px(120)
    figure.axes_px(40, 30, figure.width_px - 60, 70).plot(data["curve"])


def describe(data, t):
    return t(zh=f"脊点在{data['ridge']:.0f}。", en=f"The ridge is at {data['ridge']:.0f}.")
'''

EXPORT = "-q figures export ridge ridge?scale=2 bars --lang en --size 640x360 --format svg,png"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Space:
    space = Space(tmp_path_factory.mktemp("exported"))
    space.write("site/hardware/one.yaml", CHIP)
    space.write("figures/ridge.py", RIDGE)
    space.write("figures/bars.py", BARS)
    assert main(["-C", str(space.root), *EXPORT.split(), "-o", str(space.root / "pictures")]) == 0
    return space


@pytest.fixture
def space(exported: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Space:
    monkeypatch.chdir(tmp_path)
    return Space(tmp_path).copied_from(exported)


def hand_made(path: Path) -> Path:
    """Five slides: a figure, text, another state of it, cropped, a copy of the first, and another figure."""
    deck = Presentation()
    blank = deck.slide_layouts[6]
    first = deck.slides.add_slide(blank)
    shape = first.shapes.add_picture("pictures/ridge.en.light.png", Inches(1), Inches(2), width=Inches(6))
    shape._element.nvPicPr.cNvPr.set("descr", "The ridge is at 250.")
    shape.rotation = 5
    first.shapes.add_textbox(0, 0, 100, 100).text_frame.text = "At 250, or 4 TB/s: 2026"
    deck.slides.add_slide(blank).shapes.add_textbox(0, 0, 100, 100).text_frame.text = "Hello"
    state = deck.slides.add_slide(blank).shapes.add_picture("pictures/ridge-scale-2.en.light.png", 0, 0)
    state.crop_left = 0.25
    copied = deck.slides.add_slide(blank)
    copied.shapes._spTree.append(copy.deepcopy(shape._element))
    copied.part.relate_to(first.part.related_part(shape._element.blip_rId), _IMAGE)
    assert [*copied.part.rels][-1] == shape._element.blip_rId, "the copied shape finds its picture"
    deck.slides.add_slide(blank).shapes.add_picture("pictures/bars.en.light.png", 0, 0)
    deck.save(str(path))
    return path


_IMAGE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"


def test_check_names_what_changed_and_update_mends_it(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = hand_made(Path("talk.pptx"))
    space.write("talk.md", "# Ridge\n\n![](pictures/ridge.en.light.svg)\n")
    assert main(["slides", "check", "talk.pptx", "talk.md"]) == 0
    assert capsys.readouterr() == ("talk.pptx: 4 current\ntalk.md: 1 current\n", "checked: 5 current\n")

    space.change("site/hardware/one.yaml", "value: 4,", "value: 5,")
    assert main(["slides", "check", "talk.pptx", "talk.md"]) == 1
    ridge = """\
    message: "One's ridge is at 250 FLOP/byte" → "One's ridge is at 200 FLOP/byte"
    ridge: 250 → 200
    bandwidth_bytes_per_s: 4e12 → 5e12
    curve[1]: 250 → 200
"""
    typed = '  slide 1: "250" was ridge.ridge, which is 200 now\n'
    state = ridge.replace("250", "500").replace("200", "400")
    stale = f"""\
talk.pptx: 3 stale, 1 current
  slide 1: stale ridge ("Picture 1")
{ridge}  slide 3: stale ridge?scale=2 ("Picture 1")
{state}  slide 4: stale ridge ("Picture 1")
{ridge}{typed}talk.md: 1 stale
  line 3: stale ridge ("ridge.en.light.svg")
{ridge}"""
    assert capsys.readouterr() == (stale, "checked: 4 stale, 1 current\n")
    assert main(["slides", "check", "talk.pptx", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    (deck,) = report["decks"]
    assert (report["ok"], deck["path"], deck["slides"]) == (False, "talk.pptx", 5)
    assert [(one["number"], one["status"]) for one in deck["pictures"]] == [
        (1, "stale"),
        (3, "stale"),
        (4, "stale"),
        (5, "current"),
    ]
    first = deck["pictures"][0]
    assert (first["figure"], first["language"], first["theme"]) == ("ridge", "en", "light")
    assert {"path": "ridge", "old": "250", "new": "200"} in first["changes"]

    before = talk.read_bytes()
    assert main(["slides", "update", "talk.pptx", "talk.md"]) == 0
    assert capsys.readouterr() == (
        "talk.pptx: 3 pictures updated; the old one is talk.pptx.bak\n"
        "  slide 1: ridge\n  slide 3: ridge?scale=2\n  slide 4: ridge\n"
        '  slide 1: "250" was ridge.ridge, which is 200 now\n'
        "talk.md: 1 picture updated\n  line 3: ridge\n",
        "updated: 4 pictures\n",
    )
    assert main(["slides", "check", "talk.pptx", "talk.md"]) == 0
    assert Path("talk.pptx.bak").read_bytes() == before
    old, new = zipfile.ZipFile("talk.pptx.bak"), zipfile.ZipFile("talk.pptx")
    assert old.namelist() == new.namelist()
    differing = {name for name in old.namelist() if old.read(name) != new.read(name)}
    slides = {"ppt/slides/slide1.xml", "ppt/slides/slide4.xml"}  # their descriptions named the old number
    assert {name for name in differing if "media" not in name} == slides
    assert len(differing) == 4
    for name in slides:
        assert new.read(name) == old.read(name).replace(b"The ridge is at 250.", b"The ridge is at 200.")
    shown = Presentation("talk.pptx").slides[0].shapes[0]
    assert shown.image.size == (1280, 720)
    # What was drawn last is kept too, for the next change, and for programs that remove metadata.
    kept = json.loads(Path("exports/manifest.json").read_bytes())["pictures"]
    assert {one["figure"] for one in kept} == {"ridge", "ridge?scale=2"}
    space.change("site/hardware/one.yaml", "value: 5,", "value: 8,")
    capsys.readouterr()
    assert main(["slides", "check", "talk.pptx"]) == 1
    assert "    ridge: 200 → 125\n" in capsys.readouterr().out


def test_pictures_that_other_programs_made_of_a_figure_are_drawn_again(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    svg = Path("pictures/ridge.en.light.svg").read_bytes()

    def made(kind: str, size: tuple[int, int]) -> bytes:
        target = io.BytesIO()
        Image.new("RGB", size, "white").save(target, kind)
        return target.getvalue()

    with_svg(Path("svg.pptx"), made("PNG", (960, 540)), svg)
    with_svg(Path("jpeg.pptx"), made("JPEG", (960, 540)), svg)
    with_svg(Path("cropped.pptx"), made("PNG", (500, 540)), svg)
    odp(Path("talk.odp"), Path("pictures/ridge.en.light.png").read_bytes())
    space.change("site/hardware/one.yaml", "value: 4,", "value: 5,")
    assert main(["slides", "update", "svg.pptx", "jpeg.pptx", "cropped.pptx", "talk.odp"]) == 1
    assert capsys.readouterr().out == (
        "svg.pptx: 1 picture updated; the old one is svg.pptx.bak\n  slide 1: ridge\n"
        "jpeg.pptx: 1 picture updated; the old one is jpeg.pptx.bak\n  slide 1: ridge\n"
        'cropped.pptx: slide 1: stale ridge ("Picture 1")\n'
        "    not updated: what was cropped away is no longer in the file, or it is another picture; "
        "insert it again\n"
        "talk.odp: 2 pictures updated; the old one is talk.odp.bak\n"
        "  slide 1: ridge\n  slide 1, notes: ridge\n"
    )
    assert (
        raw_members(Path("talk.odp").read_bytes())["mimetype"]
        == (raw_members(Path("talk.odp.bak").read_bytes())["mimetype"])
    )
    assert not Path("cropped.pptx.bak").exists()
    for name, kind in (("svg.pptx", "PNG"), ("jpeg.pptx", "JPEG")):
        archive = zipfile.ZipFile(name)
        (fallback,) = (one for one in archive.namelist() if "media/image" in one)
        with Image.open(io.BytesIO(archive.read(fallback))) as image:
            assert (image.format, image.size) == (kind, (960, 540))
            assert len(image.convert("RGB").getcolors(1_000_000)) > 3, "it shows something"
        key = picture_metadata(archive.read("ppt/media/drawing.svg")).key
        assert key is not None
        assert (str(key.request), key.size) == ("ridge", "640x360")
    assert main(["slides", "check", "svg.pptx", "jpeg.pptx", "talk.odp"]) == 0


def test_figures_and_states_that_are_gone(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    hand_made(Path("talk.pptx"))
    space.remove("figures/bars.py")
    space.change("figures/ridge.py", 'Literal["1", "2"]', 'Literal["1", "3"]')
    assert main(["slides", "check", "talk.pptx"]) == 1
    gone = """\
  slide 3: gone ridge?scale=2 ("Picture 1")
    "2" is not a value of the parameter "scale" of the figure "ridge"
  slide 5: gone bars ("Picture 1")
    there is no figure "bars" any more; its script was renamed or removed
"""
    assert capsys.readouterr().out == f"talk.pptx: 2 gone, 2 current\n{gone}"
    before = Path("talk.pptx").read_bytes()
    assert main(["slides", "update", "talk.pptx"]) == 1
    assert Path("talk.pptx").read_bytes() == before
    space.change("figures/ridge.py", "return {", "return missing, {")
    assert main(["slides", "check", "talk.pptx"]) == 1
    assert "unknown ridge" in (said := capsys.readouterr().out)
    assert 'the script of "ridge" fails; `diglot build` says why' in said


def test_a_mistake_in_one_deck_keeps_no_other_from_being_checked(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_made(Path("talk.pptx"))
    macros = {
        "ppt/vbaProject.bin": b"Sub Run() End Sub" * 50,
        "_xmlsignatures/origin.sigs": b"",
    }
    rewritten(hand_made(Path("macros.pptm")), macros)
    Path("broken.pptx").write_bytes(b"PK and no more")
    Path("empty.pptx").touch()
    assert main(["slides", "check", "broken.pptx", "talk.pptx", "macros.pptm", "empty.pptx"]) == 1
    out, err = capsys.readouterr()
    assert out == "talk.pptx: 4 current\nmacros.pptm: 4 current\n"
    assert err.count("error[slides-damaged]") == 2
    space.change("site/hardware/one.yaml", "value: 4,", "value: 5,")
    Path("macros.pptm").chmod(0o444)
    assert main(["slides", "update", "macros.pptm", "talk.pptx"]) == 2
    assert 'error[slides-read-only]: "macros.pptm" is read-only' in capsys.readouterr().err
    assert not Path("talk.pptx.bak").exists(), "nothing is written unless everything can be"
    Path("macros.pptm").chmod(0o644)
    assert main(["slides", "update", "macros.pptm"]) == 0
    assert "  its digital signature is not valid any more; sign it again\n" in capsys.readouterr().out
    assert zipfile.ZipFile("macros.pptm").read("ppt/vbaProject.bin") == macros["ppt/vbaProject.bin"]
    assert main(["slides", "check", "nowhere.pptx"]) == 2
