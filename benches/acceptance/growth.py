"""Growth: a million rows in little more time a row than seventy thousand, and ten million in the memory there is."""

import tempfile
from pathlib import Path
from statistics import median

from commands import Finished, ask_nevis, nevis, progress
from datasets import PATCHES, dataset
from tables import Table
from verdicts import Effort, Verdicts

FEW, MANY = 70_000, 1_000_000
QUICK_FEW, QUICK_MANY = 7_000, 100_000
TIMES_AS_LONG = 15.0
LEAST_AUC = 0.27
LARGE = "image_patches_10m_48d"
MOST_MB = 12 * 1024
ROUNDS_OF_MANY = 1  # minutes each


def check(verdicts: Verdicts, effort: Effort) -> None:
    few, many = (QUICK_FEW, QUICK_MANY) if effort.quick else (FEW, MANY)
    table = Table(["seconds", "AUC", "peak MB"], {"seconds": 1, "AUC": 3, "peak MB": 0})
    file = dataset(PATCHES)
    short = [embed(file, few) for _ in range(effort.rounds)]
    long = [embed(file, many) for _ in range(ROUNDS_OF_MANY)]
    seconds = {}
    for rows, runs in ((few, short), (many, long)):
        seconds[rows] = median(run.seconds for run, _ in runs)
        table.add(f"{rows:,} rows", {"seconds": seconds[rows], "AUC": runs[0][1], "peak MB": runs[0][0].peak_mb})
    if effort.large:
        run, auc = embed(dataset(LARGE), None)
        table.add("10,000,000 rows", {"seconds": run.seconds, "AUC": auc, "peak MB": run.peak_mb})
    verdicts.show("growth", f"Growth, first rows of {PATCHES}", table)
    verdicts.at_most(f"seconds of {many:,} rows by those of {few:,}", seconds[many] / seconds[few], TIMES_AS_LONG, 2)
    verdicts.at_least(f"AUC of {many:,} rows", long[0][1], LEAST_AUC)
    if effort.large:
        verdicts.at_most("peak MB of 10,000,000 rows", run.peak_mb, MOST_MB, 0)
    else:
        verdicts.skip("10,000,000 rows: only with --large")


def embed(file: Path, rows: int | None) -> tuple[Finished, float]:
    """The whole command, and the AUC of what it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "embedding.parquet"
        finished = nevis("embed", file, "--out", out, *(["--limit", rows] if rows else []))
        progress(f"{file.stem}, {rows or 'all'} rows: {finished.seconds:.1f} s, {finished.peak_mb:.0f} MB")
        return finished, ask_nevis("evaluate", file, out)["auc"]
