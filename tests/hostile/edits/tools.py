"""What tools do to files besides saving new text."""

import os
import random
import time
import unicodedata

from tests.hostile.edits.project import OUTSIDE, POSTS, Project

SOURCES = ("content", "figures", "site", "templates")


def _some(project: Project, rng: random.Random, *folders: str) -> str | None:
    paths = project.files(*(folders or SOURCES))
    return rng.choice(paths) if paths else None


def touch_a_file(project: Project, rng: random.Random) -> str | None:
    """Changes a file's times and keeps its content."""
    if (path := _some(project, rng)) is None:
        return None
    then = time.time() + rng.choice([-1e9, -3600.0, -10.0, 0.0])
    os.utime(project.path(path), (then, then))
    return path


def touch_everything(project: Project, rng: random.Random) -> str | None:
    """Sets all times to now, as a fresh checkout does."""
    for path in project.files(*SOURCES):
        os.utime(project.path(path))
    return "all"


def date_a_file_in_the_future(project: Project, rng: random.Random) -> str | None:
    """Dates a file in the future, as a machine with a wrong clock does."""
    if (path := _some(project, rng)) is None:
        return None
    then = time.time() + rng.choice([3600.0, 1e8])
    os.utime(project.path(path), (then, then))
    return path


def date_a_file_before_1970(project: Project, rng: random.Random) -> str | None:
    """Sets a time that is zero or negative."""
    if (path := _some(project, rng)) is None:
        return None
    then = rng.choice([0.0, -86_400.0])
    os.utime(project.path(path), (then, then))
    return path


def save_without_a_change(project: Project, rng: random.Random) -> str | None:
    """Saves a file with the same content."""
    if (path := _some(project, rng)) is None:
        return None
    project.write(path, project.path(path).read_bytes())
    return path


def replace_a_file_with_its_copy(project: Project, rng: random.Random) -> str | None:
    """Replaces a file by another one of the same content and times."""
    if (path := _some(project, rng)) is None:
        return None
    target = project.path(path)
    status, content = target.stat(), target.read_bytes()
    target.unlink()
    target.write_bytes(content)
    os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
    return path


def change_in_secret(project: Project, rng: random.Random) -> str | None:
    """Changes a digit and restores the old times; the length stays the same."""
    paths = [path for path in project.files(*SOURCES) if path.endswith((".md", ".txt", ".csv", ".css"))]
    if not paths:
        return None
    path = rng.choice(paths)
    target = project.path(path)
    status, content = target.stat(), bytearray(target.read_bytes())
    digits = [n for n, one in enumerate(content) if chr(one).isdigit()]
    if not digits:
        return None
    content[rng.choice(digits)] = ord(rng.choice("123456789"))
    target.write_bytes(bytes(content))
    os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
    return path


def leave_what_editors_leave(project: Project, rng: random.Random) -> str | None:
    """Adds a swap file, a backup, a lock or the like."""
    if (path := _some(project, rng)) is None:
        return None
    folder, _, name = path.rpartition("/")
    left = rng.choice(
        [f".#{name}", f"{name}~", f".{name}.swp", f"#{name}#", ".DS_Store", "4913", f"{name}.tmp"]
    )
    if left.startswith(".#"):
        link = project.path(f"{folder}/{left}")
        link.unlink(missing_ok=True)
        link.symlink_to("somebody@somewhere.123:456")  # the lock of Emacs
    else:
        project.path(f"{folder}/{left}").write_bytes(b"left\n")
    return f"{folder}/{left}"


def remove_what_editors_left(project: Project, rng: random.Random) -> str | None:
    """Removes such files, as editors do when they exit."""
    ends = ("~", ".swp", "#", ".DS_Store", "4913", ".tmp")
    left = [path for path in project.tree(*SOURCES) if path.endswith(ends) or "/.#" in path]
    for path in left:
        project.remove(path)
    return f"{len(left)} files" if left else None


def save_as_vim_does(project: Project, rng: random.Random) -> str | None:
    """Saves as vim does: checks that it can write, moves the old file away, writes, removes the old one."""
    if (path := _some(project, rng, POSTS)) is None:
        return None
    target = project.path(path)
    trial = target.with_name("4913")
    trial.write_bytes(b"")
    trial.unlink()
    content = target.read_bytes()
    aside = target.with_name(f"{target.name}~")
    target.replace(aside)
    target.write_bytes(content + b"\n")
    aside.unlink()
    return path


