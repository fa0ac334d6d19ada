"""A block of Markdown as sentences: what a page shows, each sentence once."""

from diglot.comparing.records import BoundValue
from diglot.comparing.sentences import sentences_of
from diglot.content.document import read_parsed
from diglot.content.records import Placeholder

SENTENCES = {
    "One. Two {eval}`a.b` more.": ["One.", "Two 7 more."],
    "- One.\n\n  - Two.\n\n  Three.": ["One.", "Two.", "Three."],
    "- one\n  - two": ["one", "two"],
    ":::{note}\nMost are bounds.\n:::": ["Most are bounds."],
    ":::{tip} A title\nOne.\n:::": ["A title", "One."],
    "| a | b |\n|---|---|\n| c | {eval}`a.b` |": ["a | b", "c | 7"],
    "<table><tr><th>a<th>b<tr><td>c<td>d</table>": ["a | b", "c | d"],
    '![a > b](c.png "d") and <img alt="e > f" src="c.png">': ["a > b", "d", "and", "e > f"],
    "$$\nx_1 = 2\n$$ (eq:a)": ["x1 = 2"],
    '<abbr title="x > 1">One</abbr>, <!-- two > -->three.': ["One, three."],
    "One.[^n]\n\n[^n]: Two.": ["One."],
}


def _bound(placeholder: Placeholder, text: str) -> BoundValue:
    return BoundValue(expression=placeholder.target, text=text, line=1, number=7, dimension="")


def test_sentences_are_what_readers_see() -> None:
    found = {}
    for markdown in SENTENCES:
        [block] = read_parsed(f"\n{markdown}\n", "en.md", "en")[0].tree.blocks
        found[markdown] = [
            one.text for one in sentences_of(block.nodes, lambda _: "7", _bound, 1, is_code=False)
        ]
    assert found == SENTENCES
