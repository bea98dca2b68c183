//! Sets the clock of a finished MP4 to its frame rate.
//!
//! The muxer counts in 90 000 ticks a second, in which most frame rates fall between two ticks, and it cannot tell how
//! long a single frame lasts. It is therefore given [`TICKS`] ticks for every frame, whatever the rate, and the ticks a
//! second are set here. 90 of them are one tick of the movie as a whole, which then counts frames: all of it is exact.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

use crate::{MovieError, MovieKind};

/// Ticks of the media clock for a frame.
pub(crate) const TICKS: u32 = 90;
/// Bytes of the size and name before what is in a box.
const HEADER: usize = 8;

/// Writes the clock, the length and the duration of frames into the `moov` box.
pub(crate) fn retime(file: &mut File, fps: u32, frames: u64) -> Result<(), MovieError> {
    let frames = u32::try_from(frames).map_err(|_| missing("32-bit length"))?;
    let length = frames.checked_mul(TICKS).ok_or_else(|| missing("32-bit length"))?;
    let (start, mut moov) = read_moov(file)?;
    // After version and flags (4 bytes) come dates of creation and change (4 each), then what is set.
    write(&mut moov, &[b"mvhd"], 12, &[fps, frames])?;
    write(&mut moov, &[b"trak", b"tkhd"], 20, &[frames])?;
    write(&mut moov, &[b"trak", b"mdia", b"mdhd"], 12, &[fps * TICKS, length])?;
    // One entry for all frames, as they last equally long.
    write(&mut moov, &[b"trak", b"mdia", b"minf", b"stbl", b"stts"], 4, &[1, frames, TICKS])?;
    file.seek(SeekFrom::Start(start))?;
    file.write_all(&moov)?;
    Ok(())
}

fn missing(part: &'static str) -> MovieError {
    MovieError::Structure { kind: MovieKind::Mp4, part }
}

/// What is in the `moov` box, and where it starts.
fn read_moov(file: &mut File) -> Result<(u64, Vec<u8>), MovieError> {
    let mut start = 0;
    loop {
        file.seek(SeekFrom::Start(start))?;
        let mut header = [0; HEADER];
        file.read_exact(&mut header).map_err(|_| missing("moov box"))?;
        let size = u32::from_be_bytes([header[0], header[1], header[2], header[3]]);
        let content = (size as usize).checked_sub(HEADER).ok_or_else(|| missing("moov box"))?;
        if &header[4..] == b"moov" {
            let mut moov = vec![0; content];
            file.read_exact(&mut moov)?;
            return Ok((start + HEADER as u64, moov));
        }
        start += u64::from(size);
    }
}

/// Writes numbers into a box within boxes, `offset` bytes into its content.
fn write(mut boxes: &mut [u8], path: &[&[u8; 4]], offset: usize, numbers: &[u32]) -> Result<(), MovieError> {
    for name in path {
        boxes = find(boxes, name).ok_or_else(|| missing("box that tells its times"))?;
    }
    let end = offset + numbers.len() * 4;
    // Version 1 would have 64-bit dates, and so other offsets.
    if boxes.first() != Some(&0) || boxes.len() < end {
        return Err(missing("box of version 0"));
    }
    for (place, number) in boxes[offset..end].chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_be_bytes());
    }
    Ok(())
}

/// What is in the first box of that name.
fn find<'a>(boxes: &'a mut [u8], name: &[u8; 4]) -> Option<&'a mut [u8]> {
    let mut start = 0;
    loop {
        let header = boxes.get(start..start + HEADER)?;
        let size = u32::from_be_bytes([header[0], header[1], header[2], header[3]]) as usize;
        if size < HEADER {
            return None;
        }
        if &header[4..] == name {
            return boxes.get_mut(start + HEADER..start + size);
        }
        start += size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let mut bytes = (content.len() as u32 + 8).to_be_bytes().to_vec();
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(content);
        bytes
    }

    #[test]
    fn numbers_go_into_the_box_they_are_meant_for() {
        let inner = [boxed(b"aaaa", &[0; 8]), boxed(b"bbbb", &[0; 8])].concat();
        let mut boxes = [boxed(b"cccc", &[0; 4]), boxed(b"dddd", &inner)].concat();
        let mut expected = boxes.clone();
        let place = expected.len() - 4;
        expected[place..].copy_from_slice(&[1, 2, 3, 4]);
        write(&mut boxes, &[b"dddd", b"bbbb"], 4, &[0x0102_0304]).unwrap();
        assert_eq!(boxes, expected);
        assert!(write(&mut boxes, &[b"dddd", b"bbbb"], 8, &[1]).is_err(), "beyond its end");
        assert!(write(&mut boxes, &[b"dddd", b"cccc"], 0, &[1]).is_err(), "not in there");
        assert!(write(&mut [0, 0, 0, 0, 0, 0, 0, 0], &[b"dddd"], 0, &[1]).is_err(), "a box of no size");
    }
}
