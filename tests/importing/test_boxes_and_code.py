"""Callouts, boxes, options of code and names of emoji of each system, in diglot's form."""

from pathlib import Path

import pytest

from diglot.content.document import read_document
from diglot.importing.site_import import System
from diglot.importing.text.body import Body
from diglot.importing.text.callouts import convert_callouts
from diglot.importing.text.emoji import convert_emoji, with_emoji
from diglot.importing.text.fences import convert_fences
from tests.importing.sources import HALF, converted

CALLOUTS = {
    text: text
    for text in (
        "> [!NOTE] A title\n> Text.",
        "> [!tip]- Folded\n> Text.\n> More.",
        "> [!question] Why *this*?\n> ```c\n> x\n> ```",
        "- > [!NOTE] T\n  > Text.",
        "> [!NOTE] Outer\n> Text.\n>\n> > [!TIP] Inner\n> > More.",
        "> [not a callout]\n> Text.",
        "```\n> [!my-kind] Code\n```",
        ":::tip Title\nText.\n:::",
        "::: {.callout-note}\nText.\n:::",
    )
} | {
    "> [!my-kind]\n> Text.": ":::{note} My-kind\nText.\n:::",
    "> [!thought] Why *this*?\n> ```c\n> x\n> ```": ":::{note} Why *this*?\n```c\nx\n```\n:::",
    "- item\n\n  > [!notice]\n  > Text.": "- item\n\n  :::{note}\n  Text.\n  :::",
    "> Quote.\n>\n> > [!notice] T\n> > Text.": "> Quote.\n>\n> :::{note} T\n> Text.\n> :::",
    "> [!mine] One\n> a\n\n> [!mine] Two\n> b": ":::{note} One\na\n:::\n\n:::{note} Two\nb\n:::",
    ":::notice Title\nText.\n:::": ":::{note} Title\nText.\n:::",
}
"""What an import makes of callouts: those that diglot reads stay as they are."""
FENCES = {
    '```python title="a.py" hl_lines="1 3-5"': '```python title="a.py" {1,3-5}',
    "```js {1,3-4}": "```js {1,3-4}",
    '```go {linenos=table,hl_lines=[8,"15-17"],linenostart=199}': "```go {8,15-17} linenums=199",
    "```go {linenos=false}": "```go",
    "```go {hl_lines=[2]}": "```go {2}",
    "```js:src/app.js": '```js title="src/app.js"',
    "```js src/app.js": '```js title="src/app.js"',
    "```python filename='x.py'": '```python title="x.py"',
    '```{.python .numberLines hl_lines="1 2" caption="A b"}': '```python title="A b" {1,2} linenums',
    "```{python}": "```python",
    "```{r, echo=FALSE, fig.width=7}": "```r",
    "```{1,2}": "```text {1,2}",
    "```text showLineNumbers": "```text linenums",
    "~~~ruby linenos": "~~~ruby linenums",
    "```c++ {1}": "```c++ {1}",
    "```C#": "```C#",
    "```python,linenos": "```python linenums",
    "```": "```",
    "- ```js {2} a.js": '- ```js title="a.js" {2}',
    "> ```js {2}": "> ```js {2}",
}


def body_of(text: str) -> Body:
    return Body(text, range(1, text.count("\n") + 2), "x.md")


def test_callouts_of_all_kinds_and_places() -> None:
    wrong = []
    for text, right in CALLOUTS.items():
        body = body_of(text)
        convert_callouts(body)
        _, mistakes = read_document(f"---\n---\n{body.text}", "x.md", "en")
        lines = [line.strip() for line in body.text.strip().split("\n")]
        if lines != [line.strip() for line in right.split("\n")] or mistakes.errors or mistakes.warnings:
            wrong.append((text, body.text, [*mistakes.errors, *mistakes.warnings]))
    assert not wrong


def test_options_of_code() -> None:
    wrong = []
    for first, right in FENCES.items():
        marks = "~~~" if first.startswith("~") else "```"
        prefix = {"-": "  ", ">": "> "}.get(first[0], "")
        code = "".join(f"{prefix}x = {n}\n" for n in range(20))
        body = body_of(f"{first}\n{code}{prefix}{marks}\n")
        convert_fences(body, words_are_title=False)
        _, mistakes = read_document(f"---\n---\n{body.text}", "x.md", "en")
        if body.text.split("\n")[0] != right or mistakes.errors or mistakes.warnings or body.findings:
            wrong.append((first, body.text.split("\n")[0], mistakes.errors, mistakes.warnings, body.findings))
    assert not wrong


def test_an_option_without_a_counterpart_is_told() -> None:
    body = body_of("```js magic\nx\n```")
    convert_fences(body, words_are_title=False)
    assert body.text == "```js\nx\n```"
    assert [finding.message.partition(" after")[0] for finding in body.findings] == ['"magic"']


