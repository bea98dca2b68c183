//! What was seen is what a score shows.

use crate::film::{Film, START, assert_iterations, by_frame, counts, cues, first, frame_of, off, seen_at, view};
use crate::random::Random;
use embedding::Settings;
use score::{Act, Aim, Cue, Moment, Recorder, Route, Score, Selected, View};

/// A hand that turns, tilts, zooms, rests and shifts.
fn hand(since: f64) -> View {
    let ease = |from: f64, to: f64| {
        let s = ((since - from) / (to - from)).clamp(0.0, 1.0);
        s * s * (3.0 - 2.0 * s)
    };
    View {
        yaw: 30.0 + 250.0 * ease(1.0, 4.0) - 90.0 * ease(7.0, 8.5) + 3.0 * (since * 1.7).sin() * ease(9.0, 10.0),
        pitch: 20.0 - 60.0 * ease(2.0, 3.5) + 40.0 * ease(9.0, 12.0),
        distance: 3.0 * (-2.5 * ease(4.0, 6.0) + 1.5 * ease(12.0, 13.0)).exp(),
        focus: [0.5 * ease(4.0, 6.0), 0.0, -0.75 * ease(13.0, 15.0)],
    }
}

#[test]
fn a_hand_is_followed_at_every_moment() {
    for (a_second, slowness, seed) in [(5.0, 2.0, 1), (17.0, 1.0, 2), (60.0, 1.0, 3)] {
        let mut film = Film::new(first());
        film.go_on(&mut Random(seed), 16.0 * slowness, a_second, |since, moment| moment.view = hand(since / slowness));
        let (score, seen) = film.cut();
        assert_eq!(score.view_at(0.0, &START), view(30.0));
        let farthest = seen.iter().map(|(time, moment)| off(&score.view_at(*time, &START), &moment.view));
        let farthest = farthest.fold(0.0, f64::max);
        assert!(farthest <= 1.0, "{farthest} of what is allowed, at {a_second} moments a second\n{score}");
        let count = cues(&score, "camera").len();
        assert!(count < 80, "{count} cues for {} moments", seen.len());
    }
}

#[test]
fn a_hasty_hand_is_followed_at_every_frame() {
    let mut film = Film::new(first());
    let hasty = |since: f64| view(30.0 + 60.0 * (7.0 * since).sin());
    film.go_on(&mut Random(11), 10.0, 7.0, |since, moment| moment.view = hasty(since));
    let (score, seen) = film.cut();
    for frame in 0..score.frames() {
        let time = score.time_of(frame);
        let off = off(&score.view_at(time, &START), &seen_at(&seen, time));
        assert!(off <= 1.0, "{off} of what is allowed at {time}\n{score}");
    }
    let wrong = score.view_at(5.1, &START);
    assert!(off(&wrong, &seen_at(&seen, 5.0)) > 1.0, "other times are seen to be other ones");
}

#[test]
fn an_even_turn_is_one_cue_and_does_not_spin_back() {
    let mut film = Film::new(first());
    let wrapped = |since: f64| view((30.0 + 36.0 * since + 180.0).rem_euclid(360.0) - 180.0);
    film.go_on(&mut Random(4), 10.0, 17.0, |since, moment| moment.view = wrapped(since));
    let (score, seen) = film.cut();
    let camera = cues(&score, "camera");
    assert!(camera.len() <= 3, "{score}");
    assert!((score.view_at(10.0, &START).yaw - 390.0).abs() < 0.01, "yaw counts turns");
    let turning =
        |cue: &&&Cue| matches!(&cue.act, Act::Camera(Aim { yaw: Some(_), pitch: None, distance: None, focus: None }));
    assert_eq!(camera[1..].iter().filter(turning).count(), camera.len() - 1, "only yaw is named");
    for (time, moment) in seen {
        assert!(off(&score.view_at(time, &START), &moment.view) <= 1.0);
    }
}

