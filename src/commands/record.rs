//! `nevis record`: a movie of an embedding, without a window.

use crate::args::{EngineArgs, RecordArgs};
use crate::backend::{Wish, place_name};
use crate::choice::SettingsChoice;
use crate::console::Console;
use crate::error::CommandError;
use crate::input::{Input, loading_notes};
use crate::recording::{Captions, Performance};
use crate::text;
use crate::viewer::offscreen::{Drawn, Studio};
use crate::viewer::session::absolute;
use crate::viewer::{PICTURE_KEY, trust_of};
use colours::default_colouring;
use dataset::LoadOptions;
use movie::{Movie, MovieOptions};
use points::PointSettings;
use score::Score;
use serde::Serialize;
use serde_json::json;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Dimensions of a movie unless told otherwise: as in the window.
const USUAL_DIMS: usize = 3;

/// Set by Ctrl-C: what has been drawn becomes a movie that plays.
pub static ENOUGH: AtomicBool = AtomicBool::new(false);
/// Set while there is something to finish.
pub static ROLLING: AtomicBool = AtomicBool::new(false);

#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Seconds {
    engine: f64,
    /// Drawing, until the device has finished.
    draw: f64,
    /// Copying what was drawn, drawing pixels together, and writing captions over them.
    read_back: f64,
    /// Encoding, on a thread of its own: it overlaps with the others …
    encode: f64,
    /// … but for what they waited for it.
    wait: f64,
    total: f64,
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
    let score = score_of(args)?;
    let (width, height) = args.size;
    let flags = EngineArgs { dims: args.engine.dims.or(Some(USUAL_DIMS)), ..args.engine.clone() };
    let choice = SettingsChoice::Over { file: None, flags, iterations: None };
    score.check(&choice.for_rows(0)?)?;
    if score.frames() == 0 {
        return Err(CommandError::Score("the score has no length: say `length 10`, or when a cue ends".to_owned()));
    }
    let wish = Wish::of(&args.backend)?;
    let place = wish.open(&mut notes)?;
    let drawer = gpu::adapter::open(wish.adapter.as_deref())?;
    let input = input_of(args, &score)?;
    let load = args.loader.over(LoadOptions::default());
    let mut data = input.load(&load, console)?;
    check_hash(args, &score, &input, &data.source.hash)?;
    let rows = data.vectors.rows();
    let base = choice.for_rows(rows)?;
    let settings = score.settings_at(0.0, &base)?;
    let colours = args.view.over_colours(default_colouring(&data));
    if trust_of(&colours.by).is_some() {
        return Err(CommandError::Score("a movie cannot be coloured by trust: name a column, or none".to_owned()));
    }
    notes.extend(loading_notes(&data));
    let place = place.for_data(&data.vectors, &settings, &mut notes)?;
    console.notes(&notes);
    let recipe = json!({
        "nevis": env!("CARGO_PKG_VERSION"), "command": "record", "input": absolute(&input),
        "input_hash": data.source.hash, "load": load, "settings": settings, "colours": colours,
        "score": score.to_string(),
    });
    let options = MovieOptions {
        width,
        height,
        fps: score.fps,
        quality: args.quality,
        loops: score.loops,
        metadata: vec![(PICTURE_KEY.to_owned(), recipe.to_string())],
    };
    let mut movie = Movie::create(&args.out, options)?; // what is wrong with it is known before the work
    let vectors = std::mem::take(&mut data.vectors);
    let runner = place.start(vectors, settings, None)?;
    let adapter = runner.adapter();
    let looks = args.view.over_looks(PointSettings::default());
    let pose = args.view.camera.unwrap_or_default();
    let mut performance = Performance::new(&score, &data, runner, base, (colours, looks, pose))?;
    console.while_counting("embedding", |progress| {
        performance.warm_up(|done, total| progress(done as usize, total as usize))
    })?;
    let (mut studio, captions) = (Studio::new(&drawer), Captions::default());
    let mut took = Seconds::default();
    let bar = console.bar(score.frames(), "recording");
    ROLLING.store(true, Ordering::Release);
    let mut drawn = 0;
    for frame in 0..score.frames() {
        if ENOUGH.load(Ordering::Acquire) {
            break;
        }
        let at = Instant::now();
        performance.advance(frame)?;
        let shown = performance.shown(frame, args.size)?;
        let computed = Instant::now();
        let Drawn { mut pixels, draw, .. } = studio.draw(shown, args.supersample)?;
        if let Some((caption, dark)) = performance.caption(frame) {
            captions.write(&mut pixels, caption, dark);
        }
        took.engine += (computed - at).as_secs_f64();
        took.draw += draw.as_secs_f64();
        took.read_back += (computed.elapsed() - draw).as_secs_f64();
        let pushed = Instant::now();
        movie.push(pixels.rgba)?;
        took.wait += pushed.elapsed().as_secs_f64();
        drawn = frame + 1;
        bar.set_position(drawn);
    }
    bar.finish_and_clear();
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
        adapter,
        drawn_by: drawer.summary.name,
        took,
        cut_short: drawn < score.frames(),
        out: args.out.clone(),
        notes,
    })
}

/// The score of a file or of a ready-made take, at the frame rate asked for.
fn score_of(args: &RecordArgs) -> Result<Score, CommandError> {
    let mut score = match (&args.score, args.take) {
        (Some(path), _) => Score::read(path)?,
        (None, Some(take)) => score::take(take, args.fps.unwrap_or(score::DEFAULT_FPS), args.seconds, &[]),
        (None, None) => Score::default(), // clap asks for one of them
    };
    if let Some(fps) = args.fps {
        score.fps = fps;
    }
    Ok(score)
}

/// The data that was named, or that the score names.
fn input_of(args: &RecordArgs, score: &Score) -> Result<Input, CommandError> {
    if !args.input.is_empty() {
        return Ok(Input::of(&args.input));
    }
    let Some(data) = &score.data else {
        return Err(CommandError::Score("the score names no data: name it before --score".to_owned()));
    };
    let folder = args.score.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let beside = if data == crate::input::DEMO { PathBuf::from(data) } else { folder.join(data) };
    Ok(Input::of(&[beside]))
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
        let Seconds { engine, draw, encode, total, .. } = self.took;
        writeln!(
            f,
            "engine on {place} {engine:.1} s, drawn by {} {draw:.1} s, encoded beside it {encode:.1} s; {total:.1} s in all",
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
