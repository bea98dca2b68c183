//! `nevis info --adapters`: the graphics adapters of this machine, and which one `auto` takes.

use crate::args::Backend;
use crate::backend::{list, taken_by_auto};
use crate::console::Console;
use crate::error::CommandError;
use crate::text;
use gpu::{AdapterSummary, GpuError};
use serde::Serialize;
use std::fmt;

#[derive(Debug, Clone, Serialize)]
struct AdaptersReport {
    /// The fastest first.
    adapters: Vec<AdapterReport>,
    auto: AutoReport,
}

/// What `--backend auto` stands for here, as long as the data fits.
#[derive(Debug, Clone, Serialize)]
struct AutoReport {
    backend: Backend,
    adapter: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
struct AdapterReport {
    name: String,
    interface: String,
    kind: &'static str,
    driver: String,
    hardware: bool,
    binding_bytes: u64,
    buffer_bytes: u64,
    storage_buffers: u32,
    workgroups: u32,
    timestamps: bool,
}

pub fn run(console: Console) -> Result<(), CommandError> {
    console.print(&AdaptersReport::of(&list()))
}

impl AdaptersReport {
    fn of(adapters: &[AdapterSummary]) -> Self {
        let taken = taken_by_auto(adapters);
        let auto = AutoReport {
            backend: if taken.is_some() { Backend::Gpu } else { Backend::Cpu },
            adapter: taken.map(|adapter| adapter.name.clone()),
        };
        Self { adapters: adapters.iter().map(AdapterReport::of).collect(), auto }
    }
}

impl AdapterReport {
    fn of(adapter: &AdapterSummary) -> Self {
        Self {
            name: adapter.name.clone(),
            interface: adapter.interface.clone(),
            kind: adapter.kind,
            driver: adapter.driver.clone(),
            hardware: adapter.hardware,
            binding_bytes: adapter.binding_bytes,
            buffer_bytes: adapter.buffer_bytes,
            storage_buffers: adapter.storage_buffers,
            workgroups: adapter.workgroups,
            timestamps: adapter.timestamps,
        }
    }
}

impl fmt::Display for AdapterReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = [
            ("interface", self.interface.clone()),
            ("kind", self.kind.to_owned()),
            ("driver", self.driver.clone()),
            ("largest binding", text::bytes(self.binding_bytes)),
            ("largest buffer", text::bytes(self.buffer_bytes)),
            ("storage buffers", format!("{} a stage", text::count(self.storage_buffers as usize))),
            ("workgroups", format!("{} a dimension", text::count(self.workgroups as usize))),
            ("timestamps", if self.timestamps { "yes" } else { "no" }.to_owned()),
        ];
        let lines = lines.map(|(name, value)| vec![name.to_owned(), value]);
        writeln!(f, "{}\n{}", self.name, text::columns(&lines))
    }
}

impl fmt::Display for AdaptersReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.adapters.is_empty() {
            writeln!(f, "{}\n", GpuError::NoAdapter)?;
        }
        self.adapters.iter().try_for_each(|adapter| write!(f, "{adapter}"))?;
        match &self.auto.adapter {
            Some(adapter) => writeln!(f, "--backend auto takes {adapter}"),
            None => writeln!(f, "--backend auto takes the cpu: there is no adapter in hardware"),
        }
    }
}
