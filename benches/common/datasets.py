"""The data of the benches: files of the shared directory, and files made from them or by a seed."""

import os
from pathlib import Path

from commands import BENCHES, ROOT, progress, python

# NEVIS_DATA=directory where the shared files lie elsewhere.
SHARED = Path(os.environ.get("NEVIS_DATA", ROOT.parent / "shared" / "data"))
DERIVED = ROOT / "target" / "peers-data"

MNIST = "mnist_70k_pca50"
TASIC = "tasic2018_12k_pca50"
PATCHES = "image_patches_1m_48d"

# What derive.py is asked to make, by name; see there.
RECIPES: dict[str, list[str | int]] = {
    "mnist_10k_pca50": ["head", f"{MNIST}.parquet", 10_000],
    "glove_100k_100d": ["head", "glove_341k_100d.parquet", 100_000],
    "blobs_10k": ["blobs", 10_000],
    "blobs_20k": ["blobs", 20_000],
    "blobs_100k": ["blobs", 100_000],
    "coil20_pca50": ["pca", "coil20.parquet", 50],
    "isolet_pca50": ["pca", "isolet.parquet", 50],
    "image_patches_10m_48d": ["copies", f"{PATCHES}.parquet", 10],
}


def dataset(name: str) -> Path:
    """The file of a set, made first where it is a derived one."""
    if name not in RECIPES:
        return SHARED / f"{name}.parquet"
    file = DERIVED / f"{name}.parquet"
    if not file.exists():
        progress(f"making {file.name}")
        DERIVED.mkdir(parents=True, exist_ok=True)
        kind, *words = RECIPES[name]
        sources = [SHARED / word if isinstance(word, str) else word for word in words]
        python(BENCHES / "common" / "derive.py", kind, *sources, file)
    return file


def row_count(file: Path) -> int:
    return int(python(BENCHES / "common" / "derive.py", "rows", file).printed)
