//! What Ctrl-C leaves behind. A test binary of its own: it removes the outputs of the whole process.

use atomic_file::{AtomicFile, AtomicFolder, remove_unfinished};

#[test]
fn nothing_is_left_of_what_is_not_committed() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    atomic_file::write(&place("done"), b"whole").expect("written");
    let file = AtomicFile::beside(&place("file")).expect("begun");
    let frames = AtomicFolder::within(folder.path(), &place("frames")).expect("begun");
    std::fs::write(frames.path().join("1.png"), "").expect("written");
    assert_eq!(std::fs::read_dir(folder.path()).expect("there").count(), 3);
    remove_unfinished();
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).expect("there").map(|entry| entry.expect("there").path()).collect();
    assert_eq!(left, [place("done")]);
    assert!(file.commit().is_err());
    assert!(frames.commit(&place("frames")).is_err());
}
