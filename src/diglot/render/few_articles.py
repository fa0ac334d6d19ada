"""Renders the home page of a site with few articles: each with a figure that readers can turn there."""

import msgspec

from diglot.listings import Listing
from diglot.project import Project
from diglot.render.embeds import Room
from diglot.render.figure_embeds import EmbeddedFigure, embedded_view
from diglot.render.gallery import ListedFigure
from diglot.render.lists import entry_view, list_page_view
from diglot.render.materials import ListedTalk
from diglot.render.page_parts import addresses_of, render_page
from diglot.render.talk_lists import talk_entry
from diglot.render.theme import Theme
from diglot.render.views import EmbeddedFigureView, KindView, LeadView, Link, VerdictsView
from diglot.site_map import Summary, figure_path, gallery_path

FEW_ARTICLES = 12
"""The most articles of a home page that presents the newest with figures; above, it is a list."""


class LeadArticle(msgspec.Struct, frozen=True, kw_only=True):
    """An article of few."""

    article: Summary
    figure: EmbeddedFigure | None
    """A figure of it that readers can turn: that of its title, or the first; None where it draws none."""
    turnable: int
    """How many of its figures readers can turn."""


class FewArticles(msgspec.Struct, frozen=True, kw_only=True):
    """What the home page of a site with few articles shows."""

    leads: tuple[LeadArticle, ...]
    others: tuple[Summary, ...]
    """Older articles, without a figure."""
    turnable: tuple[EmbeddedFigure, ...]
    """Further figures that readers can turn."""
    talks: tuple[ListedTalk, ...]
    """The newest."""
    listed: tuple[ListedFigure, ...]
    """All figures that have pages."""


def few_articles_page(theme: Theme, project: Project, listing: Listing, few: FewArticles) -> str:
    """The page `/en/` of a site with at most `FEW_ARTICLES` articles."""
    language = listing.topic.language
    addresses = addresses_of(project)

    def shown(figure: EmbeddedFigure, room: Room) -> EmbeddedFigureView:
        page = addresses.path(figure_path(figure.language, figure.figure_id)) if project.gallery else ""
        return embedded_view(project, figure, page=page, room=room)

    leads = tuple(
        LeadView(
            entry=entry_view(theme, project, lead.article, language),
            figure=shown(lead.figure, "text") if lead.figure else None,
            turnable=lead.turnable,
        )
        for lead in few.leads
    )
    turnable = tuple(shown(figure, "phone") for figure in few.turnable)
    figures = (*(lead.figure for lead in leads if lead.figure), *turnable)
    return render_page(
        theme,
        project,
        "few.html",
        list_page_view(theme, project, listing),
        leads=leads,
        others=tuple(entry_view(theme, project, one, language) for one in few.others),
        turnable=turnable,
        figures=len(few.listed),
        gallery=addresses.path(gallery_path(language)),
        verdicts=tuple(
            VerdictsView(
                page=Link(text=one.title, url=addresses.path(figure_path(language, one.figure_id))),
                message=one.message,
                kinds=tuple(KindView(name=name, count=count) for name, count in one.kinds),
            )
            for one in few.listed
            if one.kinds and one.message
        ),
        talks=tuple(talk_entry(theme, project, talk, language) for talk in few.talks),
        has_controls=any(figure.controls for figure in figures),
        has_readings=any(figure.has_readings for figure in figures),
    )
