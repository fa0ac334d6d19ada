"""What becomes Markdown in a half: files that it includes, directives, roles and filters of extensions."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import msgpack
from msgspec.structs import replace

from diglot.content.document import read_parsed
from diglot.content.extensions import DEEPEST, EMBED, INCLUDES, WIKILINK, Call, Extended, Kind
from diglot.content.includes import IncludeError, included, included_path, is_include
from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import Packs
from diglot.extending import Applied, Block, Phrase
from diglot.figures.records import ExtensionCall
from diglot.languages import Language
from diglot.project import HtmlPolicy
from diglot.rules.embeds import embedded, linked
from diglot.rules.extension_calls import FunctionId, call_extension
from diglot.rules.extensions import find_functions, read_extension
from diglot.rules.ids import HalfId
from diglot.rules.parsed_halves import Source
from diglot.rules.projects import read_html_policy, read_wikilinks
from diglot.rules.reading import read_text, read_text_if_there
from diglot.rules.sources import find_post
from diglot.rules.tasks import Fetch, in_worker, task


class MadeMarkdown(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What extensions make of a half."""

    directives: tuple[str, ...]
    """The names of all that extensions have."""
    roles: tuple[str, ...]
    filters: tuple[str, ...]
    made: tuple[tuple[Call, str], ...]
    """The Markdown of each in the half."""

    def as_extended(self) -> Extended:
        """For the parser."""
        return Extended(
            directives=frozenset(self.directives),
            roles=frozenset(self.roles),
            filters=frozenset(self.filters),
            made=dict(self.made),
        )


@task("extended-half")
async def extend_half(fetch: Fetch, half: HalfId) -> MadeMarkdown:
    """The Markdown of these directives and roles in a half. What is read for it is a dependency."""
    path = (await fetch(find_post, half.article)).path(half.language)
    source = Source(await read_text(fetch, path), path, half.language)
    html = await fetch(read_html_policy)
    functions = await fetch(find_functions)
    if functions.failed is not None:
        await fetch(read_extension, functions.failed)  # what it would add is no mistake of the article
    names: dict[Kind, Mapping[str, str]] = {
        "directive": functions.directives,
        "role": functions.roles,
        "filter": functions.filters,
    }
    directives = frozenset((*INCLUDES, *functions.directives))
    links = (WIKILINK,) if "[[" in source.text and await fetch(read_wikilinks) else ()
    roles, filters = frozenset((*functions.roles, *links)), frozenset(functions.filters)
    made: dict[Call, str] = {}
    for _ in range(DEEPEST + 1):
        extended = Extended(directives=directives, roles=roles, filters=filters, made=made)
        missing = await in_worker(fetch, _missing, source, html, extended)
        if not missing:
            break
        made |= await _include(fetch, source, [call for call in missing if _is_of_files(call)])
        others = [call for call in missing if not _is_of_files(call)]
        for function, calls in _by_function(others, names).items():
            made |= zip(calls, await _make(fetch, function, calls, source.language), strict=True)
    return MadeMarkdown(
        directives=tuple(sorted(directives)),
        roles=tuple(sorted(roles)),
        filters=tuple(sorted(filters)),
        made=tuple(made.items()),
    )


def _is_of_files(call: Call) -> bool:
    """Whether Markdown is made from files of the project, and not by an extension."""
    return is_include(call) or call.name == WIKILINK


async def _include(fetch: Fetch, source: Source, calls: Sequence[Call]) -> dict[Call, str]:
    """The text of files and of other articles. Raises DiagnosticError with all that is wrong."""
    made: dict[Call, str] = {}
    mistakes: list[Diagnostic] = []
    for call in calls:
        try:
            if call.name == EMBED:
                made[call] = await embedded(fetch, source, call)
            elif call.name == WIKILINK:
                made[call] = await linked(fetch, source, call)
            else:
                made[call] = await _text_of_file(fetch, source, call)
        except IncludeError as error:
            mistakes.append(_wrong_include(source, call, error))
    if mistakes:
        raise DiagnosticError(*mistakes)
    return made


async def _text_of_file(fetch: Fetch, source: Source, call: Call) -> str:
    path = included_path(call, source.path)
    text = await read_text_if_there(fetch, path)
    if text is None:
        raise IncludeError(f'there is no file "{path}"', "correct the path, or create the file.")
    return included(call, path, text)


def _wrong_include(source: Source, call: Call, error: IncludeError) -> Diagnostic:
    lines = source.text.split("\n")
    signs = {WIKILINK: ["[[", call.body], EMBED: [call.argument]}.get(
        call.name, [f"{{{call.name}}}", call.argument]
    )
    line = next((n for n, text in enumerate(lines, 1) if all(sign in text for sign in signs)), None)
    mistake = Diagnostic(
        rule="include-file",
        message=str(error),
        location=Location(path=source.path, line=line),
        source_line=lines[line - 1] if line is not None else None,
        fix=error.fix,
    )
    if call.name == EMBED:
        return replace(mistake, rule="embed-block")
    return replace(mistake, rule="link-missing") if call.name == WIKILINK else mistake


def _missing(_packs: Packs, source: Source, html: HtmlPolicy, extended: Extended) -> list[Call]:
    """The directives and roles of a half that are not made yet."""
    try:
        read_parsed(source.text, source.path, source.language, html, extended=extended)
    except DiagnosticError:  # front matter that has no end: it is reported where the half is parsed
        return []
    return [*extended.missing]


def _by_function(
    calls: Sequence[Call], names: Mapping[Kind, Mapping[str, str]]
) -> dict[FunctionId, list[Call]]:
    found: dict[FunctionId, list[Call]] = {}
    for call in calls:
        found.setdefault(FunctionId.parse(names[call.kind][call.name]), []).append(call)
    return found


async def _make(
    fetch: Fetch, function: FunctionId, calls: Sequence[Call], language: Language
) -> Sequence[str]:
    kind = calls[0].kind
    argument = msgpack.encode([_argument(call, language) for call in calls])
    call = ExtensionCall(kind=kind, function=function.function, argument=argument)
    made: list[str] = msgpack.decode(await call_extension(fetch, function.extension, call), type=list[str])
    return made


def _argument(call: Call, language: Language) -> Block | Phrase | Applied:
    if call.kind == "filter":
        return Applied(name=call.name, value=call.body, arguments=call.argument, language=language)
    if call.kind == "role":
        return Phrase(name=call.name, text=call.body, language=language)
    return Block(
        name=call.name,
        argument=call.argument,
        options=dict(call.options),
        body=call.body,
        language=language,
    )
