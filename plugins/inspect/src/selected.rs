//! The selection: rows of the table, whatever is embedded of it.

use bevy::ecs::prelude::{Res, ResMut, Resource};
use live::{Activity, LiveEmbedding};
use selection::{Combine, Rows};
use std::sync::Arc;

/// A selection with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// Its name; no two share one.
    pub name: String,
    /// Its rows.
    pub rows: Arc<Rows>,
}

/// The rows that are selected now, and selections that were given names.
#[derive(Resource, Debug, Clone, PartialEq)]
pub struct Selection {
    current: Arc<Rows>,
    named: Vec<Named>,
    /// What the current one is compared with: a named selection, or else the rest.
    pub against: Option<String>,
}

impl Default for Selection {
    fn default() -> Self {
        Self { current: Arc::new(Rows::none(0)), named: Vec::new(), against: None }
    }
}

impl Selection {
    /// The rows that are selected.
    #[must_use]
    pub fn rows(&self) -> &Arc<Rows> {
        &self.current
    }

    /// Whether anything is selected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.current.is_empty()
    }

    /// Selects other rows, of those that the table has.
    pub fn set(&mut self, rows: Arc<Rows>) {
        let len = self.current.len();
        self.current = if rows.len() == len { rows } else { Arc::new(fitted(&rows, len, |_| true)) };
    }

    /// The same table has another number of rows, and some of its rows are others: what was selected of those is let go.
    pub fn follow(&mut self, len: usize, stays: impl Fn(u32) -> bool + Copy) {
        self.current = Arc::new(fitted(&self.current, len, stays));
        self.named.iter_mut().for_each(|named| named.rows = Arc::new(fitted(&named.rows, len, stays)));
    }

    /// Selects rows, together with those that were selected before or not.
    pub fn apply(&mut self, rows: &Rows, how: Combine) {
        self.current = Arc::new(self.current.combined(rows, how));
    }

    /// Lets go of all.
    pub fn clear(&mut self) {
        self.current = Arc::new(Rows::none(self.current.len()));
    }

    /// A table of so many rows: nothing of the one before holds.
    pub fn begin(&mut self, rows: usize) {
        *self = Self { current: Arc::new(Rows::none(rows)), ..Self::default() };
    }

    /// The selections that have names.
    #[must_use]
    pub fn named(&self) -> &[Named] {
        &self.named
    }

    /// The rows of a named selection.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Arc<Rows>> {
        self.named.iter().find(|named| named.name == name).map(|named| &named.rows)
    }

    /// Gives the current selection a name; one of that name before is replaced.
    pub fn name(&mut self, name: &str) {
        let rows = Arc::clone(&self.current);
        self.put(name, rows);
    }

    /// Keeps rows under a name.
    pub fn put(&mut self, name: &str, rows: Arc<Rows>) {
        match self.named.iter_mut().find(|named| named.name == name) {
            Some(named) => named.rows = rows,
            None => self.named.push(Named { name: name.to_owned(), rows }),
        }
    }

    /// Forgets a named selection.
    pub fn forget(&mut self, name: &str) {
        self.named.retain(|named| named.name != name);
        if self.against.as_deref() == Some(name) {
            self.against = None;
        }
    }

    /// A name that none has yet.
    #[must_use]
    pub fn free_name(&self) -> String {
        let names = (1..).map(|number| format!("selection {number}"));
        names.into_iter().find(|name| self.find(name).is_none()).unwrap_or_default()
    }
}

/// The rows that stay, in a table of so many.
fn fitted(rows: &Rows, len: usize, stays: impl Fn(u32) -> bool) -> Rows {
    Rows::from_rows(len, rows.iter().filter(|&row| (row as usize) < len && stays(row)))
}

/// A selection is as long as the table that is shown; what was selected of another table is let go.
pub(crate) fn follow_the_table(live: Res<LiveEmbedding>, mut selection: ResMut<Selection>) {
    let Some(snapshot) = live.snapshot().filter(|_| live.activity() != Activity::Starting) else { return }; // of the data before
    if selection.rows().len() != snapshot.data.table_rows() {
        selection.begin(snapshot.data.table_rows());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_replaced_and_forgotten() {
        let mut selection = Selection::default();
        selection.begin(10);
        selection.apply(&Rows::from_rows(10, [1, 2, 3]), Combine::Replace);
        assert_eq!(selection.free_name(), "selection 1");
        selection.name("selection 1");
        selection.apply(&Rows::from_rows(10, [3]), Combine::Subtract);
        selection.name("two");
        selection.against = Some("two".to_owned());
        assert_eq!(selection.free_name(), "selection 2");
        assert_eq!(selection.find("selection 1").map(|rows| rows.count()), Some(3));
        selection.name("selection 1");
        assert_eq!(selection.find("selection 1").map(|rows| rows.count()), Some(2));
        selection.forget("two");
        assert_eq!((selection.named().len(), &selection.against), (1, &None));
        selection.apply(&Rows::from_rows(10, [2, 9]), Combine::Replace);
        selection.follow(12, |row| row != 2);
        assert_eq!((selection.rows().len(), selection.rows().iter().collect::<Vec<_>>()), (12, vec![9]));
        assert_eq!(selection.find("selection 1").map(|rows| (rows.len(), rows.count())), Some((12, 1)));
        selection.set(Arc::new(Rows::from_rows(10, [3])));
        assert_eq!((selection.rows().len(), selection.rows().count()), (12, 1));
        selection.clear();
        assert!(selection.is_empty() && selection.rows().len() == 12);
    }
}
