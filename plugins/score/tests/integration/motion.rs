//! Nothing jumps while it goes, and everything arrives exactly.

use crate::random::Random;
use embedding::Settings;
use score::{Act, Cue, Ease, Score, View};

const SCORES: u64 = 40;
/// Samples a second.
const RATE: f64 = 1000.0;
/// The shortest cue (seconds), and how fast the fastest ease goes, as a factor of an even one.
const SHORTEST: f64 = 0.1;
const FASTEST: f64 = 2.0;

const START: View = View { yaw: 12.0, pitch: 3.0, distance: 4.0, focus: [0.5, -0.5, 0.0] };

/// A score of camera and setting cues alone, all of which take time, most overlapping.
fn moving(random: &mut Random) -> Score {
    let mut score = Score::default();
    let mut time = 0.0;
    for _ in 0..12 {
        time += random.between(0.0, 0.6);
        let act = if random.chance() { Act::Camera(random.aim()) } else { random.set() };
        let ease = Ease::ALL[random.below(4)];
        score.cues.push(Cue::over(time, time + random.between(SHORTEST, 2.0), ease, act));
    }
    score.length = score.end_of_cues();
    score
}

/// The numbers that should not jump, each with the widest difference that a cue of the random scores can ask for.
fn numbers(score: &Score, time: f64) -> [(f64, f64); 7] {
    let view = score.view_at(time, &START);
    let settings = score.settings_at(time, &Settings::default()).unwrap();
    [
        (view.yaw, 4000.0),
        (view.pitch, 180.0),
        (view.distance.ln(), (50.0_f64 / 1e-3).ln()),
        (view.focus[0], 6.0),
        (f64::from(settings.alpha).ln(), 1e5_f64.ln()),
        (f64::from(settings.perplexity).ln(), 300_f64.ln()),
        (f64::from(settings.momentum), 1.0),
    ]
}

/// The largest step between two samples, as a share of the one allowed.
fn largest_step(score: &Score) -> f64 {
    let samples = (score.length * RATE).ceil() as u64;
    let mut largest = 0.0_f64;
    let mut before = numbers(score, 0.0);
    for sample in 1..=samples {
        let now = numbers(score, sample as f64 / RATE);
        for ((a, _), (b, widest)) in before.into_iter().zip(now) {
            largest = largest.max((b - a).abs() / (widest * FASTEST / SHORTEST / RATE));
        }
        before = now;
    }
    largest
}

#[test]
fn nothing_jumps_while_cues_overlap() {
    let mut random = Random(5);
    for _ in 0..SCORES {
        let score = moving(&mut random);
        let overlaps = score.cues.windows(2).filter(|pair| pair[1].from < pair[0].to).count();
        assert!(overlaps > 3, "{overlaps} overlap");
        let step = largest_step(&score);
        assert!(step <= 1.0, "{step} times the largest step allowed\n{score}");
    }
}

#[test]
fn what_happens_at_once_does_jump() {
    let text = "nevis score 1\n1..3 camera yaw 400\n2 camera yaw -800\n2..3 set alpha 0.1\n";
    assert!(largest_step(&Score::parse(text).unwrap()) > 1.0);
}

#[test]
fn smooth_cues_have_no_jumps_of_speed() {
    let fastest_change = |ease: &str| {
        let text = format!("nevis score 1\n1..3 camera yaw 372 {ease}\n");
        let score = Score::parse(&text).unwrap();
        let yaw = |sample: i32| score.view_at(f64::from(sample) / RATE, &START).yaw;
        let change = |sample| ((yaw(sample + 1) - 2.0 * yaw(sample) + yaw(sample - 1)) * RATE).abs();
        (1..4000).map(change).fold(0.0, f64::max)
    };
    // Degrees a second, from one sample to the next: a smooth turn changes by at most 6 · 360 / 2² / 1000.
    assert!(fastest_change("") < 0.6, "{}", fastest_change(""));
    assert!(fastest_change("ease none") > 100.0);
    assert!(fastest_change("ease out") > 100.0);
}

#[test]
fn ends_are_exact() {
    let mut random = Random(6);
    for _ in 0..SCORES * 10 {
        let (from, to) = (random.between(0.0, 3.0), random.between(3.1, 9.0));
        let aim = random.aim();
        let ease = Ease::ALL[random.below(4)];
        let Act::Set { name, value } = random.set() else { panic!("a setting") };
        let score = Score {
            cues: vec![
                Cue::over(from, to, ease, Act::Camera(aim.clone())),
                Cue::over(from, to, ease, Act::Set { name: name.clone(), value }),
            ],
            length: to,
            ..Score::default()
        };
        let base = Settings { alpha: 0.3, ..Settings::default() };
        assert_eq!(score.view_at(from, &START), START);
        assert_eq!(score.settings_at(from, &base).unwrap(), base);
        let end = score.view_at(to, &START);
        let expected = View {
            yaw: aim.yaw.unwrap_or(START.yaw),
            pitch: aim.pitch.unwrap_or(START.pitch),
            distance: aim.distance.unwrap_or(START.distance),
            focus: aim.focus.unwrap_or(START.focus),
        };
        assert_eq!(end, expected);
        assert_eq!(score.view_at(to + 1.0, &START), expected);
        let named = serde_json::to_value(score.settings_at(to, &base).unwrap()).unwrap();
        assert_eq!(named[&name].as_f64().unwrap() as f32, value as f32, "{name}");
    }
}

#[test]
fn settings_stay_in_their_ranges_on_the_way() {
    let mut random = Random(7);
    for _ in 0..SCORES {
        let score = moving(&mut random);
        score.check(&Settings::default()).unwrap();
        for sample in 0..=200 {
            let time = score.length * f64::from(sample) / 200.0;
            score.settings_at(time, &Settings::default()).unwrap();
        }
    }
}
