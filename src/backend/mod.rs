//! Where the engine runs: what was asked for, what there is, and one face for both engines.

#[cfg(feature = "gpu")]
mod adapters;
mod growing;
mod runner;

#[cfg(feature = "gpu")]
pub use adapters::{list, taken_by_auto};
pub use runner::{Embedded, Ending, Runner};

use crate::args::{Backend, BackendArgs};
use crate::error::CommandError;
use embedding::{Engine, Settings};
#[cfg(feature = "gpu")]
use gpu::{GpuEngine, GpuError, OpenAdapter, shape::Shape};
use vectors::Vectors;

/// Where the engine shall run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wish {
    pub backend: Backend,
    /// Part of the name of the adapter that was chosen, if one was.
    pub adapter: Option<String>,
}

/// Where the engine is going to run.
#[derive(Debug)]
pub enum Place {
    Cpu,
    #[cfg(feature = "gpu")]
    Gpu {
        adapter: Box<OpenAdapter>,
        /// The cpu will do where the adapter does not.
        by_itself: bool,
    },
}

impl Wish {
    /// What the flags say: a named adapter is a wish for the gpu.
    pub fn of(flags: &BackendArgs) -> Result<Self, CommandError> {
        let backend = match (flags.backend, &flags.adapter) {
            (Backend::Cpu, Some(adapter)) => return Err(CommandError::AdapterOnCpu { adapter: adapter.clone() }),
            (_, Some(_)) => Backend::Gpu,
            (backend, None) => backend,
        };
        Ok(Self { backend, adapter: flags.adapter.clone() })
    }

    /// What the flags say, and the recipe where they say nothing.
    pub fn over_recipe(flags: &BackendArgs, backend: Backend, adapter: Option<String>) -> Result<Self, CommandError> {
        let wish = Self::of(flags)?;
        Ok(match wish {
            Self { backend: Backend::Auto, .. } => Self { backend, adapter },
            Self { backend: Backend::Gpu, adapter: None } => Self { backend: Backend::Gpu, adapter },
            wish => wish,
        })
    }

    /// Opens it, before any work is done. Only `auto` may end up elsewhere, and then notes why.
    #[cfg(feature = "gpu")]
    pub fn open(&self, notes: &mut Vec<String>) -> Result<Place, CommandError> {
        match self.backend {
            Backend::Cpu => Ok(Place::Cpu),
            Backend::Gpu => Ok(Place::on(gpu::adapter::open(self.adapter.as_deref())?, false)),
            Backend::Auto if !adapters::is_hardware_there() => Ok(Place::Cpu),
            Backend::Auto => match gpu::adapter::open(None) {
                Ok(adapter) => Ok(Place::on(adapter, true)),
                Err(error) => Ok(fall_back(&error, notes)),
            },
        }
    }

    /// Where it is computed without graphics.
    #[cfg(not(feature = "gpu"))]
    pub fn open(&self, _notes: &mut Vec<String>) -> Result<Place, CommandError> {
        if self.backend == Backend::Gpu { Err(CommandError::NoGraphics) } else { Ok(Place::Cpu) }
    }
}

impl Place {
    #[cfg(feature = "gpu")]
    fn on(adapter: OpenAdapter, by_itself: bool) -> Self {
        Self::Gpu { adapter: Box::new(adapter), by_itself }
    }

    /// The place that can hold the data: refused data is an error, or goes to the cpu where that is allowed.
    #[cfg(feature = "gpu")]
    pub fn for_data(
        self,
        vectors: &Vectors,
        settings: &Settings,
        notes: &mut Vec<String>,
    ) -> Result<Self, CommandError> {
        let Self::Gpu { adapter, by_itself } = self else { return Ok(self) };
        match adapter.summary.check(&Shape::of(vectors.rows(), vectors.stride(), settings)) {
            Ok(()) => Ok(Self::Gpu { adapter, by_itself }),
            Err(error) if by_itself => Ok(fall_back(&error, notes)),
            Err(error) => Err(error.into()),
        }
    }

    /// Main memory holds what was read.
    #[cfg(not(feature = "gpu"))]
    pub fn for_data(self, _: &Vectors, _: &Settings, _: &mut Vec<String>) -> Result<Self, CommandError> {
        Ok(self)
    }

