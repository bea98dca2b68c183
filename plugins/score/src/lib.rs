//! A score: what makes a take of a movie or a talk, as one small text file. The same score gives the same take, at any
//! size, on any day; and a person can read and change it with any editor.
//!
//! ```text
//! text ── Score::parse ──► Score ── view_at, settings_at, caption_at … ──► what holds at a time   (parse, at)
//!   ▲                        │ ├─── happening ──► what is to be done in this frame                 (score)
//!   │                        │ ├─── iterations_before ──► how far the embedding is by a frame      (iterations)
//!   │                        │ ├─── insert, move_cue, stretch … ──► another score                  (edit)
//!   └────── Display ─────────┘ └─── check ──► whether settings exist and are in range              (check)
//! take ── the ready-made ones                                                                      (take)
//! Recorder ── from what is seen live                                                               (recorder)
//! ```
//!
//! # The file
//!
//! ```
//! # let text = r#"
//! nevis score 1                       # what this is, and its version
//! data cells.parquet                  # relative to the score, absolute, or demo:
//! start session.json                  # where the points are at the beginning
//! seed 42
//! settings {"dims": 3, "alpha": 1.0}
//! fps 30
//! length 12
//! iterations 4
//! loop
//!
//! 0        camera yaw 30 pitch 20 distance 3 focus 0 0 0
//! 0        color-by label
//! 0..6     camera yaw 390 ease none   # one full, even turn
//! 2..5     set alpha 0.5
//! 3        caption "The ones split" for 4
//! 4        set metric cosine
//! 5        explode
//! 7        select label=3
//! 10       note "say something about the ones"
//! 10       stop
//! # "#;
//! # assert_eq!(score::Score::parse(text).unwrap().cues.len(), 10);
//! ```
//!
//! The file is UTF-8, one statement to a line; line ends of Unix and of Windows are both fine, and so are blank lines.
//! `#` at the beginning of a line or behind a space begins a comment. First comes the head, then the cues.
//!
//! **Texts** (paths, columns, searches, notes) are the rest of the line as it stands, or stand in double quotes.
//! Within quotes `#` is a letter like others, and `\"`, `\\`, `\n`, `\r` and `\t` are a quote, a backslash, a new line, a
//! return and a tab. **Numbers** are written with a point: `0.5`, `-3`, `1e-3`.
//!
//! # The head
//!
//! The first line is `nevis score 1`. The others stand in any order, each at most once, and all of them may be missing.
//!
//! | line | meaning | without it |
//! |---|---|---|
//! | `data cells.parquet` | the data: a path, relative to the score or absolute, or one of the program's own sets, as `demo:` | what is open |
//! | `hash 9f2c…` | BLAKE3 of the data, 64 hexadecimal digits in lower case, to notice that it changed | not looked at |
//! | `start session.json` | a session or a table of coordinates, relative to the score or absolute: the positions and the named selections it begins with | a start as the settings have it |
//! | `seed 42` | seed of every random choice; it goes before a `seed` among the settings | that of the settings |
//! | `settings {"dims": 3}` | the settings of the embedding that differ from the defaults for the data, as JSON on one line | the defaults |
//! | `iteration 1200` | how many iterations the embedding had behind it at the beginning; for information | not known |
//! | `auc 0.371` | the R_NX AUC of the embedding then, −1 to 1; for information | not known |
//! | `fps 30` | frames a second, 1 to 120 | 30 |
//! | `length 12` | seconds in all | the end of the last cue, or of its caption |
//! | `iterations 4` | iterations of the embedding a frame, at the beginning, 0 to 1000000, also broken ones as `0.5`; 0 freezes it | 1 |
//! | `loop` | the end leads back to the beginning | it ends |
//!
//! # Cues
//!
//! A cue begins with its time in seconds from the beginning, at most a day. Cues stand in the order of their times; at
//! the same time, the upper comes first.
//!
//! | cue | what happens |
//! |---|---|
//! | `camera yaw 30 pitch 20 distance 3 focus 0 0 0` | the view: yaw around the vertical axis and pitch above the horizon (−90 to 90) in degrees, distance and focus in radii of the cloud; what is not named goes on undisturbed |
//! | `set alpha 0.5` | a setting of the embedding that is a number |
//! | `set metric cosine` | a setting that is a word |
//! | `color-by label` | colours by a column, or as the flag `--color-by` has it |
//! | `labels subtype` | texts at the points or clusters, of a column; `labels ""` takes them away |
//! | `caption "The ones split" for 4` | words on the picture, for so many seconds; without `for`, until the next caption; `caption ""` ends it |
//! | `note "mention the ones"` | words for the presenter alone, until the next note; `note ""` ends it |
//! | `implode`, `explode`, `reset` | as the buttons in the window |
//! | `settle 250` | so many iterations with a falling step, before the next frame |
//! | `iterations 2` | so many iterations a frame from here on, also broken ones as `0.5`; 0 freezes |
//! | `pause`, `resume` | no iterations in between; those a frame are as before afterwards |
//! | `select label=3` | what is selected: a search, as in the window; `select ""` lets go. Quotes around all of it are the score's own: a search for a phrase is `select "\"New York\""` |
//! | `select-named "late fours"` | a selection that was given a name |
//! | `background light` | behind the points: `dark`, `light` or `black` |
//! | `point-size 3` | the size of a point, in pixels |
//! | `tour grand` | where there are more than three dimensions: a tour through all of them, for ever; `tour guided` to where the selection and the rest come apart, `tour guided COLUMN` to where the categories of a column do (in quotes, if it has spaces or is called `speed`); `tour principal` (or `off`) back to the widest directions. Behind each, `speed 0.5` in radians a second (0 to 2) |
//! | `axes 0 1 4` | three of the dimensions, counted from 0, as x, y and z |
//! | `stop` | a presentation waits here for a key; a movie does not |
//!
//! # Ways
//!
//! `camera` and `set` with a number can take their time: `2..5 set alpha 0.5` leaves at second 2 whatever alpha is then,
//! and arrives at second 5. At its end the value is exactly the one written. Behind such a cue may stand `ease` and how
//! it goes:
//!
//! | ease | the way, as shares s of the time |
//! |---|---|
//! | `smooth` | begins and ends gently: s² (3 − 2 s). So it is without the word |
//! | `none` | evenly: s |
//! | `in` | begins gently: s² |
//! | `out` | ends gently: 1 − (1 − s)² |
//!
//! - Yaw turns by the difference as it is written: from 30 to 390 is a full turn, from 30 to −330 one the other way.
//! - Distance goes evenly in its logarithm, so that zooming looks even; likewise `alpha`, `perplexity`, `attraction` and
//!   `repulsion` (evenly in themselves where one end is 0).
//! - Settings that are whole numbers, such as `dims`, are rounded on their way.
//! - Yaw, pitch, distance, focus and each setting go their own ways. Where two cues name the same one and the later
//!   begins before the former has ended, the later leaves from what holds then, and the former is forgotten: there is
//!   never a jump.
//!
//! # Frames
//!
//! Frame i shows the time i / fps; there are length × fps of them, rounded. The end itself is no frame, so that a loop
//! does not show its first picture twice.
//!
//! Iterations a frame are summed up over the frames, and each frame makes the whole ones that are due by then: with
//! `iterations 0.5` every second frame makes one. A cue counts from the first frame whose time is not before its own.
//!
//! # Recordings
//!
//! What a [`Recorder`] makes of what is seen in the window is a score like others. Its cues lie on frames; views and sliders
//! go in straight pieces (`ease none`), and iterations a frame are such that exactly as many happen between two cues as
//! did: a score that begins with the same positions comes to the same state at the same time.
//!
//! # Versions
//!
//! This program reads and writes version 1. Whatever changes the meaning of a line will raise the number, and a file of
//! another version is refused rather than misread.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests"))]

mod act;
mod at;
mod check;
mod ease;
mod edit;
mod error;
mod file;
mod follow;
mod iterations;
mod nearest;
mod parse;
mod recorder;
mod score;
mod setting;
mod take;
mod text;
mod words;
mod write;

pub use act::{Act, Aim, BACKGROUNDS, Cue, MAX_AXES, MAX_TOUR_SPEED, Route};
pub use at::View;
pub use ease::Ease;
pub use error::ScoreError;
pub use recorder::{Moment, Recorder, Selected};
pub use score::{DEFAULT_FPS, DEFAULT_ITERATIONS, MAX_FPS, MAX_ITERATIONS, MAX_SECONDS, Score, VERSION};
pub use take::{FRAME_DISTANCE, Station, Take, take};
