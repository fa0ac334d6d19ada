"""`python -m diglot.hardware plan …`: arguments, and a plan as a table or as JSON."""

import argparse
import datetime
import difflib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import asdict
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from diglot.hardware.chips.catalogue import Catalogue, UnmodelledChipError
from diglot.hardware.chips.chip import PRICE_KINDS, Chip, MissingFigureError
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.chips.spreads import Spread
from diglot.hardware.data import DATA_EDITION
from diglot.hardware.economics.dollars import ComparedPrice
from diglot.hardware.economics.measured_costs import MEASURED_COSTS
from diglot.hardware.models.catalogue import load_models
from diglot.hardware.models.hugging_face import find_config, read_config
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.operators.timers import TIMINGS
from diglot.hardware.planning.fitting import TUNINGS, ServingFit, TuningFit, fit_serving, fit_tuning
from diglot.hardware.planning.launching import ENGINES, list_launch_lines, runs_on
from diglot.hardware.planning.losses import MEANINGS
from diglot.hardware.planning.planner import LATENCIES, OBJECTIVES, Plan, PlannedPoint, plan
from diglot.hardware.planning.search_space import PRECISIONS, WAYS, SearchSpace
from diglot.hardware.planning.what_if import CHANGEABLE, compare_plans
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
  diglot hardware plan llama-3-70b --chips h100,v6e --input 1024 --output 512 --ttft 1 --tpot 0.03
  diglot hardware plan llama-3-70b --chips h100,h200,v6e --input 1024 --output 512 --users 50 --objective cost
  diglot hardware plan llama-3-70b --chips h100,v6e --input 1024 --output 512 --users 50 --what-if users=200
  diglot hardware plan deepseek-v3 --chips h200 --input 4000 --output 1000 --chips-limit 64
  diglot hardware plan Qwen/Qwen3-30B-A3B --chips l4,v5e --input 500 --output 200 --objective cost --json

Times are those of measured kernels where there are some (--timing calibrated), or lower bounds (ideal). A
request does not queue; leave room below the limits for waits. `diglot hardware list` has the chips.
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
    parser.add_argument(
        "model",
        help="id of a model, e.g. llama-3-70b; a config.json or its folder; or a model of Hugging Face in "
        "the local cache, e.g. Qwen/Qwen3-30B-A3B",
    )
    _add(parser, "--chips", _split, "A,B", "ids or short names, e.g. h100,v6e")
    requests = parser.add_argument_group("requests")
    _add(requests, "--input", _read_size, "TOKENS", "tokens of a prompt")
    _add(requests, "--output", _read_size, "TOKENS", "tokens generated, at least 2")
    users = "requests that are served at the same time (default: as many as the chips hold)"
    requests.add_argument("--users", type=_read_size, metavar="N", help=users)
    _add(
        requests, "--ttft", _read_limit, "S", "most seconds to the first token (default: any)", default=np.inf
    )
    _add(
        requests, "--tpot", _read_limit, "S", "most seconds per token after it (default: any)", default=np.inf
    )
    tried = parser.add_argument_group("what is tried")
    limit = "most chips, all pools together (default: %(default)s)"
    _add(tried, "--chips-limit", _read_size, "N", limit, default=space.chips_limit_count)
    precisions = f"of {', '.join(PRECISIONS)} (default: those that the weights are published in, or "
    precisions += f"{','.join(space.precisions)} for bf16)"
    tried.add_argument("--precisions", type=_split, metavar="A,B", help=precisions)
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
        help="dollars per chip and hour, e.g. h100=2.5 (default: the catalogue's latest)",
    )
    words = "kind of prices of the catalogue that are compared: others are marked"
    _add_choice(sought, "--price-kind", PRICE_KINDS, words)
    words = (
        "plan also with another value of a flag, e.g. users=100, engine=static or price=h100=2, and compare"
    )
    sought.add_argument(
        "--what-if", type=_read_change, action="append", default=[], metavar="FLAG=VALUE", help=words
    )
    shown = parser.add_argument_group("what is printed")
    _add(shown, "--rows", _read_size, "N", "most rows of the table (default: %(default)s)", default=20)
    words = "start the best candidate so, with vLLM, SGLang or TensorRT-LLM"
    shown.add_argument("--launch", choices=ENGINES, help=words)
    shown.add_argument("--json", action="store_true", help="print everything as JSON")


