"""All public functions, records and methods reject impossible numbers and unknown choices by name.

The tests find them by introspection. Each numeric parameter gets zero, a negative number, NaN, infinity, a
word and, where it is whole, a fraction;
alone and inside an array. `ZERO_ALLOWED` and `INFINITY_ALLOWED` list what
accepts zero or infinity, `NOT_INPUT` what is not called, each with its reason.
"""

import dataclasses
import importlib
import inspect
import pkgutil
import re

import numpy as np
import pytest

import diglot.hardware
from diglot.hardware import (
    AttentionShape,
    CacheLink,
    ConvolutionShape,
    ExpertLayer,
    GpuProcessors,
    HostMemory,
    Island,
    L2Cache,
    Layout,
    NetworkLinks,
    Ownership,
    Pool,
    RecurrenceShape,
    Requests,
    Ring,
    Routing,
    SearchSpace,
    ServiceLevel,
    Stage,
    Torus,
    TrainingPlan,
    Workload,
    choose_price,
    count_gemm,
    deploy,
    estimate_prefill,
    find_hierarchical_roofline,
    gather_pod,
    list_operators,
    load_catalogue,
    load_energy_table,
    load_model,
    prefill,
    simulate_serving,
)
from diglot.hardware.gpus.thread_blocks import LIBRARY_BLOCKS
from diglot.hardware.planning.planner import plan as plan_services
from diglot.hardware.training.pipelines import Pipeline

MODULES = [
    importlib.import_module(module.name)
    for module in pkgutil.walk_packages(diglot.hardware.__path__, "diglot.hardware.")
    # `validation` reads others' files, in their units, and reports their mistakes by line.
    if not module.name.endswith(".__main__") and ".validation" not in module.name
]
CHIP, TPU = load_catalogue()["h100-sxm"], load_catalogue()["tpu-v5e"]
MODEL = load_model("llama-2-7b")
ROOFLINE = CHIP.roofline("bf16")
DEPLOYMENT = deploy(MODEL, CHIP)
ISLAND = Island(chips_count=4, egress_bytes_per_s=4e11, step_latency_s=1e-6)
TORUS = Torus(sides_count=(4, 4), link_bytes_per_s=4.5e10, hop_latency_s=1e-6)
ROUTING = Routing(experts_count=8, active_count=2)
REQUESTS = Requests(arrival_s=np.array([0.0, 1.0]), prompt_tokens=64, output_tokens=64)
HOST = HostMemory(capacity_bytes=1e10, bandwidth_bytes_per_s=5e10)
PLAN = TrainingPlan(model=MODEL, sequence_tokens=128, batch_sequences_count=4, layout=Layout())

