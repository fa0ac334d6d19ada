"""Speculative decoding and multi-token prediction: several tokens per step, and what they cost.

A drafter proposes tokens; the model verifies them in one step, keeps those before the first that it rejects,
and adds a token of its own. The distribution of the output stays that of the model.
Sources: Y. Leviathan, M. Kalman, Y. Matias, "Fast Inference from Transformers via Speculative Decoding",
ICML 2023, arXiv:2211.17192; DeepSeek-AI, "DeepSeek-V3 Technical Report", arXiv:2412.19437, sections 2.2 and
5.4.3 (multi-token prediction as a drafter).
"""

from dataclasses import dataclass, replace

import numpy as np

from diglot.hardware.operators.transformer import SequenceGroup
from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.serving.steps import estimate_decode, estimate_step
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_amount,
    check_share,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
)


def count_expected_tokens(draft_tokens: SizeLike, acceptance_fraction: Real) -> Real:
    """Mean number of tokens per step and sequence: (1 - a^(k + 1)) / (1 - a).

    Each of the k drafted tokens is accepted with probability a, given that those before it were.
    Raises ValueError for a negative number of tokens and a share outside [0, 1].
    Source: Leviathan et al., equation 1.
    """
    drafted = np.asarray(to_float(check_size("draft_tokens", draft_tokens, least=0)))
    accepted = np.asarray(check_share("acceptance_fraction", acceptance_fraction))
    sure = accepted == 1
    rejected = np.where(sure, 1.0, 1 - accepted)
    # expm1 keeps all digits where nearly every token is accepted.
    with np.errstate(divide="ignore"):
        none_lost = -np.expm1((drafted + 1) * np.log1p(-rejected))
    return to_plain_float(np.where(sure, drafted + 1, none_lost / rejected))


def find_speculative_speed_up(
    draft_tokens: SizeLike, acceptance_fraction: Real, *, draft_step_fraction: Real
) -> Real:
    """Tokens per second over those of plain decoding, where verifying takes as long as a plain step.

    (1 - a^(k + 1)) / ((1 - a) (k c + 1)); c is the time of a drafter's step over that of the model's. Below 1
    where drafting costs more than it saves. For a batch that is not limited by memory, verifying takes
    longer: `speculate` gives its time.
    Raises ValueError as `count_expected_tokens`, and for a share c that is negative or not finite.
    Source: Leviathan et al., theorem 3.8.
    """
    cost = check_amount("draft_step_fraction", draft_step_fraction)
    drafted = to_float(check_size("draft_tokens", draft_tokens, least=0))
    return to_plain_float(count_expected_tokens(draft_tokens, acceptance_fraction) / (1 + drafted * cost))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpeculativeRun:
    """Decoding with a drafter, for one batch or an array of batches."""

    accepted_tokens: Real
    """Mean tokens per step and sequence, the model's own one included."""
    draft_s: Real
    """Time of all drafting steps before one verification."""
    verify_s: Real
    """Time of the model's step that verifies the drafted tokens."""
    plain_step_s: Real
    """Time of a step without drafting, which gives one token."""

    @property
    def step_s(self) -> Real:
        """Time of drafting and verifying."""
        return self.draft_s + self.verify_s

    @property
    def tpot_s(self) -> Real:
        """Mean time per output token."""
        return to_plain_float(self.step_s / self.accepted_tokens)

    @property
    def speed_up(self) -> Real:
        """Tokens per second over those of plain decoding; below 1 speculation hurts."""
        return to_plain_float(self.plain_step_s / self.tpot_s)

    @property
    def break_even_tokens(self) -> Real:
        """Tokens per step that speculation must yield to pay for itself."""
        return to_plain_float(self.step_s / self.plain_step_s)


def speculate(
    deployment: Deployment,
    context_tokens: Size,
    *,
    draft_tokens: SizeLike,
    acceptance_fraction: Real,
    batch_count: SizeLike = 1,
    drafter: Deployment | None = None,
) -> SpeculativeRun:
    """Speculative decoding on a deployment, in a batch whose sequences all speculate.

    The verification is a step of k + 1 tokens per sequence, each with its output head: nearly free while
    weights and caches are the limit, and k + 1 times the work where arithmetic is. `drafter` takes k decode
    steps of the same batch before it: a small model, or `build_prediction_module`; without one, drafting
    takes no time, as looking up n-grams does. Rejected tokens leave nothing to undo; of recurrent layers the
    state before them is kept, which takes no time here. A batch ends its steps together.
    Raises ValueError for impossible sizes and for a share outside [0, 1].
    """
    drafted = check_size("draft_tokens", draft_tokens, least=0)
    batch = check_size("batch_count", batch_count)
    verified = SequenceGroup(
        sequences_count=divide_up(batch, deployment.layout.pipeline_count),
        new_tokens=drafted + 1,
        context_tokens=context_tokens,
    )
    draft_s: Real = 0.0
    if drafter is not None:
        draft_s = to_float(drafted) * estimate_decode(drafter, context_tokens, batch_count=batch).time_s
    return SpeculativeRun(
        accepted_tokens=count_expected_tokens(drafted, acceptance_fraction),
        draft_s=to_plain_float(draft_s),
        verify_s=estimate_step(deployment, verified, head_of_every_token=True).time_s,
        plain_step_s=estimate_decode(deployment, context_tokens, batch_count=batch).time_s,
    )


def choose_draft_tokens(
    deployment: Deployment,
    context_tokens: int,
    *,
    acceptance_fraction: float,
    batch_count: int = 1,
    drafter: Deployment | None = None,
    most_tokens: int = 16,
) -> int:
    """Drafted tokens per step with the least time per output token, up to `most_tokens`; 0 is no speculation.

    Raises ValueError as `speculate`.
    """
    counts = np.arange(int(check_size("most_tokens", most_tokens)) + 1)
    run = speculate(
        deployment,
        check_size("context_tokens", context_tokens, least=0),
        draft_tokens=counts,
        acceptance_fraction=acceptance_fraction,
        batch_count=int(check_size("batch_count", batch_count)),
        drafter=drafter,
    )
    return int(np.argmin(run.tpot_s))


def build_prediction_module(deployment: Deployment) -> Deployment:
    """A module for multi-token prediction as a drafter: one more layer, on the same chips.

    The layer has experts where the model has, and shares the output head. Its projection of the previous
    state and the embedding (2 x width by width) is left out: 0.1 of 11.6 billion parameters in DeepSeek-V3.
    Its weights are not taken from the deployment's memory.
    """
    model = deployment.model
    experts = None if model.experts is None else replace(model.experts, dense_layers_count=0)
    layer = replace(
        model,
        name=f"{model.name}, prediction module",
        layers_count=1,
        window_tokens=0,
        windowed_layers_count=0,
        recurrent=None,
        mixer_only_layers_count=0,
        feed_forward_only_layers_count=0,
        experts=experts,
    )
    return replace(deployment, model=layer, layout=replace(deployment.layout, pipeline_count=1))
