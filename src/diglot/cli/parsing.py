"""Parses the command line, and prints help."""

import argparse
import os
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NoReturn

from diglot import DOCS_URL, __version__
from diglot.cli.command import EXIT_USAGE, OUTPUT_HELP, Command, Options, day, option, whole_number
from diglot.cli.commands import COMMANDS, DEFAULT
from diglot.cli.site import find_root
from diglot.diagnostics import did_you_mean

_EPILOG = f"""\
exit codes:
  0    success
  1    the site has errors (printed with file, line and fix; the last good output stays)
  2    wrong usage, or a folder that cannot be read or written
  3    `diglot status` found a half behind its twin, or `diglot diff` found changes
  130  interrupted; finished work is kept

environment:
  DIGLOT_BASE_URL    the site's address, unless --base-url sets one
  DIGLOT_SHARED_CACHE      where the shared cache is, instead of `cache.remote`
  DIGLOT_SHARED_CACHE_KEY  the secret key of those who write to it, such as CI
  SOURCE_DATE_EPOCH  the time of the build in seconds since 1970, for reproducible output; --clock wins
  NO_COLOR           no colours
  CI, TERM=dumb      no colours, and a line of progress every 10 s, as in pipes
  DIGLOT_PROGRESS=0  no progress at all

documentation: {DOCS_URL}
"""


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments as a namespace; without a command, `build`."""
    parser = main_parser(argv)
    for word in argv:
        if re.fullmatch(r"-[a-z][a-z-]+", word) and f"-{word}" in parser.flags():  # -jobs, which is -j obs
            parser.error(f'no flag named "{word}": did you mean "-{word}"?')
    return _completed(parser.parse_args(argv))


def _completed(arguments: argparse.Namespace) -> argparse.Namespace:
    """Arguments with the defaults of those that were not given."""
    for name, value in _DEFAULTS.items():
        if not hasattr(arguments, name):
            setattr(arguments, name, value)
    return arguments


_DEFAULTS: dict[str, object] = {
    "root": None,
    "config": Path("site/site.yaml"),
    "output": None,
    "drafts": False,
    "future": False,
    "expired": False,
    "clock": None,
    "base_url": None,
    "strict": False,
    "jobs": os.cpu_count() or 1,
    "executor": "processes",
    "json": False,
    "verify": False,
    "precompress": False,
    "relative": False,
    "atomic": False,
    "shared_cache": "auto",
    "quiet": False,
    "verbose": 0,
    "own_commands": tuple(command.name for command in COMMANDS),
}


class Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest command or flag for a mistyped one."""

    def __init__(self, *, command: Command | None = None, **settings: Any) -> None:
        """The parser of a `command`, or with None that of all of them."""
        # An abbreviation that is unique today may become ambiguous with a new flag.
        super().__init__(**{"allow_abbrev": False, **settings})
        self._command, self._is_filled = command, False

    def fill(self) -> None:
        """Add the arguments of the command. Most parsers are never used, and stay empty."""
        command, is_filled, self._is_filled = self._command, self._is_filled, True
        if command is None or command.hands_on or is_filled:
            return
        add_common_options(self, command.output_help)
        add_options(self, command.options)
        if command.alternatives:
            add_options(self.add_mutually_exclusive_group(), command.alternatives)
        if command.verbs:
            names = "|".join(verb.name for verb in command.verbs)
            verbs = self.add_subparsers(
                dest=f"{command.name}_command", metavar=names, required=True, parser_class=Parser
            )
            add_commands(verbs, command.verbs)
        else:
            self.set_defaults(run=command.run)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse what this parser knows of the arguments."""
        self.fill()
        if self._command is None or not self._command.hands_on:
            return super().parse_known_args(args, namespace)
        return argparse.Namespace(run=self._command.run, rest=list(args or ())), []

    def format_help(self) -> str:
        """Describe the command and its arguments."""
        self.fill()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Print what is wrong to standard error, and exit with code 2."""
        self.exit(EXIT_USAGE, f"{self.prog}: {self._explained(message)}\nTry `{self.prog} --help`.\n")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Refuse an empty value: it comes from a variable that is not set, and would stand for a default."""
        is_own = arg_string in (action.const, action.default)
        if not arg_string.strip() and not is_own and action.nargs != argparse.PARSER:
            raise argparse.ArgumentError(action, "its value is empty; is a variable not set?")
        return super()._get_value(action, arg_string)

    def flags(self) -> set[str]:
        """All long flags, those of commands included; argparse has no public function for this."""
        self.fill()
        found = {flag for flag in self._option_string_actions if flag.startswith("--")}
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                found.update(*(parser.flags() for parser in action.choices.values()))
        return found

    def _explained(self, message: str) -> str:
        if choice := re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message):
            wrong, known = choice[1], re.findall(r"[\w-]+", choice[2])
            if f"--{wrong}" in self.flags():  # help, version
                return f'no command named "{wrong}": write --{wrong}'
            everything = f"commands are {', '.join(known)}."
            return f'no command named "{wrong}": {did_you_mean(wrong, known, otherwise=everything)}'
        if unknown := re.match(r"unrecognized arguments: (\S+)", message):
            wrong = unknown[1].partition("=")[0]
            if not wrong.startswith("-"):
                return f'"{wrong}" is not expected here: too many arguments'
            hint = did_you_mean(wrong, self.flags() - {wrong}, otherwise="")
            return f'no flag named "{wrong}"' + (f": {hint}" if hint else "")
        if valued := re.fullmatch(r"argument (?:.*/)?(--[\w-]+): ignored explicit argument '(.*)'", message):
            return f'{valued[1]} takes no value: write it without "={valued[2]}", or leave it out'
        return message


class _Main(Parser):
    """The parser of all commands. Its help fits on a screen; `--help all` has the flags of all commands."""

    def __init__(self, *, argv: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(add_help=False, **settings)
        self._argv = argv
        add_common_options(self, OUTPUT_HELP)
        self.add_argument(
            "-h",
            "--help",
            action=_Help,
            nargs="?",
            metavar="all|COMMAND",
            help="show what there is to do, all flags, or a command",
        )

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Look for a command among those of extensions only if diglot has none of this name."""
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            add_commands(action, self._find_more())
        super()._check_value(action, value)

    def _find_more(self) -> Sequence[Command]:
        """The commands of the site's extensions."""
        common = Parser(prog=self.prog, add_help=False)
        add_common_options(common, OUTPUT_HELP)
        arguments, _ = common.parse_known_args(self._argv)
        _completed(arguments)
        root = arguments.root or find_root(Path.cwd(), arguments.config)
        if root is None:
            return ()
        from diglot.extension_places import has_extensions  # noqa: PLC0415  (only help in a project needs it)

        if not has_extensions(root):
            return ()
        from diglot.cli.extended import find_commands_of_site  # noqa: PLC0415  (loads the engine, which `--help` does not need)

        return find_commands_of_site(arguments)

    def format_short_help(self) -> str:
        """The commands by what one wants to do."""
        lines = [
            f"{self.description}",
            "",
            "usage: diglot [COMMAND] [flags]; without a command, `diglot build`",
        ]
        for wish, commands in groupby((*COMMANDS, *self._find_more()), key=attrgetter("group")):
            lines += ["", f"{wish}:", *(f"    {command.name:<10}{command.about}" for command in commands)]
        return "\n".join([*lines, "", _MORE])