GIVEN = {
    "a": np.ones((4, 4), dtype=np.int64),
    "b": np.ones((4, 4), dtype=np.int64),
    "chip": CHIP,
    "chips": 8,
    "collective": "all-reduce",
    "algorithm": "ring",
    "dataflow": "ws",
    "decoder": DEPLOYMENT,
    "deployment": DEPLOYMENT,
    "destination": (3, 3),
    "dtype": "bf16",
    "efficiency_fractions": {"pool": 0.5},
    "draw": lambda rate: REQUESTS,
    "gpu": GpuProcessors(roofline=ROOFLINE, processor_count=132),
    "host": HOST,
    "id_": "horowitz-45nm",
    "ifmap": np.ones((1, 5, 5, 3)),
    "filters": np.ones((2, 3, 3, 3)),
    "interconnect": Ring(bandwidth_bytes_per_s=4e11),
    "island": ISLAND,
    "kernel": count_gemm(8, 8, 8),
    "kernels": (count_gemm(8, 8, 8),),
    "l2": L2Cache(capacity_bytes=5e7),
    "layer": ExpertLayer(width_elements=64, inner_elements=64, experts_count=8, active_count=2),
    "layout": Layout(),
    "like": (CHIP,),
    "level": ServiceLevel(ttft_s=1.0, tpot_s=1.0),
    "link": CacheLink(bandwidth_bytes_per_s=1e10),
    "model": MODEL,
    "engine": "vllm",
    "point": plan_services(
        "llama-3-8b",
        [CHIP],
        Workload(prompt_tokens=64, output_tokens=8),
        space=SearchSpace(chips_limit_count=1, precisions=("bf16",), ways=("continuous",)),
    ).points[0],
    "name": "name",
    "network": ISLAND,
    "parts": {},
    "pipeline": Pipeline(),
    "plan": PLAN,
    "prefiller": DEPLOYMENT,
    "price": choose_price(load_catalogue()["h100-sxm"]),
    "printed_unit": "GB/s",
    "requests": REQUESTS,
    "roofline": ROOFLINE,
    "routing": ROUTING,
    "rooflines": {"bf16": ROOFLINE},
    "groups": prefill(8),
    "mode": "ideal",
    "operator": "gemm",
    "subject": "product",
    "basis": "near",
    "operators": list_operators(MODEL, prefill(8)),
    "ownership": Ownership(purchase_usd=1e4, life_s=1e8),
    "serve": lambda requests: simulate_serving(DEPLOYMENT, requests),
    "shape": AttentionShape(
        queries_tokens=8, keys_tokens=8, heads_count=2, kv_heads_count=1, head_elements=8
    ),
    "recompute": "selective",
    "sharded": "gradients",
    "sides": (4, 4),
    "sides_count": (4, 4),
    "slice_": TORUS,
    "step": estimate_prefill(DEPLOYMENT, 64),
    "source": (0, 0),
    "tensor_interconnect": Ring(bandwidth_bytes_per_s=4e11),
    "tiles": {"memory": None},
    "timing": "ideal",
    "torus": TORUS,
    "ways": {"tensor": 8},
    "workload": Workload(prompt_tokens=128, output_tokens=128),
}
"""A valid value for each parameter that is not a number, by its name."""
INSTANCES = (
    load_energy_table("horowitz-45nm"),
    DEPLOYMENT.roofline,
    find_hierarchical_roofline(CHIP),
    GIVEN["layer"],
    GIVEN["interconnect"],
    LIBRARY_BLOCKS,
    ROUTING,
    NetworkLinks(
        reducing=Island(chips_count=8, egress_bytes_per_s=4e11),
        gathering=Island(chips_count=8, egress_bytes_per_s=4e11),
        exchanging=Island(chips_count=8, egress_bytes_per_s=4e11),
        neighbour_bandwidth_bytes_per_s=4e11,
    ),
    MODEL,
    gather_pod(TPU, (4, 4)),
    DEPLOYMENT,
    diglot.hardware.chips.calibration.load_calibration().find(CHIP, "gemm"),
    HOST,
    GIVEN["link"],
)
"""Objects whose methods are also called."""

