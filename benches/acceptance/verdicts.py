"""What was promised, what was measured, and whether that is enough."""

from dataclasses import dataclass, field
from pathlib import Path

from tables import Table, update_section


@dataclass(frozen=True)
class Effort:
    """How much is done."""

    quick: bool  # fewer and smaller sets: shows that all works, and decides nothing
    large: bool  # what takes much longer as well
    rounds: int  # of what is timed; medians count


@dataclass
class Verdicts:
    """The lines of one check. What cannot be measured is skipped, and said so: that is no failure."""

    check: str
    markdown: Path | None = None
    failed: list[str] = field(default_factory=list)
    passed: int = 0
    skipped: list[str] = field(default_factory=list)

    def judge(self, good: bool, what: str) -> None:
        print(f"{'PASS' if good else 'FAIL'} {self.check}: {what}", flush=True)
        if good:
            self.passed += 1
        else:
            self.failed.append(what)

    def at_least(self, what: str, value: float, limit: float, digits: int = 3) -> None:
        self.judge(value >= limit, f"{what}: {value:,.{digits}f}, at least {limit:,.{digits}f}")

    def at_most(self, what: str, value: float, limit: float, digits: int = 3) -> None:
        self.judge(value <= limit, f"{what}: {value:,.{digits}f}, at most {limit:,.{digits}f}")

    def skip(self, what: str) -> None:
        print(f"SKIP {self.check}: {what}", flush=True)
        self.skipped.append(what)

    def show(self, section: str | None, title: str, table: Table) -> None:
        """Prints a table, and puts it into a section of the Markdown file if both are named."""
        print(f"\n{title}\n{table.text()}\n", flush=True)
        if self.markdown and section:
            update_section(self.markdown, section, f"{title}\n\n{table.markdown()}")

    def summary(self) -> str:
        counts = f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"
        return "\n".join([f"{self.check}: {counts}", *(f"  FAIL {what}" for what in self.failed)])
