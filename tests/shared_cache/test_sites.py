"""Two clones of a site, by their commands."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.cli.main import main
from tests.shared_cache.sharing import OWN, STRANGER
from tests.space import BARS, Space, outputs

KEY = "DIGLOT_SHARED_CACHE_KEY"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `ci`, which was built and has shared what it made, and its `cache`."""
    folder = tmp_path_factory.mktemp("shared")
    space = Space(folder / "ci")
    space.write("figures/bars.py", BARS)
    space.post("one", zh="正文\n\n```{figure} bars\n```", en="Body\n\n```{figure} bars\n```")
    space.post("two", zh="正文", en="Body with **no end")
    space.write(
        "site/site.yaml",
        (space.root / "site/site.yaml").read_text() + f"cache: {{remote: ../cache, keys: [{OWN.public}]}}\n",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY, OWN.secret)
        assert main(["-C", str(space.root), "-q", "build"]) == 0
    return folder


@pytest.fixture
def clone(shared: Path) -> Iterator[Path]:
    folder = shared / "clone"
    shutil.copytree(shared / "ci", folder, ignore=shutil.ignore_patterns(".diglot", "public"))
    yield folder
    shutil.rmtree(folder)


def built(folder: Path, *flags: str) -> dict:
    done = subprocess.run(
        [sys.executable, "-m", "diglot", "-C", str(folder), "--json", "build", *flags],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
    )
    return json.loads(done.stdout)


def test_a_clone_runs_only_what_depends_on_the_machine_and_publishes_the_same_bytes(
    shared: Path, clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-C", str(clone), "-v", "build"]) == 0
    said = capsys.readouterr().err
    ran = [line for line in said.splitlines() if " ms  " in line]
    assert len(ran) <= 3, ran  # extensions of installed packages, which lie elsewhere on each machine
    assert "from the shared cache" in said
    assert "no end" in said  # warnings are shared, too
    assert outputs(clone / "public") == outputs(shared / "ci/public")
    assert main(["-C", str(clone), "build"]) == 0
    assert "nothing to do" in capsys.readouterr().err


def test_a_build_with_a_shared_cache_is_verified_against_one_without(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-C", str(clone), "build", "--verify"]) == 0
    assert "identical to a build from scratch" in capsys.readouterr().err


def test_nothing_that_is_shared_names_a_path_or_a_variable_of_the_machine(shared: Path) -> None:
    import zlib

    from diglot.shared_cache.bundles import read_bundle

    (path,) = (shared / "cache").glob("*.traces")
    bundle = read_bundle(path.stem, path.read_bytes(), (OWN.public,))
    assert bundle is not None
    texts = [zlib.decompress(path.read_bytes()[80:])]
    content = path.with_suffix(".values").read_bytes()
    texts += [zlib.decompress(content[one.offset : one.offset + one.size]) for one in bundle.values]
    for private in (str(shared), str(Path.home()), sys.prefix, OWN.secret):
        assert not any(private.encode() in text for text in texts), private


@pytest.mark.parametrize("how", ["off", "read", "write"])
def test_a_flag_decides(how: str, clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, OWN.secret)
    files = sorted((clone.parent / "cache").iterdir())
    (clone / "content/posts/two/en.md").write_text("---\ntitle: New\ndate: 2026-11-01\n---\n\nNew\n")
    assert main(["-C", str(clone), "-q", "build", "--shared-cache", how]) == 0
    now = sorted((clone.parent / "cache").iterdir())
    assert len(now) - len(files) == (2 if how == "write" else 0)
    for path in {*now} - {*files}:
        path.unlink()
    assert KEY not in os.environ  # no script sees it


@pytest.mark.parametrize("command", ["check", "status"])
def test_no_command_leaves_the_secret_key_to_scripts(
    clone: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv(KEY, OWN.secret)
    main(["-C", str(clone), "-q", command])
    assert KEY not in os.environ


def test_a_writer_without_a_key_or_with_one_that_nobody_trusts_is_refused(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(KEY, raising=False)
    assert main(["-C", str(clone), "build", "--shared-cache", "write"]) == 2
    assert "diglot cache keys" in capsys.readouterr().err
    for secret, hint in (("hunter2", "is no secret key"), (STRANGER.secret, STRANGER.public)):
        monkeypatch.setenv(KEY, secret)
        assert main(["-C", str(clone), "build"]) == 2
        said = capsys.readouterr().err
        assert hint in said
        assert secret not in said


def test_a_cache_out_of_reach_is_a_warning_even_where_warnings_are_errors(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (clone / "content/posts/two/en.md").write_text("---\ntitle: New\ndate: 2026-11-01\n---\n\nNew\n")
    (clone.parent / "file").write_text("")
    monkeypatch.setenv("DIGLOT_SHARED_CACHE", str(clone.parent / "file"))
    main(["-C", str(clone), "build"])
    assert capsys.readouterr().err.count("[shared-cache]") == 1
    assert (clone / "public/index.html").is_file()


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("{remote: 'https://example.org/x', keys: [KEY]}", "no place for a shared cache"),
        ("{remote: ../cache}", "keys"),
        ("{remote: ../cache, keys: []}", "no key is trusted"),
        ("{remote: ../cache, keys: [abc]}", "is no public key"),
        ("{remote: ../cache, keys: [SECRET]}", "secret key"),
        ("{remote: ../cache, keys: [KEY], reads: all}", "reads"),
    ],
)
def test_a_mistake_in_the_setting_is_reported(
    setting: str, said: str, clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = clone / "site/site.yaml"
    lines = [one for one in config.read_text().splitlines() if not one.startswith("cache:")]
    config.write_text(
        "\n".join(
            [*lines, f"cache: {setting.replace('KEY', OWN.public).replace('SECRET', STRANGER.secret)}", ""]
        )
    )
    assert main(["-C", str(clone), "build"]) == 1
    report = capsys.readouterr().err
    assert said in report
    assert "site/site.yaml:" in report


def test_keys_are_made_in_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    from diglot.shared_cache.signatures import is_signed, public_of, signer

    assert main(["--json", "cache", "keys"]) == 0
    pair = json.loads(capsys.readouterr().out)
    assert public_of(pair["secret"]) == pair["public"]
    assert is_signed(b"x", signer(pair["secret"])(b"x"), [OWN.public, pair["public"]])
    assert not is_signed(b"x", signer(pair["secret"])(b"x"), [OWN.public])
