"""Blogs that are odd in every way that their systems allow, and in more, made from a seed."""

import json
import random
from collections.abc import Iterator
from typing import Any

import yaml

from diglot.importing.site_import import System
from tests.importing.sources import PNG

NAMES = (
    *(
        "a",
        "A",
        "a-b",
        "a.b.c",
        "中文 名",
        "ünïcode",
        "rocket🚀",
        "2024",
        "--x--",
        "%E4%B8%AD",
        "a#b",
        "a&b c",
    ),
    *(
        "con",
        "home",
        "feed",
        "index",
        "both",
        "page",
        "posts",
        "tags",
        "archive",
        "authors",
        "zh",
        "en",
        "figures",
    ),
    *(
        "it's",
        'a"b',
        "x" * 120,
        "文" * 60,
        "post.en",
        "post.zh-cn",
        "post-en",
        "README",
        "notes",
        "a\u200bb",
        "-",
    ),
)
FOLDERS = (
    *("", "", "", "page", "posts", "tags", "archive", "zh", "en", "projects/x", "both", "figures", "2024/05"),
    *("talks", "hardware", "中 文", "a/b/c/d", "assets"),
)
DATES = (
    *(
        "2020-02-03",
        "2020-02-03 10:00:00 +0800",
        "'2021/3/4'",
        "2022",
        "2022-05",
        "2099-01-01",
        "null",
        "soon",
    ),
    *(
        "[2020-01-01]",
        "2024-02-30",
        "20240102",
        "0001-01-01",
        "9999-12-31",
        "{a: b}",
        "true",
        "May 3, 2024",
        "''",
    ),
    *("Fri, 03 May 2024 10:00:00 GMT", "2024年5月3日", "1.5", "-1", "2020-13-45T00:00:00Z"),
)
VALUES = (
    *(
        "text",
        "''",
        "null",
        "[]",
        "{}",
        "[a, b]",
        "[a, [b, [c]]]",
        "{a: 1, b: 2}",
        "5",
        "-1",
        "1.5",
        "true",
        "2020-01-02",
    ),
    *(
        ".inf",
        ".nan",
        "[null, {}, [], 3, true]",
        "a, b，c、d",
        "中文",
        "'C++'",
        "'C#'",
        "'.NET'",
        "'null'",
        "'no'",
    ),
    *(
        '"a\\u0007b"',
        '"\\ud800"',
        "'🚀'",
        "'<b>x</b>'",
        "'{{ x }}'",
        "'a: b # c'",
        '"it\'s"',
        "100000000000000000000000",
    ),
    *(
        "{zh: 中, en: E}",
        "[{name: A, url: 'javascript:x'}]",
        "'" + "long " * 300 + "'",
        "'[a](b)'",
        "'$x$ `y`'",
    ),
)
ADDRESSES = (
    *(
        "/",
        "''",
        "/a/",
        "a",
        "/a b/",
        "/../x/",
        "/%00/",
        "/%2e%2e/x/",
        "/a?b",
        "/a#b",
        "//evil.example/",
        "/x.html",
    ),
    *(
        "https://old.example/y/",
        "/zh/posts/",
        "/zh/posts/a/",
        "/en/tags/a/",
        "/en/page/2/",
        "/tags/a/",
        "/中文/",
    ),
    *(
        "/" + "x" * 300 + "/",
        "/a/index.html",
        "/index.html",
        "/404.html",
        "/x/",
        "/X/",
        "/x/y/",
        "/x.html/z/",
    ),
    *(
        "/en/archive/2020/",
        "/zh/feed.xml",
        "/assets/x.html",
        "/site.webmanifest",
        "/.git/",
        "/a\\b/",
        "/en/both/",
    ),
)
KEYS = (
    *(
        "title",
        "tags",
        "categories",
        "author",
        "authors",
        "series",
        "part",
        "series_order",
        "draft",
        "published",
    ),
    *(
        "description",
        "summary",
        "slug",
        "url",
        "permalink",
        "lang",
        "translationKey",
        "ref",
        "weight",
        "image",
        "type",
    ),
    *(
        "layout",
        "aliases",
        "redirect_from",
        "updated",
        "lastmod",
        "title_zh",
        "title_en",
        "excerpt",
        "keywords",
        "tag",
    ),
)
BLOCKS = (
    *(
        "## Head",
        "# Title",
        "##Tight",
        "###### Six",
        "Text in English.",
        "一段中文文字。",
        "- a\n- b\n\n  c",
        "1) x",
    ),
    *(
        "> quote\n> [!NOTE] inside",
        "> [!NOTE] A title\n> Text.",
        "> [!tip]- Folded\n> Text.",
        "> [!WARNING]\n> Text.",
    ),
    *(
        '```python title="a.py" {1,3-4}\nx = 1\n```',
        '```js {linenos=table,hl_lines=[1,"2-3"]}\nx\n```',
        "~~~\nx",
    ),
    *(
        "![](gone.png)",
        "![a](/img/a.png =20x30)",
        "![a b](a b.png)",
        "[x](/tags/a/)",
        "[x](../a)",
        "[x](#nothing)",
    ),
    *(
        "[x](/zh/posts/nothing/)",
        "[x](javascript:alert(1))",
        "[x]()",
        "[x][y]",
        "[y]: /gone/ 'T'",
        "<https://x.example>",
    ),
    *(
        "$x^2$ and $$y$$",
        "$$\n\\begin{align}a&=b\\end{align}\n$$",
        "$\\bad{$",
        "\\\\(x\\\\)",
        "$5 and $6",
        "a_b_c *d",
    ),
    *(
        "<div>",
        "</div>",
        "<details><summary>s</summary>\n\ntext\n\n</details>",
        "<!-- open",
        "<b>x",
        "<script>x</script>",
    ),
    *(
        "{eval}`a.b`",
        "{term}`x`",
        "{figure} x",
        "```{figure} x\n```",
        ":::{note}\nx",
        ":::",
        "{#id}\nx",
        "{#id}\ny",
    ),
    *(
        "[^1] and [^2]\n\n[^1]: note",
        "| a | b |\n| - |\n| 1 | 2 | 3 |",
        "| a |\n|---|\n| `x|y` |",
        "Term\n: Def",
        "---",
        "===",
    ),
    *(
        '{{< figure src="/img/a.png" >}}',
        "{{< unknown x >}}",
        '{{% notice tip "T" %}}\nx\n{{% /notice %}}',
        "{{< /x >}}",
    ),
    *(
        "{% note info T %}\nx\n{% endnote %}",
        "{% raw %}{{ x }}{% endraw %}",
        "{% highlight c %}\nx\n{% endhighlight %}",
    ),
    *(
        "{% codeblock t.js lang:js mark:1 %}\nx\n{% endcodeblock %}",
        '{: .note title="T"}',
        "{:toc}",
        ":rocket: :x: :nope:",
    ),
    *(
        "Text\u200b with \u202e marks\ufeff",
        "a\x00b\x07",
        "<!-- more -->",
        "[TOC]",
        "http://bare.example/a",
        "R&D &copy; &nope;",
    ),
)