    /// Starts an embedding here: at given coordinates, or where the settings say.
    pub fn start(
        self,
        vectors: Vectors,
        settings: Settings,
        coordinates: Option<&Vectors>,
    ) -> Result<Runner, CommandError> {
        Ok(match (self, coordinates) {
            #[cfg(feature = "gpu")]
            (Self::Gpu { adapter, .. }, _) => Runner::new(GpuEngine::new(&adapter, vectors, settings, coordinates)?),
            (Self::Cpu, Some(coordinates)) => Runner::new(Engine::with_start(vectors, settings, coordinates)?),
            (Self::Cpu, None) => Runner::new(Engine::new(vectors, settings)?),
        })
    }

    /// Goes on here from an embedding that was kept: exact coordinates, and the iterations done by then.
    #[cfg(feature = "window")]
    pub fn resume(
        self,
        vectors: Vectors,
        settings: Settings,
        coordinates: &Vectors,
        iteration: u32,
    ) -> Result<Runner, CommandError> {
        Ok(match self {
            Self::Gpu { adapter, .. } => {
                Runner::new(GpuEngine::resume(&adapter, vectors, settings, coordinates, iteration)?)
            }
            Self::Cpu => Runner::new(Engine::resume(vectors, settings, coordinates, iteration)?),
        })
    }
}

#[cfg(feature = "gpu")]
fn fall_back(error: &GpuError, notes: &mut Vec<String>) -> Place {
    notes.push(format!("on the cpu, because the graphics adapter cannot be used: {}", reason(error)));
    Place::Cpu
}

/// The error without its advice to use the cpu.
#[cfg(feature = "gpu")]
fn reason(error: &GpuError) -> String {
    match error {
        GpuError::TooLarge { what, needs, allows, remedy } => {
            format!("{what} need a {needs} MiB binding, it allows {allows} ({remedy} would help)")
        }
        GpuError::TooManyDims { dims, most } => format!("it embeds in at most {most} dimensions, not {dims}"),
        GpuError::Device { adapter, reason } => format!("{adapter} does not open: {reason}"),
        error => error.to_string(),
    }
}

/// "the cpu", or an adapter by name.
pub fn place_name(adapter: Option<&str>) -> &str {
    adapter.unwrap_or("the cpu")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(backend: Backend, adapter: Option<&str>) -> BackendArgs {
        BackendArgs { backend, adapter: adapter.map(str::to_owned) }
    }

    fn wish(backend: Backend, adapter: Option<&str>) -> Wish {
        Wish { backend, adapter: adapter.map(str::to_owned) }
    }

    #[test]
    fn a_named_adapter_is_a_wish_for_the_gpu() {
        let of = |backend, adapter| Wish::of(&flags(backend, adapter));
        assert_eq!(of(Backend::Auto, None).expect("nothing said"), Wish::default());
        for backend in [Backend::Auto, Backend::Gpu] {
            assert_eq!(of(backend, Some("rtx")).expect("one meaning"), wish(Backend::Gpu, Some("rtx")));
        }
        let error = of(Backend::Cpu, Some("rtx")).expect_err("a contradiction");
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn flags_win_over_the_recipe() {
        let over =
            |flags| Wish::over_recipe(&flags, Backend::Gpu, Some("rtx".to_owned())).expect("no contradiction here");
        assert_eq!(over(flags(Backend::Auto, None)), wish(Backend::Gpu, Some("rtx")));
        assert_eq!(over(flags(Backend::Gpu, None)), wish(Backend::Gpu, Some("rtx")));
        assert_eq!(over(flags(Backend::Auto, Some("arc"))), wish(Backend::Gpu, Some("arc")));
        assert_eq!(over(flags(Backend::Cpu, None)), wish(Backend::Cpu, None));
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn falling_back_says_why_and_not_what_happens_anyway() {
        let mut notes = Vec::new();
        let large = GpuError::TooLarge { what: "the vectors", needs: 214, allows: 128, remedy: "--pca 50".to_owned() };
        for error in [large, GpuError::TooManyDims { dims: 300, most: 256 }] {
            assert!(matches!(fall_back(&error, &mut notes), Place::Cpu));
        }
        assert!(notes[0].contains("the vectors need a 214 MiB binding, it allows 128 (--pca 50 would help)"));
        assert!(notes.iter().all(|note| note.starts_with("on the cpu") && !note.contains("--backend")), "{notes:?}");
    }
}
