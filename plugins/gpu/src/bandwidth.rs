//! How fast an adapter copies memory: the limit that the stages are compared with.

use crate::adapter::OpenAdapter;
use std::time::{Duration, Instant};

/// Bytes of one copy: larger than caches, small enough for any adapter.
const BYTES: u64 = 64 << 20;
/// Copies in one submission.
const COPIES: u32 = 4;
/// Submissions; the fastest counts.
const TRIES: u32 = 5;

/// Bytes read and written in a second by copies from buffer to buffer.
#[must_use]
pub fn copy_bandwidth(adapter: &OpenAdapter) -> f64 {
    let device = adapter.resources.0.wgpu_device();
    let queue = &adapter.resources.1;
    let buffer = || {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("nevis:bandwidth"),
            size: BYTES,
            usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    };
    let (from, to) = (buffer(), buffer());
    let mut fastest = Duration::MAX;
    for _ in 0..=TRIES {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for _ in 0..COPIES {
            encoder.copy_buffer_to_buffer(&from, 0, &to, 0, BYTES);
        }
        let begun = Instant::now();
        queue.submit([encoder.finish()]);
        let _ = device.poll(wgpu::PollType::wait_indefinitely()); // a lost device shows in the figure
        fastest = fastest.min(begun.elapsed());
    }
    2.0 * (BYTES * u64::from(COPIES)) as f64 / fastest.as_secs_f64()
}
