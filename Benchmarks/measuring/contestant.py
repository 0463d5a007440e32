"""A contestant: one way to do the work, with one command, which is measured."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from .distance import Distance
from .measurement import Command
from .web_server import REVALIDATE, HTTP, Protocol, WebServer

# In milliseconds; typical of a server some hundreds of kilometres away.
ROUND_TRIP = 30


@dataclass(frozen=True)
class Run:
    """The empty folder of a run, which is removed at its end, and the server's address if there is a server."""

    folder: Path
    address: str | None


class Contestant(ABC):
    """One way to do the work. Only the command is measured, and not its preparation and checks."""

    name: str
    # A line of the table that says what the contestant does and what it omits.
    does: str
    # The folder that a web server serves on loopback during the run; None without a network.
    served: Path | None = None
    # The server's port, if addresses from an earlier run contain it; None for any free port.
    port: int | None = None
    caching: str = REVALIDATE
    protocol: Protocol = HTTP
    # The round trip to the server in milliseconds; None for that of loopback.
    round_trip: int | None = None
    # The number of rounds, for a slow contestant whose figures need not be precise; None for all rounds.
    most_rounds: int | None = None

    def server(self, folder: Path) -> WebServer | Distance:
        """A server of the folder `served`. It keeps its own files in `folder`."""
        if self.round_trip is None:
            return WebServer(self.served, folder, self.port, self.caching, self.protocol)
        return Distance(WebServer(self.served, folder, None, self.caching, self.protocol), self.round_trip, self.port)

    @abstractmethod
    def prepare(self) -> dict[str, str]:
        """Fetches or compiles the programs that the command needs. Returns their versions, or raises `Missing`."""

    @abstractmethod
    def command(self, run: Run) -> Command:
        """Prepares the run's folder and returns the command."""

    @abstractmethod
    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        """Raises `Failed` unless the command has done the whole work."""
