"""Tables, as text and in Markdown files."""

import re
from pathlib import Path

Cell = str | int | float | None
Row = dict[str, Cell]


def text_of(value: Cell, digits: int) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else f"{value:,.{digits}f}"


class Table:
    """Rows of named figures; `digits` says how many decimals a column has, 2 where it says nothing."""

    def __init__(self, columns: list[str], digits: dict[str, int] | None = None):
        self.columns = columns
        self.digits = digits or {}
        self.rows: list[tuple[str, Row]] = []

    def add(self, name: str, row: Row) -> None:
        self.rows.append((name, row))

    def cells(self) -> list[list[str]]:
        def line(name: str, row: Row) -> list[str]:
            return [name, *(text_of(row.get(column), self.digits.get(column, 2)) for column in self.columns)]

        return [["", *self.columns], *(line(name, row) for name, row in self.rows)]

    def text(self) -> str:
        lines = self.cells()
        widths = [max(map(len, column)) for column in zip(*lines)]
        padded = ([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])] for line in lines)
        return "\n".join("  ".join(line) for line in padded)

    def markdown(self) -> str:
        head, *lines = self.cells()
        rule = ["---", *["---:"] * len(self.columns)]
        return "\n".join(f"| {' | '.join(line)} |" for line in [head, rule, *lines])


def update_section(file: Path, name: str, content: str) -> None:
    """Puts content between the marks of that name in a Markdown file; at its end where it has no such marks."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    section = f"{begin}\n{content}\n{end}"
    known = file.read_text() if file.exists() else ""
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if pattern.search(known):
        file.write_text(pattern.sub(lambda _: section, known))
    else:
        file.write_text(f"{known}\n{section}\n".lstrip("\n"))
