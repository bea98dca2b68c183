//! Small pictures of rows.

use crate::model::RowImage;
use crate::theme::Theme;
use bevy_egui::egui::{
    Color32, ColorImage, Context, CornerRadius, Id, Rect, Response, Sense, Stroke, StrokeKind, TextureHandle,
    TextureOptions, Ui, Vec2, pos2, vec2,
};

/// Shows a picture as large as fits into a square; its pixels stay pixels.
pub fn show(ui: &mut Ui, theme: &Theme, name: &str, image: &RowImage, side: f32) -> Response {
    let size = fitting(image, side);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let texture = texture(ui.ctx(), name, image);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter().image(texture.id(), rect, whole, Color32::WHITE);
    ui.painter().rect_stroke(rect, CornerRadius::same(2), Stroke::new(1.0, theme.line), StrokeKind::Outside);
    response
}

fn fitting(image: &RowImage, side: f32) -> Vec2 {
    let (width, height) = (image.width.max(1) as f32, image.height.max(1) as f32);
    let scale = side / width.max(height);
    vec2(width * scale, height * scale)
}

/// What is remembered of a place where a picture stands: the bytes, and where the device has them.
#[derive(Clone)]
struct Shown {
    image: RowImage,
    texture: TextureHandle,
}

/// The texture of a picture: made anew only where another picture stood.
pub fn texture(context: &Context, name: &str, image: &RowImage) -> TextureHandle {
    let id = Id::new(("row image", name));
    if let Some(shown) = context.data(|data| data.get_temp::<Shown>(id))
        && shown.image == *image
    {
        return shown.texture;
    }
    let pixels = ColorImage::from_rgba_unmultiplied([image.width, image.height], &image.rgba);
    let texture = context.load_texture(name, pixels, TextureOptions::NEAREST);
    let shown = Shown { image: image.clone(), texture: texture.clone() };
    context.data_mut(|data| data.insert_temp(id, shown));
    texture
}
