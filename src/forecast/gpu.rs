//! What a graphics adapter has to hold, and whether it can.

use super::Buffers;
use crate::backend;
use dataset::{Info, LoadOptions};
use embedding::Settings;
use gpu::AdapterSummary;
use gpu::shape::Shape;
use gpu::stage::Slot;
use serde::Serialize;
use vectors::Vectors;

/// What is to be expected of the gpu backend here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GpuForecast {
    /// On the adapter. Attributes stay behind; the total also counts small change that no other field does.
    #[serde(rename = "gpu")]
    pub buffers: Buffers,
    /// Whether the gpu backend can be used: there is an adapter.
    #[serde(rename = "gpu_available")]
    pub available: bool,
    /// What the gpu backend's adapter says to the buffers, if there is one.
    #[serde(rename = "gpu_fit")]
    pub fit: Option<GpuFit>,
}

impl GpuForecast {
    /// The forecast for the fastest adapter of this machine.
    pub fn of(info: &Info, options: &LoadOptions, settings: &Settings) -> Self {
        let dims = options.pca.target(info.rows, info.dims).unwrap_or(info.dims);
        let shape = Shape::of(info.rows, Vectors::zeros(0, dims).stride(), settings);
        let adapters = backend::list();
        let adapter = adapters.first();
        Self {
            buffers: gpu_buffers(&shape),
            available: adapter.is_some(),
            fit: adapter.map(|adapter| GpuFit::of(adapter, &shape)),
        }
    }
}

/// Whether an adapter can hold the buffers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GpuFit {
    /// Its name.
    pub adapter: String,
    /// Whether all of them are within its limits.
    pub fits: bool,
    /// What it refuses and what would help, if it does.
    pub refusal: Option<String>,
    /// Every buffer, the largest first.
    pub buffers: Vec<GpuBuffer>,
}

/// A buffer on an adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GpuBuffer {
    pub name: &'static str,
    pub bytes: u64,
    /// Whether the adapter's limits allow it.
    pub fits: bool,
}

fn gpu_buffers(shape: &Shape) -> Buffers {
    let bytes = |slots: &[Slot]| slots.iter().map(|&slot| shape.bytes(slot)).sum();
    Buffers {
        vectors: bytes(&[Slot::Vectors]),
        hd_lists: bytes(&[Slot::HdEntries, Slot::HdDistances]),
        ld_lists: bytes(&[Slot::Ld]),
        affinities: bytes(&[Slot::Gaussians, Slot::EdgeNeighbours, Slot::EdgeWeights]),
        positions: bytes(&[Slot::Positions, Slot::Velocity, Slot::Forces]),
        inbox: bytes(&[Slot::Inbox, Slot::Finds]),
        attributes: 0,
        total: shape.total_bytes(),
    }
}

impl GpuFit {
    fn of(adapter: &AdapterSummary, shape: &Shape) -> Self {
        let allows = adapter.binding_bytes.min(adapter.buffer_bytes);
        let buffer =
            |&slot: &Slot| GpuBuffer { name: slot.name(), bytes: shape.bytes(slot), fits: shape.bytes(slot) <= allows };
        let mut buffers: Vec<_> = Slot::ALL.iter().map(buffer).filter(|buffer| buffer.bytes > 0).collect();
        buffers.sort_by_key(|buffer| std::cmp::Reverse(buffer.bytes));
        let refusal = adapter.check(shape).err().map(|error| error.to_string());
        Self { adapter: adapter.name.clone(), fits: refusal.is_none(), refusal, buffers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(binding_bytes: u64) -> AdapterSummary {
        AdapterSummary {
            name: "small".to_owned(),
            interface: "vulkan".to_owned(),
            kind: "integrated gpu",
            driver: String::new(),
            hardware: true,
            binding_bytes,
            buffer_bytes: 1 << 30,
            storage_buffers: 8,
            workgroups: 65_535,
            timestamps: false,
        }
    }

    #[test]
    fn buffers_are_held_against_the_limits_of_the_adapter() {
        let shape = Shape::of(1_000_000, 56, &Settings::for_rows(1_000_000));
        let roomy = GpuFit::of(&adapter(1 << 30), &shape);
        assert!(roomy.fits && roomy.refusal.is_none() && roomy.buffers.iter().all(|buffer| buffer.fits));
        assert!(roomy.buffers.is_sorted_by(|a, b| a.bytes >= b.bytes));
        let tight = GpuFit::of(&adapter(128 << 20), &shape);
        assert!(!tight.fits && tight.refusal.is_some_and(|text| text.contains("need a 214 MiB binding")));
        let vectors = tight.buffers.iter().find(|buffer| buffer.name == "vectors").expect("a buffer");
        assert_eq!((vectors.bytes, vectors.fits), (224_000_000, false));
    }

    #[test]
    fn the_parts_on_the_adapter_are_nearly_all_of_it() {
        let gpu = gpu_buffers(&Shape::of(70_000, 56, &Settings::for_rows(70_000)));
        let Buffers { vectors, hd_lists, ld_lists, affinities, positions, inbox, .. } = gpu;
        let named = vectors + hd_lists + ld_lists + affinities + positions + inbox;
        assert!(named <= gpu.total && named * 10 > gpu.total * 8, "{gpu:?}");
    }
}