#[test]
fn rests_have_no_cues_and_jumps_no_way() {
    let mut film = Film::new(first());
    let mut random = Random(5);
    film.go_on(&mut random, 3.0, 20.0, |_, _| {});
    film.see(0.05, |moment| moment.view = view(120.0));
    film.go_on(&mut random, 2.0, 20.0, |_, _| {});
    film.go_on(&mut random, 1.0, 20.0, |since, moment| moment.view = view(120.0 + 45.0 * since));
    film.go_on(&mut random, 4.0, 20.0, |_, _| {});
    let (score, _) = film.cut();
    let camera = cues(&score, "camera");
    assert!((3..=5).contains(&camera.len()), "one more where a corner lies between frames\n{score}");
    assert!(camera[1].is_at_once() && camera[1].from == score.time_of(frame_of(3.05)));
    let (before, turned) = (score.view_at(3.0, &START).yaw, score.view_at(3.1, &START).yaw);
    assert_eq!((before, turned, score.view_at(5.0, &START).yaw), (30.0, 120.0, 120.0));
    assert!((camera[2].from - 5.05).abs() < 0.15 && (camera[camera.len() - 1].to - 6.05).abs() < 0.1, "{score}");
    assert_eq!(score.view_at(6.1, &START).yaw, 165.0);
}

#[test]
fn sliders_are_followed_and_steps_are_steps() {
    let mut film = Film::new(first());
    let mut random = Random(6);
    let usual = first().settings.momentum; // where the slider stands
    film.go_on(&mut random, 1.0, 17.0, |_, moment| moment.iteration += 3);
    film.go_on(&mut random, 3.0, 17.0, |since, moment| {
        moment.settings.alpha = (-0.4 * since).exp() as f32; // even in the logarithm
        moment.settings.momentum = usual - (0.3 * (since * 2.0).sin().abs()) as f32;
        moment.iteration += 2;
    });
    film.go_on(&mut random, 1.0, 17.0, |_, moment| moment.iteration += 3);
    film.see(0.06, |moment| moment.settings.perplexity = 12.3);
    film.go_on(&mut random, 1.0, 17.0, |_, _| {});
    film.see(0.06, |moment| {
        moment.settings.dims = 3;
        moment.settings.hd_neighbours = Some(40);
    });
    film.see(0.06, |moment| moment.settings.hd_neighbours = None); // of which a score cannot speak
    film.see(0.06, |moment| moment.settings.seed = u64::MAX);
    film.go_on(&mut random, 1.0, 17.0, |since, moment| moment.settings.attraction = (1.0 - since).max(0.0) as f32);
    let (score, seen) = film.cut();
    assert_iterations(&score, &seen);
    for (frame, moment) in by_frame(&seen) {
        let shown = score.settings_at(score.time_of(frame), &Settings::default()).unwrap();
        let ratio = |a: f32, b: f32| f64::from((a / b).ln()).abs();
        assert!(ratio(shown.alpha, moment.settings.alpha) < 0.01 + 1e-6, "frame {frame}");
        assert!((shown.momentum - moment.settings.momentum).abs() < 0.003 + 1e-6, "frame {frame}");
        assert_eq!((shown.perplexity, shown.dims), (moment.settings.perplexity, moment.settings.dims), "frame {frame}");
    }
    let sets =
        |name: &str| score.cues.iter().filter(|cue| cue.act.to_string().starts_with(&format!("set {name} "))).count();
    assert!(sets("alpha") <= 2 && sets("momentum") < 40, "{score}");
    assert_eq!([sets("perplexity"), sets("dims"), sets("hd_neighbours"), sets("seed")], [1, 1, 1, 0]);
    let end = score.settings_at(score.length, &Settings::default()).unwrap();
    let last = &seen.last().unwrap().1.settings;
    assert_eq!((end.alpha, end.momentum, end.attraction), (last.alpha, last.momentum, 0.0), "exactly");
    assert!(score.to_string().contains("set perplexity 12.3\n"), "few digits\n{score}");
    for cue in score.cues.iter().filter(|cue| !cue.is_at_once()) {
        let Act::Set { name, value } = &cue.act else { continue };
        let (_, moment) = by_frame(&seen).into_iter().find(|(frame, _)| *frame == frame_of(cue.to)).unwrap();
        let named = serde_json::to_value(&moment.settings).unwrap();
        assert_eq!(named[name].as_f64().unwrap() as f32, *value as f32, "the end of a piece was seen");
    }
}

