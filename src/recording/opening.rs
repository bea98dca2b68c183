//! What a movie begins with: data, or a session that goes on from where it was saved.

use super::cast::Cast;
use super::station;
use crate::args::LoaderArgs;
use crate::console::Console;
use crate::error::CommandError;
use crate::input::Input;
use crate::input::is_session;
use crate::viewer::scene::{Layout, axes_of, bounds_of};
use crate::viewer::session::Saved;
use crate::viewer::{gathered, put_categories, read_data_of};
use colours::{ColourSettings, default_colouring};
use dataset::arrow::array::UInt32Array;
use dataset::arrow::compute::take_record_batch;
use dataset::{Dataset, LoadOptions, RowNumbers};
use embedding::Settings;
use orbit_camera::Pose;
use points::PointSettings;
use score::Station;
use selection::Rows;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vectors::Vectors;

/// Data, and how it is first seen.
#[derive(Debug)]
pub struct Opened {
    pub input: Input,
    pub load: LoadOptions,
    /// The rows that are embedded: of a session that was saved within a dive, those of the dive.
    pub data: Dataset,
    /// Where the embedding goes on from, if it does.
    pub start: Option<Start>,
    pub colours: ColourSettings,
    pub looks: PointSettings,
    pub pose: Option<Pose>,
    pub selected: Arc<Rows>,
    /// Selections by their names.
    pub selections: Vec<(String, Arc<Rows>)>,
}

/// An embedding that was saved.
#[derive(Debug)]
pub struct Start {
    /// The session's file.
    pub path: PathBuf,
    pub settings: Settings,
    /// One row for each row of the data.
    pub positions: Vectors,
    /// Iterations done by then.
    pub iteration: u32,
}

impl Opened {
    /// Opens files, the demo or a session, read as it says with flags laid over it.
    ///
    /// # Errors
    /// If they cannot be read, or the data of the session is not what it was.
    pub fn open(input: Input, flags: &LoaderArgs, console: Console) -> Result<Self, CommandError> {
        if let Input::Files(paths) = &input
            && let [path] = paths.as_slice()
            && is_session(path)
        {
            return Self::session(path, flags, console);
        }
        let load = flags.over(LoadOptions::default());
        let data = input.load(&load, console)?;
        Ok(Self {
            colours: default_colouring(&data),
            looks: PointSettings::default(),
            pose: None,
            selected: Arc::new(Rows::none(data.row_numbers.len())),
            selections: Vec::new(),
            start: None,
            input,
            load,
            data,
        })
    }

    /// Where the selections with names are.
    pub fn stations(&self) -> Vec<Station> {
        let Some(start) = &self.start else { return Vec::new() };
        let (positions, dims) = (&start.positions, start.positions.dims());
        let values: Vec<f32> = (0..positions.rows()).flat_map(|row| positions.row(row)).copied().collect();
        let layout = Layout { positions: &values, dims, stride: dims };
        let axes = axes_of(layout, None);
        let bounds = bounds_of(layout, &axes);
        let station = |(name, rows): &(String, Arc<Rows>)| {
            let places: Vec<_> = rows.iter().map(|row| axes.place(positions.row(row as usize))).collect();
            station(name, &places, &bounds)
        };
        self.selections.iter().filter_map(station).collect()
    }

    /// What cues can name.
    pub fn cast(&self) -> Cast<'_> {
        Cast { data: &self.data, selections: &self.selections }
    }

    fn session(path: &Path, flags: &LoaderArgs, console: Console) -> Result<Self, CommandError> {
        let Saved { session, positions, rows, selected, selections, clusters, .. } = Saved::read(path)?;
        let load = flags.over(session.load.clone());
        let read = console.while_loading(|progress| read_data_of(path, &session, load, progress))?;
        read.check_rows(path, selected.len())?; // flags may have changed which rows are read
        let (input, load, mut data) = (read.input, read.load, read.dataset);
        if let Some((name, column)) = session.clusters.as_deref().zip(clusters) {
            put_categories(&mut data, name, column)?;
        }
        let mut opened = Self {
            input,
            load,
            data,
            start: Some(Start {
                path: path.to_owned(),
                settings: session.settings,
                positions,
                iteration: session.iteration,
            }),
            colours: session.colours,
            looks: session.looks,
            pose: Some(session.pose),
            selected,
            selections,
        };
        if let Some(rows) = rows {
            opened.dive(&rows)?;
        }
        Ok(opened)
    }

    /// Leaves only some rows, which are ascending.
    fn dive(&mut self, rows: &[u32]) -> Result<(), CommandError> {
        let data = &mut self.data;
        data.vectors = gathered(&data.vectors, rows);
        data.attributes = take_record_batch(&data.attributes, &UInt32Array::from(rows.to_vec()))?;
        data.row_numbers =
            RowNumbers::Picked(rows.iter().map(|&row| data.row_numbers.file_row(row as usize)).collect());
        let within = |chosen: &Rows| Arc::new(Rows::choose(rows.len(), |at| chosen.contains(rows[at as usize])));
        self.selected = within(&self.selected);
        self.selections.iter_mut().for_each(|(_, chosen)| *chosen = within(chosen));
        Ok(())
    }
}
