//! One SIMD kernel per metric, and the dispatch that picks kernel and instruction set at run time.

use crate::{Metric, Row};
use pulp::{Arch, Simd, WithSimd};

/// Computes the squared distance of two rows with the lanes of `S`.
pub trait Kernel: Copy + Send + Sync + 'static {
    /// `D = δ²` of rows `a` and `b`; symmetric in them, never negative, never NaN for finite rows.
    fn squared<S: Simd>(simd: S, a: Row<'_>, b: Row<'_>) -> f32;
}

/// A block of work that computes distances, written once for every kernel and instruction set.
/// Everything that `run` calls on its hot path must be `#[inline(always)]`, closures included, or it leaves the
/// instruction set and every vector instruction becomes a call.
pub trait WithKernel {
    /// What the block of work returns.
    type Output;
    /// Does the work.
    fn run<K: Kernel, S: Simd>(self, simd: S) -> Self::Output;
}

/// Runs a block of work with the kernel of `metric` and the best instruction set of this machine.
pub fn dispatch<W: WithKernel>(metric: Metric, work: W) -> W::Output {
    match metric {
        Metric::Euclidean => on_arch::<Euclidean, W>(work),
        Metric::Manhattan => on_arch::<Manhattan, W>(work),
        Metric::Cosine => on_arch::<Cosine, W>(work),
        Metric::Correlation => on_arch::<Correlation, W>(work),
        Metric::Chebyshev => on_arch::<Chebyshev, W>(work),
        Metric::BrayCurtis => on_arch::<BrayCurtis, W>(work),
    }
}

fn on_arch<K: Kernel, W: WithKernel>(work: W) -> W::Output {
    struct Bound<K, W>(W, std::marker::PhantomData<K>);
    impl<K: Kernel, W: WithKernel> WithSimd for Bound<K, W> {
        type Output = W::Output;
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> W::Output {
            self.0.run::<K, S>(simd)
        }
    }
    Arch::new().dispatch(Bound::<K, W>(work, std::marker::PhantomData))
}

/// Folds `step` over the lanes of both rows with two accumulators (one would wait for its own latency).
#[inline(always)]
fn fold<S: Simd>(
    simd: S,
    a: &[f32],
    b: &[f32],
    combine: impl Fn(S::f32s, S::f32s) -> S::f32s,
    step: impl Fn(S::f32s, S::f32s, S::f32s) -> S::f32s,
) -> S::f32s {
    let (a, a_tail) = S::as_simd_f32s(a);
    let (b, b_tail) = S::as_simd_f32s(b);
    let zero = simd.splat_f32s(0.0);
    let (mut even, mut odd) = (zero, zero);
    let (a_pairs, a_last) = a.as_chunks::<2>();
    let (b_pairs, b_last) = b.as_chunks::<2>();
    for (a, b) in a_pairs.iter().zip(b_pairs) {
        even = step(even, a[0], b[0]);
        odd = step(odd, a[1], b[1]);
    }
    for (&a, &b) in a_last.iter().zip(b_last) {
        even = step(even, a, b);
    }
    if !a_tail.is_empty() {
        odd = step(odd, simd.partial_load_f32s(a_tail), simd.partial_load_f32s(b_tail));
    }
    combine(even, odd)
}

/// The scalar product of two padded rows.
#[inline(always)]
pub fn dot<S: Simd>(simd: S, a: &[f32], b: &[f32]) -> f32 {
    let products = fold(
        simd,
        a,
        b,
        #[inline(always)]
        |x, y| simd.add_f32s(x, y),
        #[inline(always)]
        |sum, a, b| simd.mul_add_e_f32s(a, b, sum),
    );
    simd.reduce_sum_f32s(products)
}

#[derive(Clone, Copy)]
struct Euclidean;
impl Kernel for Euclidean {
    #[inline(always)]
    fn squared<S: Simd>(simd: S, a: Row<'_>, b: Row<'_>) -> f32 {
        let sums = fold(
            simd,
            a.values,
            b.values,
            #[inline(always)]
            |x, y| simd.add_f32s(x, y),
            #[inline(always)]
            |sum, a, b| {
                let difference = simd.sub_f32s(a, b);
                simd.mul_add_e_f32s(difference, difference, sum)
            },
        );
        simd.reduce_sum_f32s(sums)
    }
}

