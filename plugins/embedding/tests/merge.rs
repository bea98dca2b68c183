//! Merge and the end of a pass.

use crate::propose::{Middle, POINTS};
use embedding::cpu::merge::{end_pass, merge};
use embedding::cpu::propose::{Fan, Finds, Inbox, OFFERED, propose};
use embedding::lists::{EMPTY, Lists, NEW, NEXT};
use embedding::random::pcg;
use std::collections::{BTreeMap, BTreeSet};
use vectors::Metric;

/// Offers that a point can hold, one for each value of a hash of who offers.
const OFFERS: usize = 4;

/// Who offers itself to whom, by point: those that look at a point which would gain by them, each to the nearest few.
fn plain_offers(middle: &Middle) -> Vec<BTreeMap<u32, f32>> {
    let mut offers = vec![BTreeMap::new(); POINTS];
    for from in 0..POINTS {
        let mut offered: Vec<(f32, u32)> = middle
            .candidates(from)
            .into_iter()
            .map(|to| (middle.space.squared_distance(from, to as usize), to))
            .filter(|&(distance, to)| distance < middle.hd.worst(to as usize))
            .filter(|&(_, to)| middle.hd.neighbours(to as usize).all(|neighbour| neighbour != from as u32))
            .collect();
        offered.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        offered.dedup();
        for (distance, to) in offered.into_iter().take(OFFERED) {
            offers[to as usize].insert(from as u32, distance);
        }
    }
    offers
}

/// Of offers that fall into the same slot of an inbox, the nearest.
fn kept(offers: &BTreeMap<u32, f32>) -> Vec<(f32, u32)> {
    let in_slot = |slot: usize| offers.iter().filter(move |&(&from, _)| pcg(from) as usize % OFFERS == slot);
    let nearest = |slot: usize| in_slot(slot).map(|(&from, &d)| (d, from)).min_by(|a, b| a.0.total_cmp(&b.0));
    (0..OFFERS).filter_map(nearest).collect()
}

fn named(hd: &Lists, point: usize) -> Vec<(f32, u32)> {
    hd.distances(point).iter().copied().zip(hd.neighbours(point)).collect()
}

/// The nearest of the old row, the finds and the offers.
fn plain_row(middle: &Middle, point: usize, offers: &[(f32, u32)]) -> Vec<(f32, u32)> {
    let mut row = named(&middle.hd, point);
    row.extend(middle.plain_finds(point));
    row.extend(offers);
    row.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    row.dedup();
    row.truncate(middle.hd.k());
    row
}

fn check_rows(before: &Lists, after: &Lists, middle: &Middle) {
    for point in 0..POINTS {
        let row = named(after, point);
        assert!(row.is_sorted_by(|a, b| a.0 <= b.0), "row {point} does not ascend");
        let names: BTreeSet<u32> = row.iter().map(|&(_, neighbour)| neighbour).collect();
        assert_eq!(names.len(), row.len(), "row {point} names someone twice");
        assert!(!names.contains(&(point as u32)), "row {point} names itself");
        for (distance, neighbour) in row {
            assert_eq!(distance, middle.space.squared_distance(point, neighbour as usize), "{point}, {neighbour}");
        }
        let rows = before.distances(point).iter().zip(after.distances(point));
        assert!(rows.clone().all(|(before, after)| after <= before), "row {point} got worse");
    }
}