def add_fit_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `fit` to the commands."""
    parser = commands.add_parser(
        "fit",
        help="on how few chips a model is served and tuned, and how fast",
        description="The fewest chips, a power of two, that hold a model: to serve it in each precision, and "
        "to tune all weights (full), or adapters next to frozen weights in 16 (lora) or 4 bits (qlora).",
        epilog="exit status: 0 if anything fits, 1 if nothing does, 2 for arguments that make no sense",
    )
    parser.add_argument("model", help="as for plan")
    _add(parser, "--chips", _split, "A,B", "ids or short names, e.g. rtx-5090,h100")
    words = "tokens of a sequence (default: %(default)s)"
    _add(parser, "--context", _read_size, "TOKENS", words, default=4096)
    _add(parser, "--rank", _read_size, "N", "rank of the adapters (default: %(default)s)", default=16)
    _add(parser, "--chips-limit", _read_size, "N", "most chips (default: %(default)s)", default=64)
    words = (
        f"of {', '.join(PRECISIONS)} (default: those that the weights are published in, or bf16,fp8,w4a16)"
    )
    parser.add_argument("--precisions", type=_split, metavar="A,B", help=words)
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


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
    found, notes = _find_plan(asked, catalogue)
    if asked.json:
        return found, iter([json.dumps(_as_json(found), indent=1)])
    return found, chain(notes, _describe(found, asked))


def make_changed_plan(
    asked: argparse.Namespace, changed: argparse.Namespace, catalogue: Catalogue
) -> tuple[Plan, Iterator[str]]:
    """The plan as it is changed, and lines that compare it with the other. Raises as `make_plan` does."""
    before, notes = _find_plan(asked, catalogue)
    after, _ = _find_plan(changed, catalogue)
    if asked.json:
        both = {"what_if": asked.what_if, "before": _as_json(before), "after": _as_json(after)}
        return after, iter([json.dumps(both, indent=1)])
    return after, chain(notes, _describe_what_if(before, after, asked, changed))


def _describe_what_if(
    before: Plan, after: Plan, asked: argparse.Namespace, changed: argparse.Namespace
) -> Iterator[str]:
    marked = {*before.doubts, *after.doubts}
    yield f"{_describe_question(asked)}; what if {', '.join(asked.what_if)}"
    yield ""
    yield from compare_plans(
        before,
        after,
        asked.objective,
        columns=_COLUMNS,
        describe=lambda point: _describe_point(point, marked),
    )
    yield from _describe_spreads((*before.best_of_each, *after.best_of_each))
    yield from _describe_prices(after)
    if asked.launch and after.best_of_each:
        yield ""
        yield f"to start {after.best_of_each[0].description}:"
        yield from _launch(after.best_of_each[0], changed)


def _find_plan(asked: argparse.Namespace, catalogue: Catalogue) -> tuple[Plan, tuple[str, ...]]:
    """The plan, and what has to be said of the model."""
    model, precisions, notes = _find_model(asked.model)
    chips, unmodelled = _find_chips(asked.chips, catalogue)
    workload = Workload(prompt_tokens=asked.input, output_tokens=asked.output)
    slo = ServiceLevel(ttft_s=asked.ttft, tpot_s=asked.tpot)
    found = plan(
        model,
        chips,
        workload,
        slo,
        space=SearchSpace(
            chips_limit_count=asked.chips_limit,
            users_count=asked.users,
            precisions=asked.precisions or precisions or SearchSpace().precisions,
            ways=tuple(asked.ways),
            timing=asked.timing,
            runtime=RUNTIMES[asked.engine],
        ),
        objective=asked.objective,
        latency=asked.latency,
        usd_per_chip_s={catalogue.find(name).id: usd / 3600 for name, usd in asked.price},
        price_kind=asked.price_kind,
        today=datetime.date.today().isoformat(),
        progress=_follow() if sys.stderr.isatty() else None,
    )
    return found, (*notes, *unmodelled)


def find_fits(asked: argparse.Namespace, catalogue: Catalogue) -> tuple[bool, Iterator[str]]:
    """Whether anything fits, and the lines to print of `fit`.

    Raises ValueError and KeyError for arguments that make no sense.
    """
    model, published, notes = _find_model(asked.model)
    precisions = asked.precisions or published or ("bf16", "fp8", "w4a16")
    limit, context = asked.chips_limit, asked.context
    chips, unmodelled = _find_chips(asked.chips, catalogue)
    found: list[ServingFit | TuningFit | str] = []
    for chip in chips:
        tries: list[tuple[str, Callable[[], ServingFit | TuningFit]]] = [
            (f"{chip.id}, {each}", partial(
                fit_serving, model, chip, precision=each, context_tokens=context, chips_limit_count=limit
            ))
            for each in precisions
        ]  # fmt: skip
        tries += [
            (f"{chip.id}, {each}", partial(
                fit_tuning, model, chip, way=each, adapter_rank_elements=asked.rank, sequence_tokens=context,
                chips_limit_count=limit,
            ))
            for each in TUNINGS
        ]  # fmt: skip
        for name, attempt in tries:
            try:
                found.append(attempt())
            except (ValueError, MissingFigureError) as error:
                found.append(f"{name}: {error.args[0]}")
    fits = any(not isinstance(each, str) for each in found)
    if asked.json:
        records = [each if isinstance(each, str) else asdict(each) for each in found]
        return fits, iter([json.dumps(records, indent=1)])
    return fits, chain(notes, unmodelled, _describe_fits(found, asked))


def _describe_fits(found: Sequence[ServingFit | TuningFit | str], asked: argparse.Namespace) -> Iterator[str]:
    sequences = f"{asked.model}, sequences of {asked.context:,} tokens"
    yield f"{sequences}; intervals of 90% by the data of {DATA_EDITION}"
    for each in found:
        if isinstance(each, str):
            yield f"not {each}"
            continue
        chips, usable = f"{each.chips_count} x {each.chip}", f"{each.usable_bytes / 1e9:.1f} GB"
        if isinstance(each, ServingFit):
            time = each.token_s
            ends = f"{1e3 * time.low:.3g} to {1e3 * time.high:.3g}, {time.basis}"
            held = f"weights {each.weights_bytes / 1e9:.1f} of {usable}, {each.sequences_count:,} sequences"
            yield f"serve {chips} {each.precision}: {held}; alone {1e3 * time.value:.3g} ms a token ({ends})"
        else:
            rate = each.tokens_per_s
            ends = f"{rate.low:,.0f} to {rate.high:,.0f}, {rate.basis}"
            held = f"{each.needed_bytes / 1e9:.1f} of {usable}, {_RECOMPUTED[each.recompute]}"
            yield f"tune {chips} {each.way}: {held}; {rate.value:,.0f} tokens/s ({ends})"


_RECOMPUTED = {
    "none": "nothing recomputed",
    "selective": "attention recomputed",
    "full": "layers recomputed",
}


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


def _read_change(text: str) -> str:
    """A flag without its dashes and its value; main reads the value as it reads the flag's own."""
    flag, equals, _ = text.partition("=")
    if not equals or flag not in CHANGEABLE:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not FLAG=VALUE, with a flag of {', '.join(CHANGEABLE)}"
        )
    return text


