//! Pictures of rows: from a column that holds picture files, or from vectors that are pictures themselves.

use controls::RowImage;
use dataset::Dataset;
use dataset::arrow::array::{Array, ArrayRef, AsArray};
use dataset::arrow::datatypes::DataType;
use std::io::Cursor;
use std::str::FromStr;
use std::sync::Arc;
use vectors::Vectors;
use vectors::pca::Pca;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The smallest square that is taken for a picture by itself, in pixels a side.
const SMALLEST_SIDE: usize = 7;
/// Vectors that are looked at to find what is black and what is white.
const SAMPLE: usize = 512;
/// Pictures of files are shown at no more than this many pixels a side.
const LARGEST_SIDE: usize = 160;
/// Larger picture files are not decoded: they would stall the window.
const LARGEST_FILE: usize = 4 << 20;
const LARGEST_PIXELS: usize = 16 << 20;
/// Values that are looked at to find out whether a column holds pictures.
const TRIES: usize = 20;

/// How the values of a vector make a picture: row by row, channels together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageShape {
    pub height: usize,
    pub width: usize,
    /// 1 or 3.
    pub channels: usize,
}

impl ImageShape {
    fn values(self) -> usize {
        self.height * self.width * self.channels
    }

    /// The square of so many values.
    fn square(values: usize) -> Option<Self> {
        let side = values.isqrt();
        (side * side == values && side >= SMALLEST_SIDE).then_some(Self { height: side, width: side, channels: 1 })
    }
}

impl FromStr for ImageShape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides: Option<Vec<usize>> =
            text.split(['x', 'X', '×']).map(|side| side.trim().parse().ok().filter(|&side| side > 0)).collect();
        match sides.as_deref() {
            Some(&[height, width]) => Ok(Self { height, width, channels: 1 }),
            Some(&[height, width, channels @ (1 | 3)]) => Ok(Self { height, width, channels }),
            _ => Err("not HEIGHTxWIDTH or HEIGHTxWIDTHxCHANNELS with 1 or 3 channels, as in 28x28 or 32x32x3".into()),
        }
    }
}

/// Where pictures of rows come from.
#[derive(Debug, Clone, Default)]
pub struct RowPictures(Option<Source>);

#[derive(Debug, Clone)]
enum Source {
    /// Files in a column.
    Column(String),
    /// The vectors.
    Vectors {
        shape: ImageShape,
        /// Black and white.
        range: [f32; 2],
        /// What to go back by, where the vectors are principal components of the pictures.
        pca: Option<Arc<Pca>>,
    },
}

impl RowPictures {
    /// Looks for pictures: a column of picture files, or vectors of the given shape, or else square vectors of values
    /// that are never below zero.
    ///
    /// # Errors
    /// If the vectors do not have as many values as the shape that was asked for.
    pub fn find(dataset: &Dataset, vectors: &Vectors, asked: Option<ImageShape>) -> Result<Self, String> {
        let dims = dataset.source.input_dims;
        let pca = dataset.components.clone();
        let dark = match &pca {
            Some(pca) => pca.mean.iter().all(|&mean| mean >= 0.0),
            None => sample(vectors).all(|row| vectors.row(row).iter().all(|&value| value >= 0.0)),
        };
        if let Some(shape) = asked {
            if shape.values() != dims {
                let ImageShape { height, width, channels } = shape;
                return Err(format!(
                    "--image-shape {height}x{width}x{channels} has {} values, but the vectors have {dims}",
                    shape.values()
                ));
            }
            let range = range_of(vectors, pca.as_deref(), dark);
            return Ok(Self(Some(Source::Vectors { shape, range, pca })));
        }
        if let Some(column) = picture_column(dataset) {
            return Ok(Self(Some(Source::Column(column))));
        }
        let Some(shape) = ImageShape::square(dims).filter(|_| dark) else { return Ok(Self(None)) };
        let range = range_of(vectors, pca.as_deref(), dark);
        Ok(Self(Some(Source::Vectors { shape, range, pca })))
    }

    /// Whether rows have pictures.
    pub fn are_there(&self) -> bool {
        self.0.is_some()
    }

    /// The shape of the vectors, where a value is a pixel.
    pub fn pixels(&self) -> Option<ImageShape> {
        match &self.0 {
            Some(Source::Vectors { shape, pca: None, .. }) => Some(*shape),
            _ => None,
        }
    }

