"""The scripts of new figures."""

import re
from pathlib import Path
from typing import Literal, get_args

from diglot.diagnostics import Refusal, did_you_mean
from diglot.engine.globs import Folders
from diglot.figure_request import CELLS, WORDS_OF_EXPRESSIONS, is_figure_id
from diglot.rules.figures import SCRIPT_FILES, scripts_at
from diglot.rules.sources import POSTS
from diglot.scaffold.articles import find_articles, read_text
from diglot.scaffold.files import NewFile, is_there
from diglot.scaffold.templates import read_template

Kind = Literal["roofline", "lines", "bars", "heatmap", "table"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_FENCE = re.compile(r"^ {0,3}`{3,}\{figure-script\}[ \t]*(\S+)", re.MULTILINE)


def figure_file(root: Path, name: str, kind: Kind, *, article: str | None = None) -> NewFile:
    """The script of a new figure, in `figures/` or in an article's own folder.

    Raises Refusal where the name is taken or invalid, or where there is no such article.
    """
    name = name.removesuffix(".py")
    if not is_figure_id(name):
        better = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
        raise Refusal(
            f'"{name}" cannot be the name of a figure',
            f'use "{better}".'
            if is_figure_id(better)
            else f'use "{name}_figure": expressions have a word "{name}".'
            if name in (*WORDS_OF_EXPRESSIONS, CELLS)
            else "use lower-case ASCII letters, digits and underscores, beginning with a letter.",
        )
    path = f"{'figures' if article is None else _folder_of(root, article)}/{name}.py"
    if (other := _scripts(root).get(name)) is not None:
        raise Refusal(f'there is a figure "{name}" already: {other}', "choose another name.")
    if is_there(root, path):
        raise Refusal(f"{path} already exists", "choose another name.")
    return NewFile(path=path, text=read_template(f"figures/{kind}.py"))


def _folder_of(root: Path, article: str) -> str:
    articles = find_articles(root).articles
    files = articles.get(article)
    if files is None:
        raise Refusal(f'there is no article "{article}"', did_you_mean(article, articles))
    return f"{files.folders[0] if files.folders else f'{POSTS.folder}/{article}'}/figures"


def _scripts(root: Path) -> dict[str, str]:
    """The path of every figure's script, or of the article that contains it, by the figure's name."""
    folders = Folders(f"{root}/")
    halves = find_articles(root).halves
    fenced = {name: path for path in halves for name in _FENCE.findall(read_text(root, path))}
    files = scripts_at(path for pattern in SCRIPT_FILES for path in folders.find(pattern))
    return {**fenced, **{script.figure_id: script.path for script in files}}
