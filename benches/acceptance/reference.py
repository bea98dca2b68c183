"""Embeddings by openTSNE, made once for each file and version and kept under target/: they take minutes."""

import hashlib
import json
import os
from pathlib import Path

from commands import BENCHES, ROOT, progress
from contest import of_peer

KEPT = ROOT / "target" / "acceptance"


def version(package: str) -> str:
    """As pinned, which is what `run` has installed."""
    lines = (BENCHES / "peers" / "requirements.txt").read_text().splitlines()
    return next(line.split("==")[1] for line in lines if line.startswith(f"{package}=="))


def file_hash(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()[:16]


def open_tsne(file: Path) -> Path:
    """The embedding of a file with openTSNE's defaults."""
    kept = KEPT / f"openTSNE-{version('openTSNE')}-{file.stem}-{file_hash(file)}.parquet"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        progress(f"openTSNE embeds {file.stem}, once")
        partial = kept.with_suffix(".partial")
        figures = of_peer("openTSNE", file, partial, {})
        kept.with_suffix(".json").write_text(json.dumps(figures))
        os.replace(partial, kept)
    return kept
