"""Matrix products: intensity, ideal time and rate."""

from diglot.hardware.kernels import count_gemm
from tests.reference.answers.common import Answers, AnswerTable, Inputs, make_roofline, read_rates


def answer_product(inputs: Inputs) -> Answers:
    """Intensity of a product; its ideal time and rate where the rates of a chip are given or known."""
    if "outputs" in inputs:
        m, k, n = inputs["batch"], inputs["inputs"], inputs["outputs"]
    else:
        m, k, n = inputs["M"], inputs["K"], inputs["N"]
    kernel = count_gemm(m, k, n, dtype=inputs["dtype"])
    answers = {"intensity": kernel.intensity_flops_per_byte}
    if "chip" in inputs:
        roofline = make_roofline(*read_rates(inputs))
        answers |= {"time": roofline.time_s(kernel), "rate": roofline.kernel_flops_per_s(kernel)}
    return answers


ANSWERS: AnswerTable = (
    ({"M", "K", "N", "dtype"}, answer_product),
    ({"outputs", "inputs", "batch", "dtype"}, answer_product),
)
