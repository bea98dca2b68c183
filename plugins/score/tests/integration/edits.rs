//! However a score is changed, it stays one.

use crate::random::Random;
use embedding::Settings;
use score::{Act, Cue, Ease, Score};

const SCORES: usize = 150;
const EDITS: usize = 40;

fn cue(random: &mut Random) -> Cue {
    let which = random.below(Act::NAMES.len() + 1);
    let act = random.act(which);
    let from = random.between(-1.0, 20.0);
    if random.chance() { Cue::at(from, act) } else { Cue::over(from, from + 2.0, Ease::ALL[random.below(4)], act) }
}

#[test]
fn edited_scores_pass_their_check_and_come_back_from_text() {
    let mut random = Random(8);
    for _ in 0..SCORES {
        let mut score = random.score(5);
        for _ in 0..EDITS {
            let index = random.below(score.cues.len() + 1);
            let wanted = score.cues.get(index).map(|cue| cue.act.clone());
            let now_at = match random.below(7) {
                0 | 1 => {
                    let cue = cue(&mut random);
                    let at = score.insert(cue.clone());
                    assert_eq!(score.cues[at].act, cue.act);
                    None
                }
                2 => score.remove(index).and(None),
                3 => Some(score.move_cue(index, random.between(-5.0, 30.0))),
                4 => Some(score.retime(index, random.between(-5.0, 30.0), random.between(-5.0, 30.0))),
                5 => {
                    score.stretch(random.between(0.2, 3.0));
                    None
                }
                _ => {
                    score.set_length(random.between(-1.0, 40.0));
                    None
                }
            };
            score.check(&Settings::default()).unwrap_or_else(|error| panic!("{error}\n{score}"));
            if let (Some(at), Some(wanted)) = (now_at, wanted) {
                assert_eq!(score.cues[at].act, wanted, "the index is that of the cue");
            }
        }
        assert_eq!(Score::parse(&score.to_string()).unwrap(), score);
    }
}

#[test]
fn iterations_before_a_frame_are_those_of_the_frames_before_it() {
    let mut random = Random(9);
    for round in 0..SCORES {
        let mut score = random.score(12);
        for index in 0..score.cues.len() {
            if random.chance() {
                let frame = (score.cues[index].from * f64::from(score.fps)).ceil() as u64;
                score.retime(index, score.time_of(frame), 0.0); // exactly on a frame
            }
        }
        let mut sum = 0.0;
        for frame in 0..score.frames() + 9 {
            let before = score.iterations_before(frame);
            assert_eq!(before, (sum + 1e-6_f64).floor() as u64, "frame {frame} of round {round}\n{score}");
            sum += score.iterations_at(score.time_of(frame));
            assert_eq!(u64::from(score.iterations_of(frame)), score.iterations_before(frame + 1) - before);
        }
    }
}

#[test]
fn whole_iterations_are_the_same_in_every_frame() {
    let mut random = Random(10);
    for _ in 0..SCORES {
        let mut score = random.score(12);
        score.iterations = score.iterations.round();
        for cue in &mut score.cues {
            if let Act::Iterations(count) = &mut cue.act {
                *count = count.round();
            }
        }
        for frame in 0..score.frames() {
            assert_eq!(f64::from(score.iterations_of(frame)), score.iterations_at(score.time_of(frame)));
        }
    }
}
