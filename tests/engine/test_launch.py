"""How a profile's browser is started: which one, with which arguments, sandboxed or not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import psutil
import pytest

from support.engine import browser_processes, make_settings
from tabwright.config import Settings, resolve_profile
from tabwright.engine import launch
from tabwright.engine.browser import Chromium
from tabwright.engine.clock import SystemClock
from tabwright.engine.launch import start_browser, wanted_kind
from tabwright.engine.ledger import Run
from tabwright.engine.manager import BrowserManager
from tabwright.engine.process import BrowserProcess, LaunchPlan
from tabwright.errors import LaunchFailed

A_USER = 1000
FLAG = "--disable-blink-features=AutomationControlled"


class Bench:
    """Starts browsers and writes down what was planned and reported."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.plans: list[LaunchPlan] = []
        self.reports: list[tuple[str, dict[str, object]]] = []
        paths = settings.paths
        self.run = Run(
            paths.user_data_base_dir / ".runs", paths.user_data_base_dir, paths.artifact_dir
        )

    async def start(self) -> Chromium:
        return await start_browser(
            resolve_profile(self.settings, "isolated"),
            self.settings,
            self.run,
            launch=self._launch,
            clock=SystemClock(),
            report=lambda event, facts: self.reports.append((event, facts)),
        )

    async def planned(self) -> list[str]:
        """The command line of a start that ends before a process is made."""
        self._launch = self._refuse
        with pytest.raises(LaunchFailed, match="only planned"):
            await self.start()
        return self.plans[-1].argv

    async def _launch(self, plan: LaunchPlan) -> BrowserProcess:
        self.plans.append(plan)
        return await BrowserProcess.launch(plan)

    async def _refuse(self, plan: LaunchPlan) -> BrowserProcess:
        self.plans.append(plan)
        raise LaunchFailed("It was only planned.")


@pytest.fixture
def as_user(monkeypatch) -> None:
    """We take ourselves for an ordinary user; what we start knows better."""
    monkeypatch.setattr(launch.os, "geteuid", lambda: A_USER)


def bench(tmp_path, **overrides: Any) -> Bench:
    return Bench(make_settings(tmp_path, **overrides))


@pytest.mark.parametrize(
    ("overrides", "kind"),
    [
        ({}, "shell"),
        ({"browser.headless": False}, "full"),
        ({"browser.stealth": True}, "full"),
        ({"profiles.isolated.launchOptions.headless": False}, "full"),
        (
            {"browser.headless": False, "profiles.isolated.launchOptions.headless": True},
            "shell",
        ),
        ({"profiles.isolated.stealth": True}, "full"),
        ({"browser.stealth": True, "profiles.isolated.stealth": False}, "shell"),
        ({"browser.chromium": "full"}, "full"),
        ({"browser.chromium": "shell", "browser.headless": False}, "shell"),
    ],
)
def test_the_cheap_shell_is_used_unless_windows_or_stealth_need_a_full_browser(
    tmp_path, overrides, kind
):
    settings = make_settings(tmp_path, **overrides)
    assert wanted_kind(resolve_profile(settings, "isolated"), settings) == kind


@pytest.mark.parametrize(
    "arg",
    [
        "--remote-debugging-port=9222",
        "--remote-debugging-address=0.0.0.0",
        "--remote-debugging-pipe",
        "--user-data-dir=/tmp/elsewhere",
        "--single-process",
    ],
)
@pytest.mark.parametrize("key", ["browser.args", "profiles.isolated.launchOptions.args"])
@pytest.mark.proves("S3-9.4")
async def test_an_argument_that_would_open_the_browser_to_others_is_refused(tmp_path, key, arg):
    tried = bench(tmp_path, **{key: [arg]})
    with pytest.raises(LaunchFailed) as caught:
        await tried.start()
    assert arg in caught.value.message
    assert tried.plans == []


async def test_more_arguments_come_last_those_of_the_profile_after_those_of_all(tmp_path):
    tried = bench(
        tmp_path,
        **{
            "browser.args": ["--lang=de"],
            "profiles.isolated.launchOptions.args": ["--lang=fr", "--disable-gpu"],
            "browser.sandbox": "on",
        },
    )
    assert (await tried.planned())[-3:] == ["--lang=de", "--lang=fr", "--disable-gpu"]


async def test_viewport_and_start_timeout_are_those_of_the_profile_before_those_of_all(tmp_path):
    general = bench(tmp_path, **{"browser.defaultTimeout": 5000})
    assert "--window-size=1280,720" in await general.planned()
    assert general.plans[0].timeout_s == 5
    own = bench(
        tmp_path,
        **{
            "browser.defaultTimeout": 5000,
            "profiles.isolated.launchOptions.timeout": 7000,
            "profiles.isolated.launchOptions.defaultViewport": {"width": 800, "height": 600},
        },
    )
    assert "--window-size=800,600" in await own.planned()
    assert own.plans[0].timeout_s == 7


@pytest.mark.proves("S1-10")
async def test_a_stealthy_browser_runs_headless_with_automation_controlled_disabled(tmp_path):
    tried = bench(tmp_path, **{"browser.stealth": True})
    browser = await tried.start()
    argv = psutil.Process(browser.process.pid).cmdline()
    await browser.close()
    assert "--headless" in argv
    assert FLAG in argv
    assert "headless-shell" not in argv[0]


