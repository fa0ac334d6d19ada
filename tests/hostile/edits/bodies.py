"""Edits of the bodies of articles."""

import random
import re
from collections.abc import Callable

from tests.hostile.edits.project import Half, Project
from tests.hostile.edits.writing import HEADING, PLAIN, Change, always, in_both, in_one, pick, places, put


def insert_a_paragraph(project: Project, rng: random.Random) -> str | None:
    return in_both(project, rng, put(rng, "又一段，第{n}段。", "One more paragraph, number {n}."))


def insert_a_paragraph_in_one_half(project: Project, rng: random.Random) -> str | None:
    return in_one(project, rng, put(rng, "只有这里有。", "Here alone, {n}."))


def delete_a_paragraph(project: Project, rng: random.Random) -> str | None:
    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, places(blocks, PLAIN))
        if at is None or len(blocks) < 2:
            return False
        del blocks[at]
        return True

    return in_both(project, rng, change)


def delete_any_block_of_one_half(project: Project, rng: random.Random) -> str | None:
    """Deletes any block, such as a heading, a figure or a note."""

    def change(blocks: list[str], _language: str) -> bool:
        if len(blocks) < 2:
            return False
        del blocks[rng.randrange(len(blocks))]
        return True

    return in_one(project, rng, change)


def move_a_block(project: Project, rng: random.Random) -> str | None:
    def change(blocks: list[str], _language: str) -> bool:
        if len(blocks) < 2:
            return False
        block = blocks.pop(rng.randrange(len(blocks)))
        blocks.insert(rng.randint(0, len(blocks)), block)
        return True

    return in_both(project, rng, change)


def duplicate_a_paragraph(project: Project, rng: random.Random) -> str | None:
    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, places(blocks, PLAIN))
        if at is None:
            return False
        blocks.insert(at, blocks[at])
        return True

    return in_both(project, rng, change)


def change_a_word(project: Project, rng: random.Random) -> str | None:
    """Changes a word of a paragraph in one half."""

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, places(blocks, PLAIN))
        if at is None:
            return False
        blocks[at] += f" {rng.randrange(1000)}"
        return True

    return in_one(project, rng, change)


def change_the_first_paragraph(project: Project, rng: random.Random) -> str | None:
    """Changes the paragraph that describes an article without a `description`."""
    number = rng.randrange(1000)

    def change(blocks: list[str], language: str) -> bool:
        if not blocks or not PLAIN.fullmatch(blocks[0]):
            return False
        blocks[0] = f"新的开头{number}。" if language == "zh" else f"A new beginning, {number}."
        return True

    return in_both(project, rng, change)


def begin_with_a_value(project: Project, rng: random.Random) -> str | None:
    """Quotes a figure's value in the first paragraph, which lists show."""

    def change(blocks: list[str], language: str) -> bool:
        before = "开头的数是" if language == "zh" else "The number at the beginning is "
        blocks.insert(0, before + "{eval}`numbers.b`.")
        return True

    return in_both(project, rng, change)


def begin_with_a_heading(project: Project, rng: random.Random) -> str | None:
    """Puts a heading before the first paragraph."""
    return in_both(project, rng, always(lambda blocks: blocks.insert(0, "## Start")))


def add_a_section(project: Project, rng: random.Random) -> str | None:
    """Adds a heading with an id, and a paragraph."""
    return in_both(
        project, rng, put(rng, "## 新的一节 {#new-{n}}\n\n它的话。", "## New {#new-{n}}\n\nIts words.")
    )


def add_a_section_without_an_id(project: Project, rng: random.Random) -> str | None:
    """Adds a heading whose id is made from the English words."""
    return in_both(project, rng, put(rng, "## 无名", "## Nameless {n}"))


def repeat_a_heading(project: Project, rng: random.Random) -> str | None:
    """Adds two sections of the same title, whose ids have to differ."""
    return in_both(project, rng, put(rng, "## 同名\n\n## 同名", "## The same\n\n## The same"))


def _headings(rng: random.Random, changed: Callable[[str, str, str | None], str]) -> Change:
    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, places(blocks, HEADING))
        if at is None:
            return False
        found = HEADING.fullmatch(blocks[at])
        assert found is not None
        blocks[at] = changed(*found.groups())
        return True

    return change


