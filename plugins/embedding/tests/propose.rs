//! Propose against a plain version: the candidates that its documentation names, the nearest of them first.

use crate::support::data;
use embedding::cpu::merge::{end_pass, merge};
use embedding::cpu::propose::{FINDS, Fan, Finds, Inbox, Sources, propose};
use embedding::lists::{self, EMPTY, Lists, NEW, POINT};
use embedding::random::{below, hash};
use std::collections::BTreeSet;
use vectors::{Metric, Space};

pub const POINTS: usize = 400;
pub const LD_LENGTH: usize = 11;
/// Places of a list that are followed.
const FOLLOWED: usize = 16;
const SEED: u32 = 21;
/// Rows that every point tries at random in every pass.
const ANYWHERE: u32 = 2;
/// Neighbours in the embedding that every point tries in every pass, from a random one on; every second leads on to one
/// of its own.
const FROM_EMBEDDING: usize = 8;

/// A search in the middle of its work.
pub struct Middle {
    pub space: Space,
    pub hd: Lists,
    pub fresh: Vec<bool>,
    alive: Vec<bool>,
    pub ld: Vec<u32>,
    pub pass: u32,
}

impl Middle {
    /// Lists of length `k` of anyone, all new.
    pub fn new(metric: Metric, k: usize) -> Self {
        let space = Space::new(data::cloud(POINTS, 7, SEED), metric);
        let mut hd = Lists::empty(POINTS, k);
        let (entries, distances) = hd.rows_mut();
        let rows = entries.chunks_exact_mut(k).zip(distances.chunks_exact_mut(k));
        let anyone = data::random_rows(POINTS, k, SEED + 1);
        for (point, ((entries, distances), anyone)) in rows.zip(anyone.chunks_exact(k)).enumerate() {
            for &one in anyone {
                lists::insert(entries, distances, one | NEW, space.squared_distance(point, one as usize));
            }
        }
        let ld = data::random_rows(POINTS, LD_LENGTH, SEED);
        Self { space, hd, fresh: vec![true; POINTS], alive: vec![true; POINTS], ld, pass: 0 }
    }

    pub fn sources(&self) -> Sources<'_> {
        let Self { space, hd, fresh, ld, alive, pass } = self;
        let fan = Fan::of(FOLLOWED);
        Sources {
            space,
            hd,
            fan,
            fresh,
            hungry: &[false; POINTS],
            ld,
            ld_length: LD_LENGTH,
            alive,
            pass: *pass,
            seed: SEED,
        }
    }

    /// A whole pass.
    pub fn advance(&mut self) -> usize {
        let (mut inbox, mut finds) = (Inbox::new(POINTS), Finds::default());
        propose(self.sources(), 0..POINTS, &inbox, &mut finds);
        let gained = merge(&mut self.hd, &mut [false; POINTS], &finds, &mut inbox, false).found;
        end_pass(&mut self.hd, Fan::of(FOLLOWED), &mut self.fresh);
        self.pass += 1;
        gained
    }

    /// Everyone a point should look at, neither itself nor its neighbours.
    pub fn candidates(&self, point: usize) -> BTreeSet<u32> {
        // Twelve places at the front, four at the back.
        let (k, near, far) = (self.hd.k(), FOLLOWED * 3 / 4, FOLLOWED / 4);
        let followed = |at: usize| at < near || at + far >= k;
        let fan = |point: usize| {
            let entries = self.hd.entries(point).iter().enumerate();
            entries.filter(move |&(at, &entry)| followed(at) && entry & POINT != EMPTY).map(|(_, entry)| entry)
        };
        let mut candidates = BTreeSet::new();
        for &neighbour in fan(point) {
            for &candidate in fan((neighbour & POINT) as usize) {
                if neighbour & NEW != 0 || candidate & NEW != 0 {
                    candidates.insert(candidate & POINT);
                }
            }
        }
        let first = hash(SEED, self.pass, point as u32, ANYWHERE) as usize;
        let friend = |of: usize, at: usize| self.ld[of * LD_LENGTH + (first + at) % LD_LENGTH];
        candidates.extend((0..FROM_EMBEDDING).map(|at| {
            let friend_of_point = friend(point, at);
            if at % 2 == 0 { friend_of_point } else { friend(friend_of_point as usize, at) }
        }));
        let anywhere = |draw| below(hash(SEED, self.pass, point as u32, draw), POINTS as u32);
        candidates.extend((0..ANYWHERE).map(anywhere));
        candidates.remove(&(point as u32));
        self.hd.neighbours(point).for_each(|neighbour| _ = candidates.remove(&neighbour));
        candidates
    }

    /// What a point finds for itself, nearest first.
    pub fn plain_finds(&self, point: usize) -> Vec<(f32, u32)> {
        let worst = self.hd.worst(point);
        let measured = self.candidates(point).into_iter().map(|c| (self.space.squared_distance(point, c as usize), c));
        let mut finds: Vec<(f32, u32)> = measured.filter(|&(distance, _)| distance < worst).collect();
        finds.sort_by(|a, b| a.0.total_cmp(&b.0));
        finds.truncate(FINDS);
        finds
    }
}

