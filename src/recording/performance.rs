//! A score, played: the state of everything that is seen, frame by frame.

use crate::backend::Runner;
use crate::error::CommandError;
use crate::viewer::offscreen::Shown;
use crate::viewer::scene::{Layout, axes_of, bounds_of, styles_of};
use colours::{ColourBy, ColourSettings, Paint, Values, paint};
use dataset::Dataset;
use embedding::{Plan, Settings};
use live::Action;
use orbit_camera::{CloudBounds, Pose};
use points::{Axes, Background, PointSettings, Positions};
use score::{Act, Cue, Score, View};
use selection::{Filter, Rows};
use std::sync::Arc;

/// How slowly the view follows the cloud: the time in which a difference shrinks to a third, in seconds.
const FOLLOW: f32 = 0.08;

/// A score while it is played.
pub struct Performance<'a> {
    score: &'a Score,
    data: &'a Dataset,
    runner: Runner,
    /// The settings before any cue.
    base: Settings,
    settings: Settings,
    colours: ColourSettings,
    column: Option<(String, Values)>,
    looks: PointSettings,
    start: View,
    selected: Rows,
    styles: Option<Arc<Vec<u32>>>,
    axes: Option<Axes>,
    bounds: Option<CloudBounds>,
}

impl<'a> Performance<'a> {
    pub fn new(
        score: &'a Score,
        data: &'a Dataset,
        runner: Runner,
        base: Settings,
        (colours, looks, pose): (ColourSettings, PointSettings, Pose),
    ) -> Result<Self, CommandError> {
        let settings = score.settings_at(0.0, &base)?;
        let [x, y, z] = pose.focus.map(f64::from);
        let start = View {
            yaw: f64::from(pose.yaw.to_degrees()),
            pitch: f64::from(pose.pitch.to_degrees()),
            distance: f64::from(pose.distance),
            focus: [x, y, z],
        };
        let rows = data.row_numbers.len();
        Ok(Self {
            score,
            data,
            runner,
            base,
            settings,
            colours,
            column: None,
            looks,
            start,
            selected: Rows::none(rows),
            styles: None,
            axes: None,
            bounds: None,
        })
    }

    /// What runs before the first frame: a score that settles at the very beginning begins settled.
    pub fn warm_up(&mut self, mut each: impl FnMut(u32, u32)) -> Result<(), CommandError> {
        let first = self.score.happening(0.0, f64::MIN_POSITIVE);
        let settles =
            first.filter_map(|cue| if let Act::Settle(iterations) = cue.act { Some(iterations) } else { None });
        let Some(iterations) = settles.max() else { return Ok(()) };
        let embedded = self.runner.embed(Plan::of(iterations), |done| each(done, iterations))?;
        embedded.failure.map_or(Ok(()), |failure| Err(failure.into()))
    }

    /// The engine's part of a frame: cues, settings, iterations.
    pub fn advance(&mut self, frame: u64) -> Result<(), CommandError> {
        let (time, next) = (self.score.time_of(frame), self.score.time_of(frame + 1));
        let cues: Vec<&Cue> = self.score.happening(time, next).collect();
        for cue in cues {
            self.obey(cue)?;
        }
        let settings = self.score.settings_at(time, &self.base)?;
        if settings != self.settings {
            self.runner.set_settings(settings.clone())?;
            self.settings = settings;
        }
        self.runner.run(self.score.iterations_of(frame), |_| {})?;
        Ok(())
    }

