"""Models of accelerators: chips, rooflines, arrays, GPUs, networks, serving, training, costs.

The package imports nothing else of diglot. Values are in SI base units, and names end in the unit; one
multiply-accumulate is two FLOPs; peaks are dense. Sizes may be Python integers or NumPy arrays of integers,
which broadcast.

This module is the public interface: `from diglot.hardware import load_catalogue, count_gemm`. It imports the
module behind a name when the name is first used, so that a script loads and depends on only what it uses.
Import any other name from its own module. The packages, lowest layer first:

    sizes, dtypes   checks of sizes and rates; number formats
    data            the YAML files, and their reader
    kernels         FLOPs and bytes of operations: matrix products, attention, whole layers, routed experts
    rooflines       attainable rate, ridge point, time, bound; several memory levels; critical batches
    chips           the catalogue, with a source for every figure; measured efficiencies (calibration)
    networks        tori, islands of GPUs, fat trees, slices joined; libraries, collectives, messages
    numerics        range and precision of formats, blocks with scales, 2:4 sparsity, narrow weights
    models          transformers by id: parameters and KV cache
    parallelism     layouts of models over chips and their links; sharded arrays; placement of pipeline stages
    arrays          systolic arrays as SCALE-Sim 3.0.0 counts them; energy; the matrix units (MXUs) of a TPU
    gpus            tiles, waves and traffic of matrix products on a GPU; attention
    operators       a transformer's operators with FLOPs and bytes, and their time on one chip
    serving         step times, memory limits, load, simulated requests; speculation, caches, disaggregation
    training        memory and time of a step, pipelines, failures and checkpoints; FLOPs and MFU
    economics       dollars and joules for tokens and FLOPs
    planning        what to run on which chips within limits of latency, and why the rest lost
    claims          what others claim of chips, with sources, and what the models find of it
    validation      what others measured, and how near the models are
"""

from importlib import import_module
from typing import TYPE_CHECKING

