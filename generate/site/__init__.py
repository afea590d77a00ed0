"""The site: one stage after another, then the writing."""