    /// The picture of a row: from its file, or from its vector.
    pub fn of_row(&self, dataset: &Dataset, row: u32, vector: &[f32]) -> Option<RowImage> {
        match self.0.as_ref()? {
            Source::Column(column) => {
                let (index, _) = dataset.attributes.schema().column_with_name(column)?;
                decoded(&bytes_at(dataset.attributes.column(index), row as usize)?)
            }
            Source::Vectors { .. } => self.of_vector(vector),
        }
    }

    /// The picture of any vector, such as a mean.
    pub fn of_vector(&self, vector: &[f32]) -> Option<RowImage> {
        let Some(Source::Vectors { shape, range: [black, white], pca }) = &self.0 else { return None };
        let restored;
        let values = match pca {
            Some(pca) => {
                restored = pca.restore(vector);
                restored.as_slice()
            }
            None => vector,
        };
        if values.len() < shape.values() {
            return None; // of other data
        }
        let scale = 255.0 / (white - black).max(f32::MIN_POSITIVE);
        let byte = |value: &f32| ((value - black) * scale).clamp(0.0, 255.0) as u8;
        let pixel = |values: &[f32]| match values {
            [red, green, blue] => [byte(red), byte(green), byte(blue), 255],
            values => {
                let grey = values.first().map_or(0, byte);
                [grey, grey, grey, 255]
            }
        };
        let rgba = values.chunks_exact(shape.channels).take(shape.height * shape.width).flat_map(pixel).collect();
        Some(RowImage { width: shape.width, height: shape.height, rgba: Arc::new(rgba) })
    }
}

fn sample(vectors: &Vectors) -> impl Iterator<Item = usize> {
    (0..vectors.rows()).step_by(vectors.rows().div_ceil(SAMPLE).max(1))
}

/// What is black and what is white: nearly all values lie between them. Intensities, which are not negative (`dark`),
/// are black at zero; what PCA leaves below was black.
fn range_of(vectors: &Vectors, pca: Option<&Pca>, dark: bool) -> [f32; 2] {
    let restored = |row: usize| match pca {
        Some(pca) => pca.restore(vectors.row(row)),
        None => vectors.row(row).to_vec(),
    };
    let mut values: Vec<f32> = sample(vectors).flat_map(restored).filter(|value| value.is_finite()).collect();
    if values.is_empty() {
        return [0.0, 1.0];
    }
    let mut quantile = |share: f64| {
        let at = ((values.len() - 1) as f64 * share) as usize;
        *values.select_nth_unstable_by(at, f32::total_cmp).1
    };
    let (low, high) = (quantile(0.001), quantile(0.999));
    let black = if dark { 0.0 } else { low };
    [black, if high > black { high } else { black + 1.0 }]
}

/// The first column whose values are picture files.
fn picture_column(dataset: &Dataset) -> Option<String> {
    let schema = dataset.attributes.schema();
    let holds = |index: &usize| {
        let array = dataset.attributes.column(*index);
        let mut tried = (0..array.len()).filter(|&row| array.is_valid(row)).take(TRIES).peekable();
        tried.peek().is_some() && tried.all(|row| bytes_at(array, row).is_some_and(|bytes| kind_of(&bytes).is_some()))
    };
    let found = (0..schema.fields().len()).find(holds)?;
    Some(schema.field(found).name().clone())
}

/// The bytes of a value: of a binary column, or of the field `bytes` of a structure, as Hugging Face stores pictures.
fn bytes_at(array: &ArrayRef, row: usize) -> Option<Vec<u8>> {
    if array.is_null(row) {
        return None;
    }
    match array.data_type() {
        DataType::Binary => Some(array.as_binary::<i32>().value(row).to_vec()),
        DataType::LargeBinary => Some(array.as_binary::<i64>().value(row).to_vec()),
        DataType::BinaryView => Some(array.as_binary_view().value(row).to_vec()),
        DataType::Struct(_) => bytes_at(array.as_struct().column_by_name("bytes")?, row),
        _ => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Png,
    Jpeg,
}

fn kind_of(bytes: &[u8]) -> Option<FileKind> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some(FileKind::Png),
        [0xff, 0xd8, 0xff, ..] => Some(FileKind::Jpeg),
        _ => None,
    }
}

