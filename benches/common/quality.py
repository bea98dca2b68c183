"""How faithful an embedding is: `nevis evaluate` for everybody."""

from pathlib import Path

from commands import Word, ask_nevis

RANKS = (1, 3, 10, 30, 100, 300, 1000)
RNX = [f"R_NX({rank})" for rank in RANKS]
COLUMNS = ["AUC", *RNX]
DIGITS = dict.fromkeys(COLUMNS, 3)


def quality(file: Path, embedding: Path, *flags: Word) -> dict[str, float | None]:
    """The curve at some ranks, and its area; nothing at a rank beyond the number of points."""
    report = ask_nevis("evaluate", file, embedding, *flags)
    curve = dict(report["rnx"])
    return {"AUC": report["auc"]} | {name: curve.get(rank) for name, rank in zip(RNX, RANKS)}
