//! MP4: H.264 at a constant quality, as every player takes it.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};

use muxide::api::{Muxer, MuxerBuilder, VideoCodec};
use openh264::encoder::{
    BitRate, Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, QpRange, RateControlMode,
    TransferCharacteristics, VuiConfig,
};
use openh264::{OpenH264API, Timestamp};

use super::retime::{TICKS, retime};
use super::yuv::Yuv;
use super::{Encode, Output};
use crate::{MAX_QUALITY, MovieError, MovieOptions, metadata};

/// Seconds from keyframe to keyframe: what jumping about in the movie waits for.
const KEYFRAME_SECONDS: u32 = 2;
/// The finest quantiser that the encoder takes under rate control.
const FINEST: u32 = 12;
/// Steps of the quantiser from the best quality to the worst; six of them halve the precision.
const STEPS: u32 = 30;
/// Ticks a second that the muxer counts in.
const MUXER_TICKS: f64 = 90_000.0;
/// Bytes of pictures that fit in 32-bit boxes, with room left for the boxes around them.
const MAX_BYTES: u64 = u32::MAX as u64 - (64 << 20);

/// Bits a second within which a level of H.264 can be announced; beyond them the encoder refuses to start.
const MIN_RATE: u32 = 64_000;
const MAX_RATE: u32 = 240_000_000;

/// Frames into H.264 in MP4.
pub(crate) struct Mp4 {
    encoder: Encoder,
    picture: Yuv,
    muxer: Muxer<Output>,
    /// The same file as the muxer's, for what is set right after it.
    file: File,
    packet: Vec<u8>,
    fps: u32,
    frames: u64,
    bytes: u64,
}

impl Mp4 {
    pub(crate) fn new(file: File, options: &MovieOptions) -> Result<Self, MovieError> {
        let MovieOptions { width, height, fps, .. } = *options;
        let output = BufWriter::new(file.try_clone()?);
        Ok(Self {
            encoder: Encoder::with_api_config(OpenH264API::from_source(), config(options))?,
            picture: Yuv::new(width as usize, height as usize),
            muxer: MuxerBuilder::new(output).video(VideoCodec::H264, width, height, fps.into()).build()?,
            file,
            packet: Vec::new(),
            fps,
            frames: 0,
            bytes: 0,
        })
    }
}

/// The encoder's settings.
fn config(options: &MovieOptions) -> EncoderConfig {
    let quantiser = quantiser(options.quality);
    // No rate is kept to; from it and the size, the encoder derives which level of H.264 to announce. Half a bit a
    // pixel is what many moving points take.
    let rate = u64::from(options.width) * u64::from(options.height) * u64::from(options.fps) / 2;
    EncoderConfig::new()
        // Constant quality: with one quantiser to choose from, this mode has nothing left to control.
        .rate_control_mode(RateControlMode::Bufferbased)
        .qp(QpRange::new(quantiser, quantiser))
        .bitrate(BitRate::from_bps(u32::try_from(rate).unwrap_or(MAX_RATE).clamp(MIN_RATE, MAX_RATE)))
        .max_frame_rate(FrameRate::from_hz(options.fps as f32))
        .skip_frames(false)
        // These guess what the eye may miss in a camera's picture, and take tiny points for noise.
        .scene_change_detect(false)
        .adaptive_quantization(false)
        .background_detection(false)
        .intra_frame_period(IntraFramePeriod::from_num_frames(KEYFRAME_SECONDS * options.fps))
        // One, as the picture is one slice: the bytes do not depend on the machine.
        .num_threads(1)
        .vui(VuiConfig::bt709().transfer_characteristics(TransferCharacteristics::Srgb))
}

/// The quantiser for a quality: from [`FINEST`] at the best in even steps to the coarsest at 1.
fn quantiser(quality: u8) -> u8 {
    let (best, missing) = (u32::from(MAX_QUALITY), u32::from(MAX_QUALITY.saturating_sub(quality)));
    let quantiser = FINEST + (missing * STEPS + best / 2) / best;
    u8::try_from(quantiser).unwrap_or(51).min(51)
}

impl Encode for Mp4 {
    fn frame(&mut self, pixels: Vec<u8>) -> Result<(), MovieError> {
        self.picture.set(&pixels);
        let time = Timestamp::from_millis(self.frames * 1000 / u64::from(self.fps));
        let stream = self.encoder.encode_at(&self.picture, time)?;
        let keyframe = matches!(stream.frame_type(), FrameType::IDR);
        self.packet.clear();
        stream.write_vec(&mut self.packet);
        if self.packet.is_empty() {
            return Err(MovieError::FrameLeftOut { frame: self.frames + 1 });
        }
        self.bytes += self.packet.len() as u64;
        if self.bytes > MAX_BYTES {
            return Err(MovieError::TooLarge { frame: self.frames + 1 });
        }
        self.muxer.write_video((self.frames * u64::from(TICKS)) as f64 / MUXER_TICKS, &self.packet, keyframe)?;
        self.frames += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>, metadata: &[(String, String)]) -> Result<u64, MovieError> {
        self.muxer.finish_in_place()?;
        self.muxer.into_writer().flush()?;
        retime(&mut self.file, self.fps, self.frames)?;
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(&metadata::mp4::to_box(metadata))?;
        Ok(self.frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_quality_never_quantises_coarser() {
        assert_eq!(quantiser(MAX_QUALITY), 12);
        assert_eq!(quantiser(80), 18);
        assert_eq!(quantiser(1), 42);
        assert!((1..MAX_QUALITY).all(|quality| quantiser(quality) >= quantiser(quality + 1)));
    }
}
