//! The stages as data: which shader, which buffers, which variants. Every stage binds each buffer at the buffer's own
//! number, so a shader and this table can be compared line by line (and are, by the tests).

use bevy::shader::ShaderDefVal;
use vectors::Metric;

/// The buffers of a run. A buffer's number is its binding in every shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum Slot {
    /// Settings of the frame ([`Params`](crate::params::Params)).
    Params = 0,
    /// The run so far ([`Control`](crate::params::Control)).
    Control = 1,
    /// Arguments of indirect dispatches ([`Dispatches`](crate::params::Dispatches)).
    Dispatches = 2,
    /// `[points][vector_chunks]` rows of the data.
    Vectors = 3,
    /// `[points][hd_length]` neighbours in the data.
    HdEntries = 4,
    /// Their squared distances.
    HdDistances = 5,
    /// Free slots, points that are held, rows that are out of date, and rows that hold something new.
    Marks = 6,
    /// `[points][ld_length]` neighbours in the embedding.
    Ld = 7,
    /// `[slice][32]` what points of the slice found, for themselves and for others.
    Finds = 8,
    /// `[points][8]` what others offer to a point.
    Inbox = 9,
    /// `[points]` Gaussians.
    Gaussians = 10,
    /// `[points]` how many rows name a point.
    Counts = 11,
    /// Sums of the blocks of a scan.
    Sums = 12,
    /// `[points]` start and length of each row of the affinities.
    Rows = 13,
    /// Neighbours in the affinities.
    EdgeNeighbours = 14,
    /// Their weights.
    EdgeWeights = 15,
    /// `[points]` positions: what is drawn.
    Positions = 16,
    /// `[points]` last moves.
    Velocity = 17,
    /// `[points][2]` pull and push.
    Forces = 18,
    /// `[points]` neighbourhoods in the embedding.
    Near = 19,
    /// Sums of Z of each workgroup.
    Partials = 20,
    /// `[points]` changes of the lists of neighbours in the embedding.
    Swaps = 21,
    /// `[points]` keys and rows of a tree under construction.
    Keyed = 22,
    /// Steps of that construction ([`Step`](crate::params::Step)).
    Steps = 23,
    /// What a stage of `change` reads: entries or positions before, or which points a change of the data is about.
    Old = 24,
    /// And distances or velocities before.
    OldToo = 25,
    /// How far the centre of the embedding has drifted from the origin, and where it is: two positions.
    Drift = 26,
    /// `[points]` where the spring draws points to, around the origin and of size 1; one of nothing without a spring.
    Anchors = 27,
}

impl Slot {
    /// Every buffer, in the order of their numbers.
    pub const ALL: [Self; 28] = [
        Self::Params,
        Self::Control,
        Self::Dispatches,
        Self::Vectors,
        Self::HdEntries,
        Self::HdDistances,
        Self::Marks,
        Self::Ld,
        Self::Finds,
        Self::Inbox,
        Self::Gaussians,
        Self::Counts,
        Self::Sums,
        Self::Rows,
        Self::EdgeNeighbours,
        Self::EdgeWeights,
        Self::Positions,
        Self::Velocity,
        Self::Forces,
        Self::Near,
        Self::Partials,
        Self::Swaps,
        Self::Keyed,
        Self::Steps,
        Self::Old,
        Self::OldToo,
        Self::Drift,
        Self::Anchors,
    ];

    /// What the buffer is called in labels and errors.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Params => "params",
            Self::Control => "control",
            Self::Dispatches => "dispatches",
            Self::Vectors => "vectors",
            Self::HdEntries => "hd_entries",
            Self::HdDistances => "hd_distances",
            Self::Marks => "marks",
            Self::Ld => "ld",
            Self::Finds => "finds",
            Self::Inbox => "inbox",
            Self::Gaussians => "gaussians",
            Self::Counts => "counts",
            Self::Sums => "sums",
            Self::Rows => "rows",
            Self::EdgeNeighbours => "edge_neighbours",
            Self::EdgeWeights => "edge_weights",
            Self::Positions => "positions",
            Self::Velocity => "velocity",
            Self::Forces => "forces",
            Self::Near => "near",
            Self::Partials => "partials",
            Self::Swaps => "swaps",
            Self::Keyed => "keyed",
            Self::Steps => "steps",
            Self::Old => "old",
            Self::OldToo => "old_too",
            Self::Drift => "drift",
            Self::Anchors => "anchors",
        }
    }
}