def _heading(level: str, words: str, name: str | None) -> str:
    return f"{level} {words}" + (f" {{#{name}}}" if name else "")


def deepen_a_heading(project: Project, rng: random.Random) -> str | None:
    """Makes a section part of the one before it."""
    return in_both(project, rng, _headings(rng, lambda level, *rest: _heading(f"{level}#"[:6], *rest)))


def raise_a_heading(project: Project, rng: random.Random) -> str | None:
    """Raises a heading of one half to the second level."""
    return in_one(project, rng, _headings(rng, lambda _, *rest: _heading("##", *rest)))


def rename_a_heading(project: Project, rng: random.Random) -> str | None:
    """Changes the words of a heading and keeps its id."""
    return in_one(
        project, rng, _headings(rng, lambda level, words, name: _heading(level, f"{words} X", name))
    )


def give_a_heading_another_id(project: Project, rng: random.Random) -> str | None:
    """Changes a heading's id in both halves, which may break links to it."""
    number = rng.randrange(100)
    return in_both(
        project, rng, _headings(rng, lambda level, words, _: _heading(level, words, f"id-{number}"))
    )


def give_one_half_another_id(project: Project, rng: random.Random) -> str | None:
    """Changes a heading's id in one half, so that twins disagree."""
    return in_one(project, rng, _headings(rng, lambda level, words, _: _heading(level, words, "elsewhere")))


def take_an_id_from_a_heading(project: Project, rng: random.Random) -> str | None:
    """Removes a heading's id, so that it is made from the words."""
    return in_both(project, rng, _headings(rng, lambda level, words, _: _heading(level, words, None)))


def swap_two_blocks(project: Project, rng: random.Random) -> str | None:
    def change(blocks: list[str], _language: str) -> bool:
        if len(blocks) < 3:
            return False
        one, other = rng.sample(range(len(blocks)), 2)
        blocks[one], blocks[other] = blocks[other], blocks[one]
        return True

    return in_both(project, rng, change)


def add_a_footnote(project: Project, rng: random.Random) -> str | None:
    """Adds a footnote mark to a paragraph, and its note."""
    name = f"n{rng.randrange(100)}"

    def change(blocks: list[str], language: str) -> bool:
        at = pick(rng, places(blocks, PLAIN))
        if at is None:
            return False
        blocks[at] += f"[^{name}]"
        note = "注：{eval}`numbers.c`。" if language == "zh" else "Noted: {eval}`numbers.c`."
        blocks.append(f"[^{name}]: {note}")
        return True

    return in_both(project, rng, change)


NOTE = re.compile(r"\[\^(\w+)\]: (.*)", re.DOTALL)


def change_a_note(project: Project, rng: random.Random) -> str | None:
    """Changes the words of a footnote."""

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, places(blocks, NOTE))
        if at is None:
            return False
        blocks[at] += f" More, {rng.randrange(100)}."
        return True

    return in_one(project, rng, change)


def take_a_note_out(project: Project, rng: random.Random) -> str | None:
    """Removes a footnote with all its marks."""

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, places(blocks, NOTE))
        if at is None:
            return False
        found = NOTE.fullmatch(blocks.pop(at))
        assert found is not None
        blocks[:] = [block.replace(f"[^{found[1]}]", "") for block in blocks]
        return True

    return in_both(project, rng, change)


def forget_a_note(project: Project, rng: random.Random) -> str | None:
    """Adds a footnote mark without a note."""
    return in_one(project, rng, put(rng, "没有注。[^none]", "No note.[^none]"))


def _target(project: Project, rng: random.Random) -> tuple[str, str] | None:
    """Choose an article, and the id of one of its sections."""
    found = [
        (name, match[1])
        for name in project.articles()
        for half in project.halves(name).values()
        for block in half.blocks
        if (match := re.search(r"\{#([\w-]+)\}$", block))
    ]
    return rng.choice(found) if found else None


