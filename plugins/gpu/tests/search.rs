//! Propose, offer, merge and end_pass against their native twins.

use crate::support::bench::{Bench, DIRTY, FRESH, HUNGRY, native_distance};
use crate::support::{data, native, open_adapter};
use embedding::Settings;
use embedding::cpu::merge::{Merged, end_pass, merge};
use embedding::cpu::propose::{FINDS, Fan, Finds, Inbox, OFFERED, OFFERS, Sources, propose};
use embedding::lists::{EMPTY, Lists};
use gpu::stage::{Slot, Stage};
use rayon::prelude::*;
use std::ops::Range;
use vectors::{Metric, Space};

/// Length of the lists of neighbours in the data, where there are as many others.
const K: usize = 24;
/// Largest difference of a squared distance, as a share of the largest: other orders of the sum, and cosines that
/// are subtracted from one.
const DISTANCE_ERROR: f32 = 2e-6;
/// A slot of an inbox that nobody has written to.
const FREE: [u32; 2] = [u32::MAX; 2];

/// The search in the middle of its work, natively.
struct Middle {
    space: Space,
    hd: Lists,
    fresh: Vec<bool>,
    hungry: Vec<bool>,
    dirty: Vec<bool>,
    ld: Vec<u32>,
    ld_length: usize,
    pass: u32,
    seed: u32,
    fan: Fan,
}

/// What points found and offered, row by row: finds (point and bits of the distance), then slots of inboxes.
#[derive(Debug, Clone, PartialEq)]
struct Proposed {
    finds: Vec<[u32; 2]>,
    inbox: Vec<[u32; 2]>,
}

impl Middle {
    /// Lists of a few anyones, so that some places are empty.
    fn new(bench: &Bench) -> Self {
        let (space, points) = (bench.space(), bench.points());
        let hd = native::lists_of(&space, &data::random_rows(points, (K - 4).min(points - 1), 1), bench.k());
        Self {
            hd,
            fresh: vec![true; points],
            hungry: vec![false; points],
            dirty: vec![false; points],
            ld: data::random_rows(points, bench.ld_length(), 2),
            ld_length: bench.ld_length(),
            pass: 0,
            seed: bench.seed(),
            fan: Fan::of(bench.engine.settings().followed_neighbours),
            space,
        }
    }

    /// Puts everything where the GPU's stages read it.
    fn upload(&mut self, bench: &mut Bench, slice: &Range<usize>) {
        bench.write_lists(&mut self.hd);
        bench.write(Slot::Ld, &self.ld);
        let marks = self.fresh.iter().zip(&self.dirty).zip(&self.hungry);
        let mark = |((&fresh, &dirty), &hungry): ((&bool, &bool), &bool)| {
            (u32::from(fresh) * FRESH) | (u32::from(dirty) * DIRTY) | (u32::from(hungry) * HUNGRY)
        };
        let marks: Vec<u32> = marks.map(mark).collect();
        bench.write(Slot::Marks, &marks);
        bench.write(Slot::Inbox, &vec![FREE; bench.points() * OFFERS]);
        bench.write(Slot::Control, &[bench.slice_control(slice.start as u32, slice.len() as u32, self.pass)]);
    }

    fn propose(&self, slice: Range<usize>) -> (Finds, Inbox) {
        let Self { space, hd, fan, fresh, hungry, ld, ld_length, pass, seed, .. } = self;
        let (fan, ld_length, pass, seed) = (*fan, *ld_length, *pass, *seed);
        let (inbox, mut finds) = (Inbox::new(space.rows()), Finds::default());
        let alive = &vec![true; space.rows()];
        propose(Sources { space, hd, fan, fresh, hungry, ld, ld_length, alive, pass, seed }, slice, &inbox, &mut finds);
        (finds, inbox)
    }

