"""The two users to watch: a buyer who evaluates repeatedly, and a reader of a request by HTTP."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx

from wassay import Request
from wassay.client import WassayError

PATIENCE_SECONDS = 900
READ_SECONDS = 0.5


@dataclass(frozen=True)
class Span:
    """One call or wait: its begin, its end, and how it ended."""

    began: float
    ended: float
    outcome: str


@dataclass
class Watch:
    """Two users, who act until they are told to stop."""

    request: Request
    url: str
    key: str
    evaluations: list[Span] = field(default_factory=list)
    reads: list[Span] = field(default_factory=list)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        for act in (self._evaluate, self._read):
            self._threads.append(threading.Thread(target=act))
            self._threads[-1].start()

    def stop(self) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def evaluated_since(self, moment: float) -> bool:
        """Return whether an evaluation that was asked for after a moment has succeeded."""
        return any(each.began > moment and each.outcome == "" for each in self.evaluations)

    def _evaluate(self) -> None:
        def evaluate() -> str:
            try:
                self.request.evaluate().wait(timeout=PATIENCE_SECONDS)
            except WassayError as error:
                return f"{type(error).__name__}: {error}"
            return ""

        self._repeat(evaluate, self.evaluations)

    def _read(self) -> None:
        address = f"{self.url}/v1/requests/{self.request.id}"
        with httpx.Client(headers={"Authorization": f"Bearer {self.key}"}, timeout=60) as http:

            def read() -> str:
                time.sleep(READ_SECONDS)
                try:
                    status = http.get(address).status_code
                except httpx.TransportError:
                    return "no connection"
                return "" if status == 200 else str(status)

            self._repeat(read, self.reads)

    def _repeat(self, act: Callable[[], str], spans: list[Span]) -> None:
        while not self._stopping.is_set():
            began = time.monotonic()
            outcome = act()
            spans.append(Span(began, time.monotonic(), outcome))
