"""What writers paste from eight tools, in both languages: shown as it is meant there, or told with a fix.

The examples are our own, after the documentation of MyST, GitHub, Obsidian, Quarto, Docusaurus, VitePress,
Jekyll and Hugo.
"""

import pytest

from diglot.content.document import read_document
from diglot.languages import Language
from tests.content.html_text import html_of

Snippet = tuple[str, Language, str, tuple[str, ...]]
"""A tool, a language, Markdown, and what its HTML has or which rules it breaks."""

SHOWN: tuple[Snippet, ...] = (
    ("myst", "en", ":::{seealso}\nThe paper.\n:::", ("The paper.", 'class="admonition')),
    ("myst", "zh", ":::{admonition} 自己的标题\n:class: tip\n正文。\n:::", ("自己的标题", "正文。")),
    (
        "myst",
        "en",
        "```{list-table} Rates\n:header-rows: 1\n:name: tbl-r\n* - Chip\n  - Rate\n* - H200\n  - 989\n```",
        ("<table", "<th", "H200"),
    ),
    ("myst", "zh", "```{margin}\n旁注。\n```", ("旁注",)),
    ("myst", "en", ":::{aside}\nA note.\n:::", ("A note.",)),
    ("myst", "en", "{button}`Go <https://example.org/>`", ("https://example.org/",)),
    ("myst", "en", "```{code} python\n:caption: run.py\n:linenos:\nx = 1\n```", ("run.py", "linenos")),
    ("myst", "en", "See {doi}`10.1145/3079856.3080246`.", ("doi.org/10.1145",)),
    ("myst", "en", "```{blockquote}\nWords.\n```", ("Words.",)),
    ("myst", "en", "```{glossary}\nHBM\n: Memory in stacks.\n```", ("Memory in stacks.",)),
    ("myst", "en", ":::{div}\n:class: wide\nText\n:::", ("Text",)),
    (
        "github",
        "en",
        "> [!IMPORTANT]\n> First.\n>\n> ```py\n> x = 1\n> ```\n>\n> Last.",
        ("First.", "<code", "Last."),
    ),
    ("github", "zh", "> [!NOTE]\n> 第一段。\n\n后面。", ("第一段",)),
    ("github", "en", "A note.[^1]\n\n[^1]: First paragraph.\n\n    Second paragraph.", ("note-en-1",)),
    (
        "github",
        "en",
        "<details>\n<summary>More</summary>\n\nHidden **text**.\n\n</details>",
        ("<details>", "<strong>text</strong>"),
    ),
    ("github", "en", "Fixed by @octocat in #123.", ("@octocat", "#123")),
    ("github", "en", "Color `#0969DA` and `rgb(9, 105, 218)`", ("<code>#0969DA</code>",)),
    (
        "github",
        "zh",
        '<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="a.dark.png">\n'
        '  <img alt="图" src="a.png">\n</picture>',
        ("<picture>",),
    ),
    ("obsidian", "en", "> [!faq]- Is it folded?\n> Yes.", ("<details", "Is it folded?", "Yes.")),
    (
        "obsidian",
        "zh",
        "> [!question] 可以嵌套吗？\n> > [!todo] 可以。\n> > > [!example] 三层。",
        ("可以嵌套吗", "可以。", "三层"),
    ),
    ("obsidian", "en", "Text about #memory and #bandwidth", ("#memory and #bandwidth",)),
    ("obsidian", "en", "> [!info|right] Title\n> Text.", ("<b>Title</b>",)),
    ("obsidian", "en", "[Link](Some%20note.md) and <u>underline</u>", ("<u>underline</u>",)),
    (
        "quarto",
        "en",
        '::: {.callout-note appearance="simple" icon=false}\n## Pay attention\nText.\n:::',
        ("Pay attention", "Text."),
    ),
    (
        "quarto",
        "en",
        '```{python}\n#| label: fig-line\n#| fig-cap: "A line"\n#| fig-alt: "A"\nprint(1)\n```',
        (),
    ),
    ("quarto", "en", "::: {.column-margin}\nAside.\n:::", ("Aside.",)),
    ("quarto", "en", "Text [an aside]{.aside} goes on.", ("an aside",)),
    ("quarto", "en", '```{.python code-line-numbers="true"}\nx = 1\n```', ("linenos",)),
    ("quarto", "en", 'See [-@fig-x] and [Fig. @fig-x].\n\n![C](a.png){#fig-x fig-alt="A"}', ()),
    ("quarto", "en", "[Small caps]{.smallcaps} and [under]{.underline}", ("Small caps",)),
    (
        "quarto",
        "en",
        '| a | b |\n|---|---|\n| 1 | 2 |\n\n: Caption {#tbl-x tbl-colwidths="[75,25]"}',
        ("Caption",),
    ),
    ("quarto", "en", "```{=html}\n<b>raw</b>\n```", ("<b>raw</b>",)),
    (
        "quarto",
        "en",
        '::: {layout="[[40,-20,40],[100]]"}\n![A](a.png)\n\n![B](b.png)\n\n![C](c.png)\n:::',
        (),
    ),
    ("quarto", "en", '![A](a.png){fig-align="left" width=50%}', ()),
    ("quarto", "en", "::: {.incremental}\n- a\n- b\n:::", ("<li>",)),
    ("docusaurus", "en", ":::note[Your Title]{.my-class}\nText.\n:::", ("Your Title", "Text.")),
    (
        "docusaurus",
        "zh",
        "::::info\n外层。\n\n:::danger[里层]\n注意。\n:::\n\n::::",
        ("外层", "里层", "注意"),
    ),
    (
        "docusaurus",
        "en",
        '```jsx title="/src/a.js" showLineNumbers {1}\nconst a = 1;\n```',
        ("/src/a.js", "hll"),
    ),
    ("docusaurus", "en", "![x](@site/static/a.png)", ()),
    ("docusaurus", "en", ":::warning deprecated\nOld.\n:::", ("deprecated", "Old.")),
    ("vitepress", "en", "::: details Click me {open}\nHidden.\n:::", ("<details", "open", "Click me")),
    ("vitepress", "en", "```js{1,3}\na\nb\nc\n```", ("hll",)),
    ("vitepress", "en", "```ts:line-numbers=2 {1}\na\n```", ("hll",)),
    ("vitepress", "en", "::: tip Custom *title*\nText\n:::", ("Custom <em>title</em>",)),
    ("jekyll", "en", '[link](https://example.org/){:target="_blank"}', ("href",)),
    ("jekyll", "en", "Footnote.[^a]\n\n[^a]: Text.", ("note-en-1",)),
    ("hugo", "en", '```go {linenos=inline hl_lines=[1,"2-3"] style=emacs}\na\nb\nc\n```', ("hll",)),
    ("hugo", "en", "```go {linenos=table lineNoStart=199}\na\n```", ("199",)),
    ("hugo", "en", '## Title {#own class="x"}', ("Title",)),
)

