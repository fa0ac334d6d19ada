"""Plans for serving a model: what is worth running on which chips, and why the rest is not.

found = plan("llama-3-70b", ["h100", "v6e"], Workload(prompt_tokens=1024, output_tokens=512),
             ServiceLevel(ttft_s=1, tpot_s=0.03))
found.points[-1]        # the candidate with the most tokens per chip that meets both limits

What aiconfigurator does for NVIDIA's GPUs (https://github.com/ai-dynamo/aiconfigurator), for GPUs and TPUs
alike. Nothing is modelled here: times are those of `serving`, on layouts of `parallelism`.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from diglot.hardware.chips.chip import PRICE_KINDS, Chip, MissingFigureError, PriceKind
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.chips.spreads import Spread, find_spread
from diglot.hardware.economics.dollars import ComparedPrice, compare_price, find_usd_per_million_tokens
from diglot.hardware.economics.power import PowerRange, find_power_range
from diglot.hardware.models.catalogue import find_model
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.parallelism.chip_links import count_idle_per_domain
from diglot.hardware.parallelism.layouts import Layout
from diglot.hardware.planning.candidates import Candidates, Floats, list_prefillers, serve_copy, serve_pools
from diglot.hardware.planning.copies import Copy, describe_layout, place_copies
from diglot.hardware.planning.losses import Loss, Reason, add_up_losses
from diglot.hardware.planning.search_space import PRECISIONS, SearchSpace, Way
from diglot.hardware.serving.batching import Workload, find_pareto_front
from diglot.hardware.serving.service_level import ServiceLevel
from diglot.hardware.sizes import check_choice, check_size

Objective = Literal["tokens", "cost"]
"""What is sought besides latency: output tokens per chip and second, or the least dollars per token."""
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)
Latency = Literal["tpot", "ttft"]
LATENCIES: tuple[Latency, ...] = get_args(Latency)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPool:
    """Equal copies of the model on chips of one kind."""

    chip: str
    """Id of the chip."""
    layout: Layout
    """The layout, whose data ways are the copies."""
    idle_per_domain_count: int = 0
    """Chips that a copy on several domains of fast links leaves idle in each, neither counted nor paid."""

    def __post_init__(self) -> None:
        check_size("idle_per_domain_count", self.idle_per_domain_count, least=0)

    @property
    def description(self) -> str:
        """`2 x h100-sxm TP 4`."""
        copies = self.layout.data_count
        return f"{copies} x {self.chip} {describe_layout(self.layout)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPoint:
    """One candidate: what to run, and what it gives."""

    way: Way
    precision: str
    """Name among `PRECISIONS`."""
    pool: PlannedPool
    """Chips that decode, and prefill too unless `prefill_pool` is given."""
    prefill_pool: PlannedPool | None
    prefill_precision: str | None
    chunk_tokens: int | None
    """Largest chunk of a prompt, where prefill is chunked."""
    batch_count: int
    """Sequences that decode at a time, over all copies."""
    ttft_s: float
    """Time to first token (TTFT) of a request that does not queue."""
    tpot_s: float
    """Mean time per output token (TPOT) after the first."""
    output_tokens_per_s: float
    """Of all chips together."""
    usd_per_million_tokens: float | None
    """Dollars per million output tokens; None where a chip has no price."""
    low_usd_per_million_tokens: float | None
    high_usd_per_million_tokens: float | None
    """The same with the least and the most that is asked for such chips."""
    low_power_w: float | None
    high_power_w: float | None
    """Ends of the power of all chips, without hosts and cooling; None where nothing is known of a chip's."""
    spread: Spread | None
    """How sure all of these are: of two pools the less sure one. None of ideal and tiled times."""

    @property
    def chips(self) -> tuple[str, ...]:
        """Ids of the chips of all pools, each once."""
        return tuple(dict.fromkeys(pool.chip for pool in (self.pool, self.prefill_pool) if pool))

    @property
    def chips_count(self) -> int:
        """Number of chips of all pools."""
        prefilling = self.prefill_pool.layout.chips_count if self.prefill_pool else 0
        return self.pool.layout.chips_count + prefilling

    @property
    def output_tokens_per_chip_s(self) -> float:
        """Output tokens per chip and second."""
        return self.output_tokens_per_s / self.chips_count

    @property
    def interactivity_tokens_per_s(self) -> float:
        """Tokens per second that one user sees."""
        return 1 / self.tpot_s

    @property
    def description(self) -> str:
        """`2 x h100-sxm TP 4, fp8, chunked 512, batch 256`."""
        way = f"{self.way} {self.chunk_tokens}" if self.chunk_tokens else self.way
        pools = self.pool.description
        if self.prefill_pool:
            pools = f"prefill {self.prefill_pool.description}, decode {pools}"
        return f"{pools}, {self.precision}, {way}, batch {self.batch_count}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is worth running, and why the other candidates are not."""

    points: tuple[PlannedPoint, ...]
    """The Pareto front of those within the limits, by increasing latency; empty where none is. By cost, those
    with comparable prices have a front of their own, which the others on the front follow."""
    best_of_each: tuple[PlannedPoint, ...]
    """For each kind of chip the candidate within the limits with the most tokens per chip (or per dollar),
    the best first; also for two kinds that share the work, if it is better than those of either. By cost,
    those with comparable prices come first."""
    losses: tuple[Loss, ...]
    prices: Mapping[str, ComparedPrice]
    """By id of a chip; none of those without a price."""
    powers: Mapping[str, PowerRange]
    """By id of a chip; none of those of whose power nothing is known."""
    doubts: Mapping[str, tuple[str, ...]]
    """By id of a chip, why its price is not comparable with the others'; none of those that are."""
    approximate_figures: Mapping[str, tuple[str, ...]]
    """By id of a chip, which peaks and figures of memory in use are rounded, scaled or second-hand."""
    cost_spreads: Mapping[str, Spread]
    """By id of a chip, how sure its dollars per token are where others measured what services cost on it."""
    candidates_count: int
    """All candidates: those of `points` and of `losses`."""

    def count_lost(self, reason: Reason) -> int:
        """Number of candidates that lost for this reason."""
        return sum(loss.candidates_count for loss in self.losses if loss.reason == reason)