/// How a stage uses a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Small and the same for all threads.
    Uniform,
    /// The same, at an offset that each dispatch chooses.
    UniformAt,
    /// Reads only.
    Read,
    /// Reads and writes.
    Write,
}

/// What a shader is specialised by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Varies {
    /// Dimensions of the embedding.
    Dims,
    /// The metric.
    Metric,
    /// Whether α = 1.
    Tail,
}

/// Everything a pipeline can be specialised by; stages that do not depend on a part share their pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant {
    /// vec4s of a position; 0 for a vec2.
    pub chunks: u32,
    /// Number of the metric in `shared/metric.wgsl`.
    pub metric: u32,
    /// α = 1.
    pub student: bool,
}

impl Variant {
    /// The variant for these settings.
    #[must_use]
    pub fn of(settings: &embedding::Settings) -> Self {
        let metric = match settings.metric {
            Metric::Euclidean => 0,
            Metric::Manhattan => 1,
            Metric::Cosine | Metric::Correlation => 2,
            Metric::Chebyshev => 3,
            Metric::BrayCurtis => 4,
        };
        Self { chunks: chunks(settings.dims), metric, student: settings.alpha == 1.0 }
    }

    /// What of it a stage depends on; the rest is as good as zero.
    #[must_use]
    pub fn seen_by(self, varies: &[Varies]) -> Self {
        Self {
            chunks: if varies.contains(&Varies::Dims) { self.chunks } else { 0 },
            metric: if varies.contains(&Varies::Metric) { self.metric } else { 0 },
            student: varies.contains(&Varies::Tail) && self.student,
        }
    }

    /// The shader definitions of a stage.
    #[must_use]
    pub fn defs(self, varies: &[Varies]) -> Vec<ShaderDefVal> {
        let mut defs = Vec::new();
        for part in varies {
            match part {
                Varies::Dims => {
                    defs.push(ShaderDefVal::UInt("CHUNKS".into(), self.chunks));
                    defs.push(ShaderDefVal::UInt("TILE".into(), fitting(self.chunks, 4)));
                    defs.push(ShaderDefVal::UInt("MEASURE_THREADS".into(), fitting(self.chunks, 4)));
                }
                Varies::Metric => defs.push(ShaderDefVal::UInt("METRIC".into(), self.metric)),
                Varies::Tail if self.student => defs.push("STUDENT".into()),
                Varies::Tail => {}
            }
        }
        defs
    }
}

/// vec4s of a position of so many dimensions; 0 for a vec2.
#[must_use]
pub fn chunks(dims: usize) -> u32 {
    if dims <= 2 { 0 } else { dims.div_ceil(4) as u32 }
}

/// Values of a position in memory.
#[must_use]
pub fn position_stride(dims: usize) -> usize {
    if dims <= 2 { 2 } else { dims.next_multiple_of(4) }
}

/// Bytes that every adapter has for a workgroup to share.
const WORKGROUP_BYTES: u32 = 16_384;
/// More positions than this at a time gain nothing.
const MOST_SHARED: u32 = 256;

/// How many positions, each with so many bytes beside it, fit into a workgroup's memory: a power of two.
fn fitting(chunks: u32, beside: u32) -> u32 {
    let fit = WORKGROUP_BYTES / (16 * chunks.max(1) + beside);
    1 << fit.clamp(1, MOST_SHARED).ilog2()
}

