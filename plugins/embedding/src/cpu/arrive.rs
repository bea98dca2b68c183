//! Arrive: a short search for the neighbours of a row that has just come. It starts from a sample of all rows and
//! walks from neighbour to neighbour, always on from the nearest that it has not been to.

use super::calibrate::Gaussian;
use super::propose::Fan;
use crate::lists::{self, EMPTY, Lists, NEW, POINT};
use crate::random::{below, hash};
use pulp::Simd;
use vectors::kernel::{self, Kernel, WithKernel};
use vectors::{Space, Vectors};

/// Rows looked at to begin with, as a multiple of √N: enough to land in or next to every larger cluster.
pub const SAMPLE: f32 = 4.0;
/// Slots of the filter of rows already met.
const FILTER: usize = 2048;
/// Points farther away than this multiple of a list's reach (squared) are hardly anybody's business: they are not asked
/// whether they want a row, nor followed where they merely fill a place.
pub const REACH: f32 = 1.5;
/// Neighbours whose positions tell where a new point starts.
pub const GUIDES: usize = 8;

/// Rows that searches begin with. All that come together begin with the same ones, which then stay in the cache.
#[derive(Debug)]
pub struct Sample {
    points: Vec<u32>,
    rows: Space,
}

impl Sample {
    /// Draws rows among those who live.
    #[must_use]
    pub fn draw(space: &Space, k: usize, alive: &[bool], seed: u32, iteration: u32) -> Self {
        let count = ((SAMPLE * (alive.len() as f32).sqrt()) as u32).max(k as u32);
        let drawn = (0..count).map(|draw| below(hash(seed, iteration, EMPTY, draw), alive.len() as u32));
        let points: Vec<u32> = drawn.filter(|&point| alive[point as usize]).collect();
        let mut rows = Vectors::with_capacity(points.len(), space.vectors().dims());
        points.iter().for_each(|&point| rows.push(space.vectors().row(point as usize)));
        Self { points, rows: Space::new(rows, space.metric()) }
    }
}

/// What the search reads.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The data; the row that has come is in it already.
    pub space: &'a Space,
    /// Neighbours in the data.
    pub hd: &'a Lists,
    /// Which places of a list are followed.
    pub fan: Fan,
    /// Where it begins.
    pub sample: &'a Sample,
}

/// The nearest neighbours found, ascending: at most as many as a list holds.
#[derive(Debug, Clone, Default)]
pub struct Nearest {
    /// Points.
    pub points: Vec<u32>,
    /// Their squared distances.
    pub distances: Vec<f32>,
    /// Points met on the way, and their squared distances, to which the row is nearer than the last of their list.
    pub wanted_by: Vec<(u32, f32)>,
}

/// Looks for the nearest neighbours of a point, beginning with those known.
#[must_use]
pub fn nearest(ground: Ground<'_>, point: u32, known: &[u32]) -> Nearest {
    kernel::dispatch(ground.space.metric(), Walk { ground, point, known })
}

struct Walk<'a> {
    ground: Ground<'a>,
    point: u32,
    known: &'a [u32],
}

