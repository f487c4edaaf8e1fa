"""The configuration: one model, five sources, one list of problems."""

from tabwright.config.editing import set_value, set_values
from tabwright.config.keys import known_keys
from tabwright.config.loading import Row, check, load, show
from tabwright.config.model import (
    Browser,
    BrowserProfile,
    BrowserTools,
    ConnectionOptions,
    ControlServer,
    LaunchOptions,
    Logging,
    Paths,
    Security,
    Settings,
    Tools,
    Viewport,
)
from tabwright.config.places import Places, places, project_file
from tabwright.config.problem import Problem, refuse
from tabwright.config.profiles import profile_dir, profile_key, resolve_profile

__all__ = [
    "Browser",
    "BrowserProfile",
    "BrowserTools",
    "ConnectionOptions",
    "ControlServer",
    "LaunchOptions",
    "Logging",
    "Paths",
    "Places",
    "Problem",
    "Row",
    "Security",
    "Settings",
    "Tools",
    "Viewport",
    "check",
    "known_keys",
    "load",
    "places",
    "profile_dir",
    "profile_key",
    "project_file",
    "refuse",
    "resolve_profile",
    "set_value",
    "set_values",
    "show",
]