/// Names the stages and what each is made of.
macro_rules! stages {
    ($($(#[$doc:meta])* $stage:ident $path:literal $entry:literal [$($slot:ident $access:ident),*] [$($varies:ident),*];)*) => {
        /// One compute pass: a shader's entry point and what it binds.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Stage {
            $($(#[$doc])* $stage,)*
        }

        impl Stage {
            /// Every stage, in the order of an iteration.
            pub const ALL: &'static [Self] = &[$(Self::$stage),*];

            /// The file in `shaders/`.
            #[must_use]
            pub fn path(self) -> &'static str {
                match self { $(Self::$stage => $path,)* }
            }

            /// The entry point, which is also the stage's name.
            #[must_use]
            pub fn entry(self) -> &'static str {
                match self { $(Self::$stage => $entry,)* }
            }

            /// The buffers it binds; the settings of the frame come first in all.
            #[must_use]
            pub fn bindings(self) -> &'static [(Slot, Access)] {
                match self { $(Self::$stage => &[(Slot::Params, Access::Uniform), $((Slot::$slot, Access::$access)),*],)* }
            }

            /// What it is specialised by.
            #[must_use]
            pub fn varies(self) -> &'static [Varies] {
                match self { $(Self::$stage => &[$(Varies::$varies),*],)* }
            }
        }
    };
}

