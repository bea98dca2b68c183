//! Settings as text, pictures as files.

use points::picture::{PictureError, Pixels, read_png_text, write_png};
use points::{Background, PointSettings, SizeUnits};

fn gradient() -> Pixels {
    Pixels { width: 5, height: 3, rgba: (0..60).map(|n| n * 4).collect() }
}

#[test]
fn a_picture_is_read_back_with_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cloud.png");
    let long = "{\"α\": 1} ".repeat(1_000);
    let text = [("Software".to_owned(), "nevis · 0.1".to_owned()), ("nevis state".to_owned(), long)];
    write_png(&path, &gradient(), &text).unwrap();
    assert_eq!(read_png_text(&path).unwrap(), text);
    let mut reader =
        png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&path).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!(pixels, gradient().rgba);
    let size = std::fs::metadata(&path).unwrap().len();
    assert!(size < 2_000, "{size} bytes: long text is compressed");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn a_failed_picture_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cloud.png");
    write_png(&path, &gradient(), &[]).unwrap();
    let before = std::fs::read(&path).unwrap();
    let nameless = [(String::new(), "text".to_owned())];
    assert!(matches!(write_png(&path, &gradient(), &nameless), Err(PictureError::Encode { .. })));
    let short = Pixels { rgba: vec![0; 7], ..gradient() };
    assert!(matches!(write_png(&path, &short, &[]), Err(PictureError::Encode { .. })));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let nowhere = folder.path().join("no/where.png");
    assert!(matches!(write_png(nowhere, &gradient(), &[]), Err(PictureError::File { .. })));
}

#[test]
fn what_is_no_picture_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cloud.png");
    assert!(matches!(read_png_text(&path), Err(PictureError::File { .. })));
    std::fs::write(&path, "no picture").unwrap();
    assert!(matches!(read_png_text(&path), Err(PictureError::Decode { .. } | PictureError::File { .. })));
}

#[test]
fn settings_survive_a_file_and_missing_ones_are_as_usual() {
    let settings = PointSettings {
        size: 0.25,
        units: SizeUnits::World,
        background: Background::Custom([1, 2, 3]),
        flat: true,
        ..PointSettings::default()
    };
    let text = serde_json::to_string(&settings).unwrap();
    assert_eq!(serde_json::from_str::<PointSettings>(&text).unwrap(), settings);
    let few: PointSettings = serde_json::from_str(r#"{"background": "light", "fog": 0.0}"#).unwrap();
    assert_eq!(few, PointSettings { background: Background::Light, fog: 0.0, ..PointSettings::default() });
}

#[test]
fn squares_of_pixels_become_one_in_linear_light_without_the_background() {
    // Black and white make the grey of half the light; beside nothing, a colour stays and covers half.
    let drawn = [[0, 0, 0, 255], [255, 255, 255, 255], [200, 40, 30, 255], [0, 0, 0, 0]];
    let rows = [drawn, drawn].concat().concat();
    let few = Pixels::from_drawn(4, 2, 2, &rows).unwrap();
    assert_eq!((few.width, few.height), (2, 1));
    assert_eq!(few.at(0, 0), [188, 188, 188, 255]);
    assert_eq!(few.at(1, 0), [200, 40, 30, 128]);
    assert!(matches!(Pixels::from_drawn(4, 2, 2, &[0; 3]), Err(PictureError::Bytes { .. })));
}
