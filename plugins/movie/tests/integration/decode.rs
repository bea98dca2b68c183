//! Movies back into frames.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use openh264::decoder::Decoder;
use openh264::formats::YUVSource;

/// A movie read back.
pub struct Decoded {
    pub width: u32,
    pub height: u32,
    /// RGBA.
    pub frames: Vec<Vec<u8>>,
    /// When each frame starts, in seconds; empty where the format does not tell.
    pub starts: Vec<f64>,
    /// The length, in seconds; nothing where the format does not tell.
    pub seconds: f64,
    /// Which frames can be jumped to.
    pub keyframes: Vec<usize>,
    /// Whether it starts again at its end, for ever.
    pub loops: bool,
}

pub fn decode(path: &Path) -> Decoded {
    if path.is_dir() {
        return folder(path);
    }
    match path.extension().unwrap().to_str().unwrap() {
        "mp4" => mp4(path),
        "gif" => gif(path),
        _ => apng(path),
    }
}

fn mp4(path: &Path) -> Decoded {
    let file = File::open(path).unwrap();
    let size = file.metadata().unwrap().len();
    let mut reader = mp4::Mp4Reader::read_header(BufReader::new(file), size).unwrap();
    let track = &reader.tracks()[&1];
    let (width, height) = (u32::from(track.width()), u32::from(track.height()));
    let timescale = f64::from(track.timescale());
    let seconds = track.trak.mdia.mdhd.duration as f64 / timescale;
    let movie_seconds = reader.moov.mvhd.duration as f64 / f64::from(reader.moov.mvhd.timescale);
    assert!((seconds - movie_seconds).abs() < 1e-9, "the track lasts {seconds}, the movie {movie_seconds}");
    assert_eq!(track.trak.tkhd.duration, reader.moov.mvhd.duration);
    let mut stream = Vec::new();
    for set in [track.sequence_parameter_set().unwrap(), track.picture_parameter_set().unwrap()] {
        stream.extend_from_slice(&[0, 0, 0, 1]);
        stream.extend_from_slice(set);
    }
    let mut decoder = Decoder::new().unwrap();
    let (mut frames, mut starts, mut keyframes) = (Vec::new(), Vec::new(), Vec::new());
    for sample in 1..=reader.sample_count(1).unwrap() {
        let sample = reader.read_sample(1, sample).unwrap().unwrap();
        starts.push(sample.start_time as f64 / timescale);
        if sample.is_sync {
            keyframes.push(frames.len());
        }
        let mut rest = &sample.bytes[..];
        while let Some((length, tail)) = rest.split_first_chunk() {
            let (unit, tail) = tail.split_at(u32::from_be_bytes(*length) as usize);
            stream.extend_from_slice(&[0, 0, 0, 1]);
            stream.extend_from_slice(unit);
            rest = tail;
        }
        frames.extend(decoder.decode(&stream).unwrap().map(|picture| to_rgba(&picture)));
        stream.clear();
    }
    frames.extend(decoder.flush_remaining().unwrap().iter().map(to_rgba));
    Decoded { width, height, frames, starts, seconds, keyframes, loops: false }
}

/// BT.709 in limited range, as the file says it is.
fn to_rgba(picture: &impl YUVSource) -> Vec<u8> {
    let (width, height) = picture.dimensions();
    let (luma_stride, blue_stride, red_stride) = picture.strides();
    let mut rgba = Vec::with_capacity(width * height * 4);
    for row in 0..height {
        for column in 0..width {
            let luma = (f64::from(picture.y()[row * luma_stride + column]) - 16.0) * 255.0 / 219.0;
            let blue = (f64::from(picture.u()[row / 2 * blue_stride + column / 2]) - 128.0) * 255.0 / 224.0 * 1.8556;
            let red = (f64::from(picture.v()[row / 2 * red_stride + column / 2]) - 128.0) * 255.0 / 224.0 * 1.5748;
            let green = luma - (0.2126 * red + 0.0722 * blue) / 0.7152;
            rgba.extend([luma + red, green, luma + blue, 255.0].map(|channel| channel.round() as u8));
        }
    }
    rgba
}

fn gif(path: &Path) -> Decoded {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(BufReader::new(File::open(path).unwrap())).unwrap();
    let (width, height) = (u32::from(decoder.width()), u32::from(decoder.height()));
    let loops = decoder.repeat() == gif::Repeat::Infinite;
    let mut canvas = vec![0; (width * height * 4) as usize];
    let (mut frames, mut starts, mut now) = (Vec::new(), Vec::new(), 0);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert!(frame.delay >= 2, "browsers show {} hundredths for ten", frame.delay);
        let place = [frame.left, frame.top, frame.width, frame.height].map(usize::from);
        draw(&mut canvas, width as usize, place, &frame.buffer, |pixel| pixel[3] > 0);
        frames.push(canvas.clone());
        starts.push(f64::from(now) / 100.0);
        now += u32::from(frame.delay);
    }
    Decoded { width, height, frames, starts, seconds: f64::from(now) / 100.0, keyframes: vec![0], loops }
}

/// Puts a frame at its place (left, top, width, height) on the canvas, where its pixels count.
fn draw(canvas: &mut [u8], width: usize, place: [usize; 4], pixels: &[u8], counts: impl Fn(&[u8]) -> bool) {
    let [left, top, frame_width, _] = place;
    for (at, pixel) in pixels.chunks_exact(4).enumerate() {
        if counts(pixel) {
            let to = ((top + at / frame_width) * width + left + at % frame_width) * 4;
            canvas[to..to + 4].copy_from_slice(pixel);
        }
    }
}

fn apng(path: &Path) -> Decoded {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let (width, height) = reader.info().size();
    let control = *reader.info().animation_control().unwrap();
    let mut canvas = vec![0; (width * height * 4) as usize];
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let (mut frames, mut starts, mut seconds) = (Vec::new(), Vec::new(), 0.0);
    for _ in 0..control.num_frames {
        let size = reader.next_frame(&mut buffer).unwrap().buffer_size();
        let frame = *reader.info().frame_control().unwrap();
        assert_eq!((frame.blend_op, frame.dispose_op), (png::BlendOp::Source, png::DisposeOp::None));
        let place = [frame.x_offset, frame.y_offset, frame.width, frame.height].map(|side| side as usize);
        draw(&mut canvas, width as usize, place, &buffer[..size], |_| true);
        frames.push(canvas.clone());
        starts.push(seconds);
        seconds += f64::from(frame.delay_num) / f64::from(frame.delay_den);
    }
    assert!(reader.next_frame(&mut buffer).is_err(), "more frames than were announced");
    Decoded { width, height, frames, starts, seconds, keyframes: vec![0], loops: control.num_plays == 0 }
}

fn folder(path: &Path) -> Decoded {
    let mut names: Vec<_> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let mut size = (0, 0);
    let mut frames = Vec::new();
    for (at, name) in names.iter().enumerate() {
        assert_eq!(name.file_name().unwrap().to_str().unwrap(), format!("frame-{:05}.png", at + 1));
        let mut reader = png::Decoder::new(BufReader::new(File::open(name).unwrap())).read_info().unwrap();
        size = reader.info().size();
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut buffer).unwrap();
        frames.push(buffer);
    }
    Decoded {
        width: size.0,
        height: size.1,
        frames,
        starts: Vec::new(),
        seconds: 0.0,
        keyframes: Vec::new(),
        loops: false,
    }
}
