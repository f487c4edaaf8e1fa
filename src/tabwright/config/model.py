"""The settings: every key, what it means, and what it may hold."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretStr,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic.alias_generators import to_camel

from tabwright.config.places import places
from tabwright.duration import Duration

DEFAULT_PROFILES = ("isolated", "chrome-extension", "remote")


def _stating(allowed: str) -> WrapValidator:
    """One sentence for every way in which a value can be wrong."""

    def check(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except ValidationError:
            raise ValueError(allowed) from None

    return WrapValidator(check)


def _straight(path: Path) -> Path:
    parts = re.split(r"[\\/]", str(path))
    if ".." in parts or "\0" in str(path):
        raise ValueError("a path without '..'")
    return path


def _directory(value: Any) -> Any:
    if value == "":
        raise ValueError("a path without '..'; it cannot be empty")
    return value


def _url(value: str) -> str:
    try:
        parts = urlsplit(value)
        fits = parts.scheme in {"ws", "wss", "http", "https"} and bool(parts.hostname)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError("a URL that starts with ws://, wss://, http:// or https://")
    return value


def _level(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return {"warn": "warning"}.get(value.lower(), value.lower())


def _kind(value: Any) -> Any:
    return "isolated" if value == "openclaw" else value


def _file_path(value: str) -> str:
    _straight(Path(value))
    return value


Port = Annotated[int, Field(ge=1024, le=65535), _stating("a whole number from 1024 to 65535")]
Pixels = Annotated[int, Field(ge=1, le=16384), _stating("a whole number from 1 to 16384")]
Side = Annotated[int, Field(ge=64, le=16384), _stating("a whole number from 64 to 16384")]
ByteSize = Annotated[
    int, Field(ge=16384, le=100 << 20), _stating("a whole number from 16384 to 104857600")
]
Directory = Annotated[Path, BeforeValidator(_directory), AfterValidator(_straight)]
FilePath = Annotated[str, AfterValidator(_file_path)]
Endpoint = Annotated[str, AfterValidator(_url)]
Loopback = Literal["127.0.0.1", "localhost", "::1"]
LogLevel = Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(_level)]
ProfileType = Annotated[Literal["isolated", "chrome-extension", "remote"], BeforeValidator(_kind)]


class Section(BaseModel):
    """A table of the configuration: camelCase in files, snake_case in Python."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        defer_build=True,
        hide_input_in_errors=True,
    )


class ControlServer(Section):
    """The HTTP and WebSocket server that the command line and other programs speak to."""

    enabled: bool = True
    """Whether the server may be started."""

    port: Port = 18791
    """Port it listens on."""

    host: Loopback = "127.0.0.1"
    """Address it listens on; never one that other machines can reach."""


class Viewport(Section):
    """The size of a page, in CSS pixels."""

    width: Pixels = 1280
    """Width."""

    height: Pixels = 720
    """Height."""


class Screenshots(Section):
    """The largest picture that a model is shown; the file keeps its full size."""

    max_side: Side = 1568
    """Longest side, in pixels."""

    max_bytes: ByteSize = 5 * 1024 * 1024
    """Size as base64, in bytes."""


class Browser(Section):
    """Which browser is started, and how."""

    executable_path: FilePath = ""
    """The browser to start; empty to search for one."""

    default_profile: str = "isolated"
    """Profile for calls that name none."""

    headless: bool = True
    """Without a window."""

    default_viewport: Viewport = Field(default_factory=Viewport)
    """Size of new pages."""

    screenshots: Screenshots = Field(default_factory=Screenshots)
    """How large a picture may be that a model is shown."""

    default_timeout: Duration = 30_000.0
    """Deadline for calls that name none."""

    idle_timeout: Duration = 1_800_000.0
    """A browser that nobody used for this long is closed."""

    dialogs: Literal["ask", "accept", "dismiss"] = "ask"
    """An alert, confirm or prompt waits for the caller's answer, or is answered at once."""

    dialog_timeout: Duration = 60_000.0
    """A dialog that nobody answered for this long is dismissed; an alert is accepted."""

    sandbox: Literal["auto", "on", "off"] = "auto"
    """Chromium's sandbox; `auto` is on, except where Chromium cannot run with it."""

    no_sandbox: bool | None = None
    """Another way to say `sandbox = "off"`."""

    stealth: bool = False
    """Hide from pages that a program drives the browser."""

    args: list[str] = Field(default_factory=list)
    """More arguments for the browser's command line."""

    auto_start: bool = False
    """Start the browser with the server instead of with the first call."""

    chromium: Literal["auto", "shell", "full"] = "auto"
    """The headless shell, full Chromium, or whichever the work allows."""

    sources: list[str] = Field(default_factory=list)
    """Where a missing browser is obtained from, in this order; empty for the built-in order."""


class LaunchOptions(Section):
    """How the browser of one profile is started; what is not set comes from `browser`."""

    headless: bool | None = None
    """Without a window."""

    executable_path: FilePath | None = None
    """The browser to start."""

    args: list[str] = Field(default_factory=list)
    """More arguments, after those of `browser.args`."""

    default_viewport: Viewport | None = None
    """Size of new pages."""

    timeout: Duration | None = None
    """How long the browser may take to start."""


