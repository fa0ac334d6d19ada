"""Measure a document's way to HTML, and what the libraries on that way take by themselves.

    python benchmarks/parsers.py              # 100 pairs, five rounds
    python benchmarks/parsers.py -n 20 --rounds 9

The cases of a round run one after another in one process. The output is the median processor time over the
rounds per document (half of a pair, 6 to 8 KB). Highlighted code is not cached from one case to the next. If
`markdown-it-pyrs` is installed, this compiled parser is measured too.
"""

import argparse
import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

from corpus import write_corpus
from jinja2 import Template
from markdown_it import MarkdownIt
from measuring import print_table
from msgspec import msgpack
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from diglot.content.document import parse_document
from diglot.content.formulas import formula_html
from diglot.content.front_matter import parse_front_matter, split_front_matter
from diglot.content.highlighting import highlighted
from diglot.content.pairs import compare_halves, pair_documents
from diglot.content.parser import markdown_parser, plain_parser
from diglot.content.records import Document
from diglot.languages import LANGUAGES, Language
from diglot.project import load_project
from diglot.render.article import Mode, article_page
from diglot.render.materials import Article, Half, ImageFile
from diglot.render.strings import parse_strings
from diglot.render.templates import Templates, TemplateSource
from diglot.render.theme import Theme, built_in_theme
from diglot.site_map import article_path

PAGE = "<!doctype html><html><head><title>{{ title }}</title></head><body>{{ content }}</body></html>"
MODES: tuple[Mode, Mode] = ("single", "both")


class Corpus:
    """Halves of generated posts, by language, with what is needed to make their pages."""

    def __init__(self, root: Path, pairs: int) -> None:
        write_corpus(root, pairs)
        self.root = root
        self.project = load_project((root / "site/site.yaml").read_text("utf-8"), "site/site.yaml")
        self.theme = theme()
        paths = sorted((root / "content/posts").glob("*.zh.md"))
        self.texts: dict[Language, list[tuple[str, str]]] = {
            language: [
                (path.name, path.with_name(path.name.replace(".zh.", f".{language}.")).read_text("utf-8"))
                for path in paths
            ]
            for language in LANGUAGES
        }
        self.bodies = [
            split_front_matter(text, name).body for name, text in self.texts["zh"] + self.texts["en"]
        ]

    def pages(self) -> Iterator[str]:
        """All pages of all pairs, made from their texts as a build makes them."""
        for (zh_name, zh_text), (en_name, en_text) in zip(self.texts["zh"], self.texts["en"], strict=True):
            documents: dict[Language, Document] = {
                "zh": parse_document(zh_text, zh_name, "zh"),
                "en": parse_document(en_text, en_name, "en"),
            }
            alignment = pair_documents(documents["zh"], documents["en"])
            compare_halves(documents["zh"], documents["en"], alignment)
            fronts = {
                "zh": parse_front_matter(zh_text, zh_name, "zh", None),
                "en": parse_front_matter(en_text, en_name, "en", None),
            }
            article = Article(
                paths={one: article_path(one, zh_name.partition(".")[0]) for one in LANGUAGES},
                halves={one: half(fronts[one], document) for one, document in documents.items()},
                alignment=alignment,
            )
            for language, mode in product(LANGUAGES, MODES):
                yield article_page(self.theme, self.project, article, language, mode)


def half(front: Any, document: Document) -> Half:
    """A half whose links lead to their targets unchanged."""
    return Half(
        front_matter=front,
        document=document,
        links={
            placeholder.target: placeholder.target
            for placeholder in document.links
            if placeholder.kind == "link"
        },
        images={
            placeholder.target: ImageFile(path=placeholder.target)
            for placeholder in document.links
            if placeholder.kind == "image"
        },
    )


def theme() -> Theme:
    """The built-in theme."""
    folder = built_in_theme()
    sources = {
        path.name: TemplateSource(path=path.name, text=path.read_text("utf-8"))
        for path in folder.glob("*.html")
    }
    strings = {
        language: parse_strings((folder / f"strings/{language}.yaml").read_text("utf-8"), "", language)
        for language in LANGUAGES
    }
    files = [path.relative_to(folder / "static").as_posix() for path in (folder / "static").rglob("*.*")]
    return Theme(
        templates=Templates(sources), strings=strings, assets={name: f"static/{name}" for name in files}
    )


def cases(corpus: Corpus) -> Iterator[tuple[str, Callable[[], object]]]:
    """The cases: a name, and a function that processes all documents."""
    bodies, texts = corpus.bodies, corpus.texts
    plain = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    ours, library = markdown_parser(), plain_parser()
    yield "markdown-it-py, CommonMark and tables: tokens", lambda: [plain.parse(body) for body in bodies]
    yield "markdown-it-py, diglot's rules: tokens", lambda: [library.parse(body, {}) for body in bodies]
    yield "diglot: tokens, cells of tables not yet parsed", lambda: [ours.parse(body, {}) for body in bodies]
    if find_spec("markdown_it_pyrs"):
        compiled = import_module("markdown_it_pyrs").MarkdownIt("commonmark")
        compiled.enable("table").enable("strikethrough").enable("tasklist").enable("deflist").enable(
            "footnote"
        )
        yield "markdown-it-pyrs: HTML, nothing of it seen", lambda: [compiled.render(body) for body in bodies]
        yield (
            "markdown-it-pyrs: a tree, every node seen",
            lambda: [seen(compiled.tree(body)) for body in bodies],
        )
    yield (
        "diglot: a document, encoded",
        lambda: [
            msgpack.encode(parse_document(text, name, language))
            for language in LANGUAGES
            for name, text in texts[language]
        ],
    )
    yield "diglot: pages, from texts to bytes", lambda: [page.encode() for page in corpus.pages()]
    yield "bare: markdown-it-py, Pygments, jinja2, a file", bare(corpus)


def seen(node: Any) -> int:
    """Read of each node what a tree walk would need, and count the nodes."""
    count = 1
    for child in node.children:
        count += seen(child)
    return count if node.name and node.attrs is not None and node.meta is not None else 0


def bare(corpus: Corpus) -> Callable[[], object]:
    """The same libraries with nothing around them: one page per document, no pairs, formulas unchanged."""
    formatter, template = HtmlFormatter(nowrap=True), Template(PAGE)
    lexers: dict[str, Any] = {}

    def highlight_code(code: str, language: str, _attributes: str) -> str:
        if language not in lexers:
            lexers[language] = get_lexer_by_name(language or "text", stripnl=False)
        text: str = highlight(code, lexers[language], formatter)
        return text

    md = MarkdownIt("commonmark", {"highlight": highlight_code}).enable(["table", "strikethrough"])
    page = corpus.root / "page.html"

    def build() -> None:
        for body in corpus.bodies:
            page.write_text(template.render(title="title", content=md.render(body)), "utf-8")

    return build


def main() -> int:
    """Run the measurements that the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-n", type=int, default=100, help="pairs of posts")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(Path(folder) / "site", arguments.n)
        measured = dict(cases(corpus))
        taken: dict[str, list[float]] = {name: [] for name in measured}
        for turn in range(-1, arguments.rounds):  # round -1 loads everything
            for name, work in measured.items():
                highlighted.cache_clear()
                formula_html.cache_clear()
                gc.collect()
                since_s = time.process_time()
                work()
                if turn >= 0:
                    taken[name].append((time.process_time() - since_s) / len(corpus.bodies))
        rows = ((name, f"{statistics.median(seconds) * 1000:.2f}") for name, seconds in taken.items())
        print_table(("case", "ms a document"), rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