NUMBERS = {
    "_fraction": 0.5,
    "_per_s": 1e12,
    "_s": 1e-3,
    "_w": 500.0,
    "_usd": 1e4,
    "_ratio": 1.5,
    "_per_byte": 100.0,
    "_j": 1e-9,
    "_hz": 1e9,
    "": 8,
}
"""A valid value for each parameter that is a number, by the end of its name."""
SPECIAL = {
    "ConvolutionShape": {"stride_elements": 1, "padding_elements": 1, "groups_count": 2},
    "count_convolution": {
        "shape": ConvolutionShape(
            height_elements=8, width_elements=8, channels_count=1, filters_count=1, filter_height_elements=3,
            filter_width_elements=3,
        ),
    },
    "gather_pod": {"chip": TPU},
    "list_era_operators": {"era_model": "bert"},
    "lower_convolution": {"filter_height": 3, "filter_width": 3, "stride": 1},
    "unfold_convolution": {"stride": 2, "ifmap": np.ones((5, 5, 3)), "filters": np.ones((3, 3, 3, 2))},
    "Experts": {"active_count": 2, "dense_layers_count": 0},
    "ExpertLayer": {"active_count": 2},
    "Routing": {"active_count": 2},
    "find_moe_critical_tokens": {"active_count": 2},
    "count_touched_experts": {"active_count": 2},
    "TransformerModel": {
        "positions_count": 0, "windowed_layers_count": 4, "segments_count": 0, "mixer_only_layers_count": 1,
        "feed_forward_only_layers_count": 1,
    },
    "RecurrentLayers": {"kind": "kimi delta attention"},
    "RecurrenceShape": {"kind": "mamba-2"},
    "count_recurrence": {
        "shape": RecurrenceShape(
            kind="mamba-2", new_tokens=8, key_heads_count=1, value_heads_count=8, key_elements=8,
            value_elements=8,
        ),
    },
    "TrainingPlan": {"batch_sequences_count": 8, "microbatch_sequences_count": 8},
    "Layout": {"expert_count": 1},
    "OpticalPod": {"chips_count": 4096},
    "TwistedTorus": {"sides_count": (4, 4, 8)},
    "find_twisted_torus": {"chip": load_catalogue()["tpu-v5p"], "sides": (4, 4, 8)},
    "compare_performance_per_watt": {"host_power_w": 100.0},
    "find_break_even_against_renting_fraction": {"rent_usd_per_chip_s": 1.0, "usd_per_j": 3e-8},
    "find_mfu_fraction": {"flops": 1e13, "chip_s": 100.0},
    "load_energy_table": {"id_": "eyeriss-65nm"},
    "count_fitting_sequences": {"memory_bytes": 1e9, "weights_bytes": 1e8},
    "estimate_tpu_gemm": {"chip": TPU, "tensor_core_count": 1},
    "estimate_training_step": {"memory_bytes": 1e12},
    "deploy": {},
    "Deployment": {"memory_bytes": 8e10, "reserved_fraction": 0.1},
    "join_slices": {"chip": TPU},
    "count_layered_gemm": {"tiles": {"memory": None}},
    "serve_in_chunks": {"chunk_tokens": 64},
    "choose_chunk_tokens": {"limit_s": 1.0},
    "Workload": {"cached_tokens": 4},
    "balance_experts": {"redundant_count": 0},
    "replicate_experts": {"model": load_model("mixtral-8x7b")},
    "StepOptions": {"routing_skew": 0.5, "redundant_experts_count": 2},
    "Requests": {"arrival_s": np.array([0.0, 1.0]), "cached_tokens": 4},
    "estimate_prefill_after_hit": {"cached_tokens": 4},
    "cache_prefix": {"prefix_tokens": 4},
    "count_sharing_sequences": {"prefix_tokens": 4},
    "estimate_offloaded_decode": {"context_tokens": 8},
    "find_cache_use_fraction": {"reserved_tokens": None},
    "HostMemory.find_transfer_s": {},
    "PowerCurve": {"idle_w": 50.0},
    "find_capped_speed_ratio": {"idle_w": 50.0},
    "fit_power_curve": {"idle_w": 50.0, "power_w": 250.0},
    "Ownership": {"life_s": 1e8},
    "find_best_placement": {
        "stages": (Stage(name="s", kernels=(count_gemm(8, 8, 8),), efficiency_fractions={"pool": 0.5}),),
        "pools": (
            Pool(name="pool", chip_count=1, rooflines={"bf16": ROOFLINE}, memory_bytes=1e9,
                 usd_per_chip_s=1.0, link_bytes_per_s=1e9),
        ),
        "objective": "latency",
        "most_latency_s": 1e3,
        "least_items_per_s": 1e-3,
    },
}  # fmt: skip
NOT_INPUT = {
    "made by the models or read from checked data, never by callers": (
        "EnergyEstimate", "EnergyTable", "AttentionTimes", "DisaggregatedRun", "ServingRun", "Fit", "Chip",
        "Price", "Quantity", "CollectiveRun", "TokenCost", "GemmTraffic", "GpuGemmRun", "LayeredKernel",
        "ArrivalRun", "ReleasedWeights", "Estimate", "SpreadFit",
        "CatalogueProblem", "Located", "SourcedModel", "MxuRun", "LinearCost", "OperatorTime", "Placement",
        "Pod", "StepTime", "PipelineCell", "PipelineTimeline", "LayersTime", "ExpertProducts", "ExpertRows",
        "Replay", "ReplayFit",
        "DecodeBound", "SystolicRun", "SystolicTraffic", "Simulation", "Snapshot", "Table", "TpuGemm",
        "TrainingMemory", "TrainingStep", "TransferRun", "Operator", "Claim", "Conflict", "Source",
        "ChunkTimes", "ExpertBalance", "FetchRun", "Goodput", "Jobs", "LengthRun", "Log", "OffloadedStep",
        "PrefixRun",
        "BlockFormat", "Finding", "NumberFormat", "OutsideClaim", "PowerRange", "SparseGain",
        "WeightOnlyGain",
        "SimulatedRun", "SpeculativeRun", "StepTimes", "WeightStationarySplit",
        "Candidates", "ComparedChip", "ComparedStrategy", "Loss", "Plan", "PlannedPoint",
        "MeasuredCost", "ServingFit", "TuningFit",
    ),
    "the checks themselves, or arithmetic behind them": (
        "add_up", "check_products_fit", "check_size", "check_rate", "check_amount", "divide_up", "to_float",
        "to_plain_float", "to_plain_int", "build_run", "check_share", "combine_interrupted",
        "count_steps", "count_sent_elements", "scale_experts", "bound_time", "find_product_limits",
    ),
    "its numbers are measurements or results, of which any may be odd": (
        "find_pareto_front", "find_best_within", "fit_factors", "fit_numbers", "measure_signal_to_noise_db",
    ),
    "it converts what the schema has checked": ("convert_to_si",),
}  # fmt: skip
ZERO_ALLOWED = {
    "a step, hop or launch may take no time to begin with": (
        "launch_s", "latency_s", "step_latency_s", "hop_latency_s", "network_latency_s", "link_latency_s",
        "neighbour_latency_s", "restart_s", "added_s", "per_chip_s", "ramp_s", "depth_s", "host_launch_s",
        "pause_s", "host_step_s", "find_spread.time_s",
    ),
    "the ideal, or nothing of it": (
        "overlap_fraction", "reserved_fraction", "query_overhead_tokens", "tail_fraction", "row_passes_count",
        "tile_overhead_elements", "recomputed_fraction",
    ),
    "owners and hosts may cost nothing": (
        "host_power_w", "host_w_per_chip", "fixed_usd_per_chip_s", "fixed_usd_per_s", "Pool.usd_per_chip_s",
        "Ownership.power_w", "Ownership.usd_per_j", "annual_interest_fraction", "resale_fraction",
        "first_loss_fraction", "find_life_cycle_usd.training_usd",
        "find_life_cycle_usd.usd_per_million_tokens", "find_life_cycle_usd.tokens",
    ),
    "an idle chip may be off": ("idle_w",),
    "capacity may come back at once, and nothing be saved": ("checkpoint_s", "restart_s"),
    "a copy computes nothing, a generator reads nothing": (
        "Kernel.flops", "Kernel.read_bytes", "Kernel.written_bytes", "flops_per_element",
    ),
    "a time of nothing to do": (
        "Factors.time_s.compute_time_s", "Factors.time_s.memory_time_s", "Factors.time_s.depth_elements",
        "Factors.time_s.part_elements",
    ),
    "a backward pass in one piece, a first axis": ("Passes.weights_s", "AxisPart.axis_index"),
    "no padding, shared experts, dense layers": ("padding_elements", "shared_count", "dense_layers_count"),
    "stands for as many as heads, or the width by them": ("kv_heads_count", "TransformerModel.head_elements"),
    "no learned positions or segments": ("positions_count", "segments_count"),
    "weights that are in place already": ("weight_load_cycles", "weight_fetch_cycles"),
    "a stage may keep or hand on nothing": ("Stage.output_bytes", "Stage.weights_bytes"),
    "no limit": ("least_items_per_s",),
    "an expert without rows": (
        "count_tiled_traffic.m", "count_grouped_gemm.m", "estimate_grouped_gemm.m", "time_grouped_gemm.m",
    ),
    "every expert alike": ("skew", "routing_skew"),
    "no product of that size": ("alike_count",),
    "one copy of each": ("balance_experts.redundant_count", "redundant_experts_count"),
    "fed without limit": ("fed_side_elements",),
    "nobody comes": ("find_mean_wait_s.requests_per_s", "serve_arrivals.requests_per_s"),
    "nothing is drafted, accepted, or found in a cache": (
        "draft_tokens", "acceptance_fraction", "draft_step_fraction", "hit_fraction", "cached_tokens",
    ),
    "nothing to overlap, or to move": ("compute_s", "communication_s", "transferred_bytes"),
    "a clock, or lengths that are all alike": (
        "interval_variation_ratio", "length_variation_ratio", "variation_ratio",
    ),
    "a seed like any other": ("seed",),
    "no promise": ("least_fraction",),
    "domains that are full": ("idle_per_domain_count",),
    "queries that are not compressed": ("query_rank_elements",),
    "no recurrence of low rank, no layer of half a kind": (
        "rank_elements", "mixer_only_layers_count", "feed_forward_only_layers_count",
    ),
    "nothing is cached before the first token": (
        "RecurrenceShape.context_tokens", "SequenceGroup.context_tokens", "decode.context_tokens",
        "estimate_decode.context_tokens", "speculate.context_tokens", "choose_draft_tokens.context_tokens",
        "TransformerModel.kv_bytes.context_tokens", "Deployment.kv_bytes_per_chip.context_tokens",
        "bound_decode_step.kv_bytes_per_sequence",
    ),
    "nothing to send": (
        "message_bytes", "Ring.all_gather_time_s.array_bytes", "NetworkLinks.all_gather_time_s.array_bytes",
    ),
    "not kept at all": ("parameter_bytes", "gradient_bytes", "optimiser_bytes"),
}  # fmt: skip
"""Why zero is meaningful → parameters, or callables and parameters, that accept it."""
INFINITY_ALLOWED = {"no limit": ("most_latency_s", "ServiceLevel.ttft_s", "ServiceLevel.tpot_s")}
ELEMENTS = {"sides_count": lambda side: (4, side), "tiles": lambda side: {"memory": (128, side)}}
"""Parameters that hold several numbers → a value that contains the invalid number."""
DATA = ("a", "b", "ifmap", "filters")
"""Arrays that are multiplied, in which any number is valid."""


