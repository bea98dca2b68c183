//! Ctrl-C.
#![cfg(unix)]

use crate::support::*;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long the program may take to end.
const AT_ONCE: Duration = Duration::from_secs(1);

#[test]
fn an_interrupted_run_ends_at_once_and_leaves_the_old_file() {
    let dir = dir();
    std::fs::write(dir.path().join("out.parquet"), "the old file").unwrap();
    let backends = if adapter().is_some() { &["cpu", "gpu"][..] } else { &["cpu"] };
    let commands = ["embed", "neighbours"].into_iter().flat_map(|command| backends.iter().map(move |on| (command, on)));
    for (command, backend) in commands {
        let args = [command, "demo:", "--iterations", "1000000", "--backend", backend, "--out", "out.parquet"];
        let mut child = nevis(dir.path(), &args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        assert!(child.try_wait().unwrap().is_none(), "it must still be at work");
        let asked = Instant::now();
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert!(asked.elapsed() < AT_ONCE, "it took {:?} to end", asked.elapsed());
        assert_eq!(status.code(), Some(130));
        assert_eq!(std::fs::read(dir.path().join("out.parquet")).unwrap(), b"the old file");
        assert_eq!(files_in(dir.path()), ["out.parquet"], "no temporary file is left");
    }
}
