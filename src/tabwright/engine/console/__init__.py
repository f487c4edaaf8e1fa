"""What pages, frames and workers say on their consoles."""
