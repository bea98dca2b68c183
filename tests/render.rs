//! `nevis render`: a picture without a window.

use crate::support::*;
use std::path::Path;

/// A decoded picture: width, height, RGBA.
fn decode(path: &Path) -> (u32, u32, Vec<u8>) {
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(frame.color_type, png::ColorType::Rgba);
    (frame.width, frame.height, pixels)
}

fn pixels_like(pixels: &[u8], wanted: impl Fn(&[u8]) -> bool) -> usize {
    pixels.chunks_exact(4).filter(|pixel| wanted(pixel)).count()
}

/// Three blobs are three patches of colour on the background that was asked for, and the picture knows its recipe.
#[test]
fn a_picture_shows_the_points_on_the_background() {
    if adapter().is_none() {
        return;
    }
    let dir = dir_of_blobs(300);
    let args = ["render", "in.parquet", "--out", "a.png", "--size", "320x200", "--iterations", "200", "--background"];
    let report = json(dir.path(), &[&args[..], &["black"]].concat());
    assert_eq!((&report["width"], &report["height"], &report["dims"]), (&320.into(), &200.into(), &3.into()));
    let (width, height, black) = decode(&dir.path().join("a.png"));
    assert_eq!((width, height), (320, 200));
    let background = pixels_like(&black, |pixel| pixel == [0, 0, 0, 255]);
    let share = background as f64 / f64::from(width * height);
    assert!((0.3..0.985).contains(&share), "{share} of the picture is background");
    let text = points::picture::read_png_text(dir.path().join("a.png")).unwrap();
    let recipe: serde_json::Value = serde_json::from_str(&text[0].1).unwrap();
    has_keys(&recipe, &["settings", "input_hash", "iterations", "auc", "pose", "colours"]);

    json(dir.path(), &[&args[..], &["transparent"]].concat());
    let (_, _, clear) = decode(&dir.path().join("a.png"));
    assert_eq!(pixels_like(&clear, |pixel| pixel[3] == 0), background, "what was background is transparent");
}

#[test]
fn the_same_command_draws_the_same_picture_and_another_camera_another() {
    if adapter().is_none() {
        return;
    }
    let dir = dir_of_blobs(300);
    let draw = |camera: &str, out: &str| {
        let args = ["render", "in.parquet", "--out", out, "--size", "160x120", "--iterations", FEW, "--camera", camera];
        succeed(dir.path(), &args);
        decode(&dir.path().join(out)).2
    };
    let first = draw("30,20", "a.png");
    assert_eq!(first, draw("30,20", "b.png"));
    assert_ne!(first, draw("-60,20", "c.png"));
    assert_ne!(first, draw("30,20,2", "d.png"));
}

#[test]
fn what_cannot_be_drawn_is_said_before_any_work() {
    let dir = dir_of_blobs(60);
    let said = fail(dir.path(), &["render", "in.parquet", "--out", "a.jpg"], 1);
    assert!(said.contains(".png"), "{said}");
    if adapter().is_some() {
        let said = fail(dir.path(), &["render", "in.parquet", "--out", "a.png", "--color-by", "colour"], 1);
        assert!(said.contains("colour") && said.contains("label"), "{said}");
    }
    let output = run(dir.path(), &["render", "in.parquet", "--out", "a.png", "--size", "0x5"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(files_in(dir.path()), ["in.parquet"]);
}
