//! From frames to a movie: while one is drawn, the next is computed and the one before is encoded.

use super::{Caption, Frame, Letters, Performance, write_labels};
use crate::error::CommandError;
use crate::viewer::offscreen::{Drawn, Studio};
use gpu::OpenAdapter;
use movie::Movie;
use points::picture::Pixels;
use serde::Serialize;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Instant;

/// What draws, and how.
#[derive(Debug, Clone, Copy)]
pub struct Drawing<'a> {
    pub adapter: &'a OpenAdapter,
    pub size: (u32, u32),
    /// Pixels drawn per pixel, along each side.
    pub supersample: u32,
}

/// Where the time went.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Seconds {
    /// The engine, a frame ahead of drawing: it overlaps with the others.
    pub engine: f64,
    /// Drawing until the device has finished, and writing letters over it.
    pub draw: f64,
    /// Copying what was drawn into main memory, and drawing pixels together.
    pub read_back: f64,
    /// Encoding, on a thread of its own: it overlaps with the others, too …
    pub encode: f64,
    /// … but for what drawing waited for it.
    pub wait: f64,
    pub total: f64,
}

/// What came of it.
#[derive(Debug)]
pub struct Filmed {
    pub movie: Movie,
    pub took: Seconds,
    /// Frames in the movie.
    pub frames: u64,
}

/// Plays so many frames into a movie, or until it is enough; `each` hears how many are drawn.
///
/// # Errors
/// If the engine, the adapter or the encoder fails.
pub fn film(
    performance: &mut Performance<'_>,
    frames: u64,
    movie: Movie,
    drawing: Drawing<'_>,
    enough: &dyn Fn() -> bool,
    each: &(dyn Fn(u64) + Sync),
) -> Result<Filmed, CommandError> {
    std::thread::scope(|scope| {
        let (computed, coming) = sync_channel(0); // handed over: no more than one frame is ahead
        let drawer = scope.spawn(move || draw_all(coming, movie, drawing, each));
        let mut engine = 0.0;
        for frame in (0..frames).take_while(|_| !enough()) {
            let begun = Instant::now();
            performance.advance(frame)?;
            let seen = performance.frame(frame, drawing.size)?;
            engine += begun.elapsed().as_secs_f64();
            if computed.send(seen).is_err() {
                break; // drawing failed, and says why
            }
        }
        drop(computed);
        let filmed = drawer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(Filmed { took: Seconds { engine, ..filmed.took }, ..filmed })
    })
}

fn draw_all(
    coming: Receiver<Frame>,
    mut movie: Movie,
    drawing: Drawing<'_>,
    each: &(dyn Fn(u64) + Sync),
) -> Result<Filmed, CommandError> {
    let (mut studio, letters) = (Studio::new(drawing.adapter), Letters::default());
    let (mut took, mut frames) = (Seconds::default(), 0);
    for frame in coming {
        let pixels = draw(frame, &mut studio, drawing.supersample, &letters, &mut took)?;
        let pushed = Instant::now();
        movie.push(pixels.rgba)?;
        took.wait += pushed.elapsed().as_secs_f64();
        frames += 1;
        each(frames);
    }
    Ok(Filmed { movie, took, frames })
}

/// Draws a frame, with what is written over it.
fn draw(
    frame: Frame,
    studio: &mut Studio,
    supersample: u32,
    letters: &Letters,
    took: &mut Seconds,
) -> Result<Pixels, CommandError> {
    let Frame { shown, labels, caption, dark } = frame;
    let (begun, size) = (Instant::now(), (shown.width, shown.height));
    let Drawn { mut pixels, read_back } = studio.draw(shown, supersample)?;
    let caption = caption.map(|text| Caption::new(letters, &text, size));
    let taken = caption.as_ref().map(|caption| caption.areas(letters)).unwrap_or_default();
    write_labels(letters, &mut pixels, &labels, taken, dark);
    caption.iter().for_each(|caption| caption.write(letters, &mut pixels, dark));
    took.draw += begun.elapsed().saturating_sub(read_back).as_secs_f64();
    took.read_back += read_back.as_secs_f64();
    Ok(pixels)
}