class _Help(argparse.Action):
    def __call__(self, parser: Any, namespace: object, values: Any, option_string: str | None = None) -> None:
        """Print help, and exit; a command that parses its own arguments prints its help when it runs."""
        if values not in (None, "all"):
            vars(namespace).update(vars(parser.parse_args([values, "--help"])))
            return
        print(parser.format_help() if values else parser.format_short_help(), end="")
        parser.exit()


_MORE = f"""\
`diglot COMMAND --help` describes a command, with examples; `diglot --help all` has the flags of all commands,
exit codes and environment variables. Documentation: {DOCS_URL}
"""


def main_parser(argv: Sequence[str] = ()) -> Parser:
    """The parser of all commands, for these arguments."""
    parser = _Main(
        argv=argv,
        prog="diglot",
        description="Build a bilingual site with figures that are computed from models.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"diglot {__version__}")
    add_commands(parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser), COMMANDS)
    parser.set_defaults(command=DEFAULT.name, run=DEFAULT.run)
    return parser


def add_commands(parsers: Any, commands: Iterable[Command]) -> None:
    """Add a parser for each command."""
    for command in commands:
        parsers.add_parser(
            command.name,
            command=command,
            help=command.about.replace("%", "%%"),
            description=command.detail or f"{command.about[0].upper()}{command.about[1:]}.",
            epilog=command.epilog,
            conflict_handler="resolve" if command.group == "of this site" else "error",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )


