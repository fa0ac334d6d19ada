"""Pipelines over CPU, GPU and TPU pools: the placement found is the best of all."""

import itertools
import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    OBJECTIVES,
    Kernel,
    Pool,
    Roofline,
    Stage,
    evaluate_placement,
    find_best_placement,
    find_robust_fraction,
    load_catalogue,
)
from diglot.hardware.parallelism.placement import NoPlacementError


def work(flops, moved_bytes=1.0):
    return (Kernel(name="work", flops=flops, read_bytes=moved_bytes, written_bytes=0),)


def pool(name, peak, **how):
    rooflines = {"bf16": Roofline(peak_flops_per_s=peak, memory_bandwidth_bytes_per_s=1e3)}
    fields = {"chip_count": 1, "memory_bytes": 1e9, "usd_per_chip_s": 1.0, "link_bytes_per_s": 1e3}
    return Pool(name=name, rooflines=rooflines, **{**fields, **how})


def stage(name, flops, **how):
    return Stage(
        name=name, kernels=work(flops), **{"efficiency_fractions": {"slow": 1.0, "quick": 1.0}, **how}
    )


SLOW, QUICK = pool("slow", 1.0), pool("quick", 10.0, usd_per_chip_s=5.0)


# One placement


def test_a_pipeline_on_one_pool_by_hand():
    placed = evaluate_placement([stage("a", 10), stage("b", 30)], [SLOW, QUICK], ["quick", "quick"])
    assert placed.stage_times_s == (1.0, 3.0)
    assert placed.transfer_times_s == (0.0,)
    assert placed.latency_s == 4.0
    assert placed.items_per_s == 1 / 4  # both stages use the same chip
    assert placed.item_cost_usd == 5.0 * 4
    assert placed.bottleneck == "quick"


def test_two_pools_work_at_once():
    """The slow pool takes 10 s per item while the fast one processes the previous item in 3 s."""
    placed = evaluate_placement([stage("a", 10), stage("b", 30)], [SLOW, QUICK], ["slow", "quick"])
    assert placed.latency_s == 13.0
    assert (placed.items_per_s, placed.bottleneck) == (1 / 10, "slow")
    assert placed.item_cost_usd == pytest.approx((1 + 5) * 10)


def test_more_chips_raise_the_rate_and_not_the_latency():
    many = pool("slow", 1.0, chip_count=4)
    one, four = (evaluate_placement([stage("a", 8)], [each, QUICK], ["slow"]) for each in (SLOW, many))
    assert four.items_per_s == 4 * one.items_per_s
    assert four.latency_s == one.latency_s


def test_a_batch_shares_one_run():
    alone = evaluate_placement([stage("a", 8)], [SLOW, QUICK], ["slow"])
    together = evaluate_placement([stage("a", 8, batch_count=16)], [SLOW, QUICK], ["slow"])
    assert together.items_per_s == 16 * alone.items_per_s
    assert together.latency_s == alone.latency_s


def test_outputs_cross_the_slower_link():
    wide = pool("slow", 1.0, link_bytes_per_s=1e6, link_latency_s=0.25)
    placed = evaluate_placement(
        [stage("a", 1, output_bytes=2000), stage("b", 1)], [wide, QUICK], ["slow", "quick"]
    )
    assert placed.transfer_times_s == (2.25,)
    assert placed.latency_s == pytest.approx(1 + 2.25 + 0.1)
    assert placed.bottleneck == "link of quick"
    assert placed.items_per_s == 1 / 2  # latency does not occupy a link


def test_a_stage_that_a_pool_does_badly_takes_longer_there():
    badly = stage("a", 10, efficiency_fractions={"slow": 1.0, "quick": 0.05})
    assert evaluate_placement([badly], [SLOW, QUICK], ["quick"]).latency_s == pytest.approx(20)
    assert find_best_placement([badly], [SLOW, QUICK], objective="latency").pool_names == ("slow",)


def test_memory_bound_kernels_take_the_time_of_their_traffic():
    moved = Stage(name="a", kernels=work(1, 5000), efficiency_fractions={"quick": 1.0})
    assert evaluate_placement([moved], [SLOW, QUICK], ["quick"]).latency_s == 5.0


# The best placement


def test_the_objective_decides():
    """Latency: both on the fast pool. Throughput: one on each. Cost: both on the slow pool."""
    stages, pools = [stage("a", 20), stage("b", 12)], [pool("slow", 8.0), QUICK]
    best = {objective: find_best_placement(stages, pools, objective=objective) for objective in OBJECTIVES}
    assert best["latency"].pool_names == ("quick", "quick")
    assert best["throughput"].pool_names == ("quick", "slow")
    assert best["cost"].pool_names == ("slow", "slow")


