"""The output folder equals the last manifest, whatever it held before."""

import os
import shutil
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.diagnostics import DiagnosticError
from diglot.digests import digest_of
from diglot.output_paths import MARK
from diglot.publishing import output_index as output_indexes
from diglot.publishing.publisher import Published, Publisher
from diglot.publishing.putting import write_files
from diglot.publishing.unpublishing import Unpublished, unpublish


class Site:
    """An output folder, its output index, and what is published into it."""

    def __init__(self, folder: Path) -> None:
        self.output = folder / "public"
        self.output_index = folder / "cache" / "published.json"

    def publish(
        self, files: Mapping[str, bytes], *, by: Publisher | None = None, **options: Any
    ) -> Published:
        """Publish files, `by` a publisher that trusts the last state if there is one."""
        contents = {digest_of(content): content for content in files.values()}
        return (by or Publisher(self.output, output_index=self.output_index)).publish(
            {path: digest_of(content) for path, content in files.items()},
            write=partial(write_files, read=contents.__getitem__),
            trust_last_state=by is not None,
            **options,
        )

    def held(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.output).as_posix(): path.read_bytes()
            for path in self.output.rglob("*")
            if path.is_file() and path != self.output / MARK
        }

    def folders(self) -> set[str]:
        return {p.relative_to(self.output).as_posix() for p in self.output.rglob("*") if p.is_dir()}

    def times(self) -> dict[str, int]:
        return {path: (self.output / path).stat().st_mtime_ns for path in self.held()}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def _is_a_tree(files: Mapping[str, bytes]) -> bool:
    return not any(
        f"{path}/" in f"{other}/" and other != path
        for path in files
        for other in files
        if other.startswith(f"{path}/")
    )


_names = st.sampled_from(["a", "b", "A b", "页", "index.html", ".nojekyll"])
_paths = st.lists(_names, min_size=1, max_size=3).map("/".join)
_manifests = st.dictionaries(_paths, st.binary(max_size=3), max_size=6).filter(_is_a_tree)


@settings(max_examples=60, deadline=None)
@given(
    manifests=st.lists(_manifests, min_size=1, max_size=4),
    trust_last_state=st.booleans(),
    settling=st.booleans(),
)
def test_after_any_sequence_of_builds_the_folder_is_the_last_manifest(
    tmp_path_factory: pytest.TempPathFactory,
    manifests: list[dict[str, bytes]],
    trust_last_state: bool,
    settling: bool,
) -> None:
    site = Site(tmp_path_factory.mktemp("site"))
    before: dict[str, bytes] = {}
    publisher = Publisher(site.output, output_index=site.output_index) if trust_last_state else None
    for files in manifests:
        published = site.publish(files, by=publisher)
        if publisher is not None and settling:
            assert publisher.check_folder()
        assert site.held() == files
        assert site.folders() == {
            parent.as_posix() for path in files for parent in Path(path).parents if parent != Path()
        }
        assert set(published.written) == {p for p in files if before.get(p) != files[p]}
        assert set(published.removed) == before.keys() - files.keys()
        assert published.unchanged == len(files) - len(published.written)
        before = files


@settings(max_examples=60, deadline=None)
@given(strangers=_manifests, files=_manifests, lose_output_index=st.booleans())
def test_what_others_put_into_the_folder_stays_and_is_named(
    tmp_path_factory: pytest.TempPathFactory,
    strangers: dict[str, bytes],
    files: dict[str, bytes],
    lose_output_index: bool,
) -> None:
    site = Site(tmp_path_factory.mktemp("site"))
    site.publish({"index.html": b"home"})
    (site.output / "index.html").unlink()
    for path, content in strangers.items():
        (site.output / path).parent.mkdir(parents=True, exist_ok=True)
        (site.output / path).write_bytes(content)
    if lose_output_index:
        site.output_index.unlink()
    theirs = {path: content for path, content in strangers.items() if path != "index.html"}
    try:
        published = site.publish(files)
    except DiagnosticError as error:
        rules = {one.rule for one in error.diagnostics}
    else:
        rules = set()
    if rules:
        assert rules == {"output-in-the-way"}
        assert site.held() == strangers
        return
    assert site.held() == {**theirs, **files}
    assert set(published.foreign_files) == theirs.keys() - files.keys()


