//! The rows of a run as the host knows them, and what is asked of them as a [`Change`] of points.

use crate::command::Change;
use crate::params::marks::{CHANGED, COMING, DEAD, PINNED};
use embedding::living::{Living, check_vectors, fitting};
use embedding::{EngineError, Settings};
use vectors::{Space, Vectors};

/// Which rows live, whose points they are, and which are held.
#[derive(Debug, Clone)]
pub struct Rows {
    living: Living,
    pinned: Vec<bool>,
    /// Rows that the lengths of the lists were chosen for.
    fitted: usize,
}

impl Rows {
    /// Everyone lives and is free; the caller's row of each point is given.
    #[must_use]
    pub fn all(row_of_point: Vec<u32>) -> Self {
        Self { pinned: vec![false; row_of_point.len()], fitted: row_of_point.len(), living: Living::all(row_of_point) }
    }

    /// Which points live, and whose they are.
    #[must_use]
    pub fn living(&self) -> &Living {
        &self.living
    }

    /// Which points are held.
    #[must_use]
    pub fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    /// Length of the lists of neighbours in the embedding.
    #[must_use]
    pub fn ld_length(&self, settings: &Settings) -> usize {
        settings.ld_list_length(self.fitted)
    }

    /// Marks of all points, and lists that are right for who lives, as a run that is loaded anew has them.
    pub fn load(&mut self) -> Vec<u32> {
        self.fitted = self.living.count();
        let mark = |(&alive, &pinned): (&bool, &bool)| match (alive, pinned) {
            (false, _) => DEAD,
            (true, pinned) => u32::from(pinned) * PINNED,
        };
        self.living.alive().iter().zip(&self.pinned).map(mark).collect()
    }

    /// Takes note of other settings.
    pub fn fit(&mut self, settings: &Settings) {
        self.fitted = fitting(self.fitted, self.living.count(), settings);
    }

    /// What has to be asked of a run for rows to come.
    ///
    /// # Errors
    /// As [`embedding::Engine::insert`].
    pub fn insert(&self, rows: &[u32], vectors: &Vectors, space: &Space) -> Result<Change, EngineError> {
        check_vectors(rows, vectors, space.vectors().dims())?;
        self.living.check_free(rows)?;
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_unstable_by_key(|&at| rows[at]); // those at the end come in the order of their numbers
        let mut living = self.living.clone();
        let mut sorted = Vectors::with_capacity(rows.len(), vectors.dims());
        order.iter().for_each(|&at| sorted.push(vectors.row(at)));
        let points = order.iter().map(|&at| [living.add(rows[at]), CHANGED | COMING]).collect();
        Ok(self.change(points, sorted, living.count()))
    }

    /// What has to be asked of a run for rows to leave.
    ///
    /// # Errors
    /// As [`embedding::Engine::remove`].
    pub fn remove(&self, rows: &[u32]) -> Result<Change, EngineError> {
        self.living.check_living(rows)?;
        let left = self.living.count() - rows.len();
        if left < 2 {
            return Err(EngineError::TooFewRows { rows: left });
        }
        let points = self.points(rows).map(|point| [point, DEAD]).collect();
        Ok(self.change(points, Vectors::zeros(0, 1), left))
    }

    /// What has to be asked of a run for rows to have other data.
    ///
    /// # Errors
    /// As [`embedding::Engine::update`].
    pub fn update(&self, rows: &[u32], vectors: &Vectors, space: &Space) -> Result<Change, EngineError> {
        check_vectors(rows, vectors, space.vectors().dims())?;
        self.living.check_living(rows)?;
        let held = |point: u32| u32::from(self.pinned[point as usize]) * PINNED;
        let points = self.points(rows).map(|point| [point, CHANGED | held(point)]).collect();
        Ok(self.change(points, vectors.clone(), self.living.count()))
    }

    /// What has to be asked of a run for rows to be held, or to be let go.
    ///
    /// # Errors
    /// As [`embedding::Engine::pin`].
    pub fn pin(&self, rows: &[u32], pinned: bool) -> Result<Change, EngineError> {
        if let Some(&row) = rows.iter().find(|&&row| self.living.point(row).is_none()) {
            return Err(EngineError::NotLiving { row });
        }
        let mut points: Vec<[u32; 2]> = self.points(rows).map(|point| [point, u32::from(pinned) * PINNED]).collect();
        points.sort_unstable();
        points.dedup();
        Ok(self.change(points, Vectors::zeros(0, 1), self.living.count()))
    }

    /// Takes note of a change that a run has taken.
    pub fn take(&mut self, change: &Change, settings: &Settings, space: &mut Space) {
        for &[point, marks] in &change.points {
            let at = point as usize;
            if marks & COMING != 0 {
                let next = self.living.row_of_point().len() as u32;
                self.living.add(self.living.row_of_point().get(at).copied().unwrap_or(next));
                self.pinned.resize(self.living.alive().len(), false);
            }
            if marks & DEAD != 0 {
                self.living.take(point);
            }
            self.pinned[at] = marks & PINNED != 0;
        }
        change.rows().for_each(|(point, row)| space.put(point as usize, row));
        if change.is_about_data() {
            self.fit(settings);
        }
    }

    fn points(&self, rows: &[u32]) -> impl Iterator<Item = u32> {
        rows.iter().filter_map(|&row| self.living.point(row))
    }

    fn change(&self, points: Vec<[u32; 2]>, vectors: Vectors, living: usize) -> Change {
        let mut stays = self.living.alive().to_vec();
        points.iter().filter(|[_, marks]| marks & DEAD != 0).for_each(|&[point, _]| stays[point as usize] = false);
        let witness = stays.iter().position(|&stays| stays).unwrap_or(0) as u32;
        Change { points, vectors, living, witness }
    }
}
