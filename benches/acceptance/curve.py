"""Curve: at every size of neighbourhood nevis keeps as much as openTSNE, and on the whole more."""

import tempfile
from pathlib import Path

import quality
from commands import nevis, progress
from datasets import MNIST, TASIC, dataset
from reference import open_tsne
from tables import Table
from verdicts import Effort, Verdicts

# What openTSNE embeds: of many dimensions those principal components that nevis takes by itself, so that both
# embed the same vectors and are judged by their distances. Its map of all dimensions is shown beside it.
SETS = {
    "coil20": "coil20_pca50",
    "digits_sklearn": "digits_sklearn",
    "genomes1k_aisnp_2504": "genomes1k_aisnp_2504",
    "demo_tasic_3k": "demo_tasic_3k",
    "zeisel2015_3k_pca50": "zeisel2015_3k_pca50",
    "demo_optdigits_5620": "demo_optdigits_5620",
    "isolet": "isolet_pca50",
    TASIC: TASIC,
    "letter_20k": "letter_20k",
    "blobs_10k": "blobs_10k",
    MNIST: MNIST,
}
QUICK_SETS = ("coil20", "digits_sklearn")
SLACK = 0.005  # that R_NX at one K may lie below
# All points of all sets but MNIST; the usual 2 000 would leave an error of 0.01 at K = 1.
QUERIES = 20_000


def check(verdicts: Verdicts, effort: Effort) -> None:
    table = Table(quality.COLUMNS, quality.DIGITS)
    judgements = []
    for name in QUICK_SETS if effort.quick else SETS:
        file = dataset(name)
        flags = () if effort.quick else ("--queries", QUERIES)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "embedding.parquet"
            finished = nevis("embed", file, "--out", out)
            progress(f"{name}: {finished.seconds:.1f} s")
            ours = quality.quality(file, out, *flags)
        theirs = quality.quality(file, open_tsne(dataset(SETS[name])), *flags)
        table.add(f"{name}, nevis", ours)
        table.add(f"{name}, openTSNE", theirs)
        if SETS[name] != name:
            table.add(f"{name}, openTSNE, all dimensions", quality.quality(file, open_tsne(file), *flags))
        judgements.append((name, ours, theirs))
    verdicts.show("curve", "R_NX with default settings, d = 2", table)
    for name, ours, theirs in judgements:
        for column in quality.RNX:
            if ours[column] is not None:
                verdicts.at_least(f"{name}, {column}", ours[column], theirs[column] - SLACK)
        good = ours["AUC"] > theirs["AUC"]
        verdicts.judge(good, f"{name}, AUC: {ours['AUC']:.4f}, more than {theirs['AUC']:.4f}")
