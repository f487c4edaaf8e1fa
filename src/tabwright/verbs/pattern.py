"""Parameters that say which addresses or which words are meant."""

from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator

from tabwright.engine.glob import text_pattern, url_pattern
from tabwright.errors import InputError
from tabwright.verb import Text


def _read_by(read: Callable[[str], object]) -> AfterValidator:
    def check(given: str) -> str:
        try:
            read(given)
        except InputError as error:
            raise ValueError(str(error).rstrip(".")) from None
        return given

    return AfterValidator(check)


UrlPattern = Annotated[Text, _read_by(url_pattern)]
"""A part of an address, a glob, or `/a regular expression/`."""
TextPattern = Annotated[Text, _read_by(text_pattern)]
"""Words in any case, or `/a regular expression/`."""