def test_a_fence_inside_of_code_stays() -> None:
    body = body_of("````\n```js {linenos=table}\nx\n```\n````")
    convert_fences(body, words_are_title=True)
    assert body.text == "````\n```js {linenos=table}\nx\n```\n````"


@pytest.mark.parametrize(
    ("system", "text", "right"),
    [
        (
            "hexo",
            "{% codeblock a.js lang:js mark:1,4-7 first_line:10 %}\nx\n{% endcodeblock %}",
            '```js title="a.js" {1,4-7} linenums=10\nx\n```',
        ),
        (
            "hexo",
            "{% codeblock lang:js line_number:false a.js https://a.example/a.js %}\nx\n{% endcodeblock %}",
            '```js title="a.js"\nx\n```\n\n<https://a.example/a.js>',
        ),
        ("hexo", "{% codeblock a.js %}\nx\n{% endcodeblock %}", '```text title="a.js"\nx\n```'),
        ("hexo", "```js my file https://a.example\nx\n```", '```js title="my file"\nx\n```'),
        ("hexo", "{% note warning 标题 %}\nx\n{% endnote %}", ":::{warning} 标题\nx\n:::"),
        ("hexo", "{% note blue 'fas fa-bullhorn' modern %}\nx\n{% endnote %}", ":::{note}\nx\n:::"),
        ("jekyll", "{% highlight js linenos %}\nx\n{% endhighlight %}", "```js linenums\nx\n```"),
        (
            "jekyll",
            '{% highlight js mark_lines="1 2" %}\nx\ny\n{% endhighlight %}',
            "```js {1,2}\nx\ny\n```",
        ),
        ("jekyll", 'Text.\n{: .note title="T" }', ":::{note} T\nText.\n:::"),
        ("jekyll", "{: .warning }\nText\nand more.", ":::{warning}\nText\nand more.\n:::"),
        ("jekyll", "{: .note-title }\n> A title\n>\n> Text.", ":::{note} A title\nText.\n:::"),
        ("jekyll", "> Text.\n{: .prompt-tip }", ":::{tip}\nText.\n:::"),
        ("jekyll", "**Watch out!** Text.\n{: .notice--danger}", ":::{caution}\n**Watch out!** Text.\n:::"),
        ("jekyll", "Text.\n{:.info}", ":::{note}\nText.\n:::"),
        (
            "jekyll",
            "One.\n{: .note }\n> Two.\n{: .prompt-tip }",
            ":::{note}\nOne.\n:::\n:::{tip}\nTwo.\n:::",
        ),
        ("jekyll", "Text.\n{: .lead}", "{.lead}\nText."),
        (
            "jekyll",
            '{% include callout.html type="danger" content="Text *here*." %}',
            ":::{caution}\nText *here*.\n:::",
        ),
        ("jekyll", "{% include note.html content='Text.' title='T' %}", ":::{note} T\nText.\n:::"),
        (
            "hugo",
            '{{< highlight go "linenos=table,hl_lines=1 3-4,linenostart=10" >}}\nx\n{{< /highlight >}}',
            "```go {1,3-4} linenums=10\nx\n```",
        ),
        (
            "hugo",
            '{{< highlight lang="go" title="a.go" hl_lines="1" >}}\nx\n{{< /highlight >}}',
            '```go title="a.go" {1}\nx\n```',
        ),
        (
            "hugo",
            '{{< admonition type=tip title="T" open=false >}}\nx\n{{< /admonition >}}',
            ":::{tip} T\nx\n:::",
        ),
        ("hugo", '{{< admonition warning "T" >}}\nx\n{{< /admonition >}}', ":::{warning} T\nx\n:::"),
        ("hugo", '{{< alert "twitter" >}}\nx\n{{< /alert >}}', ":::{note}\nx\n:::"),
        ("hugo", '{{< callout type="error" >}}\nx\n{{< /callout >}}', ":::{caution}\nx\n:::"),
        ("hugo", "Done :rocket: :+1: :nope: `:x:` a:b:c 10:20:30", "Done 🚀 👍 :nope: `:x:` a:b:c 10:20:30"),
    ],
)
def test_boxes_and_code_of_each_system(system: System, text: str, right: str, tmp_path: Path) -> None:
    site = converted(system, tmp_path, text)
    assert site.body(HALF) == right


def test_names_of_emoji_in_text_but_not_in_code_addresses_and_times() -> None:
    body = body_of(
        "a :rocket: :octopus: [x](https://a.example/:rocket:) `:fire:` std::cat:: :ring:\n\n    :tada:"
    )
    convert_emoji(body)
    assert body.text == ("a 🚀 🐙 [x](https://a.example/:rocket:) `:fire:` std::cat:: :ring:\n\n    :tada:")
    assert with_emoji("Launch :tada:") == "Launch 🎉"
