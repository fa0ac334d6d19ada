"""What a talk holds, and that its page, its file, its PDF and its PowerPoint file all show it."""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from html import unescape
from pathlib import Path

import pytest
from pptx import Presentation

from diglot.check.chromium import find_chromium
from diglot.cli import main
from diglot.search.texts import search_text
from tests.slides.making import png
from tests.space import SITE_YAML, Space

BARS = '''\
"""Two bars."""

from typing import Literal

TITLE = {"zh": "两根柱", "en": "Two bars"}


def compute(scale: Literal["one", "two"] = "one"):
    return {"top": 5 if scale == "one" else 10}


def draw(figure, data, t):
    figure.set_height_px(120)
    figure.text(0.3, 0.1, t(zh="甲", en="A"))


def describe(data, t):
    return t(zh="柱的高是五。", en="The bar is five high.")
'''
EN = """
:::{notes}
Welcome them all, at {eval}`bars.top`.
:::

## Quoted

> Measure twice.

It is {eval}`bars.top` high.[^a] See [elsewhere](https://example.org/elsewhere).

[^a]: Measured on a Tuesday.

:::{notes}
Pause here.
:::

## Listed

| Chip | Rate |
| --- | ---: |
| one | 17 |

```python
print("code here")
```

$$
R = \\frac{P}{\\beta}
$$

## Drawn

```{figure} bars
:explore: scale

A caption below.
```

***

![A photograph of it](chip.png)
"""
BLOCKS = """
:::{tip} Title of a box
Words in a box.
:::

::::{tab-set}
:::{tab-item} Name of a tab
Words in a tab.
:::
:::{tab-item} Other
Words in another.
:::
::::

:::{card} Title of a card
Words in a card.
:::

Cited [@jouppi2017, p. 3].

```{code-cell} python
print("Printed by a cell")
```

::: {#fig-two}
![Caption of a part](chip.png){#fig-part fig-alt="Alt of a part"}

![Alt of another](chip.png)

Caption of all parts
:::

| Cell |
| --- |
| one |

: Caption of a table {#tbl-cells}

:::{theorem} Title of a theorem
:name: thm-roof
Words of a theorem.
:::

```{include} _part.md
```

Term of a list
: Words of a definition
"""
DIAGRAM = """
```{dot}
:alt: Alt of a diagram
:caption: Caption of a diagram

digraph { labelled }
```
"""
BLOCKS += DIAGRAM if shutil.which("dot") is not None else ""
REFERRING = "@fig-part, @fig-two-b, @tbl-cells, {prf:ref}`thm-roof`."
EN_ONLY, ZH_ONLY = "Bars and rates", "柱与速率"
ZH = EN.replace("Welcome them all", "欢迎").replace("Pause here", "停一停")


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    return Space(tmp_path_factory.mktemp("everything"))


