"""Articles as Markdown for programs: the author's text with everything filled in, and `llms.txt`."""

import re
from pathlib import Path

import pytest
import yaml

from diglot.cli.main import main
from diglot.use.site_exports import GENERATORS
from tests.site.test_structured_data import TABLE
from tests.space import CHIPS, Space, ran, told

TEXT = """\
The ridge is {eval}`chips.h200.ridge | number(1)`, see {ref}`fig-bars` and [more](../other/en.md "Title").

See @fig-bars, {numref}`bars in %s here <fig-bars>`, {ref}`its bars <fig-bars>` and [](#parts).

> ```{include} _part.md
> ```

## Parts {#parts}

<!-- diglot-ignore: heading-level -->
Code like `{eval}` and ``a `b` c`` stays, $x_{i}$ too.[^1] ![A chip](chip.svg) <img src='chip.svg' alt='It'>

```python
print("{eval}`chips.h200.ridge`")
```

```{figure} bars
Two **bars** of $x$.
```

- A list with {control}`n`.

```{table} bars
The numbers.
```

```{figure-script} other_bars
def compute():
    return {}
```

[^1]: A [note](#parts).
"""

CITED = "Takes {cite-number}`3 ms|1` or {cite-number}`4 ms|https://a.org`."


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("twins"))
    made.change("site/site.yaml", "tags:\n", "markdown: true\ntags:\n")
    made.write("figures/bars.py", TABLE)
    made.write("figures/chips.py", CHIPS)
    made.write("content/posts/main/_part.md", "At {eval}`chips.h200.ridge | number(1)` in @fig-bars.\n")
    made.write("content/posts/main/chip.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    english = TEXT.replace("- A list with {control}`n`.\n\n", f"- {CITED}\n\n")
    made.post("main", en=english, zh=None, only="en", updated="2026-11-03", tags="[roofline]")
    tip = ":::{tip}\nWords.\n:::\n\n| Ridge |\n| --- |\n| {eval}`chips.h200.ridge \\| number(1)` |"
    made.write("content/posts/other/_more.md", "```{figure} bars\nMore.\n```\n\nSee @fig-bars.\n")
    tip += "\n\n```{include} _more.md\n```"
    made.post("other", zh=f"别的。\n\n{tip}", en=f"Other.\n\n{tip}")
    for language in ("zh", "en"):
        made.write(f"content/pages/about/{language}.md", "---\ntitle: About\n---\n\nUs.\n")
    result = made.build()
    assert told(result) == ""
    return made


def test_a_twin_is_the_text_with_everything_filled_in(space: Space) -> None:
    text = (space.root / "public/en/posts/main/index.md").read_text("utf-8")
    picture = next(path for path in space.outputs() if "chip" in path and path.endswith(".svg"))
    assert (
        text
        == f"""\
# Article main

- <https://example.org/en/posts/main/>
- 2026-11-01 · updated 2026-11-03

The ridge is 206.0, see Figure 1 and [more](https://example.org/en/posts/other/ "Title").

See Figure 1, bars in Figure 1 here, [its bars](https://example.org/en/posts/main/#fig-bars) and “Parts”.

> At 206.0 in Figure 1.

## Parts

Code like `{{eval}}` and ``a `b` c`` stays, $x_{{i}}$ too.[^1] ![A chip](https://example.org/{picture}) <img src="https://example.org/{picture}" alt='It'>

```python
print("{{eval}}`chips.h200.ridge`")
```

**Figure 1** Two bars of x.

![Two bars, the taller is 5.](https://example.org/figures/bars/bars.en.png)

| Value |
| ---: |
| 3 |
| 5 |

- Takes 3 ms[^1] or [4 ms](https://a.org).

**Table 1** The numbers.

| Value |
| ---: |
| 3 |
| 5 |

[^1]: A [note](https://example.org/en/posts/main/#parts).
"""  # noqa: E501  (a paragraph is one line)
    )


def test_what_an_included_file_shows_is_filled_in(space: Space) -> None:
    twin = (space.root / "public/en/posts/other/index.md").read_text("utf-8")
    assert ":::{tip}\nWords.\n:::\n\n| Ridge |\n| --- |\n| 206.0 |\n\n**Figure 1** More.\n" in twin
    assert twin.endswith("\n\nSee Figure 1.\n")


def test_pages_and_halves_name_their_twins(space: Space) -> None:
    link = '<link rel="alternate" type="text/markdown" href="/{}/index.md">'
    assert link.format("zh/posts/other") in space.page("zh/posts/other")
    assert "text/markdown" not in space.page("zh/posts/other/both")
    assert "text/markdown" not in space.page("en")
    twin = (space.root / "public/zh/posts/other/index.md").read_text("utf-8")
    assert "- [English](https://example.org/en/posts/other/index.md)\n" in twin


def test_a_list_names_every_article(space: Space) -> None:
    assert (
        (space.root / "public/llms.txt").read_text("utf-8")
        == """\
# 试验站 · Test site

## 中文

- [文章other](https://example.org/zh/posts/other/index.md): 别的。
- [About](https://example.org/zh/about/index.md): Us.

## English

- [Article main](https://example.org/en/posts/main/index.md)
- [Article other](https://example.org/en/posts/other/index.md): Other.
- [About](https://example.org/en/about/index.md): Us.
"""
    )


def test_an_edit_makes_one_twin_again(space: Space) -> None:
    space.change("content/posts/main/en.md", "- Takes", "- It takes")
    kinds = ("markdown-twin", "llms")
    assert [one for one in ran(space.build()) if one.split()[0] in kinds] == ["markdown-twin main:en"]


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_site_is_exported_with_all_that_can_be(generator: str, space: Space, tmp_path: Path) -> None:
    folder = tmp_path / "left"
    words = ("-C", str(space.root), "-q", "export", "site", "--to", generator, "-o", str(folder))
    assert main(words) == 0
    assert main(words) == 2, "a folder with files is left alone"
    texts = {path: path.read_text("utf-8") for path in folder.rglob("*.md") if path.name != "EXPORT.md"}
    articles = {path: yaml.safe_load(text.split("---\n")[1]) for path, text in texts.items()}
    assert sorted((one["title"], str(one.get("date"))) for one in articles.values()) == [
        ("About", "None"),
        ("About", "None"),
        ("Article main", "2026-11-01"),
        ("Article other", "2026-11-01"),
        ("文章other", "2026-11-01"),
    ]
    (main_path,) = (path for path, one in articles.items() if one["title"] == "Article main")
    assert articles[main_path]["tags"] == ["Roofline"]
    assert "The ridge is 206.0" in texts[main_path]
    assert sum("| 206.0 |" in text for text in texts.values()) == 2
    assert "https://example.org/" not in texts[main_path]
    targets = re.findall(r"\]\(([^)# ]+)", texts[main_path])
    assert len(set(targets)) == 5
    for target in targets:
        if "://" not in target:
            above = folder / ("content" if target.endswith("/") else "static")
            assert (above / target[1:] if target[0] == "/" else main_path.parent / target).exists(), target
    report = (folder / "EXPORT.md").read_text("utf-8")
    assert all(f"[{one['title']}]({path.relative_to(folder)})" in report for path, one in articles.items())
    assert ("`tip` in " in report) == (generator != "mystmd")
