"""Which files a pattern matches."""

from pathlib import Path

import pytest

from diglot.engine.globs import Folders, base_of, gives, is_scratch, reaches
from diglot.unreadable import Unreadable

FILES = (
    "top.md",
    "figures/a.py",
    "figures/b.py",
    "figures/data.csv",
    "posts/one/zh.md",
    "posts/one/en.md",
    "posts/one/figures/x.py",
    "posts/two/zh.md",
    "posts/two/deep/er/note.md",
    "posts/[odd] name.md",
)

SCRATCH = (
    ".git/config",
    "figures/.hidden.py",
    "figures/__pycache__/a.cpython-311.pyc",
    "figures/a.py~",
    "figures/.a.py.swp",
    "figures/a.py.swp",
    "figures/#a.py#",
    "figures/a.py.tmp",
)

CASES = {
    "*.md": ["top.md"],
    "figures/*.py": ["figures/a.py", "figures/b.py"],
    "./figures/*.py": ["figures/a.py", "figures/b.py"],
    "figures/a.py": ["figures/a.py"],
    "figures/?.py": ["figures/a.py", "figures/b.py"],
    "figures/[b-z]*": ["figures/b.py", "figures/data.csv"],
    "posts/*/figures/*.py": ["posts/one/figures/x.py"],
    "posts/**": [f for f in FILES if f.startswith("posts/")],
    "posts/**/*.md": [f for f in FILES if f.startswith("posts/") and f.endswith(".md")],
    "posts/**/figures/*.py": ["posts/one/figures/x.py"],
    "**/zh.md": ["posts/one/zh.md", "posts/two/zh.md"],
    "**": list(FILES),
    "posts/*": ["posts/[odd] name.md"],
    "figures/*.rs": [],
    "nowhere/**": [],
    "top.md/*": [],
    "": [],
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (*FILES, *SCRATCH):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path


@pytest.mark.parametrize(("pattern", "expected"), CASES.items(), ids=CASES)
def test_a_pattern_names_these_files(tree: Path, pattern: str, expected: list[str]) -> None:
    assert Folders(str(tree)).find(pattern) == tuple(sorted(expected))


def test_an_absolute_pattern_names_absolute_paths(tree: Path) -> None:
    assert Folders("/").find(f"{tree}/figures/*.csv") == (f"{tree}/figures/data.csv",)


@pytest.mark.parametrize(
    ("path", "is_there"),
    {
        "figures/../top.md": True,
        "posts/one/../../top.md": True,
        "figures//a.py": True,
        "nowhere/zh.md": False,
        "posts/nowhere/deep/zh.md": False,
        "top.md/zh.md": False,
        "Posts/one/zh.md": False,
        ".git/config": True,
    }.items(),
)
def test_one_path_is_found_as_it_is_written(tree: Path, path: str, is_there: bool) -> None:
    for before in ((), ("posts/**", "*")):  # independent of what was read before
        folders = Folders(str(tree))
        for pattern in before:
            folders.find(pattern)
        assert bool(folders.find(path)) is is_there


@pytest.mark.parametrize("name", ["zh.md", "a~b", "tmp", "sw.py", "#hash.md", "pycache"])
def test_ordinary_names_are_no_scratch(name: str) -> None:
    assert not is_scratch(name)


def test_links_to_folders_are_followed(tree: Path) -> None:
    (tree / "shared").symlink_to(tree / "posts" / "one")
    assert "shared/figures/x.py" in Folders(str(tree)).find("shared/**")


def test_a_circle_of_links_comes_to_an_end(tree: Path) -> None:
    (tree / "posts" / "one" / "up").symlink_to(tree / "posts")
    (tree / "posts" / "one" / "self").symlink_to(".")
    assert Folders(str(tree)).find("posts/**") == tuple(sorted(f for f in FILES if f.startswith("posts/")))


def test_a_link_that_leads_nowhere_is_passed_over(tree: Path) -> None:
    (tree / "figures" / "gone.py").symlink_to("nothing")
    assert Folders(str(tree)).find("figures/*.py") == ("figures/a.py", "figures/b.py")


def test_a_name_that_no_key_can_hold_is_passed_over(tree: Path) -> None:
    (tree / "figures" / "a\x1fb.py").touch()
    (tree / "figures" / "caf\udce9.py").touch()
    assert Folders(str(tree)).find("figures/*.py") == ("figures/a.py", "figures/b.py")


# The link, its target, and why nothing can read it; with the path of the circle where it is another one.
UNREADABLE = (
    ("posts/gone.md", "nothing", 'is a link to "nothing", which is not there'),
    ("posts/chain.md", "gone.md", 'is a link to "gone.md", which is not there'),
    ("posts/self", "self", 'is a link to "self", which leads back to it'),
    ("posts/here", ".", 'is a link to ".", a folder that contains it'),
    ("posts/one/up", "..", 'is a link to "..", a folder that contains it'),
    ("posts/one/root", "../..", 'is a link to "../..", a folder that contains it'),
    ("posts", "../elsewhere", 'is a link to "../elsewhere", which is not there'),
    ("posts/null", "/dev/null", 'is a link to "/dev/null", which is not a regular file'),
)


def test_every_link_that_cannot_be_read_is_named_with_its_target(tmp_path: Path) -> None:
    for path, target, why in UNREADABLE:
        root = tmp_path / path.replace("/", "_")
        (root / path).parent.mkdir(parents=True)
        (root / "posts/gone.md").symlink_to("nothing") if path == "posts/chain.md" else None
        (root / path).symlink_to(target)
        folders = Folders(str(root))
        found = [*folders.find_unreadable("posts"), *folders.find_unreadable("posts/**")]
        assert Unreadable(path, why) in found
        assert len(found) == (2 if path == "posts/chain.md" else 1), found
        assert Folders(str(root)).find("posts/**") == ()


def test_a_link_to_a_file_or_a_folder_beside_it_can_be_read(tree: Path) -> None:
    (tree / "posts" / "three").symlink_to("one")
    (tree / "posts" / "three.md").symlink_to("../top.md")
    assert Folders(str(tree)).find_unreadable("posts/**") == ()


def test_a_folder_with_the_name_of_a_file_cannot_be_read(tree: Path) -> None:
    (tree / "posts" / "one" / "fr.md").mkdir()
    folders = Folders(str(tree))
    assert folders.find_unreadable("posts/**/*.md") == (Unreadable("posts/one/fr.md", "is a folder"),)
    assert folders.find_unreadable("posts/**") == ()


REACHED = {
    "*.py": (),
    "/p/*.py": ("/p",),
    "a/**": ("a", "a/b", "a/b/c"),
    "a/*.md": ("a",),
    "a/*/c.md": ("a", "a/b"),
    "**/c.md": ("a", "a/b", "a/b/c"),
    "a/b": ("a",),
}


def test_a_folder_is_looked_into_where_a_pattern_could_match_below_it() -> None:
    for pattern, folders in REACHED.items():
        for folder in ("a", "a/b", "a/b/c", "b", "/p", "/p/q", "a/.git", ".git"):
            could = folder in folders or (pattern.startswith("**") and folder in ("b", "/p", "/p/q"))
            assert reaches(pattern, folder) == could, (pattern, folder)


@pytest.mark.parametrize(
    "pattern",
    [
        "*",
        "**",
        "a/*.md",
        "a/**",
        "**/b/*.md",
        "a/*/c.md",
        "*/*/*.md",
        "a/**/c.md",
        "a/b/c.md",
        "**/*~",
        "**/.*.md",
    ],
)
def test_what_a_pattern_gives_can_be_asked_of_a_single_path(tmp_path: Path, pattern: str) -> None:
    names = [
        "c.md",
        "a/c.md",
        "a/b/c.md",
        "a/b/.c.md",
        "a/.b/c.md",
        "a/b/d/c.md",
        "a/b/d/c.md~",
        "b/c.md",
        "a/x.py",
    ]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for root in ("", f"{tmp_path}/"):
        found = Folders(str(tmp_path)).find(root + pattern)
        assert found == tuple(sorted(root + name for name in names if gives(root + pattern, root + name)))
        base = base_of(root + pattern)
        if base is None:
            assert pattern == "a/b/c.md"
        else:
            assert all(path.startswith(base) for path in found)
