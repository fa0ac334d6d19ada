"""`diglot hardware list`, `… show h200`: the catalogue with own chips; `… plan`, `… fit`, `… validate`."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from diglot.hardware.chips.catalogue import Catalogue
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import OWN_CHIPS_FOLDER, CatalogueError, load_catalogue
from diglot.hardware.planning.command import (
    add_fit_command,
    add_plan_command,
    find_fits,
    make_changed_plan,
    make_plan,
)
from diglot.hardware.validation.judging import DATA, validate


def main(
    arguments: Sequence[str] | None = None,
    *,
    program: str = "python -m diglot.hardware",
    folder: str | os.PathLike[str] = OWN_CHIPS_FOLDER,
) -> int:
    """Print a list, a chip or a plan. `folder` has the own chips of a project.

    Returns 2 for an unknown chip, an invalid catalogue file and a question that makes no sense, 1 for a plan
    without a candidate and where nothing fits, otherwise 0.
    """
    parser = argparse.ArgumentParser(
        prog=program, description="The catalogue of chips, and plans for serving on them."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser(
        "list", help="list every chip, one per line (~: rounded, scaled or second-hand)"
    )
    show = commands.add_parser("show", help="show every value of one chip with its source")
    show.add_argument("chip", help="id or short name, e.g. h200")
    for command in (listing, show):
        command.add_argument("--json", action="store_true", help="print everything as JSON")
    add_plan_command(commands)
    add_fit_command(commands)
    validating = commands.add_parser(
        "validate", help="how near the models are to measured kernels, services and training steps"
    )
    words = "a file of the schema worked-cases/1 (default: the package's own)"
    validating.add_argument("measurements", nargs="?", type=Path, default=DATA, help=words)
    parser.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="YAML",
        help="files of chips to load besides site/hardware/*.yaml",
    )
    asked = parser.parse_args(arguments)
    if asked.command == "validate":
        return validate(asked.measurements)
    try:
        catalogue = load_catalogue(*asked.file, folder=folder)
    except CatalogueError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    if asked.command == "list":
        if asked.json:
            every = (*catalogue.chips, *catalogue.provisional)
            return _print(iter([json.dumps([_as_json(chip) for chip in every], indent=1)]))
        print(_explain_marks(catalogue), file=sys.stderr)
        return _print(_describe_chips(catalogue))
    try:
        if asked.command == "plan":
            if asked.what_if:
                given = sys.argv[1:] if arguments is None else arguments
                changed = parser.parse_args([*given, *(f"--{change}" for change in asked.what_if)])
                plan, lines = make_changed_plan(asked, changed, catalogue)
            else:
                plan, lines = make_plan(asked, catalogue)
            return _print(lines) or int(not plan.points)
        if asked.command == "fit":
            fits, lines = find_fits(asked, catalogue)
            return _print(lines) or int(not fits)
        chip = catalogue.find(asked.chip)
    except (ValueError, KeyError) as error:
        print(error.args[0], file=sys.stderr)
        return 2
    if asked.json:
        return _print(iter([json.dumps(_as_json(chip), indent=1)]))
    return _print(_describe_chip(chip, catalogue))


def _print(lines: Iterator[str]) -> int:
    try:
        print("\n".join(lines), flush=True)
    except BrokenPipeError:  # the reader closed the pipe, as `… | head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _as_json(chip: Chip) -> dict[str, Any]:
    """A chip with all its figures, in base units and as they are printed."""
    names = ("id", "name", "short_name", "vendor", "year", "kind", "architecture", "memory_type", "topology")
    figures = ("field", "value", "unit", "printed", "source", "as_of", "approximate")
    prices = ("usd_per_chip_s", "printed", "kind", "region", "sku", "date", "source", "approximate")
    return {
        **{name: getattr(chip, name) for name in names},
        "figures": [{name: getattr(each, name) for name in figures} for each in chip.quantities],
        "prices": [{name: getattr(each, name) for name in prices} for each in chip.prices],
        "provisional": str(chip.provisional or ""),
    }


def _describe_chips(catalogue: Catalogue) -> Iterator[str]:
    for chip in (*catalogue.chips, *catalogue.provisional):
        bf16, bandwidth = (
            f"{chip.quantity(field).value / 1e12 * scale:g} {unit}" + " ~" * chip.quantity(field).approximate
            if chip.has(field)
            else "-"
            for field, scale, unit in (
                ("peak_dense.bf16", 1, "TFLOP/s"),
                ("memory.bandwidth", 1000, "GB/s"),
            )
        )
        mark = "" if chip.provisional is None else "  provisional"
        mark = "" if chip.provisional is None else "  provisional"
        yield f"{chip.id:<14}{chip.short_name:<14}{chip.year}  bf16 {bf16:<16}  {bandwidth}{mark}"


def _explain_marks(catalogue: Catalogue) -> str:
    """What holds of a whole column is said once, apart from the lines, one for each chip."""
    dated = [chip.id for chip in catalogue.chips if chip.year_sources]
    others = f", but for {', '.join(dated)}" if dated else ""
    provisional = "provisional: announced or reported figures, `show` says by whom"
    return f"~: rounded, scaled or second-hand; {provisional}; years have no source{others}"


def _describe_chip(chip: Chip, catalogue: Catalogue) -> Iterator[str]:
    yield f"{chip.name} ({chip.vendor}), {catalogue.places[chip.id]}"
    if chip.provisional is not None:
        yield f"  provisional: {chip.provisional}"
    yield f"  {'year':<44}{chip.year!s:<24}[{', '.join(chip.year_sources) or 'no source'}]"
    for quantity in chip.quantities:
        doubt = " ~" if quantity.approximate else ""
        source = f"{quantity.source}, {quantity.as_of}" if quantity.source else "derived"
        note = f"  {quantity.note}" if quantity.note else ""
        yield f"  {quantity.field:<44}{quantity.printed + doubt:<24}[{source}]{note}"
    if not chip.prices:
        yield "  no price is known"
    for price in chip.prices:
        doubt = " ~" if price.approximate else ""
        yield f"  {price.printed}{doubt}  {price.sku}, {price.region}, {price.date} [{price.source}]"
    for conflict in chip.conflicts:
        claims = ", ".join(f"{claim.value} [{claim.source}]" for claim in conflict.claims)
        note = f"  {conflict.note}" if conflict.note else ""
        yield f"  disagreement on {conflict.field}: {claims}; used: {conflict.used}{note}"
    used = {quantity.source for quantity in chip.quantities} | {price.source for price in chip.prices}
    for id_, cited in catalogue.sources.items():
        if id_ in used:
            yield f"  [{id_}] {cited.title}. {cited.url} ({cited.tier}, {cited.as_of})"


if __name__ == "__main__":
    sys.exit(main())
