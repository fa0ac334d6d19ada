"""Names that other tools give to things, and what to write instead of them here."""

import re

ENVIRONMENTS = frozenset(
    (
        *("equation", "align", "aligned", "gather", "gathered", "multline", "eqnarray", "split", "cases"),
        *("array", "displaymath", "math", "matrix", "pmatrix", "bmatrix", "vmatrix"),
        *("tikzpicture", "tabular", "itemize", "enumerate"),
    )
)
"""Environments of LaTeX."""

EMOJI = {
    **{
        "rocket": "🚀",
        "warning": "⚠️",
        "bulb": "💡",
        "tada": "🎉",
        "fire": "🔥",
        "sparkles": "✨",
        "bug": "🐛",
    },
    **{"smile": "😄", "grin": "😁", "joy": "😂", "wink": "😉", "thinking": "🤔", "cry": "😢", "sob": "😭"},
    **{"laughing": "😆", "sweat_smile": "😅", "blush": "😊", "heart_eyes": "😍", "sunglasses": "😎"},
    **{"heart": "❤️", "star": "⭐", "star2": "🌟", "zap": "⚡", "boom": "💥", "eyes": "👀", "muscle": "💪"},
    **{"thumbsup": "👍", "thumbsdown": "👎", "clap": "👏", "pray": "🙏", "wave": "👋", "ok_hand": "👌"},
    **{"point_right": "👉", "point_down": "👇", "white_check_mark": "✅", "heavy_check_mark": "✔️", "x": "❌"},
    **{"question": "❓", "exclamation": "❗", "information_source": "ℹ️", "construction": "🚧", "memo": "📝"},
    **{"pencil": "📝", "book": "📖", "books": "📚", "link": "🔗", "lock": "🔒", "key": "🔑", "gear": "⚙️"},
    **{"wrench": "🔧", "hammer": "🔨", "package": "📦", "computer": "💻", "chart_with_upwards_trend": "📈"},
    **{"arrow_right": "➡️", "clock": "🕐", "hourglass": "⌛", "trophy": "🏆", "coffee": "☕", "beers": "🍻"},
}
"""Names of emoji that are common in articles. Others are so rare that a warning would more often be wrong."""

_TAG = re.compile(r"\{(\{[<%]|%-?|\{)\s*/?\s*([A-Za-z_][\w.]*)")

_FIXES = {
    **dict.fromkeys(
        ("figure", "image", "img", "picture", "asset_img", "asset_path"),
        "write ![what it shows](file.png); a figure that a script draws is a ```{figure} fence.",
    ),
    **dict.fromkeys(
        ("highlight", "endhighlight", "codeblock", "endcodeblock", "code", "endcode"),
        "put the code between lines of ```, with its language after the first.",
    ),
    **dict.fromkeys(
        ("ref", "relref", "link", "post_url", "post_link", "post_path"),
        "write [text](../other-article/en.md), a link to the article's file.",
    ),
    **dict.fromkeys(
        (
            *("note", "endnote", "tip", "info", "warning", "danger", "alert", "callout", "admonition"),
            *("notice", "hint", "important", "caution"),
        ),
        "write :::{note}, the text, and ::: on lines of their own.",
    ),
    **dict.fromkeys(
        ("details", "enddetails", "spoiler", "collapse", "expand", "fold"),
        'write <details markdown="1"> and <summary>…</summary>, text, and </details>, each on its own line.',
    ),
    **dict.fromkeys(
        (
            "youtube",
            "vimeo",
            "bilibili",
            "video",
            "tweet",
            "x",
            "gist",
            "instagram",
            "audio",
            "pdf",
            "iframe",
        ),
        "write a link to it, or the HTML that the site gives for embedding.",
    ),
    **dict.fromkeys(
        ("math", "katex", "mathjax", "endmath"), "write the formula between $ or between lines of $$."
    ),
    **dict.fromkeys(("mermaid", "chart", "plot"), "draw it with a figure script, or show a picture."),
    **dict.fromkeys(("raw", "endraw", "verbatim", "endverbatim"), "delete it: nothing here needs it."),
}
"""Tags of Hugo, Hexo, Jekyll and Quarto by name."""

_VARIABLES = {
    **dict.fromkeys(
        ("site.baseurl", "site.url", "baseurl", "base_url", "site.base_url"),
        "leave it out: a link that begins with / begins at the site's root, wherever that is.",
    ),
    **dict.fromkeys(
        ("page.title", "title", "page.date", "page.author", "site.title"),
        "write the text itself: pages show it.",
    ),
}
"""Variables of Jekyll by name."""

_ANY_TAG = "write the text, Markdown or HTML itself; to show the braces, put them into `code`."


def fix_of_tag(tag: str) -> str:
    """What to write instead of a tag: `{{< figure … >}}`, `{% include … %}`, `{{ site.url }}`."""
    found = _TAG.match(tag)
    if found is None:
        return _ANY_TAG
    return (_VARIABLES if found.group(1) == "{" else _FIXES).get(found.group(2), _ANY_TAG)
