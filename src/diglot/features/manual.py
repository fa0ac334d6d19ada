"""The manual, whose pages know what comes before and after them: `articles` makes these like any other."""

from diglot.rules.features import Feature
from diglot.rules.manual import check_manual

feature = Feature("manual", checks=(check_manual,))
