"""All drawings of a figure on one sheet, for maintainers to look at."""

from pathlib import Path

import pytest
from PIL import Image, ImageColor

from diglot.figures.palette import COLOURS
from scripts.figure_sheets import main
from tests.space import BARS, Space


def test_a_sheet_shows_a_figure_in_every_theme_language_and_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    space = Space(tmp_path)
    space.write("figures/bars.py", BARS)
    space.write("figures/broken.py", BARS.replace("def compute():", "def compute():\n    1 / 0"))
    monkeypatch.chdir(tmp_path)
    assert main(["--size", "narrow,slide", "-o", "sheets"]) == 1
    told = capsys.readouterr()
    assert told.out == "sheets/bars.png\n"
    assert "figures/broken.py:7: error[figure-script]" in told.err
    with Image.open("sheets/bars.png") as image:
        drawn = image.convert("RGB")
    # 20 px between columns; above each of the four rows, 14 px of heading between 20 px.
    narrow, slide, row = 20, 20 + 390 + 20, 54 + 405
    assert drawn.size == (slide + 720 + 20, 4 * row)
    for n, theme in enumerate(("light", "light", "dark", "dark")):
        paper, bar = (ImageColor.getrgb(COLOURS[token][theme == "dark"]) for token in ("paper", "gpu3"))
        assert drawn.getpixel((0, n * row)) == paper
        assert drawn.getpixel((1169, (n + 1) * row - 1)) == paper
        for left, width in ((narrow, 390), (slide, 720)):
            heading = drawn.crop((left, n * row + 15, left + 120, n * row + 40))
            assert len(heading.getcolors() or ()) > 5, "words, with smooth edges"
            colours = {
                colour
                for _, colour in drawn.crop((left, n * row + 54, left + width, (n + 1) * row)).getcolors(9999)
                or ()
            }
            assert bar in colours
