"""Prints the licences of everything that is compiled into nevis, with their texts, from what cargo has on this machine.

    scripts/notices.py > NOTICES
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ("license", "licence", "copying", "notice", "copyright", "unlicense", "ofl")


def packages() -> list[dict]:
    """Those that the program depends on, directly or not; what only builds or tests use is left out."""
    host = next(line for line in run("rustc", "-vV").splitlines() if line.startswith("host: ")).split()[1]
    words = ("cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host)
    metadata = json.loads(run(*words))
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    seen, waiting = set(), [metadata["resolve"]["root"]]
    while waiting:
        package = waiting.pop()
        if package in seen:
            continue
        seen.add(package)
        for dependency in nodes[package]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    named = {package["id"]: package for package in metadata["packages"]}
    foreign = (named[package] for package in seen if named[package]["source"])
    return sorted(foreign, key=lambda package: (package["name"], package["version"]))


def run(*words: str) -> str:
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def texts(package: dict) -> list[str]:
    folder = Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name.lower().startswith(TEXTS))
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in files]


def main() -> None:
    found = packages()
    without = [package["name"] for package in found if not (package["license"] or package["license_file"])]
    if without:
        sys.exit(f"no licence is named by {', '.join(without)}")
    print("nevis contains the following software.\n")
    for package in found:
        print(f"{package['name']} {package['version']}: {package['license'] or package['license_file']}")
    # Many share a text to the letter: each is printed once, with the names of those that come with it.
    users: dict[str, list[str]] = {}
    for package in found:
        for text in texts(package):
            users.setdefault(text, []).append(package["name"])
    for text, names in users.items():
        print(f"\n{'-' * 79}\n{', '.join(dict.fromkeys(names))}\n{'-' * 79}\n\n{text}")


if __name__ == "__main__":
    main()
