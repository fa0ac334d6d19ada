"""`diglot status --export` and `--import`: what is behind, handed to a translator and taken back."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import Report, as_json, diagnostics_report
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Diagnostic, DiagnosticError, counted
from diglot.languages import LANGUAGES, twin_of
from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from diglot.rules.sources import PostFiles
from diglot.rules.status import Status, find_pairs, find_status
from diglot.scaffold.files import replace_text
from diglot.scaffold.syncing import compare_pairs, sync
from diglot.scaffold.taking_back import take_back
from diglot.staleness.comparing import Finding
from diglot.staleness.translation_markdown import read_markdown, write_markdown
from diglot.staleness.translations import Translation, TranslationFile, translations_of
from diglot.staleness.xliff import read_xliff, write_xliff

_EXPORTS = "exports"
_WRITERS: Mapping[str, tuple[str, Callable[[TranslationFile], bytes]]] = {
    "xliff": ("xlf", write_xliff),
    "md": ("md", write_markdown),
}


def export_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Write a file for each article and language that is behind."""
    with Site(options, progress=terminal.told) as site:
        posts = find_pairs(site, arguments.articles)
        status = find_status(site, posts)
    folder = options.root / _EXPORTS if arguments.output is None else Path.cwd() / arguments.output
    ending, write = _WRITERS[arguments.export]
    written = []
    for file in _files(status):
        path = folder / f"{file.article.replace('/', '-')}.{file.target_language}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(write(file))
        written.append((path, len(file.translations)))
    left = sum(len(one.findings or ()) for one in status.articles) - sum(count for _, count in written)
    if arguments.json:
        report = diagnostics_report(status.mistakes, failed=bool(status.mistakes))
        files = [{"path": str(path), "blocks": count} for path, count in written]
        terminal.result(as_json({**report, "files": files, "left": left}))
    else:
        for path, _ in written:
            terminal.result(str(path))
        terminal.diagnostics(status.mistakes)
        terminal.say(_exported(sum(count for _, count in written), left))
    return EXIT_SITE_ERRORS if status.mistakes else EXIT_DONE


def _exported(count: int, left: int) -> str:
    done = f"{counted(count, 'block')} to translate" if count else "nothing to translate"
    if not left:
        return done
    return (
        f"{done}; {counted(left, 'block')} left out, which moved, were dropped, or changed in both halves: "
        "`diglot status` names them"
    )


def _files(status: Status) -> Sequence[TranslationFile]:
    return [
        TranslationFile(
            article=one.post.name,
            source_language=twin_of(language),
            source_path=one.post.path(twin_of(language)),
            target_path=one.post.path(language),
            translations=translations,
        )
        for one in status.articles
        for language in LANGUAGES
        if (translations := translations_of(one.findings or (), language))
    ]


class _Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one file."""

    path: str
    target_path: str
    done: tuple[str, ...]
    """Ids of blocks."""
    open: tuple[str, ...]
    refused: tuple[Diagnostic, ...]


def import_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Put translations into the halves, and declare them to be in step."""
    taken: list[_Taken] = []
    mistakes: list[Diagnostic] = []
    with Site(options, progress=terminal.told) as site:
        for path in arguments.taken_back:
            try:
                taken.append(_take(site, path, terminal))
            except DiagnosticError as error:
                mistakes += error.diagnostics
    refused = [*mistakes, *(one for file in taken for one in file.refused)]
    if arguments.json:
        report = diagnostics_report(refused, failed=bool(refused))
        terminal.result(as_json({**report, "files": [*map(_report, taken)]}))
    else:
        for one in taken:
            terminal.result(f"{one.target_path}: {_told(one)}")
        terminal.diagnostics(refused)
    return EXIT_SITE_ERRORS if refused else EXIT_DONE


def _report(one: _Taken) -> Report:
    return {"path": one.path, "target": one.target_path, "taken": one.done, "open": one.open}


def _told(one: _Taken) -> str:
    done = f"{', '.join(one.done)} taken back and in step" if one.done else "nothing taken back"
    return done + (f"; not translated yet: {', '.join(one.open)}" if one.open else "")


def _take(site: Site, path: Path, terminal: Terminal) -> _Taken:
    read = read_xliff if path.suffix in (".xlf", ".xliff") else read_markdown
    file = read(path.read_bytes(), str(path))
    (post,) = find_pairs(site, [file.article])
    (compared,) = compare_pairs(site, [post])
    half = site.options.root / post.path(file.target_language)
    text = half.read_bytes().decode()
    taken = take_back(compared, file, text)
    if taken.text != text:
        replace_text(half, taken.text)
    if taken.done:
        _declare(site, post, file, taken.done, terminal)
    return _Taken(
        path=str(path),
        target_path=post.path(file.target_language),
        done=tuple(one.id for one in taken.done),
        open=tuple(one.id for one in taken.open),
        refused=taken.refused,
    )


def _declare(
    site: Site, post: PostFiles, file: TranslationFile, done: Sequence[Translation], terminal: Terminal
) -> None:
    """Declare the blocks to be in step that translations were taken back for."""
    (compared,) = compare_pairs(site, [post])
    digests = {one.source_digest for one in done}

    def is_done(finding: Finding) -> bool:
        source = finding.of(file.source_language).unit
        return source is not None and source.digest in digests

    sync(site, compared, {one.id for one in compared.comparison.findings if is_done(one)})
