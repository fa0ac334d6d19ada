"""What scripts read (files, modules, databases), and what is the same for them on every machine."""
