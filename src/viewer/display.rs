//! Whether there is a display to open a window on.

use std::path::Path;

/// True if a window could be opened: a desktop, or an X server that answers.
#[must_use]
pub fn has_display() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(wayland) = set("WAYLAND_DISPLAY") {
        let folder = set("XDG_RUNTIME_DIR").unwrap_or_default();
        if Path::new(&folder).join(wayland).exists() {
            return true;
        }
    }
    set("DISPLAY").is_some_and(|display| answers(&display))
}

/// Whether the X server of a display is there and lets us in.
fn answers(display: &str) -> bool {
    x11rb::connect(Some(display)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_display_that_does_not_answer_is_none() {
        assert!(!answers(":4711") && !answers("no such display"));
    }
}
