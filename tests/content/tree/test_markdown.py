"""Trees as Markdown: what is written anew is read as the same, and what needs nothing stays as it is."""

import sys
from pathlib import Path

import msgspec
import pytest

from diglot.content.document import parse_text
from diglot.content.records import Placeholder
from diglot.content.tree.markdown import Filling, markdown_of_tree, on_site, pieces_of_markdown
from diglot.content.tree.nodes import Display, Embed, Tree, all_below
from diglot.diagnostics import DiagnosticError
from diglot.languages import LANGUAGES, Language
from tests.content.test_fixtures import FOLDER, Case, language_of, read_cases

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))
from corpus_pairs import make_pair

FILES = ("blocks", "callouts", "code", "emphasis", "footnotes", "formulas", "line-breaks", "links")
CASES = [case for name in FILES for case in read_cases(FOLDER / f"{name}.md")]
LEFT_OUT = frozenset(("line", "last_line", "address_line", "first_line", "attributes", "number", "figures"))
"""Fields of nodes that are not written: places, numbers that follow from the text, and attributes."""


def resolve(placeholder: Placeholder) -> str:
    if placeholder.kind == "assert":
        return f" {{assert}}`{placeholder.target}`"
    return f"{{{placeholder.kind}}}`{placeholder.target}`"


def address(target: str) -> str | None:
    return None if "://" in target else f"https://example.org/{target}"


ITSELF = Filling(resolve=resolve, address=lambda target: None, embeds={}, shown={})
FILLED = Filling(resolve=lambda placeholder: f"<{placeholder.target}>", address=address, embeds={}, shown={})


def parse(markdown: str, language: Language = "en") -> Tree:
    return parse_text(markdown, "a/en.md", language).tree


def said(node: object) -> object:
    """A node without its place and its attributes."""
    if isinstance(node, tuple):
        return tuple(said(child) for child in node if child != "")
    if isinstance(node, Display):
        return node.latex.strip()
    if isinstance(node, msgspec.Struct):
        names = (name for name in node.__struct_fields__ if name not in LEFT_OUT)
        return (type(node).__name__, *(said(getattr(node, name)) for name in names))
    return node


def blocks_of(tree: Tree) -> list[object]:
    notes = sorted((note.label, said(note.children)) for block in tree.blocks for note in block.notes)
    return [*(said(block.nodes) for block in tree.blocks), *notes]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}-{case.name}")
def test_what_is_written_anew_is_read_as_the_same(case: Case) -> None:
    if "\\" in case.markdown and case.name.startswith("English: quotation marks"):
        pytest.skip("straight quotation marks become curly ones")
    try:
        tree = parse(case.markdown, language_of(case))
    except DiagnosticError:
        pytest.skip("a mistake")
    if any(isinstance(node, Embed) for block in tree.blocks for node in all_below(block.nodes)):
        pytest.skip("a figure is filled in")
    written = markdown_of_tree(tree, (), ITSELF)
    assert blocks_of(parse(written, language_of(case))) == blocks_of(tree)


@pytest.mark.parametrize("number", range(4))
def test_whole_articles_are_read_as_the_same(number: int) -> None:
    pair = make_pair(number, 7)
    for language in LANGUAGES:
        tree = parse(getattr(pair.body, language), language)
        assert blocks_of(parse(markdown_of_tree(tree, (), ITSELF), language)) == blocks_of(tree)


@pytest.mark.parametrize(
    "text",
    [
        "1986. A year, not a list.",
        "+ 3 is no item\n- nor this",
        "# of cores",
        "> 5 GB",
        "a_b *c* _d_ [e](f) `g` <h> &amp; $i$ ~~j~~ ^[k] ![l](m)",
        "!\\[x](y) ends with !",
        "back\\\\slash",
        ":::{note}",
        "===\n---",
    ],
)
def test_text_stays_text(text: str) -> None:
    """Each text is escaped character by character, so that nothing in it is Markdown."""
    escaped = "".join(f"\\{one}" if one in "\\`*_{}[]<>()#+-.!|~^$&:=\"'" else one for one in text)
    tree = parse(f"Value {{eval}}`a.b`:\n{escaped}")
    written = markdown_of_tree(tree, (), ITSELF)
    assert blocks_of(parse(written)) == blocks_of(tree), written


@pytest.mark.parametrize(
    "kept",
    [
        "*  An item\n*  another\n",
        "Some __text__, `code` and <https://example.com/a>.\n",
        "Title\n=====\n",
        "~~~python\nprint(1)\n~~~\n",
        "[a](https://example.com/ 'b')\n",
    ],
)
def test_a_block_that_needs_nothing_keeps_its_lines(kept: str) -> None:
    kept = kept.replace("=====", "-----")  # a level below the title of the article
    assert markdown_of_tree(parse(kept), kept.split("\n"), FILLED) == kept.strip("\n")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("*  [a](b.md)\n*  c", "- [a](\0https://example.org/b.md\0)\n- c"),
        ("A [b][c].\n\n[c]: d.md 'e'", 'A [b](\0https://example.org/d.md\0 "e").'),
        ("A [b][c].\n\n[c]: https://example.com", "A [b](https://example.com)."),
        ("{#x}\n## A", "## A"),
        ("## A {#x}", "## A"),
        ("> [!TIP]\n> A", ":::{tip}\nA\n:::"),
        (":::{tab-set}\n:::{tab-item} A\nB\n:::\n:::", "::::{tab-set}\n:::{tab-item} A\nB\n:::\n::::"),
        ("A {eval}`b.c`\nd", "A <b.c>\nd"),
        ("`` {eval}`b.c` ``", "`` {eval}`b.c` ``"),
        ("A^[{eval}`b.c`]", "A^[<b.c>]"),
        ("A[^1]\n\n[^1]: {eval}`b.c`", "A[^1]\n\n[^1]: <b.c>"),
        ("<!-- diglot-ignore: a -->\nA", "A"),
        ('<img src="a.png">', '<img src="\0https://example.org/a.png\0">'),
    ],
)
def test_only_what_has_to_be_is_written_anew(text: str, written: str) -> None:
    assert markdown_of_tree(parse(text), text.split("\n"), FILLED) == written


def test_addresses_on_the_site_are_pieces_of_their_own() -> None:
    assert pieces_of_markdown(f"a {on_site('https://example.org/')} b") == (
        "a ",
        "https://example.org/",
        " b",
    )