def _find_chips(names: Sequence[str], catalogue: Catalogue) -> tuple[list[Chip], tuple[str, ...]]:
    """The chips, and a sentence about each that is provisional or known without figures.

    If all are without figures, the error about the first is raised.
    """
    chips, unmodelled = [], []
    for name in names:
        try:
            chips.append(catalogue.find(name))
        except UnmodelledChipError as error:
            unmodelled.append(error)
    if unmodelled and not chips:
        raise unmodelled[0]
    provisional = [f"{chip.id} is provisional: {chip.provisional}" for chip in chips if chip.provisional]
    return chips, (*map(str, unmodelled), *provisional)


def _find_model(name: str) -> tuple[TransformerModel, tuple[str, ...], tuple[str, ...]]:
    """A model, the precisions of its weights if they are not bf16, and what has to be said of it."""
    known = {id_: model for model in load_models().values() for id_ in (model.id, *model.aliases)}
    if name in known:
        return known[name].model, known[name].precisions, ()
    if (file := find_config(name)) is not None:
        try:
            config = read_config(file)
        except OSError as error:
            raise ValueError(f"{file}: {error.strerror}") from error
        return config.model, () if config.precisions == ("bf16",) else config.precisions, config.notes
    ids = list(known)
    if "/" in name:
        raise KeyError(
            f'"{name}" is not in the local cache of Hugging Face; name its config.json or the folder of it'
        )
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
    return {
        "candidates_count": found.candidates_count,
        "data_edition": DATA_EDITION,
        "points": list(map(_point_as_json, found.points)),
        "best_of_each": list(map(_point_as_json, found.best_of_each)),
        "prices": {id_: asdict(price) for id_, price in found.prices.items()},
        "doubts": {id_: list(reasons) for id_, reasons in found.doubts.items()},
        "approximate_figures": {id_: list(texts) for id_, texts in found.approximate_figures.items()},
        "powers": {id_: asdict(power) for id_, power in found.powers.items()},
        "cost_spreads": {id_: asdict(spread) for id_, spread in found.cost_spreads.items()},
        "losses": [asdict(loss) for loss in found.losses],
    }


