"""Ways in. Each parses its transport, calls the one door, and renders the outcome."""
