"""A small shop, served from the package, and an agent that orders in it."""
