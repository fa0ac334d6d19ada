"""Drawing: style, axes and marks, checks on the result, and its output as SVG, PNG or PDF."""
