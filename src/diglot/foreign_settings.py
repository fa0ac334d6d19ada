"""Settings that other tools have in their configuration, and what to do instead in `site/site.yaml`."""

_FIXES = {
    **dict.fromkeys(
        ("theme", "themes", "style", "css", "logo", "footer"),
        "delete it, and change what `diglot theme copy` brings into templates/.",
    ),
    **dict.fromkeys(("favicon", "icon"), "delete it, and put the picture at templates/static/favicon.svg."),
    **dict.fromkeys(
        (
            "date_format",
            "dateFormat",
            "locale",
            "markup",
            "markdown_extensions",
            "math",
            "mathjax",
            "katex",
            "highlight",
            "syntax",
        ),
        "it is not needed here: delete it.",
    ),
    **dict.fromkeys(
        ("url", "baseURL", "baseurl", "site_url"), "it is called `base_url` here, the whole address."
    ),
    **dict.fromkeys(("author",), "write `authors:`, with the people by id."),
    **dict.fromkeys(("menu", "menus", "nav", "header_pages"), "it is called `navigation` here."),
    **dict.fromkeys(("paginate", "per_page", "pagination"), "it is called `list_entries` here."),
    **dict.fromkeys(
        ("permalink", "permalinks"), "addresses follow from the names of files; an article can have a `slug`."
    ),
    **dict.fromkeys(
        ("plugins", "gems", "extensions", "hooks"), "delete it: what a site adds to diglot is in extensions/."
    ),
    **dict.fromkeys(("copyright", "rights"), "it is called `licence` here."),
    **dict.fromkeys(
        ("googleAnalytics", "google_analytics", "gtag"),
        "write it below `analytics`, as plausible, goatcounter or umami.",
    ),
    **dict.fromkeys(("disqus", "disqusShortname", "giscus", "utterances"), "write it below `comments`."),
    **dict.fromkeys(
        ("languageCode", "defaultContentLanguage", "lang", "language"),
        "write `languages:`; zh and en are there without it.",
    ),
}
"""What to do about keys of other tools."""


def fix_of_setting(key: str) -> str | None:
    """What to do about a key of the configuration; None if no other tool is known that has it."""
    return _FIXES.get(key)