def link_to_an_article(project: Project, rng: random.Random) -> str | None:
    """Links to an article by its address without a language."""
    if not (names := project.articles()):
        return None
    slug = project.slug(rng.choice(names))
    return in_both(project, rng, put(rng, f"看[那篇](/posts/{slug}/)。", f"See [that](/posts/{slug}/)."))


def link_to_a_section(project: Project, rng: random.Random) -> str | None:
    """Links to a section of any article by its full address."""
    if (found := _target(project, rng)) is None:
        return None
    address = f"/posts/{project.slug(found[0])}/#{found[1]}"
    return in_both(project, rng, put(rng, f"看[那节]({address})。", f"See [that section]({address})."))


def link_to_a_half_by_its_file(project: Project, rng: random.Random) -> str | None:
    """Links to the file of a half, as editors complete it."""
    if not (names := project.articles()):
        return None
    name = rng.choice(names)
    path = f"../{name}/{rng.choice(['zh', 'en'])}.md"
    return in_both(project, rng, put(rng, f"看[文件]({path})。", f"See [the file]({path})."))


def link_to_the_chinese_half(project: Project, rng: random.Random) -> str | None:
    """Links to the Chinese page from pages of both languages."""
    if not (names := project.articles()):
        return None
    slug = project.slug(rng.choice(names))
    return in_both(project, rng, put(rng, f"[中文](/zh/posts/{slug}/)", f"[Chinese](/zh/posts/{slug}/)"))


def link_within_the_article(project: Project, rng: random.Random) -> str | None:
    """Links to an id that some article has, which may not be this one."""
    found = _target(project, rng)
    name = found[1] if found else "nowhere"
    return in_both(project, rng, put(rng, f"[此处](#{name})", f"[here](#{name})"))


def link_to_a_static_file(project: Project, rng: random.Random) -> str | None:
    """Links to a static file by its path from the site's root."""
    files = [path.removeprefix("site/static") for path in project.files("site/static") if " " not in path]
    if not files:
        return None
    path = rng.choice(files)
    return in_both(project, rng, put(rng, f"[文件]({path})", f"[a file]({path})"))


def link_to_a_file_beside(project: Project, rng: random.Random) -> str | None:
    """Adds and links a file beside the article, which is published with its digest in the name."""
    names = [name for name in project.pairs() if project.folder(name)]
    if not names:
        return None
    name = rng.choice(names)
    project.write(f"content/posts/{name}/data.csv", f"{rng.randrange(100)},2\n")
    for language, half in project.halves(name).items():
        half.blocks.append("[data](data.csv)")
        project.save(name, language, half)
    return name


def change_a_file_beside(project: Project, rng: random.Random) -> str | None:
    """Changes such a file, so that links to it need its new name."""
    files = [path for path in project.files("content") if path.endswith(".csv")]
    if not files:
        return None
    path = rng.choice(files)
    project.write(path, f"{rng.randrange(1000)}\n")
    return path


def link_to_the_tags(project: Project, rng: random.Random) -> str | None:
    """Links to a list of terms, which always exists, or to a term's page, which may not."""
    path = rng.choice(["/tags/", "/tags/roofline/", "/tags/chips/", "/categories/", "/categories/hardware/"])
    return in_both(project, rng, put(rng, f"[标签]({path})", f"[tags]({path})"))


def link_home(project: Project, rng: random.Random) -> str | None:
    """Links to the list of a language, or to that of the page's own."""
    path = rng.choice(["/", "/zh/", "/en/"])
    return in_both(project, rng, put(rng, f"[首页]({path})", f"[home]({path})"))


def link_nowhere(project: Project, rng: random.Random) -> str | None:
    """Links to a mistyped target."""
    path = rng.choice(
        ["nothing.csv", "/posts/nobody/", "../nobody/zh.md", "#nothing", "/nothing.txt", "../*/zh.md"]
    )
    return in_one(project, rng, put(rng, f"[没有]({path})", f"[nothing]({path})"))


def link_with_odd_characters(project: Project, rng: random.Random) -> str | None:
    """Links to a file with spaces in its name, in a folder with a Chinese name."""
    names = [name for name in project.pairs() if project.folder(name)]
    if not names:
        return None
    name = rng.choice(names)
    project.write(f"content/posts/{name}/图/a b.csv", str(rng.randrange(9)))
    for language, half in project.halves(name).items():
        half.blocks.append("[data](<图/a b.csv>)")
        project.save(name, language, half)
    return name