def test_limits_are_kept():
    stages, pools = [stage("a", 20), stage("b", 12)], [pool("slow", 8.0), QUICK]
    assert find_best_placement(stages, pools, objective="cost", most_latency_s=3.4).latency_s <= 3.4
    assert find_best_placement(stages, pools, objective="cost", least_items_per_s=0.4).items_per_s >= 0.4
    with pytest.raises(NoPlacementError, match="meets the limits"):
        find_best_placement(stages, pools, objective="cost", most_latency_s=3.1)


def test_weights_have_to_fit():
    heavy = [stage("a", 20, weights_bytes=6e8), stage("b", 12, weights_bytes=6e8)]
    pools = [pool("slow", 8.0), QUICK]
    placed = find_best_placement(heavy, pools, objective="latency")
    assert set(placed.pool_names) == {"slow", "quick"}
    with pytest.raises(ValueError, match="do not fit the memory of quick"):
        evaluate_placement(heavy, pools, ["quick", "quick"])
    with pytest.raises(NoPlacementError):
        find_best_placement([*heavy, *heavy], pools, objective="latency")


amounts = st.floats(0.1, 100)
POOL_NAMES = ("cpu", "gpu", "tpu")


@st.composite
def pipelines(draw):
    pools = [
        Pool(
            name=name,
            chip_count=draw(st.integers(1, 4)),
            rooflines={
                "bf16": Roofline(peak_flops_per_s=draw(amounts), memory_bandwidth_bytes_per_s=draw(amounts))
            },
            memory_bytes=draw(amounts),
            usd_per_chip_s=draw(amounts),
            link_bytes_per_s=draw(amounts),
            link_latency_s=draw(st.floats(0, 1)),
        )
        for name in POOL_NAMES[: draw(st.integers(1, 3))]
    ]
    names = [pool.name for pool in pools]
    stages = [
        Stage(
            name=f"s{number}",
            kernels=work(draw(amounts), draw(amounts)),
            efficiency_fractions={
                name: draw(st.floats(0.1, 1))
                for name in draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
            },
            batch_count=draw(st.integers(1, 8)),
            output_bytes=draw(st.floats(0, 100)),
            weights_bytes=draw(st.floats(0, 30)),
        )
        for number in range(draw(st.integers(1, 5)))
    ]
    return stages, pools


def every_placement(stages, pools):
    for names in itertools.product([pool.name for pool in pools], repeat=len(stages)):
        try:
            yield evaluate_placement(stages, pools, names)
        except ValueError:  # a pool that cannot run the stage, or has too little memory
            continue


MEASURES = {
    "latency": lambda placed: placed.latency_s,
    "throughput": lambda placed: 1 / placed.items_per_s,
    "cost": lambda placed: placed.item_cost_usd,
}


@settings(deadline=None, max_examples=200)
@given(pipelines(), st.sampled_from(OBJECTIVES), st.floats(0.2, 3), st.floats(0, 2))
def test_branch_and_bound_finds_what_trying_all_finds(pipeline, objective, slack, demand):
    stages, pools = pipeline
    feasible = list(every_placement(stages, pools))
    limits = {}
    if feasible:
        limits["most_latency_s"] = slack * sorted(placed.latency_s for placed in feasible)[len(feasible) // 2]
        limits["least_items_per_s"] = demand * min(placed.items_per_s for placed in feasible)
        measured = [(placed.latency_s, limits["most_latency_s"]) for placed in feasible]
        measured += [(placed.items_per_s, limits["least_items_per_s"]) for placed in feasible]
        # A limit that is missed by a rounding is kept, by design; one that is met exactly is a case.
        assume(not any(value != limit and math.isclose(value, limit) for value, limit in measured))
    kept = [
        placed
        for placed in feasible
        if placed.latency_s <= limits["most_latency_s"] and placed.items_per_s >= limits["least_items_per_s"]
    ]
    if not kept:
        with pytest.raises(NoPlacementError):
            find_best_placement(stages, pools, objective=objective, **limits)
        return
    best = find_best_placement(stages, pools, objective=objective, **limits)
    measure = MEASURES[objective]
    assert measure(best) == pytest.approx(min(map(measure, kept)), rel=1e-9)
    assert best == evaluate_placement(stages, pools, best.pool_names)


@settings(deadline=None, max_examples=50)
@given(pipelines(), st.sampled_from(OBJECTIVES))
def test_a_quicker_pool_never_makes_the_best_worse(pipeline, objective):
    stages, pools = pipeline

    def best(pools):
        try:
            return MEASURES[objective](find_best_placement(stages, pools, objective=objective))
        except NoPlacementError:
            return math.inf

    first, *rest = pools
    roofline = first.rooflines["bf16"]
    quicker = Roofline(
        peak_flops_per_s=2 * roofline.peak_flops_per_s,
        memory_bandwidth_bytes_per_s=2 * roofline.memory_bandwidth_bytes_per_s,
    )
    fields = {name: getattr(first, name) for name in first.__slots__}
    assert best([Pool(**{**fields, "rooflines": {"bf16": quicker}}), *rest]) <= best(pools) * (1 + 1e-9)


@pytest.mark.timeout(60)  # a fraction of a second; to try every placement takes many minutes
def test_twelve_stages_on_four_pools_are_placed_without_trying_all_sixteen_million():
    names = ["w", "x", "y", "z"]
    pools = [pool(name, float(n + 1), usd_per_chip_s=n + 1.0) for n, name in enumerate(names)]
    fractions = dict.fromkeys(names, 1.0)
    stages = [
        stage(str(n), 1.0 + n % 5, efficiency_fractions=fractions, output_bytes=10.0) for n in range(12)
    ]
    assert find_best_placement(stages, pools, objective="latency").pool_names == ("z",) * 12


# Rejected input


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (["slow"], "2 stages, but 1 pools"),
        (["slow", "fast"], "no pool 'fast'"),
        (["slow", "slow"], "cannot run on slow"),
    ],
)
def test_an_impossible_placement_is_refused(names, problem):
    stages = [stage("a", 1), stage("b", 1, efficiency_fractions={"quick": 1.0})]
    with pytest.raises(ValueError, match=problem):
        evaluate_placement(stages, [SLOW, QUICK], names)


