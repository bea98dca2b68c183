//! What a frame of a movie costs, by phase: a turn around the demo at 1920 × 1080, at one and at two by two pixels drawn
//! per pixel. The engine is a frame ahead of drawing, and encoding behind it: in all, a frame takes less than the sum.
//! (What all frames share, as loading, settling and compiling shaders, is in it too.)
//!
//!     cargo bench --bench record [-- --seconds S]

use serde_json::Value;
use std::error::Error;
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip_while(|arg| arg != "--seconds").skip(1);
    let seconds = args.next().unwrap_or_else(|| "1".to_owned());
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load {}, {seconds} s of movie, milliseconds a frame", load.split(' ').next().unwrap_or("?"));
    println!(
        "{:8} {:>9} {:>8} {:>8} {:>10} {:>8} {:>8} {:>8}",
        "drawn", "take", "engine", "draw", "read back", "encode", "waited", "in all"
    );
    for (take, supersample) in [("turntable", "1"), ("turntable", "2"), ("birth", "1"), ("birth", "2")] {
        let report = record(take, supersample, &seconds)?;
        let frames = report["frames"].as_f64().ok_or("no frames")?;
        let of = |phase: &str| 1e3 * report["took"][phase].as_f64().unwrap_or(0.0) / frames;
        let (engine, draw, back, encode) = (of("engine"), of("draw"), of("read_back"), of("encode"));
        let (waited, total) = (of("wait"), of("total"));
        println!(
            "{supersample} × {supersample}    {take:>9} {engine:8.0} {draw:8.0} {back:10.0} {encode:8.0} {waited:8.0} {total:8.0}"
        );
    }
    Ok(())
}

fn record(take: &str, supersample: &str, seconds: &str) -> Result<Value, Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let output = Command::new(env!("CARGO_BIN_EXE_nevis"))
        .args(["record", "demo:", "--take", take, "--seconds", seconds, "--size", "1920x1080"])
        .args(["--supersample", supersample, "--out", "m.mp4", "--json"])
        .current_dir(dir.path())
        .env("XDG_RUNTIME_DIR", dir.path())
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
