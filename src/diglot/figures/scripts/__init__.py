"""What scripts use, and how they are loaded: contract, parameters, sweeps, tables, variables, failures."""
