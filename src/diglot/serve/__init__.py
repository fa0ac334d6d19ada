"""The local preview: serves the last good build, rebuilds after a save, and updates the browser."""
