#!/usr/bin/env python3
"""A server of photos that answers each request after a delay, in a process of its own. It prints its port. `/log` lists
the requests and the connections that were closed before the answer, with their times."""

import asyncio
import json
import re
import sys
import time
from pathlib import Path

OK = "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: max-age=3600\r\n\r\n"


class Server:
    """Each photo has the same picture, with its own number after it, so that all are different."""

    def __init__(self, picture: bytes, delay: float):
        self.picture, self.delay = picture, delay
        self.requests: list[tuple[float, int]] = []
        self.closed: list[tuple[float, int]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self.answer(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        target = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode()
        if target == "/log":
            body = json.dumps({"requests": self.requests, "closed": self.closed}).encode()
            writer.write(OK.format("application/json", len(body)).encode() + body)
            return True
        number = int(re.search(r"\d+", target)[0])
        self.requests.append((time.time(), number))
        try:
            # Clients send nothing more until they have the answer, so this reads only the end of the connection.
            await asyncio.wait_for(reader.read(1), self.delay)
        except asyncio.TimeoutError:
            body = self.picture + number.to_bytes(4)
            writer.write(OK.format("image/jpeg", len(body)).encode() + body)
            return True
        self.closed.append((time.time(), number))
        return False


async def main() -> None:
    server = Server(Path(sys.argv[1]).read_bytes(), float(sys.argv[2]))
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0, backlog=512)
    print(listener.sockets[0].getsockname()[1], flush=True)
    await listener.serve_forever()


asyncio.run(main())
