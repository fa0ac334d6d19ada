"""Plans agree with the models that they call, miss no better candidate, and say why the rest lost."""

import itertools
import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from diglot.hardware import (
    PRECISIONS,
    RUNTIMES,
    CacheLink,
    Layout,
    PlannedPool,
    SearchSpace,
    ServiceLevel,
    Workload,
    deploy,
    estimate_decode,
    find_pareto_front,
    load_catalogue,
    load_model,
    plan,
    serve_continuously,
    serve_disaggregated,
    serve_in_chunks,
)
from diglot.hardware.__main__ import main
from diglot.hardware.operators.timers import choose_timer
from diglot.hardware.operators.transformer import decode, list_operators
from diglot.hardware.planning.losses import MEANINGS, REASONS, Loss, add_up_losses
from diglot.hardware.planning.remembered_times import RememberingTimer

WORKLOAD = Workload(prompt_tokens=1024, output_tokens=256)
SPACE = SearchSpace(chips_limit_count=8, timing="ideal", sequences_per_doubling_count=1)
SLO = ServiceLevel(ttft_s=1.0, tpot_s=0.05)


@pytest.fixture(scope="module")
def found():
    return plan("llama-3-70b", ["h100", "v6e"], WORKLOAD, SLO, space=SPACE)


def deploy_pool(pool, precision, model="llama-3-70b"):
    return deploy(
        load_model(model),
        load_catalogue()[pool.chip],
        layout=pool.layout,
        formats=PRECISIONS[precision],
        timing="ideal",
        reserved_fraction=SPACE.reserved_fraction,
    )


def serve(point):
    """The run of a point of one pool, of all its copies together, by the models themselves."""
    pool = deploy_pool(point.pool, point.precision)
    if point.way == "continuous":
        return serve_continuously(pool, WORKLOAD, point.batch_count)
    return serve_in_chunks(pool, WORKLOAD, point.batch_count, chunk_tokens=point.chunk_tokens)


def test_points_of_one_pool_are_what_the_serving_models_give_for_all_copies(found):
    checked = [point for point in found.points if point.prefill_pool is None]
    assert {point.way for point in checked} == {"continuous", "chunked"}
    for point in checked:
        run = serve(point)
        assert (point.ttft_s, point.tpot_s) == pytest.approx((run.ttft_s, run.tpot_s), rel=1e-12)
        assert point.output_tokens_per_s == pytest.approx(run.output_tokens_per_s, rel=1e-12)
        assert point.output_tokens_per_chip_s == pytest.approx(run.output_tokens_per_chip_s, rel=1e-12)


def test_points_of_two_pools_have_enough_prefill_chips_and_not_a_copy_more(found):
    checked = [point for point in found.points if point.prefill_pool is not None]
    assert checked
    for point in checked:
        copies, prefill_copies = point.pool.layout.data_count, point.prefill_pool.layout.data_count
        one = replace(point.pool.layout, data_count=1)
        run = serve_disaggregated(
            deploy_pool(
                replace(point.prefill_pool, layout=replace(point.prefill_pool.layout, data_count=1)),
                point.prefill_precision,
            ),
            deploy_pool(replace(point.pool, layout=one), point.precision),
            WORKLOAD,
            point.batch_count // copies,
            CacheLink(bandwidth_bytes_per_s=1e15),
        )
        needed = run.prefill_deployments_count * copies
        assert prefill_copies - 1 < needed <= prefill_copies
        assert point.output_tokens_per_s == pytest.approx(run.run.output_tokens_per_s * copies, rel=1e-12)
        assert point.ttft_s == pytest.approx(run.run.ttft_s, rel=1e-12)
        assert point.tpot_s >= run.run.tpot_s


