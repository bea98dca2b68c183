//! Scores in the viewer: recorded, edited, played, presented.

use super::viewer::*;
use bevy::ecs::prelude::Entity;
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput, NativeKey};
use controls::{Apart, Conduct, Desk, Doing, Seeing, SeenAxes};
use score::{Act, Score};

/// A talk of two stops over whatever is open.
const TALK: &str = "nevis score 1
fps 30
length 6
iterations 2

0     camera yaw 0 pitch 0 distance 3 focus 0 0 0
0     color-by label
0     caption \"one\"
0.5   stop
0.5..1.5 camera yaw 90 ease none
0.6..1.4 set alpha 0.5
1     select label:\"blob 1\"
1.2   caption \"two\" for 9
1.2   note \"say two\"
2     stop
2.5   implode
3     select \"\"
";

impl Viewer {
    fn conduct(&mut self, what: Conduct) {
        self.0.world_mut().write_message(what);
    }

    /// Presses a key for a moment.
    fn press(&mut self, key: KeyCode) {
        for state in [ButtonState::Pressed, ButtonState::Released] {
            let (logical_key, window) = (Key::Unidentified(NativeKey::Unidentified), Entity::PLACEHOLDER);
            self.0.world_mut().write_message(KeyboardInput {
                key_code: key,
                logical_key,
                state,
                text: None,
                repeat: false,
                window,
            });
        }
    }

    fn desk(&self) -> &Desk {
        self.get::<Desk>()
    }

    /// Opens a score that names no data, over what is open.
    fn with_score(text: &str) -> (TempDir, Self) {
        let dir = dir_of_blobs(ROWS);
        let mut viewer = Self::showing(&dir.path().join("in.parquet"));
        viewer.write_into(dir.path());
        let path = dir.path().join("talk.score");
        std::fs::write(&path, text).unwrap();
        viewer.ask(Request::Open(vec![path]));
        viewer.until("the score", |viewer| viewer.desk().has_score());
        (dir, viewer)
    }

    fn yaw(&self) -> f32 {
        self.get::<CameraState>().pose.yaw.to_degrees()
    }
}

#[test]
fn a_presentation_waits_at_its_stops_lives_on_and_leaves_the_window_as_it_was() {
    let (_dir, mut viewer) = Viewer::with_score(TALK);
    viewer.get_mut::<LiveEmbedding>().set_paused(true);
    viewer.conduct(Conduct::Present);
    viewer.until("the first stop", |viewer| viewer.desk().waiting);
    assert_eq!((viewer.desk().time, viewer.desk().doing), (0.5, Doing::Presenting));
    assert_eq!(viewer.desk().caption.as_deref(), Some("one"));
    assert!(!viewer.get::<Interface>().panels && viewer.get::<Interface>().full_screen);
    // It lives on while it waits.
    let before = viewer.iteration();
    viewer.until("iterations while it waits", |viewer| viewer.iteration() > before + 2);
    assert_eq!(viewer.desk().time, 0.5);
    // Frozen, nothing moves.
    viewer.conduct(Conduct::Freeze);
    viewer.frames(6);
    let before = viewer.iteration();
    viewer.frames(6);
    assert_eq!((viewer.iteration(), viewer.desk().time), (before, 0.5));
    viewer.conduct(Conduct::Freeze);
    // On: tails and camera are on their way, and arrive.
    viewer.conduct(Conduct::Next);
    viewer.until("the second stop", |viewer| viewer.desk().waiting && viewer.desk().time == 2.0);
    viewer.frames(3);
    let alpha = viewer.get::<LiveEmbedding>().settings().alpha;
    assert_eq!((alpha, viewer.get::<Selection>().rows().count()), (0.5, ROWS / 5));
    assert_eq!(viewer.desk().caption.as_deref(), Some("two"));
    assert!((viewer.yaw() - 90.0).abs() < 0.5, "{}", viewer.yaw());
    // Back: as it was then.
    viewer.conduct(Conduct::Previous);
    viewer.until("the view of the first stop", |viewer| viewer.yaw().abs() < 0.5);
    assert_eq!((viewer.desk().time, viewer.get::<LiveEmbedding>().settings().alpha), (0.5, 1.0));
    assert!(viewer.get::<Selection>().is_empty(), "what was selected later is not selected yet");
    viewer.conduct(Conduct::Leave);
    viewer.frames(2);
    let interface = viewer.get::<Interface>();
    assert!(interface.panels && !interface.full_screen && viewer.desk().doing == Doing::Resting);
    assert!(viewer.get::<LiveEmbedding>().is_paused() && viewer.get::<LiveEmbedding>().iterations_per_frame.is_none());
}