    fn proposed(&self, slice: Range<usize>) -> Proposed {
        let (finds, mut inbox) = self.propose(slice);
        let found = finds.entries.iter().zip(&finds.distances).map(|(&entry, distance)| [entry, distance.to_bits()]);
        let taken = |slot| Inbox::take(slot).map_or(FREE, |(from, distance)| [from, distance.to_bits()]);
        let inbox = inbox.chunks_mut().flat_map_iter(|slots| slots.iter_mut().map(taken)).collect();
        Proposed { finds: found.collect(), inbox }
    }

    fn merge(&mut self, slice: Range<usize>) -> Merged {
        let (finds, mut inbox) = self.propose(slice.clone());
        self.hungry[slice].fill(false);
        merge(&mut self.hd, &mut self.dirty, &finds, &mut inbox, false)
    }

    fn end_pass(&mut self) {
        end_pass(&mut self.hd, self.fan, &mut self.fresh);
        self.pass += 1;
    }
}

/// What the GPU's stages leave in their buffers.
fn proposed_on_gpu(bench: &mut Bench, slice: &Range<usize>) -> Proposed {
    bench.run(&[Stage::Propose, Stage::Offer]);
    let rows: Vec<[u32; 2]> = bench.read(Slot::Finds);
    let own = rows.chunks_exact(FINDS + OFFERED).take(slice.len()).flat_map(|row| row[..FINDS].to_vec());
    let own = own.map(|[row, distance]| [row, native_distance(f32::from_bits(distance)).to_bits()]);
    let boxes: Vec<u32> = bench.read(Slot::Inbox);
    let inbox = boxes
        .chunks_exact(2 * OFFERS)
        .flat_map(|row| (0..OFFERS).map(|slot| [row[OFFERS + slot], row[slot]]).collect::<Vec<_>>());
    Proposed { finds: own.collect(), inbox: inbox.collect() }
}

/// Marks as the GPU has them.
fn marks(bench: &mut Bench, mark: u32) -> Vec<bool> {
    bench.read::<u32>(Slot::Marks).iter().map(|marks| marks & mark != 0).collect()
}

/// Whole passes on both backends, each from where the other is too.
fn follow_passes(bench: &mut Bench, case: &str) {
    let mut middle = Middle::new(bench);
    let points = bench.points();
    for pass in 0..3 {
        // The second pass comes in two slices.
        let cut = if pass == 1 { points / 3 } else { 0 };
        // Then some look at everything again, as those do who have lost much.
        middle.hungry = (0..points).map(|point| pass > 0 && point % 5 == 2).collect();
        for slice in [0..cut, cut..points].into_iter().filter(|slice| !slice.is_empty()) {
            let case = format!("{case}, pass {pass}, points {slice:?}");
            middle.upload(bench, &slice);
            let expected = middle.proposed(slice.clone());
            assert_eq!(proposed_on_gpu(bench, &slice), expected, "{case}");
            bench.run(&[Stage::Merge]);
            let merged = middle.merge(slice.clone());
            assert!(bench.read_lists() == middle.hd, "lists differ: {case}");
            let control = bench.control();
            assert_eq!((control.found as usize, control.changed as usize), (merged.found, merged.changed), "{case}");
            assert_eq!(marks(bench, DIRTY), middle.dirty, "{case}");
            assert_eq!(marks(bench, HUNGRY), middle.hungry, "{case}");
            assert!(bench.read::<u32>(Slot::Inbox).iter().all(|&slot| slot == u32::MAX), "{case}");
        }
        bench.run(&[Stage::EndPass]);
        middle.end_pass();
        assert!(bench.read_lists() == middle.hd, "lists differ when a pass ends: {case}");
        assert_eq!(marks(bench, FRESH), middle.fresh, "{case}, pass {pass}");
        assert_eq!(marks(bench, DIRTY), middle.dirty, "{case}, pass {pass}");
    }
}