def correct_a_link(project: Project, rng: random.Random) -> str | None:
    """Replaces some link's target by the list of tags."""

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, [n for n, block in enumerate(blocks) if "](" in block and "![" not in block])
        if at is None:
            return False
        blocks[at] = re.sub(r"\]\([^)]*\)", "](/tags/)", blocks[at], count=1)
        return True

    return in_one(project, rng, change)


def write_html(project: Project, rng: random.Random) -> str | None:
    """Adds raw HTML, which is kept as it is."""
    return in_both(project, rng, put(rng, '<p class="a">原样{n}</p>', '<p class="a">As it is, {n}</p>'))


def write_markdown_in_html(project: Project, rng: random.Random) -> str | None:
    """Adds Markdown with a quoted value inside raw HTML."""
    text = '<div class="aside" markdown="1">\n{} **{{eval}}`numbers.c`**.\n</div>'
    return in_both(project, rng, put(rng, text.format("内"), text.format("Inside")))


def leave_html_open(project: Project, rng: random.Random) -> str | None:
    """Adds an HTML tag that is never closed."""
    return in_one(project, rng, put(rng, "<div>\n没关", "<div>\nopen"))


def change_code(project: Project, rng: random.Random) -> str | None:
    """Changes a code block in both halves, or adds one."""
    number = rng.randrange(100)

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, [n for n, block in enumerate(blocks) if block.startswith("```python")])
        if at is None:
            blocks.append(f"```python\nprint({number})\n```")
        else:
            blocks[at] = f"```python\nfor n in range({number}):\n    run(n)\n```"
        return True

    return in_both(project, rng, change)


def change_the_language_of_code(project: Project, rng: random.Random) -> str | None:
    """Changes the language of a code block to a known, a plain or an unknown one."""
    word = rng.choice(["c", "text", "", "nonesuch"])

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, [n for n, block in enumerate(blocks) if re.match(r"```\w*\n", block)])
        if at is None:
            return False
        blocks[at] = re.sub(r"^```\w*", f"```{word}", blocks[at])
        return True

    return in_both(project, rng, change)


def write_a_formula(project: Project, rng: random.Random) -> str | None:
    """Adds a formula inside a line, and one on lines of its own."""
    return in_both(
        project, rng, put(rng, "是 $x^{n}$。\n\n$$\ny = {n}\n$$", "It is $x^{n}$.\n\n$$\ny = {n}\n$$")
    )


def number_a_formula(project: Project, rng: random.Random) -> str | None:
    """Adds a numbered formula and a reference to it."""
    text = "$$\nz = {n}\n$$ (eq:z{n})\n\n[({n})](#eq:z{n})"
    return in_both(project, rng, put(rng, text, text))


def break_a_formula(project: Project, rng: random.Random) -> str | None:
    """Adds invalid LaTeX."""
    return in_one(project, rng, put(rng, "坏的 $\\frac{1$", "Broken $\\frac{1$"))


def write_an_admonition(project: Project, rng: random.Random) -> str | None:
    """Adds an admonition with or without a title of its own."""
    kind = rng.choice(["note", "tip", "important", "warning", "caution"])
    title = rng.choice(["", " *X*"])
    return in_both(
        project, rng, put(rng, f":::{{{kind}}}{title}\n注意。\n:::", f":::{{{kind}}}{title}\nMind.\n:::")
    )


def nest_an_admonition(project: Project, rng: random.Random) -> str | None:
    """Adds an admonition inside another."""
    text = "::::{warning}\nA.\n\n:::{tip}\nB {n}.\n:::\n::::"
    return in_both(project, rng, put(rng, text, text))


def write_a_list(project: Project, rng: random.Random) -> str | None:
    """Adds a numbered list, a task list or a definition list."""
    text = rng.choice(["1. a\n2. b {n}", "- [x] done\n- [ ] not {n}", "Ridge\n: Where roofs meet, {n}."])
    return in_both(project, rng, put(rng, text, text))


