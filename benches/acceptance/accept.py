"""Runs the checks one after the other; ends with 1 where a promise is missed. Called by `run`; see README.md."""

import argparse
import sys
from pathlib import Path

import curve
import global_shape
import gpu
import grid
import growth
import speed
from commands import CommandFailed, machine
from tables import update_section
from verdicts import Effort, Verdicts

CHECKS = {
    "curve": curve.check,
    "speed": speed.check,
    "growth": growth.check,
    "shape": global_shape.check,
    "grid": grid.check,
    "gpu": gpu.check,
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benches/acceptance/run", description="Does nevis keep its promises here?")
    option = parser.add_argument
    option("checks", nargs="*", metavar="CHECK", help=f"some alone: {', '.join(CHECKS)}")
    option("--quick", action="store_true", help="fewer and smaller sets, one round: shows that all works")
    option("--large", action="store_true", help="growth: ten million rows as well; grid: all cells of the larger sets")
    option("--rounds", type=int, default=3, help="of what is timed; medians count [default: 3]")
    option("--markdown", type=Path, metavar="FILE", help="also puts the tables into this file, as docs/measured.md")
    args = parser.parse_args()
    if unknown := [name for name in args.checks if name not in CHECKS]:
        parser.error(f"no such check: {', '.join(unknown)}")
    return args


def main() -> int:
    args = arguments()
    effort = Effort(args.quick, args.large, 1 if args.quick else args.rounds)
    here = machine()
    print("; ".join(f"{key}: {value}" for key, value in here.items()))
    if args.quick:
        print("quick: fewer and smaller sets, one round; what passes or fails here decides nothing")
    if args.markdown:
        update_section(args.markdown, "machine", "\n".join(f"- {key}: {value}" for key, value in here.items()))
    done = []
    for name in args.checks or CHECKS:
        verdicts = Verdicts(name, args.markdown)
        try:
            CHECKS[name](verdicts, effort)
        except CommandFailed as failure:
            verdicts.judge(False, f"broke off: {failure}")
        done.append(verdicts)
    print("\nSummary\n" + "\n".join(verdicts.summary() for verdicts in done))
    return 1 if any(verdicts.failed for verdicts in done) else 0


if __name__ == "__main__":
    sys.exit(main())
