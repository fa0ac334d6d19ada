"""One spelling for what sources write in many: names and values of inputs, before anybody answers them.

What a case calls `m`, `seq_len` or `hbm_gbs` is here `M`, `sequence` and `hbm_bytes_per_s`; a text that is a
number, with or without a unit, becomes the number in base units. Names that no rule knows stay as they are.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from diglot.hardware import Chip
from diglot.hardware.dtypes import DTYPES
from tests.reference.catalogue import load_catalogue
from tests.reference.scales import SCALES

SCALED = {
    "peak_tflops": ("peak_flops_per_s", 1e12),
    "peak_tops": ("peak_flops_per_s", 1e12),
    "peak_gbs": ("hbm_bytes_per_s", 1e9),
    "hbm_gbs": ("hbm_bytes_per_s", 1e9),
    "bandwidth_gbs": ("hbm_bytes_per_s", 1e9),
    "peak_tflops_per_device": ("peak_flops_per_s", 1e12),
    "hbm_gbs_per_device": ("hbm_bytes_per_s", 1e9),
}
"""Rates whose name holds a scale → the name in base units, and that scale."""
NAMES = {
    "peak_flops_per_s": ("peak_ops_per_s", "peak_flops", "peak"),
    "hbm_bytes_per_s": ("bandwidth", "memory_bytes_per_s"),
    "head_dim": ("head_size", "head_dimension"),
    "sequence": ("seq", "seq_len", "seqlen", "sequence_length"),
    "gpus": ("devices", "accelerators", "num_gpus"),
    "dtype": ("precision", "data_type"),
    "weight_bytes": ("weights_bytes",),
    "activation_bytes": ("activations_bytes",),
    "total_tokens": ("tokens",),
    "topology": ("shape", "slice", "mesh"),
    "bytes": ("size_bytes", "message_bytes"),
}
"""A name → other names of the same, which count where it is not given."""
DTYPE_NAMES = {
    **dict.fromkeys(("float64", "f64", "double"), "fp64"),
    **dict.fromkeys(("float32", "f32", "float", "single"), "fp32"),
    **dict.fromkeys(("float16", "f16", "half"), "fp16"),
    **dict.fromkeys(("bfloat16",), "bf16"),
    **dict.fromkeys(("float8", "f8", "e4m3", "e5m2", "fp8e4m3", "fp8e5m2", "mxfp8"), "fp8"),
    **dict.fromkeys(("s8", "i8", "w8a8"), "int8"),
    **dict.fromkeys(("float4", "f4", "nvfp4", "mxfp4"), "fp4"),
}
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
VENDORS = {"nvidia", "amd", "google", "cloud", "tesla", "instinct", "gpu"}
WORDS = (
    "op",
    "note",
    "notes",
    "layer",
    "model",
    "app",
    "variant",
    "dtype",
    "weights",
    "compute",
    "array",
    "mesh",
)
"""Inputs that are text, and no number even where they look like one."""
QUANTITY = re.compile(r"([-+]?[\d.,_]*\d[.]?(?:[eE][-+]?\d+)?)\s*([^\d\s.,].*)?")
"""A number, and perhaps its unit."""


def spell_inputs(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs in our words. Spelling twice changes nothing."""
    spelt = {name: _read_value(name, value) for name, value in inputs.items() if value is not None}
    for name, (base, scale) in SCALED.items():
        if name in spelt and base not in spelt and isinstance(spelt[name], int | float):
            is_scaled = isinstance(inputs[name], str) and re.search(r"[A-Za-z]{2}", inputs[name])
            spelt[base] = spelt[name] * (1 if is_scaled else scale)
    for name, others in NAMES.items():
        for other in others:
            if name not in spelt and other in spelt:
                spelt[name] = spelt[other]
    if {"m", "k", "n"} <= spelt.keys():
        spelt |= {name.upper(): spelt.pop(name) for name in ("m", "k", "n")}
    for name in ("dtype", "weights", "compute"):
        if name in spelt:
            spelt[name] = spell_dtype(str(spelt[name]))
    if "chip" in spelt:
        chip = find_chip(str(spelt["chip"]))
        spelt["chip"] = spelt["chip"] if chip is None else chip.id
    return spelt


def spell_dtype(name: str) -> str:
    """`BF16`, `bfloat16` or `torch.bfloat16` as `bf16`; what is no format stays as it is."""
    folded = "".join(c for c in name.casefold().removeprefix("torch.") if c.isalnum())
    return folded if folded in DTYPES else DTYPE_NAMES.get(folded, name)


@cache
def find_chip(name: str) -> Chip | None:
    """The chip that a source means, by id, short name or full name; None where the catalogue has none.

    Of several that a name may mean (`A100`) the one with the fastest memory, so that an ideal stays a bound.
    """
    chips, wanted = load_catalogue(), _find_words(name) - VENDORS
    try:
        return chips.find(name)
    except KeyError:
        named = [
            chip
            for chip in chips.values()
            if wanted <= _find_words(f"{chip.id} {chip.short_name} {chip.name}")
        ]
    return max(named, key=lambda chip: chip.memory_bandwidth_bytes_per_s, default=None) if wanted else None


def fold(name: str) -> str:
    """Letters and digits alone, small."""
    return "".join(character for character in name.casefold() if character.isalnum())


def _find_words(name: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+", name.casefold()))


def _read_value(name: str, value: Any) -> Any:
    """A number as such, whatever it is written as."""
    if isinstance(value, list | tuple):
        return [_read_value(name, item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if not isinstance(value, str) or name in WORDS:
        return value
    if value.strip().casefold() in TRUTHS:
        return TRUTHS[value.strip().casefold()]
    match = QUANTITY.fullmatch(value.strip())
    scales = {None: 1, "k": 1024, "K": 1024, **SCALES}  # a length of 16k is 16,384
    if match is None or match[2] not in scales:
        return value
    number = float(match[1].replace(",", "").replace("_", "")) * scales[match[2]]
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
