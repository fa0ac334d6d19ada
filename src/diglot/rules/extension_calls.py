"""Calls of the functions of extensions, in workers."""

from functools import partial
from typing import NamedTuple, Self

from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.extension_places import FOLDER
from diglot.figures.records import ExtensionCall, Script
from diglot.figures.scripts.failures import FigureFailed
from diglot.rules.observing import observed_result
from diglot.rules.tasks import Fetch


class FunctionId(NamedTuple):
    """A function of an extension: `humans:find_authors`."""

    extension: str
    function: str

    def __str__(self) -> str:
        return f"{self.extension}:{self.function}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        extension, _, function = text.rpartition(":")
        return cls(extension, function)


class InstalledExtension(NamedTuple):
    """One that a distribution registers: `steps@diglot_steps:feature`."""

    name: str
    module: str
    attribute: str

    def __str__(self) -> str:
        return f"{self.name}@{self.module}:{self.attribute}"

    @classmethod
    def parse(cls, text: str) -> "Self | None":
        """Read what `str` wrote; None for the name of an extension that is a file."""
        name, is_installed, target = text.partition("@")
        module, _, attribute = target.partition(":")
        return cls(name, module, attribute) if is_installed else None


def path_of(extension: str) -> str:
    """The file of an extension, or the installed module that it is in."""
    installed = InstalledExtension.parse(extension)
    return f"{FOLDER}/{extension}.py" if installed is None else f"{installed.module} (installed)"


def _script_of(extension: str) -> Script:
    installed = InstalledExtension.parse(extension)
    if installed is None:
        return Script(figure_id=extension, path=path_of(extension), of_extension=True)
    source = f"from {installed.module} import {installed.attribute} as feature\n"
    return Script(figure_id=installed.name, path=path_of(extension), source=source, of_extension=True)


def rule_of(function: str) -> str:
    """The rule of what a check finds."""
    return f"extension-{function.replace('_', '-')}"


async def call_extension(fetch: Fetch, extension: str, call: ExtensionCall) -> bytes:
    """What an extension answers. Records what it read."""
    script = _script_of(extension)
    workers, told_as = fetch.context.workers, partial(_of_extension, script.figure_id)
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
