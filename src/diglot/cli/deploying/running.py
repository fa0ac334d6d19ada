"""`diglot deploy`: build the site, and put it where readers find it."""

import argparse
from pathlib import Path

from msgspec.structs import replace

from diglot.check.notes import robots_note
from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import as_json, diagnostics_report, left_out_report
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal, are_errors, count_of
from diglot.deploying import branch as branches
from diglot.deploying.git import GitFailed
from diglot.deploying.placeholders import placeholder_error
from diglot.deploying.rsync import is_remote, rsync
from diglot.deploying.source_state import check_source
from diglot.diagnostics import Diagnostic, Refusal
from diglot.invariants import certain
from diglot.project import Deployment
from diglot.publishing.changes import Changes
from diglot.rules.building import Site, SiteBuild
from diglot.rules.configuration import read_configuration
from diglot.rules.ignoring import Ignoring
from diglot.rules.options import SiteOptions, unfit_output
from diglot.web_addresses import is_placeholder


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Build and deploy; nothing is deployed if the site has errors."""
    options = site_options(arguments)
    try:
        _check_flags(arguments, options)
        project = read_configuration(options)  # if it is broken, the build says why
        settings = _settings(arguments, project.deploy if project else Deployment())
        if settings.to is None:
            return _deploy_branch(arguments, settings, options, terminal)
        if is_remote(settings.to):
            return _deploy_by_rsync(arguments, settings, options, terminal)
        return _deploy_to_folder(arguments, settings, options, terminal)
    except Refusal as refusal:
        raise Refusal(f"not deployed: {refusal.message}", refusal.fix) from refusal
    except GitFailed as failure:
        raise Refusal(f"not deployed: {failure}", "run the git command yourself to see more.") from failure


def _check_flags(arguments: argparse.Namespace, options: SiteOptions) -> None:
    """Raise Refusal for flags that contradict each other, or that would publish what is not ready."""
    for flag, what in (("drafts", "drafts"), ("future", "future articles"), ("expired", "expired articles")):
        if getattr(arguments, flag):
            raise Refusal(
                f"--{flag} would publish {what}", f"leave it out; `diglot serve` shows {what} only to you."
            )
    if arguments.clock is not None and arguments.clock > replace(options, clock=None).day:
        raise Refusal(
            f"--clock {arguments.clock} would publish future articles",
            "leave it out; `diglot serve --clock DAY` shows the site of that day only to you.",
        )
    if arguments.to is not None:
        for flag in ("branch", "remote", "cname", "message"):
            if getattr(arguments, flag) is not None:
                raise Refusal(
                    f"--{flag} is for a branch, and --to names another target", "leave one of them out."
                )


def _settings(arguments: argparse.Namespace, configured: Deployment) -> Deployment:
    """The flags, and what the configuration says where there is none."""
    to_branch = any(getattr(arguments, flag) is not None for flag in ("branch", "remote", "cname"))
    return Deployment(
        branch=arguments.branch or configured.branch,
        remote=arguments.remote or configured.remote,
        cname=arguments.cname or configured.cname,
        to=arguments.to or (None if to_branch else configured.to),
        delete=arguments.delete or configured.delete,
    )


def _deploy_branch(
    arguments: argparse.Namespace, settings: Deployment, options: SiteOptions, terminal: Terminal
) -> int:
    cname = branches.check_domain(settings.cname) if settings.cname is not None else None
    git = branches.find_repository(options.root)
    branches.check_branch(git, settings.remote, settings.branch)
    check_source(
        git,
        options.root,
        generated=(options.output, options.cache),
        allow_dirty=arguments.allow_dirty,
        allow_unpushed=arguments.allow_unpushed,
    )
    result = _build(arguments, options, terminal)
    if result is None:
        return EXIT_SITE_ERRORS
    prepared = branches.prepare(
        git,
        options.output,
        [one.path for one in certain(result.manifest, "a site that was published has one").outputs],
        remote=settings.remote,
        branch=settings.branch,
        cname=cname,
        message=arguments.message,
        config=options.config,
    )
    if not arguments.dry_run:
        branches.push(git, prepared)
    where = f'the branch "{settings.branch}" of {settings.remote}'
    if prepared.is_new:
        where += ", which is new"
    return _say(where, prepared.changes, result, arguments=arguments, options=options, terminal=terminal)


def _deploy_by_rsync(
    arguments: argparse.Namespace, settings: Deployment, options: SiteOptions, terminal: Terminal
) -> int:
    target = certain(settings.to, "it was asked for")
    result = _build(arguments, options, terminal)
    if result is None:
        return EXIT_SITE_ERRORS
    changes = rsync(options.output, target, dry_run=arguments.dry_run, delete=settings.delete)
    return _say(target, changes, result, arguments=arguments, options=options, terminal=terminal)


def _deploy_to_folder(
    arguments: argparse.Namespace, settings: Deployment, options: SiteOptions, terminal: Terminal
) -> int:
    if arguments.output is not None:
        raise Refusal(
            "--output has no effect on a deployment to a folder: the site is written there alone",
            "leave out --output.",
        )
    folder = (options.root / certain(settings.to, "it was asked for")).resolve()
    if arguments.to is not None:
        folder = Path(arguments.to).resolve()
    if (trouble := unfit_output(folder, options.root, options.root / options.config)) is not None:
        raise Refusal(trouble, "choose a folder that is used for nothing else.")
    options = replace(options, output=folder)
    result = _build(arguments, options, terminal, publishing=False)
    if result is None:
        return EXIT_SITE_ERRORS
    manifest = certain(result.manifest, "a site without errors has one")
    files = {one.path: one.digest for one in manifest.outputs}
    with Site(options, progress=terminal.told) as site:
        changes = site.cache.publisher().differences(files)
        if not arguments.dry_run:
            result = site.build()
    return _say(str(folder), changes, result, arguments=arguments, options=options, terminal=terminal)


def _build(
    arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal, *, publishing: bool = True
) -> SiteBuild | None:
    """The site, built; None if it has errors, which are printed."""
    with Site(options, progress=terminal.told) as site:
        found = (site.ignoring or Ignoring(options)).shown(_about_address(options))
        result = site.build(publishing=publishing and not are_errors(found, strict=options.strict))
    result = replace(result, about_output=(*found, *result.about_output))
    failed = result.failed(strict=options.strict) or are_errors(found, strict=options.strict)
    if not arguments.json:
        terminal.diagnostics(result.diagnostics)
        if failed:
            terminal.say(f"not deployed: {count_of(result.diagnostics)}")
    elif failed:
        terminal.result(as_json(diagnostics_report(result.diagnostics, failed=True)))
    return None if failed else result


def _about_address(options: SiteOptions) -> tuple[Diagnostic, ...]:
    """The error about an address that is nobody's."""
    project = read_configuration(options)  # if it is broken, the build says why
    if project is None or not is_placeholder(project.base_url):
        return ()
    text = (options.root / options.config).read_text("utf-8")
    return tuple(filter(None, [placeholder_error(project, text, options.config)]))


