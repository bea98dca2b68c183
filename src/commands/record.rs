//! `nevis record`: a movie of an embedding, without a window.

use crate::args::{EngineArgs, RecordArgs};
use crate::backend::{Place, Runner, Wish, place_name};
use crate::choice::{SettingsChoice, check_drawn};
use crate::console::Console;
use crate::error::CommandError;
use crate::input::{Input, loading_notes};
use crate::recording::{Drawing, Filmed, Opened, Performance, Seconds, film, warm_up_of};
use crate::text;
use crate::viewer::offscreen::supersample;
use crate::viewer::session::absolute;
use crate::viewer::{Ground, PICTURE_KEY, frame_line, read_score};
use colours::ColourSettings;
use embedding::Settings;
use movie::{Movie, MovieOptions};
use orbit_camera::Pose;
use points::PointSettings;
use score::{Act, Score, Station, Take};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Dimensions of a movie unless told otherwise: as in the window.
const USUAL_DIMS: usize = 3;

/// Set by Ctrl-C: what has been drawn becomes a movie that plays.
static ENOUGH: AtomicBool = AtomicBool::new(false);
/// Set while there is something to finish.
static ROLLING: AtomicBool = AtomicBool::new(false);

/// Has a movie under way end after its present frame, so that it plays. False if there is none, or it was told before.
pub fn end_movie() -> bool {
    ROLLING.load(Ordering::Acquire) && !ENOUGH.swap(true, Ordering::AcqRel)
}

#[derive(Debug, Serialize)]
struct RecordReport {
    rows: usize,
    frames: u64,
    fps: u32,
    /// Length of the movie.
    seconds: f64,
    width: u32,
    height: u32,
    bytes: u64,
    /// Iterations done at the last frame …
    iteration: u32,
    /// … and the area under R_NX of what it shows.
    auc: Option<f64>,
    /// Where the embedding was computed: an adapter, or none on the cpu.
    adapter: Option<String>,
    drawn_by: String,
    took: Seconds,
    /// Ctrl-C came before the end.
    cut_short: bool,
    out: PathBuf,
    notes: Vec<String>,
}

pub fn run(args: &RecordArgs, console: Console) -> Result<(), CommandError> {
    let begun = Instant::now();
    let mut notes = Vec::new();
    let (mut score, ground) = score_of(args)?;
    score.check(&usual(args, &score).for_rows(0)?)?;
    if score.frames() == 0 {
        return Err(CommandError::Score("the score has no length: say `length 10`, or when a cue ends".to_owned()));
    }
    let wish = Wish::of(&args.backend)?;
    let place = wish.open(&mut notes)?;
    let drawer = gpu::adapter::open(wish.adapter.as_deref())?;
    let mut opened = Opened::open(input_of(args, ground)?, &args.loader, console)?;
    if args.take == Some(Take::FlyThrough) {
        score = fly_through(args, &opened)?;
    }
    check_hash(args, &score, &opened.input, &opened.data.source.hash)?;
    let rows = opened.data.vectors.rows();
    let first = First::of(args, &mut score, &opened)?;
    notes.extend(loading_notes(&opened.data));
    let supersample = supersample(args.size, args.supersample, drawer.largest_side());
    if supersample < args.supersample {
        let side = drawer.largest_side();
        notes.push(format!("{} draws at most {side} pixels a side: edges are rough", drawer.summary.name));
    }
    let place = place.for_data(&opened.data.vectors, &first.settings, &mut notes)?;
    console.notes(&notes);
    let mut recipe = first.recipe(&opened, &score);
    let (width, height) = args.size;
    let options = MovieOptions {
        width,
        height,
        fps: score.fps,
        quality: args.quality,
        loops: score.loops,
        metadata: vec![(PICTURE_KEY.to_owned(), recipe.to_string())],
    };
    let movie = Movie::create(&args.out, options)?; // what is wrong with it is known before the work
    let runner = begin(&mut opened, place, first.settings)?;
    let adapter = runner.adapter();
    let mut performance = Performance::new(&score, &opened, runner, first.base, first.seen)?;
    console.while_counting("embedding", |progress| {
        performance.warm_up(|done, total| progress(done as usize, total as usize))
    })?;
    let bar = console.bar(score.frames(), "recording");
    ROLLING.store(true, Ordering::Release);
    let drawing = Drawing { adapter: &drawer, size: args.size, supersample };
    let enough = || ENOUGH.load(Ordering::Acquire);
    let each = |drawn| {
        bar.set_position(drawn);
        if args.frame_lines {
            eprintln!("{}", frame_line(drawn, score.frames()));
        }
    };
    let filmed = film(&mut performance, score.frames(), movie, drawing, &enough, &each)?;
    bar.finish_and_clear();
    let Filmed { mut movie, mut took, frames } = filmed;
    let (iteration, auc) = console.while_waiting("measuring", || performance.outcome())?;
    (recipe["iteration"], recipe["auc"]) = (iteration.into(), auc.into());
    movie.set_metadata(vec![(PICTURE_KEY.to_owned(), recipe.to_string())])?;
    let ended = Instant::now();
    let summary = movie.finish()?;
    took.wait += ended.elapsed().as_secs_f64();
    ROLLING.store(false, Ordering::Release);
    (took.encode, took.total) = (summary.encode_seconds, begun.elapsed().as_secs_f64());
    console.print(&RecordReport {
        rows,
        frames: summary.frames,
        fps: score.fps,
        seconds: summary.seconds,
        width,
        height,
        bytes: summary.bytes,
        iteration,
        auc,
        adapter,
        drawn_by: drawer.summary.name,
        took,
        cut_short: frames < score.frames(),
        out: args.out.clone(),
        notes,
    })
}

