"""A template .pptx read into a `Theme`: named layouts and their boxes, fonts and their metrics, colours."""
