"""Global shape: the preset keeps more of the large-scale order, at hardly any cost to the neighbourhoods."""

import tempfile
from pathlib import Path

from commands import ask_nevis, progress
from datasets import MNIST, TASIC, dataset
from tables import Table
from verdicts import Effort, Verdicts

SPRING = 0.01  # of the preset "global shape" (plugins/controls/src/presets.rs)
SETS = ("demo_optdigits_5620", "zeisel2015_3k_pca50", "isolet", TASIC, "letter_20k", MNIST)
QUICK_SETS = SETS[:2]
RANKS = (1, 10, 100, 1000)
COLUMNS = ["AUC", *(f"R_NX({rank})" for rank in RANKS), "distance correlation"]
NEAR_SHARE = 0.95  # of R_NX(10) that is kept
SLACK = 0.01  # that R_NX(1000) may fall
GAIN = 0.02  # of the correlation of distances


def check(verdicts: Verdicts, effort: Effort) -> None:
    table = Table(COLUMNS, dict.fromkeys(COLUMNS, 3))
    judgements = []
    for name in QUICK_SETS if effort.quick else SETS:
        plain, pulled = (measure(name, spring) for spring in (0, SPRING))
        table.add(name, plain)
        table.add(f"{name}, spring {SPRING:g}", pulled)
        progress(f"{name}: {plain['distance correlation']:.3f}, {pulled['distance correlation']:.3f}")
        judgements.append((name, plain, pulled))
    verdicts.show("global shape", f"Without a spring to the principal axes, and with one of {SPRING:g}", table)
    for name, plain, pulled in judgements:
        verdicts.at_least(f"{name}, R_NX(10)", pulled["R_NX(10)"], NEAR_SHARE * plain["R_NX(10)"])
        verdicts.at_least(f"{name}, R_NX(1000)", pulled["R_NX(1000)"], plain["R_NX(1000)"] - SLACK)
        gained = pulled["distance correlation"] - plain["distance correlation"]
        verdicts.at_least(f"{name}, gain in the correlation of distances", gained, GAIN)


def measure(name: str, spring: float) -> dict[str, float]:
    file = dataset(name)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "embedding.parquet"
        ask_nevis("embed", file, "--out", out, "--spring", spring)
        report = ask_nevis("evaluate", file, out)
    curve = dict(report["rnx"])
    kept = {f"R_NX({rank})": curve[rank] for rank in RANKS}
    return kept | {"AUC": report["auc"], "distance correlation": report["distance_correlation"]}
