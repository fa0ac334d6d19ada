"""How much of a systolic array the weights and heads of language models fill, on a side of 128 and of 256."""

from typing import Literal

from diglot.figures import charts, make_table
from diglot.hardware import Layout, list_operators, load_model
from diglot.hardware.operators.transformer import SequenceGroup

MODELS = ("bert-large", "llama-3-8b", "llama-3-70b", "qwen-2.5-72b", "deepseek-v3", "gpt-oss-120b")
SIDES = (128, 256)
TOKENS = 4096

TITLE = {"zh": "权重与注意力头填满阵列的几成", "en": "How far weights and heads fill an array"}
MESSAGE = {
    "zh": "切到{ways}块芯片，Llama 3 70B的权重填满边长256的阵列的"
    "{models.llama_3_70b.weights_256 | percent}，注意力只填满{models.llama_3_70b.heads_256 | percent}",
    "en": "Sharded over {ways} chips, weights of Llama 3 70B fill "
    "{models.llama_3_70b.weights_256 | percent} of an array of 256 × 256, and its attention "
    "{models.llama_3_70b.heads_256 | percent}",
}
LABELS = {"ways": {"zh": "张量并行的芯片数", "en": "Chips that share each matrix"}}
COLUMNS = {
    "model": {"zh": "模型", "en": "Model"},
    "side": {
        "zh": "阵列",
        "en": "Array",
        "names": {str(side): {"zh": f"{side} × {side}", "en": f"{side} × {side}"} for side in SIDES},
    },
    "part": {
        "zh": "矩阵乘",
        "en": "Products",
        "names": {
            "weights": {"zh": "权重", "en": "weights"},
            "heads": {"zh": "注意力", "en": "attention"},
        },
    },
    "share": {"zh": "填满的比例", "en": "Filled", "unit": "share", "digits": 0},
}


def compute(ways: Literal[1, 2, 4, 8] = 8) -> dict:
    """Rows of activations are many: what is not filled is padding of depth and columns."""
    found = {model_id: fill(model_id, ways) for model_id in MODELS}
    return {
        "ways": ways,
        "rows": [
            {"model": load_model(id_).name, "side": side, "part": part, "share": shares[f"{part}_{side}"]}
            for side in SIDES
            for id_, shares in found.items()
            for part in ("weights", "heads")
        ],
        "models": {id_.replace("-", "_").replace(".", "_"): shares for id_, shares in found.items()},
        "least_weights_128": min(shares["weights_128"] for shares in found.values()),
    }


def fill(model_id: str, ways: int) -> dict:
    weights, heads, model = list_weights(model_id, ways), list_heads(model_id), load_model(model_id)
    inner = model.experts.hidden_elements if model.experts else model.feed_forward_elements
    return {
        "width": model.width_elements,
        "small_tiles": model.width_elements / min(SIDES),
        "inner": inner // ways,
        "head": model.head_elements,
    } | {
        f"{part}_{side}": sum(often * k * n for k, n, often in products)
        / sum(often * pad(k, side) * pad(n, side) for k, n, often in products)
        for side in SIDES
        for part, products in (("weights", weights), ("heads", heads))
    }


def pad(elements: int, side: int) -> int:
    return -(-elements // side) * side


def list_weights(model_id: str, ways: int) -> list[tuple[int, int, float]]:
    """Depth, columns and rows of every product with weights in one chip's part of a step."""
    products = []
    group = SequenceGroup(new_tokens=TOKENS)
    for operator in list_operators(load_model(model_id), [group], layout=Layout(tensor_count=ways)):
        if operator.product is not None:
            m, k, n = operator.product
            products.append((k, n, m * operator.layers_count))
        if operator.experts is not None:
            layer, rows = operator.experts.layer, operator.experts.rows_count * operator.layers_count
            inner, gates = layer.inner_elements, 2 if layer.gated else 1  # those of one chip
            products += [(layer.width_elements, gates * inner, rows), (inner, layer.width_elements, rows)]
    return products


def list_heads(model_id: str) -> list[tuple[int, int, float]]:
    """The products of one head: depth of the scores, and columns of the output."""
    model = load_model(model_id)
    key = model.latent.query_elements if model.latent else model.head_elements
    value = model.latent.value_elements if model.latent else model.head_elements
    return [(key, TOKENS, 1), (TOKENS, value, 1)]


def draw(figure, data, t) -> None:
    charts.heat_map(figure, data["rows"], x="part", y="model", value="share", by="side")


def describe(data, t) -> str:
    llama, oss = (data["models"][name] for name in ("llama_3_70b", "gpt_oss_120b"))
    parts = [(model, part) for model in (llama, oss) for part in ("weights", "heads")]
    small, large = ([t.percent(model[f"{part}_{side}"]) for model, part in parts] for side in SIDES)
    ways = data["ways"]
    return t(
        zh=f"每个矩阵切到{ways}块芯片。边长{SIDES[0]}与{SIDES[1]}的阵列，Llama 3 70B的权重填满"
        f"{small[0]}与{large[0]}，注意力{small[1]}与{large[1]}；"
        f"gpt-oss-120b的权重{small[2]}与{large[2]}，注意力{small[3]}与{large[3]}。",
        en=f"Each matrix cut over {ways} chips, on arrays of {SIDES[0]} and {SIDES[1]} on a side: weights of "
        f"Llama 3 70B fill {small[0]} and {large[0]}, its attention {small[1]} and {large[1]}; weights of "
        f"gpt-oss-120b {small[2]} and {large[2]}, its attention {small[3]} and {large[3]}.",
    )


def table(data, t):
    return make_table(("model", "side", "part", "share"), data["rows"], t)
