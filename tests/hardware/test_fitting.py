"""What fits is what the memory of deployments and training plans says; adapters train less and take less."""

import subprocess

import pytest
import yaml

from diglot.hardware import (
    Layout,
    SearchSpace,
    TrainingPlan,
    TrainingState,
    Workload,
    deploy,
    fit_serving,
    fit_tuning,
    list_launch_lines,
    load_model,
    plan,
    train_on_chip,
)
from diglot.hardware.__main__ import main

MODEL = load_model("llama-3-8b")


def test_a_model_in_four_bits_fits_a_consumer_gpu_and_one_of_70b_needs_two_h100() -> None:
    small = fit_serving("llama-3-8b", "rtx-5090", precision="w4a16", context_tokens=4096)
    assert (small.chips_count, small.token_s.basis) == (1, "far")
    assert small.weights_bytes < 6e9
    large = fit_serving("llama-3-70b", "h100")
    assert large.chips_count == 2
    service = deploy("llama-3-70b", "h100", layout=Layout(tensor_count=2), reserved_fraction=0.1)
    assert large.sequences_count == service.largest_batch_count(4096)


def test_what_does_not_fit_says_how_much_it_needs_and_why_more_chips_do_not_help() -> None:
    with pytest.raises(ValueError, match=r"takes 141\.1 GB on each of 1 chips.*more do not help: RTX 5090"):
        fit_serving("llama-3-70b", "rtx-5090")
    with pytest.raises(
        ValueError, match=r"it needs [\d,.]+ GB on each of 2 chips.*; more than 2 were not tried"
    ):
        fit_tuning("llama-3-70b", "h100", chips_limit_count=2)
    assert fit_serving("llama-3-70b", "l40s").chips_count == 4  # over PCIe
    with pytest.raises(ValueError, match=r"more do not help: no figure of links between Gaudi 3 is known"):
        fit_serving("llama-3-70b", "gaudi-3")
    with pytest.raises(ValueError, match=r"BERT large has 512 learned positions, fewer than 4,096 tokens"):
        fit_tuning("bert-large", "h100")


def test_half_precision_serves_and_tunes_on_chips_older_than_bfloat16() -> None:
    assert fit_serving("llama-3-8b", "v100", precision="fp16").chips_count == 1
    assert fit_tuning("llama-3-8b", "v100", way="lora").chips_count == 1


