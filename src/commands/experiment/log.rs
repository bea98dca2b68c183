//! The log of experiments: a table in Markdown, one line for each command, and whatever else people write around it.

use dataset::arrow::array::Date32Array;
use dataset::arrow::util::display::array_value_to_string;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

const HEADER: &str = "| date | machine | command | seconds | figures |";
const RULE: &str = "|---|---|---|---:|---|";
/// What a log begins with.
const TITLE: &str = "# Experiments\n\nEach line is written by the command that it names.\n\n";
const SECONDS_PER_DAY: u64 = 86_400;

/// Where and when something was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    date: String,
    description: String,
}

/// A line of the log.
#[derive(Debug)]
pub struct Entry {
    pub machine: Machine,
    pub command: String,
    pub seconds: f64,
    pub figures: String,
}

impl Machine {
    /// This machine as it is: a busy one spoils every figure in seconds.
    pub fn now() -> Self {
        let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / SECONDS_PER_DAY);
        let date = Date32Array::from(vec![i32::try_from(days).unwrap_or(i32::MAX)]);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let said = |file: &str| std::fs::read_to_string(file).unwrap_or_default(); // not every system has them
        let (cpu, load) = (said("/proc/cpuinfo"), said("/proc/loadavg"));
        let model = cpu.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split_once(": "));
        let model = model.map_or(std::env::consts::ARCH, |(_, model)| model.trim());
        let load = load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown");
        Self {
            date: array_value_to_string(&date, 0).unwrap_or_default(),
            description: format!("{cores} cores, {model}, load {load}"),
        }
    }
}

/// Puts a line into the log, in place of an older one of the same command, and leaves the rest as it is.
pub fn record(path: &Path, entry: &Entry) -> io::Result<()> {
    let before = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        result => result?,
    };
    std::fs::write(path, with_entry(&before, entry))
}

fn with_entry(before: &str, entry: &Entry) -> String {
    let mut lines: Vec<&str> = before.lines().collect();
    let title = format!("{TITLE}{HEADER}\n{RULE}");
    let header = lines.iter().position(|line| *line == HEADER).unwrap_or_else(|| {
        lines.extend(title.lines().skip(if lines.is_empty() { 0 } else { TITLE.lines().count() }));
        lines.len() - 2
    });
    let rows = header + 2;
    let end = lines[rows.min(lines.len())..].iter().take_while(|line| line.starts_with('|')).count() + rows;
    let cell = format!("| `{}` |", entry.command);
    let old = (rows..end).find(|&at| lines[at].contains(&cell));
    let Machine { date, description } = &entry.machine;
    let figures = entry.figures.replace('|', "\\|");
    let line = format!("| {date} | {description} {cell} {:.0} | {figures} |", entry.seconds);
    match old {
        Some(at) => lines[at] = &line,
        None => lines.insert(end, &line),
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(command: &str, figures: &str) -> Entry {
        let machine = Machine { date: "2001-02-03".to_owned(), description: "2 cores".to_owned() };
        Entry { machine, command: command.to_owned(), seconds: 1.4, figures: figures.to_owned() }
    }

    #[test]
    fn a_line_replaces_that_of_its_command_only_and_text_around_stays() {
        let first = with_entry("", &entry("a", "one"));
        assert_eq!(first, format!("{TITLE}{HEADER}\n{RULE}\n| 2001-02-03 | 2 cores | `a` | 1 | one |\n"));
        let text = with_entry(&(first + "\nWords.\n"), &entry("a --quick", "two"));
        let again = with_entry(&text, &entry("a", "three"));
        assert!(again.ends_with("| `a` | 1 | three |\n| 2001-02-03 | 2 cores | `a --quick` | 1 | two |\n\nWords.\n"));
        assert!(!again.contains("one"), "{again}");
        let other = with_entry("# Mine\n", &entry("b", "four"));
        assert!(other.starts_with("# Mine\n") && other.ends_with("| `b` | 1 | four |\n"), "{other}");
    }
}
