"""The folder of a blog: what is read and copied from it, and what is not, whatever somebody has put there."""

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diglot.diagnostics import Refusal
from diglot.importing import source_folder
from diglot.importing.site_import import System, import_site
from diglot.importing.source_folder import SourceFile, Unreadable, list_folder
from diglot.importing.writing.files import Batch, write_batches
from tests.importing.sources import HEXO, HUGO, JEKYLL, PNG, write_source

POST = "---\ntitle: A\ndate: 2020-02-03\nlang: en\n---\n\n![a](/img/a.png) ![b]({})\n"
BLOGS: dict[System, tuple[dict[str, str], str, str]] = {
    "jekyll": (JEKYLL, "_posts/2020-02-03-a.md", "img"),
    "hugo": (HUGO, "content/posts/a.md", "static/img"),
    "hexo": (HEXO, "source/_posts/a.md", "source/img"),
}
SECRET = "password"


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """Ends a test that waits for ever, as one that opens a pipe would."""

    def ring(number: int, frame: object) -> None:
        raise TimeoutError("reading a blog does not end")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def hard_blog(system: System, root: Path) -> tuple[Path, dict[str, str]]:
    """A blog with everything that must not be followed, and why each is refused."""
    configuration, post, pictures = BLOGS[system]
    outside = root / "outside"
    write_source(outside, {"secret.png": SECRET, "folder/secret.png": SECRET, "secret.md": SECRET})
    blog = write_source(
        root / "blog",
        {
            **configuration,
            post: POST.format("../../outside/secret.png"),
            f"{pictures}/a.png": PNG,
            ".git/config": SECRET,
            ".env": SECRET,
        },
    )
    folder = blog / pictures
    refused: dict[str, tuple[str, Callable[[Path], None]]] = {
        "absolute.png": ("is a link out", lambda path: path.symlink_to(outside / "secret.png")),
        "relative.png": (
            "is a link out",
            lambda path: path.symlink_to(os.path.relpath(outside / "secret.png", folder)),
        ),
        "chain.png": ("is a link out", lambda path: path.symlink_to("absolute.png")),
        "folder": ("is a link out", lambda path: path.symlink_to(outside / "folder")),
        "zero.png": ("is a link out", lambda path: path.symlink_to("/dev/zero")),
        "proc.png": ("is a link out", lambda path: path.symlink_to("/proc/self/environ")),
        "loop.png": ("is a link that leads nowhere", lambda path: path.symlink_to("loop.png")),
        "dangling.png": ("is a link that leads nowhere", lambda path: path.symlink_to("none.png")),
        "above": ("is a link to a folder that it is in", lambda path: path.symlink_to(blog)),
        "self": ("is a link to a folder that it is in", lambda path: path.symlink_to(".")),
        "password.png": (
            'is a link to ".git/config"',
            lambda path: path.symlink_to(os.path.relpath(blog / ".git/config", folder)),
        ),
        "env.png": ('is a link to ".env"', lambda path: path.symlink_to(blog / ".env")),
        "pipe.png": ("is a named pipe", os.mkfifo),
        "socket.png": ("is a socket", bind),
        "huge.png": ("has 2,000 MB", lambda path: (path.touch(), os.truncate(path, 2_000_000_000))),
        "line\nfeed.png": ("has a name with characters", lambda path: path.write_bytes(PNG)),
        "bell\x07.png": ("has a name with characters", lambda path: path.write_bytes(PNG)),
        os.fsdecode(b"not-utf-8-\xff.png"): (
            "has a name with characters",
            lambda path: path.write_bytes(PNG),
        ),
    }
    for name, (_, make) in refused.items():
        make(folder / name)
    return blog, {f"{pictures}/{name}": reason for name, (reason, _) in refused.items()}


def bind(path: Path) -> None:
    """Make a socket; its address is relative, because paths of sockets are short."""
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)


