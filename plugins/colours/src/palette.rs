//! The colours of categories.

use crate::oklab::{Lab, contrast, lab_from_rgb, rgb_from_lab, squared_distance};
use crate::{MISSING, Rgb};

/// Up to so many categories take the colours of Okabe and Ito, which people with any colour vision can tell apart.
pub const MAX_FEW: usize = 8;

/// Colours that a palette has at most; among more than three quarters of so many categories colours repeat.
pub const MAX_PALETTE: usize = 1536;

/// Okabe and Ito (2008) without black, which vanishes on dark backgrounds: a violet stands for it. Their yellow is a
/// little darker here, to be seen on white. The order puts colours early that go well in twos and threes.
const OKABE_ITO: [Rgb; MAX_FEW] = [
    [0xe6, 0x9f, 0x00], // orange
    [0x56, 0xb4, 0xe9], // sky blue
    [0x00, 0x9e, 0x73], // bluish green
    [0xcc, 0x79, 0xa7], // reddish purple
    [0xd5, 0x5e, 0x00], // vermilion
    [0x00, 0x72, 0xb2], // blue
    [0xdf, 0xd2, 0x2c], // yellow
    [0x80, 0x5a, 0xd0], // violet
];

/// Backgrounds that a category must be seen on, the dark theme and white, and the least contrast to each (WCAG's
/// ratio). Points are shaded, which darkens them: on the dark they need more.
const BACKGROUNDS: [(Rgb, f32); 2] = [([0x0e, 0x11, 0x16], 4.0), ([0xff, 0xff, 0xff], 1.5)];
/// The least colourfulness, so that no category looks like a missing value.
const MIN_CHROMA: f32 = 0.06;
/// Spacing of the colours that a palette is chosen from, in OKLab.
const GRID: f32 = 0.02;

/// The colour of each of `names`, in their order. Names are taken to be distinct.
///
/// Up to [`MAX_FEW`] names take fixed colours in the order given. More take colours from a palette that is spread over
/// OKLab as widely as it goes, and that has a few more colours than there are names (its size is a power of two, or one
/// and a half of one). A hash of the name chooses the colour; of two names that want the same one, the one with
/// the smaller hash has it. So colours depend on the set of names but not on its order, and a name more or less
/// changes few of the others until the palette grows.
#[must_use]
pub fn category_colours<S: AsRef<str>>(names: &[S]) -> Vec<Rgb> {
    if names.len() <= MAX_FEW {
        return OKABE_ITO[..names.len()].to_vec();
    }
    let size = palette_size(names.len());
    let palette = spread(size);
    let mut order: Vec<(u64, usize)> =
        names.iter().enumerate().map(|(place, name)| (hash(name.as_ref()), place)).collect();
    order.sort_unstable_by(|left, right| {
        left.0.cmp(&right.0).then_with(|| names[left.1].as_ref().cmp(names[right.1].as_ref()))
    });
    let room = names.len() <= size;
    let mut taken = vec![false; size];
    let mut colours = vec![MISSING; names.len()];
    for (hash, place) in order {
        let choice = |attempt: usize| (mix(hash.wrapping_add(attempt as u64)) % size as u64) as usize;
        let free = |slot: &usize| !room || !taken[*slot];
        // The last resort is all but never needed: a quarter of the colours stays free.
        let slot = (0..64).map(choice).find(free).or_else(|| (0..size).find(free)).unwrap_or_default();
        taken[slot] = true;
        colours[place] = palette[slot];
    }
    colours
}

/// So many colours more, as far as can be from those in use and from each other: for categories that appear while others
/// keep their colours.
#[must_use]
pub fn more_colours(used: &[Rgb], count: usize) -> Vec<Rgb> {
    if used.len() + count <= MAX_FEW && used.iter().all(|colour| OKABE_ITO.contains(colour)) {
        return OKABE_ITO.into_iter().filter(|colour| !used.contains(colour)).take(count).collect();
    }
    spread_from(used, count)
}

/// The smallest 2ⁿ or 1.5 × 2ⁿ that leaves a quarter free, as long as there are so many colours.
fn palette_size(names: usize) -> usize {
    let wanted = names.saturating_mul(4).div_ceil(3).min(MAX_PALETTE);
    let power = wanted.next_power_of_two();
    if power / 4 * 3 >= wanted { power / 4 * 3 } else { power }
}

/// The first `count` of an endless list of colours, each as far as can be from all before it and from grey.
fn spread(count: usize) -> Vec<Rgb> {
    spread_from(&[], count)
}

/// The same, where some colours are there before.
fn spread_from(used: &[Rgb], count: usize) -> Vec<Rgb> {
    let candidates = candidates();
    let mut colours = Vec::with_capacity(count);
    let mut last = lab_from_rgb(MISSING);
    let used: Vec<Lab> = used.iter().map(|&colour| lab_from_rgb(colour)).collect();
    let from_used =
        |(lab, _): &(Lab, Rgb)| used.iter().map(|&used| squared_distance(*lab, used)).fold(f32::INFINITY, f32::min);
    let mut nearest: Vec<f32> = candidates.iter().map(from_used).collect();
    for _ in 0..count {
        let (mut farthest, mut farthest_distance) = (0, -1.0);
        for (place, (lab, _)) in candidates.iter().enumerate() {
            let distance = nearest[place].min(squared_distance(*lab, last));
            nearest[place] = distance;
            if distance > farthest_distance {
                (farthest, farthest_distance) = (place, distance);
            }
        }
        let (lab, colour) = candidates[farthest];
        colours.push(colour);
        last = lab;
    }
    colours
}

