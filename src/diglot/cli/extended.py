"""Commands of a site's extensions: declared like diglot's own, and run in a worker."""

import argparse
import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import json

from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS, Command
from diglot.cli.reports import as_json, diagnostics_report
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import DiagnosticError, Refusal
from diglot.features.extensions.tasks import CommandId, run_command
from diglot.figures.records import DeclaredArgument
from diglot.rules.building import Site
from diglot.rules.extension_calls import FunctionId
from diglot.rules.extensions import FoundCommand, find_commands

_GIVEN = "given."
"""How the names begin that the arguments of these commands have in a namespace."""


def find_commands_of_site(arguments: argparse.Namespace) -> tuple[Command, ...]:
    """The commands that a site has besides diglot's. Prints mistakes in them."""
    terminal = Terminal(quiet=arguments.quiet, verbose=arguments.verbose, strict=arguments.strict)
    try:
        with Site(site_options(arguments)) as site:
            (found,), mistakes = site.values_that_are(find_commands, [None])
    except Refusal:  # what is asked for cannot be done, of which its own command says more
        return ()
    except DiagnosticError as error:
        found, mistakes = None, tuple(error.diagnostics)
    finally:
        terminal.close()
    terminal.diagnostics(mistakes)
    return tuple(_command(name, command) for name, command in (found or {}).items())


def _command(name: str, found: FoundCommand) -> Command:
    return Command(
        name=name,
        about=found.declared.about,
        detail=found.declared.detail,
        group="of this site",
        options=dict(_argument(argument) for argument in found.declared.arguments),
        run="diglot.cli.extended:run",
    )


def _argument(argument: DeclaredArgument) -> tuple[str, dict[str, Any]]:
    """An argument as an option of a command: its name, and its settings."""
    shown = argument.name.replace("_", "-")
    dest = f"{_GIVEN}{argument.name}"
    if argument.kind == "bool":
        return f"--{shown}", {"dest": dest, "action": "store_true", "default": False, "help": ""}
    what, read = _KINDS[argument.kind]
    settings = {"metavar": shown.upper(), "type": read}
    if argument.default is None:
        return dest, {**settings, "help": what}
    default = f" (default: {argument.default})" if argument.default != "" else ""
    help_ = f"{what}{default}".replace("%", "%%")
    return f"--{shown}", {**settings, "dest": dest, "default": argument.default, "help": help_}


def _whole(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,15}", text):
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number')
    return int(text)


def _decimal(text: str) -> float:
    if not re.fullmatch(r"-?[0-9]{1,15}(\.[0-9]{1,15})?", text):
        raise argparse.ArgumentTypeError(f'"{text}" is not a number')
    return float(text)


_KINDS: Mapping[str, tuple[str, Callable[[str], str | int | float]]] = {
    "str": ("a text", str),
    "int": ("a whole number", _whole),
    "float": ("a number", _decimal),
}


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print what the function returns."""
    with Site(site_options(arguments), progress=terminal.told) as site:
        found = site.value(find_commands, None)[arguments.command]
        given = {
            name.removeprefix(_GIVEN): value
            for name, value in vars(arguments).items()
            if name.startswith(_GIVEN)
        }
        name = CommandId(FunctionId.parse(found.function), json.encode(given, order="sorted").decode())
        (text,), diagnostics = site.values_that_are(run_command, [name])
    if arguments.json:
        terminal.result(as_json({**diagnostics_report(diagnostics, failed=text is None), "printed": text}))
    else:
        terminal.diagnostics(diagnostics)
        if text is not None:
            terminal.result(text.removesuffix("\n"))
    return EXIT_SITE_ERRORS if text is None else EXIT_DONE
