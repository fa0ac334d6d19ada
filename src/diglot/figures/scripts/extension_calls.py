"""Runs the functions of an extension in a worker."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, get_args

from msgspec import msgpack

from diglot.characters import forbidden_in
from diglot.diagnostics import Diagnostic, Location, shortened
from diglot.extending import Applied, AskedCommand, Block, Feature, Finding, Phrase, Site, Text
from diglot.figures.records import (
    ArgumentKind,
    DeclaredArgument,
    DeclaredCommand,
    DeclaredExtension,
    ExtensionCall,
    Script,
)
from diglot.figures.scripts.failures import FigureFailed, ScriptFailures, line_numbered, line_with
from diglot.figures.scripts.kinds import kind_of

_ARGUMENTS: tuple[ArgumentKind, ...] = get_args(ArgumentKind)
"""Types of the arguments of commands."""
MOST_MARKDOWN = 200_000
"""Characters that a directive may become: a long article has 30,000."""


class _Part(NamedTuple):
    """One of the lists of a feature, and what a call of a function in it takes and returns."""

    argument: Any
    made: Callable[[Callable[..., object], Any], object]
    """Calls the function: what it returned, as it is sent back, or what is wrong with that."""
    fix: str


class _Wrong(NamedTuple):
    """What a function returned instead of what it should."""

    returned: str


def answer_call(call: ExtensionCall, module: ModuleType, script: Script, root: Path) -> bytes:
    """What a function of an extension returns, or what the extension declares, as msgpack."""
    feature = getattr(module, "feature", None)
    if not isinstance(feature, Feature):
        place = line_with("feature", script, root)
        raise _misuse(
            script,
            "it has no `feature`" if feature is None else f"its `feature` is {kind_of(feature)}",
            "write `feature = Feature(outputs=[…], checks=[…])` at its end.",
            place,
        )
    functions: dict[str, dict[str, Callable[..., object]]] = {
        "output": feature.outputs,
        "check": feature.checks,
        "directive": feature.directives,
        "role": feature.roles,
        "filter": feature.filters,
    }
    if call.kind == "declare":
        names = {f"{kind}s": tuple(functions[kind]) for kind in functions}
        commands = [_declared(function, script, root) for function in feature.commands.values()]
        return msgpack.encode(DeclaredExtension(**names, commands=tuple(commands)))
    functions["command"] = feature.commands
    function, part = functions[call.kind][call.function], _PARTS[call.kind]
    with ScriptFailures(script, root):
        made = part.made(function, msgpack.decode(call.argument, type=part.argument))
    if isinstance(made, _Wrong):
        line = line_numbered(_line_of(function), script, root)
        raise _misuse(script, f"`{call.function}` returned {made.returned}", part.fix, line)
    return msgpack.encode(made)


def _declared(command: Callable[..., object], script: Script, root: Path) -> DeclaredCommand:
    """What a command line has to know of a command, from its docstring and its parameters."""

    def wrong(message: str, fix: str) -> FigureFailed:
        line = line_numbered(_line_of(command), script, root)
        return _misuse(script, f"the command `{command.__name__}` {message}", fix, line)

    detail = inspect.cleandoc(command.__doc__ or "")
    if not detail:
        raise wrong("has no docstring", "write one: its first line is the help of the command.")
    arguments = []
    for parameter in [*inspect.signature(command).parameters.values()][1:]:
        annotation, default = parameter.annotation, parameter.default
        kind = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
        is_word = default is parameter.empty
        fits = default is False if kind == "bool" else is_word or type(default).__name__ == kind
        if kind not in _ARGUMENTS or not fits:
            raise wrong(
                f"has the parameter `{parameter}`",
                "give it a type: str, int or float, perhaps with a default of that type, or `bool = False`.",
            )
        default = None if is_word or kind == "bool" else default
        arguments.append(DeclaredArgument(name=parameter.name, kind=kind, default=default))
    return DeclaredCommand(
        function=command.__name__,
        about=detail.splitlines()[0].rstrip("."),
        detail=detail,
        arguments=tuple(arguments),
    )


def _text(function: Callable[..., object], asked: AskedCommand) -> str | _Wrong:
    """What a command prints."""
    returned = function(asked.site, **asked.arguments)
    if not isinstance(returned, str):
        return _Wrong(kind_of(returned))
    if (character := forbidden_in(returned)) is not None:
        return _Wrong(f"a text with the character U+{ord(character):04X}")
    return returned


def _files(function: Callable[..., object], site: Site) -> dict[str, bytes] | _Wrong:
    """Files by path."""
    returned = function(site)
    if not isinstance(returned, Mapping):
        return _Wrong(kind_of(returned))
    files = {}
    for path, content in returned.items():
        if not isinstance(path, str) or not isinstance(content, str | bytes):
            return _Wrong(f"{kind_of(content)} for {path!r}")
        try:
            files[path] = content.encode() if isinstance(content, str) else content
        except UnicodeEncodeError:
            return _Wrong(f"a text for {path!r} that UTF-8 cannot hold")
    return files


def _findings(function: Callable[..., object], text: Text) -> list[Finding] | _Wrong:
    returned = function(text)
    if not isinstance(returned, Iterable):
        return _Wrong(kind_of(returned))
    findings: list[Finding] = []
    for finding in returned:
        if not isinstance(finding, Finding):
            return _Wrong(f"{kind_of(finding)} among its findings")
        findings.append(finding)
    return findings


def _markdown(
    function: Callable[..., object], asked: list[Block] | list[Phrase] | list[Applied]
) -> list[str] | _Wrong:
    """The Markdown of each directive, role or value."""
    texts: list[str] = []
    for block in asked:
        returned = function(block)
        shown = f" for {shortened(_written(block), 60)}"
        if not isinstance(returned, str):
            return _Wrong(kind_of(returned) + shown)
        if len(returned) > MOST_MARKDOWN:
            return _Wrong(f"{len(returned):,} characters{shown}, and at most {MOST_MARKDOWN:,} are allowed")
        if (character := forbidden_in(returned)) is not None:
            return _Wrong(f"a text{shown} with the character U+{ord(character):04X}")
        texts.append(returned)
    return texts


def _written(block: Block | Phrase | Applied) -> str:
    if isinstance(block, Applied):
        return f"{block.value} | {block.name}"
    if isinstance(block, Phrase):
        return f"{{{block.name}}}`{block.text}`"
    return f"{{{block.name}}} {block.argument}".rstrip()


_PARTS = {
    "output": _Part(Site, _files, 'return a mapping from paths to texts or bytes: {"humans.txt": "…"}.'),
    "check": _Part(Text, _findings, "yield `Finding(line=…, message=…, fix=…)` for each mistake."),
    "directive": _Part(list[Block], _markdown, "return Markdown as a text."),
    "role": _Part(list[Phrase], _markdown, "return Markdown as a text."),
    "command": _Part(AskedCommand, _text, "return the text to print."),
    "filter": _Part(list[Applied], _markdown, "return Markdown as a text, mostly with another {eval}."),
}


def _line_of(function: Callable[..., object]) -> int:
    code = getattr(function, "__code__", None)
    return code.co_firstlineno if code is not None else 0


def _misuse(script: Script, message: str, fix: str, line: tuple[int | None, str | None]) -> FigureFailed:
    number, source = line
    return FigureFailed(
        [
            Diagnostic(
                rule="extension-failed",
                message=f'extension "{script.figure_id}": {message}',
                location=Location(path=script.path, line=number),
                source_line=source,
                fix=fix,
            )
        ]
    )