def test_a_chip_without_figures_does_not_keep_the_others_from_their_answers(capsys) -> None:
    assert main(["fit", "llama-3-8b", "--chips", "a10g,l4", "--precisions", "w4a16"]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith('"a10g" is known, but not modelled: ')
    assert any(line.startswith("serve 1 x l4 w4a16: ") for line in others)
    assert main(["fit", "llama-3-8b", "--chips", "a10g"]) == 2


def test_the_exit_code_says_whether_anything_fits(capsys) -> None:
    asked = ["fit", "deepseek-v3", "--chips-limit", "1", "--precisions", "fp8", "--chips"]
    assert main([*asked, "l4"]) == 1
    assert all(line.startswith("not ") for line in capsys.readouterr().out.splitlines()[1:])
    assert main([*asked, "mi355x,l4"]) == 1
    assert main(["fit", "llama-3-8b", "--chips", "l4", "--precisions", "w4a16", "--json"]) == 0


def test_a_provisional_chip_is_said_to_be_one(capsys) -> None:
    assert main(["fit", "llama-3-8b", "--chips", "rubin", "--precisions", "fp8"]) == 0
    assert "rubin is provisional: Announced figures" in capsys.readouterr().out
    asked = ["--input", "100", "--output", "10", "--chips-limit", "1", "--precisions", "fp8"]
    assert main(["plan", "llama-3-8b", "--chips", "rubin,b200", *asked]) == 0
    out = capsys.readouterr().out
    assert "rubin is provisional: Announced figures" in out
    assert "b200 is provisional" not in out
    assert "since nothing like them was measured: rubin" in out


def test_adapters_have_the_parameters_of_their_products_and_no_weight_gradients() -> None:
    """Rank 16 of Llama 3 8B: 16 x (sum of both sides of seven products) x 32 layers."""
    sides = 4096 * 2 + 2 * (4096 + 1024) + 8192 + 3 * (4096 + 14336)
    assert MODEL.count_adapter_parameters(16) == 16 * 32 * sides
    assert load_model("deepseek-v3").count_adapter_parameters(8) > 0
    full, adapters = (
        TrainingPlan(
            model=MODEL, sequence_tokens=2048, batch_sequences_count=8, layout=Layout(data_count=8),
            state=TrainingState(sharded="parameters"), adapter_rank_elements=rank,
        )
        for rank in (None, 16)
    )  # fmt: skip
    saved = full.estimate_memory().state_bytes - adapters.estimate_memory().state_bytes
    # Of 18 bytes per parameter 2 remain, besides 18 of each of the adapters'.
    count = MODEL.count_adapter_parameters(16)
    assert saved == pytest.approx((16 * MODEL.parameters_count - 18 * count) / 8)
    slow, quick = (train_on_chip(each, "h100", timing="calibrated") for each in (full, adapters))
    assert 0.6 < quick.compute_s / slow.compute_s < 0.8
    assert quick.optimiser_s < slow.optimiser_s / 50
    assert (slow.estimate.basis, quick.estimate.basis) == ("measured here", "near")


def test_each_way_of_tuning_needs_less_than_the_one_before() -> None:
    fits = [fit_tuning("llama-3-70b", "h100", way=way) for way in ("full", "lora", "qlora")]
    assert [each.chips_count for each in fits] == [32, 4, 1]


def test_the_command_lists_what_fits(capsys) -> None:
    assert main(["fit", "llama-3-8b", "--chips", "rtx-5090", "--precisions", "w4a16"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].startswith("serve 1 x rtx-5090 w4a16: weights 5.6 of 30.8 GB")
    assert printed[2].startswith("not rtx-5090, full: it needs")
    assert [line.split()[4] for line in printed[3:]] == ["lora:", "qlora:"]


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("vllm", "vllm serve MODEL --tensor-parallel-size 8 --enable-expert-parallel --quantization fp8"),
        (
            "sglang",
            "python -m sglang.launch_server --model-path MODEL --tp-size 8 --ep-size 8",
        ),
        ("tensorrt-llm", "trtllm-serve MODEL --tp_size 8 --ep_size 8 --max_batch_size"),
    ],
)
def test_a_plan_is_started_with_its_ways_and_batch(engine, words) -> None:
    space = SearchSpace(
        chips_limit_count=8,
        precisions=("fp8",),
        ways=("continuous",),
        tensor_counts=(1,),
        pipeline_counts=(1,),
    )
    workload = Workload(prompt_tokens=512, output_tokens=64)
    point = plan("deepseek-v3", ["h200"], workload, space=space).points[-1]
    (line,) = list_launch_lines(point, engine, context_tokens=576)
    assert line.startswith(words)
    assert f"{point.batch_count}" in line.split()
    assert "576" in line.split()


def test_pools_of_tensorrt_llm_have_files_of_settings(tmp_path) -> None:
    space = SearchSpace(chips_limit_count=4, precisions=("fp8",), ways=("disaggregated",))
    point = plan("llama-3-8b", ["h100"], Workload(prompt_tokens=512, output_tokens=64), space=space).points[
        -1
    ]
    lines = list_launch_lines(point, "tensorrt-llm", context_tokens=576)
    shell = "\n".join(lines).replace("trtllm-serve", "echo trtllm-serve")
    done = subprocess.run(["sh", "-ec", shell], cwd=tmp_path, capture_output=True, text=True, check=True)
    files = {path.name: yaml.safe_load(path.read_text("utf-8")) for path in tmp_path.iterdir()}
    cache = {
        "cache_transceiver_config": {"backend": "DEFAULT", "max_tokens_in_buffer": 576},
        "kv_cache_config": {"dtype": "fp8"},
    }
    assert files["prefill.yaml"] == {"disable_overlap_scheduler": True, **cache}
    assert files["decode.yaml"] == cache
    for key, pool in (("context_servers", point.prefill_pool), ("generation_servers", point.pool)):
        servers = files["pools.yaml"][key]
        assert servers["num_instances"] == len(servers["urls"]) == pool.layout.data_count
    assert [line.split()[-1] for line in done.stdout.splitlines()] == [
        "prefill.yaml",
        "decode.yaml",
        "pools.yaml",
    ]
    *_, router = list_launch_lines(point, "sglang")
    assert router.count(" --prefill http://PREFILL-") == point.prefill_pool.layout.data_count
    assert router.count(" --decode http://DECODE-") == point.pool.layout.data_count
    assert "toy_proxy_server.py" in list_launch_lines(point, "vllm")[-1]


def test_an_engine_is_refused_on_chips_that_it_does_not_run_on() -> None:
    space = SearchSpace(chips_limit_count=1, precisions=("int8",), ways=("continuous",))
    point = plan("llama-3-8b", ["v6e"], Workload(prompt_tokens=128, output_tokens=8), space=space).points[-1]
    with pytest.raises(ValueError, match="sglang does not run on TPU v6e"):
        list_launch_lines(point, "sglang")
    assert list_launch_lines(point, "vllm")[0] == "# MODEL has weights and activations in int8"
