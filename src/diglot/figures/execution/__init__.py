"""Where scripts run: forked processes of this machine or a cluster, one call each, within limits."""