impl WithKernel for Walk<'_> {
    type Output = Nearest;
    #[inline(always)]
    fn run<K: Kernel, S: Simd>(self, simd: S) -> Nearest {
        let Self { ground: Ground { space, hd, fan, sample }, point, known } = self;
        let k = hd.k();
        let mut nearest = Nearest { points: vec![EMPTY; k], distances: vec![f32::INFINITY; k], wanted_by: Vec::new() };
        let own = space.row(point as usize);
        let mut met = [point; FILTER];
        // Not a closure: that would not be compiled for the processor's widest registers.
        macro_rules! look {
            ($candidate:expr, $row:expr) => {
                let distance = K::squared(simd, own, $row);
                lists::insert(&mut nearest.points, &mut nearest.distances, $candidate | NEW, distance);
                if distance < REACH * nearest.distances[k - 1] {
                    nearest.wanted_by.push(($candidate, distance));
                }
            };
        }
        for (at, &candidate) in sample.points.iter().enumerate().filter(|(_, candidate)| **candidate != point) {
            met[candidate as usize % FILTER] = candidate;
            look!(candidate, sample.rows.row(at));
        }
        let places = fan.places(k);
        let mut strangers = vec![EMPTY; known.len().max(k)];
        let mut count = sift(known.iter().copied(), point, &mut met, &mut strangers);
        loop {
            for &candidate in &strangers[..count] {
                look!(candidate, space.row(candidate as usize));
            }
            let Some(at) = nearest.points.iter().position(|entry| entry & NEW != 0) else { break };
            nearest.points[at] &= POINT;
            let theirs = hd.entries(nearest.points[at] as usize);
            let followed = places.iter().flat_map(|places| &theirs[places.clone()]).map(|entry| entry & POINT);
            count = sift(followed, point, &mut met, &mut strangers);
        }
        let found = nearest.points.iter().take_while(|&&entry| entry != EMPTY).count();
        nearest.points.truncate(found);
        nearest.distances.truncate(found);
        // Only now: the lists of all that were met on the way would be as many cache misses.
        let reach = REACH * nearest.distances.last().copied().filter(|_| found == k).unwrap_or(f32::INFINITY);
        nearest.wanted_by.retain(|&(other, distance)| distance < reach && distance < hd.worst(other as usize));
        nearest
    }
}

/// Picks out those that were not met yet, and counts them.
#[inline(always)]
fn sift(from: impl Iterator<Item = u32>, point: u32, met: &mut [u32; FILTER], strangers: &mut [u32]) -> usize {
    let mut count = 0;
    for candidate in from {
        let seen = std::mem::replace(&mut met[candidate as usize % FILTER], candidate) == candidate;
        strangers[count] = candidate;
        count += usize::from(!seen & (candidate != point) & (candidate != EMPTY));
    }
    count
}

/// Where a point starts: at the neighbour from which the others are least far in the embedding, weighted by their
/// affinities. A mean would lie between clusters, in nobody's neighbourhood, wherever neighbours are of two of them.
pub fn place(nearest: &Nearest, gaussian: Gaussian, position_of: impl Fn(u32, usize) -> f32, position: &mut [f32]) {
    let guides = &nearest.points[..nearest.points.len().min(GUIDES)];
    let squared = |a: u32, b: u32| -> f32 {
        (0..position.len()).map(|axis| (position_of(a, axis) - position_of(b, axis)).powi(2)).sum()
    };
    let weights: Vec<f32> = nearest.distances.iter().take(GUIDES).map(|&distance| gaussian.p(distance)).collect();
    let cost = |&guide: &u32| -> f32 {
        guides.iter().zip(&weights).map(|(&other, weight)| weight * squared(guide, other).sqrt()).sum()
    };
    // The first of equals is the nearest.
    let chosen = guides.iter().map(|guide| (cost(guide), *guide)).reduce(|a, b| if b.0 < a.0 { b } else { a });
    for (axis, value) in position.iter_mut().enumerate() {
        *value = chosen.map_or(0.0, |(_, guide)| position_of(guide, axis));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::calibrate::SCALES;

    #[test]
    fn a_point_between_two_clusters_starts_in_the_one_with_more_of_its_neighbours() {
        let positions = [[9.0, -9.0], [0.0, 0.5], [8.0, -9.0], [0.5, 0.0], [0.0, -0.5], [-1.0, 0.0], [7.0, 7.0]];
        let place_of = |order: &[u32]| {
            let distances = (1..=order.len() as u8).map(f32::from).collect();
            let nearest = Nearest { points: order.to_vec(), distances, wanted_by: Vec::new() };
            let even = Gaussian { inverse_sum: [1.0 / order.len() as f32; SCALES], ..Gaussian::default() };
            let mut position = [f32::NAN; 2];
            place(&nearest, even, |point, axis| positions[point as usize][axis], &mut position);
            position
        };
        assert_eq!(place_of(&[0, 1, 2, 3, 4, 5]), positions[4]);
        assert_eq!(place_of(&[6]), positions[6]);
        assert_eq!(place_of(&[1, 0]), positions[1], "of two, the nearer");
        assert_eq!(place_of(&[]), [0.0, 0.0]);
    }
}
