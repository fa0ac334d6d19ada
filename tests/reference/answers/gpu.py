"""Peaks of GPUs."""

from tests.reference.answers.common import Answers, AnswerTable, Inputs
from tests.reference.catalogue import load_catalogue


def answer_chip_peak(inputs: Inputs) -> Answers:
    """The catalogue's 16-bit peak, against clock times units."""
    return {"peak": load_catalogue()[inputs["chip"]].peak_flops_per_s("fp16")}


ANSWERS: AnswerTable = (({"chip", "clock_mhz", "fma_per_unit_per_cycle", "units"}, answer_chip_peak),)
