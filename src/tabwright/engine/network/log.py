"""The requests of a conversation: the newest thousand, within a number of bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tabwright.engine.glob import url_matches
from tabwright.engine.network.record import AnswerSource, Chain, Record
from tabwright.errors import InputError

REMEMBERED = 1000
REMEMBERED_BYTES = 16_000_000
# Of requests that only the network service spoke of, such as those of a page that is gone.
ORPHANS = 200
ROW_BYTES = 1000
FIRST_ERROR = 400


class Log:
    """A ring of records."""

    def __init__(self, rows: int = REMEMBERED, size: int = REMEMBERED_BYTES) -> None:
        self.dropped = 0
        """How many were forgotten for want of room, since the log was last cleared."""
        self._rows = rows
        self._size = size
        self._bytes = 0
        self._next = 1
        self._records: dict[int, Record] = {}
        self._chains: dict[str, Chain] = {}
        self._orphans: dict[str, Chain] = {}

    def __iter__(self) -> Iterator[Record]:
        """All that are kept, oldest first."""
        return iter(list(self._records.values()))

    def __len__(self) -> int:
        return len(self._records)

    @property
    def next_number(self) -> int:
        """The number of the record that comes next."""
        return self._next

    def chain(self, request_id: str) -> Chain | None:
        """The legs of a request, if the log has it."""
        return self._chains.get(request_id)

    def heard(self, request_id: str) -> Chain:
        """The legs of a request that the network service speaks of, maybe before the page does."""
        chain = self._chains.get(request_id) or self._orphans.get(request_id)
        if chain is None:
            chain = self._orphans[request_id] = Chain()
            if len(self._orphans) > ORPHANS:
                del self._orphans[next(iter(self._orphans))]
        return chain

    def add(self, record: Record) -> None:
        """Keep a record; the oldest ones make room."""
        chain = self._chains.get(record.request_id)
        if chain is None:
            chain = self._orphans.pop(record.request_id, None) or Chain()
            self._chains[record.request_id] = chain
        chain.legs.append(record)
        self._records[record.number] = record
        self._next = record.number + 1
        self.grew(record, ROW_BYTES + len(record.url) + len(record.post_data or b""))

    def grew(self, record: Record, size: int) -> None:
        """A record has become larger."""
        record.weight += size
        if record.number not in self._records:
            return
        self._bytes += size
        while len(self._records) > self._rows or (self._bytes > self._size and self._records):
            self._drop(next(iter(self._records.values())))
            self.dropped += 1

    def get(self, record_id: str) -> Record:
        """The record of this name.

        Raises:
            InputError: there is none, or no more.
        """
        number = int(record_id[1:]) if record_id[1:].isascii() and record_id[1:].isdigit() else 0
        record = self._records.get(number) if record_id[:1] == "r" else None
        if record is None:
            known = list(self._records)
            there = f"r{known[0]} to r{known[-1]}" if known else "none"
            raise InputError(
                f"There is no request {record_id!r:.100} in the log.",
                hint=f"There are: {there}. Call `network` for a list.",
                id=record_id[:100],
            )
        return record

    def clear(self) -> int:
        """Forget all; says how many there were."""
        count = len(self._records)
        self._records.clear()
        self._chains.clear()
        self._orphans.clear()
        self._bytes = self.dropped = 0
        return count

    def _drop(self, record: Record) -> None:
        del self._records[record.number]
        self._bytes -= record.weight
        chain = self._chains[record.request_id]
        if chain.legs[-1] is record:
            del self._chains[record.request_id]


@dataclass(frozen=True)
class Filter:
    """Which requests are meant; what is left out does not matter."""

    url: str = ""
    """A part of the address, a glob or a regular expression; see `glob`."""
    method: str = ""
    status: str = ""
    """A number, a class such as `4xx`, `pending`, or `failed`: no whole answer, or an error."""
    resource_type: str = ""
    source: AnswerSource | None = None
    tab: str = ""
    after: int = 0
    """Number of the last record that is too old."""
    since: float = 0.0
    """Seconds since 1970."""

    def chosen(self, records: Iterable[Record]) -> list[Record]:
        """Those that fit, in their order."""
        return [record for record in records if self._fits(record)]

    def _fits(self, record: Record) -> bool:
        return (
            record.number > self.after
            and record.wall >= self.since
            and (not self.tab or record.tab == self.tab)
            and (not self.method or record.method == self.method.upper())
            and (not self.resource_type or record.type == self.resource_type)
            and (self.source is None or record.source == self.source)
            and (not self.status or self._answered(record))
            and (not self.url or url_matches(self.url, record.url))
        )

    def _answered(self, record: Record) -> bool:
        if self.status == "failed":
            return record.failure is not None or (record.status or 0) >= FIRST_ERROR
        if self.status == "pending":
            return record.pending
        code = str(record.status or "")
        return code[:1] == self.status[0] if self.status.endswith("xx") else code == self.status
