"""Records by the catalogue: checked by the gate, summed up, and the current one of each cell chosen."""
