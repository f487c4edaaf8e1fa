"""Pages over plain HTTP, without a browser."""