def test_trying_everything_one_by_one_finds_the_same_front():
    space = replace(SPACE, chips_limit_count=4, ways=("continuous", "chunked"), chunk_counts_tokens=(512,))
    found = plan("llama-3-8b", ["h100"], WORKLOAD, SLO, space=space)
    runs = []
    ways = (serve_continuously, lambda *given: serve_in_chunks(*given, chunk_tokens=512))
    for tensor, pipeline, precision, sequences, run in itertools.product(
        (1, 2, 4), (1, 2, 4), space.precisions, 2 ** np.arange(11), ways
    ):
        if tensor * pipeline > 4:
            continue
        layout = Layout(tensor_count=tensor, pipeline_count=pipeline)
        deployment = deploy(
            load_model("llama-3-8b"),
            load_catalogue()["h100-sxm"],
            layout=layout,
            formats=PRECISIONS[precision],
            reserved_fraction=0.1,
        )
        batch = int(sequences) * pipeline
        if batch <= deployment.largest_batch_count(WORKLOAD.longest_context_tokens):
            runs.append(run(deployment, WORKLOAD, batch))
    runs = [run for run in runs if run.ttft_s <= SLO.ttft_s and run.tpot_s <= SLO.tpot_s]
    tpots_s, rates = [run.tpot_s for run in runs], [run.output_tokens_per_chip_s for run in runs]
    front = [runs[index] for index in find_pareto_front(tpots_s, rates)]
    assert [point.tpot_s for point in found.points] == pytest.approx([run.tpot_s for run in front], rel=1e-12)
    assert [point.output_tokens_per_chip_s for point in found.points] == pytest.approx(
        [run.output_tokens_per_chip_s for run in front], rel=1e-12
    )


def test_every_point_is_within_the_limits_and_gains_tokens_for_its_latency(found):
    assert all(
        point.ttft_s <= SLO.ttft_s and point.tpot_s <= SLO.tpot_s and point.chips_count <= 8
        for point in found.points
    )
    latencies = [point.tpot_s for point in found.points]
    rates = [point.output_tokens_per_chip_s for point in found.points]
    assert latencies == sorted(set(latencies))
    assert rates == sorted(set(rates))


def test_every_candidate_is_a_point_or_has_a_reason(found):
    assert found.candidates_count == len(found.points) + sum(loss.candidates_count for loss in found.losses)
    assert [loss.reason for loss in found.losses] == [
        reason for reason in REASONS if found.count_lost(reason)
    ]
    assert set(MEANINGS) == set(REASONS)


def lose(model="llama-3-8b", chips=("h100",), slo=SLO, **changes):
    """The losses by reason, with all candidates of a small space."""
    asked = {name: changes.pop(name) for name in ("objective", "usd_per_chip_s") if name in changes}
    found = plan(model, list(chips), WORKLOAD, slo, space=replace(SPACE, **changes), **asked)
    return {loss.reason: loss for loss in found.losses}


def test_a_layout_that_does_not_divide_the_model_says_so():
    losses = lose("qwen-2.5-7b", tensor_counts=(8,), pipeline_counts=(1,), ways=("continuous",))
    assert set(losses) == {"layout"}
    assert "8 tensor-parallel ways do not divide 28 heads" in losses["layout"].example
    assert losses["layout"].candidates_count == 3 * SPACE.list_sequences().size


def test_a_format_without_a_peak_says_so():
    assert "A100 80GB has no fp8 peak" in lose(chips=("a100",))["format"].example


def test_chips_that_are_not_connected_so_say_so():
    assert "no NVLink" in lose(chips=("rtx-5090",))["network"].example


def test_weights_and_caches_that_do_not_fit_say_so():
    losses = lose("llama-3-405b", precisions=("bf16",))
    assert "takes 811.7 GB on each of 1 chips" in losses["memory"].example
    losses = lose(tensor_counts=(1,), pipeline_counts=(1,), precisions=("bf16",), ways=("continuous",))
    assert "sequences of 1280 tokens" in losses["memory"].example


def test_pools_that_need_more_chips_than_allowed_say_so():
    losses = lose(tensor_counts=(8,), pipeline_counts=(1,), ways=("disaggregated",))
    assert "16 chips, allowed are 8" in losses["chips"].example


