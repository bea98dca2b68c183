//! An engine whose buffers are written, whose stages are run and whose buffers are read, one by one.

use bytemuck::{AnyBitPattern, NoUninit};
use embedding::cpu::forces::position_stride as native_stride;
use embedding::lists::Lists;
use embedding::{Settings, start};
use gpu::command::Command;
use gpu::params::{Control, FARTHEST};
use gpu::stage::{Slot, Stage, position_stride};
use gpu::{GpuEngine, OpenAdapter};
use vectors::{Space, Vectors};

/// Marks of a row, as `shared/lists.wgsl` has them.
pub const DIRTY: u32 = 1;
pub const FRESH: u32 = 2;
pub const HUNGRY: u32 = 64;

/// An engine that stands still.
pub struct Bench {
    pub engine: GpuEngine,
}

impl Bench {
    pub fn new(adapter: &OpenAdapter, vectors: Vectors, settings: &Settings) -> Self {
        Self { engine: GpuEngine::new(adapter, vectors, settings.clone(), None).expect("an engine") }
    }

    /// The same engine on other data: its pipelines are there already.
    pub fn replace(&mut self, vectors: Vectors, settings: &Settings) {
        self.engine.replace_data(vectors, settings.clone()).expect("other data");
    }

    pub fn points(&self) -> usize {
        self.engine.rows()
    }

    /// The data in the order of the points, under the metric in force.
    pub fn space(&self) -> Space {
        let mut space = self.engine.space().clone();
        space.set_metric(self.engine.settings().metric);
        space
    }

    pub fn seed(&self) -> u32 {
        start::random_seed(self.engine.settings())
    }

    pub fn k(&self) -> usize {
        self.engine.settings().hd_list_length(self.points())
    }

    pub fn ld_length(&self) -> usize {
        self.engine.settings().ld_list_length(self.points())
    }

    pub fn write<T: NoUninit>(&mut self, slot: Slot, values: &[T]) {
        self.engine.send(Command::Write(slot, bytemuck::cast_slice(values).to_vec()));
    }

    /// Runs stages in this order; what was written before is there.
    pub fn run(&mut self, stages: &[Stage]) {
        for &stage in stages {
            self.engine.send(Command::Run(stage));
        }
        self.read::<u32>(Slot::Dispatches); // what is written next must not come before
    }

    /// A start-up projection.
    pub fn project(&mut self) {
        self.engine.send(Command::Project);
        self.read::<u32>(Slot::Dispatches);
    }

    pub fn read<T: AnyBitPattern>(&mut self, slot: Slot) -> Vec<T> {
        self.engine.fetch(&[slot]).expect("a buffer").values(slot)
    }

    pub fn control(&mut self) -> Control {
        self.engine.control().expect("the state of the run")
    }

    /// The state of a run in which a slice of the points is refined.
    pub fn slice_control(&self, start: u32, length: u32, pass: u32) -> Control {
        let points = self.points() as u32;
        let at_start = Control::at_start(points, 0);
        Control { pass_number: pass, slice_start: start, slice_length: length, refining: 1, trees: 99, ..at_start }
    }

    pub fn write_lists(&mut self, lists: &mut Lists) {
        let (entries, distances) = lists.rows_mut();
        let distances: Vec<f32> = distances.iter().map(|distance| distance.min(FARTHEST)).collect();
        let entries = entries.to_vec();
        self.write(Slot::HdEntries, &entries);
        self.write(Slot::HdDistances, &distances);
    }

    pub fn read_lists(&mut self) -> Lists {
        let mut lists = Lists::empty(self.points(), self.k());
        let (entries, distances) = lists.rows_mut();
        entries.copy_from_slice(&self.read::<u32>(Slot::HdEntries));
        let read = self.read::<f32>(Slot::HdDistances);
        distances.iter_mut().zip(read).for_each(|(distance, read)| *distance = native_distance(read));
        lists
    }

    /// Writes positions that are laid out as the native stages have them.
    pub fn write_positions(&mut self, slot: Slot, native: &[f32]) {
        let dims = self.engine.settings().dims;
        let padded: Vec<f32> = native.chunks_exact(native_stride(dims)).flat_map(|row| gpu_row(row, dims)).collect();
        self.write(slot, &padded);
    }

    /// Reads positions back, laid out as the native stages have them; the padding must be zero.
    pub fn read_positions(&mut self, slot: Slot) -> Vec<f32> {
        let fetched = self.engine.fetch(&[slot]).expect("a buffer");
        let (dims, padded) = (fetched.dims, fetched.values::<f32>(slot));
        padded.chunks_exact(position_stride(dims)).flat_map(|row| native_row(row, dims)).collect()
    }

    /// Pull and push of all points, laid out as the native stages have them.
    pub fn read_forces(&mut self) -> (Vec<f32>, Vec<f32>) {
        let dims = self.engine.settings().dims;
        let padded: Vec<f32> = self.read(Slot::Forces);
        let stride = position_stride(dims);
        let pairs = || padded.chunks_exact(2 * stride);
        let pull = pairs().flat_map(|pair| native_row(&pair[..stride], dims)).collect();
        (pull, pairs().flat_map(|pair| native_row(&pair[stride..], dims)).collect())
    }
}

/// A distance as the native lists have it: infinite in an empty place.
pub fn native_distance(distance: f32) -> f32 {
    if distance == FARTHEST { f32::INFINITY } else { distance }
}

/// A native position as the GPU has it.
pub fn gpu_row(row: &[f32], dims: usize) -> Vec<f32> {
    let mut padded = vec![0.0; position_stride(dims)];
    padded[..dims].copy_from_slice(&row[..dims]);
    padded
}

fn native_row(row: &[f32], dims: usize) -> Vec<f32> {
    assert!(row[dims..].iter().all(|&padding| padding == 0.0), "padding holds {:?}", &row[dims..]);
    let mut native = vec![0.0; native_stride(dims)];
    native[..dims].copy_from_slice(&row[..dims]);
    native
}