@pytest.mark.parametrize("system", BLOGS)
def test_nothing_outside_of_a_blog_is_copied_and_all_of_it_is_told(system: System, tmp_path: Path) -> None:
    blog, refused = hard_blog(system, tmp_path)
    result = import_site(system, blog)
    write_batches(list(result.batches), tmp_path / "project")
    left = {entry.path: entry.reason for entry in result.ledger.left}
    told = {finding.path for finding in result.findings}
    wrong = [path for path, reason in refused.items() if not left.get(path, "").startswith(reason)]
    assert not wrong, [(path, left.get(path)) for path in wrong]
    assert refused.keys() <= told
    copied = {finding.path.rpartition("/")[2] for finding in result.findings if "a copy of" in finding.fix}
    assert copied & {"pipe.png", "socket.png", "zero.png", "loop.png", "dangling.png", "huge.png"} == set()
    files = [path for path in (tmp_path / "project").rglob("*") if path.is_file()]
    assert not [path for path in files if SECRET in path.read_text("utf-8", "replace")]
    assert not [path for path in files if path.is_symlink()]
    assert (tmp_path / "project/content/posts/a/a.png").read_bytes() == PNG
    assert all(str(finding).partition("\n")[0].isprintable() for finding in result.findings)


def test_links_inside_a_blog_are_followed_once(tmp_path: Path) -> None:
    blog = write_source(tmp_path / "blog", {"a/x.png": PNG, "a/y/z.png": PNG})
    (blog / "b").symlink_to("a")
    (blog / "c.png").symlink_to("b/x.png")
    (blog / "a/y/again").symlink_to("../../b/y/..")
    folder = list_folder(blog, tools=frozenset(), at_root=frozenset())
    assert list(folder.files) == ["a/x.png", "a/y/z.png", "b/x.png", "b/y/z.png", "c.png"]
    assert set(folder.refused) == {"a/y/again", "b/y/again"}
    assert folder.count == 7


def test_links_between_folders_do_not_multiply_paths(tmp_path: Path) -> None:
    names = [f"folder-{number}" for number in range(12)]
    blog = write_source(tmp_path, {f"{name}/a.png": PNG for name in names})
    for name in names:
        for other in names:
            if other != name:
                (blog / name / f"to-{other}").symlink_to(f"../{other}")
    folder = list_folder(blog, tools=frozenset(), at_root=frozenset())
    assert len(folder.files) == 12 * 12


def test_a_file_that_becomes_a_link_or_a_pipe_is_not_read(tmp_path: Path) -> None:
    blog = write_source(tmp_path / "blog", {"folder/a.md": "text"})
    write_source(tmp_path / "outside", {"a.md": SECRET})
    file = SourceFile(root=blog.resolve(), path="folder/a.md")
    assert file.read_bytes() == b"text"
    for make in (
        lambda path: path.symlink_to(tmp_path / "outside/a.md"),
        os.mkfifo,
        lambda path: path.mkdir(),
        lambda path: None,
    ):
        (blog / "folder/a.md").unlink(missing_ok=True)
        make(blog / "folder/a.md")
        with pytest.raises(Unreadable):
            file.read_bytes()
        if (blog / "folder/a.md").is_dir():
            (blog / "folder/a.md").rmdir()
    (blog / "folder").rmdir()
    (blog / "folder").symlink_to(tmp_path / "outside")
    with pytest.raises(Unreadable, match="leads out of the blog"):
        file.read_bytes()
    for path in ("../outside/a.md", str(tmp_path / "outside/a.md"), "folder/../../outside/a.md"):
        with pytest.raises(Unreadable):
            SourceFile(root=blog.resolve(), path=path).read_bytes()


def test_a_file_that_grows_is_copied_up_to_its_size_and_one_that_shrinks_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blog = write_source(tmp_path / "blog", {"a.bin": b"x" * 1000})
    file = SourceFile(root=blog.resolve(), path="a.bin")
    opened = SourceFile.open
    monkeypatch.setattr(SourceFile, "open", lambda self: (opened(self)[0], 600))
    file.copy_to(tmp_path / "copy")
    assert (tmp_path / "copy").stat().st_size == 600
    monkeypatch.setattr(SourceFile, "open", lambda self: (opened(self)[0], 1600))
    with pytest.raises(Refusal, match=r"a\.bin became shorter"):
        write_batches([Batch(name="x", files={"x/a.bin": file})], tmp_path / "project")
    assert not (tmp_path / "project").exists()


def test_a_disk_that_is_too_small_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blog = write_source(tmp_path / "blog", {"a.bin": b"x" * 1000})
    file = SourceFile(root=blog.resolve(), path="a.bin")
    usage = type("Usage", (), {"free": 999})
    monkeypatch.setattr("diglot.importing.writing.files.shutil.disk_usage", lambda path: usage)
    with pytest.raises(Refusal, match="are free"):
        write_batches([Batch(name="x", files={"x/a.bin": file})], tmp_path / "project")
    assert not (tmp_path / "project").exists()


