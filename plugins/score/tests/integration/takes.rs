//! The ready-made takes.

use embedding::Settings;
use score::{Act, Score, Take, View, take};

const START: View = View { yaw: -77.0, pitch: 3.0, distance: 2.5, focus: [0.0; 3] };
const LENGTHS: [Option<f64>; 4] = [None, Some(0.7), Some(10.0), Some(333.3)];

#[test]
fn takes_pass_their_check_and_come_back_from_text() {
    for name in Take::ALL {
        for (fps, seconds) in [30, 24, 60, 120, 1].into_iter().flat_map(|fps| LENGTHS.map(|length| (fps, length))) {
            let score = take(name, fps, seconds);
            for rows in [100, 1_000_000] {
                score.check(&Settings::for_rows(rows)).unwrap();
            }
            assert_eq!(Score::parse(&score.to_string()).unwrap(), score, "{name}");
            assert_eq!(score.fps, fps);
            if let Some(seconds) = seconds {
                assert_eq!(score.length, seconds);
            }
        }
    }
}

/// How far the end of a score is from its beginning: the view modulo whole turns, and the settings.
fn gap(score: &Score) -> f64 {
    let base = Settings::default();
    let (begin, end) = (score.view_at(0.0, &START), score.view_at(score.length, &START));
    let turn = (end.yaw - begin.yaw).rem_euclid(360.0);
    let (first, last) = (score.settings_at(0.0, &base).unwrap(), score.settings_at(score.length, &base).unwrap());
    let settings = if first == last { 0.0 } else { 1.0 };
    let focus: f64 = begin.focus.iter().zip(end.focus).map(|(a, b)| (a - b).abs()).sum();
    turn.min(360.0 - turn) + (end.pitch - begin.pitch).abs() + (end.distance - begin.distance).abs() + focus + settings
}

#[test]
fn loops_close_and_others_do_not() {
    for (name, closed) in
        [(Take::Turntable, true), (Take::AlphaSweep, true), (Take::Birth, false), (Take::FlatToSpace, false)]
    {
        for seconds in LENGTHS {
            let score = take(name, 30, seconds);
            assert_eq!(score.loops, closed, "{name}");
            assert_eq!(gap(&score) < 1e-9, closed, "{name}");
        }
    }
}

#[test]
fn a_turntable_turns_evenly_through_the_seam() {
    let score = take(Take::Turntable, 25, Some(4.0));
    let yaw = |frame| score.view_at(score.time_of(frame), &START).yaw;
    let frames = score.frames();
    assert_eq!(frames, 100);
    for frame in 0..frames {
        assert!((yaw(frame + 1) - yaw(frame) - 3.6).abs() < 1e-9, "frame {frame}");
        assert_eq!(score.iterations_at(score.time_of(frame)), 0, "nothing moves");
    }
    assert!(matches!(score.happening(0.0, 0.04).next().unwrap().act, Act::Settle(_)), "settled first");
}

#[test]
fn takes_show_what_they_promise() {
    let base = Settings { alpha: 2.0, dims: 3, ..Settings::default() };
    let sweep = take(Take::AlphaSweep, 30, Some(8.0));
    let alphas = [0.0, 4.0, 8.0].map(|time| sweep.settings_at(time, &base).unwrap().alpha);
    assert_eq!(alphas, [1.0, 0.3, 1.0]);
    let space = take(Take::FlatToSpace, 30, Some(8.0));
    let dims = [0.0, 1.9, 2.0, 8.0].map(|time| space.settings_at(time, &base).unwrap().dims);
    assert_eq!(dims, [2, 2, 3, 3]);
    assert!(space.view_at(8.0, &START).yaw - space.view_at(2.0, &START).yaw > 180.0);
    let birth = take(Take::Birth, 30, None);
    assert!(birth.happening(0.0, 0.01).any(|cue| cue.act == Act::Reset));
    assert_eq!(birth.view_at(birth.length, &START).yaw - birth.view_at(0.0, &START).yaw, 180.0);
}
