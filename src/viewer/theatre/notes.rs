//! What the one who presents reads in the terminal: the step, the note, what comes next, and the time that has passed.

use bevy::ecs::prelude::{Local, Res, Resource};
use controls::desk::clock;
use controls::{Desk, Doing};
use score::{Act, Cue, Score};
use std::io::{IsTerminal, Write};
use std::time::Instant;

/// Whether notes are told.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub struct Notes(pub bool);

/// What was told last.
#[derive(Default)]
pub struct Told {
    begun: Option<Instant>,
    step: Option<usize>,
    seconds: u64,
}

/// Tells whenever the step changes; in a terminal, the time goes on.
pub fn tell_notes(notes: Res<Notes>, desk: Res<Desk>, mut told: Local<Told>) {
    if !notes.0 || desk.doing != Doing::Presenting {
        return;
    }
    let begun = *told.begun.get_or_insert_with(Instant::now);
    let (step, seconds) = (step_at(&desk.score, desk.time), begun.elapsed().as_secs());
    let mut stdout = std::io::stdout().lock();
    let live = stdout.is_terminal();
    if told.step == Some(step) && (told.seconds == seconds || !live) {
        return;
    }
    (told.step, told.seconds) = (Some(step), seconds);
    let page = page(&desk.score, desk.time, seconds as f64);
    let clear = if live { "\x1b[2J\x1b[H" } else { "" };
    let _ = writeln!(stdout, "{clear}{page}").and_then(|()| stdout.flush()); // nobody may be reading
}

/// How many stops have been passed or reached.
fn step_at(score: &Score, time: f64) -> usize {
    score.stops().iter().filter(|stop| **stop <= time).count()
}

/// All that the presenter needs at a time.
fn page(score: &Score, time: f64, elapsed: f64) -> String {
    let (step, steps) = (step_at(score, time), score.stops().len());
    let note = score.note_at(time).unwrap_or("–");
    let next = score.cues.iter().find(|cue| cue.from > time && tells(cue));
    let next = next.map_or("the end".to_owned(), |cue| format!("{} {}", clock(cue.from), said(cue)));
    format!("step {step} of {steps} · {} · {} passed\n\n  {note}\n\nnext: {next}\n", clock(time), clock(elapsed))
}

/// What is worth telling beforehand.
fn tells(cue: &Cue) -> bool {
    !matches!(&cue.act, Act::Stop | Act::Iterations(_))
        && !matches!(&cue.act, Act::Caption { text, .. } | Act::Note(text) if text.is_empty())
}

fn said(cue: &Cue) -> String {
    match &cue.act {
        Act::Caption { text, .. } | Act::Note(text) => text.clone(),
        act => act.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_step_the_note_and_what_comes() {
        let text = "nevis score 1\n0 stop\n1 note \"say hello\"\n2 stop\n3 iterations 2\n4 caption \"The ones split\"\n5 stop\n";
        let score = Score::parse(text).expect("a score");
        let page = page(&score, 2.0, 75.0);
        for part in ["step 2 of 3", "00:02.0", "01:15.0 passed", "say hello", "next: 00:04.0 The ones split"] {
            assert!(page.contains(part), "{part} is not in {page}");
        }
        assert!(super::page(&score, 5.0, 0.0).contains("next: the end"));
    }
}
