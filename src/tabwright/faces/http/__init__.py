"""The control server: HTTP for calls, a WebSocket for events, on the loopback address only."""
