"""Answers to rows that others measured on whole systems: how the conditions of each category are read.

A row of the schema `worked-cases/1` names its category and its inputs. What a source does not print is
assumed here, once for each category: the batch of a served model is the largest that fits, prompts run in
chunks of 8,192 tokens with the tokens of the batch, and a training step is timed as if its plan fitted, since
tables do not print what was recomputed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Literal, TypeAlias

import numpy as np

from diglot.hardware.chips.chip import Chip, Quantities
from diglot.hardware.chips.loading import load_catalogue
from diglot.hardware.chips.replay import Launches
from diglot.hardware.chips.spreads import Estimate, Subject, find_spread
from diglot.hardware.kernels.attention import AttentionShape, count_flash_attention
from diglot.hardware.kernels.attention_backward import count_flash_attention_backward
from diglot.hardware.kernels.kernel import count_elementwise
from diglot.hardware.models.catalogue import load_model
from diglot.hardware.models.model import Experts, TransformerModel
from diglot.hardware.operators.collective_time import time_collective
from diglot.hardware.operators.layer_time import time_attention_kernel
from diglot.hardware.operators.operator_time import time_gemm, time_kernel
from diglot.hardware.operators.transformer import Formats
from diglot.hardware.parallelism.layouts import Layout
from diglot.hardware.serving.batching import Workload, serve_in_chunks
from diglot.hardware.serving.deployment import Deployment, deploy
from diglot.hardware.serving.requests import Requests
from diglot.hardware.serving.runtimes import RUNTIMES, Runtime
from diglot.hardware.serving.simulation import simulate_serving, simulate_users
from diglot.hardware.serving.step_options import StepOptions
from diglot.hardware.serving.steps import estimate_decode, estimate_prefill
from diglot.hardware.training.chip_training import train_on_chip
from diglot.hardware.training.pipelines import Pipeline
from diglot.hardware.training.plan import TrainingPlan
from diglot.hardware.training.sharded_state import TrainingState
from diglot.hardware.training.step import Overlap

Mode = Literal["ideal", "calibrated"]
Inputs: TypeAlias = Mapping[str, Any]
Values: TypeAlias = dict[str, float]
"""Name of a value → what a model gives, in base units."""

STEP_TOKENS = 8192
"""Tokens of a step of TensorRT-LLM and vLLM with prompts in chunks: the default of both."""
LARGEST_BATCH_COUNT = 2048
"""Sequences that an engine takes at once, the default of `trtllm-bench`."""
RUNTIME_FRACTION = 0.1
"""Share of the memory left by the weights that engines keep for themselves, the default of TensorRT-LLM."""
PAUSE_S = 1e-3
"""Between a user's answer and the next question of a closed loop."""


def _qwen(name: str, layers: int, width: int, heads: int, inner: int, **sizes: Any) -> TransformerModel:
    return TransformerModel(
        name=name,
        layers_count=layers,
        width_elements=width,
        heads_count=heads,
        feed_forward_elements=inner,
        **{"kv_heads_count": 8, "head_elements": 128, "vocabulary_count": 151936, **sizes},
    )


MODELS: Mapping[str, TransformerModel] = {
    "qwen3-8b": _qwen("Qwen3 8B", 36, 4096, 32, 12288),
    "qwen-2.5-32b": _qwen("Qwen2.5 32B", 64, 5120, 40, 27648, vocabulary_count=152064, biases="qkv"),
    "qwen3-30b": _qwen(
        "Qwen3 30B-A3B",
        *(48, 2048, 32, 6144),
        kv_heads_count=4,
        experts=Experts(routed_count=128, active_count=8, hidden_elements=768),
    ),
    "qwen3-235b": _qwen(
        "Qwen3 235B-A22B",
        *(94, 4096, 64, 12288),
        kv_heads_count=4,
        experts=Experts(routed_count=128, active_count=8, hidden_elements=1536),
    ),
    "gpt-oss-20b": TransformerModel(
        name="gpt-oss-20b",
        layers_count=24,
        width_elements=2880,
        heads_count=64,
        kv_heads_count=8,
        head_elements=64,
        feed_forward_elements=2880,
        vocabulary_count=201088,
        window_tokens=128,
        windowed_layers_count=12,
        experts=Experts(routed_count=32, active_count=4, hidden_elements=2880),
    ),
}
"""Models of rows that the library does not list. Source: the config.json files released with the models."""
MPT_SIZES = {"1b": (24, 2048, 16), "3b": (32, 2560, 20), "7b": (32, 4096, 32), "13b": (40, 5120, 40)} | {
    "30b": (48, 7168, 56),
    "70b": (80, 8192, 64),
}
"""Layers, width and heads. Source: llm-foundry, scripts/train/benchmarking."""
MEGATRON_IDS = {
    "LLAMA3_8B": "llama-3-8b",
    "LLAMA3_70B": "llama-3-70b",
    "LLAMA3.1_405B": "llama-3-405b",
    "DeepSeekV3": "deepseek-v3",
    "GPT OSS 120B": "gpt-oss-120b",
    "Qwen3_30B_a3B": "qwen3-30b",
    "Qwen3_235B_a22B": "qwen3-235b",
}
UNBALANCED = StepOptions(routing_skew=1.0, expert_placement="blind")
"""Experts placed by number, and chosen so unevenly that layers take 1.2, 1.4 and 1.7 times as long on 2, 4
and 8 ways. Source: kernels of aiconfigurator 0.12.0 under a power law, its default for services."""


