//! What the window achieves, for benches: with `NEVIS_REPORT=FILE` it appends a line of JSON to that file at the first
//! frame, at the first that has points, and every second.

use bevy::app::{App, Last};
use bevy::ecs::prelude::{Local, Res, ResMut, Resource};
use live::LiveEmbedding;
use orbit_camera::CameraState;
use points::PointCloud;
use serde::Serialize;
use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant, SystemTime};

/// Time between two lines.
const EVERY: Duration = Duration::from_secs(1);

/// Where lines go.
#[derive(Resource)]
struct Report(File);

/// A line.
#[derive(Debug, Serialize)]
struct Line {
    /// Seconds since 1970, to be compared with the time at which the program was started.
    at: f64,
    /// Frames so far.
    frame: u64,
    /// Frames a second since the line before.
    fps: f64,
    /// Iterations so far.
    iteration: u32,
    /// Iterations a second since the line before.
    it_per_s: f64,
    /// Share of the points that is drawn.
    drawn_share: f32,
    /// Points of the cloud.
    points: usize,
    /// Whether somebody moves the camera.
    moving: bool,
}

/// What the last line was measured from.
#[derive(Default)]
struct Since {
    frame: u64,
    told: Option<(Instant, u64, u32)>,
    had_points: bool,
}

/// Reports, if the environment asks for it.
///
/// # Errors
/// If the file cannot be made.
pub fn add(app: &mut App) -> std::io::Result<()> {
    if let Some(path) = std::env::var_os("NEVIS_REPORT") {
        app.insert_resource(Report(File::create(path)?)).add_systems(Last, write_line);
    }
    Ok(())
}

fn write_line(
    mut report: ResMut<Report>,
    live: Res<LiveEmbedding>,
    cloud: Res<PointCloud>,
    camera: Res<CameraState>,
    mut since: Local<Since>,
) {
    since.frame += 1;
    let now = Instant::now();
    let iteration = live.snapshot().map_or(0, |snapshot| snapshot.statistics.iteration);
    let has_points = cloud.count() > 0;
    let due = since.told.is_none_or(|(last, ..)| now - last >= EVERY);
    if !due && has_points == since.had_points {
        return; // nothing new within a second
    }
    let (last, frames, iterations) = since.told.unwrap_or((now, since.frame, iteration));
    let seconds = (now - last).as_secs_f64().max(f64::MIN_POSITIVE);
    let line = Line {
        at: SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs_f64(),
        frame: since.frame,
        fps: (since.frame - frames) as f64 / seconds,
        iteration,
        it_per_s: f64::from(iteration.saturating_sub(iterations)) / seconds, // other data begins at zero again
        drawn_share: cloud.share(),
        points: cloud.count(),
        moving: camera.moving,
    };
    since.told = Some((now, since.frame, iteration));
    since.had_points = has_points;
    if let Ok(text) = serde_json::to_string(&line) {
        let _ = writeln!(report.0, "{text}"); // a full disk does not end a bench
    }
}
