"""Files of the project that are published unchanged, at the site's root."""

from collections.abc import Mapping

from diglot.diagnostics import Diagnostic, Location
from diglot.digests import ABSENT
from diglot.engine import FILE, LISTING, Key
from diglot.rules.features import SITE_WIDE, Feature, Output, Refused
from diglot.rules.file_names import check_names
from diglot.rules.files import STATIC, copy_file
from diglot.rules.tasks import Fetch


async def _find_files(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    sources = [*await fetch(LISTING, f"{STATIC}/**"), *await fetch(LISTING, f"{STATIC}/.well-known/**")]
    if await fetch.digest(FILE, rules := f"{STATIC}/.htaccess") != ABSENT:
        sources.append(rules)  # hidden files are left out, but for those that hosts and programs look for
    return {source.removeprefix(f"{STATIC}/"): copy_file.key(source) for source in sources}


async def _describe_mistake(_fetch: Fetch, refused: Refused) -> Diagnostic:
    return Diagnostic(
        rule="static-clash",
        message=f'"/{refused.path}" {refused.why}, and cannot also be a static file',
        location=Location(path=refused.key.name),
        fix="rename the static file, or change the generated one in the theme.",
    )


feature = Feature(
    "static-files",
    outputs=(
        Output(
            SITE_WIDE,
            files=_find_files,
            makes=(copy_file,),
            source=lambda key: key.name,
            called=lambda key: key.name,
            gives_way=True,
            mistake=_describe_mistake,
        ),
    ),
    checks=(check_names,),
)
