"""Command lines: every verb as a command with arguments and options, for people and for agents."""
