"""Matrix products: intensity, ideal time and rate, and the ideal times that calibration starts from."""

from contextlib import suppress

from diglot.hardware import GpuProcessors, count_gemm, estimate_gpu_gemm, find_thread_blocks
from diglot.hardware.operators.operator_time import find_l2, find_processor_count
from tests.reference.answers.common import (
    Answers,
    AnswerTable,
    Inputs,
    KernelTimes,
    TimesTable,
    make_roofline,
    read_rates,
)
from tests.reference.catalogue import load_catalogue

LONG_FLOPS = 1e16
"""Work of a product so large that nothing but the rate of arithmetic matters."""


def answer_product(inputs: Inputs) -> Answers:
    """Intensity of a product; its ideal time and rate where the rates of a chip are given or known."""
    if "outputs" in inputs:
        m, k, n = inputs["batch"], inputs["inputs"], inputs["outputs"]
    else:
        m, k, n = inputs["M"], inputs["K"], inputs["N"]
    kernel = count_gemm(m, k, n, dtype=inputs.get("dtype", "bf16"))
    answers = {"intensity": kernel.intensity_flops_per_byte}
    if {"chip", "peak_flops_per_s"} & inputs.keys():
        roofline = make_roofline(*read_rates(inputs))
        answers |= {"time": roofline.time_s(kernel), "rate": roofline.kernel_flops_per_s(kernel)}
        answers["efficiency"] = answers["rate"] / roofline.peak_flops_per_s
    return answers


def answer_largest_rate(inputs: Inputs) -> Answers:
    """The peak that no product exceeds, at the clock of the catalogue and at the one observed."""
    peak, _ = read_rates(inputs)
    answers = {"rate": peak, "efficiency": 1.0}
    if "average_clock_mhz" in inputs:
        with suppress(LookupError):  # no source tells the clock of that peak; the rate can still be judged
            clock_hz = load_catalogue()[inputs["chip"]].clock_hz
            answers["peak_at_that_clock"] = peak * inputs["average_clock_mhz"] * 1e6 / clock_hz
    return answers


def time_product(inputs: Inputs) -> KernelTimes:
    """As `operator_time.time_gemm`, with the rates that the case states."""
    roofline = make_roofline(*read_rates(inputs))
    m, k, n, dtype = inputs["M"], inputs["K"], inputs["N"], inputs.get("dtype", "bf16")
    kernel = count_gemm(m, k, n, dtype=dtype)
    compute_time_s, memory_time_s = roofline.compute_time_s(kernel), roofline.memory_time_s(kernel)
    chip = load_catalogue().get(inputs["chip"])
    processors = None if chip is None else find_processor_count(chip)
    if chip is not None and processors is not None:
        gpu = GpuProcessors(
            roofline=roofline,
            processor_count=processors,
            blocks=find_thread_blocks(chip),
            l2=find_l2(chip),
        )
        run = estimate_gpu_gemm(
            m,
            k,
            n,
            gpu=gpu,
            split_count=None,
            dtype=dtype,
        )
        compute_time_s, memory_time_s = run.compute_time_s, run.memory_time_s
    return KernelTimes(
        chip=inputs["chip"],
        operator="gemm",
        compute_time_s=compute_time_s,
        memory_time_s=memory_time_s,
        work={"rate": kernel.flops},
    )


def time_largest(inputs: Inputs) -> KernelTimes:
    """A product of which only the best rate over many shapes is told."""
    peak, _ = read_rates(inputs)
    return KernelTimes(
        chip=inputs["chip"],
        operator="gemm",
        compute_time_s=LONG_FLOPS / peak,
        memory_time_s=0.0,
        work={"rate": LONG_FLOPS},
    )


ANSWERS: AnswerTable = (
    ({"M", "K", "N"}, answer_product),
    ({"outputs", "inputs", "batch"}, answer_product),
    ({"chip"}, answer_largest_rate),
    ({"peak_flops_per_s"}, answer_largest_rate),
)
CALIBRATED: TimesTable = (
    ({"chip", "M", "K", "N"}, time_product),
    ({"chip"}, time_largest),
)
