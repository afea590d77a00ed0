"""The Pythons to measure, their packages, and the machine they run on."""
