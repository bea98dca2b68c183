"""GPU: both backends make maps of the same quality, at equal iterations."""

import tempfile
from itertools import product
from pathlib import Path

from commands import CommandFailed, ask_nevis, progress
from datasets import dataset
from tables import Table
from verdicts import Effort, Verdicts

SETS = ("coil20", "digits_sklearn", "demo_optdigits_5620")
ALPHAS = (0.3, 1, 3)
DIMS = (2, 3)
ITERATIONS = 300
QUICK_SETS, QUICK_ITERATIONS = ("digits_sklearn",), 100
APART = 0.01


def check(verdicts: Verdicts, effort: Effort) -> None:
    table = Table(["cpu", "gpu", "difference"], dict.fromkeys(("cpu", "gpu", "difference"), 4))
    cells = []
    iterations = QUICK_ITERATIONS if effort.quick else ITERATIONS
    for name, dims, alpha in product(QUICK_SETS if effort.quick else SETS, DIMS, ALPHAS):
        what = f"{name}, d = {dims}, α = {alpha:g}"
        try:
            cpu, gpu = (auc(name, dims, alpha, backend, iterations) for backend in ("cpu", "gpu"))
        except CommandFailed as failure:
            verdicts.judge(False, f"{what}: {str(failure).strip().splitlines()[-1]}")
            continue
        table.add(what, {"cpu": cpu, "gpu": gpu, "difference": gpu - cpu})
        progress(f"{what}: {cpu:.4f}, {gpu:.4f}")
        cells.append((what, abs(gpu - cpu)))
    verdicts.show("gpu", f"AUC of both backends after {iterations} iterations", table)
    for what, difference in cells:
        verdicts.at_most(what, difference, APART, 4)


def auc(name: str, dims: int, alpha: float, backend: str, iterations: int) -> float:
    file = dataset(name)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "embedding.parquet"
        settings = ["--dims", dims, "--alpha", alpha, "--iterations", iterations]
        ask_nevis("embed", file, "--out", out, "--backend", backend, *settings)
        return ask_nevis("evaluate", file, out)["auc"]