def pick(chance: random.Random, some: tuple[str, ...], most: int) -> list[str]:
    return [chance.choice(some) for _ in range(chance.randint(0, most))]


def post(chance: random.Random) -> str:
    """A post, with front matter of any kind."""
    values = {key: chance.choice(VALUES) for key in chance.sample(KEYS, chance.randint(0, 8))}
    for key in ("aliases", "redirect_from"):
        if key in values and chance.random() < 0.7:
            values[key] = json.dumps(pick(chance, ADDRESSES, 5), ensure_ascii=False)
    for key in ("permalink", "url"):
        if key in values and chance.random() < 0.7:
            values[key] = json.dumps(chance.choice(ADDRESSES), ensure_ascii=False)
    if chance.random() < 0.8:
        values["date"] = chance.choice(DATES)
    if chance.random() < 0.7:
        values["title"] = json.dumps(chance.choice(("Same title", "同名", "A: b", "`code` $x$", "x" * 200)))
    matter = "".join(f"{key}: {value}\n" for key, value in values.items())
    body = "\n\n".join(pick(chance, BLOCKS, 9))
    form = chance.random()
    if form < 0.03:
        return body
    if form < 0.06:
        return f"---\n{matter}broken: [\n---\n{body}\n"
    return f"---\n{matter}---\n{body}\n"


def articles(chance: random.Random, count: int, ending: str = ".md") -> Iterator[tuple[str, str]]:
    """Paths below a folder, and texts."""
    for _ in range(count):
        folder, name = chance.choice(FOLDERS), chance.choice(NAMES)
        if chance.random() < 0.3:
            name += chance.choice((".zh", ".en", ".ja", "-zh"))
        yield f"{folder}/{name}{ending}".lstrip("/"), post(chance)


