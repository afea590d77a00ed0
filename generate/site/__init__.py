"""The whole site: one stage after the other, and the writing at the end."""
