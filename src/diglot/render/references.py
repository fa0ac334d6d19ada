"""The list of works that an article cites, as its last section."""

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from diglot.bibliography.works import ListedWork, anchor_of
from diglot.languages import HTML_LANG, Language
from diglot.render.strings import Strings
from diglot.render.views import HalfView, RowView

REFERENCES = "_references"
"""The id of the section: no author can write it, because ids begin with a letter."""


def reference_rows(
    works: Mapping[Language, Sequence[ListedWork]],
    strings: Mapping[Language, Strings],
    files: Mapping[Language, str],
) -> tuple[RowView, ...]:
    """A heading, and the list of each language; no rows where nothing is cited.

    `files` are the addresses of the works as BibTeX. Without them the list is for feed readers,
    and leads to no places in the text.
    """
    cited = {language: listed for language, listed in works.items() if listed}
    if not cited:
        return ()
    headings, lists = [], []
    for language, listed in cited.items():
        title = strings[language]("references")
        shown = Markup("<h2>{}</h2>").format(title)
        lang = HTML_LANG[language]
        headings.append(
            HalfView(language=language, lang=lang, html=shown, heading=Markup("{}").format(title), name=title)
        )
        html = Markup('<ol class="works">\n{}\n</ol>').format(
            Markup("\n").join(_items(listed, language, strings[language] if files else None))
        )
        if files:
            html += Markup('\n<p class="under"><a href="{}" download>BibTeX</a></p>').format(files[language])
        lists.append(HalfView(language=language, lang=lang, html=html))
    return (
        RowView(id=REFERENCES, kind="heading", classes="section", halves=tuple(headings), has_asides=True),
        RowView(id="_works", kind="list", classes="", halves=tuple(lists), has_asides=False),
    )


def _items(listed: Sequence[ListedWork], language: Language, words: Strings | None) -> Iterator[Markup]:
    for number, work in enumerate(listed, 1):
        if words is None:
            yield Markup("<li>{}</li>").format(entry_of(work, language))
            continue
        label = Markup('<span class="number">{}</span> ').format(work.label) if work.label else Markup()
        back = Markup("").join(
            Markup('&nbsp;<a class="back" href="#cite-{}-{}" aria-label="{}">↩</a>').format(
                language, mark, words("back_to_citation", n=count)
            )
            for count, mark in enumerate(work.marks, 1)
        )
        yield Markup('<li id="{}">{}<span>{}{}</span></li>').format(
            anchor_of(language, number), label, entry_of(work, language), back
        )


def entry_of(work: ListedWork, language: Language) -> Markup:
    """An entry in a half, marked where it is in the other language."""
    html = Markup(work.html)
    return (
        html
        if work.language == language
        else Markup('<span lang="{}">{}</span>').format(HTML_LANG[work.language], html)
    )
