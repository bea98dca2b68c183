//! How the interface looks: one accent, panels a step lighter than the background, and nothing that carries no
//! information. It follows the background of the cloud.

use crate::model::{Interface, ZOOM};
use bevy::ecs::prelude::{Local, Res, Result};
use bevy_egui::EguiContexts;
use bevy_egui::egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, Style, TextStyle, Visuals, vec2};
use points::{Background, PointSettings};

/// Width of a side panel.
pub const PANEL_WIDTH: f32 = 280.0;
/// Height of the bar at the top.
pub const BAR_HEIGHT: f32 = 28.0;

/// The colours of a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Light panels, for print and projectors.
    pub light: bool,
    /// Fill of panels.
    pub panel: Color32,
    /// Fill of fields and troughs.
    pub field: Color32,
    /// Fill of what can be pressed.
    pub button: Color32,
    /// Text.
    pub text: Color32,
    /// Text that steps back.
    pub quiet: Color32,
    /// What is chosen, filled, pointed out.
    pub accent: Color32,
    /// Lines between things.
    pub line: Color32,
    /// What went wrong.
    pub error: Color32,
}

impl Theme {
    /// The theme that goes with a background.
    #[must_use]
    pub fn of(background: &Background) -> Self {
        if background.is_light() {
            return Self {
                light: true,
                panel: Color32::from_rgb(0xf3, 0xf4, 0xf6),
                field: Color32::from_rgb(0xff, 0xff, 0xff),
                button: Color32::from_rgb(0xe0, 0xe3, 0xe8),
                text: Color32::from_rgb(0x1c, 0x20, 0x26),
                quiet: Color32::from_rgb(0x5b, 0x63, 0x6e),
                accent: Color32::from_rgb(0x1f, 0x6f, 0xeb),
                line: Color32::from_rgb(0xcf, 0xd4, 0xdb),
                error: Color32::from_rgb(0xb4, 0x23, 0x18),
            };
        }
        Self {
            light: false,
            panel: Color32::from_rgb(0x16, 0x1b, 0x22),
            field: Color32::from_rgb(0x0d, 0x11, 0x17),
            button: Color32::from_rgb(0x26, 0x2d, 0x37),
            text: Color32::from_rgb(0xd5, 0xdb, 0xe3),
            quiet: Color32::from_rgb(0x8b, 0x95, 0xa3),
            accent: Color32::from_rgb(0x4c, 0x9a, 0xff),
            line: Color32::from_rgb(0x2b, 0x33, 0x3e),
            error: Color32::from_rgb(0xff, 0x7b, 0x72),
        }
    }

    fn visuals(&self) -> Visuals {
        let mut visuals = if self.light { Visuals::light() } else { Visuals::dark() };
        visuals.panel_fill = self.panel;
        visuals.window_fill = self.panel;
        visuals.window_stroke = Stroke::new(1.0, self.line);
        visuals.extreme_bg_color = self.field;
        visuals.faint_bg_color = self.button;
        visuals.override_text_color = None;
        visuals.selection.bg_fill = self.accent.gamma_multiply(0.55);
        visuals.selection.stroke = Stroke::new(1.0, if self.light { self.text } else { Color32::WHITE });
        visuals.hyperlink_color = self.accent;
        visuals.error_fg_color = self.error;
        visuals.slider_trailing_fill = true;
        visuals.indent_has_left_vline = false;
        visuals.window_corner_radius = CornerRadius::same(8);
        let radius = CornerRadius::same(4);
        let widgets = &mut visuals.widgets;
        let fills = [
            (&mut widgets.noninteractive, self.panel, self.text, self.line),
            (&mut widgets.inactive, self.button, self.text, Color32::TRANSPARENT),
            (&mut widgets.hovered, self.button.lerp_to_gamma(self.accent, 0.25), self.text, self.accent),
            (&mut widgets.active, self.accent, if self.light { Color32::WHITE } else { self.field }, self.accent),
            (&mut widgets.open, self.button, self.text, self.accent),
        ];
        for (widget, fill, text, line) in fills {
            widget.bg_fill = fill;
            widget.weak_bg_fill = fill;
            widget.fg_stroke = Stroke::new(1.0, text);
            widget.bg_stroke = Stroke::new(1.0, line);
            widget.corner_radius = radius;
            widget.expansion = 0.0;
        }
        visuals
    }

    fn style(&self) -> Style {
        let mut style = Style { visuals: self.visuals(), ..Style::default() };
        style.text_styles = [
            (TextStyle::Heading, FontId::new(16.0, FontFamily::Proportional)),
            (TextStyle::Body, FontId::new(13.5, FontFamily::Proportional)),
            (TextStyle::Button, FontId::new(13.5, FontFamily::Proportional)),
            (TextStyle::Small, FontId::new(11.5, FontFamily::Proportional)),
            (TextStyle::Monospace, FontId::new(12.5, FontFamily::Monospace)),
        ]
        .into();
        style.spacing.item_spacing = vec2(6.0, 5.0);
        style.spacing.button_padding = vec2(7.0, 3.0);
        style.spacing.interact_size.y = 21.0;
        style.spacing.window_margin = Margin::same(12);
        style.spacing.scroll.floating = true;
        style.spacing.scroll.fade.strength = if self.light { 0.0 } else { style.spacing.scroll.fade.strength }; // it looks like dirt
        style.interaction.tooltip_delay = 0.35;
        style
    }
}

/// Puts the theme and the scale into force when they change.
pub fn apply_theme(
    mut contexts: EguiContexts,
    looks: Res<PointSettings>,
    interface: Res<Interface>,
    mut last: Local<Option<(Theme, f32)>>,
) -> Result {
    let theme = Theme::of(&looks.background);
    let zoom = interface.zoom.clamp(*ZOOM.start(), *ZOOM.end());
    if *last != Some((theme, zoom)) {
        let context = contexts.ctx_mut()?;
        let style = theme.style();
        context.all_styles_mut(|one| *one = style.clone());
        context.set_zoom_factor(zoom);
        *last = Some((theme, zoom));
    }
    Ok(())
}