/// Settings of data that was not seen before. What begins settled after a short run is to be past its youth by then.
fn usual(args: &RecordArgs, score: &Score) -> SettingsChoice {
    let flags = EngineArgs { dims: args.engine.dims.or(Some(USUAL_DIMS)), ..args.engine.clone() };
    SettingsChoice::Over { file: None, flags, iterations: warm_up_of(score) }
}

/// How it begins: what was opened, with flags laid over it and the score over both.
struct First {
    /// The settings before the score.
    base: Settings,
    settings: Settings,
    seen: (ColourSettings, PointSettings, Pose),
}

impl First {
    /// What a score names that is not there is told here, before any work.
    fn of(args: &RecordArgs, score: &mut Score, opened: &Opened) -> Result<Self, CommandError> {
        let base = match &opened.start {
            Some(start) => args.engine.over(start.settings.clone()),
            None => usual(args, score).for_rows(opened.data.vectors.rows())?,
        };
        base.validate()?;
        let settings = score.settings_at(0.0, &base)?;
        check_drawn(settings.dims)?;
        for cue in &score.cues {
            if let Act::Set { name, value } = &cue.act
                && name == "dims"
            {
                let refused = |reason| CommandError::Score(format!("line {}: {reason}", cue.line));
                check_drawn(*value as usize).map_err(|error| refused(CommandError::from(error)))?;
            }
        }
        if args.take.is_some() && opened.start.as_ref().is_some_and(|start| start.settings == settings) {
            // It is what it was saved as that is shown, not what would come of it.
            score.cues.retain(|cue| !matches!(cue.act, Act::Settle(_)) || cue.from > 0.0);
        }
        let mut colours = args.view.over_colours(opened.colours.clone());
        colours.labels = args.labels.clone().or(colours.labels);
        let cast = opened.cast();
        cast.check(score)?;
        cast.values(None, &colours.by)?;
        colours.labels.iter().try_for_each(|column| cast.names(None, column).map(drop))?;
        let looks = args.view.over_looks(opened.looks.clone());
        let pose = args.view.camera.or(opened.pose).unwrap_or_default();
        Ok(Self { base, settings, seen: (colours, looks, pose) })
    }

