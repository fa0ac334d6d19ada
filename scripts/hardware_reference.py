"""Write docs/hardware.md: the library by question, with an example that runs, from the docstrings.

    python scripts/hardware_reference.py

A test compares the page with what this makes, so that examples print what is shown.
"""

import ast
import contextlib
import inspect
import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import diglot.hardware

PAGE = Path(__file__).parents[1] / "docs" / "hardware.md"

HEAD = """\
# Models of hardware, by question

`diglot.hardware` is plain Python with NumPy and needs nothing else of diglot
([how to install it](starting.md#install)): `from diglot.hardware import deploy`. Units are part of every
name and are base units (bytes, seconds, FLOP/s); a multiply-accumulate is two FLOPs; peaks are dense.
Sizes may be arrays of integers, which broadcast. Chips and models are given by name or as records of your
own. `ideal` times are bounds, nothing is quicker; `calibrated` ones are as measured in all their parts,
with an interval that holds nine in ten measurements ([validation.md](validation.md)). `help()` of a name
says what it assumes, leaves out and refuses. `diglot hardware validate FILE` judges measurements of your
own. `python scripts/hardware_reference.py` writes this page.
"""


class Question(NamedTuple):
    """A question, the sub-packages that answer it, and an example."""

    text: str
    rooms: tuple[str, ...]
    example: str


QUESTIONS = (
    Question(
        "What is known of a chip, and who says so?",
        ("chips", "data", "dtypes"),
        """\
chip = load_catalogue().find("NVIDIA H200")
print(chip.peak_flops_per_s("bf16"), chip.memory_bandwidth_bytes_per_s, chip.ridge_flops_per_byte("bf16"))
print(chip.quantity("memory.bandwidth").source)
""",
    ),
    Question(
        "What is the bound of a kernel, compute or memory?",
        ("rooflines", "kernels"),
        """\
roofline = load_catalogue()["h200-sxm"].roofline("bf16")
for rows in (32, 4096):
    kernel = count_gemm(rows, 8192, 28672)
    print(rows, roofline.bound_by(kernel), f"{roofline.time_s(kernel):.3g} s at least")
""",
    ),
    Question(
        "How long does an operator take, and how sure is that?",
        ("operators", "gpus"),
        """\
print(time_gemm("h100", 4096, 4096, 4096, mode="calibrated").estimate)
print(find_collective_estimate("h100", "all-reduce", 2**26, 8))
""",
    ),
    Question(
        "Does a model fit, and how quickly does it answer?",
        ("models", "serving"),
        """\
layout = Layout(tensor_count=8)
service = deploy("llama-3-70b", "h200", layout=layout, timing="calibrated", reserved_fraction=0.1)
print(service.largest_batch_count(2048), "sequences of 2,048 tokens")
step = estimate_decode(service, 2048, batch_count=32)
print(step.estimate)
""",
    ),
    Question(
        "Which chips, layout and precision for my users?",
        ("planning", "parallelism"),
        """\
space = SearchSpace(chips_limit_count=8, precisions=("bf16", "fp8"), users_count=50)
found = plan("llama-3-8b", ["h100", "l40s"], Workload(prompt_tokens=1024, output_tokens=256), space=space)
for point in found.best_of_each:
    print(point.description, f"{point.usd_per_million_tokens:.2f} USD/Mtok")
""",
    ),
    Question(
        "How long does training take, and why is the MFU what it is?",
        ("training",),
        """\
training = TrainingPlan(
    model=load_model("llama-3-70b"),
    sequence_tokens=8192,
    batch_sequences_count=256,
    layout=Layout(data_count=256),
    state=TrainingState(sharded="parameters"),
    recompute="full",
)
step = train_on_chip(training, "v5p", timing="calibrated")
print(step.estimate, f"MFU {step.mfu_fraction:.0%}")
""",
    ),
    Question(
        "What do links between chips cost?",
        ("networks",),
        """\
for sides in ((8, 8), (4, 4, 4)):
    network = find_network("v5e" if len(sides) == 2 else "v5p", sides)
    run = estimate_collective("all-reduce", 10**9, network)
    print(sides, f"{run.time_s:.3g} s at least")
""",
    ),
    Question(
        "What does it cost, and how much power does it draw?",
        ("economics",),
        """\
for kind in ("list", "market"):
    price = compare_price("h100", kind)
    print(kind, price.price.printed, price.price.region)
print(find_power_range("v6e").assumption)
""",
    ),
    Question(
        "What do narrow formats and sparsity give?",
        ("numerics",),
        """\
print(find_number_format("fp8_e4m3").largest, find_bits_per_element("mxfp4"))
""",
    ),
    Question(
        "How many cycles does a systolic array take?",
        ("arrays",),
        """\
run = run_systolic_array(64, 256, 128, rows=32, cols=32, dataflow="ws")
print(run.compute_cycles, f"{run.utilisation_fraction:.0%}")
""",
    ),
    Question(
        "Is what they claim true?",
        ("claims",),
        """\
finding = judge_claim(11)
print(finding.verdict, "-", finding.told.en)
""",
    ),
)


def write_page() -> str:
    """The page as Markdown."""
    return "\n".join([HEAD, *(line for question in QUESTIONS for line in write_question(question))])


def write_question(question: Question) -> Iterator[str]:
    """A section: the example with what it prints, and the names with what they give."""
    names = sorted(name for name in diglot.hardware.__all__ if find_room(name) in question.rooms)
    yield f"## {question.text}\n"
    yield f"```python\n{write_import(question.example)}\n\n{question.example}```\n"
    yield f"```text\n{run_example(question.example)}```\n"
    yield from (f"- {line}" for line in map(describe_name, names) if line)
    if others := [f"`{name}`" for name in names if not describe_name(name)]:
        yield f"- Also {', '.join(others)}."
    yield ""


def find_room(name: str) -> str:
    """The sub-package of a name."""
    return diglot.hardware._MODULE_OF[name].partition(".")[0]


def describe_name(name: str) -> str:
    """What a name gives, by the first line of its docstring; empty for constants and types."""
    member = getattr(diglot.hardware, name)
    if not (inspect.isfunction(member) or inspect.isclass(member)):
        return ""
    return f"`{name}`: {inspect.getdoc(member).partition(chr(10))[0]}"


def write_import(example: str) -> str:
    """The import of all public names that an example uses."""
    nodes = (node for node in ast.walk(ast.parse(example)) if isinstance(node, ast.Name))
    used = sorted({node.id for node in nodes} & {*diglot.hardware.__all__})
    return f"from diglot.hardware import {', '.join(used)}"


def run_example(example: str) -> str:
    """What an example prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(f"{write_import(example)}\n{example}", {})
    return printed.getvalue()


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8")
