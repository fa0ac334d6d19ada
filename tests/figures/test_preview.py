"""Looking at a script's drawings while writing it."""

import os
import subprocess
import sys
from pathlib import Path

import diglot

from .conftest import TITLE, WORDS


def preview(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(diglot.__file__).parent.parent)}
    return subprocess.run(
        [sys.executable, "-m", "diglot.figures.preview", *arguments],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_pictures_and_words_of_every_size_language_and_theme(tmp_path: Path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/words_beside.py").write_text("WORD = 'peak'\n")
    (tmp_path / "figures/seen.py").write_text(
        TITLE
        + "from words_beside import WORD\n"
        + "def compute(): return {'word': WORD}\n"
        + "def draw(figure, data, t):\n"
        + "    figure.text_px(0, 20, data['word'])\n    figure.text_px(2, 22, 'on it')\n"
        + WORDS
    )
    done = preview(tmp_path, "figures/seen.py", "-o", "out", "--size", "narrow,slide", "--dpi", "96")
    assert done.returncode == 0, done.stderr
    names = {path.name for path in (tmp_path / "out").iterdir()}
    sizes, languages, themes = ("narrow", "slide"), ("zh", "en"), ("light", "dark")
    assert names == {f"seen.{s}.{la}.{th}.png" for s in sizes for la in languages for th in themes}
    assert "en: A picture." in done.stdout
    found = "figures/seen.py:6: narrow, zh: labels overlap\n    'on it' overlaps 'peak' by 10 px\n"
    assert found in done.stdout


def test_mistakes_are_told_as_in_a_build(tmp_path: Path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/wrong.py").write_text("def compute(): return {}\n")
    done = preview(tmp_path, "figures/wrong.py")
    assert done.returncode == 1
    assert "figures/wrong.py:1: error[figure-title]: the script has no TITLE" in done.stderr


def test_languages_and_themes_come_in_any_order(tmp_path: Path):
    done = preview(tmp_path, "figures/wrong.py", "--lang", "en,zh", "--theme", "dark,dusk")
    assert done.returncode == 2
    assert "--theme: dusk: choose from light, dark" in done.stderr
