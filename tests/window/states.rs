//! States in which something is wrong or missing.

use super::cloud::{CLEAR, FREE, extent};
use super::display::{Display, holds};
use super::found::FOUND;
use super::panel::{buttons, legend};
use super::screen::{Area, Rgb, apart};

/// Edge of a notice that tells of a failure.
const ERROR: Rgb = [0xff, 0x7b, 0x72];
/// Pixels of such an edge, at least: a few lines of text have a card around them.
const EDGE: usize = 300;

#[test]
fn a_broken_file_is_told_of_and_the_demo_is_one_click_away() {
    const NOTICES: Area = Area::new(640, 400, 1280, 720);
    const BESIDE: Area = Area { top: 400, ..FREE };
    const MIDDLE: Area = Area::new(400, 250, 880, 500);
    let Some(display) = Display::start() else { return };
    std::fs::write(display.folder().join("broken.parquet"), "PAR1 and then nothing of the kind").unwrap();
    let mut window = display.open(&["broken.parquet"]);
    let told = window.wait("an error, and what to do instead", |screen| {
        let edge = screen.count(NOTICES, |pixel| apart(pixel, ERROR) < 8);
        holds(edge > EDGE, format!("an edge of {edge} pixels, at least {EDGE}"))?;
        holds(buttons(screen, MIDDLE).len() == 1, "no button in the middle")
    });
    assert!(legend(&told).is_empty(), "there is nothing to explain yet");
    window.click(buttons(&told, MIDDLE)[0].middle());
    let is_edge = |pixel| apart(pixel, ERROR) < 8;
    let demo = window.wait("the demo is there, and the notice beside its panels", |screen| {
        holds(extent(screen, CLEAR).is_some() && legend(screen).len() > 4, "no cloud, or no legend")?;
        let edge = screen.count(BESIDE, is_edge);
        holds(edge > EDGE, format!("an edge of {edge} pixels, at least {EDGE}"))?;
        holds(screen.count(FOUND, is_edge) == 0, "the notice lies over the panel")
    });
    let notice = Area::around(&demo.pixels_where(BESIDE, is_edge)).expect("a notice");
    window.click((notice.right - 20, notice.bottom - 8));
    window.wait("the notice is clicked away", |screen| {
        let edge = screen.count(BESIDE, is_edge);
        holds(edge < EDGE / 2, format!("an edge of {edge} pixels"))
    });
    window.quit();
}
