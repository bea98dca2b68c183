//! Times every stage on the adapter of this machine, and says how near it comes to the adapter's own copies.
//!
//!     cargo bench --bench gpu [-- --rows N] [--columns M] [--dims D] [--adapter NAME]

use embedding::Settings;
use embedding::random::{hash, normal};
use gpu::command::Command;
use gpu::cost::{self, Cost};
use gpu::shape::Shape;
use gpu::stage::{Slot, Stage};
use gpu::{GpuEngine, GpuError, adapter, bandwidth};
use vectors::Vectors;

/// Iterations before anything is timed: the lists are filled, the points move.
const WARM_UP: u32 = 40;
/// Times that a stage runs in one submission.
const TIMES: u32 = 5;
/// Submissions; the fastest counts.
const TRIES: u32 = 3;
/// Clusters of the synthetic rows.
const CLUSTERS: u32 = 20;

/// The stages that are worth timing by themselves; a tree is timed as a whole.
const TIMED: [Stage; 17] = [
    Stage::Propose,
    Stage::Offer,
    Stage::Merge,
    Stage::EndPass,
    Stage::Calibrate,
    Stage::Count,
    Stage::ScanBlocks,
    Stage::ScanSums,
    Stage::ScanRows,
    Stage::Fill,
    Stage::Symmetrise,
    Stage::Repel,
    Stage::Attract,
    Stage::Normalise,
    Stage::Follow,
    Stage::Apply,
    Stage::Integrate,
];

struct Wanted {
    rows: usize,
    columns: usize,
    dims: usize,
    adapter: Option<String>,
}

impl Wanted {
    fn read() -> Self {
        let mut wanted = Self { rows: 20_000, columns: 50, dims: 2, adapter: None };
        let mut args = std::env::args().skip(1);
        while let Some(name) = args.next() {
            let mut value = || args.next().unwrap_or_default();
            match name.as_str() {
                "--rows" => wanted.rows = value().parse().unwrap_or(wanted.rows),
                "--columns" => wanted.columns = value().parse().unwrap_or(wanted.columns),
                "--dims" => wanted.dims = value().parse().unwrap_or(wanted.dims),
                "--adapter" => wanted.adapter = Some(value()),
                _ => {} // cargo's own
            }
        }
        wanted
    }

    /// Overlapping clusters.
    fn rows(&self) -> Vectors {
        let mut vectors = Vectors::with_capacity(self.rows, self.columns);
        let centre = |cluster, axis| 3.0 * normal(hash(1, 0, cluster, 2 * axis), hash(1, 0, cluster, 2 * axis + 1));
        let mut row = vec![0.0; self.columns];
        for number in 0..self.rows as u32 {
            for (axis, value) in row.iter_mut().enumerate() {
                let axis = axis as u32;
                let noise = normal(hash(2, 0, number, 2 * axis), hash(2, 0, number, 2 * axis + 1));
                *value = centre(number % CLUSTERS, axis) + noise;
            }
            vectors.push(&row);
        }
        vectors
    }
}

fn main() -> Result<(), GpuError> {
    let wanted = Wanted::read();
    let open = adapter::open(wanted.adapter.as_deref())?;
    let copies = bandwidth::copy_bandwidth(&open);
    println!("{}, {}: copies move {:.1} GB/s", open.summary.name, open.summary.kind, copies / 1e9);
    let settings = Settings { dims: wanted.dims, ..Settings::for_rows(wanted.rows) };
    let vectors = wanted.rows();
    let shape = Shape::of(wanted.rows, vectors.stride(), &settings);
    println!(
        "{} rows of {} columns in {} dimensions, {} MB",
        wanted.rows,
        wanted.columns,
        wanted.dims,
        shape.total_bytes() / 1_000_000
    );
    let mut engine = GpuEngine::new(&open, vectors, settings.clone(), None)?;
    engine.run(WARM_UP, |_| ())?;
    let nothing = seconds(&mut engine, &[])?;
    println!("\n{:12} {:>9} {:>9} {:>9} {:>7}", "stage", "ms", "MB", "GB/s", "of copy");
    let print = |name: &str, seconds: f64, cost: Cost| {
        let rate = cost.bytes as f64 / seconds;
        let (ms, mb) = (seconds * 1e3, cost.bytes as f64 / 1e6);
        println!("{name:12} {ms:9.3} {mb:9.1} {:9.2} {:6.0}%", rate / 1e9, 100.0 * rate / copies);
    };
    let project = (seconds(&mut engine, &[Command::Project])? - nothing).max(0.0);
    print("project", project, cost::tree(&shape));
    for stage in TIMED {
        let mut commands = vec![Command::Run(Stage::Look)]; // a slice for those that need one
        commands.extend((0..TIMES).map(|_| Command::Run(stage)));
        let took = (seconds(&mut engine, &commands)? - nothing).max(1e-9) / f64::from(TIMES);
        print(stage.entry(), took, cost::cost(stage, &shape, &settings));
    }
    let moving = cost::moving(&shape, &settings);
    println!("\nan iteration without a refinement moves {} bytes a point", moving.bytes / wanted.rows as u64);
    Ok(())
}

/// GPU seconds of a frame with these commands.
fn seconds(engine: &mut GpuEngine, commands: &[Command]) -> Result<f64, GpuError> {
    let mut fastest = f64::INFINITY;
    for _ in 0..TRIES {
        for command in commands {
            match command {
                Command::Run(stage) => engine.send(Command::Run(*stage)),
                _ => engine.send(Command::Project),
            }
        }
        engine.fetch(&[Slot::Control])?;
        fastest = fastest.min(engine.gpu_seconds().2);
    }
    Ok(fastest)
}
