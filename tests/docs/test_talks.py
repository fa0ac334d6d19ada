"""The manual's page of talks is true: its example builds, and it names all layouts and keys."""

import re

from diglot.content.slides import LAYOUTS
from diglot.render.theme import built_in_theme
from tests.docs.pages import DOCS, code, examples, rows, section
from tests.space import Space, told

TALKS = (DOCS / "manual/content/pages/talks/en.md").read_text("utf-8")
ROOFLINE = """\
from typing import Literal

TITLE = {"zh": "屋顶线", "en": "Rooflines"}


def compute(dtype: Literal["bf16", "fp8"] = "bf16"):
    return {"h200": {"ridge": 206.04 if dtype == "bf16" else 412.1}}


def draw(figure, data, t):
    figure.axes_px(40, 30, figure.width_px - 60, 70).bar([0], [data["h200"]["ridge"]])


def describe(data, t):
    return t(zh="一根柱。", en="A bar.")
"""


def test_every_layout_is_described() -> None:
    assert [code(row[0])[0] for row in rows(section(TALKS, "## Layouts {#layouts}"))] == list(LAYOUTS)


def test_every_key_of_the_help_is_described() -> None:
    page = (built_in_theme() / "talk.html").read_text("utf-8")
    shown = {one for one in re.findall(r'\("(\S+)[^"]*", "key', page) if one.isalpha() or one in ".?"}
    described = " ".join(row[0] for row in rows(section(TALKS, "## Giving the talk {#giving}")))
    assert shown
    assert all(one in described for one in shown)


def test_the_example_is_a_talk(space: Space) -> None:
    (whole,) = (one.text for one in examples(TALKS, "markdown") if one.text.startswith("---"))
    space.write("figures/roofline.py", ROOFLINE)
    space.write("site/site.yaml", "title: T\nbase_url: https://example.org/\nauthors: {ada: {name: Ada}}\n")
    space.write("content/talks/roofline/zh.md", whole)
    space.write("content/talks/roofline/en.md", whole)
    assert told(space.build()) == ""
    own = space.page("en/talks/roofline")
    assert re.findall(r'<section class="slide (\w+)"', own) == ["cover", "statement", "figure", "text"]
