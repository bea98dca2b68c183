//! What has come and waits to be taken; whoever brings more than there is room for waits too.

use super::{Arrival, Lag, Limits};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A bounded queue that can be closed.
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    most: usize,
    most_bytes: usize,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<(Arrival, usize)>,
    bytes: usize,
    lag: Lag,
    paused: bool,
    closed: bool,
}

impl Queue {
    pub fn new(limits: &Limits) -> Self {
        let (most, most_bytes) = (limits.pending_batches.max(1), limits.pending_bytes);
        Self { state: Mutex::default(), changed: Condvar::new(), most, most_bytes }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for room, then adds; `false` if the queue was closed and nobody will take it.
    pub fn push(&self, arrival: Arrival) -> bool {
        let (bytes, rows) = size(&arrival);
        // One batch larger than all the room there is goes alone.
        let full = |state: &mut State| {
            let crowded = state.waiting.len() >= self.most || state.bytes + bytes > self.most_bytes;
            !state.closed && !state.waiting.is_empty() && crowded
        };
        let mut state = self.changed.wait_while(self.state(), full).unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return false;
        }
        if let Some(rows) = rows {
            state.lag.batches += 1;
            state.lag.rows += rows;
        }
        state.bytes += bytes;
        state.waiting.push_back((arrival, bytes));
        true
    }

    /// Takes what came first, if anything waits and the queue is not paused.
    pub fn take(&self) -> Option<Arrival> {
        let mut state = self.state();
        if state.paused {
            return None;
        }
        let (arrival, bytes) = state.waiting.pop_front()?;
        state.bytes -= bytes;
        if let Some(rows) = size(&arrival).1 {
            state.lag.batches -= 1;
            state.lag.rows -= rows;
        }
        self.changed.notify_all();
        Some(arrival)
    }

    pub fn lag(&self) -> Lag {
        self.state().lag
    }

    pub fn set_paused(&self, paused: bool) {
        self.state().paused = paused;
    }

    pub fn is_paused(&self) -> bool {
        self.state().paused
    }

    pub fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    pub fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// Lets time pass, or less of it if the queue is closed meanwhile; says whether it is.
    pub fn rest(&self, time: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.state(), time, |state| !state.closed);
        waited.unwrap_or_else(PoisonError::into_inner).0.closed
    }
}

/// Bytes of an arrival, and rows if it brings any.
fn size(arrival: &Arrival) -> (usize, Option<usize>) {
    let Arrival::Rows { batch, .. } = arrival else { return (0, None) };
    // A slice of a larger batch counts as its share, though it keeps the whole alive: its siblings count the rest.
    let bytes = |column: &dataset::arrow::array::ArrayRef| {
        column.to_data().get_slice_memory_size().unwrap_or_else(|_| column.get_array_memory_size())
    };
    (batch.columns().iter().map(bytes).sum(), Some(batch.num_rows()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operation;
    use crate::support::numbered;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn rows(count: usize) -> Arrival {
        Arrival::Rows { from: "test".into(), operation: Operation::Append, batch: numbered(0..count as i64) }
    }

    #[test]
    fn whoever_brings_too_much_waits_and_order_is_kept() {
        let one = size(&rows(10)).0;
        for limits in
            [Limits { pending_batches: 3, ..Limits::default() }, Limits { pending_bytes: 3 * one, ..Limits::default() }]
        {
            let queue = Arc::new(Queue::new(&limits));
            let pushed = Arc::new(AtomicUsize::new(0));
            let (inside, count) = (Arc::clone(&queue), Arc::clone(&pushed));
            let producer = std::thread::spawn(move || {
                for rows_of_it in 1..=10 {
                    assert!(inside.push(rows(rows_of_it)));
                    count.fetch_add(1, Ordering::SeqCst);
                }
            });
            let mut taken = Vec::new();
            while taken.len() < 10 {
                let lag = queue.lag();
                assert!(lag.batches <= 3 || lag.rows <= 30, "{lag:?}");
                match queue.take() {
                    Some(Arrival::Rows { batch, .. }) => taken.push(batch.num_rows()),
                    _ => std::thread::yield_now(),
                }
            }
            producer.join().unwrap();
            assert_eq!(taken, (1..=10).collect::<Vec<_>>());
            assert_eq!((queue.lag(), pushed.load(Ordering::SeqCst)), (Lag::default(), 10));
        }
    }

    #[test]
    fn a_batch_larger_than_all_room_goes_alone_and_closing_frees_who_waits() {
        let queue = Arc::new(Queue::new(&Limits { pending_bytes: 1, ..Limits::default() }));
        assert!(queue.push(rows(10)));
        let inside = Arc::clone(&queue);
        let producer = std::thread::spawn(move || inside.push(rows(10)));
        queue.rest(Duration::from_millis(20));
        assert_eq!(queue.lag(), Lag { batches: 1, rows: 10 });
        queue.close();
        assert!(!producer.join().unwrap(), "nobody will take it");
    }

    #[test]
    fn while_paused_nothing_is_handed_out_and_nothing_is_lost() {
        let queue = Queue::new(&Limits::default());
        queue.push(rows(4));
        queue.set_paused(true);
        assert!(queue.is_paused() && queue.take().is_none());
        assert_eq!(queue.lag(), Lag { batches: 1, rows: 4 });
        queue.set_paused(false);
        assert!(matches!(queue.take(), Some(Arrival::Rows { .. })));
    }
}
