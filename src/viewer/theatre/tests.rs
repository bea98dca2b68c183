//! What was recorded live is seen again in a movie: the same settings and views, and points in nearly the same places.

use crate::args::{ConsoleArgs, LoaderArgs};
use crate::backend::Runner;
use crate::console::Console;
use crate::input::Input;
use crate::recording::{Opened, Performance};
use crate::viewer::{OpenData, Opening, ViewerPlugin, Writing};
use bevy::MinimalPlugins;
use bevy::app::{App, PluginGroup, ScheduleRunnerPlugin};
use bevy::asset::{AssetApp, AssetPlugin};
use bevy::image::ImagePlugin;
use bevy::input::InputPlugin;
use bevy::shader::Shader;
use bevy::transform::TransformPlugin;
use bevy::window::{ExitCondition, WindowPlugin};
use controls::{Conduct, Desk};
use dataset::LoadOptions;
use embedding::{Engine, Settings};
use live::{EnginePlace, LiveEmbedding};
use orbit_camera::{CameraCommand, CameraState, Pose, StandardView};
use points::PointSettings;
use score::{Act, Score};
use std::path::Path;
use std::time::Duration;

const ROWS: usize = 400;
const FRAME: Duration = Duration::from_millis(25);
/// How far a view of the movie may be from that seen live, in degrees: half a degree, and what a frame is late.
const VIEW: f32 = 1.5;
/// How far points of the movie may be from where they were live, in radii of the cloud (root mean square): an engine that
/// goes on from saved positions has to find its momentum and its far samples anew.
const PLACES: f32 = 0.15;
/// How far a map of half the size is from it, at least.
const ELSEWHERE: f32 = 0.3;

/// What was seen live in a frame.
struct Seen {
    time: f64,
    pose: Pose,
    settings: Settings,
    positions: Vec<f32>,
}

fn viewer(folder: &Path, data: &Path) -> App {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins.build().disable::<ScheduleRunnerPlugin>())
        .add_plugins((
            AssetPlugin::default(),
            TransformPlugin,
            InputPlugin,
            WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..Default::default() },
            ImagePlugin::default(),
        ))
        .init_asset::<Shader>()
        .insert_resource(LiveEmbedding::new(EnginePlace::Cpu, 2))
        .add_plugins(ViewerPlugin);
    app.finish();
    app.cleanup();
    app.world_mut().resource_mut::<Writing>().folder = folder.to_owned();
    app.world_mut().resource_mut::<Opening>().begin(Input::of(&[data.to_owned()]), LoadOptions::default());
    app
}

fn frame(app: &mut App) {
    app.update();
    std::thread::sleep(FRAME);
}

fn iteration(app: &App) -> u32 {
    app.world().resource::<LiveEmbedding>().snapshot().map_or(0, |snapshot| snapshot.statistics.iteration)
}

fn seen(app: &App) -> Seen {
    let live = app.world().resource::<LiveEmbedding>();
    Seen {
        time: app.world().resource::<Desk>().time,
        pose: app.world().resource::<CameraState>().pose,
        settings: live.settings().clone(),
        positions: live.snapshot().map(|snapshot| snapshot.positions_by_row()).unwrap_or_default(),
    }
}

fn blobs(path: &Path) {
    let mut text = String::from("a,b,c,d,e,f\n");
    for row in 0..ROWS {
        let value =
            |dim: usize| (row % 4 * [7, 3, 5, 1, 2, 9][dim]) as f32 + ((row * (dim + 3) * 31) % 97) as f32 / 50.0;
        text += &(0..6).map(|dim| value(dim).to_string()).collect::<Vec<_>>().join(",");
        text.push('\n');
    }
    std::fs::write(path, text).expect("written");
}

/// Records tails that change and a turn; gives what was seen.
fn record(app: &mut App, score: &Path) -> Vec<Seen> {
    while iteration(app) < 400 {
        frame(app);
    }
    // Few enough that moments can be told apart.
    app.world_mut().resource_mut::<LiveEmbedding>().set_iterations_per_frame(Some(2));
    (0..5).for_each(|_| frame(app));
    app.world_mut().write_message(Conduct::Record);
    let mut all = Vec::new();
    for step in 0..60 {
        let mut live = app.world_mut().resource_mut::<LiveEmbedding>();
        let settings = live.settings().clone();
        match step {
            10 => live.set_settings(Settings { alpha: 0.7, ..settings }).expect("a setting"),
            30 => live.set_settings(Settings { alpha: 0.5, attraction: 1.2, ..settings }).expect("settings"),
            _ => {}
        }
        if step == 15 {
            let pose = Pose::view(StandardView::Top);
            app.world_mut().write_message(CameraCommand::SetPose { pose, seconds: 0.5 });
        }
        frame(app);
        all.push(seen(app));
    }
    app.world_mut().write_message(Conduct::Record);
    for _ in 0..400 {
        frame(app);
        if score.exists() {
            break;
        }
    }
    all
}

