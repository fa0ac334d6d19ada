"""Which function judges which claim of the debate."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from diglot.hardware.claims import of_arrays, of_costs, of_serving, of_training
from diglot.hardware.claims.finding import Finding
from diglot.hardware.claims.outside_claims import load_outside_claims

JUDGES: Mapping[int, Callable[[], Finding]] = MappingProxyType(
    {
        1: of_arrays.judge_unfilled_arrays,
        2: of_arrays.judge_attention,
        3: of_arrays.judge_routing,
        4: of_arrays.judge_bert_on_old_tpus,
        5: of_arrays.judge_convolutions_on_new_tpus,
        6: of_arrays.judge_any_product,
        8: of_training.judge_training_against_h200,
        9: of_training.judge_clusters,
        10: of_training.judge_pod,
        11: of_training.judge_v6_performance,
        12: of_costs.judge_v6_per_watt,
        13: of_training.judge_b200,
        15: of_training.judge_training_table,
        16: of_serving.judge_v5e_against_v4,
        17: of_serving.judge_ironwood_first_token,
        18: of_serving.judge_disaggregation,
        19: of_serving.judge_many_users,
        20: of_costs.judge_energy,
        21: of_serving.judge_varying_lengths,
        22: of_serving.judge_first_token_of_70b,
        23: of_costs.judge_price_at_scale,
        24: of_serving.judge_serving_table,
        25: of_costs.judge_small_scale,
        26: of_arrays.judge_memory_walls,
        27: of_costs.judge_train_here_serve_there,
        28: of_arrays.judge_peaks,
        29: of_arrays.judge_flow,
        30: of_arrays.judge_movement,
        31: of_training.judge_ici,
        32: of_training.judge_parallelism,
        33: of_arrays.judge_bf16,
        35: of_costs.judge_power,
        36: of_training.judge_bert_training,
        37: of_costs.judge_rent_or_buy,
        38: of_costs.judge_project_size,
        39: of_costs.judge_cost_per_token,
        40: of_costs.judge_power_saving,
        41: of_training.judge_scaling,
        42: of_costs.judge_playbook,
        43: of_costs.judge_pipeline,
        44: of_costs.judge_customer_saving,
        45: of_costs.judge_million_chips,
        46: of_costs.judge_strategies,
        47: of_costs.judge_hybrid,
        51: of_arrays.judge_pod_peak,
    }
)
"""By number. Of the reported claims, 44 and 45 have one that says what would have to hold."""


def judge_claim(number_index: int) -> Finding | None:
    """What models find of a claim; None where it is only reported.

    Raises ValueError for an unknown number.
    """
    claims = load_outside_claims()
    if number_index not in claims:
        raise ValueError(f"number_index must be from 1 to {len(claims)}, not {number_index!r}")
    judge = JUDGES.get(number_index)
    return None if judge is None else judge()


def judge_claims() -> Mapping[int, Finding]:
    """The findings of all claims that models can judge, by number."""
    return MappingProxyType({number: judge() for number, judge in JUDGES.items()})
