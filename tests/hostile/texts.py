"""Texts with characters that no page or feed may contain, and the places that contain texts."""

import json
import random
from collections.abc import Callable

from tests.space import BARS, BARS_ON_AXES, SITE_YAML

HARMLESS = [
    "😀",
    "é",
    "页",
    "\u00a0",
    "\u200d",
    "\u3000",
    "\ue000",
    "<b>",
    "&amp;",
    "]]>",
    "<!--",
    "\t",
]
"""Text that is allowed, and that XML has to escape correctly."""


def forbidden(chance: random.Random) -> str:
    """A character that is forbidden everywhere."""
    kinds: list[Callable[[], int]] = [
        lambda: chance.choice([*range(9), 0xB, 0xC, *range(0xE, 0x20)]),
        lambda: chance.randrange(0x7F, 0xA0),
        lambda: chance.choice([0xFFFE, 0xFFFF]),
        lambda: chance.randrange(0xFDD0, 0xFDF0),
        lambda: (chance.randrange(1, 17) << 16) + chance.choice([0xFFFE, 0xFFFF]),
    ]
    return chr(chance.choice(kinds)())


def surrogate(chance: random.Random) -> str:
    """Half of a surrogate pair as an escape, which is the only way to write it."""
    return f"\\u{chance.randrange(0xD800, 0xE000):04x}"


def _escaped(character: str) -> str:
    """The character as an escape in a double-quoted string of Python or YAML."""
    return f"\\U{ord(character):08x}"


Files = dict[str, str]
FIGURE = "```{figure} bars\n%s\n```"


def _article(zh: str, en: str, *, title: str = "Title", more: str = "") -> Files:
    head = f"date: 2026-11-01\n{more}---\n\n"
    return {
        "content/posts/a/zh.md": f"---\ntitle: 题\n{head}{zh}\n",
        "content/posts/a/en.md": f"---\ntitle: {title}\n{head}{en}\n",
    }


def _both(text: str) -> Files:
    return _article(text, text)


def _with_figure(script: str) -> Files:
    return {**_both(FIGURE % "柱"), "figures/bars.py": script}


def _configured(old: str, new: str) -> Files:
    return {**_both("好。"), "site/site.yaml": SITE_YAML.replace(old, new)}


def _shared(yaml: str) -> Files:
    return {**_both("好。"), "content/posts/a/meta.yaml": f"{yaml}\n"}


RAW: dict[str, Callable[[str], Files]] = {
    "a paragraph": lambda t: _both(f"前 {t} 后"),
    "code in a line": lambda t: _both(f"`{t}`"),
    "code": lambda t: _both(f"```text\n{t}\n```"),
    "a heading": lambda t: _both(f"## 题 {t} {{#x}}"),
    "a table": lambda t: _both(f"| 甲 |\n|---|\n| {t} |"),
    "a footnote": lambda t: _both(f"文[^1]\n\n[^1]: {t}"),
    "an attribute": lambda t: _both(f'[词]{{title="{t}"}}'),
    "raw HTML": lambda t: _both(f"<p>{t}</p>"),
    "a caption": lambda t: {**_both(FIGURE % f"柱 {t}"), "figures/bars.py": BARS},
    "a title": lambda t: _article("好。", "Good.", title=f'"{t}"'),
    "a description": lambda t: _article("好。", "Good.", more=f"description: |-\n  x{t}\n"),
    "a comment in front matter": lambda t: _article("好。", "Good.", more=f"# {t}\n"),
    "meta.yaml": lambda t: {
        **_both("好。"),
        "content/posts/a/meta.yaml": f"description: {{zh: x, en: 'y{t}'}}\n",
    },
    "the site's title": lambda t: {
        **_both("好。"),
        "site/site.yaml": SITE_YAML.replace("试验站", f"'站{t}'"),
    },
    "a tag's label": lambda t: _configured("屋顶线", f"'线{t}'"),
    "an author's name": lambda t: {
        **_both("好。"),
        "site/site.yaml": f"{SITE_YAML}authors:\n  ada: {{name: 'A{t}'}}\n",
    },
}
"""Places where the character itself is written."""

ESCAPED: dict[str, Callable[[str], Files]] = {
    "a title": lambda t: _article("好。", "Good.", title=f'"x{t}"'),
    "meta.yaml": lambda t: {
        **_both("好。"),
        "content/posts/a/meta.yaml": f'title: {{zh: "x{t}", en: "y"}}\n',
    },
    "site.yaml": lambda t: _configured("试验站", f'"站{t}"'),
    "a key": lambda t: _configured("tags:", f'authors:\n  "a{t}": {{name: A}}\ntags:'),
    "a figure's title": lambda t: _with_figure(BARS.replace('"Two bars"}', f'"Two{t} bars"}}')),
    "what stands for a figure": lambda t: _with_figure(BARS.replace("Two bars, the", f"Two{t} bars, the")),
    "a figure's word": lambda t: _with_figure(
        BARS_ON_AXES.replace('en="A"', f'en="A{t}"').replace("甲", f"甲{t}")
    ),
    "a text on a figure": lambda t: _with_figure(
        BARS_ON_AXES.replace("    axes.bar([0", f'    axes.text(0, 1, "x{t}")\n    axes.bar([0')
    ),
    "a figure's data": lambda t: _with_figure(BARS.replace("[3, 5]}", f'[3, 5], "s": "x{t}"}}')),
    "a key of data": lambda t: _with_figure(BARS.replace("[3, 5]}", f'[3, 5], "x{t}": 1}}')),
    "a table of a figure": lambda t: _with_figure(
        f"{BARS}\n\ndef table(data, t):\n    from diglot.figures import make_table\n\n"
        f'    return make_table(["a"], [["x{t}"]])\n'
    ),
    "an id in a drawing": lambda t: _with_figure(
        BARS_ON_AXES.replace("    axes.bar([0", f'    axes.set_gid("x{t}")\n    axes.bar([0')
    ),
}
"""Places where Python or YAML makes the character from an escape."""

REFERRED: dict[str, Callable[[str], Files]] = {
    kind: RAW[kind] for kind in ("a paragraph", "a heading", "a table", "a footnote", "raw HTML", "a caption")
}
"""Places where Markdown makes the character from a character reference."""


def cases(chance: random.Random, count: int) -> list[tuple[str, Files]]:
    """Return `count` sites with a hostile text each, every place in turn."""
    places: list[tuple[str, Callable[[], Files]]] = [
        *((kind, lambda make=make: make(forbidden(chance))) for kind, make in RAW.items()),
        *((kind, lambda make=make: make(_escaped(forbidden(chance)))) for kind, make in ESCAPED.items()),
        *((kind, lambda make=make: make(surrogate(chance))) for kind, make in ESCAPED.items()),
        *((kind, lambda make=make: make(f"&#{ord(forbidden(chance))};")) for kind, make in REFERRED.items()),
        *(
            (kind, lambda make=make: make(f"&#x{ord(forbidden(chance)):X};"))
            for kind, make in REFERRED.items()
        ),
    ]
    chance.shuffle(places)
    return [(kind, make()) for n in range(count) for kind, make in [places[n % len(places)]]]


def harmless(chance: random.Random) -> Files:
    """A site with odd texts that are allowed."""
    text = json.dumps("x" + "".join(chance.choices(HARMLESS, k=5)), ensure_ascii=False)
    return {
        **_article("好。", "Good.", title=text, more=f"description: {text}\ntags: [roofline]\n"),
        "site/site.yaml": SITE_YAML.replace("试验站", text).replace("屋顶线", text),
    }