#[derive(Clone, Copy)]
struct Manhattan;
impl Kernel for Manhattan {
    #[inline(always)]
    fn squared<S: Simd>(simd: S, a: Row<'_>, b: Row<'_>) -> f32 {
        let delta = absolute_sum(
            simd,
            a,
            b,
            #[inline(always)]
            |a, b| simd.sub_f32s(a, b),
        );
        delta * delta
    }
}

#[derive(Clone, Copy)]
struct BrayCurtis;
impl Kernel for BrayCurtis {
    #[inline(always)]
    fn squared<S: Simd>(simd: S, a: Row<'_>, b: Row<'_>) -> f32 {
        let differences = absolute_sum(
            simd,
            a,
            b,
            #[inline(always)]
            |a, b| simd.sub_f32s(a, b),
        );
        let sums = absolute_sum(
            simd,
            a,
            b,
            #[inline(always)]
            |a, b| simd.add_f32s(a, b),
        );
        // Opposite rows make the sum vanish: as far apart as a finite number can say, without an infinity.
        let delta = if differences == 0.0 { 0.0 } else { differences / sums.max(differences * 1e-6) };
        delta * delta
    }
}

#[inline(always)]
fn absolute_sum<S: Simd>(simd: S, a: Row<'_>, b: Row<'_>, f: impl Fn(S::f32s, S::f32s) -> S::f32s) -> f32 {
    let sums = fold(
        simd,
        a.values,
        b.values,
        #[inline(always)]
        |x, y| simd.add_f32s(x, y),
        #[inline(always)]
        |sum, a, b| simd.add_f32s(sum, simd.abs_f32s(f(a, b))),
    );
    simd.reduce_sum_f32s(sums)
}

#[derive(Clone, Copy)]
struct Chebyshev;
impl Kernel for Chebyshev {
    #[inline(always)]
    fn squared<S: Simd>(simd: S, a: Row<'_>, b: Row<'_>) -> f32 {
        let largest = fold(
            simd,
            a.values,
            b.values,
            #[inline(always)]
            |x, y| simd.max_f32s(x, y),
            #[inline(always)]
            |largest, a, b| simd.max_f32s(largest, simd.abs_f32s(simd.sub_f32s(a, b))),
        );
        let delta = simd.reduce_max_f32s(largest);
        delta * delta
    }
}

#[derive(Clone, Copy)]
struct Cosine;
impl Kernel for Cosine {
    #[inline(always)]
    fn squared<S: Simd>(simd: S, a: Row<'_>, b: Row<'_>) -> f32 {
        squared_of_cosine(dot(simd, a.values, b.values) * (a.inverse_norm * b.inverse_norm))
    }
}

#[derive(Clone, Copy)]
struct Correlation;
impl Kernel for Correlation {
    #[inline(always)]
    fn squared<S: Simd>(simd: S, a: Row<'_>, b: Row<'_>) -> f32 {
        let (mean_a, mean_b) = (simd.splat_f32s(a.mean), simd.splat_f32s(b.mean));
        // The padding is zero, not the mean: it must stay out of the sum, so whole lanes first, then the rest.
        let whole = a.dims - a.dims % S::F32_LANES;
        let products = fold(
            simd,
            &a.values[..whole],
            &b.values[..whole],
            #[inline(always)]
            |x, y| simd.add_f32s(x, y),
            #[inline(always)]
            |sum, a, b| simd.mul_add_e_f32s(simd.sub_f32s(a, mean_a), simd.sub_f32s(b, mean_b), sum),
        );
        let rest = a.values[whole..a.dims].iter().zip(&b.values[whole..b.dims]);
        let rest: f32 = rest.map(|(x, y)| (x - a.mean) * (y - b.mean)).sum();
        squared_of_cosine((simd.reduce_sum_f32s(products) + rest) * (a.inverse_norm * b.inverse_norm))
    }
}

#[inline(always)]
fn squared_of_cosine(cosine: f32) -> f32 {
    let delta = (1.0 - cosine).max(0.0); // rounding may lift the cosine above 1
    delta * delta
}