class ConnectionOptions(Section):
    """How a browser that already runs is reached."""

    ws_endpoint: Endpoint | None = None
    """Address of its debugging port."""

    extension_id: str | None = None
    """Id of the browser extension."""

    gateway_url: Endpoint | None = None
    """Address of the gateway in front of it."""

    auth_token: SecretStr | None = None
    """Token for the endpoint or the gateway; never shown or logged."""


class BrowserProfile(Section):
    """One browser identity, with files of its own."""

    name: str = ""
    """Its name; the key of its table when not given."""

    type: ProfileType = "isolated"
    """Started by us, reached through the extension, or remote; `openclaw` means `isolated`."""

    user_data_dir: Directory | None = None
    """Its directory; one under `paths.userDataBaseDir` when not given."""

    persistent: bool = False
    """Keep cookies and storage when the browser is closed."""

    stealth: bool | None = None
    """Overrides `browser.stealth`."""

    launch_options: LaunchOptions = Field(default_factory=LaunchOptions)
    """How its browser is started."""

    connection_options: ConnectionOptions = Field(default_factory=ConnectionOptions)
    """How its browser is reached."""


class Paths(Section):
    """Directories; they are made when they are first needed."""

    user_data_base_dir: Directory = Field(default_factory=lambda: places().state / "profiles")
    """Directories of profiles."""

    screenshot_dir: Directory = Field(default_factory=lambda: places().state / "screenshots")
    """Screenshots."""

    download_dir: Directory = Field(default_factory=lambda: places().state / "downloads")
    """Downloaded files."""

    artifact_dir: Directory = Field(default_factory=lambda: places().state / "artifacts")
    """Output that was too long for a reply, traces, recordings."""

    cache_dir: Directory = Field(default_factory=lambda: places().cache)
    """Browsers that were obtained."""


class Logging(Section):
    """What is written to the log."""

    level: LogLevel = "info"
    """Least severity that is written."""

    log_actions: bool = True
    """Write a line for each call."""

    log_errors: bool = True
    """Write a line for each failed call."""

    file: Directory | None = None
    """Write to this file as well as to standard error."""


class Security(Section):
    """What callers may do."""

    allow_remote_profiles: bool = False
    """Allow profiles of type `remote`."""

    validate_selectors: bool = True
    """Check selectors before they reach the page."""

    sanitize_file_paths: bool = True
    """Refuse paths that leave the allowed directories."""

    allowed_paths: list[Directory] = Field(default_factory=list[Path])
    """Directories that files may be read from and written to, besides those of `paths`."""

    allow_absolute_paths: bool | None = None
    """Allow absolute paths; not set: for a person, but not for an agent."""


class BrowserTools(Section):
    """Whether agents get browser tools, and other names for keys of `browser`."""

    enabled: bool | None = None
    """Offer browser tools; not set: a person may use the browser, an agent may not."""

    headless: bool | None = None
    """Another name for `browser.headless`."""

    session_timeout: Duration | None = None
    """Another name for `browser.idleTimeout`."""

    browser_bin: FilePath | None = None
    """Another name for `browser.executablePath`."""


class Tools(Section):
    """What is offered to agents."""

    browser: BrowserTools = Field(default_factory=BrowserTools)
    """The browser tools."""


class Settings(Section):
    """The whole configuration."""

    control_server: ControlServer = Field(default_factory=ControlServer)
    """The control server."""

    browser: Browser = Field(default_factory=Browser)
    """The browser."""

    profiles: dict[str, BrowserProfile] = Field(default_factory=dict[str, BrowserProfile])
    """Profiles by name; `isolated`, `chrome-extension` and `remote` always exist."""

    paths: Paths = Field(default_factory=Paths)
    """Directories."""

    logging: Logging = Field(default_factory=Logging)
    """The log."""

    security: Security = Field(default_factory=Security)
    """What callers may do."""

    tools: Tools = Field(default_factory=Tools)
    """What is offered to agents."""

    _origins: dict[str, str] = PrivateAttr(default_factory=dict[str, str])

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if "openclaw" in self.profiles and "isolated" not in self.profiles:
            self.profiles["isolated"] = self.profiles.pop("openclaw")
        for name in DEFAULT_PROFILES:
            profile = self.profiles.setdefault(name, BrowserProfile())
            if "type" not in profile.model_fields_set:
                profile.type = name
        for name, profile in self.profiles.items():
            profile.name = name if profile.name in {"", "openclaw"} else profile.name
        self._follow_other_names()
        return self

    def _follow_other_names(self) -> None:
        browser, tools, given = self.browser, self.tools.browser, self.browser.model_fields_set
        if tools.headless is not None and "headless" not in given:
            browser.headless = tools.headless
        if tools.session_timeout is not None and "idle_timeout" not in given:
            browser.idle_timeout = tools.session_timeout
        if tools.browser_bin is not None and "executable_path" not in given:
            browser.executable_path = tools.browser_bin
        if browser.no_sandbox and "sandbox" not in given:
            browser.sandbox = "off"

    def origin(self, key: str) -> str:
        """Which source gave a key, such as `environment TABWRIGHT_BROWSER__HEADLESS`.

        Of a table, the source that was last to give something in it.
        """
        within = [source for k, source in self._origins.items() if k.startswith(f"{key}.")]
        return self._origins.get(key) or (within[-1] if within else "default")

    def remember(self, origins: dict[str, str]) -> None:
        """Keep which source gave which key."""
        self._origins = origins
