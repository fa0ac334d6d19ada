"""What a chip's rates allow at most: time, attainable rate, what binds."""