def plan(
    model: TransformerModel | str,
    chips: Sequence[Chip | str],
    workload: Workload,
    slo: ServiceLevel | None = None,
    *,
    space: SearchSpace | None = None,
    objective: Objective = "tokens",
    latency: Latency = "tpot",
    usd_per_chip_s: Mapping[str, float] | None = None,
    price_kind: PriceKind = "list",
    today: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Plan:
    """The Pareto front of a latency against tokens per chip (or per dollar), within limits of latency.

    Candidates are all layouts of `space` on each kind of chip in each precision, with all batches, in each
    way of serving; disaggregated over all pairs of layouts, also of unlike chips, with the number of copies
    on either side that wastes least. Copies of a candidate fill the limit of chips: they change neither
    latency nor tokens per chip. With `users_count` in `space` there are as many copies as so many users need,
    and tokens per chip are those of these users. Without `slo` any latency will do. `usd_per_chip_s` has
    prices by id of a chip; by default they are the catalogue's latest of one kind (`compare_price`). A price
    of another kind, or more than six months old on `today` (`2026-05-31`), does not let a candidate lead or
    beat those with comparable prices; where there are none, old ones of the kind are compared.
    `progress` is called with the number of layouts done and of all.
    Requests do not queue: `serve_arrivals` adds the waits of a point under random arrivals.
    Raises ValueError for no chips, an encoder, kinds of requests and unknown names; UnknownChipError and
    KeyError for chips and models that are not in the catalogues.
    """
    check_choice("objective", objective, OBJECTIVES)
    check_choice("latency", latency, LATENCIES)
    check_choice("price_kind", price_kind, PRICE_KINDS)
    workload.check_single()
    served = find_model(model)
    if served.kind != "decoder":
        raise ValueError(f"model must be a decoder: {served.name} is an {served.kind}, which makes no tokens")
    slo, space = slo or ServiceLevel(), space or SearchSpace()
    several = _find_chips(chips)
    prices = _find_prices(several, usd_per_chip_s or {}, price_kind)
    powers = _find_powers(several)
    losses: list[Loss] = []
    if objective == "cost":
        losses += [
            Loss(reason="price", example=chip.id, candidates_count=space.list_sequences().size)
            for chip in several
            if chip.id not in prices
        ]
        several = [chip for chip in several if chip.id in prices]
    weights = {chip.id: prices[chip.id].usd_per_chip_s if objective == "cost" else 1.0 for chip in several}
    doubts = {id_: each.find_doubts(price_kind, today=today) for id_, each in prices.items()}
    doubts = {id_: reasons for id_, reasons in doubts.items() if reasons}
    copies, impossible = place_copies(served, several, workload, space, progress=progress)
    losses += impossible
    found: list[Candidates] = []
    for copy in copies:
        for outcome in serve_copy(copy, workload, space):
            if isinstance(outcome, Loss):
                losses.append(outcome)
            else:
                found.append(outcome)
    if "disaggregated" in space.ways:
        together, lost = _pair_pools(copies, workload, slo, space, weights)
        found += together
        losses += lost
    marked = _find_incomparable(prices, doubts, price_kind) if objective == "cost" else set()
    field = _Field.of(found, weights, prices, powers, marked)
    within, late = field.judge_latencies(slo)
    points, dominated = field.find_front(within, latency)
    best = field.find_best_of_each(within)
    losses = [*late, *dominated, *losses]  # the examples of the first are nearer to the front
    return Plan(
        points=points,
        best_of_each=best,
        losses=add_up_losses(losses),
        prices=prices,
        powers=powers,
        doubts=doubts,
        approximate_figures=_find_approximate_figures(several, space),
        cost_spreads=_find_cost_spreads(several)
        if space.timing == "calibrated" and served.recurrent is None
        else {},
        candidates_count=len(points) + sum(loss.candidates_count for loss in losses),
    )


def _find_incomparable(
    prices: Mapping[str, ComparedPrice], doubts: Mapping[str, object], kind: PriceKind
) -> set[str]:
    """Chips whose dollars do not lead; where all are in doubt, old ones of the kind are compared."""
    if set(doubts) != set(prices):
        return set(doubts)
    return {id_ for id_ in doubts if prices[id_].find_doubts(kind)}


def _find_chips(chips: Sequence[Chip | str]) -> list[Chip]:
    if isinstance(chips, str | Chip) or not chips:
        raise ValueError(f"chips must be a list of at least one chip or id, not {chips!r}")
    return list({chip.id: chip for chip in map(find_chip, chips)}.values())


def _find_cost_spreads(chips: Sequence[Chip]) -> dict[str, Spread]:
    spreads = {chip.id: find_spread("served cost", chip) for chip in chips}
    return {id_: spread for id_, spread in spreads.items() if spread.basis == "measured here"}


def _find_approximate_figures(chips: Sequence[Chip], space: SearchSpace) -> dict[str, tuple[str, ...]]:
    peaks = {f"peak_dense.{PRECISIONS[name].arithmetic}" for name in space.precisions}
    figures = {
        chip.id: tuple(
            f"{each.field} {each.printed}"
            for each in chip.quantities
            if each.approximate and (each.field in peaks or each.field.startswith("memory."))
        )
        for chip in chips
    }
    return {id_: texts for id_, texts in figures.items() if texts}


def _find_powers(chips: Sequence[Chip]) -> dict[str, PowerRange]:
    powers = {}
    for chip in chips:
        with suppress(MissingFigureError):
            powers[chip.id] = find_power_range(chip)
    return powers


def _find_prices(
    chips: Sequence[Chip], given: Mapping[str, float], kind: PriceKind
) -> dict[str, ComparedPrice]:
    """Prices by id, of the chips that have one."""
    unknown = set(given) - {chip.id for chip in chips}
    if unknown:
        raise ValueError(
            f"usd_per_chip_s has prices of chips that are not planned with: {', '.join(unknown)}"
        )
    prices = {}
    for chip in chips:
        if chip.id in given:
            prices[chip.id] = ComparedPrice.own(given[chip.id])
            continue
        with suppress(MissingFigureError):
            prices[chip.id] = compare_price(chip, kind)
    return prices


def _pair_pools(
    copies: Sequence[Copy],
    workload: Workload,
    slo: ServiceLevel,
    space: SearchSpace,
    weights: Mapping[str, float],
) -> tuple[list[Candidates], list[Loss]]:
    """Every decoding copy with every copy that is worth prefilling for it."""
    found: list[Candidates] = []
    losses: list[Loss] = []
    worth, others = list_prefillers(copies, slo)
    for decoder in copies:
        count = decoder.batch_count.size
        for prefiller in others:
            if _share_cache(prefiller, decoder):
                prefill_s = float(prefiller.prefill.time_s)
                losses.append(
                    Loss(
                        reason="ttft" if prefill_s > slo.ttft_s else "dominated",
                        candidates_count=count,
                        example=f"{prefiller.name}: a prefill takes {prefill_s:.3g} s",
                    )
                )
        matching = [prefiller for prefiller in worth if _share_cache(prefiller, decoder)]
        least_s = float(np.min(decoder.decode.time_s))
        if least_s > slo.tpot_s:
            step = f"{decoder.name}: the shortest step takes {1e3 * least_s:.3g} ms"
            losses.append(Loss(reason="tpot", candidates_count=count * len(matching), example=step))
            continue
        for prefiller in matching:
            served = serve_pools(decoder, prefiller, workload, space, weights)
            if isinstance(served, Candidates):
                found.append(served)
            else:
                losses.append(served)
    return found, [loss for loss in losses if loss.candidates_count]


def _share_cache(prefiller: Copy, decoder: Copy) -> bool:
    return prefiller.deployment.formats.kv_cache == decoder.deployment.formats.kv_cache


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Field:
    """All candidates of all ways in one array each."""

    found: Sequence[Candidates]
    prices: Mapping[str, ComparedPrice]
    powers: Mapping[str, PowerRange]
    block_index: npt.NDArray[np.int64]
    """Which of `found` an entry is of."""
    entry_index: npt.NDArray[np.int64]
    """Which of its batches."""
    ttft_s: Floats
    tpot_s: Floats
    ttft_communication_s: Floats
    tpot_communication_s: Floats
    tokens_per_weight: Floats
    """Output tokens per second, and chip or dollar."""
    marked: npt.NDArray[np.bool_]
    """Whether a price of it is not comparable with the others, and dollars are sought."""

    @classmethod
    def of(
        cls,
        found: Sequence[Candidates],
        weights: Mapping[str, float],
        prices: Mapping[str, ComparedPrice],
        powers: Mapping[str, PowerRange],
        marked: Set[str],
    ) -> "_Field":
        def join(take: Callable[[Candidates], npt.NDArray[Any]]) -> npt.NDArray[Any]:
            return np.concatenate([np.empty(0), *map(take, found)])

        sizes = [each.batch_count.size for each in found]
        blocks = [not marked.isdisjoint(each.chip_ids) for each in found]
        return cls(
            found=found,
            prices=prices,
            powers=powers,
            block_index=np.repeat(np.arange(len(found)), sizes),
            entry_index=join(lambda each: np.arange(each.batch_count.size)).astype(np.int64),
            ttft_s=join(lambda each: each.ttft_s),
            tpot_s=join(lambda each: each.tpot_s),
            ttft_communication_s=join(lambda each: each.ttft_communication_s),
            tpot_communication_s=join(lambda each: each.tpot_communication_s),
            tokens_per_weight=join(lambda each: each.output_tokens_per_s / each.add_up_chips(weights)),
            marked=np.repeat(np.array(blocks, dtype=np.bool_), sizes),
        )

    def make_point(self, index: Any) -> PlannedPoint:
        found, entry = self.found[int(self.block_index[index])], int(self.entry_index[index])
        return _make_point(found, entry, self.prices, self.powers)

    def judge_latencies(self, slo: ServiceLevel) -> tuple[npt.NDArray[np.bool_], list[Loss]]:
        """Which candidates are within the limits, and why the others are not."""
        late, slow = self.ttft_s > slo.ttft_s, self.tpot_s > slo.tpot_s
        missed = late | slow
        held_up = missed & (self.ttft_s - self.ttft_communication_s <= slo.ttft_s)
        held_up &= self.tpot_s - self.tpot_communication_s <= slo.tpot_s
        excess = np.maximum(self.ttft_s / slo.ttft_s, self.tpot_s / slo.tpot_s)
        reasons: tuple[tuple[Reason, npt.NDArray[np.bool_]], ...] = (
            ("ttft", late & ~held_up),
            ("tpot", slow & ~late & ~held_up),
            ("communication", held_up),
        )
        losses = []
        for reason, lost in reasons:
            if np.any(lost):
                nearest = self.make_point(np.flatnonzero(lost)[np.argmin(excess[lost])])
                example = f"{nearest.description}: TTFT {nearest.ttft_s:.3g} s, "
                example += f"TPOT {1e3 * nearest.tpot_s:.3g} ms"
                losses.append(Loss(reason=reason, candidates_count=int(lost.sum()), example=example))
        return ~missed, losses

    def find_front(
        self, within: npt.NDArray[np.bool_], latency: Latency
    ) -> tuple[tuple[PlannedPoint, ...], list[Loss]]:
        """The front of the candidates within the limits, and those that it dominates."""
        latency_s = self.tpot_s if latency == "tpot" else self.ttft_s

        def find(among: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
            return among[find_pareto_front(latency_s[among], self.tokens_per_weight[among])]

        comparable, marked = np.flatnonzero(within & ~self.marked), np.flatnonzero(within & self.marked)
        own, front = find(comparable), find(np.flatnonzero(within))
        shown = np.concatenate([own, front[self.marked[front]]])
        points = tuple(map(self.make_point, shown))
        nearest: list[tuple[float, str]] = []
        for beaten, better in ((np.setdiff1d(comparable, own), own), (np.setdiff1d(marked, front), front)):
            if beaten.size:
                winner = better[np.searchsorted(latency_s[better], latency_s[beaten], side="right") - 1]
                shares = self.tokens_per_weight[beaten] / self.tokens_per_weight[winner]
                index = int(np.argmax(shares))
                names = [self.make_point(each).description for each in (beaten[index], winner[index])]
                nearest.append((float(shares[index]), ", by ".join(names)))
        if not nearest:
            return points, []
        count = int(np.count_nonzero(within)) - shown.size
        return points, [Loss(reason="dominated", candidates_count=count, example=max(nearest)[1])]

    def find_best_of_each(self, within: npt.NDArray[np.bool_]) -> tuple[PlannedPoint, ...]:
        """The best candidate within the limits on each kind of chip, and on two that are better together."""
        kinds = [frozenset(each.chip_ids) for each in self.found]
        best: dict[frozenset[str], int] = {}
        among = np.flatnonzero(within)
        for index in among[np.lexsort((-self.tokens_per_weight[among], self.marked[among]))]:
            kind = kinds[int(self.block_index[index])]
            if not any(single < kind for single in best):
                best.setdefault(kind, int(index))
        return tuple(map(self.make_point, best.values()))


def _make_point(
    found: Candidates,
    entry: int,
    prices: Mapping[str, ComparedPrice],
    powers: Mapping[str, PowerRange],
) -> PlannedPoint:
    copies = int(found.copies_count[entry])
    pool = _make_pool(found.copy, copies)
    prefill_pool = None
    used = set(found.chip_ids)
    if found.prefill_copy is not None:
        prefill_pool = _make_pool(found.prefill_copy, int(found.prefill_copies_count[entry]))
    rate = float(found.output_tokens_per_s[entry])

    def add_up(of_each: Mapping[str, float]) -> float | None:
        return float(found.add_up_chips(of_each)[entry]) if used <= set(of_each) else None

    def find_usd(of_each: Mapping[str, float]) -> float | None:
        usd_per_s = add_up(of_each)
        return usd_per_s and float(find_usd_per_million_tokens(rate, usd_per_chip_s=usd_per_s))

    return PlannedPoint(
        way=found.way,
        precision=found.copy.precision,
        pool=pool,
        prefill_pool=prefill_pool,
        prefill_precision=found.prefill_copy.precision if found.prefill_copy else None,
        chunk_tokens=found.chunk_tokens,
        batch_count=int(found.batch_count[entry]) * copies,
        ttft_s=float(found.ttft_s[entry]),
        tpot_s=float(found.tpot_s[entry]),
        output_tokens_per_s=rate,
        usd_per_million_tokens=find_usd({id_: each.usd_per_chip_s for id_, each in prices.items()}),
        low_usd_per_million_tokens=find_usd({id_: each.low_usd_per_chip_s for id_, each in prices.items()}),
        high_usd_per_million_tokens=find_usd({id_: each.high_usd_per_chip_s for id_, each in prices.items()}),
        low_power_w=add_up({id_: each.low_w for id_, each in powers.items()}),
        high_power_w=add_up({id_: each.high_w for id_, each in powers.items()}),
        spread=_choose_spread(found),
    )


def _choose_spread(found: Candidates) -> Spread | None:
    if found.prefill_copy is None:
        return found.copy.deployment.spread
    copies = (found.copy, found.prefill_copy)
    # Every service that was measured reads prompts and writes on the same chips.
    spreads = [copy.deployment.spread.as_near() for copy in copies if copy.deployment.spread]
    return max(spreads, key=lambda spread: spread.ratio, default=None)


def _make_pool(copy: Copy, copies: int) -> PlannedPool:
    layout = copy.deployment.layout
    return PlannedPool(
        chip=copy.chip.id,
        idle_per_domain_count=count_idle_per_domain(copy.chip, layout),
        layout=Layout(
            tensor_count=layout.tensor_count,
            pipeline_count=layout.pipeline_count,
            expert_count=layout.expert_count,
            data_count=copies,
        ),
    )
