//! What is seen of an embedding from frame to frame, in the window and in movies: one state machine without a clock of
//! its own.

use crate::viewer::scene::{Layout, axes_of, centre_of};
use bevy::math::Vec3;
use controls::{Seeing, SeenAxes};
use points::Axes;
use tour::{Arrival, Classes, Frame, GrandTour, GuidedTour, Path, Positions};

/// How long it takes from what was seen to what is to be seen (seconds).
const WAY: f64 = 0.8;
/// How often a guided tour looks where its classes are (seconds).
const LOOK_EVERY: f64 = 0.25;
/// The farthest that a hand drags axes from one frame to the next (radians); what is farther away is gone to.
const HAND: f64 = 0.6;
/// Axes of a picture.
const SHOWN: usize = 3;

/// What is seen, and where it goes from there.
#[derive(Debug, Default)]
pub struct Tour {
    seed: u64,
    /// What is seen; none before the first frame.
    frame: Option<Frame>,
    /// What was asked for last.
    wish: Option<Wish>,
    going: Going,
    /// The way from what was seen before.
    way: Option<Way>,
    /// What is still seen of axes that are gone, and for how long.
    fading: Option<(Vec<Vec3>, f64)>,
    /// How much of the middle of the cloud is taken off: all of it beyond three dimensions (0 to 1).
    centred: f64,
}

#[derive(Debug, Clone, PartialEq)]
enum Wish {
    /// Up to three dimensions: as they are.
    Whole,
    Seen(SeenAxes),
}

#[derive(Debug, Default)]
enum Going {
    #[default]
    Nowhere,
    /// To this frame, and there it stays.
    Still(Frame),
    /// After the widest directions.
    Principal(Axes),
    Grand(Box<GrandTour>),
    Guided {
        tour: GuidedTour,
        /// Seconds since the last look at the classes.
        waited: f64,
    },
}

#[derive(Debug)]
struct Way {
    from: Frame,
    /// Seconds.
    gone: f64,
}

impl Tour {
    /// Grand tours of this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// True if the axes will be others in a moment, even if nothing else changes.
    pub fn is_moving(&self, seeing: &Seeing) -> bool {
        let touring = matches!(self.going, Going::Grand(_) | Going::Guided { .. });
        !seeing.paused && (touring || self.way.is_some() || self.fading.is_some())
    }

    /// How positions become places, so many seconds after the last time. It never jumps, whatever is asked for; while it
    /// is paused, the axes stay as they are to the bit. `classes` are those of a guided tour.
    pub fn frame(&mut self, layout: Layout<'_>, seeing: &Seeing, classes: Option<&Classes>, seconds: f64) -> Axes {
        let dims = layout.dims;
        let wish = if dims <= SHOWN { Wish::Whole } else { Wish::Seen(seeing.axes.clone()) };
        let first = self.frame.is_none();
        self.resize(dims);
        if self.wish.as_ref() != Some(&wish) && !(seeing.paused && self.wish.is_some()) {
            self.turn_to(layout, wish);
        }
        if first {
            (self.way, self.centred) = (None, if dims > SHOWN { 1.0 } else { 0.0 });
        }
        let still = seeing.paused && !first;
        if !still {
            self.go_on(layout, classes, (seconds, f64::from(seeing.speed)));
        }
        let mut axes: Vec<Vec3> = self.frame.iter().flat_map(Frame::axes).map(Vec3::from_array).collect();
        axes.resize(dims, Vec3::ZERO);
        if let Some((rest, gone)) = &self.fading {
            let left = 1.0 - eased(*gone);
            axes.iter_mut().zip(rest).for_each(|(axis, rest)| *axis += *rest * left as f32);
        }
        let mut centre = vec![0.0; dims];
        if self.centred > 0.0 {
            let share = smooth(self.centred) as f32;
            centre.iter_mut().zip(centre_of(layout)).for_each(|(value, middle)| *value = middle * share);
        }
        Axes { centre, axes }
    }

    /// Goes on with positions of another number of dimensions: what is seen of those that stay is seen as before.
    fn resize(&mut self, dims: usize) {
        let Some(frame) = self.frame.as_ref().filter(|frame| frame.dims() != dims) else { return };
        let mut drawn: Vec<Vec3> = frame.axes().map(Vec3::from_array).collect();
        if let Some((rest, gone)) = self.fading.take() {
            let left = 1.0 - eased(gone);
            drawn.iter_mut().zip(rest).for_each(|(axis, rest)| *axis += rest * left as f32);
        }
        let had = drawn.len();
        // Dimensions that come take the axes that were empty; beyond them they are not seen at first.
        let free = |dimension: usize| if had < SHOWN { Axes::unit(dims).axes[dimension] } else { Vec3::ZERO };
        drawn.truncate(dims);
        drawn.extend((had..dims).map(free));
        let next = match &mut self.going {
            Going::Grand(tour) if dims > SHOWN => {
                tour.resize(dims);
                tour.frame().clone()
            }
            _ => {
                self.wish = None; // to be gone to anew
                let given: Vec<[f32; 3]> = drawn.iter().map(Vec3::to_array).collect();
                Frame::nearest(&given, SHOWN)
            }
        };
        let rest: Vec<Vec3> =
            drawn.iter().zip(next.axes()).map(|(drawn, axis)| *drawn - Vec3::from_array(axis)).collect();
        self.fading = rest.iter().any(|rest| rest.length() > 1e-4).then_some((rest, 0.0));
        self.way = None;
        self.frame = Some(next);
    }