_NAMES = {
    "arrays.energy": "estimate_systolic_energy load_energy_table",
    "arrays.memory": "Scratchpads count_systolic_traffic",
    "arrays.mxu": "run_mxu",
    "arrays.simulator": "simulate_cycles simulate_systolic_array",
    "arrays.systolic": "DATAFLOWS lower_convolution run_systolic_array unfold_convolution",
    "arrays.tpu_gemm": "estimate_tpu_gemm",
    "chips.calibration": "Factors load_calibration",
    "chips.catalogue": "Catalogue UnknownChipError",
    "chips.chip": "Chip MissingFigureError",
    "chips.datasheet": "find_bus_bytes_per_s find_clock_hz find_unit_flops_per_s",
    "chips.loading": "CatalogueError load_catalogue load_processors",
    "chips.pods": "gather_pod",
    "chips.replay": "load_replay",
    "chips.roofs": "find_achievable_roofline find_hierarchical_roofline",
    "chips.spreads": "Estimate Spread find_spread load_spreads",
    "claims.finding": "Finding find_verdict",
    "claims.judging": "judge_claim judge_claims",
    "claims.outside_claims": "OutsideClaim OutsideClaimsError load_outside_claims",
    "claims.tables": "compare_chips compare_strategies",
    "dtypes": "DType bytes_per_element",
    "economics.dollars": (
        "choose_price compare_price find_break_even_against_price_fraction "
        "find_break_even_against_renting_fraction find_flops_per_usd find_usd_per_million_tokens "
        "price_tokens"
    ),
    "data": "DATA_EDITION",
    "economics.energy": "compare_performance_per_watt find_energy_per_token_j find_flops_per_j",
    "economics.ownership": (
        "Ownership find_capital_recovery_ratio find_life_cycle_usd find_price_range_usd_per_chip_s "
        "find_rent_or_buy_s find_spot_useful_fraction find_usd_per_query"
    ),
    "economics.power": (
        "PowerCurve PowerRange find_capped_speed_ratio find_facility_power_w find_power_curve "
        "find_power_range fit_power_curve"
    ),
    "gpus.attention_time": "estimate_attention",
    "gpus.gemm": "estimate_gpu_gemm",
    "gpus.grouped_gemm": "estimate_grouped_gemm",
    "gpus.processors": "GpuProcessors",
    "gpus.thread_blocks": "Tile find_thread_blocks",
    "gpus.traffic": "L2Cache",
    "kernels.attention": (
        "AttentionShape count_decode_attention count_flash_attention count_materialised_attention"
    ),
    "kernels.attention_backward": "count_flash_attention_backward count_materialised_attention_backward",
    "kernels.expert_routing": "Routing count_idle_experts find_busiest_rows find_row_distribution",
    "kernels.kernel": (
        "Kernel count_batched_gemm count_elementwise count_gemm count_gemv count_grouped_gemm count_softmax"
    ),
    "kernels.layers": (
        "ConvolutionShape ExpertLayer count_convolution count_embedding count_expert_feed_forward"
        " count_layer_normalisation count_rms_normalisation"
    ),
    "kernels.recurrence": "RecurrenceShape count_recurrence",
    "kernels.memory_levels": "LayeredKernel count_layered_gemm count_split_depth_gemm",
    "models.catalogue": "load_model load_models",
    "models.model": "Experts LatentAttention TransformerModel",
    "models.recurrent": "RecurrentLayers",
    "networks.algorithms": "choose_algorithm",
    "networks.chip_networks": "find_network find_scale_out_bytes_per_s find_twisted_torus join_slices",
    "networks.collectives": "estimate_collective find_half_bandwidth_bytes measure_bus_bandwidth",
    "networks.fat_trees": "FatTree Switches",
    "networks.optical_switches": "OpticalPod",
    "networks.topologies": "Cluster Island Torus",
    "networks.transfers": "estimate_island_transfer estimate_torus_transfer",
    "networks.twisted_tori": "TwistedTorus",
    "numerics.block_formats": (
        "BLOCK_FORMATS BlockFormat find_bits_per_element find_block_format measure_signal_to_noise_db"
    ),
    "numerics.number_formats": "NUMBER_FORMATS NumberFormat find_number_format",
    "numerics.sparsity": ("estimate_sparse_gemm find_sparse_bits_per_weight find_sparse_peak_flops_per_s"),
    "numerics.weight_only": (
        "Dequantisation estimate_weight_only_gemm find_weight_only_break_even_rows "
        "find_weight_only_limit_rows"
    ),
    "operators.collective_time": "find_collective_estimate time_collective",
    "operators.layer_time": "time_attention time_experts",
    "operators.operator_time": "time_gemm time_grouped_gemm time_kernel",
    "operators.timers": "choose_timer",
    "operators.transformer": "Formats decode list_kernels list_operators prefill sum_flops",
    "parallelism.chip_links": "find_links",
    "parallelism.layouts": "Layout NetworkLinks Ring",
    "parallelism.limits": (
        "find_best_data_parallel_ways find_data_parallel_limit_tokens "
        "find_decode_tensor_limit_ways find_least_batch_tokens find_mixed_limit_tokens "
        "find_network_ridge_flops_per_byte find_tensor_parallel_limit_ways find_tokens_per_chip"
    ),
    "parallelism.placement": (
        "OBJECTIVES Pool Stage evaluate_placement find_best_placement find_robust_fraction"
    ),
    "parallelism.sharding": "count_copies find_split_critical_depth",
    "planning.fitting": "ServingFit TuningFit fit_serving fit_tuning",
    "planning.launching": "list_launch_lines",
    "planning.planner": "Plan PlannedPoint PlannedPool plan",
    "planning.search_space": "PRECISIONS SearchSpace",
    "rooflines.critical_batch": "find_critical_rows find_moe_critical_tokens",
    "rooflines.hierarchical": "HierarchicalRoofline",
    "rooflines.roofline": "Roofline",
    "serving.batching": (
        "Workload choose_chunk_tokens find_best_within find_pareto_front list_batches "
        "serve_continuously serve_in_chunks"
    ),
    "serving.bounds": "bound_decode_step bound_prefill_time_s count_fitting_sequences",
    "serving.deployment": "Deployment deploy",
    "serving.disaggregation": "CacheLink serve_disaggregated",
    "serving.expert_balance": "balance_experts replicate_experts",
    "serving.mixed_lengths": "decode_lengths list_buckets prefill_lengths",
    "serving.offload": "HostMemory compare_fetching deploy_with_host estimate_offloaded_decode",
    "serving.paged_cache": (
        "count_allocated_tokens count_paged_sequences find_cache_use_fraction find_cache_waste_fraction"
    ),
    "serving.prefix_cache": (
        "cache_prefix count_sharing_sequences estimate_prefill_after_hit find_hit_fraction"
    ),
    "serving.queueing": "find_mean_wait_s serve_arrivals",
    "serving.requests": "Requests draw_arrivals_s draw_lengths_tokens draw_requests",
    "serving.runtimes": "RUNTIMES Runtime",
    "serving.service_level": "ServiceLevel",
    "serving.simulation": "find_goodput simulate_disaggregated simulate_serving simulate_users",
    "serving.speculation": (
        "build_prediction_module choose_draft_tokens count_expected_tokens find_speculative_speed_up "
        "speculate"
    ),
    "serving.step_options": "StepOptions",
    "serving.steps": "estimate_decode estimate_prefill estimate_step",
    "serving.tensor_communication": "overlap_chunks_s split_feed_forward",
    "serving.two_batches": "overlap_two_batches_s",
    "training.activations": (
        "count_activation_bytes_per_layer count_checkpoint_bytes count_recomputed_flops"
    ),
    "training.chip_training": "train_on_chip",
    "training.failures": (
        "find_checkpoint_interval_s find_training_goodput_fraction find_interruption_interval_s"
    ),
    "training.flops": (
        "count_training_step_flops estimate_training_flops estimate_training_time_s find_mfu_fraction"
    ),
    "training.pipelines": "Passes Pipeline schedule_pipeline",
    "training.plan": "TrainingPlan count_chips_for",
    "training.sharded_state": "TrainingState count_state_bytes_per_chip",
    "training.step": "estimate_training_step",
}
"""Module → names that it exports here. The imports below repeat this for type checkers."""

