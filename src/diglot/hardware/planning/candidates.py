"""Candidates of a plan: copies of a model served in one way, over all batches at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import le

import numpy as np
import numpy.typing as npt

from diglot.hardware.chips.chip import Chip, MissingFigureError
from diglot.hardware.networks.chip_networks import find_domain_count, find_scale_out_bytes_per_s
from diglot.hardware.planning.copies import Copy
from diglot.hardware.planning.losses import Loss
from diglot.hardware.planning.search_space import SearchSpace, Way
from diglot.hardware.serving.batching import (
    ServingRun,
    Workload,
    serve_continuously,
    serve_in_chunks,
)
from diglot.hardware.serving.disaggregation import CacheLink, serve_disaggregated
from diglot.hardware.serving.service_level import ServiceLevel

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """One way of serving on chips, with an array of batches, of copies and of results.

    The arrays have one entry per batch.
    """

    way: Way
    copy: Copy
    """Where tokens are decoded; where prompts are processed too, unless `prefill_copy` is given."""
    prefill_copy: Copy | None = None
    chunk_tokens: int | None = None
    batch_count: npt.NDArray[np.int64]
    """Sequences that decode at a time in one copy."""
    copies_count: npt.NDArray[np.int64]
    """Equal copies that decode."""
    prefill_copies_count: npt.NDArray[np.int64]
    ttft_s: Floats
    tpot_s: Floats
    output_tokens_per_s: Floats
    """Of all copies together, which are busy with a given number of users, or full."""
    ttft_communication_s: Floats
    """Part of the TTFT that is the transfers of the prefill."""
    tpot_communication_s: Floats
    """Part of the TPOT that is the transfers of a decode step and of the cache."""

    @property
    def chip_ids(self) -> tuple[str, ...]:
        """Of the chips that decode, and of those that only prefill."""
        return tuple(copy.chip.id for copy in (self.copy, self.prefill_copy) if copy)

    def add_up_chips(self, weights: Mapping[str, float]) -> Floats:
        """Chips of all copies, each counted with the weight of its id."""
        total = weights[self.copy.chip.id] * self.copy.chips_count * self.copies_count.astype(np.float64)
        if self.prefill_copy is not None:
            prefilling = weights[self.prefill_copy.chip.id] * self.prefill_copy.chips_count
            total = total + prefilling * self.prefill_copies_count
        return total


def serve_copy(copy: Copy, workload: Workload, space: SearchSpace) -> Iterator[Candidates | Loss]:
    """The ways in which equal copies prefill and decode.

    There are as many as the users need, or as the limit of chips holds.
    """
    if "continuous" in space.ways:
        run = serve_continuously(copy.deployment, workload, copy.batch_count)
        yield from _keep(run, "continuous", copy, space)
    if "chunked" in space.ways:
        for chunk in space.chunk_counts_tokens:
            run = serve_in_chunks(copy.deployment, workload, copy.batch_count, chunk_tokens=chunk)
            yield from _keep(run, "chunked", copy, space, chunk_tokens=chunk)


def _keep(
    run: ServingRun, way: Way, copy: Copy, space: SearchSpace, *, chunk_tokens: int | None = None
) -> Iterator[Candidates | Loss]:
    shape = copy.batch_count.shape
    most = space.chips_limit_count // copy.chips_count
    needed = _count_busy_copies(copy.batch_count, space)
    copies = np.full(shape, most) if needed is None else np.ceil(needed).astype(np.int64)
    busy = copies if needed is None else needed
    fits = copies <= most
    if not np.all(fits):
        least = int(copies[~fits].argmin())
        chips = int(copies[~fits][least]) * copy.chips_count
        example = f"{copy.name}, batch {copy.batch_count[~fits][least]}: {chips} chips for "
        example += f"{space.users_count} users, allowed are {space.chips_limit_count}"
        yield Loss(reason="chips", candidates_count=int(np.sum(~fits)), example=example)
    yield Candidates(
        way=way,
        copy=copy,
        chunk_tokens=chunk_tokens,
        batch_count=copy.batch_count[fits],
        copies_count=copies[fits],
        prefill_copies_count=np.zeros(shape, dtype=np.int64)[fits],
        ttft_s=_spread(run.ttft_s, shape)[fits],
        tpot_s=_spread(run.tpot_s, shape)[fits],
        output_tokens_per_s=(_spread(run.output_tokens_per_s, shape) * busy)[fits],
        ttft_communication_s=_spread(copy.prefill.communication_s, shape)[fits],
        tpot_communication_s=_spread(copy.decode.communication_s, shape)[fits],
    )


def _count_busy_copies(batches: npt.NDArray[np.int64], space: SearchSpace) -> Floats | None:
    """Copies that the users keep busy with batches of these sizes, in fractions; None without users."""
    return None if space.users_count is None else space.users_count / batches


def list_prefillers(copies: Sequence[Copy], slo: ServiceLevel) -> tuple[list[Copy], list[Copy]]:
    """Copies worth prefilling on, and the others.

    Worth are those within the TTFT that no copy on the same chips with the same cache equals in all of the
    time of a prefill, chips x time per prompt, and chips.
    """
    worth: list[Copy] = []
    for kind in dict.fromkeys(_find_kind(copy) for copy in copies):
        same = [copy for copy in copies if _find_kind(copy) == kind and copy.prefill.time_s <= slo.ttft_s]
        worth += [same[index] for index in _find_undominated([_list_efforts(copy) for copy in same])]
    return worth, [copy for copy in copies if copy not in worth]


def _find_kind(copy: Copy) -> tuple[str, str]:
    return copy.chip.id, copy.deployment.formats.kv_cache


def _list_efforts(copy: Copy) -> tuple[float, float, float]:
    """What prefilling on it takes, the less the better."""
    interval_s = float(copy.prefill.interval_s)
    per_prompt_s = interval_s * copy.chips_count / copy.deployment.layout.groups_count
    return float(copy.prefill.time_s), per_prompt_s, float(copy.chips_count)


def _find_undominated(efforts: Sequence[tuple[float, ...]]) -> list[int]:
    """Indices of those that no other is at least as low in everything; of equal ones the first stays."""
    return [
        index
        for index, mine in enumerate(efforts)
        if not any(
            all(map(le, other, mine)) and (other != mine or place < index)
            for place, other in enumerate(efforts)
            if place != index
        )
    ]


def serve_pools(
    decoder: Copy,
    prefiller: Copy,
    workload: Workload,
    space: SearchSpace,
    weights: Mapping[str, float],
) -> Candidates | Loss:
    """Copies that only prefill with copies that only decode, in the best whole numbers within the limit.

    Every number of decoding copies is tried (for users, the least that serves them), with as many prefilling
    ones as keep them busy, rounded up; each batch keeps the numbers with the most tokens per chip. A loss
    where no numbers are within the limit, or the rate between the pools is not known.
    """
    count = decoder.batch_count.size
    name = f"prefill {prefiller.name}; decode {decoder.name}"
    try:
        rate = space.transfer_bytes_per_s or _find_transfer_bytes_per_s(prefiller, decoder)
    except MissingFigureError as error:
        return Loss(reason="network", candidates_count=count, example=f"{name}: {error.args[0]}")
    found = serve_disaggregated(
        prefiller.deployment,
        decoder.deployment,
        workload,
        decoder.batch_count,
        CacheLink(bandwidth_bytes_per_s=rate),
    )
    run, limit = found.run, space.chips_limit_count
    needed = _count_busy_copies(decoder.batch_count, space)
    decoding = np.arange(1, max(2, limit // decoder.chips_count + 1))[:, None]
    if needed is not None:
        decoding = np.ceil(needed).astype(np.int64)[None, :]
    busy = decoding if needed is None else needed[None, :]
    prefilling = np.ceil(busy * np.asarray(found.prefill_deployments_count)).astype(np.int64)
    chips = decoding * decoder.chips_count + prefilling * prefiller.chips_count
    weighted = decoding * (decoder.chips_count * weights[decoder.chip.id]) + prefilling * (
        prefiller.chips_count * weights[prefiller.chip.id]
    )
    value = np.where(chips <= limit, decoding / weighted, 0.0)
    best, columns = value.argmax(axis=0), np.arange(count)
    fits = value[best, columns] > 0
    if not np.any(fits):
        least = int(chips.min())
        return Loss(
            reason="chips", candidates_count=count, example=f"{name}: {least} chips, allowed are {limit}"
        )
    best, columns = best[fits], columns[fits]
    copies = np.broadcast_to(decoding, value.shape)[best, columns]
    busy = np.broadcast_to(busy, value.shape)[best, columns]
    shape = decoder.batch_count.shape
    transfer_s = float(np.max(found.transfer_s)) / (workload.output_tokens - 1)
    return Candidates(
        way="disaggregated",
        copy=decoder,
        prefill_copy=prefiller,
        batch_count=decoder.batch_count[fits],
        copies_count=copies,
        prefill_copies_count=prefilling[best, columns],
        ttft_s=_spread(run.ttft_s, shape)[fits],
        tpot_s=_spread(run.tpot_s, shape)[fits],
        output_tokens_per_s=_spread(run.output_tokens_per_s, shape)[fits] * busy,
        ttft_communication_s=_spread(prefiller.prefill.communication_s, shape)[fits],
        tpot_communication_s=_spread(decoder.decode.communication_s, shape)[fits] + transfer_s,
    )


def _find_transfer_bytes_per_s(prefiller: Copy, decoder: Copy) -> float:
    """Rate at which a cache moves between two copies, all chips of the smaller at the same time.

    Over the fast links where both are GPUs of one domain, otherwise over the network outside islands and
    slices. Raises MissingFigureError where the catalogue has no rate of it.
    """
    ends = (prefiller.chip, decoder.chip)
    chips = prefiller.chips_count + decoder.chips_count
    if prefiller.chip.id == decoder.chip.id and chips <= _count_linked(decoder.chip):
        rate = decoder.chip.interconnect_bytes_per_s
    else:
        rate = min(map(find_scale_out_bytes_per_s, ends))
    return rate * min(prefiller.chips_count, decoder.chips_count)


def _count_linked(chip: Chip) -> int:
    """GPUs that fast links connect; 1 where there are none, and for TPUs, whose slices are apart."""
    linked = chip.has("interconnect.domain_size") or "domain of" in chip.topology
    return find_domain_count(chip) if linked else 1


def _spread(value: object, shape: tuple[int, ...]) -> Floats:
    return np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), shape))
