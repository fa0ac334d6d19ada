"""`python -m diglot.hardware plan …`: arguments, and a plan as a table or as JSON."""

import argparse
import difflib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from diglot.hardware.chips.catalogue import Catalogue
from diglot.hardware.chips.spreads import Spread
from diglot.hardware.models.catalogue import load_model, load_models
from diglot.hardware.operators.timers import TIMINGS
from diglot.hardware.planning.losses import MEANINGS
from diglot.hardware.planning.planner import LATENCIES, OBJECTIVES, Plan, PlannedPoint, plan
from diglot.hardware.planning.search_space import PRECISIONS, WAYS, SearchSpace
from diglot.hardware.serving.batching import Workload
from diglot.hardware.serving.runtimes import RUNTIMES
from diglot.hardware.serving.service_level import ServiceLevel
from diglot.hardware.sizes import check_rate, check_size

DESCRIPTION = """
Which chips, layouts, precisions, batches and ways of serving give the most tokens within limits of latency?

All combinations are tried: tensor, pipeline and expert ways that are powers of two; every precision; batches
up to what the memory holds; prompts that interrupt decoding (continuous), ride along in chunks (chunked) or
have chips of their own (disaggregated, also of unlike kinds). Printed is the front: the candidates that no
other equals both in latency and in tokens per chip (or per dollar). The rest is counted by why it lost.
"""
EXAMPLES = """
examples:
  python -m diglot.hardware plan llama-3-70b --chips h100,v6e --input 1024 --output 512 --ttft 1 --tpot 0.03
  python -m diglot.hardware plan deepseek-v3 --chips h200 --input 4000 --output 1000 --chips-limit 64
  python -m diglot.hardware plan llama-3-8b --chips l4,v5e --input 500 --output 200 --objective cost --json

Times are those of measured kernels where there are some (--timing calibrated), or lower bounds (ideal). A
request does not queue; leave room below the limits for waits. `python -m diglot.hardware list` has the chips.
exit status: 0 with a plan, 1 if nothing is within the limits, 2 for arguments that make no sense
"""
_SHOWN_AFTER_S = 1.0
"""Progress of shorter plans is not shown."""


