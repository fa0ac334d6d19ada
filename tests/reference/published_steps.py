"""Training steps that others have published, and how well the calibrated model predicts them.

`python -m tests.reference.published_steps` prints the table of docs/measurements.md.

Utilisations are turned into times with the FLOPs that each source counts. What sources leave out is assumed:
Llama 3 interleaves 7 chunks of layers (the paper: some), PaLM is one of its two pods with half of the batch
(no rate between v4 pods is published), NeMo keeps all activations and shards the optimiser. Memory is not
checked: Llama 3 keeps fewer microbatches than 1F1B.
"""

from dataclasses import dataclass
from statistics import median

from diglot.hardware import (
    Formats,
    Layout,
    Pipeline,
    TrainingPlan,
    TrainingState,
    TransformerModel,
    count_training_step_flops,
    load_catalogue,
    load_model,
    train_on_chip,
)
from diglot.hardware.chips.calibration import load_calibration
from diglot.hardware.training.step_losses import find_family_ratio
from diglot.hardware.validation.answers import find_roomy_chip

SHARDED = TrainingState(sharded="optimiser")


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedStep:
    """A step with its measured time."""

    name: str
    source: str
    chip: str
    plan: TrainingPlan
    measured_s: float

    @property
    def family(self) -> str:
        """Family of chips whose ratio it belongs to."""
        chip = load_catalogue()[self.chip]
        return load_calibration().family_of(chip) or chip.kind

    def predict_s(self, timing: str) -> float:
        """Time of the step on chips with enough memory; `bound` is ideal with everything overlapped."""
        chip = find_roomy_chip(self.chip)
        if timing == "bound":
            return float(train_on_chip(self.plan, chip, overlap="everything").time_s)
        time_s = float(train_on_chip(self.plan, chip, timing="calibrated").time_s)
        return time_s / find_family_ratio(chip) if timing == "without ratio" else time_s


def list_megatron() -> list[PublishedStep]:
    """V. Korthikanti et al., arXiv:2205.05198, table 5; attention wrote its scores to memory."""
    found = []
    for name, width, heads, layers, stages, chunks, batch, micro, times in (
        ("22B", 6144, 64, 48, 1, 1, 4, 4, (1.42, 1.10)),
        ("175B", 12288, 96, 96, 8, 3, 64, 1, (18.13, 13.75)),
        ("530B", 20480, 128, 105, 35, 3, 280, 1, (49.05, 37.83)),
        ("1T", 25600, 160, 128, 64, 1, 512, 1, (94.42, 71.49)),
    ):
        model = TransformerModel(
            layers_count=layers, width_elements=width, heads_count=heads, feed_forward_elements=4 * width,
            gated=False, vocabulary_count=51200, positions_count=2048, tied_embeddings=True, norm="layer",
            biases="all",
        )  # fmt: skip
        for recompute, measured_s in zip(("full", "selective"), times, strict=True):
            plan = TrainingPlan(
                model=model,
                sequence_tokens=2048,
                batch_sequences_count=batch,
                microbatch_sequences_count=micro,
                layout=Layout(
                    tensor_count=8, pipeline_count=stages, sequence_parallel=recompute == "selective"
                ),
                pipeline=Pipeline(interleave_count=chunks),
                recompute=recompute,
                attention="materialised",
            )
            found.append(
                PublishedStep(
                    name=f"Megatron-LM {name}, {recompute}",
                    source="arXiv:2205.05198",
                    chip="a100-80",
                    plan=plan,
                    measured_s=measured_s,
                )
            )
    return found


def list_llama_3() -> list[PublishedStep]:
    """The Llama 3 Herd of Models, arXiv:2407.21783, table 4."""
    found = []
    for context, data, sequence, batch, tflops in (
        (1, 64, 8192, 2048, 430),
        (1, 128, 8192, 2048, 400),
        (16, 8, 131072, 128, 380),
    ):
        plan = TrainingPlan(
            model=load_model("llama-3-405b"),
            sequence_tokens=sequence,
            batch_sequences_count=batch,
            layout=Layout(
                tensor_count=8,
                context_count=context,
                pipeline_count=16,
                data_count=data,
                sequence_parallel=True,
            ),
            pipeline=Pipeline(interleave_count=7),
            state=TrainingState(sharded="gradients"),
        )
        name = f"Llama 3 405B, {plan.layout.chips_count:,} GPUs, {sequence:,} tokens"
        found.append(_from_rate(name, "arXiv:2407.21783", "h100-sxm", plan, tflops, causal=True))
    return found