    /// All that the movie is made from; what is known at its end is added then.
    fn recipe(&self, opened: &Opened, score: &Score) -> Value {
        let (colours, looks, pose) = &self.seen;
        let session = opened.start.as_ref().map(|start| std::path::absolute(&start.path).unwrap_or(start.path.clone()));
        json!({
            "nevis": env!("CARGO_PKG_VERSION"), "command": "record", "input": absolute(&opened.input),
            "input_hash": opened.data.source.hash, "load": opened.load, "session": session, "settings": self.settings,
            "colours": colours, "looks": looks, "pose": pose, "score": score.to_string(),
        })
    }
}

/// Starts the embedding, or goes on with what was opened; the engine owns the vectors from then on.
fn begin(opened: &mut Opened, place: Place, settings: Settings) -> Result<Runner, CommandError> {
    let vectors = std::mem::take(&mut opened.data.vectors);
    let Some(start) = &opened.start else { return place.start(vectors, settings, None) };
    // With the dimensions that it had, so that others come of it as they do in a window.
    let before = Settings { dims: start.positions.dims(), ..settings.clone() };
    let mut runner = place.resume(vectors, before.clone(), &start.positions, start.iteration)?;
    if before != settings {
        runner.set_settings(settings)?;
    }
    Ok(runner)
}

/// The score of a file or of a ready-made take, at the frame rate asked for.
fn score_of(args: &RecordArgs) -> Result<(Score, Ground), CommandError> {
    let (mut score, ground) = match (&args.score, args.take) {
        (Some(path), _) => read_score(path)?,
        (None, Some(take)) => (ready_made(args, take, &[]), Ground::Open),
        (None, None) => (Score::default(), Ground::Open), // clap asks for one of them
    };
    if let Some(fps) = args.fps {
        score.fps = fps;
    }
    Ok((score, ground))
}

fn ready_made(args: &RecordArgs, take: Take, stations: &[Station]) -> Score {
    score::take(take, args.fps.unwrap_or(score::DEFAULT_FPS), args.seconds, stations)
}

/// A flight past the named selections of a session.
fn fly_through(args: &RecordArgs, opened: &Opened) -> Result<Score, CommandError> {
    let stations = opened.stations();
    if stations.is_empty() {
        let why = "a fly-through visits selections that have names: give it a session (.nevis) that has some";
        return Err(CommandError::Score(why.to_owned()));
    }
    Ok(ready_made(args, Take::FlyThrough, &stations))
}

/// The data that was named, or that the score names.
fn input_of(args: &RecordArgs, ground: Ground) -> Result<Input, CommandError> {
    match ground {
        _ if !args.input.is_empty() => Ok(Input::of(&args.input)),
        Ground::Start(session) => Ok(Input::of(&[session])),
        Ground::Data(input) => Ok(input),
        Ground::Open => Err(CommandError::Score("the score names no data: name it before --score".to_owned())),
    }
}

fn check_hash(args: &RecordArgs, score: &Score, input: &Input, found: &str) -> Result<(), CommandError> {
    match &score.hash {
        Some(expected) if expected != found => Err(CommandError::Score(format!(
            "{input} is not the data of the score {}: its hash begins with {}, the score's with {}; find the old file, or \
             take the line `hash` out",
            args.score.as_deref().unwrap_or(Path::new("")).display(),
            found.chars().take(12).collect::<String>(),
            expected.chars().take(12).collect::<String>()
        ))),
        _ => Ok(()),
    }
}

impl fmt::Display for RecordReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, frames) = (text::counted(self.rows, "row"), text::counted(self.frames as usize, "frame"));
        let place = place_name(self.adapter.as_deref());
        writeln!(f, "{rows}, {frames} at {} a second: {:.1} s", self.fps, self.seconds)?;
        let Seconds { engine, draw, read_back, encode, total, .. } = self.took;
        writeln!(
            f,
            "engine on {place} {engine:.1} s, beside it drawn by {} {draw:.1} s, read back {read_back:.1} s, encoded \
             {encode:.1} s; {total:.1} s in all",
            self.drawn_by
        )?;
        if self.cut_short {
            writeln!(f, "cut short by Ctrl-C")?;
        }
        writeln!(
            f,
            "wrote {} × {} pixels to {} ({})",
            self.width,
            self.height,
            self.out.display(),
            text::bytes(self.bytes)
        )
    }
}
