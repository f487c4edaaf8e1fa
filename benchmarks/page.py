"""Pages on a loopback port, from a process of its own so that it takes no turn of ours.

`/` is small; `/form` thanks its sender 50 ms later; `/busy` loads forty pictures, asks for forty
more things and writes fifty messages; what `/distant` loads takes as long as from a server in the
same country.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

SMALL = b"<!doctype html><title>Benchmark</title><h1>Benchmark</h1><p>A small page.</p>"
FORM = b"""<!doctype html><title>Contact</title><h1>Contact</h1><form id=form>
<label>Full name <input id=name></label> <label>Email <input id=email></label>
<button id=send>Send</button></form><p id=said role=status></p><script>
const [name, email] = form.elements;
const thank = () => { said.textContent = `Thanks ${name.value}, ${email.value}`; };
form.onsubmit = (event) => { event.preventDefault(); setTimeout(thank, 50); };
</script>"""
BUSY = b"""<!doctype html><title>Benchmark</title><h1>Busy</h1><script>
for (let n = 0; n < 50; n++) console.log("message", n, { number: n, list: [n, n + 1] });
const far = location.pathname === "/distant" ? "/far" : "";
const ask = (n) => fetch(`${far}/data?${n}`).then((one) => one.text());
const asked = Array.from({ length: 40 }, (_, n) => ask(n));
for (let n = 0; n < 40; n++) document.write(`<img src="${far}/picture?${n}">`);
</script>"""


def _answer_with(body: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"
    return head % len(body) + body


ANSWERS = {
    b"/form": _answer_with(FORM),
    b"/busy": _answer_with(BUSY),
    b"/distant": _answer_with(BUSY),
}
FAR_S = 0.03
ANSWER = _answer_with(SMALL)


@contextmanager
def served() -> Generator[str]:
    """The address of the page; the server ends with its standard input."""
    command = [sys.executable, __file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        yield f"http://127.0.0.1:{port}/"


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while asked := await reader.readuntil(b"\r\n\r\n"):
            path = asked.split(b" ", 2)[1]
            if path.startswith(b"/far/"):
                await asyncio.sleep(FAR_S)
            writer.write(ANSWERS.get(path, ANSWER))
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main() -> None:
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
