"""Runs whole commands, and takes their time and peak memory.

Only the standard library here and in all who import this: a child's peak memory starts at its parent's size, so the
parent stays small. What needs numpy or pyarrow runs in a child.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

BENCHES = Path(__file__).resolve().parents[1]
ROOT = BENCHES.parent
NEVIS = os.environ.get("NEVIS", str(ROOT / "target" / "release" / "nevis"))
Word = str | int | float | Path


class CommandFailed(Exception):
    """A command ended with an error, or broke a promise; the text says which and how."""


@dataclass(frozen=True)
class Finished:
    """A command that ended well."""

    seconds: float  # from start to end, as a user waits for it
    peak_mb: float
    printed: str

    def report(self) -> dict:
        """The line of JSON that it ended with."""
        return json.loads(self.printed.splitlines()[-1])


def run(command: list[Word]) -> Finished:
    words = [str(word) for word in command]
    with tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True)
        printed = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)  # unlike wait(), tells this child's memory
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            errors.seek(0)
            raise CommandFailed(f"{' '.join(words)}\nended with {child.returncode}:\n{errors.read()[-4000:]}")
    return Finished(seconds, usage.ru_maxrss / 1024, printed)


def nevis(*words: Word) -> Finished:
    return run([NEVIS, *words])


def ask_nevis(*words: Word) -> dict:
    """What a command of nevis reports as JSON."""
    return json.loads(run([NEVIS, *words, "--json"]).printed)


def python(script: Path, *words: Word) -> Finished:
    """A script that needs more than the standard library."""
    return run([sys.executable, script, *words])


def progress(text: str) -> None:
    print(f"  {text}", file=sys.stderr, flush=True)


def machine() -> dict[str, str]:
    """What the figures depend on."""

    def find(file: str, key: str) -> str:
        lines = Path(file).read_text().splitlines()
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(key)), "unknown")

    return {
        "processor": find("/proc/cpuinfo", "model name"),
        "cores": str(len(os.sched_getaffinity(0))),
        "memory": f"{int(find('/proc/meminfo', 'MemTotal').split()[0]) / 2**20:.1f} GiB",
        "system": f"Linux {os.uname().release}",
        "program": nevis("--version").printed.strip(),
        "date": time.strftime("%Y-%m-%d"),
        "load before the first run": f"{os.getloadavg()[0]:.1f}",
    }
