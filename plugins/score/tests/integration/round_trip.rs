//! What is written is read again as it was.

use crate::random::Random;
use embedding::Settings;
use score::{Act, Aim, Cue, Ease, Route, Score};

const SCORES: u64 = 2000;

/// One line of every kind, as the documentation has it, and what it means.
fn lines() -> Vec<(&'static str, Cue)> {
    let tour = |route, speed| Act::Tour { route, speed };
    let at = Cue::at;
    let aim = Aim { yaw: Some(30.0), pitch: Some(-20.0), distance: Some(3.0), focus: Some([0.0, -1.0, 2.5]) };
    let turn = Aim { yaw: Some(390.0), ..Aim::default() };
    let set = |name: &str, value| Act::Set { name: name.into(), value };
    let caption = |text: &str, seconds| Act::Caption { text: text.into(), seconds };
    vec![
        ("0 camera yaw 30 pitch -20 distance 3 focus 0 -1 2.5", at(0.0, Act::Camera(aim))),
        ("0..6 camera yaw 390 ease none", Cue::over(0.0, 6.0, Ease::None, Act::Camera(turn.clone()))),
        ("0..6 camera ease in yaw 390", Cue::over(0.0, 6.0, Ease::In, Act::Camera(turn))),
        ("2..5 set alpha 0.5", Cue::over(2.0, 5.0, Ease::Smooth, set("alpha", 0.5))),
        ("2..5 set step 2 ease out", Cue::over(2.0, 5.0, Ease::Out, set("step", 2.0))),
        ("2..2 set dims 3 # at once", at(2.0, set("dims", 3.0))),
        ("4 set metric cosine", at(4.0, Act::Choose { name: "metric".into(), value: "cosine".into() })),
        ("4 color-by cell type", at(4.0, Act::ColorBy("cell type".into()))),
        ("4 labels subtype", at(4.0, Act::Labels(Some("subtype".into())))),
        (r#"4 labels """#, at(4.0, Act::Labels(None))),
        (r#"4 caption "The ones split" for 4"#, at(4.0, caption("The ones split", Some(4.0)))),
        (r#"4 caption "say \"one\" # two\n""#, at(4.0, caption("say \"one\" # two\n", None))),
        (r#"4 caption """#, at(4.0, caption("", None))),
        (r#"4 note "a" # b"#, at(4.0, Act::Note("a".into()))),
        ("4.5 implode", at(4.5, Act::Implode)),
        ("4.5 explode", at(4.5, Act::Explode)),
        ("4.5 reset", at(4.5, Act::Reset)),
        ("4.5 settle 250", at(4.5, Act::Settle(250))),
        ("4.5 iterations 0", at(4.5, Act::Iterations(0.0))),
        ("4.5 iterations 0.25", at(4.5, Act::Iterations(0.25))),
        ("4.5 pause", at(4.5, Act::Pause)),
        ("4.5\tresume", at(4.5, Act::Resume)),
        ("7 select label=3 or \"my column\">2 # few", at(7.0, Act::Select("label=3 or \"my column\">2".into()))),
        (r#"7 select "my column">2"#, at(7.0, Act::Select("\"my column\">2".into()))),
        (r#"7 select """#, at(7.0, Act::Select(String::new()))),
        (r#"7 select-named "late fours""#, at(7.0, Act::SelectNamed("late fours".into()))),
        ("7 background light", at(7.0, Act::Background("light".into()))),
        ("7 point-size 1.5", at(7.0, Act::PointSize(1.5))),
        ("7 tour grand", at(7.0, tour(Route::Grand, None))),
        ("7 tour off", at(7.0, tour(Route::Principal, None))),
        ("7 tour principal speed 0", at(7.0, tour(Route::Principal, Some(0.0)))),
        ("7 tour guided", at(7.0, tour(Route::Guided(None), None))),
        ("7 tour guided speed 0.5", at(7.0, tour(Route::Guided(None), Some(0.5)))),
        ("7 tour guided label speed 0.5", at(7.0, tour(Route::Guided(Some("label".into())), Some(0.5)))),
        (r#"7 tour guided "cell type""#, at(7.0, tour(Route::Guided(Some("cell type".into())), None))),
        (r#"7 tour guided "speed" speed 1"#, at(7.0, tour(Route::Guided(Some("speed".into())), Some(1.0)))),
        ("7 axes 0 1 4", at(7.0, Act::Axes([0, 1, 4]))),
        ("1e1 stop", at(10.0, Act::Stop)),
    ]
}

#[test]
fn every_cue_is_read_as_documented_and_comes_back() {
    for ending in ["\n", "\r\n"] {
        let text: Vec<&str> =
            std::iter::once("nevis score 1").chain(lines().into_iter().map(|(line, _)| line)).collect();
        let score = Score::parse(&text.join(ending)).unwrap();
        let names: Vec<&str> = score.cues.iter().map(|cue| cue.act.name()).collect();
        assert!(Act::NAMES.iter().all(|name| names.contains(name)), "every kind is tried");
        for (cue, (line, expected)) in score.cues.iter().zip(lines()) {
            assert_eq!(*cue, expected, "{line}");
            assert_eq!(line.parse::<Cue>().unwrap(), expected, "{line}");
        }
        assert_eq!(score.cues.len(), lines().len());
        assert_eq!(score.cues[3].line, 5, "lines count from 1");
        assert_eq!(Score::parse(&score.to_string()).unwrap(), score);
    }
}

#[test]
fn the_head_is_read_and_comes_back() {
    let hash = "0123456789abcdef".repeat(4);
    let text = format!(
        "# a take\n\nnevis score 1 # version\nloop\niterations 4.5\niteration 1200\nauc -0.371\nlength 12.5\nfps 24\nseed 18446744073709551615\n\
         data my cells # 2.parquet\nstart \"day # 2.json\"\nhash {hash}\nsettings {{\"dims\": 3, \"alpha\": 0.30000001192092896}} # few\n1 stop\n"
    );
    let score = Score::parse(&text).unwrap();
    assert_eq!(score.data.as_deref(), Some("my cells"));
    assert_eq!(score.start.as_deref(), Some("day # 2.json"));
    assert_eq!((score.iteration, score.auc), (Some(1200), Some(-0.371)));
    assert_eq!((score.hash.as_ref(), score.seed), (Some(&hash), Some(u64::MAX)));
    assert_eq!((score.fps, score.length, score.iterations, score.loops), (24, 12.5, 4.5, true));
    assert_eq!(score.settings["alpha"].as_f64(), Some(f64::from(0.3_f32)));
    assert_eq!(Score::parse(&score.to_string()).unwrap(), score);

    let bare = Score::parse("nevis score 1").unwrap();
    assert_eq!(bare, Score::default());
    assert_eq!((bare.fps, bare.length, bare.iterations, bare.loops), (30, 0.0, 1.0, false));
    let windows = Score::parse("nevis score 1\ndata C:\\new\\cells.parquet").unwrap();
    assert_eq!(windows.data.as_deref(), Some("C:\\new\\cells.parquet"));
    assert_eq!(Score::parse(&windows.to_string()).unwrap(), windows);
}

#[test]
fn random_scores_come_back() {
    let mut random = Random(1);
    for _ in 0..SCORES {
        let count = random.below(30);
        let score = random.score(count);
        score.check(&Settings::default()).unwrap();
        for cue in &score.cues {
            assert_eq!(cue.to_string().parse::<Cue>().unwrap(), *cue, "{cue}");
        }
        let text = score.to_string();
        let again = Score::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again, score, "{text}");
        assert_eq!(again.to_string(), text);
    }
}

#[test]
fn another_score_is_not_the_same() {
    let mut random = Random(2);
    for _ in 0..SCORES / 10 {
        let score = random.score(12);
        let mut other = score.clone();
        let which = random.below(other.cues.len());
        other.cues.remove(which);
        assert_ne!(Score::parse(&score.to_string()).unwrap().cues, other.cues);
    }
}

#[test]
fn torn_scores_are_refused_without_a_panic() {
    let mut random = Random(3);
    let mut refused = 0;
    for _ in 0..SCORES {
        let text = random.score(6).to_string();
        let mut letters: Vec<char> = text.chars().collect();
        for _ in 0..=random.below(3) {
            let at = random.below(letters.len());
            match random.below(3) {
                0 => _ = letters.remove(at),
                1 => letters.insert(at, ['"', '\\', '#', '.', '-', '9', '\n', '字'][random.below(8)]),
                _ => letters.truncate(at.max(4)),
            }
        }
        let torn: String = letters.into_iter().collect();
        match Score::parse(&torn) {
            Ok(score) => assert_eq!(Score::parse(&score.to_string()).unwrap(), score, "{torn}"),
            Err(error) => {
                refused += 1;
                assert!(error.line().is_some_and(|line| line <= torn.lines().count().max(1)), "{error}\n{torn}");
            }
        }
    }
    assert!(refused > SCORES / 4, "{refused} refused");
}
