"""The models of `data/models.yaml` by id, each with the source of its sizes.

models = load_models()
models["llama-3-70b"].model.parameters_count        # 70553706496
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, cast

from diglot.hardware.data import FOLDER, read_text
from diglot.hardware.data.located_yaml import Located, LocatedYamlError, read_located_yaml
from diglot.hardware.data.tables import Problems, Table, open_table
from diglot.hardware.kernels.recurrence import RECURRENT_KINDS
from diglot.hardware.models.model import (
    BIASES,
    MODEL_KINDS,
    NORMS,
    Experts,
    LatentAttention,
    TransformerModel,
)
from diglot.hardware.models.recurrent import RecurrentLayers

MODELS_PATH = FOLDER / "models.yaml"
SCHEMA = "models/1"

_SIZES = {
    "layers": "layers_count",
    "width": "width_elements",
    "heads": "heads_count",
    "feed_forward": "feed_forward_elements",
    "vocabulary": "vocabulary_count",
}
_OPTIONAL_SIZES = {
    "kv_heads": "kv_heads_count",
    "head": "head_elements",
    "norms_per_layer": "norms_per_layer_count",
    "positions": "positions_count",
    "segments": "segments_count",
    "window": "window_tokens",
    "windowed_layers": "windowed_layers_count",
    "mixer_only_layers": "mixer_only_layers_count",
    "feed_forward_only_layers": "feed_forward_only_layers_count",
}
_CHOICES: dict[str, Collection[str]] = {"kind": MODEL_KINDS, "norm": NORMS, "biases": BIASES}
_FLAGS = ("gated", "tied_embeddings", "gated_attention")
_EXPERTS = {"routed": "routed_count", "active": "active_count", "hidden": "hidden_elements"}
_OPTIONAL_EXPERTS = {"shared": "shared_count", "dense_layers": "dense_layers_count"}
_LATENT = {
    "kv_rank": "kv_rank_elements",
    "rope": "rope_elements",
    "plain": "plain_elements",
    "value": "value_elements",
}
_OPTIONAL_LATENT = {"query_rank": "query_rank_elements"}
_RECURRENT = {
    "layers": "layers_count",
    "key_heads": "key_heads_count",
    "value_heads": "value_heads_count",
    "key": "key_elements",
    "value": "value_elements",
}
_OPTIONAL_RECURRENT = {"rank": "rank_elements"}
_OTHERS = (
    "id",
    "name",
    "source",
    "checked",
    "note",
    "aliases",
    "experts",
    "latent",
    "recurrent",
    "published",
    "released",
    "precisions",
)


class ModelsError(ValueError):
    """The file of models breaks the schema; one line per problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSource:
    """A publication, or public code, that gives the sizes of a model."""

    id: str
    title: str
    url: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedWeights:
    """Exact number of parameters in the files of a model's weights, as counted by others."""

    parameters_count: int
    source: ModelSource
    apart_parameters_count: int = 0
    """Those of them that the model's sizes do not describe; the model's `note` says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedModel:
    """A model, the source of its sizes, and the parameter counts as its authors print (and round) them."""

    id: str
    model: TransformerModel
    source: ModelSource
    """Publication by its authors."""
    checked_against: tuple[ModelSource, ...]
    """Published configurations with which every size was compared; `note` says what differs."""
    published_parameters_count: float
    published_active_parameters_count: float | None = None
    """None where every token uses all parameters."""
    released: ReleasedWeights | None = None
    """None where no public count was found."""
    note: str | None = None
    aliases: tuple[str, ...] = ()
    """Ids of models with the same sizes."""
    precisions: tuple[str, ...] = ()
    """Names among `planning`'s precisions that the weights are published in; empty for bf16."""


def load_models() -> Mapping[str, SourcedModel]:
    """The models by id. The file is read at every call and parsed once. Raises ModelsError."""
    return _parse_models_once(read_text(MODELS_PATH))


def load_model(id_: str) -> TransformerModel:
    """The model with that id or alias. Raises KeyError, which lists the known ids."""
    models = load_models()
    for sourced in models.values():
        if id_ in (sourced.id, *sourced.aliases):
            return sourced.model
    raise KeyError(f'no model "{id_}"; known: {", ".join(models)}')


def find_model(model: TransformerModel | str) -> TransformerModel:
    """The model itself, or the one with this id or alias.

    Raises KeyError, which lists the known ids, and TypeError for anything else.
    """
    if isinstance(model, TransformerModel):
        return model
    if not isinstance(model, str):
        raise TypeError(f"model must be a TransformerModel or the id of one, not {model!r}")
    return load_model(model)


def parse_models(text: str, *, path: str = "models.yaml") -> Mapping[str, SourcedModel]:
    """The models that `text` describes. Raises ModelsError with every problem: file, line, key."""
    problems = Problems()
    try:
        document = read_located_yaml(text)
    except LocatedYamlError as error:
        raise ModelsError(f"{path}:{error.line}: {error.problem}") from error
    models = problems.attempt(_read_models, document, problems) or []
    ids = [id_ for model in models for id_ in (model.id, *model.aliases)]
    repeated = sorted({id_ for id_ in ids if ids.count(id_) > 1})
    found = [f"{path}:{problem}" for problem in sorted(problems.found, key=lambda problem: problem.line)]
    found += [f'{path}: "{id_}" is defined more than once' for id_ in repeated]
    if found:
        raise ModelsError("\n".join(found))
    return {model.id: model for model in models}


