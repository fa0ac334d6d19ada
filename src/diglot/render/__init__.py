"""Templates and pages: from aligned articles and drawn figures to HTML, feeds and maps."""
