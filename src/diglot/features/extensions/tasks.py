"""Extensions as tasks: what each declares, the files that it makes, and what its checks find."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple, Self

import msgspec
from msgspec import msgpack
from msgspec.structs import replace

from diglot.content.front_matter import split_front_matter
from diglot.content.prose import prose_of
from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import LISTING, UpstreamFailed
from diglot.extending import Article, Finding, Half, Site, Text
from diglot.figures.records import DeclaredExtension, ExtensionCall, Script
from diglot.figures.scripts.failures import FigureFailed
from diglot.languages import LANGUAGES
from diglot.rules.halves import read_document
from diglot.rules.ids import HalfId
from diglot.rules.observing import observed_result
from diglot.rules.parsed_halves import tree_of
from diglot.rules.projects import read_site_settings
from diglot.rules.reading import read_text
from diglot.rules.sources import find_post
from diglot.rules.summaries import map_articles
from diglot.rules.tasks import Fetch, task
from diglot.site_map import UNDATED, Summary

FOLDER = "extensions"


class FunctionId(NamedTuple):
    """A function of an extension: `humans:find_authors`."""

    extension: str
    function: str

    def __str__(self) -> str:
        return f"{self.extension}:{self.function}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        extension, _, function = text.partition(":")
        return cls(extension, function)


class ExtensionFileId(NamedTuple):
    """A file that a function made: `humans:find_authors humans.txt`."""

    function: FunctionId
    path: str

    def __str__(self) -> str:
        return f"{self.function} {self.path}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        function, _, path = text.partition(" ")
        return cls(FunctionId.parse(function), path)


class CheckedHalfId(NamedTuple):
    """A half and the function that checks it: `style:no_todo moe:en`."""

    function: FunctionId
    half: HalfId

    def __str__(self) -> str:
        return f"{self.function} {self.half}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        function, _, half = text.partition(" ")
        return cls(FunctionId.parse(function), HalfId.parse(half))


def path_of(extension: str) -> str:
    """The file of an extension."""
    return f"{FOLDER}/{extension}.py"


def rule_of(function: str) -> str:
    """The rule of what a check finds."""
    return f"extension-{function.replace('_', '-')}"


class Functions(msgspec.Struct, frozen=True, kw_only=True):
    """The functions of all extensions."""

    outputs: tuple[str, ...] = ()
    """Each as the text of a `FunctionId`."""
    checks: tuple[str, ...] = ()
    whole: bool = True
    """False if an extension could not be loaded."""


@task("extension")
async def read_extension(fetch: Fetch, extension: str) -> DeclaredExtension:
    """What an extension declares."""
    return msgpack.decode(
        await _call(fetch, extension, ExtensionCall(kind="declare")), type=DeclaredExtension
    )


@task("extensions")
async def find_functions(fetch: Fetch, _name: None) -> Functions:
    """The functions of all extensions that can be loaded. Reports names that are used twice."""
    paths: list[str] = [*await fetch(LISTING, f"{FOLDER}/*.py")]
    stems = [path.removeprefix(f"{FOLDER}/").removesuffix(".py") for path in paths]
    names = [stem for stem in stems if not stem.startswith("_")]  # what is left are modules for others
    fetch.report(*(_misnamed(name) for name in names if not _is_name(name)))
    declared, whole = {}, all(map(_is_name, names))
    for name in filter(_is_name, names):
        try:
            declared[name] = await fetch(read_extension, name)
        except UpstreamFailed:
            whole = False
    checks: dict[str, FunctionId] = {}
    for name, extension in declared.items():
        for function in extension.checks:
            if (first := checks.setdefault(rule_of(function), FunctionId(name, function))).extension != name:
                whole = False
                fetch.report(_used_twice(FunctionId(name, function), first))
    outputs = [FunctionId(name, function) for name in declared for function in declared[name].outputs]
    return Functions(outputs=tuple(map(str, outputs)), checks=tuple(map(str, checks.values())), whole=whole)


@task("extension-site")
async def describe_site(fetch: Fetch, _name: None) -> Site:
    """The site as extensions see it."""
    project, site_map = await fetch(read_site_settings), await fetch(map_articles)
    return Site(
        title={language: project.title.of(language) for language in LANGUAGES},
        base_url=project.base_url,
        articles=tuple(_article(summary) for summary in site_map.everything),
    )


@task("extension-files")
async def make_files(fetch: Fetch, function: FunctionId) -> Mapping[str, bytes]:
    """The files that a function makes, by path."""
    argument = msgpack.encode(await fetch(describe_site))
    call = ExtensionCall(kind="output", function=function.function, argument=argument)
    return msgpack.decode(await _call(fetch, function.extension, call), type=dict[str, bytes])


@task("extension-file")
async def cut_file(fetch: Fetch, file: ExtensionFileId) -> bytes:
    """One of them."""
    return (await fetch(make_files, file.function))[file.path]


@task("extension-check")
async def check_half(fetch: Fetch, name: CheckedHalfId) -> None:
    """Report what a check finds in a half."""
    function, half = name
    path = (await fetch(find_post, half.article)).path(half.language)
    source = await read_text(fetch, path)
    tree = tree_of(fetch.context.packs, await fetch.blob(read_document, half))
    text = Text(
        article=half.article,
        language=half.language,
        path=path,
        source=source,
        body_line=split_front_matter(source, path).body_line,
        prose=tuple((block.line, prose) for block in tree.blocks if (prose := prose_of(block.nodes))),
    )
    call = ExtensionCall(kind="check", function=function.function, argument=msgpack.encode(text))
    found = msgpack.decode(await _call(fetch, function.extension, call), type=list[Finding])
    lines = source.splitlines()
    fetch.report(*(_as_diagnostic(finding, function, path, lines) for finding in found))


@task("extension-checks")
async def check_all(fetch: Fetch, _name: None) -> None:
    """All checks of all halves."""
    functions = [FunctionId.parse(text) for text in (await fetch(find_functions)).checks]
    if not functions:
        return
    halves = [
        HalfId(article.name, language)
        for article in (await fetch(map_articles)).everything
        for language in article.languages
    ]
    await fetch.digests([check_half.key(CheckedHalfId(one, half)) for one in functions for half in halves])


async def _call(fetch: Fetch, extension: str, call: ExtensionCall) -> bytes:
    script = Script(figure_id=extension, path=path_of(extension), of_extension=True)
    workers, told_as = fetch.context.workers, partial(_of_extension, extension)
    try:
        report = await observed_result(
            fetch,
            (script, call),
            script,
            lambda: workers().call_extension(script, call),
            told_as=told_as,
        )
    except FigureFailed as failure:
        raise DiagnosticError(*map(told_as, failure.diagnostics)) from failure
    return report.result


def _of_extension(extension: str, diagnostic: Diagnostic) -> Diagnostic:
    """What a worker says of a figure's script, said of an extension."""
    message = diagnostic.message.replace(f'figure "{extension}"', f'extension "{extension}"')
    if not diagnostic.rule.startswith("figure-"):
        return replace(diagnostic, message=message)
    if diagnostic.severity == "error":
        return replace(diagnostic, rule="extension-failed", message=message)
    return replace(diagnostic, rule="extension-warning", message=message)


