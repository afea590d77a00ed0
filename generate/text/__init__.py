"""How numbers, names, sources and commands are written, in one way on all pages."""
