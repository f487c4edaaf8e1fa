"""A machine that has no configuration but what a test gives it, and a value for every key."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabwright.config import Settings, load, show
from tabwright.errors import ConfigError


class Machine:
    """A home and a project without any configuration but what a test writes."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.project = root / "project"
        self.user_file = self.home / ".config" / "tabwright" / "config.toml"
        self.project_file = self.project / "tabwright.toml"
        self.user_file.parent.mkdir(parents=True)
        (self.project / ".git").mkdir(parents=True)

    def load(self, overrides: dict[str, object] | None = None, **env: str) -> Settings:
        return load(overrides, cwd=self.project, env=env, home=self.home)

    def problems(self, overrides: dict[str, object] | None = None, **env: str) -> str:
        with pytest.raises(ConfigError) as caught:
            self.load(overrides, **env)
        return caught.value.message.replace(str(self.home), "~").replace(str(self.project), ".")


def value_of(loaded: Settings, key: str) -> Any:
    return {row.key: row.value for row in show(loaded)}[key]


GIVEN: dict[str, Any] = {
    "controlServer.enabled": False,
    "controlServer.port": 20001,
    "controlServer.host": "::1",
    "browser.executablePath": "/opt/chromium",
    "browser.defaultProfile": "remote",
    "browser.headless": False,
    "browser.defaultViewport.width": 800,
    "browser.defaultViewport.height": 600,
    "browser.defaultTimeout": "45s",
    "browser.idleTimeout": "5m",
    "browser.dialogs": "dismiss",
    "browser.dialogTimeout": "5s",
    "browser.screenshots.maxSide": 800,
    "browser.screenshots.maxBytes": 1048576,
    "browser.sandbox": "on",
    "browser.noSandbox": True,
    "browser.stealth": True,
    "browser.args": ["--mute-audio"],
    "browser.autoStart": True,
    "browser.chromium": "full",
    "browser.sources": ["cft"],
    "profiles.NAME.name": "name",
    "profiles.NAME.type": "remote",
    "profiles.NAME.userDataDir": "/data/name",
    "profiles.NAME.persistent": True,
    "profiles.NAME.stealth": True,
    "profiles.NAME.launchOptions.headless": False,
    "profiles.NAME.launchOptions.executablePath": "/opt/other",
    "profiles.NAME.launchOptions.args": ["--lang=de"],
    "profiles.NAME.launchOptions.defaultViewport.width": 400,
    "profiles.NAME.launchOptions.defaultViewport.height": 300,
    "profiles.NAME.launchOptions.timeout": "1m",
    "profiles.NAME.connectionOptions.wsEndpoint": "wss://browsers.test/1",
    "profiles.NAME.connectionOptions.extensionId": "abcdef",
    "profiles.NAME.connectionOptions.gatewayUrl": "https://gateway.test",
    "profiles.NAME.connectionOptions.authToken": "hush",
    "paths.userDataBaseDir": "/data/profiles",
    "paths.screenshotDir": "/data/shots",
    "paths.downloadDir": "/data/downloads",
    "paths.artifactDir": "/data/artifacts",
    "paths.cacheDir": "/data/cache",
    "logging.level": "debug",
    "logging.logActions": False,
    "logging.logErrors": False,
    "logging.file": "/data/log",
    "security.allowRemoteProfiles": True,
    "security.validateSelectors": False,
    "security.sanitizeFilePaths": False,
    "security.allowedPaths": ["/data/in"],
    "security.allowAbsolutePaths": True,
    "tools.browser.enabled": True,
    "tools.browser.headless": False,
    "tools.browser.sessionTimeout": "7m",
    "tools.browser.browserBin": "/opt/bin",
}


def seen(key: str) -> Any:
    return "********" if key.endswith("authToken") else GIVEN[key]


def camel(key: str) -> str:
    return f"TABWRIGHT_{key.replace('.', '__')}"


def snake(key: str) -> str:
    letters = (f"_{letter}" if letter.isupper() else letter for letter in key)
    return f"TABWRIGHT_{''.join(letters).replace('.', '__')}".upper()


def as_text(given: Any) -> str:
    return given if isinstance(given, str) else json.dumps(given)
