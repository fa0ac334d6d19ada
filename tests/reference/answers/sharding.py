"""Arrays spread over a mesh."""

import re

from diglot.hardware import count_copies, find_data_parallel_limit_tokens, find_network_ridge_flops_per_byte
from tests.reference.answers.common import Answers, AnswerTable, Inputs


def answer_copies(inputs: Inputs) -> Answers:
    """Bytes on all chips over those of the array."""
    axes = re.findall(r"\b[A-Z]\b", inputs["sharding"])
    return {"total_over_one_copy": count_copies(inputs["mesh"], axes)}


def answer_gather(inputs: Inputs) -> Answers:
    """Tokens of each chip that hide the gathering of weights."""
    ridge = find_network_ridge_flops_per_byte(
        peak_flops_per_s=inputs["peak_flops_per_s"],
        bandwidth_bytes_per_s=inputs["bidirectional_bytes_per_s"],
    )
    return {"critical_batch": find_data_parallel_limit_tokens(ridge)}


ANSWERS: AnswerTable = (
    ({"mesh", "sharding"}, answer_copies),
    ({"peak_flops_per_s", "bidirectional_bytes_per_s"}, answer_gather),
)
