"""Code cells in whole builds: what they show, what they depend on, how they fail."""

import json
from pathlib import Path

from tests.space import SITE_YAML, Space, errors, outputs, ran, told

CELLS = """
    The area is {eval}`cells.area | number(1)` of {eval}`cells.name`.

    ```{code-cell} python
    import matplotlib.pyplot as plt
    from _sides import side
    area = 3 * side()  # %s
    name = t(zh="方", en="square")
    print("side", area / 3)
    area
    ```

    ```{python}
    #| label: drawn
    #| code-fold: true
    plt.plot([1, 2], [3, area])
    plt.title(t(zh="面积", en="Area"))
    plt.show()
    ```
"""
SIDES = 'def side():\n    return float(open("data/side.txt").read())\n'


def with_cells(space: Space) -> None:
    space.write("data/side.txt", "2.5")
    space.write("figures/_sides.py", SIDES)
    space.post("a", zh=CELLS % "注释", en=CELLS % "comment")


def test_cells_show_values_text_and_pictures_and_run_again_for_what_they_read(
    space: Space, tmp_path: Path
) -> None:
    with_cells(space)
    assert told(space.build()) == ""
    page, both = space.page("en/posts/a"), space.page("zh/posts/a/both")
    assert (
        'data-value="cells.area | number(1)">7.5</span> of <span data-value="cells.name">square</span>'
        in page
    )
    assert '<pre class="out"><samp>side 2.5</samp></pre><pre class="out"><samp>7.5</samp></pre>' in page
    assert 'id="drawn"' in page
    assert "<details><summary>Code</summary><pre>" in page
    assert ">Area</text>" in page
    assert "var(--fig-" in page
    assert "面积</text>" in both
    assert both.count('-title">') == len({*both.split('-title">')[:-1]})
    values = json.loads((space.root / "public/en/posts/a/values.json").read_bytes())
    assert "7.5" in json.dumps(values)
    assert not ran(space.build())
    space.change("content/posts/a/zh.md", "The area", "下面的面积：The area")
    assert not {one for one in ran(space.build()) if one.startswith(("cell", "data"))}
    space.write("data/side.txt", "3.5")
    assert told(space.build()) == ""
    assert "side 3.5" in space.page("en/posts/a")
    space.write("figures/_sides.py", SIDES.replace("float", "2 * float"))
    assert told(space.build()) == ""
    assert "side 7.0" in space.page("en/posts/a")
    clean = Space(tmp_path / "clean").copied_from(space)
    clean.remove("public")
    clean.remove(".diglot")
    clean.build()
    assert outputs(clean.root / "public") == outputs(space.root / "public")


FAILING = {
    "1 / 0": (1, "ZeroDivisionError"),
    "x = (": (1, "SyntaxError: '(' was never closed"),
    "!pip install x": (1, "is a command of Jupyter"),
    "import sys\nsys.exit(3)": (2, "a code cell called sys.exit(3)"),
    "input('?')": (1, "EOFError"),
    "while True:\n    print('x' * 99)": (2, "prints more than 200,000 bytes"),
    "import time\ntime.sleep(99)": (1, "a code cell did not finish within 6 s"),
    "import os\nos._exit(3)": (1, "the process ended during a code cell with status 3"),
    "'x' * 10_000_000": (1, "this output has 10,000,002 characters"),
    "def f():\n    return {}['key']\n\nf()": (2, "KeyError: 'key'"),
}


def test_a_mistake_in_a_cell_is_an_error_at_its_line_of_the_article(space: Space) -> None:
    space.write("site/site.yaml", f"{SITE_YAML}figure_timeout_s: 6\n")
    before = "```{code-cell}\nx = 1\n```\n\n文字\n\n```{code-cell}\n:label: b\n\n"
    first = 16
    for number, code in enumerate(FAILING):
        space.post(f"a{number}", zh=f"{before}{code}\n```", en=None, only="zh")
    found = {one.location.path: one for one in errors(space.build()) if one.location is not None}
    for number, (code, (line, message)) in enumerate(FAILING.items()):
        mistake = found[f"content/posts/a{number}/zh.md"]
        assert (mistake.rule, message in mistake.message) == ("cell-failed", True), mistake
        if "_exit" not in code and "sleep" not in code:  # nothing says where it was
            assert mistake.location is not None
            assert mistake.location.line == first - 1 + line, mistake
            assert (mistake.source_line or "").strip() == code.split("\n")[line - 1].strip()


DIFFERENT = {
    "x = 1": ("x = 2", 7, 'this line is "x = 1" in the code cell at'),
    "x = 1\ny = 2": ("x = 1", 7, 'has another line after this one: "y = 2"'),
    "x = 1 # 一": ("x = 1\ny = 2", 8, "this line is not in"),
}


def test_halves_that_hold_other_code_are_an_error_at_its_line(space: Space) -> None:
    for number, (zh, (en, _, _)) in enumerate(DIFFERENT.items()):
        space.post(f"a{number}", zh=f"```{{python}}\n{zh}\n```", en=f"```{{python}}\n{en}\n```")
    space.post("b", zh="```{python}\nx = 1\n```\n\n字", en="Words")
    found = {one.location.path: one for one in errors(space.build()) if one.location is not None}
    for number, (_, line, message) in enumerate(DIFFERENT.values()):
        mistake = found[f"content/posts/a{number}/en.md"]
        assert mistake.location is not None
        assert (mistake.rule, mistake.location.line) == ("cells-differ", line), mistake
        assert message in mistake.message
    assert found["content/posts/b/zh.md"].message == "content/posts/b/en.md lacks this code cell"


