"""Edits of pictures, and of how articles show them."""

import random

from tests.hostile.edits.project import POSTS, Project
from tests.hostile.edits.start import picture
from tests.hostile.edits.writing import in_both, in_one, put


def _pictures(project: Project) -> list[str]:
    return [path for path in project.files("content", "site/static") if path.endswith((".png", ".svg"))]


def show_a_picture(project: Project, rng: random.Random) -> str | None:
    """Adds a picture beside an article and shows it."""
    names = [name for name in project.pairs() if project.folder(name)]
    if not names:
        return None
    name = rng.choice(names)
    folder = rng.choice(["", "pictures/", "Pictures/deep/"])
    path = f"{folder}{rng.choice('abc')}.png"
    project.write(f"{POSTS}/{name}/{path}", picture(rng.randint(1, 30)))
    for language, half in project.halves(name).items():
        half.blocks.append(f"![A picture]({path})")
        project.save(name, language, half)
    return f"{name} {path}"


def show_a_static_picture(project: Project, rng: random.Random) -> str | None:
    """Adds a static picture and shows it by its path from the site's root."""
    project.write("site/static/logo.png", picture(rng.randint(1, 30)))
    return in_both(project, rng, put(rng, "![标志](/logo.png)", "![A logo](/logo.png)"))


def show_an_svg(project: Project, rng: random.Random) -> str | None:
    """Adds and shows an SVG, whose size is not measured."""
    names = [name for name in project.pairs() if project.folder(name)]
    if not names:
        return None
    name = rng.choice(names)
    size = rng.randint(1, 9)
    project.write(
        f"{POSTS}/{name}/dot.svg", f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="9"/>'
    )
    for language, half in project.halves(name).items():
        half.blocks.append("![dot](dot.svg){width=50%}")
        project.save(name, language, half)
    return name


def change_a_picture(project: Project, rng: random.Random) -> str | None:
    """Changes the pixels of a picture, and often its size."""
    paths = [path for path in _pictures(project) if path.endswith(".png")]
    if not paths:
        return None
    path = rng.choice(paths)
    project.write(path, picture(7, grey=rng.randrange(256)))
    return path


def change_the_size_of_a_picture(project: Project, rng: random.Random) -> str | None:
    """Changes the size of a picture, which pages contain."""
    paths = [path for path in _pictures(project) if path.endswith(".png")]
    if not paths:
        return None
    path = rng.choice(paths)
    project.write(path, picture(rng.randint(1, 40), rng.randint(1, 40)))
    return path


def spoil_a_picture(project: Project, rng: random.Random) -> str | None:
    """Replaces a picture by invalid data, or by its beginning only."""
    paths = [path for path in _pictures(project) if path.endswith(".png")]
    if not paths:
        return None
    path = rng.choice(paths)
    project.write(path, rng.choice([b"no picture", b"", picture(9)[:20], picture(9)[:-12]]))
    return path


def remove_a_picture(project: Project, rng: random.Random) -> str | None:
    """Removes a picture that an article may still show."""
    paths = _pictures(project)
    if not paths:
        return None
    path = rng.choice(paths)
    project.remove(path)
    return path


def rename_a_picture(project: Project, rng: random.Random) -> str | None:
    """Renames a picture, and updates the article that shows it."""
    paths = [path for path in _pictures(project) if path.startswith(POSTS)]
    if not paths:
        return None
    path = rng.choice(paths)
    new = path.replace(".", f"-{rng.randrange(10)}.")
    project.move(path, new)
    name = path.split("/")[2]
    for language, half in project.halves(name).items():
        old_name, new_name = path.split("/", 3)[3], new.split("/", 3)[3]
        half.blocks = [block.replace(f"]({old_name})", f"]({new_name})") for block in half.blocks]
        project.save(name, language, half)
    return f"{path} to {new}"


def change_the_case_of_a_picture(project: Project, rng: random.Random) -> str | None:
    """Changes the case of a picture's name, which some file systems ignore."""
    paths = _pictures(project)
    if not paths:
        return None
    path = rng.choice(paths)
    folder, _, name = path.rpartition("/")
    project.move(path, f"{folder}/{name.swapcase()}")
    return path


def move_a_picture_into_a_folder(project: Project, rng: random.Random) -> str | None:
    """Moves a picture and leaves its links as they are."""
    paths = _pictures(project)
    if not paths:
        return None
    path = rng.choice(paths)
    folder, _, name = path.rpartition("/")
    project.move(path, f"{folder}/moved/{name}")
    return path


def stop_showing_pictures(project: Project, rng: random.Random) -> str | None:
    """Removes all pictures from an article and keeps the files."""

    def change(blocks: list[str], _language: str) -> bool:
        kept = [block for block in blocks if "![" not in block]
        changed = len(kept) < len(blocks)
        blocks[:] = kept
        return changed

    return in_both(project, rng, change)


def quote_a_value_in_alternative_text(project: Project, rng: random.Random) -> str | None:
    """Quotes a figure's value in the alternative text of a picture."""
    address = "https://example.org/dot.png"
    text = f"![{{eval}}`numbers.c`]({address})"
    return in_one(project, rng, put(rng, text, text))


def show_a_picture_that_is_not_there(project: Project, rng: random.Random) -> str | None:
    """Shows a picture by a mistyped path."""
    path = rng.choice(["nowhere.png", "/nowhere.png", "../../nowhere.png", "pictures"])
    return in_one(project, rng, put(rng, f"![无]({path})", f"![none]({path})"))


def show_one_picture_from_two_articles(project: Project, rng: random.Random) -> str | None:
    """Shows a picture of another article by a relative path."""
    paths = [path for path in _pictures(project) if path.startswith(POSTS) and " " not in path]
    names = [name for name in project.articles() if project.folder(name)]
    if not paths or not names:
        return None
    path, name = rng.choice(paths).removeprefix(f"{POSTS}/"), rng.choice(names)
    for language, half in project.halves(name).items():
        half.blocks.append(f"![shared](../{path})")
        project.save(name, language, half)
    return f"{name} shows {path}"