/// Root mean square of distances, in radii.
fn apart(one: &[f32], other: &[f32]) -> f32 {
    let mean = |axis: usize| one.iter().skip(axis).step_by(3).sum::<f32>() / (one.len() / 3) as f32;
    let centre = [mean(0), mean(1), mean(2)];
    let radius: f32 = one.iter().enumerate().map(|(at, value)| (value - centre[at % 3]).powi(2)).sum();
    let moved: f32 = one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum();
    (moved / radius).sqrt()
}

#[test]
fn what_was_recorded_live_is_seen_again_in_a_movie() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, path) = (folder.path().join("blobs.csv"), folder.path().join("blobs.score"));
    blobs(&data);
    let mut app = viewer(folder.path(), &data);
    let seen = record(&mut app, &path);
    assert!(app.world().resource::<OpenData>().current.is_some());
    drop(app);
    let score = Score::read(&path).expect("a score");
    let start = folder.path().join(score.start.clone().expect("a start"));
    let console = Console::new(&ConsoleArgs { json: false, quiet: true, threads: None });
    let mut opened = Opened::open(Input::of(&[start]), &LoaderArgs::default(), console).expect("a session");
    let begin = opened.start.as_ref().expect("positions");
    let base = begin.settings.clone();
    let settings = score.settings_at(0.0, &base).expect("settings");
    let (positions, iteration) = (begin.positions.clone(), begin.iteration);
    let vectors = std::mem::take(&mut opened.data.vectors);
    let engine = Engine::resume(vectors, settings, &positions, iteration).expect("an engine");
    let runner = Runner::new(engine);
    let looks = (opened.colours.clone(), PointSettings::default(), opened.pose.unwrap_or_default());
    let mut movie = Performance::new(&score, &opened, runner, base.clone(), looks).expect("a performance");
    let mut compared = 0;
    let mut shown: Option<(Pose, Vec<f32>)> = None;
    for at in 0..score.frames() {
        let time = score.time_of(at);
        // What is seen counts for the frame that is nearest to it.
        let until = |moment: &&Seen| (moment.time * f64::from(score.fps)).round() as u64 <= at;
        let now = seen.iter().rev().find(until).unwrap_or(&seen[0]);
        let cued = score.cues.iter().any(|cue| cue.from == time && matches!(cue.act, Act::Set { .. }));
        if let (true, Some((_, positions))) = (cued, &shown) {
            // What held when the cue came: the movie has run as many iterations.
            let distance = apart(&now.positions, positions);
            assert!(distance < PLACES, "points are {distance} radii apart at {time} s");
            eprintln!("{time:.2} s: points are {distance:.4} radii apart");
            compared += 1;
        }
        movie.advance(at).expect("a frame");
        let frame = movie.frame(at, (64, 48)).expect("a frame").shown;
        let settings = score.settings_at(time, &base).expect("settings");
        assert_eq!((settings.alpha, settings.attraction), (now.settings.alpha, now.settings.attraction), "at {time} s");
        let Pose { yaw, pitch, distance, .. } = now.pose;
        let turned = (frame.pose.yaw - yaw).to_degrees().abs().max((frame.pose.pitch - pitch).to_degrees().abs());
        let nearest = (now.time - time).abs();
        // The movie has the view at its own time: between two moments of the window a turn of 180°/s goes on.
        assert!(turned < VIEW + 250.0 * nearest as f32, "the view is {turned}° off at {time} s, {nearest} s beside");
        assert!((frame.pose.distance / distance - 1.0).abs() < 0.02 + nearest as f32, "at {time} s");
        shown = Some((frame.pose, frame.positions.values.to_vec()));
    }
    assert!(compared >= 2, "{compared} cues\n{score}");
    // The judge can tell: a map of half the size is another.
    let last = &seen[seen.len() - 1];
    let scattered: Vec<f32> = last.positions.iter().map(|value| value * 0.5).collect();
    assert!(apart(&last.positions, &scattered) > ELSEWHERE);
}
