//! Recognises an element's role in a form by common class names.

/// The roles that an element's class names suggest.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClassWords {
    /// Help text for a neighbouring control.
    pub is_help: bool,
    /// An error message, or a message that an answer is valid.
    pub is_error: bool,
    /// A step of a multi-step form.
    pub is_step: bool,
    /// An element that is shown only while a neighbouring choice is selected (`govuk-radios__conditional`).
    pub is_follow_up: bool,
    /// An icon. Icon fonts draw an icon in place of the element's text.
    pub is_icon: bool,
    /// A text before or after a control, for example a currency.
    pub is_addon: bool,
    /// An element that is not visible.
    pub is_hidden: bool,
    /// A spam trap.
    pub is_trap: bool,
}

/// Prefixes of Tailwind classes that move an element off-screen.
const OFF_SCREEN_PREFIXES: [&str; 4] = ["-left-[", "left-[-", "-top-[", "top-[-"];

impl ClassWords {
    /// Reads the value of a `class` attribute.
    pub fn of(class: &str) -> ClassWords {
        let mut meanings = ClassWords::default();
        for name in class.split_ascii_whitespace() {
            meanings.is_icon |= name.starts_with("material-");
            meanings.is_hidden |= OFF_SCREEN_PREFIXES
                .iter()
                .any(|prefix| name.starts_with(prefix));
            let name = name.to_ascii_lowercase();
            meanings.add_whole(&name);
            meanings.add_ending(&name);
            for (place, _) in name.match_indices(['-', '_']) {
                meanings.add_ending(name.get(place + 1..).unwrap_or_default());
            }
        }
        meanings
    }

    /// Adds the role of a class name that must match as a whole.
    fn add_whole(&mut self, name: &str) {
        match name {
            "description" => self.is_help = true,
            "error" | "wpcf7-not-valid-tip" => self.is_error = true,
            "tab" | "page" | "tab-pane" => self.is_step = true,
            _ => {}
        }
    }

    /// Adds the role of a whole class name, or of the rest of a class name after a `-` or `_`. The rest is `step` in
    /// `form-step` and `e-form__step`, and `hint` in `govuk-hint`.
    fn add_ending(&mut self, ending: &str) {
        match ending {
            "help" | "hint" | "helper" | "helptext" | "help-text" | "help_text" | "form-text"
            | "help-block" | "helper-text" | "field-description" => self.is_help = true,
            "error-message" | "error-text" | "form-error" | "field-error" | "valid-feedback"
            | "invalid-feedback" | "invalid-tooltip" => self.is_error = true,
            "step" => self.is_step = true,
            "conditional" => self.is_follow_up = true,
            "icon" | "icons" => self.is_icon = true,
            "input-group-text" | "addon" | "prefix" | "suffix" | "prepend" | "append"
            | "adornment" => self.is_addon = true,
            "honeypot" | "ohnohoney" => (self.is_trap, self.is_hidden) = (true, true),
            "hidden"
            | "hide"
            | "visuallyhidden"
            | "d-none"
            | "display-none"
            | "invisible"
            | "sr-only"
            | "screen-reader-text"
            | "screen-reader-only"
            | "offscreen"
            | "off-screen"
            | "opacity-0"
            | "validation_container"
            | "hp" => self.is_hidden = true,
            _ => {}
        }
    }
}