#[test]
fn looks_are_taken_down_where_they_change() {
    let mut film = Film::new(Moment {
        labels: Some("kind".into()),
        point_size: Some(2.5),
        selected: Selected::Search("label=3".into()),
        paused: true,
        ..first()
    });
    let mut random = Random(7);
    film.go_on(&mut random, 1.0, 30.0, |_, _| {});
    film.see(0.04, |moment| moment.selected = Selected::Named("late".into()));
    film.see(0.04, |moment| moment.background = "light".into());
    film.see(0.04, |moment| moment.axes = Some(Act::Tour { route: Route::Guided(None), speed: Some(0.5) }));
    film.go_on(&mut random, 1.0, 30.0, |_, _| {});
    film.see(0.04, |moment| moment.background = "blue".into()); // there is none
    film.see(0.04, |moment| moment.color_by = "none".into());
    film.act(Act::Caption { text: "here".into(), seconds: Some(2.0) });
    film.act(Act::Select("not twice".into()));
    film.see(0.04, |moment| (moment.labels, moment.point_size) = (None, None));
    film.see(0.04, |moment| moment.selected = Selected::Nothing);
    film.see(0.04, |moment| moment.axes = Some(Act::Axes([2, 0, 1])));
    film.see(0.04, |moment| moment.axes = None); // there are no words for it
    film.go_on(&mut random, 1.0, 30.0, |_, _| {});
    let (score, _) = film.cut();
    let holding = |time: f64| -> Vec<String> { score.holding(time).iter().map(|cue| cue.act.to_string()).collect() };
    assert_eq!(holding(0.0), ["color-by label", "labels kind", "background dark", "point-size 2.5", "select label=3"]);
    let later = ["color-by label", "labels kind", "point-size 2.5", "select-named \"late\"", "background light"];
    assert_eq!(holding(1.5)[..5], later);
    assert_eq!(holding(1.5)[5..], ["tour guided speed 0.5"]);
    let end = ["point-size 2.5", "background light", "color-by none", "labels \"\"", "select \"\"", "axes 2 0 1"];
    assert_eq!(holding(score.length), end);
    assert_eq!(score.caption_at(2.5), Some("here"));
    assert_eq!(score.iterations_before(score.frames()), 0);
    assert!(cues(&score, "pause").len() == 1 && cues(&score, "resume").is_empty());
}

#[test]
fn iterations_are_those_seen_through_pauses_and_resets() {
    let mut film = Film::new(first());
    let mut random = Random(8);
    let mut steps = Random(9);
    film.go_on(&mut random, 2.0, 23.0, |_, moment| moment.iteration += steps.below(9) as u32);
    film.see(0.04, |moment| moment.paused = true);
    film.go_on(&mut random, 1.0, 23.0, |_, _| {});
    film.see(0.04, |moment| moment.color_by = "kind".into());
    film.go_on(&mut random, 1.0, 23.0, |_, _| {});
    film.see(0.04, |moment| moment.paused = false);
    film.go_on(&mut random, 1.0, 23.0, |_, moment| moment.iteration += 1);
    film.act(Act::Reset);
    film.see(0.04, |moment| moment.iteration = 2);
    film.go_on(&mut random, 1.0, 23.0, |_, moment| moment.iteration += 40);
    film.act(Act::Explode);
    film.go_on(&mut random, 1.0, 23.0, |_, moment| moment.iteration += 1);
    let (score, seen) = film.cut();
    assert_iterations(&score, &seen);
    for (frame, moment) in by_frame(&seen) {
        let none = score.iterations_at(score.time_of(frame)) == 0.0;
        assert!(none || !moment.paused, "frame {frame}\n{score}");
    }
    assert!(score.iterations_before(score.frames()) > 900, "so many were seen");
    let mut longer = score.clone();
    longer.iterations += 0.1;
    assert_ne!(longer.iterations_before(20), score.iterations_before(20));
}

#[test]
fn iterations_still_under_way_at_a_pause_are_not_lost() {
    let mut film = Film::new(first());
    for _ in 0..30 {
        film.see(0.05, |moment| moment.iteration += 2);
    }
    film.see(0.05, |moment| moment.paused = true);
    film.see(0.05, |moment| moment.iteration += 3);
    film.see(1.0, |_| {});
    film.see(0.05, |moment| moment.paused = false);
    let (score, seen) = film.cut();
    assert_eq!(score.iterations_before(frame_of(1.55)), 63);
    assert_eq!(score.iterations_before(score.frames()), counts(&seen).last().unwrap().1);
}

