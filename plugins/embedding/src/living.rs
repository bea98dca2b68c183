//! Which rows live. Points are slots: a row that leaves frees its slot, and a row that comes takes the slot of its
//! number again or the next one at the end, so that nobody else is touched and memory is bounded by the most rows that
//! ever lived at once.

use crate::error::EngineError;
use crate::settings::Settings;
use vectors::Vectors;

/// Lists are made for another number of rows when there are so many times as many …
const GROWN: f32 = 1.25;
/// … or so many times fewer.
const SHRUNK: f32 = 0.5;

/// Rows that the lengths of lists are chosen for from now on, if they were chosen for `fitted` rows and `count` live:
/// right for their number, without going back and forth around a limit.
#[must_use]
pub fn fitting(fitted: usize, count: usize, settings: &Settings) -> usize {
    let ratio = count as f32 / fitted as f32;
    let too_long = settings.ld_list_length(fitted) > settings.ld_list_length(count);
    let too_short = fitted < count && settings.hd_list_length(fitted) + 1 == fitted;
    if !(SHRUNK..=GROWN).contains(&ratio) || too_long || too_short { count } else { fitted }
}

/// Life and identity of all points.
#[derive(Debug, Clone)]
pub struct Living {
    /// Which points live.
    alive: Vec<bool>,
    /// The caller's row of each point, living or not.
    row_of_point: Vec<u32>,
    /// The point of each of the caller's rows.
    point_of_row: Vec<u32>,
    count: usize,
}

impl Living {
    /// Everyone lives; the caller's row of each point is given.
    #[must_use]
    pub fn all(row_of_point: Vec<u32>) -> Self {
        let mut point_of_row = vec![0; row_of_point.len()];
        for (point, &row) in (0..).zip(&row_of_point) {
            point_of_row[row as usize] = point;
        }
        Self { alive: vec![true; row_of_point.len()], count: row_of_point.len(), row_of_point, point_of_row }
    }

    /// Which points live.
    #[must_use]
    pub fn alive(&self) -> &[bool] {
        &self.alive
    }

    /// How many do.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The caller's row of each point, living or not.
    #[must_use]
    pub fn row_of_point(&self) -> &[u32] {
        &self.row_of_point
    }

    /// The point of a row that lives.
    #[must_use]
    pub fn point(&self, row: u32) -> Option<u32> {
        self.point_of_row.get(row as usize).copied().filter(|&point| self.alive[point as usize])
    }

    /// A row comes to life in its slot, or in the next one at the end. Returns its point.
    pub fn add(&mut self, row: u32) -> u32 {
        if row as usize == self.point_of_row.len() {
            self.point_of_row.push(self.alive.len() as u32);
            self.row_of_point.push(row);
            self.alive.push(false);
        }
        let point = self.point_of_row[row as usize];
        self.alive[point as usize] = true;
        self.count += 1;
        point
    }

    /// A point leaves its slot.
    pub fn take(&mut self, point: u32) {
        self.alive[point as usize] = false;
        self.count -= 1;
    }

    /// Says whether these rows can leave or change.
    ///
    /// # Errors
    /// Names the first that does not live or is named twice.
    pub fn check_living(&self, rows: &[u32]) -> Result<(), EngineError> {
        let mut named = rows.to_vec();
        named.sort_unstable();
        if let Some(twice) = named.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(EngineError::NamedTwice { row: twice[0] });
        }
        match rows.iter().find(|&&row| self.point(row).is_none()) {
            Some(&row) => Err(EngineError::NotLiving { row }),
            None => Ok(()),
        }
    }

    /// Says whether these rows can come.
    ///
    /// # Errors
    /// Names the first that lives, is named twice or leaves a gap.
    pub fn check_free(&self, rows: &[u32]) -> Result<(), EngineError> {
        let mut named = rows.to_vec();
        named.sort_unstable();
        let mut next = self.point_of_row.len() as u32;
        for (at, &row) in named.iter().enumerate() {
            if at > 0 && named[at - 1] == row {
                return Err(EngineError::NamedTwice { row });
            }
            if self.point(row).is_some() {
                return Err(EngineError::LivesAlready { row });
            }
            if row > next {
                return Err(EngineError::Gap { row, next });
            }
            next = next.max(row + 1);
        }
        Ok(())
    }
}

/// Says whether vectors fit rows and data.
///
/// # Errors
/// If there is not one finite vector of the data's length for each row.
pub fn check_vectors(rows: &[u32], vectors: &Vectors, dims: usize) -> Result<(), EngineError> {
    if vectors.rows() != rows.len() || (vectors.dims() != dims && !rows.is_empty()) {
        let (vectors, of) = (vectors.rows(), vectors.dims());
        return Err(EngineError::Vectors { rows: rows.len(), vectors, of, dims });
    }
    let finite = |at: usize| vectors.row(at).iter().all(|value| value.is_finite());
    match (0..rows.len()).find(|&at| !finite(at)) {
        Some(at) => Err(EngineError::VectorNotFinite { row: rows[at] }),
        None => Ok(()),
    }
}
