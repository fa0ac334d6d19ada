"""Rows of peer_serving.csv: a prefill and a decode step of a model, and the sums of their parts."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from diglot.hardware import (
    Formats,
    Layout,
    StepOptions,
    TransformerModel,
    decode,
    deploy,
    list_operators,
    load_model,
    prefill,
)
from diglot.hardware.operators.transformer import SequenceGroup
from diglot.hardware.serving.deployment import Deployment
from tests.reference.catalogue import load_catalogue

DATA = Path(__file__).parent / "data" / "peer_serving.csv"

StepPart = Literal["gemm", "attention", "elementwise", "experts", "comm"]
STEP_PARTS: tuple[StepPart, ...] = get_args(StepPart)
Phase = Literal["prefill", "decode"]
PHASES: tuple[Phase, ...] = get_args(Phase)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One row: a model on chips, and the times of a prefill of one prompt and of one token of a batch."""

    id: str
    model: str
    chip: str
    gpus: int
    layout: str
    precision: str
    prompt_tokens: int
    answer_tokens: int
    batch_count: int
    times_s: Mapping[Phase, float]
    parts_s: Mapping[tuple[Phase, StepPart], float]


def read_steps(path: Path = DATA) -> list[Step]:
    """The rows of a file. Raises ValueError or KeyError for a row that is none."""
    with path.open(encoding="utf-8", newline="") as file:
        return [read_step(row) for row in csv.DictReader(file, strict=True)]


def read_step(row: Mapping[str, str]) -> Step:
    """One row. Raises ValueError for a size or time that is no number, KeyError for a missing column."""
    times = {"prefill": "peer_prefill_ms", "decode": "peer_tpot_ms"}
    return Step(
        id=row["id"],
        model=row["model"],
        chip=row["chip"],
        gpus=int(row["gpus"]),
        layout=row["layout"],
        precision=row["precision"],
        prompt_tokens=int(row["isl"]),
        answer_tokens=int(row["osl"]),
        batch_count=int(row["batch"]),
        times_s={phase: float(row[times[phase]]) / 1e3 for phase in PHASES},
        parts_s={
            (phase, part): float(row[f"peer_{phase}_{part}_ms"]) / 1e3
            for phase in PHASES
            for part in STEP_PARTS
        },
    )


def choose_formats(step: Step) -> Formats:
    """Formats of a row: in fp8 everything but activations and embeddings, as its source has it."""
    eight = step.precision == "fp8"
    return Formats(weights="fp8", arithmetic="fp8", kv_cache="fp8") if eight else Formats()


def choose_layout(step: Step) -> Layout:
    """Layout of a row: tensor parallel, or experts over chips that attend to sequences of their own."""
    return Layout(tensor_count=step.gpus) if step.layout == "tensor" else Layout(expert_count=step.gpus)


ROUTING_SKEW = 0.8
"""The source times the busiest way where the popularity of experts, placed blindly, is drawn from a power law
(density x^-1.01). This exponent of Zipf's law gives it as many rows; a test draws as the source does."""


def choose_model(step: Step) -> TransformerModel:
    """The model of a row. Its source counts experts in all layers.

    So a token's products of a mixture, as printed, are those of the output head alone.
    """
    model = load_model(step.model)
    if model.experts is None:
        return model
    return replace(model, experts=replace(model.experts, dense_layers_count=0))


def deploy_step(step: Step) -> Deployment:
    """The deployment of a row."""
    model = choose_model(step)
    uneven = StepOptions(routing_skew=ROUTING_SKEW, expert_placement="blind")
    return deploy(
        model,
        load_catalogue()[step.chip],
        layout=choose_layout(step),
        formats=choose_formats(step),
        timing="calibrated",
        options=StepOptions() if model.experts is None else uneven,
    )


def list_groups(step: Step) -> dict[Phase, SequenceGroup]:
    """The sequences of each phase: one prompt on each group of chips, and a batch half way in its answers.

    That the batch is that of all chips together follows from the throughput that the source prints.
    """
    tensor = step.layout == "tensor"
    return {
        "prefill": prefill(step.prompt_tokens, sequences_count=1 if tensor else step.gpus),
        "decode": decode(
            step.prompt_tokens + step.answer_tokens // 2,
            sequences_count=step.batch_count,
        ),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementwiseRow:
    """The element-wise kernels of one step."""

    model: str
    measured_s: float
    inputs: Mapping[str, float]


def list_elementwise(step: Step) -> list[ElementwiseRow]:
    """Number and ideal memory time of the element-wise kernels of both phases; none for experts.

    Those of experts are part of their layer, so that its sums cannot be compared.
    """
    model, chip = load_model(step.model), load_catalogue()[step.chip]
    rows = []
    for phase, group in list_groups(step).items():
        operators = list_operators(model, group, formats=choose_formats(step), layout=choose_layout(step))
        mine = [each for each in operators if each.measured_as == "elementwise"]
        traffic = sum(float(each.memory_bytes) for each in mine)
        rows.append(
            ElementwiseRow(
                model=step.model,
                measured_s=step.parts_s[phase, "elementwise"],
                inputs={
                    "kernels_count": sum(each.layers_count for each in mine),
                    "memory_time_s": traffic / chip.memory_bandwidth_bytes_per_s,
                },
            )
        )
    return [] if model.experts is not None else rows
