"""Runs nevis and its peers in turn, and prints their figures side by side. Called by `run`; see README.md.

Only the standard library here: a child's peak memory starts at its parent's size, so the parent stays small.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
NEVIS = os.environ["NEVIS"]
DATA = HERE.parents[2] / "shared" / "data"
K = 32
RANKS = (10, 100, 1000)
RNX = [f"R_NX({rank})" for rank in RANKS]
COLUMNS = ("seconds", "ratio", "warm", "warm ratio", "AUC", *RNX, "recall", "peak MB")
DIGITS = {"AUC": 3, **dict.fromkeys(RNX, 3), "recall": 4, "peak MB": 0, "points": 0}  # 2 for the rest

# Where pynndescent's default finds less than nevis, more work; where it finds more, less: equal recall cuts both ways.
MORE = [{"delta": 0.0}, {"n_neighbors": 48}, {"n_neighbors": 64}, {"n_neighbors": 64, "n_trees": 24, "delta": 0.0}]
LESS = [{"n_iters": 6}, {"n_iters": 4}, {"n_iters": 2}]


def run(command):
    """Runs a whole command: its wall seconds, its peak memory, and what it printed."""
    with tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        child = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=errors, text=True)
        printed = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)  # unlike wait(), tells this child's memory
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            errors.seek(0)
            sys.exit(f"{' '.join(map(str, command))}\nended with {child.returncode}:\n{errors.read()[-4000:]}")
    return {"seconds": seconds, "peak_kb": usage.ru_maxrss}, printed


def run_nevis(*words):
    figures = run([NEVIS, *words])[0]
    return figures | {"warm": figures["seconds"]}  # nothing to warm up


def ask_nevis(*words):
    return json.loads(run([NEVIS, *words, "--json"])[1])


def run_peer(name, file, out, options=None):
    _, printed = run([sys.executable, HERE / "peer.py", name, file, out, time.time(), json.dumps(options or {})])
    figures = json.loads(printed.splitlines()[-1])
    del figures["version"]  # pinned in requirements.txt, and no figure to take the median of
    return figures


def embeddings(file, rounds, scratch):
    """nevis, openTSNE, nevis, umap, ...: in turn, so that a machine that slows down slows all of them down."""
    runs = {"nevis embed": [], "openTSNE": [], "umap": []}
    for name in ["nevis embed", "openTSNE", "nevis embed", "umap"] * rounds:
        out = scratch / "embedding.parquet"
        out.unlink(missing_ok=True)
        figures = run_nevis("embed", file, "--out", out) if name == "nevis embed" else run_peer(name, file, out)
        quality = ask_nevis("evaluate", file, out)
        curve = dict(quality["rnx"])
        figures |= {"AUC": quality["auc"]} | {name: curve.get(rank) for name, rank in zip(RNX, RANKS)}
        runs[name].append(figures)
        print(f"  {name}: {figures['seconds']:.1f} s", file=sys.stderr)
    return runs


def neighbours(file, rounds, scratch):
    """nevis against pynndescent: its default, then settings towards the recall of nevis, each after a run of nevis."""
    out = scratch / "neighbours.parquet"
    words = ("neighbours", file, "--k", K, "--out", out)
    # The recall needs an exact search, so it is asked for apart from the timed runs; same seed, same lists.
    report = ask_nevis(*words, "--recall")
    runs = {"nevis neighbours": []}

    def against(options):
        name = " ".join(["pynndescent", *(f"{key}={value}" for key, value in options.items())])
        for _ in range(rounds):
            runs["nevis neighbours"].append(run_nevis(*words) | {"recall": report["recall"]})
            runs.setdefault(name, []).append(run_peer("pynndescent", file, out, options))
            print(f"  {name}: {runs[name][-1]['seconds']:.1f} s", file=sys.stderr)
        return middle(runs[name])["recall"]

    harder = against({}) < report["recall"]
    for options in MORE if harder else LESS:
        if (against(options) < report["recall"]) != harder:
            break  # crossed the recall of nevis: what follows costs more, or finds too little
    return runs


def scale(files, window, rounds, scratch):
    """Steady seconds a point and iteration: two lengths of run, whose difference holds no start-up."""
    rows = {}
    first, last = window
    for file in files:
        runs = {count: [] for count in window}
        for count in list(window) * rounds:
            out = scratch / "embedding.parquet"
            figures, printed = run([NEVIS, "embed", file, "--iterations", count, "--out", out, "--json"])
            runs[count].append(figures | {"report": json.loads(printed)})
            print(f"  {file.stem}, {count} iterations: {figures['seconds']:.1f} s", file=sys.stderr)
        # The least disturbed run of each length: a difference magnifies noise.
        quickest = {count: min(figures["seconds"] for figures in runs[count]) for count in window}
        points = row_count(file)
        rows[file.stem] = {
            "points": points,
            "ns a point and iteration": 1e9 * (quickest[last] - quickest[first]) / ((last - first) * points),
            f"seconds, {last} iterations": quickest[last],
            "peak MB": max(figures["peak_kb"] for figures in runs[last]) / 1024,
            "runs": runs,
        }
    base = next(iter(rows.values()))["ns a point and iteration"]
    for row in rows.values():
        row["ratio"] = row["ns a point and iteration"] / base
    return rows


def row_count(file):
    # In a child, as pyarrow would make this process large.
    code = "import sys, pyarrow.parquet as parquet; print(parquet.read_metadata(sys.argv[1]).num_rows)"
    return int(run([sys.executable, "-c", code, file])[1])


def middle(runs):
    """The median of each figure over the runs; None where a run has none (a rank beyond the number of points)."""
    values = {key: [figures[key] for figures in runs] for key in runs[0]}
    return {key: None if None in column else median(column) for key, column in values.items()}


def summarise(runs):
    rows = {name: middle(group) for name, group in runs.items()}
    reference = next(iter(rows.values()))["seconds"]  # nevis comes first
    for row in rows.values():
        row["ratio"] = row["seconds"] / reference
        row["warm ratio"] = row["warm"] / reference
        row["peak MB"] = row.pop("peak_kb") / 1024
    return rows


def print_table(rows, columns):
    def cell(column, value):
        digits = DIGITS.get(column, 2)
        return "–" if value is None else f"{value:,.{digits}f}"

    lines = [["", *columns]]
    lines += [[name, *(cell(column, row.get(column)) for column in columns)] for name, row in rows.items()]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print("  ".join([line[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(line[1:], widths[1:]))]))


def equal_recall(rows):
    """In words: the cheapest pynndescent that finds as much as nevis, or the best it reached."""
    goal = rows["nevis neighbours"]["recall"]
    peers = {name: row for name, row in rows.items() if name.startswith("pynndescent")}
    enough = {name: row for name, row in peers.items() if row["recall"] >= goal}
    if enough:
        name = min(enough, key=lambda name: enough[name]["seconds"])
        return f"At recall {goal:.4f} or more the cheapest is {name}: {peers[name]['ratio']:.2f} × the seconds of nevis, warm {peers[name]['warm ratio']:.2f} ×."
    name = max(peers, key=lambda name: peers[name]["recall"])
    best = peers[name]
    return f"No setting reached {goal:.4f}; best: {name}, {best['recall']:.4f} in {best['ratio']:.2f} × the seconds of nevis, warm {best['warm ratio']:.2f} ×."


def main():
    parser = argparse.ArgumentParser(prog="benches/peers/run", description="Compares nevis with its peers, here and now.")
    option = parser.add_argument
    option("file", nargs="?", type=Path, default=DATA / "mnist_70k_pca50.parquet", help="Parquet with a column `vector`")
    option("--rounds", type=int, default=1, help="how often the whole sequence is repeated; medians are printed")
    option("--scale", action="store_true", help="nevis alone: time a point and iteration, 70 000 and 1 000 000 points")
    option("--window", type=int, nargs=2, default=(300, 500), help="with --scale: the two iteration counts")
    option("--json", type=Path, help="also writes every run to this file")
    args = parser.parse_args()

    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    print(f"{cores} cores, load {load:.1f} before the first run (a busy machine spoils the figures)")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        if args.scale:
            files = [DATA / "mnist_70k_pca50.parquet", DATA / "image_patches_1m_48d.parquet"]
            runs, rows = {}, scale(files, sorted(args.window), args.rounds, scratch)
            seconds = f"seconds, {max(args.window)} iterations"
            print_table(rows, ("points", "ns a point and iteration", "ratio", seconds, "peak MB"))
        else:
            print(f"{args.file.name}; ratio = seconds / seconds of nevis; medians of {args.rounds} round(s)")
            maps = embeddings(args.file, args.rounds, scratch)
            lists = neighbours(args.file, args.rounds, scratch)
            runs = {"file": args.file.name, "runs": maps | lists}
            rows = summarise(maps) | summarise(lists)
            print_table(rows, COLUMNS)
            print(equal_recall(rows))
    if args.json:
        args.json.write_text(json.dumps({"cores": cores, "load": load, "rows": rows} | runs, indent=1))


if __name__ == "__main__":
    main()
