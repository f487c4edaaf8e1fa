"""What an agent can do, by subject. Importing this package declares every verb."""

from tabwright.verbs import capture, navigate, script, tab

SUBJECTS = (navigate, tab, script, capture)
