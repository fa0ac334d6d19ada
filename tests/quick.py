"""The tests of `python -m pytest -m quick`: some of each area, in less than a minute."""

from functools import cache
from pathlib import Path

_TESTS = Path(__file__).parent
_FOLDERS = ("claims", "comparing", "content", "engine", "quantities", "staleness")
_NOT_QUICK = (
    "content/fast/test_lexing.py",
    "content/fast/test_tokens.py",
    "content/test_limits.py",
    "content/test_properties.py",
    "engine/test_killed_builds.py",
    "engine/test_random_graphs.py",
    "engine/test_session.py",
)
_FILES = (
    "check/test_pages.py",
    "cli/test_arguments.py",
    "deploying/test_placeholders.py",
    "docs/test_changes.py",
    "exactness/test_verify.py",
    "figures/charts/test_rows.py",
    "figures/test_contract.py",
    "figures/test_tables.py",
    "hardware/test_catalogue.py",
    "hardware/test_roofline.py",
    "hardware/test_systolic.py",
    "hardware/test_units_in_names.py",
    "hostile/test_texts.py",
    "importing/test_text_is_kept.py",
    "processes/test_worker_pool.py",
    "reference/test_cost_cases.py",
    "render/test_parts.py",
    "render/test_values.py",
    "scaffold/test_new_post.py",
    "search/test_texts.py",
    "serve/test_app.py",
    "site/test_extensions.py",
    "site/test_slugs.py",
    "slides/test_reading.py",
    "traditional/test_conversion.py",
    "test_diagnostics.py",
    "test_languages.py",
    "test_project.py",
    "test_site_map.py",
    "test_strict_yaml.py",
    "test_time_zones.py",
    "test_web_addresses.py",
    "test_years.py",
)


@cache  # each test of a file asks
def is_quick(path: Path) -> bool:
    """Whether the tests of a file are among them."""
    place = path.relative_to(_TESTS)
    name = place.as_posix()
    return name in _FILES or (place.parts[0] in _FOLDERS and name not in _NOT_QUICK)
