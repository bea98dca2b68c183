//! What shells and `man` are given.

use crate::support::*;

#[test]
fn shells_complete_commands_and_flags() {
    let dir = dir();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = succeed(dir.path(), &["completions", shell]);
        for word in ["neighbours", "--perplexity", "--color-by"] {
            // Fish writes flags without their dashes.
            let word = if shell == "fish" { word.trim_start_matches('-') } else { word };
            assert!(script.contains(word), "{shell} knows nothing of {word}");
        }
    }
    let refused = run(dir.path(), &["completions", "cobol"]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("fish"), "{}", stderr(&refused));
}

#[test]
fn every_command_has_a_manual_page() {
    let dir = dir();
    assert!(succeed(dir.path(), &["man"]).contains(".TH nevis 1"));
    succeed(dir.path(), &["man", "--out", "man/1"]);
    for (page, says) in
        [("nevis", "perplexity"), ("nevis-embed", "early\\-exaggeration"), ("nevis-evaluate", "queries")]
    {
        let text = std::fs::read_to_string(dir.path().join(format!("man/1/{page}.1"))).unwrap();
        assert!(text.contains(says), "{page}.1 says nothing of {says}");
    }
    std::fs::write(dir.path().join("file"), "").unwrap();
    let refused = run(dir.path(), &["man", "--out", "file/there"]);
    assert!(refused.status.code() == Some(1) && stderr(&refused).contains("file/there"), "{}", stderr(&refused));
}