def test_a_problem_that_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="needs stages and pools"):
        find_best_placement([], [SLOW], objective="cost")
    with pytest.raises(ValueError, match="two pools have the same name"):
        find_best_placement([stage("a", 1)], [SLOW, SLOW], objective="cost")
    with pytest.raises(ValueError, match="names unknown pools: quick"):
        find_best_placement([stage("a", 1)], [SLOW], objective="cost")
    with pytest.raises(ValueError, match="no pool can run stage a"):
        find_best_placement([stage("a", 1, dtype="fp8")], [SLOW, QUICK], objective="cost")
    with pytest.raises(ValueError, match="known: latency, throughput, cost"):
        find_best_placement([stage("a", 1)], [SLOW, QUICK], objective="speed")


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("efficiency_fractions", {"slow": 1.5}, "efficiency of a on slow"),
        ("batch_count", 0, "batch_count must be at least 1"),
        ("output_bytes", -1, "output_bytes of stage a"),
        ("weights_bytes", math.inf, "weights_bytes of stage a"),
    ],
)
def test_an_impossible_stage_is_refused(field, value, problem):
    with pytest.raises(ValueError, match=problem):
        stage("a", 1, **{field: value})


def test_a_stage_without_kernels_is_refused():
    with pytest.raises(ValueError, match="stage a does nothing"):
        Stage(name="a", kernels=(), efficiency_fractions={"slow": 1.0})


@pytest.mark.parametrize(
    "field", ["chip_count", "memory_bytes", "link_bytes_per_s", "usd_per_chip_s", "link_latency_s"]
)
def test_an_impossible_pool_is_refused(field):
    with pytest.raises(ValueError, match=field):
        pool("slow", 1.0, **{field: -1})


def test_a_placement_is_robust_as_often_as_other_efficiencies_leave_it_the_best():
    """The quick pool loses a stage only if it is 20 times as slow there and the slow one is not."""
    stages, pools = [stage("a", 10), stage("b", 30)], [SLOW, QUICK]
    doubt = {"objective": "latency", "factors": (0.05, 1.0)}
    assert find_robust_fraction(stages, pools, **doubt) == (3 / 4) ** 2
    assert find_robust_fraction(stages, pools, **doubt, certain=["quick"]) == 1.0


def test_chips_of_the_catalogue_are_a_pool():
    chip = load_catalogue()["h200-sxm"]
    pool = Pool.of_chip("gpu", chip, 4, link_bytes_per_s=50e9)
    assert (pool.name, pool.chip_count, pool.memory_bytes) == ("gpu", 4, chip.memory_bytes)
    assert pool.rooflines["bf16"] == chip.roofline("bf16")
    assert pool.usd_per_chip_s == chip.prices[0].usd_per_chip_s


def test_a_repeated_kernel_does_and_moves_so_many_times_as_much():
    (once,) = work(10.0, 3.0)
    four = once.repeated(4)
    assert (four.name, four.flops, four.read_bytes, four.written_bytes) == ("work", 40.0, 12.0, 0.0)
