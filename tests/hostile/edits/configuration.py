"""Edits of `site/site.yaml`."""

import random
import re

from tests.hostile.edits.project import Project
from tests.hostile.edits.start import SITE_YAML

CONFIG = "site/site.yaml"


def _set(project: Project, key: str, value: str | None) -> str:
    """Set a key to the text after its colon; None removes the key."""
    text = project.read(CONFIG) if project.is_file(CONFIG) else SITE_YAML
    text = re.sub(rf"^{key}:.*\n(?:[ -].*\n)*", "", text, flags=re.MULTILINE)
    if value is not None:
        text += f"{key}:{value}\n"
    project.write(CONFIG, text)
    return f"{key}:{value}"


def change_the_sites_title(project: Project, rng: random.Random) -> str | None:
    """Changes the title of one language, or sets one text for both."""
    number = rng.randrange(100)
    return _set(project, "title", rng.choice([f" {{zh: 站{number}, en: Test site}}", f" Site {number}"]))


def describe_the_site(project: Project, rng: random.Random) -> str | None:
    """Changes or removes the description."""
    return _set(
        project, "description", rng.choice([None, f" {{zh: 句, en: 'A <sentence> & {rng.randrange(9)}'}}"])
    )


def move_the_site(project: Project, rng: random.Random) -> str | None:
    """Changes the host, or the folder that the site is served from."""
    return _set(
        project,
        "base_url",
        " "
        + rng.choice(["https://example.org/blog/", "https://example.net/", "http://EXAMPLE.org:8080/a/b"]),
    )


def label_a_tag_otherwise(project: Project, rng: random.Random) -> str | None:
    """Changes a tag's label, which lists and pages show."""
    return _set(project, "tags", f"\n  roofline: {{zh: 顶{rng.randrange(9)}, en: Roofs}}\n  chips: Chips")


def take_a_tag_out(project: Project, rng: random.Random) -> str | None:
    """Removes a tag's label, which is a warning at articles with this tag."""
    return _set(project, "tags", rng.choice([None, "\n  roofline: Roofline"]))


def add_a_tag(project: Project, rng: random.Random) -> str | None:
    """Adds labels, and changes their order, which lists may follow."""
    return _set(project, "tags", "\n  rooflime: A\n  chips: B\n  roofline: C\n  nobody-knows: D")


def rename_a_tag(project: Project, rng: random.Random) -> str | None:
    """Renames a tag in the configuration and in every article."""
    new = f"roofs-{rng.randrange(9)}"
    _set(project, "tags", f"\n  {new}: Roofs\n  chips: Chips")
    for path in [*project.files("content")]:
        if path.endswith((".md", ".yaml")) and "roofline" in (text := project.read(path)):
            project.write(path, re.sub(r"^(tags:.*)\broofline\b", rf"\g<1>{new}", text, flags=re.MULTILINE))
    return new


def label_a_category_otherwise(project: Project, rng: random.Random) -> str | None:
    """Changes a category's label, or removes all."""
    return _set(
        project, "categories", rng.choice([None, f"\n  hardware: {{zh: 硬, en: Hard {rng.randrange(9)}}}"])
    )


def label_the_series_otherwise(project: Project, rng: random.Random) -> str | None:
    """Changes the label of the series, or removes it."""
    return _set(project, "series", rng.choice([None, f"\n  ser: {{zh: 列, en: Serial {rng.randrange(9)}}}"]))


def rename_an_author(project: Project, rng: random.Random) -> str | None:
    """Changes the authors, with or without addresses, or removes them."""
    number = rng.randrange(100)
    return _set(
        project,
        "authors",
        rng.choice(
            [
                None,
                f"\n  ada:\n    name: Ada {number}",
                f"\n  ada:\n    name: {{zh: 阿, en: A}}\n    url: https://example.org/{number}/"
                "\n  bob:\n    name: Bob",
            ]
        ),
    )


def change_the_navigation(project: Project, rng: random.Random) -> str | None:
    """Changes the entries of the navigation or their order, or removes it."""
    tags, other = (
        "\n  - label: Tags\n    path: /tags/",
        "\n  - label: {zh: 外, en: Out}\n    path: https://example.org/",
    )
    return _set(
        project,
        "navigation",
        rng.choice([None, tags + other, other + tags, other, "\n  - label: F\n    path: /note.txt"]),
    )


