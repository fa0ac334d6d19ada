"""Edits that add, remove, rename, copy and link articles and their files."""

import random

from tests.hostile.edits.project import LANGUAGES, POSTS, Project
from tests.hostile.edits.start import half

_NAMES = ("zeta", "eta", "theta", "iota", "kappa", "a", "zz-last")


def _free(project: Project, rng: random.Random) -> str | None:
    names = [
        name for name in _NAMES if name not in project.articles() and not project.exists(f"{POSTS}/{name}")
    ]
    return rng.choice(names) if names else None


def _whole(project: Project) -> list[str]:
    return [name for name in project.articles() if project.folder(name)]


def _flat(project: Project) -> list[str]:
    return [name for name in project.articles() if not project.folder(name)]


def create_an_article(project: Project, rng: random.Random) -> str | None:
    """Creates a pair in a folder of its own."""
    if (name := _free(project, rng)) is None:
        return None
    date = f"2026-11-{rng.randint(1, 14):02}"
    for language in LANGUAGES:
        text = half(f"{name} {language}", "A new article.\n\n## Part {#part}\n\nMore.\n", date=date)
        project.write(f"{POSTS}/{name}/{language}.md", text)
    return name


def create_an_article_flat(project: Project, rng: random.Random) -> str | None:
    """Creates a pair as two files directly in the folder of posts."""
    if (name := _free(project, rng)) is None:
        return None
    for language in LANGUAGES:
        project.write(f"{POSTS}/{name}.{language}.md", half(f"{name} {language}", "Flat.\n"))
    return name


def create_half_an_article(project: Project, rng: random.Random) -> str | None:
    """Creates one half only; front matter declares the missing twin, or does not."""
    if (name := _free(project, rng)) is None:
        return None
    more = rng.choice(["only: zh\n", "only: zh\n", "", "draft: true\n"])
    project.write(f"{POSTS}/{name}/zh.md", half(name, "一半。\n", more))
    return name


def delete_an_article(project: Project, rng: random.Random) -> str | None:
    """Deletes an article with its files, so that links to it break."""
    names = project.articles()
    if not names:
        return None
    name = rng.choice(names)
    for path in (f"{POSTS}/{name}", *(f"{POSTS}/{name}.{end}" for end in ("zh.md", "en.md", "meta.yaml"))):
        if project.exists(path):
            project.remove(path)
    return name


def delete_all_articles(project: Project, rng: random.Random) -> str | None:
    """Deletes all articles, with or without the folder of posts."""
    if not project.articles():
        return None
    project.remove(POSTS)
    if rng.random() < 0.5:
        project.path(POSTS).mkdir()
    return "all"


def rename_an_article(project: Project, rng: random.Random) -> str | None:
    """Renames an article's folder, and with it the address."""
    names, new = _whole(project), _free(project, rng)
    if not names or new is None:
        return None
    name = rng.choice(names)
    project.move(f"{POSTS}/{name}", f"{POSTS}/{new}")
    return f"{name} to {new}"


def rename_an_article_and_keep_its_address(project: Project, rng: random.Random) -> str | None:
    """Renames an article's folder and keeps the old address by an alias or a slug."""
    names, new = _whole(project), _free(project, rng)
    names = [name for name in names if not project.is_file(project.meta_path(name))]
    if not names or new is None:
        return None
    name = rng.choice(names)
    slug = project.slug(name)
    project.move(f"{POSTS}/{name}", f"{POSTS}/{new}")
    key, value = rng.choice([("slug", f" {slug}"), ("aliases", f" [/zh/posts/{slug}/, /en/posts/{slug}/]")])
    for language, found in project.halves(new).items():
        found.keys[key] = value
        project.save(new, language, found)
    return f"{name} to {new} by {key}"


def swap_two_articles(project: Project, rng: random.Random) -> str | None:
    """Exchanges the names of two articles' folders."""
    names = _whole(project)
    if len(names) < 2:
        return None
    one, other = rng.sample(names, 2)
    project.move(f"{POSTS}/{one}", "aside")
    project.move(f"{POSTS}/{other}", f"{POSTS}/{one}")
    project.move("aside", f"{POSTS}/{other}")
    return f"{one} and {other}"


def copy_an_article(project: Project, rng: random.Random) -> str | None:
    """Copies an article's texts to a new one, in which ids of scripts in the text are then taken."""
    names, new = project.articles(), _free(project, rng)
    if not names or new is None:
        return None
    name = rng.choice(names)
    for language, found in project.halves(name).items():
        found.keys.setdefault("date", " 2026-11-05")
        found.keys.pop("aliases", None)
        found.keys.pop("slug", None)
        project.write(f"{POSTS}/{new}/{language}.md", found.text)
    return f"{name} as {new}"


def make_a_folder_of_a_flat_article(project: Project, rng: random.Random) -> str | None:
    """Moves a flat article into a folder, where it can have files of its own."""
    names = _flat(project)
    if not names:
        return None
    name = rng.choice(names)
    for end in ("zh.md", "en.md", "meta.yaml"):
        if project.is_file(f"{POSTS}/{name}.{end}"):
            project.move(f"{POSTS}/{name}.{end}", f"{POSTS}/{name}/{end}")
    return name


def make_a_folder_flat(project: Project, rng: random.Random) -> str | None:
    """Moves the halves out of the folder; other files of the article stay in it."""
    names = _whole(project)
    if not names:
        return None
    name = rng.choice(names)
    for end in ("zh.md", "en.md", "meta.yaml"):
        if project.is_file(f"{POSTS}/{name}/{end}"):
            project.move(f"{POSTS}/{name}/{end}", f"{POSTS}/{name}.{end}")
    return name


