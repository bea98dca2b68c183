//! What the viewer and `nevis render` have in common: colours, looks, camera.

use crate::args::{BackendArgs, EngineArgs, LoaderArgs, StreamArgs};
use crate::viewer::ImageShape;
use clap::{Args, ValueEnum};
use colours::ColourSettings;
use orbit_camera::{Pose, StandardView};
use points::{Background, PointSettings};
use std::path::PathBuf;

/// What a picture shows beside the embedding itself.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "View")]
pub struct ViewArgs {
    /// Column to colour by, or: none, kept (trust in neighbourhoods), distances (trust in distances) [default: guessed].
    #[arg(long, value_name = "COLUMN")]
    pub color_by: Option<String>,
    /// What lies behind the points [default: dark].
    #[arg(long, value_enum, value_name = "COLOUR")]
    pub background: Option<BackgroundChoice>,
    /// Size of a point in pixels [default: by the number of points].
    #[arg(long, value_name = "PIXELS", value_parser = parse_point_size)]
    pub point_size: Option<f32>,
    /// Where it is seen from: front, back, left, right, top, bottom, three-quarter, or YAW,PITCH[,DISTANCE] in degrees
    /// and cloud radii [default: three-quarter].
    #[arg(long, value_name = "VIEW", value_parser = parse_pose, allow_hyphen_values = true)]
    pub camera: Option<Pose>,
    /// Vectors are pictures of this shape, to be shown when a point is inspected [default: a column of PNG or JPEG files,
    /// or square vectors without negative values].
    #[arg(long, value_name = "HxW[xC]")]
    pub image_shape: Option<ImageShape>,
}

/// Backgrounds by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BackgroundChoice {
    /// For the screen.
    Dark,
    /// For print and projectors.
    Light,
    /// For slides.
    Black,
    /// None: what is not a point is transparent.
    Transparent,
}

impl From<BackgroundChoice> for Background {
    fn from(choice: BackgroundChoice) -> Self {
        match choice {
            BackgroundChoice::Dark => Self::Dark,
            BackgroundChoice::Light => Self::Light,
            BackgroundChoice::Black => Self::Black,
            BackgroundChoice::Transparent => Self::Transparent,
        }
    }
}

impl ViewArgs {
    /// The colours with the flags laid over them.
    pub fn over_colours(&self, mut colours: ColourSettings) -> ColourSettings {
        if let Some(Ok(by)) = self.color_by.as_ref().map(|words| words.parse()) {
            colours.colour_by(by);
        }
        colours
    }

    /// The looks with the flags laid over them.
    pub fn over_looks(&self, mut looks: PointSettings) -> PointSettings {
        if let Some(background) = self.background {
            looks.background = background.into();
        }
        if let Some(size) = self.point_size {
            looks.size = size;
            looks.adapt = 0.0; // what was asked for, however many points there are
        }
        looks
    }
}

/// A view by name, or by its angles and distance.
fn parse_pose(text: &str) -> Result<Pose, String> {
    let view = match text {
        "front" => Some(StandardView::Front),
        "back" => Some(StandardView::Back),
        "left" => Some(StandardView::Left),
        "right" => Some(StandardView::Right),
        "top" => Some(StandardView::Top),
        "bottom" => Some(StandardView::Bottom),
        "three-quarter" => Some(StandardView::ThreeQuarter),
        _ => None,
    };
    if let Some(view) = view {
        return Ok(Pose::view(view));
    }
    let numbers: Option<Vec<f32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
    match numbers.as_deref() {
        Some([yaw, pitch]) => {
            Ok(Pose { yaw: yaw.to_radians(), pitch: pitch.to_radians(), ..Pose::view(StandardView::Front) })
        }
        Some([yaw, pitch, distance]) if *distance > 0.0 => Ok(Pose {
            yaw: yaw.to_radians(),
            pitch: pitch.to_radians(),
            distance: *distance,
            ..Pose::view(StandardView::Front)
        }),
        _ => {
            Err("neither a view (front, back, left, right, top, bottom, three-quarter) nor YAW,PITCH[,DISTANCE]".into())
        }
    }
}

