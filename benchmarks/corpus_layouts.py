"""Writes the same posts as a site of diglot, Hugo or Pelican."""

import json
import random
import shutil
from collections.abc import Iterable
from pathlib import Path

from corpus_pairs import PICTURES, Pair
from corpus_words import CATEGORIES, TAGS

THEMES = Path(__file__).with_name("themes")
"""Settings and a small theme for each peer."""

_STYLE = """\
body { max-width: 44rem; margin: 2rem auto; font: 1rem/1.6 sans-serif }
pre { overflow: auto; padding: 1rem; background: #f4f4f2 }
td, th { padding: .2rem .6rem; border: 1px solid #ccc }
"""


def write_diglot(pairs: Iterable[Pair], root: Path, *, figures: int = 0) -> None:
    """Write a diglot project. Each figure is in one post; with more figures than posts, some get several."""
    labels = "".join(
        f"{key}:\n" + "".join(f"  {one.en}: {{zh: {one.zh}, en: {one.en}}}\n" for one in words)
        for key, words in (("tags", TAGS), ("categories", CATEGORIES))
    )
    _write(
        root / "site/site.yaml",
        f"title: {{zh: 语料, en: Corpus}}\nbase_url: https://example.org/\nfeed_entries: 20\n{labels}",
    )
    _write_pictures(root / "site/static/img")
    for number in range(figures):
        _write(root / f"figures/{_figure_id(number)}.py", _figure_script(number))
    slugs = []
    for pair in pairs:
        _write_halves(pair, root / "content/posts")
        slugs.append(pair.slug)
    for number in range(figures):
        slug = slugs[number * max(1, len(slugs) // figures) % len(slugs)]
        for language, caption in (("zh", "从种子算出的一列数。"), ("en", "A row of numbers from a seed.")):
            with (root / f"content/posts/{slug}.{language}.md").open("a", encoding="utf-8") as half:
                half.write(f"\n```{{figure}} {_figure_id(number)}\n{caption}\n```\n")


def write_hugo(pairs: Iterable[Pair], root: Path) -> None:
    """Write a Hugo site with a small theme."""
    shutil.copytree(THEMES / "hugo", root, dirs_exist_ok=True)
    _write(root / "static/style.css", _STYLE)
    _write_pictures(root / "static/img")
    for pair in pairs:
        _write_halves(pair, root / "content/posts")


def write_pelican(pairs: Iterable[Pair], root: Path) -> None:
    """Write a Pelican site with a small theme."""
    shutil.copytree(THEMES / "pelican", root, dirs_exist_ok=True)
    _write(root / "content/extra/style.css", _STYLE)
    _write_pictures(root / "content/img")
    for pair in pairs:
        for side, language in enumerate(("zh", "en")):
            _write(
                root / f"content/posts/{pair.slug}.{language}.md",
                f"Title: {pair.subject.title[side]}\nDate: {pair.date}\nLang: {language}\nSlug: {pair.slug}\n"
                f"Category: {pair.subject.category}\nTags: {', '.join(pair.subject.tags)}\n"
                f"Summary: {pair.description[side]}\n\n[TOC]\n\n{pair.body[side]}",
            )


def _write_halves(pair: Pair, folder: Path) -> None:
    """Write both files of a post in the layout that diglot and Hugo share."""
    for side, language in enumerate(("zh", "en")):
        _write(
            folder / f"{pair.slug}.{language}.md",
            f"---\ntitle: {json.dumps(pair.subject.title[side], ensure_ascii=False)}\ndate: {pair.date}\n"
            f"description: {json.dumps(pair.description[side], ensure_ascii=False)}\n"
            f"tags: [{', '.join(pair.subject.tags)}]\ncategories: [{pair.subject.category}]\n---\n\n"
            f"{pair.body[side]}",
        )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _write_pictures(folder: Path) -> None:
    for number in range(1, PICTURES + 1):
        choose = random.Random(f"picture {number}")
        points = " ".join(f"{8 * x},{choose.randint(10, 190)}" for x in range(50))
        _write(
            folder / f"machine-{number}.svg",
            '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200" viewBox="0 0 400 200">'
            f'<polyline points="{points}" fill="none" stroke="#357"/></svg>\n',
        )


def _figure_id(number: int) -> str:
    return f"chart_{number + 1:02d}"


def _figure_script(number: int) -> str:
    return f'''\
"""A row of bars, computed from a seed."""

import random

TITLE = {{"zh": "第{number + 1}列数", "en": "Row {number + 1} of numbers"}}


def compute():
    choose = random.Random({number})
    return {{"heights": [choose.randint(1, 100) for _ in range(12)]}}


def draw(figure, data, t):
    figure.set_height_px(240)
    axes = figure.axes_px(50, 20, figure.width_px - 70, 170)
    axes.bar(range(len(data["heights"])), data["heights"])
    axes.set_xlabel(t(zh="次序", en="place"))


def describe(data, t):
    top = max(data["heights"])
    return t(zh=f"十二根柱，最高的是{{top}}。", en=f"Twelve bars, the tallest is {{top}}.")
'''
