"""Plain text that is written from the tree: descriptions of articles."""

from diglot.content.document import read_parsed
from diglot.content.tree.text import characters_of_formulas

DESCRIPTIONS = {
    'The <abbr title="time > 5 GB, roughly">ratio</abbr> is high.': "The ratio is high.",
    "A <b>bold</b> word,\nin **two** lines.": "A bold word, in two lines.",
    "Of a < b,\\\nand `<b>`.": "Of a < b, and <b>.",
    'A picture ![of a chip](a.png "title > 5") is left out.': "A picture  is left out.",
    "A note.[^1]\n\n[^1]: Below.": "A note.",
    "Bytes $B_1/2$ <!-- a > b -->here.": "Bytes B_1/2 here.",
    'An <img alt="a > b" src="a.png"> and <script>a > b</script>.': "An  and .",
    "{assert}`a.b > 0`\n\nThe first that readers see.": "The first that readers see.",
}


def test_a_description_is_what_readers_see_of_the_first_paragraph() -> None:
    found = {
        markdown: "".join(map(str, read_parsed(f"\n{markdown}", "en.md", "en")[0].document.first_text))
        for markdown in DESCRIPTIONS
    }
    assert found == DESCRIPTIONS


def test_the_characters_of_all_formulas_are_known() -> None:
    text = (
        "\n*$a$*[^n]\n\n| $b$ |\n|---|\n| c |\n\n[^n]: $$\\sqrt{d<e}$$\n\n<p><math><mi>f</mi></math> g</p>\n"
    )
    parsed, _ = read_parsed(text, "en.md", "en")
    assert characters_of_formulas(parsed.tree) == set("abde<f√")


TEXTS = {
    "- $$\n  x = 1\n  $$\n  text": "x = 1\ntext",
    '<div markdown="1">\n<p markdown="1">*a* b</p>\nc\n</div>': "a b\nc",
    "A\\\nb `c d`\ne": "A b c d e",
    "| a | b |\n|---|---|\n| $c$ | |": "a\nb\nc",
    '```python title="d.py"\n e\n\nf\n```': "d.py\ne\nf",
    ":::{note} A *title*\ng\n:::": "A title\ng",
}


def test_the_text_of_a_block_has_each_block_in_it_on_lines_of_its_own() -> None:
    found = {
        markdown: read_parsed(f"\n{markdown}\n", "en.md", "en")[0].document.blocks[0].text
        for markdown in TEXTS
    }
    assert found == TEXTS
