//! Numbers as people read them.

/// 1234567 as "1 234 567".
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// "1 row", "5 620 rows".
pub fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A size in the unit that leaves three digits or fewer.
pub fn bytes(size: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let mut value = size as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let digits = if unit == 0 || value >= 99.95 { 0 } else { 1 };
    format!("{value:.digits$} {}", UNITS[unit])
}

/// A share as "98.1 %".
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Lines of cells in columns as wide as their widest cell, each line behind two spaces.
pub fn columns(lines: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for line in lines {
        widths.resize(widths.len().max(line.len()), 0);
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        text += format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([count(0), count(999), count(1000), count(1_234_567)], ["0", "999", "1 000", "1 234 567"]);
        assert_eq!([counted(1, "row"), counted(2000, "row")], ["1 row", "2 000 rows"]);
        assert_eq!(
            [bytes(5), bytes(1500), bytes(999_999), bytes(123_456_789)],
            ["5 bytes", "1.5 kB", "1.0 MB", "123 MB"]
        );
        assert_eq!(percent(0.98123), "98.1 %");
    }

    #[test]
    fn columns_line_up() {
        let lines = [vec!["größe".to_owned(), "1".to_owned()], vec!["k".to_owned(), "22".to_owned()]];
        assert_eq!(columns(&lines), "  größe  1\n  k      22\n");
    }
}