def change_the_licence(project: Project, rng: random.Random) -> str | None:
    """Changes or removes the licence, which every page shows in its footer."""
    return _set(project, "licence", rng.choice([None, " CC0", " {zh: 公有, en: Public domain}"]))


def say_where_sources_are(project: Project, rng: random.Random) -> str | None:
    """Changes or removes the address of the sources that figures link to."""
    return _set(
        project, "source_url", rng.choice([None, " https://example.org/blob/main/", " https://example.net/x"])
    )


def shorten_feeds(project: Project, rng: random.Random) -> str | None:
    """Changes the number of articles in feeds."""
    return _set(project, "feed_entries", rng.choice([None, " 1", " 2", " 100"]))


def give_figures_another_time(project: Project, rng: random.Random) -> str | None:
    """Changes the time limit of figures, which changes no page."""
    return _set(project, "figure_timeout_s", rng.choice([None, " 30", " 59.5"]))


def choose_an_editor(project: Project, rng: random.Random) -> str | None:
    """Changes the editor, which only the preview uses."""
    return _set(project, "preview", rng.choice([None, "\n  editor: vscode", "\n  editor: zed"]))


def comment_the_configuration(project: Project, rng: random.Random) -> str | None:
    """Adds a comment, which changes nothing."""
    if not project.is_file(CONFIG):
        return None
    project.write(CONFIG, f"# {rng.randrange(100)}\n" + project.read(CONFIG))
    return CONFIG


def put_the_configuration_in_another_order(project: Project, rng: random.Random) -> str | None:
    """Shuffles the keys."""
    if not project.is_file(CONFIG):
        return None
    parts = re.findall(r"^[a-z_]+:.*\n(?:[ -].*\n)*", project.read(CONFIG), flags=re.MULTILINE)
    rng.shuffle(parts)
    project.write(CONFIG, "".join(parts))
    return CONFIG


def break_the_configuration(project: Project, rng: random.Random) -> str | None:
    """Writes invalid YAML, an unknown or missing key, or an invalid value."""
    fault = rng.choice(
        [
            "title: [\n",
            "titel: A\n",
            "title: A\n",
            f"{SITE_YAML}feed_entries: 0\n",
            f"{SITE_YAML}title: B\n",
            "",
        ]
    )
    project.write(CONFIG, fault)
    return repr(fault[-20:])


def remove_the_configuration(project: Project, rng: random.Random) -> str | None:
    if not project.is_file(CONFIG):
        return None
    project.remove(CONFIG)
    return CONFIG


def put_the_first_configuration_back(project: Project, rng: random.Random) -> str | None:
    """Restores the configuration that the project began with."""
    if project.path(CONFIG).is_dir():
        project.remove(CONFIG)
    project.write(CONFIG, SITE_YAML)
    return CONFIG


def let_a_language_come_first(project: Project, rng: random.Random) -> str | None:
    """Chooses the language that comes first, or leaves the choice out."""
    return _set(project, "languages", rng.choice([None, " {first: en}", " {first: zh}", " {first: fr}"]))


def let_articles_fall_back(project: Project, rng: random.Random) -> str | None:
    """Gives articles in one language a page for readers of the other, or no longer."""
    return _set(project, "fallback", rng.choice([None, " true", " false"]))


def give_figures_pages(project: Project, rng: random.Random) -> str | None:
    """Gives every figure a page of its own, or no longer."""
    return _set(project, "gallery", rng.choice([None, " true", " false"]))


def choose_what_html_may_do(project: Project, rng: random.Random) -> str | None:
    """Chooses the policy for HTML in articles."""
    return _set(project, "html", rng.choice([None, " all", " safe", " none"]))


def set_params(project: Project, rng: random.Random) -> str | None:
    """Sets or removes values for templates."""
    return _set(
        project, "params", rng.choice([None, f" {{motto: {{zh: 句, en: Motto {rng.randrange(9)}}}}}"])
    )


def ignore_warnings(project: Project, rng: random.Random) -> str | None:
    """Ignores a rule, in some files or all."""
    return _set(
        project,
        "ignore",
        rng.choice([None, "\n  - {rule: image-text}", "\n  - {rule: halves-missing, path: 'content/**'}"]),
    )


def lead_the_navigation_to_a_page(project: Project, rng: random.Random) -> str | None:
    """Adds an entry of the navigation for a page that may not exist."""
    path = rng.choice(["/about/", "/projects/talks/", "/tags/"])
    return _set(project, "navigation", f"\n  - label: {{zh: 页, en: Page}}\n    path: {path}")
