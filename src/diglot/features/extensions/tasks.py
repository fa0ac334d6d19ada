"""Extensions as tasks: what each declares, the files that it makes, and what its checks find."""

from collections.abc import Mapping
from typing import NamedTuple, Self

from msgspec import json, msgpack

from diglot.content.front_matter import split_front_matter
from diglot.content.prose import prose_of
from diglot.diagnostics import Diagnostic, Location
from diglot.extending import Article, AskedCommand, Finding, Half, Site, Text
from diglot.figures.records import ExtensionCall
from diglot.languages import LANGUAGES
from diglot.rules.extension_calls import FunctionId, call_extension, rule_of
from diglot.rules.extensions import find_commands, find_functions
from diglot.rules.halves import read_document
from diglot.rules.ids import HalfId
from diglot.rules.parsed_halves import tree_of
from diglot.rules.projects import read_site_settings
from diglot.rules.reading import read_text
from diglot.rules.sources import find_post
from diglot.rules.summaries import map_articles
from diglot.rules.tasks import Fetch, task
from diglot.site_map import UNDATED, Summary


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


class CommandId(NamedTuple):
    """A command with its arguments, as JSON: `lists:longest {"most": 3}`."""

    function: FunctionId
    arguments: str

    def __str__(self) -> str:
        return f"{self.function} {self.arguments}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        function, _, arguments = text.partition(" ")
        return cls(FunctionId.parse(function), arguments)


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
    return msgpack.decode(await call_extension(fetch, function.extension, call), type=dict[str, bytes])


@task("extension-file")
async def cut_file(fetch: Fetch, file: ExtensionFileId) -> bytes:
    """One of them."""
    return (await fetch(make_files, file.function))[file.path]


@task("extension-command")
async def run_command(fetch: Fetch, name: CommandId) -> str:
    """What a command prints."""
    asked = AskedCommand(site=await fetch(describe_site), arguments=json.decode(name.arguments))
    call = ExtensionCall(kind="command", function=name.function.function, argument=msgpack.encode(asked))
    return msgpack.decode(await call_extension(fetch, name.function.extension, call), type=str)


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
    found = msgpack.decode(await call_extension(fetch, function.extension, call), type=list[Finding])
    lines = source.splitlines()
    fetch.report(*(_as_diagnostic(finding, function, path, lines) for finding in found))


@task("extension-checks")
async def check_all(fetch: Fetch, _name: None) -> None:
    """All checks of all halves. Also reports names of commands that clash."""
    await fetch.digests([find_commands.key(None)])
    functions = [FunctionId.parse(text) for text in (await fetch(find_functions)).checks]
    if not functions:
        return
    halves = [
        HalfId(article.name, language)
        for article in (await fetch(map_articles)).everything
        for language in article.languages
    ]
    await fetch.digests([check_half.key(CheckedHalfId(one, half)) for one in functions for half in halves])


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