def _article(summary: Summary) -> Article:
    return Article(
        name=summary.name,
        kind=summary.kind,
        date=None if summary.date == UNDATED else summary.date,
        updated=summary.updated,
        tags=summary.tags,
        categories=summary.categories,
        authors=summary.authors,
        series=summary.series,
        halves={
            half.language: Half(
                title=half.title, description=half.description, address=f"/{summary.path(half.language)}"
            )
            for half in summary.halves
        },
    )


def _as_diagnostic(finding: Finding, function: FunctionId, path: str, lines: list[str]) -> Diagnostic:
    line = finding.line if 1 <= finding.line <= len(lines) else None
    return Diagnostic(
        rule=rule_of(function.function),
        message=finding.message,
        severity=finding.severity,
        location=Location(path=path, line=line),
        source_line=lines[line - 1] if line is not None else None,
        fix=finding.fix,
    )


def _is_name(stem: str) -> bool:
    return stem.isascii() and stem.isidentifier() and stem == stem.lower()


def _misnamed(stem: str) -> Diagnostic:
    return Diagnostic(
        rule="extension-name",
        message=f'"{stem}" cannot be the name of an extension',
        location=Location(path=path_of(stem)),
        fix="use lower-case ASCII letters, digits and underscores, beginning with a letter; "
        "the name of a module that extensions import begins with an underscore.",
    )


def _used_twice(function: FunctionId, first: FunctionId) -> Diagnostic:
    return Diagnostic(
        rule="extension-name",
        message=f'the check "{function.function}" is also in {path_of(first.extension)}',
        location=Location(path=path_of(function.extension)),
        fix="rename one of them: their findings would have the same rule.",
    )
