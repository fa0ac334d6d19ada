"""`diglot figures list` and `diglot figures export`."""

import argparse
from pathlib import Path

from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS, EXIT_USAGE
from diglot.cli.reports import as_json, diagnostics_report, figure_report
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal, are_errors
from diglot.diagnostics import Diagnostic, DiagnosticError, Refusal
from diglot.figure_request import FigureRequest
from diglot.figures.films import FILMS
from diglot.rules.building import Site
from diglot.use.exporting import KnownFigure, Sheets, export_figures, list_figures


def run_list(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print every figure with its parameters, sizes, script and message."""
    options = site_options(arguments, writes_elsewhere=True)
    with Site(options, progress=terminal.told) as site:
        figures, diagnostics = list_figures(site)
    failed = are_errors(diagnostics, strict=options.strict)
    if arguments.json:
        report = diagnostics_report(diagnostics, failed=failed)
        terminal.result(as_json({**report, "figures": [figure_report(one) for one in figures]}))
    else:
        width = max((len(one.script.figure_id) for one in figures), default=0)
        for one in figures:
            terminal.result(f"{one.script.figure_id:<{width}}  {_described(one)}")
            if one.computed is not None and one.computed.message.en:
                terminal.result(f"{'':<{width}}  {one.computed.message.en}")
        terminal.diagnostics(diagnostics)
    return EXIT_SITE_ERRORS if failed else EXIT_DONE


def run_export(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Draw figures into files."""
    options = site_options(arguments, writes_elsewhere=True)
    sheets = Sheets(
        languages=arguments.lang,
        themes=arguments.theme,
        formats=arguments.format,
        size=arguments.size,
        dpi=arguments.dpi,
        text=arguments.text,
        background=arguments.background,
        titled=arguments.title,
        credited=arguments.credit,
        plays=arguments.play,
        frames_per_s=arguments.fps,
    )
    _check(arguments)
    state = dict(arguments.state)
    parsed = [FigureRequest.parse(text) for text in dict.fromkeys(arguments.ids)]
    requests = [FigureRequest.of(one.figure_id, (*(dict(one.parameters) | state).items(),)) for one in parsed]
    folder: Path = options.root / "exports" if arguments.output is None else arguments.output
    found: list[Diagnostic] = []
    files: list[str] = []
    code = EXIT_DONE
    with Site(options, progress=terminal.told) as site:
        try:
            exporting = export_figures(site, requests, sheets, folder=folder)
            for file in exporting:
                files.append(str(file.path))
                fresh = [one for one in file.warnings if one not in found]  # every theme repeats them
                found += fresh
                if not arguments.json:
                    terminal.result(str(file.path))
                    terminal.diagnostics(fresh)
        except DiagnosticError as error:
            found += error.diagnostics
            # A diagnostic without a location is about the command line.
            code = EXIT_SITE_ERRORS if all(one.location for one in error.diagnostics) else EXIT_USAGE
            if not arguments.json:
                terminal.diagnostics(error.diagnostics)
    if code == EXIT_DONE and options.strict and found:
        code = EXIT_SITE_ERRORS
    if arguments.json:
        report = diagnostics_report(found, failed=code != EXIT_DONE)
        terminal.result(as_json({**report, "files": files}))
    elif code == EXIT_DONE:
        terminal.say(f"{len(files)} file{'s' if len(files) != 1 else ''} in {folder}")
    return code


def _check(arguments: argparse.Namespace) -> None:
    """Raise Refusal for options that do not go together."""
    if arguments.ids and arguments.all:
        raise Refusal("ids and --all do not go together", "name figures, or give --all.")
    films = [one for one in arguments.format if one in FILMS]
    if films and not arguments.play:
        fix = "add --play cycle, or the name of another parameter of the figure."
        raise Refusal(f"{films[0]} is a film, which needs a parameter to play", fix)
    if (arguments.state or arguments.play) and not arguments.ids:
        option = "--state" if arguments.state else "--play"
        raise Refusal(f"{option} needs figures that have the parameter", "name the figures.")


def _described(figure: KnownFigure) -> str:
    computed = figure.computed
    if computed is None:
        return f"fails  {figure.script.path}"
    choices = " ".join(f"{name}={value}" for name, value in computed.parameters)
    sizes = ",".join(computed.sizes) if computed.drawable else "numbers only"
    return "  ".join(filter(None, [sizes, choices, figure.script.path]))
