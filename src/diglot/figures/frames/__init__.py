"""States of a figure that readers can turn: which there are, and how their drawings differ."""
