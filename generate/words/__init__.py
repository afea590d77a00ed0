"""How numbers, names and commands are written, in one way on all pages."""