#[test]
fn a_kiosk_waits_nowhere_and_begins_again() {
    let (_dir, mut viewer) = Viewer::with_score(TALK);
    viewer.get_mut::<Desk>().kiosk = true;
    viewer.conduct(Conduct::Present);
    viewer.until("a time beyond both stops", |viewer| viewer.desk().time > 2.2);
    viewer.until("the beginning", |viewer| viewer.desk().time < 1.0);
    assert!(!viewer.desk().waiting && viewer.desk().doing == Doing::Presenting);
}

#[test]
fn a_recording_lies_in_files_that_open_again() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.write_into(dir.path());
    viewer.until("some motion", |viewer| viewer.iteration() > 30);
    viewer.conduct(Conduct::Record);
    viewer.frames(5);
    let settings = Settings { alpha: 0.6, ..viewer.get::<LiveEmbedding>().settings().clone() };
    viewer.get_mut::<LiveEmbedding>().set_settings(settings).unwrap();
    viewer.frames(5);
    viewer.ask(Request::Search { text: "label:\"blob 3\"".into(), how: Combine::Replace });
    viewer.frames(3);
    viewer.conduct(Conduct::Say(Act::Caption { text: "three".into(), seconds: Some(2.0) }));
    viewer.press(KeyCode::KeyS);
    viewer.frames(5);
    viewer.colour_by(ColourBy::Uniform);
    viewer.frames(3);
    assert_eq!(viewer.desk().doing, Doing::Recording);
    viewer.conduct(Conduct::Record);
    let notice = viewer.notice(Announce::Done);
    assert!(notice.contains("recorded") && notice.contains("in.score"), "{notice}");
    let path = dir.path().join("in.score");
    let text = std::fs::read_to_string(&path).unwrap();
    let score = Score::read(&path).unwrap();
    assert_eq!(score.data.as_deref(), Some("in.parquet"), "{text}");
    assert_eq!(score.start.as_deref(), Some("in.start.nevis"), "{text}");
    assert!(score.hash.is_some() && score.iteration.is_some_and(|iteration| iteration > 30), "{text}");
    for line in
        ["set alpha 0.6", "select-named \"recorded 1\"", "caption \"three\" for 2", "settle 250", "color-by none"]
    {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    // It opens by itself: the map of the beginning, its selections, and the score.
    let mut again = Viewer::new();
    again.open(&path);
    assert_eq!(again.desk().score.cues, score.cues);
    assert!(!again.desk().is_changed());
    let named = again.get::<Selection>().find("recorded 1").map(|rows| rows.count());
    assert_eq!(named, Some(ROWS / 5));
    again.conduct(Conduct::Seek(score.length));
    again.frames(3);
    assert_eq!(again.get::<Selection>().rows().count(), ROWS / 5);
    assert_eq!(again.get::<LiveEmbedding>().settings().alpha, 0.6);
    // Other data ends a recording, and nothing is lost.
    again.write_into(dir.path());
    again.conduct(Conduct::Record);
    again.frames(4);
    again.ask(Request::OpenDemo);
    again.until("another file", |_| dir.path().join("in-2.score").exists());
    assert_eq!(again.desk().doing, Doing::Resting);
}

