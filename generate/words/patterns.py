"""Sentences and phrases with slots: every pattern that states a value, a ratio, a range or a verdict.

Plain strings, filled with `str.format`, one section a package. Numbers in slots come from `numbers.py`.
"""

# --- terminal: show, compare, check ---

# --- claims ---

# --- charts ---

# --- pages: scenarios, tables, machines, builds, compare, data ---

# --- pages: home, choose, everyday, articles, claims ---

# --- downloads ---