/// The colours of a grid in OKLab that screens can show, that are not grey and that read on dark and light.
fn candidates() -> Vec<(Lab, Rgb)> {
    let steps = |from: f32, to: f32| (0..=((to - from) / GRID) as usize).map(move |step| from + step as f32 * GRID);
    let mut candidates = Vec::new();
    for lightness in steps(0.3, 0.96) {
        for a in steps(-0.3, 0.3) {
            for b in steps(-0.34, 0.24) {
                if a * a + b * b < MIN_CHROMA * MIN_CHROMA {
                    continue;
                }
                let Some(colour) = rgb_from_lab([lightness, a, b]) else { continue };
                if BACKGROUNDS.iter().all(|&(background, least)| contrast(colour, background) >= least) {
                    candidates.push((lab_from_rgb(colour), colour));
                }
            }
        }
    }
    candidates
}

/// FNV-1a: the same on every machine and in every version, unlike the standard library's hash.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// SplitMix64's last steps: makes every bit depend on every other.
fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance;
    use std::collections::HashSet;
    use std::time::{Duration, Instant};

    /// Number of categories, and how far apart (in OKLab) any two of their colours are at least.
    const MIN_DISTANCES: [(usize, f32); 6] =
        [(8, 0.12), (12, 0.12), (24, 0.085), (48, 0.06), (130, 0.035), (1000, 0.015)];
    /// The colours of Okabe and Ito are given; their blue is the darkest.
    const FEW_CONTRAST: f32 = 3.0;
    /// How far from grey any category is at least.
    const MIN_FROM_MISSING: f32 = 0.05;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|place| format!("cell type {place}")).collect()
    }

    fn closest(colours: &[Rgb]) -> f32 {
        let pairs = colours
            .iter()
            .enumerate()
            .flat_map(|(place, &left)| colours[place + 1..].iter().map(move |&right| distance(left, right)));
        pairs.fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn categories_are_distinct_and_read_on_dark_and_light() {
        for (count, min_distance) in MIN_DISTANCES {
            let colours = category_colours(&names(count));
            let closest = closest(&colours);
            assert!(closest >= min_distance, "{count} colours: closest are {closest} apart, not {min_distance}");
            for &colour in &colours {
                assert!(distance(colour, MISSING) >= MIN_FROM_MISSING, "{colour:?} looks missing");
                for (background, least) in BACKGROUNDS {
                    assert!(contrast(colour, background) >= least.min(FEW_CONTRAST), "{colour:?} on {background:?}");
                }
            }
        }
    }

    #[test]
    fn colours_follow_names_not_their_order() {
        let names = names(130);
        let colours = category_colours(&names);
        let (mut turned, mut expected) = (names.clone(), colours.clone());
        turned.rotate_left(47);
        expected.rotate_left(47);
        assert_eq!(category_colours(&turned), expected);
        assert_ne!(colours, expected);
    }

    #[test]
    fn a_category_less_moves_few_others() {
        const MAX_MOVED: f32 = 1.5;
        let names = names(130);
        let colours = category_colours(&names);
        let moved = |without: usize| {
            let (mut names, mut colours) = (names.clone(), colours.clone());
            names.remove(without);
            colours.remove(without);
            category_colours(&names).iter().zip(&colours).filter(|(left, right)| left != right).count()
        };
        let moved = (0..names.len()).map(moved).sum::<usize>() as f32 / names.len() as f32;
        assert!(moved <= MAX_MOVED, "{moved} of 129 move on average, not at most {MAX_MOVED}");
    }

    #[test]
    fn more_colours_differ_from_those_in_use() {
        assert_eq!(
            [category_colours(&names(3)), more_colours(&category_colours(&names(3)), 2)].concat(),
            OKABE_ITO[..5]
        );
        for used in [0, 3, 7, 10, 40] {
            let used = category_colours(&names(used));
            let more = more_colours(&used, 12);
            let all: Vec<Rgb> = used.iter().chain(&more).copied().collect();
            let apart = |a: Rgb, b: Rgb| squared_distance(lab_from_rgb(a), lab_from_rgb(b)).sqrt();
            for (place, &colour) in all.iter().enumerate().skip(used.len()) {
                assert!(all[..place].iter().all(|&other| apart(colour, other) > 0.05), "{colour:?} is there already");
            }
        }
    }

    #[test]
    fn hundreds_of_categories_are_fast() {
        const MAX_TIME: Duration = Duration::from_millis(100);
        for count in [130, 1000] {
            let names = names(count);
            let best = (0..5).map(|_| {
                let start = Instant::now();
                assert_eq!(category_colours(&names).len(), count);
                start.elapsed()
            });
            let best = best.min().unwrap();
            assert!(best < MAX_TIME, "{count} categories took {best:?}, not {MAX_TIME:?}");
        }
    }

    #[test]
    fn more_categories_than_colours_share_them() {
        let colours = category_colours(&names(5000));
        let distinct: HashSet<Rgb> = colours.iter().copied().collect();
        assert!(distinct.len() > MAX_PALETTE * 9 / 10 && distinct.len() <= MAX_PALETTE, "{}", distinct.len());
    }

    #[test]
    fn palettes_leave_a_quarter_free_until_they_end() {
        assert_eq!([9, 12, 13, 18, 19, 130, 1000].map(palette_size), [12, 16, 24, 24, 32, 192, 1536]);
        assert_eq!(palette_size(1_000_000), MAX_PALETTE);
    }
}