#[test]
fn rows_become_the_nearest_of_old_rows_finds_and_offers() {
    for metric in Metric::ALL {
        let mut middle = Middle::new(metric, 8);
        for pass in 0..2 {
            let (mut inbox, mut finds) = (Inbox::new(POINTS), Finds::default());
            propose(middle.sources(), 0..POINTS, &inbox, &mut finds);
            let (mut merged, mut dirty) = (middle.hd.clone(), vec![false; POINTS]);
            let gained = merge(&mut merged, &mut dirty, &finds, &mut inbox, false).found;
            check_rows(&middle.hd, &merged, &middle);

            let offers = plain_offers(&middle);
            let mut by_offers = 0;
            for (point, offers) in offers.iter().enumerate() {
                let expected = plain_row(&middle, point, &kept(offers));
                assert_eq!(named(&merged, point), expected, "row {point}, {metric}, pass {pass}");
                by_offers += usize::from(expected != plain_row(&middle, point, &[]));
            }
            assert!(by_offers > 0, "no row shows whether offers arrive ({metric}, pass {pass})");
            let finders = (0..POINTS).filter(|&point| !middle.plain_finds(point).is_empty()).count();
            assert_eq!(gained, finders, "{metric}, pass {pass}");
            for (point, &dirty) in dirty.iter().enumerate() {
                assert_eq!(dirty, named(&merged, point) != named(&middle.hd, point), "row {point}");
            }
            middle.advance();
        }
    }
}

#[test]
fn of_offers_that_collide_the_nearest_stays_whoever_came_first() {
    let [first, second] = {
        let mut twins = (0..).filter(|&from| pcg(from) as usize % OFFERS == 2);
        [twins.next().expect("endless"), twins.next().expect("endless")]
    };
    for order in [[(first, 3.0), (second, 2.0)], [(second, 2.0), (first, 3.0)]] {
        let mut inbox = Inbox::new(POINTS);
        order.iter().for_each(|&(from, distance)| inbox.offer(300, from, distance));
        let mut hd = Lists::empty(POINTS, 5);
        let mut dirty = vec![false; POINTS];
        assert_eq!(merge(&mut hd, &mut dirty, &Finds::default(), &mut inbox, false).found, 0);
        assert_eq!(named(&hd, 300), [(2.0, second)]);
        assert!((0..POINTS).all(|point| dirty[point] == (point == 300)));
        // Taken offers are gone.
        let before = hd.clone();
        merge(&mut hd, &mut dirty, &Finds::default(), &mut inbox, false);
        assert_eq!(hd, before);
    }
}

#[test]
fn the_end_of_a_pass_turns_what_came_in_into_new_and_what_was_followed_into_old() {
    let k = 20; // twelve places at the front and four at the back are followed, four in between are not
    let mut hd = Lists::empty(4, k);
    let (entries, _) = hd.rows_mut();
    entries[..4].copy_from_slice(&[1 | NEW, 2 | NEXT, 1, 2 | NEW | NEXT]);
    entries[k + 12] = 2 | NEXT;
    entries[k + 13] = 3 | NEW;
    entries[2 * k] = 1 | NEW;
    entries[2 * k + 19] = 3 | NEW;
    entries[3 * k + 16] = 2 | NEXT;
    let mut fresh = [false, true, true, false];
    end_pass(&mut hd, Fan::of(16), &mut fresh);
    assert_eq!(hd.entries(0)[..5], [1, 2 | NEW, 1, 2 | NEW, EMPTY]);
    assert!(hd.entries(0)[4..].iter().all(|&entry| entry == EMPTY));
    assert_eq!(hd.entries(1)[12..14], [2 | NEW, 3 | NEW], "what was not followed is still to be looked at");
    assert_eq!((hd.entries(2)[0], hd.entries(2)[19]), (1, 3));
    assert_eq!(hd.entries(3)[16], 2 | NEW);
    assert_eq!(fresh, [true, false, false, true]);
}

#[test]
fn a_fan_follows_each_place_of_a_list_at_most_once() {
    for followed in [1, 2, 5, 16, 33] {
        for k in [1, 2, 7, 16, 17, 40] {
            let places: Vec<usize> = Fan::of(followed).places(k).into_iter().flatten().collect();
            assert!(places.is_sorted_by(|a, b| a < b) && places.iter().all(|&place| place < k), "{places:?} of {k}");
            assert_eq!(places.len(), followed.min(k), "{followed} of {k}: {places:?}");
            assert_eq!((places.first(), k < 2 || followed < 4 || places.contains(&(k - 1))), (Some(&0), true));
        }
    }
}
