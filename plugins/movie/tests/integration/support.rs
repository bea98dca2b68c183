//! Scenes to film, and how far a picture is from another.

use std::path::Path;

use movie::{Movie, MovieOptions, MovieSummary};

/// Every kind of movie by an example of its path.
pub const PATHS: [&str; 4] = ["a.mp4", "a.gif", "a.apng", "frames"];

/// The dark ground of the scene.
pub const GROUND: [u8; 3] = [16, 18, 24];

/// A frame of saturated discs, 3 to 11 pixels wide, that drift over a dark ground.
pub fn scene(width: u32, height: u32, frame: u32) -> Vec<u8> {
    let (width, height) = (width as i64, height as i64);
    let mut pixels = [GROUND[0], GROUND[1], GROUND[2], 255].repeat((width * height) as usize);
    for disc in 0..40i64 {
        let radius = 1 + disc % 5;
        let x = (disc * 7919 + i64::from(frame) * (disc % 5 - 2)).rem_euclid(width);
        let y = (disc * 104_729 + i64::from(frame) * (disc % 3 - 1)).rem_euclid(height);
        let hue = hue(disc as u32 * 17);
        for dy in -radius..=radius {
            for dx in -radius..=radius {
                let (x, y) = (x + dx, y + dy);
                if dx * dx + dy * dy <= radius * radius && (0..width).contains(&x) && (0..height).contains(&y) {
                    let at = ((y * width + x) * 4) as usize;
                    pixels[at..at + 3].copy_from_slice(&hue);
                }
            }
        }
    }
    pixels
}

/// A soft gradient that brightens: more colours than a palette has, and changes too small to see.
pub fn gradient(width: u32, height: u32, frame: u32) -> Vec<u8> {
    (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .flat_map(|(x, y)| [(x * 255 / width) as u8, (y * 255 / height) as u8, (frame * 2 + (x + y) / 8) as u8, 255])
        .collect()
}

fn hue(at: u32) -> [u8; 3] {
    let (up, down) = ((at % 60 * 4) as u8, 240 - (at % 60 * 4) as u8);
    [[down, up, 0], [0, down, up], [up, 0, down]][(at / 60 % 3) as usize]
}

pub fn options(width: u32, height: u32, fps: u32) -> MovieOptions {
    MovieOptions { width, height, fps, ..Default::default() }
}

/// Makes a movie of the frames that `draw` gives.
pub fn film(path: &Path, options: &MovieOptions, frames: u32, draw: impl Fn(u32, u32, u32) -> Vec<u8>) -> MovieSummary {
    let mut movie = Movie::create(path, options.clone()).unwrap();
    for frame in 0..frames {
        movie.push(draw(options.width, options.height, frame)).unwrap();
    }
    movie.finish().unwrap()
}

/// How near two RGBA pictures are, in decibels of the peak over the noise in R, G and B; infinite for equal ones.
pub fn psnr(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let squares: f64 = a
        .chunks_exact(4)
        .zip(b.chunks_exact(4))
        .flat_map(|(a, b)| (0..3).map(|at| f64::from(a[at].abs_diff(b[at])).powi(2)))
        .sum();
    10.0 * (255.0f64.powi(2) / (squares / (a.len() / 4 * 3) as f64)).log10()
}

/// All bytes of a movie, also of a folder of frames.
pub fn bytes(path: &Path) -> Vec<u8> {
    if path.is_dir() {
        files(path).iter().flat_map(|name| std::fs::read(path.join(name)).unwrap()).collect()
    } else {
        std::fs::read(path).unwrap()
    }
}

/// The names in a folder, sorted, hidden ones too.
pub fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn psnr_tells_near_from_far() {
    let (first, moved) = (scene(64, 48, 0), scene(64, 48, 5));
    assert_eq!(psnr(&first, &first), f64::INFINITY);
    let off_by_one: Vec<u8> = first.iter().map(|&byte| byte.saturating_add(1)).collect();
    assert!((psnr(&first, &off_by_one) - 48.13).abs() < 0.01);
    assert!(psnr(&first, &moved) < 20.0, "{}", psnr(&first, &moved));
}
