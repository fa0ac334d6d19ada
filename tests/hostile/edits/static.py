"""Edits of static files, which are published unchanged."""

import random

from tests.hostile.edits.project import OUTSIDE, Project

STATIC = "site/static"


def _some(project: Project, rng: random.Random) -> str | None:
    paths = project.files(STATIC)
    return rng.choice(paths) if paths else None


def add_a_static_file(project: Project, rng: random.Random) -> str | None:
    """Adds a file at the root or in a folder."""
    name = rng.choice(
        ["a.txt", "CNAME", "deep/b.txt", "deep/er/est/c.bin", "zh/extra.txt", "assets/mine.css"]
    )
    project.write(path := f"{STATIC}/{name}", rng.randbytes(rng.choice([0, 1, 10, 30_000])))
    return path


def change_a_static_file(project: Project, rng: random.Random) -> str | None:
    """Changes the content of a static file."""
    if (path := _some(project, rng)) is None:
        return None
    project.write(path, rng.randbytes(rng.randint(0, 50)))
    return path


def remove_a_static_file(project: Project, rng: random.Random) -> str | None:
    """Removes a static file that an article may link to."""
    if (path := _some(project, rng)) is None:
        return None
    project.remove(path)
    return path


def rename_a_static_file(project: Project, rng: random.Random) -> str | None:
    """Renames a static file, or moves it to another folder."""
    if (path := _some(project, rng)) is None:
        return None
    new = rng.choice(
        [f"{path}.old", f"{STATIC}/moved/{path.rpartition('/')[2]}", f"{STATIC}/{rng.randrange(9)}"]
    )
    if project.exists(new):
        return None
    project.move(path, new)
    return f"{path} to {new}"


def swap_two_static_files(project: Project, rng: random.Random) -> str | None:
    """Exchanges the names of two static files."""
    paths = project.files(STATIC)
    if len(paths) < 2:
        return None
    one, other = rng.sample(paths, 2)
    project.move(one, "aside")
    project.move(other, one)
    project.move("aside", other)
    return f"{one} and {other}"


def take_the_place_of_a_page(project: Project, rng: random.Random) -> str | None:
    """Puts a static file at the path of an output of diglot."""
    name = rng.choice(
        ["index.html", "zh/index.html", "sitemap.xml", "404.html", "en/posts/alpha/index.html", "robots.txt"]
    )
    project.write(path := f"{STATIC}/{name}", "Mine.\n")
    return path


def take_the_place_of_an_alias(project: Project, rng: random.Random) -> str | None:
    """Puts a static file at the path of an alias."""
    project.write(path := f"{STATIC}/{rng.choice(['old/beta/index.html', 'was-one/index.html'])}", "Mine.\n")
    return path


def add_a_page_of_its_own(project: Project, rng: random.Random) -> str | None:
    """Adds HTML that diglot does not process."""
    project.write(path := f"{STATIC}/own/index.html", f"<p>{rng.randrange(100)}</p>\n")
    return path


def add_hidden_files(project: Project, rng: random.Random) -> str | None:
    """Adds hidden or temporary files, which are not published."""
    name = rng.choice([".DS_Store", ".config/x.txt", "deep/.gitkeep", "Thumbs.db~", ".git/config"])
    project.write(path := f"{STATIC}/{name}", f"{rng.randrange(100)}")
    return path


def make_a_folder_of_a_static_file(project: Project, rng: random.Random) -> str | None:
    """Replaces a static file by a folder with a file in it."""
    if (path := _some(project, rng)) is None:
        return None
    project.remove(path)
    project.write(f"{path}/inside.txt", "Inside.\n")
    return path


def make_a_static_file_of_a_folder(project: Project, rng: random.Random) -> str | None:
    """Replaces a folder by a static file."""
    folders = [path for path, content in project.tree(STATIC).items() if content is None]
    if not folders:
        return None
    project.remove(path := rng.choice(sorted(folders)))
    project.write(path, "A file now.\n")
    return path


def remove_all_static_files(project: Project, rng: random.Random) -> str | None:
    """Removes the folder of static files."""
    if not project.exists(STATIC):
        return None
    project.remove(STATIC)
    return STATIC


def link_a_static_file(project: Project, rng: random.Random) -> str | None:
    """Adds a link to a file outside, to another static file, to nothing, or to itself."""
    target = rng.choice(["../../../outside/shared.txt", "note.txt", "nothing.txt", "linked.txt"])
    path = project.path(f"{STATIC}/linked.txt")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(target)
    return target


def link_a_static_folder(project: Project, rng: random.Random) -> str | None:
    """Adds a link to a folder outside, or to the folder that contains the link."""
    target = rng.choice(["../../../outside", "."])
    path = project.path(f"{STATIC}/linked")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() or not path.exists():
        path.unlink(missing_ok=True)
        path.symlink_to(target)
        return target
    return None


def change_what_a_link_leads_to(project: Project, rng: random.Random) -> str | None:
    """Changes the file outside that links lead to."""
    project.path(f"{OUTSIDE}/shared.txt").write_text(f"shared {rng.randrange(1000)}\n")
    return "outside/shared.txt"


def name_a_static_file_oddly(project: Project, rng: random.Random) -> str | None:
    """Adds a file whose name has spaces, Chinese, quotes, or characters that are special in addresses."""
    name = rng.choice(["a b.txt", "图.txt", "a'b.txt", "100%.txt", "q?x.txt", "a#b.txt", "[a].txt", "*.txt"])
    project.write(path := f"{STATIC}/{name}", f"{rng.randrange(100)}\n")
    return path


def change_the_case_of_a_static_file(project: Project, rng: random.Random) -> str | None:
    """Changes the case of a name: `NOTE.txt` for `note.txt`."""
    if (path := _some(project, rng)) is None:
        return None
    folder, _, name = path.rpartition("/")
    if project.exists(f"{folder}/{name.swapcase()}"):
        return None
    project.move(path, f"{folder}/{name.swapcase()}")
    return path


def name_a_static_file_in_another_form(project: Project, rng: random.Random) -> str | None:
    """Writes `é` as one character, as two, or both: Unicode's normal forms."""
    names = ["caf\u00e9.txt", "cafe\u0301.txt"]
    rng.shuffle(names)
    if project.exists(f"{STATIC}/{names[0]}") and not project.exists(f"{STATIC}/{names[1]}"):
        project.move(f"{STATIC}/{names[0]}", f"{STATIC}/{names[1]}")
    else:
        project.write(f"{STATIC}/{names[0]}", f"{rng.randrange(100)}\n")
    return repr(names[0])