def link_instead_of_a_file(project: Project, rng: random.Random) -> str | None:
    """Replaces a file by a link to its copy outside."""
    if (path := _some(project, rng)) is None or project.path(path).is_symlink():
        return None
    other = project.path(f"{OUTSIDE}/{path.replace('/', '-')}")
    other.write_bytes(project.path(path).read_bytes())
    project.remove(path)
    project.path(path).symlink_to(other)
    return path


def lead_a_link_elsewhere(project: Project, rng: random.Random) -> str | None:
    """Redirects a link to another file, perhaps of the same size, or to nothing."""
    links = [
        path for path in project.tree(*SOURCES) if project.path(path).is_symlink() and project.is_file(path)
    ]
    if not links:
        return None
    path = rng.choice(sorted(links))
    content = project.path(path).read_bytes()
    other = project.path(f"{OUTSIDE}/led-elsewhere-{rng.randrange(1000)}")
    if rng.random() < 0.8:
        other.write_bytes(content.swapcase() if path.endswith(".txt") else content + b"\n")
    project.path(path).unlink()
    project.path(path).symlink_to(other)
    return path


def put_a_file_in_place_of_a_link(project: Project, rng: random.Random) -> str | None:
    """Replaces a link by a file with the same content."""
    links = [
        path for path in project.tree(*SOURCES) if project.path(path).is_symlink() and project.is_file(path)
    ]
    if not links:
        return None
    path = rng.choice(sorted(links))
    content = project.path(path).read_bytes()
    project.path(path).unlink()
    project.path(path).write_bytes(content)
    return path


def write_through_a_hard_link(project: Project, rng: random.Random) -> str | None:
    """Changes a file through a hard link outside the project."""
    if (path := _some(project, rng, POSTS, "site/static")) is None or project.path(path).is_symlink():
        return None
    other = project.path(f"{OUTSIDE}/hard-{path.replace('/', '-')}")
    other.unlink(missing_ok=True)
    os.link(project.path(path), other)
    with other.open("ab") as file:
        file.write(f"\nHard {rng.randrange(100)}.\n".encode())
    return path


def put_a_folder_in_place_of_a_file(project: Project, rng: random.Random) -> str | None:
    """Replaces a file by a folder, empty or not."""
    if (path := _some(project, rng)) is None:
        return None
    project.remove(path)
    project.path(path).mkdir()
    if rng.random() < 0.5:
        project.path(f"{path}/inside.txt").write_text("inside")
    return path


def put_a_file_in_place_of_a_folder(project: Project, rng: random.Random) -> str | None:
    """Replaces a folder by a file."""
    folders = [
        path for path, content in project.tree("content", "figures", "templates").items() if content is None
    ]
    if not folders:
        return None
    project.remove(path := rng.choice(sorted(folders)))
    project.path(path).write_text("a file now\n")
    return path


def check_another_state_out(project: Project, rng: random.Random) -> str | None:
    """Restores an earlier state as `git checkout` does: only files that differ are written."""
    if not project.past:
        return None
    at = rng.randrange(len(project.past))
    project.restore(project.past[at])
    return f"state {at}"


def clone_it_anew(project: Project, rng: random.Random) -> str | None:
    """Removes and writes every file again, with the current time."""
    tree = project.tree()
    for path in SOURCES:
        if project.exists(path):
            project.remove(path)
    project.restore(tree)
    return "all"


def revert_one_file(project: Project, rng: random.Random) -> str | None:
    """Restores one file from an earlier state."""
    if not project.past or (path := _some(project, rng)) is None:
        return None
    found = [tree[path] for tree in project.past if isinstance(tree.get(path), bytes)]
    if not found:
        return None
    content = rng.choice(found)
    assert isinstance(content, bytes)
    project.write(path, content)
    return path


def swap_two_files(project: Project, rng: random.Random) -> str | None:
    """Exchanges two files of one kind by renaming."""
    ending = rng.choice([".md", ".py", ".txt", ".csv", ".html"])
    paths = [path for path in project.files(*SOURCES) if path.endswith(ending)]
    if len(paths) < 2:
        return None
    one, other = rng.sample(paths, 2)
    project.move(one, "aside")
    project.move(other, one)
    project.move("aside", other)
    return f"{one} and {other}"


def rename_a_file_away(project: Project, rng: random.Random) -> str | None:
    """Renames a file for a while."""
    paths = [path for path in project.files(*SOURCES) if not path.endswith(".aside")]
    if not paths:
        return None
    path = rng.choice(paths)
    project.move(path, f"{path}.aside")
    return path


