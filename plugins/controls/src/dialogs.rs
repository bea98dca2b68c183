//! Choosing files, in a window of our own: the same on every desktop, and on none.

use crate::desk::Conduct;
use crate::model::{Interface, Request};
use bevy::ecs::prelude::{MessageWriter, Res, ResMut, Resource, Result};
use bevy_egui::EguiContexts;
use bevy_egui::egui::Align2;
use egui_file_dialog::FileDialog;

/// What a file is chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Open,
    Save,
    Export,
    ExportSelection,
    ExportTables,
    ExportHierarchy,
    Screenshot,
    Score,
    Movie,
}

/// The dialog, and what it is open for.
#[derive(Resource)]
pub struct Dialogs {
    dialog: FileDialog,
    purpose: Purpose,
    /// It opens a moment after it was asked for: the key that asked would be typed into its search.
    frames_until_open: u8,
}

/// Frames that a key needs to be forgotten.
const A_MOMENT: u8 = 2;

const DATA: [&str; 8] = ["parquet", "arrow", "feather", "ipc", "arrows", "csv", "nevis", "score"];

impl Default for Dialogs {
    fn default() -> Self {
        let dialog = FileDialog::new()
            .add_file_filter_extensions("data, sessions and scores", DATA.to_vec())
            .add_save_extension("session", "nevis")
            .add_save_extension("Parquet", "parquet")
            .add_save_extension("Arrow", "arrow")
            .add_save_extension("CSV", "csv")
            .add_save_extension("JSON graph", "json")
            .add_save_extension("GraphML", "graphml")
            .add_save_extension("PNG picture", "png")
            .add_save_extension("score", "score")
            .add_save_extension("MP4 movie", "mp4")
            .add_save_extension("GIF", "gif")
            .title("Choose a file")
            .default_size([640.0, 420.0])
            .anchor(Align2::CENTER_CENTER, [0.0, 0.0]);
        Self { dialog, purpose: Purpose::Open, frames_until_open: 0 }
    }
}

impl Dialogs {
    /// Asks for files to open.
    pub fn open(&mut self) {
        self.purpose = Purpose::Open;
        self.dialog.config_mut().default_file_filter = Some("data, sessions and scores".to_owned());
        self.frames_until_open = A_MOMENT;
    }

    /// Asks where to save the session.
    pub fn save(&mut self, data: &str) {
        self.ask(Purpose::Save, "session", &format!("{data}.nevis"));
    }

    /// Asks where to write coordinates.
    pub fn export(&mut self, data: &str) {
        self.ask(Purpose::Export, "Parquet", &format!("{data}-embedding.parquet"));
    }

    /// Asks where to write the selected rows.
    pub fn export_selection(&mut self, data: &str) {
        self.ask(Purpose::ExportSelection, "Parquet", &format!("{data}-selection.parquet"));
    }

    /// Asks where to write the tables that explain the selection.
    pub fn export_tables(&mut self, data: &str) {
        self.ask(Purpose::ExportTables, "CSV", &format!("{data}-why.csv"));
    }

    /// Asks where to write the hierarchy.
    pub fn export_hierarchy(&mut self, data: &str) {
        self.ask(Purpose::ExportHierarchy, "JSON graph", &format!("{data}-hierarchy.json"));
    }

    /// Asks where to save a picture.
    pub fn screenshot(&mut self, data: &str) {
        self.ask(Purpose::Screenshot, "PNG picture", &format!("{data}.png"));
    }

    /// Asks where to write the score.
    pub fn score(&mut self, data: &str) {
        self.ask(Purpose::Score, "score", &format!("{data}.score"));
    }

    /// Asks where to write the movie.
    pub fn movie(&mut self, data: &str) {
        self.ask(Purpose::Movie, "MP4 movie", &format!("{data}.mp4"));
    }

    fn ask(&mut self, purpose: Purpose, extension: &str, name: &str) {
        self.purpose = purpose;
        let config = self.dialog.config_mut();
        config.default_save_extension = Some(extension.to_owned());
        config.default_file_name = name.to_owned();
        self.frames_until_open = A_MOMENT;
    }

    /// Opens it when its moment has come.
    fn tick(&mut self) {
        if self.frames_until_open == 0 {
            return;
        }
        self.frames_until_open -= 1;
        match (self.frames_until_open, self.purpose) {
            (0, Purpose::Open) => self.dialog.pick_multiple(),
            (0, _) => self.dialog.save_file(),
            _ => {}
        }
    }

    /// Whether it is open or about to be, and keys are for it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.frames_until_open > 0 || *self.dialog.state() == egui_file_dialog::DialogState::Open
    }
}

/// Shows the dialog if it is open, and passes on what was chosen.
pub fn draw_dialogs(
    mut contexts: EguiContexts,
    mut dialogs: ResMut<Dialogs>,
    interface: Res<Interface>,
    mut requests: MessageWriter<Request>,
    mut conduct: MessageWriter<Conduct>,
) -> Result {
    if !dialogs.is_open() {
        return Ok(());
    }
    dialogs.tick();
    let context = contexts.ctx_mut()?;
    dialogs.dialog.update(context);
    let purpose = dialogs.purpose;
    if let Some(paths) = dialogs.dialog.take_picked_multiple() {
        requests.write(Request::Open(paths));
    }
    if let Some(path) = dialogs.dialog.take_picked() {
        let request = match purpose {
            Purpose::Score => {
                conduct.write(Conduct::Save(Some(path)));
                return Ok(());
            }
            Purpose::Movie => {
                conduct.write(Conduct::Movie(path));
                return Ok(());
            }
            Purpose::Open => Request::Open(vec![path]),
            Purpose::Save => Request::Save(Some(path)),
            Purpose::Export => Request::Export(path),
            Purpose::ExportSelection => Request::ExportSelection(path),
            Purpose::ExportTables => Request::ExportTables(path),
            Purpose::ExportHierarchy => Request::ExportHierarchy(path),
            Purpose::Screenshot => Request::Screenshot {
                path: Some(path),
                scale: interface.screenshot_scale,
                transparent: interface.screenshot_transparent,
            },
        };
        requests.write(request);
    }
    Ok(())
}
