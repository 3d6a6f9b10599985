"""The real data that the small models learn from, taken from packages that ship it."""
