"""What only memory bounds."""

from diglot.hardware.catalogue import load_catalogue
from diglot.hardware.kernels import Kernel
from tests.reference.answers.common import Answers, AnswerTable, Inputs, make_roofline


def answer_load_time(inputs: Inputs) -> Answers:
    """Weights read once by chips that share them."""
    share_bytes = inputs["params"] * inputs["bytes_per_param"] / inputs["chips"]
    kernel = Kernel(name="load", flops=0, read_bytes=share_bytes, written_bytes=0)
    return {"load_time": make_roofline(1.0, inputs["hbm_bytes_per_s"]).time_s(kernel)}


def answer_copy(inputs: Inputs) -> Answers:
    """Ideal rate of a copy."""
    return {"bandwidth": load_catalogue()[inputs["chip"]].memory_bandwidth_bytes_per_s}


ANSWERS: AnswerTable = (
    ({"params", "bytes_per_param", "chips", "hbm_bytes_per_s"}, answer_load_time),
    ({"chip", "op", "bytes"}, answer_copy),
)
