"""Brings a built site to where readers find it: a branch of a Git remote, or a machine by rsync."""
