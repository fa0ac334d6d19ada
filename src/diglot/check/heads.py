"""Checks of what search engines read of a page: title, description, versions in other languages."""

from collections.abc import Iterator
from typing import NamedTuple

from diglot.check.finished_site import FinishedSite
from diglot.diagnostics import Diagnostic, Location, shortened

_DEFAULT = "x-default"


class _Fault(NamedTuple):
    """What is wrong with the head of a page."""

    rule: str
    page: str
    other: str = ""
    """Of a repeated title or description, the page that has it first."""
    wrong: str = ""
    """Of a version in another language, what is wrong with it."""
    number: int = 0
    """Its place among the versions that the page names."""


def check_heads(site: FinishedSite) -> Iterator[Diagnostic]:
    """Titles and descriptions that are missing or appear twice, and versions that do not name each other."""
    name = f"heads {site.state('head')}"
    for fault in site.kept.value(name, tuple[_Fault, ...], lambda: tuple(_faults(site))):
        match fault.rule:
            case "title-missing":
                yield _untitled(site, fault.page)
            case "title-repeated":
                yield _twice(site, fault, "title", site.pages[fault.page].title)
            case "description-repeated":
                yield _twice(site, fault, "description", site.pages[fault.page].description)
            case "description-missing" if fault.page in site.sources:
                yield _undescribed(site, fault.page)
            case "hreflang-broken":
                yield _broken(site, fault)


def _faults(site: FinishedSite) -> Iterator[_Fault]:
    listed = site.listed()
    titles: dict[tuple[str, str], str] = {}
    descriptions: dict[tuple[str, str], str] = {}
    for path, page in listed.items():
        if not page.title.strip():
            yield _Fault(rule="title-missing", page=path)
        elif _is_another(site, path, first := titles.setdefault((page.language, page.title), path)):
            yield _Fault(rule="title-repeated", page=path, other=first)
        if not page.description:
            yield _Fault(rule="description-missing", page=path)
        elif _is_another(
            site, path, first := descriptions.setdefault((page.language, page.description), path)
        ):
            yield _Fault(rule="description-repeated", page=path, other=first)
    for path in listed:
        yield from _versions(site, path)


def _is_another(site: FinishedSite, path: str, first: str) -> bool:
    """Whether two pages are neither the same nor versions of each other, as `/` is of a home page."""
    versions = {site.there(one.goal) for one in site.pages[path].alternates if one.goal is not None}
    return first != path and first not in versions


def _untitled(site: FinishedSite, path: str) -> Diagnostic:
    report, line = site.reporter(path), site.parsed(path).title_line
    fix = "give the article a `title:`, or the template a <title>."
    return report("title-missing", f'the page "/{path}" has no title', line, "", fix, severity="warning")


def _twice(site: FinishedSite, fault: _Fault, what: str, text: str) -> Diagnostic:
    """A title or description that two pages of one language have."""
    place, line = _front_matter(site, fault.page, what)
    other, _ = _front_matter(site, fault.other, what)
    return Diagnostic(
        rule=fault.rule,
        severity="warning",
        message=f'"{shortened(text, 80)}" is also the {what} of {other.path}',
        location=place,
        source_line=line,
        fix=f"write a {what} that says what sets this page apart: search engines show it.",
    )


def _undescribed(site: FinishedSite, path: str) -> Diagnostic:
    place, line = _front_matter(site, path, "title")
    return Diagnostic(
        rule="description-missing",
        severity="warning",
        message="the page has no description, because it does not begin with a paragraph",
        location=place,
        source_line=line,
        fix="add `description:` with one or two sentences: search engines and feeds show them.",
    )


def _front_matter(site: FinishedSite, path: str, key: str) -> tuple[Location, str | None]:
    """Where the front matter of a page has a key, else its title; without a source, the page itself."""
    sources = site.sources.get(path, ())
    for wanted in (key, "title"):
        for source in sources:
            for number, line in enumerate(source.text.splitlines(), 1):
                if line.startswith(f"{wanted}:"):
                    return Location(path=source.path, line=number), line
                if number > 1 and line.rstrip() == "---":
                    break
    if sources:
        return Location(path=sources[0].path), None
    return Location(path=f"(output)/{path}"), None


def _versions(site: FinishedSite, path: str) -> Iterator[_Fault]:
    """What is wrong with the versions in other languages that a page names."""
    page = site.pages[path]
    met: dict[str, str] = {}
    for number, one in enumerate(page.alternates):
        wrong = None
        if one.language in met and met[one.language] != one.address:
            wrong = f'"{one.language}" is given to two pages'
        elif one.goal is not None and (goal := site.there(one.goal)) in site.pages:
            wrong = _one_sided(site, path, one.language, goal)
        met[one.language] = one.address
        if wrong is not None:
            yield _Fault(rule="hreflang-broken", page=path, wrong=wrong, number=number)
    if page.alternates and page.language and page.language not in met:
        yield _Fault(rule="hreflang-broken", page=path)


def _broken(site: FinishedSite, fault: _Fault) -> Diagnostic:
    page, report = site.pages[fault.page], site.reporter(fault.page)
    written, fix = page.alternates[fault.number].address, "correct the template: versions name each other."
    message = f'hreflang "{written}": {fault.wrong}'
    if not fault.wrong:
        message = f'the page names versions in other languages, but none with hreflang="{page.language}"'
        written, fix = "", "correct the template: a page names itself, too."
    line = site.parsed(fault.page).alternates[fault.number].line
    return report(fault.rule, message, line, written, fix, severity="warning")


def _one_sided(site: FinishedSite, path: str, language: str, goal: str) -> str | None:
    """Why a version does not count for search engines; None if it does."""
    other = site.pages[goal]
    if not other.is_indexed:
        return "search engines are told to leave that page out"
    if other.canonical is not None and site.there(other.canonical) != goal:
        return "that page names another one as canonical"
    if language == _DEFAULT:
        return None
    if other.language != language:
        return f'that page is in "{other.language}"'
    back = {site.there(one.goal) for one in other.alternates if one.goal is not None}
    return None if path in back else "that page does not name this one"
