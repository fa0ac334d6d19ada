"""Runs the functions of an extension in a worker."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType

import msgspec

from diglot.diagnostics import Diagnostic, Location
from diglot.extending import Feature, Finding, Site, Text
from diglot.figures.records import DeclaredExtension, ExtensionCall, Script
from diglot.figures.scripts.failures import FigureFailed, ScriptFailures, line_numbered, line_with
from diglot.figures.scripts.kinds import kind_of


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
    if call.kind == "declare":
        return msgspec.msgpack.encode(
            DeclaredExtension(outputs=tuple(feature.outputs), checks=tuple(feature.checks))
        )
    functions = feature.outputs if call.kind == "output" else feature.checks
    function = functions[call.function]
    with ScriptFailures(script, root):
        if call.kind == "output":
            returned = function(msgspec.msgpack.decode(call.argument, type=Site))
        else:
            returned = function(msgspec.msgpack.decode(call.argument, type=Text))
            returned = [*returned] if isinstance(returned, Iterable) else returned
    made = _files(returned) if call.kind == "output" else _findings(returned)
    if isinstance(made, str):
        fix = (
            'return a mapping from paths to texts or bytes: {"humans.txt": "…"}.'
            if call.kind == "output"
            else "yield `Finding(line=…, message=…, fix=…)` for each mistake."
        )
        line = line_numbered(_line_of(function), script, root)
        raise _misuse(script, f"`{call.function}` returned {made}", fix, line)
    return msgspec.msgpack.encode(made)


def _files(returned: object) -> dict[str, bytes] | str:
    """Files by path, or what is wrong."""
    if not isinstance(returned, Mapping):
        return kind_of(returned)
    files = {}
    for path, content in returned.items():
        if not isinstance(path, str) or not isinstance(content, str | bytes):
            return f"{kind_of(content)} for {path!r}"
        try:
            files[path] = content.encode() if isinstance(content, str) else content
        except UnicodeEncodeError:
            return f"a text for {path!r} that UTF-8 cannot hold"
    return files


def _findings(returned: object) -> list[Finding] | str:
    """Findings, or what is wrong."""
    if not isinstance(returned, list):
        return kind_of(returned)
    for finding in returned:
        if not isinstance(finding, Finding):
            return f"{kind_of(finding)} among its findings"
    return returned


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