@pytest.fixture(scope="module")
def forms(space: Space) -> Mapping[str, str]:
    """Each form of the English talk as the text that it holds, with addresses and what is only said aloud."""
    space.write("site/site.yaml", SITE_YAML + "authors:\n  ada: {name: {zh: 艾达, en: Ada L.}}\n")
    space.write("figures/bars.py", BARS)
    space.change("site/site.yaml", "cards: none", "cards: none\nmarkdown: true")
    space.write("site/references.bib", "@misc{jouppi2017, author={Norman Jouppi}, title={TPU}, year=2017}\n")
    for folder in ("content/posts/bars", "content/talks/bars-talk"):
        space.write(f"{folder}/chip.png", png(""))
        space.write(f"{folder}/_part.md", "Words of an include.\n")
    space.post("bars", zh=f"见。\n{BLOCKS}\n{REFERRING}", en=f"See.\n{BLOCKS}\n{REFERRING}")
    for language, title, body in (("zh", ZH_ONLY, ZH), ("en", EN_ONLY, EN)):
        matter = (
            f"---\ntitle: {title} {{eval}}`bars.top`\ndescription: Words below.\ndate: 2026-11-01\n"
            "event: Systems seminar\nauthors: [ada]\narticle: bars\n---\n"
        )
        space.write(f"content/talks/bars-talk/{language}.md", matter + f"{body}\n## Of all kinds\n{BLOCKS}")
    space.write(
        "content/talks/film/en.md",
        "---\ntitle: A film\nonly: en\ndate: 2026-11-01\n---\n\n"
        "## It\n\n<video src='a.mp4'></video>\n\nBelow it.\n",
    )
    space.write("content/talks/film/a.mp4", b"film")
    root = ["-q", "-C", str(space.root)]
    assert main([*root, "build"]) == 0
    made = ["bars-talk", "--lang", "en", "-o", str(space.root / "out")]
    assert main([*root, "slides", "build", *made]) == 0
    folder = space.root / "public/en/talks/bars-talk"
    found = {
        "page": (folder / "index.html").read_text("utf-8"),
        "file": (folder / "bars-talk.en.html").read_text("utf-8"),
        "powerpoint": text_of_powerpoint(space.root / "out/bars-talk.en.pptx"),
    }
    if find_chromium() is not None and shutil.which("pdftotext") is not None:
        assert main([*root, "slides", "pdf", *made]) == 0
        found["pdf"] = text_of_pdf(space.root / "out/bars-talk.en.pdf")
    return found


def text_of_powerpoint(path: Path) -> str:
    """Texts, notes, alternative texts, addresses and the language of a file."""
    deck = Presentation(str(path))
    pieces = [f'lang="{deck.core_properties.language}"', deck.core_properties.author]
    for slide in deck.slides:
        shapes = [*slide.shapes, *(slide.notes_slide.shapes if slide.has_notes_slide else [])]
        for shape in shapes:
            pieces += re.findall(r'descr="([^"]*)"', shape._element.xml)
            pieces += ["".join(re.findall(r"<(?:a|m):t>([^<]*)</", one)) for one in paragraphs(shape)]
        pieces += [one.target_ref for one in slide.part.rels.values() if one.is_external]
    return "\n".join(pieces)


def paragraphs(shape) -> list[str]:
    return re.findall(r"<a:p>.*?</a:p>", shape._element.xml, re.DOTALL)


def text_of_pdf(path: Path) -> str:
    """Texts of the pages, addresses and the language of a file."""
    done = subprocess.run(["pdftotext", "-layout", str(path), "-"], check=True, capture_output=True)
    raw = path.read_bytes().decode("latin-1")
    return done.stdout.decode() + "\n".join(re.findall(r"/(?:URI|Lang|Alt) \(([^)]*)\)", raw))


ALL = frozenset(("page", "file", "pdf", "powerpoint"))
ON_SCREEN = ALL - {"pdf"}
HELD = {
    "title": ("Bars and rates 5", ALL),
    "subtitle": ("Words below.", ALL),
    "author": ("Ada L.", ALL),
    "date": ("1 November 2026", ALL),
    "event": ("Systems seminar", ALL),
    "the article that it is about": ("/en/posts/bars/", ALL),
    "notes of the first slide": ("Welcome them all, at 5.", ON_SCREEN),
    "notes": ("Pause here.", ON_SCREEN),
    "a quotation": ("Measure twice.", ALL),
    "a value": ("It is 5 high.", ALL),
    "a footnote": ("Measured on a Tuesday.", ALL),
    "a link": ("https://example.org/elsewhere", ALL),
    "a table": ("17", ALL),
    "code": ("code here", ALL),
    "a formula": ("R", ALL),
    "a caption": ("A caption below.", ALL),
    "what a figure shows, in words": ("The bar is five high.", ALL),
    "what a picture shows, in words": ("A photograph of it", ALL),
    "what values depend on": ("figures/bars.py", ALL),
    "its language": ("en", ALL),
    "numbers of slides": ("5", ALL),
    "states of a figure": ('data-parameter="scale"', frozenset(("page", "file"))),
    "the title in the other language": (ZH_ONLY, ALL),
    "slides in the other language": ("停一停", frozenset(("file",))),
}
"""What a talk holds, how that reads, and which of its forms have it. What others leave out is said in
the manual (`docs/manual/`, talks), and by the command that makes them."""


