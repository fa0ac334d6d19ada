"""The works that halves cite: a change of one entry makes only the pages again that cite it."""

from collections.abc import Iterable, Mapping

from diglot.bibliography.works import (
    BIBTEX_FILE,
    FILES,
    Entry,
    HalfCitations,
    Work,
    as_latex,
    parse_target,
)
from diglot.content.records import Placeholder
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean, nearest
from diglot.rules.chips import read_sheets
from diglot.rules.halves import cut_references
from diglot.rules.ids import HalfId
from diglot.rules.projects import read_site_settings
from diglot.rules.reading import read_text_if_there
from diglot.rules.sources import find_posts, kind_of
from diglot.rules.tasks import Fetch, task

_MAY_LACK = ("online", "preprint")
"""Kinds of works that often have no author or no year."""
_MOST_NAMED = 10


@task("bibliography")
async def read_bibliography(fetch: Fetch, _name: None) -> dict[str, Entry]:
    """All entries of the site's files of works, by key; none without files."""
    texts = {path: text for path in FILES if (text := await read_text_if_there(fetch, path)) is not None}
    if not texts:
        return {}
    from diglot.bibliography.reading import read_entries  # noqa: PLC0415  (only sites that cite need it)

    entries, mistakes = read_entries(texts)
    if mistakes:
        raise DiagnosticError(*mistakes)
    return entries


@task("cited-work")
async def find_work(fetch: Fetch, key: str) -> Work | None:
    """A work: a slice of the bibliography, in plain text; or a source of the catalogue of chips, by its id.

    None for a key that there is not.
    """
    entry = (await fetch(read_bibliography)).get(key) or await _find_source(fetch, key)
    if entry is None:
        return None
    from diglot.bibliography.latex import work_of  # noqa: PLC0415  (only sites that cite need it)

    work = work_of(entry)
    if lacks := _lacks(work):
        fetch.report(
            Diagnostic(
                rule="reference-incomplete",
                message=f'the work "{key}" is cited and has no {" and no ".join(lacks)}',
                severity="warning",
                location=Location(path=entry.path, line=entry.line),
                fix=f"add {' and '.join(lacks)} to its entry.",
            )
        )
    return work


async def _find_source(fetch: Fetch, id_: str) -> Entry | None:
    for sheet in (await fetch(read_sheets)).sheets:
        for source in sheet.sources:
            if source.id == id_:
                fields = {"title": as_latex(source.title), "url": source.url, "date": source.as_of}
                return Entry(key=id_, type="online", fields=fields, path="", line=1)
    return None


def _lacks(work: Work) -> list[str]:
    needed = {"title": work.title}
    if work.kind not in _MAY_LACK:
        needed |= {"author": " ".join(author.family for author in work.authors), "year": work.year}
    return [name for name, value in needed.items() if not value]


async def resolve_citations(
    fetch: Fetch, citations: Iterable[Placeholder], path: str, half: HalfId
) -> tuple[HalfCitations, list[Diagnostic]]:
    """The marks and the list of a half, and the errors for works that there are not.

    A name that is written like a key, `@ada2017`, is a warning alone.
    """
    citations = tuple(citations)
    works = await find_works(fetch, citations)
    errors: list[Diagnostic] = []
    for placeholder in citations:
        target = parse_target(placeholder.target)
        for key in target.keys:
            if key not in works:
                mistake = await _unknown(fetch, key, placeholder.line, path, is_bare=target.form == "bare")
                errors += [mistake] if mistake.severity == "error" else []
                fetch.report(*[mistake] if mistake.severity == "warning" else [])
    is_talk = kind_of(half.article) == "talk"
    style = "author-year" if is_talk else (await fetch(read_site_settings)).citations
    from diglot.bibliography.marks import cite  # noqa: PLC0415  (only sites that cite need it)

    targets = [placeholder.target for placeholder in citations]
    return cite(targets, works, style, half.language, has_list=not is_talk), errors


async def find_works(fetch: Fetch, citations: Iterable[Placeholder]) -> Mapping[str, Work]:
    """Those of the cited works that there are, by key."""
    keys = [*dict.fromkeys(key for one in citations for key in parse_target(one.target).keys)]
    found = await fetch.all(find_work, keys)
    return {key: work for key, work in zip(keys, found, strict=True) if work is not None}


async def _unknown(fetch: Fetch, key: str, line: int, path: str, *, is_bare: bool) -> Diagnostic:
    known = await fetch(read_bibliography)
    is_near = nearest(key, known) is not None
    add = f"add it to {BIBTEX_FILE}" if known else f"create {BIBTEX_FILE} with it"
    otherwise = f"{add}, or write \\@{key} if it is a name." if is_bare else f"{add}."
    return Diagnostic(
        rule="citation-unknown",
        message=f'there is no work with the key "{key}"',
        severity="warning" if is_bare and not is_near else "error",
        location=Location(path=path, line=line),
        source_line=f"@{key}",
        fix=did_you_mean(key, known, otherwise=otherwise),
    )


@task("unused-works")
async def report_unused_works(fetch: Fetch, _name: None) -> int:
    """How many entries no article cites: asked by `diglot check`."""
    entries = await fetch(read_bibliography)
    if not entries:
        return 0
    posts = (await fetch(find_posts)).articles.values()
    halves = [HalfId(post.name, language) for post in posts for language in post.languages]
    cited = {
        key
        for references in await fetch.all(cut_references, halves)
        for citation in references.citations
        for key in parse_target(citation.target).keys
    }
    unused = [entry for key, entry in entries.items() if key not in cited]
    if unused:
        names = ", ".join(entry.key for entry in unused[:_MOST_NAMED])
        rest = f" and {len(unused) - _MOST_NAMED} more" if len(unused) > _MOST_NAMED else ""
        fetch.report(
            Diagnostic(
                rule="references-unused",
                message=f"no article cites {names}{rest}",
                severity="warning",
                location=Location(path=unused[0].path, line=unused[0].line),
                fix="cite them, or delete them; a file that other sites share may hold more.",
            )
        )
    return len(unused)


@task("reference-file")
async def write_references(fetch: Fetch, half: HalfId) -> bytes:
    """`references.bib`: the works that a half cites, in the order of its text."""
    references = await fetch(cut_references, half)
    works = await find_works(fetch, references.citations)
    return "\n".join(work.bibtex for work in works.values()).encode()