def _say(
    where: str,
    changes: Changes,
    result: SiteBuild,
    *,
    arguments: argparse.Namespace,
    options: SiteOptions,
    terminal: Terminal,
) -> int:
    """Print what was deployed, or would be."""
    if arguments.json:
        report = {
            **diagnostics_report(result.diagnostics, failed=False),
            "dry_run": arguments.dry_run,
            "target": where,
            "added": list(changes.added),
            "changed": list(changes.changed),
            "removed": list(changes.removed),
            "left_out": left_out_report(result),
        }
        terminal.result(as_json(report))
        return EXIT_DONE
    if arguments.dry_run or terminal.verbose:
        for mark, paths in (("+", changes.added), ("~", changes.changed), ("-", changes.removed)):
            for path in paths:
                terminal.result(f"{mark} {path}")
    counts = f"{len(changes.added)} added, {len(changes.changed)} changed, {len(changes.removed)} removed"
    if not changes:
        terminal.say(f"nothing to deploy: {where} is up to date")
    elif arguments.dry_run:
        terminal.say(f"would deploy to {where}: {counts}")
    else:
        terminal.say(f"deployed to {where}: {counts}")
    terminal.left_out(result.manifest)
    project = read_configuration(options)
    if project is not None:
        for note in filter(None, [robots_note(project.base_url)]):
            terminal.say(note)
        terminal.say(f"the site's address: {project.base_url}")
    return EXIT_DONE
