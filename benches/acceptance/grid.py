"""Grid: a map at every setting, nearly as good as with all forces summed exactly."""

import json
import tempfile
from itertools import product
from pathlib import Path

from commands import BENCHES, CommandFailed, ask_nevis, progress, python
from datasets import TASIC, dataset
from tables import Table
from verdicts import Effort, Verdicts

# What makes `nevis embed` sum all forces exactly.
EXACT_FLAGS = ["--opening", 0]
ALPHAS = (0.05, 0.3, 1, 3, 10, 100)
BALANCES = (0.1, 0.3, 1, 3, 10)  # repulsion by attraction
DIMS = (2, 3)
# Name and rows; the digits and the cells have no 20 000.
SETS = (("demo_optdigits_5620", 5_000), (TASIC, 5_000), ("blobs_20k", 5_000))
# Exact sums of these take minutes a cell: a part of the grid, and all of it with --large.
LARGE_SETS = ((TASIC, 11_759), ("blobs_20k", 20_000))
SOME_ALPHAS, SOME_BALANCES = (0.05, 1, 3, 100), (0.1, 1, 10)
QUICK_SETS, QUICK_ALPHAS, QUICK_BALANCES = SETS[:1], (0.3, 1, 3), (1,)

K = 10
LEAST_SHARE = 0.9  # of the R_NX(10) with exact sums …
SLACK = 0.005  # … of which there is nothing to keep where these leave no order either
Z_SLACK = 0.2
# Root mean square distance from the centre, where lengths grow with √rows and, beyond α = 1, with √α. A usual map has
# about 0.5; where repulsion exceeds attraction only a governor keeps it finite.
BOUND = 10.0


def check(verdicts: Verdicts, effort: Effort) -> None:
    if effort.quick:
        grids = [(QUICK_SETS, QUICK_ALPHAS, QUICK_BALANCES)]
    elif effort.large:
        grids = [(SETS + LARGE_SETS, ALPHAS, BALANCES)]
    else:
        grids = [(SETS, ALPHAS, BALANCES), (LARGE_SETS, SOME_ALPHAS, SOME_BALANCES)]
    for sets, alphas, balances in grids:
        for (name, rows), dims in product(sets, DIMS):
            fill(verdicts, name, rows, dims, alphas, balances)


def fill(verdicts: Verdicts, name: str, rows: int, dims: int, alphas: tuple, balances: tuple) -> None:
    """The grid of one set in one number of dimensions."""
    table = Table([f"{alpha:g}" for alpha in alphas])
    cells: list[Cell] = []
    for balance in balances:
        line = [Cell(name, rows, dims, alpha, balance) for alpha in alphas]
        for cell in line:
            cell.measure()
        cells += line
        table.add(f"{balance:g}", {column: cell.text() for column, cell in zip(table.columns, line)})
    title = (
        f"{name}, {rows:,} rows, d = {dims}: R_NX({K}) / the same with exact sums; "
        "columns: α, rows: repulsion by attraction"
    )
    verdicts.show(f"grid, {name}, {rows}, {dims}", title, table)
    for cell in cells:
        cell.judge(verdicts)


class Cell:
    """One setting on one set: the map as it is made, and with exact sums."""

    def __init__(self, name: str, rows: int, dims: int, alpha: float, balance: float):
        self.name, self.rows, self.dims, self.alpha, self.balance = name, rows, dims, alpha, balance
        self.failure: str | None = None
        self.kept = self.exact = self.size = 0.0
        self.finite = False
        self.z_error = 0.0

    def __str__(self) -> str:
        return f"{self.name}, {self.rows:,} rows, d = {self.dims}, α = {self.alpha:g}, balance {self.balance:g}"

    def measure(self) -> None:
        try:
            self.kept, shape, report = self.embed([])
            self.exact, _, _ = self.embed(EXACT_FLAGS)
        except CommandFailed as failure:
            self.failure = str(failure).strip().splitlines()[-1]
            return
        self.finite = shape["finite"]
        self.size = shape["size"] / (self.rows * max(self.alpha, 1.0)) ** 0.5
        # Where all similarities are as good as none there is nothing to be off by.
        if self.finite and shape["z"] > 0:
            self.z_error = abs(report["z"] / shape["z"] - 1)
        progress(f"{self}: {self.text()}, size {self.size:.2f}, Z off by {self.z_error:.1%}")

    def embed(self, flags: list) -> tuple[float, dict, dict]:
        """R_NX(K), the shape of the map, and what the command reported."""
        file = dataset(self.name)
        settings = ["--limit", self.rows, "--dims", self.dims, "--alpha", self.alpha, "--repulsion", self.balance]
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "embedding.parquet"
            report = ask_nevis("embed", file, "--out", out, "--attraction", 1, *settings, *flags)
            shape = json.loads(python(BENCHES / "acceptance" / "shape.py", out, self.dims, self.alpha).printed)
            curve = dict(ask_nevis("evaluate", file, out, "--max-k", K)["rnx"]) if shape["finite"] else {}
        return curve.get(K, 0.0), shape, report

    def text(self) -> str:
        return "failed" if self.failure else f"{self.kept:.3f} / {self.exact:.3f}"

    def judge(self, verdicts: Verdicts) -> None:
        if self.failure:
            verdicts.judge(False, f"{self}: {self.failure}")
            return
        if not (self.finite and self.size <= BOUND):
            verdicts.judge(False, f"{self}: size {self.size:.2f}, finite: {self.finite}")
        if self.z_error > Z_SLACK:
            verdicts.judge(False, f"{self}: Z is off by {self.z_error:.0%}")
        verdicts.at_least(f"{self}: R_NX({K})", self.kept, min(LEAST_SHARE * self.exact, self.exact - SLACK))
