"""What the facts of chips are called, by groups, in the order in which pages show them: `fact_names.json`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from diglot.languages import Bilingual

_FORMATS = ("fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "fp6", "fp4", "int4")


class _Group(msgspec.Struct, frozen=True, kw_only=True):
    name: Bilingual
    facts: dict[str, Bilingual]
    """Names by the catalogue's dotted path; `*` in both stands for every number format."""


def _each_format(facts: Mapping[str, Bilingual]) -> Iterator[tuple[str, Bilingual]]:
    for path, (zh, en) in facts.items():
        for one in _FORMATS if "*" in path else ("*",):
            yield path.replace("*", one), Bilingual(zh.replace("*", one), en.replace("*", one))


# JSON, because every build that shows a chip reads it: YAML would take a hundred times as long.
_GROUPS = msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes(), type=tuple[_Group, ...])

FACT_GROUPS: tuple[tuple[Bilingual, Mapping[str, Bilingual]], ...] = tuple(
    (group.name, MappingProxyType(dict(_each_format(group.facts)))) for group in _GROUPS
)
"""Each group with the names of its facts by the catalogue's dotted path."""

OTHER_FACTS = Bilingual("其他", "Other")
"""The group of facts that have no name here: a project's own chips may have any."""

_NAMES = {
    "year": Bilingual("年份", "Year"),
    "clock": Bilingual("时钟", "Clock"),
    "pod.shape": Bilingual("Pod 形状", "Pod shape"),
    "prices": Bilingual("租价", "Price"),
    **{field: name for _, facts in FACT_GROUPS for field, name in facts.items()},
}


PRICE_KINDS: Mapping[str, Bilingual] = MappingProxyType(
    {
        "list": Bilingual("标价", "list"),
        "reserved": Bilingual("包期", "reserved"),
        "market": Bilingual("小云厂商", "smaller clouds"),
        "spot": Bilingual("竞价", "spot"),
    }
)
"""Kind of a price of the catalogue → its name."""


def fact_name(field: str) -> Bilingual:
    """What a fact is called; one without a name, by the last part of its path."""
    plain = field.rpartition(".")[2].replace("_", " ")
    return _NAMES.get(field, Bilingual(plain, plain))
