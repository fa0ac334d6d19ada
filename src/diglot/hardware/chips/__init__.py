"""The chip catalogue: figures with sources, rooflines, and the efficiencies that measurements reach."""