def find_runtime(inputs: Inputs) -> Runtime:
    """How the engine of a row starts work: Azure's guide has static batches, two sources vLLM before 1."""
    where = inputs["where"]
    if inputs["title"].startswith("Azure AI-benchmarking-guide"):
        return RUNTIMES["static"]
    return RUNTIMES["vllm-0" if "vLLM 0." in where or "benchmark_latency" in where else "overlapped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model gives for one value of a row."""

    value: float
    estimate: Estimate | None = None
    """Its 90% interval; None of a bound."""


def find_row_model(id_: str, *, positions: int) -> TransformerModel:
    """The model of a row. Raises KeyError where nobody gives its sizes."""
    if id_ in MODELS:
        return MODELS[id_]
    family, _, size = id_.partition("-")
    if family != "mpt":
        return load_model(id_)
    layers, width, heads = MPT_SIZES[size]
    return TransformerModel(
        name=f"MPT {size}",
        layers_count=layers,
        width_elements=width,
        heads_count=heads,
        feed_forward_elements=4 * width,
        gated=False,
        vocabulary_count=50368,
        tied_embeddings=True,
        norm="layer",
        positions_count=positions,
    )


TIME = "time_s"
"""Name of the time of a kernel or collective, whatever its row gives."""


def answer_gemm(inputs: Inputs, mode: Mode) -> Values:
    """Rate of a product; that of two operands in 8 bits has a result in 16."""
    m, k, n, dtype = (inputs[name] for name in ("m", "k", "n", "dtype"))
    result: Any = "bf16" if dtype == "fp8" else None
    time_s = time_gemm(inputs["chip"], m, k, n, dtype=dtype, result_dtype=result, mode=mode).time_s
    return {"rate": 2 * m * k * n / float(time_s), TIME: float(time_s)}


def answer_hbm(inputs: Inputs, mode: Mode) -> Values:
    """BabelStream: a copy or scaling reads one array, a sum or triad two; a dot product writes none."""
    read = {"copy": 1, "mul": 1, "add": 2, "triad": 2, "dot": 2}[inputs["op"]]
    written = 0 if inputs["op"] == "dot" else 1
    kernel = count_elementwise(inputs["elements"], inputs=read, dtype=inputs["dtype"])
    kernel = replace(kernel, written_bytes=kernel.written_bytes * written)
    time_s = time_kernel(inputs["chip"], kernel, "copy", dtype=inputs["dtype"], mode=mode).time_s
    return {"bandwidth": float(kernel.memory_bytes) / float(time_s), TIME: float(time_s)}


def answer_attention(inputs: Inputs, mode: Mode) -> Values:
    """Rate of fused attention over whole sequences, forward or backward."""
    batch, tokens, heads, head = (inputs[name] for name in ("batch", "sequence", "heads", "head"))
    shape = AttentionShape(
        batch_count=batch,
        queries_tokens=tokens,
        keys_tokens=tokens,
        heads_count=heads,
        kv_heads_count=heads,
        head_elements=head,
        causal=False,
    )
    is_backward = inputs.get("pass_", "forward") == "backward"
    count = count_flash_attention_backward if is_backward else count_flash_attention
    kernel, chip = count(shape), load_catalogue()[inputs["chip"]]
    time_s = time_attention_kernel(chip, kernel, shape, mode=mode, is_backward=is_backward).time_s
    return {"rate": float(kernel.flops) / float(time_s), TIME: float(time_s)}


def answer_collective(inputs: Inputs, mode: Mode) -> Values:
    """Rates as nccl-tests define them; those of an exchange of tokens count what one chip sends."""
    chips = inputs["chips"]
    sides = tuple(chips) if isinstance(chips, list) else chips
    count, size = prod(np.atleast_1d(sides).tolist()), inputs["bytes"]
    called: Launches = "host" if "nccl-tests" in inputs["where"] else "graph"
    run = time_collective(inputs["chip"], inputs["collective"], size, sides, mode=mode, launches=called)
    time_s = float(run)
    share = (count - 1) / count * (2 if inputs["collective"] == "all-reduce" else 1)
    rates = dict.fromkeys(("algorithm_bandwidth", "dispatch_bandwidth", "combine_bandwidth"), size / time_s)
    return {"bus_bandwidth": share * size / time_s, **rates, TIME: time_s}


def find_roomy_chip(id_: str) -> Chip:
    """The chip with a terabyte of memory."""
    chip = load_catalogue()[id_]
    return replace(
        chip,
        quantities=Quantities(
            replace(each, value=1e12) if each.field == "memory.capacity" else each for each in chip.quantities
        ),
    )


def plan_fsdp(inputs: Inputs) -> TrainingPlan:
    """llm-foundry's benchmark: everything sharded, or gradients and optimiser."""
    sharded: Any = "parameters" if inputs["sharding"] == "FULL_SHARD" else "gradients"
    return TrainingPlan(
        model=find_row_model(inputs["model"], positions=inputs["sequence"]),
        sequence_tokens=inputs["sequence"],
        batch_sequences_count=inputs["global_batch"],
        microbatch_sequences_count=inputs["micro_batch"],
        layout=Layout(data_count=inputs["gpus"]),
        state=TrainingState(sharded=sharded),
        recompute="full" if inputs["checkpointing"] else "none",
        attention="flash-2",  # of 2023, before kernels for Hopper's instructions
        formats=Formats(arithmetic=inputs["precision"]),
    )


def plan_megatron(inputs: Inputs) -> TrainingPlan:
    """Expert ways beyond the copies of a model split the inner width of experts, over its tensor ways."""
    tensor, stages, context = inputs["tensor"], inputs["pipeline"], inputs["context"]
    copies = inputs["gpus"] // (tensor * stages * context)
    expert = min(inputs["expert"], copies)
    formats = {"BF16": "bf16", "FP8": "fp8", "MXFP8": "fp8", "NVFP4": "fp4"}
    arithmetic: Any = formats[inputs["precision"]]
    return TrainingPlan(
        model=find_row_model(MEGATRON_IDS[inputs["model"]], positions=inputs["sequence"]),
        sequence_tokens=inputs["sequence"],
        batch_sequences_count=inputs["global_batch"],
        microbatch_sequences_count=inputs["micro_batch"],
        layout=Layout(
            tensor_count=tensor,
            pipeline_count=stages,
            context_count=context,
            expert_count=expert,
            data_count=copies // expert,
            sequence_parallel=tensor > 1,
        ),
        pipeline=Pipeline(interleave_count=inputs["virtual"]),
        attention=_read_attention(inputs),
        state=TrainingState(sharded="parameters" if inputs["fsdp"] else "optimiser"),
        formats=Formats(arithmetic=arithmetic),
    )


def plan_maxtext(inputs: Inputs) -> TrainingPlan:
    """Sequences that a chip does not have whole are split over as many context ways as that takes."""
    chips, per_chip = inputs["chips"], inputs["sequences_per_chip"]
    tensor, context = inputs.get("tensor", 1), max(1, round(1 / per_chip))
    batch = round(chips * per_chip)
    return TrainingPlan(
        model=find_row_model(inputs["model"], positions=inputs["sequence"]),
        sequence_tokens=inputs["sequence"],
        batch_sequences_count=batch,
        microbatch_sequences_count=batch * tensor * context // chips,
        layout=Layout(data_count=chips // (tensor * context), tensor_count=tensor, context_count=context),
        state=TrainingState(sharded="parameters", replicas_count=inputs["slices"]),
        recompute="full",
        attention=_read_attention(inputs),
        formats=Formats(arithmetic=inputs["precision"]),
    )


def _read_attention(inputs: Inputs) -> Any:
    """The sinks of gpt-oss were in no fused kernel for training before the containers of August 2026.

    Source: NVIDIA/TransformerEngine, issue 2318 (a learnable softmax falls back to unfused attention).
    """
    has_sinks = inputs["model"].lower().replace(" ", "-").startswith("gpt-oss")
    return "materialised" if has_sinks and not inputs["where"].startswith("26.08") else "flash"


PLANS: Mapping[str, Callable[[Inputs], TrainingPlan]] = {
    "training-fsdp": plan_fsdp,
    "training-megatron": plan_megatron,
    "training-tpu": plan_maxtext,
}
"""Category → the plan of a training step."""


def answer_training(inputs: Inputs, mode: Mode) -> Values:
    """Tokens per second and chip."""
    plan = PLANS[inputs["category"]](inputs)
    overlap: Overlap = "everything" if mode == "ideal" else "copies"
    step = train_on_chip(plan, find_roomy_chip(inputs["chip"]), timing=mode, overlap=overlap)
    rate = float(plan.batch_tokens) / (float(step.time_s) * plan.layout.chips_count)
    return {"tokens_per_s_per_gpu": rate, "tokens_per_s_per_chip": rate}


def _deploy(inputs: Inputs, layout: Layout, mode: Mode) -> Deployment:
    model = find_row_model(inputs["model"], positions=1)
    formats = _read_formats(inputs)
    runtime = find_runtime(inputs) if mode == "calibrated" else Runtime()

    def run(reserved_fraction: float) -> Deployment:
        return deploy(
            model,
            inputs["chip"],
            layout=layout,
            formats=formats,
            timing=mode,
            runtime=runtime,
            options=UNBALANCED if mode == "calibrated" and layout.expert_count > 1 else StepOptions(),
            reserved_fraction=reserved_fraction,
        )

    whole = run(0.0)
    return run(RUNTIME_FRACTION * whole.free_bytes_per_chip / whole.memory_bytes)


def _read_formats(inputs: Inputs) -> Formats:
    """Four-bit weights run with caches of 8 bits; gpt-oss has them and 16-bit arithmetic on Hopper."""
    dtype = inputs["dtype"]
    cache: Any = "fp8" if dtype == "fp4" else dtype
    if inputs["model"].startswith("gpt-oss"):
        narrow: Any = "fp8" if dtype == "fp4" else "bf16"
        return Formats(weights="fp4", kv_cache=narrow, arithmetic=narrow)
    formats = Formats(weights=dtype, kv_cache=cache, arithmetic=dtype)
    return replace(formats, activations=dtype, embeddings=dtype) if dtype == "fp16" else formats


def answer_users(inputs: Inputs, mode: Mode) -> Values:
    """Users who ask again as soon as they are answered, in a steady state."""
    deployment, users = _deploy(inputs, Layout(tensor_count=inputs["tensor"]), mode), inputs["users"]
    workload = Workload(prompt_tokens=inputs["prompt"], output_tokens=inputs["output"])
    run = simulate_users(deployment, workload, users, pause_s=PAUSE_S, chunk_tokens=STEP_TOKENS - users)
    steady = slice(users, -users)
    ttft_s, tpot_s = run.ttft_s[steady], run.tpot_s[steady]
    whole_s = PAUSE_S + np.mean(ttft_s) + (inputs["output"] - 1) * np.mean(tpot_s)
    return {
        "ttft_median": float(np.median(ttft_s)),
        "tpot_median": float(np.median(tpot_s)),
        "tokens_per_s": float(users * inputs["output"] / whole_s),
    }


REQUESTS_COUNT = {
    (128, 128): 30000,
    (20000, 2000): 1000,
    (32768, 1024): 1000,
    (1024, 32768): 1000,
    **dict.fromkeys(((128, 4096), (1000, 2000), (2048, 2048), (5000, 500), (8192, 1024), (1024, 8192)), 1500),
}
"""Requests of a run, by prompt and output tokens. Source: TensorRT-LLM, "Overview", preparing a dataset."""
USUAL_REQUESTS_COUNT = 3000


def answer_throughput(inputs: Inputs, mode: Mode) -> Values:
    """Requests that are all there at the beginning, until the last is answered.

    Attention over data ways has experts over expert ways, attention over tensor ways has both split.
    """
    ways, sizes = inputs["ways"], (inputs["prompt"], inputs["output"])
    layout = Layout(expert_count=ways) if inputs["attention_data_parallel"] else Layout(tensor_count=ways)
    deployment, groups = _deploy(inputs, layout, mode), layout.groups_count
    count = REQUESTS_COUNT.get(sizes, USUAL_REQUESTS_COUNT)
    fitting = int(np.asarray(deployment.largest_batch_count(sum(sizes)))) // groups
    batch = min(fitting, LARGEST_BATCH_COUNT, -(-count // groups))
    chunk = STEP_TOKENS - batch
    if batch > sizes[1]:
        # Several prompts ride on each step, which the simulation does not know; the end hardly matters.
        workload = Workload(prompt_tokens=sizes[0], output_tokens=sizes[1])
        rate = float(
            serve_in_chunks(deployment, workload, batch * groups, chunk_tokens=chunk).output_tokens_per_s
        )
    else:
        requests = Requests(
            arrival_s=np.zeros(count), prompt_tokens=np.array(sizes[0]), output_tokens=np.array(sizes[1])
        )
        limit = LARGEST_BATCH_COUNT * groups
        run = simulate_serving(deployment, requests, chunk_tokens=chunk, batch_limit_count=limit)
        rate = float(run.output_tokens_per_s)
    return {
        "tokens_per_s": rate,
        "tokens_per_s_per_gpu": rate / ways,
        "total_tokens_per_s": rate * sum(sizes) / sizes[1],
    }


def answer_cost(inputs: Inputs, mode: Mode) -> Values:
    """The cheapest batch at which every user has the stated rate."""
    deployment = _deploy(inputs, Layout(tensor_count=inputs["tensor"]), mode)
    workload = Workload(prompt_tokens=inputs["prompt"], output_tokens=inputs["output"])
    largest = min(512, int(np.asarray(deployment.largest_batch_count(workload.longest_context_tokens))))
    run = serve_in_chunks(deployment, workload, np.arange(1, largest + 1), chunk_tokens=2048)
    quick = np.asarray(run.tpot_s) <= 1 / inputs["tokens_per_s_per_user"]
    rate = float(np.asarray(run.output_tokens_per_s)[quick].max())
    whole = (inputs["prompt"] + inputs["output"]) / inputs["output"]
    usd_per_s = inputs["usd_per_chip_hour"] * inputs["tensor"] / 3600
    return {"usd_per_million_tokens_in_and_out": 1e6 * usd_per_s / (rate * whole)}


def answer_static(inputs: Inputs, mode: Mode) -> Values:
    """A batch of equal prompts, prefilled at once, that all end together."""
    deployment = _deploy(inputs, Layout(tensor_count=inputs["tensor"]), mode)
    prompt, output, batch = inputs["prompt"], inputs["output"], inputs["batch"]
    first_s = float(estimate_prefill(deployment, prompt, sequences_count=batch).time_s)
    token_s = float(estimate_decode(deployment, prompt + (output - 1) // 2, batch_count=batch).time_s)
    time_s = first_s + (output - 1) * token_s
    return {"latency": time_s, "tokens_per_s": batch * output / time_s}


ANSWERS: Mapping[str, Callable[[Inputs, Mode], Values]] = {
    "attention": answer_attention,
    "collective": answer_collective,
    "gemm": answer_gemm,
    "hbm": answer_hbm,
    "serving-cost": answer_cost,
    "serving-static": answer_static,
    "serving-throughput": answer_throughput,
    "serving-users": answer_users,
    **dict.fromkeys(PLANS, answer_training),
}
"""Category → who answers it."""


def answer_row(row: Mapping[str, Any], mode: Mode) -> dict[str, Answer]:
    """Ours for all values of a row. Raises KeyError for an unknown category, model or input."""
    inputs = read_inputs(row)
    values = ANSWERS[row["category"]](inputs, mode)
    if mode == "ideal":
        return {name: Answer(value=value) for name, value in values.items()}
    spread = find_spread(find_subject(inputs), inputs["chip"], time_s=values.get(TIME))
    return {name: Answer(value=value, estimate=spread.bracket(value)) for name, value in values.items()}


def find_subject(inputs: Inputs) -> Subject:
    """What tells how sure the answer to a row is."""
    kernels: Mapping[str, Subject] = {
        "attention": "attention",
        "collective": "collective",
        "serving-cost": "served cost",
        "gemm": "product",
        "hbm": "copy",
    }
    category = inputs["category"]
    if category in kernels:
        return kernels[category]
    id_ = str(MEGATRON_IDS.get(inputs["model"], inputs["model"]))
    dense = find_row_model(id_, positions=1).experts is None
    if category in PLANS:
        return "trained dense" if dense else "trained experts"
    return "served dense" if dense else "served experts"


def read_inputs(row: Mapping[str, Any]) -> Inputs:
    """The inputs of a row, and what else tells conditions: its category, and the place in its source."""
    source = row["source"]
    around = {"title": source.get("title", ""), "where": source.get("where", "")}
    return {**row["inputs"], **around, "category": row["category"]}
