"""The reports that `--json` prints: the same facts as on the terminal, for programs."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from diglot.diagnostics import Diagnostic
from diglot.engine import Explanation
from diglot.rules.building import SiteBuild

if TYPE_CHECKING:
    from diglot.use.exporting import KnownFigure
    from diglot.use.verification import Verification

Report = dict[str, object]


def as_json(report: object) -> str:
    """A report as JSON text."""
    import json  # noqa: PLC0415  (only this option needs it)

    return json.dumps(report, ensure_ascii=False, indent=2)


def diagnostics_report(diagnostics: Iterable[Diagnostic], *, failed: bool) -> Report:
    """The diagnostics of a site."""
    return {"ok": not failed, "diagnostics": [_diagnostic(one) for one in diagnostics]}


def build_report(result: SiteBuild, *, failed: bool) -> Report:
    """What a build did."""
    report, published = result.report, result.published
    return {
        **diagnostics_report(result.diagnostics, failed=failed),
        "seconds": round(report.seconds, 3),
        "ran": [
            {
                "task": str(one.key),
                "reason": str(one.reason),
                "outcome": one.outcome,
                "seconds": round(one.seconds, 4),
            }
            for one in report.ran
        ],
        "up_to_date": report.verified,
        "written": list(published.written) if published else [],
        "removed": list(published.removed) if published else [],
        "left_out": left_out_report(result),
    }


def left_out_report(result: SiteBuild) -> list[Report]:
    """The articles that a build leaves out."""
    articles = result.manifest.left_out if result.manifest else ()
    return [
        {"path": one.path, "why": one.why, "day": one.day.isoformat() if one.day else None}
        for one in articles
    ]


def verification_report(verification: "Verification") -> Report:
    """How a build compares with one from scratch."""
    return {
        "verified": not verification.differences,
        "compared": verification.compared,
        "differences": [_diagnostic(one) for one in verification.differences],
    }


def explanation_report(explanation: Explanation) -> Report:
    """Why something was or would be rebuilt."""
    return {
        "key": str(explanation.key),
        "causes": [{"key": str(key), "reason": str(reason)} for key, reason in explanation.causes],
        "dependencies": [
            {"key": str(one.key), "recorded": one.recorded, "now": one.now}
            for one in explanation.dependencies
        ],
        "inputs": [str(key) for key in explanation.inputs],
        "used_by": [str(key) for key in explanation.used_by],
    }


def figure_report(figure: "KnownFigure") -> Report:
    """A figure's script and what it computes with its defaults; nulls if it fails."""
    computed = figure.computed
    return {
        "id": figure.script.figure_id,
        "script": figure.script.path,
        "line": figure.script.first_line,
        "message": computed.message._asdict() if computed and any(computed.message) else None,
        "parameters": dict(computed.parameters) if computed else None,
        "drawable": computed.drawable if computed else None,
        "sizes": list(computed.sizes) if computed and computed.drawable else [],
        "digest": computed.digest if computed else None,
    }


def _diagnostic(one: Diagnostic) -> Report:
    place = one.location
    return {
        "rule": one.rule,
        "severity": one.severity,
        "message": one.message,
        "path": place.path if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "source": one.source_line,
        "detail": one.detail,
        "fix": one.fix,
    }