def is_number(annotation):
    text = str(annotation)
    union = text.removeprefix("typing.Optional[").split("[")[0]
    return (
        annotation in (int, float)
        or "NDArray[np" in text
        or "SizeLike" in text
        or (union.split(" | ")[0] in ("int", "float", "Real", "Size", "SizeLike"))
    )


def is_whole(annotation):
    text = str(annotation)
    return (
        annotation is int or "np.int64" in text or "SizeLike" in text or text in ("int | None", "Size | None")
    )


def takes_arrays(annotation):
    text = str(annotation)
    return "NDArray[np" in text or "SizeLike" in text or text.startswith(("Real", "Size"))


def find_callables():
    for module in MODULES:
        for name, member in inspect.getmembers(module):
            if name.startswith("_") or getattr(member, "__module__", None) != module.__name__:
                continue
            if inspect.isfunction(member) or (inspect.isclass(member) and dataclasses.is_dataclass(member)):
                yield name, member
    for instance in INSTANCES:
        for name, method in inspect.getmembers(instance, inspect.ismethod):
            if not name.startswith("_"):
                yield f"{type(instance).__name__}.{name}", method


def find_walked():
    left_out = {name for names in NOT_INPUT.values() for name in names}
    for name, member in find_callables():
        if name not in left_out:
            parameters = inspect.signature(member).parameters
            numbers = [parameter.name for parameter in parameters.values() if is_number(parameter.annotation)]
            numbers = [number for number in numbers if name == "lower_convolution" or number not in DATA]
            if numbers:
                yield name, member, numbers


