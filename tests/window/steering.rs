//! Settings and colours, changed by hand.

use super::cloud::{ASIDE, CLEAR, colourful_share, extent};
use super::display::{Display, Window, holds};
use super::panel::{Slider, colour_list, entry_below_chosen, legend, sliders};
use super::screen::Screen;
use crate::support::write_blobs;
use std::time::Duration;

/// A cloud of other settings or colours differs by at least this share of it.
const OTHER_PICTURE: f64 = 0.3;
/// What is drawn anew may differ from what was there by this share of the cloud.
const SAME_PICTURE: f64 = 0.01;
/// How long a cloud must rest to count as resting.
const REST: Duration = Duration::from_millis(300);
/// Groups in the data, each of a colour.
const GROUPS: usize = 5;

#[test]
fn sliders_and_colours_change_the_picture() {
    let Some(display) = Display::start() else { return };
    write_blobs(&display.folder().join("in.parquet"), 1000);
    let mut window = display.open(&["in.parquet"]);
    window.wait("there are groups", |screen| {
        holds(extent(screen, CLEAR).is_some() && legend(screen).len() == GROUPS, "no cloud, or no legend")
    });
    tails_change_the_shape(&mut window);
    window.press("space");
    window.wait_for_rest(CLEAR, REST);
    a_group_is_isolated_and_restored(&mut window);
    another_column_brings_other_colours(&mut window);
    window.quit();
}

fn tails_change_the_shape(window: &mut Window) {
    window.press("space");
    let before = window.wait_for_rest(CLEAR, REST);
    let tails = sliders(&before)[0];
    let value_changed = |screen: &Screen| !screen.is_same(&before, tails.value);
    window.drag(tails.handle, tails.at(0.15), |screen| holds(value_changed(screen), "the value stands still"));
    window.point_at(ASIDE); // no card tells of a slider or a point
    let paused = window.wait_for_rest(CLEAR, REST);
    let changed = paused.changed(&before, CLEAR);
    assert!(changed < SAME_PICTURE, "paused, but {changed:.3} of the cloud moved");
    window.press("space"); // what was dragged does not keep the keys
    window.wait("heavier tails make another picture", |screen| {
        let changed = screen.changed(&before, CLEAR);
        holds(changed > OTHER_PICTURE && value_changed(screen), format!("{changed:.2} of the cloud changed"))
    });
    double_click_takes_it_back(window, &before, tails);
}

fn double_click_takes_it_back(window: &mut Window, before: &Screen, tails: Slider) {
    let handle = sliders(&window.look())[0].handle;
    window.click(handle);
    window.click(handle);
    window.wait("the value is the default again", |screen| {
        holds(screen.is_same(before, tails.value), "the value is another")
    });
}

fn a_group_is_isolated_and_restored(window: &mut Window) {
    /// Share of the cloud that keeps its colour: one group of five, and points of it drawn in front of others.
    const ISOLATED: std::ops::Range<f64> = 0.05..0.5;
    let before = window.look();
    let whole = colourful_share(&before, CLEAR);
    assert!(whole > 0.9, "{whole:.2} of the cloud has a colour");
    window.click(legend(&before)[1].place);
    let isolated = window.wait("one group keeps its colour", |screen| {
        let share = colourful_share(screen, CLEAR);
        holds(ISOLATED.contains(&share) && legend(screen).len() == 1, format!("{share:.2} of the cloud has a colour"))
    });
    assert_eq!(legend(&isolated)[0].colour, legend(&before)[1].colour, "another group than the one that was clicked");
    window.click(legend(&isolated)[0].place);
    window.wait("all have their colours again", |screen| {
        let changed = screen.changed(&before, CLEAR);
        holds(changed < SAME_PICTURE && legend(screen).len() == GROUPS, format!("{changed:.3} of the cloud changed"))
    });
}

fn another_column_brings_other_colours(window: &mut Window) {
    let before = window.look();
    window.click(colour_list(&before).middle());
    let mut entry = None;
    window.wait("the list opens", |screen| {
        entry = entry_below_chosen(screen, 1); // after "label": "number"
        holds(entry.is_some(), "no entry is marked")
    });
    window.click(entry.unwrap());
    window.wait("the points are painted by another column", |screen| {
        let changed = screen.changed(&before, CLEAR);
        holds(changed > OTHER_PICTURE, format!("{changed:.2} of the cloud changed"))?;
        holds(legend(screen).is_empty(), "there is still a legend of groups")
    });
    assert_eq!(extent(&window.look(), CLEAR), extent(&before, CLEAR), "the points are where they were");
}