#[test]
fn scores_that_cannot_be_say_why_and_change_nothing() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    let before = viewer.iteration();
    let wrong_hash = format!("nevis score 1\ndata in.parquet\nhash {}\n1 stop\n", "0".repeat(64));
    for (text, expected) in [
        ("nevis score 1\n1 fly away\n", "line 2"),
        ("nevis score 9\n", "version"),
        ("nevis score 1\ndata gone.parquet\n1 stop\n", "gone.parquet"),
        ("nevis score 1\nstart gone.nevis\n1 stop\n", "gone.nevis"),
        ("nevis score 1\n2 stop\n1 stop\n", "line 3"),
        (wrong_hash.as_str(), "hash"),
    ] {
        let path = dir.path().join("bad.score");
        std::fs::write(&path, text).unwrap();
        viewer.ask(Request::Open(vec![path]));
        let notice = viewer.notice(Announce::Failed);
        assert!(notice.contains(expected), "{expected} is not in {notice}");
        assert!(!viewer.desk().has_score() && viewer.iteration() >= before);
    }
    viewer.conduct(Conduct::Play);
    assert!(viewer.notice(Announce::Failed).contains("no score yet"));
    viewer.conduct(Conduct::Take(score::Take::FlyThrough));
    assert!(viewer.notice(Announce::Failed).contains("names"));
}

#[test]
fn a_take_of_what_is_seen_begins_with_it() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.ask(Request::Search { text: "label:\"blob 3\"".into(), how: Combine::Replace });
    viewer.frames(2);
    viewer.get_mut::<Selection>().name("third");
    viewer.conduct(Conduct::Take(score::Take::FlyThrough));
    viewer.until("a score", |viewer| viewer.desk().has_score());
    let text = viewer.desk().score.to_string();
    assert!(text.contains("select-named \"third\"") && text.contains("caption \"third\""), "{text}");
    let path = dir.path().join("fly.score");
    viewer.conduct(Conduct::Save(Some(path.clone())));
    viewer.notice(Announce::Done);
    let score = Score::read(&path).unwrap();
    assert_eq!(score.start.as_deref(), Some("fly.start.nevis"));
    assert!(dir.path().join("fly.start.nevis").exists() && !viewer.desk().is_changed());
}

#[test]
fn tours_are_recorded_and_played() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.write_into(dir.path());
    let settings = Settings { dims: 5, ..viewer.get::<LiveEmbedding>().settings().clone() };
    viewer.get_mut::<LiveEmbedding>().set_settings(settings).unwrap();
    viewer.until("five dimensions", |viewer| viewer.get::<PointCloud>().dims() == 5);
    viewer.conduct(Conduct::Record);
    viewer.frames(4);
    viewer.press(KeyCode::KeyO);
    viewer.frames(6);
    assert_eq!(viewer.get::<Seeing>().axes, SeenAxes::Grand);
    viewer.get_mut::<Seeing>().see(SeenAxes::Guided(Apart::Column("label".into())));
    viewer.frames(4);
    viewer.get_mut::<Seeing>().see(SeenAxes::Dimensions([0, 1, 4]));
    viewer.frames(4);
    viewer.conduct(Conduct::Record);
    viewer.notice(Announce::Done);
    let text = viewer.desk().score.to_string();
    for line in ["tour grand speed 0.25", "tour guided \"label\" speed 0.25", "axes 0 1 4"] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    // Wherever the time goes, the axes are those of the score.
    *viewer.get_mut::<Seeing>() = Seeing::default();
    let at = |viewer: &Viewer, name: &str| {
        let cue = viewer.desk().score.cues.iter().find(|cue| cue.act.to_string().starts_with(name));
        cue.map_or(0.0, |cue| cue.from)
    };
    let grand = at(&viewer, "tour grand");
    viewer.conduct(Conduct::Seek(grand));
    viewer.frames(2);
    assert_eq!(viewer.get::<Seeing>().axes, SeenAxes::Grand);
    viewer.conduct(Conduct::Play);
    viewer.until("the end", |viewer| viewer.desk().doing == Doing::Resting && viewer.desk().time > grand);
    assert_eq!(viewer.get::<Seeing>().axes, SeenAxes::Dimensions([0, 1, 4]));
}
