use super::*;
use crate::random::{hash, normal, unit};

/// Points in clusters of uneven size and density, as an embedding has them.
fn map<const D: usize>(points: usize, scale: f32) -> Vec<f32> {
    let mut positions = Vec::with_capacity(points * D);
    for point in 0..points as u32 {
        let cluster = (unit(hash(1, 0, point, 0)).powi(2) * 12.0) as u32;
        for axis in 0..D as u32 {
            let centre = 4.0 * normal(hash(2, 0, cluster, 2 * axis), hash(2, 0, cluster, 2 * axis + 1));
            let spread = 0.3 + 0.2 * cluster as f32;
            positions.push(scale * (centre + spread * normal(hash(3, axis, point, 0), hash(3, axis, point, 1))));
        }
    }
    positions
}

/// What everybody feels, and Z, straight from the definition.
fn exact<const D: usize>(positions: &[f32], alive: &[bool], tail: Tail) -> (Vec<[f64; 4]>, f64) {
    let (rows, alpha) = (positions.as_chunks::<D>().0, f64::from(tail.alpha));
    let mut z = 0.0;
    let felt = rows.iter().enumerate().map(|(i, own)| {
        let mut felt = [0.0; 4];
        for (j, other) in rows.iter().enumerate().filter(|&(j, _)| alive[j] && alive[i] && i != j) {
            let _ = j;
            let difference: [f64; D] = std::array::from_fn(|axis| f64::from(own[axis]) - f64::from(other[axis]));
            let u = 1.0 / (1.0 + difference.iter().map(|d| d * d).sum::<f64>() / alpha);
            let w = u.powf(alpha);
            z += w;
            (0..D).for_each(|axis| felt[axis] += w * u * difference[axis]);
            felt[3] += w * u;
        }
        felt
    });
    (felt.collect(), z)
}

/// Relative errors of push and Z.
fn errors<const D: usize>(points: usize, alpha: f32, scale: f32) -> (f64, f64, f64) {
    let positions = map::<D>(points, scale);
    let (alive, tail) = (vec![true; points], Tail { alpha });
    let mut field = Field::default();
    let z = field.update(&positions, D, &alive, tail, 0.75);
    let (expected, exact_z) = exact::<D>(&positions, &alive, tail);
    let (mut off, mut all, mut stiff_off, mut stiff) = (0.0, 0.0, 0.0, 0.0);
    for (point, expected) in expected.iter().enumerate() {
        let felt = field.felt(point);
        for axis in 0..D {
            off += (f64::from(felt[axis]) - expected[axis]).powi(2);
            all += expected[axis].powi(2);
        }
        stiff_off += (f64::from(felt[3]) - expected[3]).powi(2);
        stiff += expected[3].powi(2);
    }
    ((off / all).sqrt(), (z / exact_z - 1.0).abs(), (stiff_off / stiff).sqrt())
}

#[test]
fn the_field_agrees_with_the_sum_over_all_pairs() {
    for alpha in [0.05, 0.3, 1.0, 3.0, 10.0, 100.0] {
        for scale in [0.01, 1.0, 5.0] {
            for (d, (push, z, stiffness)) in [
                (1, errors::<1>(3000, alpha, scale)),
                (2, errors::<2>(3000, alpha, scale)),
                (3, errors::<3>(3000, alpha, scale)),
            ] {
                println!("d {d} α {alpha} scale {scale}: push {push:.5} Z {z:.6} stiffness {stiffness:.5}");
                // On a line both sides cancel, and errors are seen beside what is left; the lightest tails fall off
                // within a leaf.
                let most = if d == 1 || alpha == 100.0 { 0.1 } else { 0.05 };
                assert!(
                    push < most && z < 0.01 && stiffness < 0.1,
                    "d {d} α {alpha} scale {scale}: {push} {z} {stiffness}"
                );
            }
        }
    }
}

/// Z and stiffness of a map that was blown up are not lost beside the weight of one that each point has for itself.
#[test]
fn nobody_pushes_itself() {
    for scale in [1.0, 1e3, 1e5] {
        for alpha in [0.5, 1.0, 2.0] {
            let (positions, alive, tail) = (map::<2>(500, scale), vec![true; 500], Tail { alpha });
            let mut field = Field::default();
            let z = field.update(&positions, 2, &alive, tail, 0.0);
            let (expected, exact_z) = exact::<2>(&positions, &alive, tail);
            assert!((z / exact_z - 1.0).abs() < 1e-4, "α {alpha}, scale {scale}: {z} instead of {exact_z}");
            for (point, expected) in expected.iter().enumerate() {
                let stiffness = f64::from(field.felt(point)[3]);
                let error = (stiffness / expected[3] - 1.0).abs();
                assert!(error < 1e-4, "α {alpha}, scale {scale}: {stiffness} instead of {}", expected[3]);
            }
        }
    }
}

/// Between two looks afar the field is read off at places that have moved a little.
#[test]
fn the_field_follows_points_that_move_until_it_looks_afar_again() {
    let (points, tail) = (3000, Tail { alpha: 1.0 });
    let (mut positions, alive) = (map::<2>(points, 1.0), vec![true; points]);
    let mut field = Field::default();
    field.update(&positions, 2, &alive, tail, 0.75);
    let (mut looks, mut worst) = (0, 0.0_f64);
    for _ in 0..12 {
        // Everybody drifts a little, each cluster its own way.
        for (at, value) in positions.iter_mut().enumerate() {
            *value *= if at % 2 == 0 { 1.001 } else { 0.9995 };
        }
        field.moved(0.0012);
        let z = field.update(&positions, 2, &alive, tail, 0.75);
        looks += usize::from(field.since.1 == 0);
        let (expected, exact_z) = exact::<2>(&positions, &alive, tail);
        let (mut off, mut all) = (0.0, 0.0);
        for (point, expected) in expected.iter().enumerate() {
            let felt = field.felt(point);
            for axis in 0..2 {
                off += (f64::from(felt[axis]) - expected[axis]).powi(2);
                all += expected[axis].powi(2);
            }
        }
        worst = worst.max((off / all).sqrt()).max((z / exact_z - 1.0).abs());
    }
    assert!(worst < 0.03, "off by {worst}");
    assert!((2..=6).contains(&looks), "{looks} looks afar in 12 iterations");
}

#[test]
fn an_expansion_is_read_as_it_was_written() {
    let positions = map::<3>(300, 1.0);
    let mut field = Field::default();
    field.update(&positions, 3, &[true; 300], Tail { alpha: 1.0 }, 0.75);
    let values = Expansion::<3>::VALUES;
    let mut again = vec![0.0; values];
    for written in field.from_afar.chunks_exact(values) {
        Expansion::<3>::read(written).write(&mut again);
        assert_eq!(again, written);
    }
}

#[test]
fn other_tails_cost_a_power_and_no_more() {
    let (positions, alive) = (map::<2>(3000, 1.0), vec![true; 3000]);
    // The quickest of a few: the least disturbed by whatever else runs.
    let seconds = |alpha: f32| {
        let mut field = Field::default();
        let mut run = || {
            let begun = std::time::Instant::now();
            field.update(&positions, 2, &alive, Tail { alpha }, 0.0);
            begun.elapsed().as_secs_f64()
        };
        (0..5).map(|_| run()).fold(f64::INFINITY, f64::min)
    };
    let ratio = seconds(2.0) / seconds(1.0);
    assert!(ratio < 12.0, "{ratio} times as long: something is not compiled for the instructions of the machine");
}
