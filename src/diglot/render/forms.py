"""Converts the form of a figure to the view that templates receive."""

from diglot.figures.records import FormAnswer, FormField, FormTable
from diglot.languages import Language, format_number
from diglot.render.chip_classes import chip_classes
from diglot.render.views import FormAnswerView, FormFieldView, FormPresetView, FormView
from diglot.years import are_named, naming_of, ungrouped


def form_view(form: FormTable, language: Language, *, url: str) -> FormView:
    """A form in one language, with the answers to its first preset."""
    first = form.presets[0]
    return FormView(
        url=url,
        fields=tuple(
            FormFieldView(
                name=field.name,
                label=field.label.of(language),
                value=_shown(value, field),
                values=" ".join(map(str, field.values)),
                digits=field.digits,
                low=_shown(field.values[0], field),
                high=_shown(field.values[-1], field),
            )
            for field, value in zip(form.fields, first.values, strict=True)
        ),
        presets=tuple(
            FormPresetView(label=preset.label.of(language), values=" ".join(map(str, preset.values)))
            for preset in form.presets
        ),
        answers=tuple(
            FormAnswerView(
                name=answer.name,
                label=answer.label.of(language),
                mark=chip_classes(answer.chip) if answer.chip is not None else "",
                unit=answer.unit,
                digits=answer.digits,
                between=answer.between,
                text=_with_unit(value, answer),
                percent=format_number(value, 1) if answer.unit == "%" else "",
            )
            for answer, value in zip(form.answers, form.first, strict=True)
        ),
    )


def _shown(value: int, field: FormField) -> str:
    """A number of a field: a year if all of its numbers are, and its name or its label says so."""
    if are_named(field.values, naming_of(field.name, *field.label)):
        return ungrouped(value)
    return format_number(value / 10**field.digits, field.digits)


def _with_unit(value: float, answer: FormAnswer) -> str:
    number = format_number(value, answer.digits)
    if answer.unit == "%":
        return f"{number}%"
    return f"{number}\N{NO-BREAK SPACE}{answer.unit}" if answer.unit else number
