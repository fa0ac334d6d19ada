"""`diglot deploy` with real repositories and a bare remote."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from diglot.cli import main
from diglot.deploying import branch as branches
from diglot.deploying.git import Git
from diglot.diagnostics import Refusal
from tests.cli import sites
from tests.cli.sites import article, pair, write, write_site
from tests.space import outputs

CONFIG = sites.CONFIG.replace("https://example.org/", "https://ada.dev/")
"""A site at an address of somebody's: the placeholder of the others is a warning."""


def git(folder: Path, *words: str) -> str:
    """What git prints."""
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.removesuffix("\n")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that is committed, and pushed to a bare remote `origin`."""
    for name in ("NO_COLOR", "CI", "SOURCE_DATE_EPOCH", "DIGLOT_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
    }.items():
        monkeypatch.setenv(name, value)
    root = write_site(tmp_path / "site")
    write(root, {".gitignore": "/public/\n/.diglot/\n", "site/site.yaml": CONFIG})
    git(tmp_path, "init", "--quiet", "--bare", "-b", "main", "remote.git")
    git(root, "init", "--quiet", "-b", "main")
    git(root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    commit(root)
    monkeypatch.chdir(root)
    return root


def commit(root: Path, message: str = "Write", *, pushing: bool = True) -> None:
    """Commit everything, and push it."""
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", message)
    if pushing:
        git(root, "push", "--quiet", "origin", "main")


def remote(site: Path) -> Path:
    return site.parent / "remote.git"


def deployed(site: Path, branch: str = "gh-pages") -> dict[str, bytes]:
    """The files of a branch of the remote."""
    names = git(remote(site), "ls-tree", "-r", "--name-only", branch).splitlines()
    asked = "".join(f"{branch}:{name}\n" for name in names).encode()
    batch = ["git", "cat-file", "--batch"]  # one process: a site has many files
    told = subprocess.run(batch, cwd=remote(site), input=asked, capture_output=True, check=True).stdout
    files = {}
    for name in names:
        head, _, told = told.partition(b"\n")
        size = int(head.split()[-1])
        files[name], told = told[:size], told[size + 1 :]
    return files


def state(site: Path) -> tuple[str, ...]:
    """What a deployment must not touch: branches, index, work tree."""
    return (
        git(site, "for-each-ref", "refs/heads"),
        git(site, "symbolic-ref", "HEAD"),
        git(site, "ls-files", "-s"),
        git(site, "status", "--porcelain", "--ignored=no"),
        git(site, "worktree", "list"),
        git(site, "stash", "list"),
    )


def refused(capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    """What `deploy` says when it refuses."""
    capsys.readouterr()
    assert main(["deploy", *flags]) == 2
    return capsys.readouterr().err


def test_the_branch_holds_exactly_what_was_built(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = state(site)
    assert main(["deploy"]) == 0
    built = {path: content for path, content in outputs(site / "public").items() if path != ".diglot-site"}
    assert deployed(site) == built
    assert ".nojekyll" in built
    assert state(site) == before
    assert capsys.readouterr().err == (
        'deployed to the branch "gh-pages" of origin, which is new: '
        f"{len(built)} added, 0 changed, 0 removed\n"
        "the site's address: https://ada.dev/\n"
    )
    source = git(site, "log", "-1", "--format=%h")
    assert (
        git(remote(site), "log", "-1", "--format=%an: %s", "gh-pages")
        == f"Ada: Deploy the site of {source} (Write)"
    )


def test_a_second_deployment_has_nothing_to_do(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deploy"]) == 0
    first = git(remote(site), "rev-parse", "gh-pages")
    capsys.readouterr()
    assert main(["deploy"]) == 0
    assert capsys.readouterr().err.startswith(
        'nothing to deploy: the branch "gh-pages" of origin is up to date\n'
    )
    assert git(remote(site), "rev-parse", "gh-pages") == first


def test_a_change_is_a_commit_on_top_of_the_last_one(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deploy"]) == 0
    first = git(remote(site), "rev-parse", "gh-pages")
    write(site, {"content/posts/hello/en.md": article("Changed.")})
    commit(site)
    assert main(["deploy", "-m", "A better paragraph"]) == 0
    assert git(remote(site), "rev-parse", "gh-pages~1") == first
    assert git(remote(site), "log", "-1", "--format=%s", "gh-pages") == "A better paragraph"
    assert b"Changed." in deployed(site)["en/posts/hello/index.html"]


def test_a_dry_run_says_what_would_change_and_pushes_nothing(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deploy"]) == 0
    first = git(remote(site), "rev-parse", "gh-pages")
    write(site, pair("new"))
    (site / "content/posts/hello/zh.md").unlink()
    (site / "content/posts/hello/en.md").unlink()
    commit(site)
    before = state(site)
    capsys.readouterr()
    assert main(["deploy", "--dry-run"]) == 0
    out, err = capsys.readouterr()
    assert {"+ zh/posts/new/index.html", "~ zh/index.html", "- zh/posts/hello/index.html"} <= set(
        out.splitlines()
    )
    assert err.startswith('would deploy to the branch "gh-pages" of origin: ')
    assert git(remote(site), "rev-parse", "gh-pages") == first
    assert state(site) == before


def test_json_tells_the_same(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deploy", "--json", "--dry-run"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert report["dry_run"]
    assert "index.html" in report["added"]
    assert report["changed"] == report["removed"] == []


def test_bytes_are_deployed_as_they_are_whatever_the_repository_converts(site: Path) -> None:
    write(
        site,
        {".gitattributes": "* text=auto eol=crlf ident filter=shout\n", "site/static/a.txt": "one\n$Id$\n"},
    )
    git(site, "config", "filter.shout.clean", "tr a-z A-Z")
    git(site, "config", "core.autocrlf", "true")
    commit(site)
    assert main(["deploy"]) == 0
    assert deployed(site)["a.txt"] == b"one\n$Id$\n"


def test_a_file_that_git_ignores_in_the_project_is_deployed(site: Path) -> None:
    write(site, {".gitignore": "/public/\n/.diglot/\n*.log\n", "site/static/kept.log": "x\n"})
    git(site, "add", "-f", "site/static/kept.log")
    commit(site)
    assert main(["deploy"]) == 0
    assert deployed(site)["kept.log"] == b"x\n"


def test_a_domain_is_written_once_and_kept(site: Path) -> None:
    assert main(["deploy", "--cname", "Blog.Example.org"]) == 0
    assert deployed(site)["CNAME"] == b"blog.example.org\n"
    write(site, {"content/posts/hello/en.md": article("Changed.")})
    commit(site)
    assert main(["deploy"]) == 0
    assert deployed(site)["CNAME"] == b"blog.example.org\n"
    write(site, {"site/static/CNAME": "other.example.org\n"})
    commit(site)
    assert main(["deploy"]) == 0
    assert deployed(site)["CNAME"] == b"other.example.org\n"


def test_the_configuration_names_branch_remote_and_domain(site: Path) -> None:
    git(site, "remote", "rename", "origin", "upstream")
    settings = "deploy:\n  branch: pages\n  remote: upstream\n  cname: example.net\n"
    write(site, {"site/site.yaml": CONFIG + settings})
    git(site, "add", "-A")
    git(site, "commit", "--quiet", "-m", "Settings")
    git(site, "push", "--quiet", "upstream", "main")
    assert main(["deploy"]) == 0
    assert deployed(site, "pages")["CNAME"] == b"example.net\n"
    assert main(["deploy", "--branch", "other"]) == 0
    assert deployed(site, "other") == deployed(site, "pages")


def test_settings_of_deployments_make_no_page_again(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "-q"]) == 0
    write(site, {"site/site.yaml": CONFIG + "deploy:\n  branch: pages\n"})
    capsys.readouterr()
    assert main(["build", "-v"]) == 0
    err = capsys.readouterr().err
    assert "project: " in err
    assert "page" not in err


def test_what_is_not_committed_is_named(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(site, {"content/posts/hello/en.md": article("Changed."), **pair("new")})
    assert refused(capsys) == (
        "diglot: not deployed: the project has changes that are not committed: "
        "content/posts/hello/en.md, content/posts/new/\n"
        "  fix: commit them, or deploy them all the same with --allow-dirty.\n"
    )
    assert main(["deploy", "--allow-dirty"]) == 0
    assert "zh/posts/new/index.html" in deployed(site)


def test_an_output_that_git_does_not_ignore_is_no_change_of_the_project(site: Path) -> None:
    (site / ".gitignore").unlink()
    commit(site)
    assert main(["deploy"]) == 0
    assert main(["deploy"]) == 0


def test_what_is_on_no_remote_is_not_deployed(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(site, {"content/posts/hello/en.md": article("Changed.")})
    commit(site, pushing=False)
    assert refused(capsys) == (
        "diglot: not deployed: the last commit of the project is on no remote\n"
        "  fix: run `git push` first, or deploy it all the same with --allow-unpushed.\n"
    )
    assert main(["deploy", "--allow-unpushed"]) == 0
    assert b"Changed." in deployed(site)["en/posts/hello/index.html"]


def test_a_site_with_errors_is_not_deployed(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(site, {"content/posts/hello/en.md": article("{eval}`nope.x`")})
    commit(site)
    assert main(["deploy"]) == 1
    assert capsys.readouterr().err.endswith("not deployed: 1 error\n")
    assert git(remote(site), "branch", "--list", "gh-pages") == ""


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (
            ["-D"],
            "--drafts would publish drafts\n  fix: leave it out; `diglot serve` shows drafts only to you.",
        ),
        (["-F"], "--future would publish future articles"),
        (["--clock", "9999-01-01"], "--clock 9999-01-01 would publish future articles"),
        (["-E"], "--expired would publish expired articles"),
        (["--remote", "orgin"], 'the repository has no remote "orgin"\n  fix: did you mean "origin"?'),
        (
            ["--branch", "main"],
            '"main" is the branch that you work on\n  fix: choose another one with --branch',
        ),
        (["--branch", "a..b"], '"a..b" cannot be the name of a branch'),
        (["--cname", "https://example.org"], '"https://example.org" is not a domain'),
        (["--to", "x", "--branch", "y"], "--branch is for a branch, and --to names another target"),
        (["--to", "x", "-o", "y"], "--output has no effect on a deployment to a folder"),
        (["--to", "content"], "is inside content/, which is not a place for output"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_happens(
    flags: list[str], said: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"{said}" in refused(capsys, *flags)
    assert git(remote(site), "branch", "--format=%(refname:short)") == "main"


def test_a_branch_with_sources_is_never_overwritten(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(site, "push", "--quiet", "origin", "main:drafts")
    assert refused(capsys, "--branch", "drafts") == (
        'diglot: not deployed: the branch "drafts" of origin holds the sources of a site\n'
        "  fix: choose another one with --branch, such as gh-pages: it holds nothing but the site.\n"
    )


def test_outside_of_a_repository_the_way_out_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_site(tmp_path / "alone")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.chdir(root)
    assert refused(capsys) == (
        f"diglot: not deployed: {root} is not in a Git repository\n"
        "  fix: run `git init`, commit the project and add a remote, or deploy to another place with --to.\n"
    )


def test_what_others_have_pushed_meanwhile_is_kept(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "-q"]) == 0
    paths = sorted(outputs(site / "public"))
    repository = Git(site)
    prepared = branches.prepare(
        repository,
        site / "public",
        paths,
        remote="origin",
        branch="gh-pages",
        cname=None,
        message=None,
        config="site/site.yaml",
    )
    git(site, "commit-tree", "HEAD^{tree}", "-m", "Another's")
    other = git(site, "commit-tree", "HEAD^{tree}", "-m", "Another's")
    git(site, "push", "--quiet", "origin", f"{other}:refs/heads/gh-pages")
    with pytest.raises(Refusal) as refusal:
        branches.push(repository, prepared)
    assert (refusal.value.message, refusal.value.fix) == (
        'somebody else has pushed to "gh-pages" of origin meanwhile',
        "run `diglot deploy` again.",
    )
    assert git(remote(site), "rev-parse", "gh-pages") == other


def test_a_push_that_the_host_declines_says_why(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hook = remote(site) / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho 'fatal: pages are closed today' >&2\nexit 1\n", "utf-8")
    hook.chmod(0o755)
    assert refused(capsys).startswith('diglot: not deployed: origin did not accept the push to "gh-pages": ')


def test_a_remote_out_of_reach_says_so(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(site, "remote", "add", "gone", str(site.parent / "gone.git"))
    assert refused(capsys, "--remote", "gone").endswith(
        "  fix: check the network, and the address with `git remote get-url gone`.\n"
    )


def test_without_a_name_git_is_told_one(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for variable in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(variable)
    git(site, "config", "user.useConfigOnly", "true")
    assert refused(capsys) == (
        "diglot: not deployed: git does not know who you are\n"
        "  fix: set `git config user.name NAME` and `git config user.email ADDRESS`.\n"
    )


def test_a_project_inside_of_a_repository_is_deployed_alone(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_site(site / "docs/blog")
    write(site, {"docs/blog/site/site.yaml": CONFIG})
    commit(site)
    write(site, {"notes.txt": "of the other project, not committed"})
    monkeypatch.chdir(site / "docs/blog")
    assert main(["deploy"]) == 0
    assert main(["deploy"]) == 0
    assert "zh/posts/hello/index.html" in deployed(site)


def test_a_site_below_a_path_gets_a_note_on_robots(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deploy", "-b", "https://ada.github.io/blog/"]) == 0
    assert capsys.readouterr().err.endswith(
        "note: crawlers read only https://ada.github.io/robots.txt, not the one below /blog/: "
        "submit https://ada.github.io/blog/sitemap.xml to search engines yourself\n"
        "the site's address: https://ada.github.io/blog/\n"
    )


def test_an_interrupted_deployment_leaves_nothing_behind(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TMPDIR", str(site.parent / "temporary"))
    (site.parent / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", None)
    before = state(site)

    def interrupted(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(branches, "_commit", interrupted)
    assert main(["deploy"]) == 130
    assert state(site) == before
    assert [
        one.name for one in (site.parent / "temporary").iterdir() if one.name.startswith("diglot-deploy")
    ] == []
    assert git(remote(site), "branch", "--format=%(refname:short)") == "main"


def test_a_folder_gets_the_site_and_keeps_what_is_not_of_it(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    www = site.parent / "www"
    assert main(["deploy", "--to", str(www), "--dry-run"]) == 0
    assert "+ index.html\n" in capsys.readouterr().out
    assert not www.exists()
    assert main(["deploy", "--to", str(www)]) == 0
    assert b"A paragraph." in outputs(www)["en/posts/hello/index.html"]
    write(site, {"content/posts/hello/en.md": article("Changed.")})
    (www / "own.txt").write_text("mine", "utf-8")
    capsys.readouterr()
    assert main(["deploy", "--to", str(www), "--dry-run"]) == 0
    assert "~ en/posts/hello/index.html\n" in capsys.readouterr().out
    assert main(["deploy", "--to", str(www)]) == 0
    assert b"Changed." in outputs(www)["en/posts/hello/index.html"]
    assert (www / "own.txt").read_text("utf-8") == "mine"
    capsys.readouterr()
    assert main(["deploy", "--to", str(www)]) == 0
    assert f"nothing to deploy: {www} is up to date\n" in capsys.readouterr().err


def test_a_folder_with_other_files_is_refused(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(site.parent, {"www/own.txt": "mine"})
    assert main(["deploy", "--to", str(site.parent / "www")]) == 2
    assert "contains files that diglot did not make" in capsys.readouterr().err
    assert outputs(site.parent / "www") == {"own.txt": b"mine"}
