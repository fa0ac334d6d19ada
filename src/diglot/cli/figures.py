"""`diglot figures list` and `diglot figures export`."""

import argparse
import json
from pathlib import Path

from diglot.cli.arguments import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.commands import progress_line
from diglot.cli.terminal import Terminal
from diglot.diagnostics import DiagnosticError
from diglot.figure_request import FigureRequest
from diglot.rules.building import Site
from diglot.rules.exporting import KnownFigure, Sheets, export_figures, list_figures
from diglot.rules.options import SiteOptions


def list_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Every figure with its parameters, sizes and script."""
    with Site(options) as site:
        figures, diagnostics = list_figures(site, progress=progress_line(terminal))
    if arguments.json:
        terminal.result(json.dumps([_as_json(one) for one in figures], ensure_ascii=False, indent=2))
    else:
        width = max((len(one.script.figure_id) for one in figures), default=0)
        for one in figures:
            terminal.result(f"{one.script.figure_id:<{width}}  {_described(one)}")
        terminal.diagnostics(diagnostics)
    return EXIT_SITE_ERRORS if any(one.severity == "error" for one in diagnostics) else EXIT_DONE


def export_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Draw figures into files."""
    sheets = Sheets(
        languages=arguments.lang,
        themes=arguments.theme,
        formats=arguments.format,
        size=arguments.size,
        dpi=arguments.dpi,
    )
    requests = [FigureRequest.parse(text) for text in arguments.ids]
    folder: Path = arguments.output
    count = 0
    with Site(options) as site:
        try:
            for path, warnings in export_figures(site, requests, sheets, folder=folder):
                terminal.result(str(path))
                terminal.diagnostics(warnings)
                count += 1
        except DiagnosticError as error:
            terminal.diagnostics(error.diagnostics)
            return EXIT_SITE_ERRORS
    terminal.say(f"{count} files in {folder}")
    return EXIT_DONE


def _described(figure: KnownFigure) -> str:
    computed = figure.computed
    if computed is None:
        return f"fails  {figure.script.path}"
    choices = " ".join(f"{name}={value}" for name, value in computed.parameters)
    sizes = ",".join(computed.sizes) if computed.drawable else "numbers only"
    return "  ".join(filter(None, [sizes, choices, figure.script.path]))


def _as_json(figure: KnownFigure) -> dict[str, object]:
    computed = figure.computed
    return {
        "id": figure.script.figure_id,
        "script": figure.script.path,
        "line": figure.script.first_line,
        "parameters": dict(computed.parameters) if computed else None,
        "drawable": computed.drawable if computed else None,
        "sizes": list(computed.sizes) if computed and computed.drawable else [],
        "digest": computed.digest if computed else None,
    }
