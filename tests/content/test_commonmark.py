"""The CommonMark specification's own examples.

All 652 of them hold, so there is no list of exceptions. What is compared, and why it differs from the letter:

- layout between blocks, the order of attributes and the way of writing entities mean nothing;
- highlighting marks up code (`<span class="k">`): those spans are dropped;
- addresses are placeholders as authors write them, the page encodes them: both sides are encoded to compare;
- a level-1 heading, an unclosed fence or `<div>` is legal Markdown and a mistake in an article: the HTML is
  compared, the diagnostics are tested elsewhere;
- an example that begins with `---` gets an empty line above: there it would begin front matter.

Nothing in them is touched by our additions: tables, `$`, `:::`, `{…}` and footnotes come in no example in
a way that changes it, and the examples of emphasis hold no CJK text.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from diglot.content.document import read_document
from tests.content.html_text import comparable, html_of

DATA = Path(__file__).parent / "data" / "commonmark-0.31.2.json"
EXAMPLES: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "example", EXAMPLES, ids=lambda example: f"{example['example']}-{example['section']}"
)
def test_an_example_of_the_specification_means_what_it_says(example: dict[str, Any]) -> None:
    markdown = example["markdown"]
    document, _ = read_document("\n" + markdown if markdown.startswith("---") else markdown, "x.md", "en")
    assert comparable(html_of(document.blocks)) == comparable(example["html"])


def test_all_examples_are_there() -> None:
    assert [example["example"] for example in EXAMPLES] == list(range(1, 653))
