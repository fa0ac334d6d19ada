"""Edits that give files names which are only nearly right, and the right ones again."""

import random

from tests.hostile.edits.project import POSTS, Project

_NEARLY = (
    *("site/glossary.yml", "site/words.yaml.txt", "site/Site.yaml", "site/tags.yaml", "site/statics/x.png"),
    *("site.yaml", "figures/x.PY", "figures/x.ipynb", "figure/x.py", "template/article.html"),
    *("templates/artcle.html", "content/post/p/zh.md", "content/site.yaml", "site/hardware/x.yml"),
)


def add_a_file_with_a_nearly_right_name(project: Project, rng: random.Random) -> str | None:
    """Adds a file that nothing reads; it is a warning."""
    project.write(path := rng.choice(_NEARLY), "draft: true\n")
    return path


def remove_the_files_with_nearly_right_names(project: Project, _rng: random.Random) -> str | None:
    """Removes those again."""
    there = [path for path in _NEARLY if project.exists(path)]
    for path in there:
        project.remove(path)
    return ", ".join(there) or None


def spell_the_shared_keys_wrong(project: Project, rng: random.Random) -> str | None:
    """Renames the `meta.yaml` of an article, which is an error, or gives one its name back."""
    folders = [f"{POSTS}/{name}" for name in project.articles()]
    wrong = [path for one in folders if project.exists(path := f"{one}/meta.yml")]
    if wrong:
        project.move(path := rng.choice(wrong), path.replace(".yml", ".yaml"))
        return path
    right = [path for one in folders if project.exists(path := f"{one}/meta.yaml")]
    if not right:
        return None
    project.move(path := rng.choice(right), path.replace(".yaml", ".yml"))
    return path


def give_a_half_another_ending(project: Project, rng: random.Random) -> str | None:
    """Renames `en.md` to `en.markdown`, which is an error, or back."""
    halves = [f"{POSTS}/{name}/en" for name in project.articles()]
    wrong = [path for one in halves if project.exists(path := f"{one}.markdown")]
    right = [path for one in halves if project.exists(path := f"{one}.md")]
    if wrong:
        project.move(path := rng.choice(wrong), path.replace(".markdown", ".md"))
        return path
    if not right:
        return None
    project.move(path := rng.choice(right), path.replace(".md", ".markdown"))
    return path