def list_nemo() -> list[PublishedStep]:
    """NVIDIA NeMo Framework 24.12, performance summary: pre-training in fp8 on H100."""
    found = []
    for id_, gpus, batch, micro, sequence, tensor, stages, context, chunks, tflops in (
        ("gpt-3-175b", 128, 256, 1, 2048, 4, 8, 1, 6, 771),
        ("gpt-3-175b", 512, 2048, 2, 2048, 4, 8, 1, 6, 888),
        ("llama-2-7b", 8, 128, 1, 4096, 1, 1, 1, 1, 780),
        ("llama-2-13b", 16, 128, 1, 4096, 1, 4, 1, 10, 760),
        ("llama-2-70b", 64, 128, 1, 4096, 4, 4, 1, 20, 768),
        ("llama-3-8b", 8, 128, 1, 8192, 1, 1, 2, 1, 711),
        ("llama-3-70b", 64, 128, 1, 8192, 4, 4, 2, 5, 734),
    ):
        plan = TrainingPlan(
            model=load_model(id_),
            sequence_tokens=sequence,
            batch_sequences_count=batch,
            microbatch_sequences_count=micro,
            layout=Layout(
                tensor_count=tensor,
                context_count=context,
                pipeline_count=stages,
                data_count=gpus // (tensor * stages * context),
                sequence_parallel=tensor > 1,
            ),
            pipeline=Pipeline(interleave_count=chunks),
            state=SHARDED,
            formats=Formats(arithmetic="fp8"),
        )
        name = f"NeMo {plan.model.name}, {gpus} GPUs, fp8"
        found.append(_from_rate(name, "NeMo 24.12", "h100-sxm", plan, tflops, causal=False))
    return found


def list_palm() -> list[PublishedStep]:
    """A. Chowdhery et al., "PaLM", arXiv:2204.02311, section 4: 46.2% of the peak."""
    model = TransformerModel(
        layers_count=118, width_elements=18432, heads_count=48, kv_heads_count=1, head_elements=256,
        feed_forward_elements=73728, vocabulary_count=256000, tied_embeddings=True, norms_per_layer_count=1,
    )  # fmt: skip
    plan = TrainingPlan(
        model=model,
        sequence_tokens=2048,
        batch_sequences_count=1024,
        layout=Layout(tensor_count=12, data_count=256, sequence_parallel=True),
        recompute="full",
        state=TrainingState(sharded="parameters"),
    )
    tflops = 0.462 * load_catalogue()["tpu-v4"].peak_flops_per_s("bf16") / 1e12
    return [_from_rate("PaLM 540B, 3,072 chips", "arXiv:2204.02311", "tpu-v4", plan, tflops, causal=False)]


def _from_rate(
    name: str, source: str, chip: str, plan: TrainingPlan, tflops: float, *, causal: bool
) -> PublishedStep:
    flops = count_training_step_flops(
        plan.model, plan.sequence_tokens, sequences_count=plan.batch_sequences_count, causal=causal
    )
    measured_s = float(flops) / (plan.layout.chips_count * tflops * 1e12)
    return PublishedStep(name=name, source=source, chip=chip, plan=plan, measured_s=measured_s)


def list_steps() -> list[PublishedStep]:
    """All of them."""
    return [*list_megatron(), *list_llama_3(), *list_nemo(), *list_palm()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A step beside what the model says, and with the ratio of the others of its family."""

    step: PublishedStep
    bound_s: float
    ratio: float
    """Measured over calibrated time, without the ratio of its family."""
    left_out: float | None
    """Median of the others; None where there are none."""


def judge_steps() -> list[Judgement]:
    """Every step, with ratios of at least 1."""
    steps = list_steps()
    ratios = [step.measured_s / step.predict_s("without ratio") for step in steps]
    found = []
    for number, step in enumerate(steps):
        family = [n for n, other in enumerate(steps) if other.family == step.family]
        others = [ratios[n] for n in family if n != number]
        found.append(
            Judgement(
                step=step,
                bound_s=step.predict_s("bound"),
                ratio=ratios[number],
                left_out=max(1.0, median(others)) if others else None,
            )
        )
    return found


def write_table() -> str:
    """The table of docs/measurements.md."""
    lines = [
        "| step | source | measured | bound | calibrated | error | left out |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for found in judge_steps():
        step = found.step
        left_out = "–" if found.left_out is None else f"{100 * (found.left_out / found.ratio - 1):+.0f}%"
        calibrated_s = step.predict_s("calibrated")
        lines.append(
            f"| {step.name} | {step.source} | {step.measured_s:.2f} s | {found.bound_s:.2f} s "
            f"| {calibrated_s:.2f} s | {100 * (calibrated_s / step.measured_s - 1):+.0f}% | {left_out} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(write_table())
