"""Small sites to run commands on."""

import os
import subprocess
from pathlib import Path

from tests.prepared import Forked, start_command

CHECKOUT = Path(__file__).resolve().parents[2]

CONFIG = """\
title: {zh: 站, en: Site}
base_url: https://example.org/
"""

LINE = '''\
"""A line."""
from typing import Literal

TITLE = {"zh": "线", "en": "A line"}


def compute(slope: Literal["1", "2"] = "1") -> dict:
    return {"y": [0, int(slope)]}


def draw(figure, data, t):
    from matplotlib.lines import Line2D  # without axes, which take most of the time of a drawing

    heights = [0.1 + 0.1 * y for y in data["y"]]
    figure.add_artist(Line2D([n / len(heights) for n in range(len(heights))], heights))


def describe(data, t):
    return t(zh="一条线", en="A line")
'''

LOOPING = '''\
"""Never ends."""
import pathlib
import time

TITLE = {"zh": "慢", "en": "Slow"}


def compute() -> dict:
    pathlib.Path("looping").touch()
    while True:
        time.sleep(0.01)


def draw(figure, data, t):
    figure.subplots()


def describe(data, t):
    return t(zh="慢", en="Slow")
'''


def write(root: Path, files: dict[str, str]) -> None:
    """Write files, and create their folders."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


def article(words: str = "A paragraph.", *, title: str = "Hello", more: str = "") -> str:
    """One half of an article."""
    return f"---\ntitle: {title}\ndescription: On {title}.\ndate: 2026-01-02\n{more}---\n{words}\n"


def pair(name: str, words: str = "A paragraph.", *, more: str = "") -> dict[str, str]:
    """Both halves of an article."""
    return {
        f"content/posts/{name}/{language}.md": article(words, title=f"{name} {language}", more=more)
        for language in ("zh", "en")
    }


def write_site(root: Path, *, figure: bool = False) -> Path:
    """A site of one article, with or without a figure in it."""
    embed = "\n\n```{figure} line\nA caption.\n```" if figure else ""
    write(root, {"site/site.yaml": CONFIG, **pair("hello", f"A paragraph.{embed}")})
    if figure:
        write(root, {"figures/line.py": LINE})
    return root


def leave_two_states(root: Path) -> None:
    """Leave readers of a new site two batches to choose from: to draw all six takes long."""
    script = root / "figures/batch_size.py"
    text = script.read_text("utf-8")
    states, two = "[1, 4, 16, 64, 256, 1024] =", "[1, 64] ="
    assert text.count(states) == 1
    script.write_text(text.replace(states, two), "utf-8")


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that finds this checkout's diglot."""
    unset = ("NO_COLOR", "CI", "SOURCE_DATE_EPOCH", "DIGLOT_BASE_URL")
    kept = {k: v for k, v in os.environ.items() if k not in unset}
    return {**kept, "PYTHONPATH": str(CHECKOUT / "src"), **more}


def start(*words: str, root: Path, **more: str) -> "subprocess.Popen[str] | Forked":
    """Run a command of diglot in a project, in a session of its own, so that signals reach only it."""
    return start_command(*words, root=root, environment=environment(**more))


def processes_below(root: Path) -> list[str]:
    """The command lines of the processes that work in a folder; Linux only."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if Path(os.readlink(process / "cwd")).is_relative_to(root):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:  # it has ended, or belongs to another user
            continue
    return found