def have_one_half_in_each_form(project: Project, rng: random.Random) -> str | None:
    """Keeps one half in the folder and moves its twin to the flat form."""
    names = [name for name in _whole(project) if project.is_file(f"{POSTS}/{name}/en.md")]
    if not names:
        return None
    name = rng.choice(names)
    project.move(f"{POSTS}/{name}/en.md", f"{POSTS}/{name}.en.md")
    return name


def have_a_half_twice(project: Project, rng: random.Random) -> str | None:
    """Writes a half both in the folder and in the flat form."""
    names = [name for name in _whole(project) if project.is_file(f"{POSTS}/{name}/zh.md")]
    if not names:
        return None
    name = rng.choice(names)
    project.write(f"{POSTS}/{name}.zh.md", project.read(f"{POSTS}/{name}/zh.md"))
    return name


def remove_a_half(project: Project, rng: random.Random) -> str | None:
    """Removes a half, and mostly declares `only` in its twin."""
    names = project.pairs()
    if not names:
        return None
    name = rng.choice(names)
    gone, kept = rng.sample(LANGUAGES, 2)
    path = project.half_path(name, gone)
    if path is None:
        return None
    project.remove(path)
    if rng.random() < 0.7:
        found = project.halves(name).get(kept)
        if found is not None:
            found.keys["only"] = f" {kept}"
            project.save(name, kept, found)
    return f"{name} {gone}"


def write_the_missing_half(project: Project, rng: random.Random) -> str | None:
    """Adds the missing half and removes `only` from the other."""
    names = [name for name in project.articles() if len(project.halves(name)) == 1]
    if not names:
        return None
    name = rng.choice(names)
    language, found = next(iter(project.halves(name).items()))
    found.keys.pop("only", None)
    project.save(name, language, found)
    twin = "en" if language == "zh" else "zh"
    folder = project.folder(name)
    project.write(f"{folder}/{twin}.md" if folder else f"{POSTS}/{name}.{twin}.md", found.text)
    return f"{name} {twin}"


def nest_an_article(project: Project, rng: random.Random) -> str | None:
    """Creates an article two folders deep, where none is allowed."""
    if (name := _free(project, rng)) is None:
        return None
    for language in LANGUAGES:
        project.write(f"{POSTS}/series/{name}/{language}.md", half(name, "Nested.\n"))
    return name


def misname_a_half(project: Project, rng: random.Random) -> str | None:
    """Creates a Markdown file whose name is not that of a half."""
    name = rng.choice(["odd.md", "alpha/fr.md", "alpha/zh.copy.md", "a.zh.en.md", "Upper/zh.md", "a b/zh.md"])
    project.write(f"{POSTS}/{name}", half("Odd", "Words.\n", "only: zh\n"))
    return name


def write_notes_beside(project: Project, rng: random.Random) -> str | None:
    """Writes files of the author that are not part of any article."""
    name = rng.choice(
        ["_draft.md", "README.md", "notes.md", "alpha/notes.md", "alpha/_old.md", "alpha/todo.txt"]
    )
    project.write(f"{POSTS}/{name}", f"Mine, {rng.randrange(100)}.\n")
    return name


def remove_what_is_misnamed(project: Project, rng: random.Random) -> str | None:
    """Removes a Markdown file that is no half, or one of the author's notes."""
    known = {project.half_path(name, language) for name in project.articles() for language in LANGUAGES}
    paths = [path for path in project.files(POSTS) if path.endswith(".md") and path not in known]
    if not paths:
        return None
    project.remove(path := rng.choice(paths))
    return path


def _some_half(project: Project, rng: random.Random) -> str | None:
    paths = [project.half_path(name, language) for name in project.articles() for language in LANGUAGES]
    found = [path for path in paths if path]
    return rng.choice(found) if found else None


def empty_a_half(project: Project, rng: random.Random) -> str | None:
    """Empties a half, as some editors do for a moment while saving."""
    if (path := _some_half(project, rng)) is None:
        return None
    project.write(path, "")
    return path


def truncate_a_half(project: Project, rng: random.Random) -> str | None:
    """Saves only the beginning of a half."""
    if (path := _some_half(project, rng)) is None:
        return None
    content = project.path(path).read_bytes()
    project.write(path, content[: rng.randint(0, len(content))])
    return path


def save_with_a_mark_of_order(project: Project, rng: random.Random) -> str | None:
    """Saves a half as UTF-8 with a byte order mark."""
    if (path := _some_half(project, rng)) is None:
        return None
    project.write(path, b"\xef\xbb\xbf" + project.path(path).read_bytes().removeprefix(b"\xef\xbb\xbf"))
    return path


def save_with_carriage_returns(project: Project, rng: random.Random) -> str | None:
    """Saves a half with Windows line endings."""
    if (path := _some_half(project, rng)) is None:
        return None
    content = project.path(path).read_bytes().replace(b"\r\n", b"\n")
    project.write(path, content.replace(b"\n", b"\r\n"))
    return path


def save_in_another_encoding(project: Project, rng: random.Random) -> str | None:
    """Saves a half in GBK, which is not valid UTF-8."""
    if (path := _some_half(project, rng)) is None:
        return None
    is_yaml = path.endswith(("yml", "yaml"))
    project.write(path, "draft: true\n" if is_yaml else "---\ntitle: 近\n---\n\n字。\n")
    return path
