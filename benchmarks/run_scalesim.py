"""Run random small layers through SCALE-Sim, and write rows that `tests.reference.scalesim` checks.

    uv venv scalesim && uv pip install -p scalesim/bin/python scalesim==3.0.0 numpy==2.2.6
    scalesim/bin/python benchmarks/run_scalesim.py --seed 1 --layers 60 rows.csv

SCALE-Sim is unmodified: interface bandwidth CALC, so reads never stall; SRAM 6144 kB for inputs, 6144 kB for
filters, 2048 kB for outputs; no sparsity, no custom layout, no Ramulator. NumPy 2.4 and above break it.
"""

import argparse
import contextlib
import csv
import io
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

Layer: TypeAlias = "dict[str, int | str]"
"""The columns of a row that describe the layer."""
ARRAYS = ((1, 1), (7, 3), (16, 16), (8, 128), (128, 8), (1, 9), (5, 1), (32, 32))
DATAFLOWS = ("os", "ws", "is")
CONVOLUTION = ("ifmap_h", "ifmap_w", "filt_h", "filt_w", "channels", "num_filters", "stride")
COLUMNS = (
    *("source", "layer", "kind", "M", "K", "N", *CONVOLUTION, "rows", "cols", "dataflow"),
    *("compute_cycles", "stall_cycles", "total_cycles_incl_prefetch"),
    *("overall_util_pct", "mapping_eff_pct", "compute_util_pct"),
    *("sram_ifmap_reads", "sram_filter_reads", "sram_ofmap_writes"),
)
CONFIGURATION = """
[general]
run_name = run
[architecture_presets]
ArrayHeight: {rows}
ArrayWidth: {cols}
IfmapSramSzkB: 6144
FilterSramSzkB: 6144
OfmapSramSzkB: 2048
IfmapOffset: 0
FilterOffset: 10000000
OfmapOffset: 20000000
Dataflow: {dataflow}
Bandwidth: 10
ReadRequestBuffer: 64
WriteRequestBuffer: 64
[layout]
IfmapCustomLayout: False
IfmapSRAMBankBandwidth: 10
IfmapSRAMBankNum: 10
IfmapSRAMBankPort: 2
FilterCustomLayout: False
FilterSRAMBankBandwidth: 10
FilterSRAMBankNum: 10
FilterSRAMBankPort: 2
[sparsity]
SparsitySupport: false
[run_presets]
InterfaceBandwidth: CALC
UseRamulatorTrace: False
"""


def draw_layer(index: int, choose: random.Random) -> Layer:
    """A random layer of at most a few ten thousand multiply-accumulates: a product or a convolution."""
    if index % 2 == 0:
        m, k, n = (choose.choice((1, 2, 3, 5, 8, 13, 17, 31, 33, 64)) for _ in range(3))
        return {"layer": f"gemm{index}", "kind": "gemm", "M": m, "K": k, "N": n}
    height, width = choose.randint(1, 3), choose.randint(1, 3)
    shape = {
        "ifmap_h": height + choose.randint(0, 9),
        "ifmap_w": width + choose.randint(0, 9),
        "filt_h": height,
        "filt_w": width,
        "channels": choose.randint(1, 9),
        "num_filters": choose.randint(1, 20),
        "stride": choose.randint(1, 3),
    }
    return {"layer": f"conv{index}", "kind": "conv", **shape}


def simulate(layers: list[Layer], kind: str, *, rows: int, cols: int, dataflow: str) -> list[Any]:
    """SCALE-Sim's results for layers of one kind on one array: an object for each layer."""
    from scalesim.scale_sim import scalesim

    fields = ("layer", "M", "N", "K") if kind == "gemm" else ("layer", *CONVOLUTION)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        names = {name: Path(folder, name) for name in ("run.cfg", "topology.csv", "layout.csv")}
        names["run.cfg"].write_text(CONFIGURATION.format(rows=rows, cols=cols, dataflow=dataflow))
        lines = [",".join(str(layer[field]) for field in fields) + "," for layer in layers]
        names["topology.csv"].write_text("\n".join([",".join(fields) + ",", *lines, ""]))
        layout = "".join(f"{layer['layer']},{'1,' * 20}\n" for layer in layers)
        names["layout.csv"].write_text("layer,\n" + layout)
        run = scalesim(
            save_disk_space=True,
            verbose=False,
            config=str(names["run.cfg"]),
            topology=str(names["topology.csv"]),
            layout=str(names["layout.csv"]),
            input_type_gemm=kind == "gemm",
        )
        run.run_scale(top_path=folder)
        return list(run.runner.single_layer_sim_object_list)


def list_runs(layers: list[Layer]) -> Iterator[tuple[Layer, str, tuple[int, int]]]:
    """Every layer with every data flow, each on the next array in turn, so that all arrays are used."""
    for index, layer in enumerate(layers):
        for place, dataflow in enumerate(DATAFLOWS):
            yield layer, dataflow, ARRAYS[(index * len(DATAFLOWS) + place) % len(ARRAYS)]


def make_rows(layers: list[Layer], source: str) -> Iterator[dict[str, int | float | str]]:
    """A row for each run, with SCALE-Sim's results and the sizes of the matrices that it made."""
    for layer, dataflow, (rows, cols) in list_runs(layers):
        kind = str(layer["kind"])
        (done,) = simulate([layer], kind, rows=rows, cols=cols, dataflow=dataflow)
        m, k = done.op_mat_obj.ifmap_addr_matrix.shape
        including_prefetch, cycles, stalls, overall, mapping, compute = done.get_compute_report_items()
        detail = done.get_detail_report_items()
        yield {
            **{"source": source, "M": m, "K": k, "N": done.op_mat_obj.filter_addr_matrix.shape[1], **layer},
            **{"rows": rows, "cols": cols, "dataflow": dataflow},
            **{"compute_cycles": int(cycles), "stall_cycles": int(stalls)},
            "total_cycles_incl_prefetch": int(including_prefetch),
            **{"overall_util_pct": overall, "mapping_eff_pct": mapping, "compute_util_pct": compute},
            "sram_ifmap_reads": int(detail[2]),
            "sram_filter_reads": int(detail[5]),
            "sram_ofmap_writes": int(detail[8]),
        }


def main() -> None:
    """Write the rows to the file that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--layers", type=int, default=60)
    options = parser.parse_args()
    choose = random.Random(options.seed)
    layers = [draw_layer(index, choose) for index in range(options.layers)]
    with options.file.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(make_rows(layers, f"random_seed_{options.seed}"))


if __name__ == "__main__":
    main()