def rename_a_file_back(project: Project, rng: random.Random) -> str | None:
    """Restores the name of such a file."""
    paths = [path for path in project.files(*SOURCES) if path.endswith(".aside")]
    paths = [path for path in paths if not project.exists(path.removesuffix(".aside"))]
    if not paths:
        return None
    path = rng.choice(paths)
    project.move(path, path.removesuffix(".aside"))
    return path


def rename_a_folder_and_back(project: Project, rng: random.Random) -> str | None:
    """Renames a folder and back, which changes nothing."""
    folder = rng.choice([name for name in (*SOURCES, POSTS) if project.exists(name)])
    project.move(folder, "aside")
    project.move("aside", folder)
    return folder


def copy_a_folder_back(project: Project, rng: random.Random) -> str | None:
    """Replaces a folder by its copy with the same times."""
    import shutil

    folder = rng.choice([name for name in SOURCES if project.exists(name)])
    shutil.copytree(project.path(folder), project.path("aside"), symlinks=True)
    project.remove(folder)
    project.move("aside", folder)
    return folder


def remove_a_file(project: Project, rng: random.Random) -> str | None:
    """Removes any file but the configuration."""
    paths = [path for path in project.files(*SOURCES) if path != "site/site.yaml"]
    if not paths:
        return None
    project.remove(path := rng.choice(paths))
    return path


def remove_a_folder(project: Project, rng: random.Random) -> str | None:
    """Removes any folder below the top, with its content."""
    folders = [path for path, content in project.tree(*SOURCES).items() if content is None]
    if not folders:
        return None
    project.remove(path := rng.choice(sorted(folders)))
    return path


def add_an_empty_folder(project: Project, rng: random.Random) -> str | None:
    """Adds an empty folder, as some tools leave it."""
    folder = rng.choice(["figures", POSTS, f"{POSTS}/alpha", "site/static", "templates", "templates/static"])
    if project.exists(folder) and not project.path(folder).is_dir():
        return None
    project.path(path := f"{folder}/empty-{rng.randrange(5)}").mkdir(parents=True, exist_ok=True)
    return path


def cut_the_end_off_a_file(project: Project, rng: random.Random) -> str | None:
    """Truncates a file, as an unfinished copy does."""
    if (path := _some(project, rng)) is None:
        return None
    content = project.path(path).read_bytes()
    project.write(path, content[: len(content) // 2])
    return path


def put_bytes_into_a_file(project: Project, rng: random.Random) -> str | None:
    """Inserts bytes that are not UTF-8."""
    paths = [
        path for path in project.files(*SOURCES) if path.endswith((".md", ".yaml", ".html", ".py", ".css"))
    ]
    if not paths:
        return None
    path = rng.choice(paths)
    content = project.path(path).read_bytes()
    at = rng.randint(0, len(content))
    project.write(path, content[:at] + rng.choice([b"\xff\xfe", b"\xc3("]) + content[at:])
    return path


def take_permissions_away(project: Project, rng: random.Random) -> str | None:
    """Changes a file's permissions; skipped for root, who can read it anyway."""
    if (path := _some(project, rng)) is None or os.geteuid():
        return None
    project.path(path).chmod(rng.choice([0o000, 0o444, 0o777]))
    return path


def name_a_picture_in_another_form(project: Project, rng: random.Random) -> str | None:
    """Writes and links an article's file in two of Unicode's normal forms, equal or not."""
    names = [name for name in project.pairs() if project.folder(name)]
    if not names:
        return None
    name = rng.choice(names)
    written, asked = rng.choice([("NFC", "NFD"), ("NFC", "NFC"), ("NFD", "NFD"), ("NFD", "NFC")])
    there = unicodedata.normalize(written, "caf\u00e9.csv")  # type: ignore[arg-type]  (a form)
    project.write(f"{POSTS}/{name}/{there}", "1\n")
    for language, half in project.halves(name).items():
        half.blocks.append(f"[x](<{unicodedata.normalize(asked, there)}>)")  # type: ignore[arg-type]  (a form)
        project.save(name, language, half)
    return f"{name} {written} {asked}"


def change_many_files_at_once(project: Project, rng: random.Random) -> str | None:
    """Changes all articles, as a script would."""
    paths = [path for path in project.files(POSTS) if path.endswith(".md")]
    for path in paths:
        project.write(path, project.read(path) + f"\nAppended, {rng.randrange(100)}.\n")
    return f"{len(paths)} files" if paths else None