WALKED = list(find_walked())


def fill(name, member):
    """Valid arguments for a callable: all required ones, and every number."""
    special = SPECIAL.get(name, {})
    given = {}
    for parameter in inspect.signature(member).parameters.values():
        if parameter.name in special:
            given[parameter.name] = special[parameter.name]
        elif parameter.default is inspect.Parameter.empty or is_number(parameter.annotation):
            if parameter.name in GIVEN:
                given[parameter.name] = GIVEN[parameter.name]
            else:
                given[parameter.name] = next(v for end, v in NUMBERS.items() if parameter.name.endswith(end))
    return given


def call(member, given):
    signature = inspect.signature(member)
    given = dict(given)
    if any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values()):
        # What comes before several values in a row is given by position, too.
        positional = [p.name for p in signature.parameters.values() if p.kind is not p.KEYWORD_ONLY]
    else:
        positional = [p.name for p in signature.parameters.values() if p.kind is p.POSITIONAL_ONLY]
    first = [given.pop(name) for name in positional]
    result = member(*first, **given)
    return list(result) if inspect.isgenerator(result) else result


def is_allowed(table, name, parameter):
    return any(parameter in names or f"{name}.{parameter}" in names for names in table.values())


def list_bad(name, parameter):
    annotation, wrap = parameter.annotation, ELEMENTS.get(parameter.name)
    bad = [-1, float("nan"), "eight"]
    bad += [] if is_allowed(ZERO_ALLOWED, name, parameter.name) else [0]
    bad += [] if is_allowed(INFINITY_ALLOWED, name, parameter.name) else [float("inf")]
    bad += [1.5] if is_whole(annotation) or wrap else []
    if wrap:
        return [wrap(value) for value in bad]
    return [*bad, *(np.array([2, value]) for value in bad if takes_arrays(annotation))]


