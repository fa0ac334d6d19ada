"""Cost of tokens and FLOPs in dollars and joules."""
