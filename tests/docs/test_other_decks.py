"""`docs/slides.md` is true of other tools: its decks for Marp, reveal.js and Beamer show a figure of diglot.

The tools do not come from Python's package index: `npm install -g @marp-team/marp-cli reveal.js`, and of
Debian `texlive-latex-recommended`, `texlive-pictures` and `poppler-utils`. Where one is missing, its test is
skipped.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from diglot.check.chromium import find_chromium
from diglot.cli import main
from tests.browser import served
from tests.docs.pages import DOCS, examples, section
from tests.docs.test_talks import ROOFLINE
from tests.space import Space, errors
from tests.waiting import HANG_S

DECKS = section((DOCS / "slides.md").read_text("utf-8"), "## In decks of other tools")
ACCENT = (178, 24, 43)


def snippet(language: str) -> str:
    (found,) = (one.text for one in examples(DECKS, language))
    return found


def find_reveal() -> Path | None:
    """The folder of reveal.js, where npm has installed it for everybody."""
    folders = [
        *filter(None, os.environ.get("NODE_PATH", "").split(os.pathsep)),
        "/usr/local/lib/node_modules",
    ]
    places = (Path(folder, "reveal.js/dist") for folder in [*folders, "/usr/lib/node_modules"])
    return next((place for place in places if place.is_dir()), None)


def has_beamer() -> bool:
    """Whether there is LaTeX with Beamer, and a program that reads what it writes."""
    if not all(map(shutil.which, ("pdflatex", "kpsewhich", "pdftoppm", "pdftotext"))):
        return False
    return (
        subprocess.run(
            ["kpsewhich", "beamer.cls", "pgfmath.sty"], capture_output=True, check=False
        ).returncode
        == 0
    )


@pytest.fixture
def deck(space: Space, monkeypatch: pytest.MonkeyPatch) -> Space:
    """A project with a figure that has one red bar, in its folder."""
    bar = ROOFLINE.replace(".bar(", '.bar(color="#b2182b", x=').replace(', [data["', ', height=[data["')
    space.write("figures/roofline.py", bar)
    space.write("site/site.yaml", "title: T\nbase_url: https://example.org/\ngallery: true\n")
    space.post("one", zh="一。", en="One.")
    monkeypatch.chdir(space.root)
    return space


def export(kind: str) -> None:
    assert main(["figures", "export", "roofline", "--lang", "en", "--format", kind]) == 0


def shows_the_figure(picture: Path) -> bool:
    """Whether a part of the slide has the colour of the bar."""
    with Image.open(picture) as opened:
        colours = opened.convert("RGB").getcolors(1 << 24) or []
        alike = sum(n for n, one in colours if max(abs(a - b) for a, b in zip(one, ACCENT, strict=True)) < 8)
        return alike > opened.width * opened.height / 50


@pytest.mark.skipif(not has_beamer(), reason="no LaTeX with Beamer on this machine")
def test_a_figure_in_beamer(deck: Space) -> None:
    export("pdf")
    head = "\\documentclass[aspectratio=169]{beamer}\n\\begin{document}\n"
    deck.write("talk.tex", f"{head}{snippet('latex')}\\end{{document}}\n")
    subprocess.run(["pdflatex", "-interaction=batchmode", "talk.tex"], check=True, capture_output=True)
    said = subprocess.run(["pdftotext", "talk.pdf", "-"], check=True, capture_output=True, text=True).stdout
    assert "Two ridges" in said
    subprocess.run(["pdftoppm", "-png", "-r", "60", "-singlefile", "talk.pdf", "talk"], check=True)
    assert shows_the_figure(deck.root / "talk.png")


@pytest.mark.skipif(shutil.which("marp") is None, reason="no Marp on this machine")
def test_a_figure_in_marp(deck: Space) -> None:
    export("svg")
    deck.write("talk.md", snippet("markdown"))
    # As root, Chromium refuses to start in its usual way.
    surroundings = {**os.environ, "CHROME_PATH": find_chromium() or "", "CHROME_NO_SANDBOX": "1"}
    command = ["marp", "talk.md", "--image", "png", "--allow-local-files", "-o", "talk.png", "--no-stdin"]
    subprocess.run(command, check=True, capture_output=True, env=surroundings, timeout=HANG_S)
    assert shows_the_figure(deck.root / "talk.png")


@pytest.mark.skipif(find_reveal() is None, reason="no reveal.js on this machine")
def test_a_figure_in_reveal(deck: Space, browser: Any) -> None:
    assert not errors(deck.build())
    shutil.copytree(find_reveal() or "", deck.root / "deck/reveal")
    with served(deck.root / "public") as site, served(deck.root / "deck") as address:
        slides = f"<section>First</section>{snippet('html').replace('https://example.org', site)}"
        deck.write(
            "deck/index.html",
            '<!doctype html><link rel="stylesheet" href="reveal/reveal.css">'
            f'<div class="reveal"><div class="slides">{slides}</div></div>'
            '<script src="reveal/reveal.js"></script><script>Reveal.initialize()</script>',
        )
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(address)
        page.wait_for_function("Reveal.isReady()")
        page.keyboard.press("ArrowRight")
        figure = page.frame_locator("iframe")
        figure.locator(".drawing svg:visible").wait_for()
        assert figure.locator("html").get_attribute("data-theme") == "dark"
        page.wait_for_timeout(1000)  # reveal.js moves the slide
        page.screenshot(path=deck.root / "talk.png")
        page.close()
    assert shows_the_figure(deck.root / "talk.png")
