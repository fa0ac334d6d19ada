"""Rooflines: attainable rates, ridges, batches that reach them."""

from diglot.hardware import (
    Kernel,
    count_batched_gemm,
    count_gemm,
    find_critical_rows,
    find_split_critical_depth,
)
from tests.reference.answers.common import (
    UNBOUNDED_BYTES_PER_S,
    Answers,
    AnswerTable,
    Inputs,
    make_roofline,
    read_product,
    read_rates,
    read_width,
)

ANY_SIZE = 10**9
"""Stands for a dimension far larger than all others."""


def answer_ridge(inputs: Inputs) -> Answers:
    """Where the roofs meet. An 8-bit peak is twice the 16-bit one."""
    if "macs_per_s" in inputs:
        peak, bandwidth = 2 * inputs["macs_per_s"], inputs["weight_bytes_per_s"]
    else:
        peak, bandwidth = read_rates(inputs)
    ridge, ridge_8bit = (make_roofline(rate, bandwidth).ridge_flops_per_byte for rate in (peak, 2 * peak))
    return {"ridge": ridge, "ridge_intensity": ridge, "ridge_16bit": ridge, "ridge_8bit": ridge_8bit}


def answer_compute_time(inputs: Inputs) -> Answers:
    """A count of FLOPs at a peak, with memory out of the way."""
    kernel = Kernel(name="given", flops=inputs["flops"], read_bytes=1, written_bytes=0)
    return {"time": make_roofline(inputs["peak_flops_per_s"], UNBOUNDED_BYTES_PER_S).time_s(kernel)}


def answer_sweep(inputs: Inputs) -> Answers:
    """Attainable rate of a product of weights and activations of any widths; weights are square without F."""
    kernel = count_gemm(
        inputs["B"],
        inputs["D"],
        inputs.get("F", inputs["D"]),
        dtype=read_width(inputs, "activation_bytes", "activations", "dtype"),
        weight_dtype=read_width(inputs, "weight_bytes", "weights", "dtype"),
    )
    roofline = make_roofline(*read_rates(inputs))
    rate = roofline.kernel_flops_per_s(kernel)
    return {
        "attainable": rate,
        "rate": rate,
        "time": roofline.time_s(kernel),
        "intensity": kernel.intensity_flops_per_byte,
    }


def answer_batched_product(inputs: Inputs) -> Answers:
    """A batch of matrix-vector products with a matrix each."""
    dtype = inputs["op"].split("[")[0]
    kernel = count_batched_gemm(inputs["B"], 1, inputs["D"], inputs["F"], dtype=dtype)
    return {"intensity": kernel.intensity_flops_per_byte}


def answer_critical_batch(inputs: Inputs) -> Answers:
    """Rows that make a product compute-bound; layers far wider than the batch where no sizes are given."""
    dtype = inputs.get("compute") or inputs.get("dtype") or inputs["op"].split("[")[0]
    _, k, n = read_product(inputs["op"]) if "op" in inputs else (None, ANY_SIZE, ANY_SIZE)
    roofline = make_roofline(*read_rates(inputs))
    return {
        "critical_batch": find_critical_rows(
            k, n, roofline=roofline, dtype=dtype, weight_dtype=inputs.get("weights", dtype)
        )
    }


def answer_achieved_app(inputs: Inputs) -> Answers:
    """Ideal rate of a network of which operations per weight byte are known, in MACs."""
    roofline = make_roofline(inputs["peak_tops"] * 1e12, inputs["weight_bytes_per_s"])
    return {"achieved": roofline.attainable_flops_per_s(2 * inputs["ops_per_weight_byte"])}


def answer_split_depth(inputs: Inputs) -> Answers:
    """Depth from which chips that each have a part of it hide the sum of their results."""
    depth = find_split_critical_depth(
        inputs["peak_flops_per_s"], inputs["link_bytes_per_s"], chips_count=inputs["chips"]
    )
    return {"critical_D": depth}


def answer_bandwidth_ratio(inputs: Inputs) -> Answers:
    """How much faster a memory moves the ridge of one peak."""
    before, after = (1 / inputs[key] for key in ("ridge_before", "ridge_after"))
    return {"bandwidth_ratio": after / before}


ANSWERS: AnswerTable = (
    ({"chips", "peak_flops_per_s", "link_bytes_per_s", "contraction_split"}, answer_split_depth),
    ({"ridge_before", "ridge_after"}, answer_bandwidth_ratio),
    ({"flops", "peak_flops_per_s"}, answer_compute_time),
    ({"op", "B", "D", "F"}, answer_batched_product),
    ({"B", "D"}, answer_sweep),
    ({"ops_per_weight_byte", "peak_tops", "weight_bytes_per_s"}, answer_achieved_app),
    ({"macs_per_s", "weight_bytes_per_s"}, answer_ridge),
    ({"peak", "bandwidth"}, answer_ridge),
    ({"peak_flops", "bandwidth"}, answer_ridge),
)
