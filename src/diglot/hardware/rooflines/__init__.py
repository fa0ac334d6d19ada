"""Upper bounds from a chip's rates: attainable rate, least time, what binds."""
