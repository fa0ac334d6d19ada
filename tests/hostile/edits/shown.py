"""Edits of how articles show figures, quote their values and refer to them."""

import random
import re

from tests.hostile.edits.project import Project
from tests.hostile.edits.writing import PLAIN, always, in_both, in_one, pick, places, put

FIGURE = re.compile(r"```\{(figure|table)\}.*", re.DOTALL)
SCRIPT = """\
```{{figure-script}} inline_one
TITLE = {{"zh": "内", "en": "Inside"}}

def compute():
    return {{"n": {n}}}
```"""


def show_a_figure(project: Project, rng: random.Random) -> str | None:
    """Shows a script's drawing under a new name."""
    text = "```{figure} bars\n:name: bars-{n}\nBars, {n}.\n```"
    return in_both(project, rng, put(rng, text, text))


def show_a_table(project: Project, rng: random.Random) -> str | None:
    """Shows a script's table."""
    figure = rng.choice(["numbers", "rates"])
    text = f"```{{table}} {figure}\n:name: tab-{{n}}\nNumbers.\n```"
    return in_both(project, rng, put(rng, text, text))


def show_a_table_with_parameters(project: Project, rng: random.Random) -> str | None:
    """Shows a table with parameters set by the article."""
    options = rng.choice([":dtype: fp8", ":batch: 8", ":dtype: fp8\n:batch: 16"])
    text = f"```{{table}} rates\n:name: tab-{{n}}\n{options}\nRates.\n```"
    return in_both(project, rng, put(rng, text, text))


def show_a_table_with_a_wrong_parameter(project: Project, rng: random.Random) -> str | None:
    """Sets an invalid value, or a parameter that does not exist."""
    options = rng.choice([":dtype: fp9", ":batch: 0", ":batsch: 8"])
    text = f"```{{table}} rates\n:name: tab-{{n}}\n{options}\nRates.\n```"
    return in_one(project, rng, put(rng, text, text))


def show_what_does_not_draw(project: Project, rng: random.Random) -> str | None:
    """Shows a script that has no drawing."""
    return in_one(project, rng, put(rng, "```{figure} peaks\n图。\n```", "```{figure} peaks\nNone.\n```"))


def show_a_figure_that_is_not_there(project: Project, rng: random.Random) -> str | None:
    """Shows a figure by a mistyped id."""
    return in_one(project, rng, put(rng, "```{figure} barz\n图。\n```", "```{figure} barz\nNone.\n```"))


def stop_showing_a_figure(project: Project, rng: random.Random) -> str | None:
    """Removes a figure, which may break references to it."""

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, places(blocks, FIGURE))
        if at is None:
            return False
        del blocks[at]
        return True

    return in_both(project, rng, change)


def stop_showing_a_figure_in_one_half(project: Project, rng: random.Random) -> str | None:
    """Removes a figure from one half; numbers follow the rows of both halves."""

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, places(blocks, FIGURE))
        if at is None:
            return False
        del blocks[at]
        return True

    return in_one(project, rng, change)


def change_a_caption(project: Project, rng: random.Random) -> str | None:
    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, places(blocks, FIGURE))
        if at is None:
            return False
        blocks[at] = blocks[at].removesuffix("\n```") + f" More {rng.randrange(100)}.\n```"
        return True

    return in_one(project, rng, change)


def quote_a_value_in_a_caption(project: Project, rng: random.Random) -> str | None:
    """Quotes a value in a caption, perhaps of another figure."""
    value = rng.choice(["numbers.a", "bars.values[1]", "rates(dtype='fp8').rate"])

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, places(blocks, FIGURE))
        if at is None:
            return False
        blocks[at] = blocks[at].removesuffix("\n```") + f" {{eval}}`{value}`\n```"
        return True

    return in_both(project, rng, change)


def name_a_figure_otherwise(project: Project, rng: random.Random) -> str | None:
    """Renames a shown figure, which breaks references by the old name."""
    number = rng.randrange(100)

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, [n for n in places(blocks, FIGURE) if ":name:" in blocks[n]])
        if at is None:
            return False
        blocks[at] = re.sub(r":name: \S+", f":name: named-{number}", blocks[at])
        return True

    return in_both(project, rng, change)


