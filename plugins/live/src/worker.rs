//! The native engine on a thread of its own. Nobody waits for it: commands go in by a channel, snapshots come out of a
//! shared place whenever somebody took the last one.

use crate::snapshot::{Action, Begin, HdLists, Job, LiveData, Part, Snapshot};
use embedding::{Engine, EngineError, Settings};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// How long an idle worker sleeps between two looks at whether somebody wants a snapshot.
const NAP: Duration = Duration::from_millis(10);
/// Time over which the rate of iterations is averaged.
const RATE_WINDOW: Duration = Duration::from_millis(500);
/// An embedding that has not moved for so long stands still: axes that leave it are squeezed out without iterations.
pub(crate) const STILL: Duration = Duration::from_millis(250);
/// Lists of neighbours are copied no more often than this.
const LISTS_EVERY: Duration = Duration::from_millis(700);

/// What the worker is told.
#[derive(Debug)]
pub(crate) enum Command {
    Settings(Box<Settings>),
    Act(Action),
    /// Run freely, or only what is granted.
    Free(bool),
    /// Run so many iterations although not free.
    Grant(u32),
    /// So many for a frame, although not free: what frames before had no time for is forgotten but for as many again.
    Pace(u32),
    /// Copy lists of neighbours into the snapshots, or stop doing so.
    Lists(bool),
}

/// Where worker and application meet.
#[derive(Debug, Default)]
struct Meeting {
    snapshot: Mutex<Option<Arc<Snapshot>>>,
    wanted: AtomicBool,
    stop: AtomicBool,
    refused: Mutex<Option<EngineError>>,
}

/// The thread, seen from outside. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Worker {
    commands: Sender<Command>,
    meeting: Arc<Meeting>,
    thread: JoinHandle<()>,
}

impl Worker {
    /// Starts a thread that lays the data out and embeds it, with so many threads of its own.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(job: Job, threads: usize) -> std::io::Result<Self> {
        let (commands, inbox) = channel();
        let meeting = Arc::new(Meeting { wanted: AtomicBool::new(true), ..Meeting::default() });
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("engine {n}"));
        let pool = pool.start_handler(|_| step_back(ENGINE_NICENESS));
        let pool = pool.build().map_err(std::io::Error::other)?;
        let thread = Builder::new().name("engine".to_owned()).spawn({
            let meeting = Arc::clone(&meeting);
            move || pool.install(move || live(job, inbox, &meeting))
        })?;
        Ok(Self { commands, meeting, thread })
    }

    /// Tells it something. A thread that has ended hears nothing, and [`has_ended`](Self::has_ended) says so.
    pub fn send(&self, command: Command) {
        let _ = self.commands.send(command);
    }

    /// The latest snapshot, if there is a new one; asks for the next.
    pub fn take(&self) -> Option<Arc<Snapshot>> {
        let snapshot = self.meeting.snapshot.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.meeting.wanted.store(true, Ordering::Release);
        snapshot
    }

    /// Why the engine refused the data or a setting, if it did since the last question.
    pub fn take_refusal(&self) -> Option<EngineError> {
        self.meeting.refused.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The thread is gone: its data was refused, or it broke.
    pub fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.meeting.stop.store(true, Ordering::Release); // it ends after its iteration; nobody waits for that
    }
}

/// The life of the thread.
fn live(job: Job, inbox: Receiver<Command>, meeting: &Meeting) {
    let Job { vectors, part, settings, begin } = job;
    let engine = match &begin {
        Begin::New => Engine::new(vectors, settings),
        Begin::From(coordinates) => Engine::with_start(vectors, settings, coordinates),
        Begin::Resume(coordinates, iteration) => Engine::resume(vectors, settings, coordinates, *iteration),
    };
    drop(begin);
    match engine {
        Ok(engine) => Life::new(engine, part, meeting).run(&inbox),
        Err(error) => *meeting.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(error),
    }
}

struct Life<'a> {
    engine: Engine,
    data: Arc<LiveData>,
    part: Option<Part>,
    meeting: &'a Meeting,
    /// Runs by itself. Not from the beginning: the first moment waits until it was seen, and whoever saw it decides.
    free: bool,
    granted: u32,
    /// When it last moved.
    moved: Instant,
    /// Something changed since the last snapshot.
    unseen: bool,
    rate: Rate,
    lists: Option<Option<(Arc<HdLists>, Instant)>>,
}

impl<'a> Life<'a> {
    fn new(engine: Engine, part: Option<Part>, meeting: &'a Meeting) -> Self {
        let data = Arc::new(LiveData::new(engine.space().clone(), engine.row_of_point().to_vec(), part.as_ref()));
        let (moved, rate) = (Instant::now(), Rate::new());
        Self { engine, data, part, meeting, free: false, granted: 0, moved, unseen: true, rate, lists: None }
    }

