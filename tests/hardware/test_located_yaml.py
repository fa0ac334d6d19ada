"""The reader of the library's YAML files."""

import pytest

from diglot.hardware.data.located_yaml import LocatedYamlError, read_located_yaml


@pytest.mark.parametrize(
    "text", ["a: &x [1]\nb: *x\n", "a: &x {b: 1}\nc: [*x]\n", "a: &x [*x]\n", "a: &x {b: *x}\n"]
)
def test_an_alias_of_a_list_or_mapping_is_an_error(text: str) -> None:
    with pytest.raises(LocatedYamlError, match="aliases of lists and mappings"):
        read_located_yaml(text)


def test_a_repeated_text_may_be_an_alias() -> None:
    assert read_located_yaml("a: &x words\nb: *x\n").value
