//! The feed: a thread that reads what arrives into the table, and hands over a moment of it whenever one is taken.

use dataset::arrow::record_batch::RecordBatch;
use live::Change;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use stream::{Arrival, LivingTable, Source};

/// How long the feed sleeps when there is nothing to do.
const NAP: Duration = Duration::from_millis(15);
/// Changes are handed over no more often than this …
const SHORTEST: Duration = Duration::from_millis(200);
/// … and take no more than this share of the time.
const COST: u32 = 10;
/// What standard input is called.
pub const STANDARD: &str = "stdin";
/// Batches read before it looks whether a moment is wanted.
const AT_ONCE: usize = 32;

/// A stream and the table it changes.
pub struct Feed {
    /// What the stream is called.
    pub name: String,
    pub source: Source,
    pub table: LivingTable,
    /// What went wrong while the first rows were gathered.
    pub words: Vec<(String, bool)>,
}

/// A change, and the table after it.
pub struct Moment {
    change: stream::Change,
    version: u64,
    /// The columns of all rows.
    pub attributes: RecordBatch,
    /// The number each row was counted with when it arrived.
    pub numbers: Vec<u32>,
}

impl Moment {
    /// The change under this version, for the engine.
    pub fn change(&mut self, version: u64) -> Change {
        self.version = version;
        let stream::Change { departed, arrived, updated, .. } = self.change.clone();
        Change { version, departed, arrived, updated }
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    /// Rows of the table, living or not.
    pub fn rows(&self) -> usize {
        self.change.rows
    }

    /// Rows that came.
    pub fn arrived(&self) -> &[u32] {
        &self.change.arrived.0
    }

    /// Rows that left.
    pub fn departed(&self) -> &[u32] {
        &self.change.departed
    }

    /// Rows whose data changed.
    pub fn updated(&self) -> &[u32] {
        &self.change.updated.0
    }

    /// Rows that are no longer what they were, rising.
    pub fn others(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = self.departed().iter().chain(self.arrived()).copied().collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}

/// Where feed and window meet.
#[derive(Default)]
struct Meeting {
    moment: Mutex<Option<Box<Moment>>>,
    words: Mutex<Vec<(String, bool)>>,
    arrived: AtomicU64,
    stop: AtomicBool,
}

/// The thread, seen from the window. It ends when this is dropped.
pub struct Feeder {
    name: String,
    source: Arc<Source>,
    meeting: Arc<Meeting>,
}

impl Feeder {
    /// Starts the thread.
    pub fn start(feed: Feed) -> Self {
        let Feed { name, source, table, words } = feed;
        let meeting = Arc::new(Meeting { words: Mutex::new(words), ..Meeting::default() });
        let source = Arc::new(source);
        let thread = std::thread::Builder::new().name("feed".to_owned()).spawn({
            let (source, meeting) = (Arc::clone(&source), Arc::clone(&meeting));
            move || feed_on(&source, table, &meeting)
        });
        if let Err(error) = thread {
            meeting.say(format!("no thread for the stream: {error}"), true);
        }
        Self { name, source, meeting }
    }

    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// The latest change that nobody has taken.
    pub fn take(&self) -> Option<Box<Moment>> {
        self.meeting.moment.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What is to be said since the last question, and whether it is bad news.
    pub fn words(&self) -> Vec<(String, bool)> {
        std::mem::take(&mut self.meeting.words.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Rows that have arrived in all.
    pub fn arrived(&self) -> u64 {
        self.meeting.arrived.load(Ordering::Relaxed)
    }

    /// Rows that wait to be read.
    pub fn lag(&self) -> usize {
        self.source.lag().rows
    }

    pub fn is_paused(&self) -> bool {
        self.source.is_paused()
    }

    /// Takes nothing more in, or goes on; who brings rows waits.
    pub fn set_paused(&self, paused: bool) {
        self.source.set_paused(paused);
    }
}

impl Drop for Feeder {
    fn drop(&mut self) {
        self.meeting.stop.store(true, Ordering::Release);
    }
}

impl Meeting {
    fn say(&self, words: String, bad: bool) {
        let mut said = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        // A stream that repeats itself is heard once.
        if said.last().is_none_or(|(last, _)| *last != words) {
            said.push((words, bad));
        }
    }
}

/// The life of the thread.
fn feed_on(source: &Source, mut table: LivingTable, meeting: &Meeting) {
    let intake = table.intake();
    source.judge_by({
        let intake = intake.clone();
        move |schema, operation| intake.judge(schema, operation)
    });
    let (mut handed, mut cost) = (Instant::now(), Duration::ZERO);
    while !meeting.stop.load(Ordering::Acquire) {
        let mut busy = false;
        for arrival in std::iter::from_fn(|| source.try_next()).take(AT_ONCE) {
            busy = true;
            match arrival {
                Arrival::Rows { from, operation, batch } => {
                    let taken = intake.read(operation, &batch).and_then(|incoming| {
                        incoming.notes.iter().for_each(|note| meeting.say(format!("{from}: {note}"), false));
                        table.apply(incoming)
                    });
                    match taken {
                        Ok(applied) => {
                            meeting.arrived.fetch_add((applied.arrived + applied.updated) as u64, Ordering::Relaxed);
                            if applied.unknown_keys > 0 {
                                let words = format!("{from}: {} keys are not in the table", applied.unknown_keys);
                                meeting.say(words, true);
                            }
                        }
                        Err(error) => meeting.say(format!("{from}: {error}"), true),
                    }
                }
                Arrival::Trouble { from, message } => meeting.say(format!("{from}: {message}"), true),
                // Who connects and leaves by a socket may do so with every batch: no news. A pipe ends once.
                Arrival::Ended { from } if from.as_ref() == STANDARD => meeting.say(format!("{from} has ended"), false),
                Arrival::Connected { .. } | Arrival::Ended { .. } => {}
            }
        }
        let free = meeting.moment.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        if free && handed.elapsed() >= SHORTEST.max(COST * cost) && table.living() >= 2 {
            let begun = Instant::now();
            if let Some(moment) = moment(&mut table, meeting) {
                *meeting.moment.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(moment));
                busy = true;
                (handed, cost) = (Instant::now(), begun.elapsed());
            }
        }
        if !busy {
            std::thread::sleep(NAP);
        }
    }
}

/// What has changed since the last one.
fn moment(table: &mut LivingTable, meeting: &Meeting) -> Option<Moment> {
    let change = table.take_change()?;
    match table.attributes() {
        Ok(attributes) => {
            let number = |row| table.number(row).map_or(u32::MAX, |number| number as u32);
            let numbers = (0..change.rows as u32).map(number).collect();
            Some(Moment { change, version: 0, attributes, numbers })
        }
        Err(error) => {
            meeting.say(error.to_string(), true);
            None
        }
    }
}
