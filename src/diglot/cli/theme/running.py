"""`diglot theme list` and `diglot theme copy`."""

import argparse
from pathlib import Path

import msgspec

from diglot import __version__
from diglot.cli.command import EXIT_DONE, EXIT_USAGE
from diglot.cli.reports import as_json
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Refusal, counted, did_you_mean
from diglot.engine.globs import is_scratch
from diglot.render.theme import built_in_theme
from diglot.render.theme_files import Kind, ThemeFile, marked_copy, named, theme_files
from diglot.rules.theme import CUSTOM_STYLE

_HEADINGS: dict[Kind, str] = {"template": "templates", "words": "words", "static": "static files"}
_OWN = "templates"


def run_list(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print every file of the theme, and what the project does with it."""
    options = site_options(arguments)
    built_in, own = built_in_theme(), options.root / _OWN
    files = theme_files(_contents(built_in), {} if _is_same(own, built_in) else _contents(own))
    custom_style = (options.root / CUSTOM_STYLE).is_file()
    if arguments.json:
        report = {"ok": True, "files": msgspec.to_builtins(files), "custom_style": custom_style}
        terminal.result(as_json(report))
        return EXIT_DONE
    width = max(len(one.name) for one in files)
    for kind, heading in _HEADINGS.items():
        terminal.result(heading)
        for one in files:
            if one.kind == kind:
                terminal.result(f"  {one.name:<{width}}  {_described(one)}")
    terminal.result("style sheet")
    linked = "linked on every page" if custom_style else "linked on every page once it is there"
    terminal.result(f"  {CUSTOM_STYLE:<{width}}  {linked}")
    return EXIT_DONE


def run_copy(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Copy built-in files into the project."""
    options = site_options(arguments)
    built_in, own = built_in_theme(), options.root / _OWN
    if _is_same(own, built_in):
        raise Refusal(f"{_OWN}/ of this project is the built-in theme", "change its files where they are.")
    contents = _contents(built_in)
    copied: list[str] = []
    failed = False
    for file in dict.fromkeys(arguments.files):
        name = named(file, contents)
        if name is None:
            terminal.failure(f'the theme has no file "{file}"', did_you_mean(file, contents))
            failed = True
            continue
        path = own / name
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("xb") as target:  # never replaces a file
                target.write(marked_copy(name, contents[name], __version__))
        except FileExistsError:
            terminal.failure(
                f"{_OWN}/{name} already exists and stays as it is", "move it away to get the built-in one."
            )
            failed = True
            continue
        copied.append(f"{_OWN}/{name}")
        if not arguments.json:
            terminal.result(copied[-1])
    if arguments.json:
        terminal.result(as_json({"ok": not failed, "files": copied}))
    elif copied:
        terminal.say(f"copied from diglot {__version__}; a copy stays as it is when diglot changes")
    return EXIT_USAGE if failed else EXIT_DONE


def _described(file: ThemeFile) -> str:
    path = f"{_OWN}/{file.name}"
    match file.state:
        case "built-in":
            return "built-in"
        case "own":
            return f"{path}, the project's own"
        case "not read":
            return f"{path}, which nothing reads"
        case "extended":
            what = f"{path} extends it"
        case "added to":
            what = f"{path}: {counted(file.replaced, 'word')} replaced, {file.added} added"
        case _:
            what = f"{path} instead"
    if file.copied_from is not None:
        what += f", copied from diglot {file.copied_from}"
    return f"{what}; the built-in one is another now" if file.outdated else what


def _contents(folder: Path) -> dict[str, bytes]:
    """The files below a folder by their path in it, without hidden and temporary ones."""
    return {
        name: path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not any(map(is_scratch, (name := path.relative_to(folder).as_posix()).split("/")))
    }


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()