def put_figures_in_another_order(project: Project, rng: random.Random) -> str | None:
    """Exchanges two figures in one half or in both, or adds two tables."""

    def change(blocks: list[str], _language: str) -> bool:
        found = places(blocks, FIGURE)
        if len(found) < 2:
            blocks += [
                "```{table} rates\n:name: one-more\nA.\n```",
                "```{table} numbers\n:name: and-more\nB.\n```",
            ]
            return True
        first, last = found[0], found[-1]
        blocks[first], blocks[last] = blocks[last], blocks[first]
        return True

    return rng.choice([in_one, in_both])(project, rng, change)


def refer_to_a_figure(project: Project, rng: random.Random) -> str | None:
    """Refers to a figure by its name, or to a section by its id."""

    def change(blocks: list[str], _language: str) -> bool:
        text = "\n".join(blocks)
        names = re.findall(r":name: (\S+)", text) + re.findall(r"^##.*\{#([\w-]+)\}$", text, re.MULTILINE)
        if not names:
            return False
        blocks.append(f"{{ref}}`{rng.choice(sorted(names))}`")
        return True

    return in_both(project, rng, change)


def refer_to_nothing(project: Project, rng: random.Random) -> str | None:
    """Refers to a mistyped name."""
    return in_one(project, rng, put(rng, "见 {ref}`fig-barz`。", "See {ref}`fig-barz`."))


def quote_a_value(project: Project, rng: random.Random) -> str | None:
    """Quotes a value in a paragraph."""
    value = rng.choice(
        ["numbers.e | join(' ')", "numbers.d", "rates.areas | sum", "peaks.peak | large", "bars.values"]
    )
    value += "" if value != "bars.values" else "[0] * 2"
    return in_both(project, rng, put(rng, f"数是 {{eval}}`{value}`。", f"It is {{eval}}`{value}`."))


def quote_a_value_with_parameters(project: Project, rng: random.Random) -> str | None:
    """Quotes a value with parameters, which are computed as a request of their own."""
    value = f"rates(dtype='{rng.choice(['bf16', 'fp8'])}', batch={rng.randint(1, 64)}).rate"
    return in_both(project, rng, put(rng, f"是 {{eval}}`{value}`。", f"It is {{eval}}`{value}`."))


def quote_two_figures_at_once(project: Project, rng: random.Random) -> str | None:
    """Quotes an expression of values from several scripts."""
    value = "numbers.a + rates.batch if numbers.b < 0 else bars.values[0]"
    return in_both(project, rng, put(rng, f"和 {{eval}}`{value}`。", f"Sum {{eval}}`{value}`."))


def quote_what_is_not_there(project: Project, rng: random.Random) -> str | None:
    """Quotes an expression that names nothing, or is invalid."""
    value = rng.choice(["numbers.zz", "nobody.a", "rates(dtype='fp9').rate", "numbers.a ||"])
    return in_one(project, rng, put(rng, f"{{eval}}`{value}`", f"It is {{eval}}`{value}`"))


def quote_a_value_in_a_heading(project: Project, rng: random.Random) -> str | None:
    """Quotes a value in a heading whose id does not depend on it."""
    text = "## {} {{eval}}`numbers.c` {{#quoted-{{n}}}}"
    return in_both(project, rng, put(rng, text.format("数"), text.format("Number")))


def quote_a_value_in_a_title(project: Project, rng: random.Random) -> str | None:
    """Quotes a value in a title, which lists, feeds and neighbours show."""
    names = project.pairs()
    if not names:
        return None
    name = rng.choice(names)
    value = rng.choice(["{eval}`numbers.a`", "{eval}`rates(dtype='fp8').rate`", "{eval}`of_beta.value`"])
    for language, half in project.halves(name).items():
        if "title" not in half.keys:
            return None
        half.keys["title"] = f' "{name} {value}"'
        project.save(name, language, half)
    return f"{name} {value}"


