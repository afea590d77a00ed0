"""The load that servers are measured under, and the local sites that clients fetch from."""
