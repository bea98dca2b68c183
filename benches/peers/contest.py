"""nevis and its peers on one file, in turn: what `compare.py` prints and benches/acceptance judges."""

import json
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import Any

from commands import BENCHES, CommandFailed, Finished, nevis, progress, python
from quality import quality

PEER = BENCHES / "peers" / "peer.py"
RECALL = BENCHES / "peers" / "recall.py"
K = 32  # as in peer.py
NEVIS = "nevis"

MAPPERS = ("openTSNE", "umap", "manifolds-tsne", "manifolds-umap", "FIt-SNE")
SEARCHERS = ("faiss-ivf", "faiss-flat", "ann-ivf", "ann-nndescent", "pynndescent")

Figures = dict[str, float | None]
Runs = dict[str, list[Figures]]  # by who ran
Options = dict[str, Any]

# Settings that find more neighbours than the default, the cheapest first, and those that find fewer, the dearest first.
MORE: dict[str, list[Options]] = {
    "pynndescent": [
        {"delta": 0.0},
        {"n_neighbors": 48},
        {"n_neighbors": 64},
        {"n_neighbors": 64, "n_trees": 24, "delta": 0.0},
    ],
    "faiss-ivf": [{"nprobe": 24}, {"nprobe": 32}, {"nprobe": 48}, {"nprobe": 64}],
    "ann-ivf": [{"nprobe": 24}, {"nprobe": 32}, {"nprobe": 48}, {"nprobe": 64}],
    "ann-nndescent": [{"delta": 0.0}, {"max_candidates": 60, "delta": 0.0}],
}
LESS: dict[str, list[Options]] = {
    "pynndescent": [{"n_iters": 6}, {"n_iters": 4}, {"n_iters": 2}],
    "faiss-ivf": [{"nprobe": 12}, {"nprobe": 8}, {"nprobe": 4}],
    "ann-ivf": [{"nprobe": 12}, {"nprobe": 8}, {"nprobe": 4}],
    "ann-nndescent": [{"max_iter": 4}, {"max_iter": 2}],
}


class Contest:
    """Runs on one file. A peer that cannot run is left out, and `notes` says why."""

    def __init__(self, file: Path, rounds: int, notes: list[str]):
        self.file = file
        self.rounds = rounds
        self.notes = notes
        self.absent: set[str] = set()

    def maps(self, peers: Iterable[str] = MAPPERS, judge: bool = True) -> Runs:
        """Embeddings by everybody; with their quality, unless only the time counts."""

        def embed(out: Path) -> Finished:
            return nevis("embed", self.file, "--out", out)

        def judged(out: Path) -> Figures:
            return quality(self.file, out) if judge else {}

        return self._in_turn(list(peers), embed, judged)

    def lists(self, peers: Iterable[str] = SEARCHERS, equal_recall: bool = True) -> Runs:
        """The nearest neighbours by everybody; by the peers also with more work or less, towards the recall of nevis."""

        def search(out: Path) -> Finished:
            return nevis("neighbours", self.file, "--k", K, "--out", out)

        def judged(out: Path) -> Figures:
            return {"recall": float(python(RECALL, self.file, out, K).printed)}

        runs = self._in_turn(list(peers), search, judged)
        if equal_recall:
            goal = middle(runs[NEVIS])["recall"]
            for peer in list(runs):
                if peer in MORE:
                    self._climb(peer, goal, runs, search, judged)
        return runs

    def _climb(self, peer: str, goal: float, runs: Runs, search: Callable, judged: Callable) -> None:
        """Runs a peer with other settings until it crosses a recall: what follows costs more, or finds too little."""
        harder = middle(runs[peer])["recall"] < goal
        for options in (MORE if harder else LESS)[peer]:
            more = self._in_turn([peer], search, judged, options)
            runs[NEVIS] += more.pop(NEVIS)
            runs |= more
            if any((middle(group)["recall"] < goal) != harder for group in more.values()):
                return

    def _in_turn(self, peers: list[str], ours: Callable, judged: Callable, options: Options | None = None) -> Runs:
        """nevis, a peer, nevis, another: in turn, so that a machine that slows down slows all of them down."""
        runs: Runs = {}
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.parquet"
            for peer in peers * self.rounds:
                if peer in self.absent:
                    continue
                for name in (NEVIS, " ".join([peer, *(f"{key}={value}" for key, value in (options or {}).items())])):
                    out.unlink(missing_ok=True)
                    try:
                        figures = of_nevis(ours(out)) if name == NEVIS else of_peer(peer, self.file, out, options or {})
                    except CommandFailed as failure:
                        if name == NEVIS:
                            raise
                        self.absent.add(peer)
                        self.notes.append(f"{peer} is left out: {str(failure).strip().splitlines()[-1]}")
                        continue
                    runs.setdefault(name, []).append(figures | judged(out))
                    progress(f"{self.file.stem}, {name}: {figures['seconds']:.1f} s, warm {figures['warm']:.1f} s")
        return runs


def of_nevis(finished: Finished) -> Figures:
    # Nothing to warm up: the whole command counts as warm, too.
    return {"seconds": finished.seconds, "warm": finished.seconds, "peak MB": finished.peak_mb}


def of_peer(peer: str, file: Path, out: Path, options: Options) -> Figures:
    # The peer measures itself, as its process lives on for the second fit.
    report = python(PEER, peer, file, out, time.time(), json.dumps(options)).report()
    return {"seconds": report["seconds"], "warm": report["warm"], "peak MB": report["peak_kb"] / 1024}


def middle(runs: list[Figures]) -> Figures:
    """The median of each figure over the runs; None where a run has none (a rank beyond the number of points)."""
    values = {key: [figures[key] for figures in runs] for key in runs[0]}
    return {key: None if None in column else median(column) for key, column in values.items()}


def summarise(runs: Runs) -> dict[str, Figures]:
    """Medians, and how many times the seconds of nevis."""
    rows = {name: middle(group) for name, group in runs.items()}
    ours = rows[NEVIS]["seconds"]
    for row in rows.values():
        row["ratio"] = row["seconds"] / ours
        row["warm ratio"] = row["warm"] / ours
    return rows


def equal_recall(rows: dict[str, Figures]) -> str:
    """In words: who finds as much as nevis in the least time, warm."""
    goal = rows[NEVIS]["recall"]
    enough = {name: row for name, row in rows.items() if name != NEVIS and row["recall"] >= goal}
    if not enough:
        return f"No peer reached the recall of nevis, {goal:.4f}."
    name = min(enough, key=lambda name: enough[name]["warm"])
    row = rows[name]
    return (
        f"At recall {goal:.4f} or more the quickest peer is {name} ({row['recall']:.4f}): "
        f"{row['ratio']:.2f} × the seconds of nevis, warm {row['warm ratio']:.2f} ×."
    )
