"""What only memory bounds."""

from diglot.hardware import Kernel
from tests.reference.answers.common import (
    Answers,
    AnswerTable,
    Inputs,
    KernelTimes,
    TimesTable,
    make_roofline,
    read_array_bytes,
    read_rates,
)


def answer_load_time(inputs: Inputs) -> Answers:
    """Weights read once by chips that share them."""
    share_bytes = inputs["params"] * inputs["bytes_per_param"] / inputs["chips"]
    kernel = Kernel(name="load", flops=0, read_bytes=share_bytes, written_bytes=0)
    return {"load_time": make_roofline(1.0, inputs["hbm_bytes_per_s"]).time_s(kernel)}


def answer_array_load(inputs: Inputs) -> Answers:
    """An array read once by devices that share it."""
    share_bytes = read_array_bytes(inputs["array"]) / inputs["devices"]
    kernel = Kernel(name="load", flops=0, read_bytes=share_bytes, written_bytes=0)
    return {"time": make_roofline(1.0, inputs["hbm_bytes_per_s"]).time_s(kernel)}


def answer_copy(inputs: Inputs) -> Answers:
    """Ideal rate and time of a copy; `bytes` counts what is moved in both directions."""
    _, bandwidth = read_rates({"peak_flops_per_s": 1.0, **inputs})
    rates = dict.fromkeys(RATE_NAMES, bandwidth)
    return rates | ({"time": inputs["bytes"] / bandwidth} if "bytes" in inputs else {})


def time_copy(inputs: Inputs) -> KernelTimes:
    """The same as the traffic that calibration starts from."""
    return KernelTimes(
        chip=inputs["chip"],
        operator="copy",
        compute_time_s=0.0,
        memory_time_s=answer_copy(inputs)["time"],
        work=dict.fromkeys(RATE_NAMES, inputs["bytes"]),
    )


RATE_NAMES = ("bandwidth", "achieved", "rate", "traffic")
"""What sources call bytes per second."""
ANSWERS: AnswerTable = (
    ({"array", "devices", "hbm_bytes_per_s"}, answer_array_load),
    ({"params", "bytes_per_param", "chips", "hbm_bytes_per_s"}, answer_load_time),
    ({"chip"}, answer_copy),
)
CALIBRATED: TimesTable = (({"chip", "bytes"}, time_copy),)
