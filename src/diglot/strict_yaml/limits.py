"""Limits of what is read and of what is reported."""

DEEPEST = 100
MOST_CHARACTERS = 1_000_000
MOST_VALUES = 10_000
MOST_MISTAKES = 100
"""Mistakes reported per file."""
TOO_LARGE = 2**63
"""Larger whole numbers cannot be stored between builds."""
MOST_SHOWN = 300
"""Characters of a line that are shown."""
LONGEST_MESSAGE = 500
MOST_BITS = 10_000
"""Limit for a whole number: 3,000 digits."""
TOO_MUCH = "keep only configuration in it, and put text into articles."