#[cfg(test)]
mod tests {
    use crate::{Metric, Space, Vectors};

    /// The definition of each metric, in f64, without lanes or padding.
    fn plain(metric: Metric, a: &[f32], b: &[f32]) -> f64 {
        let a: Vec<f64> = a.iter().map(|&v| f64::from(v)).collect();
        let b: Vec<f64> = b.iter().map(|&v| f64::from(v)).collect();
        let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(&b).map(|(&x, &y)| f(x, y)).sum::<f64>();
        let cosine = |ma: f64, mb: f64| {
            let norms = (sum(&|x, _| (x - ma).powi(2)) * sum(&|_, y| (y - mb).powi(2))).sqrt();
            if norms == 0.0 { 1.0 } else { 1.0 - sum(&|x, y| (x - ma) * (y - mb)) / norms }
        };
        let n = a.len() as f64;
        let delta = match metric {
            Metric::Euclidean => sum(&|x, y| (x - y).powi(2)).sqrt(),
            Metric::Manhattan => sum(&|x, y| (x - y).abs()),
            Metric::Chebyshev => a.iter().zip(&b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max),
            Metric::Cosine => cosine(0.0, 0.0),
            Metric::Correlation => cosine(sum(&|x, _| x) / n, sum(&|_, y| y) / n),
            Metric::BrayCurtis => {
                let differences = sum(&|x, y| (x - y).abs());
                if differences == 0.0 { 0.0 } else { differences / sum(&|x, y| (x + y).abs()) }
            }
        };
        delta * delta
    }

    fn wavy(rows: usize, dims: usize) -> Vectors {
        let values: Vec<f32> = (0..rows * dims).map(|i| ((i * i) as f32 * 0.37).sin() + 0.25).collect();
        Vectors::from_rows(&values, dims)
    }

    #[test]
    fn every_kernel_agrees_with_its_definition() {
        for dims in [1, 3, 7, 8, 9, 16, 50, 127] {
            let vectors = wavy(4, dims);
            for metric in Metric::ALL {
                let space = Space::new(vectors.clone(), metric);
                for (a, b) in [(0, 1), (1, 2), (3, 0), (2, 2)] {
                    let expected = plain(metric, vectors.row(a), vectors.row(b));
                    let found = f64::from(space.squared_distance(a, b));
                    // A single value has no correlation: the engine says 1, rounding says anything.
                    if metric == Metric::Correlation && dims == 1 {
                        assert!(found.is_finite());
                        continue;
                    }
                    assert!(
                        (found - expected).abs() <= 2e-5 * expected.max(1.0),
                        "{metric} {dims}: {found} {expected}"
                    );
                }
                let perturbed = plain(metric, vectors.row(0), vectors.row(3));
                let other = f64::from(space.squared_distance(0, 1));
                if dims > 1 {
                    assert!(
                        (perturbed - other).abs() > 2e-5 * other.max(1.0),
                        "{metric} {dims} cannot tell rows apart"
                    );
                }
            }
        }
    }

    #[test]
    fn zero_and_constant_rows_stay_finite() {
        let vectors = Vectors::from_rows(&[0.0, 0.0, 0.0, 5.0, 5.0, 5.0, 1.0, 2.0, 4.0, -1.0, -2.0, -4.0], 3);
        for metric in Metric::ALL {
            let space = Space::new(vectors.clone(), metric);
            for a in 0..4 {
                for b in 0..4 {
                    let d = space.squared_distance(a, b);
                    assert!(d.is_finite() && d >= 0.0, "{metric} of rows {a} and {b} is {d}");
                }
            }
        }
        let cosine = Space::new(vectors, Metric::Cosine);
        assert_eq!(cosine.squared_distance(0, 2), 1.0);
    }

    #[test]
    fn correlation_survives_a_large_mean() {
        let vectors = Vectors::from_rows(&[1000.0, 1001.0, 1002.0, 1000.5, 1001.5, 1003.5], 3);
        let space = Space::new(vectors.clone(), Metric::Correlation);
        let expected = plain(Metric::Correlation, vectors.row(0), vectors.row(1));
        assert!((f64::from(space.squared_distance(0, 1)) - expected).abs() < 1e-5);
    }
}
