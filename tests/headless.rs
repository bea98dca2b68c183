//! `nevis` without a command.

use crate::support::*;

#[test]
fn alone_it_embeds_the_demo_and_says_so() {
    let dir = dir();
    let output = run(dir.path(), &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(text.contains("embedded 5 620 rows in 2 dimensions"), "{text}");
    assert!(text.contains("nevis-demo.parquet"), "{text}");
    assert!(stderr(&output).contains("there is no display"), "{}", stderr(&output));
    let expected: &[&str] =
        if adapter().is_some() { &["nevis-demo.parquet", "nevis-demo.png"] } else { &["nevis-demo.parquet"] };
    assert_eq!(files_in(dir.path()), expected);
    assert_eq!(column_names(&dir.path().join("nevis-demo.parquet")), ["label", "color", "x", "y"]);
}

#[test]
fn with_a_file_it_writes_beside_the_user() {
    let (dir, elsewhere) = (dir_of_blobs(60), dir());
    let input = dir.path().join("in.parquet");
    // A display that does not answer is none.
    let output =
        nevis(elsewhere.path(), &[input.to_str().unwrap(), "--json"]).env("DISPLAY", ":4711").output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["out"], "in.nevis.parquet");
    assert!(elsewhere.path().join("in.nevis.parquet").exists());
    if adapter().is_some() {
        assert_eq!(report["picture"], "in.nevis.png");
        assert_eq!(files_in(elsewhere.path()), ["in.nevis.parquet", "in.nevis.png"]);
    }
    assert_eq!(files_in(dir.path()), ["in.parquet"]);
}
