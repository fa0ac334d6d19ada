"""Command lines that start an engine as a plan has it: vLLM, SGLang, TensorRT-LLM.

Sources of the flags, as of 2026: docs.vllm.ai; docs.sglang.io ("Server Arguments", "PD Disaggregation");
nvidia.github.io/TensorRT-LLM ("trtllm-serve", "Disaggregated Serving" and examples/disaggregated).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
            "prefill": "--host 0.0.0.0 --disaggregation-mode prefill",
            "decode": "--host 0.0.0.0 --disaggregation-mode decode",
        },
        "tensorrt-llm": {
            "command": "trtllm-serve {}",
            "tensor": "--tp_size {}",
            "pipeline": "--pp_size {}",
            "experts": "--ep_size {}",
            "sequences": "--max_batch_size {}",
            "context": "--max_seq_len {}",
            "step": "--max_num_tokens {}",
            "prefill": "--host 0.0.0.0 --config prefill.yaml",
            "decode": "--host 0.0.0.0 --config decode.yaml",
        },
    }
)
_FP8_CACHE = ("fp8", "fp4")
"""Precisions whose caches are in fp8."""
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

    With two pools, also what starts the server in front of them, and TensorRT-LLM's files of settings.

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
            "fp8 cache": precision in _FP8_CACHE or None,
            "sequences": None if role == "prefill" else batch,
            "context": context_tokens,
            "chunk": chunk,
            "step": chunk and chunk + batch,
            role: role or None,
        }
        says = [role] if role else []
        says += [f"{layout.data_count} of these"] if layout.data_count > 1 else []
        says += [f"{weights} has {_WEIGHTS[precision]}"] if precision in _WEIGHTS else []
        lines += [f"# {'; '.join(says)}"] if says else []
        if engine == "tensorrt-llm" and role:
            lines += _write_file(f"{role}.yaml", _list_role_settings(role, precision, context_tokens))
        given = {key: value for key, value in asked.items() if key in flags and value is not None}
        lines.append(" ".join(flags[key].format(value) for key, value in given.items()))
    if point.prefill_pool is not None:
        counts = {"PREFILL": point.prefill_pool.layout.data_count, "DECODE": point.pool.layout.data_count}
        lines += _list_front_lines(engine, counts)
    return tuple(lines)


def _list_front_lines(engine: Engine, counts: Mapping[str, int]) -> Iterator[str]:
    """What starts the server in front of both pools, by number of copies in each."""
    if engine == "vllm":
        yield "# requests go to a proxy in front of both; vLLM has an example of one, toy_proxy_server.py"
        return
    hosts = {role: [f"{role}-{number}" for number in range(1, count + 1)] for role, count in counts.items()}
    yield "# the server that requests go to; PREFILL-1, DECODE-1 stand for addresses of the others"
    if engine == "sglang":
        flags = [f"--{role.lower()} http://{host}:30000" for role, names in hosts.items() for host in names]
        yield " ".join(["python -m sglang_router.launch_router --pd-disaggregation", *flags])
    else:
        yield from _write_file("pools.yaml", _list_pool_settings(hosts))
        yield "trtllm-serve disaggregated -c pools.yaml"


def _write_file(name: str, settings: Iterable[str]) -> list[str]:
    """The lines of a shell that write a file."""
    return [f"cat > {name} <<'END'", *settings, "END"]


def _list_role_settings(role: str, precision: str, context_tokens: int | None) -> Iterator[str]:
    """TensorRT-LLM's settings of a server that only prefills or only decodes."""
    if role == "prefill":
        yield "disable_overlap_scheduler: true"
    yield "cache_transceiver_config:"
    yield "  backend: DEFAULT"
    if context_tokens is not None:
        yield f"  max_tokens_in_buffer: {context_tokens}"
    if precision in _FP8_CACHE:
        yield from ("kv_cache_config:", "  dtype: fp8")


def _list_pool_settings(hosts: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """TensorRT-LLM's settings of the server in front of both pools."""
    yield from ("hostname: 0.0.0.0", "port: 8000", "backend: pytorch")
    for key, role in (("context_servers", "PREFILL"), ("generation_servers", "DECODE")):
        yield from (f"{key}:", f"  num_instances: {len(hosts[role])}", "  urls:")
        yield from (f"    - {host}:8000" for host in hosts[role])


def runs_on(engine: Engine, chip: Chip) -> bool:
    """Whether an engine runs on a chip: vLLM on all, SGLang on GPUs, TensorRT-LLM on NVIDIA's."""
    check_choice("engine", engine, ENGINES)
    return engine == "vllm" or (chip.kind == "gpu" and (engine == "sglang" or chip.vendor == "NVIDIA"))
