"""Peaks of GPUs."""

from diglot.hardware import load_catalogue
from tests.reference.answers.common import Answers, AnswerTable, Inputs


def answer_chip_peak(inputs: Inputs) -> Answers:
    """The catalogue's 16-bit peak, against clock times units."""
    return {"peak": load_catalogue()[inputs["chip"]].peak_flops_per_s("fp16")}


ANSWERS: AnswerTable = (({"chip", "clock_mhz", "fma_per_unit_per_cycle", "units"}, answer_chip_peak),)
