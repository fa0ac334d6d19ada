"""Code cells and notebooks, as their authors write them."""

import json

from diglot.content.code_cells import read_cell
from diglot.content.document import parse_document
from diglot.content.mistakes import Mistakes
from diglot.content.notebooks import notebook_text

OPTIONS = {
    ":tags: [hide-input, remove-output]\nx = 1": {"folds_code", "no_output"},
    ":tags: hide-output": {"folds_output"},
    "---\ntags: [remove-cell]\nlabel: a\n---\n\nx = 1": {"nothing"},
    "---\ntags:\n  - hide-cell\n---\nx": {"folds_all"},
    "#| echo: false\n#| code-fold: true\nx": {"no_code", "folds_code"},
    "#| output: false\n#|tags: [raises-exception, of-papermill]\nx": {"no_output", "may_fail"},
    "#| include: false\n#| warning: false\nx": {"nothing"},
    "#| error: true\n#| eval: false\nx": {"may_fail", "not_run"},
    "#| echo: true\nx": set(),
    "x = {':a': 1}\n:tags: [hide-input]": set(),
    "": set(),
}


def test_options_of_myst_and_quarto() -> None:
    for written, asked in OPTIONS.items():
        mistakes = Mistakes("zh.md", written.split("\n"))
        cell, options = read_cell(written, " python", 1, mistakes)
        assert (options.asked, mistakes.errors, mistakes.warnings) == (asked, [], []), written
        code = [line for line in written.split("\n") if line.startswith("x")]
        assert not code or written.split("\n")[cell.line - 2] == code[0], written


SHOWN = {
    "```{code-cell} ipython3\nx = 1\n```": "<pre><code…>x</code></pre>|cell",
    "```{python}\n#| code-fold: true\n#| code-summary: Look\nx\n```": "<summary>Look</summary>|cell",
    "```{python}\n#| echo: false\nx\n```": "cell",
    "```{python}\n#| eval: false\nx\n```": "<pre><code…>x</code></pre>",
    "- a\n\n  ```{python}\n  x\n  ```": "<ul>|<pre>|cell",
}


def test_cells_are_written_as_code_with_a_place_for_what_they_show() -> None:
    for text, expected in SHOWN.items():
        document = parse_document(text, "content/posts/a/en.md", "en")
        parts = [part for block in document.blocks for part in block.parts]
        places = [part for part in parts if not isinstance(part, str)]
        html = "".join(part for part in parts if isinstance(part, str))
        assert ("<pre>" in html) == ("echo" not in text), text
        assert ("<summary>Look</summary>" in html) == ("Look" in text)
        assert [one.kind for one in places] == (["cell"] if "cell" in expected else []), text
        assert all(one.figures == ("cells?of=content%2Fposts%2Fa%2Fen.md",) for one in places)
        assert not document.warnings


def test_a_notebook_keeps_its_lines() -> None:
    cells = [
        {"cell_type": "raw", "metadata": {}, "source": ["---\n", "title: A\n", "---\n"]},
        {"cell_type": "markdown", "metadata": {}, "source": ["## B\n", "\n", "Text `a`."]},
        {
            "cell_type": "code",
            "metadata": {"tags": ["hide-input"]},
            "outputs": [{"output_type": "stream", "text": ["x = 1"]}],
            "source": ["x = 1\n", 'y = "```"'],
        },
        {"cell_type": "markdown", "metadata": {}, "source": ["Twice."]},
        {"cell_type": "markdown", "metadata": {}, "source": ["Twice."]},
        {"cell_type": "raw", "metadata": {}, "source": ["left out"]},
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": []},
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    source = json.dumps(notebook, indent=1)
    text, (left_out,) = notebook_text(source, "en.ipynb")
    written, found = source.split("\n"), text.split("\n")
    assert found[0] == "---"
    assert left_out.rule == "notebook-cell"
    for line in ("title: A", "## B", "Text `a`.", "x = 1", 'y = "```"'):
        assert json.dumps(line)[1:-1] in written[found.index(line)]
    assert '````{code-cell} python\n:tags: ["hide-input"]\nx = 1\ny = "```"\n````\n' in text
    assert found.count("Twice.") == 2
    short, _ = notebook_text(json.dumps(notebook), "en.ipynb")
    assert [line for line in short.split("\n") if line] == [line for line in found if line]