def test_latencies_over_a_limit_are_told_with_the_nearest():
    late = lose(slo=ServiceLevel(ttft_s=1e-4))
    assert late["ttft"].candidates_count > 0
    slow = lose(slo=ServiceLevel(tpot_s=2e-3), tensor_counts=(1,), ways=("continuous",))
    assert "TPOT 2." in slow["tpot"].example


def test_what_only_transfers_make_slow_is_told_apart():
    pool = PlannedPool(chip="tpu-v5e", layout=Layout(tensor_count=8))
    step = estimate_decode(
        deploy_pool(pool, "bf16", "llama-3-8b"), WORKLOAD.mean_context_tokens, batch_count=512
    )
    slo = ServiceLevel(tpot_s=step.time_s - step.communication_s / 2)
    losses = lose(
        chips=("v5e",),
        slo=slo,
        ways=("disaggregated",),
        precisions=("bf16",),
        tensor_counts=(8,),
        pipeline_counts=(1,),
        chips_limit_count=64,
        transfer_bytes_per_s=1e15,
    )
    assert losses["communication"].candidates_count == 1
    assert "batch 512" in losses["communication"].example
    assert "tpot" not in losses


def test_a_chip_without_a_price_is_left_out_of_costs():
    losses = lose(chips=("h100", "gb300"), objective="cost", ways=("continuous",))
    assert losses["price"].example == "gb300"


def test_with_a_price_of_ones_own_it_is_planned_with():
    price = {"gb300": 5 / 3600}
    space = replace(SPACE, chips_limit_count=2, ways=("continuous",))
    found = plan("llama-3-8b", ["gb300"], WORKLOAD, space=space, objective="cost", usd_per_chip_s=price)
    best = found.points[-1]
    usd = 1e6 * price["gb300"] * best.chips_count / best.output_tokens_per_s
    assert best.usd_per_million_tokens == pytest.approx(usd, rel=1e-12)
    assert [point.usd_per_million_tokens for point in found.points] == sorted(
        (point.usd_per_million_tokens for point in found.points), reverse=True
    )


def test_a_price_of_another_kind_neither_leads_nor_beats_comparable_ones(capsys):
    space = replace(SPACE, chips_limit_count=2, ways=("continuous",))
    dear = {"h100-sxm": 100 / 3600}
    alone, both = (
        plan("llama-3-8b", chips, WORKLOAD, space=space, objective="cost", usd_per_chip_s=dear)
        for chips in (["h100"], ["h100", "gb200"])
    )
    assert both.doubts == {"gb200": ("of another kind than the others",)}
    assert both.approximate_figures == {}
    doubtful = plan("llama-3-8b", ["l4"], WORKLOAD, space=replace(space, precisions=("fp8",)))
    assert doubtful.approximate_figures == {"l4": ("peak_dense.fp8 242.5 TFLOP/s",)}
    assert both.points[: len(alone.points)] == alone.points
    assert {point.chips for point in both.points[len(alone.points) :]} == {("gb200",)}
    assert [point.chips for point in both.best_of_each] == [("h100-sxm",), ("gb200",)]
    assert both.best_of_each[0].usd_per_million_tokens > both.best_of_each[1].usd_per_million_tokens
    assert both.candidates_count == len(both.points) + sum(loss.candidates_count for loss in both.losses)
    command = [part if part != "h100,v6e" else "gb200" for part in COMMAND]
    assert main([*command, "--ways", "continuous", "--objective", "cost"]) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("every price (*) is old or of another kind")


def test_old_prices_of_one_kind_are_compared_where_there_are_no_others():
    space = replace(SPACE, chips_limit_count=2, ways=("continuous",))
    found = plan(
        "llama-3-8b", ["gb200", "h100", "h200"], WORKLOAD, space=space, objective="cost", today="2036-01-01"
    )
    assert set(found.doubts) == {"gb200", "h100-sxm", "h200-sxm"}
    *listed, last = found.best_of_each
    assert {chip for point in listed for chip in point.chips} <= {"h100-sxm", "h200-sxm"}
    assert last.chips == ("gb200",)
    assert last.usd_per_million_tokens < listed[0].usd_per_million_tokens
    assert [point.usd_per_million_tokens for point in listed] == sorted(
        point.usd_per_million_tokens for point in listed
    )


