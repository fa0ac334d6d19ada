"""Edits around the sources: options, the day, variables, output, cache, and other builds."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import diglot
from diglot.render.theme import built_in_theme
from tests.hostile.edits.project import Project

VARIABLE = "DIGLOT_TEST_SCALE"
PACKAGE = Path(diglot.__file__).parent


def include_drafts(project: Project, rng: random.Random) -> str | None:
    """Includes drafts, or leaves them out again."""
    project.choose(drafts=not project.build_options.drafts)
    return str(project.build_options.drafts)


def include_the_future(project: Project, rng: random.Random) -> str | None:
    """Includes future articles, or leaves them out again."""
    project.choose(future=not project.build_options.future)
    return str(project.build_options.future)


def build_elsewhere(project: Project, rng: random.Random) -> str | None:
    """Switches between two output folders."""
    project.choose(output="elsewhere" if project.build_options.output == "public" else "public")
    return project.build_options.output


def build_with_another_configuration(project: Project, rng: random.Random) -> str | None:
    """Switches between two configurations, as `--config` does."""
    now = project.build_options.config
    project.choose(config="site/other.yaml" if now == "site/site.yaml" else "site/site.yaml")
    return project.build_options.config


def build_with_another_version(project: Project, rng: random.Random) -> str | None:
    """Builds with another diglot, as before an upgrade; the next build continues from its result."""
    if project.tools is None:
        return None
    folder = project.root.parent / "another-version"
    if not folder.exists():
        shutil.copytree(PACKAGE, folder / "diglot", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(built_in_theme(), folder / "diglot/theme")
    module = folder / "diglot" / rng.choice(["render/lists.py", "content/document.py", "render/article.py"])
    module.write_text(module.read_text("utf-8").replace('" · "', '" ~ "') + "\n# another version\n", "utf-8")
    options = project.build_options
    done = subprocess.run(
        [sys.executable, "-m", "diglot", "-q", "--config", options.config, "--output", options.output],
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        check=False,
    )
    return f"{module.name}: {done.returncode}"


def change_the_number_of_jobs(project: Project, rng: random.Random) -> str | None:
    """Changes the number of processes."""
    project.choose(jobs=rng.choice([number for number in (1, 2, 3) if number != project.build_options.jobs]))
    return str(project.build_options.jobs)


def set_a_variable(project: Project, rng: random.Random) -> str | None:
    """Sets or removes an environment variable that a figure reads."""
    values = dict(project.build_options.variables)
    value = rng.choice([one for one in (None, "1", "2", "3") if one != values.get(VARIABLE)])
    values.pop(VARIABLE, None)
    if value is not None:
        values[VARIABLE] = value
    project.choose(variables=tuple(sorted(values.items())))
    return str(value)


def set_a_variable_that_nobody_asks_for(project: Project, rng: random.Random) -> str | None:
    """Sets an environment variable that figures read rarely or never, such as the time zone."""
    name, value = rng.choice(
        [("TZ", "Asia/Shanghai"), ("LC_ALL", "C"), ("DIGLOT_TEST_OTHER", "x"), ("PYTHONHASHSEED", "7")]
    )
    values = {**dict(project.build_options.variables), name: value}
    project.choose(variables=tuple(sorted(values.items())))
    return f"{name}={value}"


def let_a_day_pass(project: Project, rng: random.Random) -> str | None:
    """Changes the day, so that dated articles appear, or disappear if the clock goes back."""
    days = ["2026-11-02", "2026-11-15", "2026-11-16", "2026-12-31"]
    project.choose(day=rng.choice([day for day in days if day != project.build_options.day]))
    return project.build_options.day


def start_processes_anew(project: Project, rng: random.Random) -> str | None:
    """Restarts the processes that are kept between builds."""
    if project.tools is None:
        return None
    project.tools.begin_anew()
    return "done"


def _published(project: Project) -> list[Path]:
    if project.tools is None:
        return []
    output = project.tools.output()
    return sorted(
        path
        for path in output.rglob("*")
        if path.is_file() and path.name != ".diglot-site" and not path.is_symlink()
    )


def spoil_an_output_file(project: Project, rng: random.Random) -> str | None:
    """Changes a published file."""
    if not (paths := _published(project)):
        return None
    path = rng.choice(paths)
    path.write_bytes(rng.choice([b"spoilt", b"", path.read_bytes() + b" "]))
    return path.name


def spoil_an_output_file_in_secret(project: Project, rng: random.Random) -> str | None:
    """Changes a published file and keeps its size and times."""
    if not (paths := [path for path in _published(project) if path.stat().st_size]):
        return None
    path = rng.choice(paths)
    status, content = path.stat(), bytearray(path.read_bytes())
    at = rng.randrange(len(content))
    content[at] ^= 1
    path.write_bytes(bytes(content))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    return path.name


def remove_an_output_file(project: Project, rng: random.Random) -> str | None:
    """Removes a published file, which the next build writes again."""
    if not (paths := _published(project)):
        return None
    path = rng.choice(paths)
    path.unlink()
    return path.name


def add_to_the_output(project: Project, rng: random.Random) -> str | None:
    """Adds a foreign file, which stays."""
    if project.tools is None or not (output := project.tools.output()).is_dir():
        return None
    path = output / rng.choice(["mine.txt", "zh/mine.txt", "deep/er/mine.txt", ".hidden", "assets/x.css"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine")
    return path.name


def add_an_empty_folder_to_the_output(project: Project, rng: random.Random) -> str | None:
    """Adds an empty foreign folder, which stays."""
    if project.tools is None or not (output := project.tools.output()).is_dir():
        return None
    path = output / rng.choice(["nothing", "zh/nothing/at/all", ".cache"])
    path.mkdir(parents=True, exist_ok=True)
    return path.name


def remove_a_folder_of_the_output(project: Project, rng: random.Random) -> str | None:
    """Removes an output folder with all pages in it."""
    if project.tools is None:
        return None
    folders = sorted(
        path for path in project.tools.output().rglob("*") if path.is_dir() and not path.is_symlink()
    )
    if not folders:
        return None
    shutil.rmtree(path := rng.choice(folders))
    return path.name


def remove_the_output(project: Project, rng: random.Random) -> str | None:
    """Removes the whole output, which the next build writes again."""
    if project.tools is None or not (output := project.tools.output()).is_dir():
        return None
    shutil.rmtree(output)
    return output.name


def put_a_folder_in_place_of_a_page(project: Project, rng: random.Random) -> str | None:
    """Replaces a page by a folder with a foreign file, which has to be moved away."""
    if not (paths := _published(project)):
        return None
    path = rng.choice(paths)
    path.unlink()
    path.mkdir()
    (path / "inside.txt").write_text("inside")
    return path.name


def put_a_link_in_place_of_a_page(project: Project, rng: random.Random) -> str | None:
    """Replaces a page by a link; its target must not be touched."""
    if not (paths := _published(project)):
        return None
    path = rng.choice(paths)
    path.unlink()
    path.symlink_to(
        rng.choice([project.path("site/site.yaml"), project.path("../outside/shared.txt"), Path("nothing")])
    )
    return path.name


def put_a_link_in_place_of_a_folder(project: Project, rng: random.Random) -> str | None:
    """Replaces an output folder by a link to a folder of sources, which must not be touched."""
    if project.tools is None:
        return None
    folders = sorted(
        path for path in project.tools.output().rglob("*") if path.is_dir() and not path.is_symlink()
    )
    if not folders:
        return None
    shutil.rmtree(path := rng.choice(folders))
    path.symlink_to(project.path(rng.choice(["site", "../outside", "content"])))
    return path.name


def put_a_file_in_place_of_a_folder_of_the_output(project: Project, rng: random.Random) -> str | None:
    """Replaces an output folder by a file, which has to be moved away."""
    if project.tools is None:
        return None
    folders = sorted(
        path for path in project.tools.output().rglob("*") if path.is_dir() and not path.is_symlink()
    )
    if not folders:
        return None
    shutil.rmtree(path := rng.choice(folders))
    path.write_text("a file")
    return path.name


def remove_the_cache(project: Project, rng: random.Random) -> str | None:
    """Removes the whole cache while the output remains."""
    if project.tools is None or not project.tools.cache.exists():
        return None
    shutil.rmtree(project.tools.cache)
    return "all"


def remove_a_part_of_the_cache(project: Project, rng: random.Random) -> str | None:
    """Removes a folder or file at the top of the cache, except the lock."""
    if project.tools is None or not project.tools.cache.exists():
        return None
    parts = sorted(path for path in project.tools.cache.iterdir() if path.name != "site.lock")
    if not parts:
        return None
    path = rng.choice(parts)
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    return path.name


def forget_what_is_old(project: Project, rng: random.Random) -> str | None:
    """Does what `diglot clean --older-than` does."""
    if project.tools is None or not project.tools.cache.exists():
        return None
    project.tools.forget(age := rng.choice([0.0, 1.0, 3600.0]))
    return f"{age} s"


def forget_what_was_published(project: Project, rng: random.Random) -> str | None:
    """Removes the output indexes, so that the next build compares contents."""
    if project.tools is None or not (folder := project.tools.cache / "published").exists():
        return None
    shutil.rmtree(folder)
    return "ledgers"


def interrupt_a_build(project: Project, rng: random.Random) -> str | None:
    """Interrupts a build by Ctrl-C after some steps."""
    if project.tools is None:
        return None
    return str(project.tools.interrupted(rng.randint(1, 60)))


def kill_a_build(project: Project, rng: random.Random) -> str | None:
    """Kills a build in another process at a random moment."""
    if project.tools is None:
        return None
    project.tools.killed(after_s := rng.uniform(0.2, 2.0))
    return f"after {after_s:.2f} s"


def build_in_another_process(project: Project, rng: random.Random) -> str | None:
    """Builds by the command; the next build continues from its result."""
    if project.tools is None:
        return None
    return str(project.tools.command("build"))


def clean_by_the_command(project: Project, rng: random.Random) -> str | None:
    """Removes output and cache by the command, or the cache alone."""
    if project.tools is None:
        return None
    words = rng.choice([(), ("--cache",)])
    project.tools.command("clean", *words)
    return " ".join(words)
