"""Edits of pages that are no posts, of files in other layouts, and of files for one language."""

import random

from tests.hostile.edits.project import LANGUAGES, Project
from tests.hostile.edits.start import half, picture

PAGES = ("about", "projects/talks", "home", "tags")


def write_a_page(project: Project, rng: random.Random) -> str | None:
    """Writes a page in both languages: plain, nested, the home text, or at an address that is taken."""
    name = rng.choice(PAGES)
    for language in LANGUAGES:
        text = f"---\ntitle: {name} {language}\n---\nPage {rng.randrange(99)}, [all](/tags/).\n"
        project.write(f"content/pages/{name}/{language}.md", text)
    return name


def write_a_page_in_one_language(project: Project, rng: random.Random) -> str | None:
    """Writes one half of a page, flat, which says so or forgets it."""
    only = rng.choice(["only: en\n", ""])
    project.write("content/pages/colophon.en.md", f"---\ntitle: Colophon\n{only}---\nA page.\n")
    return only


def remove_a_page(project: Project, rng: random.Random) -> str | None:
    """Removes one file of the pages, or all of them."""
    files = project.files("content/pages")
    if not files:
        return None
    path = rng.choice([*files, "content/pages"])
    project.remove(path)
    return path


def link_to_a_page(project: Project, rng: random.Random) -> str | None:
    """Writes an article that links to a page, which need not exist."""
    target = rng.choice(["/about/", "/en/projects/talks/", "../pages/about/zh.md"])
    for language in LANGUAGES:
        project.write(f"content/posts/pagelink.{language}.md", half("Link", f"See [it]({target}).\n"))
    return target


def write_in_another_layout(project: Project, rng: random.Random) -> str | None:
    """Writes an article as other generators have it, beside one of ours with the same name or not."""
    forms = (
        ("content/posts/bundle/index.md", "content/posts/bundle/index.en.md"),
        ("content/zh/posts/bundle.md", "content/en/posts/bundle.md"),
        ("content/posts/bundle.zh-CN.md", "content/posts/bundle.en-us.md"),
        ("content/posts/bundle.fr.md", "content/posts/bundle.en.md"),
    )
    for path in rng.choice(forms):
        project.write(path, half(path, f"In a layout, {rng.randrange(99)}.\n"))
    return "bundle"


def join_halves_of_different_names(project: Project, rng: random.Random) -> str | None:
    """Writes two halves with one `translation_key`, or with two that differ."""
    other = rng.choice(["k", "k", "l"])
    project.write("content/posts/jia.zh.md", half("甲", "一。\n", "translation_key: k\n"))
    project.write("content/posts/first.en.md", half("First", "One.\n", f"translation_key: {other}\n"))
    return other


def remove_what_other_layouts_have(project: Project, rng: random.Random) -> str | None:
    """Removes one of these files."""
    paths = [
        path for path in project.files("content") if any(one in path for one in ("bundle", "jia", "first"))
    ]
    if not paths:
        return None
    project.remove(path := rng.choice(paths))
    return path


def show_a_picture_for_one_language(project: Project, rng: random.Random) -> str | None:
    """Writes or removes the variant of a picture, which articles show under its plain name."""
    variant = "content/posts/shown/stack.zh.png"
    if project.is_file(variant) and rng.random() < 0.5:
        project.remove(variant)
        return f"removed {variant}"
    project.write("content/posts/shown/stack.png", picture(4, 3))
    project.write(variant, picture(rng.randint(1, 9), 3))
    for language in LANGUAGES:
        project.write(f"content/posts/shown/{language}.md", half("Shown", "![A stack](stack.png)\n"))
    return variant
