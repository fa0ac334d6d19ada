"""Extensions, of a project and of installed distributions: what each declares."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec
from msgspec import msgpack

from diglot.content.extensions import is_own
from diglot.diagnostics import Diagnostic, Location
from diglot.engine import FILE, LISTING, UpstreamFailed
from diglot.engine import FOLDER as FOLDER_NAMES
from diglot.figures.records import DeclaredExtension, ExtensionCall
from diglot.rules.extension_calls import FOLDER, FunctionId, InstalledExtension, call_extension, path_of
from diglot.rules.options import PACKAGES
from diglot.rules.tasks import Fetch, task

GROUP = "diglot.features"
"""The group of entry points of distributions that have extensions."""
Named = Literal["check", "directive", "role", "filter"]
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
    paths: list[str] = [*await fetch(LISTING, f"{FOLDER}/*.py")]
    stems = [path.removeprefix(f"{FOLDER}/").removesuffix(".py") for path in paths]
    names = [stem for stem in stems if not stem.startswith("_")]  # what is left are modules for others
    mistakes = [_misnamed(name) for name in names if not _is_name(name)]
    declared, failed = {}, None
    for name in (*filter(_is_name, names), *await _installed(fetch)):
        try:
            declared[name] = await fetch(read_extension, name)
        except UpstreamFailed:
            failed = name
    checks = _by_name("check", {name: extension.checks for name, extension in declared.items()}, mistakes)
    directives = _by_name(
        "directive", {name: extension.directives for name, extension in declared.items()}, mistakes
    )
    roles = _by_name("role", {name: extension.roles for name, extension in declared.items()}, mistakes)
    filters = _by_name("filter", {name: extension.filters for name, extension in declared.items()}, mistakes)
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
    kind: Named, functions: Mapping[str, Iterable[str]], mistakes: list[Diagnostic]
) -> dict[str, str]:
    """The functions of all extensions by the names that they have in a site. Adds mistakes in these names."""
    found: dict[str, FunctionId] = {}
    for extension, names in functions.items():
        for name in names:
            function = FunctionId(extension, name)
            shown = name if kind == "filter" else name.replace("_", "-")
            if kind != "check" and is_own(kind, shown):
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
