"""Command lines that start an engine as a plan has it: vLLM, SGLang, TensorRT-LLM.

Sources of the flags: docs.vllm.ai, docs.sglang.io ("Server Arguments"), nvidia.github.io/TensorRT-LLM
("trtllm-serve"), as of 2026.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.planning.planner import PlannedPoint
from diglot.hardware.sizes import check_choice, check_size

Engine = Literal["vllm", "sglang", "tensorrt-llm"]
ENGINES: tuple[Engine, ...] = get_args(Engine)
_COMMANDS: Mapping[Engine, Mapping[str, str]] = MappingProxyType(
    {
        "vllm": {
            "command": "vllm serve {}",
            "tensor": "--tensor-parallel-size {}",
            "pipeline": "--pipeline-parallel-size {}",
            "experts": "--enable-expert-parallel",
            "fp8": "--quantization fp8",
            "fp8 cache": "--kv-cache-dtype fp8",
            "sequences": "--max-num-seqs {}",
            "context": "--max-model-len {}",
            "step": "--max-num-batched-tokens {}",
            "prefill": """--kv-transfer-config '{{"kv_connector":"NixlConnector","kv_role":"kv_both"}}'""",
            "decode": """--kv-transfer-config '{{"kv_connector":"NixlConnector","kv_role":"kv_both"}}'""",
        },
        "sglang": {
            "command": "python -m sglang.launch_server --model-path {}",
            "tensor": "--tp-size {}",
            "pipeline": "--pp-size {}",
            "experts": "--ep-size {}",
            "fp8": "--quantization fp8",
            "fp8 cache": "--kv-cache-dtype fp8_e4m3",
            "sequences": "--max-running-requests {}",
            "context": "--context-length {}",
            "chunk": "--chunked-prefill-size {}",
            "prefill": "--disaggregation-mode prefill",
            "decode": "--disaggregation-mode decode",
        },
        "tensorrt-llm": {
            "command": "trtllm-serve {}",
            "tensor": "--tp_size {}",
            "pipeline": "--pp_size {}",
            "experts": "--ep_size {}",
            "sequences": "--max_batch_size {}",
            "context": "--max_seq_len {}",
            "step": "--max_num_tokens {}",
        },
    }
)
_WEIGHTS: Mapping[str, str] = MappingProxyType(
    {
        "int8": "weights and activations in int8",
        "w8a16": "weights in int8",
        "w4a16": "weights in 4 bits",
        "fp4": "weights in NVFP4 or MXFP4",
    }
)
"""Precision → the weights that the engine has to be given; it makes those in fp8 itself."""


def list_launch_lines(
    point: PlannedPoint, engine: Engine, *, weights: str = "MODEL", context_tokens: int | None = None
) -> tuple[str, ...]:
    """A line for each pool of a plan, to be started for each of its copies, below a comment that says how.

    `weights` is what the engine loads, `context_tokens` the longest sequence. Raises ValueError for an engine
    that is unknown or does not run on a chip of the plan.
    """
    check_choice("engine", engine, ENGINES)
    if context_tokens is not None:
        check_size("context_tokens", context_tokens)
    flags = _COMMANDS[engine]
    lines: list[str] = []
    pools = ((point.prefill_pool, "prefill"), (point.pool, "decode" if point.prefill_pool else ""))
    for pool, role in pools:
        if pool is None:
            continue
        chip, layout = find_chip(pool.chip), pool.layout
        if not runs_on(engine, chip):
            raise ValueError(f"{engine} does not run on {chip.short_name}")
        precision = (point.prefill_precision if role == "prefill" else None) or point.precision
        batch = max(1, point.batch_count // layout.data_count)
        chunk = point.chunk_tokens
        asked = {
            "command": weights,
            "tensor": layout.tensor_count * layout.expert_count,
            "pipeline": layout.pipeline_count if layout.pipeline_count > 1 else None,
            "experts": layout.expert_count if layout.expert_count > 1 else None,
            "fp8": precision == "fp8" or None,
            "fp8 cache": precision in ("fp8", "fp4") or None,
            "sequences": None if role == "prefill" else batch,
            "context": context_tokens,
            "chunk": chunk,
            "step": chunk and chunk + batch,
            role: role or None,
        }
        says = [role] if role else []
        says += [f"{layout.data_count} of these"] if layout.data_count > 1 else []
        says += [f"{weights} has {_WEIGHTS[precision]}"] if precision in _WEIGHTS else []
        says += ["its config file has the role and the cache"] if engine == "tensorrt-llm" and role else []
        lines += [f"# {'; '.join(says)}"] if says else []
        given = {key: value for key, value in asked.items() if key in flags and value is not None}
        lines.append(" ".join(flags[key].format(value) for key, value in given.items()))
    return tuple(lines)


def runs_on(engine: Engine, chip: Chip) -> bool:
    """Whether an engine runs on a chip: vLLM on all, SGLang on GPUs, TensorRT-LLM on NVIDIA's."""
    check_choice("engine", engine, ENGINES)
    return engine == "vllm" or (chip.kind == "gpu" and (engine == "sglang" or chip.vendor == "NVIDIA"))