def notebook(*cells: tuple[str, str], outputs: tuple[dict[str, object], ...] = ()) -> str:
    """A notebook as Jupyter writes it; all code cells have the same output."""
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": kind,
                    "metadata": {},
                    **({"execution_count": None, "outputs": outputs} if kind == "code" else {}),
                    "source": text.splitlines(keepends=True),
                }
                for kind, text in cells
            ],
            "metadata": {"language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        indent=1,
        ensure_ascii=False,
    )


STORED = (
    {"output_type": "stream", "name": "stdout", "text": ["once\n"]},
    {"output_type": "display_data", "data": {"image/png": "aGVsbG8=\n", "text/plain": "<Figure>"}},
    {"output_type": "execute_result", "data": {"text/html": "<b onclick='x()'>bold</b>", "text/plain": "b"}},
)


def test_notebooks_are_halves_whose_code_runs_or_shows_what_is_stored(space: Space) -> None:
    space.write("content/posts/a/meta.yaml", "date: 2026-11-01\n")
    for language, title in (("zh", "标题"), ("en", "Title")):
        cells = (("markdown", f"# {title}\n\n*{title}* {{eval}}`cells.x`."), ("code", "x = 41 + 1\nx"))
        space.write(f"content/posts/a/{language}.ipynb", notebook(*cells, outputs=STORED))
    space.write("content/posts/a/_analysis.ipynb", "not read")
    assert told(space.build()) == ""
    page = space.page("en/posts/a")
    assert "<em>Title</em> " in page
    assert '<pre class="out"><samp>42</samp></pre>' in page
    assert "once" not in page
    for language in ("zh", "en"):
        space.change(f"content/posts/a/{language}.ipynb", "{eval}`cells.x`", "x")
    space.write("site/site.yaml", f"{SITE_YAML}html: safe\n")
    space.write("content/posts/a/meta.yaml", "date: 2026-11-01\nexecute: never\n")
    (warning,) = space.build().diagnostics
    assert warning.rule == "html-unsafe"
    page = space.page("en/posts/a")
    assert "the code was not run again" in page
    assert "<samp>once</samp>" in page
    assert 'src="data:image/png;base64,aGVsbG8="' in page
    assert "<b>bold</b>" in page
    assert "42</samp>" not in page
    space.write("content/posts/a/meta.yaml", "date: 2026-11-01\n")
    for language in ("zh", "en"):
        space.change(f"content/posts/a/{language}.ipynb", "41 + 1", "41 / 0")
    (mistake,) = errors(space.build())
    lines = (space.root / "content/posts/a/zh.ipynb").read_text().split("\n")
    assert mistake.location is not None
    assert "41 / 0" in lines[(mistake.location.line or 0) - 1]


def test_a_build_that_was_interrupted_or_repeated_gives_the_same_pages(space: Space, tmp_path: Path) -> None:
    code = """
    ```{python}
    import threading, uuid, numpy as np
    class Model: pass
    lock, model, big = threading.Lock(), Model(), "x" * 10_000_000
    threads = [threading.Thread(target=print, args=(n,)) for n in range(3)]
    for thread in threads: thread.start(); thread.join()
    print(model, uuid.uuid4(), np.random.default_rng().random())
    value = {"a": [1, np.float32(2.5)]}
    ```

    {eval}`cells.value.a[1]`
    """
    space.post("a", zh=code, en=code)
    assert told(space.build()) == ""
    first = outputs(space.root / "public")
    page = space.page("en/posts/a")
    assert "0\n1\n2\n&lt;__main__.Model object&gt;" in page
    assert ">2.5</span>" in page
    again = Space(tmp_path / "again")
    again.post("a", zh=code, en=code)
    with again.site() as site:
        site.workers.figures().close()  # the calls of a build that ends early fail
        assert site.build().published is None
    assert told(again.build()) == ""
    assert outputs(again.root / "public") == first
    again.change("content/posts/a/zh.md", "cells.value.a[1]", "cells.model")
    (mistake,) = errors(again.build())
    assert "model" in mistake.message


def test_a_caption_makes_what_a_cell_shows_a_numbered_figure(space: Space) -> None:
    options = "#| label: fig-drawn\n#| fig-cap: %s\n"
    cell = f"```{{python}}\n{options}import matplotlib.pyplot as plt\nplt.plot([1, 2])\n```"
    axes = "plt.xlabel(t(zh='批', en='Batch'))\n"
    texts = {"zh": "见@fig-drawn。\n\n" + cell % "一条*线*", "en": "See @fig-drawn.\n\n" + cell % "A *line*"}
    space.post("b", **{one: text.replace("plt.plot", f"{axes}plt.plot") for one, text in texts.items()})
    assert not errors(space.build())
    page = (space.root / "public/en/posts/b/index.html").read_text("utf-8")
    assert 'See <a class="ref" href="#fig-drawn">Figure 1</a>' in page
    assert "<figcaption><b>Figure 1</b>A <em>line</em></figcaption>" in page


def test_what_jupyter_measures_runs_as_it_is(space: Space) -> None:
    cell = "```{code-cell} python\n%%time\n%time n = 2\nn + 40\n```"
    space.post("a", zh=cell, en=cell)
    assert told(space.build()) == ""
    assert "<samp>42</samp>" in space.page("en/posts/a")