#[test]
fn a_pause_that_ends_for_less_than_a_frame_is_left_for_one() {
    let mut film = Film::new(first());
    film.see(0.01, |moment| moment.iteration += 4);
    film.see(0.001, |moment| moment.paused = true);
    film.see(1.0, |_| {});
    film.see(0.01, |moment| moment.paused = false);
    film.see(0.001, |moment| moment.iteration += 7);
    film.see(0.001, |moment| moment.paused = true);
    film.see(1.0, |_| {});
    let (score, _) = film.cut();
    let before = [0, 1, frame_of(1.02), frame_of(1.02) + 1, score.frames()].map(|frame| score.iterations_before(frame));
    assert_eq!(before, [0, 4, 4, 11, 11], "{score}");
}

#[test]
fn whatever_is_seen_makes_a_score() {
    let mut random = Random(10);
    for round in 0..200 {
        let mut film = Film::new(Moment { paused: random.chance(), ..first() });
        for _ in 0..random.below(150) {
            let seconds = if random.below(20) == 0 { random.between(0.0, 2.0) } else { random.between(0.0, 0.1) };
            let (kind, size) = (random.below(14), random.between(0.0, 1.0));
            film.see(seconds, |moment| {
                moment.iteration += if moment.paused { 0 } else { (size * 20.0) as u32 };
                match kind {
                    0 => moment.view.yaw = 360.0 * size - 180.0,
                    1 => moment.view = View { yaw: 10.0 * size, pitch: 91.0 * size, distance: size, focus: [size; 3] },
                    2 => moment.view.pitch = f64::NAN,
                    3 => moment.settings.alpha = 0.01 + size as f32,
                    4 => moment.settings.dims = 1 + (size * 4.0) as usize,
                    5 => moment.settings.hd_neighbours = (size < 0.5).then_some((size * 100.0) as usize + 1),
                    6 if seconds > 0.04 => moment.paused = !moment.paused, // not twice in a frame
                    7 if !moment.paused => moment.iteration = (size * 50.0) as u32,
                    8 => moment.selected = Selected::Named(if size < 0.2 { String::new() } else { "a # b".into() }),
                    9 => moment.labels = (size < 0.5).then(String::new),
                    10 => moment.point_size = (size < 0.5).then_some(1.0 - 4.0 * size as f32),
                    _ => moment.view.yaw += 5.0 * size,
                }
                if moment.view.pitch.is_nan() && size < 0.5 {
                    moment.view.pitch = 0.0;
                }
            });
            if kind == 13 {
                let act = random.act([5, 6, 7, 8, 9, 20][(size * 6.0) as usize]);
                film.act(act);
            }
        }
        let (score, seen) = film.cut();
        let last = &seen.last().unwrap().1;
        let end = score.settings_at(score.length, &Settings::default()).unwrap();
        assert_eq!((end.alpha, end.dims), (last.settings.alpha, last.settings.dims), "round {round}");
        assert_iterations(&score, &seen);
    }
}

#[test]
fn nothing_and_odd_times_are_fine() {
    let score = Recorder::new(Score::default(), &first()).finish(0.0);
    assert_eq!((score.length, score.cues.len()), (0.0, 3));
    let mut recorder =
        Recorder::new(Score { fps: 0, cues: vec![Cue::at(9.0, Act::Stop)], ..Score::default() }, &first());
    recorder.see(2.0, &Moment { iteration: 150, ..first() });
    recorder.see(1.0, &Moment { view: view(40.0), iteration: 170, ..first() });
    recorder.see(f64::NAN, &Moment { iteration: 180, ..first() });
    recorder.act(0.0, Act::Settle(100));
    let score = recorder.finish(-1.0);
    score.check(&Settings::default()).unwrap();
    assert_eq!((score.fps, score.length, score.iterations_before(2)), (1, 2.0, 80));
    let mut early = Recorder::new(Score::default(), &first());
    early.act(0.0, Act::Settle(100));
    let score = early.finish(1.0);
    assert_eq!(cues(&score, "settle")[0].from, score.time_of(1), "not before the first frame");
}
