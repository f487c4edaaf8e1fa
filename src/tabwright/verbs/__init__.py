"""What an agent can do, by subject. Importing this package declares every verb."""

from tabwright.verb import VERBS
from tabwright.verbs import capture, navigate, script, tab

__all__ = ["VERBS", "capture", "navigate", "script", "tab"]
