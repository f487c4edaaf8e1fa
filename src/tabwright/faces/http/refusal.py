"""Errors that only a server over HTTP can have; all others are from `tabwright.errors`."""

from __future__ import annotations

from tabwright.errors import InputError, SecurityError, TabwrightError


class Unauthorized(SecurityError):
    """The bearer token is missing or wrong."""

    code = "UNAUTHORIZED"
    status = 401


class NotFound(InputError):
    """There is nothing of this name."""

    code = "NOT_FOUND"
    status = 404


class ProfileNotFound(NotFound):
    """There is no such profile."""

    code = "PROFILE_NOT_FOUND"


class BrowserNotFound(NotFound):
    """There is no such browser."""

    code = "BROWSER_NOT_FOUND"


class NoActiveBrowser(NotFound):
    """No browser runs, and what was asked for does not start one."""

    code = "NO_ACTIVE_BROWSER"


class WrongMethod(InputError):
    """The address is right, the method is not."""

    code = "METHOD_NOT_ALLOWED"
    status = 405


class TooSlow(InputError):
    """The body did not come in time."""

    code = "REQUEST_TIMEOUT"
    status = 408


class TooLarge(InputError):
    """The body has too many bytes."""

    code = "PAYLOAD_TOO_LARGE"
    status = 413


class WrongType(InputError):
    """The body is not said to be JSON."""

    code = "UNSUPPORTED_MEDIA_TYPE"
    status = 415


class TooMany(TabwrightError):
    """More clients than there is room for."""

    code = "SERVICE_UNAVAILABLE"
    kind = "connection"
    advice = "retry"
    status = 503


class PortTaken(TabwrightError):
    """Another program listens where the server should."""

    code = "PORT_TAKEN"
    kind = "configuration"
    advice = "stop"
