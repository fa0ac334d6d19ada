"""How chips are joined, and how long messages and collectives take over that."""