@lru_cache(maxsize=1)
def _parse_models_once(text: str) -> Mapping[str, SourcedModel]:
    return parse_models(text, path=MODELS_PATH.name)


def _read_models(document: Located, problems: Problems) -> list[SourcedModel]:
    top = open_table(document, "")
    top.check_keys(("schema", "sources", "models"))
    top.text("schema", among=(SCHEMA,))
    listed = top.table("sources")
    sources = problems.attempt_each(partial(_read_source, listed), tuple(listed.members))
    by_id = {source.id: source for source in sources}
    return problems.attempt_each(partial(_read_model, by_id), top.tables("models"))


def _read_source(sources: Table, id_: str) -> ModelSource:
    table = sources.table(id_)
    table.check_keys(("title", "url", "as_of"))
    return ModelSource(id=id_, title=table.text("title"), url=table.text("url"), as_of=table.text("as_of"))


def _read_model(sources: Mapping[str, ModelSource], table: Table) -> SourcedModel:
    id_ = table.text("id")
    table = Table(path=id_, line=table.line, members=table.members)
    table.check_keys((*_OTHERS, *_SIZES, *_OPTIONAL_SIZES, *_CHOICES, *_FLAGS))
    published = table.table("published")
    published.check_keys(("total", "active"))
    sizes = _read_sizes(table, _SIZES, _OPTIONAL_SIZES)
    choices = {key: table.text(key, among=known) for key, known in _CHOICES.items() if key in table.members}
    flags = {key: table.flag(key) for key in _FLAGS if key in table.members}
    latent = _read_part(table, "latent", LatentAttention, _LATENT, _OPTIONAL_LATENT)
    experts = _read_part(table, "experts", Experts, _EXPERTS, _OPTIONAL_EXPERTS)
    parts = {
        **sizes,
        **choices,
        **flags,
        "latent": latent,
        "experts": experts,
        "recurrent": _read_recurrent(table),
        "name": table.text("name"),
    }
    return SourcedModel(
        id=id_,
        model=_build(table, "id", TransformerModel, parts),
        source=_find_source(sources, table),
        checked_against=_read_checked(sources, table),
        published_parameters_count=published.number("total"),
        published_active_parameters_count=published.number("active")
        if "active" in published.members
        else None,
        released=_read_released(sources, table),
        note=table.optional_text("note"),
        aliases=table.texts("aliases"),
        precisions=table.texts("precisions"),
    )


def _read_recurrent(table: Table) -> RecurrentLayers | None:
    if "recurrent" not in table.members:
        return None
    part = table.table("recurrent")
    part.check_keys(("kind", *_RECURRENT, *_OPTIONAL_RECURRENT))
    sizes = _read_sizes(part, _RECURRENT, _OPTIONAL_RECURRENT)
    kind = part.text("kind", among=RECURRENT_KINDS)
    return cast(RecurrentLayers, _build(table, "recurrent", RecurrentLayers, {**sizes, "kind": kind}))


def _find_source(sources: Mapping[str, ModelSource], table: Table) -> ModelSource:
    return sources[table.text("source", among=tuple(sources))]


def _read_checked(sources: Mapping[str, ModelSource], table: Table) -> tuple[ModelSource, ...]:
    ids = [item.value for item in table.items("checked")]
    if not ids:
        raise table.error("checked", "does not name a configuration that the sizes were compared with")
    for id_ in ids:
        if id_ not in sources:
            raise table.error("checked", f'"{id_}" is not known; known: {", ".join(sources)}')
    return tuple(sources[cast(str, id_)] for id_ in ids)


def _read_released(sources: Mapping[str, ModelSource], table: Table) -> ReleasedWeights | None:
    if "released" not in table.members:
        return None
    released = table.table("released")
    released.check_keys(("total", "apart", "source"))
    apart = int(released.number("apart")) if "apart" in released.members else 0
    return ReleasedWeights(
        parameters_count=int(released.number("total")),
        apart_parameters_count=apart,
        source=_find_source(sources, released),
    )


def _read_part(
    table: Table, key: str, record: Any, required: Mapping[str, str], optional: Mapping[str, str]
) -> Any:
    if key not in table.members:
        return None
    part = table.table(key)
    part.check_keys((*required, *optional))
    return _build(table, key, record, _read_sizes(part, required, optional))


def _read_sizes(table: Table, required: Mapping[str, str], optional: Mapping[str, str]) -> dict[str, Any]:
    present = {key: name for key, name in optional.items() if key in table.members}
    return {name: table.number(key) for key, name in (*required.items(), *present.items())}


def _build(table: Table, key: str, record: Callable[..., Any], fields: Mapping[str, Any]) -> Any:
    """Build the record. Turns its ValueError into a TableError for `key`."""
    try:
        return cast(Any, record(**fields))
    except ValueError as error:
        raise table.error(key, str(error)) from error