/// A picture file as pixels, made smaller where it is large; none if it cannot be read.
fn decoded(bytes: &[u8]) -> Option<RowImage> {
    if bytes.len() > LARGEST_FILE {
        return None;
    }
    let (width, height, rgba) = match kind_of(bytes)? {
        FileKind::Png => {
            let mut decoder = png::Decoder::new(Cursor::new(bytes));
            decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
            let mut reader = decoder.read_info().ok()?;
            let size = reader.output_buffer_size().filter(|&size| size <= 4 * LARGEST_PIXELS)?;
            let mut pixels = vec![0; size];
            let frame = reader.next_frame(&mut pixels).ok()?;
            pixels.truncate(frame.buffer_size());
            let rgba = match frame.color_type {
                png::ColorType::Rgba => pixels,
                png::ColorType::GrayscaleAlpha => {
                    pixels.chunks_exact(2).flat_map(|pixel| [pixel[0], pixel[0], pixel[0], pixel[1]]).collect()
                }
                _ => return None, // the transformations leave no other
            };
            (frame.width as usize, frame.height as usize, rgba)
        }
        FileKind::Jpeg => {
            let options = DecoderOptions::default()
                .jpeg_set_out_colorspace(ColorSpace::RGBA)
                .set_max_width(1 << 13)
                .set_max_height(1 << 13);
            let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
            let rgba = decoder.decode().ok()?;
            let (width, height) = decoder.dimensions()?;
            (width, height, rgba)
        }
    };
    (rgba.len() == 4 * width * height && width * height > 0).then(|| smaller(width, height, rgba))
}

/// Every n-th pixel, until it is small enough.
fn smaller(width: usize, height: usize, rgba: Vec<u8>) -> RowImage {
    let step = width.max(height).div_ceil(LARGEST_SIDE);
    if step == 1 {
        return RowImage { width, height, rgba: Arc::new(rgba) };
    }
    let (columns, rows) = (width.div_ceil(step), height.div_ceil(step));
    let pixel = |x: usize, y: usize| &rgba[4 * (y * step * width + x * step)..][..4];
    let rgba = (0..rows).flat_map(|y| (0..columns).flat_map(move |x| pixel(x, y))).copied().collect();
    RowImage { width: columns, height: rows, rgba: Arc::new(rgba) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read_and_wrong_ones_refused() {
        assert_eq!("28x28".parse(), Ok(ImageShape { height: 28, width: 28, channels: 1 }));
        assert_eq!("4x5x3".parse(), Ok(ImageShape { height: 4, width: 5, channels: 3 }));
        for bad in ["", "28", "0x4", "4x4x2", "axb", "4x4x3x1", "-1x4"] {
            assert!(bad.parse::<ImageShape>().is_err(), "{bad}");
        }
        assert_eq!(ImageShape::square(64), Some(ImageShape { height: 8, width: 8, channels: 1 }));
        assert_eq!((ImageShape::square(50), ImageShape::square(4)), (None, None));
    }

    #[test]
    fn a_vector_is_drawn_row_by_row_from_black_to_white() {
        let shape = ImageShape { height: 1, width: 2, channels: 3 };
        let pictures = RowPictures(Some(Source::Vectors { shape, range: [0.0, 2.0], pca: None }));
        let image = pictures.of_vector(&[0.0, 1.0, 2.0, 4.0, -1.0, 2.0]).expect("a picture");
        assert_eq!((image.width, image.height), (2, 1));
        assert_eq!(image.rgba.as_slice(), [0, 127, 255, 255, 255, 0, 255, 255]);
    }

    #[test]
    fn files_are_decoded_and_what_is_none_is_left_alone() {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 2, 1);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().expect("a header").write_image_data(&[1, 2, 3, 4, 5, 6]).expect("pixels");
        let image = decoded(&file).expect("a picture");
        assert_eq!((image.width, image.height, image.rgba.as_slice()), (2, 1, &[1, 2, 3, 255, 4, 5, 6, 255][..]));
        file.truncate(40);
        assert_eq!(decoded(&file), None);
        assert_eq!(decoded(b"not a picture at all"), None);
        assert_eq!(decoded(&[0xff, 0xd8, 0xff, 0, 0]), None);
    }

    #[test]
    fn large_pictures_are_made_smaller() {
        let image = smaller(400, 200, (0..400 * 200).flat_map(|at: usize| [(at % 400 / 2) as u8, 0, 0, 255]).collect());
        assert_eq!((image.width, image.height, image.rgba.len()), (134, 67, 134 * 67 * 4));
        assert_eq!(image.rgba[4], 1); // the pixel at x = 3
    }
}
