"""Distribution of work over chips: layouts and their links, sharded arrays, placement of pipeline stages."""
