"""`diglot explain`: why something was or would be rebuilt, and what a value in prose depends on."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from diglot.cli.command import EXIT_DONE
from diglot.cli.reports import as_json, explanation_report
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Refusal
from diglot.engine import format_explanation
from diglot.languages import exact_number
from diglot.render.facts_read import Reach
from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from diglot.rules.provenance import ReadChip, ReadFigure, ValueChain, path_of, trace_value, values_at


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print why something was or would be rebuilt, or what a value depends on."""
    options = site_options(arguments)
    if arguments.expression is not None:
        if arguments.target != "value":
            raise Refusal(
                f'"{arguments.expression}" is not expected here: too many arguments',
                f"`diglot explain {arguments.target}`, or `diglot explain value '{arguments.expression}'`.",
            )
        return _explain_value(arguments, options, terminal)
    with Site(options, progress=terminal.told) as site:
        explanation = site.last_build.explain(arguments.target)
    if arguments.graph is not None:
        from diglot.engine.graph import graph_dot, graph_values  # noqa: PLC0415  (only this option needs it)

        graph: Path = arguments.graph
        as_values = graph.suffix == ".json"
        graph.write_text(as_json(graph_values(explanation)) if as_values else graph_dot(explanation), "utf-8")
    if arguments.json:
        terminal.result(as_json(explanation_report(explanation)))
    else:
        terminal.result(format_explanation(explanation))
    return EXIT_DONE


def _explain_value(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    with Site(options, progress=terminal.told) as site:
        at_place = values_at(site, arguments.expression)
        expressions = at_place or (arguments.expression,)
        path = path_of(site, arguments.expression)
        chains = [trace_value(site, one, path) for one in expressions]
    if arguments.json:
        told = [msgspec.to_builtins(one) for one in chains]
        terminal.result(as_json(told if at_place else told[0]))
    else:
        terminal.result("\n\n".join("\n".join(_lines(one)) for one in chains))
    return EXIT_DONE


def _lines(chain: ValueChain) -> Iterator[str]:
    texts = dict.fromkeys(chain.texts.values())
    yield f"{chain.expression} is {' / '.join(texts)}"
    if chain.unformatted not in texts:
        yield f"  unformatted: {chain.unformatted}"
    if chain.places:
        yield f"  quoted in {', '.join(chain.places)}"
    if not chain.figures:
        yield "  which reads no figure"
    for figure in chain.figures:
        yield from _figure_lines(figure)


def _figure_lines(figure: ReadFigure) -> Iterator[str]:
    yield f"from the figure {figure.request}, computed by {figure.script}"
    for line in figure.lines:
        yield f"  {figure.script}:{line.line}: {line.code}"
    if figure.parameters:
        yield f"  with {', '.join(f'{name} = {value}' for name, value in figure.parameters)}"
    if figure.files:
        yield f"  which read {', '.join(figure.files)}"
    if figure.variables:
        variables = "variables" if len(figure.variables) > 1 else "variable"
        yield f"  which read the environment {variables} {', '.join(figure.variables)}"
    if told := _REACH[figure.reach] if figure.chips or figure.other_chips else "":
        yield f"  {told}"
    for chip in figure.chips:
        if not chip.has_all:
            yield from _chip_lines(chip)
    if whole := [chip.name for chip in figure.chips if chip.has_all]:
        yield f"  all numbers of {', '.join(whole)} (--json has them, with their sources)"
    if figure.other_chips:
        yield f"  the figure read numbers of {', '.join(figure.other_chips)}, too"


_REACH: Mapping[Reach, str] = {
    "script": "the script computes it from constants and parameters alone: it depends on no chip",
    "fact": "it is a fact exactly as in the catalogue:",
    "chip": "its path names the chip, of which the figure read:",
    "figure": "its path names no chip, so it may depend on all that the figure read:",
}
"""How closely it is known what a value depends on."""


def _chip_lines(chip: ReadChip) -> Iterator[str]:
    yield f"  {chip.name} ({chip.id})"
    dates = {one.id: one.as_of for one in chip.sources}
    for fact in chip.facts:
        about = "approximately " if fact.approximate else ""
        value = fact.printed or f"{exact_number(fact.value)} {fact.unit}".strip()
        yield f"    {fact.field}: {about}{value} ({fact.source}, {dates.get(fact.source, '')})"
        for disagreement in fact.disagreements:
            claims = ", ".join(f"{claim} ({source})" for claim, source in disagreement.claims)
            yield f"      sources disagree: {claims}"
    for price in chip.prices:
        value = f"{price.usd_per_hour:.2f} USD/h, {price.sku}, {price.region}"
        yield f"    price: {value} ({price.source}, {price.date})"
    yield "    sources"
    for source in chip.sources:
        yield f"      {source.id}: {source.title}, {source.url}"
