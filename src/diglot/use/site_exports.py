"""A site as files of another generator: articles as Markdown with front matter, and the files they show.

The text of an article is its Markdown twin, in which values, references and figures are filled in. Addresses
in it that lead into the site become those of exported files; others stay whole. What another generator does
not have is listed in `EXPORT.md`.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, get_args
from urllib.parse import unquote, urlsplit

import yaml
from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, Refusal, counted
from diglot.languages import Language
from diglot.project import Person, Project, Term
from diglot.render.markdown_twins import MarkdownTwin
from diglot.rules.building import Site
from diglot.rules.ids import HalfId
from diglot.rules.manifest import Manifest
from diglot.rules.markdown_twins import write_markdown
from diglot.rules.projects import read_project
from diglot.rules.summaries import map_articles, summarise
from diglot.site_map import HOME, UNDATED, HalfSummary, Summary

Generator = Literal["hugo", "mystmd", "markdown"]
GENERATORS: tuple[Generator, ...] = get_args(Generator)
REPORT = "EXPORT.md"


class Exported(NamedTuple):
    """What an export wrote."""

    articles: int
    """How many halves of articles."""
    files: int
    """How many pictures and other files."""


class _Half(NamedTuple):
    """A half of an article, and the file that it becomes."""

    article: Summary
    half: HalfSummary
    path: str

    @property
    def language(self) -> Language:
        return self.half.language


def export_site(site: Site, generator: Generator, folder: Path) -> Exported | tuple[Diagnostic, ...]:
    """Write the site into a folder that is empty or missing. Returns what is wrong if the site has errors."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refusal(f"{folder} is not an empty folder", "name another one with --output.")
    result = site.build(publishing=False)
    if result.manifest is None or result.failed(strict=False):
        return result.diagnostics
    project, site_map = site.value(read_project, None), site.value(map_articles, None)
    shown = [article for article in site_map.everything if article.kind != "talk" and article.slug != HOME]
    keys = [HalfId(article.name, language) for article in shown for language in article.languages]
    twins = dict(zip(keys, site.values(write_markdown, keys), strict=True))
    halves = [
        _Half(article, half, _file_of(article.path(half.language), generator))
        for article in _summaries(site, shown)
        for half in article.halves
    ]
    export = _Export(project, generator, halves, result.manifest)
    for half in halves:
        _write(folder / half.path, export.text_of(half, twins[HalfId(half.article.name, half.language)]))
    for path, text in export.settings():
        _write(folder / path, text)
    copied = tuple(output for output in result.manifest.outputs if output.path in export.used)
    below = folder / export.files_folder
    for output in copied:
        (below / output.path).parent.mkdir(parents=True, exist_ok=True)
    site.write_outputs(replace(result.manifest, outputs=copied), below)
    talks = [talk.name for talk in site_map.talks]
    _write(folder / REPORT, export.report(talks, has_home=site_map.home is not None))
    return Exported(len(halves), len(copied))


def _summaries(site: Site, articles: Iterable[Summary]) -> list[Summary]:
    """The articles with the texts of their halves, which the site map does not have for pages."""
    return site.values(summarise, [article.name for article in articles])


def _file_of(address: str, generator: Generator) -> str:
    """The file of the page at an address such as `zh/posts/roofline/`."""
    address = address.strip("/")
    return f"content/{address}/index.md" if generator == "hugo" else f"{address}.md"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")


