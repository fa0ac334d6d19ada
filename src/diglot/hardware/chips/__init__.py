"""The chips of the catalogue: their figures with sources, their rooflines, what practice reaches of them."""
