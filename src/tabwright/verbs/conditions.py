"""Under which conditions pages run: offline, with a slow network, with a slow processor."""

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from tabwright.engine.conditions import PRESETS
from tabwright.engine.conditions import Conditions as Engine
from tabwright.engine.session import Session
from tabwright.verb import Params, Result, verb

Kbps = Annotated[float, Field(gt=0, le=10_000_000)]


class Conditions(Params):
    """What to change; what is left out stays."""

    example: ClassVar[dict[str, Any]] = {"offline": True}

    offline: bool | None = None
    """true: no network for any page or worker; false: it is back."""

    network: Literal["none", "2g", "slow-3g", "fast-3g", "4g"] | None = None
    """A slow network by its name; 'none' is full speed."""

    latency: Annotated[float, Field(ge=0, le=60_000)] | None = None
    """Milliseconds until an answer begins, at least."""

    download: Kbps | None = None
    """Kilobits a second."""

    upload: Kbps | None = None
    """Kilobits a second."""

    cpu: Annotated[float, Field(ge=1, le=100)] | None = None
    """How many times slower scripts run; 1 is full speed."""


class CurrentConditions(Result):
    """The conditions that hold from now on."""

    offline: bool
    """Whether there is no network."""

    latency: float
    """Milliseconds added before an answer."""

    download: float | None
    """Kilobits a second; null: no limit."""

    upload: float | None
    """Kilobits a second; null: no limit."""

    cpu: float
    """How many times slower scripts run."""

    def text(self) -> str:
        """What is not as usual."""
        said = ["offline"] if self.offline else []
        said += [f"latency {self.latency:g} ms"] if self.latency else []
        said += [f"download {self.download:g} kbit/s"] if self.download is not None else []
        said += [f"upload {self.upload:g} kbit/s"] if self.upload is not None else []
        said += [f"processor {self.cpu:g} times slower"] if self.cpu != 1 else []
        return f"Conditions: {', '.join(said) or 'online, full speed'}."


@verb(effect="act", repeatable=True)
async def conditions(session: Session, params: Conditions) -> CurrentConditions:
    """Take the network away, slow it down, slow scripts down, or put things right again.

    Holds for all tabs and workers of the conversation, also for those to come, until it is
    changed. Without parameters it tells what holds.
    """
    now = session.climate.now
    wanted = _changed(now, params)
    if wanted != now:
        await session.climate.become(wanted)
    return CurrentConditions(
        offline=wanted.offline,
        latency=wanted.latency_ms,
        download=wanted.download_kbps,
        upload=wanted.upload_kbps,
        cpu=wanted.cpu,
    )


def _changed(now: Engine, params: Conditions) -> Engine:
    if params.network is not None:
        latency, download, upload = PRESETS[params.network]
        now = replace(now, latency_ms=latency, download_kbps=download, upload_kbps=upload)
    given = {
        "offline": params.offline,
        "latency_ms": params.latency,
        "download_kbps": params.download,
        "upload_kbps": params.upload,
        "cpu": params.cpu,
    }
    return replace(now, **{name: value for name, value in given.items() if value is not None})