/// Moves a row that was found: the old finds must not come out again.
fn notice_a_moved_row(bench: &mut Bench, case: &str) {
    let mut middle = Middle::new(bench);
    let slice = 0..bench.points();
    middle.upload(bench, &slice);
    let expected = middle.proposed(slice.clone());
    let Some(&[found, _]) = expected.finds.iter().find(|find| find[0] != EMPTY) else { return };
    let mut vectors = bench.space().vectors().clone();
    vectors.row_mut(found as usize)[0] += 1.0;
    bench.write(Slot::Vectors, vectors.padded());
    assert_ne!(proposed_on_gpu(bench, &slice), expected, "a moved row goes unnoticed: {case}");
}

#[test]
fn exact_distances_give_the_very_same_lists() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings { hd_neighbours: Some(K), ..Settings::default() };
    let mut bench = Bench::new(&adapter, data::whole_numbers(2, 2, 1), &settings);
    for (case, vectors) in data::exact_cases() {
        bench.replace(vectors, &settings);
        follow_passes(&mut bench, &case);
        notice_a_moved_row(&mut bench, &case);
    }
    // Every place is followed, and lists in the embedding that are shorter than what is looked at there.
    let settings = Settings { followed_neighbours: 40, ld_neighbours: 3, ..settings };
    bench.replace(data::digits(300), &settings);
    follow_passes(&mut bench, "everything followed");
}

/// Compares finds whose distances are rounded: at every place as near, and what it says it is.
fn nearly(space: &Space, found: &Proposed, expected: &Proposed) -> Result<(), String> {
    let largest =
        expected.finds.iter().map(|find| f32::from_bits(find[1])).filter(|d| d.is_finite()).fold(0.0, f32::max);
    let close = |a: f32, b: f32| a == b || (a - b).abs() <= DISTANCE_ERROR * largest;
    for (at, (found, expected)) in found.finds.iter().zip(&expected.finds).enumerate() {
        let (point, distance) = (at / FINDS, f32::from_bits(found[1]));
        let known = if found[0] == EMPTY { f32::INFINITY } else { space.squared_distance(point, found[0] as usize) };
        if !close(distance, f32::from_bits(expected[1])) || !close(distance, known) {
            return Err(format!("point {point} finds {found:?} instead of {expected:?}"));
        }
    }
    for (at, (found, expected)) in found.inbox.iter().zip(&expected.inbox).enumerate() {
        let offers = (found != &FREE).then(|| f32::from_bits(found[1]));
        let wanted = (expected != &FREE).then(|| f32::from_bits(expected[1]));
        if offers.is_some() != wanted.is_some() || !close(offers.unwrap_or(0.0), wanted.unwrap_or(0.0)) {
            return Err(format!("slot {at} of the inboxes holds {found:?} instead of {expected:?}"));
        }
    }
    Ok(())
}

#[test]
fn finds_agree_under_every_metric() {
    let Some(adapter) = open_adapter() else { return };
    let settings = Settings { hd_neighbours: Some(K), ..Settings::default() };
    let mut bench = Bench::new(&adapter, data::cloud(2, 2, 1), &settings);
    let cases = [data::cloud(200, 7, 3), data::with_zero_rows(100, 7, 3), data::digits(400)];
    for vectors in cases {
        for metric in Metric::ALL {
            let case = format!("{} rows, {metric}", vectors.rows());
            bench.replace(vectors.clone(), &Settings { metric, ..settings.clone() });
            let mut middle = Middle::new(&bench);
            let slice = 0..bench.points();
            middle.upload(&mut bench, &slice);
            let expected = middle.proposed(slice.clone());
            let found = proposed_on_gpu(&mut bench, &slice);
            assert_eq!(nearly(&middle.space, &found, &expected), Ok(()), "{case}");
            let finds = found.finds.iter().filter(|find| find[0] != EMPTY).count();
            assert!(finds > bench.points(), "only {finds} finds: {case}");

            middle.upload(&mut bench, &slice);
            let other: Vec<u32> = middle.hd.rows_mut().0.iter().map(|entry| entry ^ 1).collect();
            bench.write(Slot::HdEntries, &other);
            let found = proposed_on_gpu(&mut bench, &slice);
            assert!(nearly(&middle.space, &found, &expected).is_err(), "other lists go unnoticed: {case}");
        }
    }
}