def test_articles_that_are_too_large_or_no_text_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_folder, "MOST_TEXT_BYTES", 500)
    monkeypatch.setattr(SourceFile.read_bytes, "__defaults__", (500,))
    post = POST.format("b.png")
    blog = write_source(
        tmp_path,
        {
            **HEXO,
            "source/_posts/a.md": post,
            "source/_posts/large.md": post + "long " * 200,
            "source/_posts/binary.md": b"\x00\x01\xff" * 9,
            "source/_posts/latin.md": "---\ntitle: Café\n---\nDéjà vu.\n".encode("latin-1"),
        },
    )
    result = import_site("hexo", blog)
    left = {entry.path: entry.reason for entry in result.ledger.left}
    assert left["source/_posts/large.md"].startswith("has 0 MB")
    assert left["source/_posts/binary.md"] == "is not a text file"
    assert left["source/_posts/latin.md"] == "is neither in UTF-8 nor in GB 18030"
    assert result.single == 1


@pytest.mark.parametrize(
    ("system", "configuration"),
    [
        ("jekyll", "source: /\ncollections_dir: ../..\ndata_dir: /etc\ncollections: [../outside]\n"),
        ("jekyll", "source: ../outside\nlayouts_dir: /etc\ninclude: [../outside]\n"),
        ("hexo", "source_dir: ../outside\ntheme: ../../outside/x\n"),
        ("hexo", "source_dir: /etc\ntheme: [a]\npublic_dir: /\n"),
        ("hugo", "contentDir: ../outside\nstaticDir: [../outside, /etc]\n"),
        (
            "hugo",
            "module:\n  mounts:\n  - {source: ../outside, target: content}\n"
            "  - {source: /etc, target: static}\n",
        ),
        ("hugo", "languages:\n  zh: {contentDir: /etc, staticDir: ../outside}\n"),
    ],
)
def test_folders_that_a_configuration_names_stay_inside_the_blog(
    system: System, configuration: str, tmp_path: Path
) -> None:
    _, post, pictures = BLOGS[system]
    names = {"jekyll": "_config.yml", "hexo": "_config.yml", "hugo": "hugo.yaml"}
    write_source(tmp_path / "outside", {"a.md": f"---\ntitle: S\n---\n{SECRET}", "x/_config.yml": SECRET})
    body = (
        POST.format("/img/%2e%2e/%2e%2e/outside/a.md")
        + "![c](/etc/hostname)\n{% include ../../outside/a.md %}"
    )
    blog = write_source(
        tmp_path / "blog",
        {names[system]: f"title: T\n{configuration}", post: body, f"{pictures}/a.png": PNG},
    )
    result = import_site(system, blog)
    contents = [content for batch in result.batches for content in batch.files.values()]
    assert not [text for text in contents if isinstance(text, str) and SECRET in text]
    assert [file.path for file in contents if not isinstance(file, str)] == [f"{pictures}/a.png"]
    assert result.single == 1


def test_a_file_that_may_not_be_read_is_left_out_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blog = write_source(tmp_path, {**HEXO, "source/_posts/a.md": POST, "source/_posts/b.md": POST})
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("b.md"))
    result = import_site("hexo", blog)
    assert [(entry.path, entry.reason) for entry in result.ledger.left] == [
        ("source/_posts/b.md", "cannot be read: permission denied")
    ]
    assert "source/_posts/b.md" in {finding.path for finding in result.findings}
    monkeypatch.undo()
    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(Refusal, match="there are no Hexo posts"):
        import_site("hexo", blog)


def refuse(path: str) -> None:
    raise PermissionError(13, "Permission denied", path)


def test_a_device_or_a_pipe_is_no_post(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    for path in (tmp_path / "a.md", Path("/dev/zero")):
        with pytest.raises(Refusal, match="is not a Markdown file"):
            import_site("hexo", path)


def test_reading_does_not_wait_while_a_folder_changes(tmp_path: Path) -> None:
    blog = write_source(tmp_path, {**HEXO, **{f"source/_posts/{n}.md": POST.format(n) for n in range(30)}})
    stop = threading.Event()

    def change() -> None:
        path = blog / "source/_posts/7.md"
        while not stop.is_set():
            path.unlink(missing_ok=True)
            os.mkfifo(path)
            path.unlink(missing_ok=True)
            path.write_text(POST.format(7), "utf-8")

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(5):
            result = import_site("hexo", blog)
            assert result.single + len(result.ledger.left) in (29, 30)
    finally:
        stop.set()
        thread.join()
