//! Rest: notices when early exaggeration has done its work, and when the layout no longer moves.

/// Iterations between two looks at Z.
const LOOK: u32 = 10;
/// Exaggeration has done its work when ln Z has changed by less than this between looks …
const GROWN: f64 = 0.004;
/// … this many times in a row …
const LOOKS: u32 = 3;
/// … and at least this many iterations have passed.
const YOUNGEST: u32 = 60;
/// The layout is at rest when points move by less than this share of its size in an iteration, on average …
const STILL: f32 = 5e-5;
/// … and ln Z changes by less than this between two looks, as many times in a row.
const STEADY: f64 = 5e-4;

/// What was seen of the run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rest {
    ln_z: f64,
    movement: f32,
    /// Looks in a row at which ln Z had hardly changed: for a young embedding, and for one at rest.
    steady: (u32, u32),
    /// Age at which exaggeration had done its work.
    grown_at: Option<u32>,
}

impl Rest {
    /// Takes in an iteration: the age of the embedding, Z, and how much it moved.
    pub fn watch(&mut self, age: u32, z: f64, movement: f32) {
        self.movement = movement;
        if !age.is_multiple_of(LOOK) {
            return;
        }
        let ln_z = z.max(f64::MIN_POSITIVE).ln();
        let change = (ln_z - self.ln_z).abs();
        self.ln_z = ln_z;
        let next = |count: u32, holds: bool| if holds { count + 1 } else { 0 };
        self.steady = (next(self.steady.0, change < GROWN), next(self.steady.1, change < STEADY && movement < STILL));
        if age >= YOUNGEST && self.steady.0 >= LOOKS && self.grown_at.is_none() {
            self.grown_at = Some(age);
        }
    }

    /// Something has changed: whatever rested moves again.
    pub fn wake(&mut self) {
        self.steady = (0, 0);
    }

    /// Age at which exaggeration had done its work, if it has.
    pub fn grown_at(&self) -> Option<u32> {
        self.grown_at
    }

    /// How much it moved, as a share of its size.
    pub fn movement(&self) -> f32 {
        self.movement
    }

    /// True if the layout is at rest.
    pub fn at_rest(&self) -> bool {
        self.steady.1 >= LOOKS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_embedding_is_grown_when_z_is_steady_and_at_rest_when_it_hardly_moves_either() {
        let mut rest = Rest::default();
        for age in 0..100 {
            rest.watch(age, 1000.0 * f64::from(200 - age), 0.01);
        }
        assert_eq!((rest.grown_at(), rest.at_rest()), (None, false));
        for age in 100..200 {
            rest.watch(age, 1e5, 0.01);
        }
        assert!(rest.grown_at().is_some_and(|age| (120..=150).contains(&age)));
        assert!(!rest.at_rest(), "it still moves");
        for age in 200..250 {
            rest.watch(age, 1e5, 1e-6);
        }
        assert!(rest.at_rest());
        rest.wake();
        assert!(!rest.at_rest());
    }
}