def write_a_table(project: Project, rng: random.Random) -> str | None:
    """Adds a table with a quoted value in a cell."""
    text = "{#t{n}}\n| a | b |\n| - | -: |\n| {n} | {eval}`rates.rate \\| number(0)` |"
    return in_both(project, rng, put(rng, text, text))


def change_a_cell(project: Project, rng: random.Random) -> str | None:
    """Adds a row to a table of one half."""

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, [n for n, block in enumerate(blocks) if "\n| " in block])
        if at is None:
            return False
        blocks[at] += f"\n| row {rng.randrange(100)} | 1 |"
        return True

    return in_one(project, rng, change)


def name_a_block(project: Project, rng: random.Random) -> str | None:
    """Puts an id and a class on a line of their own above a paragraph."""
    number = rng.randrange(100)

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, places(blocks, PLAIN))
        if at is None:
            return False
        blocks[at] = f"{{.lead #first-{number}}}\n{blocks[at]}"
        return True

    return in_both(project, rng, change)


def use_an_id_twice(project: Project, rng: random.Random) -> str | None:
    """Gives two blocks of one half the same id."""
    return in_one(
        project, rng, put(rng, "{#twice}\n一。\n\n{#twice}\n二。", "{#twice}\nOne.\n\n{#twice}\nTwo.")
    )


def name_another_language(project: Project, rng: random.Random) -> str | None:
    """Marks words as being in the other language."""
    return in_both(project, rng, put(rng, "[roof {n}]{lang=en}。", "[屋顶 {n}]{lang=zh-Hans}."))


def leave_an_address_bare(project: Project, rng: random.Random) -> str | None:
    """Adds an address that is not a link, which is a warning."""
    return in_one(project, rng, put(rng, "见 https://example.org/{n}", "See https://example.org/{n}"))


def make_two_mistakes_in_a_line(project: Project, rng: random.Random) -> str | None:
    """Adds a line with mistakes of which some are found by the parser, others by resolving."""
    text = "https://example.org/x [x](nowhere-{n}.csv) {eval}`nobody.n`"
    return in_one(project, rng, put(rng, text, text))


def say_nothing(project: Project, rng: random.Random) -> str | None:
    """Empties an article's body."""
    return in_both(project, rng, always(lambda blocks: blocks.clear()))


def say_much(project: Project, rng: random.Random) -> str | None:
    """Adds forty paragraphs, so that the reading time is several minutes."""
    more = [f"Paragraph {n} of many, {rng.randrange(1000)}. " + "Words and words. " * 12 for n in range(40)]
    return in_both(project, rng, always(lambda blocks: blocks.extend(more)))


def swap_the_halves(project: Project, rng: random.Random) -> str | None:
    """Exchanges the bodies of the two halves."""
    names = project.pairs()
    if not names:
        return None
    name = rng.choice(names)
    halves = project.halves(name)
    project.save(name, "zh", Half(halves["zh"].keys, halves["en"].blocks))
    project.save(name, "en", Half(halves["en"].keys, halves["zh"].blocks))
    return name


def add_empty_lines(project: Project, rng: random.Random) -> str | None:
    """Adds empty lines, which change only the line numbers in diagnostics."""

    def change(blocks: list[str], _language: str) -> bool:
        blocks.insert(rng.randint(0, len(blocks)), "\n" * rng.randint(1, 4))
        return True

    return in_one(project, rng, change)


def emphasise_in_chinese(project: Project, rng: random.Random) -> str | None:
    """Adds emphasis next to full-width punctuation, and a line break inside the paragraph."""
    return in_both(
        project, rng, put(rng, "**带宽决定一切。**这不是\n新鲜事{n}。", "**All of it.** Not\nnew, {n}.")
    )


def write_a_comment(project: Project, rng: random.Random) -> str | None:
    """Adds an HTML comment."""
    return in_one(project, rng, put(rng, "<!-- 待办 {n} -->", "<!-- to do {n} -->"))


def take_the_last_block_out_of_both(project: Project, rng: random.Random) -> str | None:
    """Removes the last block of both halves, of whatever kind."""
    return in_both(project, rng, lambda blocks, _: bool(blocks) and blocks.pop() is not None)