    fn obey(&mut self, cue: &Cue) -> Result<(), CommandError> {
        match &cue.act {
            Act::Implode => self.runner.act(Action::Implode),
            Act::Explode => self.runner.act(Action::Explode),
            Act::Reset => self.runner.act(Action::Reset),
            Act::Settle(iterations) if cue.from > 0.0 => self.runner.act(Action::Settle(*iterations)),
            Act::ColorBy(column) => {
                let by = if column == "none" { ColourBy::Uniform } else { ColourBy::Column(column.clone()) };
                self.colours.colour_by(by);
                self.styles = None;
            }
            Act::Select(text) => {
                self.selected = if text.trim().is_empty() {
                    Rows::none(self.data.row_numbers.len())
                } else {
                    let filter = Filter::parse(text, &self.data.attributes).map_err(|error| self.at(cue, error))?;
                    filter.rows(&self.data.attributes, &|row| self.data.row_numbers.file_row(row))
                };
                self.styles = None;
            }
            Act::SelectNamed(name) => {
                let why = format!("there is no selection {name:?}: selections with names belong to sessions");
                return Err(self.at(cue, why));
            }
            Act::Background(name) => {
                self.looks.background = match name.as_str() {
                    "light" => Background::Light,
                    "black" => Background::Black,
                    _ => Background::Dark,
                };
            }
            Act::PointSize(size) => {
                self.looks.size = *size;
                self.looks.adapt = 0.0; // what was asked for, however many points there are
            }
            // Asked for at the time of a frame, or of no meaning without a window.
            _ => {}
        }
        Ok(())
    }

    fn at(&self, cue: &Cue, why: impl std::fmt::Display) -> CommandError {
        CommandError::Score(format!("line {} of the score: {why}", cue.line))
    }

    /// What a frame shows.
    pub fn shown(&mut self, frame: u64, (width, height): (u32, u32)) -> Result<Shown, CommandError> {
        let time = self.score.time_of(frame);
        let (positions, dims) = (self.runner.positions()?, self.settings.dims);
        let layout = Layout { positions: &positions, dims, stride: dims };
        let axes = axes_of(layout, self.axes.as_ref().filter(|axes| axes.axes.len() == dims));
        let bounds = self.follow(bounds_of(layout, &axes));
        self.axes = Some(axes.clone());
        let view = self.score.view_at(time, &self.start);
        let [x, y, z] = view.focus.map(|value| value as f32);
        let pose = Pose {
            yaw: view.yaw.to_radians() as f32,
            pitch: view.pitch.to_radians() as f32,
            distance: view.distance as f32,
            focus: [x, y, z],
        };
        let count = layout.points();
        Ok(Shown {
            styles: self.styles(count)?,
            positions: Positions { values: Arc::new(positions), count, dims, stride: dims },
            axes,
            bounds,
            looks: self.looks.clone(),
            pose,
            width,
            height,
        })
    }

    /// The bounds, followed smoothly: a cloud that jitters must not shake the view.
    fn follow(&mut self, now: CloudBounds) -> CloudBounds {
        let share = 1.0 - (-1.0 / (self.score.fps as f32 * FOLLOW)).exp();
        let followed = match self.bounds {
            Some(before) if before.flat == now.flat => CloudBounds {
                centre: before.centre.lerp(now.centre, share),
                radius: before.radius * (now.radius / before.radius).powf(share),
                flat: now.flat,
            },
            _ => now,
        };
        self.bounds = Some(followed);
        followed
    }

    fn styles(&mut self, count: usize) -> Result<Arc<Vec<u32>>, CommandError> {
        if let Some(styles) = &self.styles {
            return Ok(Arc::clone(styles));
        }
        let paint = self.paint(count)?;
        let rows: Vec<u32> = (0..count as u32).collect();
        let styles = Arc::new(styles_of(&paint, &rows, &self.selected));
        self.styles = Some(Arc::clone(&styles));
        Ok(styles)
    }

    fn paint(&mut self, count: usize) -> Result<Paint, CommandError> {
        let ColourBy::Column(name) = &self.colours.by else { return Ok(paint(None, count, &self.colours)) };
        if self.column.as_ref().is_none_or(|(known, _)| known != name) {
            self.column = Some((name.clone(), Values::of_column(self.data, name)?));
        }
        Ok(paint(self.column.as_ref().map(|(_, values)| values), count, &self.colours))
    }

    /// The caption of a frame, and whether it is to be dark.
    pub fn caption(&self, frame: u64) -> Option<(&'a str, bool)> {
        let text = self.score.caption_at(self.score.time_of(frame))?;
        Some((text, self.looks.background.is_light()))
    }
}
