//! A score, played: the state of everything that is seen, frame by frame.

use super::Label;
use super::cast::Cast;
use super::opening::Opened;
use crate::backend::{Ending, Runner};
use crate::error::CommandError;
use crate::trust::{self, TrustMeter};
use crate::viewer::offscreen::Shown;
use crate::viewer::scene::{Layout, bounds_of, centroids, styles_of};
use crate::viewer::touring::{Tour, classes_of_column, classes_of_selection};
use crate::viewer::trust_of;
use colours::{Categories, ColourSettings, Paint, paint};
use controls::desk::{pose_of, view_of};
use controls::{Apart, Seeing, SeenAxes};
use embedding::{Plan, Settings};
use live::Action;
use orbit_camera::{CloudBounds, Pose};
use points::{Background, PointSettings, Positions};
use score::{Act, Cue, Score, View};
use selection::Rows;
use std::sync::Arc;
use tour::Classes;

/// How slowly the view follows the cloud: the time in which a difference shrinks to a third, in seconds.
const FOLLOW: f32 = 0.08;
/// Rows whose trust is measured in every frame in which they have moved; of more, in as many frames less.
const TRUSTED_ROWS: usize = 100_000;

/// How long the change between a flat map and space takes, in seconds: as in the window.
const FLATTEN: f32 = 0.4;

/// A score while it is played.
pub struct Performance<'a> {
    score: &'a Score,
    cast: Cast<'a>,
    runner: Runner,
    /// The settings before any cue.
    base: Settings,
    settings: Settings,
    colours: ColourSettings,
    labels: Option<(String, Categories)>,
    looks: PointSettings,
    start: View,
    selected: Rows,
    trust: TrustMeter,
    /// The positions whose trust is shown, and the frames since then.
    trusted: Option<Arc<Vec<f32>>>,
    since_trust: usize,
    paint: Option<Paint>,
    styles: Option<Arc<Vec<u32>>>,
    seeing: Seeing,
    tour: Tour,
    /// What a guided tour takes apart, while it is the same.
    classes: Option<Classes>,
    bounds: Option<CloudBounds>,
    /// How far the camera is on its way to a flat map (0 to 1, evenly in time).
    flatness: f32,
}

/// All that is seen in a frame.
#[derive(Debug)]
pub struct Frame {
    pub shown: Shown,
    pub labels: Vec<Label>,
    pub caption: Option<String>,
    /// Letters are dark, on something light.
    pub dark: bool,
}

/// Iterations before the first frame of a score that settles at the very beginning.
pub fn warm_up_of(score: &Score) -> Option<u32> {
    let first = score.happening(0.0, f64::MIN_POSITIVE);
    first.filter_map(|cue| if let Act::Settle(iterations) = cue.act { Some(iterations) } else { None }).max()
}

impl<'a> Performance<'a> {
    /// Begins where the data was opened, with a runner of it.
    ///
    /// # Errors
    /// If the score names what is not there.
    pub fn new(
        score: &'a Score,
        opened: &'a Opened,
        runner: Runner,
        base: Settings,
        (colours, looks, pose): (ColourSettings, PointSettings, Pose),
    ) -> Result<Self, CommandError> {
        let settings = score.settings_at(0.0, &base)?;
        let cast = opened.cast();
        let start = view_of(&pose);
        let tour = Tour::new(settings.seed);
        Ok(Self {
            score,
            runner,
            base,
            settings,
            labels: None,
            looks,
            start,
            selected: Rows::clone(&opened.selected),
            trust: if opened.start.is_some() { TrustMeter::exact() } else { TrustMeter::default() },
            trusted: None,
            since_trust: 0,
            paint: None,
            styles: None,
            seeing: Seeing::default(),
            tour,
            classes: None,
            bounds: None,
            colours,
            cast,
            flatness: 0.0,
        })
    }

    /// What runs before the first frame: a score that settles at the very beginning begins settled.
    pub fn warm_up(&mut self, mut each: impl FnMut(u32, u32)) -> Result<(), CommandError> {
        let Some(iterations) = warm_up_of(self.score) else { return Ok(()) };
        let embedded = self.runner.embed(Plan::of(iterations), Ending::Planned, |done| each(done, iterations))?;
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
        if self.score.iterations_at(time) == 0.0 {
            self.runner.squeeze()?; // axes leave an embedding that stands still, too
        }
        Ok(())
    }

