"""One DrawingML element per small printer; each knows its schema order, none knows the deck."""
