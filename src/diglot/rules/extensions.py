"""Extensions, of a project and of installed distributions: what each declares."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Literal

import msgspec
from msgspec import msgpack

from diglot.content.extensions import is_own
from diglot.diagnostics import Diagnostic, Location
from diglot.engine import FILE, LISTING, UpstreamFailed
from diglot.engine import FOLDER as FOLDER_NAMES
from diglot.extension_places import FOLDER, GROUP
from diglot.figures.records import DeclaredCommand, DeclaredExtension, ExtensionCall
from diglot.rules.extension_calls import FunctionId, InstalledExtension, call_extension, path_of
from diglot.rules.options import COMMANDS, PACKAGES
from diglot.rules.tasks import Fetch, task

Named = Literal["check", "directive", "role", "filter", "command"]
"""What has a name that all extensions share."""


class Functions(msgspec.Struct, frozen=True, kw_only=True):
    """The functions of all extensions, each as the text of a `FunctionId`."""

    outputs: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    directives: Mapping[str, str] = {}
    """By the names of the directives."""
    roles: Mapping[str, str] = {}
    filters: Mapping[str, str] = {}
    failed: str | None = None
    """An extension that could not be loaded."""
    whole: bool = True
    """False if one could not be loaded, or has a name that it cannot have."""


@task("extension")
async def read_extension(fetch: Fetch, extension: str) -> DeclaredExtension:
    """What an extension declares."""
    return msgpack.decode(
        await call_extension(fetch, extension, ExtensionCall(kind="declare")), type=DeclaredExtension
    )


@task("extensions")
async def find_functions(fetch: Fetch, _name: None) -> Functions:
    """The functions of all extensions that can be loaded. Reports names that are used twice."""
    names = await _files(fetch)
    mistakes = [_misnamed(name) for name in names if not _is_name(name)]
    declared, failed = await _read_all(fetch, names)
    parts = declared.items()
    checks = _by_name("check", {name: part.checks for name, part in parts}, mistakes, lambda _: False)
    directives = _by_name(
        "directive", {name: part.directives for name, part in parts}, mistakes, partial(is_own, "directive")
    )
    roles = _by_name("role", {name: part.roles for name, part in parts}, mistakes, partial(is_own, "role"))
    filters = _by_name(
        "filter", {name: part.filters for name, part in parts}, mistakes, partial(is_own, "filter")
    )
    fetch.report(*mistakes)
    outputs = [FunctionId(name, function) for name in declared for function in declared[name].outputs]
    return Functions(
        outputs=tuple(map(str, outputs)),
        checks=tuple(checks.values()),
        directives=directives,
        roles=roles,
        filters=filters,
        failed=failed,
        whole=failed is None and not mistakes,
    )


class FoundCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command of an extension, and the `FunctionId` that it has as a text."""

    function: str
    declared: DeclaredCommand


@task("extension-commands")
async def find_commands(fetch: Fetch, _name: None) -> Mapping[str, FoundCommand]:
    """The commands of all extensions that can be loaded, by name. Reports names that are used twice."""
    declared, _ = await _read_all(fetch, await _files(fetch))
    found = {
        str(FunctionId(extension, command.function)): command
        for extension, parts in declared.items()
        for command in parts.commands
    }
    mistakes: list[Diagnostic] = []
    names = {name: [command.function for command in parts.commands] for name, parts in declared.items()}
    own = await fetch(COMMANDS) if found else ()
    functions = _by_name("command", names, mistakes, own.__contains__)
    fetch.report(*mistakes)
    return {
        name: FoundCommand(function=function, declared=found[function])
        for name, function in functions.items()
    }


async def _files(fetch: Fetch) -> list[str]:
    """The names of the files that have extensions."""
    paths: list[str] = [*await fetch(LISTING, f"{FOLDER}/*.py")]
    stems = [path.removeprefix(f"{FOLDER}/").removesuffix(".py") for path in paths]
    return [stem for stem in stems if not stem.startswith("_")]  # what is left are modules for others


async def _read_all(fetch: Fetch, names: Iterable[str]) -> tuple[dict[str, DeclaredExtension], str | None]:
    """What each extension declares, those of distributions too, and one that could not be loaded."""
    declared, failed = {}, None
    for name in (*filter(_is_name, names), *await _installed(fetch)):
        try:
            declared[name] = await fetch(read_extension, name)
        except UpstreamFailed:
            failed = name
    return declared, failed


async def _installed(fetch: Fetch) -> list[str]:
    """The extensions that installed distributions register, by their names."""
    found: list[InstalledExtension] = []
    for folder in await fetch(PACKAGES):
        for name in await fetch(FOLDER_NAMES, folder) or ():
            if name.endswith(".dist-info"):
                content = await fetch(FILE, f"{folder}/{name}/entry_points.txt")
                found += _registered((content or b"").decode("utf-8", "replace"))
    return list(map(str, sorted(found)))


def _registered(entry_points: str) -> Iterator[InstalledExtension]:
    """What is registered below `[diglot.features]`: lines such as `steps = diglot_steps:feature`."""
    _, begins, below = f"\n{entry_points}".partition(f"\n[{GROUP}]")
    for line in below.split("\n[")[0].splitlines() if begins else ():
        name, is_one, target = (part.strip() for part in line.partition("="))
        module, _, attribute = target.partition(":")
        if is_one and module:
            yield InstalledExtension(name, module, attribute or "feature")


def _by_name(
    kind: Named,
    functions: Mapping[str, Iterable[str]],
    mistakes: list[Diagnostic],
    is_taken: Callable[[str], bool],
) -> dict[str, str]:
    """The functions of all extensions by the names that they have in a site. Adds mistakes in these names."""
    found: dict[str, FunctionId] = {}
    for extension, names in functions.items():
        for name in names:
            function = FunctionId(extension, name)
            shown = name if kind == "filter" else name.replace("_", "-")
            if is_taken(shown):
                mistakes.append(_taken(function, f'the {kind} "{shown}" is one of diglot'))
            elif (first := found.setdefault(shown, function)) != function:
                mistakes.append(
                    _taken(function, f'the {kind} "{shown}" is also in {path_of(first.extension)}')
                )
    return {name: str(function) for name, function in found.items()}


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


def _taken(function: FunctionId, message: str) -> Diagnostic:
    return Diagnostic(
        rule="extension-name",
        message=message,
        location=Location(path=path_of(function.extension)),
        fix=f"rename the function {function.function}.",
    )
