"""How work is spread over chips: layouts and their links, sharded arrays, stages of a pipeline."""
