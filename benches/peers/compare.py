"""Runs nevis and its peers in turn, and prints their figures side by side. Called by `run`; see README.md."""

import argparse
import json
import sys
import tempfile
from pathlib import Path

import quality
from commands import CommandFailed, machine, nevis, progress
from contest import MAPPERS, SEARCHERS, Contest, Runs, equal_recall, summarise
from datasets import MNIST, PATCHES, TASIC, dataset, row_count
from tables import Table, update_section

EMBEDDED = (MNIST, TASIC)
SEARCHED = (MNIST, "glove_100k_100d", "blobs_100k")

TIMES = ["seconds", "ratio", "warm", "warm ratio"]
MAP_COLUMNS = [*TIMES, *quality.COLUMNS, "peak MB"]
LIST_COLUMNS = [*TIMES, "recall", "peak MB"]
DIGITS = quality.DIGITS | {"recall": 4, "peak MB": 0, "points": 0}


def table_of(runs: Runs, columns: list[str]) -> Table:
    table = Table(columns, DIGITS)
    for name, row in summarise(runs).items():
        table.add(name, row)
    return table


def scale(files: list[Path], window: tuple[int, int], rounds: int) -> tuple[Table, dict]:
    """Steady seconds a point and iteration: two lengths of run, whose difference holds no start-up."""
    first, last = window
    table = Table(["points", "ns a point and iteration", "ratio", f"seconds, {last} iterations", "peak MB"], DIGITS)
    runs: dict = {}
    base = None
    for file in files:
        timed = {count: [] for count in window}
        with tempfile.TemporaryDirectory() as folder:
            for count in list(window) * rounds:
                out = Path(folder) / "embedding.parquet"
                finished = nevis("embed", file, "--iterations", count, "--out", out)
                timed[count].append({"seconds": finished.seconds, "peak MB": finished.peak_mb})
                progress(f"{file.stem}, {count} iterations: {finished.seconds:.1f} s")
        # The least disturbed run of each length: a difference magnifies noise.
        quickest = {count: min(figures["seconds"] for figures in timed[count]) for count in window}
        points = row_count(file)
        each = 1e9 * (quickest[last] - quickest[first]) / ((last - first) * points)
        base = base or each
        peak = max(figures["peak MB"] for figures in timed[last])
        table.add(file.stem, dict(zip(table.columns, (points, each, each / base, quickest[last], peak))))
        runs[file.stem] = timed
    return table, runs


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benches/peers/run", description="Compares nevis with its peers, here and now.")
    option = parser.add_argument
    option("files", nargs="*", type=Path, metavar="FILE", help="Parquet with a column `vector` [default: see README.md]")
    option("--rounds", type=int, default=3, help="how often everything is run; medians are printed [default: 3]")
    option("--only", choices=("maps", "lists"), help="embeddings alone, or neighbours alone")
    option("--peers", help=f"some peers alone, comma separated: {', '.join(MAPPERS + SEARCHERS)}")
    option("--no-equal-recall", action="store_true", help="neighbours: everybody's usual settings alone")
    option("--scale", action="store_true", help="nevis alone: time a point and iteration, 70 000 and 1 000 000 points")
    option("--window", type=int, nargs=2, default=(300, 500), help="with --scale: the two iteration counts")
    option("--json", type=Path, metavar="FILE", help="also writes every run to this file")
    option("--markdown", type=Path, metavar="FILE", help="also puts the tables into this file, as docs/measured.md")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    here = machine()
    print("; ".join(f"{key}: {value}" for key, value in here.items()), "(a busy machine spoils the figures)")
    results: dict = {"machine": here, "maps": {}, "lists": {}}
    notes: list[str] = []

    def show(section: str, title: str, table: Table, words: str = "") -> None:
        print(f"\n{title}\n{table.text()}\n{words}".rstrip(), flush=True)
        if args.markdown:
            parts = (title, table.markdown(), words)
            update_section(args.markdown, section, "\n\n".join(part for part in parts if part))

    if args.markdown:
        update_section(args.markdown, "machine", "\n".join(f"- {key}: {value}" for key, value in here.items()))
    if args.scale:
        window = min(args.window), max(args.window)
        table, results["scale"] = scale([dataset(MNIST), dataset(PATCHES)], window, args.rounds)
        show("scale", f"nevis, iterations {window[0]} to {window[1]}", table)
    else:
        chosen = args.peers.split(",") if args.peers else MAPPERS + SEARCHERS
        mappers, searchers = ([peer for peer in group if peer in chosen] for group in (MAPPERS, SEARCHERS))
        rounds = f"medians of {args.rounds} round(s)"
        for file in (args.files or map(dataset, EMBEDDED)) if mappers and args.only != "lists" else ():
            runs = results["maps"][file.stem] = Contest(file, args.rounds, notes).maps(mappers)
            show(f"maps of {file.stem}", f"Embeddings of {file.stem}, {rounds}", table_of(runs, MAP_COLUMNS))
        for file in (args.files or map(dataset, SEARCHED)) if searchers and args.only != "maps" else ():
            contest = Contest(file, args.rounds, notes)
            runs = results["lists"][file.stem] = contest.lists(searchers, not args.no_equal_recall)
            title = f"32 neighbours of {file.stem}, {rounds}"
            show(f"lists of {file.stem}", title, table_of(runs, LIST_COLUMNS), equal_recall(summarise(runs)))
    for note in dict.fromkeys(notes):
        print(note)
    if args.json:
        args.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    try:
        main()
    except CommandFailed as failure:
        sys.exit(str(failure))
