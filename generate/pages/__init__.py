"""Pages that are made from results: scenarios, machines, builds, data."""
