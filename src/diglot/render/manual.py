"""What a page of the manual shows of the others."""

from collections.abc import Sequence

from diglot.languages import HTML_LANG, LANGUAGES, Language
from diglot.render.addresses import Addresses
from diglot.render.materials import ManualPage, ManualPlace
from diglot.render.views import Link, ManualView, TreePageView, TreeSectionView


def manual_view(
    place: ManualPlace, addresses: Addresses, language: Language, shown: Sequence[Language]
) -> ManualView:
    """The manual around a page for readers of a language; the page shows the halves in `shown`."""

    def link(page: ManualPage) -> Link:
        lang = None if page.language == language else HTML_LANG[page.language]
        return Link(text=page.title, url=addresses.path(page.path), lang=lang)

    tree, pages = place.tree, place.tree.pages
    number = next(number for number, page in enumerate(pages) if page.name == place.page)
    section = next(one for one in tree.sections if pages[number] in one.pages)
    return ManualView(
        title=tree.title.of(language),
        version=tree.version,
        sections=tuple(
            TreeSectionView(
                title=one.title.of(language),
                pages=tuple(
                    TreePageView(link=link(page), current=page.name == place.page) for page in one.pages
                ),
            )
            for one in tree.sections
        ),
        crumbs={one: (tree.title.of(one), section.title.of(one)) for one in LANGUAGES},
        before=link(pages[number - 1]) if number else None,
        after=link(pages[number + 1]) if number + 1 < len(pages) else None,
        edits={one: place.edits[one] for one in shown if one in place.edits},
    )