    /// Goes over to something else.
    fn turn_to(&mut self, layout: Layout<'_>, wish: Wish) {
        let dims = layout.dims;
        let by_hand = matches!(wish, Wish::Seen(SeenAxes::Hand(_)));
        let now = || Frame::nearest(&arrays(&axes_of(layout, None)), SHOWN);
        let frame = self.frame.get_or_insert_with(now).clone();
        self.going = match &wish {
            Wish::Whole => Going::Still(Frame::first(dims, SHOWN)),
            Wish::Seen(SeenAxes::Principal) => Going::Principal(facing(axes_of(layout, None), &frame)),
            // Dimensions that are not there change nothing.
            Wish::Seen(SeenAxes::Dimensions(chosen)) => {
                Going::Still(Frame::of_dimensions(dims, chosen).unwrap_or_else(|_| frame.clone()))
            }
            Wish::Seen(SeenAxes::Hand(axes)) if axes.len() == dims => Going::Still(Frame::nearest(axes, SHOWN)),
            Wish::Seen(SeenAxes::Hand(_)) => Going::Still(frame.clone()),
            Wish::Seen(SeenAxes::Grand) => {
                Going::Grand(Box::new(GrandTour::starting_at(frame.clone(), SHOWN, self.seed)))
            }
            Wish::Seen(SeenAxes::Guided(_)) => {
                Going::Guided { tour: GuidedTour::new(frame.clone(), SHOWN, Arrival::Space), waited: LOOK_EVERY }
            }
        };
        let held = match &self.going {
            Going::Still(goal) => by_hand && frame.distance(goal) < HAND,
            Going::Principal(_) => false,
            _ => true, // tours begin where they are
        };
        self.way = (!held).then_some(Way { from: frame, gone: 0.0 });
        self.wish = Some(wish);
    }

    fn go_on(&mut self, layout: Layout<'_>, classes: Option<&Classes>, (seconds, speed): (f64, f64)) {
        let goal = match &mut self.going {
            Going::Nowhere => return,
            Going::Still(frame) => frame.clone(),
            Going::Principal(axes) => {
                *axes = axes_of(layout, Some(axes));
                Frame::nearest(&arrays(axes), SHOWN)
            }
            Going::Grand(tour) => tour.advance(seconds, speed).clone(),
            Going::Guided { tour, waited } => {
                *waited += seconds;
                if let Some(classes) = classes.filter(|_| *waited >= LOOK_EVERY) {
                    let Layout { positions: values, dims, stride } = layout;
                    tour.retarget(Positions { values, dims, stride }, classes);
                    *waited = 0.0;
                }
                tour.advance(seconds, speed).clone()
            }
        };
        let mut end = None;
        self.frame = Some(match &mut self.way {
            None => goal,
            Some(way) => {
                way.gone += seconds;
                let path = Path::between(&way.from, &goal, Arrival::Axes);
                let frame = path.at(path.length() * eased(way.gone));
                end = (way.gone >= WAY || path.length() < 1e-6).then(|| path.at(path.length()));
                end.clone().unwrap_or(frame)
            }
        });
        if let Some(end) = end {
            self.way = None;
            if let Going::Still(frame) = &mut self.going {
                *frame = end; // where all dimensions are seen, it may be the mirror image
            }
        }
        if let Some((_, gone)) = &mut self.fading {
            *gone += seconds;
        }
        self.fading = self.fading.take().filter(|(_, gone)| *gone < WAY);
        let step = if layout.dims > SHOWN { seconds / WAY } else { -seconds / WAY };
        self.centred = (self.centred + step).clamp(0.0, 1.0);
    }
}

/// How far along its way something is after a time.
fn eased(gone: f64) -> f64 {
    smooth((gone / WAY).clamp(0.0, 1.0))
}

fn smooth(share: f64) -> f64 {
    share * share * (3.0 - 2.0 * share)
}

fn arrays(axes: &Axes) -> Vec<[f32; 3]> {
    axes.axes.iter().map(Vec3::to_array).collect()
}

/// The same directions, each pointing as near as it can to where it did: of a widest direction only the line is known.
fn facing(mut axes: Axes, before: &Frame) -> Axes {
    let before: Vec<Vec3> = before.axes().map(Vec3::from_array).collect();
    for column in 0..SHOWN {
        let along: f32 = axes.axes.iter().zip(&before).map(|(axis, before)| axis[column] * before[column]).sum();
        if along < 0.0 {
            axes.axes.iter_mut().for_each(|axis| axis[column] = -axis[column]);
        }
    }
    axes
}

#[cfg(test)]
mod tests;
