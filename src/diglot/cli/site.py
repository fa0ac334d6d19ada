"""The site that a command works on: finds its folder, and makes its options."""

import argparse
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from diglot.diagnostics import DiagnosticError, Refusal, nearest
from diglot.shared_cache.addresses import address_fault
from diglot.unreadable import diagnose_unreadable, find_unreadable

if TYPE_CHECKING:
    from diglot.rules.options import SharedAccess, SiteOptions

SECRET_VARIABLE = "DIGLOT_SHARED_CACHE_KEY"
"""The variable with the secret key of those who write to a shared cache."""
_LAST_EPOCH_S = 253402300799
"""The end of the year 9999, in seconds since 1970 (UTC)."""


def site_options(
    arguments: argparse.Namespace, *, previewed: bool = False, writes_elsewhere: bool = False
) -> "SiteOptions":
    """The options of the site. Raises Refusal if they make no sense.

    A site that is `previewed` is built into a folder of its own, with all its articles. A command that
    `writes_elsewhere` has another use for `--output` than to publish the site there.
    """
    from diglot.rules.options import PREVIEW, SiteOptions, unfit_output  # noqa: PLC0415  (loads the engine, which `--help` does not need)

    os.environ.pop(SECRET_VARIABLE, None)  # a build has taken it: scripts of figures must not inherit it
    config: Path = arguments.config
    root = arguments.root.resolve() if arguments.root else find_root(Path.cwd(), config)
    folders = [root] if root else [Path.cwd(), *Path.cwd().parents]
    named = (root or Path.cwd()) / config
    if config.suffix not in (".yaml", ".yml") and named.exists():
        kind = "a folder" if named.is_dir() else "no YAML file"
        raise Refusal(
            f"{config.as_posix()} is {kind}, and --config names a configuration",
            _renaming(folders, config) or "write the path of one, such as site/site.yaml.",
        )
    if root is None or not (root / config).is_file():
        for folder in folders:
            if (unreadable := find_unreadable(str(folder), config.as_posix())) is not None:
                raise DiagnosticError(diagnose_unreadable(unreadable))
        where = f'"{arguments.root}"' if arguments.root else "this folder or any folder above it"
        raise Refusal(
            f"there is no {config.as_posix()} in {where}",
            _renaming(folders, config)
            or "`diglot init` makes a new site here; or change to a site's folder, or name it with --root; "
            "--config names another configuration file.",
        )
    config = (root / config).resolve()
    if not config.is_relative_to(root):
        raise Refusal(f"{config} is not in the project {root}", "move the configuration into the project.")
    trouble = None
    if arguments.output is None and previewed:
        output = root / PREVIEW  # drafts are shown, so not the folder that is published
    else:
        named = None if writes_elsewhere else arguments.output
        output = root / "public" if named is None else Path.cwd() / named
        trouble = unfit_output(output.resolve(), root, config)
    if trouble is not None:
        raise Refusal(trouble, "choose a folder that is used for nothing else, such as public.")
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch and not (epoch.isascii() and epoch.isdigit() and int(epoch) <= _LAST_EPOCH_S):
        raise Refusal(
            f'SOURCE_DATE_EPOCH is "{epoch}", which is not a number of seconds since 1970',
            "set it to a whole number, such as the output of `git log -1 --format=%ct`, or unset it.",
        )
    base_url = arguments.base_url
    if base_url is None and (text := os.environ.get("DIGLOT_BASE_URL", "")):
        from diglot.project import BASE_URL_FIX, site_address  # noqa: PLC0415  (only this variable needs it)

        base_url = site_address(text)
        if base_url is None:
            raise Refusal(f'DIGLOT_BASE_URL is "{text}", which is not the address of a site', BASE_URL_FIX)
    # A preview shows everything, but with --clock what readers would see on that day.
    everything = previewed and arguments.clock is None
    return SiteOptions(
        root=root,
        output=output.resolve(),
        config=config.relative_to(root).as_posix(),
        drafts=arguments.drafts or previewed,
        future=arguments.future or everything,
        expired=arguments.expired or everything,
        clock=arguments.clock,
        base_url=base_url,
        strict=arguments.strict,
        jobs=arguments.jobs,
        executor=arguments.executor,
        precompress=arguments.precompress,
        relative=arguments.relative,
        atomic=arguments.atomic,
        commands=arguments.own_commands,
        shared=shared_access(root, config, arguments.shared_cache),
    )