    fn run(&mut self, inbox: &Receiver<Command>) {
        while !self.meeting.stop.load(Ordering::Acquire) {
            if !self.obey_all(inbox) {
                return;
            }
            if self.may_step() {
                self.granted = self.granted.saturating_sub(1);
                self.engine.step();
                self.rate.count(self.engine.iteration());
                (self.moved, self.unseen) = (Instant::now(), true);
            } else if self.moved.elapsed() > STILL {
                self.unseen |= self.engine.squeeze();
            }
            self.publish();
        }
    }

    fn may_step(&self) -> bool {
        self.free || self.granted > 0
    }

    /// Does all that was asked, in order; with nothing else to do, waits a little for more. False: nobody is there any more.
    fn obey_all(&mut self, inbox: &Receiver<Command>) -> bool {
        loop {
            let next = if self.may_step() {
                inbox.try_recv().map_err(|error| error == TryRecvError::Disconnected)
            } else {
                inbox.recv_timeout(NAP).map_err(|error| error == RecvTimeoutError::Disconnected)
            };
            match next {
                Ok(command) => self.obey(command),
                Err(disconnected) => return !disconnected,
            }
        }
    }

    fn obey(&mut self, command: Command) {
        self.unseen = true;
        match command {
            Command::Settings(settings) => {
                if let Err(error) = self.engine.set_settings(*settings) {
                    *self.meeting.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            }
            Command::Act(Action::Settle(iterations)) => self.engine.settle(iterations),
            Command::Act(Action::Implode) => self.engine.implode(),
            Command::Act(Action::Explode) => self.engine.explode(),
            Command::Act(Action::Reset) => self.engine.reset(),
            Command::Free(free) => {
                self.free = free;
                self.granted = 0;
                self.rate = Rate::new();
            }
            Command::Grant(iterations) => self.granted = self.granted.saturating_add(iterations),
            Command::Pace(iterations) => self.granted = self.granted.min(iterations).saturating_add(iterations),
            Command::Lists(true) => self.lists = self.lists.take().or(Some(None)),
            Command::Lists(false) => self.lists = None,
        }
    }

    /// Leaves a snapshot where it can be taken, if there is something new and somebody took the last one.
    fn publish(&mut self) {
        if !self.unseen || !self.meeting.wanted.swap(false, Ordering::AcqRel) {
            return;
        }
        self.unseen = false;
        let lists = self.current_lists();
        let mut statistics = self.engine.statistics();
        if let Some(part) = &self.part {
            statistics.quarantined_row = statistics.quarantined_row.map(|row| part.rows[row as usize]);
        }
        let (positions, stride) = self.engine.point_positions();
        let snapshot = Snapshot {
            data: Arc::clone(&self.data),
            positions: Arc::new(positions.to_vec()),
            dims: self.engine.dims(),
            stride,
            settings: self.engine.settings().clone(),
            statistics,
            rate: if self.free { self.rate.per_second } else { 0.0 },
            lists,
        };
        *self.meeting.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(snapshot));
    }

    fn current_lists(&mut self) -> Option<Arc<HdLists>> {
        let kept = self.lists.as_mut()?;
        let fresh = kept.as_ref().is_some_and(|(_, read)| read.elapsed() < LISTS_EVERY);
        if !fresh {
            let (neighbours, k) = self.engine.point_neighbours();
            let iteration = self.engine.iteration();
            *kept = Some((Arc::new(HdLists { neighbours, k, iteration }), Instant::now()));
        }
        kept.as_ref().map(|(lists, _)| Arc::clone(lists))
    }
}

/// How far the engine's threads step back: where cores are few, the interface comes first.
const ENGINE_NICENESS: i32 = 5;
/// How far the watch on the quality steps back, and all else that is done beside the map.
pub const WATCH_NICENESS: i32 = 12;

/// Lets other threads go first. On Linux a priority belongs to a thread; elsewhere the system is left to itself.
pub fn step_back(niceness: i32) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, niceness); // a wish: without it things still work
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}

/// Iterations a second, over the last half second or so.
struct Rate {
    since: Instant,
    from: Option<u32>,
    per_second: f32,
}

impl Rate {
    fn new() -> Self {
        Self { since: Instant::now(), from: None, per_second: 0.0 }
    }

    fn count(&mut self, iteration: u32) {
        let from = *self.from.get_or_insert(iteration.saturating_sub(1));
        let elapsed = self.since.elapsed();
        if elapsed >= RATE_WINDOW {
            self.per_second = iteration.saturating_sub(from) as f32 / elapsed.as_secs_f32();
            (self.since, self.from) = (Instant::now(), Some(iteration));
        }
    }
}