def _point_as_json(point: PlannedPoint) -> dict[str, Any]:
    return {
        **asdict(point),
        "chips_count": point.chips_count,
        "output_tokens_per_chip_s": point.output_tokens_per_chip_s,
        "description": point.description,
    }


def _describe_question(asked: argparse.Namespace) -> str:
    limits = [f"TTFT at most {asked.ttft:g} s"] if asked.ttft < np.inf else []
    limits += [f"TPOT at most {asked.tpot:g} s"] if asked.tpot < np.inf else []
    chips = f"at most {asked.chips_limit} chips"
    tokens = f"{asked.input} tokens in and {asked.output} out"
    limits = [f"{asked.users} at the same time", *limits] if asked.users else limits
    times = f"{asked.timing} times"
    times += f" by the data of {DATA_EDITION}" if asked.timing == "calibrated" else ""
    return "; ".join([asked.model, tokens, *limits, chips, times])


def _describe(found: Plan, asked: argparse.Namespace) -> Iterator[str]:
    yield _describe_question(asked)
    yield ""
    best, unlike = found.best_of_each, set(found.doubts)
    if found.points:
        if asked.objective == "cost" and all(not unlike.isdisjoint(point.chips) for point in best):
            yield "every price (*) is old or of another kind than asked; --price CHIP=USD sets one"
            yield ""
        if len(best) > 1:
            yield f"the best of each kind of chip, by {_SOUGHT[asked.objective]}:"
            yield _COLUMNS
            yield from (_describe_point(point, unlike) for point in best[: asked.rows])
            yield ""
            yield "what no other equals in both latency and this:"
        yield _COLUMNS
        shown = np.unique(np.linspace(0, len(found.points) - 1, asked.rows).round().astype(int))
        for index in shown:
            yield _describe_point(found.points[index], unlike)
        if shown.size < len(found.points):
            count = len(found.points)
            yield f"{shown.size} of the {count} on the front; --rows {count} prints all"
        yield from _describe_spreads((*found.best_of_each, *found.points))
        yield from _describe_prices(found)
        yield from _describe_figures(found)
        yield from _describe_costs(found, asked)
        yield from _describe_powers(found)
        yield from _describe_idle((*found.best_of_each, *found.points))
        if asked.launch:
            yield ""
            yield f"to start {best[0].description}:"
            yield from _launch(best[0], asked)
    else:
        yield "nothing is within the limits"
    yield ""
    yield f"{found.candidates_count:,} candidates; why the others lost:"
    for loss in found.losses:
        yield f"{loss.candidates_count:>10,}  {loss.reason:<14}{MEANINGS[loss.reason]}"
        yield f"{'':<12}{'':<14}e.g. {loss.example}"


_COLUMNS = "TPOT ms  TTFT s  tok/s user  tok/s chip   $/Mtok     J/tok  chips  what to run"
_SOUGHT = {"tokens": "tokens per chip", "cost": "dollars per token"}


def _launch(point: PlannedPoint, asked: argparse.Namespace) -> tuple[str, ...]:
    weights = asked.model if "/" in asked.model else "MODEL"
    try:
        return list_launch_lines(
            point, asked.launch, weights=weights, context_tokens=asked.input + asked.output
        )
    except ValueError as error:
        others = [each for each in ENGINES if all(runs_on(each, find_chip(id_)) for id_ in point.chips)]
        return (f"{error}; --launch {others[0]} does",)


def _describe_prices(found: Plan) -> Iterator[str]:
    """The prices that dollars were computed with: of which kind, how old, and what else is asked."""
    for id_ in dict.fromkeys(name for point in found.best_of_each for name in point.chips):
        if id_ not in found.prices:
            yield f"{id_} has no price: --price {id_}=USD sets one"
        elif (price := found.prices[id_].price) is not None:
            words = [f"{price.kind} price", price.region, price.date]
            doubts = found.doubts.get(id_, ())
            words += [*doubts, *(["as reported by others"] if price.approximate else [])]
            mark = "* " if doubts else ""
            others = _tell_range(found.prices[id_])
            yield f"{mark}{id_} at {price.printed}: {', '.join(words)} ({price.sku}){others}"


