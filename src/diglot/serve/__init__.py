"""The local preview: serves the last good build, rebuilds on a saved change, reloads the browser."""
