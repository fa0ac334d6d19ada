"""Parses the command line, runs the command and returns an exit code."""

import argparse
import atexit
import gc
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NoReturn

from diglot.cli.arguments import parse_arguments
from diglot.cli.parsing import EXIT_INTERRUPTED, EXIT_SITE_ERRORS, EXIT_USAGE
from diglot.cli.terminal import Terminal
from diglot.diagnostics import DiagnosticError, Refusal, differ_little, nearest
from diglot.unreadable import diagnose_unreadable, find_unreadable

if TYPE_CHECKING:
    from diglot.rules.options import SiteOptions

_LAST_EPOCH_S = 253402300799
"""The end of the year 9999, in seconds since 1970 (UTC)."""


def run() -> NoReturn:
    """Run the command of this process, then end the process.

    The process ends without freeing memory, which would take a tenth of an edit's time. The garbage collector
    is off, because a build makes next to no reference cycles: 1,200 objects of a million.
    """
    gc.disable()
    try:
        code = main()
    except Exception as error:
        if _wants_tracebacks():
            raise
        code = _failed(error)
    except KeyboardInterrupt:  # once more, while the first one was reported
        code = EXIT_INTERRUPTED
    run_exit_functions = getattr(atexit, "_run_exitfuncs", None)  # no public function runs them early
    if run_exit_functions is None:
        sys.exit(code)
    run_exit_functions()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(code)  # Python reports the error
    os._exit(code)


def _wants_tracebacks() -> bool:
    return os.environ.get("DIGLOT_DEBUG") not in (None, "", "0") or not {"-v", "--verbose"}.isdisjoint(
        sys.argv
    )


_VARIABLES = (
    *("DIGLOT_BASE_URL", "DIGLOT_DEBUG", "DIGLOT_EDITOR", "DIGLOT_PLAIN", "DIGLOT_PROGRESS"),
    "SOURCE_DATE_EPOCH",
)
"""The variables of the environment that diglot reads and that no other program defines."""
_OURS = "DIGLOT_"
_OTHER_VARIABLES = re.compile(r"DIGLOT_(?:TEST|HOSTILE|LONG|AXE|BENCHMARKS|TRUTH|OWN|FIXED)")
"""Those of its tests, and of processes that it starts."""


def _check_variables(terminal: Terminal, *, strict: bool) -> None:
    """Warn of variables that diglot does not read, although their names show that it should."""
    for name in sorted(os.environ.keys() - {*_VARIABLES}):
        wanted = name.upper()
        is_named_so = wanted.startswith(_OURS) and _OTHER_VARIABLES.match(name) is None
        meant = next((one for one in _VARIABLES if wanted == one or differ_little(wanted, one)), None)
        if meant is None and is_named_so:
            words = {one.removeprefix(_OURS): one for one in _VARIABLES}
            meant = words.get(nearest(wanted.removeprefix(_OURS), words) or "")
        elif meant is None:
            continue
        message = f"nothing reads the environment variable {name}"
        fix = f"diglot reads {', '.join(_VARIABLES[:-1])}; a variable of your own needs another name."
        if meant is not None:
            fix = f"set {meant} instead, or unset it."
        if strict:
            raise Refusal(message, fix)
        terminal.say(f"warning: {message}\n  fix: {fix}")


def _failed(error: Exception) -> int:
    """Print that diglot itself failed, outside of any task."""
    said = " ".join(str(error).split())
    Terminal(quiet=False, verbose=False, strict=False).failure(
        f"diglot itself failed: {type(error).__name__}{f': {said}' if said else ''}",
        "please report it with the output of -v.",
    )
    return EXIT_SITE_ERRORS


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        arguments = parse_arguments(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:  # interrupted while arguments are parsed
        return EXIT_INTERRUPTED
    terminal = Terminal(quiet=arguments.quiet, verbose=arguments.verbose, strict=arguments.strict)
    try:
        _check_variables(terminal, strict=arguments.strict)
        if arguments.command in ("init", "schema"):  # they need no site
            from diglot.cli import starting  # noqa: PLC0415  (a command loads only what it needs)

            run_it = starting.init_command if arguments.command == "init" else starting.schema_command
            return run_it(arguments, terminal)
        if arguments.command == "import":  # it may make the site
            from diglot.cli.importing import import_command  # noqa: PLC0415  (a command loads only what it needs)

            return import_command(arguments, terminal)
        if arguments.command == "doctor":
            from diglot.cli.doctor import doctor_command  # noqa: PLC0415  (a command loads only what it needs)

            root = arguments.root or _find_root(Path.cwd(), arguments.config)
            return doctor_command(arguments, root, terminal)
        if arguments.command == "hardware":
            from diglot.hardware.__main__ import main as hardware  # noqa: PLC0415  (only this command needs it)

            root = arguments.root or _find_root(Path.cwd(), arguments.config) or Path.cwd()
            return hardware(arguments.rest, program="diglot hardware", folder=root / "site" / "hardware")
        options = _options(arguments)
        from diglot.cli import commands  # noqa: PLC0415  (a command loads only what it needs)

        return commands.run(arguments, options, terminal)
    except KeyboardInterrupt:
        terminal.say("interrupted; finished work is kept")
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader of our output has exited, as in `diglot … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_SITE_ERRORS
    except DiagnosticError as error:
        # Reports know the builder, which `--help` does not load.
        from diglot.cli.reports import as_json, diagnostics_report  # noqa: PLC0415  (only such errors need it)

        if arguments.json:
            terminal.result(as_json(diagnostics_report(error.diagnostics, failed=True)))
        else:
            terminal.diagnostics(error.diagnostics)
        return EXIT_USAGE
    except Refusal as refusal:
        terminal.failure(refusal.message, refusal.fix)
        return EXIT_USAGE
    except OSError as error:
        if arguments.verbose:
            raise
        terminal.failure(*_explained(error))
        return EXIT_USAGE
    finally:
        terminal.close()


def _explained(error: OSError) -> tuple[str, str]:
    """What the system refused, and what to do about it."""
    name = error.filename or "a file"
    match error:
        case FileNotFoundError():
            return f"there is no file {name}", "correct its name, or the folder that it is in."
        case IsADirectoryError():
            return f"{name} is a folder", "write the name of a file."
        case NotADirectoryError():
            return f"{name} is below a file, which holds nothing", "correct the name."
        case FileExistsError():
            return f"{name} is there already", "delete it, or choose another name."
    where = f": {error.filename}" if error.filename else ""
    return (
        f"{error.strerror or error}{where}",
        "check permissions and disk space; -v shows where it happened.",
    )


def _options(arguments: argparse.Namespace) -> "SiteOptions":
    """The options of the site. Raises Refusal if they make no sense."""
    from diglot.rules.options import PREVIEW, SiteOptions, unfit_output  # noqa: PLC0415  (loads the engine, which `--help` does not need)

    config: Path = arguments.config
    root = arguments.root.resolve() if arguments.root else _find_root(Path.cwd(), config)
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
    exporting = arguments.command in ("figures", "slides", "status")  # their --output names another folder
    trouble = None
    if arguments.output is None and arguments.command == "serve":
        output = root / PREVIEW  # drafts are shown, so not the folder that is published
    else:
        named = None if exporting else arguments.output
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
    everything = arguments.command == "serve" and arguments.clock is None
    return SiteOptions(
        root=root,
        output=output.resolve(),
        config=config.relative_to(root).as_posix(),
        drafts=arguments.drafts or arguments.command == "serve",
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
    )


def _find_root(folder: Path, config: Path) -> Path | None:
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
