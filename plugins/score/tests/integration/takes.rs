//! The ready-made takes.

use embedding::Settings;
use score::{Act, FRAME_DISTANCE, Score, Station, Take, View, take};

const START: View = View { yaw: -77.0, pitch: 3.0, distance: 2.5, focus: [0.0; 3] };
const LENGTHS: [Option<f64>; 4] = [None, Some(0.7), Some(10.0), Some(333.3)];

/// Three places, and three that are none.
fn stations() -> Vec<Station> {
    let station = |name: &str, focus, distance| Station { name: name.into(), focus, distance };
    vec![
        station("late fours", [0.5, -0.25, 0.75], 0.5),
        station("", [0.0; 3], 1.0),
        station("ones \"and\" sevens", [-0.5, 0.0, 0.25], 1.25),
        station("nowhere", [0.0, f64::NAN, 0.0], 1.0),
        station("within", [0.0; 3], 0.0),
        station("noise", [0.0, 1.0, 0.0], 0.125),
    ]
}

#[test]
fn takes_pass_their_check_and_come_back_from_text() {
    for name in Take::ALL {
        for (fps, seconds) in [30, 24, 60, 120, 1].into_iter().flat_map(|fps| LENGTHS.map(|length| (fps, length))) {
            let score = take(name, fps, seconds, &stations());
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
    for (name, closed) in [
        (Take::Turntable, true),
        (Take::AlphaSweep, true),
        (Take::FlyThrough, true),
        (Take::Birth, false),
        (Take::FlatToSpace, false),
    ] {
        for seconds in LENGTHS {
            let score = take(name, 30, seconds, &stations());
            assert_eq!(score.loops, closed, "{name}");
            assert_eq!(gap(&score) < 1e-9, closed, "{name}");
        }
    }
}

#[test]
fn a_turntable_turns_evenly_through_the_seam() {
    let score = take(Take::Turntable, 25, Some(4.0), &[]);
    let yaw = |frame| score.view_at(score.time_of(frame), &START).yaw;
    let frames = score.frames();
    assert_eq!(frames, 100);
    for frame in 0..frames {
        assert!((yaw(frame + 1) - yaw(frame) - 3.6).abs() < 1e-9, "frame {frame}");
        assert_eq!(score.iterations_at(score.time_of(frame)), 0.0, "nothing moves");
    }
    assert!(matches!(score.happening(0.0, 0.04).next().unwrap().act, Act::Settle(_)), "settled first");
}

#[test]
fn takes_show_what_they_promise() {
    let base = Settings { alpha: 2.0, dims: 3, ..Settings::default() };
    let sweep = take(Take::AlphaSweep, 30, Some(8.0), &[]);
    let alphas = [0.0, 4.0, 8.0].map(|time| sweep.settings_at(time, &base).unwrap().alpha);
    assert_eq!(alphas, [1.0, 0.3, 1.0]);
    let space = take(Take::FlatToSpace, 30, Some(8.0), &[]);
    let dims = [0.0, 1.9, 2.0, 8.0].map(|time| space.settings_at(time, &base).unwrap().dims);
    assert_eq!(dims, [2, 2, 3, 3]);
    assert!(space.view_at(8.0, &START).yaw - space.view_at(2.0, &START).yaw > 180.0);
    let birth = take(Take::Birth, 30, None, &[]);
    assert!(birth.happening(0.0, 0.01).any(|cue| cue.act == Act::Reset));
    assert_eq!(birth.view_at(birth.length, &START).yaw - birth.view_at(0.0, &START).yaw, 180.0);
}

#[test]
fn a_flight_stops_at_every_station_and_comes_back() {
    let all = stations();
    let possible = [&all[0], &all[2], &all[5]];
    let score = take(Take::FlyThrough, 30, None, &all);
    assert_eq!((score.length, score.loops, score.iterations), (5.0 + 4.5 * 3.0, true, 0.0));
    let overview = View { yaw: 30.0, pitch: 20.0, distance: FRAME_DISTANCE, focus: [0.0; 3] };
    assert_eq!(score.view_at(0.0, &START), overview);
    assert_eq!(score.view_at(score.length, &START), overview);
    for (index, station) in possible.into_iter().enumerate() {
        let arrives = 3.75 + 4.5 * index as f64;
        let seen = |time| score.view_at(time, &START);
        for time in [arrives, arrives + 1.0, arrives + 2.0] {
            assert_eq!((seen(time).focus, seen(time).distance), (station.focus, station.distance));
        }
        let speeds = [0.0, 0.5, 1.0, 1.5].map(|after| seen(arrives + after + 0.5).yaw - seen(arrives + after).yaw);
        assert!(speeds.iter().all(|speed| (speed - 2.0).abs() < 1e-9), "{speeds:?}");
        assert_eq!(seen(arrives - 1.0).yaw, seen(arrives).yaw, "no turn on the way");
        assert_eq!(score.caption_at(arrives - 0.1), None);
        assert_eq!(score.caption_at(arrives + 1.9), Some(station.name.as_str()));
        assert_eq!(score.holding(arrives)[0].act, Act::SelectNamed(station.name.clone()));
    }
    assert_eq!(score.holding(score.length)[0].act, Act::Select(String::new()));
    assert!(score.cues.iter().all(|cue| !matches!(cue.act, Act::Settle(_))));
    let many = vec![all[0].clone(); 40];
    let long = take(Take::FlyThrough, 30, None, &many);
    assert_eq!(long.view_at(long.length, &START), View { yaw: 390.0, ..overview.clone() }, "the shorter way round");
    let nowhere = take(Take::FlyThrough, 30, None, &[]);
    assert_eq!((nowhere.length, nowhere.view_at(5.0, &START)), (5.0, overview));
}
