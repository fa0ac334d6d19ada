"""The operators of one layer, each on one of the GPUs that share it."""

from diglot.hardware import (
    bytes_per_element,
    count_batched_gemm,
    count_elementwise,
    count_gemm,
    count_layer_normalisation,
    count_softmax,
    estimate_collective,
    find_network,
)
from tests.reference.answers.common import Answers, AnswerTable, Inputs, make_roofline, read_rates
from tests.reference.catalogue import load_catalogue


def answer_prefill_layer(inputs: Inputs) -> Answers:
    """A layer with heads and an inner width of 4 d split between GPUs, whole sequences at once."""
    if inputs["phase"] != "prefill":
        raise LookupError(f"not a prefill: {inputs['phase']}")
    d, ways, dtype = inputs["d"], inputs["tensor_parallel"], inputs["dtype"]
    length, batch, heads = inputs["sequence"], inputs["batch"], inputs["heads"]
    tokens, groups, head = batch * length, batch * heads // ways, d // heads
    kernels = {
        "qkv_projections": count_gemm(tokens, d, 3 * d // ways, dtype=dtype),
        "q_times_k": count_batched_gemm(groups, length, head, length, dtype=dtype),
        "a_times_v": count_batched_gemm(groups, length, length, head, dtype=dtype),
        "output_projection": count_gemm(tokens, d // ways, d, dtype=dtype),
        "ffn_up": count_gemm(tokens, d, 4 * d // ways, dtype=dtype),
        "ffn_down": count_gemm(tokens, 4 * d // ways, d, dtype=dtype),
        "softmax": count_softmax(groups * length, length, dtype=dtype),
        "layernorm": count_layer_normalisation(tokens, d, dtype=dtype),
        "gelu": count_elementwise(tokens * 4 * d // ways, dtype=dtype),
    }
    roofline = make_roofline(*read_rates(inputs))
    network = find_network(load_catalogue()[inputs["chip"]], inputs["gpus"])
    summed = estimate_collective("all-reduce", int(tokens * d * bytes_per_element(dtype)), network)
    times = {name: float(roofline.time_s(kernel)) for name, kernel in kernels.items()}
    return {**times, "all_reduce": float(summed.time_s)}


ANSWERS: AnswerTable = (
    ({"chip", "gpus", "d", "heads", "batch", "sequence", "tensor_parallel", "phase"}, answer_prefill_layer),
)
