//! `nevis` without a command.

use crate::support::*;

#[test]
fn alone_it_embeds_the_demo_and_says_so() {
    let dir = dir();
    let output = run(dir.path(), &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("embedded 5 620 rows in 2 dimensions"), "{text}");
    assert!(text.contains("nevis-demo.parquet"), "{text}");
    assert_eq!(files_in(dir.path()), ["nevis-demo.parquet"]);
    assert_eq!(column_names(&dir.path().join("nevis-demo.parquet")), ["label", "color", "x", "y"]);
}

#[test]
fn with_a_file_it_writes_beside_the_user() {
    let (dir, elsewhere) = (dir_of_blobs(60), dir());
    let input = dir.path().join("in.parquet");
    let report = json(elsewhere.path(), &[input.to_str().unwrap()]);
    assert_eq!(report["out"], "in.nevis.parquet");
    assert_eq!(files_in(elsewhere.path()), ["in.nevis.parquet"]);
    assert_eq!(files_in(dir.path()), ["in.parquet"]);
}