def test_a_second_publication_writes_nothing_and_keeps_every_time(site: Site) -> None:
    files = {"index.html": b"home", "assets/a.css": b"a"}
    site.publish(files)
    before = site.times()
    assert site.publish(files) == Published(written=(), removed=(), unchanged=2)
    assert site.times() == before


def test_an_edit_leaves_the_other_files_alone(site: Site) -> None:
    site.publish({"index.html": b"home", "a.css": b"a"})
    before = site.times()["a.css"]
    assert site.publish({"index.html": b"house", "a.css": b"a"}).written == ("index.html",)
    assert site.times()["a.css"] == before


def test_without_pruning_other_files_stay_and_are_known_until_the_next_whole_one(site: Site) -> None:
    site.publish({"a.html": b"1", "b.html": b"1"})
    part = site.publish({"b.html": b"2", "c.html": b"2"}, pruning=False)
    assert (part.written, part.removed) == (("b.html", "c.html"), ())
    assert site.held() == {"a.html": b"1", "b.html": b"2", "c.html": b"2"}
    before = site.times()
    whole = site.publish({"a.html": b"1", "c.html": b"2"})
    assert (whole.written, whole.removed) == ((), ("b.html",))
    assert site.times() == {path: before[path] for path in ("a.html", "c.html")}


@pytest.mark.parametrize("damage", [None, b"", b"[]", b"\n", b"\xff\n\xff", bytes(100)])
def test_a_lost_or_damaged_ledger_changes_no_file(site: Site, damage: bytes | None) -> None:
    files = {"index.html": b"home", "a.css": b"a"}
    site.publish(files)
    before = site.times()
    if damage is None:
        site.output_index.unlink()
    else:
        site.output_index.write_bytes(damage)
    assert site.publish(files).written == ()
    assert site.times() == before


def test_a_file_that_was_edited_by_hand_is_made_right_again(site: Site) -> None:
    site.publish({"index.html": b"home"})
    (site.output / "index.html").write_bytes(b"hand")
    os.utime(site.output / "index.html", ns=(0, 0))
    assert site.publish({"index.html": b"home"}).written == ("index.html",)
    assert site.held() == {"index.html": b"home"}


def test_a_file_becomes_a_folder_and_a_folder_a_file(site: Site) -> None:
    site.publish({"a": b"file", "b/c/d": b"deep", "b/e": b"e"})
    published = site.publish({"a/x/y": b"deep", "b": b"file"})
    assert site.held() == {"a/x/y": b"deep", "b": b"file"}
    assert published.removed == ("a", "b/c/d", "b/e")


def test_pages_are_written_after_the_files_they_use(site: Site) -> None:
    written = site.publish({"index.html": b"1", "z.css": b"2", "feed.xml": b"3", "a/b.html": b"4"}).written
    assert written == ("z.css", "a/b.html", "feed.xml", "index.html")


