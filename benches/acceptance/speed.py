"""Speed: the required ratios to the peers, and neighbours faster than any of them."""

from contest import NEVIS, Contest, Figures, summarise
from datasets import MNIST, TASIC, dataset
from quality import COLUMNS, DIGITS
from tables import Table
from verdicts import Effort, Verdicts

# How many times the seconds of nevis a peer takes, at least: its whole command, or once it is warm.
RATIOS = {
    ("openTSNE", "ratio"): 20,
    ("umap", "ratio"): 10,
    ("umap", "warm ratio"): 4,
    ("manifolds-tsne", "ratio"): 10,
    ("manifolds-umap", "ratio"): 2.5,
}
RIVALS = ("faiss-ivf", "ann-ivf", "ann-nndescent", "pynndescent")
SEARCHED = (MNIST, "glove_100k_100d", "blobs_100k")
TIMES = ["seconds", "ratio", "warm", "warm ratio"]


def check(verdicts: Verdicts, effort: Effort) -> None:
    maps(verdicts, effort)
    small(verdicts, effort)
    for name in ("mnist_10k_pca50",) if effort.quick else SEARCHED:
        neighbours(name, verdicts, effort)


def contest(name: str, effort: Effort, notes: list[str]) -> Contest:
    return Contest(dataset(name), effort.rounds, notes)


def maps(verdicts: Verdicts, effort: Effort) -> None:
    name = "mnist_10k_pca50" if effort.quick else MNIST
    notes: list[str] = []
    rows = summarise(contest(name, effort, notes).maps(dict.fromkeys(peer for peer, _ in RATIOS)))
    show(verdicts, f"Embeddings of {name}", rows, [*TIMES, *COLUMNS, "peak MB"])
    for (peer, column), limit in RATIOS.items():
        if peer in rows:
            verdicts.at_least(f"{name}, {column} of {peer}", rows[peer][column], limit, 2)
    miss_absent(verdicts, notes)


def small(verdicts: Verdicts, effort: Effort) -> None:
    notes: list[str] = []
    rows = summarise(contest(TASIC, effort, notes).maps(["umap"], judge=False))
    show(verdicts, f"Embeddings of {TASIC}", rows, [*TIMES, "peak MB"])
    if "umap" in rows:
        ratio = rows["umap"]["warm ratio"]
        verdicts.judge(ratio > 1, f"{TASIC}, sooner than warm umap: it takes {ratio:.2f} × as long")
    miss_absent(verdicts, notes)


def neighbours(name: str, verdicts: Verdicts, effort: Effort) -> None:
    """The quickest rival, warm, must take longer than the whole command of nevis and find no more."""
    notes: list[str] = []
    rows = summarise(contest(name, effort, notes).lists(RIVALS, equal_recall=False))
    show(verdicts, f"32 neighbours of {name}", rows, [*TIMES, "recall", "peak MB"])
    miss_absent(verdicts, notes)
    rivals = {peer: row for peer, row in rows.items() if peer != NEVIS}
    if not rivals:
        return
    quickest = min(rivals, key=lambda peer: rivals[peer]["warm"])
    ours, theirs = rows[NEVIS], rivals[quickest]
    verdicts.judge(
        ours["seconds"] < theirs["warm"],
        f"{name}: {ours['seconds']:.2f} s, less than the {theirs['warm']:.2f} s of {quickest}, the quickest rival, warm",
    )
    verdicts.at_least(f"{name}: recall, beside that of {quickest}", ours["recall"], theirs["recall"], 4)


def miss_absent(verdicts: Verdicts, notes: list[str]) -> None:
    """A promise about a peer that could not run is not shown to be kept."""
    for note in notes:
        verdicts.judge(False, note)


def show(verdicts: Verdicts, title: str, rows: dict[str, Figures], columns: list[str]) -> None:
    table = Table(columns, DIGITS | {"recall": 4, "peak MB": 0})
    for name, row in rows.items():
        table.add(name, row)
    verdicts.show(None, title, table)  # benches/peers publishes these, with all peers