def names_parameter(message, name):
    """Whether the message contains the parameter's name as a word."""
    return re.search(rf"\b{re.escape(name)}\b", message) is not None


@pytest.mark.parametrize(("name", "member", "numbers"), WALKED, ids=[name for name, _, _ in WALKED])
def test_impossible_numbers_are_refused_by_name(name, member, numbers):
    given, wrong = fill(name, member), []
    call(member, given)
    for number in numbers:
        for bad in list_bad(name, inspect.signature(member).parameters[number]):
            try:
                call(member, {**given, number: bad})
                wrong.append(f"{number}={bad!r} is taken")
            except ValueError as error:
                if not names_parameter(str(error), number):
                    wrong.append(f"{number}={bad!r}: {error}")
            except Exception as error:
                wrong.append(f"{number}={bad!r}: {type(error).__name__} {error}")
    assert not wrong, "\n".join(wrong)


def test_what_is_left_out_or_allowed_exists():
    names = {name for name, _ in find_callables()}
    assert {name for group in NOT_INPUT.values() for name in group} <= names
    walked = {(name, number) for name, _, numbers in WALKED for number in numbers}
    known = {number for _, number in walked} | {f"{name}.{number}" for name, number in walked}
    for table in (ZERO_ALLOWED, INFINITY_ALLOWED):
        assert {name for group in table.values() for name in group} <= known


def test_the_walk_reaches_the_models():
    names = {name for name, _, _ in WALKED}
    assert {
        "run_systolic_array",
        "estimate_gpu_gemm",
        "Torus",
        "TransformerModel",
        "Ring.send_time_s",
    } <= names
    assert len(WALKED) > 120


def find_choices(member):
    for parameter in inspect.signature(member).parameters.values():
        if str(parameter.annotation).startswith(("typing.Literal[", "typing.Optional[typing.Literal[")):
            yield parameter.name


CHOOSING = [
    (name, member, choice)
    for name, member in find_callables()
    if name not in {name for names in NOT_INPUT.values() for name in names}
    for choice in find_choices(member)
]


@pytest.mark.parametrize(
    ("name", "member", "choice"), CHOOSING, ids=[f"{name}.{choice}" for name, _, choice in CHOOSING]
)
def test_an_unknown_choice_is_refused_and_quoted(name, member, choice):
    with pytest.raises((ValueError, LookupError), match="ternary"):
        call(member, {**fill(name, member), choice: "ternary"})
