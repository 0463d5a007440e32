"""The common options of the benchmarks."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from .contestant import Contestant
from .workplace import CHECKOUT

ROUNDS = 5
Any = TypeVar("Any", bound=Contestant)


@dataclass(frozen=True)
class Arguments:
    """The contestants to measure, the number of rounds, and the binary."""

    rounds: int
    only: list[str]
    quick: bool
    gallerygen: Path

    @property
    def is_whole(self) -> bool:
        """Whether the figures may replace the recorded ones."""
        return not self.quick and not self.only

    @staticmethod
    def parsed(description: str | None) -> "Arguments":
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--rounds", type=int, help=f"runs of each contestant (default {ROUNDS}; 1 with --quick)")
        parser.add_argument("--only", metavar="NAME[,NAME…]", help="only these contestants")
        parser.add_argument("--quick", action="store_true", help="measure with a few pictures, to check that everything works")
        parser.add_argument(
            "--gallerygen",
            type=Path,
            metavar="BINARY",
            default=CHECKOUT / ".build" / "program" / "release" / "gallerygen",
            help="the program to measure (default: the program that `make build` has built)",
        )
        values = parser.parse_args()
        rounds = values.rounds or (1 if values.quick else ROUNDS)
        if rounds < 1:
            parser.error(f"--rounds {rounds}: at least 1")
        only = values.only.split(",") if values.only else []
        return Arguments(rounds, only, values.quick, values.gallerygen.absolute())

    def chosen(self, contestants: Sequence[Any]) -> list[Any]:
        names = [contestant.name for contestant in contestants]
        unknown = set(self.only) - set(names)
        if unknown:
            sys.exit(f"--only: no contestant is called {', '.join(sorted(unknown))}; there are {', '.join(names)}")
        return [contestant for contestant in contestants if not self.only or contestant.name in self.only]
