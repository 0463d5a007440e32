"""What is measured: one way of doing the work, with one command."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from .distance import Distance
from .measurement import Command
from .web_server import ASK_AGAIN, HTTP, Protocol, WebServer

# Milliseconds: to a server some hundreds of kilometres away.
ROUND_TRIP = 30


@dataclass(frozen=True)
class Run:
    """What one run is given: a fresh folder that goes when it ends, and the server's address if there is one."""

    folder: Path
    address: str | None


class Contestant(ABC):
    """One way of doing the work. Only the command is measured; what surrounds it here is not."""

    name: str
    # One line for the table: what it does, and what it leaves out.
    does: str
    # The folder that a web server offers on loopback during the run, or None for one without network.
    served: Path | None = None
    # The server's port, for one that remembers addresses from before; None for any that is free.
    port: int | None = None
    caching: str = ASK_AGAIN
    protocol: Protocol = HTTP
    # How far away the server seems: a round trip in milliseconds, or None for loopback as it is.
    round_trip: int | None = None
    # In how many rounds it takes part, for one that is slow and needs no fine figures; None for all.
    most_rounds: int | None = None

    def server(self, folder: Path) -> WebServer | Distance:
        """The server of what is `served`, which keeps its own files in the folder."""
        if self.round_trip is None:
            return WebServer(self.served, folder, self.port, self.caching, self.protocol)
        return Distance(WebServer(self.served, folder, None, self.caching, self.protocol), self.round_trip, self.port)

    @abstractmethod
    def prepare(self) -> dict[str, str]:
        """Fetches or compiles what the command needs, and returns the versions of it; raises `Missing`."""

    @abstractmethod
    def command(self, run: Run) -> Command:
        """Lays out the run's folder, and returns the command."""

    @abstractmethod
    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        """Raises `Failed` unless the command, whose output is given, has done the whole work."""
