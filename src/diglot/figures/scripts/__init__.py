"""What scripts use, and how they are read: the contract, parameters, sweeps, tables, variables, failures."""