def quote_a_value_in_a_description(project: Project, rng: random.Random) -> str | None:
    """Quotes a value in the description of one half."""
    names = project.pairs()
    if not names:
        return None
    name = rng.choice(names)
    for language, half in project.halves(name).items():
        half.keys["description"] = ' "It is {eval}`numbers.b`"'
        project.save(name, language, half)
        return f"{name} {language}"
    return None


def write_a_script_in_the_post(project: Project, rng: random.Random) -> str | None:
    """Adds a script in a fence of the text, and quotes a value of it."""
    text = SCRIPT.format(n=rng.randrange(100)) + "\n\nIt is {eval}`inline_one.n`."
    return in_one(project, rng, put(rng, text, text))


def write_the_same_script_in_both_halves(project: Project, rng: random.Random) -> str | None:
    """Adds the same script to both halves, which counts as one script."""
    text = SCRIPT.format(n=rng.randrange(100))
    return in_both(project, rng, always(lambda blocks: blocks.append(text)))


def change_the_script_in_the_post(project: Project, rng: random.Random) -> str | None:
    """Changes the script in all halves that have it, or in one alone."""
    number, everywhere = rng.randrange(1000), rng.random() < 0.7

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, [n for n, block in enumerate(blocks) if "{figure-script}" in block])
        if at is None:
            return False
        blocks[at] = SCRIPT.format(n=number)
        return True

    return (in_both if everywhere else in_one)(project, rng, change)


def move_the_script_in_the_post(project: Project, rng: random.Random) -> str | None:
    """Adds a paragraph above the script, so that its line numbers in messages change."""

    def change(blocks: list[str], _language: str) -> bool:
        if not any("{figure-script}" in block for block in blocks):
            return False
        blocks.insert(0, "Above the script.")
        return True

    return in_one(project, rng, change)


def break_the_script_in_the_post(project: Project, rng: random.Random) -> str | None:
    """Makes the script fail at a line of the article."""

    def change(blocks: list[str], _language: str) -> bool:
        at = pick(rng, [n for n, block in enumerate(blocks) if "{figure-script}" in block])
        if at is None:
            return False
        blocks[at] = blocks[at].replace("return {", "return 1 / 0, {")
        return True

    return in_one(project, rng, change)


def take_the_script_out_of_the_post(project: Project, rng: random.Random) -> str | None:
    """Removes the script and its quotes from an article; another one may still quote it."""

    def change(blocks: list[str], _language: str) -> bool:
        kept = [block for block in blocks if "inline_one" not in block]
        changed = len(kept) < len(blocks)
        blocks[:] = kept
        return changed

    return in_both(project, rng, change)


def move_the_script_from_the_post_into_a_file(project: Project, rng: random.Random) -> str | None:
    """Moves the script into a file with the same id."""

    def change(blocks: list[str], _language: str) -> bool:
        kept = [block for block in blocks if "{figure-script}" not in block]
        changed = len(kept) < len(blocks)
        blocks[:] = kept
        return changed

    moved = in_both(project, rng, change)
    if moved:
        project.write(
            "figures/inline_one.py",
            'TITLE = {"zh": "内", "en": "Inside"}\n\ndef compute():\n    return {"n": 5}\n',
        )
    return moved


def show_a_figure_inside_a_list(project: Project, rng: random.Random) -> str | None:
    """Shows a figure inside a list, where none is allowed."""
    return in_one(
        project, rng, put(rng, "- ```{figure} bars\n  图\n  ```", "- ```{figure} bars\n  No\n  ```")
    )


def put_a_value_behind_every_paragraph(project: Project, rng: random.Random) -> str | None:
    """Appends a quoted value of one figure to every paragraph."""

    def change(blocks: list[str], _language: str) -> bool:
        found = places(blocks, PLAIN)
        for at in found:
            blocks[at] += " {eval}`rates.batch`"
        return bool(found)

    return in_both(project, rng, change)
