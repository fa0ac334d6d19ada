"""YAML as authors mean it: `no` is a word, `12:30` a text, keys are unique, and every key knows its line.

Front matter, `meta.yaml` and `site.yaml` are all read here. `read_mapping` gives plain values with the line
of every key; `Fields` reads them with types and collects mistakes.
"""

from diglot.strict_yaml.fields import WHOLE, Fields
from diglot.strict_yaml.limits import MOST_MISTAKES
from diglot.strict_yaml.reading import Mapping, read_mapping
from diglot.strict_yaml.words import why_no_date

__all__ = ["MOST_MISTAKES", "WHOLE", "Fields", "Mapping", "read_mapping", "why_no_date"]
