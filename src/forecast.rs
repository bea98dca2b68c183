//! How much memory an embedding will take, and whether this machine has it.

use dataset::{Info, LoadOptions, Role};
use embedding::Settings;
use serde::Serialize;

#[cfg(feature = "gpu")]
mod gpu;

/// Bytes that the buffers of a backend will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Buffers {
    /// The matrix, and beside it the one that PCA starts from.
    pub vectors: u64,
    /// Nearest rows in the data and their distances.
    pub hd_lists: u64,
    /// Nearest points in the embedding.
    pub ld_lists: u64,
    /// Symmetrised affinities, and the Gaussians they come from.
    pub affinities: u64,
    /// Positions, velocities and forces.
    pub positions: u64,
    /// Proposals of neighbours in flight.
    pub inbox: u64,
    /// The other columns, which wait for the output.
    pub attributes: u64,
    /// All of it.
    pub total: u64,
}

/// What is to be expected of each backend here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Forecast {
    pub cpu: Buffers,
    /// On a graphics adapter.
    #[cfg(feature = "gpu")]
    #[serde(flatten)]
    pub gpu: gpu::GpuForecast,
    /// Memory that programs can still have, where the system tells.
    pub available: Option<u64>,
    /// Whether the cpu backend's buffers fit into it.
    pub fits: Option<bool>,
}

/// Bytes of a plain value of an attribute (a number, or a string's place and its few letters).
const ATTRIBUTE_BYTES: u64 = 16;

/// The forecast for files read with these options and embedded with these settings.
pub fn forecast(info: &Info, options: &LoadOptions, settings: &Settings, available: Option<u64>) -> Forecast {
    let cpu = buffers(info, options, settings);
    Forecast {
        cpu,
        #[cfg(feature = "gpu")]
        gpu: gpu::GpuForecast::of(info, options, settings),
        available,
        fits: available.map(|bytes| cpu.total <= bytes),
    }
}

/// The buffers of the engine, field by field as it allocates them: lists hold an index and a distance (4 + 4 bytes)
/// per neighbour, about half of the affinities are reverse edges that no list holds, and each point has a position, a
/// velocity, a pull and a push per dimension and a fixed inbox.
fn buffers(info: &Info, options: &LoadOptions, settings: &Settings) -> Buffers {
    let rows = info.rows as u64;
    let padded = |dims: usize| dims.next_multiple_of(8) as u64;
    let reduced = options.pca.target(info.rows, info.dims).map_or(0, padded);
    let k = settings.hd_list_length(info.rows) as u64;
    let l = settings.ld_list_length(info.rows) as u64;
    let mut buffers = Buffers {
        vectors: rows * 4 * (padded(info.dims) + reduced),
        hd_lists: rows * k * 8,
        ld_lists: rows * l * 4,
        affinities: rows * k * 8 * 3 / 2,
        positions: rows * settings.dims as u64 * 16,
        inbox: rows * 64,
        attributes: attributes(info),
        total: 0,
    };
    let Buffers { vectors, hd_lists, ld_lists, affinities, positions, inbox, attributes, .. } = buffers;
    buffers.total = vectors + hd_lists + ld_lists + affinities + positions + inbox + attributes;
    buffers
}

/// A guess: plain columns by their number; where texts or images are, no less than what they take in the file.
fn attributes(info: &Info) -> u64 {
    let columns = info.columns.iter().filter(|column| column.role != Role::Vector);
    let plain = columns.clone().count() as u64 * info.rows as u64 * ATTRIBUTE_BYTES;
    let bulky = columns.clone().any(|column| matches!(column.role, Role::Text | Role::Image));
    let share = info.rows as f64 / info.file_rows.max(1) as f64;
    if bulky { plain.max((info.bytes as f64 * share) as u64) } else { plain }
}

/// Memory that programs can still have, as Linux tells it.
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
