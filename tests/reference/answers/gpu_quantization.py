"""Tiles and waves of a GPU."""

from diglot.hardware import GpuProcessors, Tile, estimate_gpu_gemm
from tests.reference.answers.common import Answers, AnswerTable, Inputs, make_roofline


def answer_waves(inputs: Inputs) -> Answers:
    """Tiles and waves; the depth of the product and the rates do not matter."""
    if "blocks" in inputs:
        m, n, tile = inputs["blocks"], 1, Tile(m_elements=1, n_elements=1)
    else:
        m, n = inputs["M"], inputs["N"]
        tile = Tile(m_elements=inputs["tile"][0], n_elements=inputs["tile"][1])
    run = estimate_gpu_gemm(
        m,
        1,
        n,
        gpu=GpuProcessors(roofline=make_roofline(1.0, 1.0), processor_count=inputs.get("sms", 1)),
        tile=tile,
    )
    return {"tiles": run.tile_count, "waves": run.wave_count, "utilization": run.wave_efficiency_fraction}


ANSWERS: AnswerTable = (
    ({"M", "N", "tile"}, answer_waves),
    ({"blocks", "sms"}, answer_waves),
)
