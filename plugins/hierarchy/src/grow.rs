//! The run: an embedding whose tails grow heavier, looked at now and then.

use crate::error::{GrowError, HierarchyError};
use crate::graph::Hierarchy;
use crate::level::Level;
use crate::options::HierarchyOptions;
use clusters::Positions;

/// An embedding that can be run on with another α, wherever it runs.
pub trait Embed {
    /// Why it may fail.
    type Error;

    /// Number of rows.
    fn rows(&self) -> usize;

    /// Changes the weight of the tails from the next iteration on; the step is whole again if it was settling.
    ///
    /// # Errors
    /// If it cannot be had.
    fn set_alpha(&mut self, alpha: f32) -> Result<(), Self::Error>;

    /// Lets the step fall to zero over the next iterations, so that noise leaves the positions.
    fn settle(&mut self, iterations: u32);

    /// Runs so many iterations.
    ///
    /// # Errors
    /// If they fail.
    fn run(&mut self, iterations: u32) -> Result<(), Self::Error>;

    /// `[rows][dims]` positions in the caller's row order.
    ///
    /// # Errors
    /// If they cannot be read.
    fn positions(&mut self) -> Result<Vec<f32>, Self::Error>;
}

/// How far a hierarchy has grown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'a> {
    /// Iterations done.
    pub iteration: u32,
    /// Iterations in all.
    pub iterations: u32,
    /// Weight of the tails.
    pub alpha: f32,
    /// Levels found so far; the last of them is new where there are `positions`.
    pub levels: &'a [Level],
    /// `[rows][dims]` positions of a snapshot that has just been clustered.
    pub positions: Option<&'a [f32]>,
}

/// Iterations between two changes of α, and between two looks whether the work is still wanted. A step of α is then
/// below one part in a hundred.
const SLICE: u32 = 5;

/// Runs an embedding on while its α falls evenly in its logarithm, clusters a snapshot at each level, and joins the
/// clusters. The engine brings its own dimensions and settings; of them α alone is changed, and stays at its last value.
///
/// # Errors
/// [`GrowError::Embed`] if the embedding fails, [`GrowError::Hierarchy`] if an option is out of its range, positions
/// are not a table, or `cancelled` says so; it is asked from many threads while clusters are found.
pub fn grow<E: Embed>(
    engine: &mut E,
    options: &HierarchyOptions,
    progress: &mut dyn FnMut(Progress<'_>),
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<Hierarchy, GrowError<E::Error>> {
    options.check()?;
    let mut run =
        Run { engine, iteration: 0, iterations: options.iterations(), levels: Vec::new(), progress, cancelled };
    run.set_alpha(options.alpha_from)?;
    run.run(options.first_iterations, options.alpha_from)?;
    for level in 0..options.levels {
        if level > 0 {
            run.lower(options.alpha_at(level - 1), options.alpha_at(level), options.level_iterations)?;
        }
        run.snapshot(options.alpha_at(level), options)?;
    }
    Ok(Hierarchy::new(run.levels, options.weak_edge)?)
}

struct Run<'a, E> {
    engine: &'a mut E,
    iteration: u32,
    iterations: u32,
    levels: Vec<Level>,
    progress: &'a mut dyn FnMut(Progress<'_>),
    cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl<E: Embed> Run<'_, E> {
    fn set_alpha(&mut self, alpha: f32) -> Result<(), GrowError<E::Error>> {
        self.engine.set_alpha(alpha).map_err(GrowError::Embed)
    }

    /// At most a slice of what is left; how much it was.
    fn slice(&mut self, left: u32, alpha: f32) -> Result<u32, GrowError<E::Error>> {
        if (self.cancelled)() {
            return Err(HierarchyError::Cancelled.into());
        }
        let slice = left.min(SLICE);
        self.engine.run(slice).map_err(GrowError::Embed)?;
        self.iteration += slice;
        self.report(alpha, None);
        Ok(slice)
    }

    fn run(&mut self, iterations: u32, alpha: f32) -> Result<(), GrowError<E::Error>> {
        let mut left = iterations;
        while left > 0 {
            left -= self.slice(left, alpha)?;
        }
        Ok(())
    }

    /// Lowers α in many small steps; the last slice runs with the last α.
    fn lower(&mut self, from: f32, to: f32, iterations: u32) -> Result<(), GrowError<E::Error>> {
        let mut left = iterations;
        while left > 0 {
            let after = left.saturating_sub(SLICE);
            let alpha = to * (from / to).powf(after as f32 / iterations as f32);
            self.set_alpha(alpha)?;
            left -= self.slice(left, alpha)?;
        }
        Ok(())
    }

    /// Takes the noise out of the positions and clusters them.
    fn snapshot(&mut self, alpha: f32, options: &HierarchyOptions) -> Result<(), GrowError<E::Error>> {
        if options.settle_iterations > 0 {
            self.engine.settle(options.settle_iterations);
            self.run(options.settle_iterations, alpha)?;
        }
        let values = self.engine.positions().map_err(GrowError::Embed)?;
        let rows = self.engine.rows();
        let dims = values.len().checked_div(rows).unwrap_or(0);
        let positions = Positions { values: &values, rows, dims, stride: dims };
        let level = Level::find(alpha, positions, options, self.cancelled)?;
        self.levels.push(level);
        self.report(alpha, Some(&values));
        Ok(())
    }

    fn report(&mut self, alpha: f32, positions: Option<&[f32]>) {
        let (iteration, iterations) = (self.iteration, self.iterations);
        (self.progress)(Progress { iteration, iterations, alpha, levels: &self.levels, positions });
    }
}

#[cfg(test)]
mod tests;
