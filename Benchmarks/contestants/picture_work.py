"""The work of all picture contestants: three sepia derivatives of each picture, none of them wider than the picture."""

from abc import abstractmethod
from collections import Counter
from pathlib import Path

from measuring import picture_header
from measuring.contestant import Contestant, Run
from measuring.corpus import PICTURE_SUFFIXES, Corpus
from measuring.measurement import Failed


class PictureContestant(Contestant):
    """A contestant that makes the derivatives of a corpus."""

    def __init__(self, corpus: Corpus):
        self.corpus = corpus

    @abstractmethod
    def derivatives(self, run: Run) -> Path:
        """The folder that contains the derivatives, and no other pictures, after a run."""

    @property
    def wanted_widths(self) -> Counter[int]:
        return self.corpus.derivative_widths

    def check(self, run: Run, output: str, requests: dict[str, int]) -> None:
        made = Counter(
            picture_header.size(path)[0]
            for path in self.derivatives(run).rglob("*")
            if path.suffix.lower() in PICTURE_SUFFIXES
        )
        wanted = self.wanted_widths
        if made != wanted:
            raise Failed(f"unexpected widths: missing {dict(wanted - made)}, extra {dict(made - wanted)}")
        if self.served and requests != {"200": len(self.corpus.pictures)}:
            raise Failed(f"expected one request for each picture, but got {requests}")
