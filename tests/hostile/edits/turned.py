"""Edits of figures that readers turn or ask, and of talks."""

import random

from tests.hostile.edits.project import LANGUAGES, Project
from tests.hostile.edits.start import half

TURNED = '''\
"""A line that readers tilt."""

from typing import Literal

from diglot.figures import charts

TITLE = {"zh": "斜线", "en": "Slope"}
MESSAGE = {"zh": "升到{top}", "en": "It rises to {top}"}
LABELS = {"slope": {"zh": "斜率", "en": "Slope"}}
COLUMNS = {"x": {"zh": "横", "en": "Across"}, "y": {"zh": "纵", "en": "Up"}}


def compute(slope: Literal["1", "2", "4"] = "2", dashed: bool = False) -> dict:
    return {"top": 3 * int(slope), "dashed": dashed}


def draw(figure, data, t):
    rows = {"x": [0, 3], "y": [0, data["top"]]}
    charts.lines(figure, rows, x="x", y="y", y_domain=(0, 12), dash="8bit" if data["dashed"] else None)


def describe(data, t):
    return t(zh=f"升到{data['top']}。", en=f"It rises to {data['top']}.")
'''
ASKED = '''\
"""Products that readers ask for."""

from diglot.figures import Answer, Field, Form, LogRange

TITLE = {"zh": "积", "en": "Products"}
FORM = Form(
    fields={"m": Field(LogRange(1, 64), {"zh": "行", "en": "Rows"}), "n": Field([2, 4], {"zh": "列", "en": "Columns"})},
    answers={"area": Answer(label={"zh": "积", "en": "Area"}, between="linear")},
    presets=[({"zh": "小", "en": "small"}, {"m": 8, "n": 2})],
)


def compute() -> dict:
    return {}


def answer(m, n) -> dict:
    return {"area": m * n}
'''  # noqa: E501  (a script of somebody)
TALK = "content/talks/short"


def _both(project: Project, path: str, **texts: str) -> None:
    for language in LANGUAGES:
        project.write(f"{path}/{language}.md", texts[language])


def let_readers_turn_a_figure(project: Project, rng: random.Random) -> str | None:
    """Shows a figure with controls, all of them or some, one of which may not be there."""
    if not project.is_file("figures/turned.py"):
        project.write("figures/turned.py", TURNED)
    explored = rng.choice(["slope", "slope, dashed", "slope = [1, 2]", "dashed", "slope = [1, 4]", "slop"])
    linked = rng.choice(["", " {control}`turned.slope` {eval}`turned.top | number`"])
    fence = f"```{{figure}} turned\n:explore: {explored}\n\nA line.\n```\n"
    _both(
        project,
        "content/posts/turned",
        zh=half("转", f"转。{linked}\n\n{fence}"),
        en=half("Turn", f"Turn.{linked}\n\n{fence}"),
    )
    return explored


def change_what_is_turned(project: Project, rng: random.Random) -> str | None:
    """Changes the script of that figure: its states, its words, its lines or its numbers."""
    if not project.is_file("figures/turned.py"):
        return None
    old, new = rng.choice(
        [
            ('"1", "2", "4"]', '"1", "2"]'),
            ('"斜率"', '"坡度"'),
            ("3 * int", f"{rng.randint(2, 4)} * int"),
            ('= "2"', '= "1"'),
            ("y_domain=(0, 12)", "y_domain=(0, 16)"),
            ("It rises", "Up"),
        ]
    )
    text = project.read("figures/turned.py")
    project.write("figures/turned.py", text.replace(old, new) if old in text else TURNED)
    return f"{old} → {new}"


def ask_in_a_form(project: Project, rng: random.Random) -> str | None:
    """Shows a form, or changes what its script answers, says or allows."""
    old, new = rng.choice(
        [
            ("", ""),
            ("m * n", "m * n + 1"),
            ("LogRange(1, 64)", "LogRange(1, 128)"),
            ('"small"', '"tiny"'),
            ("[2, 4]", "[2, 3]"),
        ]
    )
    project.write("figures/asked.py", ASKED.replace(old, new) if old else ASKED)
    _both(
        project,
        "content/posts/asked",
        zh=half("问", "问。\n\n```{figure} asked\n积。\n```\n"),
        en=half("Ask", "Ask.\n\n```{figure} asked\nAn area.\n```\n"),
    )
    return new


def write_a_talk(project: Project, rng: random.Random) -> str | None:
    """Writes a talk with some kinds of slides, in both languages."""
    parts = [
        "{n}.\n",
        "## {n} {{#slide}}\n\n- a\n- b {{.step}}\n\n:::{{notes}}\nSay {n}.\n:::\n",
        "---\n\n```{{figure}} bars\n```\n",
        "## Columns\n\nLeft.\n\n***\n\nRight {{eval}}`numbers.a | number(1)`.\n",
        "## Turned\n\n```{{figure}} turned\n:explore: slope\n```\n",
    ]
    chosen = rng.sample(parts, rng.randint(1, len(parts)))
    body = "\n".join(part.format(n=rng.randrange(99)) for part in chosen)
    _both(project, TALK, zh=half("一次报告", body), en=half("A talk", body))
    return f"{len(chosen)} parts"


def change_a_talk(project: Project, rng: random.Random) -> str | None:
    """Changes one half of the talk: a slide more, another title, or a draft."""
    path = f"{TALK}/{rng.choice(LANGUAGES)}.md"
    if not project.is_file(path):
        return None
    text = project.read(path)
    old, new = rng.choice(
        [
            ("title: ", "title: Now "),
            ("date:", "draft: true\ndate:"),
            ("---\n\n", f"---\n\n## More {rng.randrange(9)}\n\nMore.\n\n---\n\n"),
        ]
    )
    project.write(path, text.replace(old, new, 1))
    return f"{path}: {new.strip()[:20]}"


def remove_a_talk(project: Project, rng: random.Random) -> str | None:
    """Removes one half of the talk, or all of it."""
    paths = [path for path in (TALK, *(f"{TALK}/{one}.md" for one in LANGUAGES)) if project.exists(path)]
    if not paths:
        return None
    project.remove(path := rng.choice(paths))
    return path


def take_a_section_into_a_talk(project: Project, rng: random.Random) -> str | None:
    """Marks part of an article as material for slides."""
    body = f"A.\n\n:::{{slide}}\nSay {rng.randrange(9)}.\n:::\n\nB.\n"
    _both(project, "content/posts/sliding", zh=half("片", body), en=half("Slides", body))
    return "content/posts/sliding"
