"""Where pages are told that they are."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from tabwright.engine.geolocation import Position
from tabwright.engine.session import Session
from tabwright.verb import Params, Positional, Result, verb


class Geolocation(Params):
    """Which place."""

    example: ClassVar[dict[str, Any]] = {"latitude": 52.52, "longitude": 13.405}

    action: Annotated[Literal["set", "clear"], Positional] = "set"
    """set a position, or clear it: pages are asked for permission again, and given none."""

    latitude: Annotated[float, Field(ge=-90, le=90)] | None = None
    """Degrees north; negative: south."""

    longitude: Annotated[float, Field(ge=-180, le=180)] | None = None
    """Degrees east; negative: west."""

    accuracy: Annotated[float, Field(ge=0, le=100_000_000)] | None = None
    """Metres; default: 1."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        given = {name: getattr(self, name) for name in ("latitude", "longitude", "accuracy")}
        for name, value in given.items():
            if self.action == "clear" and value is not None:
                raise ValueError(f"`{name}` goes with action 'set'")
            if self.action == "set" and value is None and name != "accuracy":
                raise ValueError(f"`{name}` is needed to set a position")
        return self


class Located(Result):
    """Where pages are from now on."""

    latitude: float | None
    """Degrees north; null: no position is set."""

    longitude: float | None
    """Degrees east; null: no position is set."""

    accuracy: float | None
    """Metres; null: no position is set."""

    def text(self) -> str:
        """The position."""
        if self.latitude is None:
            return "No position is set."
        return f"Position {self.latitude:g}, {self.longitude:g}, within {self.accuracy:g} m."


@verb(effect="act", repeatable=True)
async def geolocation(session: Session, params: Geolocation) -> Located:
    """Tell pages that they are at a place, with the permission to know it; or clear that.

    Holds for all tabs of the conversation, also for those to come, until it is changed.
    """
    position = None
    if params.latitude is not None and params.longitude is not None:
        accuracy = 1.0 if params.accuracy is None else params.accuracy
        position = Position(params.latitude, params.longitude, accuracy)
    await session.whereabouts.become(position)
    return Located(
        latitude=position and position.latitude,
        longitude=position and position.longitude,
        accuracy=position and position.accuracy,
    )
