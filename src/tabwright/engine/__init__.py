"""What a browser is, and how it is kept alive."""
