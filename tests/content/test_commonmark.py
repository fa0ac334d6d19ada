"""The examples of the CommonMark specification.

All 652 pass, so there is no list of exceptions. The comparison differs from a literal one for these reasons:

- layout between blocks, the order of attributes and the form of entities have no meaning;
- highlighting marks up code (`<span class="k">`): those spans are dropped;
- addresses are placeholders as authors write them, and the page encodes them: both sides are encoded here;
- a level-1 heading, an unclosed fence or `<div>` is legal Markdown but a mistake in an article: the HTML is
  compared; other tests cover the diagnostics;
- a picture with a title, alone in its paragraph, is a figure with a caption: its title is put back;
- an example that begins with `---` gets an empty line above, because there it would begin front matter.

Our additions change none of the examples: no tables, `$`, `:::`, `{…}` or footnotes in them have another
meaning here, and the examples of emphasis have no CJK text.
"""

import json
import re
from pathlib import Path
from typing import Any

from diglot.content.document import read_document
from tests.content.html_text import comparable, html_of

DATA = Path(__file__).parent / "data" / "commonmark-0.31.2.json"
EXAMPLES: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))

_CAPTIONED = re.compile(
    r'<figure><div class="drawing">(<img [^>]*)></div><figcaption>⟦[^⟧]*⟧([^<]*)</figcaption></figure>'
)


def test_every_example_of_the_specification_means_what_it_says() -> None:
    assert [example["example"] for example in EXAMPLES] == list(range(1, 653))
    differing = {}
    for example in EXAMPLES:
        markdown = example["markdown"]
        text = "\n" + markdown if markdown.startswith("---") else markdown
        # In Chinese quotation marks stay as they were written.
        found = comparable(html_of(read_document(text, "x.md", "zh")[0].blocks))
        found = _CAPTIONED.sub(r'<p>\1 title="\2"></p>', found)
        if found != (expected := comparable(example["html"])):
            differing[f"{example['example']}, {example['section']}"] = (found, expected)
    assert differing == {}
