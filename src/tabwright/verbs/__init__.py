"""What an agent can do, by subject. Importing this package declares every verb."""

from tabwright.verbs import capture, navigate, script, tab

__all__ = ["capture", "navigate", "script", "tab"]
