//! What stands above a panel: its title, and below it the legend, where no curve can be.

use super::{Area, LEFT, SINK, SUPERSAMPLE, WORDS, drawing, letters, px};
use crate::error::CommandError;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Heights of the title and of a line of the legend, and the size of the letters of the title.
const TITLE: i32 = 38;
const LINE: i32 = 21;
const LARGE: i32 = 18;
/// Width of a mark, and room after it and after a name.
const MARK: i32 = 24;
const AFTER_MARK: i32 = 7;
const AFTER_NAME: i32 = 14;
/// Between the title and the upper edge.
const ABOVE: i32 = 12;

/// Title and legend.
pub struct Head<'a> {
    pub title: &'a str,
    pub keys: Vec<Key<'a>>,
}

/// What a colour means.
pub struct Key<'a> {
    pub name: &'a str,
    pub colour: RGBColor,
    pub mark: Mark,
}

/// How something looks in the legend: as it does in the plot.
#[derive(Debug, Clone, Copy)]
pub enum Mark {
    Bar,
    Line { dashed: bool, pointed: bool },
}

impl Head<'_> {
    /// Pixels from top to bottom, where there are so many across for the legend.
    pub fn height(&self, across: i32) -> i32 {
        TITLE + LINE * self.keys.len().div_ceil(self.columns(across)) as i32
    }

    pub fn draw(&self, area: &Area<'_>, across: i32) -> Result<(), CommandError> {
        let title = letters(LARGE).pos(Pos::new(HPos::Left, VPos::Top));
        for nudge in [0, 1, 2] {
            // The letters are light ones: written next to themselves, they are those of a title.
            area.draw_text(self.title, &title, (px(LEFT) + nudge * SUPERSAMPLE as i32 / 4, px(ABOVE)))
                .map_err(drawing)?;
        }
        let columns = self.columns(across);
        let name = letters(WORDS).pos(Pos::new(HPos::Left, VPos::Center));
        for (at, key) in self.keys.iter().enumerate() {
            let (column, line) = ((at % columns) as i32, (at / columns) as i32);
            let (x, y) = (px(LEFT + column * self.widest()), px(TITLE + line * LINE + LINE / 2));
            key.draw_mark(area, (x, y))?;
            area.draw_text(key.name, &name, (x + px(key.mark.width() + AFTER_MARK), y + px(SINK))).map_err(drawing)?;
        }
        Ok(())
    }

    /// Keys that find room beside each other.
    fn columns(&self, across: i32) -> usize {
        let fit = (across + AFTER_NAME) / self.widest().max(1);
        usize::try_from(fit).unwrap_or(1).clamp(1, self.keys.len().max(1))
    }

    /// Pixels across that the widest key takes, with what is free after it.
    fn widest(&self) -> i32 {
        let font = (super::FONT, WORDS).into_font();
        let name = |key: &Key<'_>| font.box_size(key.name).map_or(0, |(width, _)| width as i32);
        let width = |key: &Key<'_>| key.mark.width() + AFTER_MARK + name(key) + AFTER_NAME;
        self.keys.iter().map(width).max().unwrap_or(0)
    }
}

impl Mark {
    fn width(self) -> i32 {
        if matches!(self, Self::Bar) { MARK / 2 } else { MARK }
    }
}

impl Key<'_> {
    /// Draws the mark from here to the right, as high above as below.
    fn draw_mark(&self, area: &Area<'_>, (x, y): (i32, i32)) -> Result<(), CommandError> {
        let bar = |from: i32, to: i32, half: i32| {
            let corners = [(x + px(from), y - px(half)), (x + px(to), y + px(half))];
            area.draw(&Rectangle::new(corners, self.colour.filled())).map_err(drawing)
        };
        match self.mark {
            Mark::Bar => bar(0, MARK / 2, MARK / 4),
            Mark::Line { dashed: true, .. } => {
                bar(0, MARK * 2 / 5, 1)?;
                bar(MARK * 3 / 5, MARK, 1)
            }
            Mark::Line { dashed: false, pointed } => {
                bar(0, MARK, 1)?;
                let radius = if pointed { 2 * super::STROKE } else { 1 };
                area.draw(&Circle::new((x + px(MARK / 2), y), px(radius), self.colour.filled())).map_err(drawing)
            }
        }
    }
}