def _describe_figures(found: Plan) -> Iterator[str]:
    """The figures of chips behind these times that are rounded, scaled or second-hand."""
    for id_ in dict.fromkeys(name for point in found.best_of_each for name in point.chips):
        if id_ in found.approximate_figures:
            yield f"~ {id_}, rounded, scaled or second-hand: {', '.join(found.approximate_figures[id_])}"


def _describe_costs(found: Plan, asked: argparse.Namespace) -> Iterator[str]:
    """What others measured tokens to cost, and how far that is from here: more, as chips are rarely full."""
    ids = list(dict.fromkeys(name for point in found.best_of_each for name in point.chips))
    alike = asked.output / (asked.input + asked.output)
    usd = {point.chips: point.usd_per_million_tokens for point in reversed(found.best_of_each)}
    for measured in MEASURED_COSTS:
        ours = usd.get((measured.chip,))
        if asked.model in measured.models and ours is not None:
            yield (
                f"a million tokens in and out on {measured.chip}: here {alike * ours:.2f} USD, measured "
                f"{measured.usd_per_million_tokens:.2f} by {measured.conditions}"
            )
    for id_ in ids:
        if id_ in found.cost_spreads and id_ in found.prices:
            times = found.cost_spreads[id_].ratio
            yield f"dollars per token on {id_} are within a factor of {times:.2g} of a measured service's"
    unknown = [id_ for id_ in ids if id_ in found.prices and id_ not in found.cost_spreads]
    if unknown and found.cost_spreads:
        yield f"of {', '.join(unknown)} no measured cost of a service is known together with its price"


def _tell_range(compared: ComparedPrice) -> str:
    low, high = (3600 * usd for usd in (compared.low_usd_per_chip_s, compared.high_usd_per_chip_s))
    return f"; others of its kind from {low:.4g} to {high:.4g}" if low < high else ""


def _describe_powers(found: Plan) -> Iterator[str]:
    """What joules were computed with."""
    ids = dict.fromkeys(name for point in found.best_of_each for name in point.chips)
    powers = [(id_, found.powers[id_]) for id_ in ids if id_ in found.powers]
    words = [f"{id_} {_join(each.low_w, each.high_w, 0)} W, {each.basis}" for id_, each in powers]
    if words:
        yield f"power of the chips, without hosts and cooling: {'; '.join(words)}"


def _describe_idle(points: Sequence[PlannedPoint]) -> Iterator[str]:
    """What copies that do not fill domains leave idle."""
    idle = {
        (pool.chip, pool.layout.chips_per_copy_count): pool.idle_per_domain_count
        for point in points
        for pool in (point.pool, point.prefill_pool)
        if pool is not None and pool.idle_per_domain_count
    }
    for (id_, chips), count in sorted(idle.items()):
        yield f"a copy on {chips} {id_} leaves {count} idle in each domain, neither counted nor paid"


def _describe_spreads(points: Sequence[PlannedPoint]) -> Iterator[str]:
    """One line for each interval, with the chips whose times it is about."""
    chips: dict[Spread, list[str]] = {}
    for point in points:
        if point.spread is not None:
            named = chips.setdefault(point.spread, [])
            named += [" with ".join(point.chips)]
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


def _describe_point(point: PlannedPoint, unlike: Set[str]) -> str:
    usd = point.usd_per_million_tokens
    price = "-" if usd is None else f"{usd:.2f}{'*' * (not unlike.isdisjoint(point.chips))}"
    energy = "-"
    if point.low_power_w is not None and point.high_power_w is not None:
        rate = point.output_tokens_per_s
        energy = _join(point.low_power_w / rate, point.high_power_w / rate, 1)
    return (
        f"{1e3 * point.tpot_s:>7.2f}{point.ttft_s:>8.3f}{point.interactivity_tokens_per_s:>12.1f}"
        f"{point.output_tokens_per_chip_s:>12.1f}{price:>9}{energy:>10}{point.chips_count:>7}"
        f"  {point.description}"
    )


def _join(low: float, high: float, digits: int) -> str:
    """`700`, or `240-270` where both ends differ."""
    ends = dict.fromkeys((f"{low:.{digits}f}", f"{high:.{digits}f}"))
    return "-".join(ends)
