"""Two plans that differ in what a `--what-if` changed, in one table, and why the ranking did."""

from collections.abc import Callable, Iterator, Sequence

from diglot.hardware.planning.planner import OBJECTIVES, Objective, Plan, PlannedPoint
from diglot.hardware.sizes import check_choice

CHANGEABLE = (
    *("chips", "input", "output", "users", "ttft", "tpot", "chips-limit", "precisions", "ways"),
    *("timing", "engine", "price", "price-kind"),
)
"""Flags of `plan` whose effect can be asked for, without their dashes."""


def compare_plans(
    before: Plan, after: Plan, objective: Objective, *, columns: str, describe: Callable[[PlannedPoint], str]
) -> Iterator[str]:
    """A table with the best of each kind of chip in either plan, what changed for it, and which one leads.

    `columns` is the head of the lines that `describe` makes. Raises ValueError for an unknown objective.
    """
    check_choice("objective", objective, OBJECTIVES)
    plans = (before, after)
    places = [{point.chips: place for place, point in enumerate(plan.best_of_each, 1)} for plan in plans]
    yield f"{'':<20}place  {columns}"
    for chips in dict.fromkeys([*places[1], *places[0]]):
        yield f"{' with '.join(chips)}:"
        for word, plan, place in zip(("as it is", "what if"), plans, places, strict=True):
            shown = "nothing is within the limits"
            if chips in place:
                shown = f"{place[chips]:>5}  {describe(plan.best_of_each[place[chips] - 1])}"
            yield f"  {word:<18}{shown}"
        if all(chips in place for place in places):
            old, new = (
                plan.best_of_each[place[chips] - 1] for plan, place in zip(plans, places, strict=True)
            )
            yield f"  {_describe_change(old, new, objective)}"
    yield ""
    yield _describe_lead(before, after, objective)
    if doubt := _find_doubt(after.best_of_each, objective):
        yield doubt


def _describe_change(old: PlannedPoint, new: PlannedPoint, objective: Objective) -> str:
    """How far what is sought moved, as the product of what it is made of."""
    rate = new.output_tokens_per_chip_s / old.output_tokens_per_chip_s
    parts = [f"tokens per chip x {rate:.2f}"]
    usd = _find_usd(old, new)
    if objective == "cost" and usd is not None:
        parts = [f"dollars per token x {usd:.2f}: dollars per chip x {usd * rate:.2f}, {parts[0]}"]
    parts += [f"TPOT x {new.tpot_s / old.tpot_s:.2f}"]
    same = (old.pool, old.prefill_pool, old.precision, old.way) == (
        new.pool,
        new.prefill_pool,
        new.precision,
        new.way,
    )
    return "; ".join([*parts, "run as before" if same else "run otherwise"])


def _find_usd(old: PlannedPoint, new: PlannedPoint) -> float | None:
    if old.usd_per_million_tokens is None or new.usd_per_million_tokens is None:
        return None
    return new.usd_per_million_tokens / old.usd_per_million_tokens


def _describe_lead(before: Plan, after: Plan, objective: Objective) -> str:
    if not (before.best_of_each and after.best_of_each):
        words = "Before" if after.best_of_each else "Then"
        return f"{words}, nothing is within the limits."
    old, new = (" with ".join(plan.best_of_each[0].chips) for plan in (before, after))
    if old == new:
        return f"{new} leads as before."
    sought = "dollars per token" if objective == "cost" else "tokens per chip"
    moved = {point.chips: point for point in after.best_of_each}
    first = before.best_of_each[0]
    if first.chips not in moved:
        return f"{new} leads instead of {old}, of which nothing is within the limits any more."
    changes = []
    for chips in (first.chips, after.best_of_each[0].chips):
        was = next((point for point in before.best_of_each if point.chips == chips), None)
        if was is None:
            changes.append(f"{' with '.join(chips)} had nothing within the limits")
        else:
            times = _find_usd(was, moved[chips]) if objective == "cost" else None
            times = times or moved[chips].output_tokens_per_chip_s / was.output_tokens_per_chip_s
            change = f"change by a factor of {times:.2f}" if f"{times:.2f}" != "1.00" else "stay"
            changes.append(f"those of {' with '.join(chips)} {change}")
    return f"{new} leads instead of {old}, by {sought}: {', '.join(changes)}."


def _find_doubt(best: Sequence[PlannedPoint], objective: Objective) -> str | None:
    """Whether the first two may be equals: the first is ahead by less than either's interval."""
    if len(best) < 2:
        return None
    first, second = best[:2]
    ahead = first.output_tokens_per_chip_s / second.output_tokens_per_chip_s
    if objective == "cost" and (usd := _find_usd(first, second)) is not None:
        ahead = usd
    widest = max((point.spread.ratio for point in (first, second) if point.spread), default=1.0)
    if ahead >= widest:
        return None
    names = " and ".join(" with ".join(point.chips) for point in (first, second))
    return (
        f"{names} may be equals: the first is ahead by {ahead:.2f}, intervals are a factor of {widest:.2f}."
    )
