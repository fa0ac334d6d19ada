"""Checks of links, ids and pictures on finished pages: authors' raw HTML is checked, too."""

from collections.abc import Iterator
from typing import NamedTuple

from diglot.check.finished_site import FinishedSite
from diglot.check.locating import in_html, picture_name
from diglot.check.page_facts import names_an_id
from diglot.diagnostics import Diagnostic, did_you_mean, sorted_diagnostics
from diglot.digests import digest_of


def check_pages(site: FinishedSite) -> tuple[Diagnostic, ...]:
    """Broken links, ids that are used twice, and pictures without alternative text; without duplicates."""
    wrong = (path for path, is_wrong in site.are_wrong.items() if is_wrong)
    return sorted_diagnostics(one for path in wrong for one in _kept_mistakes(site, path))


def _kept_mistakes(site: FinishedSite, path: str) -> tuple[Diagnostic, ...]:
    """The mistakes on a page, which are told with suggestions from all files, and at lines of its sources."""
    lost = [(goal, sorted(site.pages[goal].names)) for goal in site.goals_without_ids(site.pages[path])]
    texts = [(source.path, source.text) for source in site.sources_of(path)]
    rest = digest_of(repr((site.digest_of_files, sorted(lost), texts)).encode("utf-8", "surrogatepass"))
    name = f"mistakes {path} {site.digest(path)} {rest}"
    return site.kept.value(name, tuple[Diagnostic, ...], lambda: tuple(_check_page(site, path)))


class _Mistake(NamedTuple):
    """What is wrong with a link."""

    rule: str
    message: str
    fix: str


def _check_page(site: FinishedSite, path: str) -> Iterator[Diagnostic]:
    page, report = site.parsed(path), site.reporter(path)
    for identifier, line in page.repeated:
        message = f'the id "{identifier}" is used twice on the page'
        yield report("id-twice", message, line, f'id="{identifier}"', "rename one of them.", last=True)
    for source, line in page.textless:
        name, fix = picture_name(source), 'add alt="…", or alt="" if it is only decoration.'
        yield report("image-text", f'the image "{name}" has no alternative text', line, in_html(name), fix)
    for target, line in page.targets:
        if (mistake := _mistake(site, target, path)) is not None:
            yield report(mistake.rule, f'"{target}" {mistake.message}', line, target, mistake.fix)


def _mistake(site: FinishedSite, target: str, page: str) -> _Mistake | None:
    """What is wrong with a link; None if it works."""
    try:
        goal, fragment = site.goal(target, page)
    except ValueError:
        fix = "write it as a browser's address bar shows it."
        return _Mistake(rule="link-dead", message="is not a valid address", fix=fix)
    if goal is None:
        return None
    if goal not in site.files:
        fix = site.suggestion(goal)
        if target.startswith(base_url := site.address.base_url):
            message = f"is a broken link: {base_url} is this site's own address"
            fix = f"{fix} If another site is meant, correct base_url in site/site.yaml."
            return _Mistake(rule="link-dead", message=message, fix=fix)
        return _Mistake(rule="link-dead", message="is a broken link", fix=fix)
    if goal not in site.pages or not names_an_id(fragment):
        return None
    names = site.pages[goal].names
    if fragment in names:
        return None
    before = f"{target.partition('#')[0]}#"
    fix = did_you_mean(fragment, names, before=before, otherwise="correct the part after #.")
    return _Mistake(rule="link-fragment", message="does not match any block of that page", fix=fix)
