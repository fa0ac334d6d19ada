"""Runs scripts: one forked process for each call, on this machine or a cluster, within limits."""
