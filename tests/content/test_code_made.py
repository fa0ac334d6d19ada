"""Code that a half had before is not highlighted again, and what is parsed is the same."""

import pytest

from diglot.content.code_made import code_made
from diglot.content.document import read_parsed
from diglot.content.tree import building
from diglot.content.tree.html import NONE_HIGHLIGHTED, Highlighted

PLAIN = "```python\ndef f(x):\n\treturn x < 1 & 2  # 甲\n\n```"
TITLED = '```c++ title="a & b.cpp"\nint a = 1;\n```'
MARKED = "```python {1}\ndef g(): pass\n```"
NUMBERED = "```python linenums\ndef h(): pass\n```"
UNKNOWN = "```martian\nx = 1\n```"
LISTED = "- one\n\n  ```python\n  def i(): pass\n  ```"
HTML = '<pre><code class="language-python"><span class="k">def</span> spoof(): pass\n</code></pre>'
SPOOFED = "```python\ndef spoof(): pass\n```"


def parsed(
    monkeypatch: pytest.MonkeyPatch, *blocks: str, made: Highlighted = NONE_HIGHLIGHTED
) -> tuple[object, list[str], Highlighted]:
    """The document and its warnings, the code that was highlighted, and what can be kept of it."""
    highlighted, seen = building.highlighted, []

    def noted(code: str, language: str) -> str:
        seen.append(code)
        return highlighted(code, language)

    with monkeypatch.context() as patched:
        patched.setattr(building, "highlighted", noted)
        text = "\n\n".join(["---\ntitle: t\n---", *blocks, ""])
        half, mistakes = read_parsed(text, "a.md", "en", made=made)
    return (half.document, mistakes.warnings, mistakes.errors), seen, code_made(half)


BLOCKS = (PLAIN, TITLED, MARKED, NUMBERED, UNKNOWN, LISTED)


def test_code_is_highlighted_once_unless_its_lines_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    first, seen, made = parsed(monkeypatch, *BLOCKS)
    assert len(seen) == len(BLOCKS)
    again, seen, _ = parsed(monkeypatch, *BLOCKS, made=made)
    assert again == first
    assert seen == ["def g(): pass\n", "def h(): pass\n", "x = 1\n", "def i(): pass\n"]


def test_what_one_block_had_serves_another_with_the_same_code(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, made = parsed(monkeypatch, PLAIN)
    other = PLAIN.replace("```python", "```python {1}")
    assert parsed(monkeypatch, other, made=made)[0] == parsed(monkeypatch, other)[0]
    in_another_language = PLAIN.replace("```python", "```rust")
    assert parsed(monkeypatch, in_another_language, made=made)[1] != []


def test_an_authors_own_html_is_not_taken_for_highlighted_code(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, made = parsed(monkeypatch, HTML)
    assert made == {}
    assert parsed(monkeypatch, SPOOFED, made=made)[0] == parsed(monkeypatch, SPOOFED)[0]