def test_all_forms_of_a_talk_hold_the_same(forms: Mapping[str, str]) -> None:
    plain = {name: plain_text(text) for name, text in forms.items()}
    wrong = {
        (what, name): text
        for what, (text, having) in HELD.items()
        for name in forms
        if (text in forms[name] or text in plain[name]) != (name in having)
    }
    assert not wrong


READ = frozenset(("article", "search", "feed", "twin", "page", "powerpoint"))
NUMBERED_IN = frozenset(("article", "search", "feed", "twin"))
BLOCKS_HELD = {
    "Title of a box": READ,
    "Words in a box.": READ,
    "Name of a tab": READ,
    "Words in another.": READ,
    "Title of a card": READ,
    "Words in a card.": READ,
    "p. 3]": NUMBERED_IN,
    "Jouppi, 2017, p. 3": frozenset(("page", "powerpoint")),
    "“TPU,”": NUMBERED_IN,
    "Printed by a cell": READ,
    "Alt of a diagram": READ,
    "Caption of a diagram": READ,
    "labelled": frozenset(("article", "twin", "page")),
    "Alt of a part": READ,
    "Caption of a part": READ,
    "Alt of another": READ,
    "Caption of all parts": READ,
    "Caption of a table": READ,
    "Title of a theorem": READ,
    "Words of a theorem.": READ,
    "Words of an include.": READ,
    "Words of a definition": READ,
    "Figure 1(a), Figure 1(b), Table 1, Theorem 1.": NUMBERED_IN,
}
"""Texts of blocks, and the forms of an article and of a talk that have them. Talks number nothing."""


def test_all_forms_of_an_article_hold_its_blocks(forms: Mapping[str, str], space: Space) -> None:
    public = space.root / "public/en"
    article = (public / "posts/bars/index.html").read_text("utf-8")
    entry = next(
        e for e in json.loads((public / "feed.json").read_text("utf-8"))["items"] if "bars" in e["id"]
    )
    texts = {
        "article": article,
        "search": search_text(article, "en"),
        "feed": entry["content_html"],
        "twin": (public / "posts/bars/index.md").read_text("utf-8"),
        "page": forms["page"],
        "powerpoint": forms["powerpoint"],
    }
    plain = {name: unescape(plain_text(text)) for name, text in texts.items()}
    found = {
        text: {name for name in texts if text in texts[name] or text in plain[name]} for text in BLOCKS_HELD
    }
    wrong = {
        text: found[text] ^ having
        for text, having in BLOCKS_HELD.items()
        if found[text] != having and (text not in DIAGRAM or text in BLOCKS)
    }
    assert not wrong


def plain_text(html: str) -> str:
    """A text without tags, with single spaces."""
    return " ".join(re.sub(r"<[^>]*>", "", html).replace("\N{NO-BREAK SPACE}", " ").split())


def test_what_a_file_cannot_show_is_said(
    forms: Mapping[str, str], space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    assert forms
    capsys.readouterr()
    root = ["-C", str(space.root), "slides", "build"]
    assert main([*root, "film", "--lang", "en", "-o", str(space.root / "out")]) == 0
    said = capsys.readouterr().err
    assert "content/talks/film/en.md:7: warning[slides-left-out]: <video> on slide 2 is left out" in said
    assert "Below it." in text_of_powerpoint(space.root / "out/film.en.pptx")
    assert main([*root, "bars-talk", "--lang", "en", "-o", str(space.root / "out")]) == 0
    assert "in their first state, without controls: bars" in capsys.readouterr().err