def add_plan_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `plan` to the commands."""
    parser = commands.add_parser(
        "plan",
        help="what to run on which chips to serve a model within limits of latency",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    space = SearchSpace()
    parser.add_argument("model", help="id of a model, e.g. llama-3-70b, or an alias of one")
    _add(parser, "--chips", _split, "A,B", "ids or short names, e.g. h100,v6e")
    requests = parser.add_argument_group("requests")
    _add(requests, "--input", _read_size, "TOKENS", "tokens of a prompt")
    _add(requests, "--output", _read_size, "TOKENS", "tokens generated, at least 2")
    _add(
        requests, "--ttft", _read_limit, "S", "most seconds to the first token (default: any)", default=np.inf
    )
    _add(
        requests, "--tpot", _read_limit, "S", "most seconds per token after it (default: any)", default=np.inf
    )
    tried = parser.add_argument_group("what is tried")
    limit = "most chips, all pools together (default: %(default)s)"
    _add(tried, "--chips-limit", _read_size, "N", limit, default=space.chips_limit_count)
    precisions = f"of {', '.join(PRECISIONS)} (default: {','.join(space.precisions)})"
    _add(tried, "--precisions", _split, "A,B", precisions, default=space.precisions)
    _add(tried, "--ways", _split, "A,B", f"of {', '.join(WAYS)} (default: all)", default=WAYS)
    _add_choice(tried, "--timing", TIMINGS, "times of operators", space.timing)
    _add_choice(tried, "--engine", tuple(RUNTIMES), "how the engine starts kernels and steps")
    sought = parser.add_argument_group("what is sought")
    _add_choice(sought, "--objective", OBJECTIVES, "most tokens per chip, or least dollars per token")
    _add_choice(sought, "--latency", LATENCIES, "latency against which the front is drawn")
    sought.add_argument(
        "--price",
        type=_read_price,
        action="append",
        default=[],
        metavar="CHIP=USD",
        help="dollars per chip and hour, e.g. h100=2.5 (default: the catalogue's list price)",
    )
    shown = parser.add_argument_group("what is printed")
    _add(shown, "--rows", _read_size, "N", "most rows of the table (default: %(default)s)", default=20)
    shown.add_argument("--json", action="store_true", help="print everything as JSON")


def _add(
    group: "argparse._ActionsContainer",
    flag: str,
    read: Callable[[str], object],
    metavar: str,
    words: str,
    *,
    default: object = None,
) -> None:
    """Add an argument with a value; one without a default must be given."""
    required = default is None
    group.add_argument(flag, type=read, metavar=metavar, help=words, default=default, required=required)


def _add_choice(
    group: "argparse._ActionsContainer",
    flag: str,
    choices: Sequence[str],
    words: str,
    default: str | None = None,
) -> None:
    words = f"{words} (default: %(default)s)"
    group.add_argument(flag, choices=choices, default=default or choices[0], help=words)


def make_plan(asked: argparse.Namespace, catalogue: Catalogue) -> tuple[Plan, Iterator[str]]:
    """The plan, and the lines to print. Raises ValueError and KeyError for arguments that make no sense."""
    model = _find_model(asked.model)
    workload = Workload(prompt_tokens=asked.input, output_tokens=asked.output)
    slo = ServiceLevel(ttft_s=asked.ttft, tpot_s=asked.tpot)
    found = plan(
        load_model(model),
        [catalogue.find(name) for name in asked.chips],
        workload,
        slo,
        space=SearchSpace(
            chips_limit_count=asked.chips_limit,
            precisions=tuple(asked.precisions),
            ways=tuple(asked.ways),
            timing=asked.timing,
            runtime=RUNTIMES[asked.engine],
        ),
        objective=asked.objective,
        latency=asked.latency,
        usd_per_chip_s={catalogue.find(name).id: usd / 3600 for name, usd in asked.price},
        progress=_follow() if sys.stderr.isatty() else None,
    )
    if asked.json:
        return found, iter([json.dumps(_as_json(found), indent=1)])
    return found, _describe(found, asked)


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _read_size(text: str) -> int:
    try:
        return int(check_size("it", float(text)))
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1") from None


def _read_limit(text: str) -> float:
    try:
        return float(check_rate("it", float(text)))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0") from None


def _read_price(text: str) -> tuple[str, float]:
    name, _, usd = text.partition("=")
    try:
        return name, float(check_rate("it", float(usd)))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not CHIP=USD, such as h100=2.5") from None


def _find_model(name: str) -> str:
    ids = [id_ for sourced in load_models().values() for id_ in (sourced.id, *sourced.aliases)]
    if name in ids:
        return name
    near = difflib.get_close_matches(name.casefold(), ids, n=1, cutoff=0.5)
    hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(ids)}"
    raise KeyError(f'there is no model "{name}"; {hint}')


def _follow() -> Callable[[int, int], None]:
    """Progress on one line of the terminal, from the second on at which a plan is long."""
    begun = time.monotonic()

    def show(done: int, whole: int) -> None:
        if time.monotonic() - begun > _SHOWN_AFTER_S:
            end = "\r\033[K" if done == whole else ""
            print(f"\r{done} of {whole} layouts", end=end, file=sys.stderr, flush=True)

    return show


def _as_json(found: Plan) -> dict[str, Any]:
    points = [
        {
            **asdict(point),
            "chips_count": point.chips_count,
            "output_tokens_per_chip_s": point.output_tokens_per_chip_s,
            "description": point.description,
        }
        for point in found.points
    ]
    losses = [asdict(loss) for loss in found.losses]
    return {"candidates_count": found.candidates_count, "points": points, "losses": losses}


def _describe(found: Plan, asked: argparse.Namespace) -> Iterator[str]:
    limits = [f"TTFT at most {asked.ttft:g} s"] if asked.ttft < np.inf else []
    limits += [f"TPOT at most {asked.tpot:g} s"] if asked.tpot < np.inf else []
    chips = f"at most {asked.chips_limit} chips"
    tokens = f"{asked.input} tokens in and {asked.output} out"
    yield "; ".join([asked.model, tokens, *limits, chips, f"{asked.timing} times"])
    yield ""
    if found.points:
        yield "TPOT ms  TTFT s  tok/s user  tok/s chip   $/Mtok  chips  what to run"
        shown = np.unique(np.linspace(0, len(found.points) - 1, asked.rows).round().astype(int))
        for index in shown:
            yield _describe_point(found.points[index])
        if shown.size < len(found.points):
            count = len(found.points)
            yield f"{shown.size} of the {count} on the front; --rows {count} prints all"
        yield from _describe_spreads(found.points)
    else:
        yield "nothing is within the limits"
    yield ""
    yield f"{found.candidates_count:,} candidates; why the others lost:"
    for loss in found.losses:
        yield f"{loss.candidates_count:>10,}  {loss.reason:<14}{MEANINGS[loss.reason]}"
        yield f"{'':<12}{'':<14}e.g. {loss.example}"


def _describe_spreads(points: Sequence[PlannedPoint]) -> Iterator[str]:
    """One line for each interval, with the chips whose times it is about."""
    chips: dict[Spread, list[str]] = {}
    for point in points:
        if point.spread is not None:
            pools = [point.pool.chip, *([point.prefill_pool.chip] if point.prefill_pool else [])]
            named = chips.setdefault(point.spread, [])
            named += [" with ".join(dict.fromkeys(pools))]
    for spread, named in chips.items():
        low, high = 100 * (1 / spread.ratio - 1), 100 * (spread.ratio - 1)
        yield (
            f"nine in ten are within {low:+.0f} and {high:+.0f}%, {BASIS_WORDS[spread.basis]}: "
            + ", ".join(dict.fromkeys(named))
        )


BASIS_WORDS = {
    "measured here": "as measured on these chips",
    "near": "as measured on others of their family",
    "far": "since nothing like them was measured",
}
"""Basis of an interval → what a reader is told."""


def _describe_point(point: PlannedPoint) -> str:
    usd = point.usd_per_million_tokens
    price = "-" if usd is None else f"{usd:.2f}"
    return (
        f"{1e3 * point.tpot_s:>7.2f}{point.ttft_s:>8.3f}{point.interactivity_tokens_per_s:>12.1f}"
        f"{point.output_tokens_per_chip_s:>12.1f}{price:>9}{point.chips_count:>7}  {point.description}"
    )