def test_folders_that_are_not_there_yet_come_whole_and_those_with_pages_last(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.publish({"en/index.html": b"1"})
    renamed = []
    rename = os.replace

    def note(old: str, new: str) -> None:
        renamed.append(os.path.relpath(new, site.output))
        rename(old, new)

    monkeypatch.setattr(os, "replace", note)
    files = {"en/a/index.html": b"2", "en/a/deep/index.html": b"3", "en/z.css": b"4", "en/index.html": b"5"}
    site.publish({**files, "img/b/c.svg": b"6"})
    assert site.held() == {**files, "img/b/c.svg": b"6"}
    assert renamed[:4] == ["en/z.css", "img", "en/a", "en/index.html"]


def test_nothing_is_written_through_a_link_out_of_the_folder(site: Site, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "index.html").write_bytes(b"theirs")
    site.publish({})
    (site.output / "zh").symlink_to(elsewhere)
    (site.output / "index.html").symlink_to(elsewhere / "index.html")
    published = site.publish({"zh/index.html": b"ours", "index.html": b"ours"})
    assert site.held() == {"zh/index.html": b"ours", "index.html": b"ours"}
    assert not published.foreign_files, "the links are gone"
    assert (elsewhere / "index.html").read_bytes() == b"theirs"


def test_links_that_nobody_asked_for_stay_and_their_goals_too(site: Site, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "keep").write_bytes(b"theirs")
    site.publish({"a": b"a"})
    (site.output / "folder").symlink_to(elsewhere)
    (site.output / "broken").symlink_to(tmp_path / "nowhere")
    published = site.publish({"b": b"b"})
    assert (published.removed, published.foreign_files) == (("a",), ("broken", "folder"))
    assert (elsewhere / "keep").exists()
    assert (site.output / "broken").is_symlink()


@pytest.mark.parametrize("as_file", [False, True])
def test_a_git_repository_at_the_top_of_the_output_stays(site: Site, as_file: bool) -> None:
    site.publish({"a": b"a"})
    if as_file:  # as a worktree has it
        (site.output / ".git").write_bytes(b"gitdir: ../elsewhere")
    else:
        (site.output / ".git" / "refs" / "heads").mkdir(parents=True)
    site.publish({"b": b"b"})
    assert (site.output / ".git").exists()
    assert as_file or (site.output / ".git" / "refs" / "heads").is_dir()
    unpublish(site.output)
    assert [child.name for child in site.output.iterdir()] == [".git"]


def test_a_folder_that_diglot_did_not_make_is_refused(site: Site) -> None:
    site.output.mkdir()
    (site.output / "thesis.txt").write_bytes(b"years of work")
    with pytest.raises(DiagnosticError, match="files that diglot did not make") as caught:
        site.publish({"a": b"a"})
    assert caught.value.diagnostics[0].rule == "output-foreign"
    assert caught.value.diagnostics[0].fix
    assert [child.name for child in site.output.iterdir()] == ["thesis.txt"]


def test_a_file_in_place_of_the_folder_is_refused(site: Site) -> None:
    site.output.write_bytes(b"years of work")
    with pytest.raises(DiagnosticError, match="is a file"):
        site.publish({"a": b"a"})
    assert site.output.read_bytes() == b"years of work"


def test_an_empty_folder_is_taken(site: Site) -> None:
    site.output.mkdir()
    site.publish({"a": b"a"})
    assert site.held() == {"a": b"a"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_a_diagnostic(site: Site) -> None:
    site.publish({"a": b"old"})
    site.output.chmod(0o555)
    try:
        with pytest.raises(DiagnosticError, match="cannot be written: Permission denied"):
            site.publish({"a": b"new"})
    finally:
        site.output.chmod(0o755)
    assert site.held() == {"a": b"old"}


def test_where_no_folder_can_be_made_there_is_a_diagnostic(site: Site, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    site.output = tmp_path / "file" / "public"
    with pytest.raises(DiagnosticError, match="cannot be written: Not a directory") as caught:
        site.publish({"a": b"a"})
    assert caught.value.diagnostics[0].rule == "output-unwritable"


def test_a_full_disk_leaves_the_old_site_and_the_next_build_finishes(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {"a.css": b"old a", "b.css": b"old b", "gone.css": b"old", "index.html": b"old page"}
    site.publish(old)

    def half_written(path: Path, content: bytes) -> int:
        if content == b"new b":
            with path.open("wb") as file:
                file.write(content[:2])
            raise OSError(28, "No space left on device", str(path))
        return original(path, content)

    original = Path.write_bytes
    new = {"a.css": b"new a", "b.css": b"new b", "index.html": b"new page"}
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", half_written)
        with pytest.raises(DiagnosticError, match="No space left on device"):
            site.publish(new)
    assert site.held() == old
    site.publish(new)
    assert site.held() == new


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The calls that make files durable, in order."""
    calls: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda _: calls.append("one"))
    monkeypatch.setattr(os, "sync", lambda: calls.append("all"))
    return calls


def test_what_takes_the_place_of_a_file_is_durable_before_it_does(site: Site, synced: list[str]) -> None:
    site.publish({"index.html": b"old", "a": b"a"})
    assert synced == [], "where nothing was, there is nothing to lose"
    site.publish({"index.html": b"new", "a": b"a"})
    assert synced == ["one"]
    site.publish({f"{n}.html": b"new" for n in range(100)})
    assert synced == ["one"]
    site.publish({f"{n}.html": b"newer" for n in range(100)})
    assert synced == ["one", "all"]


def test_after_a_restart_of_the_machine_contents_are_compared(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut may leave a file with the right time and size, and nothing in it."""
    boot = tmp_path / "boot_id"
    monkeypatch.setattr(output_indexes, "_BOOT_ID", boot)
    boot.write_text("first\n")
    site.publish({"a": b"whole", "b": b"b"})
    status = (site.output / "a").stat()
    (site.output / "a").write_bytes(bytes(5))
    os.utime(site.output / "a", ns=(status.st_atime_ns, status.st_mtime_ns))
    boot.write_text("second\n")
    assert site.publish({"a": b"whole", "b": b"b"}).written == ("a",)
    assert site.publish({"a": b"whole", "b": b"b"}).written == ()
    assert site.held() == {"a": b"whole", "b": b"b"}


def test_what_a_killed_publication_left_aside_is_removed(site: Site) -> None:
    site.publish({"a": b"a"})
    aside = site.output / ".diglot-new"
    aside.mkdir()
    (aside / "0").write_bytes(b"half")
    site.publish({"a": b"a"})
    assert not aside.exists()


def test_the_longest_name_a_disk_allows_can_be_published(site: Site) -> None:
    site.publish({"x" * 255: b"long"})
    assert site.held() == {"x" * 255: b"long"}


def test_unpublishing_takes_the_folder_away_and_no_folder_of_others(site: Site, tmp_path: Path) -> None:
    site.publish({"a/b": b"a"})
    assert unpublish(site.output) == Unpublished(whole=True, foreign_files=())
    assert not site.output.exists()
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "thesis.txt").write_bytes(b"years of work")
    assert not unpublish(tmp_path / "theirs")
    assert not unpublish(tmp_path / "nowhere")
    assert (tmp_path / "theirs" / "thesis.txt").exists()


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", ".git/config", MARK, "a//b", "./a"])
@pytest.mark.parametrize("trust_last_state", [False, True])
def test_a_path_that_leads_out_of_the_folder_is_refused(
    site: Site, path: str, trust_last_state: bool
) -> None:
    publisher = Publisher(site.output, output_index=site.output_index) if trust_last_state else None
    site.publish({"index.html": b"home"}, by=publisher)
    with pytest.raises(DiagnosticError, match="cannot be published"):
        site.publish({path: b"x", "index.html": b"house"}, by=publisher)
    assert site.held() == {"index.html": b"home"}


def test_trusting_the_last_state_reads_nothing_and_checks_afterwards(site: Site) -> None:
    publisher = Publisher(site.output, output_index=site.output_index)
    site.publish({"a": b"a", "b": b"b"}, by=publisher)
    (site.output / "a").write_bytes(b"spoilt")
    (site.output / "stranger").touch()
    assert site.publish({"a": b"a", "b": b"B"}, by=publisher).written == ("b",)
    assert not publisher.check_folder()
    published = site.publish({"a": b"a", "b": b"B"}, by=publisher)
    assert (published.written, published.foreign_files) == (("a",), ("stranger",))
    assert publisher.check_folder()


@pytest.mark.parametrize("gone", ["", "a"])
def test_trusting_the_last_state_looks_again_after_folders_have_gone(site: Site, gone: str) -> None:
    publisher = Publisher(site.output, output_index=site.output_index)
    files = {"a/b": b"b", "c": b"c"}
    site.publish(files, by=publisher)
    shutil.rmtree(site.output / gone)
    assert "a/b" in site.publish({**files, "a/b": b"B"}, by=publisher).written
    assert site.held() == {"a/b": b"B", "c": b"c"}


def test_what_was_published_in_a_hurry_is_known_to_the_next_process(site: Site) -> None:
    publisher = Publisher(site.output, output_index=site.output_index)
    site.publish({"a": b"a"}, by=publisher)
    site.publish({"a": b"A", "b": b"b"}, by=publisher)
    publisher.check_folder()
    before = site.output_index.read_bytes()
    assert site.publish({"a": b"A", "b": b"b"}).written == ()
    assert site.output_index.read_bytes() == before


def test_the_last_state_is_not_trusted_after_a_failed_publication(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    publisher = Publisher(site.output, output_index=site.output_index)
    site.publish({"a": b"a"}, by=publisher)
    with monkeypatch.context() as patched:
        patched.setattr("os.replace", full_disk)
        with pytest.raises(DiagnosticError):
            site.publish({"a": b"A"}, by=publisher)
    (site.output / "stranger").touch()
    assert site.publish({"a": b"A"}, by=publisher).foreign_files == ("stranger",)


def full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


def publish_early(publisher: Publisher, path: str, content: bytes) -> tuple[str, ...]:
    return publisher.publish_some(
        {path: digest_of(content)}, write=partial(write_files, read=lambda _: content)
    )


def test_some_files_are_published_early_beside_the_others(site: Site) -> None:
    publisher = Publisher(site.output, output_index=site.output_index)
    assert publish_early(publisher, "a.html", b"2") == (), "nobody knows what is there"
    site.publish({"a.html": b"1", "b.html": b"1"}, by=publisher)
    assert publish_early(publisher, "a.html", b"2") == ("a.html",)
    assert publish_early(publisher, "a.html", b"2") == ()
    assert publish_early(publisher, "new/c.html", b"2") == ("new/c.html",)
    assert site.held() == {"a.html": b"2", "b.html": b"1", "new/c.html": b"2"}
    assert publisher.check_folder()
    assert site.publish(site.held()).written == ()
    assert site.publish({"b.html": b"1"}).removed == ("a.html", "new/c.html")


def test_a_file_that_becomes_a_folder_is_not_published_early(site: Site) -> None:
    publisher = Publisher(site.output, output_index=site.output_index)
    site.publish({"a": b"1", "b.html": b"1"}, by=publisher)
    assert publish_early(publisher, "a/index.html", b"2") == ()
    assert site.held() == {"a": b"1", "b.html": b"1"}
    site.publish({"a/index.html": b"2", "b.html": b"1"}, by=publisher)
    assert site.held() == {"a/index.html": b"2", "b.html": b"1"}


class _Enough(Exception):
    """Raised to give a publication up, as after another save."""


def _pauses(count: int) -> Iterator[None]:
    yield from [None] * count
    raise _Enough


@pytest.mark.parametrize("count", range(4))
def test_a_publication_that_is_ended_between_two_files_is_gone_on_with(site: Site, count: int) -> None:
    publisher = Publisher(site.output, output_index=site.output_index)
    before = {"a.html": b"1", "b.html": b"1", "gone/c.html": b"1", "style.css": b"1"}
    after = {"a.html": b"2", "b.html": b"2", "new/d.html": b"2", "style.css": b"2"}
    site.publish(before)
    site.publish(before, by=publisher)
    pauses = _pauses(count)
    with pytest.raises(_Enough):
        site.publish(after, by=publisher, pause=lambda: next(pauses))
    whole = {path: (before.get(path), after.get(path)) for path in before | after}
    assert all(content in whole[path] for path, content in site.held().items())
    assert sum(content == b"2" for content in site.held().values()) == count + 1
    assert publisher.check_folder(), "it knows what it left"
    published = site.publish(after, by=publisher)
    assert len(published.written) == 4 - (count + 1)
    assert site.held() == after
    assert publisher.check_folder()


def test_a_publication_that_ends_while_files_are_written_has_changed_nothing(site: Site) -> None:
    publisher = Publisher(site.output, output_index=site.output_index)
    site.publish({"a.html": b"1"}, by=publisher)

    def write(_files: object) -> None:
        raise _Enough

    with pytest.raises(_Enough):
        publisher.publish({"a.html": digest_of(b"2")}, write=write, trust_last_state=True)
    assert site.held() == {"a.html": b"1"}
    assert publisher.check_folder()
    site.publish({"a.html": b"2"}, by=publisher)
    assert site.held() == {"a.html": b"2"}


def test_pages_at_new_addresses_come_before_those_that_lead_to_them_and_removals_last(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = ("a/index.html", "index.html", "feed.xml", "gone/index.html", "a.css")
    site.publish(dict.fromkeys(old, b"1"))
    moved = []
    rename = os.replace

    def note(one: str, other: str) -> None:
        moved.append(f"-{one}" if ".diglot-new" in str(other) else str(other))
        rename(one, other)

    monkeypatch.setattr(os, "replace", note)
    new = ("a/index.html", "index.html", "feed.xml", "new/index.html", "a.css")
    site.publish(dict.fromkeys(new, b"2"), is_list=lambda path: path == "index.html")
    names = [path.replace(f"{site.output}/", "") for path in moved if str(site.output) in path]
    assert names == ["a.css", "new", "a/index.html", "feed.xml", "index.html", "-gone/index.html", MARK]


def test_the_mark_names_files_so_that_they_go_though_the_cache_was_thrown_away(site: Site) -> None:
    site.publish({"a/x.html": b"1", "b.html": b"1"})
    (site.output / "mine.txt").write_bytes(b"mine")
    site.output_index.unlink()
    published = site.publish({"b.html": b"1"})
    assert (published.removed, published.foreign_files) == (("a/x.html",), ("mine.txt",))
    assert site.held() == {"b.html": b"1", "mine.txt": b"mine"}


def test_the_mark_is_the_same_whatever_was_published_before(site: Site, tmp_path: Path) -> None:
    site.publish({"a": b"1", "b": b"1"})
    site.publish({"b": b"2", "c": b"2"})
    mark = (site.output / MARK).read_bytes()
    before = (site.output / MARK).stat().st_mtime_ns
    site.publish({"b": b"3", "c": b"3"})
    assert (site.output / MARK).stat().st_mtime_ns == before
    clean = Site(tmp_path / "clean")
    clean.publish({"b": b"3", "c": b"3"})
    assert (clean.output / MARK).read_bytes() == mark


@pytest.mark.parametrize(
    "content", [b"", b"\xff\0", b"../precious\n/etc/passwd\n", b"0" * 20 + b"\n", b"Made by diglot.\n"]
)
def test_a_mark_that_somebody_changed_removes_nothing_of_theirs(
    site: Site, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "precious").write_bytes(b"years of work")
    site.publish({"a": b"1", "b/c": b"1"})
    (site.output / "mine").write_bytes(b"mine")
    (site.output / MARK).write_bytes(content)
    site.publish({"a": b"2"})
    assert site.held() == {"a": b"2", "mine": b"mine"}, "the index knows the rest"
    site.output_index.unlink()
    (site.output / MARK).write_bytes(content)
    assert site.publish({"a": b"2"}).foreign_files == ("mine",)
    assert (tmp_path / "precious").exists()


def test_a_folder_of_an_older_diglot_is_adopted(site: Site) -> None:
    site.publish({"index.html": b"old", "same": b"same", "gone": b"1"})
    (site.output / "mine").write_bytes(b"mine")
    (site.output / MARK).write_bytes(b"Made by diglot. Files that it did not make are removed.\n")
    site.output_index.unlink()
    published = site.publish({"index.html": b"new", "same": b"same"})
    assert published.written == ("index.html",)
    assert published.foreign_files == ("gone", "mine")
    assert unpublish(site.output) == Unpublished(whole=False, foreign_files=("gone", "mine"))
    assert (site.output / "mine").read_bytes() == b"mine"


@pytest.mark.parametrize("atomic", [False, True])
@pytest.mark.parametrize("trust_last_state", [False, True])
def test_a_folder_that_became_a_link_leads_nothing_out(
    site: Site, tmp_path: Path, trust_last_state: bool, atomic: bool
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("index.html", "gone.html"):
        (elsewhere / name).write_bytes(b"theirs")
    publisher = Publisher(site.output, output_index=site.output_index) if trust_last_state else None
    site.publish({"zh/index.html": b"1", "zh/gone.html": b"1", "zh/a/b.html": b"1"}, by=publisher)
    shutil.rmtree(site.output / "zh")
    (site.output / "zh").symlink_to(elsewhere)
    site.publish({"zh/index.html": b"2", "zh/a/b.html": b"2"}, by=publisher, atomic=atomic)
    assert {path.name: path.read_bytes() for path in elsewhere.iterdir()} == {
        "index.html": b"theirs",
        "gone.html": b"theirs",
    }
    assert site.held() == {"zh/index.html": b"2", "zh/a/b.html": b"2"}
    shutil.rmtree(site.output / "zh")
    (site.output / "zh").symlink_to(elsewhere)
    unpublish(site.output)
    assert len(list(elsewhere.iterdir())) == 2


@pytest.mark.parametrize("name", [".diglot-new", MARK])
def test_a_link_in_place_of_diglots_own_files_leads_nothing_out(
    site: Site, tmp_path: Path, name: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    target = elsewhere if name == ".diglot-new" else elsewhere / "file"
    (elsewhere / "file").write_bytes(b"theirs")
    site.publish({"a": b"1"})
    (site.output / name).unlink(missing_ok=True)
    (site.output / name).symlink_to(target)
    if name == MARK:
        with pytest.raises(DiagnosticError, match="did not make"):
            site.publish({"a": b"2", "b": b"2"})
        assert unpublish(site.output) is None
    else:
        site.publish({"a": b"2", "b": b"2"})
    assert [path.read_bytes() for path in elsewhere.iterdir()] == [b"theirs"]


@pytest.mark.parametrize(
    ("theirs", "ours"), [("a", "a"), ("a", "a/b.html"), ("a/mine", "a"), ("a/b/mine", "a/b")]
)
@pytest.mark.parametrize("atomic", [False, True])
def test_a_file_of_somebody_else_in_the_way_is_a_mistake_and_stays(
    site: Site, theirs: str, ours: str, atomic: bool
) -> None:
    site.publish({"index.html": b"1"})
    (site.output / theirs).parent.mkdir(parents=True, exist_ok=True)
    (site.output / theirs).write_bytes(b"mine")
    with pytest.raises(DiagnosticError) as caught:
        site.publish({"index.html": b"2", ours: b"2"}, atomic=atomic)
    assert [one.rule for one in caught.value.diagnostics] == ["output-in-the-way"]
    assert site.held() == {"index.html": b"1", theirs: b"mine"}


def test_exchanging_the_folder_keeps_files_times_and_the_repository(site: Site) -> None:
    site.publish({"a/index.html": b"1", "same.css": b"s", "gone/x.html": b"1"})
    (site.output / ".git").mkdir()
    (site.output / ".git" / "config").write_bytes(b"[core]")
    (site.output / "a/mine.txt").write_bytes(b"mine")
    (site.output / "link").symlink_to("nowhere")
    site.output.chmod(0o751)
    inode, same = site.output.stat().st_ino, (site.output / "same.css").stat()
    published = site.publish({"a/index.html": b"2", "same.css": b"s", "n/x.html": b"2"}, atomic=True)
    assert published.foreign_files == ("a/mine.txt", "link")
    files = {"a/index.html": b"2", "same.css": b"s", "n/x.html": b"2", "a/mine.txt": b"mine"}
    assert site.held() == {**files, ".git/config": b"[core]"}
    assert (site.output / "link").is_symlink()
    assert site.output.stat().st_ino != inode
    assert (site.output / "same.css").stat().st_ino == same.st_ino
    assert site.output.stat().st_mode & 0o777 == 0o751
    assert sorted(os.listdir(site.output.parent)) == ["cache", "public"]
    inode = site.output.stat().st_ino
    assert site.publish({path: files[path] for path in list(files)[:3]}, atomic=True).written == ()
    assert site.output.stat().st_ino == inode, "nothing changed, and nothing is exchanged"


def test_exchanging_the_folder_without_pruning_keeps_what_was_published_before(site: Site) -> None:
    site.publish({"a": b"1", "b": b"1"})
    published = site.publish({"b": b"2"}, pruning=False, atomic=True)
    assert (published.written, published.removed, published.foreign_files) == (("b",), (), ())
    assert site.held() == {"a": b"1", "b": b"2"}
    assert site.publish({"b": b"2"}).removed == ("a",)


def test_where_folders_cannot_be_exchanged_they_are_renamed(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diglot.publishing.exchange._swapped", lambda _one, _other: False)
    site.publish({"a": b"1"})
    (site.output / "mine").write_bytes(b"mine")
    site.publish({"a": b"2", "b": b"2"}, atomic=True)
    assert site.held() == {"a": b"2", "b": b"2", "mine": b"mine"}
    assert sorted(os.listdir(site.output.parent)) == ["cache", "public"]


def test_a_name_too_long_is_found_before_the_first_file_is_replaced(site: Site) -> None:
    site.publish({"a": b"1"})
    for name in ("x" * 256, "页" * 86, "d/" * 600 + "x"):
        with pytest.raises(DiagnosticError):
            site.publish({"a": b"2", name: b"2"})
        assert site.held() == {"a": b"1"}
