"""Ids and bilingual labels of tags, categories, authors and series."""

from collections import Counter
from collections.abc import Iterable

from diglot.importing.names import slug_of, term_id
from diglot.languages import Bilingual, Language, count_han


class Terms:
    """The ids of one taxonomy. A Chinese and an English label in the same place of twins share an id."""

    def __init__(self, articles: Iterable[dict[Language, tuple[str, ...]]]) -> None:
        self._labels: dict[Language, Counter[str]] = {"zh": Counter(), "en": Counter()}
        twins: Counter[tuple[str, str]] = Counter()
        all_labels: list[dict[Language, tuple[str, ...]]] = list(articles)
        for labels in all_labels:
            for language, found in labels.items():
                self._labels[language].update(found)
            twins.update(_translated(labels.get("zh", ()), labels.get("en", ())))
        self._english: dict[str, str] = {}
        for (zh, en), _ in sorted(twins.items(), key=lambda item: (-item[1], item[0])):
            if zh not in self._english and en not in self._english.values():
                self._english[zh] = en
        self._ids: dict[str, str] = {}
        self._known: dict[str, set[str]] = {}
        for label in sorted({*self._labels["zh"], *self._labels["en"]}):
            self._known.setdefault(self.id_of(label), set()).add(label)

    def id_of(self, label: str) -> str:
        """The id of a label."""
        if label not in self._ids:
            self._ids[label] = term_id(self._english.get(label, label))
        return self._ids[label]

    def ids(self, labels: dict[Language, tuple[str, ...]]) -> tuple[str, ...]:
        """The ids of an article's labels, from both halves."""
        return tuple(
            dict.fromkeys(self.id_of(label) for side in ("en", "zh") for label in labels.get(side, ()))
        )

    def labels(self) -> dict[str, Bilingual]:
        """The labels of every id in both languages; the most frequent form is chosen."""
        found = {}
        for name, labels in sorted(self._known.items()):
            zh = max(
                sorted(labels),
                key=lambda one: (count_han(one) > 0, self._labels["zh"][one], self._labels["en"][one]),
            )
            en = max(
                sorted(labels),
                key=lambda one: (count_han(one) == 0, self._labels["en"][one], self._labels["zh"][one]),
            )
            found[name] = Bilingual(zh=zh, en=en)
        return found

    def made_up(self) -> list[tuple[str, str]]:
        """Labels whose ids are no words, because they contain no Latin letters."""
        return [
            (label, name)
            for label, name in sorted(self._ids.items())
            if count_han(label) and label not in self._english and name != slug_of(label)
        ]


def _translated(zh: tuple[str, ...], en: tuple[str, ...]) -> list[tuple[str, str]]:
    """Pairs of labels in the same place of two lists that are clearly parallel."""
    if len(zh) != len(en):
        return []
    common = {one.casefold() for one in zh} & {one.casefold() for one in en}
    pairs = list(zip(zh, en, strict=True))
    if any(
        (a.casefold() in common or b.casefold() in common) and a.casefold() != b.casefold() for a, b in pairs
    ):
        return []
    return [(a, b) for a, b in pairs if a != b and count_han(a) and not count_han(b)]
