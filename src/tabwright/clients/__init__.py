"""Programs that start us as an MCP server: where they are told so, and how."""

from tabwright.clients.known import CLIENTS, Client, ClientFile, client_named
from tabwright.clients.merging import Merged, merge
from tabwright.clients.reading import Entry, UnreadableFile, entries_in, our_entries
from tabwright.clients.snippet import SERVER, server_entry, snippet

__all__ = [
    "CLIENTS",
    "SERVER",
    "Client",
    "ClientFile",
    "Entry",
    "Merged",
    "UnreadableFile",
    "client_named",
    "entries_in",
    "merge",
    "our_entries",
    "server_entry",
    "snippet",
]