def wrong(chance: random.Random, values: dict[str, Any]) -> dict[str, Any]:
    """A configuration in which some values have another type than they should."""
    changed = dict(values)
    for key in chance.sample(sorted(values), len(values) // 2):
        changed[key] = yaml.safe_load(chance.choice(VALUES[:-6]))
    return changed


CONFIGURATIONS: dict[System, dict[str, Any]] = {
    "jekyll": {
        "title": "站",
        "description": "d",
        "url": "https://old.example",
        "baseurl": "/blog",
        "permalink": "pretty",
        "author": {"name": "A"},
        "source": ".",
        "collections_dir": "",
        "collections": {"cn": {"output": True}, "docs": {"output": True, "permalink": "/docs/:path/"}},
        "exclude": ["x"],
        "defaults": [{"scope": {"path": ""}, "values": {"layout": "post"}}],
        "data_dir": "_data",
    },
    "hugo": {
        "title": "T",
        "baseURL": "https://old.example/",
        "defaultContentLanguage": "zh",
        "defaultContentLanguageInSubdir": True,
        "languages": {"zh": {"title": "站", "contentDir": "content"}, "en": {"params": {"description": "d"}}},
        "permalinks": {"posts": "/:year/:slug/", "page": "/:slug/"},
        "menu": {"main": [{"name": "A", "url": "/a/", "weight": 1}]},
        "menus": {"main": [{"name": "B", "pageRef": "/b"}]},
        "params": {"mainSections": ["posts"], "author": {"name": "A"}, "description": "d"},
        "author": "A",
        "contentDir": "content",
        "staticDir": ["static"],
        "uglyURLs": False,
        "module": {"mounts": [{"source": "content", "target": "content"}]},
        "taxonomies": {"tag": "tags"},
    },
    "hexo": {
        "title": "站",
        "subtitle": "s",
        "description": "d",
        "author": "A",
        "url": "https://old.example",
        "root": "/",
        "language": ["zh-CN", "en"],
        "permalink": ":year/:title/",
        "source_dir": "source",
        "theme": "next",
        "menu": {"home": "/", "about": "/about/ || user"},
        "category_map": {"a": "b"},
        "default_category": "none",
    },
}
FILES: dict[System, str] = {"jekyll": "_config.yml", "hugo": "hugo.yaml", "hexo": "_config.yml"}
SIDE_FILES: dict[System, tuple[str, ...]] = {
    "jekyll": ("_data/navigation.yml", "_data/authors.yml"),
    "hugo": (
        "config/_default/params.yaml",
        "config/_default/menus.zh.yaml",
        "config/_default/languages.yaml",
    ),
    "hexo": ("_config.next.yml",),
}
SIDE_TEXTS = (
    *(
        "a: &x 1\nb: &x 2\nc: *x\n",
        "a: [",
        "- a\n- b\n",
        "text",
        "",
        "main: text\n",
        "menu: [a]\n",
        "5\n",
        "a: &a [*a]\n",
    ),
    *("main:\n- {name: [a], url: {b: c}}\n- text\n", "menu: {a: null, b: [c], c: {path: [d]}}\n", "\x00"),
)


def blog(system: System, seed: int, count: int = 30) -> dict[str, str | bytes]:
    """The files of a blog."""
    chance = random.Random(f"{system}:{seed}")
    files: dict[str, str | bytes] = {}
    places = {
        "jekyll": ("_posts/{}", "{}", "_cn/{}", "_docs/{}", "_drafts/{}", "_other/{}"),
        "hugo": ("content/posts/{}", "content/{}", "content/blog/{}"),
        "hexo": ("source/_posts/{}", "source/{}", "source/_drafts/{}", "source/_posts/zh-CN/{}"),
    }
    for path, text in articles(chance, count):
        place = chance.choice(places[system][: 1 if chance.random() < 0.5 else None])
        folder, _, name = path.rpartition("/")
        if "_posts" in place and system == "jekyll":
            name = f"2021-03-0{chance.randint(1, 9)}-{name}"
        files[place.format(f"{folder}/{name}".lstrip("/"))] = text
    static = {"jekyll": "", "hugo": "static/", "hexo": "source/"}[system]
    for name in (
        "img/a.png",
        "img/A.png",
        "IMG/a.png",
        "a b.png",
        "CNAME",
        "robots.txt",
        "x.css",
        "n" * 200 + ".png",
    ):
        files[f"{static}{name}"] = PNG
    configuration = CONFIGURATIONS[system]
    if chance.random() < 0.7:
        configuration = wrong(chance, configuration)
    files[FILES[system]] = yaml.safe_dump(configuration, allow_unicode=True)
    for name in SIDE_FILES[system]:
        if chance.random() < 0.6:
            files[name] = chance.choice(SIDE_TEXTS)
    return files