def test_what_if_compares_two_plans(capsys):
    asked = [
        *COMMAND,
        "--ways",
        "continuous",
        "--objective",
        "cost",
        "--price",
        "h100=3",
        "--price",
        "v6e=2.7",
        "--timing",
        "ideal",
    ]
    printed = []
    for words in (asked, [*asked, "--price", "v6e=1"], [*asked, "--what-if", "price=v6e=1"]):
        assert main([*words, "--json"]) == 0
        printed.append(json.loads(capsys.readouterr().out))
    assert printed[2] == {"what_if": ["price=v6e=1"], "before": printed[0], "after": printed[1]}
    for change, told in {
        "price=v6e=1": "tpu-v6e leads instead of h100-sxm, by dollars per token: those of h100-sxm stay",
        "users=1": "h100-sxm leads as before.",
        "tpot=1e-9": "Then, nothing is within the limits.",
    }.items():
        assert main([*asked, "--what-if", change]) == (told[:4] == "Then")
        assert told in capsys.readouterr().out
    for wrong, told in {
        "colour=1": "with a flag of chips, ",
        "users=x": "argument --users: 'x' is not",
    }.items():
        with pytest.raises(SystemExit):
            main([*asked, "--what-if", wrong])
        assert told in capsys.readouterr().err


@pytest.mark.parametrize("latency", ["tpot", "ttft"])
def test_looser_limits_and_more_chips_never_cost_tokens(latency):
    def best(slo, chips):
        space = replace(SPACE, chips_limit_count=chips, precisions=("fp8",))
        points = plan("llama-3-8b", ["h100", "v6e"], WORKLOAD, slo, space=space, latency=latency).points
        return max((point.output_tokens_per_chip_s for point in points), default=0.0)

    limits = [ServiceLevel(tpot_s=limit_s) for limit_s in (2e-3, 5e-3, 2e-2, np.inf)]
    rates = [best(slo, 4) for slo in limits]
    assert rates == sorted(rates)
    assert rates[0] < rates[-1]
    assert best(limits[1], 4) <= best(limits[1], 8)


def test_prompts_may_be_processed_on_other_chips_than_tokens():
    """Prompts are arithmetic, tokens bandwidth: v6e has much of one, H200 of the other, at these prices."""
    workload = Workload(prompt_tokens=8192, output_tokens=512)
    space = replace(SPACE, precisions=("int8",), chips_limit_count=16)
    prices = {"h200-sxm": 8 / 3600, "tpu-v6e": 1 / 3600}
    found = plan(
        "llama-3-70b", ["h200", "v6e"], workload, ServiceLevel(tpot_s=0.02),
        space=space, objective="cost", usd_per_chip_s=prices,
    )  # fmt: skip
    pairs = {(point.prefill_pool.chip, point.pool.chip) for point in found.points if point.prefill_pool}
    assert any(first != second for first, second in pairs)


def test_a_slower_network_between_pools_never_helps():
    def best(rate):
        space = replace(SPACE, ways=("disaggregated",), precisions=("fp8",), transfer_bytes_per_s=rate)
        slo = ServiceLevel(tpot_s=0.01)
        points = plan("llama-3-8b", ["h100"], WORKLOAD, slo, space=space).points
        return max((point.output_tokens_per_chip_s for point in points), default=0.0)

    rates = [best(rate) for rate in (2e7, 1e9, 1e12)]
    assert rates == sorted(rates)
    assert rates[0] < rates[-1]


def test_experts_are_spread_over_chips():
    space = replace(SPACE, precisions=("fp8",), ways=("continuous",))
    found = plan("mixtral-8x7b", ["h200"], WORKLOAD, space=space)
    assert any(point.pool.layout.expert_count > 1 for point in found.points)