async def test_without_stealth_nothing_is_hidden_from_pages(tmp_path):
    assert FLAG not in await bench(tmp_path).planned()


@pytest.mark.proves("S1-21", "U-34")
async def test_for_an_ordinary_user_the_browser_is_sandboxed_and_has_no_window(tmp_path, as_user):
    tried = bench(tmp_path)
    argv = await tried.planned()
    assert "--headless" in argv
    assert "--no-sandbox" not in argv
    assert not any("sandbox" in arg for arg in argv)
    assert tried.reports == []


@pytest.mark.proves("R-3", "S1-21")
async def test_for_root_the_sandbox_is_off_and_the_journal_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(launch.os, "geteuid", lambda: 0)
    manager = BrowserManager(make_settings(tmp_path))
    browser = await manager.launch_browser()
    argv = psutil.Process(browser.process.pid).cmdline()
    entries = [entry for entry in manager.journal.entries if entry["event"] == "sandbox_off"]
    await manager.stop()
    assert "--no-sandbox" in argv
    assert [entry["reason"] for entry in entries] == ["Chromium cannot run its sandbox as root"]
    assert entries[0]["level"] == "warning"
    assert entries[0]["profile"] == "isolated"


@pytest.mark.proves("R-3")
async def test_a_sandbox_that_is_switched_off_is_off_and_reported_for_every_user(tmp_path, as_user):
    tried = bench(tmp_path, **{"browser.sandbox": "off"})
    assert "--no-sandbox" in await tried.planned()
    assert tried.reports == [
        ("sandbox_off", {"reason": "browser.sandbox is off", "profile": "isolated"})
    ]


needs_root = pytest.mark.skipif(
    psutil.Process().uids().effective != 0, reason="only root's Chromium refuses its sandbox"
)


@needs_root
@pytest.mark.proves("R-3")
async def test_where_chromium_cannot_run_its_sandbox_auto_goes_on_without_and_says_so(
    tmp_path, as_user
):
    tried = bench(tmp_path)
    browser = await tried.start()
    argv = psutil.Process(browser.process.pid).cmdline()
    await browser.close()
    assert ["--no-sandbox" in plan.argv for plan in tried.plans] == [False, True]
    assert "--no-sandbox" in argv
    why = "Chromium says that its sandbox cannot run on this machine"
    assert tried.reports[0] == ("sandbox_off", {"reason": why, "profile": "isolated"})


@needs_root
@pytest.mark.proves("R-3")
async def test_where_chromium_cannot_run_its_sandbox_on_is_an_error_that_names_the_setting(
    tmp_path,
):
    tried = bench(tmp_path, **{"browser.sandbox": "on"})
    with pytest.raises(LaunchFailed) as caught:
        await tried.start()
    assert caught.value.details["sandbox"] is True
    assert any("--no-sandbox" in line for line in caught.value.details["stderr"])
    assert 'browser.sandbox = "off"' in caught.value.hint
    assert len(tried.plans) == 1
    assert tried.reports == []
    assert browser_processes(tmp_path) == []


async def test_a_start_that_fails_for_another_reason_is_not_tried_without_the_sandbox(
    tmp_path, as_user
):
    # A shell script stands in for a browser that lacks a library.
    broken = tmp_path / "chrome-headless-shell"
    broken.write_text("#!/bin/sh\necho 'libnss3.so: not found' >&2\nexit 127\n", encoding="utf-8")
    broken.chmod(0o755)
    tried = bench(tmp_path, **{"browser.executablePath": str(broken)})
    with pytest.raises(LaunchFailed) as caught:
        await tried.start()
    assert caught.value.details["stderr"] == ["libnss3.so: not found"]
    assert len(tried.plans) == 1
    assert tried.reports == []


@pytest.mark.parametrize("version", ["1.3", "1.10", "2.0"])
@pytest.mark.proves("S3-1.6")
async def test_protocol_1_3_and_later_are_accepted_and_compared_as_numbers(
    tmp_path, monkeypatch, version
):
    report_version(monkeypatch, version)
    browser = await bench(tmp_path).start()
    assert browser.version.protocol_version == version
    await browser.close()


@pytest.mark.parametrize("version", ["1.2", "0.9"])
@pytest.mark.proves("S3-1.6")
async def test_an_older_protocol_is_refused_and_the_browser_ended(tmp_path, monkeypatch, version):
    report_version(monkeypatch, version)
    with pytest.raises(LaunchFailed) as caught:
        await bench(tmp_path).start()
    assert f"protocol {version}; 1.3 is needed" in caught.value.message
    assert browser_processes(tmp_path) == []


def report_version(monkeypatch, version: str) -> None:
    """A real browser whose answer about its protocol is changed on the way."""
    asked = launch.Chromium.__init__

    def changed(self, *args: Any) -> None:
        asked(self, *args)
        ask = self.client.get_browser_version

        async def answer():
            return replace(await ask(), protocol_version=version)

        self.client.get_browser_version = answer

    monkeypatch.setattr(Chromium, "__init__", changed)