def add_options(parser: Any, options: Options) -> None:
    """Add arguments to a parser or a group of one."""
    for names, what in options.items():
        *words, last = names.split()
        has_value = bool(words) and last.isupper()
        settings = {"help": what} if isinstance(what, str) else what
        if has_value:
            settings = {"metavar": last, **settings}
        elif isinstance(what, str) and last.startswith("-"):
            settings = {"action": "store_true", **settings}
        parser.add_argument(*(words if has_value else [*words, last]), **settings)


def add_common_options(parser: Parser, output_help: str) -> None:
    """Add flags allowed before and after the command; SUPPRESS keeps one place from resetting the other."""
    group = parser.add_argument_group(
        "common flags, before or after the command", argument_default=argparse.SUPPRESS
    )
    options: Options = {
        "-C -s --root --source DIR": option(
            "the project folder (default: the current folder or the nearest above it with a configuration)",
            Path,
            dest="root",
        ),
        "--config FILE": option(
            "configuration file, relative to the project (default: site/site.yaml)", Path
        ),
        "-o -d --output --destination DIR": option(output_help, Path, dest="output"),
        "-b --base-url URL": option(
            "the site's address instead of `base_url` in the configuration, such as that of a preview",
            _base_url,
        ),
        "-D --drafts": "include drafts",
        "-F --future": "include articles dated in the future",
        "-E --expired": "include expired articles",
        "--clock DAY": option(
            "build as on this day, such as 2026-12-01, instead of today (for future and expired articles)",
            day,
        ),
        "--precompress": ("also publish texts compressed, as .gz, and as .br if diglot[brotli] is installed"),
        "--strict": "treat warnings as errors",
        "-j --jobs N": option(
            "number of parallel jobs (default: one per core)", whole_number("a number of jobs", 1, 1024)
        ),
        "--executor WHERE": option(
            "where to compute figures: processes (default) or a Dask cluster, such as dask:tcp://HOST:PORT",
            _executor,
        ),
        "--shared-cache HOW": option(
            "read: use what others made; write: add to it, too, which needs DIGLOT_SHARED_CACHE_KEY; off: "
            "neither (default: write where that is set, else read; only with `cache` in the configuration)",
            choices=("read", "write", "off"),
        ),
        "--json": "print the result as JSON on standard output, and nothing else",
        "-q --quiet": "print errors only",
        "-v --verbose": option("print every task that runs, and why", action="count"),
    }
    add_options(group, options)


def _base_url(text: str) -> str:
    from diglot.project import BASE_URL_FIX, site_address  # noqa: PLC0415  (only this option needs it)

    if (address := site_address(text)) is None:
        raise argparse.ArgumentTypeError(f'"{text}" is not the address of a site: {BASE_URL_FIX}')
    return address


def _executor(text: str) -> str:
    from diglot.figures.execution.executors import check_executor  # noqa: PLC0415  (only this option needs it)
    from diglot.figures.jobs import ExecutorTrouble  # noqa: PLC0415  (only this option needs it)

    try:
        return check_executor(text)
    except ExecutorTrouble as trouble:
        raise argparse.ArgumentTypeError(f"{trouble.message}: {trouble.fix}") from trouble
