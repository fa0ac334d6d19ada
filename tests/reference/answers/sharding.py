"""Arrays spread over a mesh."""

import re

from diglot.hardware.sharding import count_copies, find_gather_critical_tokens
from tests.reference.answers.common import Answers, AnswerTable, Inputs


def answer_copies(inputs: Inputs) -> Answers:
    """Bytes on all chips over those of the array."""
    axes = re.findall(r"\b[A-Z]\b", inputs["sharding"])
    return {"total_over_one_copy": count_copies(inputs["mesh"], axes)}


def answer_gather(inputs: Inputs) -> Answers:
    """Tokens of each chip that hide the gathering of weights."""
    tokens = find_gather_critical_tokens(inputs["peak_flops_per_s"], inputs["bidirectional_bytes_per_s"])
    return {"critical_batch": tokens}


ANSWERS: AnswerTable = (
    ({"mesh", "sharding"}, answer_copies),
    ({"peak_flops_per_s", "bidirectional_bytes_per_s"}, answer_gather),
)