stages! {
    /// Does this iteration refine?
    Look "control/decide.wgsl" "look" [Control Write, Dispatches Write] [];
    /// Seed of a start-up projection.
    Plant "control/decide.wgsl" "plant" [Control Write, Dispatches Write] [];
    /// A tree: rows in the order of the file.
    Arrange "search/project.wgsl" "arrange" [Keyed Write] [Metric];
    /// A tree: rows on the axes of their nodes.
    Keys "search/project.wgsl" "keys" [Control Write, Vectors Read, Marks Write, Keyed Write, Steps UniformAt] [Metric];
    /// A tree: pieces of nodes in order.
    Sort "search/project.wgsl" "sort" [Keyed Write, Steps UniformAt] [Metric];
    /// A tree: first step of a merge of larger pieces.
    Flip "search/project.wgsl" "flip" [Keyed Write, Steps UniformAt] [Metric];
    /// A tree: later steps.
    Disperse "search/project.wgsl" "disperse" [Keyed Write, Steps UniformAt] [Metric];
    /// A tree: last steps, within pieces.
    Finish "search/project.wgsl" "finish" [Keyed Write, Steps UniformAt] [Metric];
    /// A tree: all pairs of each leaf.
    Join "search/project.wgsl" "join"
        [Control Write, Vectors Read, HdEntries Write, HdDistances Write, Marks Write, Keyed Write, Steps UniformAt] [Metric];
    /// Neighbours of neighbours.
    Propose "search/propose.wgsl" "propose"
        [Control Write, Vectors Read, HdEntries Read, HdDistances Read, Marks Read, Ld Read, Finds Write, Inbox Write] [Metric];
    /// Signs the offers that won.
    Offer "search/propose.wgsl" "offer" [Control Write, Finds Write, Inbox Write] [Metric];
    /// Finds and offers into the lists.
    Merge "search/merge.wgsl" "merge"
        [Control Write, HdEntries Write, HdDistances Write, Marks Write, Finds Read, Inbox Write] [];
    /// A pass over all points ends.
    EndPass "search/merge.wgsl" "end_pass" [HdEntries Write, Marks Write] [];
    /// Are the affinities due?
    Refresh "control/decide.wgsl" "refresh" [Control Write, Dispatches Write] [];
    /// Widths of the Gaussians.
    Calibrate "affinities/calibrate.wgsl" "calibrate" [HdDistances Read, Marks Write, Gaussians Write] [];
    /// Affinities: who names whom.
    Count "affinities/symmetrise.wgsl" "count" [HdEntries Read, Counts Write] [];
    /// Affinities: sums of blocks of rows.
    ScanBlocks "affinities/symmetrise.wgsl" "scan_blocks" [Counts Write, Sums Write] [];
    /// Affinities: sums over the blocks.
    ScanSums "affinities/symmetrise.wgsl" "scan_sums" [Sums Write] [];
    /// Affinities: where rows start.
    ScanRows "affinities/symmetrise.wgsl" "scan_rows" [Counts Write, Sums Write, Rows Write] [];
    /// Affinities: both directions.
    Fill "affinities/symmetrise.wgsl" "fill"
        [HdEntries Read, HdDistances Read, Gaussians Read, Counts Write, Rows Write, EdgeNeighbours Write, EdgeWeights Write] [];
    /// Affinities: mutual pairs.
    Symmetrise "affinities/symmetrise.wgsl" "symmetrise" [Rows Write, EdgeNeighbours Write, EdgeWeights Write] [];
    /// The push of neighbours in the embedding and of the far sample.
    Repel "descent/repel.wgsl" "repel" [Control Write, Marks Read, Ld Read, Positions Read, Forces Write, Near Write] [Dims, Tail];
    /// The pull of neighbours in the data.
    Attract "descent/attract.wgsl" "attract"
        [Control Write, Rows Read, EdgeNeighbours Read, EdgeWeights Read, Positions Read, Forces Write, Near Write, Partials Write]
        [Dims, Tail];
    /// Z.
    Normalise "descent/normalise.wgsl" "normalise" [Control Write, Partials Read] [];
    /// Candidates for the lists of neighbours in the embedding.
    Follow "descent/follow.wgsl" "follow"
        [Control Write, Marks Read, Ld Write, Rows Read, EdgeNeighbours Read, Positions Read, Near Read, Swaps Write] [Dims];
    /// Takes the best of them in.
    Apply "descent/follow.wgsl" "apply" [Ld Write, Swaps Write] [Dims];
    /// Momentum and one gradient step.
    Integrate "descent/integrate.wgsl" "integrate"
        [Control Write, Marks Read, Positions Write, Velocity Write, Forces Read, Near Read, Drift Read, Anchors Read] [Dims];
    /// The size of the embedding, and where its middle is.
    Measure "descent/measure.wgsl" "measure" [Control Write, Marks Read, Positions Read, Drift Write] [Dims];
    /// The middle back to the origin, and the size within bounds.
    Recentre "descent/recentre.wgsl" "recentre" [Control Write, Marks Read, Positions Write, Drift Read] [Dims];
    /// Other lengths of the lists of neighbours in the data.
    Resize "change/resize.wgsl" "resize"
        [Control Write, HdEntries Write, HdDistances Write, Marks Write, Old Read, OldToo Read] [];
    /// Another metric.
    Remeasure "change/remeasure.wgsl" "remeasure"
        [Control Write, Vectors Read, HdEntries Write, HdDistances Write, Marks Write, Gaussians Write] [Metric];
    /// Other lengths of the lists of neighbours in the embedding, or nobody in them who left.
    Relist "change/relist.wgsl" "relist" [HdEntries Read, Marks Read, Ld Write, Old Read] [];
    /// Another number of dimensions.
    Reshape "change/reshape.wgsl" "reshape" [Control Write, Positions Write, Velocity Write, Old Read, OldToo Read] [];
    /// Axes that leave are squeezed out.
    Squeeze "change/squeeze.wgsl" "squeeze" [Control Write, Positions Write, Velocity Write] [];
    /// Implosion and explosion.
    Scale "change/scale.wgsl" "scale" [Control Write, Marks Read, Positions Write, Velocity Write] [Dims];
    /// Points that come, leave, change or are held.
    Mark "change/mark.wgsl" "mark" [Marks Write, Old Read] [];
    /// Lists without those who left, and measured anew where data changed.
    Forget "change/forget.wgsl" "forget"
        [Control Write, Vectors Read, HdEntries Write, HdDistances Write, Marks Write, Gaussians Write] [Metric];
    /// The neighbours of those who come or have changed.
    Arrive "change/arrive.wgsl" "arrive"
        [Control Write, Vectors Read, HdEntries Write, HdDistances Write, Marks Read, Swaps Write, Old Read] [Metric];
    /// They offer themselves to their neighbours.
    Introduce "change/introduce.wgsl" "introduce" [HdEntries Read, HdDistances Read, Inbox Write, Old Read] [];
    /// Signs the offers that won.
    SignOffers "change/introduce.wgsl" "sign_offers" [HdEntries Read, HdDistances Read, Inbox Write, Old Read] [];
    /// Where new points start.
    Seat "change/seat.wgsl" "seat"
        [Control Write, HdEntries Read, HdDistances Read, Marks Read, Gaussians Read, Positions Write, Swaps Read, Old Read]
        [Dims];
    /// Their neighbours there.
    Meet "change/seat.wgsl" "meet"
        [Control Write, HdEntries Read, Marks Read, Ld Write, Positions Write, Velocity Write, Old Read] [Dims];
}
