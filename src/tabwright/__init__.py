"""A real browser that AI agents, and people, can trust."""

import logging

logging.getLogger("tabwright").addHandler(logging.NullHandler())
