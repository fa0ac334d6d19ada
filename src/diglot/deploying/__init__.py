"""Deploys a built site: to a branch of a Git remote, or to another machine by rsync."""
