//! The tour that comes to see everything.

use crate::frame::{Frame, carried};
use crate::geodesic::Geodesic;
use crate::linalg::{dot, outside};
use crate::speed::radians;
use faer::{Mat, Scale};
use fastrand::Rng;

/// Radians that are gone straight on: short enough for the corners between pieces not to be seen.
const PIECE: f64 = 1.0 / 64.0;
/// Pieces in which the tour bends into a new direction: about the way from anywhere to something quite different.
const PIECES: usize = 96;

/// A smooth random curve through all frames, at an even speed.
///
/// From leg to leg the tour bends into another random direction, by a quarter turn at most, so that it neither stops
/// nor doubles back as one that runs to and fro between random goals would at each of them. No direction is preferred,
/// so in the long run every frame is as likely as any other. Where all dimensions are shown there is nothing to tour,
/// and the frame stays.
///
/// The curve depends on the seed alone; the frame rate says only where on it the pictures are taken.
#[derive(Debug, Clone)]
pub struct GrandTour {
    frame: Frame,
    /// Axes that are wanted, should there be dimensions enough.
    shown: usize,
    rng: Rng,
    leg: Option<Leg>,
}

/// Where the tour is and how it bends.
#[derive(Debug, Clone)]
struct Leg {
    piece: Geodesic,
    /// Radians gone on the piece.
    gone: f64,
    /// Pieces done.
    pieces: usize,
    /// The direction of the piece, of length 1, at its start.
    heading: Mat<f64>,
    /// The direction to which the heading bends, orthogonal to it; zero where there is no other.
    aside: Mat<f64>,
    /// By how much, in radians.
    bend: f64,
}

impl GrandTour {
    /// A tour that starts at the first dimensions.
    #[must_use]
    pub fn new(dims: usize, shown: usize, seed: u64) -> Self {
        Self::starting_at(Frame::first(dims, shown), shown, seed)
    }

    /// A tour that starts at what is seen now. It shows as many axes as are wanted once it has been
    /// [resized](Self::resize) to dimensions enough.
    #[must_use]
    pub fn starting_at(frame: Frame, shown: usize, seed: u64) -> Self {
        let mut tour = Self { frame, shown, rng: Rng::with_seed(seed), leg: None };
        tour.leg = Leg::new(&tour.frame, None, &mut tour.rng);
        tour
    }

    /// What is seen now.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Goes on for a time at a speed in radians per second, at most [`MAX_STEP`](crate::MAX_STEP) at once.
    pub fn advance(&mut self, seconds: f64, speed: f64) -> &Frame {
        let mut left = radians(seconds, speed);
        if let Some(leg) = self.leg.as_mut().filter(|_| left > 0.0) {
            while leg.gone + left >= PIECE {
                left -= PIECE - leg.gone;
                leg.turn(&mut self.rng);
            }
            leg.gone += left;
            self.frame = leg.piece.at(leg.gone);
        }
        &self.frame
    }

    /// Goes on with positions of another number of dimensions; see [`Frame::resized`].
    pub fn resize(&mut self, dims: usize) {
        if dims == self.frame.dims() {
            return;
        }
        self.frame = self.frame.resized(dims, self.shown);
        let (dims, shown) = (self.frame.dims(), self.frame.shown());
        let heading = self.leg.as_ref().map(|leg| carried(&leg.piece.carry(&leg.heading, leg.gone), dims, shown));
        self.leg = Leg::new(&self.frame, heading, &mut self.rng);
    }
}

impl Leg {
    /// A leg from a frame, in a direction or else in any; none if nothing is out of sight.
    fn new(frame: &Frame, heading: Option<Mat<f64>>, rng: &mut Rng) -> Option<Self> {
        if frame.dims() == frame.shown() {
            return None;
        }
        let heading = heading.and_then(|heading| direction(frame, &heading));
        let heading = heading.unwrap_or_else(|| random_direction(frame, rng));
        let piece = Geodesic::new(frame.clone(), &heading);
        let aside = Mat::zeros(frame.dims(), frame.shown());
        let mut leg = Self { piece, gone: 0.0, pieces: 0, heading, aside, bend: 0.0 };
        leg.choose(frame, rng);
        Some(leg)
    }

    /// Ends the piece and starts the next, in a direction a little nearer to the chosen one.
    fn turn(&mut self, rng: &mut Rng) {
        let frame = self.piece.at(PIECE);
        let heading = self.piece.carry(&self.heading, PIECE);
        let aside = self.piece.carry(&self.aside, PIECE);
        let bent = |pieces: usize| {
            let t = pieces as f64 / PIECES as f64;
            self.bend * t * t * (3.0 - 2.0 * t)
        };
        let (sine, cosine) = (bent(self.pieces + 1) - bent(self.pieces)).sin_cos();
        let next = &heading * Scale(cosine) + &aside * Scale(sine);
        // Rounding is taken off, lest it gathers; a direction of length 1 does not vanish by it.
        self.heading = direction(&frame, &next).unwrap_or(next);
        self.aside = aside * Scale(cosine) - heading * Scale(sine);
        self.pieces += 1;
        if self.pieces == PIECES {
            self.choose(&frame, rng);
        }
        self.piece = Geodesic::new(frame, &self.heading);
        self.gone = 0.0;
    }

    /// Chooses the next direction.
    fn choose(&mut self, frame: &Frame, rng: &mut Rng) {
        let goal = random_direction(frame, rng);
        let ahead = dot(&goal, &self.heading);
        // Of a direction and its opposite the one that lies ahead.
        let goal = if ahead < 0.0 { goal * Scale(-1.0) } else { goal };
        let rest = &goal - &self.heading * Scale(ahead.abs());
        (self.aside, self.bend) = match direction(frame, &rest) {
            Some(aside) => (aside, ahead.abs().min(1.0).acos()),
            None => (Mat::zeros(frame.dims(), frame.shown()), 0.0),
        };
        self.pieces = 0;
    }
}

/// The direction of a velocity, without what would only spin the picture; none if nothing is left.
fn direction(frame: &Frame, velocity: &Mat<f64>) -> Option<Mat<f64>> {
    let outwards = outside(frame.columns(), velocity);
    let length = outwards.norm_l2();
    (length > 1e-9).then(|| outwards * Scale(1.0 / length))
}

/// Any direction, each as likely as any other.
fn random_direction(frame: &Frame, rng: &mut Rng) -> Mat<f64> {
    loop {
        let velocity = Mat::from_fn(frame.dims(), frame.shown(), |_, _| normal(rng));
        if let Some(direction) = direction(frame, &velocity) {
            return direction;
        }
    }
}

/// A normal deviate (Box and Muller).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.f64()).cos()
}