    fn obey(&mut self, cue: &Cue) -> Result<(), CommandError> {
        match &cue.act {
            Act::Implode => self.runner.act(Action::Implode),
            Act::Explode => self.runner.act(Action::Explode),
            Act::Reset => self.runner.act(Action::Reset),
            Act::Settle(iterations) if cue.from > 0.0 => self.runner.act(Action::Settle(*iterations)),
            Act::ColorBy(text) => {
                let Ok(by) = text.parse();
                self.colours.colour_by(by);
                (self.paint, self.styles) = (None, None);
            }
            Act::Labels(column) => self.colours.labels = column.clone(),
            Act::Select(text) => {
                self.selected = self.cast.found(cue, text)?;
                (self.styles, self.classes) = (None, None);
            }
            Act::SelectNamed(name) => {
                self.selected = self.cast.named(cue, name)?.clone();
                (self.styles, self.classes) = (None, None);
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
            Act::Tour { .. } | Act::Axes(_) => {
                self.seeing.obey(&cue.act);
                self.classes = None;
            }
            // Asked for at the time of a frame, or of no meaning without a window.
            _ => {}
        }
        Ok(())
    }

    /// What a frame shows.
    pub fn frame(&mut self, frame: u64, (width, height): (u32, u32)) -> Result<Frame, CommandError> {
        let time = self.score.time_of(frame);
        let (positions, dims) = (Arc::new(self.runner.positions()?), self.runner.dims());
        let layout = Layout { positions: &positions, dims, stride: dims };
        self.sort(layout.points(), dims);
        let seconds = if frame == 0 { 0.0 } else { 1.0 / f64::from(self.score.fps) };
        let axes = self.tour.frame(layout, &self.seeing, self.classes.as_ref(), seconds);
        let bounds = self.follow(bounds_of(layout, &axes));
        let view = self.score.view_at(time, &self.start);
        let pose = pose_of(&view);
        let count = layout.points();
        let shown = Shown {
            styles: self.styles(&positions)?,
            positions: Positions { values: Arc::clone(&positions), count, dims, stride: dims },
            axes,
            flatness: self.flatness * self.flatness * (3.0 - 2.0 * self.flatness),
            bounds,
            looks: self.looks.clone(),
            pose,
            width,
            height,
        };
        let caption = self.score.caption_at(time).map(str::to_owned);
        Ok(Frame { labels: self.labels(layout, &shown)?, shown, caption, dark: self.looks.background.is_light() })
    }

    /// Names in the middle of their points.
    fn labels(&mut self, layout: Layout<'_>, shown: &Shown) -> Result<Vec<Label>, CommandError> {
        let Some(column) = &self.colours.labels else { return Ok(Vec::new()) };
        let known = self.labels.take().filter(|(known, _)| known == column);
        let (column, names) = match known {
            Some(known) => known,
            None => (column.clone(), self.cast.names(None, column)?),
        };
        let rows: Vec<u32> = (0..layout.points() as u32).collect();
        let middles = centroids(layout, &rows, &names.codes, names.names.len());
        let seen = shown.seen();
        let label = |(name, (middle, count)): (&String, (Vec<f32>, usize))| {
            Some(Label { name: name.clone(), at: seen(shown.axes.place(&middle))?, count })
        };
        let labels = names.names.iter().zip(middles).filter(|(_, (_, count))| *count > 0).filter_map(label).collect();
        self.labels = Some((column, names));
        Ok(labels)
    }

    /// Chooses what a guided tour takes apart.
    fn sort(&mut self, points: usize, dims: usize) {
        let SeenAxes::Guided(apart) = &self.seeing.axes else { return };
        if self.classes.is_none() {
            let (rows, with): (Vec<u32>, _) = ((0..points as u32).collect(), (dims, self.settings.seed));
            self.classes = match apart {
                Apart::Selection => classes_of_selection(&self.selected, &rows, with),
                Apart::Column(name) => classes_of_column(self.cast.data, name, &rows, with),
            };
        }
    }

    /// The bounds, followed smoothly: a cloud that jitters must not shake the view.
    fn follow(&mut self, now: CloudBounds) -> CloudBounds {
        let share = 1.0 - (-1.0 / (self.score.fps as f32 * FOLLOW)).exp();
        let step = self.bounds.map_or(1.0, |_| 1.0 / (self.score.fps as f32 * FLATTEN)); // the first frame is there
        self.flatness = (self.flatness + if now.flat { step } else { -step }).clamp(0.0, 1.0);
        let followed = match self.bounds {
            Some(before) => CloudBounds {
                centre: before.centre + (now.centre - before.centre) * share, // exact where nothing moves
                radius: before.radius * (now.radius / before.radius).powf(share),
                flat: now.flat,
            },
            None => now,
        };
        self.bounds = Some(followed);
        followed
    }

    fn styles(&mut self, positions: &Arc<Vec<f32>>) -> Result<Arc<Vec<u32>>, CommandError> {
        let count = positions.len() / self.runner.dims();
        self.paint_anew(positions, count)?;
        let paint = self.paint.get_or_insert_with(|| paint(None, count, &self.colours));
        let selected = &self.selected;
        let styles = self.styles.get_or_insert_with(|| {
            let rows: Vec<u32> = (0..count as u32).collect();
            Arc::new(styles_of(paint, &rows, selected))
        });
        Ok(Arc::clone(styles))
    }

    /// Paints where colours were chosen, and trust where points have moved.
    fn paint_anew(&mut self, positions: &Arc<Vec<f32>>, count: usize) -> Result<(), CommandError> {
        self.since_trust += 1;
        let painted = self.paint.is_some();
        let paint = match trust_of(&self.colours.by) {
            None if painted => return Ok(()),
            None => paint(self.cast.values(None, &self.colours.by)?.as_ref(), count, &self.colours),
            Some(kind) => {
                let moved = self.trusted.as_ref() != Some(positions);
                if painted && !(moved && self.since_trust >= count.div_ceil(TRUSTED_ROWS)) {
                    return Ok(());
                }
                self.trusted = Some(Arc::clone(positions));
                self.since_trust = 0;
                let settings = self.drawn_settings();
                self.trust.paint(kind, &mut self.runner, positions, &settings, &self.colours)?
            }
        };
        (self.paint, self.styles) = (Some(paint), None);
        Ok(())
    }

    /// The settings, with the dimensions that positions have: more than are wanted while some are squeezed out.
    fn drawn_settings(&self) -> Settings {
        Settings { dims: self.runner.dims(), ..self.settings.clone() }
    }

    /// What is known at the end: iterations done, and the area under R_NX of what the last frame shows.
    pub fn outcome(&mut self) -> Result<(u32, Option<f64>), CommandError> {
        let positions = self.runner.positions()?;
        Ok((self.runner.iteration(), trust::auc(&self.runner, &positions, &self.drawn_settings())))
    }
}
