"""Small models built on `figures.attention`, and how they are trained."""
