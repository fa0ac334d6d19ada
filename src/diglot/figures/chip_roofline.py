"""The roofline on a chip's page: its bandwidth, and the peak of every format that it computes in.

A figure script like an author's, but its numbers are those of the page: the build hands them to `draw`.
"""

from typing import Any

from diglot.figures import Canvas, Words, charts

TITLE = {"zh": "屋顶线", "en": "Roofline"}
COLUMNS = {
    "intensity": {"zh": "算术强度", "en": "Arithmetic intensity", "unit": "FLOP/B"},
    "rate": {"zh": "可达算力", "en": "Attainable rate", "unit": "FLOP/s"},
    "integer_intensity": {"zh": "算术强度", "en": "Arithmetic intensity", "unit": "OP/B"},
    "integer_rate": {"zh": "可达算力", "en": "Attainable rate", "unit": "OP/s"},
}


def compute() -> dict[str, Any]:
    """No numbers of its own."""
    return {}


def draw(figure: Canvas, data: Any, t: Words) -> None:
    """One slope, and a flat part for each peak, with its ridge point at the foot."""
    kind = "integer_" if data["unit"] == "TOP/s" else ""
    roofs = [
        {
            "chip": data["id"],
            "dtype": ", ".join(roof["dtypes"]),
            "peak": roof["peak"] * 1e12,
            "bandwidth": data["bandwidth_gb_per_s"] * 1e9,
        }
        for roof in data["roofs"]
    ]
    charts.roofline(figure, roofs, x=f"{kind}intensity", y=f"{kind}rate", dtype="dtype")


def describe(data: Any, t: Words) -> str:
    """Bandwidth, and every peak with its ridge point."""
    n, unit = t.number, data["unit"]
    roofs = [
        t(
            zh=f"{'、'.join(roof['dtypes'])}峰值{n(roof['peak'])} {unit}，脊点{n(roof['ridge'])} FLOP/B",
            en=f"{' and '.join(roof['dtypes'])} {n(roof['peak'])} {unit}, ridge {n(roof['ridge'])} FLOP/B",
        )
        for roof in data["roofs"]
    ]
    bandwidth = n(data["bandwidth_gb_per_s"])
    return t(
        zh=f"{data['name']}的屋顶线，内存带宽{bandwidth} GB/s：{'；'.join(roofs)}。",
        en=f"Roofline of {data['name']} with {bandwidth} GB/s of memory bandwidth: {'; '.join(roofs)}.",
    )