_SETS_CACHE = re.compile(rb"^cache:", re.M)


def shared_access(root: Path, config: Path, mode: str) -> "SharedAccess | None":
    """Where the project's configuration says that machines share a cache; None if it does not, or is wrong.

    A build reports the mistakes in it. Configurations without the setting are not parsed.
    """
    text = config.read_bytes()
    if mode == "off" or not _SETS_CACHE.search(text):
        return None
    from diglot.project import load_project  # noqa: PLC0415  (few sites share a cache)
    from diglot.rules.options import SharedAccess  # noqa: PLC0415  (likewise)

    with suppress(DiagnosticError, UnicodeDecodeError):
        settings = load_project(text.decode(), config.relative_to(root).as_posix()).cache
        if settings is not None:
            remote = os.environ.get("DIGLOT_SHARED_CACHE", "") or settings.remote
            if (fix := address_fault(remote)) is not None:
                raise Refusal(f'DIGLOT_SHARED_CACHE is "{remote}", which is no place for a shared cache', fix)
            return SharedAccess(remote=remote, keys=settings.keys)
    return None


def find_root(folder: Path, config: Path) -> Path | None:
    """The nearest folder, upwards from `folder`, that holds the configuration."""
    return next((one for one in (folder, *folder.parents) if (one / config).is_file()), None)


_USUAL = Path("site/site.yaml")
_OLD_CONFIGURATIONS = (
    ("hugo.toml", "hugo"),
    ("hugo.yaml", "hugo"),
    ("source/_posts", "hexo"),
    ("myst.yml", "myst"),
    ("_quarto.yml", "quarto"),
    (".obsidian", "obsidian"),
    ("_config.yml", "jekyll"),
)
"""Files at the root of what `diglot import` reads, by the names of the generators."""


def _renaming(folders: Sequence[Path], config: Path) -> str | None:
    """What to do where a file is there that is nearly called as the configuration; None where none is."""
    from diglot.rules.homes import is_configuration  # noqa: PLC0415  (only a missing configuration needs it)
    from diglot.rules.near_names import near_miss  # noqa: PLC0415  (only a missing configuration needs it)

    if config != _USUAL:  # it was named, perhaps with a slip
        there = [
            path.relative_to(one)
            for one in folders
            for path in sorted(one.glob("site/*.yaml"))
            if path.is_file()
        ]
        meant = [one for one in there if one.stem in (config.name, config.stem)]
        close = nearest(config.as_posix(), [one.as_posix() for one in there])
        if meant or close:
            return f"write `--config {meant[0].as_posix() if meant else close}`."
        return "give the path of a configuration, a file whose name ends in .yaml."
    for one in folders:
        here = [one / config.name] if (one / "content").is_dir() else []  # else it may be another program's
        beside = sorted((one / config).parent.glob("*"))
        for path in (*here, *beside):
            is_alike = near_miss(path.name, (config.name,)) is not None or (
                path.suffix in (".yaml", ".yml") and is_configuration(path.name)
            )
            if path.is_file() and (path in here or is_alike):
                return f"rename {path.relative_to(one).as_posix()} to {config.as_posix()}."
    for name, generator in _OLD_CONFIGURATIONS:
        if (folders[0] / name).exists():
            source, target = quote(str(folders[0])), quote(f"{folders[0]}-diglot")
            return f"`diglot import {generator} {source} -o {target}` makes a site of what is there."
    return None
