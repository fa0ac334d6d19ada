"""A build without changes is a quick look: no values, nothing imported for them."""

import subprocess
import sys
import textwrap
from pathlib import Path

SITE = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from diglot.engine import Key, Rule, Store, build

    COUNT = 2500

    async def document(fetch, name):
        return (name, (await fetch("file", f"posts/{int(name) % 50}")).decode())

    async def page(fetch, name):
        around = await fetch.all(Key("document", str((int(name) + i) % COUNT)) for i in range(3))
        return repr((around, await fetch("given", "site"))).encode()

    RULES = {
        "document": Rule(kind="document", run=document, value_type=tuple[str, str], code="1"),
        "page": Rule(kind="page", run=page, value_type=bytes, code="1"),
    }

    root = Path(sys.argv[1])
    store = Store(root / ".diglot")
    targets = [Key("page", str(i)) for i in range(COUNT)]
    report = build(RULES, targets, store=store, root=root, given={"site": "x"})
    store.close()
    heavy = {"msgspec", "json", "asyncio", "logging", "concurrent.futures", "threading"} & set(sys.modules)
    print(len(report.ran), report.verified, sorted(heavy))
    """
)


def run(root: Path) -> str:
    path = [str(Path(__file__).parents[2] / "src")]
    command = [sys.executable, "-c", SITE, str(root)]
    environment = {"PYTHONPATH": path[0]}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()


def test_five_thousand_tasks_are_verified_without_importing_what_running_them_takes(tmp_path: Path) -> None:
    (tmp_path / "posts").mkdir()
    for i in range(50):
        (tmp_path / "posts" / str(i)).write_text(str(i))
    assert run(tmp_path).startswith("5000 0 ")
    assert run(tmp_path) == "0 5000 []"
