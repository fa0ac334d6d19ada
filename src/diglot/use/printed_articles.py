"""Articles to print: which of their pages are meant, and the site that these pages need, in a folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.languages import TRADITIONAL, Edition, Language
from diglot.rules.building import Site
from diglot.rules.projects import read_project
from diglot.rules.summaries import map_articles
from diglot.site_map import Summary, both_path, output_path, traditional_path

_OF: dict[Edition, Language] = {"zh": "zh", "en": "en", TRADITIONAL: "zh"}


class Printed(NamedTuple):
    """A page to print."""

    edition: Edition
    path: str
    """From the site's root."""
    name: str
    """The article's, without its folder: the beginning of the file's name."""


def find_pages(site: Site, name: str, editions: Sequence[Edition], *, both: bool) -> list[Printed]:
    """The pages of an article in some editions; `both` is the page with both halves side by side.

    Raises DiagnosticError if there is none.
    """
    articles = {
        summary.name.rpartition("/")[2]: summary
        for summary in site.value(map_articles, None).everything
        if summary.kind != "talk"
    }
    wanted = name.strip("/").rpartition("/")[2]
    article = articles.get(wanted)
    if article is None:
        raise _wrong(f'there is no article named "{name}"', did_you_mean(wanted, articles))
    if both and not article.has_both:
        raise _wrong(f'"{wanted}" has no page with both languages', "leave out --both.")
    if both:
        editions = editions[:1]  # it is one page, in the words of one language
    pages = [
        Printed(edition, _path_of(article, edition, both=both), wanted)
        for edition in editions
        if _OF[edition] in article.languages
    ]
    if not pages:
        languages = ", ".join(article.languages)
        raise _wrong(f'"{wanted}" has no half in "{_OF[editions[0]]}"', f"use --lang {languages}.")
    if TRADITIONAL in editions and site.value(read_project, None).traditional is None:
        message = "the site has no pages in traditional characters"
        raise _wrong(message, "add `traditional: taiwan` to site.yaml, or leave out zh-hant.")
    return pages


def _path_of(article: Summary, edition: Edition, *, both: bool) -> str:
    folder = article.path(_OF[edition])
    path = output_path(both_path(folder) if both else folder)
    return traditional_path(path) if edition == TRADITIONAL else path


def write_site(site: Site, folder: Path) -> tuple[Diagnostic, ...]:
    """Build a site into an empty folder, without publishing it. Returns what is wrong if it has errors."""
    result = site.build(publishing=False)
    if result.manifest is None or result.failed(strict=False):
        return result.diagnostics
    site.write_outputs(result.manifest, folder)
    return ()


def _wrong(message: str, fix: str) -> DiagnosticError:
    return DiagnosticError(Diagnostic(rule="export-article", message=message, fix=fix))
