//! What comes back from the GPU, without waiting for it: the state of the run every frame, buffers on request, and the
//! time that the frame took there.

use crate::command::Fetched;
use crate::params::Control;
use crate::run::Run;
use crate::stage::Slot;
use bevy::render::render_resource::{Buffer, BufferDescriptor, BufferUsages, CommandEncoder};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Copies on their way.
pub struct Readbacks {
    clock: Option<Clock>,
    copied: Vec<Readback>,
    arrived: Arc<Mutex<Vec<Readback>>>,
    measured: Vec<(u32, f64)>,
}

/// Timestamps at the beginning and at the end of a frame's passes.
pub struct Clock {
    /// The two timestamps.
    pub queries: wgpu::QuerySet,
    resolved: Buffer,
    seconds_per_tick: f64,
}

struct Readback {
    buffer: Buffer,
    slots: Vec<(Slot, std::ops::Range<usize>)>,
    iteration: u32,
    dims: usize,
    lengths: (usize, usize),
    iterations: u32,
    timed: bool,
    requested: bool,
    submitted: Instant,
}

/// What a frame leaves behind.
pub struct Arrival {
    /// The state of the run.
    pub control: Control,
    /// Buffers, if any were asked for.
    pub fetched: Option<Fetched>,
    /// Seconds on the GPU.
    pub seconds: f64,
    /// Iterations of the frame.
    pub iterations: u32,
}

const CLOCK_BYTES: u64 = 16;

impl Readbacks {
    /// Nothing on its way.
    #[must_use]
    pub fn new(device: &RenderDevice, queue: &RenderQueue) -> Self {
        let clock = device.features().contains(wgpu::Features::TIMESTAMP_QUERY).then(|| Clock {
            queries: device.wgpu_device().create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("nevis:clock"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: device.create_buffer(&BufferDescriptor {
                label: Some("nevis:clock"),
                size: CLOCK_BYTES,
                usage: BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            seconds_per_tick: f64::from(queue.get_timestamp_period()) * 1e-9,
        });
        Self { clock, copied: Vec::new(), arrived: Arc::default(), measured: Vec::new() }
    }

    /// The clock, where the adapter has one.
    #[must_use]
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Copies the state and the wanted buffers to where the host can read them.
    pub fn copy(
        &mut self,
        device: &RenderDevice,
        encoder: &mut CommandEncoder,
        run: &Run,
        wanted: &[Slot],
        (iterations, timed): (u32, bool),
    ) {
        let Some(control) = run.buffer(Slot::Control) else { return };
        let sources: Vec<_> = wanted.iter().filter_map(|&slot| Some((slot, run.buffer(slot)?))).collect();
        let head = CLOCK_BYTES + control.size();
        let size = head + sources.iter().map(|(_, buffer)| buffer.size()).sum::<u64>();
        let buffer = device.create_buffer(&BufferDescriptor {
            label: Some("nevis:readback"),
            size,
            usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        if let Some(clock) = self.clock.as_ref().filter(|_| timed) {
            encoder.resolve_query_set(&clock.queries, 0..2, &clock.resolved, 0);
            encoder.copy_buffer_to_buffer(&clock.resolved, 0, &buffer, 0, CLOCK_BYTES);
        }
        encoder.copy_buffer_to_buffer(control, 0, &buffer, CLOCK_BYTES, control.size());
        let mut at = head;
        let mut slots = Vec::new();
        for (slot, source) in sources {
            encoder.copy_buffer_to_buffer(source, 0, &buffer, at, source.size());
            slots.push((slot, at as usize..(at + source.size().min(run.shape.bytes(slot))) as usize));
            at += source.size();
        }
        self.copied.push(Readback {
            buffer,
            slots,
            iteration: run.recorded,
            dims: run.shape.dims,
            lengths: (run.shape.hd_length, run.shape.ld_length),
            iterations,
            timed: timed && self.clock.is_some(),
            requested: !wanted.is_empty(),
            submitted: Instant::now(),
        });
    }

    /// Asks for the copies, once they have been submitted.
    pub fn map(&mut self) {
        for readback in self.copied.drain(..) {
            let arrived = Arc::clone(&self.arrived);
            let buffer = readback.buffer.clone();
            buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
                if result.is_ok() {
                    arrived.lock().unwrap_or_else(PoisonError::into_inner).push(readback);
                }
            });
        }
    }

    /// Forgets what is on its way: the run it is of is gone.
    pub fn forget(&mut self) {
        self.copied.clear();
        self.measured.clear();
        self.arrived = Arc::default();
    }

    /// What has arrived since the last time.
    pub fn receive(&mut self) -> Vec<Arrival> {
        let arrived = std::mem::take(&mut *self.arrived.lock().unwrap_or_else(PoisonError::into_inner));
        let arrivals: Vec<Arrival> = arrived.iter().map(|readback| self.read(readback)).collect();
        self.measured.extend(arrivals.iter().map(|arrival| (arrival.iterations, arrival.seconds)));
        arrivals
    }

    /// Iterations and seconds of the frames that arrived since the last time.
    pub fn take_measured(&mut self) -> Vec<(u32, f64)> {
        std::mem::take(&mut self.measured)
    }

    fn read(&self, readback: &Readback) -> Arrival {
        let bytes = readback.buffer.slice(..).get_mapped_range();
        let (clock, rest) = bytes.split_at(CLOCK_BYTES as usize);
        let control = bytemuck::pod_read_unaligned(&rest[..size_of::<Control>()]);
        let buffers = readback.slots.iter().map(|(slot, range)| (*slot, bytes[range.clone()].to_vec()));
        let Readback { iteration, dims, lengths, .. } = *readback;
        let fetched = readback.requested.then(|| Fetched { iteration, dims, lengths, buffers: buffers.collect() });
        let seconds = match &self.clock {
            Some(own) if readback.timed => {
                let ticks: [u64; 2] = bytemuck::pod_read_unaligned(clock);
                ticks[1].saturating_sub(ticks[0]) as f64 * own.seconds_per_tick
            }
            _ => readback.submitted.elapsed().as_secs_f64(),
        };
        drop(bytes);
        readback.buffer.unmap();
        Arrival { control, fetched, seconds, iterations: readback.iterations }
    }
}
