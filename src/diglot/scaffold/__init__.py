"""Files that a new site begins with: `workflows/` holds those that check, build and publish it."""
