"""Claims of the sources: read, turned into hypotheses, judged, put into words."""
