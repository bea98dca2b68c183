//! What is done in the window is recorded, edited on the timeline, undone, and presented.

use super::cloud::{CLEAR, extent};
use super::digits::REST;
use super::display::{Display, holds};
use super::panel::{PANEL, buttons, legend};
use super::screen::{Area, Rgb, Screen, apart};
use score::{Act, Score};

/// Where the bar of a recording stands.
const RECORDING: Area = Area::new(0, 690, 1280, 720);
/// Where the buttons of the timeline stand.
const TRANSPORT: Area = Area::new(0, 564, 1000, 590);
/// Its lanes, without their names.
const LANES: Area = Area::new(80, 612, 1270, 682);
/// What lies in the lanes of camera and of words.
const CAMERA: Rgb = [0x2f, 0x81, 0xf7];
const WORDS: Rgb = [0xa3, 0x71, 0xd8];
/// What stands for recording.
const RED: Rgb = [0xff, 0x7b, 0x72];
/// The foot of the window, where captions stand.
const FOOT: Area = Area::new(200, 600, 1080, 715);
/// Pixels of a word in large type.
const LARGE: usize = 400;
/// Share of the picture that a turn changes, at least.
const TURNED: f64 = 0.02;
/// Pixels of a bar, at least.
const BAR: usize = 30;

/// Pixels of a hue, however faded a bar is.
fn hued(screen: &Screen, hue: Rgb) -> usize {
    let faded = hue.map(|part| (f32::from(part) * 0.75) as u8);
    screen.count(LANES, |pixel| apart(pixel, hue) < 30 || apart(pixel, faded) < 30)
}

#[test]
fn what_is_done_is_recorded_edited_undone_and_presented() {
    let Some(display) = Display::start() else { return };
    let mut window = display.open(&[]);
    window.wait("the demo", |screen| holds(extent(screen, CLEAR).is_some() && legend(screen).len() > 4, "no cloud"));
    window.wait_for_iteration(60);
    window.press("space"); // what turns then, the hand has turned
    window.press("c");
    window.wait("it is being recorded", |screen| {
        holds(screen.count(RECORDING, |pixel| apart(pixel, RED) < 40) > 20, "nothing red at the foot")
    });
    let still = window.wait_for_rest(CLEAR, REST);
    window.drag((500, 300), (640, 340), |screen| {
        let changed = screen.changed(&still, CLEAR);
        holds(changed > TURNED, format!("{changed} of the cloud have changed"))
    });
    window.press("c");
    let path = window.wait_for_file("demo.score");
    let score = Score::read(&path).unwrap();
    let turns = score.cues.iter().filter(|cue| matches!(cue.act, Act::Camera(_)) && cue.from > 0.0).count();
    assert!(turns > 0 && score.start.as_deref() == Some("demo.start.nevis"), "{score}");
    let before = window.wait("the timeline has it", |screen| {
        holds(buttons(screen, TRANSPORT).len() > 5, "no timeline")?;
        holds(hued(screen, CAMERA) > BAR && hued(screen, WORDS) < BAR, "the lanes are wrong")
    });
    // A caption is put in by its button, undone, and done again.
    let caption =
        buttons(&before, TRANSPORT).into_iter().find(|button| button.left > 370).expect("a button for captions");
    window.click(caption.middle());
    window.wait("a caption in its lane, and on the picture", |screen| {
        let letters = screen.count(Area::new(300, 470, 990, 558), |pixel| pixel.iter().all(|part| *part > 200));
        holds(hued(screen, WORDS) > BAR, "no bar in the lane of words")?;
        holds(letters > LARGE / 2, format!("{letters} pixels of letters"))
    });
    window.point_at((640, 300));
    window.press("ctrl+z");
    window.wait("it is undone", |screen| holds(hued(screen, WORDS) < BAR, "it is still there"));
    window.press("ctrl+y");
    window.wait("it is there again", |screen| holds(hued(screen, WORDS) > BAR, "it is not"));
    // Presented, there is the cloud, and large type.
    window.press("F5");
    window.wait("only the cloud and a caption", |screen| {
        holds(buttons(screen, PANEL).is_empty(), "there are panels")?;
        let letters = screen.count(FOOT, |pixel| pixel.iter().all(|part| *part > 200));
        holds(letters > LARGE, format!("{letters} pixels of letters"))
    });
    window.press("Escape");
    window.wait("the panels are back", |screen| holds(buttons(screen, PANEL).len() > 5, "no buttons at the left"));
    window.quit();
}