def test_remembered_times_are_those_of_the_timer_and_asked_for_once():
    class Counting:
        asked = 0

        def time_operator(self, operator):
            self.asked += 1
            return timer.time_operator(operator)

    chip, model = load_catalogue()["h100-sxm"], load_model("llama-3-8b")
    timer, counting = choose_timer(chip, "bf16", "tiled"), Counting()
    remembering = RememberingTimer(timer=counting)
    rows = np.array([1, 8, 64])
    for pipeline in (1, 2):  # stages leave the operators of a chip as they are
        operators = list_operators(
            model, decode(1024, sequences_count=rows), layout=Layout(pipeline_count=pipeline)
        )
        for operator in operators:
            kept = remembering.time_operator(operator).time_s
            assert np.array_equal(kept, timer.time_operator(operator).time_s)
    assert counting.asked == len(operators)


def test_progress_ends_with_all_layouts():
    told = []
    plan("llama-3-8b", ["h100"], WORKLOAD, space=SPACE, progress=lambda *done: told.append(done))
    assert told == [(done, told[-1][1]) for done in range(told[-1][1] + 1)]


def test_losses_of_one_reason_are_added_up():
    losses = [Loss(reason="tpot", candidates_count=count, example=str(count)) for count in (2, 3)]
    assert add_up_losses(losses) == (Loss(reason="tpot", candidates_count=5, example="2"),)


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"chips": []}, "chips"),
        ({"chips": "h100"}, "chips"),
        ({"model": "bert-base"}, "model"),
        ({"objective": "fame"}, "objective"),
        ({"latency": "p99"}, "latency"),
        ({"usd_per_chip_s": {"h100-sxm": 0}}, "usd_per_chip_s"),
        ({"usd_per_chip_s": {"tpu-v6e": 1}}, "usd_per_chip_s"),
        ({"workload": Workload(prompt_tokens=np.array([1, 2]), output_tokens=2)}, "workload"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(asked, named):
    given = {"model": "llama-3-8b", "chips": ["h100"], "workload": WORKLOAD, **asked}
    with pytest.raises(ValueError, match=named):
        plan(**given)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"precisions": ("fp8", "ternary")}, "precisions"),
        ({"precisions": "fp8"}, "precisions"),
        ({"ways": ()}, "ways"),
        ({"chunk_counts_tokens": ()}, "chunk_counts_tokens"),
        ({"tensor_counts": (0,)}, "tensor_counts"),
        ({"reserved_fraction": 1.0}, "reserved_fraction"),
        ({"timing": "guessed"}, "timing"),
    ],
)
def test_a_space_that_makes_no_sense_is_refused_by_name(changes, named):
    with pytest.raises(ValueError, match=named):
        SearchSpace(**changes)


COMMAND = (
    "plan",
    "llama-3-8b",
    "--chips",
    "h100,v6e",
    "--input",
    "1024",
    "--output",
    "256",
    "--chips-limit",
    "4",
)


def test_the_command_prints_the_front_and_why_the_rest_lost(capsys):
    assert main([*COMMAND, "--timing", "ideal", "--tpot", "0.02", "--rows", "5"]) == 0
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert lines[0].startswith("llama-3-8b; 1024 tokens in and 256 out; TPOT at most 0.02 s; at most 4 chips")
    front = lines[lines.index("what no other equals in both latency and this:") :]
    assert sum("batch" in line and "e.g." not in line for line in front) == 5
    assert "on the front; --rows" in printed
    assert MEANINGS["dominated"] in printed


