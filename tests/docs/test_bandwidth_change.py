"""The page on a changed bandwidth shows what commands said of the texts and numbers as they are now."""

import json

from scripts.bandwidth_change import MADE_FROM, digest_inputs


def test_outputs_of_the_changed_bandwidth_are_of_the_texts_as_they_are() -> None:
    made_from = json.loads(MADE_FROM.read_text(encoding="utf-8"))
    assert made_from["inputs"] == digest_inputs(), "stale: run `python scripts/bandwidth_change.py`"