/// `nevis [FILE …]`
#[derive(Debug, Clone, Default, Args)]
pub struct OpenArgs {
    /// Files to open, or a saved session (.nevis); `-` is an Arrow stream on standard input; without any, the built-in demo.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Take up the state that FILE carries: a session, a picture, a movie, or coordinates of `nevis embed`.
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    pub restore: Option<PathBuf>,
    /// Settings as JSON, named as the flags with _ for -; flags win over it.
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// Categorical column whose names stand in the middle of their points.
    #[arg(long, value_name = "COLUMN", help_heading = "View")]
    pub labels: Option<String>,
    /// What feeds it while it is seen.
    #[command(flatten)]
    pub stream: StreamArgs,
    /// Where it is computed.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// How it is seen.
    #[command(flatten)]
    pub view: ViewArgs,
    /// What the picture looks like.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// What is read.
    #[command(flatten)]
    pub loader: LoaderArgs,
}

/// `nevis render`
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Files or directories of parts with one schema; `demo:` is the built-in demo.
    #[arg(value_name = "INPUT", required = true)]
    pub input: Vec<PathBuf>,
    /// The picture to write (.png).
    #[arg(long, short, value_name = "PICTURE")]
    pub out: PathBuf,
    /// Width and height in pixels.
    #[arg(long, value_name = "WxH", default_value = "1920x1080", value_parser = parse_size)]
    pub size: (u32, u32),
    /// Iterations to run [default: by the number of rows, fewer if the map comes to rest].
    #[arg(long, value_name = "N")]
    pub iterations: Option<u32>,
    /// Where it is computed.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// How it is seen.
    #[command(flatten)]
    pub view: ViewArgs,
    /// What the picture looks like.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// What is read.
    #[command(flatten)]
    pub loader: LoaderArgs,
}

/// Largest side of a picture: every adapter draws that much.
const LARGEST_SIDE: u32 = 8192;

pub(super) fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once(['x', '×', 'X']).and_then(|(width, height)| {
        let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=LARGEST_SIDE).contains(side));
        Some((side(width)?, side(height)?))
    });
    sides.ok_or_else(|| format!("not WIDTHxHEIGHT with sides from 1 to {LARGEST_SIDE}, as in 1920x1080"))
}

/// A size that can be seen.
fn parse_point_size(text: &str) -> Result<f32, String> {
    let size = text.parse().ok().filter(|size: &f32| size.is_finite() && *size > 0.0);
    size.ok_or_else(|| "not a number above 0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use colours::ColourBy;

    #[test]
    fn cameras_are_named_or_measured() {
        assert_eq!(parse_pose("top"), Ok(Pose::view(StandardView::Top)));
        let pose = parse_pose("90,-30,4").expect("angles and distance");
        let (quarter, twelfth) = (std::f32::consts::FRAC_PI_2, std::f32::consts::FRAC_PI_6);
        assert!((pose.yaw - quarter).abs() < 1e-4 && (pose.pitch + twelfth).abs() < 1e-4 && pose.distance == 4.0);
        for bad in ["", "sideways", "1", "1,2,0", "1,2,-3", "1,2,3,4", "a,b", "nan,0", "0,inf", "1,2,nan"] {
            assert!(parse_pose(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_are_two_sides() {
        assert_eq!(parse_size("1280x720"), Ok((1280, 720)));
        for bad in ["1280", "0x5", "5x0", "9000x1", "ax b", "-1x5"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn flags_lie_over_colours_and_looks() {
        let flags = ViewArgs { color_by: Some("kept".into()), point_size: Some(3.0), ..ViewArgs::default() };
        assert_eq!(flags.over_colours(ColourSettings::default()).by, ColourBy::NeighbourhoodKept);
        assert_eq!(flags.over_looks(PointSettings::default()).size, 3.0);
        assert_eq!(ViewArgs::default().over_looks(PointSettings::default()), PointSettings::default());
    }
}