def test_the_command_prints_json(capsys):
    assert main([*COMMAND, "--timing", "ideal", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["points"][0]["pool"]["layout"]["tensor_count"] > 1
    assert printed["candidates_count"] == len(printed["points"]) + sum(
        loss["candidates_count"] for loss in printed["losses"]
    )


def test_the_command_says_how_sure_its_times_are(capsys):
    assert main([*COMMAND, "--rows", "2"]) == 0
    told = [
        line for line in capsys.readouterr().out.splitlines() if line.startswith("nine in ten are within")
    ]
    assert any(line.endswith("as measured on these chips: h100-sxm") for line in told)
    assert main([*COMMAND, "--rows", "2", "--timing", "ideal"]) == 0
    assert "nine in ten" not in capsys.readouterr().out


def test_an_engine_whose_host_works_between_steps_is_slower(capsys):
    quickest = []
    for engine in RUNTIMES:
        assert main([*COMMAND, "--chips", "h100", "--engine", engine, "--json"]) == 0
        quickest.append(json.loads(capsys.readouterr().out)["points"][0]["tpot_s"])
    ahead_s, static_s, between_s = quickest
    assert static_s > ahead_s
    assert between_s == pytest.approx(ahead_s + RUNTIMES["vllm-0"].host_step_s, rel=0.2)


def test_a_plan_without_a_candidate_is_told_by_the_exit_status(capsys):
    assert main([*COMMAND, "--timing", "ideal", "--tpot", "1e-6"]) == 1
    assert "nothing is within the limits" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (("--chips", "h10"), 'did you mean "h100-sxm"?'),
        (("--chips", ","), "at least one chip"),
        (("--output", "1"), "output_tokens must be at least 2"),
        (("--ways", "sequential"), "continuous, chunked, disaggregated"),
        (("--precisions", "fp7"), "bf16, fp16, fp8, int8"),
        (("--price", "h200=3"), "h200-sxm"),
    ],
)
def test_the_command_refuses_what_makes_no_sense(wrong, told, capsys):
    assert main([*COMMAND, *wrong]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong", [("--input", "0"), ("--input", "many"), ("--ttft", "nan"), ("--tpot", "-1"), ("--price", "h100")]
)
def test_the_command_names_the_argument_whose_value_it_cannot_read(wrong, capsys):
    with pytest.raises(SystemExit, match="2"):
        main([*COMMAND, *wrong])
    assert f"argument {wrong[0]}" in capsys.readouterr().err


def test_the_command_suggests_the_nearest_model(capsys):
    assert main(["plan", "llama-370b", *COMMAND[2:]]) == 2
    assert 'did you mean "llama-3-70b"?' in capsys.readouterr().err


@cache
def serve_users(count, chips=("h100", "v6e"), **settings):
    space = replace(SPACE, users_count=count, **settings)
    return plan("llama-3-8b", chips, WORKLOAD, ServiceLevel(tpot_s=0.02), space=space)


USERS_COUNTS = (1, 7, 400, 2000)


def test_users_have_as_many_copies_as_they_need_and_no_more():
    for users in USERS_COUNTS:
        found = serve_users(users)
        assert found.points
        for point in found.points:
            copies = point.pool.layout.data_count
            assert point.batch_count >= users > point.batch_count // copies * (copies - 1)
            if point.way != "disaggregated":  # whose caches move while others decode
                assert point.output_tokens_per_s <= users / point.tpot_s * 256 / 255 * (1 + 1e-9)


def test_more_users_never_need_fewer_chips():
    least = [min(point.chips_count for point in serve_users(users).points) for users in USERS_COUNTS]
    assert least == sorted(least)
    assert least[0] == 1


def test_users_that_do_not_fit_the_chips_say_how_many_chips_they_need():
    found = serve_users(20_000, chips=("v6e",), chips_limit_count=2)
    assert not found.points
    assert "for 20000 users, allowed are 2" in {loss.reason: loss for loss in found.losses}["chips"].example


def test_the_best_of_each_kind_of_chip_is_told_though_another_dominates_it():
    found = serve_users(50, chips=("h100", "a100", "v6e"))
    kinds = [point.chips for point in found.best_of_each]
    assert {("h100-sxm",), ("a100-80",), ("tpu-v6e",)} <= set(kinds)
    rates = [point.output_tokens_per_chip_s for point in found.best_of_each]
    assert rates == sorted(rates, reverse=True)
    singles = {
        point.chips[0]: point.output_tokens_per_chip_s
        for point in found.best_of_each
        if len(point.chips) == 1
    }
    for point in found.best_of_each:
        if len(point.chips) == 2:
            assert point.output_tokens_per_chip_s > max(map(singles.__getitem__, point.chips))