if TYPE_CHECKING:
    from diglot.hardware.arrays.energy import estimate_systolic_energy as estimate_systolic_energy
    from diglot.hardware.arrays.energy import load_energy_table as load_energy_table
    from diglot.hardware.arrays.memory import Scratchpads as Scratchpads
    from diglot.hardware.arrays.memory import count_systolic_traffic as count_systolic_traffic
    from diglot.hardware.arrays.mxu import run_mxu as run_mxu
    from diglot.hardware.arrays.simulator import simulate_cycles as simulate_cycles
    from diglot.hardware.arrays.simulator import simulate_systolic_array as simulate_systolic_array
    from diglot.hardware.arrays.systolic import DATAFLOWS as DATAFLOWS
    from diglot.hardware.arrays.systolic import lower_convolution as lower_convolution
    from diglot.hardware.arrays.systolic import run_systolic_array as run_systolic_array
    from diglot.hardware.arrays.systolic import unfold_convolution as unfold_convolution
    from diglot.hardware.arrays.tpu_gemm import estimate_tpu_gemm as estimate_tpu_gemm
    from diglot.hardware.chips.calibration import Factors as Factors
    from diglot.hardware.chips.calibration import load_calibration as load_calibration
    from diglot.hardware.chips.catalogue import Catalogue as Catalogue
    from diglot.hardware.chips.catalogue import UnknownChipError as UnknownChipError
    from diglot.hardware.chips.chip import Chip as Chip
    from diglot.hardware.chips.chip import MissingFigureError as MissingFigureError
    from diglot.hardware.chips.datasheet import find_bus_bytes_per_s as find_bus_bytes_per_s
    from diglot.hardware.chips.datasheet import find_clock_hz as find_clock_hz
    from diglot.hardware.chips.datasheet import find_unit_flops_per_s as find_unit_flops_per_s
    from diglot.hardware.chips.loading import CatalogueError as CatalogueError
    from diglot.hardware.chips.loading import load_catalogue as load_catalogue
    from diglot.hardware.chips.loading import load_processors as load_processors
    from diglot.hardware.chips.pods import gather_pod as gather_pod
    from diglot.hardware.chips.replay import load_replay as load_replay
    from diglot.hardware.chips.roofs import find_achievable_roofline as find_achievable_roofline
    from diglot.hardware.chips.roofs import find_hierarchical_roofline as find_hierarchical_roofline
    from diglot.hardware.chips.spreads import Estimate as Estimate
    from diglot.hardware.chips.spreads import Spread as Spread
    from diglot.hardware.chips.spreads import find_spread as find_spread
    from diglot.hardware.chips.spreads import load_spreads as load_spreads
    from diglot.hardware.claims.finding import Finding as Finding
    from diglot.hardware.claims.finding import find_verdict as find_verdict
    from diglot.hardware.claims.judging import judge_claim as judge_claim
    from diglot.hardware.claims.judging import judge_claims as judge_claims
    from diglot.hardware.claims.outside_claims import OutsideClaim as OutsideClaim
    from diglot.hardware.claims.outside_claims import OutsideClaimsError as OutsideClaimsError
    from diglot.hardware.claims.outside_claims import load_outside_claims as load_outside_claims
    from diglot.hardware.claims.tables import compare_chips as compare_chips
    from diglot.hardware.claims.tables import compare_strategies as compare_strategies
    from diglot.hardware.data import DATA_EDITION as DATA_EDITION
    from diglot.hardware.dtypes import DType as DType
    from diglot.hardware.dtypes import bytes_per_element as bytes_per_element
    from diglot.hardware.economics.dollars import choose_price as choose_price
    from diglot.hardware.economics.dollars import compare_price as compare_price
    from diglot.hardware.economics.dollars import (
        find_break_even_against_price_fraction as find_break_even_against_price_fraction,
    )
    from diglot.hardware.economics.dollars import (
        find_break_even_against_renting_fraction as find_break_even_against_renting_fraction,
    )
    from diglot.hardware.economics.dollars import find_flops_per_usd as find_flops_per_usd
    from diglot.hardware.economics.dollars import find_usd_per_million_tokens as find_usd_per_million_tokens
    from diglot.hardware.economics.dollars import price_tokens as price_tokens
    from diglot.hardware.economics.energy import compare_performance_per_watt as compare_performance_per_watt
    from diglot.hardware.economics.energy import find_energy_per_token_j as find_energy_per_token_j
    from diglot.hardware.economics.energy import find_flops_per_j as find_flops_per_j
    from diglot.hardware.economics.ownership import Ownership as Ownership
    from diglot.hardware.economics.ownership import (
        find_capital_recovery_ratio as find_capital_recovery_ratio,
    )
    from diglot.hardware.economics.ownership import find_life_cycle_usd as find_life_cycle_usd
    from diglot.hardware.economics.ownership import (
        find_price_range_usd_per_chip_s as find_price_range_usd_per_chip_s,
    )
    from diglot.hardware.economics.ownership import find_rent_or_buy_s as find_rent_or_buy_s
    from diglot.hardware.economics.ownership import (
        find_spot_useful_fraction as find_spot_useful_fraction,
    )
    from diglot.hardware.economics.ownership import find_usd_per_query as find_usd_per_query
    from diglot.hardware.economics.power import PowerCurve as PowerCurve
    from diglot.hardware.economics.power import PowerRange as PowerRange
    from diglot.hardware.economics.power import (
        find_capped_speed_ratio as find_capped_speed_ratio,
    )
    from diglot.hardware.economics.power import find_facility_power_w as find_facility_power_w
    from diglot.hardware.economics.power import find_power_curve as find_power_curve
    from diglot.hardware.economics.power import find_power_range as find_power_range
    from diglot.hardware.economics.power import fit_power_curve as fit_power_curve
    from diglot.hardware.gpus.attention_time import estimate_attention as estimate_attention
    from diglot.hardware.gpus.gemm import estimate_gpu_gemm as estimate_gpu_gemm
    from diglot.hardware.gpus.grouped_gemm import estimate_grouped_gemm as estimate_grouped_gemm
    from diglot.hardware.gpus.processors import GpuProcessors as GpuProcessors
    from diglot.hardware.gpus.thread_blocks import Tile as Tile
    from diglot.hardware.gpus.thread_blocks import find_thread_blocks as find_thread_blocks
    from diglot.hardware.gpus.traffic import L2Cache as L2Cache
    from diglot.hardware.kernels.attention import AttentionShape as AttentionShape
    from diglot.hardware.kernels.attention import count_decode_attention as count_decode_attention
    from diglot.hardware.kernels.attention import count_flash_attention as count_flash_attention
    from diglot.hardware.kernels.attention import count_materialised_attention as count_materialised_attention
    from diglot.hardware.kernels.attention_backward import (
        count_flash_attention_backward as count_flash_attention_backward,
    )
    from diglot.hardware.kernels.attention_backward import (
        count_materialised_attention_backward as count_materialised_attention_backward,
    )
    from diglot.hardware.kernels.expert_routing import Routing as Routing
    from diglot.hardware.kernels.expert_routing import count_idle_experts as count_idle_experts
    from diglot.hardware.kernels.expert_routing import find_busiest_rows as find_busiest_rows
    from diglot.hardware.kernels.expert_routing import find_row_distribution as find_row_distribution
    from diglot.hardware.kernels.kernel import Kernel as Kernel
    from diglot.hardware.kernels.kernel import count_batched_gemm as count_batched_gemm
    from diglot.hardware.kernels.kernel import count_elementwise as count_elementwise
    from diglot.hardware.kernels.kernel import count_gemm as count_gemm
    from diglot.hardware.kernels.kernel import count_gemv as count_gemv
    from diglot.hardware.kernels.kernel import count_grouped_gemm as count_grouped_gemm
    from diglot.hardware.kernels.kernel import count_softmax as count_softmax
    from diglot.hardware.kernels.layers import ConvolutionShape as ConvolutionShape
    from diglot.hardware.kernels.layers import ExpertLayer as ExpertLayer
    from diglot.hardware.kernels.layers import count_convolution as count_convolution
    from diglot.hardware.kernels.layers import count_embedding as count_embedding
    from diglot.hardware.kernels.layers import count_expert_feed_forward as count_expert_feed_forward
    from diglot.hardware.kernels.layers import count_layer_normalisation as count_layer_normalisation
    from diglot.hardware.kernels.layers import count_rms_normalisation as count_rms_normalisation
    from diglot.hardware.kernels.memory_levels import LayeredKernel as LayeredKernel
    from diglot.hardware.kernels.memory_levels import count_layered_gemm as count_layered_gemm
    from diglot.hardware.kernels.memory_levels import count_split_depth_gemm as count_split_depth_gemm
    from diglot.hardware.kernels.recurrence import RecurrenceShape as RecurrenceShape
    from diglot.hardware.kernels.recurrence import count_recurrence as count_recurrence
    from diglot.hardware.models.catalogue import load_model as load_model
    from diglot.hardware.models.catalogue import load_models as load_models
    from diglot.hardware.models.model import Experts as Experts
    from diglot.hardware.models.model import LatentAttention as LatentAttention
    from diglot.hardware.models.model import TransformerModel as TransformerModel
    from diglot.hardware.models.recurrent import RecurrentLayers as RecurrentLayers
    from diglot.hardware.networks.algorithms import choose_algorithm as choose_algorithm
    from diglot.hardware.networks.chip_networks import find_network as find_network
    from diglot.hardware.networks.chip_networks import (
        find_scale_out_bytes_per_s as find_scale_out_bytes_per_s,
    )
    from diglot.hardware.networks.chip_networks import find_twisted_torus as find_twisted_torus
    from diglot.hardware.networks.chip_networks import join_slices as join_slices
    from diglot.hardware.networks.collectives import estimate_collective as estimate_collective
    from diglot.hardware.networks.collectives import find_half_bandwidth_bytes as find_half_bandwidth_bytes
    from diglot.hardware.networks.collectives import measure_bus_bandwidth as measure_bus_bandwidth
    from diglot.hardware.networks.fat_trees import FatTree as FatTree
    from diglot.hardware.networks.fat_trees import Switches as Switches
    from diglot.hardware.networks.optical_switches import OpticalPod as OpticalPod
    from diglot.hardware.networks.topologies import Cluster as Cluster
    from diglot.hardware.networks.topologies import Island as Island
    from diglot.hardware.networks.topologies import Torus as Torus
    from diglot.hardware.networks.transfers import estimate_island_transfer as estimate_island_transfer
    from diglot.hardware.networks.transfers import estimate_torus_transfer as estimate_torus_transfer
    from diglot.hardware.networks.twisted_tori import TwistedTorus as TwistedTorus
    from diglot.hardware.numerics.block_formats import BLOCK_FORMATS as BLOCK_FORMATS
    from diglot.hardware.numerics.block_formats import BlockFormat as BlockFormat
    from diglot.hardware.numerics.block_formats import find_bits_per_element as find_bits_per_element
    from diglot.hardware.numerics.block_formats import find_block_format as find_block_format
    from diglot.hardware.numerics.block_formats import (
        measure_signal_to_noise_db as measure_signal_to_noise_db,
    )
    from diglot.hardware.numerics.number_formats import NUMBER_FORMATS as NUMBER_FORMATS
    from diglot.hardware.numerics.number_formats import NumberFormat as NumberFormat
    from diglot.hardware.numerics.number_formats import find_number_format as find_number_format
    from diglot.hardware.numerics.sparsity import estimate_sparse_gemm as estimate_sparse_gemm
    from diglot.hardware.numerics.sparsity import find_sparse_bits_per_weight as find_sparse_bits_per_weight
    from diglot.hardware.numerics.sparsity import find_sparse_peak_flops_per_s as find_sparse_peak_flops_per_s
    from diglot.hardware.numerics.weight_only import Dequantisation as Dequantisation
    from diglot.hardware.numerics.weight_only import estimate_weight_only_gemm as estimate_weight_only_gemm
    from diglot.hardware.numerics.weight_only import (
        find_weight_only_break_even_rows as find_weight_only_break_even_rows,
    )
    from diglot.hardware.numerics.weight_only import (
        find_weight_only_limit_rows as find_weight_only_limit_rows,
    )
    from diglot.hardware.operators.collective_time import find_collective_estimate as find_collective_estimate
    from diglot.hardware.operators.collective_time import time_collective as time_collective
    from diglot.hardware.operators.layer_time import time_attention as time_attention
    from diglot.hardware.operators.layer_time import time_experts as time_experts
    from diglot.hardware.operators.operator_time import time_gemm as time_gemm
    from diglot.hardware.operators.operator_time import time_grouped_gemm as time_grouped_gemm
    from diglot.hardware.operators.operator_time import time_kernel as time_kernel
    from diglot.hardware.operators.timers import choose_timer as choose_timer
    from diglot.hardware.operators.transformer import Formats as Formats
    from diglot.hardware.operators.transformer import decode as decode
    from diglot.hardware.operators.transformer import list_kernels as list_kernels
    from diglot.hardware.operators.transformer import list_operators as list_operators
    from diglot.hardware.operators.transformer import prefill as prefill
    from diglot.hardware.operators.transformer import sum_flops as sum_flops
    from diglot.hardware.parallelism.chip_links import find_links as find_links
    from diglot.hardware.parallelism.layouts import Layout as Layout
    from diglot.hardware.parallelism.layouts import NetworkLinks as NetworkLinks
    from diglot.hardware.parallelism.layouts import Ring as Ring
    from diglot.hardware.parallelism.limits import (
        find_best_data_parallel_ways as find_best_data_parallel_ways,
    )
    from diglot.hardware.parallelism.limits import (
        find_data_parallel_limit_tokens as find_data_parallel_limit_tokens,
    )
    from diglot.hardware.parallelism.limits import (
        find_decode_tensor_limit_ways as find_decode_tensor_limit_ways,
    )
    from diglot.hardware.parallelism.limits import find_least_batch_tokens as find_least_batch_tokens
    from diglot.hardware.parallelism.limits import find_mixed_limit_tokens as find_mixed_limit_tokens
    from diglot.hardware.parallelism.limits import (
        find_network_ridge_flops_per_byte as find_network_ridge_flops_per_byte,
    )
    from diglot.hardware.parallelism.limits import (
        find_tensor_parallel_limit_ways as find_tensor_parallel_limit_ways,
    )
    from diglot.hardware.parallelism.limits import find_tokens_per_chip as find_tokens_per_chip
    from diglot.hardware.parallelism.placement import OBJECTIVES as OBJECTIVES
    from diglot.hardware.parallelism.placement import Pool as Pool
    from diglot.hardware.parallelism.placement import Stage as Stage
    from diglot.hardware.parallelism.placement import evaluate_placement as evaluate_placement
    from diglot.hardware.parallelism.placement import find_best_placement as find_best_placement
    from diglot.hardware.parallelism.placement import find_robust_fraction as find_robust_fraction
    from diglot.hardware.parallelism.sharding import count_copies as count_copies
    from diglot.hardware.parallelism.sharding import find_split_critical_depth as find_split_critical_depth
    from diglot.hardware.planning.fitting import ServingFit as ServingFit
    from diglot.hardware.planning.fitting import TuningFit as TuningFit
    from diglot.hardware.planning.fitting import fit_serving as fit_serving
    from diglot.hardware.planning.fitting import fit_tuning as fit_tuning
    from diglot.hardware.planning.launching import list_launch_lines as list_launch_lines
    from diglot.hardware.planning.planner import Plan as Plan
    from diglot.hardware.planning.planner import PlannedPoint as PlannedPoint
    from diglot.hardware.planning.planner import PlannedPool as PlannedPool
    from diglot.hardware.planning.planner import plan as plan
    from diglot.hardware.planning.search_space import PRECISIONS as PRECISIONS
    from diglot.hardware.planning.search_space import SearchSpace as SearchSpace
    from diglot.hardware.rooflines.critical_batch import find_critical_rows as find_critical_rows
    from diglot.hardware.rooflines.critical_batch import find_moe_critical_tokens as find_moe_critical_tokens
    from diglot.hardware.rooflines.hierarchical import HierarchicalRoofline as HierarchicalRoofline
    from diglot.hardware.rooflines.roofline import Roofline as Roofline
    from diglot.hardware.serving.batching import Workload as Workload
    from diglot.hardware.serving.batching import choose_chunk_tokens as choose_chunk_tokens
    from diglot.hardware.serving.batching import find_best_within as find_best_within
    from diglot.hardware.serving.batching import find_pareto_front as find_pareto_front
    from diglot.hardware.serving.batching import list_batches as list_batches
    from diglot.hardware.serving.batching import serve_continuously as serve_continuously
    from diglot.hardware.serving.batching import serve_in_chunks as serve_in_chunks
    from diglot.hardware.serving.bounds import bound_decode_step as bound_decode_step
    from diglot.hardware.serving.bounds import bound_prefill_time_s as bound_prefill_time_s
    from diglot.hardware.serving.bounds import count_fitting_sequences as count_fitting_sequences
    from diglot.hardware.serving.deployment import Deployment as Deployment
    from diglot.hardware.serving.deployment import deploy as deploy
    from diglot.hardware.serving.disaggregation import CacheLink as CacheLink
    from diglot.hardware.serving.disaggregation import serve_disaggregated as serve_disaggregated
    from diglot.hardware.serving.expert_balance import balance_experts as balance_experts
    from diglot.hardware.serving.expert_balance import replicate_experts as replicate_experts
    from diglot.hardware.serving.mixed_lengths import decode_lengths as decode_lengths
    from diglot.hardware.serving.mixed_lengths import list_buckets as list_buckets
    from diglot.hardware.serving.mixed_lengths import prefill_lengths as prefill_lengths
    from diglot.hardware.serving.offload import HostMemory as HostMemory
    from diglot.hardware.serving.offload import compare_fetching as compare_fetching
    from diglot.hardware.serving.offload import deploy_with_host as deploy_with_host
    from diglot.hardware.serving.offload import estimate_offloaded_decode as estimate_offloaded_decode
    from diglot.hardware.serving.paged_cache import count_allocated_tokens as count_allocated_tokens
    from diglot.hardware.serving.paged_cache import count_paged_sequences as count_paged_sequences
    from diglot.hardware.serving.paged_cache import find_cache_use_fraction as find_cache_use_fraction
    from diglot.hardware.serving.paged_cache import find_cache_waste_fraction as find_cache_waste_fraction
    from diglot.hardware.serving.prefix_cache import cache_prefix as cache_prefix
    from diglot.hardware.serving.prefix_cache import count_sharing_sequences as count_sharing_sequences
    from diglot.hardware.serving.prefix_cache import estimate_prefill_after_hit as estimate_prefill_after_hit
    from diglot.hardware.serving.prefix_cache import find_hit_fraction as find_hit_fraction
    from diglot.hardware.serving.queueing import find_mean_wait_s as find_mean_wait_s
    from diglot.hardware.serving.queueing import serve_arrivals as serve_arrivals
    from diglot.hardware.serving.requests import Requests as Requests
    from diglot.hardware.serving.requests import draw_arrivals_s as draw_arrivals_s
    from diglot.hardware.serving.requests import draw_lengths_tokens as draw_lengths_tokens
    from diglot.hardware.serving.requests import draw_requests as draw_requests
    from diglot.hardware.serving.runtimes import RUNTIMES as RUNTIMES
    from diglot.hardware.serving.runtimes import Runtime as Runtime
    from diglot.hardware.serving.service_level import ServiceLevel as ServiceLevel
    from diglot.hardware.serving.simulation import find_goodput as find_goodput
    from diglot.hardware.serving.simulation import simulate_disaggregated as simulate_disaggregated
    from diglot.hardware.serving.simulation import simulate_serving as simulate_serving
    from diglot.hardware.serving.simulation import simulate_users as simulate_users
    from diglot.hardware.serving.speculation import build_prediction_module as build_prediction_module
    from diglot.hardware.serving.speculation import choose_draft_tokens as choose_draft_tokens
    from diglot.hardware.serving.speculation import count_expected_tokens as count_expected_tokens
    from diglot.hardware.serving.speculation import find_speculative_speed_up as find_speculative_speed_up
    from diglot.hardware.serving.speculation import speculate as speculate
    from diglot.hardware.serving.step_options import StepOptions as StepOptions
    from diglot.hardware.serving.steps import estimate_decode as estimate_decode
    from diglot.hardware.serving.steps import estimate_prefill as estimate_prefill
    from diglot.hardware.serving.steps import estimate_step as estimate_step
    from diglot.hardware.serving.tensor_communication import overlap_chunks_s as overlap_chunks_s
    from diglot.hardware.serving.tensor_communication import split_feed_forward as split_feed_forward
    from diglot.hardware.serving.two_batches import overlap_two_batches_s as overlap_two_batches_s
    from diglot.hardware.training.activations import (
        count_activation_bytes_per_layer as count_activation_bytes_per_layer,
    )
    from diglot.hardware.training.activations import count_checkpoint_bytes as count_checkpoint_bytes
    from diglot.hardware.training.activations import count_recomputed_flops as count_recomputed_flops
    from diglot.hardware.training.chip_training import train_on_chip as train_on_chip
    from diglot.hardware.training.failures import find_checkpoint_interval_s as find_checkpoint_interval_s
    from diglot.hardware.training.failures import (
        find_interruption_interval_s as find_interruption_interval_s,
    )
    from diglot.hardware.training.failures import (
        find_training_goodput_fraction as find_training_goodput_fraction,
    )
    from diglot.hardware.training.flops import count_training_step_flops as count_training_step_flops
    from diglot.hardware.training.flops import estimate_training_flops as estimate_training_flops
    from diglot.hardware.training.flops import estimate_training_time_s as estimate_training_time_s
    from diglot.hardware.training.flops import find_mfu_fraction as find_mfu_fraction
    from diglot.hardware.training.pipelines import Passes as Passes
    from diglot.hardware.training.pipelines import Pipeline as Pipeline
    from diglot.hardware.training.pipelines import schedule_pipeline as schedule_pipeline
    from diglot.hardware.training.plan import TrainingPlan as TrainingPlan
    from diglot.hardware.training.plan import count_chips_for as count_chips_for
    from diglot.hardware.training.sharded_state import TrainingState as TrainingState
    from diglot.hardware.training.sharded_state import (
        count_state_bytes_per_chip as count_state_bytes_per_chip,
    )
    from diglot.hardware.training.step import estimate_training_step as estimate_training_step
else:
    _MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}

    __all__ = [*_MODULE_OF]  # noqa: PLE0604  (the keys are strings)

    def __getattr__(name):
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415  (10 ms, and few ask)

            return version("diglot")
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
        globals()[name] = value  # later look-ups bypass this function
        return value

    def __dir__():
        return sorted({*globals(), *_MODULE_OF})