class _Export:
    """The texts of an export, and what was met while they were made."""

    def __init__(
        self, project: Project, generator: Generator, halves: Iterable[_Half], manifest: Manifest
    ) -> None:
        self._project, self._generator = project, generator
        self._halves = tuple(halves)
        self._pages = {half.article.path(half.language).strip("/"): half.path for half in self._halves}
        self._outputs = {output.path for output in manifest.outputs}
        self.files_folder = "static" if generator == "hugo" else "files"
        self.used: set[str] = set()
        """Paths of the site's files that the texts show or link to."""
        self._outside: dict[str, str] = {}
        """Addresses of pages that are not exported, each with the first file that leads there."""
        self._blocks: list[str] = []

    def text_of(self, half: _Half, twin: MarkdownTwin) -> str:
        """A half's file. The head of the twin is front matter here."""
        matter = yaml.safe_dump(self._front_matter(half), allow_unicode=True, sort_keys=False, width=1000)
        if self._generator != "mystmd":
            self._blocks += (f"`{name}` in {half.path}" for name in twin.directives)
        body = (
            self._address(piece, half.path) if index % 2 else piece for index, piece in enumerate(twin.body)
        )
        return f"---\n{matter}---\n\n{''.join(body)}"

    def _front_matter(self, half: _Half) -> dict[str, object]:
        article, language, project = half.article, half.language, self._project
        names = {
            "tags": _labels(article.tags, project.tags, language),
            "categories": _labels(article.categories, project.categories, language),
            "series": _labels((article.series,) if article.series else (), project.series, language),
            "authors": _names(article.authors, project.authors, language),
        }
        is_dated = article.date != UNDATED
        updated = half.half.updated or article.updated
        found: dict[str, object] = {
            "title": half.half.title,
            "description": half.half.description,
            "date": article.date if is_dated else None,
            **names,
            "draft": article.draft,
        }
        if self._generator == "hugo":
            found |= {
                "lastmod": updated,
                "expiryDate": article.expires,
                "url": f"/{article.path(language).strip('/')}/",
                "aliases": [f"/{path}" for path, to in article.aliases if to == language],
                "translationKey": article.name,
            }
        elif self._generator == "markdown":
            found |= {"updated": updated, "lang": language}
        else:
            found = {key: value for key, value in found.items() if key not in ("series", "categories")}
            found["tags"] = [name for key in ("tags", "categories", "series") for name in names[key]]
        return {key: value for key, value in found.items() if value or key == "title"}

    def _address(self, whole: str, path: str) -> str:
        """The address of an exported file, as a file at `path` writes it; the whole one for other pages."""
        inside, hash_mark, fragment = whole[len(self._project.base_url) :].partition("#")
        name = unquote(inside)
        if (page := self._pages.get(name.strip("/"))) is not None:
            if self._generator == "hugo":
                return f"{self._root}{inside}{hash_mark}{fragment}"
            return f"{_relative(page, path)}{hash_mark}{fragment}"
        if name in self._outputs and not name.endswith(".html"):
            self.used.add(name)
            if self._generator == "hugo":
                return f"{self._root}{inside}"
            return _relative(f"{self.files_folder}/{inside}", path)
        self._outside.setdefault(whole.partition("#")[0], path)
        return whole

    @property
    def _root(self) -> str:
        """What addresses on the site begin with; Hugo leaves those in Markdown as they are."""
        return urlsplit(self._project.base_url).path

    def settings(self) -> Iterator[tuple[str, str]]:
        """The files that the generator reads first."""
        project, first = self._project, self._project.first
        if self._generator == "hugo":
            languages = {
                language: {
                    "title": project.title.of(language),
                    "languageName": "中文" if language == "zh" else "English",
                    "contentDir": f"content/{language}",
                    "weight": weight,
                }
                for weight, language in enumerate(project.languages, 1)
            }
            taxonomies = {"tag": "tags", "category": "categories", "series": "series", "author": "authors"}
            settings: dict[str, object] = {
                "baseURL": project.base_url,
                "defaultContentLanguage": first,
                "defaultContentLanguageInSubdir": True,
                "languages": languages,
                "taxonomies": taxonomies,
                "markup": {"goldmark": {"renderer": {"unsafe": True}, "extensions": {"passthrough": _MATHS}}},
            }
            yield "hugo.yaml", yaml.safe_dump(settings, allow_unicode=True, sort_keys=False)
        elif self._generator == "mystmd":
            toc = [
                {
                    "title": "中文" if language == "zh" else "English",
                    "children": [{"file": half.path} for half in self._halves if half.language == language],
                }
                for language in project.languages
                if any(half.language == language for half in self._halves)
            ]
            book = {
                "version": 1,
                "project": {"title": project.title.of(first), "toc": toc},
                "site": {"template": "book-theme"},
            }
            yield "myst.yml", yaml.safe_dump(book, allow_unicode=True, sort_keys=False)

    def report(self, talks: Iterable[str], *, has_home: bool) -> str:
        """`EXPORT.md`: what was written, and what was lost."""
        lines = ["# What was exported", ""]
        for half in self._halves:
            date = f", {half.article.date}" if half.article.date != UNDATED else ""
            lines.append(f"- [{half.half.title}]({half.path.replace(' ', '%20')}){date}")
        lines += [
            "",
            f"{counted(len(self.used), 'file')} in `{self.files_folder}/`.",
            "",
            "# What was lost",
            "",
        ]
        lines += [f"- {loss}" for loss in _LOSSES]
        if has_home:
            lines.append("- The text on the home pages is not exported.")
        lines += [
            f"- The talk `{name}` is not exported: `diglot slides` makes files of talks." for name in talks
        ]
        if self._outside:
            lines += ["", "Links to pages that are not exported lead to the site as it was:", ""]
            lines += [f"- <{address}> in {path}" for address, path in sorted(self._outside.items())]
        if self._blocks:
            lines += [
                "",
                f"Blocks that are written otherwise for {self._generator}:",
                "",
                *map("- {}".format, self._blocks),
            ]
        return "\n".join(lines) + "\n"


_MATHS = {"enable": True, "delimiters": {"block": [["$$", "$$"]], "inline": [["$", "$"]]}}
_LOSSES = (
    "Values are the numbers of this day; they no longer follow from scripts, and assertions are gone.",
    "Figures are pictures for light pages, with their numbers in tables: readers cannot turn them, and the "
    "scripts in `figures/` are not exported.",
    "Pages with both languages side by side, lists, feeds, search, and pages of figures and chips.",
    "Names that you gave to parts of articles: links to them lead to the article.",
    "Formulas are LaTeX, which MyST draws, and Hugo where its theme loads KaTeX or MathJax.",
    "Citations are marks and a list as text; the works stay in `site/references.bib`.",
)


def _labels(ids: Iterable[str], terms: Iterable[Term], language: Language) -> list[str]:
    known = {term.id: term.label.of(language) for term in terms}
    return [known.get(term, term) for term in ids]


def _names(ids: Iterable[str], people: Iterable[Person], language: Language) -> list[str]:
    known = {person.id: person.name.of(language) for person in people}
    return [known.get(person, person) for person in ids]


def _relative(target: str, path: str) -> str:
    return os.path.relpath(target, os.path.dirname(path) or ".").replace(os.sep, "/")
