"""How a profile's browser is started: which binary, with which arguments, sandboxed or not."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Literal

from tabwright.config import BrowserProfile, Settings
from tabwright.engine.browser import Chromium, Launcher, Report
from tabwright.engine.clock import Clock
from tabwright.engine.ledger import Run
from tabwright.engine.obtain import Browser as FoundBrowser
from tabwright.engine.obtain import ensure
from tabwright.engine.process import LaunchPlan
from tabwright.errors import LaunchFailed

SMALL_SHM_BYTES = 512 * 2**20

FEATURES_OFF = (
    "Translate",
    "OptimizationHints",
    "MediaRouter",
    "DialMediaRouteProvider",
    # Holds the page's tasks back until a frame is drawn: 10 ms for every click that is waited for.
    "DeferRendererTasksAfterInput",
)
# Quiet, unattended and the same on every machine; nothing here weakens a page's security.
ARGS = (
    "--no-first-run",
    "--no-default-browser-check",
    "--no-startup-window",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-features=" + ",".join(FEATURES_OFF),
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
)
FORBIDDEN = ("--remote-debugging-", "--user-data-dir", "--single-process")


async def start_browser(
    profile: BrowserProfile,
    settings: Settings,
    run: Run,
    *,
    launch: Launcher,
    clock: Clock,
    report: Report,
) -> Chromium:
    """Find or obtain the profile's browser and start it.

    With `browser.sandbox = auto`, a machine that cannot run the sandbox gets a browser without
    it, and a report that says so.
    """
    found = await _binary(profile, settings)
    sandbox, reason = _sandbox(settings.browser.sandbox)
    plan = _plan(profile, settings, found, run)
    if not sandbox:
        return await _start_open(profile, plan, reason, launch, clock, report)
    try:
        return await Chromium.start(profile.name, plan, launch=launch, clock=clock, report=report)
    except LaunchFailed as error:
        if settings.browser.sandbox != "auto" or not error.details.get("sandbox"):
            raise
    why = "Chromium says that its sandbox cannot run on this machine"
    return await _start_open(profile, plan, why, launch, clock, report)


async def _start_open(
    profile: BrowserProfile,
    plan: LaunchPlan,
    reason: str,
    launch: Launcher,
    clock: Clock,
    report: Report,
) -> Chromium:
    report("sandbox_off", {"reason": reason, "profile": profile.name})
    plan = replace(plan, args=(*plan.args, "--no-sandbox"))
    return await Chromium.start(profile.name, plan, launch=launch, clock=clock, report=report)


async def _binary(profile: BrowserProfile, settings: Settings) -> FoundBrowser:
    configured = profile.launch_options.executable_path or settings.browser.executable_path
    kind = wanted_kind(profile, settings)
    return await ensure(
        kind,
        executable=Path(configured).expanduser() if configured else None,
        cache=settings.paths.cache_dir,
        sources=settings.browser.sources or None,
    )


def wanted_kind(profile: BrowserProfile, settings: Settings) -> Literal["shell", "full"]:
    """The headless shell is several times cheaper; windows, extensions and stealth need more."""
    if settings.browser.chromium != "auto":
        return settings.browser.chromium
    quiet = headless(profile, settings) and not stealth(profile, settings)
    return "shell" if quiet else "full"


def stealth(profile: BrowserProfile, settings: Settings) -> bool:
    """Whether the profile's browser hides that it is driven."""
    return settings.browser.stealth if profile.stealth is None else profile.stealth


def headless(profile: BrowserProfile, settings: Settings) -> bool:
    """Whether the profile's browser shows no window."""
    chosen = profile.launch_options.headless
    return settings.browser.headless if chosen is None else chosen


def _plan(profile: BrowserProfile, settings: Settings, found: FoundBrowser, run: Run) -> LaunchPlan:
    size = profile.launch_options.default_viewport or settings.browser.default_viewport
    args = [*ARGS, f"--window-size={size.width},{size.height}"]
    if headless(profile, settings):
        args += ["--headless", "--hide-scrollbars"]
    if stealth(profile, settings):
        args.append("--disable-blink-features=AutomationControlled")
    if sys.platform == "linux" and _small_shm():
        args.append("--disable-dev-shm-usage")
    extra = [*settings.browser.args, *profile.launch_options.args]
    for arg in extra:
        if arg.startswith(FORBIDDEN):
            raise LaunchFailed(
                f"The launch argument {arg!r} is not allowed.",
                hint="Tabwright sets the debugging port and the data directory itself.",
            )
    timeout_ms = profile.launch_options.timeout or settings.browser.default_timeout
    return LaunchPlan(
        executable=found.path,
        args=(*args, *extra),
        user_data_dir=run.profiles / profile.name,
        run=run,
        env=dict(found.env),
        timeout_s=timeout_ms / 1000,
    )


def _sandbox(choice: Literal["auto", "on", "off"]) -> tuple[bool, str]:
    if choice == "off":
        return False, "browser.sandbox is off"
    if choice == "auto" and hasattr(os, "geteuid") and os.geteuid() == 0:
        return False, "Chromium cannot run its sandbox as root"
    return True, ""


def _small_shm() -> bool:
    shm = Path("/dev/shm")  # noqa: S108  # Chromium's own choice; we only measure it
    return not shm.exists() or shutil.disk_usage(shm).total < SMALL_SHM_BYTES
