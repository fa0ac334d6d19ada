"""FLOPs and bytes of operations, independent of the chip."""