TOLD: tuple[Snippet, ...] = (
    ("myst", "en", "{smallcaps}`hbm` and {underline}`this`", ("role-unknown",)),
    (
        "myst",
        "en",
        "```{iframe} https://www.youtube.com/embed/F3st8X0L1Ys\n:width: 100%\n```",
        ("directive-unknown",),
    ),
    ("myst", "en", "See <doi:10.1145/3079856.3080246>.", ("address-mistyped",)),
    ("myst", "zh", "距离 {si}`4.5 <\\kilo\\meter>`。", ("role-unknown",)),
    ("myst", "en", "```{versionadded} 1.2\nNow faster.\n```", ("directive-unknown",)),
    ("myst", "en", 'Text\n\n+++ {"tags": []}\n\nMore', ("syntax-unsupported",)),
    (
        "myst",
        "en",
        "```{figure} a.png\n:figwidth: 60%\n:align: left\n:alt: A\nCaption\n```",
        ("syntax-unsupported",),
    ),
    ("myst", "en", "The value is {math:numref}`eq`", ("role-unknown",)),
    ("github", "en", '```geojson\n{"type": "Point", "coordinates": [1, 2]}\n```', ("code-language-unknown",)),
    ("github", "en", "```stl\nsolid a\nendsolid a\n```", ("code-language-unknown",)),
    ("github", "en", "~gone~ and ~~gone too~~", ("emphasis-left-over",)),
    ("github", "en", "- [x] #739\n- [ ] Add :tada:", ("syntax-unsupported",)),
    ("github", "en", "```suggestion\nx\n```", ("code-language-unknown",)),
    ("obsidian", "en", "- [/] half done\n- [-] cancelled\n- [?] unclear", ("mark-left-over",)),
    ("obsidian", "en", "![A chip|100x145](a.png)", ("syntax-unsupported",)),
    ("obsidian", "en", "```dataview\nTABLE file.name\n```", ("code-language-unknown",)),
    ("obsidian", "en", "A %%hidden%% word", ("syntax-unsupported",)),
    ("obsidian", "en", "Line one\n%%\nA block\ncomment\n%%", ("syntax-unsupported",)),
    ("obsidian", "zh", "这是 #标签/子标签 的内容。", ("syntax-unsupported",)),
    ("obsidian", "en", "```query\ntag:#x\n```", ("code-language-unknown",)),
    ("quarto", "en", "{{< kbd Ctrl-C >}}", ("syntax-unsupported",)),
    ("quarto", "zh", "{{< include _intro.qmd >}}", ("syntax-unsupported",)),
    ("quarto", "en", '::: {.content-visible when-format="html"}\nOnly here.\n:::', ("admonition-braces",)),
    ("quarto", "en", '::: {.content-visible when-format="pdf"}\nOnly in print.\n:::', ("admonition-braces",)),
    ("quarto", "en", '::: {.content-hidden when-format="html"}\nNot here.\n:::', ("admonition-braces",)),
    ("quarto", "en", "```python\nx = f(1)  # <1>\n```\n1. Calls it.", ("code-left-over",)),
    ("quarto", "en", "| Line one\n|    indented\n| Line three", ("syntax-unsupported",)),
    ("quarto", "en", "(@) First example.\n\nText.\n\n(@good) Second.", ("syntax-unsupported",)),
    ("quarto", "en", "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+", ("table-left-over",)),
    ("quarto", "en", "```{=latex}\n\\newpage\n```", ("code-lines",)),
    ("quarto", "en", "  right     left\n-------  -------\n     12  12\n", ("table-left-over",)),
    ("docusaurus", "en", "```jsx live\nfunction C() {}\n```", ("code-option-unknown",)),
    ("docusaurus", "en", "```bash npm2yarn\nnpm install x\n```", ("code-option-unknown",)),
    (
        "docusaurus",
        "en",
        '<Tabs>\n<TabItem value="a" label="A">\nText\n</TabItem>\n</Tabs>',
        ("html-unknown",),
    ),
    ("docusaurus", "en", "import Tabs from '@theme/Tabs';\n\nText", ("syntax-unsupported",)),
    ("docusaurus", "en", "{/* comment */}", ("syntax-unsupported",)),
    ("docusaurus", "en", "<TOCInline toc={toc} />", ("html-unknown",)),
    ("docusaurus", "en", "Value: {props.value}", ("syntax-unsupported",)),
    ("docusaurus", "en", "<!-- truncate -->", ("syntax-unsupported",)),
    ("vitepress", "zh", "::: raw\n<b>原样</b>\n:::", ("admonition-braces",)),
    ("vitepress", "en", "<<< @/snippets/a.js{2}", ("syntax-unsupported",)),
    ("vitepress", "en", "<!--@include: ./a.md-->", ("syntax-unsupported",)),
    ("vitepress", "en", '## Title <Badge type="tip" text="^1.9" />', ("html-unknown",)),
    ("vitepress", "en", "{{ 1 + 1 }}", ("syntax-unsupported",)),
    ("vitepress", "en", "::: v-pre\n{{ shown }}\n:::", ("admonition-braces", "syntax-unsupported")),
    (
        "vitepress",
        "en",
        "<script setup>\nimport { ref } from 'vue'\n</script>\n\nText",
        ("syntax-unsupported",),
    ),
    ("vitepress", "zh", "[[toc]]", ("syntax-unsupported",)),
    ("vitepress", "en", "![](/a.png){.dark-only}", ("image-text",)),
    ("jekyll", "en", "{% highlight ruby linenos %}\nputs 1\n{% endhighlight %}", ("syntax-unsupported",)),
    ("jekyll", "en", "{% raw %}{{ x }}{% endraw %}", ("syntax-unsupported",)),
    ("jekyll", "en", "Inline $$E = mc^2$$ by kramdown.", ("formula-display-inside",)),
    ("jekyll", "zh", "文字{: .highlight}后面", ("attributes-broken",)),
    ("jekyll", "en", "Text\n{: .lead }", ("attributes-below",)),
    ("jekyll", "en", "{::comment}\nhidden\n{:/comment}", ("syntax-unsupported",)),
    ("jekyll", "en", '{::options parse_block_html="true" /}', ("syntax-unsupported",)),
    ("jekyll", "en", "~~~ ruby\nputs 1\n~~~\n{: .wide}", ("attributes-unused",)),
    ("jekyll", "en", "* TOC\n{:toc}", ("syntax-unsupported",)),
    ("jekyll", "en", "*[HTML]: Hyper Text\n\nHTML it is.", ("syntax-unsupported",)),
    ("jekyll", "en", "| a | b |\n|---|---|\n| 1 | 2 |\n|===|===|\n| f | g |", ("table-left-over",)),
    ("jekyll", "en", "{% gist 1234 %}", ("syntax-unsupported",)),
    ("jekyll", "en", "> quote\n{: .prompt-tip }", ("attributes-below",)),
    ("hugo", "en", "{{% notice tip %}}\nText\n{{% /notice %}}", ("syntax-unsupported",)),
    ("hugo", "en", '{{< highlight go "linenos=inline" >}}\nx\n{{< /highlight >}}', ("syntax-unsupported",)),
    ("hugo", "zh", '{{< param "author" >}}', ("syntax-unsupported",)),
    ("hugo", "en", "![x](a.png)\n{.wide #pic}", ("attributes-below",)),
    ("hugo", "en", "++inserted++ and ==marked== and 1^st^", ("syntax-left-over",)),
    ("hugo", "en", "{{</* shown */>}}", ("syntax-unsupported",)),
    ("hugo", "en", "- item\n{.cls}", ("attributes-below",)),
    ("hugo", "en", '[x]({{< ref "a.md" >}})', ("syntax-unsupported",)),
    ("hugo", "en", '{{< details summary="More" >}}\nText\n{{< /details >}}', ("syntax-unsupported",)),
    ("hugo", "en", "Text[^n] {{< youtube abc >}}\n\n[^n]: N.", ("syntax-unsupported",)),
)


def name_of(snippet: Snippet) -> str:
    return f"{snippet[0]}: {snippet[2][:40]}"


@pytest.mark.parametrize("snippet", SHOWN, ids=name_of)
def test_a_snippet_is_shown_as_it_is_meant(snippet: Snippet) -> None:
    _, language, markdown, expected = snippet
    document, mistakes = read_document(markdown, "x.md", language)
    assert not [one.message for one in (*mistakes.errors, *mistakes.warnings)]
    html = html_of(document.blocks)
    assert not [one for one in expected if one not in html], html


@pytest.mark.parametrize("snippet", TOLD, ids=name_of)
def test_a_snippet_that_means_nothing_here_is_told_with_a_fix(snippet: Snippet) -> None:
    _, language, markdown, rules = snippet
    _, mistakes = read_document(markdown, "x.md", language)
    told = [*mistakes.errors, *mistakes.warnings]
    assert {one.rule for one in told} == {*rules}
    assert all(one.fix and one.location and one.location.line for one in told)