fn row(finds: &Finds, point: usize) -> Vec<(f32, u32)> {
    let first = (point - finds.slice.start) * FINDS;
    let entries = finds.entries[first..][..FINDS].iter();
    let found = finds.distances[first..][..FINDS].iter().copied().zip(entries.copied());
    let found: Vec<(f32, u32)> = found.take_while(|&(_, entry)| entry != EMPTY).collect();
    assert!(finds.entries[first + found.len()..first + FINDS].iter().all(|&entry| entry == EMPTY));
    found
}

/// Compares a slice of the points; returns how many finds there were.
fn compare(middle: &Middle, slice: std::ops::Range<usize>, case: &str) -> usize {
    let mut finds = Finds::default();
    propose(middle.sources(), slice.clone(), &Inbox::new(POINTS), &mut finds);
    assert_eq!(finds.slice, slice);
    assert_eq!(finds.entries.len(), slice.len() * FINDS);
    let rows = slice.map(|point| {
        let found = row(&finds, point);
        assert_eq!(found, middle.plain_finds(point), "point {point}, {case}");
        found.len()
    });
    rows.sum()
}

#[test]
fn finds_are_the_nearest_of_the_candidates() {
    for metric in Metric::ALL {
        for k in [8, 24] {
            let mut middle = Middle::new(metric, k);
            for pass in 0..3 {
                let case = format!("{metric}, K {k}, pass {pass}");
                let found = compare(&middle, 0..POINTS, &case);
                assert!(pass > 0 || found > POINTS, "only {found} finds: {case}");
                compare(&middle, 37..181, &case);
                middle.advance();
            }
        }
    }
}

#[test]
fn without_new_marks_only_the_embedding_and_chance_are_looked_at() {
    let mut middle = Middle::new(Metric::Euclidean, 8);
    for _ in 0..2 {
        // Nothing came in: the second time nothing is new.
        end_pass(&mut middle.hd, Fan::of(FOLLOWED), &mut middle.fresh);
    }
    assert!(middle.fresh.iter().all(|fresh| !fresh));
    assert!((0..POINTS).all(|point| middle.candidates(point).len() <= FROM_EMBEDDING + ANYWHERE as usize));
    assert!(compare(&middle, 0..POINTS, "nothing new") > 0);
}

#[test]
fn a_new_mark_more_is_a_find_more() {
    let mut middle = Middle::new(Metric::Euclidean, 8);
    for _ in 0..2 {
        end_pass(&mut middle.hd, Fan::of(FOLLOWED), &mut middle.fresh);
    }
    let mut quiet = Finds::default();
    propose(middle.sources(), 0..POINTS, &Inbox::new(POINTS), &mut quiet);
    middle.hd.mark_all_new();
    middle.fresh.fill(true);
    let differing = (0..POINTS).filter(|&point| row(&quiet, point) != middle.plain_finds(point)).count();
    assert!(differing > POINTS / 2, "only {differing} rows can tell whether marks are heeded");
    compare(&middle, 0..POINTS, "all new again");
}
