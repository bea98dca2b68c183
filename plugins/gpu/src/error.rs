//! What can go wrong on a GPU.

use embedding::EngineError;

/// Why a run on the GPU cannot begin or go on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GpuError {
    /// There is no adapter at all.
    #[error("no graphics adapter was found; install a driver (Debian: mesa-vulkan-drivers) or use --backend cpu")]
    NoAdapter,
    /// None is called so.
    #[error("no graphics adapter is called {wanted:?}; there is {}", listed(known))]
    NoSuchAdapter {
        /// What was asked for.
        wanted: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The adapter does not open.
    #[error("the adapter {adapter} cannot be used: {reason}; use --backend cpu")]
    Device {
        /// Its name.
        adapter: String,
        /// What the driver says.
        reason: String,
    },
    /// A buffer is larger than the adapter allows.
    #[error("{what} need a {needs} MiB binding, this adapter allows {allows}: use {remedy} or --backend cpu")]
    TooLarge {
        /// What the buffer holds.
        what: &'static str,
        /// Its size in MiB, rounded up.
        needs: u64,
        /// What is allowed, in MiB.
        allows: u64,
        /// What would make it smaller.
        remedy: String,
    },
    /// More dimensions than the stages are written for.
    #[error("the gpu backend embeds in at most {most} dimensions, not {dims}; use --backend cpu")]
    TooManyDims {
        /// What was asked for.
        dims: usize,
        /// What there can be.
        most: usize,
    },
    /// The engine refuses the data or the settings.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A shader does not compile here.
    #[error("the stage {stage} does not compile on this adapter: {reason}; use --backend cpu")]
    Shader {
        /// The stage.
        stage: &'static str,
        /// What the compiler says.
        reason: String,
    },
    /// The device was lost, ran out of memory or refused a command, and could not be brought back.
    #[error(
        "the graphics device failed at iteration {iteration}: {reason}; use --backend cpu or fewer rows (--sample)"
    )]
    Failed {
        /// The last iteration known.
        iteration: u32,
        /// What the driver says.
        reason: String,
    },
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
