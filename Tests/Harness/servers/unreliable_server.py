"""A server of many photos that fails a third of all requests at random, reproducibly for a seed."""

import asyncio
import random
import socket
import struct
import threading
from collections import Counter

PAGE = b"<!DOCTYPE html><title>Busy</title><p>Please come back later"

#: Fault → its probability; a third in all. A page in place of a picture is rare, because a build does not retry it.
FAULTS = {"reset": 0.1023, "503": 0.09, "cut off": 0.09, "no answer": 0.03, "stall": 0.02, "page": 0.001}


class UnreliableServer:
    """Serves `photos`, path → bytes, with ETags and byte ranges."""

    def __init__(self, photos, seed):
        self.photos = photos
        self.seed = seed
        self.is_reliable = False
        #: The Cache-Control header of every photo.
        self.cache_control = "no-cache"
        self.tries = Counter()
        self.fault_counts = Counter()

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = listener.getsockname()[1]
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        # Playwright runs an event loop on the thread of the tests, so this server's loop needs another thread.
        serving = self.loop.create_server(lambda: Exchange(self), sock=listener)
        self.server = asyncio.run_coroutine_threadsafe(serving, self.loop).result(20)
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.server.close()
        self.loop.close()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def fault(self, path):
        """The fault of the next request for a path. It depends on the seed, the path and the number of earlier requests
        for the path, but not on the order of requests for different paths."""
        self.tries[path] += 1
        drawn = random.Random(f"{self.seed} {path} {self.tries[path]}").random()
        if self.is_reliable:
            return None
        for fault, share in FAULTS.items():
            if drawn < share:
                return fault
            drawn -= share
        return None


class Exchange(asyncio.Protocol):
    """The server's end of one connection."""

    def __init__(self, server):
        self.server = server
        self.received = b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.received += data
        while b"\r\n\r\n" in self.received and not self.transport.is_closing():
            head, _, self.received = self.received.partition(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            self.answer(first.split(" ")[1], fields)

    def answer(self, path, fields):
        fault = self.server.fault(path)
        self.server.fault_counts[fault] += 1
        body = self.server.photos[path]
        tag = f'"{path}"'
        if fault == "reset":
            self.transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
        elif fault == "no answer":
            self.transport.close()
        elif fault == "503":
            self.send("503 Busy", {"Retry-After": 0}, b"")
        elif fault == "page":
            self.send("200 OK", {"Content-Type": "image/jpeg"}, PAGE)
        elif fault in ("cut off", "stall"):
            self.send("200 OK", self.caching_headers(tag), body, sent=len(body) // 2)
            if fault == "cut off":
                self.transport.close()
            # A stalled connection stays open until the client gives up.
        elif fields.get("if-none-match") == tag:
            self.send("304 Not Modified", self.caching_headers(tag))
        elif "range" in fields and fields.get("if-range") == tag:
            start = int(fields["range"].removeprefix("bytes=").removesuffix("-"))
            part = {"Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"}
            self.send("206 Partial Content", self.caching_headers(tag) | part, body[start:])
        else:
            self.send("200 OK", self.caching_headers(tag), body)

    def caching_headers(self, tag):
        return {"ETag": tag, "Cache-Control": self.server.cache_control}

    def send(self, status, fields, body=None, sent=None):
        if body is not None:
            fields = fields | {"Content-Length": len(body)}
        lines = [f"HTTP/1.1 {status}", *[f"{name}: {value}" for name, value in fields.items()], "", ""]
        self.transport.write("\r\n".join(lines).encode() + (body or b"")[:sent])
