"""Hand-written pages, and the functions that put numbers into them."""
