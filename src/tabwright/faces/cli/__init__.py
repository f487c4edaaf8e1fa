"""The command line: one command for each verb, and a few to set things up."""

from tabwright.faces.cli.entry import main

__all__ = ["main"]
