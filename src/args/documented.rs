//! What the documentation shows can be typed, and its links lead somewhere.

use super::Cli;
use clap::CommandFactory;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// All pages that users read, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("README.md")];
    for folder in ["docs", "benches/peers", "benches/acceptance"] {
        let entries =
            fs::read_dir(root.join(folder)).expect("there are docs").map(|entry| entry.expect("entry").path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    files.into_iter().map(|file| (file.clone(), fs::read_to_string(file).expect("a page is text"))).collect()
}

/// The lines of a page, each with the language of the code block it is in ("" outside of blocks).
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut language: Option<&str> = None;
    text.lines().filter_map(move |line| match (line.strip_prefix("```"), language) {
        (Some(begun), None) => {
            language = Some(if begun.is_empty() { "text" } else { begun });
            None
        }
        (Some(_), Some(_)) => {
            language = None;
            None
        }
        (None, inside) => Some((inside.unwrap_or(""), line)),
    })
}

/// The words of a command line, without its comment. Quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let line = line.split(" #").next().unwrap_or(line);
    let mut words = Vec::new();
    for (part, quoted) in line.split('"').zip([false, true].into_iter().cycle()) {
        if quoted {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[test]
fn every_command_that_is_shown_can_be_typed() {
    let mut shown = HashMap::new();
    for (file, text) in pages() {
        for (_, line) in lines(&text).filter(|(language, _)| matches!(*language, "sh" | "console")) {
            let line = line.strip_prefix("$ ").unwrap_or(line);
            if line == "nevis" || line.starts_with("nevis ") {
                let typed = Cli::command().try_get_matches_from(words(line));
                assert!(typed.is_ok(), "{}: {line}: {}", file.display(), typed.expect_err("it failed"));
                *shown.entry(file.clone()).or_insert(0) += 1;
            }
        }
    }
    let (pages, commands) = (shown.len(), shown.values().sum::<i32>());
    assert!(pages >= 5 && commands >= 40, "{commands} commands on {pages} pages: are blocks still found?");
    assert!(Cli::command().try_get_matches_from(words("nevis embed demo: --no-such-flag")).is_err());
}

#[test]
fn every_link_leads_to_a_file_and_its_heading() {
    let mut followed = 0;
    for (file, text) in pages() {
        for (_, line) in lines(&text).filter(|(language, _)| language.is_empty()) {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            for target in targets.filter(|target| !target.contains("://")) {
                let (path, heading) = target.split_once('#').unwrap_or((target, ""));
                let page = if path.is_empty() { file.clone() } else { file.with_file_name("").join(path) };
                assert!(page.exists(), "{}: {target} is not there", file.display());
                if !heading.is_empty() {
                    let text = fs::read_to_string(&page).expect("a page with headings is text");
                    let found = lines(&text).any(|(language, line)| language.is_empty() && anchor(line) == heading);
                    assert!(found, "{}: {target} has no such heading", file.display());
                }
                followed += 1;
            }
        }
    }
    assert!(followed >= 20, "{followed} links: are they still found?");
}

/// The name by which a heading is linked to.
fn anchor(line: &str) -> String {
    let heading = line.trim_start_matches('#');
    if heading == line {
        return String::new();
    }
    let kept = heading.trim().to_lowercase();
    kept.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}
