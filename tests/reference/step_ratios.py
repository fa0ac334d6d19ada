"""What dense training steps took over their calibrated time, by family: the ratios of `step_losses`."""

from collections.abc import Iterator, Mapping
from statistics import median

from diglot.hardware import Chip, TrainingPlan, load_catalogue, train_on_chip
from diglot.hardware.chips.calibration import load_calibration
from diglot.hardware.training.step_losses import find_family_ratio
from diglot.hardware.validation.answers import PLANS, find_roomy_chip, read_inputs
from diglot.hardware.validation.case_files import read_case_file
from diglot.hardware.validation.judging import DATA
from tests.reference.published_steps import list_steps


def list_measured_steps() -> Iterator[tuple[str, str, TrainingPlan, float]]:
    """Source, chip, plan and measured seconds of every step."""
    for step in list_steps():
        yield step.source, step.chip, step.plan, step.measured_s
    for row in read_case_file(DATA).cases:
        if row["category"] in PLANS:
            inputs = read_inputs(row)
            plan = PLANS[row["category"]](inputs)
            (rate,) = [each["value"] for each in row["expected"] if each["name"].startswith("tokens_per_s")]
            time_s = float(plan.batch_tokens) / (plan.layout.chips_count * float(rate))
            yield row["source"]["title"], inputs["chip"], plan, time_s


def find_family(chip: Chip) -> str:
    """What one ratio is for: a family of GPUs, or a TPU."""
    return chip.id if chip.kind == "tpu" else load_calibration().family_of(chip) or chip.kind


def find_ratios() -> Mapping[str, float]:
    """The median over sources of each source's median, by family, of steps without routed experts."""
    found: dict[str, dict[str, list[float]]] = {}
    for source, id_, plan, measured_s in list_measured_steps():
        if plan.model.experts is None:
            chip = find_roomy_chip(id_)
            modelled_s = float(train_on_chip(plan, chip, timing="calibrated").time_s) / find_family_ratio(
                chip
            )
            sources = found.setdefault(find_family(load_catalogue()[id_]), {})
            sources.setdefault(source, []).append(measured_s / modelled_s)
    return {
        family: max(1.0, median(median(ratios) for ratios in sources.values()))
        for family, sources in found.items()
    }


if __name__ == "__main__":
    for family, ratio in find_ratios().items():
        print(f"{family}: {ratio:.3f}")
