"""A form in a page: answers from the table, the keyboard, bad input, both languages, no script."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import axe_violations, has_no_horizontal_scroll, served
from tests.space import SITE_YAML, Space, told

pytestmark = pytest.mark.browser

SCRIPT = '''\
"""A form."""

from diglot.figures import Answer, Field, Form, LogRange

TITLE = {"zh": "表", "en": "Form"}
FORM = Form(
    fields={"m": Field(LogRange(1, 4096, per_octave=1), {"zh": "行", "en": "Rows"})},
    answers={
        "share": Answer(label={"zh": "占比", "en": "Share"}, unit="%", chip="h200-sxm"),
        "time": Answer(label={"zh": "时间", "en": "Time"}, unit="ms", digits=1, between="monotone"),
        "flops": Answer(label={"zh": "运算", "en": "Operations"}, between="linear"),
    },
    presets=[({"zh": "小", "en": "small"}, {"m": 8}), ({"zh": "大", "en": "large"}, {"m": 4096})],
)


def compute():
    return {}


def answer(m):
    return {"share": 100 * m / 4096, "time": m / 10 + 2, "flops": 2 * m}
'''


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    space = Space(tmp_path_factory.mktemp("form"))
    space.write("site/site.yaml", f"{SITE_YAML}gallery: true\n")
    space.write("figures/shape.py", SCRIPT)
    space.post("a", zh="```{figure} shape\n表\n```", en="```{figure} shape\nForm\n```")
    assert told(space.build()) == ""
    root: Path = space.root / "public"
    assert len(list(root.glob("figures/shape/shape.*.json"))) == 1
    with served(root) as address:
        yield address


def answers(page: Any) -> list[str]:
    rows = page.locator(".ask tbody tr")
    return [" ".join(text.split()) for text in rows.all_inner_texts()]


def said(page: Any, text: str) -> None:
    page.wait_for_function("text => document.querySelector('.ask .said').textContent === text", arg=text)


def test_readers_ask_by_fields_keys_and_presets_and_keep_the_last_answer(open_page: Any, site: str) -> None:
    page = open_page(f"{site}/en/posts/a/", width=360)
    assert answers(page) == ["Share 0%", "Time 2.8 ms", "Operations 16"]
    field = page.get_by_label("Rows")
    field.fill("1,024")
    said(page, "Rows = 1,024: computed")
    assert answers(page) == ["Share 25%", "Time 104.4 ms", "Operations 2,048"]
    field.press("Shift+ArrowUp")
    said(page, "Rows = 1,152 is between computed shapes; the nearest is Rows = 1,024")
    assert field.input_value() == "1,152"
    between = [
        "Share 25% 25% to 50% around it",
        "Time ≈ 117.2 ms 104.4 ms to 206.8 ms around it",
        "Operations 2,304 2,048 to 4,096 around it",
    ]
    assert answers(page) == between
    field.fill("none")
    said(page, "Rows must be a whole number from 1 to 4,096; the answers are still for the last shape")
    assert field.get_attribute("aria-invalid") == "true"
    assert answers(page) == between
    page.get_by_label("large").check()
    said(page, "Rows = 4,096: computed")
    assert field.input_value() == "4,096"
    assert field.get_attribute("aria-invalid") is None
    assert page.locator(".ask rect").get_attribute("width") == "100%"
    assert has_no_horizontal_scroll(page)
    assert axe_violations(page) == []
    page.click(".langs [data-word=zh]")
    page.get_by_label("行").fill("２０４８")
    said(page, "行 = 2,048：已算出")


def test_a_choice_made_before_the_script_has_come_is_answered_when_it_has(open_page: Any, site: str) -> None:
    page = open_page(f"{site}/en/posts/a/")
    assert page.locator("script[src*='/forms.']").count() == 0, (
        "it comes when a reader first reaches for the form"
    )
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/forms.*.js", hold)
    with page.expect_request("**/forms.*.js"):
        page.get_by_label("large").check()
    assert page.locator(".ask .said").inner_text() == "Rows = 8"
    held[0].continue_()
    said(page, "Rows = 4,096: computed")
    assert answers(page)[2] == "Operations 8,192"


def test_the_page_of_the_figure_has_the_form_too(open_page: Any, site: str) -> None:
    page = open_page(f"{site}/en/figures/shape/")
    page.get_by_label("Rows").fill("1,024")
    said(page, "Rows = 1,024: computed")
    assert "```{figure} shape" in page.locator("main").text_content()


def test_without_a_script_the_answers_to_the_first_shape_are_there(open_page: Any, site: str) -> None:
    page = open_page(f"{site}/zh/posts/a/", java_script_enabled=False)
    assert page.locator(".said").inner_text() == "行 = 8"
    assert answers(page) == ["占比 0%", "时间 2.8 ms", "运算 16"]
    assert not page.locator(".fields").is_visible()
