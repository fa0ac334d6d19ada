"""Keys of front matter that people know from other generators, each with what to write here instead."""

_DESCRIPTION = ("summary", "excerpt", "abstract", "desc", "subtitle", "lead")
_UPDATED = (
    "lastmod",
    "last_modified_at",
    "modified",
    "last_update",
    "lastUpdated",
    "updatedAt",
    "updateDate",
)
_DATE = ("publishDate", "pubDate", "published_at", "publishedAt", "created", "createdAt")
_PICTURE = ("image", "images", "cover", "thumbnail", "banner", "featured_image", "header-img", "top_img")
_CONTENTS = ("toc", "showToc", "showtoc", "enableToc", "catalog", "tocopen", "TocOpen")
_NOT_NEEDED = (
    *("layout", "type", "mathjax", "math", "katex"),
    *("latex", "mermaid", "multilingual", "isCJKLanguage", "header-mask", "sidebar", "highlight"),
)

HINTS: dict[str, str] = {
    **dict.fromkeys(_DESCRIPTION, "it is called `description` here."),
    **dict.fromkeys(_UPDATED, "it is called `updated` here, a date without a time."),
    **dict.fromkeys(_DATE, "it is called `date` here, a date without a time."),
    **dict.fromkeys(
        _PICTURE,
        "put the picture into the text, ![what it shows](picture.png), or keep the key below `params`.",
    ),
    **dict.fromkeys(_CONTENTS, "it is called `contents` here, and is on without it."),
    "hideToc": "write `contents: false`, or delete it.",
    **dict.fromkeys(_NOT_NEEDED, "it is not needed here: delete it."),
    "author": "write `authors: [id]`, with the ids of people in site.yaml.",
    "tag": "write `tags: [id]`.",
    "category": "write `categories: [id]`.",
    "keywords": "write `tags: [id]`.",
    "published": "write `draft: true` instead of `published: false`, or delete it.",
    "hidden": "write `draft: true`, or delete it.",
    "permalink": "write the last part as `slug`, and old addresses as `aliases: [/old/address/]`.",
    "url": "write the last part as `slug`, and old addresses as `aliases: [/old/address/]`.",
    "redirect_from": "it is called `aliases` here.",
    "alias": "it is called `aliases` here.",
    "lang": "the name of the file says the language: delete it.",
    "language": "the name of the file says the language: delete it.",
    "locale": "the name of the file says the language: delete it.",
    "weight": "articles are ordered by date: delete it.",
    "sticky": "articles are ordered by date: delete it.",
    "pin": "articles are ordered by date: delete it.",
}
"""What to do, by key. Keys that diglot has, too, are read before this table is used."""
